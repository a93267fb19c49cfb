// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between the processes of one run, which are numbered: rank 0 decides and writes, the others work
// for it. How the bytes travel is up to whoever fills the structure (cluster/); who runs alone has
// transport_local, where nothing ever does. A rank above 0 begins its command only when rank 0 has sent
// TRANSPORT_START, so a mistake in a command line is found and told once, and its work is over with
// TRANSPORT_END.
#ifndef TWOFOLD_TRANSPORT_H
#define TWOFOLD_TRANSPORT_H

#include "base/base.h"

// What a message is about. Each user has tags of its own from its number on.
enum {
    TRANSPORT_LOST,  // the rank it comes from is gone, with a sentence why, or with none
    TRANSPORT_START, // rank 0 has work: begin the command
    TRANSPORT_END,   // rank 0 needs nothing more
    TRANSPORT_JOBS = 16,
    TRANSPORT_TRAINING = 32,
    TRANSPORT_SEARCH = 48,
};

typedef struct Transport {
    void *self;
    int rank, size; // 0 <= rank < size
    // Takes a copy of the bytes and returns at once; from any thread. Messages between two ranks arrive in
    // order; those to oneself too. False: they can't be sent, the rank is gone.
    bool (*send)(void *self, int to, int tag, const void *bytes, size_t size);
    // Waits for a message to this rank, whose bytes replace those of *bytes; false when none came in time.
    bool (*receive)(void *self, int *from, int *tag, Text *bytes, int timeout_ms);
} Transport;

// The transport of a run of one process.
const Transport *transport_local(void);

// The transport that commands whose work is for all ranks use: the local one unless main has set another.
const Transport *transport_of_run(void);
void transport_set_of_run(const Transport *transport);

// Rank 0 to all others; false when one can't be reached.
bool transport_tell_all(const Transport *transport, int tag, const void *bytes, size_t size);

#endif
