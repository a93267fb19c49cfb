// SPDX-License-Identifier: GPL-3.0-or-later
// Time controls as people write them, and clocks that run by them: increments, byoyomi, a fresh base after
// some moves, and when the time is up.
#include "base/clock.h"
#include "test.h"

static void check_parse(void)
{
    CASE("clock: time controls are read");
    static const struct {
        const char *text;
        bool ok;
        int moves;
        i64 base_ms, inc_ms;
    } CASES[] = {
        {"8+0.08", true, 0, 8000, 80},  {"40/60", true, 40, 60000, 0}, {"40/60+0.6", true, 40, 60000, 600},
        {"0.1+0.001", true, 0, 100, 1}, {"5", true, 0, 5000, 0},       {"", false, 0, 0, 0},
        {"8+", false, 0, 0, 0},         {"/8", false, 0, 0, 0},        {"x", false, 0, 0, 0},
        {"-1+1", false, 0, 0, 0},       {"8+0.08s", false, 0, 0, 0},   {"0/8", false, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        TimeControl control = {0};
        Message message;
        bool ok = time_control_parse(&control, span_of(CASES[i].text), &message);
        CHECK_THAT(ok == CASES[i].ok, "'%s'", CASES[i].text);
        if (ok && CASES[i].ok) {
            CHECK_INT(control.moves, CASES[i].moves);
            CHECK_INT(control.base_ms, CASES[i].base_ms);
            CHECK_INT(control.inc_ms, CASES[i].inc_ms);
        }
    }
}

static void check_print(void)
{
    CASE("clock: time controls are shown");
    static const struct {
        TimeControl control;
        const char *text;
    } CASES[] = {
        {{.has_clock = true, .base_ms = 8000, .inc_ms = 80, .moves = 40}, "40/8+0.08"},
        {{.has_clock = true, .byoyomi_ms = 500}, "byoyomi 500 ms"},
        {{.has_clock = true, .base_ms = 60000, .byoyomi_ms = 500}, "60+0, byoyomi 500 ms"},
        {{.move_time_ms = 100, .nodes = 5000, .depth = 7}, "100 ms a move, 5000 nodes, depth 7"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char shown[128];
        time_control_print(&CASES[i].control, shown, sizeof shown);
        CHECK_TEXT(shown, CASES[i].text);
    }
}

static void check_increments(void)
{
    CASE("clock: increments come after the move, a fresh base after so many");
    const TimeControl control = {.has_clock = true, .base_ms = 1000, .inc_ms = 10, .moves = 3};
    static const i64 LEFT_MS[] = {1000, 970, 940, 1910, 1880};
    Clock clock;
    clock_start(&clock, &control);
    for (int move = 0; move < 5; move++) {
        CHECK_INT(clock_allowed_ms(&clock), LEFT_MS[move]);
        CHECK_INT(clock.moves_to_go, 3 - move % 3);
        CHECK(clock_spend(&clock, 40000));
    }
    CASE("clock: one of nothing but increments begins with one");
    const TimeControl bare = {.has_clock = true, .inc_ms = 2000};
    clock_start(&clock, &bare);
    CHECK_INT(clock_allowed_ms(&clock), 2000);
    CHECK(clock_spend(&clock, 2000000));
    CHECK_INT(clock_allowed_ms(&clock), 2000);
}

static void check_byoyomi(void)
{
    CASE("clock: byoyomi is there for every move, and is not saved");
    const TimeControl control = {.has_clock = true, .base_ms = 100, .byoyomi_ms = 50};
    Clock clock;
    clock_start(&clock, &control);
    CHECK_INT(clock_allowed_ms(&clock), 150);
    CHECK(clock_spend(&clock, 30000));
    CHECK_INT(clock_allowed_ms(&clock), 120);
    CHECK(clock_spend(&clock, 120000));
    CHECK_INT(clock_allowed_ms(&clock), 50);
    CHECK(clock_spend(&clock, 10000));
    CHECK_INT(clock_allowed_ms(&clock), 50);
    CHECK(clock_spend(&clock, 50000));
    CHECK(!clock_spend(&clock, 50001));
    CHECK_INT(clock.left_us, 0);
}

static void check_limits(void)
{
    CASE("clock: a move's own limit, and none at all");
    const TimeControl both = {.has_clock = true, .base_ms = 1000, .move_time_ms = 300};
    const TimeControl by_move = {.move_time_ms = 300}, by_nodes = {.nodes = 100};
    Clock clock;
    clock_start(&clock, &both);
    CHECK_INT(clock_allowed_ms(&clock), 300);
    CHECK(clock_spend(&clock, 900000));
    CHECK_INT(clock_allowed_ms(&clock), 100);
    CHECK(!clock_spend(&clock, 100001));
    clock_start(&clock, &by_move);
    CHECK_INT(clock_allowed_ms(&clock), 300);
    CHECK(clock_spend(&clock, 5000000)); // who waits for a move decides about it
    clock_start(&clock, &by_nodes);
    CHECK_INT(clock_allowed_ms(&clock), -1);
}

void test_game_clock(void)
{
    check_parse();
    check_print();
    check_increments();
    check_byoyomi();
    check_limits();
}
