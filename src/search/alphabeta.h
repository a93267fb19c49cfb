// SPDX-License-Identifier: GPL-3.0-or-later
// The search of one node.
#ifndef TWOFOLD_ALPHABETA_H
#define TWOFOLD_ALPHABETA_H

#include "search/worker.h"

// The score of the node in the window (alpha, beta), fail-soft, side to move's view.
int search_node(Worker *w, Stack *stack, int alpha, int beta, int depth, bool cut_node);
int search_root(Worker *worker, int alpha, int beta, int depth);

#endif
