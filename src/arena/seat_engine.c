// SPDX-License-Identifier: GPL-3.0-or-later
// An engine of this process as one who plays: a search for each move, with the limits of the seat. A stop
// from outside ends the search in progress, and every later one at once; the seat then gives up instead of
// playing what an unfinished search left.
#include "arena/seat_engine.h"

void seat_engine_init(SeatEngine *seat, Engine *engine)
{
    *seat = (SeatEngine){.engine = engine};
    control_init(&seat->control, &seat->limits, 0);
}

void seat_engine_free(SeatEngine *seat)
{
    engine_free(seat->engine);
    control_free(&seat->control);
}

void seat_engine_stop(SeatEngine *seat)
{
    atomic_store(&seat->is_stopped, true);
    control_stop(&seat->control, STOP_COMMAND);
}

bool seat_engine_is_stopped(const SeatEngine *seat)
{
    return atomic_load_explicit(&seat->is_stopped, memory_order_relaxed);
}

static bool new_game(void *self, const Game *game, Fault *fault, Message *message)
{
    (void)game;
    (void)fault;
    (void)message;
    engine_new_game(((SeatEngine *)self)->engine);
    return true;
}

static bool think(void *self, const Game *game, const Clock *clock, Thought *thought, Message *message)
{
    SeatEngine *seat = self;
    SearchResult found;
    i64 start_us = os_now_us();
    (void)clock;
    control_renew(&seat->control, &seat->limits);
    if (!search_run(seat->engine, game, &seat->control, NULL, &found, message) ||
        seat_engine_is_stopped(seat))
        return false;
    *thought = (Thought){.move = found.best,
                         .score = found.score,
                         .depth = found.depth,
                         .nodes = found.nodes,
                         .elapsed_us = os_now_us() - start_us};
    return true;
}

Seat seat_of_engine(SeatEngine *seat) { return (Seat){.self = seat, .new_game = new_game, .think = think}; }
