// SPDX-License-Identifier: GPL-3.0-or-later
// Making a book, inside games/: the moves of games are counted the same way everywhere (book_maker.c); what a
// book calls a position and a move, and how it is written, is the format's own business, in the game's
// polyglot.c and book_db.c.
#ifndef TWOFOLD_BOOK_MAKER_H
#define TWOFOLD_BOOK_MAKER_H

#include "games/record.h"

// A move in a position, told apart by key and code: how often it was played, and two points for each win, one
// for a draw or an unknown result.
typedef struct BookCount {
    u64 key;
    u64 points;
    u32 games;
    u16 code;
    u16 ply;                  // the least it was met at
    u8 note[BOOK_NOTE_BYTES]; // what the game must remember of the position beside its key
} BookCount;

// The game's part. Fills key, code and note of a move; `last` is the move that led to pos, MOVE_NONE at the
// start of the record. False for a position that has no place in a book.
bool book_count_init(BookCount *count, const Position *pos, Move last, Move move);
// Writes the counts, sorted by key and then by code, as a book; may sort them anew. Out of memory shows in
// the text.
void book_counts_print(BookCount *count, size_t nb, Text *out);

#endif
