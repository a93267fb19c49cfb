// SPDX-License-Identifier: GPL-3.0-or-later
// See timeman.h. Invariants: 1 <= soft <= hard, and hard never reaches the end of the clock less the overhead (but for
// clocks that are already that low: then a millisecond).
#include "search/timeman.h"

enum {
    MOVES_LEFT = 40,       // when the clock does not say
    MOVES_LEFT_NO_INC = 32,
    HARD_FACTOR = 5,       // hard is at most this many times soft
    HARD_PERCENT = 75,     // ... and this share of the clock
};

// Uses up the whole second that will be charged anyway, less the overhead.
static i64 round_up_second(i64 ms, i64 overhead)
{
    return max_i64((ms + overhead + 999) / 1000 * 1000 - overhead, 1);
}

TimePlan time_plan(const Limits *limits, const SearchOptions *options, int side, int game_ply)
{
    TimePlan plan = {0};
    i64 overhead = options->move_overhead_ms;
    if (limits->move_time_ms > 0) {
        plan.limited = plan.fixed = true;
        plan.soft_ms = plan.hard_ms = max_i64(limits->move_time_ms - overhead, 1);
    }
    if (!limits->has_clock[side] && limits->byoyomi_ms <= 0)
        return plan;
    i64 clock = max_i64(limits->has_clock[side] ? limits->time_ms[side] : 0, 0);
    i64 inc = max_i64(limits->inc_ms[side], 0), byoyomi = max_i64(limits->byoyomi_ms, 0);
    // Before the move only the clock (and byoyomi) is ours; with an empty clock some servers grant the increment first.
    i64 left = clock + byoyomi > 0 ? clock + byoyomi : inc;
    i64 usable = max_i64(left - max_i64(overhead, options->move_overhead_max_ms), 1);

    int moves = limits->moves_to_go > 0 ? min_int(limits->moves_to_go, 50) : inc > 0 || byoyomi > 0 ? MOVES_LEFT : MOVES_LEFT_NO_INC;
    i64 hard, soft;
    if (byoyomi > 0 && clock < byoyomi + byoyomi / 5) {
        // Byoyomi does not accumulate: what is not used is lost.
        soft = hard = usable;
        plan.use_up = true;
    } else {
        // Early moves matter more than late ones, but not the first few: they come from memory of the opening.
        int early = limits->moves_to_go > 0 ? 100 : clamp_int(70 + game_ply * 2, 70, 110);
        i64 pool = max_i64(clock - overhead * min_int(moves, 3), 1);
        soft = pool / moves * early / 100 + inc * 3 / 4 + byoyomi * 9 / 10;
        hard = limits->moves_to_go == 1 ? usable * 9 / 10 : min_i64(soft * HARD_FACTOR, (usable - byoyomi) * HARD_PERCENT / 100 + byoyomi);
        if (options->ponder)
            soft += soft / 4;
    }
    hard = clamp_i64(hard, 1, usable);
    soft = clamp_i64(soft, 1, hard);
    if (options->round_to_second) {
        hard = min_i64(round_up_second(hard, overhead), usable);
        soft = min_i64(round_up_second(soft, overhead), hard);
    }
    i64 least = min_i64(max_i64(options->min_think_ms - overhead, 0), usable);
    hard = max_i64(hard, least);
    soft = max_i64(soft, least);
    // Several limits: the first one reached ends.
    plan.hard_ms = plan.limited ? min_i64(plan.hard_ms, hard) : hard;
    plan.soft_ms = plan.limited ? min_i64(plan.soft_ms, soft) : soft;
    plan.limited = true;
    plan.fixed = false;
    return plan;
}

int time_factor(TimeSigns signs)
{
    int stability = 140 - 11 * min_int(signs.stable_nb, 7);          // 140 .. 63
    int falling = clamp_int(100 + signs.score_drop, 75, 165);
    int share = clamp_int(205 - signs.best_share * 14 / 10, 65, 190); // 100 % of the nodes: 65
    return clamp_int(stability * falling / 100 * share / 100, 25, 320);
}
