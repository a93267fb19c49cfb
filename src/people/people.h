// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands for people: a game in the terminal, the analysis of game files, opening books. Each main
// takes the words of the command line from its own name on (argv[0] is "play") and returns the exit code: 0,
// 1 for a failure, 2 for a command line that can't be read. The run functions are the same without the
// command line, for tests.
#ifndef TWOFOLD_PEOPLE_H
#define TWOFOLD_PEOPLE_H

#include "search/search.h"

int people_play_main(int argc, char **argv);
int people_analyse_main(int argc, char **argv);
int people_book_main(int argc, char **argv);

// ---- play ---------------------------------------------------------------------------------------
typedef struct PlayOptions {
    bool human[SIDE_NB];  // who is played by a person
    bool colour, unicode; // how the board is drawn
    bool prompt;          // someone sits at a terminal
    bool on_screen;       // the output is a terminal, whose width counts
    const char *position; // NULL: the start of the game
    const char
        *start; // a kind of start position drawn by lot (start_random), or of the position; NULL: the usual
    u64 seed;   // of the lot
    int elo;    // LEVEL_FULL (0): full strength
    i64 clock_ms, inc_ms; // 0: no clock
    i64 move_time_ms;     // without a clock and without nodes: how long the engine thinks
    u64 nodes;            // 0: by time
    u64 advice_nodes;     // for hint and eval
    int hash_mb, threads;
} PlayOptions;
PlayOptions play_options_default(void);
// Reads the command line; false when there is nothing to play, *code being the exit code.
bool play_read(int argc, char **argv, PlayOptions *options, FILE *out, FILE *err, int *code);
// Plays until `quit` or the end of the input; the exit code.
int play_run(FILE *in, FILE *out, const PlayOptions *options);

// ---- analyse ------------------------------------------------------------------------------------
typedef struct AnalyseOptions {
    u64 nodes; // for each position; 0 here, in time and in depth: a default number of nodes
    i64 time_ms;
    int depth;
    int hash_mb, threads;       // for each position searched at a time; how many at a time
    const char *annotated_path; // the outputs; NULL: not wanted, "-": standard output
    const char *json_path, *html_path;
    const char *format, *title;
    const char *state_path; // the progress file; NULL: beside the input
    bool quiet, progress_bar;
    int stop_after; // for tests: as if interrupted after so many positions; 0: never
} AnalyseOptions;
AnalyseOptions analyse_options_default(void);
// Reads, searches and writes; the exit code. `out` is what "-" stands for.
int analyse_run(const char *path, const AnalyseOptions *options, FILE *out, FILE *err);

// ---- book ---------------------------------------------------------------------------------------
int book_run(int argc, char **argv, FILE *out, FILE *err);

#endif
