// SPDX-License-Identifier: GPL-3.0-or-later
// Words about moves and games, for the reports.
#ifndef TWOFOLD_REMARKS_H
#define TWOFOLD_REMARKS_H

#include "analysis/analysis.h"
#include "base/language.h"
#include "games/notation.h"

// "!", "??" ...; "" for none. And in words: "Blunder".
const char *mark_text(Mark mark);
const char *mark_word(Mark mark);
// One sentence on what was missed by a move, in a language; empty when nothing was. So many moves of the
// better line are told.
enum { REMARK_LINE = 6 };
void analysis_remark(const Analysis *analysis, const AnalysedGame *game, const Position *pos, int ply,
                     int line_max, Language in, Text *out);
// How a line of moves is written among words of a language.
LineStyle line_style_of(Language in);
// "opening", "middlegame", "endgame".
const char *phase_word(GamePhase phase);
// "Anna - Boris, 1-0" or "Anna - Boris, Black wins", as far as the record tells.
void analysis_title(const AnalysedGame *game, Text *out);
// "C50 Italian Game"; nothing when the opening has no name.
void analysis_opening(const AnalysedGame *game, Text *out);
// "Black Mino; White Boat"; nothing when neither king had a castle with a name.
void analysis_castles(const AnalysedGame *game, Text *out);

#endif
