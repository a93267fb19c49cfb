// SPDX-License-Identifier: GPL-3.0-or-later
// The clock of a running search and the signals from outside.
#ifndef TWOFOLD_CONTROL_H
#define TWOFOLD_CONTROL_H

#include "search/worker.h"

u64 engine_nodes(const Engine *engine);
i64 engine_real_ms(const Engine *engine);
// On the node clock a millisecond is a number of nodes, so that timed games repeat exactly.
i64 engine_elapsed_ms(const Engine *engine);
// Has this share of the hard limit passed?
bool engine_is_late(Engine *engine, int percent);
// The first reason counts; it is there before anyone sees the stop.
void stop_for(Engine *engine, StopReason reason);
// Takes the clocks, and nothing else, of other limits.
void use_clocks(Engine *engine, const Limits *clocks);
// Nodes are counted, and speed is held down, by every thread; the clock is the first one's.
void worker_check_clock(Worker *worker);
// After a finished iteration of worker 0: is it enough?
void decide_to_stop(Worker *w, TimeSigns *signs, int *earlier_score, Move *earlier_best);
// Infinite and ponder searches never end alone: one that has reached its nodes or its mate still waits.
void wait_for_leave(Engine *engine);

#endif
