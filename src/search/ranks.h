// SPDX-License-Identifier: GPL-3.0-or-later
// What a search does with its peers (peers.h): gives deep entries, takes theirs, and tells what it found.
// Private to src/search. Without peers in the running search `peer_depth` is beyond every depth, and nothing
// here is called from a node.
#ifndef TWOFOLD_SEARCH_RANKS_H
#define TWOFOLD_SEARCH_RANKS_H

#include "search/peers.h"
#include "search/worker.h"

// Of the search that begins, and its end.
void peers_begin(Engine *engine, const Game *game);
void peers_end(Engine *engine);
// A node as deep as peer_depth is in the table: the others get it. Cold, as the next one, so that the code of
// a node is laid out for the search without peers.
void peers_offer(Worker *worker) __attribute__((cold));
// An entry as deep as peer_depth has answered the node: was it another rank's?
void peers_note_answer(Worker *worker) __attribute__((cold));
// Of worker 0: with the clock, and after a finished iteration.
void peers_look(Worker *worker);
void peers_vote(Worker *worker);
// What this rank has counted, but for what it sent; and what the others have, and what was sent: zeros
// without them.
PeerCounts peers_own_counts(const Engine *engine);
PeerCounts peers_counts(const Engine *engine);
// How many ranks there are in this search, this one included; 0 without peers.
int peers_size(const Engine *engine);
// The vote of another rank that may be followed: of a move that is searched here, with a line that is legal.
// NULL: there is none. Once the search has ended.
const PeerVote *peers_voted(const Engine *engine, int rank);
// Makes the vote the result of worker 0.
void peers_follow(Engine *engine, const PeerVote *vote);

#endif
