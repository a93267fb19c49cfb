// SPDX-License-Identifier: GPL-3.0-or-later
// The search of any game, seen from outside and in its parts: picker, limits, lines that hold, threads.
// Signals and clocks are in test_control and test_time, the levels in test_skill, parameters in test_params.
#include <math.h>
#include <stdlib.h>

#include "search/alphabeta.h"
#include "search/history.h"
#include "search/movepick.h"
#include "search/reductions.h"
#include "search/threads.h"
#include "search_helpers.h"

// ---- parts --------------------------------------------------------------------------------------
static void check_logs(void)
{
    CASE("the integer logarithms are the real ones");
    for (int i = 1; i < LOG_NB; i++)
        CHECK(fabs(LOG_TABLE[i] - LOG_ONE * log(i)) <= 0.5);
    CHECK_INT(log_256(100000), LOG_TABLE[LOG_NB - 1]);
}

// ---- the picker ---------------------------------------------------------------------------------
static void check_picker(void)
{
    CASE("the picker hands out every move worth playing once, and only legal ones");
    Engine *engine = engine_new(1);
    Message message;
    CHECK(engine_prepare(engine, &message));
    Worker *w = engine->worker[0];
    Rng rng = {7};
    for (int game = 0; game < (test_is_light() ? 30 : 300); game++) {
        Position pos;
        if (!random_position(&rng, (int)rng_below(&rng, 120), &pos))
            continue;
        w->pos = pos;
        Stack *node = &w->stack[STACK_BEFORE];
        for (int i = 0; i < STACK_BEFORE + 1; i++)
            w->stack[i].continuation = history_no_continuation(w->history);
        node->in_check = pos_in_check(&pos);
        node->ply = 0;
        Move all[MAX_MOVES], wanted[MAX_MOVES];
        int all_nb = (int)(gen_all(&pos, all) - all);
        Move *end = node->in_check ? gen_evasions(&pos, wanted) : gen_quiet(&pos, gen_noisy(&pos, wanted));
        int wanted_nb = 0;
        for (Move *m = wanted; m < end; m++)
            wanted_nb += GEN_IS_LEGAL || move_is_legal(&pos, *m);
        // Table moves and killers from anywhere, legal or not.
        node->killer[0] = (Move)rng_next(&rng);
        node->killer[1] = all[rng_below(&rng, (u32)all_nb)];
        Move table = rng_below(&rng, 2) ? all[rng_below(&rng, (u32)all_nb)] : (Move)rng_next(&rng);
        static Picker picker;
        picker_init(&picker, w, node, table);
        u8 seen[65536 / 8] = {0};
        int nb = 0, extra = 0;
        for (Move m; (m = picker_next(&picker)) != MOVE_NONE; nb++) {
            CHECK(move_is_pseudo_legal(&pos, m) && move_is_legal(&pos, m));
            CHECK_THAT(!(seen[m >> 3] >> (m & 7) & 1), "a move came twice");
            seen[m >> 3] |= (u8)(1 << (m & 7));
            bool listed = false;
            for (Move *l = wanted; l < end; l++)
                listed |= *l == m;
            extra += !listed; // a table move or killer outside what is worth playing
        }
        CHECK_INT(nb - extra, wanted_nb);
        CHECK(picker_next(&picker) == MOVE_NONE);
        picker_init_quiescence(&picker, w, node, table, true);
        for (Move m; (m = picker_next(&picker)) != MOVE_NONE;)
            CHECK(node->in_check || move_is_noisy(&pos, m) || move_gives_check(&pos, m));
    }
    engine_free(engine);
}

// ---- searches -----------------------------------------------------------------------------------
typedef struct DepthCheck {
    int depth; // of the last line that is no bound
    Move best;
    int told; // of the last line
} DepthCheck;

static void check_depth(void *context, const SearchLine *line)
{
    DepthCheck *c = context;
    c->told = line->depth;
    if (line->bound != BOUND_EXACT)
        return;
    CHECK_THAT(line->depth != c->depth || line->pv[0] == c->best, "two best moves at depth %d", line->depth);
    *c = (DepthCheck){line->depth, line->pv[0], line->depth};
}

// A stop that comes before the first move of an iteration is done: the best move stays what the last
// iteration made it.
static void check_cut_short(void)
{
    Engine *engine = engine_new(4);
    Rng rng = {29};
    CASE("an iteration cut short before it has news changes nothing");
    int without_news = 0;
    for (int i = 0; i < (test_is_light() ? 100 : 400); i++) {
        Position pos;
        if (!random_position(&rng, 4 + (int)rng_below(&rng, 40), &pos))
            continue;
        DepthCheck check = {0};
        SearchResult r = run(engine, &pos, (Limits){.nodes = 300 + rng_below(&rng, 2000)},
                             &(SearchEvents){.context = &check, .line = check_depth});
        if (r.reason != STOP_NODES || check.told > r.depth)
            continue;
        without_news++;
        CHECK_INT(r.best, check.best);
    }
    CHECK(without_news > 0);
    engine_free(engine);
}

// The last group of lines, and the last score that is no bound.
typedef struct GroupCheck {
    int nb, score[8];
    bool is_exact;
    int last_exact;
    Bound bound;
} GroupCheck;

static void keep_group(void *context, const SearchLine *line)
{
    GroupCheck *group = context;
    if (line->multi_pv == 1) {
        group->nb = 0;
        group->is_exact = true;
    }
    CHECK_INT(line->multi_pv, group->nb + 1);
    group->score[group->nb++] = line->score;
    group->is_exact &= line->bound == BOUND_EXACT;
    group->bound = line->bound;
    if (line->multi_pv == 1 && line->bound == BOUND_EXACT)
        group->last_exact = line->score;
}

static void check_lines_cut_short(void)
{
    Engine *engine = engine_new(4);
    Rng rng = {31};
    CASE("cut short, the lines last shown are whole and in order, and the score returned is the one shown");
    for (int i = 0; i < (test_is_light() ? 60 : 300); i++) {
        Position pos;
        if (!random_position(&rng, 4 + (int)rng_below(&rng, 60), &pos))
            continue;
        const int lines = engine_options(engine)->multi_pv = i % 2 ? 5 : 1;
        GroupCheck group = {0};
        SearchResult r = run(engine, &pos, (Limits){.nodes = 3000 + rng_below(&rng, 20000)},
                             &(SearchEvents){.context = &group, .line = keep_group});
        // A move that has just become the best may have no more than a lower bound.
        bool is_shown = r.score == group.last_exact ||
                        (lines == 1 && group.bound == BOUND_LOWER && r.score == group.score[0]);
        CHECK_THAT(is_shown, "%d, shown %d", r.score, group.last_exact);
        if (lines == 1)
            continue;
        CHECK(group.is_exact);
        CHECK_INT(group.nb, min_int(lines, gen_count(&pos)));
        for (int l = 1; l < group.nb; l++)
            CHECK_THAT(group.score[l] <= group.score[l - 1], "line %d: %d after %d", l + 1, group.score[l],
                       group.score[l - 1]);
    }
    engine_free(engine);
}

typedef struct LinesCheck {
    LineCheck line;
    int depth, nb, score[8];
    Move first[8];
} LinesCheck;

static void check_order(void *context, const SearchLine *line)
{
    LinesCheck *c = context;
    check_line(&c->line, line);
    if (line->multi_pv == 1)
        c->nb = 0;
    CHECK_INT(line->multi_pv, c->nb + 1);
    CHECK(line->bound == BOUND_EXACT && (c->nb == 0 || line->depth == c->depth));
    for (int i = 0; i < c->nb; i++)
        CHECK_THAT(line->pv[0] != c->first[i], "lines %d and %d begin with the same move", i + 1, c->nb + 1);
    if (c->nb > 0)
        CHECK_THAT(line->score <= c->score[c->nb - 1], "line %d: %d after %d", c->nb + 1, line->score,
                   c->score[c->nb - 1]);
    c->depth = line->depth;
    c->first[c->nb] = line->pv[0];
    c->score[c->nb++] = line->score;
}

static void check_several_lines(Engine *engine, const Position *start)
{
    CASE("depth, and several lines: different first moves in order of score");
    LinesCheck check = {.line.root = *start};
    engine_options(engine)->multi_pv = 4;
    SearchResult r =
        run(engine, start, (Limits){.depth = 6}, &(SearchEvents){.context = &check, .line = check_order});
    CHECK_INT(r.depth, 6);
    CHECK_INT(check.depth, 6);
    CHECK_INT(check.nb, 4);
    CHECK_INT(check.line.lines, 4 * 6);
    CHECK(check.first[0] == r.best && check.score[0] == r.score);
    engine_options(engine)->multi_pv = 1;
}

static void check_limits(void)
{
    Engine *engine = engine_new(4);
    Rng rng = {3};
    CASE("go nodes is exact, repeats after a new game, and always has a move");
    static const u64 NODES[] = {1, 2, 17, 100, 1000, 12345};
    for (int i = 0; i < 6; i++) {
        Position pos;
        while (!random_position(&rng, 10 + 5 * i, &pos))
            ;
        LineCheck check = {.root = pos};
        SearchEvents listener = {.context = &check, .line = check_line};
        engine_new_game(engine);
        SearchResult a = run(engine, &pos, (Limits){.nodes = NODES[i]}, &listener);
        engine_new_game(engine);
        SearchResult b = run(engine, &pos, (Limits){.nodes = NODES[i]}, &listener);
        CHECK(a.nodes == NODES[i] || a.reason != STOP_NODES);
        CHECK(a.nodes <= NODES[i]);
        CHECK(a.best == b.best && a.nodes == b.nodes && a.score == b.score && a.depth == b.depth);
        CHECK(a.best != MOVE_NONE && check.lines > 0);
        CHECK_INT(check.last_best, a.best);
    }
    Position start = position_of(GAME_START);
    check_several_lines(engine, &start);
    CASE("only some root moves, or all but some");
    Move list[MAX_MOVES];
    gen_all(&start, list);
    Limits limits = {.depth = 4, .only = {list[3]}, .only_nb = 1};
    CHECK_INT(run(engine, &start, limits, NULL).best, list[3]);
    Move best = run(engine, &start, (Limits){.depth = 5}, NULL).best;
    limits = (Limits){.depth = 5, .except = {best}, .except_nb = 1};
    CHECK(run(engine, &start, limits, NULL).best != best);
    limits = (Limits){.depth = 3, .only = {MOVE_NONE}, .only_nb = 1};
    CHECK(run(engine, &start, limits, NULL).best != MOVE_NONE);
    CASE("the score of some root moves alone is not kept as the position's");
    engine_new_game(engine);
    run(engine, &start, (Limits){.depth = 5, .only = {list[3]}, .only_nb = 1}, NULL);
    CHECK_INT(tt_probe(engine->tt, pos_key(&start), 0).bound, BOUND_NONE);
    CASE("a fixed time is kept");
    SearchResult r = run(engine, &start, (Limits){.move_time_ms = 100}, NULL);
    CHECK_THAT(r.time_ms >= 60 && r.time_ms < (test_is_slow() ? 2000 : 400), "%lld ms", (long long)r.time_ms);
    CASE("a search whose time was over before it began has looked at moves all the same");
    engine_new_game(engine);
    SearchControl late;
    control_init(&late, &(Limits){.move_time_ms = 1}, os_now_us() - 1000000);
    r = run_controlled(engine, &start, &late, NULL);
    control_free(&late);
    CHECK_THAT(r.nodes > 20 && r.nodes <= PARAM_ClockNodes + 1, "%llu nodes", (unsigned long long)r.nodes);
    CASE("the node clock makes timed searches repeat");
    engine_options(engine)->node_time = 50;
    limits = (Limits){.clocks.time_ms = {20000, 20000}, .clocks.has_clock = {true, true}};
    engine_new_game(engine);
    SearchResult a = run(engine, &start, limits, NULL);
    engine_new_game(engine);
    SearchResult b = run(engine, &start, limits, NULL);
    CHECK(a.nodes == b.nodes && a.best == b.best);
    CASE("where whole seconds are charged, the second that has begun is used up");
    engine_options(engine)->round_to_second = true;
    engine_options(engine)->move_overhead_ms = 20;
    for (i64 clock = 10000; clock <= 40000; clock += 15000) {
        engine_new_game(engine);
        r = run(engine, &start, (Limits){.clocks.time_ms = {clock, clock}, .clocks.has_clock = {true, true}},
                NULL);
        i64 ms = (i64)r.nodes / 50;
        // The clock is looked at every ClockNodes nodes.
        CHECK_THAT(ms % 1000 >= 980 || ms % 1000 <= PARAM_ClockNodes / 50, "stopped after %lld ms of %lld",
                   (long long)ms, (long long)clock);
    }
    engine_free(engine);
}

static void check_threads(void)
{
    Engine *engine = engine_new(4);
    Position start = position_of(GAME_START);
    Message message;
    SearchResult r;
    CASE("two threads give legal lines and one answer");
    CHECK(engine_set_threads(engine, 2, &message));
    Rng rng = {11};
    for (int i = 0; i < 6; i++) {
        Position pos;
        while (!random_position(&rng, 30, &pos))
            ;
        LineCheck check = {.root = pos};
        r = run(engine, &pos, (Limits){.nodes = 20000},
                &(SearchEvents){.context = &check, .line = check_line});
        CHECK(r.best != MOVE_NONE);
        CHECK_INT(check.last_best, r.best);
    }
    CASE("two threads keep to a limit of nodes, and to a cap on their speed");
    for (int i = 0; i < 4; i++) {
        r = run(engine, &start, (Limits){.nodes = 3000}, NULL);
        CHECK_INT(r.reason, STOP_NODES);
        CHECK_THAT(r.nodes >= 3000 && r.nodes <= 4500, "%llu nodes", (unsigned long long)r.nodes);
        engine_new_game(engine);
    }
    engine_options(engine)->max_nps = 20000;
    r = run(engine, &start, (Limits){.move_time_ms = 300}, NULL);
    CHECK_THAT((i64)r.nodes <= 20 * (r.time_ms + 100), "%llu nodes in %lld ms", (unsigned long long)r.nodes,
               (long long)r.time_ms);
    engine_options(engine)->max_nps = 0;
    CHECK(engine_set_threads(engine, 1, &message));
    CHECK(!engine_set_threads(engine, 0, &message));
    CASE("threads cost little before they search: their memory is touched when it is used");
    Engine *many = engine_new(1);
    i64 start_us = os_now_us();
    CHECK(engine_set_threads(many, 128, &message) && engine_prepare(many, &message));
    i64 each_us = (os_now_us() - start_us) / 128;
    CHECK_THAT(each_us < (test_is_slow() ? 20000 : 2000), "%lld us each", (long long)each_us);
    engine_free(many);
    CASE("a table that can't be had leaves the old one");
    CHECK(!engine_set_hash(engine, 1 << 30, &message) && strstr(message.text, "keeping 4 MB"));
    CHECK_INT(engine_hash_mb(engine), 4);
    CHECK(engine_set_hash(engine, 7, &message));
    CHECK_INT(engine_hash_mb(engine), 7);
    engine_free(engine);
}

// ---- lines of a search that is cut short, and mates ---------------------------------------------
typedef struct LastLine {
    int depth, score;
    Bound bound;
} LastLine;

static void keep_last(void *context, const SearchLine *line)
{
    *(LastLine *)context = (LastLine){line->depth, line->score, line->bound};
}

// An iteration that a stop has cut short tells only what it has found itself, and as the bound that it is.
static void check_unfinished(void)
{
    Engine *engine = engine_new(2);
    Message message;
    Rng rng = {31};
    CHECK(engine_prepare(engine, &message));
    CASE("a line of the last iteration is not told again under the next one's depth; a bound is told as a "
         "bound");
    int told_again = 0, bounds = 0;
    for (int i = 0; i < (test_is_light() ? 90 : 900); i++) {
        Position pos;
        before_mate(&rng, 2 + 2 * (i % 3), &pos);
        LastLine last = {0};
        engine_new_game(engine);
        run(engine, &pos, (Limits){.nodes = 1 + rng_below(&rng, i % 2 ? 100 : 2000)},
            &(SearchEvents){.context = &last, .line = keep_last});
        const Worker *w = engine->worker[0];
        const RootMove *best = &w->root[0];
        if (last.depth > w->completed_depth && w->completed_depth > 0 &&
            best->move == w->last_complete.move && !w->has_proven_mate) {
            told_again++;
            CHECK_THAT(best->previous_score == w->last_complete.score, "depth %d told what depth %d found",
                       last.depth, w->completed_depth);
        }
        if (best->score == last.score) {
            bounds += best->bound != BOUND_EXACT;
            CHECK_INT(last.bound, best->bound);
        }
    }
    CHECK_THAT(told_again > 0 && bounds > 0, "%d lines told again, %d bounds", told_again, bounds);
    engine_free(engine);
}

typedef struct MateWatch {
    LineCheck lines;
    int claimed; // the shortest mate told so far, in plies of either sign; 0: none
} MateWatch;

static bool claim_holds(MateWatch *watch, int score)
{
    int plies = score_is_mate(score) ? score_mate_plies(score) : 0, before = watch->claimed;
    watch->claimed = plies;
    return before == 0 || (before > 0 ? plies > 0 && plies <= before : plies < 0 && plies >= before);
}

static void watch_mate(void *context, const SearchLine *line)
{
    MateWatch *watch = context;
    check_line(&watch->lines, line);
    if (line->bound != BOUND_EXACT || (watch->claimed == 0 && !score_is_mate(line->score)))
        return;
    CHECK_THAT(claim_holds(watch, line->score), "a mate gave way to the score %d", line->score);
    Position pos = watch->lines.root;
    Undo undo;
    for (int i = 0; i < line->pv_nb; i++)
        pos_make(&pos, line->pv[i], &undo, NULL);
    CHECK_THAT(!score_is_mate(line->score) || line->pv_nb != abs(score_mate_plies(line->score)) ||
                   is_mated(&pos),
               "the line does not mate");
}

static void check_mates_hold(int threads)
{
    Engine *engine = engine_new(4);
    Message message;
    Rng rng = {37};
    int found = 0;
    CASE("a mate that was told never gives way to a longer one or to none, threads: %d", threads);
    CHECK(engine_set_threads(engine, threads, &message));
    for (int i = 0; i < (test_is_light() ? 16 : 80); i++) {
        MateWatch watch = {0};
        before_mate(&rng, 1 + i % 8, &watch.lines.root);
        if (i % 4 == 0)
            engine_new_game(engine);
        Limits limits = {.nodes = 2000 + rng_below(&rng, 30000)};
        SearchResult r =
            run(engine, &watch.lines.root, limits, &(SearchEvents){.context = &watch, .line = watch_mate});
        CHECK_INT(watch.lines.last_best, r.best);
        if (watch.claimed == 0)
            continue;
        found++;
        CHECK_THAT(claim_holds(&watch, r.score), "a mate gave way to the result %d", r.score);
    }
    CHECK(found > 0);
    engine_free(engine);
}

// Between moves anything may change; what was learned by the threads that stay is kept, and nothing is used
// after it is gone.
static void check_changes_in_play(void)
{
    Engine *engine = engine_new(1);
    Message message;
    Position pos = position_of(GAME_START);
    CASE("threads and hash change from move to move of a game");
    for (int ply = 0; ply < (test_is_light() ? 8 : 24) && gen_count(&pos) > 0; ply++) {
        CHECK(engine_set_threads(engine, 1 + ply * 2 % 5 % 3, &message));
        if (ply % 3 == 2)
            CHECK(engine_set_hash(engine, 1 + ply % 4, &message));
        LineCheck check = {.root = pos};
        SearchEvents events = {.context = &check, .line = check_line};
        SearchResult r = ply % 4 == 3
                             ? run_signalled(engine, &pos, (Limits){.infinite = true}, false, &events)
                             : run(engine, &pos, (Limits){.nodes = 3000}, &events);
        CHECK_INT(check.last_best, r.best);
        if (r.best == MOVE_NONE || r.best == MOVE_WIN)
            break;
        Undo undo;
        pos_make(&pos, r.best, &undo, NULL);
    }
    engine_free(engine);
}

// The search that asks whether a move is singular answers for the node without that move: its result is not
// the node's.
static void check_excluded(void)
{
    Engine *engine = engine_new(2);
    Position start = position_of(GAME_START);
    Move all[MAX_MOVES];
    gen_all(&start, all);
    CASE("a search with a move left out leaves no trace in the table, nor in the node");
    SearchControl control;
    control_init(&control, &(Limits){.depth = 4}, 0);
    run_controlled(engine, &start, &control, NULL);
    control_forget(&control);
    Worker *w = engine->worker[0];
    engine->control = w->control = &control;
    Stack *node = &w->stack[STACK_BEFORE + 1];
    TtEntry before = tt_probe(engine->tt, pos_key(&start), 1);
    for (int high = 0; high < 2; high++) {
        int alpha = high ? -3000 : 3000;
        node->excluded = all[0];
        node->eval = node->raw_eval = 0;
        node->was_pv = false, node[-1].was_pv = true; // what a node that fails low would inherit
        int score = search_node(w, node, alpha, alpha + 1, 6, true);
        CHECK(high ? score > alpha : score <= alpha);
        CHECK(node->excluded == all[0] && !node->was_pv);
        TtEntry after = tt_probe(engine->tt, pos_key(&start), 1);
        CHECK(after.move == before.move && after.score == before.score && after.depth == before.depth &&
              after.bound == before.bound);
    }
    control_free(&control);
    engine_free(engine);
}

static void set_opinion(Engine *engine, int id, Move move, int score, Bound bound, int depth)
{
    Worker *w = engine->worker[id];
    w->root[0] = (RootMove){.move = move, .score = score, .bound = bound, .pv = {move}, .pv_nb = 1};
    w->root_nb = 1;
    w->completed_depth = depth;
}

static void check_vote(void)
{
    enum { A = 1, B = 2, C = 3 };
    Engine *engine = engine_new(1);
    Message message;
    CHECK(engine_set_threads(engine, 3, &message) && engine_prepare(engine, &message));
    CASE("the vote of the threads: the better score, then more voices for a move");
    set_opinion(engine, 0, A, 30, BOUND_EXACT, 10);
    set_opinion(engine, 1, B, 25, BOUND_EXACT, 10);
    set_opinion(engine, 2, C, 20, BOUND_EXACT, 10);
    CHECK_INT(engine_best_worker(engine)->root[0].move, A);
    set_opinion(engine, 2, B, 24, BOUND_EXACT, 10);
    CHECK_INT(engine_best_worker(engine)->root[0].move, B);
    CASE("the vote of the threads: a score that is only a bound has no voice");
    set_opinion(engine, 2, B, 29, BOUND_UPPER, 10);
    CHECK_INT(engine_best_worker(engine)->root[0].move, A);
    set_opinion(engine, 2, B, 100, BOUND_LOWER, 10);
    CHECK_INT(engine_best_worker(engine)->root[0].move, A);
    CASE("the vote of the threads: what is proven goes before what is thought, the shortest proof first");
    set_opinion(engine, 2, C, SCORE_MATE - 9, BOUND_EXACT, 4);
    CHECK_INT(engine_best_worker(engine)->root[0].move, C);
    set_opinion(engine, 1, B, SCORE_MATE - 7, BOUND_EXACT, 4);
    CHECK_INT(engine_best_worker(engine)->root[0].move, B);
    set_opinion(engine, 0, A, -SCORE_MATE + 6, BOUND_EXACT, 9);
    set_opinion(engine, 1, B, -300, BOUND_EXACT, 12);
    set_opinion(engine, 2, C, -SCORE_MATE + 8, BOUND_EXACT, 9);
    CHECK_INT(engine_best_worker(engine)->root[0].move, A);
    engine_free(engine);
}

void test_search(void)
{
    check_logs();
    check_picker();
    check_limits();
    check_threads();
    check_cut_short();
    check_lines_cut_short();
    check_unfinished();
    check_mates_hold(1);
    check_mates_hold(2);
    check_vote();
    check_excluded();
    check_changes_in_play();
}
