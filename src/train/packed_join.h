// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: files of packed games in the order of the games' numbers, however many threads or
// machines made them.
#ifndef TWOFOLD_TRAIN_PACKED_JOIN_H
#define TWOFOLD_TRAIN_PACKED_JOIN_H

#include "train/archive.h"

typedef struct PackedJoin {
    i64 game_nb, twice_nb; // written; left out because another file has them too
    u64 damaged_bytes;     // of the files, left out
} PackedJoin;

// Writes the games of all files, which are of one run, to `out`: each number once and in order, and none from
// number `end` on. `out` may be one of the files. Only the places of the games are held in memory. False with
// a message, and `out` as it was, when a file is of another run or can't be read, or `out` not be written.
bool packed_join(const char *out, const CliFiles *files, u64 end, PackedJoin *result, Message *message);

#endif
