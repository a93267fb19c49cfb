// SPDX-License-Identifier: GPL-3.0-or-later
// From hidden layers to a score: squared clipped ReLU and the output layer, once with vectors and once as the
// plain reference that says what the vectors must answer.
#include "nnue/forward.h"
#include "nnue/layers.h"
#include "nnue/simd.h"

// Sum of clamp(v)^2 * w. The product v * w is taken first, in 16 bits; multiplying it by v and adding
// neighbours in 32 bits is then one instruction.
static inline i64 sum_side(const i16 *hidden, const i16 *weight)
{
    const Vec zero = VEC_SET(0), one = VEC_SET(NET_QA);
    VecSum sum = VECSUM_ZERO();
    for (int i = 0; i < NET_HIDDEN; i += VEC_LANES) {
        Vec v = VEC_LOAD(hidden + i);
        v = VEC_CLAMP(v, zero, one);
        Vec product = VEC_MUL(v, VEC_LOAD(weight + i));
        sum = VECSUM_MADD(sum, v, product);
    }
    return vecsum_total(sum);
}

int net_forward(const Net *net, int bucket, const i16 *own, const i16 *other)
{
    return net_scale(net, bucket,
                     sum_side(own, net->output_weight[bucket][0]) +
                         sum_side(other, net->output_weight[bucket][1]));
}

// ---- the reference ------------------------------------------------------------------------------

// One side's part of the sum, from the features alone; those in `unseen` do not count.
static i64 scalar_side(const Net *net, const Position *pos, int side, int bucket, const u16 *unseen,
                       int unseen_nb)
{
    int perspective = features_perspective(pos, side);
    u16 active[FEATURE_ACTIVE_MAX];
    int active_nb = features_active(pos, side, perspective, active);
    i16 hidden[NET_HIDDEN];
    memcpy(hidden, net->feature_bias, sizeof hidden);
    for (int a = 0; a < active_nb; a++) {
        bool seen = true;
        for (int u = 0; u < unseen_nb; u++)
            seen &= active[a] != unseen[u];
        const i16 *row = net_row(net, perspective, active[a]);
        for (int i = 0; seen && i < NET_HIDDEN; i++)
            hidden[i] = (i16)(hidden[i] + row[i]);
    }
    const i16 *weight = net->output_weight[bucket][side != pos_side(pos)];
    i64 sum = 0;
    for (int i = 0; i < NET_HIDDEN; i++) {
        i64 v = clamp_int(hidden[i], 0, NET_QA);
        sum += v * v * weight[i];
    }
    return sum;
}

int nnue_evaluate_scalar(const Net *net, const Position *pos)
{
    int bucket = features_bucket(pos);
    i64 sum = 0;
    for (int side = 0; side < SIDE_NB; side++)
        sum += scalar_side(net, pos, side, bucket, NULL, 0);
    return net_scale(net, bucket, sum);
}

int nnue_evaluate_without(const Net *net, const Position *pos, int sq)
{
    int bucket = features_bucket(pos);
    i64 sum = 0;
    for (int side = 0; side < SIDE_NB; side++) {
        u16 unseen[FEATURE_ACTIVE_MAX];
        int unseen_nb = features_of_square(pos, side, features_perspective(pos, side), sq, unseen);
        sum += scalar_side(net, pos, side, bucket, unseen, unseen_nb);
    }
    return net_scale(net, bucket, sum);
}

const char *nnue_backend(void) { return VEC_NAME; }
