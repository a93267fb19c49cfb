// SPDX-License-Identifier: GPL-3.0-or-later
// Beside main.c, since it joins what comes of several folders.
#ifndef TWOFOLD_MERGE_H
#define TWOFOLD_MERGE_H

// The subcommand `merge`: argv[0] is its name; returns the exit code.
int merge_main(int argc, char **argv);

#endif
