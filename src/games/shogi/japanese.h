// SPDX-License-Identifier: GPL-3.0-or-later
// Moves as Japanese write them, for all readers of such texts. Private to games/shogi. Text is UTF-8.
#ifndef TWOFOLD_SHOGI_JAPANESE_H
#define TWOFOLD_SHOGI_JAPANESE_H

#include "game.h"

extern const char WIDE_DIGITS[10][4], KANJI_DIGITS[10][4];

// Each takes something off the front of the text, and leaves it alone when it is not there.
bool span_take(Span *s, const char *prefix);
// Spaces, the wide one too.
void span_skip_spaces(Span *s);
// One digit, in any of the three ways it is written; -1 when there is none.
int japanese_digit(Span *s);
// The name of a piece; NO_KIND when there is none.
int japanese_kind(Span *s);
// The sign before a move that tells whose it is; -1 when there is none.
int japanese_side(Span *s);

// What a text says of a move.
typedef struct JapaneseMove {
    int to, kind, from; // from: -1 when the text does not say
    bool promotes, is_drop;
    u8 how; // which of several men: bits of the signs for that
} JapaneseMove;
// A move without the sign of its side; last_to is the square that "the same" means, -1: none. False, with
// some of the text taken, when there is none.
bool japanese_take(Span *s, int last_to, JapaneseMove *out);
// The one legal move that fits; MOVE_NONE when there is none, or more than one. A drop need not say so if
// nothing can move there.
Move japanese_find(const Position *pos, const JapaneseMove *wanted);
// The whole text as a move, with or without the sign of its side, which must be the side to move's.
Move japanese_parse(const Position *pos, int last_to, Span text);

// ---- writing (japanese_write.c) -----------------------------------------------------------------
enum { JAPANESE_MOVE_MAX = 40 };
// A legal move without the sign of its side, less than JAPANESE_MOVE_MAX bytes; last_to as for japanese_take.
void japanese_print(const Position *pos, Move move, int last_to, char *out);
// How far the man goes forward, and how far to the right of the square it starts: as the mover sees it.
int japanese_steps_up(int side, int from, int to);
int japanese_steps_right(int side, int from, int to);

#endif
