// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: from the learned weights to the integers of a network file, and how far apart the two
// are on real positions.
#ifndef TWOFOLD_TRAIN_QUANTISE_H
#define TWOFOLD_TRAIN_QUANTISE_H

#include "train/dataset.h"

// The integer network against the float one, in centipawns.
typedef struct Rounding {
    double apart, worst;      // mean and greatest distance
    double offset[BUCKET_NB]; // mean of float less integer
    i64 nb;
} Rounding;

// Compares them on positions of the validation games (of the training games when there are none).
Rounding rounding_of(const Model *model, const Dataset *data, const Net *net);

// Rounds the weights, and takes back the part of the error that all scores of a bucket share.
void quantise(const Model *model, const Dataset *data, Net *net);

#endif
