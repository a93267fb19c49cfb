// SPDX-License-Identifier: GPL-3.0-or-later
// The one loop that plays a game between two seats: matches between programs, tuning, ablation and self-play
// for training all use it. It asks the seats in turn, runs their clocks, and ends the game by the rules, by
// agreement of the scores, or by what a seat did. (A person's game in the terminal has a loop of its own: see
// console/play.c.)
#ifndef TWOFOLD_ARENA_PLAYGAME_H
#define TWOFOLD_ARENA_PLAYGAME_H

#include "arena/adjudicate.h"
#include "base/clock.h"
#include "games/game_state.h"

enum { GAMES_AT_ONCE_MAX = 256 };

// What loses a game outside its rules.
typedef enum Fault {
    FAULT_NONE,
    FAULT_CRASH,
    FAULT_HANG,
    FAULT_ILLEGAL,
    FAULT_TIME,
    FAULT_GARBAGE,
    FAULT_NB
} Fault;
const char *fault_name(Fault fault); // "crash", "hang", "illegal move", "time loss", "garbage"

// What a seat answers when it is asked for a move.
typedef struct Thought {
    Move move; // legal; MOVE_WIN: declares a win, and may; MOVE_NONE: resigns
    int score; // its own view; SCORE_NONE when it did not tell
    int depth; // 0: it did not tell
    u64 nodes;
    i64 elapsed_us;
    Fault fault; // FAULT_NONE, or why it loses instead of making a move
} Thought;

// How a game ended.
typedef struct GameEnd {
    EndKind kind;
    GameResult result;
    Reason reason;  // of END_RULES, and REASON_TIME for a loss on time
    Fault fault;    // of END_FAULT
    int fault_side; // whose; -1: nobody's
} GameEnd;

// Who plays a side: an engine of this process, or a program. Functions that are NULL are not needed, except
// think. One that answers false with a message has failed, and the game with it; false without one: it was
// told to give up.
typedef struct Seat {
    void *self;
    // A game begins; may blame itself, which loses the game.
    bool (*new_game)(void *self, const Game *game, Fault *fault, Message *message);
    // It is its move. The clocks are those of both sides, NULL when the game has none.
    bool (*think)(void *self, const Game *game, const Clock *clock, Thought *thought, Message *message);
    // The game it played with that side is over.
    void (*game_over)(void *self, int side, const GameEnd *end);
} Seat;

// What the caller wants to know meanwhile.
typedef struct PlayHooks {
    void *context;
    // Each answer, before it is played or held against the seat. False: no memory, which ends the game. May
    // be NULL.
    bool (*thought)(void *context, const Game *game, const Thought *thought);
} PlayHooks;

// Plays on from where the game is (the caller's opening) until it ends; *end tells how. The clocks (one for
// each side, or NULL) must have been started. False with a message when it can't be played.
bool play_game(Game *game, const Seat seat[SIDE_NB], Clock *clock, const Adjudication *rule,
               const PlayHooks *hooks, GameEnd *end, Message *message);

#endif
