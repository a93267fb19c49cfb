// SPDX-License-Identifier: GPL-3.0-or-later
// The static evaluation as the search uses it.
#ifndef TWOFOLD_EVAL_H
#define TWOFOLD_EVAL_H

#include "search/worker.h"

// The network's view of the worker's position (material without one), with the error of a weaker level.
int worker_evaluate(Worker *worker);
// The same value as it counts here: faded near a draw by move count, corrected by what was learned.
int corrected_eval(Worker *w, const Stack *stack, int raw);

#endif
