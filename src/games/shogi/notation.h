// SPDX-License-Identifier: GPL-3.0-or-later
// How squares and pieces are spelled, for all readers and writers of shogi texts. Private to games/shogi.
#ifndef TWOFOLD_SHOGI_NOTATION_H
#define TWOFOLD_SHOGI_NOTATION_H

#include "game.h"

// The letter of each raw kind, upper case.
extern const char KIND_LETTERS[KING + 2];
// The raw kind of an upper-case letter, NO_KIND for any other character.
int kind_from_letter(char letter);
// The square that two characters name (5e), -1 when they name none.
int square_parse(const char *text);
// Writes two characters and returns the end.
char *square_print(int sq, char *out);
// A rank and a square as people are told of them, in the language that is spoken: e and 5e, or 五 and ５五.
typedef struct SquareWords {
    char text[16];
} SquareWords;
const char *rank_words(int rank);
SquareWords square_words(int sq);
// Writes the men of a board as an SFEN has them, less than BOARD_TEXT_MAX characters, and returns the end.
enum { BOARD_TEXT_MAX = 2 * SQUARE_NB + 9 };
char *board_print(const u8 board[SQUARE_NB], char *out);
// Can a piece of the side to move promote on this way, and must it?
bool promotion_is_possible(int side, int kind, int from, int to);
bool promotion_is_forced(int side, int kind, int to);

#endif
