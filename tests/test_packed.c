// SPDX-License-Identifier: GPL-3.0-or-later
// Packed games: they come back as they were, every kind of damage costs what it hits and no more, and a game
// that is not legal is dropped.
#include <stdlib.h>

#include "packed_helpers.h"
#include "train/dataset.h"

static void test_round_trip(void)
{
    CASE("packed games come back as they were");
    enum { GAMES = 20, PLIES = 90 };
    char path[PATH_BYTES];
    scratch_path("round.tfg", path);
    write_random_games(path, GAMES, PLIES, 100);
    Bytes file = read_bytes(path);
    GameReader reader = {0};
    PackedGame game;
    RunId run = {0};
    Message message;
    GameDraft *draft = calloc(1, sizeof *draft);
    CHECK(packed_open(&reader, file.data, file.size, &run, &message));
    CHECK_INT(run.seed, 1);
    CHECK_INT(run.settings, 2);
    int nb = 0;
    for (; packed_next(&reader, &game); nb++) {
        draft_random(draft, 100 + (u64)nb, PLIES);
        CHECK_INT(game.number, nb);
        CHECK_INT(game.result, result_of_points(nb % 3));
        CHECK_INT(game.end, nb % PACKED_END_NB);
        CHECK_INT(game.move_nb, draft->move_nb);
        CHECK(memcmp(game.start, draft->start, PACKED_BYTES) == 0);
        for (int i = 0; i < game.move_nb; i++)
            CHECK(packed_move(&game, i) == draft->move[i] && packed_score(&game, i) == draft->score[i]);
        CHECK(replay_check(&game));
    }
    CHECK_INT(nb, GAMES);
    CHECK_INT(reader.damaged_bytes, 0);
    CHECK_INT(reader.good_end, file.size);
    free(draft);
    free(file.data);
    remove(path);
}

static int count_games(const u8 *data, size_t size, GameReader *reader)
{
    PackedGame game;
    Message message;
    int nb = 0;
    if (!packed_open(reader, data, size, NULL, &message))
        return -1;
    while (packed_next(reader, &game)) {
        replay_check(&game); // must not crash, whatever it answers
        nb++;
    }
    return nb;
}

static void test_damage(void)
{
    enum { GAMES = 12 };
    char path[PATH_BYTES];
    scratch_path("damage.tfg", path);
    write_random_games(path, GAMES, 60, 200);
    Bytes good = read_bytes(path);
    u8 *bytes = malloc(good.size + 1000);
    GameReader reader = {0};
    CASE("one byte turned costs one game");
    int rounds = test_is_light() ? 50 : 1000;
    for (int i = 0; i < rounds; i++) {
        Rng rng = {(u64)i};
        memcpy(bytes, good.data, good.size);
        bytes[64 + rng_next(&rng) % (good.size - 64)] ^= (u8)(1 + rng_below(&rng, 255));
        CHECK_INT(count_games(bytes, good.size, &reader), GAMES - 1);
        CHECK_INT(reader.damaged_places, 1);
    }
    CASE("a file cut anywhere keeps its whole games");
    for (int i = 0; i < rounds; i++) {
        Rng rng = {(u64)i};
        size_t size = 64 + (size_t)(rng_next(&rng) % (good.size - 64));
        int nb = count_games(good.data, size, &reader);
        CHECK(nb >= 0 && nb < GAMES && reader.good_end <= size);
        CHECK_INT(count_games(good.data, reader.good_end, &reader), nb);
        CHECK_INT(reader.damaged_bytes, 0);
    }
    CASE("rubbish between two games is skipped");
    size_t at = 0;
    PackedGame game;
    Message message;
    CHECK(packed_open(&reader, good.data, good.size, NULL, &message) && packed_next(&reader, &game));
    at = reader.at;
    memcpy(bytes, good.data, at);
    memset(bytes + at, 0x54, 777);
    memcpy(bytes + at + 777, good.data + at, good.size - at);
    CHECK_INT(count_games(bytes, good.size + 777, &reader), GAMES);
    CHECK_INT(reader.damaged_bytes, 777);
    CASE("what is no file of games is refused");
    CHECK_INT(count_games(good.data, 63, &reader), -1);
    CHECK_INT(count_games((const u8 *)"", 0, &reader), -1);
    for (int i = 0; i < 36; i += i == 8 ? 4 : 1) {
        memcpy(bytes, good.data, good.size);
        bytes[i] ^= 0x20;
        CHECK_THAT(count_games(bytes, good.size, &reader) == -1, "byte %d of the header turned", i);
    }
    free(bytes);
    free(good.data);
    remove(path);
}

static void test_illegal(void)
{
    CASE("a game with an illegal move has a right checksum and is dropped all the same");
    char path[PATH_BYTES];
    scratch_path("illegal.tfg", path);
    GameDraft *draft = calloc(1, sizeof *draft);
    FILE *stream = fopen(path, "wb");
    CHECK(packed_write_header(stream, (RunId){0}));
    Rng rng = {5};
    int games = test_is_light() ? 30 : 300;
    for (int g = 0; g < games; g++) {
        draft_random(draft, (u64)g, 40);
        if (g % 3 == 0)
            draft->move[rng_below(&rng, (u32)draft->move_nb)] = g % 2 ? MOVE_NULL : MOVE_NONE;
        else if (g % 3 == 1)
            for (int i = 0; i < PACKED_BYTES; i++)
                draft->start[i] = (u8)rng_next(&rng);
        else
            for (int i = 20; i < draft->move_nb; i++)
                draft->move[i] = (Move)rng_next(&rng);
        write_game(stream, draft, (u64)g, RESULT_DRAW, END_RULES);
    }
    fclose(stream);
    Parallel *team = parallel_new(2);
    Dataset data;
    SampleFilter filter = sample_filter_default();
    CliFiles files = {.path = {path}, .nb = 1};
    Message message = {""};
    CHECK_THAT(dataset_open(&data, &files, &filter, 0.5, team, &message), "%s", message.text);
    CHECK_INT(data.archive.damaged_places, 0);
    CHECK(data.illegal_games >= games / 3 * 2);
    dataset_close(&data);
    parallel_free(team);
    free(draft);
    remove(path);
}

void test_packed(void)
{
    test_round_trip();
    test_damage();
    test_illegal();
}
