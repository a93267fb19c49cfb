// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a game in the terminal, and what its commands do to it.
#ifndef TWOFOLD_PLAY_GAME_H
#define TWOFOLD_PLAY_GAME_H

#include "base/clock.h"
#include "console/console.h"
#include "console/edit.h"
#include "games/notation.h"
#include "games/record.h"
#include "session/session.h"

enum { PLAY_PATH_SIZE = 1024 };

// What is known of a move besides the move: for when the game comes back to it, and for its file.
typedef struct PlayedMove {
    Clock clock[SIDE_NB]; // as they were after it
    i64 spent_ms;
} PlayedMove;

// A game in the user's data folder.
typedef struct KeptGame {
    char path[PLAY_PATH_SIZE]; // empty: there is none
    bool human[SIDE_NB];
    int elo;
    TimeControl control;
    i64 left_ms[SIDE_NB];
} KeptGame;

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
    PlayedMove *played; // of each move of the game
    int played_capacity;
    Move *undone; // moves that were taken back, the one to be made first at the end
    int undone_nb, undone_capacity;
    i64 turn_start_us;
    Editor *editor;                       // of a terminal; NULL: whole lines come from `in`
    i64 status_us;                        // when the status line was drawn; 0: it is not on the screen
    bool hides_thinking;                  // the person does not want to see it
    Text thought;                         // depth, score and line that the engine told last in this turn
    const char *(*command_at)(int index); // names of the commands, for completion; NULL beyond the last
    char kept[PLAY_PATH_SIZE];    // the file in the user's data folder that has this game; empty: none yet
    bool is_changed, cannot_keep; // since it was kept; it was said that nothing can be kept
    KeptGame last;                // a game of an earlier run that was not finished
    bool is_looked_back;          // on the game that is over
    int exit_code;                // when it was interrupted
    Opening opening;              // the last that was told
    Opening castle[SIDE_NB];      // the same for each side's
    Rng rng;                      // draws start positions
    int game_nb;                  // so many games have begun
    GameResult result;            // when over, with its reason
    Reason reason;
    bool over, quit, shown; // shown: the board on the screen is the current one
    Text text;
} Play;

// The last move of the game; MOVE_NONE when there is none.
static inline Move play_last(const Play *play)
{
    return play->session.game.move_nb ? play->session.game.move[play->session.game.move_nb - 1] : MOVE_NONE;
}

static inline int play_side(const Play *play) { return pos_side(&play->session.game.pos); }

// One line of output.
void play_say(Play *play, const char *format, ...) __attribute__((format(printf, 2, 3)));
void play_show_board(Play *play);
// To be called when a new game has begun: sets the clocks, forgets the loaded game, clears the engine.
void play_restart(Play *play);
// Makes a legal move; false, and said so, when there is no memory.
bool play_make_move(Play *play, Move move);

// The engine that gives advice, at full strength; NULL, and said so, when it can't be had.
Engine *play_adviser(Play *play);

// Ends the game; its last position is shown before, if it is not on the screen. The caller says why.
void play_end(Play *play, GameResult result, Reason reason);
// Asks the rules whether the game has ended, and says so.
void play_check_rules(Play *play);
// The side to move declares its win.
void play_declare(Play *play);

// What the mover's clock shows now, in ms: of the clock itself, then of the byoyomi. Negative: it has run
// out.
i64 play_left_ms(const Play *play);
// Takes the time since the turn began off the mover's clock; false when it has run out, which ends the game.
bool play_charge_clock(Play *play);
// Sets the clocks to what they showed after the last move that is on the board.
void play_restore_clocks(Play *play);

#endif
