// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: the samples of an epoch in random order. A pool of samples is decoded from games that
// come in a new order, shuffled, and handed out in batches; what is left of it when it runs low stays.
#ifndef TWOFOLD_TRAIN_LOADER_H
#define TWOFOLD_TRAIN_LOADER_H

#include "train/dataset.h"

typedef struct Loader {
    const Dataset *data;
    Parallel *team;
    Sample *pool;
    u32 *order; // of the pool's samples
    u32 *game_order;
    i64 capacity, nb, at; // samples in the pool, and the next to hand out
    i64 next_game;
    Rng rng;
} Loader;

// The pool holds about `buffer` samples.
bool loader_new(Loader *loader, const Dataset *data, i64 buffer, Parallel *team, Message *message);
void loader_free(Loader *loader);
void loader_begin(Loader *loader, u64 seed, int epoch);
// Up to `want` samples of loader->pool, by index; 0 at the end of the epoch. Valid until the next call.
int loader_next(Loader *loader, int want, const u32 **index);

#endif
