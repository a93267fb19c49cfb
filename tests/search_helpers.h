// SPDX-License-Identifier: GPL-3.0-or-later
// What the suites of the search share: searches without a past, a watch over the lines they tell, and
// positions from the end of random games.
#ifndef TWOFOLD_TEST_SEARCH_HELPERS_H
#define TWOFOLD_TEST_SEARCH_HELPERS_H

#include "helpers.h"
#include "search/mate.h"
#include "search/worker.h"

static inline SearchResult run(Engine *engine, const Position *pos, Limits limits, const SearchEvents *events)
{
    return search_of(engine, pos, limits, events);
}

// A search as its control has it.
static inline SearchResult run_controlled(Engine *engine, const Position *pos, SearchControl *control,
                                          const SearchEvents *events)
{
    Game game = {0};
    SearchResult result = {0};
    Message message = {0};
    game_start(&game, pos);
    CHECK_THAT(search_run(engine, &game, control, events, &result, &message), "%s", message.text);
    game_free(&game);
    return result;
}

// The position `back` plies before the end of a random game that ended in mate.
static inline void before_mate(Rng *rng, int back, Position *pos)
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

// ---- the lines of a search ----------------------------------------------------------------------
typedef struct LineCheck {
    Position root;
    int lines, last_multi_pv, last_score;
    Move last_best;
} LineCheck;

static inline void check_line(void *context, const SearchLine *line)
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

// Both ways to tell a signal from another thread after a while.
typedef struct Signal {
    SearchControl *control;
    int after_ms;
    Thread thread;
} Signal;

static inline void *signal_stop(void *argument)
{
    Signal *signal = argument;
    os_sleep_ms(signal->after_ms);
    control_stop(signal->control, STOP_COMMAND);
    return NULL;
}

static inline void *signal_hit(void *argument)
{
    Signal *signal = argument;
    os_sleep_ms(signal->after_ms);
    control_ponderhit(signal->control, NULL);
    return NULL;
}

// A search that is stopped (or, when it ponders, hit) after a while.
static inline SearchResult run_signalled(Engine *engine, const Position *pos, Limits limits, bool by_hit,
                                         const SearchEvents *events)
{
    SearchControl control;
    control_init(&control, &limits, 0);
    Signal signal = {.control = &control, .after_ms = test_is_slow() ? 600 : 60};
    CHECK(os_thread_start(&signal.thread, by_hit ? signal_hit : signal_stop, &signal));
    SearchResult result = run_controlled(engine, pos, &control, events);
    os_thread_join(signal.thread);
    control_free(&control);
    return result;
}

#endif
