// SPDX-License-Identifier: GPL-3.0-or-later
// The workers of one search together: what they have counted, their clock, and which of them is believed.
#ifndef TWOFOLD_THREADS_H
#define TWOFOLD_THREADS_H

#include "search/worker.h"

u64 engine_nodes(const Engine *engine);
i64 engine_real_ms(const Engine *engine);
// The clock that limits are held against. On the node clock a millisecond is a number of nodes, so that timed
// games repeat exactly.
i64 engine_elapsed_ms(const Engine *engine);
// To be called every clock_countdown nodes: nodes are counted, and speed is held down, by every thread; the
// clock is the first one's.
void worker_check_clock(Worker *worker);
// The thread whose result is believed most: by proof, else by score and depth. What another rank has found
// becomes the first thread's.
Worker *engine_best_worker(Engine *engine);

#endif
