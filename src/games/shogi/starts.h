// SPDX-License-Identifier: GPL-3.0-or-later
// Start positions of shogi by row of the table of handicaps, for the files that name them. Private to
// games/shogi.
#ifndef TWOFOLD_SHOGI_STARTS_H
#define TWOFOLD_SHOGI_STARTS_H

#include "game.h"

enum { HANDICAP_NB = 17 }; // row 0 is the even game
// The row of a Japanese name, with kanji or digits, the word for a handicap (落ち) left out or not;
// HANDICAP_NB when it is none.
int handicap_named(Span name);
// As KIF files write it.
const char *handicap_name(int row);
// The row whose start this is, to the letter; HANDICAP_NB when it is none.
int handicap_of(const Position *pos);
void handicap_print(int row, char out[TEXT_MAX]);

#endif
