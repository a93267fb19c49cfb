// SPDX-License-Identifier: GPL-3.0-or-later
// See skill.h. Between the rows of both tables everything changes along straight lines (nodes on a
// logarithmic scale), so that one more point of Elo is never a leap.
#include "search/skill.h"

#include <math.h>

#include "search/eval.h"
#include "search/worker.h"

// ---- the family: how a strength plays -----------------------------------------------------------
// Sight is depth in hundredths: 250 looks two plies deep at one half of all moves and three at the other.
// Nodes are always enough to look at every move once.
typedef struct StrengthRow {
    int strength, nodes, sight, unseen, missed, insight, taste, lines;
} StrengthRow;

enum { STRENGTH_ROWS = 9, LINES_MAX = 12, MANNERS_STRENGTH = 2000 };

static const StrengthRow FAMILY[STRENGTH_ROWS] = {
    {0, 300, 100, 2200, 2600, 0, 300, 12}, {500, 300, 100, 800, 1000, 20, 120, 12},
    {750, 300, 120, 420, 520, 50, 60, 10}, {1000, 350, 160, 300, 380, 70, 45, 8},
    {1250, 450, 240, 200, 250, 85, 30, 6}, {1500, 700, 370, 120, 150, 95, 18, 5},
    {1750, 1200, 550, 60, 70, 100, 10, 4}, {2000, 4000, 900, 15, 20, 100, 4, 2},
    {3000, 400000, 4000, 0, 0, 100, 0, 1},
};

// ---- the measurement: which strength an Elo number stands for -----------------------------------
// A row for each column of parameters, rewritten by scripts/levels.sh: the Elo of full strength, and the
// strengths of 600, 800, ...
enum { MIN_ELO = 600, ELO_STEP = 200, STEPS_MAX = 13 };

typedef struct Measured {
    int full_elo, nb, strength[STEPS_MAX];
} Measured;

// clang-format off: scripts/levels.sh writes these rows
static const Measured MEASURED[2] = {
    {3200, 13, {690, 858, 1113, 1398, 1625, 1783, 1868, 1940, 1990, 2070, 2166, 2290, 2415}}, // column 0
    {3200, 13, {548, 626, 745, 1075, 1440, 1678, 1868, 1956, 2090, 2212, 2337, 2482, 2630}},  // column 1
};
// clang-format on

SkillRange skill_range(void) { return (SkillRange){MIN_ELO, MEASURED[PARAM_COLUMN].full_elo}; }

static double between(double a, double b, double t) { return a + (b - a) * t; }

static double strength_of(int elo)
{
    const Measured *m = &MEASURED[PARAM_COLUMN];
    int i = min_int((elo - MIN_ELO) / ELO_STEP, m->nb - 2);
    return between(m->strength[i], m->strength[i + 1], (elo - MIN_ELO - i * ELO_STEP) / (double)ELO_STEP);
}

SkillPlan skill_plan(const Limits *limits)
{
    int elo = limits->elo;
    if (elo <= 0 || elo >= skill_range().max_elo)
        return (SkillPlan){.active = false};
    elo = max_int(elo, MIN_ELO);
    double strength = fmax(strength_of(elo), FAMILY[0].strength);
    int i = 0;
    while (i + 2 < STRENGTH_ROWS && strength >= FAMILY[i + 1].strength)
        i++;
    const StrengthRow *a = &FAMILY[i], *b = a + 1;
    double t = fmin((strength - a->strength) / (b->strength - a->strength), 1.0);
    SkillPlan plan = {.active = true,
                      .elo = elo,
                      .nodes = (u64)llround(exp(between(log(a->nodes), log(b->nodes), t))),
                      .unseen = (int)lround(between(a->unseen, b->unseen, t)),
                      .missed = (int)lround(between(a->missed, b->missed, t)),
                      .insight = (int)lround(between(a->insight, b->insight, t)),
                      .taste = (int)lround(between(a->taste, b->taste, t)),
                      .manners = clamp_int((MANNERS_STRENGTH - (int)strength) / 5, 0, 100),
                      .lines = (int)lround(between(a->lines, b->lines, t)),
                      .game_seed = hash_mix(limits->game_seed),
                      .move_seed = hash_mix(limits->move_seed)};
    plan.max_depth = (int)((u64)lround(between(a->sight, b->sight, t)) + plan.move_seed % 100) / 100;
    return plan;
}

// ---- how it stands ------------------------------------------------------------------------------
// Won positions.
static void sharpen(SkillPlan *plan, const Position *pos)
{
    enum {
        AHEAD_SCORE = 500,
        WON_SCORE = 2000,
        ENDING_SCORE = 350,
        ENDING_PHASE = 48,
        ENDING_MEN = 10,
        EASY_SCORE = 800,
        BASIC_SCORE = 80,
        BASIC_MEN = 4,
        SHARP_NODES = 30000,
        SHARP_DEPTH = 40
    };
    if (plan->score >= AHEAD_SCORE)
        plan->taste /= 2;
    const bool is_ending = pos_men(pos) <= ENDING_MEN &&
                           ((pos_phase(pos) <= ENDING_PHASE && plan->score >= ENDING_SCORE) ||
                            plan->score >= EASY_SCORE); // much more, however much stands on the board
    const bool is_basic = pos_men(pos) <= BASIC_MEN && plan->score >= BASIC_SCORE;
    if (plan->score < WON_SCORE && !is_ending && !is_basic)
        return;
    plan->unseen = plan->missed = plan->taste = plan->manners = 0;
    plan->insight = 100;
    plan->lines = 1;
    plan->nodes = plan->nodes < SHARP_NODES ? SHARP_NODES : plan->nodes;
    plan->max_depth = max_int(plan->max_depth, SHARP_DEPTH);
}

static bool is_move(Move move) { return move != MOVE_NONE && move != MOVE_NULL; }

// Is there something to take back, and a man to do it without loss? Then nobody thinks long.
static bool looks_obvious(const SkillPlan *plan, const Position *pos)
{
    enum { WORTH = 200 };
    Move list[MAX_MOVES];
    const int nb = (int)(gen_all(pos, list) - list);
    for (int i = 0; i < nb && is_move(plan->last[0]); i++)
        if (move_to(list[i]) == move_to(plan->last[0]) && see_ge(pos, list[i], WORTH))
            return true;
    return nb == 1;
}

void skill_look(SkillPlan *plan, const Game *game, int score)
{
    plan->score = score;
    for (int i = 0; i < 4; i++)
        plan->last[i] = game->move_nb > i ? game->move[game->move_nb - 1 - i] : MOVE_NONE;
    sharpen(plan, &game->pos);
    if (plan->unseen > 0 && looks_obvious(plan, &game->pos)) {
        plan->nodes = plan->nodes / 2 + 1;
        plan->max_depth = max_int(plan->max_depth - 1, 1);
    }
}

// ---- what is seen -------------------------------------------------------------------------------
// Does the move undo the other one of the same side?
static bool undoes(Move move, Move earlier)
{
    return is_move(earlier) && move_from_index(move) == move_to(earlier) &&
           move_to(move) == move_from_index(earlier);
}

static int obscurity_of(const Position *pos, Move move, Move before, Move own)
{
    enum { SAME_MAN = 12, TAKES_BACK_SHARE = 3 };
    int obscurity = move_obscurity(pos, move);
    if (is_move(own) && move_from_index(move) == move_to(own))
        obscurity += SAME_MAN;
    return is_move(before) && move_to(before) == move_to(move) ? obscurity / TAKES_BACK_SHARE : obscurity;
}

bool skill_sees(const SkillPlan *plan, const Position *pos, Move move, int ply, Move before, Move own)
{
    enum { USUAL = 30, MOST = 970 };
    const int rate = ply % 2 == 0 ? plan->unseen : plan->missed;
    if (rate == 0)
        return true;
    const u64 lot = hash_mix(plan->move_seed ^ ((u64)move << 8 | (u64)move_piece(pos, move)));
    return (int)(lot % 1000) >= min_int(rate * obscurity_of(pos, move, before, own) / USUAL, MOST);
}

// ---- what is thought of it ----------------------------------------------------------------------
int skill_judge(const SkillPlan *plan, const Position *pos, int score)
{
    if (plan->insight == 100)
        return score;
    const int counted = pos_material(pos) + pos_activity(pos);
    return (score * plan->insight + counted * (100 - plan->insight)) / 100;
}

// From -100 to 100, one liking of a game.
static int liking(const SkillPlan *plan, u64 what)
{
    return (int)(hash_mix(plan->game_seed ^ hash_mix(what)) % 201) - 100;
}

int skill_taste(const SkillPlan *plan, const Position *pos, Move move)
{
    enum { PIECES = 0, CHECKS = 1000, TAKES = 2000, MANNERS = 3000 };
    int likes = liking(plan, PIECES + (u64)move_piece(pos, move));
    if (move_gives_check(pos, move))
        likes += liking(plan, CHECKS);
    if (move_captured(pos, move))
        likes += liking(plan, TAKES + (u64)move_captured(pos, move)) + 30;
    const int taste = plan->taste * likes / 100;
    return taste + move_manner(pos, move, hash_mix(plan->game_seed + MANNERS)) * plan->manners / 100;
}

// ---- the root -----------------------------------------------------------------------------------
// What no level plays: going back and forth, and from 1000 on, in a better position, leaving the other side
// without a move where that is a draw.
static bool is_silly(const SkillPlan *plan, const Position *pos, Move move)
{
    enum { STALEMATES_ELO = 1000 };
    if (undoes(move, plan->last[1]) && undoes(plan->last[1], plan->last[3]))
        return true;
    if (plan->elo < STALEMATES_ELO || plan->score <= 0)
        return false;
    Position after = pos_after(pos, move);
    return !pos_in_check(&after) && gen_count(&after) == 0 && pos_no_move_outcome(&after) == OUTCOME_DRAW;
}

void skill_choose_root(Worker *w)
{
    const SkillPlan *plan = &w->engine->skill;
    const bool in_check = pos_in_check(&w->pos);
    int seen_nb = 0, sane_nb = 0, plainest = -1, least = 0;
    u8 is_seen[MAX_MOVES];
    for (int i = 0; i < w->root_nb; i++) {
        const Move move = w->root[i].move;
        is_seen[i] = false;
        if (is_silly(plan, &w->pos, move))
            continue;
        sane_nb++;
        is_seen[i] = in_check || skill_sees(plan, &w->pos, move, 0, plan->last[0], plan->last[1]);
        seen_nb += is_seen[i];
        const int obscurity = obscurity_of(&w->pos, move, plan->last[0], plan->last[1]);
        if (plainest < 0 || obscurity < least)
            plainest = i, least = obscurity;
    }
    if (sane_nb == 0)
        return;
    if (seen_nb == 0) // there is always something to play
        is_seen[plainest] = true;
    int kept = 0;
    for (int i = 0; i < w->root_nb; i++)
        if (is_seen[i])
            w->root[kept++] = w->root[i];
    w->root_is_partial |= kept < w->root_nb;
    w->root_nb = kept;
}

int skill_pick(const Worker *w)
{
    const SkillPlan *plan = &w->engine->skill;
    if (plan->lines < 2 || score_is_mate(w->root[0].score))
        return 0;
    // Scores of different depths do not compare: all are taken from the last finished iteration, which one
    // that was cut short has made the previous one; without a finished iteration there is only what the first
    // has seen.
    const bool cut_short = w->cut_short && w->completed_depth > 0;
    int best = 0, best_score = -SCORE_INFINITE;
    for (int i = 0; i < w->root_nb; i++) {
        int score = cut_short ? w->root[i].previous_score : w->root[i].score;
        if (score == -SCORE_INFINITE || w->root[i].tb_rank != w->root[0].tb_rank)
            continue;
        if (!score_is_mate(score))
            score += skill_taste(plan, &w->pos, w->root[i].move);
        if (score > best_score)
            best = i, best_score = score;
    }
    return best;
}
