// SPDX-License-Identifier: GPL-3.0-or-later
// The Polyglot key, for books and their tests. Private to games/chess.
#ifndef TWOFOLD_CHESS_POLYGLOT_H
#define TWOFOLD_CHESS_POLYGLOT_H

#include "game.h"

// `pushed_file` is the file of the pawn that has just advanced two squares, -1 for none: the format counts it
// when an enemy pawn stands beside, legal capture or not, which a Position does not remember.
u64 polyglot_key(const Position *pos, int pushed_file);

#endif
