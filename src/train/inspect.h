// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: an early look at what a network has learned. What a piece is worth is asked of the
// network itself: the score of real positions, less the score with that piece unseen, on average by kind and
// by square.
#ifndef TWOFOLD_TRAIN_LOOK_H
#define TWOFOLD_TRAIN_LOOK_H

#include "nnue/nnue.h"
#include "train/dataset.h"

enum { LOOK_PLANES_MAX = 64, LOOK_EDGE_MAX = 16 };

typedef struct InspectionPlane {
    const char *name;
    double sum;
    i64 nb;
    double cell_sum[LOOK_EDGE_MAX][LOOK_EDGE_MAX]; // [row][column]
    i64 cell_nb[LOOK_EDGE_MAX][LOOK_EDGE_MAX];
} InspectionPlane;

typedef struct Inspection {
    InspectionPlane plane[LOOK_PLANES_MAX];
    int plane_nb, columns, rows;
} Inspection;

// Asks about up to `positions` positions of the validation games (of the training games when there are none).
void inspect_measure(Inspection *look, const Net *net, const Dataset *data, int positions);
// One line: the value of each kind of piece in centipawns.
void inspect_print_values(const Inspection *look, Text *out);
// A picture of the board for each kind.
void inspect_draw(const Inspection *look, Text *out);

typedef struct LossPoint {
    double train, valid; // valid < 0: none
} LossPoint;
// The loss by epoch as a curve.
void inspect_draw_losses(const LossPoint *points, int nb, Text *out);

#endif
