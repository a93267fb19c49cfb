// SPDX-License-Identifier: GPL-3.0-or-later
// What the search of positions asks of the judge: where another look is due. Private to analysis/.
#ifndef TWOFOLD_JUDGE_H
#define TWOFOLD_JUDGE_H

#include "analysis/analysis.h"

// Before look 1 or 2 at a game: sets the flag of each position (move_nb + 1 of them) that is to be looked at
// again. For the second look those that a mark or a turning point would rest on, for the third those where
// the two looks before leave a mark in doubt.
void judge_doubts(const Analysis *analysis, const AnalysedGame *game, int look, bool *is_wanted);

#endif
