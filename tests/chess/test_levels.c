// SPDX-License-Identifier: GPL-3.0-or-later
// Weak levels still win what is won: they mate with a queen, a rook or two rooks, and promote and mate with a
// won pawn, within the fifty moves, against a defence that sees more than they do.
#include <stdlib.h>

#include "levels.h"

static int square_of(Rng *rng) { return (int)(rng_next(rng) >> 32) & 63; }

static bool are_near(int a, int b) { return abs(a / 8 - b / 8) <= 1 && abs(a % 8 - b % 8) <= 1; }

// A random position of the given white men, White to move: kings apart, no white piece next to the black king
// (which could take it), nobody in check.
static void random_ending(Rng *rng, const char *men, char *fen)
{
    for (;;) {
        char board[64];
        memset(board, '.', sizeof board);
        int black = square_of(rng), nb = 0;
        board[black] = 'k';
        for (; men[nb]; nb++) {
            int sq = square_of(rng);
            if (board[sq] != '.' || are_near(sq, black))
                break;
            board[sq] = men[nb];
        }
        if (men[nb])
            continue;
        char *out = fen;
        for (int sq = 0; sq < 64; sq++) {
            *out++ = board[sq] == '.' ? '1' : board[sq];
            if (sq % 8 == 7)
                *out++ = sq == 63 ? ' ' : '/';
        }
        strcpy(out, "w - - 0 1");
        Position pos;
        Rules rules = rules_default();
        Message message;
        if (pos_set(&pos, span_of(fen), &rules, &message) == SET_OK)
            return; // pos_set refuses a board on which Black is in check
    }
}

static void check_endings(const Sides *sides, const char *men, int nb, u64 seed)
{
    static const int ELO[] = {600, 1000, 1500};
    Rng rng = {seed};
    nb = test_is_light() ? 1 : nb;
    for (int i = 0; i < nb; i++) {
        char fen[96];
        random_ending(&rng, men, fen);
        CHECK_THAT(mates(sides, fen, ELO[i % 3]), "level %d does not mate in %s", ELO[i % 3], fen);
    }
}

void test_levels(void)
{
    const Sides both = {engine_new(4), engine_new(4)}, *sides = &both;
    CASE("weak levels mate with a queen");
    check_endings(sides, "KQ", 12, 11);
    CASE("weak levels mate with a rook");
    check_endings(sides, "KR", 15, 12);
    CHECK(mates(sides, "8/8/8/3K4/8/8/4k3/7R w - - 0 1", 600));
    CASE("weak levels mate with two rooks");
    check_endings(sides, "KRR", 6, 13);
    CHECK(mates(sides, "8/5p2/4k3/8/8/1P6/8/R3K2R w - - 0 1", 600));
    CASE("weak levels mate with many men, also when moves without progress have made the win look small");
    CHECK(mates(sides, "8/1N6/3Q4/8/8/4k3/8/2R2K2 w - - 60 60", 600));
    CHECK(mates(sides, "8/2R5/8/3k4/8/4Q3/8/6K1 w - - 70 60", 800));
    CASE("weak levels win a pawn that can be won");
    CHECK(mates(sides, "8/8/1k6/8/4K3/4P3/8/8 w - - 0 1", 600));
    CHECK(mates(sides, "3k4/8/3K4/3P4/8/8/8/8 w - - 0 1", 1000));
    CHECK(mates(sides, "8/k7/8/8/8/8/P1K4P/8 w - - 0 1", 1500));
    engine_free(sides->attack);
    engine_free(sides->defence);
}
