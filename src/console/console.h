// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands for a person at a terminal: a game, opening books, the demonstration. Each main takes the
// words of the command line from its own name on (argv[0] is "play") and returns the exit code: 0, 1 for a
// failure, 2 for a command line that can't be read. The run functions are the same without the command line,
// for tests.
#ifndef TWOFOLD_CONSOLE_H
#define TWOFOLD_CONSOLE_H

#include "session/options.h"

int console_play_main(int argc, char **argv);
int console_book_main(int argc, char **argv);
// Thinks a few seconds about a position and shows it to a person: `demo [seconds]`.
int console_demo_main(int argc, char **argv);

// May a board at standard output be in colour? Have its men figures of their own?
bool console_has_colours(void);
bool console_has_figures(void);

// ---- play ---------------------------------------------------------------------------------------
typedef struct PlayOptions {
    bool human[SIDE_NB];      // which sides a person plays
    bool colour, unicode;     // how the board is drawn
    bool prompt;              // someone sits at a terminal
    bool on_screen;           // the output is a terminal, whose width counts
    bool edits;               // and can send keys and draw lines anew
    bool keeps;               // games are kept in the user's data folder as they are played
    const char *folder;       // which is this one; NULL: nowhere
    const char *position;     // NULL: the start of the game
    const char *puzzles_path; // ask the puzzles of this file instead of playing; NULL: play
    const char *start;    // the kind of a random start (start_random), or of the position; NULL: the usual
    char start_name[64];  // a start by name (start_by_name); empty: none
    u64 seed;             // of the random start
    i64 level_seed;       // of the games of a level, the first of them; 0: by time
    int elo;              // LEVEL_FULL (0): full strength
    i64 clock_ms, inc_ms; // 0: no clock
    i64 byoyomi_ms;       // for each move, once the clock has run out; 0: none
    i64 move_time_ms;     // without a clock and without nodes: how long the engine thinks
    u64 nodes;            // 0: by time
    u64 advice_nodes;     // for hint and eval
    u64 moment_nodes;     // for each position of a game that is looked back on; 0: it is not
    int hash_mb, threads;
    OptionList engine; // further options of the engine
} PlayOptions;
PlayOptions play_options_default(void);
// Reads the command line; false when there is nothing to play, *code being the exit code.
bool play_read(int argc, char **argv, PlayOptions *options, FILE *out, FILE *err, int *code);
// Plays until `quit` or the end of the input; the exit code.
int play_run(FILE *in, FILE *out, const PlayOptions *options);

// ---- book ---------------------------------------------------------------------------------------
int book_run(int argc, char **argv, FILE *out, FILE *err);

#endif
