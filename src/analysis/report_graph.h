// SPDX-License-Identifier: GPL-3.0-or-later
// The graph of a game on the report's page. Private to analysis/.
#ifndef TWOFOLD_REPORT_GRAPH_H
#define TWOFOLD_REPORT_GRAPH_H

#include "analysis/analysis.h"

// A figure with two curves, what the sides may expect and the scores, one of which is shown; nothing for a
// game that has no two judged moves.
void report_graph(const Analysis *analysis, const AnalysedGame *game, Text *out);

#endif
