// SPDX-License-Identifier: GPL-3.0-or-later
// What the searching of positions is made of: evaluate.c makes jobs of a batch of games, evaluate_search.c
// does one of them, evaluate_journal.c remembers what was found. Private to analysis/.
#ifndef TWOFOLD_EVALUATE_H
#define TWOFOLD_EVALUATE_H

#include "analysis/analysis.h"
#include "base/journal.h"

// There are up to three looks at a position, the second with eight times the nodes of the first and several
// lines, the third with four times as many again and all of them for the best line. Where a depth is asked
// for, each look has so many plies more.
enum { LOOK_NB = 3, SECOND_FACTOR = 8, THIRD_FACTOR = 32, DEEP_DEPTH = 3, DEEP_LINES = 3 };

typedef struct EvaluateJob {
    u64 key;
    int game, ply; // where it first occurs
    int result;    // its place in Analysis.result
    int look;      // 0: the first
    bool is_done;
} EvaluateJob;

// A result with what it is of.
typedef struct KeptResult {
    u64 key;
    PositionResult result;
} KeptResult;

// Results of positions that come again and again, the beginnings of games; and what was read of the progress
// file before its turn. Both are limited, so that memory does not grow with the number of games.
enum { CACHE_NB = 1 << 12, AHEAD_MAX = 1 << 13, CACHED_PLIES = 24 };

typedef struct Evaluator {
    const Session *session;
    const EvaluateOptions *options;
    u64 settings;
    i64 total_nb, done_nb, resumed_nb; // positions, of all batches
    Analysis *analysis;                // the batch, and its jobs
    EvaluateJob *job;
    int job_nb, job_capacity;
    int first_job;     // of those that are under way
    int *slot;         // job index + 1 by key, open addressing
    int slot_nb;       // a power of two
    KeptResult *cache; // CACHE_NB of them, by key
    KeptResult *ahead;
    int ahead_nb;
    JournalReader reader;
    i64 line_nb; // sound lines of the progress file
    Journal journal;
    bool is_journaling, was_told; // it was said whether the progress file is of use
    Progress progress;
    bool is_last_pass, is_shown_last; // of a batch; the line that tells of all positions was shown
} Evaluator;

// A new one for `position_nb` positions in all; NULL with a message when there is no memory or the progress
// file can't be used.
Evaluator *evaluator_new(const Session *session, const EvaluateOptions *options, i64 position_nb,
                         Message *message);
void evaluator_free(Evaluator *evaluator);
// The same as evaluate_run for a batch of several.
JobsEnd evaluator_run(Evaluator *evaluator, Analysis *analysis, Message *message);
// Searches what rank 0 sends.
bool evaluator_serve(Evaluator *evaluator, Message *message);
// Deletes the progress file: the reports are written.
void evaluate_forget(const EvaluateOptions *options);

// ---- one position (evaluate_search.c) -----------------------------------------------------------
// The functions of the queue that work with an engine; see JobSet.
void *searcher_open(void *context, Message *message);
void searcher_close(void *state);
void searcher_cancel(void *state);
bool searcher_give(void *context, i64 index, Text *task, Message *message);
bool searcher_run(void *context, void *state, i64 index, Span task, Text *result, Message *message);

// ---- what was found before (evaluate_journal.c) -------------------------------------------------
// Reads what an earlier run has left, as far as it is there, and opens the file to add to it.
bool journal_prepare(Evaluator *evaluator, Message *message);
// Takes what the file has of the jobs from first_job on.
void journal_resume(Evaluator *evaluator);
// Notes a result of this run.
void journal_keep(Evaluator *evaluator, const EvaluateJob *job, const PositionResult *result);
// The job's place in `slot`, or the free one where it belongs.
int evaluator_slot(const Evaluator *evaluator, u64 key);
// Gives the job its result.
void evaluator_settle(Evaluator *evaluator, EvaluateJob *job, const PositionResult *result);
void evaluator_note(Evaluator *evaluator, const char *text);

#endif
