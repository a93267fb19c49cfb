// SPDX-License-Identifier: GPL-3.0-or-later
// One thread of a match: the two programs that run in it, one game after the other, and what it hands over of
// each finished game, as bytes. The programs are children of the thread and end with the slot, so nothing is
// left however the match ends.
#ifndef TWOFOLD_ARENA_MATCH_SLOT_H
#define TWOFOLD_ARENA_MATCH_SLOT_H

#include "arena/match_state.h"

typedef struct MatchSlot MatchSlot;

// NULL when there is no memory.
MatchSlot *match_slot_new(const MatchOptions *options, const Openings *openings);
void match_slot_free(MatchSlot *slot);
// The game in play is given up; from any thread.
void match_slot_cancel(MatchSlot *slot);
// Plays a game of a pairing and adds what is to be told of it. False with a message when it can't be
// played, without one when it was given up.
bool match_slot_play(MatchSlot *slot, int pairing, i64 game, Text *result, Message *message);

// What is known of a program after a game.
typedef struct SeatNews {
    char id[128];
    char unknown[256];
    bool failed_start; // it did not come to its first game
    bool cannot_start; // it can't be run at all
    Message about;     // why
} SeatNews;

typedef struct PlayedGame {
    GameEntry entry;
    SeatNews seat[2]; // of the first engine of the pairing, of the second
    Span record;      // as text; empty when nobody wants it
    size_t separator; // the first bytes of it part it from a game before
    Span log;         // what the programs said
} PlayedGame;
// Reads what match_slot_play added; the spans point into it.
void match_slot_read(Span result, PlayedGame *played);

#endif
