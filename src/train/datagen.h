// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: self-play with its settings, callable by tests without a command line. A file of
// games belongs to one run: the same seed, settings and network. It can be continued at any time.
#ifndef TWOFOLD_TRAIN_DATAGEN_H
#define TWOFOLD_TRAIN_DATAGEN_H

#include "base/shard.h"
#include "nnue/nnue.h"
#include "train/packed.h"

// What a game depends on, with the seed and its number: equal settings, equal games.
typedef struct PlaySettings {
    i64 nodes;                              // a move's search ends with the iteration that passes this
    i64 hard_nodes;                         // and at this many wherever it is
    i64 random_plies;                       // random moves at the start; half of the games have one more
    i64 even_score;                         // openings beyond this score are thrown away
    i64 even_nodes;                         // search that judges them
    i64 win_score, win_plies;               // a side this much ahead for so many plies has won
    i64 draw_score, draw_plies, draw_after; // this near to zero for so many plies, late enough, is a draw
    i64 max_plies;                          // a longer game is a draw
    i64 whole_games;                        // of a hundred are played on whatever the scores say
    i64 hash_mb;
} PlaySettings;
PlaySettings play_settings_default(void);

typedef struct DatagenJob {
    const char *path;
    const char *player; // at most PLAYER_NAME_MAX bytes for the head of a new file; NULL: none
    u64 seed;
    i64 games, positions; // how many the file shall hold; 0: no limit
    Shard shard;          // only these of the games
    int threads;
    PlaySettings settings;
    const Net *net; // NULL: material alone
    bool quiet;     // no progress on standard output
    i64 report_ms;  // between two lines of progress in a log
} DatagenJob;

// Makes the file, or continues it, until it holds what was asked for or an interrupt came. False with a
// message on failure.
bool datagen_run(const DatagenJob *job, Message *message);

#endif
