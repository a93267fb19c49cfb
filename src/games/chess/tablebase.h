// SPDX-License-Identifier: GPL-3.0-or-later
// What the endgame tables say beyond the contract, for tests and tools. Private to games/chess.
#ifndef TWOFOLD_CHESS_TABLEBASE_H
#define TWOFOLD_CHESS_TABLEBASE_H

#include "games/knowledge.h"

// The value stored in the table itself, which may be anything where a capture decides. TB_NONE without a
// table.
TbResult tb_probe_stored(const Tablebase *tables, const Position *pos);
// Plies to the next capture, pawn move or mate, with the sign of the result; beyond 100 for results that the
// fifty-move rule turns into draws; 0 for draws. False when not covered.
bool tb_probe_distance(const Tablebase *tables, const Position *pos, int *plies);

#endif
