// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines as one table row per option: the same rows read the arguments and print the help.
// Options come in the order they were given, since in a match an option belongs to the engine named before
// it.
#ifndef TWOFOLD_ARENA_FLAGS_H
#define TWOFOLD_ARENA_FLAGS_H

#include "base/base.h"

// What an option does: fills a field of the caller's structure (context), or calls a function.
typedef enum FlagKind {
    FLAG_CALL,
    FLAG_SWITCH, // bool, set to true
    FLAG_INT,    // int
    FLAG_LONG,   // i64, or u64 with lo >= 0
    FLAG_REAL,   // double
    FLAG_TIME,   // i64, milliseconds
    FLAG_TEXT,   // const char *, not copied
} FlagKind;

typedef struct Flag {
    const char *name;   // with its dashes; NULL: a heading of the help, whose text is `help`
    const char *values; // how the help calls the values it takes, one word each; NULL: none
    const char *help;
    FlagKind kind;
    size_t offset; // of the field
    double lo, hi; // of a number
    bool (*set)(void *context, const Span *value, Message *error);
} Flag;

// Rows that belong together. A command line is read by one or more of them, with the same context.
typedef struct FlagTable {
    const Flag *row;
    int row_nb;
} FlagTable;

// Obeys each option in turn. False, with a message that names the argument, on the first one that is unknown,
// short of values (`--name=value` is the same as `--name value`) or refused.
bool flags_read(const FlagTable *tables, int table_nb, int argc, char **argv, void *context, Message *error);
void flags_help(FlagTable table, Text *out);

// Values: seconds with a fraction, or with a unit (500ms, 2s, 1m), as milliseconds; a time control
// [MOVES/]TIME[+INC].
bool flag_time_ms(Span value, i64 *ms, Message *error);
bool flag_int(Span value, i64 lo, i64 hi, i64 *out, Message *error);
bool flag_real(Span value, double lo, double hi, double *out, Message *error);
// The files a command reads and writes, NULL for none: no two may be the same, or one would spoil the other.
bool flag_files_differ(const char *const *path, int nb, Message *error);

#endif
