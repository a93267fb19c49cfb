// SPDX-License-Identifier: GPL-3.0-or-later
// One search from its first iteration to its answer: deepening, windows, an answer when it is cut short,
// statistics, threads, the network's laziness. The cases carry the rows of docs/features.md that they show.
#include <stdlib.h>

#include "node_helpers.h"
#include "search/report.h"

// ---- deepening ----------------------------------------------------------------------------------
typedef struct Told {
    int nb, depth[256];
    Bound bound[256];
    int score[256];
    Move best[256];
} Told;

static void keep(void *context, const SearchLine *line)
{
    Told *told = context;
    if (told->nb == 256)
        return;
    told->depth[told->nb] = line->depth;
    told->bound[told->nb] = line->bound;
    told->score[told->nb] = line->score;
    told->best[told->nb++] = line->pv[0];
}

static void check_deepening(Engine *engine)
{
    Rng rng = {3};
    int unfinished = 0, changed = 0;
    CASE("row 1: one ply deeper each time, and the answer is that of the last iteration");
    for (int i = 0; i < 10; i++) {
        const Position pos = random_node(&rng, i % 3 == 0);
        Told told = {0};
        engine_new_game(engine);
        SearchResult r =
            run(engine, &pos, (Limits){.depth = 8}, &(SearchEvents){.context = &told, .line = keep});
        if (score_is_mate(r.score))
            continue;
        int depth = 0;
        for (int k = 0; k < told.nb; k++)
            if (told.bound[k] == BOUND_EXACT)
                CHECK_INT(told.depth[k], ++depth);
        CHECK_INT(depth, 8);
        CHECK(told.nb > 0 && told.best[told.nb - 1] == r.best && r.depth == 8);
    }
    CASE("row 1: cut short, the last finished depth answers, or the next one if its first moves are done");
    for (int i = 0; i < (test_is_light() ? 200 : 800); i++) {
        const Position pos = random_node(&rng, false);
        Told told = {0};
        engine_new_game(engine);
        SearchResult r = run(engine, &pos, (Limits){.nodes = 300 + rng_below(&rng, 3000)},
                             &(SearchEvents){.context = &told, .line = keep});
        if (r.reason != STOP_NODES || told.nb == 0 || score_is_mate(r.score))
            continue;
        // The best of the last depth that was told whole, and of one that was begun and had something to say.
        const int last = told.nb - 1;
        CHECK_INT(r.best, told.best[last]);
        CHECK(told.depth[last] == r.depth || told.depth[last] == r.depth + 1);
        unfinished += told.depth[last] == r.depth;
        for (int k = 0; k < last; k++)
            changed += told.depth[last] == r.depth + 1 && told.depth[k] == r.depth && told.best[k] != r.best;
    }
    CHECK_THAT(unfinished > 0 && changed > 0, "%d left as they were, %d changed", unfinished, changed);
}

// ---- windows ------------------------------------------------------------------------------------
// Bounds are told only after some seconds: a request that was made a while ago.
static void check_windows(Engine *engine)
{
    Rng rng = {5};
    int misses = 0, again = 0;
    CASE("row 2: iterations search a window about the last score, widened until it holds");
    for (int i = 0; i < 12; i++) {
        const Position pos = random_node(&rng, false);
        Told told = {0};
        SearchControl control;
        control_init(&control, &(Limits){.depth = 9}, os_now_us() - 1000 * (REPORT_QUIET_MS + 1000));
        engine_new_game(engine);
        run_controlled(engine, &pos, &control, &(SearchEvents){.context = &told, .line = keep});
        control_free(&control);
        for (int k = 0; k < told.nb; k++) {
            if (told.bound[k] == BOUND_EXACT)
                continue;
            misses++;
            CHECK_THAT(told.depth[k] >= 4, "a window at depth %d", told.depth[k]);
            // Of two misses on the same side the second is further off: the window was moved and widened.
            if (k > 0 && told.bound[k] == told.bound[k - 1] && told.depth[k] == told.depth[k - 1]) {
                again++;
                CHECK(told.bound[k] == BOUND_LOWER ? told.score[k] > told.score[k - 1]
                                                   : told.score[k] < told.score[k - 1]);
            }
        }
    }
    CHECK_THAT(misses > 10 && again > 0, "%d misses, %d of them again", misses, again);
}

// ---- statistics ---------------------------------------------------------------------------------
static void check_statistics(Engine *engine)
{
    Rng rng = {7};
    Counters sum = {0};
    CASE("row 43: nodes, hits, cutoffs, re-searches and every pruning are counted");
    for (int i = 0; i < 12; i++) {
        const Position pos = random_node(&rng, false);
        engine_new_game(engine);
        SearchResult r = run(engine, &pos, (Limits){.nodes = 40000}, NULL);
        const Counters *c = search_counters(engine);
        CHECK_INT((i64)c->nodes, (i64)r.nodes);
        CHECK(c->tt_cutoffs <= c->tt_hits && c->tt_hits <= c->tt_probes);
        CHECK(c->beta_cutoffs_first <= c->beta_cutoffs && c->null_cutoffs <= c->null_tries);
        CHECK(c->lmr_researches <= c->lmr && c->probcut_cutoffs <= c->probcut_tries);
        CHECK(c->singular_extensions + c->multi_cuts <= c->singular_tries);
#define ADD(name) sum.name += c->name;
        SEARCH_COUNTERS(ADD)
#undef ADD
    }
    CHECK(sum.tt_cutoffs && sum.beta_cutoffs_first && sum.null_cutoffs && sum.lmr_researches);
    CHECK(sum.reverse_futility && sum.razoring && sum.probcut_cutoffs && sum.late_moves && sum.futility);
    CHECK(sum.history_pruned && sum.see_pruned && sum.singular_extensions && sum.multi_cuts && sum.iir);
    CHECK(sum.see_calls && sum.evaluations && sum.repetitions);
}

// ---- threads ------------------------------------------------------------------------------------
static void check_helpers(void)
{
    Engine *engine = engine_new(4);
    const Position start = position_of(GAME_START);
    Message message;
    CASE("row 45: every thread searches, and all share one table");
    CHECK(engine_set_threads(engine, 3, &message));
    u64 least = 0, sum = 0;
    for (int i = 0; i < 20 && least == 0; i++) { // a helper may come too late for so short a search
        engine_new_game(engine);
        SearchResult r = run(engine, &start, (Limits){.nodes = 100000}, NULL);
        least = sum = atomic_load(&engine->worker[0]->nodes);
        for (int k = 1; k < 3; k++) {
            const u64 nodes = atomic_load(&engine->worker[k]->nodes);
            least = nodes < least ? nodes : least;
            sum += nodes;
        }
        CHECK_INT((i64)r.nodes, (i64)sum);
    }
    CHECK(least > 0);
    engine_free(engine);
    // A table that helpers filled answers the thread that comes after them.
    CASE("row 45: what one thread has stored another finds");
    NodeBench b;
    node_open(&b);
    CHECK(engine_set_threads(b.engine, 2, &message) && engine_prepare(b.engine, &message));
    node_place(&b, &start, 2);
    const int score = search_node(b.w, b.node, 2000, 2001, 5, false);
    Worker *other = b.engine->worker[1];
    CHECK(keys_copy(&other->keys, &b.w->keys, MAX_PLY + 8));
    other->control = b.w->control;
    other->pos = start;
    other->root_side = pos_side(&start);
    for (int i = 0; i <= STACK_BEFORE + 2; i++) {
        other->stack[i].ply = i - STACK_BEFORE;
        other->stack[i].continuation = history_no_continuation(other->history);
        other->stack[i].eval = SCORE_NONE;
    }
    CHECK_INT(search_node(other, &other->stack[STACK_BEFORE + 2], 2000, 2001, 5, false), score);
    CHECK_INT((i64)atomic_load(&other->nodes), 0);
    node_close(&b);
}

// ---- the network --------------------------------------------------------------------------------
static void check_laziness(void)
{
    NodeBench b;
    Rng rng = {11};
    CASE("row 27: a move costs the network nothing until a score is asked for");
    node_open(&b);
    if (!engine_net(b.engine))
        test_skip("no network is built in");
    for (int i = 0; engine_net(b.engine) && i < 20; i++) {
        const Position pos = random_node(&rng, false);
        int made = 0;
        node_place(&b, &pos, 0);
        worker_evaluate(b.w);
        CHECK_INT(nnue_waiting(b.w->acc), 0);
        for (; made < 4; made++) {
            const Move move = random_move(&b.w->pos, &rng);
            if (move == MOVE_NONE)
                break;
            make_move(b.w, &b.node[made], move);
            CHECK_INT(nnue_waiting(b.w->acc), made + 1);
        }
        CHECK_INT(worker_evaluate(b.w), nnue_evaluate_scalar(engine_net(b.engine), &b.w->pos));
        CHECK_INT(nnue_waiting(b.w->acc), 0);
        while (made-- > 0)
            unmake_move(b.w, &b.node[made]);
    }
    node_close(&b);
}

void test_iterate(void)
{
    CASE("iterations");
    Engine *engine = engine_new(4);
    CHECK(engine != NULL);
    check_deepening(engine);
    check_windows(engine);
    check_statistics(engine);
    engine_free(engine);
    check_helpers();
    check_laziness();
}
