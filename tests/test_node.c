// SPDX-License-Identifier: GPL-3.0-or-later
// What one node of the search does before and with its moves, technique by technique, at the node itself:
// mate scores, null move, reverse futility, reductions, futility, mate distance. The cases carry the rows of
// docs/features.md that they show; scripts/rows.sh switches each technique off and expects them to fail.
#include "node_helpers.h"

// ---- scores -------------------------------------------------------------------------------------
static void check_mate_scores(NodeBench *b)
{
    CASE("row 4: a mate is worth its distance from the root in plies, to either side");
    Rng rng = {5};
    for (int i = 0; i < 12; i++) {
        Position pos, mated, flipped;
        before_mate(&rng, 1, &pos);
        Move list[MAX_MOVES], *end = gen_all(&pos, list);
        mated = pos;
        for (Move *m = list; m < end && !is_mated(&mated); m++) {
            mated = pos;
            play_move(&mated, *m);
        }
        for (int ply = 1; ply <= 9; ply += 4) {
            node_place(b, &pos, ply);
            CHECK_INT(search_node(b->w, b->node, SCORE_MATE_MIN, SCORE_INFINITE, 3, false),
                      SCORE_MATE - ply - 1);
            node_place(b, &mated, ply);
            CHECK_INT(search_node(b->w, b->node, -SCORE_INFINITE, SCORE_INFINITE, 3, false),
                      -SCORE_MATE + ply);
            node_place(b, &mated, ply);
            CHECK_INT(quiescence(b->w, b->node, -SCORE_INFINITE, SCORE_INFINITE, 0, 0), -SCORE_MATE + ply);
        }
        pos_flip(&pos, &flipped);
        CHECK_INT(engine_evaluate(b->engine, &flipped), engine_evaluate(b->engine, &pos));
    }
}

static void check_mate_distance(NodeBench *b)
{
    enum { PLY = 6 };
    const Position start = position_of(GAME_START);
    CASE("row 11: where a shorter mate is known, for either side, nothing is searched");
    node_place(b, &start, PLY);
    CHECK_INT(search_node(b->w, b->node, SCORE_MATE - PLY - 1, SCORE_MATE - PLY, 4, false),
              SCORE_MATE - PLY - 1);
    CHECK_INT(search_node(b->w, b->node, -SCORE_MATE + PLY - 1, -SCORE_MATE + PLY, 4, false),
              -SCORE_MATE + PLY);
    CHECK_INT(node_count(b), 0);
    CASE("row 11: and where it is longer, all is searched");
    node_place(b, &start, PLY);
    search_node(b->w, b->node, SCORE_MATE - PLY - 2, SCORE_MATE - PLY - 1, 2, false);
    CHECK(node_count(b) > 0);
}

// ---- null move ----------------------------------------------------------------------------------
// Searches so deep that no node below may pass itself. `over`: by how much the evaluation is above beta.
static bool tries_pass(NodeBench *b, const Position *pos, int over, int depth, bool pv_node, Move before)
{
    node_place(b, pos, 3);
    const int beta = node_eval(b) - over;
    node_mark_pv(b); // else the margin above beta is enough by itself
    b->node[-1].move = before;
    search_node(b->w, b->node, beta - (pv_node ? 50 : 1), beta, depth, false);
    return node_after_pass(b, pos).hit;
}

static void check_null(NodeBench *b)
{
    enum { OVER = 500 };
    const int least = P(b->w, NullDepth);
    Rng rng = {17};
    CASE("row 5: a pass is tried out of the PV, out of check, from its depth on, and not twice");
    CHECK(least <= 3);
    for (int i = 0; i < 20; i++) {
        Position pos;
        do
            pos = random_node(&rng, false);
        while (!pos_null_ok(&pos));
        CHECK(tries_pass(b, &pos, OVER, least, false, MOVE_NONE));
        CHECK(!tries_pass(b, &pos, OVER, least, true, MOVE_NONE));
        CHECK(!tries_pass(b, &pos, OVER, least - 1, false, MOVE_NONE));
        CHECK(!tries_pass(b, &pos, OVER, least, false, MOVE_NULL));
        pos = random_node(&rng, true);
        node_place(b, &pos, 3);
        search_node(b->w, b->node, -2001, -2000, least, false);
        CHECK_INT((i64)b->w->counters.null_tries, 0);
    }
    CASE("row 6: a pass needs an evaluation above beta, near the horizon by a margin");
    for (int i = 0; i < 20; i++) {
        const Position pos = random_node(&rng, false);
        CHECK(!tries_pass(b, &pos, -1, least, false, MOVE_NONE));
        CHECK(!tries_pass(b, &pos, 10, least, false, MOVE_NONE));
    }
}

static void check_null_depth(NodeBench *b)
{
    const Worker *w = b->w;
    const Position start = position_of(GAME_START);
    CASE("row 6: the reduction grows with the depth, and with how much the evaluation is above beta");
    for (int depth = 11; depth <= 13; depth++)
        for (int more = 0; more < 2; more++) {
            const int over = max_int(P(w, NullMarginBase) - P(w, NullMarginDepth) * depth, 0) + 20 +
                             more * P(w, NullEvalDivisor);
            node_place(b, &start, 3);
            const int beta = node_eval(b) - over;
            search_node(b->w, b->node, beta - 1, beta, depth, false);
            const TtEntry entry = node_after_pass(b, &start);
            const int reduction = 4 + depth / 3 + min_int(over / P(w, NullEvalDivisor), P(w, NullEvalMax));
            CHECK(entry.hit && entry.bound != BOUND_NONE);
            CHECK_INT(entry.depth, depth - reduction);
        }
}

// ---- pruning by the evaluation ------------------------------------------------------------------
static void check_reverse_futility(NodeBench *b)
{
    const Worker *w = b->w;
    Rng rng = {29};
    CASE("row 7: a margin a ply above beta is enough, from depth 1 to the last, and no less is");
    for (int i = 0; i < 10; i++) {
        const Position pos = random_node(&rng, false);
        for (int depth = 1; depth <= P(w, ReverseFutilityDepth) + 1; depth++) {
            const int margin = P(w, ReverseFutilityMargin) * depth;
            const bool is_deep = depth > P(w, ReverseFutilityDepth);
            node_place(b, &pos, 3);
            const int beta = node_eval(b) - margin;
            const int score = search_node(b->w, b->node, beta - 1, beta, depth, false);
            if (!is_deep) {
                CHECK_INT((i64)b->w->counters.reverse_futility, 1);
                CHECK_INT(score, beta + margin / P(w, ReverseFutilityDivisor));
                CHECK_INT((i64)node_count(b), 0);
            } else
                CHECK(node_count(b) > 0);
            if (depth > 3)
                continue;
            node_place(b, &pos, 3);
            search_node(b->w, b->node, beta, beta + 1, depth, false);
            CHECK(node_count(b) > 0);
            node_place(b, &pos, 3);
            node_mark_pv(b);
            search_node(b->w, b->node, beta - 1, beta, depth, false);
            CHECK(node_count(b) > 0);
        }
    }
}

static void check_futility(NodeBench *b)
{
    Rng rng = {31};
    CASE("row 9: quiet moves that cannot reach alpha are left out, but never the first");
    const Position start = position_of(GAME_START);
    node_place(b, &start, 3);
    int alpha = node_eval(b) + 3000;
    search_node(b->w, b->node, alpha, alpha + 50, 1, false);
    // At depth 1 below are only nodes of quiescence, which counts for itself; there are no captures yet.
    CHECK(b->w->counters.futility > 0);
    for (int i = 0; i < 100; i++) {
        const Position pos = random_node(&rng, false);
        node_place(b, &pos, 3);
        alpha = node_eval(b) + 3000;
        const int score = search_node(b->w, b->node, alpha, alpha + 50, 1, false);
        CHECK(node_count(b) > 0 && score > -SCORE_INFINITE);
    }
    CASE("row 9: in reach of alpha none is");
    node_place(b, &start, 3);
    alpha = node_eval(b);
    search_node(b->w, b->node, alpha, alpha + 50, 1, false);
    CHECK_INT((i64)b->w->counters.futility, 0);
}

// ---- reductions ---------------------------------------------------------------------------------
// Nodes that fail low, so that all their moves are searched: with which depths.
static void check_reductions(NodeBench *b)
{
    enum { DEPTH = 8 };
    const Position start = position_of(GAME_START);
    Move list[MAX_MOVES], *end = gen_all(&start, list);
    int full = 0, reduced = 0;
    u64 again = 0;
    CASE("row 8: late moves are searched less deep, the first is not, and what beats alpha is searched "
         "again");
    for (int over = 10; over <= 100; over += 30) {
        node_place(b, &start, 3);
        const int alpha = node_eval(b) + over;
        search_node(b->w, b->node, alpha, alpha + 1, DEPTH, false);
        for (Move *m = list; m < end; m++) {
            Position child = start;
            play_move(&child, *m);
            const TtEntry entry = tt_probe(b->engine->tt, pos_key(&child), 4);
            if (entry.hit && entry.bound != BOUND_NONE) {
                full += entry.depth >= DEPTH - 2;
                reduced += entry.depth <= DEPTH - 4;
            }
        }
        CHECK(b->w->counters.lmr > 0 && b->w->counters.lmr_researches < b->w->counters.lmr);
        again += b->w->counters.lmr_researches;
    }
    CHECK_THAT(full > 0 && reduced > 2, "%d full, %d reduced", full, reduced);
    CHECK(again > 0);
}

void test_node(void)
{
    NodeBench b;
    CASE("one node by itself");
    node_open(&b);
    check_mate_scores(&b);
    check_mate_distance(&b);
    check_null(&b);
    check_null_depth(&b);
    check_reverse_futility(&b);
    check_futility(&b);
    check_reductions(&b);
    node_close(&b);
}
