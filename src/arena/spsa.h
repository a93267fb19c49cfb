// SPDX-License-Identifier: GPL-3.0-or-later
// SPSA, which tunes all parameters at once: the arithmetic alone, without games, so that it can be tested on
// a function whose highest point is known. An iteration asks for a trial, plays its two sides against each
// other elsewhere, and learns from the result.
#ifndef TWOFOLD_ARENA_SPSA_H
#define TWOFOLD_ARENA_SPSA_H

#include "base/base.h"

enum { TUNABLES_MAX = 512 };

// A parameter being tuned. `reach` is how far it is moved to either side for a comparison, at the last
// iteration.
typedef struct Tunable {
    char name[64];
    int param; // its index among the search's parameters
    int def, min, max;
    double value, reach;
} Tunable;

// The schedule: steps shrink with the iterations, fast enough to settle and slowly enough to get there.
typedef struct Spsa {
    Tunable *tunable;
    int tunable_nb;
    i64 iterations; // planned
    double rate;    // size of the last step, relative to the reach squared
    u64 seed;
} Spsa;

// The two sides of iteration k (from 0): whole values on either side of the present ones, in directions that
// follow from the seed.
typedef struct SpsaTrial {
    i64 k;
    double direction[TUNABLES_MAX]; // signed distance
    int plus[TUNABLES_MAX], minus[TUNABLES_MAX];
} SpsaTrial;
void spsa_trial(const Spsa *spsa, i64 k, SpsaTrial *trial);
// Moves the values by what the trial told: wins of the plus side less those of the minus side.
void spsa_learn(Spsa *spsa, const SpsaTrial *trial, double result);
// The value to commit.
int tunable_rounded(const Tunable *tunable);

#endif
