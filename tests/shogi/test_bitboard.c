// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of squares and attacks: the vector sliders equal the plain ones, and both equal a walk over the board.
#include "bitboard.h"
#include "helpers.h"

static Bitboard random_squares(Rng *rng)
{
    Bitboard b = {rng_next(rng) & rng_next(rng), rng_next(rng) & rng_next(rng)};
    return b & BB_ALL;
}

// Walks from the square until a piece or the edge.
static Bitboard walk(int sq, int files, int ranks, Bitboard occupied)
{
    Bitboard seen = BB_NONE;
    for (int file = sq_file(sq) + files, rank = sq_rank(sq) + ranks;
         file >= 0 && file < 9 && rank >= 0 && rank < 9; file += files, rank += ranks) {
        seen |= bb_of(sq_make(file, rank));
        if (bb_has(occupied, sq_make(file, rank)))
            break;
    }
    return seen;
}

static void test_sliders(void)
{
    CASE("row 25: sliders equal a walk");
    Rng rng = {5};
    for (int round = 0; round < (test_is_light() ? 50 : 3000); round++) {
        Bitboard occupied = round == 0 ? BB_NONE : round == 1 ? BB_ALL : random_squares(&rng);
        for (int sq = 0; sq < SQUARE_NB; sq++) {
            Bitboard up = walk(sq, 0, -1, occupied), down = walk(sq, 0, 1, occupied);
            Bitboard straight = up | down | walk(sq, 1, 0, occupied) | walk(sq, -1, 0, occupied);
            Bitboard diagonal = walk(sq, 1, 1, occupied) | walk(sq, 1, -1, occupied) |
                                walk(sq, -1, 1, occupied) | walk(sq, -1, -1, occupied);
            CHECK(bb_equal(rook_attacks(sq, occupied), straight) &&
                  bb_equal(rook_attacks_plain(sq, occupied), straight));
            CHECK(bb_equal(bishop_attacks(sq, occupied), diagonal) &&
                  bb_equal(bishop_attacks_plain(sq, occupied), diagonal));
            CHECK(bb_equal(lance_attacks(BLACK, sq, occupied), up) &&
                  bb_equal(lance_attacks(WHITE, sq, occupied), down));
        }
    }
    CASE("the square of a missing king attacks nothing");
    CHECK(!bb_any(rook_attacks(SQUARE_NB, BB_ALL)) && !bb_any(bishop_attacks(SQUARE_NB, BB_NONE)));
    CHECK(!bb_any(lookup.king[SQUARE_NB]) && !bb_any(bb_of(SQUARE_NB)) &&
          !bb_any(squares_between(SQUARE_NB, 40)));
}

static void test_sets(void)
{
    CASE("sets of squares");
    Rng rng = {6};
    for (int round = 0; round < 2000; round++) {
        Bitboard a = random_squares(&rng), b = random_squares(&rng);
        int count = 0, last = -1;
        for (Squares s = squares_of(a); squares_left(s); count++) {
            int sq = squares_next(&s);
            CHECK(sq > last && sq < SQUARE_NB && bb_has(a, sq));
            CHECK(count > 0 || sq == bb_first(a));
            last = sq;
        }
        CHECK_INT(bb_count(a), count);
        CHECK(bb_many(a) == (count > 1) && bb_any(a) == (count > 0));
        CHECK(bb_meet(a, b) == bb_any(a & b) && bb_exceeds(a, b) == bb_any(a & ~b));
    }
    for (int sq = 0; sq < SQUARE_NB; sq++)
        CHECK(!bb_many(bb_of(sq)) && bb_first(bb_of(sq)) == sq &&
              bb_meet(zone_of(BLACK), bb_of(sq)) == (sq_rank(sq) < 3) &&
              bb_meet(last_two_ranks(WHITE), bb_of(sq)) == (sq_rank(sq) > 6) &&
              bb_meet(last_rank(WHITE), bb_of(sq)) == (sq_rank(sq) == 8));
}

static void test_pawn_files(void)
{
    CASE("files without a pawn");
    Rng rng = {7};
    for (int round = 0; round < 2000; round++) {
        Bitboard pawns = BB_NONE;
        bool has[9];
        for (int file = 0; file < 9; file++) {
            has[file] = rng_below(&rng, 2);
            if (has[file])
                pawns |= bb_of(sq_make(file, (int)rng_below(&rng, 9)));
        }
        Bitboard without = files_without(pawns);
        for (int sq = 0; sq < SQUARE_NB; sq++)
            CHECK(bb_has(without, sq) == !has[sq_file(sq)]);
        CHECK(!bb_exceeds(without, BB_ALL));
    }
}

static void test_lines(void)
{
    CASE("directions and squares between");
    for (int a = 0; a < SQUARE_NB; a++)
        for (int b = 0; b < SQUARE_NB; b++) {
            int files = sq_file(b) - sq_file(a), ranks = sq_rank(b) - sq_rank(a);
            bool in_line = a != b && (files == 0 || ranks == 0 || files == ranks || files == -ranks);
            CHECK((direction_of(a, b) != NO_DIRECTION) == in_line);
            CHECK_INT(bb_count(squares_between(a, b)), in_line ? sq_distance(a, b) - 1 : 0);
            CHECK(!in_line || direction_of(a, b) == (direction_of(b, a) ^ 1));
        }
}

// The attackers found backwards from a square are those whose own attacks have it.
static void test_attackers(void)
{
    CASE("attackers of a square");
    Rng rng = {8};
    Position pos = position_of(GAME_START);
    for (int ply = 0; ply < (test_is_light() ? 40 : 600); ply++) {
        Bitboard occupied = pos_occupied(&pos);
        for (int side = 0; side < SIDE_NB; side++) {
            Bitboard all = BB_NONE;
            for (int sq = 0; sq < SQUARE_NB; sq++) {
                Bitboard expected = BB_NONE;
                for (int from = 0; from < SQUARE_NB; from++)
                    if (pos.board[from] && piece_side(pos.board[from]) == side &&
                        bb_has(attacks_of(side, piece_kind(pos.board[from]), from, occupied), sq))
                        expected |= bb_of(from);
                CHECK(bb_equal(attackers_to(&pos.boards, side, sq, occupied), expected));
                CHECK(is_attacked(&pos.boards, side, sq, occupied) == bb_any(expected));
                all |= bb_any(expected) ? bb_of(sq) : BB_NONE;
            }
            for (int sq = 0; sq < SQUARE_NB; sq++)
                CHECK(bb_equal(attacked_among(&pos.boards, side, sq, lookup.king[sq], occupied),
                               all & lookup.king[sq]));
        }
        if (!play_random(&pos, &rng))
            pos = position_of(GAME_START);
    }
}

static void test_hands(void)
{
    CASE("hands contain each other by subtraction");
    Rng rng = {9};
    for (int round = 0; round < 100000; round++) {
        Hand a = 0, b = 0;
        bool contains = true;
        for (int kind = PAWN; kind < HAND_KIND_NB; kind++) {
            u32 room = (u32)kind_set_count(kind) + 1;
            u32 more = rng_below(&rng, room),
                less = rng_below(&rng, 3) ? rng_below(&rng, more + 1) : rng_below(&rng, room);
            a += more * hand_one(kind);
            b += less * hand_one(kind);
            contains = contains && more >= less;
            CHECK(hand_count(a, kind) == (int)more && hand_count(b, kind) == (int)less);
        }
        CHECK(hand_contains(a, b) == contains);
    }
}

void test_bitboard(void)
{
    test_sliders();
    test_sets();
    test_pawn_files();
    test_lines();
    test_attackers();
    test_hands();
}
