// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/nnue: the output layer.
#ifndef TWOFOLD_NNUE_FORWARD_H
#define TWOFOLD_NNUE_FORWARD_H

#include "nnue/nnue.h"

// The output layer on two hidden layers (aligned to 64 bytes): own is the side to move's.
int net_forward(const Net *net, int bucket, const i16 *own, const i16 *other);

#endif
