// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: the samples of an epoch in random order. The games come in a new order, of which each
// part of a batch has a stretch and a loader of its own: so whoever learns a part decodes nothing but its
// games. A loader decodes a pool of samples, shuffles it and hands it out; what is left of it when it runs
// low stays.
#ifndef TWOFOLD_TRAIN_LOADER_H
#define TWOFOLD_TRAIN_LOADER_H

#include "train/dataset.h"

// A stretch of the games of an epoch.
typedef struct Stretch {
    const u32 *game; // their places in the list of games
    i64 game_nb, samples;
} Stretch;

typedef struct Loader {
    const Dataset *data;
    Stretch stretch;
    Sample *pool;
    u32 *order;           // of the pool's samples
    u8 *is_kept;          // places of the pool whose samples stay, while it is filled again
    i64 capacity, nb, at; // samples in the pool, and the next to hand out
    i64 next_game;
    Rng rng;
} Loader;

// Shuffles the training games for an epoch into `order`, which has room for all of them, and cuts them into
// stretches with as equal numbers of samples as whole games allow.
void loader_deal(const Dataset *data, u64 seed, int epoch, u32 *order, Stretch *stretches, int stretch_nb);

// The pool holds about `buffer` samples, and always as many as are asked for at once.
bool loader_new(Loader *loader, const Dataset *data, i64 buffer, i64 want_max, Message *message);
void loader_free(Loader *loader);
void loader_begin(Loader *loader, const Stretch *stretch, u64 seed);
// The next `want` samples of loader->pool, by index; the stretch must still have them. Valid until the next
// call.
const u32 *loader_next(Loader *loader, i64 want);

#endif
