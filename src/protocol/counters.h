// SPDX-License-Identifier: GPL-3.0-or-later
// The counters of a search as a table for people: how often each kind of pruning happened, and what share of
// its whole that is.
#ifndef TWOFOLD_COUNTERS_H
#define TWOFOLD_COUNTERS_H

#include "search/search.h"

void counters_add(Counters *sum, const Counters *more);
void counters_print(const Counters *counters, Text *out);
// Those of the quiescence search alone.
void counters_print_quiescence(const Counters *counters, Text *out);

#endif
