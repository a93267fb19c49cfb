// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of a session and must wait its turn. Two threads share a queue: the reader adds jobs, the
// player does them in order and is the only one to touch the session meanwhile. Stop and ponderhit reach a
// job through its SearchControl, whether it waits or runs. A front end puts a Job at the head of what it
// keeps of a request. Invariant: a job that was added is run exactly once and then freed, by the player.
#ifndef TWOFOLD_QUEUE_H
#define TWOFOLD_QUEUE_H

#include "search/search.h"

// What the flags of a job mean here; a front end may have others.
enum {
    JOB_LONG = 8,    // may take long; ended by stop
    JOB_SEARCH = 16, // is a search: a ponderhit may be meant for it
};

typedef struct QueueJob QueueJob;
struct QueueJob {
    QueueJob *next;
    int flags;              // guarded by the queue's mutex once the job was added
    SearchControl *control; // the owner's; NULL: it takes no time, and nothing can stop it
    void (*run)(void *context, QueueJob *job);
    void (*free)(QueueJob *job); // frees its control too
};

typedef struct Queue {
    void *context; // what jobs are run with
    Mutex mutex;   // guards everything below
    Cond changed;
    QueueJob *first, *last; // waiting, oldest first
    QueueJob *running;
    int waiting_nb;
    bool is_ending; // no more jobs will come
} Queue;

void queue_init(Queue *queue, void *context);
void queue_free(Queue *queue);
// The queue frees the job when it is done.
void queue_add(Queue *queue, QueueJob *job);
// Looks at the job that runs and at those that wait, oldest first, while none of them can change; the visitor
// may signal to their controls.
void queue_each(Queue *queue, void (*visit)(void *context, QueueJob *job), void *context);
// Stops the jobs that have one of these flags.
void queue_stop(Queue *queue, int flags);
// Stops the searches among them that only a stop would end.
void queue_stop_endless(Queue *queue);
// Is there one that has one of these flags? Is there a search that only a stop would end?
bool queue_has(Queue *queue, int flags);
bool queue_has_endless(Queue *queue);
int queue_waiting(Queue *queue);
// Does nothing run and nothing wait?
bool queue_is_idle(Queue *queue);
// The move pondered on was played: told to the last search that was asked for. Fresh clocks, or NULL. False
// when there is no search, or it does not ponder.
bool queue_ponderhit(Queue *queue, const Clocks *fresh);
// To be called by the job that runs before its answer is told: from then on nothing is under way, and what
// comes next waits its turn.
void queue_answers(Queue *queue);
// Does the next job in this thread; false when none waits.
bool queue_step(Queue *queue);
// A thread's work (the argument is the queue): does the jobs as they come, until queue_end was called and all
// are done.
void *queue_run(void *queue);
void queue_end(Queue *queue);

#endif
