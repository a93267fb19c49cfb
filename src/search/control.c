// SPDX-License-Identifier: GPL-3.0-or-later
// See control.h. Every change is made under the mutex; the atomics are there to be read without it.
#include "search/control.h"

#include "search/timeman.h"

enum { HIT_NEXT_LOOK = -1 };

// ---- the life of a request ----------------------------------------------------------------------
static void set_request(SearchControl *control, const Limits *limits, i64 arrived_us)
{
    control->limits = *limits;
    control->clocks = limits->clocks;
    control->start_us = arrived_us > 0 ? arrived_us : os_now_us();
    control->hit_ms = 0;
    control->satisfied = STOP_NONE;
    control->has_looked = false;
    atomic_store(&control->pondering, limits->ponder);
}

void control_init(SearchControl *control, const Limits *limits, i64 arrived_us)
{
    memset(control, 0, sizeof *control);
    pthread_mutex_init(&control->mutex, NULL);
    os_cond_init(&control->changed);
    set_request(control, limits, arrived_us);
}

void control_free(SearchControl *control)
{
    pthread_cond_destroy(&control->changed);
    pthread_mutex_destroy(&control->mutex);
}

void control_set_poll(SearchControl *control, void (*poll)(void *context), void *context)
{
    control->poll = poll;
    control->poll_context = context;
}

// Lets signals in that no other thread can bring. The mutex is not held.
static void ask_outside(const SearchControl *control)
{
    if (control->poll)
        control->poll(control->poll_context);
}

void control_renew(SearchControl *control, const Limits *limits)
{
    pthread_mutex_lock(&control->mutex);
    set_request(control, limits, 0);
    atomic_store(&control->stop, false);
    atomic_store(&control->reason, control->is_released ? STOP_COMMAND : STOP_NONE);
    pthread_mutex_unlock(&control->mutex);
}

void control_forget(SearchControl *control)
{
    pthread_mutex_lock(&control->mutex);
    atomic_store(&control->stop, false);
    atomic_store(&control->reason, STOP_NONE);
    control->is_released = false;
    pthread_mutex_unlock(&control->mutex);
}

// ---- signals ------------------------------------------------------------------------------------
// The reason is there before anyone sees the stop. The mutex is held.
static void stop_now(SearchControl *control, StopReason reason)
{
    if (atomic_load(&control->reason) == STOP_NONE)
        atomic_store(&control->reason, (int)reason);
    if (reason != STOP_COMMAND || control->has_looked)
        atomic_store(&control->stop, true);
}

void control_stop(SearchControl *control, StopReason reason)
{
    pthread_mutex_lock(&control->mutex);
    control->is_released |= reason == STOP_COMMAND;
    stop_now(control, reason);
    pthread_cond_broadcast(&control->changed);
    pthread_mutex_unlock(&control->mutex);
}

static void make_plan(SearchControl *control)
{
    const TimeFrame *f = &control->frame;
    control->plan = time_plan(&control->clocks, control->limits.move_time_ms, f->options, f->params, f->side,
                              f->game_ply);
}

// What it thought while it pondered was enough: by the old clocks, if these are still the clocks, or by
// proof.
static bool is_satisfied(const SearchControl *control, bool clocks_are_fresh)
{
    if (control->satisfied == STOP_TIME)
        return !clocks_are_fresh;
    return control->satisfied != STOP_NONE && control->plan.limited && !control->plan.fixed;
}

void control_ponderhit(SearchControl *control, const Clocks *fresh)
{
    pthread_mutex_lock(&control->mutex);
    if (atomic_load(&control->pondering)) {
        const struct SearchOptions *options = control->frame.options;
        if (fresh)
            control->clocks = *fresh;
        control->hit_ms =
            options && options->node_time > 0 ? HIT_NEXT_LOOK : (os_now_us() - control->start_us) / 1000;
        if (options)
            make_plan(control);
        atomic_store(&control->pondering, false);
        if (options && is_satisfied(control, fresh != NULL))
            stop_now(control, control->satisfied);
        pthread_cond_broadcast(&control->changed);
    }
    pthread_mutex_unlock(&control->mutex);
}

bool control_is_stopped(const SearchControl *control)
{
    ask_outside(control);
    return atomic_load_explicit(&control->reason, memory_order_relaxed) != STOP_NONE;
}

bool control_has_clock(SearchControl *control)
{
    pthread_mutex_lock(&control->mutex);
    const Clocks *clocks = &control->clocks;
    bool has_clock = clocks->has_clock[0] || clocks->has_clock[1] || clocks->byoyomi_ms > 0;
    pthread_mutex_unlock(&control->mutex);
    return has_clock;
}

// The mutex is held.
static bool is_endless(const SearchControl *control)
{
    return !control->is_released && (control->limits.infinite || atomic_load(&control->pondering));
}

bool control_is_endless(SearchControl *control)
{
    pthread_mutex_lock(&control->mutex);
    bool endless = is_endless(control);
    pthread_mutex_unlock(&control->mutex);
    return endless;
}

// In the place of a condition that nobody could signal. The mutex is held.
static void wait_by_asking(SearchControl *control)
{
    enum { ASK_AGAIN_MS = 5 };
    pthread_mutex_unlock(&control->mutex);
    os_sleep_ms(ASK_AGAIN_MS);
    ask_outside(control);
    pthread_mutex_lock(&control->mutex);
}

bool control_wait_release(SearchControl *control)
{
    bool waited = false;
    pthread_mutex_lock(&control->mutex);
    while (is_endless(control)) {
        waited = true;
        if (control->poll)
            wait_by_asking(control);
        else
            pthread_cond_wait(&control->changed, &control->mutex);
    }
    pthread_mutex_unlock(&control->mutex);
    return waited;
}

// ---- the clock of a search ----------------------------------------------------------------------
void control_begin(SearchControl *control, TimeFrame frame)
{
    pthread_mutex_lock(&control->mutex);
    control->frame = frame;
    make_plan(control);
    if (frame.options->node_time > 0)
        control->hit_ms = 0; // a hit that came before: no nodes had been searched
    pthread_mutex_unlock(&control->mutex);
}

void control_end(SearchControl *control)
{
    pthread_mutex_lock(&control->mutex);
    control->frame = (TimeFrame){0};
    pthread_mutex_unlock(&control->mutex);
}

TimePlan control_plan(SearchControl *control)
{
    pthread_mutex_lock(&control->mutex);
    TimePlan plan = control->plan;
    pthread_mutex_unlock(&control->mutex);
    return plan;
}

// How long the clock has been running. The mutex is held.
static i64 used_ms(SearchControl *control, i64 elapsed_ms)
{
    if (control->hit_ms == HIT_NEXT_LOOK)
        control->hit_ms = elapsed_ms;
    return elapsed_ms - control->hit_ms;
}

static bool is_late(SearchControl *control, i64 elapsed_ms, int percent)
{
    const TimePlan *plan = &control->plan;
    if (!plan->limited || atomic_load(&control->pondering))
        return false;
    return (plan->fixed ? elapsed_ms : used_ms(control, elapsed_ms)) * 100 >= plan->hard_ms * percent;
}

bool control_is_late(SearchControl *control, i64 elapsed_ms, int percent)
{
    pthread_mutex_lock(&control->mutex);
    bool late = is_late(control, elapsed_ms, percent);
    pthread_mutex_unlock(&control->mutex);
    return late;
}

// A stop that came before the first look counts from here on. The mutex is held.
static void allow_stop(SearchControl *control)
{
    control->has_looked = true;
    if (atomic_load(&control->reason) != STOP_NONE)
        atomic_store(&control->stop, true);
}

void control_look(SearchControl *control, i64 elapsed_ms)
{
    ask_outside(control);
    pthread_mutex_lock(&control->mutex);
    if (!control->has_looked)
        allow_stop(control);
    if (is_late(control, elapsed_ms, 100))
        stop_now(control, STOP_TIME);
    pthread_mutex_unlock(&control->mutex);
}

void control_allow_stop(SearchControl *control)
{
    pthread_mutex_lock(&control->mutex);
    allow_stop(control);
    pthread_mutex_unlock(&control->mutex);
}

void control_iteration(SearchControl *control, const TimeSigns *signs, i64 elapsed_ms)
{
    pthread_mutex_lock(&control->mutex);
    TimePlan *plan = &control->plan;
    const SearchOptions *options = control->frame.options;
    const bool pondering = atomic_load(&control->pondering);
    StopReason reason = STOP_NONE;
    if (!control->limits.infinite && !plan->fixed && (plan->limited || pondering))
        reason = time_verdict(plan, options, control->frame.params, signs, elapsed_ms);
    // While pondering there is no hurry; a hit then finds the thinking done. What was proven stays so.
    if (control->satisfied != STOP_MATE)
        control->satisfied = pondering ? reason : STOP_NONE;
    if (reason == STOP_TIME && !pondering && options->round_to_second)
        // The second that has begun is paid for: the clock ends the search with it.
        plan->hard_ms =
            min_i64(plan->hard_ms, time_second_end(used_ms(control, elapsed_ms), options->move_overhead_ms));
    else if (reason != STOP_NONE && !pondering)
        stop_now(control, reason);
    pthread_mutex_unlock(&control->mutex);
}

void control_proven(SearchControl *control)
{
    pthread_mutex_lock(&control->mutex);
    if (!control->limits.infinite && atomic_load(&control->pondering))
        control->satisfied = STOP_MATE;
    else if (!control->limits.infinite && control->plan.limited)
        stop_now(control, STOP_MATE);
    pthread_mutex_unlock(&control->mutex);
}

void control_exhausted(SearchControl *control)
{
    pthread_mutex_lock(&control->mutex);
    if (atomic_load(&control->reason) == STOP_NONE)
        atomic_store(&control->reason, STOP_DEPTH);
    pthread_mutex_unlock(&control->mutex);
}

bool control_restart(SearchControl *control)
{
    pthread_mutex_lock(&control->mutex);
    bool restarts = atomic_load(&control->reason) == STOP_TB_LOST;
    if (restarts) {
        control->has_looked = false;
        control->satisfied = STOP_NONE;
        atomic_store(&control->stop, false);
        atomic_store(&control->reason, control->is_released ? STOP_COMMAND : STOP_NONE);
    }
    pthread_mutex_unlock(&control->mutex);
    return restarts;
}

void control_finish(SearchControl *control) { atomic_store(&control->stop, true); }
