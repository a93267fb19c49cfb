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

typedef struct Model {
    Weights *params;
    Weights *moment1, *moment2; // AdamW
    float (*rows)[NET_HIDDEN];  // what a row weighs with its factor: NET_ROWS of them
    u64 step;                   // updates made
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
// Random weights from a seed, or those of a network.
void model_init(Model *model, u64 seed);
void model_from_net(Model *model, const Net *net);
// After params were changed by other means than model_update: makes rows follow.
void model_sync(Model *model);

// The network's output for the side to move, 1.0 being NET_SCALE centipawns.
float model_output(const Model *model, const Sample *sample);
// Squared error of the expected result; adds its gradient to *gradient (may be NULL). `sharpness` is
// NET_SCALE / K.
double model_learn(const Model *model, const Sample *sample, float sharpness, Weights *gradient);

typedef struct Update {
    float rate, decay;
    float gradient_scale; // 1 / samples
} Update;
// The share `part` of `part_nb` of one optimiser step: takes the sum of the gradients, which it clears.
// Shares do not overlap.
void model_update_part(Model *model, const Update *update, Weights *const *gradients, int gradient_nb,
                       int part, int part_nb);
// Ends the step, after all parts.
void model_step_done(Model *model);

// Rounded to integers. What clipping keeps in range needs no more care.
void model_quantise(const Model *model, Net *net);

#endif
