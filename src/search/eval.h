// SPDX-License-Identifier: GPL-3.0-or-later
// The static evaluation as the search uses it.
#ifndef TWOFOLD_EVAL_H
#define TWOFOLD_EVAL_H

#include "search/worker.h"

// What stands in for a network where none is in use: the caller's function, or material. In the range of
// evaluations.
int evaluate_without_net(const Engine *engine, const Position *pos);
// The network's view of the worker's position, or of what stands in for it, with the error of a weaker level.
int worker_evaluate(Worker *worker);
// The same value as it counts here: faded near a draw by move count, corrected by what was learned.
int corrected_eval(Worker *w, const Stack *stack, int raw);
// The same with a correction that is known already.
int corrected_by(const Worker *w, int raw, int correction);

#endif
