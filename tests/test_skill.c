// SPDX-License-Identifier: GPL-3.0-or-later
// Playing below full strength: plans, what is overlooked, tastes, and what no level ever plays.
#include "search/skill.h"

#include "levels.h"
#include "search_helpers.h"

static Limits level_limits(int elo, u64 game_seed, u64 move_seed)
{
    return (Limits){.move_time_ms = 60000, .elo = elo, .game_seed = game_seed, .move_seed = move_seed};
}

static SkillPlan plan_of(int elo, u64 game_seed, u64 move_seed)
{
    const Limits limits = level_limits(elo, game_seed, move_seed);
    return skill_plan(&limits);
}

static void check_plans(void)
{
    CASE("levels: more nodes, deeper sight and fewer oversights for more strength");
    const SkillRange range = skill_range();
    SkillPlan before = plan_of(range.min_elo, 1, 1);
    for (int elo = range.min_elo; elo < range.max_elo; elo += 200) {
        const SkillPlan plan = plan_of(elo, 1, 1);
        CHECK(plan.active && plan.nodes >= before.nodes && plan.max_depth >= before.max_depth);
        CHECK(plan.unseen <= before.unseen && plan.missed <= before.missed && plan.taste <= before.taste);
        CHECK(plan.insight >= before.insight && plan.lines >= 1);
        before = plan;
    }
    CHECK(!plan_of(0, 1, 1).active && !plan_of(range.max_elo, 1, 1).active);
    CHECK(plan_of(range.min_elo, 1, 1).unseen > 100 && plan_of(range.max_elo - 1, 1, 1).unseen < 20);
}

// How many of the position's moves are seen so many plies from the root.
static int seen_nb(const SkillPlan *plan, const Position *pos, int ply)
{
    Move list[MAX_MOVES];
    int seen = 0;
    const int nb = (int)(gen_all(pos, list) - list);
    for (int i = 0; i < nb; i++)
        seen += skill_sees(plan, pos, list[i], ply, MOVE_NONE, MOVE_NONE);
    return seen;
}

static void check_sight(void)
{
    CASE("levels: what is overlooked is one lot for a search, another for the next");
    const Position start = position_of(GAME_START);
    Move list[MAX_MOVES], replies[MAX_MOVES];
    const int nb = (int)(gen_all(&start, list) - list);
    int changes = 0, seen = 0;
    for (u64 seed = 1; seed <= 50; seed++) {
        const SkillPlan plan = plan_of(800, 1, seed), again = plan_of(800, 9, seed),
                        next = plan_of(800, 1, seed + 1);
        for (int i = 0; i < nb; i++) {
            const bool sees = skill_sees(&plan, &start, list[i], 0, MOVE_NONE, MOVE_NONE);
            CHECK_INT(skill_sees(&plan, &start, list[i], 0, MOVE_NONE, MOVE_NONE), sees);
            CHECK_INT(skill_sees(&plan, &start, list[i], 2, MOVE_NONE, MOVE_NONE), sees);
            CHECK_INT(skill_sees(&again, &start, list[i], 0, MOVE_NONE, MOVE_NONE), sees);
            changes += sees != skill_sees(&next, &start, list[i], 0, MOVE_NONE, MOVE_NONE);
            seen += sees;
        }
    }
    CHECK(changes > 50 && seen > 50 && seen < 50 * nb);
    CASE("levels: a reply is overlooked after every move, or after none");
    const SkillPlan plan = plan_of(800, 1, 7);
    const Position first = pos_after(&start, list[0]);
    const int reply_nb = (int)(gen_all(&first, replies) - replies);
    for (int i = 1; i < nb; i++) {
        const Position other = pos_after(&start, list[i]);
        for (int j = 0; j < reply_nb; j++)
            if (move_is_pseudo_legal(&other, replies[j]) && move_is_legal(&other, replies[j]) &&
                move_obscurity(&other, replies[j]) == move_obscurity(&first, replies[j]))
                CHECK_INT(skill_sees(&plan, &other, replies[j], 1, MOVE_NONE, MOVE_NONE),
                          skill_sees(&plan, &first, replies[j], 1, MOVE_NONE, MOVE_NONE));
    }
    CASE("levels: the stronger sees what the weaker sees, and the strongest all");
    for (u64 seed = 1; seed <= 20; seed++) {
        const SkillPlan weak = plan_of(600, 1, seed), strong = plan_of(1600, 1, seed);
        for (int i = 0; i < nb; i++)
            CHECK(!skill_sees(&weak, &start, list[i], 0, MOVE_NONE, MOVE_NONE) ||
                  skill_sees(&strong, &start, list[i], 0, MOVE_NONE, MOVE_NONE));
    }
    SkillPlan all = plan_of(600, 1, 1);
    all.unseen = all.missed = 0;
    CHECK_INT(seen_nb(&all, &start, 0), nb);
    CHECK_INT(seen_nb(&all, &first, 1), reply_nb);
    CASE("levels: what takes back is seen sooner, and the man that just moved later");
    int plain = 0, taken_back = 0, moved = 0;
    for (u64 seed = 1; seed <= 400; seed++) {
        const SkillPlan one = plan_of(800, 1, seed);
        const Move move = list[seed % (u64)nb];
        // A move that arrived where this one goes, and one that arrived where this one begins.
        for (int i = 0; i < nb; i++) {
            if (move_to(list[i]) != move_to(move) || list[i] == move)
                continue;
            plain += skill_sees(&one, &start, move, 0, MOVE_NONE, MOVE_NONE);
            taken_back += skill_sees(&one, &start, move, 0, list[i], MOVE_NONE);
        }
        const Position after = pos_after(&start, move);
        const Position pass = pos_after(&after, MOVE_NULL);
        Move next[MAX_MOVES];
        const int next_nb = (int)(gen_all(&pass, next) - next);
        for (int i = 0; i < next_nb; i++)
            if (move_from_index(next[i]) == move_to(move))
                moved += skill_sees(&one, &pass, next[i], 0, MOVE_NONE, MOVE_NONE) -
                         skill_sees(&one, &pass, next[i], 0, MOVE_NONE, move);
    }
    CHECK(taken_back >= plain && moved > 0);
}

static void check_searches(void)
{
    CASE("levels: the same seeds give the same move, other seeds other moves");
    Engine *engine = engine_new(4);
    const Position start = position_of(GAME_START);
    enum { SEEDS = 24 };
    Move played[SEEDS];
    int differ = 0;
    for (u64 seed = 0; seed < SEEDS; seed++) {
        engine_new_game(engine);
        played[seed] = run(engine, &start, level_limits(800, seed, seed), NULL).best;
        differ += seed > 0 && played[seed] != played[0];
    }
    for (u64 seed = 0; seed < SEEDS; seed++) {
        engine_new_game(engine);
        CHECK_INT(run(engine, &start, level_limits(800, seed, seed), NULL).best, played[seed]);
    }
    CHECK(differ > SEEDS / 4);
    CASE("levels: the errors of a weak search do not reach a strong one");
    u64 after_weak = run(engine, &start, (Limits){.depth = 6}, NULL).nodes;
    engine_new_game(engine);
    CHECK_INT(run(engine, &start, (Limits){.depth = 6}, NULL).nodes, after_weak);
    CASE("levels: limits bind them, more lines or threads change nothing");
    Message message;
    const SkillRange range = skill_range();
    for (int elo = range.min_elo; elo < range.max_elo; elo += 700) {
        const Limits limits = level_limits(elo, 3, 4);
        engine_new_game(engine);
        SearchResult alone = run(engine, &start, limits, NULL);
        CHECK(alone.nodes <= plan_of(elo, 3, 4).nodes);
        engine_options(engine)->multi_pv = 9;
        CHECK(engine_set_threads(engine, 2, &message));
        engine_new_game(engine);
        SearchResult crowd = run(engine, &start, limits, NULL);
        CHECK_INT(crowd.best, alone.best);
        CHECK_INT((i64)crowd.nodes, (i64)alone.nodes);
        engine_options(engine)->multi_pv = 1;
        CHECK(engine_set_threads(engine, 1, &message));
        CHECK_INT(run(engine, &start, (Limits){.depth = 1, .elo = elo}, NULL).depth, 1);
        CHECK(run(engine, &start, (Limits){.nodes = 50, .elo = elo}, NULL).nodes <= 50);
    }
    engine_free(engine);
}

static void check_care(void)
{
    CASE("levels: nothing is overlooked where all is won, and tastes are small there");
    Game game = game_from(GAME_START, NULL);
    SkillPlan plan = plan_of(600, 1, 1), sharp = plan;
    skill_look(&sharp, &game, 3000);
    CHECK(sharp.unseen == 0 && sharp.missed == 0 && sharp.taste == 0 && sharp.insight == 100);
    CHECK(sharp.nodes > plan.nodes && sharp.max_depth > plan.max_depth);
    sharp = plan;
    skill_look(&sharp, &game, 0);
    CHECK(sharp.unseen == plan.unseen && sharp.nodes == plan.nodes && sharp.taste == plan.taste);
    CASE("levels: tastes last for a game and differ between games");
    Move list[MAX_MOVES];
    const int nb = (int)(gen_all(&game.pos, list) - list);
    int differ = 0;
    for (int i = 0; i < nb; i++) {
        const SkillPlan later = plan_of(600, 1, 2), other = plan_of(600, 2, 1);
        CHECK_INT(skill_taste(&later, &game.pos, list[i]), skill_taste(&plan, &game.pos, list[i]));
        differ += skill_taste(&other, &game.pos, list[i]) != skill_taste(&plan, &game.pos, list[i]);
    }
    CHECK(differ > nb / 2);
    game_free(&game);
}

// Is the one the way back of the other?
static bool goes_back(Move move, Move before)
{
    return move_from_index(move) == move_to(before) && move_to(move) == move_from_index(before);
}

static void check_no_shuffling(void)
{
    CASE("levels: nobody undoes his own moves twice in a row");
    const Sides sides = {engine_new(1), engine_new(1)};
    const int game_nb = test_is_light() ? 2 : 12;
    int backs = 0;
    for (int g = 0; g < game_nb; g++) {
        enum { PLIES = 160 };
        Game game = game_from(GAME_START, NULL);
        for (int ply = 0; ply < PLIES && game_verdict(&game).outcome == OUTCOME_NONE; ply++) {
            SearchResult result;
            Message message;
            const Limits limits = level_limits(600 + 200 * (g % 6), (u64)g, (u64)(g * PLIES + ply));
            CHECK(search_to_limits(ply % 2 ? sides.attack : sides.defence, &game, &limits, NULL, &result,
                                   &message));
            const int nb = game.move_nb;
            if (result.best == MOVE_WIN)
                break;
            if (nb >= 4 && goes_back(result.best, game.move[nb - 2])) {
                backs++;
                Move list[MAX_MOVES];
                CHECK_THAT(!goes_back(game.move[nb - 2], game.move[nb - 4]) ||
                               gen_all(&game.pos, list) - list == 1,
                           "game %d, ply %d: back and forth", g, ply);
            }
            CHECK(game_play(&game, result.best));
        }
        game_free(&game);
    }
    CHECK(test_is_light() || backs > 0); // else there was nothing to find
    engine_free(sides.attack);
    engine_free(sides.defence);
}

void test_skill(void)
{
    check_plans();
    check_sight();
    check_searches();
    check_care();
    check_no_shuffling();
}
