// SPDX-License-Identifier: GPL-3.0-or-later
// The transposition table: what is stored is found, scores of mates move with the ply, a saved table comes
// back whole or is refused with a reason.
#include <unistd.h>

#include "base/checksum.h"
#include "helpers.h"
#include "search/worker.h"

// The file of a saved table: a head of 56 bytes, whose last 8 are the sum, then the clusters, whose first
// words are entries with the score in bits 16 to 31 and the evaluation in bits 32 to 47.
static void check_bad_scores(const Tt *tt, Tt *other, const char *path)
{
    enum { HEAD = 56, SUM_AT = 48 };
    static const u64 BAD[] = {(u64)(u16)32003 << 16, (u64)(u16)-32001 << 16, (u64)(u16)32010 << 32,
                              (u64)(u16)(SCORE_EVAL_MAX + 1) << 32, 254ULL << 48};
    Message message = {0};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        CHECK(tt_save(tt, 7, path, &message));
        Text file = read_whole(path);
        u64 word = BAD[i], cluster_nb = (file.len - HEAD) / 64;
        memcpy(file.ptr + HEAD + 64 * 100, &word, sizeof word);
        u64 sum = checksum_add(cluster_nb, file.ptr + HEAD, file.len - HEAD);
        memcpy(file.ptr + SUM_AT, &sum, sizeof sum);
        CHECK(os_write_file(path, file.ptr, file.len, &message));
        CHECK_THAT(!tt_load(other, 7, path, &message) && strstr(message.text, "scores out of range"),
                   "%d: %s", (int)i, message.text);
        text_free(&file);
    }
    CHECK(tt_save(tt, 7, path, &message) && tt_load(other, 7, path, &message));
}

static void check_table(void)
{
    const Params params = params_default();
    Tt *tt = tt_new(1, &params);
    CASE("row 14: the table gives back what was stored, mates by distance from the node");
    tt_store(tt, 0x123456789ABCDEF0ULL, 7, 0x1234, SCORE_MATE - 10, -55, 9, BOUND_LOWER, true);
    TtEntry e = tt_probe(tt, 0x123456789ABCDEF0ULL, 3);
    CHECK(e.hit && e.move == 0x1234 && e.bound == BOUND_LOWER && e.was_pv);
    CHECK_INT(e.score, SCORE_MATE - 10 + 7 - 3);
    CHECK_INT(e.eval, -55);
    CHECK_INT(e.depth, 9);
    tt_store(tt, 99, 2, 5, -SCORE_MATE + 12, SCORE_NONE, MAX_PLY - 1, BOUND_UPPER, false);
    e = tt_probe(tt, 99, 4);
    CHECK_INT(e.score, -SCORE_MATE + 12 - 2 + 4);
    CHECK_INT(e.depth, MAX_PLY - 1);
    CHECK_INT(e.eval, SCORE_NONE);
    CHECK(!tt_probe(tt, 0x123456789ABCDEF1ULL, 0).hit);
    tt_store(tt, 99, 0, MOVE_NONE, 17, 3, 1, BOUND_EXACT, false);
    CHECK_INT(tt_probe(tt, 99, 0).move, 5);

    CASE("row 13: deep entries outlive shallow ones, and old ones go");
    for (int i = 0; i < 200000; i++)
        tt_store(tt, hash_mix((u64)i), 0, 1, 0, 0, 2, BOUND_UPPER, false);
    tt_store(tt, hash_mix(1), 0, 77, 11, 0, 30, BOUND_EXACT, true);
    for (int i = 300000; i < 400000; i++)
        tt_store(tt, hash_mix((u64)i), 0, 1, 0, 0, 2, BOUND_UPPER, false);
    CHECK(tt_probe(tt, hash_mix(1), 0).move == 77);
    CHECK(tt_permille(tt) > 900);
    for (int age = 0; age < 8; age++) {
        tt_age(tt);
        for (int i = 400000; i < 450000; i++)
            tt_store(tt, hash_mix((u64)i + 1000000u * (u64)age), 0, 1, 0, 0, 3, BOUND_UPPER, false);
    }
    CHECK(!tt_probe(tt, hash_mix(1), 0).hit);

    CASE("a table saved and loaded is the same; a damaged or foreign file is refused");
    Message message;
    char path[PATH_BYTES];
    scratch_path("hash", path);
    tt_store(tt, 4242, 0, 321, 123, -7, 12, BOUND_EXACT, true);
    CHECK(tt_save(tt, 7, path, &message));
    Tt *other = tt_new(1, &params);
    CHECK(!tt_load(other, 8, path, &message) && strstr(message.text, "another network"));
    CHECK(!tt_probe(other, 4242, 0).hit);
    CHECK(tt_load(other, 7, path, &message));
    CHECK_INT(tt_probe(other, 4242, 0).move, 321);
    Tt *larger = tt_new(2, &params);
    CHECK(!tt_load(larger, 7, path, &message) && strstr(message.text, "MB"));
    FILE *file = fopen(path, "r+b");
    fseek(file, 5000, SEEK_SET);
    fputc(0x5A, file);
    fputc(0xA5, file);
    fclose(file);
    CHECK(!tt_load(other, 7, path, &message) && strstr(message.text, "damaged"));
    CHECK_INT(tt_probe(other, 4242, 0).move, 321);
    CHECK(truncate(path, 1000) == 0 && !tt_load(other, 7, path, &message));
    CHECK(!tt_load(other, 7, "/nonexistent/hash", &message));
    CHECK(!tt_save(other, 7, "/nonexistent/hash", &message));
    CASE("a file whose sum is right but whose scores are none is refused");
    check_bad_scores(tt, other, path);
    remove(path);
    tt_free(tt);
    tt_free(other);
    tt_free(larger);
}

// How the next search goes: from an empty table it takes more nodes than from the one it left itself.
static u64 nodes_of(Engine *engine, int elo)
{
    const Position pos = position_of(GAME_START);
    return search_of(engine, &pos, (Limits){.depth = 6, .elo = elo}, NULL).nodes;
}

static void check_kept_table(void)
{
    CASE("a table comes back whatever was played before, and never with a level's errors");
    char path[PATH_BYTES];
    Message message = {0};
    scratch_path("kept", path);
    Engine *engine = engine_new(1);
    const u64 cold = nodes_of(engine, 0);
    CHECK_THAT(engine_hash_save(engine, path, &message), "%s", message.text);
    nodes_of(engine, skill_range().min_elo);
    CHECK(!engine_hash_save(engine, path, &message) && strstr(message.text, "level"));
    CHECK_THAT(engine_hash_load(engine, path, &message), "%s", message.text);
    CHECK(nodes_of(engine, 0) < cold);
    CHECK_THAT(engine_hash_save(engine, path, &message), "%s", message.text);

    CASE("threads that can't be had are refused before they take all memory");
    if (os_memory_available_mb() == 0)
        test_skip("the system does not say how much memory there is");
    else
        CHECK(!engine_set_threads(engine, 100000000, &message) && strstr(message.text, "keeping 1"));

    CASE("a table of another network is refused");
    engine_set_net(engine, NULL);
    CHECK(!engine_hash_load(engine, path, &message) && strstr(message.text, "network"));
    engine_free(engine);
    remove(path);
}

void test_tt(void)
{
    check_table();
    check_kept_table();
}
