// SPDX-License-Identifier: GPL-3.0-or-later
// The packed position: what goes in comes out, and bytes that were never packed are refused or are a sound
// position.
#include "bitboard.h"
#include "helpers.h"

static void check_round_trip(const Position *pos)
{
    u8 bytes[PACKED_BYTES], again[PACKED_BYTES];
    Position other;
    char text[TEXT_MAX], other_text[TEXT_MAX];
    pos_print(pos, text);
    CHECK_THAT(pos_pack(pos, bytes) && pos_unpack(&other, bytes, &pos->rules), "%s is not held", text);
    pos_print(&other, other_text);
    CHECK_TEXT(other_text, text);
    CHECK_THAT(other.key == pos->key && pos_is_ok(&other), "%s comes back broken", text);
    CHECK_THAT(pos_pack(&other, again) && memcmp(bytes, again, sizeof bytes) == 0, "%s packs differently",
               text);
}

static void test_round_trips(void)
{
    static const char *const STARTS[] = {
        GAME_START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "8/8/8/8/k1pP4/8/8/4K3 b - d3 0 1",
        "1rkr3b/1ppn3p/3pB1n1/6q1/R2P4/4N1P1/1P5P/2KRQ1B1 b Dbd - 0 14",
        "rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2R2R b E - 1 20",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 99 4321",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 150 9999",
        "8/8/8/8/8/4k3/4p3/4K2R w - - 9999 220",
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
    };
    CASE("packed positions come back along random games, in both modes");
    Rng rng = {7};
    for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++)
        for (int game = 0; game < (test_is_light() ? 4 : 40); game++) {
            Rules rules = {.chess960 = game & 1};
            Position pos = position_under(STARTS[i], &rules);
            for (int ply = 0; ply < 150; ply++) {
                check_round_trip(&pos);
                if (!play_random(&pos, &rng))
                    break;
            }
        }
}

// Accepted bytes must be exactly what packing the position gives: there is one packed form.
static bool is_honest(const u8 *bytes)
{
    Rules rules = rules_default();
    Position pos;
    u8 again[PACKED_BYTES];
    return !pos_unpack(&pos, bytes, &rules) ||
           (pos_is_ok(&pos) && pos_pack(&pos, again) && memcmp(bytes, again, sizeof again) == 0);
}

static void test_garbage(void)
{
    CASE("random bytes are refused or sound");
    Rng rng = {99};
    int tries = test_is_light() ? 20000 : 400000;
    for (int i = 0; i < tries; i++) {
        u8 bytes[PACKED_BYTES];
        for (int j = 0; j < PACKED_BYTES; j += 8) {
            u64 word = rng_next(&rng);
            if (j == 0)
                word &= rng_next(&rng) & rng_next(&rng); // few men, so that it goes further
            memcpy(bytes + j, &word, 8);
        }
        CHECK(is_honest(bytes));
    }

    CASE("damaged packed positions are refused or sound");
    Rules rules = rules_default();
    Position pos;
    u8 good[PACKED_BYTES];
    static const char *const STARTS[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "8/8/8/8/k1pP4/8/8/4K3 b - d3 0 1",
    };
    int accepted = 0;
    for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++) {
        pos = position_of(STARTS[i]);
        CHECK(pos_pack(&pos, good));
        for (int n = 0; n < (test_is_light() ? 5000 : 100000); n++) {
            u8 bytes[PACKED_BYTES];
            memcpy(bytes, good, sizeof good);
            for (u32 flips = 1 + rng_below(&rng, 3); flips; flips--)
                bytes[rng_below(&rng, PACKED_BYTES)] ^= (u8)(1 << rng_below(&rng, 8));
            CHECK(is_honest(bytes));
            accepted += pos_unpack(&pos, bytes, &rules);
        }
    }
    CHECK(accepted > 0);
}

static void test_refusals(void)
{
    CASE("impossible bytes are refused and the position stays");
    Rules rules = rules_default();
    Position pos = position_of(GAME_START);
    const Position before = pos;
    u8 good[PACKED_BYTES], bytes[PACKED_BYTES];
    CHECK(pos_pack(&pos, good));
    static const struct {
        int at;
        u8 value;
    } DAMAGE[] = {
        {0, 0},      // men without squares
        {2, 0xFF},   // more than 32 squares
        {8, 0},      // a man that is nothing
        {24, 2 * 5}, // en passant where nobody can capture
        {24, 0xFF},  // no such file
        {27, 0},     // move number 0
        {29, 1},     // bytes that are always zero
        {31, 0x80},
    };
    for (size_t i = 0; i < sizeof DAMAGE / sizeof DAMAGE[0]; i++) {
        memcpy(bytes, good, sizeof good);
        bytes[DAMAGE[i].at] = DAMAGE[i].value;
        CHECK_THAT(!pos_unpack(&pos, bytes, &rules), "byte %d = %d is taken", DAMAGE[i].at, DAMAGE[i].value);
        CHECK(memcmp(&pos, &before, sizeof pos) == 0);
    }
}

void test_pack(void)
{
    test_round_trips();
    test_garbage();
    test_refusals();
}
