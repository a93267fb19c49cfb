// SPDX-License-Identifier: GPL-3.0-or-later
// What the search is told about chess moves and positions besides the rules: threats, advances, gains, part
// keys, the key after a move, the phase, and where the network's features lie.
#include <stdlib.h>

#include "bitboard.h"
#include "helpers.h"

static void test_moves(void)
{
    static const struct {
        const char *fen, *move;
        bool threat, advance;
    } CASES[] = {
        {"4k3/8/8/3r4/8/8/8/1N2K3 w - - 0 1", "b1c3", true, false},    // knight attacks rook
        {"4k3/8/2p5/3p4/8/8/8/1N2K3 w - - 0 1", "b1c3", false, false}, // the pawn is defended
        {"4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1", "b1c3", true, false},    // and this one is not
        {"4k3/8/8/3n4/8/3P4/2P5/4K3 w - - 0 1", "c2c4", true, false},  // pawn attacks knight
        {"4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "b1c3", false, false},     // nobody there
        {"4k3/8/8/8/8/8/q6P/4K2R w K - 0 1", "e1g1", false, false},    // castling threatens nothing
        {"4k3/8/8/P7/8/8/8/4K3 w - - 0 1", "a5a6", false, true},       // passed, to the sixth
        {"4k3/1p6/8/P7/8/8/8/4K3 w - - 0 1", "a5a6", true, false},     // not passed
        {"4k3/8/8/8/P7/8/8/4K3 w - - 0 1", "a4a5", false, false},      // passed, but far
        {"4k3/8/8/8/8/7p/8/K7 b - - 0 1", "h3h2", false, true},        // the same for Black
        {"4k3/8/8/8/8/7p/6P1/K7 b - - 0 1", "h3g2", false, true},      // by a capture
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        CASE("opinion: %s of %s", CASES[i].move, CASES[i].fen);
        Position pos = position_of(CASES[i].fen);
        Move move = move_of(&pos, CASES[i].move);
        CHECK_INT(move_makes_threat(&pos, move), CASES[i].threat);
        CHECK_INT(move_is_advance(&pos, move), CASES[i].advance);
    }

    CASE("opinion: the danger where a move leaves and where it goes");
    Position danger = position_of("3rk3/8/8/8/8/8/3N4/R3K2R w KQ - 0 1");
    CHECK_INT(move_danger(&danger, move_of(&danger, "d2b3")), 1);
    CHECK_INT(move_danger(&danger, move_of(&danger, "a1a8")), 2);
    CHECK_INT(move_danger(&danger, move_of(&danger, "a1d1")), 0); // the knight is between
    CHECK_INT(move_danger(&danger, move_of(&danger, "h1h8")), 0);
    danger = position_of("3rk3/8/8/8/3R4/8/8/4K3 w - - 0 1");
    CHECK_INT(move_danger(&danger, move_of(&danger, "d4d7")), 3);
    CHECK_INT(move_danger(&danger, move_of(&danger, "e1d1")), 0); // as the men stand before it

    CASE("opinion: gain, risk and what is captured");
    Position pos = position_of("1r2k2r/P7/8/3pP3/8/8/8/R3K2R w KQk d6 0 1");
    CHECK_INT(move_gain(&pos, move_of(&pos, "a7b8q")), VALUE_ROOK + VALUE_QUEEN - VALUE_PAWN);
    CHECK_INT(move_gain(&pos, move_of(&pos, "a7a8n")), VALUE_KNIGHT - VALUE_PAWN);
    CHECK_INT(move_gain(&pos, move_of(&pos, "e5d6")), VALUE_PAWN);
    CHECK_INT(move_captured(&pos, move_of(&pos, "e5d6")), PAWN);
    CHECK_INT(move_captured(&pos, move_of(&pos, "e1g1")), NO_KIND);
    CHECK_INT(move_gain(&pos, move_of(&pos, "e1g1")), 0);
    CHECK_INT(move_risk(&pos, move_of(&pos, "h1h8")), VALUE_ROOK);
    CHECK(!move_is_noisy(&pos, move_of(&pos, "a7a8n")) && move_is_noisy(&pos, move_of(&pos, "a7a8q")));
    CHECK(move_is_noisy(&pos, move_of(&pos, "a7b8n")) && move_is_noisy(&pos, move_of(&pos, "e5d6")));
    CHECK(!move_is_noisy(&pos, move_of(&pos, "e1g1")));
}

static void test_keys(void)
{
    CASE("opinion: a part key changes with its pieces and with nothing else");
    static const struct {
        const char *fen, *move;
        bool changes[SUBKEY_NB];
    } CASES[] = {
        {"4k3/4p3/8/8/8/8/4P3/4K1N1 w - - 0 1", "e2e3", {true, false, false, false, false}},
        {"4k3/4p3/8/8/8/8/4P3/4K1N1 w - - 0 1", "g1f3", {false, true, false, true, false}},
        {"4k3/4p3/8/8/8/8/4P3/4K1N1 w - - 0 1", "e1d1", {false, true, false, false, true}},
        {"r3k3/4p3/8/8/8/8/4P3/4K1N1 b - - 0 1", "a8a1", {false, false, true, false, true}},
        {"4k3/4p3/8/8/8/5b2/4P3/4K1N1 w - - 0 1", "g1f3", {false, true, true, true, false}},
        {"4k3/4p3/8/8/8/5b2/4P3/4K1N1 w - - 0 1", "e2f3", {true, false, true, true, false}},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        Position pos = position_of(CASES[i].fen), before = pos;
        play_move(&pos, move_of(&pos, CASES[i].move));
        for (int part = 0; part < SUBKEY_NB; part++)
            CHECK_THAT((pos_subkey(&pos, part) != pos_subkey(&before, part)) == CASES[i].changes[part],
                       "part %d after %s", part, CASES[i].move);
    }

    CASE("opinion: the same pieces with another side, right or en passant square have another key");
    Position capturable = position_of("4k2r/8/8/8/3pP3/8/8/4K2R b Kk e3 0 1");
    CHECK(capturable.en_passant == 20);
    CHECK(pos_key(&capturable) != position_of("4k2r/8/8/8/3pP3/8/8/4K2R b Kk - 0 1").key);
    CHECK(pos_key(&capturable) != position_of("4k2r/8/8/8/3pP3/8/8/4K2R b K e3 0 1").key);
    CHECK(position_of("4k2r/8/8/8/3pP3/8/8/4K2R b Kk - 0 1").key !=
          position_of("4k2r/8/8/8/3pP3/8/8/4K2R w Kk - 0 1").key);
    CHECK(position_of("4k2r/8/8/8/4P3/8/8/4K2R b Kk e3 0 1").key ==
          position_of("4k2r/8/8/8/4P3/8/8/4K2R b Kk - 0 1").key);
}

static void test_features(void)
{
    CASE("opinion: phase and output bucket");
    Position start = position_of(GAME_START), bare = position_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    CHECK_INT(pos_phase(&start), 256);
    CHECK_INT(pos_phase(&bare), 0);
    CHECK_INT(features_bucket(&start), BUCKET_NB - 1);
    CHECK_INT(features_bucket(&bare), 0);
    CHECK_INT(pos_material(&start), 0);
    CHECK_INT(pos_activity(&start), 0);

    CASE("opinion: a feature is own or enemy, kind and square, mirrored for a king on the right");
    Position left = position_of("7k/8/8/8/8/8/P7/K7 w - - 0 1"),
             right = position_of("k7/8/8/8/8/8/7P/7K w - - 0 1");
    u16 feature = 0;
    CHECK_INT(features_perspective(&left, WHITE) & 1, 0);
    CHECK_INT(features_perspective(&right, WHITE) & 1, 1);
    CHECK_INT(features_of_square(&left, WHITE, features_perspective(&left, WHITE), 8, &feature), 1);
    CHECK_INT(feature, 8);
    CHECK_INT(features_of_square(&right, WHITE, features_perspective(&right, WHITE), 15, &feature), 1);
    CHECK_INT(feature, 8);
    CHECK_INT(features_of_square(&left, BLACK, features_perspective(&left, BLACK), 8, &feature), 1);
    CHECK_INT(feature, 6 * 64 + (8 ^ 56 ^ 7));
    CHECK_INT(features_of_square(&left, WHITE, 0, 0, &feature), 0);
    CHECK_INT(features_of_square(&left, WHITE, 0, 30, &feature), 0);
}

static void test_scale(void)
{
    static const char *const FENS[] = {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                       "r4rk1/1pp2ppp/p1np4/4p3/4P3/2NP4/PPP2PPP/R4RK1 w - - 0 1",
                                       "8/5k2/4p3/4P3/5P2/6K1/8/8 b - - 0 1"};
    CASE("a shown score of +100 wins half of the games, in every phase");
    for (int i = 0; i < 3; i++) {
        Position pos = position_of(FENS[i]);
        Wdl wdl = score_wdl(score_of_shown(100, &pos), &pos), level = score_wdl(0, &pos);
        CHECK_THAT(abs(wdl.win - 500) <= 5, "%d of 1000 in %s", wdl.win, FENS[i]);
        CHECK_INT(wdl.win + wdl.draw + wdl.loss, 1000);
        CHECK_INT(level.win, level.loss);
        CHECK_INT(score_shown(SCORE_TB_WIN - 50, &pos), 20000); // a sure win is one in every phase
        CHECK_INT(score_shown(-SCORE_TB_WIN, &pos), -20000);
    }
}

void test_heuristics(void)
{
    test_scale();
    test_moves();
    test_keys();
    test_features();
}
