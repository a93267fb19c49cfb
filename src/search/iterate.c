// SPDX-License-Identifier: GPL-3.0-or-later
// Iterative deepening: one iteration after the other, each line of it in a window around the expected score.
#include "search/iterate.h"

#include <stdlib.h>

#include "search/alphabeta.h"
#include "search/mate.h"
#include "search/node.h"
#include "search/ranks.h"
#include "search/report.h"
#include "search/root.h"
#include "search/threads.h"

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
        root_sort(w, w->pv_index, w->pv_last);
        if (worker_stopped(w))
            return;
        bool low = score <= alpha, high = score >= beta;
        if (w->id == 0 && engine->options.multi_pv == 1 && (low || high) &&
            engine_real_ms(engine) >= REPORT_QUIET_MS)
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

// What worker 0 remembers from one iteration to the next, to decide whether it is enough.
typedef struct Memory {
    int score; // of the last iterations, the later ones counting more; SCORE_NONE: there was none
    Move best;
    int stable_nb;
} Memory;

// After a finished iteration of worker 0: is it enough?
static void decide_to_stop(Worker *w, Memory *memory)
{
    const RootMove *best = &w->root[0];
    const Limits *limits = &w->control->limits;
    const int weight = P(w, TimeFallingMemory);
    const u64 nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed) + 1;
    const bool is_mate = score_is_mate(best->score) && best->bound == BOUND_EXACT;
    memory->stable_nb = best->move == memory->best ? memory->stable_nb + 1 : 0;
    memory->best = best->move;
    TimeSigns signs = {
        .depth = w->root_depth,
        .mate_plies = is_mate ? abs(score_mate_plies(best->score)) : 0,
        .is_only_move = w->root_nb == 1,
        .stable_nb = memory->stable_nb,
        .score_drop = memory->score == SCORE_NONE ? 0 : memory->score - best->score,
        .best_share = (int)(w->root_best_nodes * 100 / nodes),
    };
    memory->score =
        memory->score == SCORE_NONE ? best->score : (memory->score * weight + best->score) / (weight + 1);
    if (limits->mate > 0 && signs.mate_plies > 0 && signs.mate_plies <= limits->mate)
        control_stop(w->control, STOP_MATE);
    if (limits->soft_nodes > 0 && engine_nodes(w->engine) >= limits->soft_nodes)
        control_stop(w->control, STOP_NODES);
    control_iteration(w->control, &signs, engine_elapsed_ms(w->engine));
    if (w->root_depth == 1)
        control_allow_stop(w->control);
}

// The lines of one iteration, one after the other; with tablebases rank by rank.
static void search_lines(Worker *w, int lines)
{
    for (int i = 0; i < w->root_nb; i++) {
        RootMove *rm = &w->root[i];
        rm->previous_score = rm->score;
        rm->score = -SCORE_INFINITE;
        rm->is_of_last = false;
        rm->nodes = w->root_depth == 1 ? 0 : rm->nodes * (u64)P(w, RootNodesShare) / 100;
    }
    int first = 0;
    for (w->pv_index = 0; w->pv_index < lines && !worker_stopped(w); w->pv_index++) {
        if (w->pv_index == first) {
            for (w->pv_last = first + 1; w->pv_last < w->root_nb; w->pv_last++)
                if (w->root[w->pv_last].tb_rank != w->root[first].tb_rank)
                    break;
        }
        if (w->pv_index + 1 == w->pv_last)
            first = w->pv_last;
        w->seldepth = 0;
        if (w->pv_index > 0)
            root_expect_first(w);
        search_window(w);
        root_sort(w, 0, w->pv_index + 1);
    }
}

// What an iteration, finished or cut short, leaves at the root. False when it has found nothing.
static bool settle_iteration(Worker *w, int lines, bool stopped)
{
    w->root_best_nodes = w->root[0].nodes;
    w->cut_short = stopped;
    if (stopped && lines > 1 && !w->engine->skill.active)
        root_settle_lines(w);
    if (!stopped)
        w->completed_depth = w->root_depth;
    // Cut short before its first move was done it says nothing, and proves no loss: moves it did not reach
    // may be better.
    const bool news = !stopped || w->root[0].score > -SCORE_TB_MIN;
    if (!news)
        root_restore_last(w);
    for (int i = 0; i < lines; i++)
        complete_mate_line(w, &w->root[i]);
    root_hold_mate(w);
    if (!stopped) {
        const RootMove *best = &w->root[0];
        const int change = min_int(abs(best->score - best->previous_score), P(w, SpreadCap));
        const int weight = P(w, SpreadMemory);
        w->last_complete = *best;
        w->score_spread =
            best->previous_score == -SCORE_INFINITE ? 0 : (w->score_spread * weight + change) / (weight + 1);
    }
    return news;
}

void iterate(Worker *w)
{
    Engine *engine = w->engine;
    // A level looks at as many lines as it weighs: more, for a listener, would cost it nodes and so strength.
    int lines = min_int(engine->skill.active ? engine->skill.lines : engine->options.multi_pv, w->root_nb);
    int max_depth = engine->depth_limit > 0 ? min_int(engine->depth_limit, MAX_PLY - 1) : MAX_PLY - 1;
    if (engine->skill.active)
        max_depth = min_int(max_depth, engine->skill.max_depth);
    const int rank = engine->peers ? engine->peers->rank : 0;
    Memory memory = {.score = SCORE_NONE, .best = MOVE_NONE};
    for (w->root_depth = 1; w->root_depth <= max_depth && !worker_stopped(w); w->root_depth++) {
        // Some helpers look a ply deeper than the others, so that they do not all do the same.
        if ((w->id + rank) % 2 == 1 && w->root_depth > P(w, HelperSkipFrom) &&
            w->root_depth % P(w, HelperSkipEvery) == 0 && w->root_depth < max_depth)
            continue;
        search_lines(w, lines);
        const bool stopped = worker_stopped(w), news = settle_iteration(w, lines, stopped);
        if (w->id != 0)
            continue;
        if (news)
            report_all(w, min_int(lines, engine->options.multi_pv));
        if (!stopped) {
            peers_vote(w);
            decide_to_stop(w, &memory);
            solver_try_line(w);
        }
    }
    w->root_depth = min_int(w->root_depth, max_depth);
    if (w->id == 0 && !worker_stopped(w))
        control_exhausted(w->control);
}
