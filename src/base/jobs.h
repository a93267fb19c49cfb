// SPDX-License-Identifier: GPL-3.0-or-later
// The job queue: work that comes as numbered jobs, each of which gives a few bytes (a game, a searched
// position, a pair of games), done by several threads. Jobs begin in the order of their numbers. Everything
// that decides, writes and counts (is_done, give, take, is_enough, tick) happens in the calling thread, so it
// needs no lock; only open, run and close happen in the threads. A thread gets its next job after its last
// result was taken: with one thread a job knows the results of all jobs before it, and a run gives the same
// every time. When there are several ranks (base/transport.h), open, run and close happen at each of them,
// and all else at rank 0 alone.
#ifndef TWOFOLD_JOBS_H
#define TWOFOLD_JOBS_H

#include "base/base.h"
#include "base/transport.h"

// How far a run is.
typedef struct JobProgress {
    i64 taken;           // results taken in this run
    int active, threads; // threads that have a job; and all of them, at all ranks
    i64 elapsed_us;
    bool is_last; // the run is over: the last call
} JobProgress;

// What is to be done. Functions that are NULL are not needed, except run and take.
typedef struct JobSet {
    void *context;
    int threads; // 0: the calling thread does everything itself, where there are no threads to be had
    // What results depend on besides number and task: a rank whose own differ may not take part.
    u64 settings;
    i64 job_nb; // jobs 0..job_nb - 1; -1: on and on until is_enough

    // ---- in the calling thread ----
    // Is it done already, by an earlier run? Then it is left out. Asked once for each job, in order.
    bool (*is_done)(void *context, i64 index);
    // Adds what `run` must know beyond the number; false with a message ends the run.
    bool (*give)(void *context, i64 index, Text *task, Message *message);
    // Keeps a result; false with a message ends the run.
    bool (*take)(void *context, i64 index, Span result, Message *message);
    // Is there enough? Asked before each job that begins.
    bool (*is_enough)(void *context);
    // When there is enough: are the jobs that have begun finished and taken, or cancelled and forgotten?
    bool finishes;
    // Called after results were taken, many times a second when none are, and once at the end.
    void (*tick)(void *context, const JobProgress *progress);
    // Is nobody interested any more? Asked many times a second; the run then ends as by an interrupt.
    bool (*is_cancelled)(void *context);
    // Ends what a thread does now: `run` returns soon, with or without a result. May come at any time after
    // open, also between two jobs, and again and again until the run is over. Called from the calling thread:
    // atomics only.
    void (*cancel)(void *state);

    // ---- in each thread ----
    // What the thread works with: an engine, a pair of programs. NULL with a message ends the run.
    void *(*open)(void *context, Message *message);
    // Does a job and adds its result. False with a message: it failed, and with it the run. False without
    // one: it was cancelled.
    bool (*run)(void *context, void *state, i64 index, Span task, Text *result, Message *message);
    void (*close)(void *state);
} JobSet;

typedef enum JobsEnd {
    JOBS_DONE,        // all jobs
    JOBS_ENOUGH,      // is_enough said so
    JOBS_INTERRUPTED, // by a signal (os_catch_interrupts) or is_cancelled; what was finished was taken
    JOBS_FAILED,      // the message tells why; what was finished before was taken
} JobsEnd;

// Does the jobs; every thread has ended when it returns. Threads are started when there is a job for them.
// A rank that is lost ends the run: JOBS_FAILED. At a rank above 0 it does what rank 0 sends, in this run and
// all that follow, until there will be no more: JOBS_DONE.
JobsEnd jobs_run(const JobSet *set, const Transport *transport, Message *message);

#endif
