// SPDX-License-Identifier: GPL-3.0-or-later
// Scripted games in the terminal, for the tests of `play`: what is typed is a string, the answer is a string.
#ifndef TWOFOLD_TEST_PLAY_H
#define TWOFOLD_TEST_PLAY_H

#include "console/console.h"
#include "game.h"
#include "helpers.h"

// Options for a quick game: few nodes, a small table.
PlayOptions quick(void);
// Runs the script and gives the answer, to be freed; the exit code goes to *code, which may be NULL.
char *run(const char *script, const PlayOptions *options, int *code);
// Fails the case unless the answer to the script has the sentence.
void check_says(const char *script, const PlayOptions *options, const char *sentence);
// Fails the case unless the file has the part.
void check_file(const char *path, const char *part);
// The answer to lines that are typed only after a while, so that the clock runs, to be freed; NULL, the case
// being skipped, when the system has no pipe.
char *run_late(const char *lines, i64 wait_ms, const PlayOptions *options);

#endif
