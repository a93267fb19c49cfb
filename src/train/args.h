// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: command lines as tables. One row per option: its name, where the value goes, its
// range, its help.
#ifndef TWOFOLD_TRAIN_ARGS_H
#define TWOFOLD_TRAIN_ARGS_H

#include "base/base.h"

typedef enum ArgKind {
    ARG_INT,   // i64
    ARG_REAL,  // double
    ARG_TEXT,  // const char *
    ARG_FLAG,  // bool
    ARG_FILES, // ArgFiles: one or more words up to the next option; may be given again
} ArgKind;

enum { ARG_FILES_MAX = 256 };
typedef struct ArgFiles {
    const char *path[ARG_FILES_MAX];
    int nb;
} ArgFiles;

typedef struct Arg {
    const char *name; // with its dashes; "" takes the words that belong to no option (ARG_FILES)
    ArgKind kind;
    void *value;   // holds the default
    double lo, hi; // of numbers
    const char *help;
} Arg;

typedef enum ArgsResult { ARGS_OK, ARGS_HELP, ARGS_WRONG } ArgsResult;
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

// Reads argv[1..] into the table's values. On --help prints `usage` and the table; on a wrong line says what
// is wrong.
ArgsResult args_parse(const char *usage, const Arg *args, int arg_nb, int argc, char **argv);
// The exit code when args_parse did not answer ARGS_OK.
static inline int args_exit_code(ArgsResult result) { return result == ARGS_HELP ? EXIT_DONE : EXIT_USAGE; }

#endif
