// SPDX-License-Identifier: GPL-3.0-or-later
// An engine of this process in a seat: trusted, given the same limits for every move, and stopped from
// outside at any time.
#ifndef TWOFOLD_ARENA_SEAT_ENGINE_H
#define TWOFOLD_ARENA_SEAT_ENGINE_H

#include "arena/playgame.h"

typedef struct SeatEngine {
    Engine *engine;
    Limits limits; // of each move
    SearchControl control;
    atomic_bool is_stopped;
} SeatEngine;

// Takes the engine over (NULL: none, when there was no memory for one). Free it in any case.
void seat_engine_init(SeatEngine *seat, Engine *engine);
void seat_engine_free(SeatEngine *seat);
// Ends what it thinks about, and it gives up from here on; from any thread.
void seat_engine_stop(SeatEngine *seat);
bool seat_engine_is_stopped(const SeatEngine *seat);
// The seat of an engine. A new game empties the engine's table, unless the caller takes new_game out. An
// engine may have both seats.
Seat seat_of_engine(SeatEngine *seat);

#endif
