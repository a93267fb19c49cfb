// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the report's pages. Private to analysis/.
#ifndef TWOFOLD_REPORT_HTML_H
#define TWOFOLD_REPORT_HTML_H

#include "analysis/analysis.h"

// A page in the making, whose games come in batches. Zero-initialised is empty.
typedef struct HtmlPage {
    Text contents, games, positions, missed;
    int game_nb, position_nb, left_out_nb, task_nb, solved_nb;
} HtmlPage;
void html_add(HtmlPage *page, const Analysis *analysis);
// Adds the whole page to `out` and frees it.
void html_finish(HtmlPage *page, const char *title, Text *out);
void html_free(HtmlPage *page);

// The beginning of a page up to its heading, and its end. `assets` is the folder of style and script as the
// page names it; NULL: they are in the page.
void html_begin(const char *heading, const char *assets, Text *out);
void html_end(const char *assets, bool has_games, Text *out);
void html_game(const Analysis *analysis, const AnalysedGame *game, Text *out);
// The move with its number, in the language that is spoken.
void html_move(const AnalysedGame *game, const Position *pos, int ply, Text *out);
const char *html_mark_class(Mark mark);
// Is the side's stone the light one?
bool html_is_light(int side);
// A row of a list of games, and the list.
void html_row(const AnalysedGame *game, const char *address, Text *out);
void html_table(const Text *rows, Text *out);

#endif
