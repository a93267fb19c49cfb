// SPDX-License-Identifier: GPL-3.0-or-later
// Fills the attack tables. Sliders are looked up by PEXT where the compile target has BMI2 and by magic
// multiplication elsewhere; both read the same table, built from attacks_walk. The magics come from seeds
// that were found by trying 1, 2, 3 .. for each square until the product told all occupations apart, so that
// nothing is searched at start.
#include "bitboard.h"

Boards boards;

u64 attacks_walk(bool rook, int sq, u64 occupied)
{
    static const i8 STEPS[2][4][2] = {{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}},
                                      {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
    u64 attacks = 0;
    for (int i = 0; i < 4; i++) {
        int file = sq_file(sq), rank = sq_rank(sq);
        for (;;) {
            file += STEPS[rook][i][0];
            rank += STEPS[rook][i][1];
            if (file < 0 || file > 7 || rank < 0 || rank > 7)
                break;
            u64 bit = sq_bit(sq_make(file, rank));
            attacks |= bit;
            if (occupied & bit)
                break;
        }
    }
    return attacks;
}

u64 attacks_of(int side, int kind, int sq, u64 occupied)
{
    switch (kind) {
    case PAWN: return attacks_pawn(side, sq);
    case KNIGHT: return attacks_knight(sq);
    case BISHOP: return attacks_bishop(sq, occupied);
    case ROOK: return attacks_rook(sq, occupied);
    case QUEEN: return attacks_queen(sq, occupied);
    case KING: return attacks_king(sq);
    default: return 0;
    }
}

// The squares a leaper reaches with the given steps.
static u64 leaps(int sq, const i8 steps[][2], int step_nb)
{
    u64 targets = 0;
    for (int i = 0; i < step_nb; i++) {
        int file = sq_file(sq) + steps[i][0], rank = sq_rank(sq) + steps[i][1];
        if (file >= 0 && file <= 7 && rank >= 0 && rank <= 7)
            targets |= sq_bit(sq_make(file, rank));
    }
    return targets;
}

static void init_leapers(void)
{
    static const i8 KNIGHT_STEPS[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                          {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const i8 KING_STEPS[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        boards.knight[sq] = leaps(sq, KNIGHT_STEPS, 8);
        boards.king[sq] = leaps(sq, KING_STEPS, 8);
        boards.pawn[WHITE][sq] = pawns_attack(WHITE, sq_bit(sq));
        boards.pawn[BLACK][sq] = pawns_attack(BLACK, sq_bit(sq));
    }
}

#ifndef __BMI2__
// clang-format off
static const u32 MAGIC_SEEDS[2][SQUARE_NB] = {
    {
        // bishop
        21907, 958, 5965, 3194, 101, 804, 856, 14023,
        2718, 622, 1138, 4005, 661, 1896, 117, 1432,
        4221, 3997, 5619, 11906, 1751, 1695, 2309, 539,
        1483, 1483, 3625, 308278, 109814, 34914, 1601, 145,
        3162, 2293, 21286, 209457, 29380, 1399, 3089, 16187,
        968, 178, 12783, 3619, 418, 195, 1536, 1523,
        856, 748, 284, 429, 1855, 42, 3625, 958,
        14023, 1432, 675, 1523, 1519, 4953, 2718, 21907,
    },
    {
        // rook
        642505, 140795, 295489, 237783, 490515, 336364, 78917, 26827,
        45864, 65967, 29500, 212035, 7705, 10224, 74345, 38198,
        24950, 4228, 488857, 218676, 106513, 10224, 38874, 422778,
        34961, 20073, 11331, 389183, 7768, 263108, 37839, 204143,
        22522, 62805, 34206, 43425, 41557, 176943, 33891, 110099,
        81710, 81484, 215758, 553311, 540952, 304335, 7705, 132762,
        36922, 49796, 1036, 33806, 66407, 365283, 23204, 4582,
        45681, 36551, 88324, 386682, 1858952, 4276, 10345, 6028,
    },
};
// clang-format on

static u64 magic_from_seed(u32 seed)
{
    Rng rng = {seed};
    u64 magic = rng_next(&rng);
    magic &= rng_next(&rng);
    return magic & rng_next(&rng);
}
#endif

// Fills one slider's part of the table, starting at `attacks`; returns its end.
static u64 *init_slider(bool rook, int sq, u64 *attacks)
{
    Slider *slider = rook ? &boards.rook[sq] : &boards.bishop[sq];
    u64 rank_edges = (RANK_1 | RANK_8) & ~rank_bits(sq_rank(sq));
    u64 file_edges = (FILE_A | FILE_H) & ~file_bits(sq_file(sq));
    boards.lines[rook][sq] = attacks_walk(rook, sq, 0);
    slider->mask = boards.lines[rook][sq] & ~(rank_edges | file_edges);
    slider->attacks = attacks;
#ifndef __BMI2__
    slider->magic = magic_from_seed(MAGIC_SEEDS[rook][sq]);
    slider->shift = 64 - bits_count(slider->mask);
#endif
    u64 occupied = 0;
    do {
        u64 *entry = attacks + slider_index(slider, occupied);
        u64 walked = attacks_walk(rook, sq, occupied);
        assert(*entry == 0 || *entry == walked); // else the magic mixes up two occupations
        *entry = walked;
        occupied = (occupied - slider->mask) & slider->mask; // the next subset of the mask
    } while (occupied);
    return attacks + (1 << bits_count(slider->mask));
}

static void init_lines(void)
{
    for (int sq = 0; sq < SQUARE_NB; sq++)
        for (int other = 0; other < SQUARE_NB; other++) {
            int files = sq_file(other) - sq_file(sq), ranks = sq_rank(other) - sq_rank(sq);
            boards.diagonal[sq] |= files == ranks ? sq_bit(other) : 0;
            boards.antidiagonal[sq] |= files == -ranks ? sq_bit(other) : 0;
        }
    for (int a = 0; a < SQUARE_NB; a++)
        for (int b = 0; b < SQUARE_NB; b++)
            for (int rook = 0; rook < 2; rook++) {
                if (!(boards.lines[rook][a] & sq_bit(b)))
                    continue;
                boards.between[a][b] = attacks_walk(rook, a, sq_bit(b)) & attacks_walk(rook, b, sq_bit(a));
                boards.through[a][b] =
                    (boards.lines[rook][a] & boards.lines[rook][b]) | sq_bit(a) | sq_bit(b);
            }
}

void boards_init(void)
{
    init_leapers();
    u64 *attacks = boards.slider_attacks;
    for (int rook = 0; rook < 2; rook++)
        for (int sq = 0; sq < SQUARE_NB; sq++)
            attacks = init_slider(rook, sq, attacks);
    assert(attacks == boards.slider_attacks + SLIDER_ATTACKS_NB);
    init_lines();
}
