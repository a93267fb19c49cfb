// SPDX-License-Identifier: GPL-3.0-or-later
// One search over all ranks: what the ranks say to each other, and the side of it that every rank has: rings
// between the search and the one thread that talks, and what is known of the other ranks. Private to
// cluster/; peers.c makes the Peers of a search of it, rank 0's, and peers_rank.c the loop of the others.
#ifndef TWOFOLD_CLUSTER_EXCHANGE_H
#define TWOFOLD_CLUSTER_EXCHANGE_H

#include "base/transport.h"
#include "cluster/ring.h"
#include "search/peers.h"

enum {
    TAG_OPTION = TRANSPORT_SEARCH, // rank 0: name, zero, value
    TAG_NEW_GAME,
    TAG_PREPARE, // answered by READY
    TAG_READY,
    TAG_GO,      // a GoHead, the moves of the game
    TAG_STOP,    // the number of the search
    TAG_ENTRIES, // an EntriesHead, entries
    TAG_VOTE,    // the number of the search, a PeerVote; to rank 0
    TAG_NOTE,    // a sentence for whoever sits at rank 0
    TAG_WAKE,    // to oneself
};

// What begins a search. The structures go as they lie in memory: all ranks run the same program.
typedef struct GoHead {
    u32 search;
    u32 size; // of this structure: another one is another program's
    u64 network;
    i32 move_nb, key_start;
    Limits limits;
    Position start;
} GoHead;

typedef struct EntriesHead {
    u32 search;
    u32 nb;
    u64 got; // messages of entries that have come from the one it goes to
    PeerCounts counts;
} EntriesHead;

typedef struct VoteMessage {
    u32 search;
    PeerVote vote;
} VoteMessage;

typedef struct Other {
    atomic_bool is_lost;
    int ready_nb;        // answers to TAG_PREPARE
    u64 sent, got, kept; // messages of entries: to it, from it, and those it says have come
    PeerCounts counts;   // in the search that runs or ran last
    u32 voted;           // the search its vote is of
    PeerVote vote;
} Other;

typedef struct Exchange {
    Peers peers;
    const Transport *transport;
    Mutex mutex;  // guards what follows, up to the rings; held for moments only
    Cond changed; // somebody is ready, or lost
    u32 search;   // the number of the one that runs or ran last; 0: there was none
    bool is_running;
    PeerCounts own; // of this rank in it
    PeerVote vote;  // the last one of this rank
    bool has_new_vote;
    int prepare_nb; // of TAG_PREPARE so far
    Other *other;   // by rank
    Ring *out;      // by worker
    int out_nb;
    Ring in;                 // into the search
    i64 flushed_us, told_us; // when entries went out, and counts without any
    PeerEntry *batch;        // of the thread that talks
    void (*note)(void *context, const char *text);
    void *note_context;
} Exchange;

bool exchange_init(Exchange *exchange, const Transport *transport, Message *message);
void exchange_free(Exchange *exchange);
// What a search calls that is the same on every rank; the rest is to be filled in.
Peers exchange_peers(Exchange *exchange);
// Begins and ends a search of this rank; false without memory for its workers' rings.
bool exchange_begin(Exchange *exchange, u32 search, int workers);
void exchange_end(Exchange *exchange);
// One turn of the thread that talks: waits for a message, though not long while a search runs, takes it if it
// is of those that every rank takes, and sends what is due. True: here is another one for the caller.
bool exchange_turn(Exchange *exchange, int *from, int *tag, Text *bytes);
// To all others that are there.
void exchange_tell_all(Exchange *exchange, int tag, const void *bytes, size_t size);

#endif
