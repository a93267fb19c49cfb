// SPDX-License-Identifier: GPL-3.0-or-later
// Games of the search against itself inside the process, with different parameters on the two sides: what
// tuning and ablation play. Fixed nodes make a pair repeatable: same parameters, same opening, same result.
#ifndef TWOFOLD_ARENA_SELFPLAY_H
#define TWOFOLD_ARENA_SELFPLAY_H

#include <stdatomic.h>

#include "arena/referee.h"
#include "base/cli.h"
#include "base/progress.h"

enum { PROGRESS_MS = 30000 }; // between two lines of a log

typedef struct SelfplayOptions {
    u64 nodes;        // a move; 0: by time
    i64 move_time_ms; // a move
    int hash_mb, threads;
    Adjudication adjudication;
    OpeningOptions openings;
    bool quiet;
} SelfplayOptions;
SelfplayOptions selfplay_options_default(void);
// The options that all subcommands share that play against themselves.
CliTable selfplay_table(void);
// Reads the command line of such a subcommand into `context`, which begins with a SelfplayOptions. False when
// there is nothing to run, *code being the exit code: the help was asked for and printed, or a mistake was
// told.
bool selfplay_read(const CliCommand *command, int argc, char **argv, void *context, int *code);

// Shows how far it is, when it is time to: `done` of `all` pairs, of which `before` were played by earlier
// runs.
void selfplay_progress(Progress *progress, i64 before, i64 done, i64 all, const char *what);

// Two engines and who judges their openings: what one thread plays with.
typedef struct Duel {
    const SelfplayOptions *options;
    const Openings *openings;
    const atomic_bool *abandon;
    Engine *engine[2];
    Engine *judge;
    KeyHistory keys;
} Duel;
// Plays the pair's opening with both colours: the first engine's half points (0..4); -1 when it was abandoned
// or failed.
int duel_pair(Duel *duel, i64 pair, Message *error);

// Calls job(context, duel, index, error) for every index below job_nb, in several threads, each with its own
// duel, and tick(context) now and then from the caller's thread. An interruption ends it early; false, with a
// message, when a job failed.
bool selfplay_run(const SelfplayOptions *options, i64 job_nb, void *context,
                  bool (*job)(void *context, Duel *duel, i64 index, Message *error),
                  void (*tick)(void *context), Message *error);

// The parameter of that name; -1 when there is none.
int param_find(Span name);
// Whether a name is in a comma-separated list of names, each of which may end in * (not if `whole` is asked
// for).
bool param_matches(const char *name, const char *patterns, bool whole);
// False, with a message, in a build whose parameters are constants.
bool params_can_change(Message *error);

#endif
