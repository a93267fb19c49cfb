// SPDX-License-Identifier: GPL-3.0-or-later
// One game of a match, between two programs, and the report of it: who did what, how it ended in words, and
// the record.
#ifndef TWOFOLD_ARENA_MATCH_GAME_H
#define TWOFOLD_ARENA_MATCH_GAME_H

#include "arena/seat_process.h"
#include "games/record.h"

// What a side did in a game.
typedef struct SideReport {
    i64 time_us;
    int moves;
    i64 depth_sum; // over the moves of which it told the depth
    int depth_nb;
    u64 nodes;
} SideReport;

typedef struct GameReport {
    GameEnd end;
    char word[24]; // how it ended, for counting: a rule's name, "resignation", "adjudication" or the fault's
    char reason[256]; // the same in full
    int plies;        // moves of the programs
    SideReport side[SIDE_NB];
    Record record;
} GameReport;

// Plays on from the game's position, the moves that led there being the opening. The record (moves with
// score, depth and time as comments; no tags) is the caller's to free. False with a message when it can't be
// played.
bool match_game_play(SeatProcess *const seat[SIDE_NB], Game *game, const Adjudication *rule,
                     GameReport *report, Message *message);

#endif
