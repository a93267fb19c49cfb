// SPDX-License-Identifier: GPL-3.0-or-later
// The public header of arena/: games between programs and between engines, and what their results say about
// strength. The subcommands match, tune and ablate are for main.c; the game loop, the seat of an engine and
// the openings, which come with the headers below, also for self-play in train/. A subcommand takes its
// command line with its name in argv[0] and returns the exit code (base/cli.h); it never ends the program.
#ifndef TWOFOLD_ARENA_H
#define TWOFOLD_ARENA_H

#include "arena/openings.h"
#include "arena/seat_engine.h"

// Plays any two programs of the game's protocol (or one against a list) against each other.
int arena_match_main(int argc, char **argv);

// Prints start positions for the games of a testing framework; argv[0] is its first argument already.
int arena_genfens_main(int argc, char **argv);
// Do the arguments ask for that: genfens, with nothing before it but options?
bool arena_is_genfens(int argc, char **argv);

// Tunes parameters of the search by games against itself (SPSA).
int arena_tune_main(int argc, char **argv);

// Measures what each technique of the search is worth: as it is against the same with one switch the other
// way.
int arena_ablate_main(int argc, char **argv);

#endif
