// SPDX-License-Identifier: GPL-3.0-or-later
// The checksum of every new kind of file, and of settings that must be the same when a run is continued. It
// finds damage and mistakes, not forgery. Each step maps the sum so far one to one, for a given word, and
// each word one to one, for a given sum: a single changed word is always noticed. Networks and packed games
// keep the sums of their own formats.
#ifndef TWOFOLD_CHECKSUM_H
#define TWOFOLD_CHECKSUM_H

#include "base/base.h"

static inline u64 checksum_step(u64 sum, u64 word)
{
    sum = (sum ^ word) * 0x9E3779B97F4A7C15ULL;
    return sum ^ sum >> 29;
}

// The sum of what was summed before (0 at the beginning) and these bytes. Where one call ends and the next
// begins counts.
static inline u64 checksum_add(u64 sum, const void *bytes, size_t size)
{
    const u8 *at = bytes;
    u64 word;
    size_t left = size;
    for (; left >= sizeof word; left -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = checksum_step(sum, word);
    }
    word = 0;
    if (left)
        memcpy(&word, at, left);
    return hash_mix(checksum_step(checksum_step(sum, word), size));
}

#endif
