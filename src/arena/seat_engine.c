// SPDX-License-Identifier: GPL-3.0-or-later
// A search for each move.
#include "arena/seat_engine.h"

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
    if (!search_to_limits(seat->engine, &game->pos, &game->keys, &seat->limits, NULL, &found, message))
        return false;
    *thought = (Thought){.move = found.best,
                         .score = found.score,
                         .depth = found.depth,
                         .nodes = found.nodes,
                         .elapsed_us = os_now_us() - start_us};
    return true;
}

Seat seat_of_engine(SeatEngine *seat) { return (Seat){.self = seat, .new_game = new_game, .think = think}; }
