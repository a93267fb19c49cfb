// SPDX-License-Identifier: GPL-3.0-or-later
// How long to think, as pure functions of the clocks: a plan made once, and a verdict after each iteration,
// for which the soft limit moves with what the search sees. Times are milliseconds of the real clock, or of
// the node clock: the caller's choice.
#ifndef TWOFOLD_TIMEMAN_H
#define TWOFOLD_TIMEMAN_H

#include "search/params.h"
#include "search/search.h"

TimePlan time_plan(const Clocks *clocks, i64 move_time_ms, const SearchOptions *options, const Params *params,
                   int side, int game_ply);

// Where the second that holds this moment, and will be charged whole, is over, less the overhead.
i64 time_second_end(i64 ms, i64 overhead);

// What the last iterations looked like.
typedef struct TimeSigns {
    int depth;         // of the last one
    int mate_plies;    // of the mate that is proven, for or against; 0: none
    bool is_only_move; // there is nothing to choose
    int stable_nb;     // iterations for which the best move has not changed
    int score_drop;    // centipawns lost since the earlier iterations (negative: gained)
    int best_share;    // percent of the root's nodes that the best move took
} TimeSigns;
// In percent of the soft limit.
int time_factor(const Params *params, TimeSigns signs);
// After an iteration: why it is enough; STOP_NONE: it is not. What is proven ends it whatever the plan says.
StopReason time_verdict(const TimePlan *plan, const SearchOptions *options, const Params *params,
                        const TimeSigns *signs, i64 elapsed_ms);

#endif
