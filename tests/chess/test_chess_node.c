// SPDX-License-Identifier: GPL-3.0-or-later
// One node of the search where chess has its own ways: zugzwang, the fifty-move rule, stalemate. The cases
// carry the rows of docs/features.md that they show.
#include "node_helpers.h"

static void check_zugzwang(NodeBench *b)
{
    CASE("row 5: with king and pawns alone nobody passes");
    static const struct {
        const char *fen;
        bool passes;
    } CASES[] = {
        {"4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/PPP5/1N2K3 w - - 0 1", true},
        {"4k3/8/8/8/8/8/PPP5/4K3 b - - 0 1", false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const Position pos = position_of(CASES[i].fen);
        node_place(b, &pos, 3);
        const int beta = node_eval(b) - 500;
        node_mark_pv(b);
        search_node(b->w, b->node, beta - 1, beta, 3, false);
        CHECK_INT(node_after_pass(b, &pos).hit, CASES[i].passes);
    }
}

static void check_pass_mates(NodeBench *b)
{
    static const char PIECES[] = "KQRk";
    Rng rng = {5};
    int found = 0;
    CASE("row 6: a mate found after a pass is not told as one");
    for (int i = 0; i < 400 && found < 5; i++) {
        char board[64] = {0}, fen[100];
        int at = 0;
        for (int k = 0; k < 4; k++) {
            u32 sq = rng_below(&rng, 64);
            board[sq] = board[sq] ? board[sq] : PIECES[k];
        }
        for (int sq = 0; sq < 64; sq++) {
            fen[at++] = board[sq] ? board[sq] : '1';
            if (sq % 8 == 7 && sq < 63)
                fen[at++] = '/';
        }
        snprintf(fen + at, sizeof fen - (size_t)at, " w - - 0 1");
        Position pos;
        Rules rules = rules_default();
        Message message;
        if (pos_set(&pos, span_of(fen), &rules, &message) != SET_REJECTED && !pos_in_check(&pos))
            found += node_pass_mates(b, &pos);
    }
    CHECK(found > 0);
}

static void check_trust(NodeBench *b)
{
    CASE("row 14: near the fifty-move rule a stored score cuts no more");
    for (int count = 60; count <= 98; count += 19) {
        char fen[64];
        snprintf(fen, sizeof fen, "4k3/8/8/8/8/8/4R3/4K3 b - - %d 90", count);
        const Position pos = position_of(fen);
        node_place(b, &pos, 3);
        tt_store(b->engine->tt, pos_key(&pos), 3, MOVE_NONE, -777, -500, 20, BOUND_EXACT, false);
        const int score = search_node(b->w, b->node, -10, -9, 5, false);
        CHECK_INT(score == -777 && node_count(b) == 0, count < 90);
    }
}

static void check_stalemate(NodeBench *b)
{
    CASE("row 28: stalemate and mate are seen in quiescence");
    const Position stalemate = position_of("7k/5K2/6P1/8/8/8/8/8 b - - 0 1"),
                   pawn_stalemate = position_of("7k/5K1P/6P1/8/8/8/8/8 b - - 0 1"),
                   mate = position_of("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    node_place(b, &pawn_stalemate, 3);
    CHECK_INT(quiescence(b->w, b->node, -1000, 1000, 0, 0), SCORE_DRAW);
    node_place(b, &stalemate, 3);
    CHECK_INT(quiescence(b->w, b->node, -1000, 1000, 0, 0), SCORE_DRAW);
    node_place(b, &mate, 3);
    CHECK_INT(quiescence(b->w, b->node, -SCORE_INFINITE, 1000, 0, 0), -SCORE_MATE + 3);
}

void test_chess_node(void)
{
    NodeBench b;
    CASE("one node of chess");
    node_open(&b);
    check_zugzwang(&b);
    check_pass_mates(&b);
    check_trust(&b);
    check_stalemate(&b);
    node_close(&b);
}
