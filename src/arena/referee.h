// SPDX-License-Identifier: GPL-3.0-or-later
// One game between two programs: clocks, the rules (the project's own, nobody else's), adjudication, and a
// report of how it ended.
#ifndef TWOFOLD_ARENA_REFEREE_H
#define TWOFOLD_ARENA_REFEREE_H

#include "arena/adjudicate.h"
#include "arena/openings.h"
#include "arena/seat_process.h"
#include "games/record.h"

enum { CONCURRENCY_MAX = 256 }; // games at once

// What a side did in a game.
typedef struct SideReport {
    i64 time_us;
    int moves;
    i64 depth_sum; // over the moves of which it told the depth
    int depth_nb;
    u64 nodes;
} SideReport;

typedef struct GameReport {
    int points[SIDE_NB]; // half points
    EndKind end;
    Fault fault; // END_FAULT: what, and by which side
    int fault_side;
    char word[24]; // how it ended, for counting: a rule's name, "resignation", "adjudication" or the fault's
    char reason[256]; // the same in full
    int plies;        // moves of the engines
    SideReport side[SIDE_NB];
    Record record;
} GameReport;

// Plays it. The record (moves with score, depth and time as comments; no tags) is the caller's to free.
void referee_play(SeatProcess *const seat[SIDE_NB], const Opening *opening, const Adjudication *adjudication,
                  GameReport *report);

#endif
