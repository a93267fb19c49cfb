// SPDX-License-Identifier: GPL-3.0-or-later
// What reading and writing PGN have in common. Private to pgn.c and pgn_write.c.
#ifndef TWOFOLD_CHESS_PGN_H
#define TWOFOLD_CHESS_PGN_H

#define TIME_FORFEIT "time forfeit" // the standard's word in the tag Termination

#endif
