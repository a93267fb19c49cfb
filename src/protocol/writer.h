// SPDX-License-Identifier: GPL-3.0-or-later
// What a session tells, as lines of text: one table of functions for each encoding. write_uci.c writes the
// lines of UCI and USI, write_json.c one JSON object a line. Nothing here prints: each function adds whole
// lines.
#ifndef TWOFOLD_WRITER_H
#define TWOFOLD_WRITER_H

#include "session/session.h"

typedef struct Writer {
    void (*note)(const char *text, Text *out);
    void (*line)(const Game *game, const SearchLine *line, bool show_wdl, Text *out);
    void (*root_move)(int depth, const char *move, int number, Text *out);
    void (*known)(const KnownLine *line, const char *move, Text *out); // the line's move; NULL: it has none
    void (*best)(const char *move, const char *ponder, Text *out);     // ponder may be NULL
    void (*mate)(const Game *game, const Answer *answer, Text *out);
    // What the side to move would do; pos is NULL when it has no move, and so no score.
    void (*threat)(const char *move, const Position *pos, int score, Text *out);
} Writer;

extern const Writer WRITE_UCI, WRITE_JSON;

// The root move that is searched now.
void writer_root_move(const Writer *writer, const Game *game, int depth, Move move, int number, Text *out);
// What is known without a search.
void writer_known(const Writer *writer, const Game *game, const KnownLine *line, Text *out);
// The answer to a request: a best move, or what the mate solver says.
void writer_answer(const Writer *writer, const Game *game, const Answer *answer, Text *out);
// What the side to move would do; MOVE_NONE: it has no move.
void writer_threat(const Writer *writer, const Game *game, Move move, int score, Text *out);

#endif
