// SPDX-License-Identifier: GPL-3.0-or-later
// Simultaneous perturbation stochastic approximation (Spall): all parameters are moved at once in random
// directions, and one pair of games says whether that was uphill. Exponents and offset are the ones that
// Spall recommends.
#include <math.h>

#include "arena/spsa.h"

static const double ALPHA = 0.602, GAMMA = 0.101, OFFSET = 0.1;

// Both reach their last value at the last iteration and were larger before.
static double reach_at(const Spsa *spsa, const Tunable *tunable, i64 k)
{
    return tunable->reach * pow((double)spsa->iterations / (double)(k + 1), GAMMA);
}

static double step_at(const Spsa *spsa, const Tunable *tunable, i64 k)
{
    double offset = OFFSET * (double)spsa->iterations, last = offset + (double)spsa->iterations;
    return spsa->rate * tunable->reach * tunable->reach * pow(last / (offset + (double)k + 1), ALPHA);
}

// Rounds up as often as the fraction says: a parameter whose steps are below one still sees both neighbours.
static int round_by_chance(double value, double chance, const Tunable *tunable)
{
    double floor_value = floor(value);
    int rounded = (int)floor_value + (value - floor_value > chance);
    return clamp_int(rounded, tunable->min, tunable->max);
}

void spsa_trial(const Spsa *spsa, i64 k, SpsaTrial *trial)
{
    Rng rng = {hash_mix(spsa->seed) ^ hash_mix((u64)k + 1)};
    assert(spsa->tunable_nb <= TUNABLES_MAX);
    trial->k = k;
    for (int i = 0; i < spsa->tunable_nb; i++) {
        const Tunable *tunable = &spsa->tunable[i];
        double chance = rng_unit(&rng), reach = reach_at(spsa, tunable, k);
        trial->direction[i] = rng_next(&rng) >> 63 ? reach : -reach;
        trial->plus[i] = round_by_chance(tunable->value + trial->direction[i], chance, tunable);
        trial->minus[i] = round_by_chance(tunable->value - trial->direction[i], chance, tunable);
    }
}

void spsa_learn(Spsa *spsa, const SpsaTrial *trial, double result)
{
    for (int i = 0; i < spsa->tunable_nb; i++) {
        Tunable *tunable = &spsa->tunable[i];
        double moved = tunable->value + step_at(spsa, tunable, trial->k) * result / trial->direction[i];
        tunable->value = fmin(fmax(moved, tunable->min), tunable->max);
    }
}

int tunable_rounded(const Tunable *tunable) { return (int)floor(tunable->value + 0.5); }
