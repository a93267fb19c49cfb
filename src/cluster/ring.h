// SPDX-License-Identifier: GPL-3.0-or-later
// A bounded queue of table entries from one thread to one other, without locks: who puts in never waits, and
// what does not fit is dropped. Private to cluster/.
#ifndef TWOFOLD_CLUSTER_RING_H
#define TWOFOLD_CLUSTER_RING_H

#include <stdatomic.h>
#include <stdlib.h>

#include "search/peers.h"

typedef struct Ring {
    PeerEntry *entry;
    u32 capacity; // a power of two
    // Entries put in and taken out so far; each is written by one thread alone. Apart from each other: they
    // lie in the caches of two cores.
    char apart[64];
    atomic_uint in;
    char apart_too[64];
    atomic_uint out;
} Ring;

static inline bool ring_init(Ring *ring, u32 capacity)
{
    assert((capacity & (capacity - 1)) == 0);
    ring->entry = calloc(capacity, sizeof *ring->entry);
    ring->capacity = capacity;
    atomic_init(&ring->in, 0);
    atomic_init(&ring->out, 0);
    return ring->entry != NULL;
}

static inline void ring_free(Ring *ring) { free(ring->entry); }

// False: it is full.
static inline bool ring_put(Ring *ring, PeerEntry entry)
{
    const u32 in = atomic_load_explicit(&ring->in, memory_order_relaxed);
    if (in - atomic_load_explicit(&ring->out, memory_order_acquire) >= ring->capacity)
        return false;
    ring->entry[in & (ring->capacity - 1)] = entry;
    atomic_store_explicit(&ring->in, in + 1, memory_order_release);
    return true;
}

// Takes up to `max` entries out, the oldest first, and returns how many.
static inline int ring_take(Ring *ring, PeerEntry *to, int max)
{
    const u32 out = atomic_load_explicit(&ring->out, memory_order_relaxed);
    const u32 there = atomic_load_explicit(&ring->in, memory_order_acquire) - out;
    const int nb = there < (u32)max ? (int)there : max;
    for (int i = 0; i < nb; i++)
        to[i] = ring->entry[(out + (u32)i) & (ring->capacity - 1)];
    atomic_store_explicit(&ring->out, out + (u32)nb, memory_order_release);
    return nb;
}

#endif
