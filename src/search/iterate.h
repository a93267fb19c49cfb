// SPDX-License-Identifier: GPL-3.0-or-later
// Iterative deepening.
#ifndef TWOFOLD_ITERATE_H
#define TWOFOLD_ITERATE_H

#include "search/worker.h"

// Deepens until the search is stopped or the greatest depth is reached; worker 0 also reports and decides.
void iterate(Worker *w);

#endif
