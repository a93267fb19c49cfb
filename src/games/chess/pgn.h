// SPDX-License-Identifier: GPL-3.0-or-later
// What reading and writing the records of chess have in common. Private to pgn.c, epd.c and pgn_write.c.
#ifndef TWOFOLD_CHESS_PGN_H
#define TWOFOLD_CHESS_PGN_H

#include "games/record.h"

enum { TAG_NAME_MAX = 256 };        // with the bracket before it and the quote behind it
#define TIME_FORFEIT "time forfeit" // the standard's word in the tag Termination

// Adds the text as UTF-8, with every run of white space, line ends and NULs as one blank.
void pgn_add_clean(Text *out, Span s);
// A line with a position, of which the record becomes a game without moves.
void epd_read(Span line, const Rules *rules, Record *record);
// A line like "position startpos moves e2e4", with or without its first word.
bool uci_begins(Span line);
void uci_read(Span line, const Rules *rules, Record *record);

#endif
