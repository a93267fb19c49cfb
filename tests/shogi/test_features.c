// SPDX-License-Identifier: GPL-3.0-or-later
// What the network sees: men on the board, in hand, and around the own king.
#include "bitboard.h"
#include "helpers.h"

// The features of the man on `sq` (as files and ranks are named, 1 to 9) for Black; how many.
static int seen_by_black(const Position *pos, int file, int rank, u16 out[2])
{
    return features_of_square(pos, BLACK, features_perspective(pos, BLACK), sq_make(file - 1, rank - 1), out);
}

static void test_near(void)
{
    CASE("features: a man near the king has a second feature, the same wherever both stand together");
    Position low = position_of("4k4/9/9/9/9/9/6s2/7G1/7K1 b - 1"),
             high = position_of("4k4/9/9/4s4/5G3/5K3/9/9/9 b - 1");
    Position left = position_of("4k4/9/9/9/9/9/2s6/1G7/1K7 b - 1");
    u16 silver[2] = {0}, gold[2] = {0}, other[2] = {0};
    CHECK_INT(seen_by_black(&low, 3, 7, silver), 2);
    CHECK_INT(seen_by_black(&low, 2, 8, gold), 2);
    CHECK(silver[1] != gold[1]);
    CHECK_INT(seen_by_black(&high, 5, 4, other), 2);
    CHECK_INT(other[1], silver[1]);
    CHECK(other[0] != silver[0]);
    CHECK_INT(seen_by_black(&high, 4, 5, other), 2);
    CHECK_INT(other[1], gold[1]);
    CASE("features: on the other wing everything is mirrored");
    CHECK_INT(seen_by_black(&left, 7, 7, other), 2);
    CHECK(other[0] == silver[0] && other[1] == silver[1]);

    CASE("features: how far near reaches");
    static const struct {
        int file, rank, seen_nb;
    } KINGS[] = {{1, 9, 5 * 6}, {5, 9, 9 * 6}, {5, 6, 9 * 9}, {5, 1, 9 * 4}, {9, 9, 5 * 6}};
    for (size_t i = 0; i < sizeof KINGS / sizeof KINGS[0]; i++) {
        int seen_nb = 0, perspective = sq_make(KINGS[i].file - 1, KINGS[i].rank - 1);
        for (int sq = 0; sq < SQUARE_NB; sq++) {
            Position pos = low;
            pos.board[sq] = (u8)piece_make(WHITE, ROOK);
            seen_nb += features_of_square(&pos, BLACK, perspective, sq, other) == 2;
        }
        CHECK_INT(seen_nb, KINGS[i].seen_nb);
    }

    CASE("features: a side without a king sees no neighbours");
    Position problem = position_of("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    CHECK_INT(seen_by_black(&problem, 5, 3, other), 1);
    CHECK_INT(
        features_of_square(&problem, WHITE, features_perspective(&problem, WHITE), sq_make(4, 2), other), 2);
}

static void test_most(void)
{
    CASE("features: all forty men around a king in the middle are as many features as there can be");
    Position pos = position_of("lnsgkgsnl/1r5b1/ppppppppp/9/9/4K4/PPPPPPPPP/1B5R1/LNSG1GSNL b - 1");
    u16 active[FEATURE_ACTIVE_MAX];
    int perspective = features_perspective(&pos, BLACK),
        nb = features_active(&pos, BLACK, perspective, active);
    bool seen[FEATURE_NB] = {false};
    for (int i = 0; i < nb; i++) {
        CHECK_THAT(active[i] < FEATURE_NB && !seen[active[i]], "feature %d twice or beyond the last",
                   active[i]);
        seen[active[i] % FEATURE_NB] = true;
    }
    CHECK_INT(nb, FEATURE_ACTIVE_MAX);
}

void test_features(void)
{
    test_near();
    test_most();
}
