// SPDX-License-Identifier: GPL-3.0-or-later
// What a session tells, as lines of UCI and USI. Nothing here prints: each function adds whole lines. (The
// same as JSON is the command `json`, in src/web.)
#ifndef TWOFOLD_WRITER_H
#define TWOFOLD_WRITER_H

#include "session/session.h"

// One sentence.
void write_note(const char *text, Text *out);
// A line of the search.
void write_line(const Game *game, const SearchLine *line, bool show_wdl, Text *out);
// The root move that is searched now.
void write_root_move(const Game *game, int depth, Move move, int number, Text *out);
// What is known without a search.
void write_known(const Game *game, const KnownLine *line, Text *out);
// The answer to a request: a best move, or what the mate solver says.
void write_answer(const Game *game, const Answer *answer, Text *out);
// What the side to move would do; MOVE_NONE: it has no move.
void write_threat(const Game *game, Move move, int score, Text *out);

#endif
