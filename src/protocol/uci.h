// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol loop, UCI or USI as the game's words say. Two threads share a Protocol: the reader takes
// lines, answers what must be answered at once and queues the rest as jobs (session/queue.h); the player
// takes the jobs in order and is the only one to touch the session. Invariant: every job that is a `go`
// prints exactly one bestmove (or checkmate answer) before the next job begins.
#ifndef TWOFOLD_UCI_H
#define TWOFOLD_UCI_H

#include "games/words.h"
#include "protocol/output.h"
#include "session/queue.h"
#include "session/session.h"

typedef struct Protocol Protocol;
typedef struct Job Job;

enum {
    COMMAND_STANDARD = 1,    // of the protocol: looked for behind unknown words
    COMMAND_NOW = 2,         // run by the reader as soon as it arrives
    COMMAND_ANSWERED = 4,    // run by the reader while something long runs or waits to run; else in its turn
    COMMAND_LONG = JOB_LONG, // may take long; ended by stop
    // is a search of the protocol: ended by quit, end of input and another search too
    COMMAND_SEARCH = JOB_SEARCH,
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
    QueueJob head; // its flags: the command's, as far as they hold for this line
    const Command *command;
    Text line;
    Span arguments; // within the line
    LongJob *asked; // NULL: the command is none that may take long
};

struct Protocol {
    Session session;
    Output out;
    atomic_bool debug; // show the search's counters before each answer
    Queue queue;       // the seam between the two threads
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
