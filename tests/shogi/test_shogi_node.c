// SPDX-License-Identifier: GPL-3.0-or-later
// One node of the search where shogi has its own ways: passing, the move limit, no stalemate. The cases carry
// the rows of docs/features.md that they show.
#include "node_helpers.h"

static void check_pass_mates(NodeBench *b)
{
    static const char *const POSITIONS[] = {
        "4k4/9/4G4/9/9/9/9/9/4K4 b 2R3G 1",      "k8/9/1G7/9/9/9/9/9/4K4 b 2R3G2S 1",
        "8k/6+R2/6G2/9/9/9/9/9/4K4 b R2G 1",     "4k4/9/3+R1+R3/9/9/9/9/9/4K4 b 4G 1",
        "k8/2+R6/9/9/9/9/9/9/4K4 b R3G2S 1",     "4k4/9/4+P4/9/9/9/9/9/4K4 b 2R4G4S 1",
        "1k7/9/1+P+P6/9/9/9/9/9/4K4 b 2R2G2S 1", "3k5/9/3+B5/9/9/9/9/9/4K4 b 2RB2G 1",
    };
    int found = 0;
    CASE("row 6: a mate found after a pass is not told as one");
    for (size_t i = 0; i < sizeof POSITIONS / sizeof POSITIONS[0]; i++) {
        const Position pos = position_of(POSITIONS[i]);
        if (!pos_in_check(&pos))
            found += node_pass_mates(b, &pos);
    }
    CHECK(found > 0);
}

static void check_trust(NodeBench *b)
{
    CASE("row 14: near the move limit a stored score cuts no more");
    for (int left = 10; left <= 40; left += 15) {
        Rules rules = rules_default();
        rules.max_moves_to_draw = 100 + left;
        const Position pos = position_under("4k4/9/9/9/9/9/9/9/4K4 b R2G 101", &rules);
        node_place(b, &pos, 3);
        tt_store(b->engine->tt, pos_key(&pos), 3, MOVE_NONE, -777, -500, 20, BOUND_EXACT, false);
        const int score = search_node(b->w, b->node, -10, -9, 5, false);
        CHECK_INT(score == -777 && node_count(b) == 0, left > 17);
    }
}

static void check_no_move(NodeBench *b)
{
    CASE("row 28: no move is a loss, in check or not, and quiescence sees it");
    const Position bare = position_of("6G1k/6R2/9/9/9/9/9/9/4K4 w - 1");
    CHECK(gen_count(&bare) == 0 && !pos_in_check(&bare));
    node_place(b, &bare, 3);
    CHECK_INT(search_node(b->w, b->node, -SCORE_INFINITE, 1000, 2, false), -SCORE_MATE + 3);
    Rng rng = {3};
    for (int i = 0; i < 5; i++) {
        Position mated;
        before_mate(&rng, 0, &mated);
        node_place(b, &mated, 3);
        CHECK_INT(quiescence(b->w, b->node, -SCORE_INFINITE, 1000, 0, 0), -SCORE_MATE + 3);
    }
}

void test_shogi_node(void)
{
    NodeBench b;
    CASE("one node of shogi");
    node_open(&b);
    check_pass_mates(&b);
    check_trust(&b);
    check_no_move(&b);
    node_close(&b);
}
