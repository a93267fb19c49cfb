// SPDX-License-Identifier: GPL-3.0-or-later
// One search from its beginning to its result: the workers are set up, the helpers started, the best of them
// chosen. The calling thread is worker 0, which alone reads the clock and reports; the others only search and
// share what they find through the table.
#include "search/threads.h"

#include <stdlib.h>

#include "search/control.h"
#include "search/history.h"
#include "search/iterate.h"
#include "search/mate.h"
#include "search/report.h"
#include "search/root.h"
#include "search/worker.h"

// ---- set up -------------------------------------------------------------------------------------
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
        w->stack[i].continuation = history_no_continuation(w->history);
        w->stack[i].eval = w->stack[i].raw_eval = SCORE_NONE;
    }
    if (w->engine->net)
        nnue_reset(w->acc, pos);
    history_age(w);
    return true;
}

// ---- the vote of the threads --------------------------------------------------------------------
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

// ---- the result ---------------------------------------------------------------------------------
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

static void sum_counters(Engine *engine)
{
    engine->counters = (Counters){0};
    for (int i = 0; i < engine->worker_nb; i++) {
#define ADD(name) engine->counters.name += engine->worker[i]->counters.name;
        SEARCH_COUNTERS(ADD)
#undef ADD
    }
}

// ---- one search ---------------------------------------------------------------------------------
static void *iterate_thread(void *argument)
{
    iterate(argument);
    return NULL;
}

// The solver has a mate: it is held from the start, and on a clock there is nothing more to think about.
static void begin_with_mate(Worker *w)
{
    Engine *engine = w->engine;
    int best = 0;
    while (!score_is_mate(w->root[best].score))
        best++;
    RootMove found = w->root[best];
    root_put_first(w, &found);
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
    root_set_moves(w, limits);
    if (w->root_nb == 0 || pos_can_declare(pos)) {
        wait_for_leave(engine);
        result->best = w->root_nb == 0 ? MOVE_NONE : MOVE_WIN;
        result->reason = w->root_nb == 0 ? STOP_NO_MOVE : STOP_DECLARED;
        result->score = w->root_nb > 0                                                  ? SCORE_TB_WIN
                        : pos_in_check(pos) || pos_no_move_outcome(pos) == OUTCOME_LOSS ? -SCORE_MATE
                                                                                        : SCORE_DRAW;
        result->time_ms = engine_real_ms(engine);
        return true;
    }
    root_order_first(w);
    root_rank_by_tb(w);
    root_sort(w, 0, w->root_nb); // several lines are searched rank by rank
    if (solver_try_root(w))
        begin_with_mate(w);
    run_workers(engine);
    sum_counters(engine);
    fill_result(engine, engine_best_worker(engine), result);
    result->nodes = engine_nodes(engine);
    result->time_ms = engine_real_ms(engine);
    result->reason = (StopReason)engine->reason;
    return true;
}
