// SPDX-License-Identifier: GPL-3.0-or-later
// The names of chess openings: their table, and which games have any. Castles in the sense of castle_name
// are shogi's.
#include "games/opening_table.h"
#include "openings_table.h"

// A game of Chess960 may come to a position of ordinary chess by chance: that is no opening. Its start number
// 518 is that of ordinary chess.
static bool fits(const Position *start)
{
    Position usual;
    if (!start->rules.chess960)
        return true;
    pos_set(&usual, span_of(GAME_START), &start->rules, NULL);
    return pos_key(start) == pos_key(&usual);
}

const OpeningTable OPENING_TABLE = {.rows = ROWS, .played = ROWS, .fits = fits};

bool castle_name(const Position *pos, int side, Opening *name)
{
    (void)pos, (void)side;
    *name = (Opening){0};
    return false;
}
