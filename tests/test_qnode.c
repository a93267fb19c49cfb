// SPDX-License-Identifier: GPL-3.0-or-later
// Quiescence at one node: standing pat, evasions, pruning, the table, its limits and counters, and a plain
// capture search when everything is off. The cases carry the rows of docs/features.md that they show.
#include "node_helpers.h"

static int q_search(NodeBench *b, int alpha, int beta)
{
    return quiescence(b->w, b->node, alpha, beta, 0, 0);
}

static void options_off(SearchOptions *o)
{
    o->q_delta = o->q_futility = o->q_extensions = o->q_threats = o->q_tt = false;
    o->q_check_plies = 0;
    o->q_see = -500;
    o->q_max_depth = 64;
}

static int legal_evasions(const Position *pos)
{
    Move list[MAX_MOVES], *end = gen_evasions(pos, list);
    int nb = 0;
    for (Move *m = list; m < end; m++)
        nb += move_is_legal(pos, *m);
    return nb;
}

// ---- standing pat -------------------------------------------------------------------------------
static void check_stand_pat(NodeBench *b)
{
    Rng rng = {3};
    int gained = 0;
    CASE("row 28: out of check the evaluation is enough at beta, and a lower bound below it");
    for (int i = 0; i < 100; i++) {
        const Position pos = random_node(&rng, false);
        Move how;
        if (pos_instant_win(&pos, &how))
            continue;
        node_place(b, &pos, 3);
        const int eval = node_eval(b);
        CHECK_INT(q_search(b, eval - 1, eval), eval);
        CHECK_INT((i64)node_count(b), 0);
        node_place(b, &pos, 3);
        const int score = q_search(b, eval - 1000, eval + 1000);
        CHECK(score >= eval);
        gained += score >= eval + 80;
    }
    CHECK_THAT(gained >= 10, "captures gained something in %d positions", gained);
    CASE("row 28: in check nobody stands pat, and every evasion is tried");
    for (int i = 0; i < 100; i++) {
        const Position pos = random_node(&rng, true);
        node_place(b, &pos, 3);
        q_search(b, -9001, -9000); // far below any evaluation
        CHECK(node_count(b) > 0);
        node_place(b, &pos, 3);
        const int score = q_search(b, 9000, 9001); // far above: no cutoff ends it
        CHECK(score >= 9000 || (int)node_count(b) >= legal_evasions(&pos));
    }
}

// ---- pruning ------------------------------------------------------------------------------------
// Nodes of many positions with a window `over` above the evaluation, and the counters of all of them.
static u64 nodes_over(NodeBench *b, int over, Counters *sum)
{
    Rng rng = {7};
    u64 nodes = 0;
    *sum = (Counters){0};
    for (int i = 0; i < 60; i++) {
        const Position pos = random_node(&rng, false);
        node_place(b, &pos, 3);
        const int alpha = node_eval(b) + over;
        q_search(b, alpha, alpha + 1);
        nodes += node_count(b);
#define ADD(name) sum->name += b->w->counters.name;
        SEARCH_COUNTERS(ADD)
#undef ADD
    }
    return nodes;
}

static void check_pruning(NodeBench *b)
{
    SearchOptions *o = engine_options(b->engine);
    const SearchOptions saved = *o;
    Counters with, without;
    CASE("row 29: captures that stay below alpha by more than a margin are left out");
    o->q_futility = false;
    o->q_see = -500;
    u64 nodes = nodes_over(b, 600, &with);
    o->q_delta = false;
    CHECK(nodes < nodes_over(b, 600, &without));
    CHECK(with.q_delta > 0 && without.q_delta == 0);
    CASE("row 29: and so are those that lose by exchange");
    o->q_see = saved.q_see;
    nodes = nodes_over(b, 0, &with);
    o->q_see = -500;
    CHECK(nodes < nodes_over(b, 0, &without));
    CHECK(with.q_see > 0 && without.q_see == 0);
    *o = saved;
}

// ---- the table and the limits -------------------------------------------------------------------
static void check_table(NodeBench *b)
{
    SearchOptions *o = engine_options(b->engine);
    Rng rng = {11};
    int cut_short = 0;
    CASE("row 32: what is found is kept as a bound of the window, and answers the next visit");
    for (int i = 0; i < 60; i++) {
        const Position pos = random_node(&rng, i % 4 == 0);
        const u64 key = pos_key(&pos);
        Move how;
        if (!pos_in_check(&pos) && pos_instant_win(&pos, &how))
            continue;
        node_place(b, &pos, 3);
        const int alpha = engine_evaluate(b->engine, &pos) + (int)rng_below(&rng, 300) - 100;
        const int score = q_search(b, alpha, alpha + 1);
        TtEntry entry = tt_probe(b->engine->tt, key, 3);
        CHECK(entry.hit);
        if (entry.bound != BOUND_NONE) { // else it stood pat at once, and only the evaluation is kept
            CHECK_INT(entry.bound, score > alpha ? BOUND_LOWER : BOUND_UPPER);
            CHECK_INT(entry.score, score);
            CHECK(entry.depth == TT_DEPTH_Q || entry.depth == TT_DEPTH_Q_CHECKS);
            const u64 before = node_count(b);
            CHECK_INT(q_search(b, alpha, alpha + 1), score);
            CHECK(node_count(b) == before);
        }
        node_place(b, &pos, 3);
        q_search(b, alpha - 500, alpha + 500);
        CHECK(tt_probe(b->engine->tt, key, 3).bound != BOUND_EXACT);
    }
    CASE("row 32: with the option off nothing is kept, nor after a stop");
    for (int i = 0; i < 60; i++) {
        const Position pos = random_node(&rng, false);
        node_place(b, &pos, 3);
        o->q_tt = false;
        q_search(b, -3000, 3000);
        o->q_tt = true;
        CHECK(!tt_probe(b->engine->tt, pos_key(&pos), 3).hit);
        if (node_count(b) < 10)
            continue;
        node_place(b, &pos, 3);
        b->engine->node_limit = 2;
        q_search(b, -3000, 3000);
        if (!worker_stopped(b->w))
            continue;
        cut_short++;
        CHECK_INT(tt_probe(b->engine->tt, pos_key(&pos), 3).bound, BOUND_NONE);
    }
    CHECK(cut_short > 0);
}

static bool always(void *context)
{
    (void)context;
    return true;
}

static void check_limits(NodeBench *b)
{
    SearchOptions *o = engine_options(b->engine);
    const SearchOptions saved = *o;
    Rng rng = {13};
    u64 nodes[3] = {0};
    int stopped = 0;
    static const int DEPTHS[3] = {1, 3, 64};
    CASE("row 33: it goes so many plies deep and no deeper");
    for (int i = 0; i < 60; i++) {
        const Position pos = random_node(&rng, false);
        for (int d = 0; d < 3; d++) {
            o->q_max_depth = DEPTHS[d];
            node_place(b, &pos, 3);
            q_search(b, -3000, 3000);
            nodes[d] += node_count(b);
        }
    }
    CHECK_THAT(nodes[0] < nodes[1] && nodes[1] < nodes[2], "%d, %d, %d nodes", (int)nodes[0], (int)nodes[1],
               (int)nodes[2]);
    CASE("row 33: and looks at the clock on its way");
    options_off(o);
    for (int i = 0; i < 2000 && stopped < 3; i++) {
        const Position pos = random_node(&rng, false);
        node_place(b, &pos, 3);
        b->engine->node_limit = 20000; // large enough to be worth a test
        q_search(b, -3000, 3000);
        if (node_count(b) < 3000)
            continue;
        node_place(b, &pos, 3);
        b->engine->events = &(SearchEvents){.poll = always};
        q_search(b, -3000, 3000);
        CHECK_THAT(worker_stopped(b->w) && node_count(b) <= 2048, "%d nodes", (int)node_count(b));
        stopped++;
    }
    CHECK(stopped > 0);
    *o = saved;
}

static void check_counters(NodeBench *b)
{
    Rng rng = {17};
    Counters sum = {0};
    CASE("row 36: every part of it is counted");
    for (int i = 0; i < 12; i++) {
        const Position pos = random_node(&rng, false);
        engine_new_game(b->engine);
        run(b->engine, &pos, (Limits){.nodes = 20000}, NULL);
        const Counters *c = search_counters(b->engine);
        CHECK(c->q_nodes > 0 && c->q_stand_pat + c->q_tt_cutoffs + c->q_evasions <= c->q_nodes);
        CHECK(c->q_nodes < c->nodes * 2);
#define ADD(name) sum.name += c->name;
        SEARCH_COUNTERS(ADD)
#undef ADD
    }
    CHECK(sum.q_stand_pat && sum.q_delta && sum.q_futility && sum.q_see && sum.q_extensions &&
          sum.q_tt_cutoffs && sum.q_evasions);
    CHECK_INT(sum.q_checks > 0, engine_options(b->engine)->q_check_plies > 0);
}

// ---- with everything off ------------------------------------------------------------------------
enum { NODES_MAX = 20000 };
static u64 plain_nodes;

// A capture search as one would write it first.
static int plain(Worker *w, Stack *stack, int alpha, int beta)
{
    const Position *pos = &w->pos;
    Move list[MAX_MOVES];
    int score, best = -SCORE_INFINITE, legal_nb = 0;
    stack->in_check = pos_in_check(pos);
    if (judged_by_rules(w, stack, &alpha, &beta, &score))
        return score;
    if (!stack->in_check && gen_count(pos) == 0)
        return no_move_score(w, stack->ply);
    if (wins_at_once(w, stack, false, &score))
        return score;
    if (!stack->in_check) {
        best = pos_damp(pos, worker_evaluate(w)); // nothing has been learned that would correct it
        if (best >= beta)
            return best;
        alpha = max_int(alpha, best);
    }
    Move *end = stack->in_check ? gen_evasions(pos, list) : gen_noisy(pos, list);
    for (Move *m = list; m < end && ++plain_nodes < NODES_MAX; m++) {
        if (!move_is_legal(pos, *m))
            continue;
        legal_nb++;
        make_move(w, stack, *m);
        score = -plain(w, stack + 1, -beta, -alpha);
        unmake_move(w, stack);
        best = max_int(best, score);
        alpha = max_int(alpha, score);
        if (alpha >= beta)
            break;
    }
    if (stack->in_check && legal_nb == 0)
        return gen_count(pos) == 0 ? no_move_score(w, stack->ply) : alpha;
    return best;
}

static void check_plain(NodeBench *b)
{
    SearchOptions *o = engine_options(b->engine);
    const SearchOptions saved = *o;
    Rng rng = {19};
    int compared = 0, quiet = 0;
    CASE("row 48: with every option off it is a plain capture search");
    options_off(o);
    o->q_delta_margin = o->q_futility_margin = 0; // what is off needs no margin
    for (int i = 0; i < 250; i++) {
        const Position pos = random_node(&rng, i % 5 == 0);
        node_place(b, &pos, 3);
        plain_nodes = 0;
        const int expected = plain(b->w, b->node, -SCORE_INFINITE, SCORE_INFINITE);
        if (plain_nodes >= NODES_MAX)
            continue;
        node_place(b, &pos, 3);
        CHECK_INT(q_search(b, -SCORE_INFINITE, SCORE_INFINITE), expected);
        compared++;
        quiet += plain_nodes < 5;
    }
    CHECK(compared >= 125 && quiet < compared);
    *o = saved;
}

void test_qnode(void)
{
    NodeBench b;
    CASE("one node of quiescence by itself");
    node_open(&b);
    check_stand_pat(&b);
    check_pruning(&b);
    check_table(&b);
    check_limits(&b);
    check_counters(&b);
    check_plain(&b);
    node_close(&b);
}
