// SPDX-License-Identifier: GPL-3.0-or-later
// One game between two programs: clocks, the rules (the project's own, nobody else's), adjudication, and a
// report of how it ended.
#ifndef TWOFOLD_ARENA_REFEREE_H
#define TWOFOLD_ARENA_REFEREE_H

#include "arena/openings.h"
#include "arena/seat_process.h"
#include "games/record.h"

enum { CONCURRENCY_MAX = 256 }; // games at once

// Ends games early on agreement of the scores; 0 moves or plies: not done.
typedef struct Adjudication {
    int win_cp, win_moves; // one side sees at least this, the other as little, for so many moves each
    int draw_cp, draw_moves,
        draw_from_ply; // both see no more than this for so many moves each, from that ply on
    int max_plies;     // a draw after so many plies
} Adjudication;

// Own moves in a row with such a score, by side: what adjudication goes by.
typedef struct Streaks {
    int winning[SIDE_NB], losing[SIDE_NB], drawish[SIDE_NB];
} Streaks;
// A move was made with this score (own view, SCORE_NONE when it was not told), the game's ply being `ply`
// after it.
void streaks_add(Streaks *streaks, const Adjudication *adjudication, int side, int score, int ply);
// NULL while the game goes on; else why it ends, *winner being a side or -1 for a draw.
const char *streaks_verdict(const Streaks *streaks, const Adjudication *adjudication, int ply, int *winner);

// What a side did in a game.
typedef struct SideReport {
    i64 time_us;
    int moves;
    i64 depth_sum; // over the moves of which it told the depth
    int depth_nb;
    u64 nodes;
} SideReport;

typedef enum Ending {
    ENDING_RULES,
    ENDING_RESIGNED,
    ENDING_ADJUDICATED,
    ENDING_FAULT,
    ENDING_ABANDONED
} Ending;

typedef struct GameReport {
    int points[SIDE_NB]; // half points
    Ending ending;
    Fault fault; // ENDING_FAULT: what, and by which side
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
