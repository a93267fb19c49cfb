// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol loop, UCI or USI as the game's words say. Two threads share a Protocol: the reader takes
// lines, answers what must be answered at once and queues the rest as jobs; the player takes the jobs in
// order and is the only one to touch the session. Stop and ponderhit reach a job through its SearchControl,
// whether it waits or runs. Invariant: every job that is a `go` prints exactly one bestmove (or checkmate
// answer) before the next job begins.
#ifndef TWOFOLD_UCI_H
#define TWOFOLD_UCI_H

#include "games/words.h"
#include "protocol/output.h"
#include "session/session.h"

typedef struct Protocol Protocol;
typedef struct Job Job;

enum {
    COMMAND_STANDARD = 1, // of the protocol: looked for behind unknown words
    COMMAND_NOW = 2,      // run by the reader as soon as it arrives
    COMMAND_ANSWERED = 4, // run by the reader while something long runs or waits to run; else in its turn
    COMMAND_LONG = 8,     // may take long; ended by stop
    COMMAND_SEARCH = 16,  // is a search of the protocol: ended by quit, end of input and another search too
};

typedef struct Command {
    const char *name;
    void (*run)(Protocol *protocol, Job *job, Span arguments); // the job is NULL when the reader runs it
    int flags;
    const char *usage, *help; // usage NULL: not listed
} Command;

// What a command that may take long has beside its line. Lines wait by the thousand when a file is read: the
// others do without it.
typedef struct LongJob {
    SearchControl control;
    GoRequest request; // of go and threat
    Message complaint; // about their words
} LongJob;

struct Job {
    Job *next;
    const Command *command;
    int flags; // the command's, as far as they hold for this line; guarded by the protocol's mutex
    Text line;
    Span arguments; // within the line
    LongJob *asked; // NULL: the command is none that may take long
};

struct Protocol {
    Session session;
    Output out;
    atomic_bool debug; // show the search's counters before each answer

    // The seam between the two threads: everything below is guarded by the mutex.
    Mutex mutex;
    Cond changed;
    Job *first, *last; // waiting, oldest first
    Job *running;
    bool is_ending; // no more jobs will come
};

bool protocol_init(Protocol *protocol);
void protocol_free(Protocol *protocol);
// Takes one line as it came from outside. False after quit.
bool protocol_take(Protocol *protocol, Span line);
// Runs one line to its end on this thread, without the queue.
void protocol_run_line(Protocol *protocol, Span line);
// Applies to the running or the last waiting search.
void protocol_ponder_hit(Protocol *protocol, Span clocks);
// To be called before the answer is printed: from then on nothing is under way, and what comes next waits its
// turn.
void job_answers(Protocol *protocol);
// The table of commands, and the name of a row in this protocol; NULL: it has no such command.
const Command *command_table(int *count);
const char *command_name(int row);

#endif
