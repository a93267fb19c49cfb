// SPDX-License-Identifier: GPL-3.0-or-later
// One node of the search by itself: a worker is put on a position, at any ply, with an empty table and empty
// histories, and search_node or quiescence is called with a window of the test's own. So a technique is seen
// at the node where it acts, and not only in what a whole search makes of it.
#ifndef TWOFOLD_TEST_NODE_HELPERS_H
#define TWOFOLD_TEST_NODE_HELPERS_H

#include "search/alphabeta.h"
#include "search/eval.h"
#include "search/history.h"
#include "search/node.h"
#include "search/quiescence.h"
#include "search_helpers.h"

typedef struct NodeBench {
    Engine *engine;
    SearchControl control;
    Worker *w;
    Stack *node; // where the position stands
} NodeBench;

static inline void node_open(NodeBench *b)
{
    const Position start = position_of(GAME_START);
    b->engine = engine_new(4);
    control_init(&b->control, &(Limits){.depth = 1}, 0);
    run_controlled(b->engine, &start, &b->control, NULL);
    b->w = b->engine->worker[0];
}

static inline void node_close(NodeBench *b)
{
    control_free(&b->control);
    engine_free(b->engine);
}

// Everything as at the first visit of the position, `ply` plies from the root.
static inline void node_place(NodeBench *b, const Position *pos, int ply)
{
    Worker *w = b->w;
    w->has_learned = true;
    engine_new_game(b->engine);
    control_forget(&b->control);
    b->engine->control = w->control = &b->control;
    b->engine->events = NULL;
    b->engine->node_limit = 0;
    w->pos = *pos;
    w->keys.count = 0;
    w->root_side = pos_side(pos);
    w->draw_score = w->null_min_ply = w->seldepth = w->deepest = w->clock_countdown = 0;
    w->root_depth = 30;
    w->counters = (Counters){0};
    atomic_store(&w->nodes, 0);
    memset(w->stack, 0, sizeof w->stack);
    for (int i = 0; i < (int)(sizeof w->stack / sizeof w->stack[0]); i++) {
        w->stack[i].ply = i - STACK_BEFORE;
        w->stack[i].continuation = history_no_continuation(w->history);
        w->stack[i].eval = w->stack[i].raw_eval = SCORE_NONE;
    }
    if (b->engine->net)
        nnue_reset(w->acc, pos);
    b->node = &w->stack[STACK_BEFORE + ply];
}

static inline u64 node_count(const NodeBench *b) { return atomic_load(&b->w->nodes); }

// The evaluation as the node will see it: nothing has been learned that would correct it.
static inline int node_eval(NodeBench *b) { return engine_evaluate(b->engine, &b->w->pos); }

// The table says that the position was once in the principal variation.
static inline void node_mark_pv(NodeBench *b)
{
    tt_store(b->engine->tt, pos_key(&b->w->pos), b->node->ply, MOVE_NONE, SCORE_NONE, SCORE_NONE,
             TT_DEPTH_EVAL, BOUND_NONE, true);
}

// What the table knows of the position after a pass: a hit means that the pass was tried.
static inline TtEntry node_after_pass(const NodeBench *b, const Position *pos)
{
    Position passed = *pos;
    Undo undo;
    pos_make_null(&passed, &undo);
    return tt_probe(b->engine->tt, pos_key(&passed), b->node->ply + 1);
}

// Row 6: where a pass finds that the opponent is mated, the node tells beta and no mate. True when it does
// find that.
static inline bool node_pass_mates(NodeBench *b, const Position *pos)
{
    node_place(b, pos, 3);
    const int margin = P(b->w, NullMarginBase) - P(b->w, NullMarginDepth) * 13;
    const int beta = node_eval(b) - max_int(margin, 0) - 20;
    node_mark_pv(b);
    b->engine->node_limit = 100000; // of a search that goes on because the pass was not enough
    const int score = search_node(b->w, b->node, beta - 1, beta, 13, false);
    const TtEntry entry = node_after_pass(b, pos);
    if (worker_stopped(b->w) || !entry.hit || entry.bound != BOUND_UPPER || entry.score > -SCORE_TB_MIN)
        return false;
    CHECK_INT(score, beta);
    return true;
}

// A random position that is (or is not) in check and has a legal move.
static inline Position random_node(Rng *rng, bool in_check)
{
    Position pos;
    do {
        while (!random_position(rng, 8 + (int)rng_below(rng, 70), &pos))
            ;
    } while (pos_in_check(&pos) != in_check);
    return pos;
}

#endif
