// SPDX-License-Identifier: GPL-3.0-or-later
// A match in words and in JSON: the line that tells how it goes, the report at the end, the rows of a table.
// All of it is computed from the state of the match, which nothing here changes.
#ifndef TWOFOLD_ARENA_MATCH_REPORT_H
#define TWOFOLD_ARENA_MATCH_REPORT_H

#include "arena/match_state.h"
#include "base/progress.h"

void match_progress(const MatchOptions *options, const MatchState *state, ProgressLine *line);
void match_report(const MatchOptions *options, const MatchState *state, const char *end, Text *out);
// A row of a Markdown table for each opponent that was played: date, label, opponent, limits, games, score,
// Elo, its faults.
void match_rows(const MatchOptions *options, const MatchState *state, Text *out);
void match_json(const MatchOptions *options, const MatchState *state, const char *end, Text *out);

#endif
