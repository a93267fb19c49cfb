// SPDX-License-Identifier: GPL-3.0-or-later
// What the search remembers about moves: how often each was good, by several keys. Reading and updating share
// one index per table. All values are kept within +-HISTORY_MAX by gravity: an update pulls towards its own
// bound. Histories is one worker's; a new game is one memset of it.
#ifndef TWOFOLD_HISTORY_H
#define TWOFOLD_HISTORY_H

#include "search/params.h"
#include "search/search.h"

enum {
    HISTORY_MAX = 8192,
    PAWN_HISTORY_NB = 512,
    LOW_PLY_NB = 5,
    CORRECTION_NB = 16384,
    CORRECTION_MAX = 1024, // stands for half of CorrectionPawn (CorrectionOther ...) in centipawns
    CONTINUATION_CORRECTION_NB = 32768,
};

typedef i16 PieceTo[PIECE_NB][SQUARE_NB];

typedef struct Histories {
    i16 butterfly[SIDE_NB][FROM_NB][SQUARE_NB];
    PieceTo piece_to;
    PieceTo continuation[PIECE_NB][SQUARE_NB];
    PieceTo pawn[PAWN_HISTORY_NB];
    i16 low_ply[LOW_PLY_NB][FROM_NB][SQUARE_NB];
    i16 capture[PIECE_NB][SQUARE_NB][PIECE_NB];
    Move counter[PIECE_NB][SQUARE_NB];
    i16 correction[SUBKEY_NB][SIDE_NB][CORRECTION_NB];
    i16 continuation_correction[SIDE_NB][CONTINUATION_CORRECTION_NB];
} Histories;

static inline void history_add(i16 *entry, int bonus, int max)
{
    bonus = clamp_int(bonus, -max, max);
    *entry = (i16)(*entry + bonus - *entry * (bonus < 0 ? -bonus : bonus) / max);
    assert(*entry >= -max && *entry <= max);
}

static inline i16 *history_butterfly(Histories *h, int side, Move move)
{
    return &h->butterfly[side][move_from_index(move)][move_to(move)];
}

static inline i16 *history_low_ply(Histories *h, int ply, Move move)
{
    assert(ply < LOW_PLY_NB);
    return &h->low_ply[ply][move_from_index(move)][move_to(move)];
}

static inline i16 *history_capture(Histories *h, const Position *pos, Move move)
{
    return &h->capture[move_piece(pos, move)][move_to(move)][move_captured(pos, move)];
}

static inline PieceTo *history_pawn(Histories *h, const Position *pos)
{
    return &h->pawn[pos_subkey(pos, 0) % PAWN_HISTORY_NB];
}

#endif
