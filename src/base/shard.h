// SPDX-License-Identifier: GPL-3.0-or-later
// A share of a long job: machines that know nothing of each other do one each, and `merge` joins what comes
// of them.
#ifndef TWOFOLD_SHARD_H
#define TWOFOLD_SHARD_H

#include "base/base.h"

enum { SHARDS_MAX = 100000 };

// Share `index` (from 0) of `nb`; zero-initialised is everything.
typedef struct Shard {
    int index, nb;
} Shard;

// "3/8": the third of eight.
bool shard_read(Span text, Shard *shard, Message *message);
// Is the job with this number in the share? Those of a share lie as far apart as they can.
bool shard_has(const Shard *shard, i64 number);
// How many of the numbers below `nb` are.
i64 shard_count(const Shard *shard, i64 nb);

#endif
