// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: packed games as samples to learn from. Files are mapped and checked once; after that
// games are replayed whenever their samples are needed, so memory holds the games (four bytes a position),
// however large the data is. The split into training and validation goes by the game's contents: copies of a
// game always fall on the same side.
#ifndef TWOFOLD_TRAIN_DATASET_H
#define TWOFOLD_TRAIN_DATASET_H

#include "base/parallel.h"
#include "train/archive.h"
#include "train/model.h"

typedef struct GameRef {
    const PackedGame *game;
    int sample_nb; // -1: not legal to its end
} GameRef;

typedef struct GameList {
    GameRef *ref;
    i64 nb, samples;
} GameList;

typedef struct Dataset {
    Archive archive;
    GameList train, valid;
    // what was found
    i64 positions, illegal_games;
    i64 skipped[4]; // positions by reason, in the order of the SKIP_ bits
    u64 identity;   // of all games together
    // how samples are made
    SampleFilter filter;
    double wdl_share, score_k;
    double blend; // how much of a target comes from the next position's, up to the next noisy move
} Dataset;

// Maps and checks the files. `valid_share` of the games is kept for validation.
bool dataset_open(Dataset *data, const CliFiles *files, const SampleFilter *filter, double valid_share,
                  Parallel *team, Message *message);
// Takes the validation games of another set, and copies of them, out of the training games.
bool dataset_leave_out(Dataset *data, const Dataset *other, Message *message);
void dataset_close(Dataset *data);
float dataset_target(const Dataset *data, int score, int result);
// Decodes the games order[0..nb) of a list (NULL: in their order) one after the other into `out`, which has
// room for their samples; with a team (NULL: alone).
void dataset_decode(const Dataset *data, const GameList *list, const u32 *order, i64 nb, Parallel *team,
                    Sample *out);

#endif
