// SPDX-License-Identifier: GPL-3.0-or-later
// Techniques that extend, shorten or prepare the search of a node, those among them that are off by default
// included: check extension, singular extension and multi-cut, internal iterative reduction and deepening,
// razoring, the static prior, blends and fewer evasions in quiescence. What is off is switched on where
// parameters can be set (TUNE). The cases carry the rows of docs/features.md that they show.
#include "node_helpers.h"
#include "search/movepick.h"

// A quiet legal move, and the depth with which the table knows the position after it.
static Move some_quiet(const Position *pos)
{
    Move list[MAX_MOVES], *end = gen_quiet(pos, list);
    for (Move *m = list; m < end; m++)
        if (move_is_legal(pos, *m) && !move_gives_check(pos, *m))
            return *m;
    return MOVE_NONE;
}

static int depth_after(const NodeBench *b, const Position *pos, Move move)
{
    Position after = *pos;
    play_move(&after, move);
    const TtEntry entry = tt_probe(b->engine->tt, pos_key(&after), b->node->ply + 1);
    return entry.hit && entry.bound != BOUND_NONE ? entry.depth : -1;
}

// ---- singular moves -----------------------------------------------------------------------------
// The table says that `move` is worth `over` more than the evaluation, from a search of depth 5.
static int search_with_entry(NodeBench *b, const Position *pos, Move move, int over, int beta_over, int depth)
{
    node_place(b, pos, 3);
    const int eval = node_eval(b), beta = eval + beta_over;
    tt_store(b->engine->tt, pos_key(pos), 3, move, eval + over, SCORE_NONE, 5, BOUND_LOWER, false);
    b->node[-1].move = MOVE_NULL; // no pass here, which would decide the node before its moves
    return search_node(b->w, b->node, beta - 1, beta, depth, true);
}

static void check_singular(NodeBench *b)
{
    const Position start = position_of(GAME_START);
    const Move move = some_quiet(&start);
    CASE("row 12: a move that the table holds for much better than all others is searched deeper");
    search_with_entry(b, &start, move, 200, 20, 7);
    CHECK(b->w->counters.singular_extensions > 0);
    CHECK_THAT(depth_after(b, &start, move) >= 7, "depth %d", depth_after(b, &start, move));
    CASE("row 12: where others hold beta too, the node is cut");
    const int score = search_with_entry(b, &start, move, -100, -150, 7);
    CHECK(b->w->counters.multi_cuts > 0);
    CHECK(score >= engine_evaluate(b->engine, &start) - 150);
    CHECK_INT(depth_after(b, &start, move), -1); // the move itself was never searched
}

// ---- no table move ------------------------------------------------------------------------------
static void check_iir(NodeBench *b)
{
    const Position start = position_of(GAME_START);
    const int depth = P(b->w, IirDepth);
    CASE("row 12: without a table move a node of the PV is searched less deep");
    for (int with = 0; with < 2; with++) {
        node_place(b, &start, 3);
        const int eval = node_eval(b);
        if (with)
            tt_store(b->engine->tt, pos_key(&start), 3, some_quiet(&start), eval, SCORE_NONE, 1, BOUND_UPPER,
                     false);
        search_node(b->w, b->node, eval - 50, eval + 50, depth, false);
        CHECK_INT((i64)b->w->counters.iir, !with);
    }
}

static void check_razoring(NodeBench *b)
{
    Rng rng = {3};
    CASE("row 12: far below alpha near the horizon quiescence decides");
    for (int i = 0; i < 40; i++) {
        const Position pos = random_node(&rng, false);
        Move how;
        if (pos_instant_win(&pos, &how))
            continue;
        node_place(b, &pos, 3);
        const int alpha = node_eval(b) + P(b->w, RazorBase) + P(b->w, RazorSlope) + 1;
        const int quiet = quiescence(b->w, b->node, alpha, alpha + 1, 0, 0);
        node_place(b, &pos, 3);
        const int score = search_node(b->w, b->node, alpha, alpha + 1, 1, false);
        CHECK_INT((i64)b->w->counters.razoring, quiet <= alpha);
        if (quiet <= alpha)
            CHECK_INT(score, quiet);
        node_place(b, &pos, 3);
        search_node(b->w, b->node, alpha - 1, alpha, 1, false);
        CHECK_INT((i64)b->w->counters.razoring, 0);
    }
}

#ifdef TUNE
static void set_switch(NodeBench *b, const char *name, int value)
{
    for (int i = 0; i < param_count(); i++)
        if (strcmp(param_name(i), name) == 0) {
            CHECK(param_set(b->engine, i, value));
            return;
        }
    CHECK_THAT(false, "no parameter %s", name);
}

static void check_null_eval(NodeBench *b)
{
    const int margin = P(b->w, NullMarginBase), slope = P(b->w, NullMarginDepth);
    Rng rng = {17};
    CASE("row 6: a pass needs an evaluation of at least beta");
    set_switch(b, "NullMarginBase", -500); // which asks for more than that near the horizon
    set_switch(b, "NullMarginDepth", 0);
    for (int i = 0; i < 20; i++) {
        Position pos;
        do
            pos = random_node(&rng, false);
        while (!pos_null_ok(&pos));
        for (int over = -1; over <= 0; over++) {
            node_place(b, &pos, 3);
            const int beta = node_eval(b) - over;
            node_mark_pv(b); // else the margin above beta is enough by itself
            search_node(b->w, b->node, beta - 1, beta, P(b->w, NullDepth), false);
            CHECK_INT(node_after_pass(b, &pos).hit, over == 0);
        }
    }
    set_switch(b, "NullMarginBase", margin);
    set_switch(b, "NullMarginDepth", slope);
}

static void check_iid(NodeBench *b)
{
    const Position start = position_of(GAME_START);
    const int depth = P(b->w, IidDepth);
    u64 nodes[2], iir[2];
    CASE("row 12: or, with the switch, a shallower search finds the move first");
    for (int on = 0; on < 2; on++) {
        set_switch(b, "UseIid", on);
        node_place(b, &start, 3);
        const int eval = node_eval(b);
        search_node(b->w, b->node, eval - 50, eval + 50, depth, false);
        nodes[on] = node_count(b);
        iir[on] = b->w->counters.iir;
    }
    set_switch(b, "UseIid", 0);
    CHECK(nodes[0] != nodes[1] && iir[0] != iir[1]);
}

// Check extensions of many nodes whose line has been extended `extended` plies, in an iteration of this
// depth.
static u64 check_extensions(NodeBench *b, int extended, int root_depth)
{
    Rng rng = {5};
    u64 sum = 0;
    for (int i = 0; i < 40; i++) {
        const Position pos = random_node(&rng, false);
        node_place(b, &pos, 4);
        b->w->root_depth = root_depth;
        b->node->extension_nb = extended;
        const int eval = node_eval(b);
        search_node(b->w, b->node, eval - 50, eval + 50, 3, false);
        sum += b->w->counters.check_extensions;
    }
    return sum;
}

static void check_check_extension(NodeBench *b)
{
    const int most = P(b->w, ExtensionLineMax), factor = P(b->w, ExtensionRootFactor);
    CASE("row 10: with the switch checks that do not lose are extended, so often in a line and no more");
    CHECK_INT((i64)check_extensions(b, 0, 30), 0);
    set_switch(b, "UseCheckExtension", 1);
    const u64 all = check_extensions(b, 0, 30);
    CHECK(all > 0);
    CHECK_INT((i64)check_extensions(b, most, 30), 0);
    CHECK_INT((i64)check_extensions(b, 0, 4 / factor), 0);
    set_switch(b, "UseCheckExtension", 0);
}

static void check_prior(NodeBench *b)
{
    static Picker picker;
    Rng rng = {7};
    int differs = 0;
    CASE("row 20: with the switch quiet moves of which nothing is known come by the game's opinion");
    for (int on = 0; on < 2; on++) {
        set_switch(b, "UsePrior", on);
        for (int i = 0; i < 30; i++) {
            const Position pos = random_node(&rng, false);
            node_place(b, &pos, 6);
            picker_init(&picker, b->w, b->node, MOVE_NONE);
            int last = INT32_MAX;
            for (Move m; (m = picker_next(&picker)) != MOVE_NONE;) {
                if (move_is_noisy(&pos, m) || move_gives_check(&pos, m))
                    continue;
                const int prior = move_order_bonus(&pos, m);
                if (on)
                    CHECK_THAT(prior <= last, "%d after %d: %s", prior, last, text_of(&pos));
                else
                    differs += prior > last;
                last = prior;
            }
        }
    }
    set_switch(b, "UsePrior", 0);
    CHECK(differs > 0);
}

// ---- quiescence ---------------------------------------------------------------------------------
static void check_blend(NodeBench *b)
{
    Rng rng = {9};
    CASE("with the switch quiescence draws a score above beta half the way towards it");
    set_switch(b, "UseQBlend", 1);
    for (int i = 0; i < 40; i++) {
        const Position pos = random_node(&rng, false);
        Move how;
        if (pos_instant_win(&pos, &how))
            continue;
        for (int over = 0; over <= 100; over += 50) {
            node_place(b, &pos, 3);
            const int eval = node_eval(b), beta = eval - over;
            CHECK_INT(quiescence(b->w, b->node, beta - 1, beta, 0, 0), (eval + beta) / 2);
        }
    }
    set_switch(b, "UseQBlend", 0);
}

static void check_evasion_cap(NodeBench *b)
{
    Rng rng = {13};
    u64 nodes[2] = {0};
    CASE("with the switch only so many quiet evasions are tried, once one does not lose");
    set_switch(b, "QEvasionCap", 0);
    for (int i = 0; i < 60; i++) {
        const Position pos = random_node(&rng, true);
        int score[2];
        for (int on = 0; on < 2; on++) {
            set_switch(b, "UseQEvasionCap", on);
            node_place(b, &pos, 3);
            score[on] = quiescence(b->w, b->node, 9000, 9001, 0, 0); // no cutoff ends it
            nodes[on] += node_count(b);
        }
        CHECK((score[0] <= -SCORE_TB_MIN) == (score[1] <= -SCORE_TB_MIN)); // no mate that is none
    }
    CHECK(nodes[1] > 0 && nodes[1] < nodes[0]);
    set_switch(b, "UseQEvasionCap", 0);
    set_switch(b, "QEvasionCap", 2);
}
#endif

void test_switched(void)
{
    NodeBench b;
    CASE("one node by itself");
    node_open(&b);
    check_singular(&b);
    check_iir(&b);
    check_razoring(&b);
#ifdef TUNE
    check_null_eval(&b);
    check_iid(&b);
    check_check_extension(&b);
    check_prior(&b);
    check_blend(&b);
    check_evasion_cap(&b);
#endif
    node_close(&b);
}
