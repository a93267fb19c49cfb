// SPDX-License-Identifier: GPL-3.0-or-later
// Games of the search against itself inside the process, with different parameters on the two sides: what
// tuning and ablation play. Fixed nodes make a pair repeatable: same parameters, same opening, same result.
#ifndef TWOFOLD_ARENA_SELFPLAY_H
#define TWOFOLD_ARENA_SELFPLAY_H

#include "arena/openings.h"
#include "arena/seat_engine.h"
#include "base/cli.h"
#include "base/jobs.h"
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

// A run of pairs: what its threads share, and do not change. The context of the jobs begins with it.
typedef struct Selfplay {
    const SelfplayOptions *options;
    Openings openings;
} Selfplay;

// Two engines and who judges their openings: what one thread plays with.
typedef struct EnginePair {
    const Selfplay *selfplay;
    SeatEngine seat[2];
    Engine *judge;
    Game game;
} EnginePair;
// Plays the opening of a pair with both colours; the first engine's half points (0..4). False with a message
// when it failed, without one when it was given up.
bool engine_pair_play(EnginePair *engines, i64 pair, int *points, Message *message);

// Runs the jobs of a set that has the functions of the calling thread and `run`, whose state is an
// EnginePair; threads, open, close and cancel are filled in here.
JobsEnd selfplay_run(Selfplay *selfplay, JobSet set, Message *message);

// The parameter of that name; -1 when there is none.
int param_find(Span name);
// Whether a name is in a comma-separated list of names, each of which may end in * (not if `whole` is asked
// for).
bool param_matches(const char *name, const char *patterns, bool whole);
// False, with a message, in a build whose parameters are constants.
bool params_can_change(Message *error);

#endif
