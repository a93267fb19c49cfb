// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: packed games as a stream of samples. Files are mapped and checked once; after that
// each epoch replays the games in a new order, filters, and hands out batches from a shuffled pool, so memory
// holds the games (four bytes a position) and one pool, however large the data is. The split into training
// and validation goes by the game's contents: copies of a game always fall on the same side.
#ifndef TWOFOLD_TRAIN_DATASET_H
#define TWOFOLD_TRAIN_DATASET_H

#include "base/cli.h"
#include "base/parallel.h"
#include "train/model.h"
#include "train/packed.h"

typedef struct GameRef {
    PackedGame game;
    int sample_nb; // -1: not legal to its end
} GameRef;

typedef struct GameList {
    GameRef *ref;
    i64 nb, capacity, samples;
} GameList;

typedef struct Dataset {
    FileMap map[CLI_FILES_MAX];
    int map_nb;
    GameList train, valid;
    // what was found
    i64 positions, illegal_games, damaged_places;
    i64 skipped[4]; // positions by reason, in the order of the SKIP_ bits
    u64 identity;   // of all games together
    // how samples are made
    SampleFilter filter;
    double wdl_share, score_k;
} Dataset;

// Maps and checks the files. `valid_share` of the games is kept for validation.
bool dataset_open(Dataset *data, const CliFiles *files, const SampleFilter *filter, double valid_share,
                  Parallel *team, Message *message);
void dataset_close(Dataset *data);
float dataset_target(const Dataset *data, int score, int result);
// Decodes the games order[0..nb) of a list (NULL: in their order) one after the other into `out`, which has
// room for their samples.
void dataset_decode(const Dataset *data, const GameList *list, const u32 *order, i64 nb, Parallel *team,
                    Sample *out);

// Hands out the samples of an epoch in random order.
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
// Up to `want` samples of feed->pool, by index; 0 at the end of the epoch. Valid until the next call.
int loader_next(Loader *loader, int want, const u32 **index);

#endif
