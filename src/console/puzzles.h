// SPDX-License-Identifier: GPL-3.0-or-later
// Puzzles asked in the terminal: `play --puzzles FILE`.
#ifndef TWOFOLD_PUZZLES_H
#define TWOFOLD_PUZZLES_H

#include "console/console.h"

// Asks the puzzles of the file that the options name until all are solved, `quit` or the end of the input;
// the exit code.
int puzzles_run(FILE *in, FILE *out, FILE *err, const PlayOptions *options);

#endif
