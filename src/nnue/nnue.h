// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluation by a small network: features of either side's view -> one hidden layer per side -> squared
// clipped ReLU -> one output per phase bucket, in 16-bit integers. Net is the weights (read-only, shared by
// all threads); Accumulators is one worker's stack of hidden layers, brought up to date only when an
// evaluation is asked for. Invariant: the vector code equals nnue_evaluate_scalar bit for bit.
#ifndef TWOFOLD_NNUE_H
#define TWOFOLD_NNUE_H

#include "game.h"

enum {
    NET_HIDDEN = GAME_NET_HIDDEN, // a build constant of the game
    NET_ROWS = FEATURE_NB * PERSPECTIVE_BUCKET_NB,
    NET_QA = 255,    // hidden values: 1.0 is 255
    NET_QB = 128,    // output weights: 1.0 is 128, so that they reach almost that far in 8 bits
    NET_SCALE = 400, // output 1.0 in centipawns
    NET_STACK = 260, // deepest line a search can push
};

typedef struct Net {
    _Alignas(64) i16 feature_weight[NET_ROWS][NET_HIDDEN];
    _Alignas(64) i16 feature_bias[NET_HIDDEN];
    _Alignas(64) i16
        output_weight[BUCKET_NB][SIDE_NB][NET_HIDDEN]; // [.][0] own view, [.][1] the other side's
    i32 output_bias[BUCKET_NB];                        // in QA * QB
    char name[64];                                     // as the file tells it
} Net;

// The network built into the program; NULL when it was built without one, or when it is not as it should be:
// then net_embedded_error says what is wrong with it ("" else).
const Net *net_embedded(void);
const char *net_embedded_error(void);
// The network that lies in these bytes, checked like a file and used where it lies: they must be aligned to
// 64 bytes and outlive it. NULL with a message when there is something wrong.
const Net *net_in_place(const u8 *bytes, size_t size, Message *message);
// Reads a network file. On failure (not a network, another game or architecture, damaged) the message says
// why and *net is untouched.
bool net_load(Net *net, const char *path, Message *message);
// The same, but a smaller network is taken too: hidden units that it lacks weigh nothing, and all king
// buckets get the weights of its only one. On failure *net may have been written to.
bool net_load_grown(Net *net, const char *path, Message *message);
bool net_from_bytes(Net *net, const u8 *bytes, size_t size, Message *message);
// Writes a network file. Refuses weights for which a 16-bit accumulator could overflow.
bool net_save(const Net *net, const char *path, Message *message);
// Tells one network from another; 0 for none.
u64 net_checksum(const Net *net);

typedef struct Accumulators Accumulators;
// One worker's stack; NULL when there is no memory.
Accumulators *accumulators_new(void);
void accumulators_free(Accumulators *acc);
// Forgets everything, the refresh cache included: the network or the root position has changed.
void nnue_reset(Accumulators *acc, const Position *pos);
// Another root position, the network of before: the refresh cache is kept.
void nnue_begin(Accumulators *acc, const Position *pos);
// A move was made and this is what it changed; pos is the position after it. A null move needs neither push
// nor pop.
void nnue_push(Accumulators *acc, const Delta *delta, const Position *pos);
void nnue_pop(Accumulators *acc);
// How many of the last moves no score has been asked for yet: their sums are still to be made.
int nnue_waiting(const Accumulators *acc);
// Centipawns for the side to move, before any damping, never near a mate score. pos is the position of the
// last push.
int nnue_evaluate(Accumulators *acc, const Net *net, const Position *pos);
// The same from nothing, in plain C: the reference.
int nnue_evaluate_scalar(const Net *net, const Position *pos);
// The same with the piece on `sq` unseen: what it is worth is the difference.
int nnue_evaluate_without(const Net *net, const Position *pos, int sq);
// How a build computes: "AVX2", "SSE4.1", "NEON", "plain C".
const char *nnue_backend(void);

#endif
