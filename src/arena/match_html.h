// SPDX-License-Identifier: GPL-3.0-or-later
// A match as one page.
#ifndef TWOFOLD_ARENA_MATCH_HTML_H
#define TWOFOLD_ARENA_MATCH_HTML_H

#include "arena/match_state.h"

// The whole page; `end` is how the match ended, in a word.
void match_html(const MatchOptions *options, const MatchState *state, const char *end, Text *out);

#endif
