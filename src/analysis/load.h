// SPDX-License-Identifier: GPL-3.0-or-later
// One game or position, read out of a text. Private to analysis/.
#ifndef TWOFOLD_LOAD_H
#define TWOFOLD_LOAD_H

#include "analysis/analysis.h"

// Reads the next game off the front of *rest; false at the end. What it held before is not freed.
bool game_read(Span *rest, const Rules *rules, AnalysedGame *game);
// Frees what it holds.
void game_drop(AnalysedGame *game);

#endif
