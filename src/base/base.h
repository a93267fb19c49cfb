// SPDX-License-Identifier: GPL-3.0-or-later
// The ground everything stands on: integer names, bits, a random number generator, checked text, and
// (through os.h) the clock, memory, threads, files and processes. The one public header of base/.
// Nothing here knows of a game.
#ifndef TWOFOLD_BASE_H
#define TWOFOLD_BASE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TWOFOLD_VERSION "0.1"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;

static inline int min_int(int a, int b) { return a < b ? a : b; }
static inline int max_int(int a, int b) { return a > b ? a : b; }
static inline int clamp_int(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
static inline i64 min_i64(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 max_i64(i64 a, i64 b) { return a > b ? a : b; }
static inline i64 clamp_i64(i64 v, i64 lo, i64 hi) { return v < lo ? lo : v > hi ? hi : v; }

static inline int bits_count(u64 b) { return __builtin_popcountll(b); }
static inline int bits_first(u64 b) { return assert(b), __builtin_ctzll(b); }
static inline int bits_last(u64 b) { return assert(b), 63 - __builtin_clzll(b); }
static inline bool bits_many(u64 b) { return (b & (b - 1)) != 0; }
static inline int bits_pop(u64 *b)
{
    int i = bits_first(*b);
    *b &= *b - 1;
    return i;
}

// The upper 64 bits of a product, by halves: for machines that have no wider number.
static inline u64 product_high_by_halves(u64 a, u64 b)
{
    const u64 half = 0xFFFFFFFF;
    u64 low = (a & half) * (b & half), cross = (a >> 32) * (b & half) + (low >> 32);
    u64 other = (a & half) * (b >> 32) + (cross & half);
    return (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
}
// The upper 64 bits of a product: `a` as a share of all numbers, of b.
static inline u64 product_high(u64 a, u64 b)
{
#ifdef __SIZEOF_INT128__
    return (u64)((unsigned __int128)a * b >> 64);
#else
    return product_high_by_halves(a, b);
#endif
}

// A small, fast generator (splitmix64): the same seed gives the same numbers everywhere.
typedef struct Rng {
    u64 state;
} Rng;

static inline u64 rng_next(Rng *rng)
{
    u64 z = (rng->state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}
// A number in [0, n), without the bias of a plain remainder.
static inline u32 rng_below(Rng *rng, u32 n) { return (u32)(((rng_next(rng) >> 32) * n) >> 32); }
// A number in [0, 1).
static inline double rng_unit(Rng *rng) { return (double)(rng_next(rng) >> 11) * 0x1p-53; }

// Mixes a 64-bit value; for checksums and derived seeds, not for secrets.
static inline u64 hash_mix(u64 x)
{
    Rng rng = {x};
    return rng_next(&rng);
}

#include "base/disk_file.h"
#include "base/os.h"
#include "base/text.h"

#endif
