// SPDX-License-Identifier: GPL-3.0-or-later
// The lab: games between programs under the project's own rules, and what they say about strength. The one public
// header of lab/. Each function is a subcommand: argv[0] is its name, the rest its arguments; it returns the exit code
// and never ends the program.
#ifndef TWOFOLD_LAB_H
#define TWOFOLD_LAB_H

// Plays any two programs of the game's protocol (or one against a list) against each other.
// 0: done, or H1 accepted; 1: H0 accepted; 2: ended without a decision; 3: error.
int lab_match_main(int argc, char **argv);

#endif
