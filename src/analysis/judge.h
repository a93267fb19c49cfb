// SPDX-License-Identifier: GPL-3.0-or-later
// What the search of positions asks of the judge: where a second look is due. Private to analysis/.
#ifndef TWOFOLD_JUDGE_H
#define TWOFOLD_JUDGE_H

#include "analysis/analysis.h"

// After the first look at all positions of a game: sets the flag of each position (move_nb + 1 of them) that
// a mark or a turning point would rest on.
void judge_doubts(const Analysis *analysis, const AnalysedGame *game, bool *is_wanted);

#endif
