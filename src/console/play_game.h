// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a game in the terminal, and what its commands do to it.
#ifndef TWOFOLD_PLAY_GAME_H
#define TWOFOLD_PLAY_GAME_H

#include "base/clock.h"
#include "console/console.h"
#include "games/notation.h"
#include "games/record.h"
#include "session/session.h"

enum { PLAY_PATH_SIZE = 1024 };

// Invariant: `over` is set exactly when no more moves are taken.
typedef struct Play {
    const PlayOptions *options;
    FILE *in, *out;
    Session session;
    Answer answer;   // of the engine, in its turn
    Message note;    // the last thing the session told
    Engine *adviser; // for hint and eval: with a table of its own, since the engine may be weakened
    Record loaded;   // the game of a file that this one began with, when has_loaded: its tags and comments
    bool has_loaded;
    char saved[PLAY_PATH_SIZE]; // where a game was saved last: that file may be replaced
    BoardStyle style;
    bool human[SIDE_NB];
    TimeControl control; // of both sides
    Clock clock[SIDE_NB];
    Clock (*clock_after)[SIDE_NB]; // as they were after each move of the game
    int clock_capacity;
    i64 turn_start_us;
    Opening opening;   // the last that was told
    Rng rng;           // draws start positions
    GameResult result; // when over, with its reason
    Reason reason;
    bool over, quit, shown; // shown: the board on the screen is the current one
    Text text;
} Play;

static inline int play_side(const Play *play) { return pos_side(&play->session.game.pos); }

// One line of output.
void play_say(Play *play, const char *format, ...) __attribute__((format(printf, 2, 3)));
void play_show_board(Play *play);
// To be called when a new game has begun: sets the clocks, forgets the loaded game, clears the engine.
void play_restart(Play *play);
// Makes a legal move; false, and said so, when there is no memory.
bool play_make_move(Play *play, Move move);

// Ends the game; its last position is shown before, if it is not on the screen. The caller says why.
void play_end(Play *play, GameResult result, Reason reason);
// Asks the rules whether the game has ended, and says so.
void play_check_rules(Play *play);
// The side to move declares its win.
void play_declare(Play *play);

// Takes the time since the turn began off the mover's clock; false when it has run out, which ends the game.
bool play_charge_clock(Play *play);
// Sets the clocks to what they showed after the last move that is on the board.
void play_restore_clocks(Play *play);

#endif
