// SPDX-License-Identifier: GPL-3.0-or-later
// What a game tells opening.c: its table of named openings, and what it knows of names besides. Private to
// games/.
//
// A row stands for the position that its moves lead to from the usual start:
//   KEPT MOVES...|CODE|SHARED NAME[|JAPANESE NAME]
// KEPT is the number of half-moves it has in common with the row before, SHARED the number of bytes of its
// name; an empty CODE is that of the row before. Each row ends with a line feed.
#ifndef TWOFOLD_GAMES_OPENING_TABLE_H
#define TWOFOLD_GAMES_OPENING_TABLE_H

#include "games/notation.h"

typedef struct OpeningTable {
    const char *rows;
    const char *played; // rows of lines to play; what stands behind their moves does not count here
    // Can games from this start have names?
    bool (*fits)(const Position *start);
    // Names by where the men stand, for a position that has none by its moves: true when the name that the
    // game has so far was changed to such a one. NULL: the game has no such names.
    bool (*by_shape)(const Position *pos, Opening *opening);
} OpeningTable;
// Defined by each game in its openings.c.
extern const OpeningTable OPENING_TABLE;

#endif
