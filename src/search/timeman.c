// SPDX-License-Identifier: GPL-3.0-or-later
// See timeman.h. Invariants: 1 <= soft <= hard, and hard never reaches the end of the clock less the overhead
// (but for clocks that are already that low: then a millisecond).
#include "search/timeman.h"

i64 time_second_end(i64 ms, i64 overhead)
{
    return max_i64((ms + overhead + 999) / 1000 * 1000 - overhead, 1);
}

// How many moves the clock has to last for.
static int moves_left(const Clocks *clocks, const Params *params, bool gets_more)
{
    if (clocks->moves_to_go > 0)
        return min_int(clocks->moves_to_go, PARAM(params, TimeMovesToGoMax));
    return gets_more ? PARAM(params, TimeMovesLeft) : PARAM(params, TimeMovesLeftNoInc);
}

// Early moves matter more than late ones, but not the first few: they come from memory of the opening. In
// percent.
static int early_share(const Clocks *clocks, const Params *params, int game_ply)
{
    int start = PARAM(params, TimeEarlyStart), end = max_int(PARAM(params, TimeEarlyMax), start);
    return clocks->moves_to_go > 0 ? 100
                                   : clamp_int(start + game_ply * PARAM(params, TimeEarlySlope), start, end);
}

TimePlan time_plan(const Clocks *clocks, i64 move_time_ms, const SearchOptions *options, const Params *params,
                   int side, int game_ply)
{
    TimePlan plan = {0};
    i64 overhead = options->move_overhead_ms;
    if (move_time_ms > 0) {
        plan.limited = plan.fixed = true;
        plan.soft_ms = plan.hard_ms = max_i64(move_time_ms - overhead, 1);
    }
    if (!clocks->has_clock[side] && clocks->byoyomi_ms <= 0)
        return plan;
    i64 clock = max_i64(clocks->has_clock[side] ? clocks->time_ms[side] : 0, 0);
    i64 inc = max_i64(clocks->inc_ms[side], 0), byoyomi = max_i64(clocks->byoyomi_ms, 0);
    // Before the move only the clock (and byoyomi) is ours; with an empty clock some servers grant the
    // increment first.
    i64 left = clock + byoyomi > 0 ? clock + byoyomi : inc;
    i64 usable = max_i64(left - max_i64(overhead, options->move_overhead_max_ms), 1);

    int moves = moves_left(clocks, params, inc > 0 || byoyomi > 0);
    i64 hard, soft;
    if (byoyomi > 0 && clock < byoyomi * PARAM(params, TimeByoyomiEdge) / 100) {
        // Byoyomi does not accumulate: what is not used is lost.
        soft = hard = usable;
        plan.use_up = true;
    } else {
        // A reserve that only sudden delays of the system eat into: a clock near to nothing is lost by the
        // first of them.
        i64 reserve = min_i64(PARAM(params, TimeReserve), clock * PARAM(params, TimeReserveShare) / 100);
        i64 pool = max_i64(clock - reserve - overhead * min_int(moves, PARAM(params, TimeOverheadMoves)), 1);
        soft = pool / moves * early_share(clocks, params, game_ply) / 100 +
               inc * PARAM(params, TimeIncShare) / 100 + byoyomi * PARAM(params, TimeByoyomiShare) / 100;
        hard = min_i64(soft * PARAM(params, TimeHardFactor),
                       (usable - byoyomi - reserve) * PARAM(params, TimeHardShare) / 100 + byoyomi);
        if (clocks->moves_to_go == 1)
            hard = (usable - reserve) * PARAM(params, TimeLastMoveShare) / 100;
        if (options->ponder)
            soft += soft * PARAM(params, TimePonderShare) / 100;
    }
    hard = clamp_i64(hard, 1, usable);
    soft = clamp_i64(soft, 1, hard);
    if (options->round_to_second) // the soft limit is rounded when it is known where the search stands then
        hard = min_i64(time_second_end(hard, overhead), usable);
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

int time_factor(const Params *params, TimeSigns signs)
{
    int stability = 100, falling = 100, share = 100;
    if (PARAM(params, UseTimeStability)) {
        int calm = min_int(signs.stable_nb, PARAM(params, TimeStableMax));
        stability = max_int(PARAM(params, TimeStableBase) - PARAM(params, TimeStableStep) * calm, 1);
    }
    if (PARAM(params, UseTimeFalling))
        falling =
            clamp_int(100 + signs.score_drop, PARAM(params, TimeFallingMin), PARAM(params, TimeFallingMax));
    if (PARAM(params, UseTimeNodeShare)) {
        share = PARAM(params, TimeShareBase) - signs.best_share * PARAM(params, TimeShareSlope) / 100;
        share = clamp_int(share, PARAM(params, TimeShareMin), PARAM(params, TimeShareMax));
    }
    return clamp_int(stability * falling / 100 * share / 100, PARAM(params, TimeFactorMin),
                     PARAM(params, TimeFactorMax));
}

StopReason time_verdict(const TimePlan *plan, const SearchOptions *options, const Params *params,
                        const TimeSigns *signs, i64 elapsed_ms)
{
    if (signs->mate_plies > 0 && signs->depth >= signs->mate_plies + PARAM(params, TimeMateExtraDepth))
        return STOP_MATE;
    if (signs->is_only_move && signs->depth >= PARAM(params, TimeOneMoveDepth) && options->min_think_ms == 0)
        return STOP_ONE_MOVE;
    // Pondering counts as thinking, but time that is lost when it is not used is left to the clock.
    if (!plan->limited || plan->use_up)
        return STOP_NONE;
    i64 soft = min_i64(plan->soft_ms * time_factor(params, *signs) / 100, plan->hard_ms);
    i64 least = options->min_think_ms - options->move_overhead_ms;
    return elapsed_ms >= max_i64(soft, least) ? STOP_TIME : STOP_NONE;
}
