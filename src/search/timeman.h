// SPDX-License-Identifier: GPL-3.0-or-later
// How long to think, as pure functions of the clocks: a plan made once, and a factor by which the soft limit
// moves with what the search sees. Times are milliseconds of the real clock, or of the node clock: the
// caller's choice.
#ifndef TWOFOLD_TIMEMAN_H
#define TWOFOLD_TIMEMAN_H

#include "search/params.h"
#include "search/search.h"

typedef struct TimePlan {
    bool limited; // false: no clock in the limits
    bool fixed;   // an exact time for this move: no early end
    bool use_up;  // what is not used is lost: the soft limit is not scaled
    i64 soft_ms;  // begin no new iteration after this (scaled by time_factor)
    i64 hard_ms;  // stop at once
} TimePlan;

TimePlan time_plan(const Limits *limits, const SearchOptions *options, const Params *params, int side,
                   int game_ply);

// Where the second that holds this moment, and will be charged whole, is over, less the overhead.
i64 time_second_end(i64 ms, i64 overhead);

// What the last iterations looked like.
typedef struct TimeSigns {
    int stable_nb;  // iterations for which the best move has not changed
    int score_drop; // centipawns lost since the earlier iterations (negative: gained)
    int best_share; // percent of the root's nodes that the best move took
} TimeSigns;
// In percent of the soft limit.
int time_factor(const Params *params, TimeSigns signs);

#endif
