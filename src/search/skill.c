// SPDX-License-Identifier: GPL-3.0-or-later
// See skill.h. Between the rows of both tables everything changes along straight lines (nodes on a
// logarithmic scale), so that one more point of Elo is never a leap.
#include "search/skill.h"

#include <math.h>

#include "search/worker.h"

// ---- the family: how a strength plays -----------------------------------------------------------
// Sight is depth in hundredths: 250 looks two plies deep in one half of all positions and three in the other.
// Nodes are always enough to look at every move once.
typedef struct StrengthRow {
    int strength, nodes, sight, noise, softness, lines;
} StrengthRow;

enum { STRENGTH_ROWS = 9, LINES_MAX = 12 };

static const StrengthRow FAMILY[STRENGTH_ROWS] = {
    {0, 300, 100, 1000, 600, 12}, {500, 300, 100, 500, 300, 12}, {750, 300, 100, 250, 150, 10},
    {1000, 350, 140, 130, 85, 8}, {1250, 450, 240, 80, 55, 6},   {1500, 700, 370, 45, 32, 5},
    {1750, 1200, 550, 22, 18, 4}, {2000, 4000, 900, 8, 8, 2},    {3000, 400000, 4000, 0, 0, 1},
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
    {3200, 13, {690, 857, 1058, 1307, 1563, 1754, 1823, 1924, 1970, 2053, 2150, 2275, 2400}}, // column 0
    {3200, 13, {610, 745, 935, 1131, 1430, 1682, 1861, 1956, 2090, 2212, 2337, 2482, 2630}},  // column 1
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

SkillPlan skill_plan(int elo, u64 key)
{
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
                      .nodes = (u64)llround(exp(between(log(a->nodes), log(b->nodes), t))),
                      .noise = (int)lround(between(a->noise, b->noise, t)),
                      .softness = (int)lround(between(a->softness, b->softness, t)),
                      .lines = (int)lround(between(a->lines, b->lines, t)),
                      .seed = hash_mix(key ^ (u64)elo),
                      .error_seed = hash_mix((u64)elo)};
    plan.max_depth = (int)((u64)lround(between(a->sight, b->sight, t)) + plan.seed % 100) / 100;
    return plan;
}

// ---- won positions ------------------------------------------------------------------------------
enum {
    AHEAD_SCORE = 500,
    WON_SCORE = 2000,
    ENDING_SCORE = 350,
    ENDING_PHASE = 48,
    ENDING_MEN = 10,
    BASIC_SCORE = 80,
    BASIC_MEN = 4
};

void skill_sharpen(SkillPlan *plan, const Position *pos, int score)
{
    enum { SHARP_NODES = 30000, SHARP_DEPTH = 40 };
    if (score >= AHEAD_SCORE)
        plan->softness /= 2;
    const bool is_ending =
        pos_men(pos) <= ENDING_MEN && pos_phase(pos) <= ENDING_PHASE && score >= ENDING_SCORE;
    const bool is_basic = pos_men(pos) <= BASIC_MEN && score >= BASIC_SCORE;
    if (score < WON_SCORE && !is_ending && !is_basic)
        return;
    plan->noise = 0;
    plan->softness = 0;
    plan->lines = 1;
    plan->nodes = plan->nodes < SHARP_NODES ? SHARP_NODES : plan->nodes;
    plan->max_depth = max_int(plan->max_depth, SHARP_DEPTH);
}

// ---- errors and choices -------------------------------------------------------------------------
int skill_noise(const SkillPlan *plan, u64 key)
{
    // The sum of four even numbers is near enough to a bell; the same position always errs the same way.
    u64 h = hash_mix(key ^ plan->error_seed);
    int sum = (int)(h & 1023) + (int)(h >> 10 & 1023) + (int)(h >> 20 & 1023) + (int)(h >> 30 & 1023) - 2046;
    return sum * plan->noise / 1182;
}

int skill_choose(const SkillPlan *plan, const int *scores, int nb)
{
    // Mate in sight either way: no more games with it.
    if (plan->softness == 0 || nb < 2 || score_is_mate(scores[0]))
        return 0;
    double weight[LINES_MAX], sum = 0;
    nb = min_int(nb, LINES_MAX);
    for (int i = 0; i < nb; i++) {
        double behind = scores[0] - scores[i];
        weight[i] = exp(-behind / plan->softness * 2.0);
        sum += weight[i];
    }
    Rng rng = {plan->seed};
    double at = rng_unit(&rng) * sum;
    for (int i = 0; i < nb; i++) {
        at -= weight[i];
        if (at < 0)
            return i;
    }
    return 0;
}

int skill_pick(const Worker *w)
{
    const SkillPlan *plan = &w->engine->skill;
    if (plan->softness == 0 || score_is_mate(w->root[0].score))
        return 0;
    // Scores of different depths do not compare: all are taken from the last finished iteration, which one
    // that was cut short has made the previous one; without a finished iteration there is only what the first
    // has seen.
    const bool cut_short = w->cut_short && w->completed_depth > 0;
    int index[LINES_MAX], scores[LINES_MAX], nb = 0, lines = min_int(plan->lines, LINES_MAX);
    for (int i = 0; i < w->root_nb; i++) {
        int score = cut_short ? w->root[i].previous_score : w->root[i].score;
        if (score == -SCORE_INFINITE || w->root[i].tb_rank != w->root[0].tb_rank)
            continue;
        int j = min_int(nb, lines - 1);
        if (nb == lines && scores[j] >= score)
            continue;
        for (; j > 0 && scores[j - 1] < score; j--)
            scores[j] = scores[j - 1], index[j] = index[j - 1];
        scores[j] = score, index[j] = i;
        nb = min_int(nb + 1, lines);
    }
    return nb == 0 ? 0 : index[skill_choose(plan, scores, nb)];
}
