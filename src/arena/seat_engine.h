// SPDX-License-Identifier: GPL-3.0-or-later
// An engine of this process in a seat: trusted, and given the same limits for every move.
#ifndef TWOFOLD_ARENA_SEAT_ENGINE_H
#define TWOFOLD_ARENA_SEAT_ENGINE_H

#include "arena/playgame.h"

typedef struct SeatEngine {
    Engine *engine; // the caller's
    Limits limits;  // of each move
} SeatEngine;

// The seat of an engine. A new game empties the engine's table, unless the caller takes new_game out. An
// engine may have both seats.
Seat seat_of_engine(SeatEngine *seat);

#endif
