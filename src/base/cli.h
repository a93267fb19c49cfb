// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of every subcommand: one table row for each option, from which both the reading and --help
// come, so that neither can forget one. Options are obeyed in the order they were given. `--name value`,
// `--name=value`,
// `-n value`, `-nvalue`; `--` ends the options; a lone `-` is an operand (standard input or output). -h and
// --help are understood by every command. And the exit codes of all commands.
#ifndef TWOFOLD_CLI_H
#define TWOFOLD_CLI_H

#include "base/base.h"

// What a command tells the shell; 128 + n when signal n ended it.
enum {
    EXIT_DONE = 0,      // done as asked; in a sequential test: H1 was accepted
    EXIT_FAILED = 1,    // it could not be done
    EXIT_USAGE = 2,     // the command line is wrong: nothing was tried
    EXIT_SPRT_H0 = 3,   // a sequential test accepted H0
    EXIT_UNDECIDED = 4, // a sequential test ended without a decision
};

// What an option does with the caller's structure of options.
typedef enum CliKind {
    CLI_HEADING, // nothing: a line of the help
    CLI_SWITCH,  // bool, set to true
    CLI_INT,     // int in [lo, hi]
    CLI_I64,     // i64 in [lo, hi], or u64 with lo >= 0
    CLI_REAL,    // double in [lo, hi]
    CLI_TEXT,    // const char *, not copied: a word of argv
    CLI_TIME_MS, // i64, from seconds or a number with ms, s or m
    CLI_FILES,   // CliFiles: one word or more, up to the next option; may be given again
    CLI_CALL,    // calls `call` with as many words as `value` has
} CliKind;

enum { CLI_FILES_MAX = 4096 };
typedef struct CliFiles {
    const char *path[CLI_FILES_MAX];
    int nb;
} CliFiles;

typedef struct CliOption {
    const char *name; // without its dashes
    char letter;      // the short form; 0: none
    CliKind kind;
    size_t offset; // of the field, which holds the default: the help tells it, unless it is outside [lo, hi]
    double lo, hi; // of numbers; hi of CLI_FILES: how many files at most, 0 for CLI_FILES_MAX
    const char *value; // what the help calls the value
    const char *help;
    bool (*call)(void *options, const Span *value,
                 Message *message); // words end in NUL and live as long as argv
} CliOption;

// Rows that belong together. A command has one table or more, with the same structure of options.
typedef struct CliTable {
    const CliOption *row;
    int row_nb;
} CliTable;

typedef struct CliCommand {
    const char *name;         // as one types it: "twofold-chess match"
    const char *about, *more; // the help before and after the options; `more` may be NULL
    const CliTable *table;
    int table_nb;
    int operand_max; // words that belong to no option
    bool speaks;     // to people: it takes --lang, and its words are in the language of that or the system
    FILE *out, *err; // where the help and the mistakes go; NULL: standard output and standard error
} CliCommand;

// Reads argv[1..argc) into the options and, what belongs to no option, into the operands (NULL when
// operand_max is 0). False when there is nothing to run: the help was asked for and printed, or a mistake was
// told, with the nearest option; *code is then the exit code.
bool cli_read(const CliCommand *command, int argc, char **argv, void *options, CliFiles *operands, int *code);
// The same without a word: false with a message on a mistake, and *wants_help when the rest no longer
// matters.
bool cli_parse(const CliCommand *command, int argc, char **argv, void *options, CliFiles *operands,
               bool *wants_help, Message *message);
// What cli_read begins with for a command that speaks to people: the language of the last --lang, else the
// system's. For those who say something before.
void cli_choose_language(int argc, char **argv);
// The help that cli_read prints, with the defaults that the options hold now.
void cli_help(const CliCommand *command, const void *options, Text *out);
// Tells a mistake in the command line that the table can't see, and that the command failed; the exit code of
// each.
int cli_misused(const CliCommand *command, const char *text);
int cli_failed(const CliCommand *command, const char *text);

// Values for those who read them themselves; false with a message that names the word.
bool cli_int(Span value, i64 lo, i64 hi, i64 *out, Message *message);
bool cli_real(Span value, double lo, double hi, double *out, Message *message);
// Seconds with a fraction, or with a unit (500ms, 2s, 1m), as milliseconds.
bool cli_time_ms(Span value, i64 *ms, Message *message);
// The files a command reads and writes, NULL for none: no two may be the same, or one would spoil the other.
bool cli_files_differ(const char *const *path, int nb, Message *message);

#endif
