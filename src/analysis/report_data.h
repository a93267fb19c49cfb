// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages of the report are made of besides words: a game as data for the script, the script and the
// style. Private to analysis/.
#ifndef TWOFOLD_REPORT_DATA_H
#define TWOFOLD_REPORT_DATA_H

#include "analysis/analysis.h"

// Adds the game as JSON, in an element for report.js.
void report_data(const Analysis *analysis, const AnalysedGame *game, Text *out);
// Adds the script's own words in the language that is spoken, in an element for report.js.
void report_words(Text *out);
// The board of the page (src/page) and report.js as one script; and the style of both.
void report_script(Text *out);
void report_style(Text *out);

#endif
