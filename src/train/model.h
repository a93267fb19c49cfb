// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: the network in floating point, for learning. One sample goes forward and back at a
// time; the features are few and each is 0 or 1, so the hidden layer is a sum of rows and its gradient is
// added to those rows. With king buckets a row's weight is its own plus one that all buckets share (the
// factor), so that a bucket with little data still knows what the others know; the export adds the two.
#ifndef TWOFOLD_TRAIN_MODEL_H
#define TWOFOLD_TRAIN_MODEL_H

#include "nnue/nnue.h"

enum {
    MODEL_FACTORED = PERSPECTIVE_BUCKET_NB > 1,
    FACTOR_ROWS = MODEL_FACTORED ? FEATURE_NB : 1,
    BIAS_ROOM = (BUCKET_NB + 15) / 16 * 16,
};
_Static_assert(NET_ROWS <= 65536, "a sample names rows in 16 bits");

// All that is learned; also what a gradient and the optimiser's two moments look like.
typedef struct Weights {
    _Alignas(64) float feature_weight[NET_ROWS][NET_HIDDEN];
    float factor_weight[FACTOR_ROWS][NET_HIDDEN];
    float feature_bias[NET_HIDDEN];
    float output_weight[BUCKET_NB][SIDE_NB][NET_HIDDEN];
    float output_bias[BIAS_ROOM];
} Weights;

// The gradient of some samples, and which rows they touched: the others are zero.
typedef struct Gradient {
    Weights of;
    u8 touched[NET_ROWS];
} Gradient;

typedef struct Model {
    Weights *params;
    Weights *moment1, *moment2; // AdamW
    Weights *average;           // of the weights after the last updates; zeros before
    float (*rows)[NET_HIDDEN];  // what a row weighs with its factor: NET_ROWS of them
    u64 step;                   // updates made
    u64 averaged;               // of them in the average
} Model;

// A position as the trainer needs it. Side 0 is the side to move.
typedef struct Sample {
    u16 row[SIDE_NB][FEATURE_ACTIVE_MAX];
    float target; // expected result, 0..1
    u8 row_nb[SIDE_NB];
    u8 bucket;
} Sample;

void sample_from_position(Sample *sample, const Position *pos, float target);

bool model_new(Model *model, Message *message);
void model_free(Model *model);
// Random weights from a seed, or those of a network: hidden units that it does not use begin with random
// weights from the seed and no say in the output, so that a network that was widened can learn with them.
void model_init(Model *model, u64 seed);
void model_from_net(Model *model, const Net *net, u64 seed);
// After params were changed by other means than model_update: makes rows follow.
void model_sync(Model *model);

// The network's output for the side to move, 1.0 being NET_SCALE centipawns.
float model_output(const Model *model, const Sample *sample);
// Squared error of the expected result; adds its gradient to *gradient (may be NULL). `sharpness` is
// NET_SCALE / K.
double model_learn(const Model *model, const Sample *sample, float sharpness, Gradient *gradient);

// The gradients of the parts of a batch become one sum, added in the order of the parts whoever does it: to
// rows first <= row < end, or to all that is not in rows. What was added is cleared.
void model_gather_rows(Weights *sum, Gradient *const *gradients, int gradient_nb, int first, int end);
void model_gather_rest(Weights *sum, Gradient *const *gradients, int gradient_nb);

typedef struct Update {
    float rate, decay;
    float decay_own;      // of what a king bucket has of its own
    float gradient_scale; // 1 / samples
    bool averages;        // the weights after it count in the average
} Update;
// The share `part` of `part_nb` of one optimiser step: gathers its share of the gradients (none, where that
// has been done) and takes the sum, which it clears. Shares do not overlap.
void model_update_part(Model *model, const Update *update, Weights *sum, Gradient *const *gradients,
                       int gradient_nb, int part, int part_nb);
// The same share of the average, when the update counts in it: after all parts of the update, before its end.
void model_average_part(Model *model, int part, int part_nb);
// Ends the step, after all parts.
void model_step_done(Model *model, const Update *update);
// The average takes the place of the weights; without one they stay.
void model_take_average(Model *model);

// Tells whether two models have learned the same.
u64 model_checksum(const Model *model);

// Rounded to integers. What clipping keeps in range needs no more care.
void model_quantise(const Model *model, Net *net);

#endif
