// SPDX-License-Identifier: GPL-3.0-or-later
// What the network sees of a shogi position. Each side looks at the board from its own end and, so that it
// needs to learn everything on one wing only, mirrored when its king stands on its left (files 6 to 9 of its
// own): a view is the square of that king. Board features: whose (own, enemy) x 14 kinds x 81 squares. Hand
// features: whose x one for each man a hand can hold; n men of a kind make the first n of its features
// active, so a man more or less is one feature. Near features: whose x 14 kinds x 81 places around the own
// king, four to either side, five ahead and three behind: what is learned of an attack or a castle on one
// square is known on all. King buckets are not used: PERSPECTIVE_BUCKET_NB is 1.
#include "bitboard.h"

enum {
    PLANE_NB = SIDE_NB * (KIND_NB - 1),
    BOARD_FEATURE_NB = PLANE_NB * SQUARE_NB,
    HAND_FEATURE_NB = 38, // of one side
    NEAR_START = BOARD_FEATURE_NB + SIDE_NB * HAND_FEATURE_NB,
    NEAR_EDGE = 9,
    NEAR_BESIDE = 4,
    NEAR_AHEAD = 5,
    NEAR_FEATURE_NB = PLANE_NB * NEAR_EDGE * NEAR_EDGE,
    PERSPECTIVE_KINGLESS = SQUARE_NB,
};
static_assert(NEAR_START + NEAR_FEATURE_NB == FEATURE_NB && PERSPECTIVE_KINGLESS + 1 == PERSPECTIVE_NB,
              "all is counted");

int features_perspective(const Position *pos, int side)
{
    int king = pos->king[side];
    return king < SQUARE_NB ? sq_relative(side, king) : PERSPECTIVE_KINGLESS;
}

int features_perspective_bucket(int perspective)
{
    (void)perspective;
    return 0;
}

// Writes the features of one man: on the board one, or two when he is near the king; `sq` beyond the board is
// a man in hand, as in Delta. Returns how many.
static inline int man_features(int side, int perspective, int piece, int sq, u16 *out)
{
    static const u8 HAND_START[HAND_KIND_NB] = {0, 0, 18, 22, 26, 30, 32, 34};
    int whose = piece_side(piece) != side, kind = piece_kind(piece);
    if (sq >= SQUARE_NB) {
        out[0] = (u16)(BOARD_FEATURE_NB + whose * HAND_FEATURE_NB + HAND_START[kind] + sq - SQUARE_NB);
        return 1;
    }
    int plane = whose * (KIND_NB - 1) + kind - 1, seen = sq_relative(side, sq);
    int file = sq_file(seen), rank = sq_rank(seen), king_file = sq_file(perspective),
        beside = file - king_file;
    if (king_file > 4 && perspective != PERSPECTIVE_KINGLESS) { // mirrored
        file = 8 - file;
        beside = -beside;
    }
    out[0] = (u16)(plane * SQUARE_NB + sq_make(file, rank));
    if (perspective == PERSPECTIVE_KINGLESS || (kind == KING && !whose))
        return 1;
    unsigned column = (unsigned)(beside + NEAR_BESIDE),
             row = (unsigned)(rank - sq_rank(perspective) + NEAR_AHEAD);
    if (column >= NEAR_EDGE || row >= NEAR_EDGE)
        return 1;
    out[1] = (u16)(NEAR_START + plane * NEAR_EDGE * NEAR_EDGE + (int)(column * NEAR_EDGE + row));
    return 2;
}

int features_active(const Position *pos, int side, int perspective, u16 *out)
{
    int count = 0;
    for (Squares s = squares_of(pos_occupied(pos)); squares_left(s);) {
        int sq = squares_next(&s);
        count += man_features(side, perspective, pos->board[sq], sq, out + count);
    }
    for (int owner = 0; owner < SIDE_NB; owner++)
        for (int kind = PAWN; kind < HAND_KIND_NB; kind++)
            for (int i = 0; i < hand_count(pos->hand[owner], kind); i++)
                count += man_features(side, perspective, piece_make(owner, kind), SQUARE_NB + i, out + count);
    assert(count <= FEATURE_ACTIVE_MAX);
    return count;
}

void features_changed(const Delta *delta, int side, int perspective, u16 *added, int *added_nb, u16 *removed,
                      int *removed_nb)
{
    *added_nb = *removed_nb = 0;
    for (int i = 0; i < delta->added_nb; i++)
        *added_nb +=
            man_features(side, perspective, delta->added[i].piece, delta->added[i].sq, added + *added_nb);
    for (int i = 0; i < delta->removed_nb; i++)
        *removed_nb += man_features(side, perspective, delta->removed[i].piece, delta->removed[i].sq,
                                    removed + *removed_nb);
}

// By how much is in the hands, a pawn counting one and any other piece two: the further the fight has gone,
// the more.
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

int features_of_square(const Position *pos, int side, int perspective, int sq, u16 *out)
{
    int piece = pos->board[sq];
    if (!piece || piece_kind(piece) == KING)
        return 0;
    return man_features(side, perspective, piece, sq, out);
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
    if (feature >= NEAR_START) { // drawn with the king five places from the top, in the middle
        int place = (feature - NEAR_START) % (NEAR_EDGE * NEAR_EDGE),
            plane = (feature - NEAR_START) / (NEAR_EDGE * NEAR_EDGE);
        return (FeatureMeaning){.plane_name = NAMES[plane],
                                .plane = PLANE_NB + SIDE_NB + plane,
                                .column = NEAR_EDGE - 1 - place / NEAR_EDGE,
                                .row = place % NEAR_EDGE};
    }
    if (feature >= BOARD_FEATURE_NB) {
        int plane = BOARD_FEATURE_NB / SQUARE_NB + (feature - BOARD_FEATURE_NB) / HAND_FEATURE_NB;
        return (FeatureMeaning){.plane_name = NAMES[plane], .plane = plane, .column = -1, .row = -1};
    }
    int plane = feature / SQUARE_NB, sq = feature % SQUARE_NB;
    return (FeatureMeaning){
        .plane_name = NAMES[plane], .plane = plane, .column = 8 - sq_file(sq), .row = sq_rank(sq)};
}
