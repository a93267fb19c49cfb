// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of the search. Where a build tunes (TUNE), every technique is switched the other way and
// must make a difference, every parameter is taken to both ends of its range, and a search without
// selectivity must not depend on the table, the colours or the side of the board.
#include "search_helpers.h"

static void check_list(void)
{
    Engine *engine = engine_new(1);
    CASE("every parameter has a name of its own, a default in its range, and that value");
    for (int i = 0; i < param_count(); i++) {
        int def, min, max;
        param_range(i, &def, &min, &max);
        CHECK_THAT(min <= def && def <= max && min < max, "%s", param_name(i));
        CHECK_INT(param_get(engine, i), def);
        for (int other = 0; other < i; other++)
            CHECK(strcmp(param_name(i), param_name(other)) != 0);
    }
    engine_free(engine);
}

#ifdef TUNE
static void set_param(Engine *engine, const char *name, int value)
{
    for (int i = 0; i < param_count(); i++)
        if (strcmp(param_name(i), name) == 0) {
            CHECK(param_set(engine, i, value));
            return;
        }
    CHECK_THAT(false, "no parameter %s", name);
}

// Of the positions the second and third are near a mate: few switches need them, but for those nothing else
// will do.
enum { SWITCH_POSITIONS = 12, SWITCH_MATES = 2, SWITCH_DEPTH = 9, SWITCH_NODES_PER_MS = 20 };

static Position switch_position(int index)
{
    Rng rng = {19 + (u64)index};
    Position pos;
    if (index >= 1 && index <= SWITCH_MATES)
        before_mate(&rng, 2 * index - 1, &pos);
    else
        while (!random_position(&rng, index % 2 ? 30 + 10 * index : 90 - 5 * index, &pos))
            ;
    return pos;
}

// Two searches of one position, since ageing shows only in a second one. Switches of the time plan show on a
// clock, which counts nodes here so that it repeats.
static u64 switched_nodes(Engine *engine, int index, bool on_clock)
{
    Position pos = switch_position(index);
    Limits limits = {.depth = SWITCH_DEPTH};
    if (on_clock)
        limits = (Limits){.clocks.time_ms = {20000, 20000}, .clocks.has_clock = {true, true}};
    engine_options(engine)->node_time = on_clock ? SWITCH_NODES_PER_MS : 0;
    engine_new_game(engine);
    u64 sum = 0;
    for (int repeat = 0; repeat < 2; repeat++)
        sum += run(engine, &pos, limits, NULL).nodes;
    return sum;
}

// A switch of something that the contract lets a game be without, and this game is: by what its functions
// answer.
static bool game_is_without(const char *name)
{
    Rng rng = {41};
    Position pos = position_of(GAME_START);
    if (strcmp(name, "UseMateSolver") == 0) {
        MateResult result;
        return mate_solve(&pos, NULL, &(MateLimits){.nodes = 100}, &result) == MATE_UNSUPPORTED;
    }
    if (strcmp(name, "UseInstantWin") != 0)
        return false;
    // No declarations, and even a mate in one is left to the search.
    for (int i = 0; i < 20; i++) {
        Move how;
        before_mate(&rng, 1, &pos);
        if (!pos_in_check(&pos) && pos_instant_win(&pos, &how))
            return false;
    }
    return true;
}

static void check_switches(void)
{
    Engine *engine = engine_new(8);
    u64 before[2][SWITCH_POSITIONS] = {{0}};
    for (int i = 0; i < param_count(); i++) {
        int def, min, max;
        param_range(i, &def, &min, &max);
        if (strncmp(param_name(i), "Use", 3) != 0)
            continue;
        const bool on_clock = strncmp(param_name(i), "UseTime", 7) == 0,
                   without = game_is_without(param_name(i));
        CASE("switch %s: the other way %s", param_name(i),
             without ? "all stays, the game being without" : "it makes a difference");
        CHECK(min == 0 && max == 1);
        bool differs = false;
        for (int index = 0; index < SWITCH_POSITIONS && !differs; index++) {
            u64 *expected = &before[on_clock][index];
            if (*expected == 0)
                *expected = switched_nodes(engine, index, on_clock);
            CHECK(param_set(engine, i, !def));
            differs = switched_nodes(engine, index, on_clock) != *expected;
            CHECK(param_set(engine, i, def));
        }
        CHECK_THAT(differs != without, "%s nodes either way in %d positions", differs ? "other" : "the same",
                   SWITCH_POSITIONS);
    }
    CASE("all switches back: the same nodes again");
    CHECK_INT(switched_nodes(engine, 0, false), before[0][0]);
    engine_free(engine);
}

// Whatever a tuner may try is a search that ends, with a legal move and scores in their range.
static void check_ranges(void)
{
    Engine *engine = engine_new(2);
    Position pos = switch_position(3);
    CASE("every parameter at both ends of its range");
    for (int i = 0; i < param_count(); i++) {
        int range[3];
        param_range(i, &range[2], &range[0], &range[1]);
        CHECK_THAT(range[0] <= range[2] && range[2] <= range[1] && range[0] < range[1], "%s", param_name(i));
        for (int end = 0; end < 2; end++) {
            CHECK(param_set(engine, i, range[end]));
            CHECK(!param_set(engine, i, range[0] - 1) && !param_set(engine, i, range[1] + 1));
            engine_new_game(engine);
            LineCheck check = {.root = pos};
            engine_options(engine)->node_time = 1;
            Limits limits = {.nodes = test_is_light() ? 1000 : 10000,
                             .clocks.time_ms = {200000, 200000},
                             .clocks.has_clock = {true, true}};
            CHECK(run(engine, &pos, limits, &(SearchEvents){.context = &check, .line = check_line}).best !=
                  MOVE_NONE);
        }
        CHECK(param_set(engine, i, range[2]));
    }
    engine_free(engine);
}

// A tuner moves many parameters at once: values drawn from their whole ranges together.
static void check_combinations(void)
{
    Engine *engine = engine_new(2);
    Rng rng = {29};
    CASE("any values of all parameters together");
    for (int repeat = 0; repeat < (test_is_light() ? 60 : 200); repeat++) {
        Position pos = switch_position(3 + repeat % (SWITCH_POSITIONS - 3));
        for (int i = 0; i < param_count(); i++) {
            int def, low, high;
            param_range(i, &def, &low, &high);
            bool is_switch = strncmp(param_name(i), "Use", 3) == 0;
            CHECK(param_set(engine, i, is_switch ? def : low + (int)rng_below(&rng, (u32)(high - low) + 1)));
        }
        engine_new_game(engine);
        LineCheck check = {.root = pos};
        CHECK(run(engine, &pos, (Limits){.nodes = test_is_light() ? 1000 : 3000},
                  &(SearchEvents){.context = &check, .line = check_line})
                  .best != MOVE_NONE);
    }
    engine_free(engine);
}

// Everything that is a guess switched off: what remains must not depend on the table, on colours, or on left
// and right.
static void check_soundness(void)
{
    Engine *engine = engine_new(8);
    for (int i = 0; i < param_count(); i++) {
        static const char *const KEPT[] = {"UseTt", "UseQuiescence", "UseButterfly", "UseKillers"};
        bool keep = strncmp(param_name(i), "Use", 3) != 0;
        for (size_t k = 0; k < 4; k++)
            keep |= strcmp(param_name(i), KEPT[k]) == 0;
        if (!keep)
            param_set(engine, i, 0);
    }
    set_param(engine, "UseTtEqualDepth", 1);
    SearchOptions *o = engine_options(engine);
    o->q_delta = o->q_futility = o->q_extensions = o->q_threats = o->q_tt = false;
    o->q_check_plies = 0;
    o->q_see = -500;
    o->q_max_depth = 64;
    Rng rng = {23};
    CASE("without selectivity: the same score with and without the table, flipped and mirrored");
    int mirrored_nb = 0;
    for (int i = 0; i < (test_is_light() ? 12 : 40); i++) {
        Position pos, flipped, mirrored;
        // A network may know left from right; material and activity do not.
        engine_set_net(engine, i % 2 ? net_embedded() : NULL);
        if (!random_position(&rng, 8 + (int)rng_below(&rng, 60), &pos))
            continue;
        Limits limits = {.depth = test_is_light() ? 2 : 3};
        set_param(engine, "UseTt", 1);
        engine_new_game(engine);
        int with = run(engine, &pos, limits, NULL).score;
        set_param(engine, "UseTt", 0);
        engine_new_game(engine);
        CHECK_INT(run(engine, &pos, limits, NULL).score, with);
        pos_flip(&pos, &flipped);
        engine_new_game(engine);
        CHECK_INT(run(engine, &flipped, limits, NULL).score, with);
        if (engine_net(engine) == NULL && pos_mirror(&pos, &mirrored)) {
            mirrored_nb++;
            engine_new_game(engine);
            CHECK_INT(run(engine, &mirrored, limits, NULL).score, with);
        }
    }
    CHECK(mirrored_nb > 0);
    engine_free(engine);
}
#endif

void test_params(void)
{
    check_list();
#ifdef TUNE
    check_switches();
    check_ranges();
    check_combinations();
    check_soundness();
#endif
}
