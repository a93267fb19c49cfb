// SPDX-License-Identifier: GPL-3.0-or-later
// Words about moves and games, for the reports.
#ifndef TWOFOLD_REMARKS_H
#define TWOFOLD_REMARKS_H

#include "analysis/analysis.h"

// "!", "??" ...; "" for none. And in words: "Blunder".
const char *mark_text(Mark mark);
const char *mark_word(Mark mark);
// One sentence on what was missed by a move; empty when nothing was.
void analysis_remark(const Analysis *analysis, const AnalysedGame *game, const Position *pos, int ply,
                     Text *out);
// "Anna - Boris, 1-0" or "Anna - Boris, Black wins", as far as the record tells.
void analysis_title(const AnalysedGame *game, Text *out);
// "C50 Italian Game"; nothing when the opening has no name.
void analysis_opening(const AnalysedGame *game, Text *out);

#endif
