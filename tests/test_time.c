// SPDX-License-Identifier: GPL-3.0-or-later
// How long a search thinks: the plan made from the clocks, and what moves it.
#include "search/timeman.h"
#include "search/worker.h"
#include "session/session.h"
#include "test.h"

static void check_plans(void)
{
    SearchOptions o = search_options_default();
    const Params params = params_default();
    CASE("row 38: time: a fixed time is kept but for the overhead");
    o.move_overhead_ms = 10;
    TimePlan plan = time_plan(&(Clocks){0}, 500, &o, &params, 0, 20);
    CHECK(plan.limited && plan.fixed && plan.hard_ms == 490 && plan.soft_ms == 490);
    plan = time_plan(&(Clocks){0}, 1, &o, &params, 0, 20);
    CHECK(plan.hard_ms == 1);
    CHECK(!time_plan(&(Clocks){0}, 0, &o, &params, 0, 0).limited);

    CASE("row 38: time: never beyond the clock, whatever it says");
    static const i64 CLOCKS[] = {-500, 0, 1, 5, 11, 50, 100, 1000, 60000, 7200000};
    static const i64 INCS[] = {0, 10, 1000, 60000};
    for (int c = 0; c < 10; c++)
        for (int i = 0; i < 4; i++)
            for (int moves = 0; moves <= 60; moves = moves < 2 ? moves + 1 : moves + 29) {
                Clocks clocks = {.time_ms = {CLOCKS[c], 1},
                                 .inc_ms = {INCS[i], 0},
                                 .has_clock = {true, true},
                                 .moves_to_go = moves};
                plan = time_plan(&clocks, 0, &o, &params, 0, 30);
                i64 most = max_i64(CLOCKS[c] > 0 ? CLOCKS[c] : INCS[i], 11) - 10;
                CHECK_THAT(plan.limited && plan.soft_ms >= 1 && plan.soft_ms <= plan.hard_ms &&
                               plan.hard_ms <= max_i64(most, 1),
                           "clock %lld inc %lld moves %d: soft %lld hard %lld", (long long)CLOCKS[c],
                           (long long)INCS[i], moves, (long long)plan.soft_ms, (long long)plan.hard_ms);
            }

    CASE("row 38: time: more clock, more time; the last move of a control may take most of it");
    i64 before = 0;
    for (i64 clock = 100; clock < 1000000; clock *= 3) {
        plan = time_plan(&(Clocks){.time_ms = {clock}, .has_clock = {true}}, 0, &o, &params, 0, 30);
        CHECK(plan.soft_ms >= before);
        before = plan.soft_ms;
    }
    plan = time_plan(&(Clocks){.time_ms = {10000}, .has_clock = {true}, .moves_to_go = 1}, 0, &o, &params, 0,
                     30);
    CHECK(plan.hard_ms > 8000 && plan.hard_ms < 10000);

    CASE("row 38: time: a clock that is short again and again keeps a reserve for delays that are not ours");
    for (int each = 1; each <= 8;
         each++) { // every move, or every second or third.. takes all it may, the others the soft limit
        i64 clock = 1000, least = clock;
        for (int move = 0; move < 300; move++) {
            plan = time_plan(&(Clocks){.time_ms = {clock}, .inc_ms = {10}, .has_clock = {true}}, 0, &o,
                             &params, 0, 2 * move);
            clock -= move % each == 0 ? plan.hard_ms : plan.soft_ms;
            least = min_i64(least, clock);
            clock += 10;
        }
        CHECK_THAT(least >= 40, "down to %lld ms", (long long)least);
    }

    CASE("row 38: time: byoyomi is used up, a clock before it is not thrown away");
    plan =
        time_plan(&(Clocks){.time_ms = {0}, .has_clock = {true}, .byoyomi_ms = 1000}, 0, &o, &params, 0, 30);
    CHECK(plan.hard_ms <= 990 && plan.soft_ms >= 900 && plan.use_up);
    plan = time_plan(&(Clocks){.time_ms = {600000}, .has_clock = {true}, .byoyomi_ms = 10000}, 0, &o, &params,
                     0, 30);
    CHECK(plan.soft_ms > 10000 && plan.soft_ms < 60000 && !plan.use_up);

    CASE("row 39: time: the soft limit shrinks for a stable best move and grows for a falling score");
    TimeSigns calm = {.stable_nb = 8, .score_drop = 0, .best_share = 90},
              alarm = {.stable_nb = 0, .score_drop = 80, .best_share = 30};
    CHECK(time_factor(&params, calm) < 70);
    CHECK(time_factor(&params, alarm) > 180);
    for (int sign = 0; sign < 3; sign++) { // each sign by itself
        TimeSigns signs = {.stable_nb = 3, .best_share = 50}, worse = signs;
        worse.stable_nb -= sign == 0;
        worse.score_drop += sign == 1 ? 40 : 0;
        worse.best_share -= sign == 2 ? 20 : 0;
        CHECK(time_factor(&params, worse) > time_factor(&params, signs));
    }
}

// A graphical program on the same machine costs milliseconds: what is held back beyond that is time that the
// opponent has.
static void check_default_delays(void)
{
    enum { BYOYOMI_MS = 300, HELD_MAX_MS = 15 };
    Session session;
    Params params = params_default();
    CASE("the delays of a new session leave nearly all of a short byoyomi");
    CHECK(session_init(&session));
    const SearchOptions *o = engine_options(session.engine);
    TimePlan plan = time_plan(&(Clocks){.byoyomi_ms = BYOYOMI_MS}, 0, o, &params, 0, 40);
    CHECK(plan.hard_ms >= BYOYOMI_MS - HELD_MAX_MS && plan.hard_ms < BYOYOMI_MS);
    session_free(&session);
}

void test_time(void)
{
    check_plans();
    check_default_delays();
}
