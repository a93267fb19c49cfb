// SPDX-License-Identifier: GPL-3.0-or-later
// Playing below full strength: plans, errors and choices of the levels.
#include "search/skill.h"

#include <stdlib.h>

#include "search_helpers.h"

static void check_levels(void)
{
    CASE("levels: fewer nodes for less strength, the same move for the same position");
    SkillRange range = skill_range();
    u64 before = 0;
    for (int elo = range.min_elo; elo < range.max_elo; elo += 200) {
        SkillPlan plan = skill_plan(elo, 1);
        CHECK(plan.active && plan.nodes >= before && plan.max_depth >= 1 && plan.lines >= 1);
        before = plan.nodes;
    }
    CHECK(!skill_plan(0, 1).active && !skill_plan(range.max_elo, 1).active);
    Engine *engine = engine_new(4);
    Position start = position_of(GAME_START);
    const int low = range.min_elo;
    engine_new_game(engine);
    Move a = run(engine, &start, (Limits){.move_time_ms = 1000, .elo = low}, NULL).best;
    engine_new_game(engine);
    CHECK_INT(run(engine, &start, (Limits){.move_time_ms = 1000, .elo = low}, NULL).best, a);
    CASE("levels: the errors of a weak search do not reach a strong one");
    u64 after_weak = run(engine, &start, (Limits){.depth = 6}, NULL).nodes;
    engine_new_game(engine);
    CHECK_INT(run(engine, &start, (Limits){.depth = 6}, NULL).nodes, after_weak);
    CASE("levels: care when the game is won, mates are not played with, and a choice among equals is a "
         "choice");
    SkillPlan plan = skill_plan(range.min_elo, 1), sharp = plan;
    skill_sharpen(&sharp, &start, 3000);
    CHECK(sharp.noise < plan.noise / 8 && sharp.nodes > plan.nodes && sharp.softness == 0);
    sharp = plan;
    skill_sharpen(&sharp, &start, 0);
    CHECK(sharp.noise == plan.noise && sharp.nodes == plan.nodes && sharp.softness == plan.softness);
    int won[3] = {SCORE_MATE - 3, 890, 880};
    CHECK_INT(skill_choose(&plan, won, 3), 0);
    int even[3] = {0, 0, 0}, behind[3] = {0, -5000, -5000}, counts[3] = {0};
    for (u64 key = 0; key < 300; key++) {
        plan = skill_plan(range.min_elo, hash_mix(key));
        counts[skill_choose(&plan, even, 3)]++;
        CHECK_INT(skill_choose(&plan, behind, 3), 0);
    }
    CHECK(counts[0] > 50 && counts[1] > 50 && counts[2] > 50);
    CASE("levels: errors are small, as often too high as too low, and the same for the same position");
    i64 sum = 0, squares = 0;
    for (u64 key = 0; key < 2000; key++) {
        int error = skill_noise(&plan, hash_mix(key));
        CHECK_INT(skill_noise(&plan, hash_mix(key)), error);
        sum += error, squares += (i64)error * error;
    }
    CHECK(llabs(sum) / 2000 < plan.noise / 8);
    CHECK(squares / 2000 > (i64)plan.noise * plan.noise / 4 && squares / 2000 < (i64)plan.noise * plan.noise);
    CASE("levels: limits bind them, more lines or threads change nothing");
    Message message;
    for (int elo = range.min_elo; elo < range.max_elo; elo += 700) {
        engine_new_game(engine);
        SearchResult alone = run(engine, &start, (Limits){.move_time_ms = 60000, .elo = elo}, NULL);
        CHECK(alone.nodes <= skill_plan(elo, pos_key(&start)).nodes);
        engine_options(engine)->multi_pv = 9;
        CHECK(engine_set_threads(engine, 2, &message));
        engine_new_game(engine);
        SearchResult crowd = run(engine, &start, (Limits){.move_time_ms = 60000, .elo = elo}, NULL);
        CHECK_INT(crowd.best, alone.best);
        CHECK_INT((i64)crowd.nodes, (i64)alone.nodes);
        engine_options(engine)->multi_pv = 1;
        CHECK(engine_set_threads(engine, 1, &message));
        CHECK_INT(run(engine, &start, (Limits){.depth = 1, .elo = elo}, NULL).depth, 1);
        CHECK(run(engine, &start, (Limits){.nodes = 50, .elo = elo}, NULL).nodes <= 50);
    }
    engine_free(engine);
}

void test_skill(void) { check_levels(); }
