// SPDX-License-Identifier: GPL-3.0-or-later
// For the suites of training: files of packed random games.
#ifndef TWOFOLD_TEST_PACKED_HELPERS_H
#define TWOFOLD_TEST_PACKED_HELPERS_H

#include "helpers.h"
#include "train/packed.h"

// A whole file, whose data is to be freed.
typedef struct Bytes {
    u8 *data;
    size_t size;
} Bytes;
Bytes read_bytes(const char *path);

// A game of random legal moves with made-up scores, the same for the same seed.
void draft_random(GameDraft *draft, u64 seed, int plies);
void write_game(FILE *stream, const GameDraft *draft, u64 number, GameResult result, EndKind end);
// A file of such games with the seeds `seed`, `seed + 1` and so on; results and endings take turns.
void write_random_games(const char *path, int games, int plies, u64 seed);

#endif
