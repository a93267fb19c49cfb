// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between the processes of one run, which are numbered: rank 0 decides and writes, the others work
// for it. How the bytes travel is up to whoever fills the structure; who runs alone has transport_local,
// where nothing ever does.
#ifndef TWOFOLD_TRANSPORT_H
#define TWOFOLD_TRANSPORT_H

#include "base/base.h"

typedef struct Transport {
    void *self;
    int rank, size; // 0 <= rank < size
    // Hands the bytes over and returns at once; messages between two ranks arrive in order. False: they can't
    // be sent.
    bool (*send)(void *self, int to, int tag, const void *bytes, size_t size);
    // Waits for a message to this rank; false when none came in time.
    bool (*receive)(void *self, int *from, int *tag, Text *bytes, int timeout_ms);
    // Every rank gets the sums of all ranks' values, added in the order of the ranks: the same to the bit
    // everywhere.
    void (*sum_floats)(void *self, float *values, size_t nb);
} Transport;

// The transport of a run of one process.
const Transport *transport_local(void);

#endif
