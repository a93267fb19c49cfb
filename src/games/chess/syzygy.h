// SPDX-License-Identifier: GPL-3.0-or-later
// One Syzygy table file: opened with every offset checked, then looked up without a lock, since nothing
// changes any more. Private to games/chess; tablebase.c decides which table to ask and what the answers mean.
#ifndef TWOFOLD_CHESS_SYZYGY_H
#define TWOFOLD_CHESS_SYZYGY_H

#include "game.h"

enum { SYZYGY_MEN_MAX = 7 };

// Numbers of squares and sets of squares that the format's indices are made of; the same for all tables.
typedef struct SyzygyMaps {
    u64 binomial[SYZYGY_MEN_MAX][SQUARE_NB]; // [k][n]: ways to choose k of n
    u8 triangle[SQUARE_NB];                  // a1-d1-d4: below the diagonal 0..5, on it 6..9
    u8 below_diagonal[SQUARE_NB];            // the 28 squares of b1-h1-h7
    u16 kings[10][SQUARE_NB];                // pairs of kings, the first in the triangle: 0..461
    u8 pawn[SQUARE_NB]; // rank of a square among those a pawn may stand on: the leading pawn has most
    u64 lead_pawns[SYZYGY_MEN_MAX][SQUARE_NB]; // [pawns][leading pawn's square]: first index
    u64 lead_pawns_nb[SYZYGY_MEN_MAX][4];      // [pawns][file]: how many indices
} SyzygyMaps;
void syzygy_maps_init(SyzygyMaps *maps);

// How many of each kind each side has: white[PAWN..QUEEN], black the same, in nibbles. The kings go without
// saying.
typedef u64 Material;
Material material_of(const Position *pos);
static inline Material material_one(int side, int kind) { return 1ULL << (20 * side + 4 * (kind - 1)); }
static inline int material_count(Material material, int side, int kind)
{
    return (int)(material >> (20 * side + 4 * (kind - 1)) & 15);
}
static inline Material material_flip(Material material)
{
    return material >> 20 | (material & 0xFFFFF) << 20;
}

typedef struct SyzygyTable SyzygyTable;
// Maps and checks a file of win/draw/loss values or of distances; NULL with the reason when it can't be used.
SyzygyTable *syzygy_open(const char *path, Material material, bool is_dtz, const SyzygyMaps *maps,
                         Message *message);
void syzygy_close(SyzygyTable *table);
// Is the file what it was when it was opened? Asks the file system if the table was looked up since the last
// call.
bool syzygy_check(const SyzygyTable *table);
// Notes that the table is lost; true the first time.
bool syzygy_mark_lost(SyzygyTable *table);
// True once, when the table is lost and nobody was told.
bool syzygy_tell_lost(SyzygyTable *table);

typedef enum SyzygyAnswer {
    SYZYGY_DAMAGED,
    SYZYGY_LOST,       // the file has been cut short or replaced since it was opened
    SYZYGY_OTHER_SIDE, // a distance table that holds the positions with the other side to move
    SYZYGY_FOUND,
} SyzygyAnswer;
// The stored value of the position, which has the table's material (colours exchanged or not). For distances
// `wdl` is the true result of the position and the value is in plies, without sign.
SyzygyAnswer syzygy_lookup(const SyzygyTable *table, const SyzygyMaps *maps, const Position *pos, int wdl,
                           int *value);

#endif
