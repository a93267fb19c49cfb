// SPDX-License-Identifier: GPL-3.0-or-later
// The search of any game, seen from outside and in its parts: picker, limits, stops, lines that hold. Where a
// build tunes (TUNE), every technique is switched the other way and must make a difference, every parameter
// is taken to both ends of its range, and a search without selectivity must not depend on the table, the
// colours or the side of the board.
#include <math.h>
#include <stdlib.h>

#include "search/alphabeta.h"
#include "search/mate.h"
#include "search/movepick.h"
#include "search/reductions.h"
#include "search/threads.h"
#include "search/worker.h"
#include "test.h"

// ---- helpers ------------------------------------------------------------------------------------
static Position position_of(const char *text)
{
    Position pos;
    Rules rules = rules_default();
    Message message;
    CHECK_THAT(pos_set(&pos, span_of(text), &rules, &message) != SET_REJECTED, "%s: %s", text, message.text);
    return pos;
}

// Plays random legal moves from the start; false when the game ended.
static bool random_position(Rng *rng, int plies, Position *pos)
{
    *pos = position_of(GAME_START);
    for (int i = 0; i < plies; i++) {
        Move list[MAX_MOVES];
        int nb = (int)(gen_all(pos, list) - list);
        if (nb == 0)
            return false;
        Undo undo;
        pos_make(pos, list[rng_below(rng, (u32)nb)], &undo, NULL);
    }
    return gen_count(pos) > 0;
}

// The position `back` plies before the end of a random game that ended in mate.
static void before_mate(Rng *rng, int back, Position *pos)
{
    enum { LONGEST = 400 };
    static Position past[LONGEST];
    for (;;) {
        past[0] = position_of(GAME_START);
        for (int ply = 0; ply + 1 < LONGEST; ply++) {
            Move list[MAX_MOVES];
            int nb = (int)(gen_all(&past[ply], list) - list);
            if (nb == 0 && is_mated(&past[ply]) && ply >= back) {
                *pos = past[ply - back];
                return;
            }
            if (nb == 0)
                break;
            Undo undo;
            past[ply + 1] = past[ply];
            pos_make(&past[ply + 1], list[rng_below(rng, (u32)nb)], &undo, NULL);
        }
    }
}

static SearchResult run(Engine *engine, const Position *pos, Limits limits, const SearchEvents *listener)
{
    KeyHistory keys = {0};
    SearchResult result = {0};
    Message message = {0};
    CHECK_THAT(search_run(engine, pos, &keys, &limits, listener, &result, &message), "%s", message.text);
    return result;
}

// ---- parts --------------------------------------------------------------------------------------
static void check_logs(void)
{
    CASE("the integer logarithms are the real ones");
    for (int i = 1; i < LOG_NB; i++)
        CHECK(fabs(LOG_TABLE[i] - LOG_ONE * log(i)) <= 0.5);
    CHECK_INT(log_256(100000), LOG_TABLE[LOG_NB - 1]);
}

static void check_time(void)
{
    SearchOptions o = search_options_default();
    const Params params = params_default();
    CASE("time: a fixed time is kept but for the overhead");
    o.move_overhead_ms = 10;
    TimePlan plan = time_plan(&(Limits){.move_time_ms = 500}, &o, &params, 0, 20);
    CHECK(plan.limited && plan.fixed && plan.hard_ms == 490 && plan.soft_ms == 490);
    plan = time_plan(&(Limits){.move_time_ms = 1}, &o, &params, 0, 20);
    CHECK(plan.hard_ms == 1);
    CHECK(!time_plan(&(Limits){.depth = 5}, &o, &params, 0, 0).limited);

    CASE("time: never beyond the clock, whatever it says");
    static const i64 CLOCKS[] = {-500, 0, 1, 5, 11, 50, 100, 1000, 60000, 7200000};
    static const i64 INCS[] = {0, 10, 1000, 60000};
    for (int c = 0; c < 10; c++)
        for (int i = 0; i < 4; i++)
            for (int moves = 0; moves <= 60; moves = moves < 2 ? moves + 1 : moves + 29) {
                Limits limits = {.time_ms = {CLOCKS[c], 1},
                                 .inc_ms = {INCS[i], 0},
                                 .has_clock = {true, true},
                                 .moves_to_go = moves};
                plan = time_plan(&limits, &o, &params, 0, 30);
                i64 most = max_i64(CLOCKS[c] > 0 ? CLOCKS[c] : INCS[i], 11) - 10;
                CHECK_THAT(plan.limited && plan.soft_ms >= 1 && plan.soft_ms <= plan.hard_ms &&
                               plan.hard_ms <= max_i64(most, 1),
                           "clock %lld inc %lld moves %d: soft %lld hard %lld", (long long)CLOCKS[c],
                           (long long)INCS[i], moves, (long long)plan.soft_ms, (long long)plan.hard_ms);
            }

    CASE("time: more clock, more time; the last move of a control may take most of it");
    i64 before = 0;
    for (i64 clock = 100; clock < 1000000; clock *= 3) {
        plan = time_plan(&(Limits){.time_ms = {clock}, .has_clock = {true}}, &o, &params, 0, 30);
        CHECK(plan.soft_ms >= before);
        before = plan.soft_ms;
    }
    plan =
        time_plan(&(Limits){.time_ms = {10000}, .has_clock = {true}, .moves_to_go = 1}, &o, &params, 0, 30);
    CHECK(plan.hard_ms > 8000 && plan.hard_ms < 10000);

    CASE("time: a clock that is short again and again keeps a reserve for delays that are not ours");
    for (int each = 1; each <= 8;
         each++) { // every move, or every second or third.. takes all it may, the others the soft limit
        i64 clock = 1000, least = clock;
        for (int move = 0; move < 300; move++) {
            plan = time_plan(&(Limits){.time_ms = {clock}, .inc_ms = {10}, .has_clock = {true}}, &o, &params,
                             0, 2 * move);
            clock -= move % each == 0 ? plan.hard_ms : plan.soft_ms;
            least = min_i64(least, clock);
            clock += 10;
        }
        CHECK_THAT(least >= 40, "down to %lld ms", (long long)least);
    }

    CASE("time: byoyomi is used up, a clock before it is not thrown away");
    plan = time_plan(&(Limits){.time_ms = {0}, .has_clock = {true}, .byoyomi_ms = 1000}, &o, &params, 0, 30);
    CHECK(plan.hard_ms <= 990 && plan.soft_ms >= 900 && plan.use_up);
    plan = time_plan(&(Limits){.time_ms = {600000}, .has_clock = {true}, .byoyomi_ms = 10000}, &o, &params, 0,
                     30);
    CHECK(plan.soft_ms > 10000 && plan.soft_ms < 60000 && !plan.use_up);

    CASE("time: the soft limit shrinks for a stable best move and grows for a falling score");
    TimeSigns calm = {.stable_nb = 8, .score_drop = 0, .best_share = 90},
              alarm = {.stable_nb = 0, .score_drop = 80, .best_share = 30};
    CHECK(time_factor(&params, calm) < 70);
    CHECK(time_factor(&params, alarm) > 180);
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
            w->stack[i].continuation = &w->history->continuation[0][0];
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
typedef struct LineCheck {
    Position root;
    int lines, last_multi_pv, last_score;
    Move last_best;
} LineCheck;

static void check_line(void *context, const SearchLine *line)
{
    LineCheck *c = context;
    Position pos = c->root;
    Undo undo;
    c->lines++;
    CHECK(line->pv_nb >= 1);
    CHECK(line->score > -SCORE_INFINITE && line->score < SCORE_INFINITE);
    for (int i = 0; i < line->pv_nb; i++) {
        bool legal = move_is_pseudo_legal(&pos, line->pv[i]) && move_is_legal(&pos, line->pv[i]);
        CHECK_THAT(legal, "move %d of a line is illegal", i + 1);
        if (!legal)
            return;
        pos_make(&pos, line->pv[i], &undo, NULL);
    }
    if (line->multi_pv == 1)
        c->last_best = line->pv[0];
    if (line->multi_pv > 1) {
        CHECK_INT(line->multi_pv, c->last_multi_pv + 1);
    }
    c->last_multi_pv = line->multi_pv;
    c->last_score = line->score;
}

typedef struct DepthCheck {
    int depth;
    Move best;
} DepthCheck;

static void check_depth(void *context, const SearchLine *line)
{
    DepthCheck *c = context;
    if (line->bound != BOUND_EXACT)
        return;
    CHECK_THAT(line->depth != c->depth || line->pv[0] == c->best, "two best moves at depth %d", line->depth);
    *c = (DepthCheck){line->depth, line->pv[0]};
}

// A stop that comes before the first move of an iteration is done: the best move stays what the last
// iteration made it.
static void check_cut_short(void)
{
    Engine *engine = engine_new(4);
    Rng rng = {29};
    CASE("an iteration cut short before it has news changes nothing");
    for (int i = 0; i < (test_is_light() ? 100 : 400); i++) {
        Position pos;
        if (!random_position(&rng, 4 + (int)rng_below(&rng, 40), &pos))
            continue;
        DepthCheck check = {0};
        run(engine, &pos, (Limits){.nodes = 300 + rng_below(&rng, 2000)},
            &(SearchEvents){.context = &check, .line = check_depth});
    }
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
    CASE("depth, and several lines: different first moves in order of score");
    Position start = position_of(GAME_START);
    LineCheck check = {.root = start};
    SearchEvents listener = {.context = &check, .line = check_line};
    engine_options(engine)->multi_pv = 4;
    SearchResult r = run(engine, &start, (Limits){.depth = 6}, &listener);
    CHECK_INT(r.depth, 6);
    CHECK_INT(check.last_multi_pv, 4);
    engine_options(engine)->multi_pv = 1;
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
    r = run(engine, &start, (Limits){.move_time_ms = 100}, NULL);
    CHECK_THAT(r.time_ms >= 60 && r.time_ms < (test_is_light() ? 2000 : 400), "%lld ms",
               (long long)r.time_ms);
    CASE("a search whose time was over before it began has looked at moves all the same");
    engine_new_game(engine);
    r = run(engine, &start, (Limits){.move_time_ms = 1, .start_us = os_now_us() - 1000000}, NULL);
    CHECK_THAT(r.nodes > 20 && r.nodes <= CLOCK_NODES + 1, "%llu nodes", (unsigned long long)r.nodes);
    CASE("the node clock makes timed searches repeat");
    engine_options(engine)->node_time = 50;
    limits = (Limits){.time_ms = {20000, 20000}, .has_clock = {true, true}};
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
        r = run(engine, &start, (Limits){.time_ms = {clock, clock}, .has_clock = {true, true}}, NULL);
        i64 ms = (i64)r.nodes / 50;
        // The clock is looked at every CLOCK_NODES nodes.
        CHECK_THAT(ms % 1000 >= 980 || ms % 1000 <= CLOCK_NODES / 50, "stopped after %lld ms of %lld",
                   (long long)ms, (long long)clock);
    }
    engine_free(engine);
}

static void *stop_later(void *engine)
{
    os_sleep_ms(60);
    search_stop(engine);
    return NULL;
}

static void *hit_later(void *engine)
{
    os_sleep_ms(60);
    search_ponderhit(engine, NULL);
    return NULL;
}

static void check_signals(void)
{
    Engine *engine = engine_new(4);
    Position start = position_of(GAME_START);
    Thread thread;
    CASE("an infinite search ends by stop alone, even when there is nothing left to do");
    Message message;
    CHECK(engine_prepare(engine, &message));
    i64 start_ms = os_now_ms();
    os_thread_start(&thread, stop_later, engine);
    SearchResult r = run(engine, &start, (Limits){.infinite = true, .depth = 1}, NULL);
    CHECK(os_now_ms() - start_ms >= 59 && r.best != MOVE_NONE);
    os_thread_join(thread);
    CASE("nodes used up, or a level's share of them, do not end it either");
    for (int elo = 0; elo <= skill_range().min_elo; elo += skill_range().min_elo) {
        engine_options(engine)->elo = elo;
        search_arm(engine);
        start_ms = os_now_ms();
        os_thread_start(&thread, stop_later, engine);
        r = run(engine, &start, (Limits){.infinite = elo == 0, .ponder = elo > 0, .nodes = 100}, NULL);
        CHECK(os_now_ms() - start_ms >= 59 && r.nodes <= 100 && r.best != MOVE_NONE);
        os_thread_join(thread);
    }
    engine_options(engine)->elo = 0;
    CASE("byoyomi is used up even when the best move is clear");
    r = run(engine, &start, (Limits){.byoyomi_ms = 200}, NULL);
    CHECK_THAT(r.time_ms >= 185, "%lld ms", (long long)r.time_ms);
    CASE("a stop sent before the search has begun is not lost");
    search_arm(engine);
    search_stop(engine);
    r = run(engine, &start, (Limits){.infinite = true}, NULL);
    CHECK(r.best != MOVE_NONE);
    CASE("pondering ends by ponderhit and the clock");
    start_ms = os_now_ms();
    os_thread_start(&thread, hit_later, engine);
    r = run(engine, &start, (Limits){.ponder = true, .time_ms = {300, 300}, .has_clock = {true, true}}, NULL);
    i64 pondered_ms = os_now_ms() - start_ms;
    os_thread_join(thread);
    CHECK_THAT(pondered_ms >= 59 && r.time_ms < (test_is_light() ? 2000 : 500), "%lld ms",
               (long long)r.time_ms);
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
            best->move == w->last_complete.move && !w->has_proven_mate)
            CHECK_THAT(best->previous_score == w->last_complete.score, "depth %d told what depth %d found",
                       last.depth, w->completed_depth);
        if (best->score == last.score)
            CHECK_INT(last.bound, best->bound);
    }
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
        Thread thread;
        bool timed = ply % 4 == 3;
        search_arm(engine);
        if (timed)
            os_thread_start(&thread, stop_later, engine);
        Limits limits = timed ? (Limits){.infinite = true} : (Limits){.nodes = 3000};
        SearchResult r = run(engine, &pos, limits, &(SearchEvents){.context = &check, .line = check_line});
        if (timed)
            os_thread_join(thread);
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
    run(engine, &start, (Limits){.depth = 4}, NULL);
    atomic_store(&engine->stop, false);
    Worker *w = engine->worker[0];
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

static void check_levels(void)
{
    CASE("levels: fewer nodes for less strength, the same move for the same position");
    SkillRange range = skill_range();
    u64 before = 0;
    for (int elo = range.min_elo; elo < range.max_elo; elo += 200) {
        SkillPlan plan = skill_plan(elo, 1);
        CHECK(plan.active && plan.nodes >= before && plan.max_depth >= 1 && plan.lines >= 1);
        before = plan.nodes;
    }
    CHECK(!skill_plan(0, 1).active && !skill_plan(range.max_elo, 1).active);
    Engine *engine = engine_new(4);
    Position start = position_of(GAME_START);
    engine_options(engine)->elo = range.min_elo;
    engine_new_game(engine);
    Move a = run(engine, &start, (Limits){.move_time_ms = 1000}, NULL).best;
    engine_new_game(engine);
    CHECK_INT(run(engine, &start, (Limits){.move_time_ms = 1000}, NULL).best, a);
    CASE("levels: the errors of a weak search do not reach a strong one");
    engine_options(engine)->elo = 0;
    u64 after_weak = run(engine, &start, (Limits){.depth = 6}, NULL).nodes;
    engine_new_game(engine);
    CHECK_INT(run(engine, &start, (Limits){.depth = 6}, NULL).nodes, after_weak);
    CASE("levels: care when the game is won, mates are not played with, and a choice among equals is a "
         "choice");
    SkillPlan plan = skill_plan(range.min_elo, 1), sharp = plan;
    skill_sharpen(&sharp, &start, 3000);
    CHECK(sharp.noise < plan.noise / 8 && sharp.nodes > plan.nodes && sharp.softness == 0);
    sharp = plan;
    skill_sharpen(&sharp, &start, 0);
    CHECK(sharp.noise == plan.noise && sharp.nodes == plan.nodes && sharp.softness == plan.softness);
    int won[3] = {SCORE_MATE - 3, 890, 880};
    CHECK_INT(skill_choose(&plan, won, 3), 0);
    int even[3] = {0, 0, 0}, behind[3] = {0, -5000, -5000}, counts[3] = {0};
    for (u64 key = 0; key < 300; key++) {
        plan = skill_plan(range.min_elo, hash_mix(key));
        counts[skill_choose(&plan, even, 3)]++;
        CHECK_INT(skill_choose(&plan, behind, 3), 0);
    }
    CHECK(counts[0] > 50 && counts[1] > 50 && counts[2] > 50);
    CASE("levels: errors are small, as often too high as too low, and the same for the same position");
    i64 sum = 0, squares = 0;
    for (u64 key = 0; key < 2000; key++) {
        int error = skill_noise(&plan, hash_mix(key));
        CHECK_INT(skill_noise(&plan, hash_mix(key)), error);
        sum += error, squares += (i64)error * error;
    }
    CHECK(llabs(sum) / 2000 < plan.noise / 8);
    CHECK(squares / 2000 > (i64)plan.noise * plan.noise / 4 && squares / 2000 < (i64)plan.noise * plan.noise);
    CASE("levels: limits bind them, more lines or threads change nothing");
    Message message;
    for (int elo = range.min_elo; elo < range.max_elo; elo += 700) {
        engine_options(engine)->elo = elo;
        engine_new_game(engine);
        SearchResult alone = run(engine, &start, (Limits){.move_time_ms = 60000}, NULL);
        CHECK(alone.nodes <= skill_plan(elo, pos_key(&start)).nodes);
        engine_options(engine)->multi_pv = 9;
        CHECK(engine_set_threads(engine, 2, &message));
        engine_new_game(engine);
        SearchResult crowd = run(engine, &start, (Limits){.move_time_ms = 60000}, NULL);
        CHECK_INT(crowd.best, alone.best);
        CHECK_INT((i64)crowd.nodes, (i64)alone.nodes);
        engine_options(engine)->multi_pv = 1;
        CHECK(engine_set_threads(engine, 1, &message));
        CHECK_INT(run(engine, &start, (Limits){.depth = 1}, NULL).depth, 1);
        CHECK(run(engine, &start, (Limits){.nodes = 50}, NULL).nodes <= 50);
    }
    engine_free(engine);
}

#ifdef TUNE
static void set_param(Engine *engine, const char *name, int value)
{
    for (int i = 0; i < param_count(); i++)
        if (strcmp(param_name(i), name) == 0) {
            CHECK(param_set(engine, i, value));
            return;
        }
    CHECK_THAT(false, "no parameter %s", name);
}

// Of the positions the second and third are near a mate: few switches need them, but for those nothing else
// will do.
enum { SWITCH_POSITIONS = 12, SWITCH_MATES = 2, SWITCH_DEPTH = 9, SWITCH_NODES_PER_MS = 20 };

static Position switch_position(int index)
{
    Rng rng = {19 + (u64)index};
    Position pos;
    if (index >= 1 && index <= SWITCH_MATES)
        before_mate(&rng, 2 * index - 1, &pos);
    else
        while (!random_position(&rng, index % 2 ? 30 + 10 * index : 90 - 5 * index, &pos))
            ;
    return pos;
}

// Two searches of one position, since ageing shows only in a second one. Switches of the time plan show on a
// clock, which counts nodes here so that it repeats.
static u64 switched_nodes(Engine *engine, int index, bool on_clock)
{
    Position pos = switch_position(index);
    Limits limits = {.depth = SWITCH_DEPTH};
    if (on_clock)
        limits = (Limits){.time_ms = {20000, 20000}, .has_clock = {true, true}};
    engine_options(engine)->node_time = on_clock ? SWITCH_NODES_PER_MS : 0;
    engine_new_game(engine);
    u64 sum = 0;
    for (int repeat = 0; repeat < 2; repeat++)
        sum += run(engine, &pos, limits, NULL).nodes;
    return sum;
}

// A switch of something that the contract lets a game be without, and this game is: by what its functions
// answer.
static bool game_is_without(const char *name)
{
    Rng rng = {41};
    Position pos = position_of(GAME_START);
    if (strcmp(name, "UseMateSolver") == 0) {
        MateResult result;
        return mate_solve(&pos, NULL, &(MateLimits){.nodes = 100}, &result) == MATE_UNSUPPORTED;
    }
    if (strcmp(name, "UseInstantWin") != 0)
        return false;
    // No declarations, and even a mate in one is left to the search.
    for (int i = 0; i < 20; i++) {
        Move how;
        before_mate(&rng, 1, &pos);
        if (!pos_in_check(&pos) && pos_instant_win(&pos, &how))
            return false;
    }
    return true;
}

static void check_switches(void)
{
    Engine *engine = engine_new(8);
    u64 before[2][SWITCH_POSITIONS] = {{0}};
    for (int i = 0; i < param_count(); i++) {
        int def, min, max;
        param_range(i, &def, &min, &max);
        if (strncmp(param_name(i), "Use", 3) != 0)
            continue;
        const bool on_clock = strncmp(param_name(i), "UseTime", 7) == 0,
                   without = game_is_without(param_name(i));
        CASE("switch %s: the other way %s", param_name(i),
             without ? "all stays, the game being without" : "it makes a difference");
        CHECK(min == 0 && max == 1);
        bool differs = false;
        for (int index = 0; index < SWITCH_POSITIONS && !differs; index++) {
            u64 *expected = &before[on_clock][index];
            if (*expected == 0)
                *expected = switched_nodes(engine, index, on_clock);
            CHECK(param_set(engine, i, !def));
            differs = switched_nodes(engine, index, on_clock) != *expected;
            CHECK(param_set(engine, i, def));
        }
        CHECK_THAT(differs != without, "%s nodes either way in %d positions", differs ? "other" : "the same",
                   SWITCH_POSITIONS);
    }
    CASE("all switches back: the same nodes again");
    CHECK_INT(switched_nodes(engine, 0, false), before[0][0]);
    engine_free(engine);
}

// Whatever a tuner may try is a search that ends, with a legal move and scores in their range.
static void check_ranges(void)
{
    Engine *engine = engine_new(2);
    Position pos = switch_position(3);
    CASE("every parameter at both ends of its range");
    for (int i = 0; i < param_count(); i++) {
        int range[3];
        param_range(i, &range[2], &range[0], &range[1]);
        CHECK_THAT(range[0] <= range[2] && range[2] <= range[1] && range[0] < range[1], "%s", param_name(i));
        for (int end = 0; end < 2; end++) {
            CHECK(param_set(engine, i, range[end]));
            CHECK(!param_set(engine, i, range[0] - 1) && !param_set(engine, i, range[1] + 1));
            engine_new_game(engine);
            LineCheck check = {.root = pos};
            engine_options(engine)->node_time = 1;
            Limits limits = {.nodes = test_is_light() ? 1000 : 10000,
                             .time_ms = {200000, 200000},
                             .has_clock = {true, true}};
            CHECK(run(engine, &pos, limits, &(SearchEvents){.context = &check, .line = check_line}).best !=
                  MOVE_NONE);
        }
        CHECK(param_set(engine, i, range[2]));
    }
    engine_free(engine);
}

// Everything that is a guess switched off: what remains must not depend on the table, on colours, or on left
// and right.
static void check_soundness(void)
{
    Engine *engine = engine_new(8);
    for (int i = 0; i < param_count(); i++) {
        static const char *const KEPT[] = {"UseTt", "UseQuiescence", "UseButterfly", "UseKillers"};
        bool keep = strncmp(param_name(i), "Use", 3) != 0;
        for (size_t k = 0; k < 4; k++)
            keep |= strcmp(param_name(i), KEPT[k]) == 0;
        if (!keep)
            param_set(engine, i, 0);
    }
    set_param(engine, "UseTtEqualDepth", 1);
    SearchOptions *o = engine_options(engine);
    o->q_delta = o->q_futility = o->q_extensions = o->q_threats = o->q_tt = false;
    o->q_check_plies = 0;
    o->q_see = -500;
    o->q_max_depth = 64;
    Rng rng = {23};
    CASE("without selectivity: the same score with and without the table, flipped and mirrored");
    for (int i = 0; i < (test_is_light() ? 6 : 40); i++) {
        Position pos, flipped, mirrored;
        if (!random_position(&rng, 8 + (int)rng_below(&rng, 60), &pos))
            continue;
        Limits limits = {.depth = test_is_light() ? 2 : 3};
        set_param(engine, "UseTt", 1);
        engine_new_game(engine);
        int with = run(engine, &pos, limits, NULL).score;
        set_param(engine, "UseTt", 0);
        engine_new_game(engine);
        CHECK_INT(run(engine, &pos, limits, NULL).score, with);
        pos_flip(&pos, &flipped);
        engine_new_game(engine);
        CHECK_INT(run(engine, &flipped, limits, NULL).score, with);
        if (engine_net(engine) == NULL && pos_mirror(&pos, &mirrored)) {
            engine_new_game(engine);
            CHECK_INT(run(engine, &mirrored, limits, NULL).score, with);
        }
    }
    engine_free(engine);
}
#endif

void test_search(void)
{
    check_logs();
    check_time();
    check_picker();
    check_limits();
    check_cut_short();
    check_lines_cut_short();
    check_signals();
    check_unfinished();
    check_mates_hold(1);
    check_mates_hold(2);
    check_vote();
    check_excluded();
    check_changes_in_play();
    check_levels();
#ifdef TUNE
    check_switches();
    check_ranges();
    check_soundness();
#endif
}
