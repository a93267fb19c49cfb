// SPDX-License-Identifier: GPL-3.0-or-later
// Stop, ponderhit and the clock: a request as a thing of its own, searches that get signals from other
// threads, and many of both at random.
#include "search/control.h"

#include "search/timeman.h"
#include "search_helpers.h"

static const Clocks NO_CLOCKS;
static const Clocks CLOCKS = {.time_ms = {60000, 60000}, .has_clock = {true, true}};

// ---- the request alone --------------------------------------------------------------------------
typedef struct Request {
    SearchControl control;
    SearchOptions options;
    Params params;
} Request;

// A request whose search has begun.
static void begin(Request *request, Limits limits)
{
    request->options = search_options_default();
    request->params = params_default();
    control_init(&request->control, &limits, 0);
    control_begin(&request->control, (TimeFrame){.options = &request->options, .params = &request->params});
}

static bool is_stopping(Request *request) { return atomic_load(&request->control.stop); }

static int reason_of(Request *request) { return atomic_load(&request->control.reason); }

static void check_reasons(void)
{
    Request request;
    CASE("the first reason to stop stays");
    begin(&request, (Limits){.nodes = 100});
    CHECK(!control_is_stopped(&request.control) && !is_stopping(&request));
    control_stop(&request.control, STOP_NODES);
    control_stop(&request.control, STOP_COMMAND);
    control_exhausted(&request.control);
    CHECK(control_is_stopped(&request.control) && is_stopping(&request));
    CHECK_INT(reason_of(&request), STOP_NODES);
    control_free(&request.control);

    CASE("a stop from outside waits until a move was looked at, and no longer");
    begin(&request, (Limits){.infinite = true});
    control_stop(&request.control, STOP_COMMAND);
    CHECK(control_is_stopped(&request.control) && !is_stopping(&request));
    control_look(&request.control, 0);
    CHECK(is_stopping(&request));
    CHECK_INT(reason_of(&request), STOP_COMMAND);
    CHECK(!control_wait_release(&request.control));

    CASE("for another search of the same request a stop from outside stays, others do not");
    control_renew(&request.control, &(Limits){.depth = 3});
    CHECK(control_is_stopped(&request.control) && !is_stopping(&request));
    control_forget(&request.control);
    control_stop(&request.control, STOP_TIME);
    control_renew(&request.control, &(Limits){.depth = 3});
    CHECK(!control_is_stopped(&request.control) && !is_stopping(&request));
    control_free(&request.control);
}

static void check_hits(void)
{
    Request request;
    const TimeSigns thin = {.depth = 3}, mate = {.depth = 20, .mate_plies = 5};
    CASE("a ponderhit brings the clock into force");
    begin(&request, (Limits){.ponder = true, .clocks = CLOCKS});
    CHECK(!control_is_late(&request.control, 100000000, 100));
    control_ponderhit(&request.control, NULL);
    CHECK(!is_stopping(&request) && control_is_late(&request.control, 100000000, 100));
    control_look(&request.control, 100000000);
    CHECK_INT(reason_of(&request), STOP_TIME);
    control_free(&request.control);

    CASE("thought long enough while pondering: a hit ends it, but not one with other clocks");
    for (int with_clocks = 0; with_clocks < 2; with_clocks++) {
        begin(&request, (Limits){.ponder = true, .clocks = CLOCKS});
        control_allow_stop(&request.control);
        control_iteration(&request.control, &thin, 100000000);
        CHECK(!is_stopping(&request));
        control_ponderhit(&request.control, with_clocks ? &CLOCKS : NULL);
        CHECK_INT(is_stopping(&request), !with_clocks);
        control_free(&request.control);
    }

    CASE("a mate proven while pondering ends the search at the hit, wherever the clocks come from");
    for (int with_clocks = 0; with_clocks < 2; with_clocks++)
        for (int early = 0; early < 2; early++) {
            begin(&request, (Limits){.ponder = true, .clocks = with_clocks ? NO_CLOCKS : CLOCKS});
            if (early)
                control_proven(&request.control);
            control_iteration(&request.control, early ? &thin : &mate, 10);
            CHECK(!is_stopping(&request));
            control_ponderhit(&request.control, with_clocks ? &CLOCKS : NULL);
            CHECK(is_stopping(&request));
            CHECK_INT(reason_of(&request), STOP_MATE);
            control_free(&request.control);
        }

    CASE("without a clock even a mate does not end it, nor when it is infinite");
    for (int infinite = 0; infinite < 2; infinite++) {
        begin(&request, (Limits){.ponder = true, .infinite = infinite, .depth = 30});
        control_iteration(&request.control, &mate, 10);
        control_ponderhit(&request.control, infinite ? &CLOCKS : NULL);
        CHECK(!is_stopping(&request));
        control_free(&request.control);
    }

    CASE("a hit is meant for one that ponders, once");
    begin(&request, (Limits){.clocks = CLOCKS});
    control_ponderhit(&request.control, &(Clocks){.time_ms = {1, 1}, .has_clock = {true, true}});
    CHECK_INT(request.control.clocks.time_ms[0], CLOCKS.time_ms[0]);
    control_free(&request.control);
}

// ---- signals from other threads -----------------------------------------------------------------
// When all is searched, and only then, a stop comes after a while.
typedef struct LateStop {
    Signal signal;
    i64 settled_ms;
} LateStop;

static void stop_after_settling(void *context)
{
    LateStop *late = context;
    late->settled_ms = os_now_ms();
    CHECK(os_thread_start(&late->signal.thread, signal_stop, &late->signal));
}

static SearchResult check_settled(Engine *engine, const Position *pos, Limits limits)
{
    SearchControl control;
    LateStop late = {.signal = {.control = &control, .after_ms = 30}};
    control_init(&control, &limits, 0);
    SearchResult r = run_controlled(engine, pos, &control,
                                    &(SearchEvents){.context = &late, .settled = stop_after_settling});
    CHECK(late.settled_ms > 0 && os_now_ms() - late.settled_ms >= 29 && r.waited && r.best != MOVE_NONE);
    if (late.settled_ms > 0)
        os_thread_join(late.signal.thread);
    control_free(&control);
    return r;
}

static void check_signals(void)
{
    Engine *engine = engine_new(4);
    Position start = position_of(GAME_START);
    CASE("an infinite search ends by stop alone, even when there is nothing left to do");
    check_settled(engine, &start, (Limits){.infinite = true, .depth = 1});
    SearchResult r;
    CASE("nodes used up, or a level's share of them, do not end it either");
    for (int elo = 0; elo <= skill_range().min_elo; elo += skill_range().min_elo) {
        Limits limits = {.infinite = elo == 0, .ponder = elo > 0, .nodes = 100, .elo = elo};
        r = check_settled(engine, &start, limits);
        CHECK(r.nodes <= 100);
    }
    CASE("byoyomi is used up even when the best move is clear");
    r = run(engine, &start, (Limits){.clocks.byoyomi_ms = 200}, NULL);
    CHECK_THAT(r.time_ms >= 185, "%lld ms", (long long)r.time_ms);
    CASE("pondering ends by ponderhit and the clock");
    i64 start_ms = os_now_ms();
    Limits limits = {.ponder = true, .clocks = {.time_ms = {300, 300}, .has_clock = {true, true}}};
    r = run_signalled(engine, &start, limits, true, NULL);
    CHECK_THAT(os_now_ms() - start_ms >= 59 && r.time_ms < (test_is_slow() ? 2000 : 500), "%lld ms",
               (long long)r.time_ms);
    engine_free(engine);
}

// ---- signals without other threads --------------------------------------------------------------
// Stops, or hits, the request the so-manieth time it is asked.
typedef struct Asked {
    SearchControl *control;
    int asked_nb, answer_at;
    bool hits;
} Asked;

static void answer_when_asked(void *context)
{
    Asked *asked = context;
    if (++asked->asked_nb != asked->answer_at)
        return;
    if (asked->hits)
        control_ponderhit(asked->control, NULL);
    else
        control_stop(asked->control, STOP_COMMAND);
}

static SearchResult run_asking(Engine *engine, Limits limits, Asked *asked)
{
    Position start = position_of(GAME_START);
    SearchControl control;
    control_init(&control, &limits, 0);
    control_set_poll(&control, answer_when_asked, asked);
    asked->control = &control;
    SearchResult r = run_controlled(engine, &start, &control, NULL);
    control_free(&control);
    return r;
}

static void check_polls(void)
{
    Engine *engine = engine_new(4);
    CASE("a search asks for signals with its clock, and a stop that comes so ends it");
    Asked asked = {.answer_at = 20};
    SearchResult r = run_asking(engine, (Limits){.infinite = true}, &asked);
    CHECK_INT(r.reason, STOP_COMMAND);
    CHECK_INT(asked.asked_nb, 20);
    CHECK_THAT(r.best != MOVE_NONE && r.nodes <= 21 * PARAM_ClockNodes, "%llu nodes",
               (unsigned long long)r.nodes);
    CASE("while it waits to be released it asks on, whatever is to release it");
    for (int hits = 0; hits < 2; hits++) {
        asked = (Asked){.answer_at = 30, .hits = hits};
        r = run_asking(engine, (Limits){.infinite = !hits, .ponder = hits, .depth = 1}, &asked);
        CHECK(r.waited && r.best != MOVE_NONE);
        CHECK_INT(asked.asked_nb, 30);
    }
    engine_free(engine);
}

static bool says_no(void *context)
{
    ++*(int *)context;
    return true;
}

static void check_early_signals(void)
{
    Engine *engine = engine_new(4);
    Position start = position_of(GAME_START);
    SearchControl control;
    CASE("a stop sent before the search has begun is not lost, and moves are looked at all the same");
    control_init(&control, &(Limits){.infinite = true}, 0);
    control_stop(&control, STOP_COMMAND);
    SearchResult r = run_controlled(engine, &start, &control, NULL);
    CHECK(r.best != MOVE_NONE && !r.waited);
    CHECK_INT(r.reason, STOP_COMMAND);
    CHECK_THAT(r.nodes >= 20 && r.nodes <= PARAM_ClockNodes + 1, "%llu nodes", (unsigned long long)r.nodes);
    control_free(&control);
    CASE("the move played after such a stop is the one that looks best, not the first of the list");
    Rng rng = {5};
    int first_nb = 0, searched_nb = 0;
    for (int i = 0; i < 40; i++) {
        Position pos;
        Move list[MAX_MOVES];
        if (!random_position(&rng, 10 + i, &pos) || pos_can_declare(&pos))
            continue;
        gen_all(&pos, list);
        engine_new_game(engine);
        control_init(&control, &(Limits){.infinite = true}, 0);
        control_stop(&control, STOP_COMMAND);
        r = run_controlled(engine, &pos, &control, NULL);
        searched_nb += r.nodes > 0;
        first_nb += r.best == list[0];
        control_free(&control);
    }
    CHECK_THAT(searched_nb >= 20 && first_nb * 2 < searched_nb, "%d searched, %d first", searched_nb,
               first_nb);
    CASE("a ponderhit that comes before the search begins counts, and so do its clocks");
    control_init(&control, &(Limits){.ponder = true}, 0);
    control_ponderhit(&control, &(Clocks){.time_ms = {200, 200}, .has_clock = {true, true}});
    CHECK(control_has_clock(&control));
    r = run_controlled(engine, &start, &control, NULL);
    CHECK(r.best != MOVE_NONE && r.reason == STOP_TIME);
    control_free(&control);
    CASE("a listener that is asked with the clock can end the search");
    int asked = 0;
    r = run(engine, &start, (Limits){.depth = 30}, &(SearchEvents){.context = &asked, .poll = says_no});
    CHECK_INT(r.reason, STOP_COMMAND);
    CHECK(asked >= 1 && r.nodes <= 4 * PARAM_ClockNodes);
    engine_free(engine);
}

// ---- at random ----------------------------------------------------------------------------------
// Two threads send what they like to whatever request is the current one; a third searches. Each search ends,
// by what was sent or by its limits.
typedef struct Storm {
    Mutex mutex;
    SearchControl *current; // NULL: none
    atomic_bool is_over;
} Storm;

typedef struct Sender {
    Storm *storm;
    u64 seed;
    Thread thread;
} Sender;

static void *send_signals(void *argument)
{
    Sender *sender = argument;
    Storm *storm = sender->storm;
    Rng rng = {sender->seed};
    while (!atomic_load(&storm->is_over)) {
        u32 kind = rng_below(&rng, 4);
        pthread_mutex_lock(&storm->mutex);
        if (storm->current && kind == 0)
            control_stop(storm->current, STOP_COMMAND);
        if (storm->current && kind == 1)
            control_ponderhit(storm->current, NULL);
        if (storm->current && kind == 2)
            control_ponderhit(storm->current, &(Clocks){.time_ms = {50, 50}, .has_clock = {true, true}});
        pthread_mutex_unlock(&storm->mutex);
        os_sleep_ms(rng_below(&rng, 3));
    }
    return NULL;
}

static Limits storm_limits(Rng *rng)
{
    Limits limits = {.infinite = rng_below(rng, 4) == 0, .ponder = rng_below(rng, 2) == 0};
    switch (rng_below(rng, 4)) {
    case 0: limits.depth = 1 + (int)rng_below(rng, 6); break;
    case 1: limits.nodes = 1 + rng_below(rng, 5000); break;
    case 2: limits.move_time_ms = 1 + rng_below(rng, 10); break;
    default: limits.clocks = (Clocks){.time_ms = {100, 100}, .has_clock = {true, true}}; break;
    }
    return limits;
}

static void set_current(Storm *storm, SearchControl *control)
{
    pthread_mutex_lock(&storm->mutex);
    storm->current = control;
    pthread_mutex_unlock(&storm->mutex);
}

static void check_storm(int threads)
{
    enum { SENDERS = 2 };
    CASE("signals at random from two threads: each search has its answer, threads: %d", threads);
    Engine *engine = engine_new(2);
    Message message;
    Storm storm = {0};
    Sender sender[SENDERS];
    Rng rng = {99};
    CHECK(engine_set_threads(engine, threads, &message));
    pthread_mutex_init(&storm.mutex, NULL);
    for (int i = 0; i < SENDERS; i++) {
        sender[i] = (Sender){.storm = &storm, .seed = (u64)(7 + i)};
        CHECK(os_thread_start(&sender[i].thread, send_signals, &sender[i]));
    }
    for (int i = 0; i < (test_is_light() ? 40 : 200); i++) {
        Position pos;
        if (!random_position(&rng, 6 + i % 30, &pos) || pos_can_declare(&pos))
            continue;
        SearchControl control;
        Limits limits = storm_limits(&rng);
        control_init(&control, &limits, 0);
        set_current(&storm, &control);
        SearchResult r = run_controlled(engine, &pos, &control, NULL);
        set_current(&storm, NULL);
        CHECK(is_listed(&pos, r.best) && r.reason != STOP_NONE);
        CHECK(!limits.infinite || control.is_released);
        control_free(&control);
    }
    atomic_store(&storm.is_over, true);
    for (int i = 0; i < SENDERS; i++)
        os_thread_join(sender[i].thread);
    pthread_mutex_destroy(&storm.mutex);
    engine_free(engine);
}

void test_control(void)
{
    check_reasons();
    check_hits();
    check_signals();
    check_polls();
    check_early_signals();
    check_storm(1);
    check_storm(3);
}
