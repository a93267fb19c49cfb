// SPDX-License-Identifier: GPL-3.0-or-later
// The arena: games between programs under the project's own rules, and what they say about strength. The one
// public header of arena/. Each function is a subcommand: argv[0] is its name, the rest its arguments; it
// returns the exit code (base/cli.h) and never ends the program.
#ifndef TWOFOLD_ARENA_H
#define TWOFOLD_ARENA_H

#include "arena/openings.h"
#include "arena/seat_engine.h"

// Plays any two programs of the game's protocol (or one against a list) against each other.
int arena_match_main(int argc, char **argv);

// Tunes parameters of the search by games against itself (SPSA).
int arena_tune_main(int argc, char **argv);

// Measures what each technique of the search is worth: as it is against the same with one switch the other
// way.
int arena_ablate_main(int argc, char **argv);

#endif
