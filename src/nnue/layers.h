// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/nnue: the limits that the accumulators and the output layer rely on, and the steps they
// share. Invariant: a hidden value fits 16 bits (net.c refuses weights that could break it) and an output
// weight fits
// +-NET_OUTPUT_MAX, so that clamp(v) * w fits 16 bits and a lane of 32-bit sums can't overflow at any allowed
// width.
#ifndef TWOFOLD_NNUE_LAYERS_H
#define TWOFOLD_NNUE_LAYERS_H

#include "nnue/nnue.h"

enum {
    NET_OUTPUT_MAX = 127,
    NET_SCORE_MAX = 20000, // an evaluation, whatever the weights say, is no mate score
    NET_HIDDEN_STEP = 32,
    NET_HIDDEN_LIMIT = 1024,
};

_Static_assert(NET_HIDDEN % NET_HIDDEN_STEP == 0, "the hidden layer is a multiple of the widest vector step");
_Static_assert((int)NET_HIDDEN <= NET_HIDDEN_LIMIT, "four 32-bit lanes must hold one side's sum");
_Static_assert(NET_QA *NET_OUTPUT_MAX <= INT16_MAX, "clamped value times output weight in 16 bits");
_Static_assert((i64)NET_HIDDEN_LIMIT / 4 * NET_QA * NET_QA * NET_OUTPUT_MAX <= INT32_MAX,
               "one lane of the sum");

// The row of weights of a feature in a view.
static inline const i16 *net_row(const Net *net, int perspective, int feature)
{
    return net->feature_weight[features_perspective_bucket(perspective) * FEATURE_NB + feature];
}

// From the sum of the output layer to centipawns: the same integer steps in every build.
static inline int net_scale(const Net *net, int bucket, i64 sum)
{
    i64 score = (sum / NET_QA + net->output_bias[bucket]) * NET_SCALE / (NET_QA * NET_QB);
    return (int)max_i64(-NET_SCORE_MAX, min_i64(NET_SCORE_MAX, score));
}

#endif
