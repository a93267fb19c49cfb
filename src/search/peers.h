// SPDX-License-Identifier: GPL-3.0-or-later
// Other machines that search the same position at the same time. Each rank is a search of its own, with a
// table and threads of its own; what they give each other are deep entries of their tables, and what each
// takes for best. Whoever fills in the structure (cluster/) carries it all; no call of it waits, but for
// `prepare`. Invariant: a lone engine has none, and its search does not know of them.
#ifndef TWOFOLD_PEERS_H
#define TWOFOLD_PEERS_H

#include "search/search.h"

// An entry of the table with its whole key: the table that takes it may have another size.
typedef struct PeerEntry {
    u64 key, word;
} PeerEntry;

typedef struct PeerCounts {
    u64 nodes, tb_hits;
    u64 sent, taken, used; // entries: given to the others, stored here from theirs, and nodes these answered
} PeerCounts;

// What a rank's search has found: its last finished iteration.
typedef struct PeerVote {
    int score, depth, seldepth;
    int pv_nb; // 0: nothing yet
    Move pv[MAX_PLY];
} PeerVote;

typedef struct Peers {
    void *self;
    int rank, size;
    // Rank 0 passes on what its session was told.
    void (*option)(void *self, Span name, Span value);
    void (*new_game)(void *self);
    // Waits until all have taken the memory they need.
    void (*prepare)(void *self);
    // Where what is to be told goes, from any thread; before anything else.
    void (*listen)(void *self, void (*note)(void *context, const char *text), void *context);

    // A search of so many workers begins; at rank 0 it begins everywhere. False: without peers.
    bool (*begin)(void *self, const Game *game, const Limits *limits, u64 network, int workers);
    // Of any worker; dropped when too many wait to be sent.
    void (*offer)(void *self, int worker, PeerEntry entry);
    // Of worker 0: entries from the others, as many as there are and fit; and what this rank has counted.
    int (*collect)(void *self, PeerEntry *out, int max);
    void (*count)(void *self, const PeerCounts *own);
    void (*vote)(void *self, const PeerVote *vote);
    // What the others have counted in this search, as far as is known; what this rank has sent is in it too.
    PeerCounts (*others)(void *self);
    // It is over; at rank 0 it ends everywhere.
    void (*end)(void *self);
    // The last vote of a rank in the search that has ended; NULL: there is none.
    const PeerVote *(*voted)(void *self, int rank);
} Peers;

// They must outlive the engine; NULL: none.
void engine_set_peers(Engine *engine, const Peers *peers);
// Tells the network in use: entries of another one mean nothing.
u64 engine_network(Engine *engine);
// What all ranks together have counted in the last search; false: it was one without peers.
bool search_peer_counts(const Engine *engine, PeerCounts *all);

#endif
