// SPDX-License-Identifier: GPL-3.0-or-later
// What the network sees. A feature is (own or enemy, kind, square) as one side looks at the board: Black
// upside down, and mirrored left to right when the own king stands on the files e to h, so that he is always
// on a to d. A view is 2 * king bucket + mirror. More buckets: raise PERSPECTIVE_BUCKET_NB in game.h and
// write them into KING_BUCKET.
#include "bitboard.h"

// By the own king's square after turning and mirroring, a1 first; the files e to h are never asked.
static const u8 KING_BUCKET[SQUARE_NB] = {0};

// What squares are XORed with for a side's view.
static inline int perspective_turn(int side, int perspective)
{
    return (side ? 56 : 0) ^ (perspective & 1 ? 7 : 0);
}

static inline u16 feature_of(int side, int turn, int piece, int sq)
{
    int enemy = piece_side(piece) != side;
    return (u16)((enemy * 6 + piece_kind(piece) - PAWN) * SQUARE_NB + (sq ^ turn));
}

int features_perspective(const Position *pos, int side)
{
    int king = pos_king(pos, side), mirror = sq_file(king) >= 4;
    int bucket = KING_BUCKET[king ^ perspective_turn(side, mirror)];
    assert(bucket < PERSPECTIVE_BUCKET_NB);
    return 2 * bucket + mirror;
}

int features_perspective_bucket(int perspective) { return perspective >> 1; }

int features_active(const Position *pos, int side, int perspective, u16 *out)
{
    int count = 0, turn = perspective_turn(side, perspective);
    for (u64 rest = pos_occupied(pos); rest;) {
        int sq = bits_pop(&rest);
        assert(count < FEATURE_ACTIVE_MAX);
        out[count++] = feature_of(side, turn, pos->board[sq], sq);
    }
    return count;
}

void features_changed(const Delta *delta, int side, int perspective, u16 *added, int *added_nb, u16 *removed,
                      int *removed_nb)
{
    int turn = perspective_turn(side, perspective);
    for (int i = 0; i < delta->added_nb; i++)
        added[i] = feature_of(side, turn, delta->added[i].piece, delta->added[i].sq);
    for (int i = 0; i < delta->removed_nb; i++)
        removed[i] = feature_of(side, turn, delta->removed[i].piece, delta->removed[i].sq);
    *added_nb = delta->added_nb;
    *removed_nb = delta->removed_nb;
}

// Four men fewer, another set of output weights.
int features_bucket(const Position *pos) { return clamp_int((pos_men(pos) - 2) / 4, 0, BUCKET_NB - 1); }

int features_of_square(const Position *pos, int side, int perspective, int sq, u16 *out)
{
    int piece = pos->board[sq];
    if (!piece || piece_kind(piece) == KING)
        return 0;
    out[0] = feature_of(side, perspective_turn(side, perspective), piece, sq);
    return 1;
}

FeatureMeaning features_meaning(int feature)
{
    static const char *const NAMES[] = {"own pawn",     "own knight", "own bishop",  "own rook",
                                        "own queen",    "own king",   "their pawn",  "their knight",
                                        "their bishop", "their rook", "their queen", "their king"};
    int plane = feature / SQUARE_NB, sq = feature % SQUARE_NB;
    return (FeatureMeaning){
        .plane_name = NAMES[plane], .plane = plane, .column = sq_file(sq), .row = 7 - sq_rank(sq)};
}
