// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines of the subcommands: one table row per option, from which both the reading and the help text
// come.
// `--name value`, `--name=value`, `-n value`, `-nvalue`; `--` ends the options; a lone `-` is an operand
// (standard input or output).
#ifndef TWOFOLD_ARGUMENTS_H
#define TWOFOLD_ARGUMENTS_H

#include "base/base.h"

typedef enum ArgumentKind {
    ARGUMENT_FLAG, // target: bool, set to true
    ARGUMENT_INT,  // target: i64 in [lo, hi]
    ARGUMENT_TEXT, // target: const char *
} ArgumentKind;

typedef struct Argument {
    const char *name; // without the dashes
    char letter;      // the short form, 0 when there is none
    ArgumentKind kind;
    void *target;
    const char *value; // what the value is called in the help
    const char *help;
    i64 lo, hi;
} Argument;

enum { ARGUMENT_OPERANDS_MAX = 4096 };

// Reads argv[1..argc) into the targets; what is no option becomes an operand (at most operand_max of them).
// On a mistake the message says which word, and which option may have been meant.
bool arguments_read(const Argument *table, int table_nb, int argc, char **argv, const char **operand,
                    int operand_max, int *operand_nb, Message *message);
// The options as an indented table for --help.
void arguments_help(const Argument *table, int table_nb, Text *out);

#endif
