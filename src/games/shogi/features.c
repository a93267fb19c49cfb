// SPDX-License-Identifier: GPL-3.0-or-later
// What the network sees of a shogi position. Each side looks at the board from its own end and, so that it needs to
// learn everything on one wing only, mirrored when its king stands on its left (files 6 to 9 of its own): a view is
// that mirror. Board features: whose (own, enemy) x 14 kinds x 81 squares. Hand features: whose x one for each man a
// hand can hold; n men of a kind make the first n of its features active, so a man more or less is one feature.
#include "bitboard.h"

enum {
    BOARD_FEATURE_NB = SIDE_NB * (KIND_NB - 1) * SQUARE_NB,
    HAND_FEATURE_NB = 38, // of one side
    VIEW_MIRRORED = 1,
};
static_assert(BOARD_FEATURE_NB + SIDE_NB * HAND_FEATURE_NB == FEATURE_NB, "all features are counted");

int features_view(const Position *pos, int side)
{
    int king = pos->king[side];
    return king < SQUARE_NB && sq_file(sq_relative(side, king)) > 4 ? VIEW_MIRRORED : 0;
}

int features_view_bucket(int view)
{
    (void)view;
    return 0;
}

// `sq` beyond the board is a man in hand, as in Delta.
static u16 feature_index(int side, int view, int piece, int sq)
{
    static const u8 HAND_START[HAND_KIND_NB] = {0, 0, 18, 22, 26, 30, 32, 34};
    int whose = piece_side(piece) != side, kind = piece_kind(piece);
    if (sq >= SQUARE_NB)
        return (u16)(BOARD_FEATURE_NB + whose * HAND_FEATURE_NB + HAND_START[kind] + sq - SQUARE_NB);
    int seen = sq_relative(side, sq);
    if (view == VIEW_MIRRORED)
        seen = sq_mirror(seen);
    return (u16)((whose * (KIND_NB - 1) + kind - 1) * SQUARE_NB + seen);
}

int features_active(const Position *pos, int side, int view, u16 *out)
{
    int count = 0;
    for (Squares s = squares_of(pos_occupied(pos)); squares_left(s);) {
        int sq = squares_next(&s);
        out[count++] = feature_index(side, view, pos->board[sq], sq);
    }
    for (int owner = 0; owner < SIDE_NB; owner++)
        for (int kind = PAWN; kind < HAND_KIND_NB; kind++)
            for (int i = 0; i < hand_count(pos->hand[owner], kind); i++)
                out[count++] = feature_index(side, view, piece_make(owner, kind), SQUARE_NB + i);
    assert(count <= FEATURE_ACTIVE_MAX);
    return count;
}

void features_changed(const Delta *delta, int side, int view, u16 *added, int *added_nb, u16 *removed, int *removed_nb)
{
    for (int i = 0; i < delta->added_nb; i++)
        added[i] = feature_index(side, view, delta->added[i].piece, delta->added[i].sq);
    for (int i = 0; i < delta->removed_nb; i++)
        removed[i] = feature_index(side, view, delta->removed[i].piece, delta->removed[i].sq);
    *added_nb = delta->added_nb;
    *removed_nb = delta->removed_nb;
}

// By how much is in the hands, a pawn counting one and any other piece two: the further the fight has gone, the more.
int features_bucket(const Position *pos)
{
    static const u8 BUCKET_FROM[BUCKET_NB] = {0, 1, 3, 5, 8, 12, 17, 24};
    int points = 0, bucket = BUCKET_NB - 1;
    for (int side = 0; side < SIDE_NB; side++)
        for (int kind = PAWN; kind < HAND_KIND_NB; kind++)
            points += hand_count(pos->hand[side], kind) * (kind == PAWN ? 1 : 2);
    while (points < BUCKET_FROM[bucket])
        bucket--;
    return bucket;
}

int features_of_square(const Position *pos, int side, int view, int sq, u16 *out)
{
    int piece = pos->board[sq];
    if (!piece || piece_kind(piece) == KING)
        return 0;
    out[0] = feature_index(side, view, piece, sq);
    return 1;
}

FeatureMeaning features_meaning(int feature)
{
    static const char *const NAMES[] = {
        "own pawn",
        "own lance",
        "own knight",
        "own silver",
        "own bishop",
        "own rook",
        "own gold",
        "own king",
        "own tokin",
        "own promoted lance",
        "own promoted knight",
        "own promoted silver",
        "own horse",
        "own dragon",
        "their pawn",
        "their lance",
        "their knight",
        "their silver",
        "their bishop",
        "their rook",
        "their gold",
        "their king",
        "their tokin",
        "their promoted lance",
        "their promoted knight",
        "their promoted silver",
        "their horse",
        "their dragon",
        "own hand",
        "their hand",
    };
    if (feature >= BOARD_FEATURE_NB) {
        int plane = BOARD_FEATURE_NB / SQUARE_NB + (feature - BOARD_FEATURE_NB) / HAND_FEATURE_NB;
        return (FeatureMeaning){.plane_name = NAMES[plane], .plane = plane, .column = -1, .row = -1};
    }
    int plane = feature / SQUARE_NB, sq = feature % SQUARE_NB;
    return (FeatureMeaning){.plane_name = NAMES[plane], .plane = plane, .column = 8 - sq_file(sq), .row = sq_rank(sq)};
}
