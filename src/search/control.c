// SPDX-License-Identifier: GPL-3.0-or-later
// The clock of a running search and the signals from outside: stop, ponderhit, the limits of nodes and time.
#include "search/control.h"

#include <stdlib.h>

#include "search/worker.h"

u64 engine_nodes(const Engine *engine)
{
    u64 sum = 0;
    for (int i = 0; i < engine->worker_nb; i++)
        sum += atomic_load_explicit(&engine->worker[i]->nodes, memory_order_relaxed);
    return sum;
}

i64 engine_real_ms(const Engine *engine) { return (os_now_us() - engine->start_us) / 1000; }

// On the node clock a millisecond is a number of nodes, so that timed games repeat exactly.
i64 engine_elapsed_ms(const Engine *engine)
{
    return engine->options.node_time > 0 ? (i64)engine_nodes(engine) / engine->options.node_time
                                         : engine_real_ms(engine);
}

// The first reason counts; it is there before anyone sees the stop.
void stop_for(Engine *engine, StopReason reason)
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

void use_clocks(Engine *engine, const Limits *clocks)
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

// After a finished iteration of worker 0: is it enough?
void decide_to_stop(Worker *w, TimeSigns *signs, int *earlier_score, Move *earlier_best)
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

// Infinite and ponder searches never end alone: one that has reached its nodes or its mate still waits to be
// dismissed.
void wait_for_leave(Engine *engine)
{
    pthread_mutex_lock(&engine->mutex);
    while (!engine->dismissed && (engine->limits.infinite || atomic_load(&engine->pondering)))
        pthread_cond_wait(&engine->wake, &engine->mutex);
    pthread_mutex_unlock(&engine->mutex);
}
