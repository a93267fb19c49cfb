// SPDX-License-Identifier: GPL-3.0-or-later
// The attack tables against walking the board, for whichever lookup this build has.
#include "test.h"

#include "bitboard.h"

void test_bitboard(void)
{
    Rng rng = {11};
    int tries = test_is_light() ? 200 : 5000;

    CASE("row 25: sliders by lookup equal sliders by walking");
    for (int sq = 0; sq < SQUARE_NB; sq++)
        for (int i = 0; i < tries; i++) {
            u64 occupied = rng_next(&rng);
            occupied &= i % 3 ? rng_next(&rng) : ~0ULL;
            occupied |= i % 5 ? 0 : rng_next(&rng);
            CHECK_THAT(attacks_rook(sq, occupied) == attacks_walk(true, sq, occupied), "rook on %d", sq);
            CHECK_THAT(attacks_bishop(sq, occupied) == attacks_walk(false, sq, occupied), "bishop on %d", sq);
        }

    CASE("bitboard: every occupation of every mask");
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        for (u64 mask = boards.rook[sq].mask, o = mask; o; o = (o - 1) & mask)
            CHECK_THAT(attacks_rook(sq, o) == attacks_walk(true, sq, o), "rook on %d", sq);
        for (u64 mask = boards.bishop[sq].mask, o = mask; o; o = (o - 1) & mask)
            CHECK_THAT(attacks_bishop(sq, o) == attacks_walk(false, sq, o), "bishop on %d", sq);
    }

    CASE("bitboard: lines and what lies between");
    CHECK(squares_between(0, 63) == 0x0040201008040200ULL && squares_between(0, 1) == 0 &&
          squares_between(0, 10) == 0);
    CHECK(line_through(0, 9) == 0x8040201008040201ULL && line_through(0, 10) == 0);
    CHECK(squares_between(4, 60) == (FILE_A << 4 & ~RANK_1 & ~RANK_8));
    for (int a = 0; a < SQUARE_NB; a++)
        for (int b = 0; b < SQUARE_NB; b++) {
            CHECK(squares_between(a, b) == squares_between(b, a) && line_through(a, b) == line_through(b, a));
            CHECK(!(squares_between(a, b) & ~line_through(a, b)));
            CHECK((line_through(a, b) != 0) == ((attacks_queen(a, 0) & sq_bit(b)) != 0));
        }

    CASE("bitboard: leapers");
    CHECK(attacks_knight(0) == (sq_bit(10) | sq_bit(17)) &&
          attacks_king(63) == (sq_bit(62) | sq_bit(54) | sq_bit(55)));
    CHECK(attacks_pawn(WHITE, 8) == sq_bit(17) && attacks_pawn(BLACK, 15) == sq_bit(6));
}
