// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of a search: root moves, iterative deepening with aspiration windows, threads, the clock, and
// reports. The calling thread is worker 0, which alone reads the clock and reports; the others only search
// and share what they find through the table.
#include "search/search.h"

#include <stdlib.h>

#include "search/worker.h"

enum { REPORT_QUIET_MS = 3000 };

// ---- clock and signals --------------------------------------------------------------------------
u64 engine_nodes(const Engine *engine)
{
    u64 sum = 0;
    for (int i = 0; i < engine->worker_nb; i++)
        sum += atomic_load_explicit(&engine->worker[i]->nodes, memory_order_relaxed);
    return sum;
}

static i64 real_elapsed_ms(const Engine *engine) { return (os_now_us() - engine->start_us) / 1000; }

// On the node clock a millisecond is a number of nodes, so that timed games repeat exactly.
i64 engine_elapsed_ms(const Engine *engine)
{
    return engine->options.node_time > 0 ? (i64)engine_nodes(engine) / engine->options.node_time
                                         : real_elapsed_ms(engine);
}

// The first reason counts; it is there before anyone sees the stop.
static void stop_for(Engine *engine, StopReason reason)
{
    int none = STOP_NONE;
    atomic_compare_exchange_strong(&engine->reason, &none, (int)reason);
    atomic_store(&engine->stop, true);
}

void search_arm(Engine *engine)
{
    pthread_mutex_lock(&engine->mutex);
    atomic_store(&engine->stop, false);
    engine->dismissed = false;
    engine->armed = true;
    engine->early_hit = engine->has_early_clocks = false;
    pthread_mutex_unlock(&engine->mutex);
}

void search_stop(Engine *engine)
{
    pthread_mutex_lock(&engine->mutex);
    engine->dismissed = true;
    stop_for(engine, STOP_COMMAND);
    pthread_cond_broadcast(&engine->wake);
    pthread_mutex_unlock(&engine->mutex);
}

static void use_clocks(Engine *engine, const Limits *clocks)
{
    Limits *limits = &engine->limits;
    memcpy(limits->time_ms, clocks->time_ms, sizeof limits->time_ms);
    memcpy(limits->inc_ms, clocks->inc_ms, sizeof limits->inc_ms);
    memcpy(limits->has_clock, clocks->has_clock, sizeof limits->has_clock);
    limits->byoyomi_ms = clocks->byoyomi_ms;
    limits->moves_to_go = clocks->moves_to_go;
}

void search_ponderhit(Engine *engine, const Limits *clocks)
{
    pthread_mutex_lock(&engine->mutex);
    if (engine->armed) {
        // The search has not begun yet: it will find this when it does.
        engine->early_hit = true;
        engine->has_early_clocks = clocks != NULL;
        if (clocks)
            engine->early_clocks = *clocks;
    } else if (atomic_load(&engine->pondering)) {
        if (clocks)
            use_clocks(engine, clocks);
        engine->plan =
            time_plan(&engine->limits, &engine->options, engine->params, engine->root_side, engine->root_ply);
        engine->ponderhit_ms = engine_elapsed_ms(engine);
        atomic_store(&engine->pondering, false);
        if (engine->done_thinking && !clocks)
            stop_for(engine, STOP_TIME);
        pthread_cond_broadcast(&engine->wake);
    }
    pthread_mutex_unlock(&engine->mutex);
}

bool engine_is_late(Engine *engine, int percent)
{
    pthread_mutex_lock(&engine->mutex);
    i64 since = engine->plan.fixed ? 0 : engine->ponderhit_ms;
    bool late = engine->plan.limited && !atomic_load(&engine->pondering) &&
                (engine_elapsed_ms(engine) - since) * 100 >= engine->plan.hard_ms * percent;
    pthread_mutex_unlock(&engine->mutex);
    return late;
}

// Sleeps off what is too fast for the cap on speed.
static void throttle(Engine *engine)
{
    i64 due_us = (i64)(engine_nodes(engine) * 1000000 / (u64)engine->options.max_nps);
    while (!atomic_load_explicit(&engine->stop, memory_order_relaxed)) {
        i64 ahead_us = due_us - (os_now_us() - engine->start_us);
        if (ahead_us < 1000)
            break;
        os_sleep_ms(clamp_i64(ahead_us / 1000, 1, 10));
        if (engine_is_late(engine, 100))
            break;
    }
}

// Nodes are counted, and speed is held down, by every thread; the clock is the first one's.
void worker_check_clock(Worker *w)
{
    Engine *engine = w->engine;
    const u64 limit = engine->limits.nodes;
    w->clock_countdown = CLOCK_NODES;
    if (engine->options.max_nps > 0) {
        throttle(engine);
        w->clock_countdown = (int)clamp_i64(engine->options.max_nps / 100, 1, CLOCK_NODES);
    }
    if (limit > 0) {
        u64 nodes = engine_nodes(engine);
        if (nodes >= limit) {
            stop_for(engine, STOP_NODES);
            return;
        }
        i64 share = max_i64((i64)(limit - nodes) / engine->worker_nb, 1); // the others take theirs meanwhile
        w->clock_countdown = (int)min_i64(share, w->clock_countdown);
    }
    // At the first node no move has been looked at yet: however late it is, the nodes to the next look are
    // worth it.
    if (w->id == 0 && w->counters.nodes > 1 && engine_is_late(engine, 100))
        stop_for(engine, STOP_TIME);
}

// ---- reports ------------------------------------------------------------------------------------
void engine_report_current(Engine *engine, int depth, Move move, int number)
{
    const SearchEvents *l = engine->listener;
    if (depth > 0 && l && l->current && real_elapsed_ms(engine) >= REPORT_QUIET_MS)
        l->current(l->context, depth, move, number);
}

static u64 engine_tb_hits(const Engine *engine)
{
    u64 sum = 0;
    for (int i = 0; i < engine->worker_nb; i++)
        sum += atomic_load_explicit(&engine->worker[i]->tb_hits, memory_order_relaxed);
    return sum;
}

// What is told of a root move's score: what the tables know of it goes before what the search guesses, but a
// mate is a mate.
static int reported_score(const Worker *w, const RootMove *rm, int score)
{
    if (rm->tb_result == TB_NONE || score_is_mate(score))
        return score;
    return rm->tb_result == TB_WIN    ? SCORE_TB_WIN
           : rm->tb_result == TB_LOSS ? -SCORE_TB_WIN
                                      : w->engine->options.draw_score[w->root_side] + (int)rm->tb_result;
}

static void report_line(const Worker *w, const RootMove *rm, int multi_pv, int depth, int score, Bound bound)
{
    Engine *engine = w->engine;
    const SearchEvents *l = engine->listener;
    if (!l || !l->line)
        return;
    engine->reported = true;
    if (multi_pv == 1)
        engine->last_best = rm->move;
    l->line(l->context, &(SearchLine){.depth = max_int(depth, 1),
                                      .seldepth = max_int(rm->seldepth, 1),
                                      .multi_pv = multi_pv,
                                      .score = reported_score(w, rm, score),
                                      .bound = rm->tb_result == TB_NONE ? bound : BOUND_EXACT,
                                      .nodes = engine_nodes(engine),
                                      .tb_hits = engine_tb_hits(engine),
                                      .time_ms = real_elapsed_ms(engine),
                                      .hash_permille = tt_permille(engine->tt),
                                      .pv = rm->pv,
                                      .pv_nb = rm->pv_nb});
}

// All lines together; those without a score were not reached in the first iteration.
static void report_all(const Worker *w, int lines)
{
    for (int i = 0; i < lines; i++) {
        const RootMove *rm = &w->root[i];
        if (rm->score != -SCORE_INFINITE)
            report_line(w, rm, i + 1, w->root_depth - rm->is_of_last, rm->score, rm->bound);
    }
}

// ---- root moves ---------------------------------------------------------------------------------
static bool list_has(const Move *list, int nb, Move move)
{
    for (int i = 0; i < nb; i++)
        if (list[i] == move)
            return true;
    return false;
}

static void set_root_moves(Worker *w, const Limits *limits)
{
    Move all[MAX_MOVES];
    int all_nb = (int)(gen_all(&w->pos, all) - all);
    // Wanted moves, less excluded ones; a list that leaves nothing counts for nothing.
    for (int pass = 0; pass < 3; pass++) {
        w->root_nb = 0;
        for (int i = 0; i < all_nb; i++) {
            if (pass < 2 && limits->only_nb > 0 && !list_has(limits->only, limits->only_nb, all[i]))
                continue;
            if ((pass == 0 || limits->only_nb == 0) && pass < 2 &&
                list_has(limits->except, limits->except_nb, all[i]))
                continue;
            RootMove *rm = &w->root[w->root_nb++];
            rm->move = rm->pv[0] = all[i];
            rm->pv_nb = 1;
            rm->score = rm->previous_score = -SCORE_INFINITE;
            rm->average_score = SCORE_NONE;
            rm->bound = BOUND_NONE;
            rm->is_of_last = false;
            rm->seldepth = 0;
            rm->nodes = 0;
            rm->tb_rank = 0;
            rm->tb_result = TB_NONE;
        }
        w->root_is_partial = w->root_nb < all_nb;
        if (w->root_nb > 0)
            return;
    }
}

// Before the first iteration: promising moves first, so that the move that is always ready is a sensible one.
static void order_first(Worker *w)
{
    const Position *pos = &w->pos;
    TtEntry tt = tt_probe(w->engine->tt, pos_key(pos), 0);
    for (int i = 1; i < w->root_nb; i++) {
        RootMove rm = w->root[i];
        int j = i;
        for (; j > 0; j--) {
            Move a = rm.move, b = w->root[j - 1].move;
            int gain_a = a == tt.move                                 ? 1 << 20
                         : move_is_noisy(pos, a) && see_ge(pos, a, 0) ? move_gain(pos, a)
                                                                      : 0;
            int gain_b = b == tt.move                                 ? 1 << 20
                         : move_is_noisy(pos, b) && see_ge(pos, b, 0) ? move_gain(pos, b)
                                                                      : 0;
            if (gain_a <= gain_b)
                break;
            w->root[j] = w->root[j - 1];
        }
        w->root[j] = rm;
    }
}

static void rank_by_tb(Worker *w)
{
    const SearchOptions *o = &w->engine->options;
    Move moves[MAX_MOVES];
    int ranks[MAX_MOVES];
    TbResult result;
    if (!o->tablebase || pos_men(&w->pos) > min_int(o->tb_men, tb_men(o->tablebase)))
        return;
    for (int i = 0; i < w->root_nb; i++)
        moves[i] = w->root[i].move;
    if (!tb_rank_root(o->tablebase, &w->pos, &w->keys, o->tb_count_limit, moves, w->root_nb, ranks, &result))
        return;
    atomic_fetch_add_explicit(&w->tb_hits, (u64)w->root_nb, memory_order_relaxed);
    int best = ranks[0];
    for (int i = 1; i < w->root_nb; i++)
        best = max_int(best, ranks[i]);
    // Only moves as good as the best are searched: the search finds the mate among them.
    int kept = 0;
    for (int i = 0; i < w->root_nb; i++) {
        TbResult own;
        w->root[i].tb_rank = ranks[i];
        if (ranks[i] == best)
            w->root[i].tb_result = result;
        else if (o->multi_pv > 1 && tb_rank_root(o->tablebase, &w->pos, &w->keys, o->tb_count_limit,
                                                 &moves[i], 1, &ranks[i], &own))
            w->root[i].tb_result = own;
        if (w->root[i].tb_rank == best || o->multi_pv > 1)
            w->root[kept++] = w->root[i];
    }
    w->root_nb = kept;
}

// Best first: table rank, then this iteration's score; those it has not scored by the nodes they took, but
// for an iteration cut short, which leaves them in the last one's order. Stable.
static bool goes_before(const RootMove *a, const RootMove *b, bool by_nodes)
{
    if (a->tb_rank != b->tb_rank)
        return a->tb_rank > b->tb_rank;
    if (a->score != b->score)
        return a->score > b->score;
    if (a->score == -SCORE_INFINITE)
        return by_nodes && a->nodes > b->nodes;
    return a->previous_score > b->previous_score;
}

static void sort_root(Worker *w, int first, int end)
{
    const bool by_nodes = !atomic_load_explicit(&w->engine->stop, memory_order_relaxed);
    for (int i = first + 1; i < end; i++) {
        RootMove rm = w->root[i];
        int j = i;
        for (; j > first && goes_before(&rm, &w->root[j - 1], by_nodes); j--)
            w->root[j] = w->root[j - 1];
        w->root[j] = rm;
    }
}

// Several lines, cut short: what was not finished is as the last iteration left it, and all are put in order.
static void settle_lines(Worker *w)
{
    for (int i = 0; w->completed_depth > 0 && i < w->root_nb; i++) {
        RootMove *rm = &w->root[i];
        if (rm->score != -SCORE_INFINITE && rm->bound == BOUND_EXACT)
            continue;
        rm->score = rm->previous_score;
        rm->bound = BOUND_EXACT;
        rm->is_of_last = true;
    }
    sort_root(w, 0, w->root_nb);
}

// ---- mates that hold ----------------------------------------------------------------------------
static void put_first(Worker *w, const RootMove *rm)
{
    RootMove front = *rm;
    for (int i = 0; i < w->root_nb; i++)
        if (w->root[i].move == front.move) {
            front.nodes = w->root[i].nodes;
            memmove(&w->root[1], &w->root[0], (size_t)i * sizeof w->root[0]);
            w->root[0] = front;
            return;
        }
}

static void restore_last(Worker *w)
{
    if (w->completed_depth > 0) {
        put_first(w, &w->last_complete);
        w->root[0].previous_score = w->root[0].score; // as the others' of that iteration are by now
    } else
        w->root[0].score = -SCORE_INFINITE;
}

// A proven mate is never given up for a longer one, nor for none.
static void hold_mate(Worker *w)
{
    RootMove *best = &w->root[0], *proven_mate = &w->proven_mate;
    if (best->bound != BOUND_EXACT || best->score == -SCORE_INFINITE) {
        if (w->has_proven_mate)
            put_first(w, proven_mate);
        return;
    }
    int proven_plies = w->has_proven_mate ? score_mate_plies(proven_mate->score) : 0;
    bool is_better = !w->has_proven_mate;
    if (score_is_mate(best->score)) {
        int plies = score_mate_plies(best->score);
        is_better = !w->has_proven_mate || (plies > 0 && (proven_plies < 0 || plies <= proven_plies)) ||
                    (plies < 0 && proven_plies < 0 && plies >= proven_plies);
    } else if (!w->has_proven_mate)
        return;
    else
        is_better = false;
    if (is_better) {
        *proven_mate = *best;
        w->has_proven_mate = true;
        return;
    }
    put_first(w, proven_mate);
}

// ---- iterative deepening ------------------------------------------------------------------------
// The second and later lines begin with the move that was best among the rest in the last iteration: its
// score is what the window is built around.
static void expected_first(Worker *w)
{
    int best = w->pv_index;
    for (int i = best + 1; i < w->pv_last; i++)
        if (w->root[i].previous_score > w->root[best].previous_score)
            best = i;
    RootMove rm = w->root[best];
    memmove(&w->root[w->pv_index + 1], &w->root[w->pv_index], (size_t)(best - w->pv_index) * sizeof rm);
    w->root[w->pv_index] = rm;
}

// One line of one iteration: a window around the expected score, widened until the score lies inside.
static void search_window(Worker *w)
{
    Engine *engine = w->engine;
    RootMove *first = &w->root[w->pv_index];
    int alpha = -SCORE_INFINITE, beta = SCORE_INFINITE, reduced = 0;
    int expected = first->average_score;
    i64 spread = w->score_spread;
    i64 restless = spread * spread / P(w, AspirationVariance) + spread * P(w, AspirationSpread) / 100;
    int delta = P(w, AspirationStart) + (int)min_i64(restless, P(w, AspirationStartMax));
    if (P(w, UseAspiration) && w->root_depth >= P(w, AspirationDepth) && expected != SCORE_NONE &&
        abs(expected) < P(w, AspirationScoreMax)) {
        alpha = max_int(expected - delta, -SCORE_INFINITE);
        beta = min_int(expected + delta, SCORE_INFINITE);
    }
    for (;;) {
        int depth = max_int(w->root_depth - reduced, 1);
        int score = search_root(w, alpha, beta, depth);
        sort_root(w, w->pv_index, w->pv_last);
        if (atomic_load_explicit(&engine->stop, memory_order_relaxed))
            return;
        bool low = score <= alpha, high = score >= beta;
        if (w->id == 0 && engine->options.multi_pv == 1 && (low || high) &&
            real_elapsed_ms(engine) >= REPORT_QUIET_MS)
            report_line(w, &w->root[w->pv_index], w->pv_index + 1, w->root_depth, score,
                        low ? BOUND_UPPER : BOUND_LOWER);
        if (low) {
            beta = (alpha + beta) / 2;
            alpha = max_int(score - delta, -SCORE_INFINITE);
            reduced = 0;
        } else if (high) {
            beta = min_int(score + delta, SCORE_INFINITE);
            reduced = min_int(reduced + 1, P(w, AspirationReduction));
        } else
            return;
        delta += delta * P(w, AspirationGrowth) / 100 + 1;
        if (delta > P(w, AspirationMax) || score_is_mate(score)) {
            alpha = -SCORE_INFINITE;
            beta = SCORE_INFINITE;
        }
    }
}

// After a finished iteration of worker 0: is it enough?
static void decide_to_stop(Worker *w, TimeSigns *signs, int *earlier_score, Move *earlier_best)
{
    Engine *engine = w->engine;
    const RootMove *best = &w->root[0];
    const Limits *limits = &engine->limits;
    signs->stable_nb = best->move == *earlier_best ? signs->stable_nb + 1 : 0;
    *earlier_best = best->move;
    signs->score_drop = *earlier_score == SCORE_NONE ? 0 : *earlier_score - best->score;
    const int memory = P(w, TimeFallingMemory);
    *earlier_score =
        *earlier_score == SCORE_NONE ? best->score : (*earlier_score * memory + best->score) / (memory + 1);
    u64 nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed) + 1;
    signs->best_share = (int)(w->root_best_nodes * 100 / nodes);

    int mate_plies =
        score_is_mate(best->score) && best->bound == BOUND_EXACT ? abs(score_mate_plies(best->score)) : 0;
    if (limits->mate > 0 && mate_plies > 0 && mate_plies <= limits->mate)
        stop_for(engine, STOP_MATE);
    if (limits->soft_nodes > 0 && engine_nodes(engine) >= limits->soft_nodes)
        stop_for(engine, STOP_NODES);
    pthread_mutex_lock(&engine->mutex);
    TimePlan plan = engine->plan;
    pthread_mutex_unlock(&engine->mutex);
    if (!plan.limited || plan.fixed || limits->infinite)
        return;
    // Pondering counts as thinking, but time that is lost when it is not used is left to the clock.
    i64 soft = min_i64(plan.soft_ms * time_factor(engine->params, *signs) / 100, plan.hard_ms);
    bool enough =
        !plan.use_up && engine_elapsed_ms(engine) >=
                            max_i64(soft, engine->options.min_think_ms - engine->options.move_overhead_ms);
    StopReason reason = STOP_TIME;
    if (w->root_nb == 1 && w->root_depth >= P(w, TimeOneMoveDepth) && engine->options.min_think_ms == 0)
        enough = true, reason = STOP_ONE_MOVE;
    if (mate_plies > 0 && w->root_depth >= mate_plies + P(w, TimeMateExtraDepth))
        enough = true, reason = STOP_MATE;
    // While pondering there is no hurry; a hit then finds the thinking done.
    pthread_mutex_lock(&engine->mutex);
    bool pondering = atomic_load(&engine->pondering);
    engine->done_thinking = enough && pondering;
    if (enough && !pondering && reason == STOP_TIME && engine->options.round_to_second) {
        // The second that has begun is paid for: the clock ends the search with it.
        i64 used_ms = engine_elapsed_ms(engine) - engine->ponderhit_ms;
        engine->plan.hard_ms =
            min_i64(engine->plan.hard_ms, time_second_end(used_ms, engine->options.move_overhead_ms));
        enough = false;
    }
    pthread_mutex_unlock(&engine->mutex);
    if (enough && !pondering)
        stop_for(engine, reason);
}

static void iterate(Worker *w)
{
    Engine *engine = w->engine;
    // A level looks at as many lines as it weighs: more, for a listener, would cost it nodes and so strength.
    int lines = min_int(engine->skill.active ? engine->skill.lines : engine->options.multi_pv, w->root_nb);
    int max_depth = engine->limits.depth > 0 ? min_int(engine->limits.depth, MAX_PLY - 1) : MAX_PLY - 1;
    if (engine->skill.active)
        max_depth = min_int(max_depth, engine->skill.max_depth);
    TimeSigns signs = {0};
    int earlier_score = SCORE_NONE;
    Move earlier_best = MOVE_NONE;
    for (w->root_depth = 1; w->root_depth <= max_depth && !atomic_load(&engine->stop); w->root_depth++) {
        // Some helpers look a ply deeper than the others, so that they do not all do the same.
        if (w->id % 2 == 1 && w->root_depth > P(w, HelperSkipFrom) &&
            w->root_depth % P(w, HelperSkipEvery) == 0 && w->root_depth < max_depth)
            continue;
        for (int i = 0; i < w->root_nb; i++) {
            w->root[i].previous_score = w->root[i].score;
            w->root[i].score = -SCORE_INFINITE;
            w->root[i].is_of_last = false;
            w->root[i].nodes = w->root_depth == 1 ? 0 : w->root[i].nodes * (u64)P(w, RootNodesShare) / 100;
        }
        int first = 0;
        for (w->pv_index = 0; w->pv_index < lines && !atomic_load(&engine->stop); w->pv_index++) {
            if (w->pv_index == first) {
                for (w->pv_last = first + 1; w->pv_last < w->root_nb; w->pv_last++)
                    if (w->root[w->pv_last].tb_rank != w->root[first].tb_rank)
                        break;
            }
            if (w->pv_index + 1 == w->pv_last)
                first = w->pv_last;
            w->seldepth = 0;
            if (w->pv_index > 0)
                expected_first(w);
            search_window(w);
            sort_root(w, 0, w->pv_index + 1);
        }
        const bool stopped = atomic_load(&engine->stop);
        w->root_best_nodes = w->root[0].nodes;
        w->cut_short = stopped;
        if (stopped && lines > 1 && !engine->skill.active)
            settle_lines(w);
        if (!stopped)
            w->completed_depth = w->root_depth;
        // An iteration cut short before its first move was done says nothing, and proves no loss: moves it
        // did not reach may be better.
        const bool news = !stopped || w->root[0].score > -SCORE_TB_MIN;
        if (!news)
            restore_last(w);
        for (int i = 0; i < lines; i++)
            complete_mate_line(w, &w->root[i]);
        hold_mate(w);
        if (!stopped) {
            w->last_complete = w->root[0];
            int change = w->root[0].score - w->root[0].previous_score;
            change = min_int(abs(change), P(w, SpreadCap));
            const int memory = P(w, SpreadMemory);
            w->score_spread = w->root[0].previous_score == -SCORE_INFINITE
                                  ? 0
                                  : (w->score_spread * memory + change) / (memory + 1);
        }
        if (w->id != 0)
            continue;
        if (news)
            report_all(w, min_int(lines, engine->options.multi_pv));
        if (!stopped) {
            decide_to_stop(w, &signs, &earlier_score, &earlier_best);
            solver_try_line(w);
        }
    }
    w->root_depth = min_int(w->root_depth, max_depth);
    if (w->id == 0 && !atomic_load(&engine->stop))
        engine->reason = STOP_DEPTH;
}

static void *iterate_thread(void *argument)
{
    iterate(argument);
    return NULL;
}

// ---- one search ---------------------------------------------------------------------------------
static void age_histories(Worker *w)
{
    Histories *h = w->history;
    memset(h->low_ply, 0, sizeof h->low_ply);
    if (!P(w, UseAgeing))
        return;
    i16 *butterfly = &h->butterfly[0][0][0], *piece_to = &h->piece_to[0][0];
    for (size_t i = 0; i < sizeof h->butterfly / sizeof *butterfly; i++)
        butterfly[i] = (i16)(butterfly[i] * P(w, AgeingShare) / 100);
    for (size_t i = 0; i < sizeof h->piece_to / sizeof *piece_to; i++)
        piece_to[i] = (i16)(piece_to[i] * P(w, AgeingShare) / 100);
}

static bool set_up(Worker *w, const Position *pos, const KeyHistory *keys)
{
    if (!keys_copy(&w->keys, keys, MAX_PLY + 8))
        return false;
    w->pos = *pos;
    w->root_side = pos_side(pos);
    atomic_store(&w->nodes, 0);
    atomic_store(&w->tb_hits, 0);
    w->clock_countdown = 0;
    w->completed_depth = w->root_depth = w->seldepth = w->null_min_ply = 0;
    w->has_proven_mate = false;
    w->score_spread = 0;
    w->root_best_nodes = 0;
    w->counters = (Counters){0};
    // Only the nodes the last search touched need cleaning: short searches are many.
    int used = min_int(w->deepest + STACK_BEFORE + 6, (int)(sizeof w->stack / sizeof w->stack[0]));
    memset(w->stack, 0, (size_t)used * sizeof w->stack[0]);
    w->deepest = 0;
    for (int i = 0; i < used; i++) {
        w->stack[i].ply = i - STACK_BEFORE;
        w->stack[i].continuation = &w->history->continuation[0][0];
        w->stack[i].eval = w->stack[i].raw_eval = SCORE_NONE;
    }
    if (w->engine->net)
        nnue_reset(w->acc, pos);
    age_histories(w);
    return true;
}

// ---- whom to believe ----------------------------------------------------------------------------
// A bound from an iteration cut short is no opinion: it has neither a voice in the vote nor a chance to win
// it.
static bool can_vote(const Worker *w)
{
    return w->completed_depth > 0 && w->root[0].score != -SCORE_INFINITE && w->root[0].bound == BOUND_EXACT;
}

// What is proven goes before what is thought, a proven win before all, and the shortest proof first: it was
// or will be told, and nothing longer may follow it. 0: nothing is proven.
static int proof_rank(int score)
{
    if (!score_is_mate(score))
        return 0;
    return score > 0 ? 2 * MAX_PLY - score_mate_plies(score) : MAX_PLY + score_mate_plies(score);
}

static i64 votes_for(const Engine *engine, Move move, int lowest)
{
    i64 votes = 0;
    for (int i = 0; i < engine->worker_nb; i++) {
        const Worker *voter = engine->worker[i];
        if (can_vote(voter) && voter->root[0].move == move)
            votes += (i64)(voter->root[0].score - lowest + P(engine, VoteBase)) * voter->completed_depth;
    }
    return votes;
}

Worker *engine_best_worker(const Engine *engine)
{
    Worker *best = engine->worker[0];
    if (engine->worker_nb == 1 || engine->options.multi_pv > 1 || engine->limits.depth > 0 ||
        engine->skill.active)
        return best;
    int lowest = SCORE_INFINITE;
    for (int i = 0; i < engine->worker_nb; i++)
        if (can_vote(engine->worker[i]))
            lowest = min_int(lowest, engine->worker[i]->root[0].score);
    i64 best_votes = -1;
    int best_rank = 0;
    for (int i = 0; i < engine->worker_nb; i++) {
        Worker *candidate = engine->worker[i];
        if (!can_vote(candidate))
            continue;
        i64 votes = votes_for(engine, candidate->root[0].move, lowest);
        int rank = proof_rank(candidate->root[0].score);
        if (best_votes < 0 || rank > best_rank || (rank == best_rank && votes > best_votes)) {
            best = candidate;
            best_votes = votes;
            best_rank = rank;
        }
    }
    return best;
}

static void fill_result(Engine *engine, Worker *w, SearchResult *result)
{
    const RootMove *rm = &w->root[0];
    int pick = engine->skill.active ? skill_pick(w) : 0;
    rm = &w->root[pick];
    result->best = rm->move;
    // Of a search cut short, a bound is no score: but for a win, what the last iteration knew is.
    const bool is_score =
        rm->score != -SCORE_INFINITE && (rm->bound == BOUND_EXACT || rm->previous_score == -SCORE_INFINITE ||
                                         (rm->bound == BOUND_LOWER && rm->score >= SCORE_TB_MIN));
    result->score = is_score ? rm->score : rm->previous_score;
    if (result->score == -SCORE_INFINITE)
        result->score = engine_evaluate(engine, &w->pos);
    result->score = reported_score(w, rm, result->score);
    result->depth = max_int(w->completed_depth, 1);
    result->seldepth = rm->seldepth;
    result->pv_nb = rm->pv_nb;
    memcpy(result->pv, rm->pv, (size_t)rm->pv_nb * sizeof(Move));
    result->ponder = rm->pv_nb > 1 ? rm->pv[1] : MOVE_NONE;
    Position after;
    if (result->ponder == MOVE_NONE && replay_line(w, rm->pv, 1, &after)) {
        TtEntry tt = tt_probe(engine->tt, pos_key(&after), 0);
        if (tt.move != MOVE_NONE && move_is_pseudo_legal(&after, tt.move) && move_is_legal(&after, tt.move))
            result->ponder = tt.move;
    }
    // The last line a listener saw must be the move that is played.
    if (!engine->reported || w->id != 0 || engine->last_best != rm->move || pick != 0) {
        RootMove line = *rm;
        line.score = result->score;
        report_line(w, &line, 1, result->depth, result->score, is_score ? rm->bound : BOUND_EXACT);
    }
}

// Infinite and ponder searches never end alone: one that has reached its nodes or its mate still waits to be
// dismissed.
static void wait_for_leave(Engine *engine)
{
    pthread_mutex_lock(&engine->mutex);
    while (!engine->dismissed && (engine->limits.infinite || atomic_load(&engine->pondering)))
        pthread_cond_wait(&engine->wake, &engine->mutex);
    pthread_mutex_unlock(&engine->mutex);
}

// The solver has a mate: it is held from the start, and on a clock there is nothing more to think about.
static void begin_with_mate(Worker *w)
{
    Engine *engine = w->engine;
    int best = 0;
    while (!score_is_mate(w->root[best].score))
        best++;
    RootMove found = w->root[best];
    put_first(w, &found);
    w->proven_mate = w->last_complete = w->root[0];
    w->has_proven_mate = true;
    report_line(w, &w->root[0], 1, 1, w->root[0].score, BOUND_EXACT);
    pthread_mutex_lock(&engine->mutex);
    bool on_clock = engine->plan.limited && !engine->limits.infinite && !atomic_load(&engine->pondering);
    pthread_mutex_unlock(&engine->mutex);
    if (on_clock)
        stop_for(engine, STOP_MATE);
}

static void run_workers(Engine *engine)
{
    Worker *main_worker = engine->worker[0];
    // A level plays alone: with helpers the same position would not get the same move.
    int started = 1, worker_nb = engine->skill.active ? 1 : engine->worker_nb;
    for (int i = 1; i < worker_nb; i++) {
        Worker *w = engine->worker[i];
        w->root_nb = main_worker->root_nb;
        w->root_is_partial = main_worker->root_is_partial;
        memcpy(w->root, main_worker->root, (size_t)w->root_nb * sizeof *w->root);
        if (!os_thread_start(&w->thread, iterate_thread, w))
            break;
        started++;
    }
    iterate(main_worker);
    wait_for_leave(engine);
    stop_for(engine, STOP_NONE);
    for (int i = 1; i < started; i++)
        os_thread_join(engine->worker[i]->thread);
}

static void sum_counters(Engine *engine)
{
    engine->counters = (Counters){0};
    for (int i = 0; i < engine->worker_nb; i++) {
#define ADD(name) engine->counters.name += engine->worker[i]->counters.name;
        SEARCH_COUNTERS(ADD)
#undef ADD
    }
}

bool search_run(Engine *engine, const Position *pos, const KeyHistory *keys, const Limits *limits,
                const SearchEvents *listener, SearchResult *result, Message *message)
{
    *result = (SearchResult){0};
    if (!engine_prepare(engine, message))
        return false;
    pthread_mutex_lock(&engine->mutex);
    engine->limits = *limits;
    engine->listener = listener;
    engine->start_us = limits->start_us > 0 ? limits->start_us : os_now_us();
    engine->root_side = pos_side(pos);
    engine->root_ply = pos_game_ply(pos);
    engine->skill = skill_plan(engine->options.elo, pos_key(pos));
    if (engine->skill.active)
        skill_sharpen(&engine->skill, pos, max_int(engine_evaluate(engine, pos), pos_material(pos)));
    if (engine->skill.active && (limits->nodes == 0 || limits->nodes > engine->skill.nodes))
        engine->limits.nodes = engine->skill.nodes;
    if (engine->armed && engine->early_hit && engine->has_early_clocks)
        use_clocks(engine, &engine->early_clocks);
    engine->plan =
        time_plan(&engine->limits, &engine->options, engine->params, engine->root_side, engine->root_ply);
    engine->ponderhit_ms = 0;
    engine->done_thinking = false;
    engine->reason = STOP_NONE;
    engine->reported = false;
    engine->last_best = MOVE_NONE;
    if (!engine->armed) {
        atomic_store(&engine->stop, false);
        engine->dismissed = false;
    }
    atomic_store(&engine->pondering, limits->ponder && !(engine->armed && engine->early_hit));
    engine->armed = false;
    pthread_mutex_unlock(&engine->mutex);

    // Scores with errors in them are of no use to a search without, or with others.
    if (engine->skill.noise != engine->tt_noise)
        engine_new_game(engine);
    engine->tt_noise = engine->skill.noise;
    tt_age(engine->tt);
    for (int i = 0; i < engine->worker_nb; i++)
        if (!set_up(engine->worker[i], pos, keys))
            return message_set(message, "not enough memory for the game's history");
    Worker *w = engine->worker[0];
    set_root_moves(w, limits);
    if (w->root_nb == 0 || pos_can_declare(pos)) {
        wait_for_leave(engine);
        result->best = w->root_nb == 0 ? MOVE_NONE : MOVE_WIN;
        result->reason = w->root_nb == 0 ? STOP_NO_MOVE : STOP_DECLARED;
        result->score = w->root_nb > 0                                                  ? SCORE_TB_WIN
                        : pos_in_check(pos) || pos_no_move_outcome(pos) == OUTCOME_LOSS ? -SCORE_MATE
                                                                                        : SCORE_DRAW;
        result->time_ms = real_elapsed_ms(engine);
        return true;
    }
    order_first(w);
    rank_by_tb(w);
    sort_root(w, 0, w->root_nb); // several lines are searched rank by rank
    if (solver_try_root(w))
        begin_with_mate(w);
    run_workers(engine);
    sum_counters(engine);
    fill_result(engine, engine_best_worker(engine), result);
    result->nodes = engine_nodes(engine);
    result->time_ms = real_elapsed_ms(engine);
    result->reason = (StopReason)engine->reason;
    return true;
}
