// SPDX-License-Identifier: GPL-3.0-or-later
// The transposition table: clusters of five entries in a 64-byte cache line, shared by all threads without
// locks. An entry is one 64-bit word of data and a 32-bit check that is part of the key XORed with both
// halves of the data: a torn or foreign entry fails the check, so that a probe returns either what one store
// wrote for this key, or nothing.
#ifndef TWOFOLD_TT_H
#define TWOFOLD_TT_H

#include "search/params.h"
#include "search/search.h"

enum {
    TT_DEPTH_Q = -1,       // stored by quiescence
    TT_DEPTH_Q_CHECKS = 0, // the same, with checks searched
    TT_DEPTH_EVAL = -2,    // static evaluation alone
};

typedef struct TtEntry {
    Move move;
    i16 score; // as seen from the node (mates counted from there); SCORE_NONE when there is none
    i16 eval;  // static, uncorrected; SCORE_NONE when there is none
    i16 depth;
    u8 bound; // Bound
    bool was_pv;
    bool hit;
} TtEntry;

// Nothing is known.
static const TtEntry TT_NO_ENTRY = {.score = SCORE_NONE, .eval = SCORE_NONE, .depth = TT_DEPTH_EVAL};

typedef struct Tt Tt;

// A table of `mb` megabytes, zeroed; NULL when it can't be had. The parameters must outlive it.
Tt *tt_new(int mb, const Params *params);
void tt_free(Tt *tt);
// Clears with several threads when that is faster.
void tt_clear(Tt *tt, int threads);
// A new search begins: older entries become cheaper to replace.
void tt_age(Tt *tt);
void tt_prefetch(const Tt *tt, u64 key);
// A copy of what is known about the key, mate scores adjusted to `ply`.
TtEntry tt_probe(const Tt *tt, u64 key, int ply);
void tt_store(Tt *tt, u64 key, int ply, Move move, int score, int eval, int depth, Bound bound, bool pv);
// What the table holds for the key, in one word that another table can take; 0: nothing, or no result of a
// search.
u64 tt_word(const Tt *tt, u64 key);
// Stores such a word from another machine. False when it is none, or when the table knows as much.
bool tt_take(Tt *tt, u64 key, u64 word);
// Is what the table holds for the key one that was taken so?
bool tt_is_taken(const Tt *tt, u64 key);
// How full of this search's entries, in permille, from a sample.
int tt_permille(const Tt *tt);
// `network` says whose scores these are: a file of another one is refused.
bool tt_save(const Tt *tt, u64 network, const char *path, Message *message);
bool tt_load(Tt *tt, u64 network, const char *path, Message *message);

#endif
