// SPDX-License-Identifier: GPL-3.0-or-later
// The search behind the horizon.
#ifndef TWOFOLD_QUIESCENCE_H
#define TWOFOLD_QUIESCENCE_H

#include "search/worker.h"

// qply counts plies that consume quiescence depth; extended those that did not.
int quiescence(Worker *w, Stack *stack, int alpha, int beta, int qply, int extended);

#endif
