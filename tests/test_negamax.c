// SPDX-License-Identifier: GPL-3.0-or-later
// The search with everything that guesses switched off, against a plain negamax that searches every move with
// an open window: the scores are the same, whatever the windows, the re-searches and the order. Needs a build
// in which parameters can be set (TUNE).
#include "node_helpers.h"

#ifdef TUNE
static void switch_off(Engine *engine)
{
    for (int i = 0; i < param_count(); i++)
        if (strncmp(param_name(i), "Use", 3) == 0 && strcmp(param_name(i), "UseQuiescence") != 0)
            CHECK(param_set(engine, i, 0));
    SearchOptions *o = engine_options(engine);
    o->q_delta = o->q_futility = o->q_extensions = o->q_threats = o->q_tt = false;
    o->q_check_plies = 0;
    o->q_see = -500;
    o->q_max_depth = 64;
}

static int negamax(Worker *w, Stack *stack, int depth)
{
    Position *pos = &w->pos;
    Move list[MAX_MOVES], *end = list;
    int best = -SCORE_INFINITE, alpha = -SCORE_INFINITE, beta = SCORE_INFINITE, score;
    stack->in_check = pos_in_check(pos);
    if (stack->ply > 0 && judged_by_rules(w, stack, &alpha, &beta, &score))
        return score;
    if (depth == 0)
        return quiescence(w, stack, -SCORE_INFINITE, SCORE_INFINITE, 0, 0);
    if (gen_count(pos) == 0)
        return no_move_score(w, stack->ply);
    if (stack->ply == 0)
        end = gen_all(pos, list);
    else
        end = stack->in_check ? gen_evasions(pos, list) : gen_quiet(pos, gen_noisy(pos, list));
    for (Move *m = list; m < end; m++) {
        if (!move_is_legal(pos, *m))
            continue;
        make_move(w, stack, *m);
        best = max_int(best, -negamax(w, stack + 1, depth - 1));
        unmake_move(w, stack);
    }
    return best;
}

// So deep that the tree stays small.
static int depth_for(const Position *pos)
{
    const int moves = gen_count(pos);
    return moves < 5 ? 3 : moves < 16 ? 2 : 1;
}

void test_negamax(void)
{
    NodeBench b;
    Rng rng = {3};
    int deep = 0;
    CASE("row 3: the score of principal variation search is that of a plain negamax, and its line is whole");
    node_open(&b);
    switch_off(b.engine);
    for (int i = 0; i < (test_is_light() ? 10 : 40); i++) {
        const Position pos = random_node(&rng, i % 2 == 0);
        const int depth = depth_for(&pos);
        node_place(&b, &pos, 0);
        const int expected = negamax(b.w, b.node, depth);
        node_place(&b, &pos, 0);
        SearchResult r = run(b.engine, &pos, (Limits){.depth = depth}, NULL);
        CHECK_INT(r.score, expected);
        CHECK(r.pv_nb >= depth || score_is_mate(r.score) || r.score == SCORE_DRAW);
        deep += depth >= 2;
    }
    CHECK(deep >= 4);
    int below = 0, above = 0;
    CASE("row 3: below a null window the bound is right, and as good as could be had");
    for (int i = 0; i < (test_is_light() ? 10 : 30); i++) {
        const Position pos = random_node(&rng, false);
        node_place(&b, &pos, 2);
        const int expected = negamax(b.w, b.node, 1);
        for (int shift = -60; shift <= 60; shift += 30) {
            const int alpha = clamp_int(expected + shift, -SCORE_MATE, SCORE_MATE);
            node_place(&b, &pos, 2);
            const int score = search_node(b.w, b.node, alpha, alpha + 1, 1, false);
            CHECK_THAT(score <= alpha ? expected <= score : expected >= score, "%d of %d in %d", score,
                       expected, alpha);
            CHECK_INT(score > alpha, expected > alpha);
            below += score < alpha;
            above += score > alpha + 1;
        }
    }
    CHECK_THAT(below > 0 && above > 0, "%d below the window, %d above", below, above);
    node_close(&b);
}
#else
void test_negamax(void) {}
#endif
