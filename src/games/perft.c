// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the leaves of the tree of legal moves: the test of a game's rules and the measure of their speed.
#include "game.h"

u64 perft(Position *pos, int depth, bool bulk)
{
    if (depth <= 0)
        return 1;
    if (depth == 1 && bulk)
        return (u64)gen_count(pos);
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    u64 leaf_nb = 0;
    for (Move *move = list; move < end; move++) {
        Undo undo;
        pos_make(pos, *move, &undo, NULL);
        leaf_nb += perft(pos, depth - 1, bulk);
        pos_unmake(pos, *move, &undo);
    }
    return leaf_nb;
}
