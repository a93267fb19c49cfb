// SPDX-License-Identifier: GPL-3.0-or-later
// The workers of one search together.
#ifndef TWOFOLD_THREADS_H
#define TWOFOLD_THREADS_H

#include "search/worker.h"

// The thread whose result is believed most: by proof, else by score and depth.
Worker *engine_best_worker(const Engine *engine);

#endif
