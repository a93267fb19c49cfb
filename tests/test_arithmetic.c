// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of base.h that has two ways to the same number.
#include "test.h"

void test_arithmetic(void)
{
    static const u64 EDGES[] = {0, 1, 2, 0xFFFFFFFF, 0x100000000, 0x100000001, INT64_MAX, ~0ULL - 1, ~0ULL};
    enum { EDGE_NB = sizeof EDGES / sizeof EDGES[0], RANDOM = 20000 };
    CASE("arithmetic: the upper half of a product, by halves and at once");
    for (int i = 0; i < EDGE_NB * EDGE_NB; i++) {
        u64 a = EDGES[i / EDGE_NB], b = EDGES[i % EDGE_NB];
        CHECK(product_high_by_halves(a, b) == product_high(a, b));
    }
    Rng rng = {91};
    for (int i = 0; i < RANDOM; i++) {
        u64 a = rng_next(&rng) >> rng_below(&rng, 64), b = rng_next(&rng) >> rng_below(&rng, 64);
        CHECK(product_high_by_halves(a, b) == product_high(a, b));
    }
    CHECK(product_high_by_halves(~0ULL, ~0ULL) == ~0ULL - 1);
    CHECK(product_high_by_halves(1ULL << 63, 6) == 3);
}
