// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play: the same seed gives the same games on any number of threads, a file cut short is continued to
// the same end, and limits end it where they should.
#include <stdlib.h>

#include "packed_helpers.h"
#include "train/datagen.h"

static DatagenJob small_job(const char *path, int games, int threads)
{
    DatagenJob job = {.path = path,
                      .seed = 77,
                      .games = games,
                      .threads = threads,
                      .settings = play_settings_default(),
                      .quiet = true,
                      .report_ms = 1000};
    job.settings.nodes = 100;
    job.settings.hard_nodes = 1000;
    job.settings.even_nodes = 100;
    job.settings.max_plies = 60;
    job.settings.hash_mb = 1;
    return job;
}

static int compare_numbers(const void *a, const void *b)
{
    u64 x = ((const PackedGame *)a)->number, y = ((const PackedGame *)b)->number;
    return (x > y) - (x < y);
}

enum { GAMES_MAX = 64 };

// The games of a file in the order of their numbers, which count from 0; each legal, none damaged.
typedef struct GameList {
    Bytes file;
    PackedGame game[GAMES_MAX];
    int nb;
} GameList;

static GameList list_games(const char *path)
{
    GameList list = {.file = read_bytes(path)};
    GameReader reader = {0};
    Message message;
    CHECK(packed_open(&reader, list.file.data, list.file.size, NULL, &message));
    while (list.nb < GAMES_MAX && packed_next(&reader, &list.game[list.nb]))
        list.nb++;
    CHECK_INT(reader.damaged_bytes, 0);
    qsort(list.game, (size_t)list.nb, sizeof list.game[0], compare_numbers);
    for (int i = 0; i < list.nb; i++)
        CHECK(replay_check(&list.game[i]) && list.game[i].number == (u64)i);
    return list;
}

// The checksums of a file's games; how many there are.
static int game_sums(const char *path, u64 sums[GAMES_MAX])
{
    GameList list = list_games(path);
    for (int i = 0; i < list.nb; i++)
        sums[i] = list.game[i].checksum;
    free(list.file.data);
    return list.nb;
}

// How many games of a file ended in this way.
static int count_ends(const char *path, EndKind end)
{
    GameList list = list_games(path);
    int nb = 0;
    for (int i = 0; i < list.nb; i++)
        nb += list.game[i].end == end;
    free(list.file.data);
    return nb;
}

// The plies of all games of a file, and of the last one alone; how many games.
static int count_plies(const char *path, int *all, int *last)
{
    GameList list = list_games(path);
    *all = *last = 0;
    for (int i = 0; i < list.nb; i++)
        *all += *last = list.game[i].move_nb;
    free(list.file.data);
    return list.nb;
}

static void run_datagen(const DatagenJob *job)
{
    Message message = {""};
    CHECK_THAT(datagen_run(job, &message), "%s", message.text);
}

static void test_repeats(void)
{
    int games = test_is_light() ? 6 : 16;
    char one[PATH_BYTES], two[PATH_BYTES];
    u64 sums_one[GAMES_MAX], sums_two[GAMES_MAX];
    scratch_path("one.tfg", one);
    scratch_path("two.tfg", two);
    CASE("the same seed gives the same games, on one thread or two");
    DatagenJob job = small_job(one, games, 1), job_two = small_job(two, games, 2);
    run_datagen(&job);
    run_datagen(&job_two);
    CHECK_INT(game_sums(one, sums_one), games);
    CHECK_INT(game_sums(two, sums_two), games);
    CHECK(memcmp(sums_one, sums_two, sizeof sums_one[0] * (size_t)games) == 0);
    CASE("another seed gives other games");
    remove(two);
    job_two.seed = 78;
    run_datagen(&job_two);
    game_sums(two, sums_two);
    for (int i = 0; i < games; i++)
        CHECK(sums_one[i] != sums_two[i]);
    CASE("a file cut in the middle of a game is continued to the same end");
    Bytes whole = read_bytes(one);
    Message message;
    for (int cut = 1; cut <= 3; cut++) {
        CHECK(os_write_file(one, whole.data, whole.size * (size_t)cut / 4, &message));
        run_datagen(&job);
        Bytes again = read_bytes(one);
        CHECK(again.size == whole.size && memcmp(again.data, whole.data, whole.size) == 0);
        free(again.data);
    }
    CASE("a finished file stays as it is, and other settings do not continue it");
    run_datagen(&job);
    Bytes again = read_bytes(one);
    CHECK(again.size == whole.size && memcmp(again.data, whole.data, whole.size) == 0);
    job.settings.nodes++;
    CHECK(!datagen_run(&job, &message));
    CHECK(strstr(message.text, "settings") != NULL);
    CASE("the head names the player, and nothing else of the file depends on it");
    remove(one);
    job = small_job(one, games, 1);
    job.player = "1a2b3c4d";
    run_datagen(&job);
    Bytes named = read_bytes(one);
    enum { PLAYER_AT = 64 - PLAYER_NAME_MAX };
    CHECK(named.size == whole.size && memcmp(named.data, whole.data, PLAYER_AT) == 0);
    CHECK(memcmp(named.data + PLAYER_AT, "1a2b3c4d", PLAYER_NAME_MAX) == 0);
    CHECK(memcmp(named.data + 64, whole.data + 64, whole.size - 64) == 0);
    free(named.data);
    free(again.data);
    free(whole.data);
    remove(one);
    remove(two);
}

static void test_limits(void)
{
    char path[PATH_BYTES], other[PATH_BYTES];
    u64 sums[GAMES_MAX], other_sums[GAMES_MAX];
    scratch_path("limits.tfg", path);
    scratch_path("counted.tfg", other);
    CASE("a limit of positions ends the file with the game that reaches it");
    DatagenJob limited = small_job(path, 0, 1);
    int plies, last;
    limited.positions = 200;
    run_datagen(&limited);
    int nb = count_plies(path, &plies, &last);
    CHECK_THAT(nb > 1 && plies >= 200 && plies - last < 200, "%d games with %d plies, the last with %d", nb,
               plies, last);
    DatagenJob counted = small_job(other, nb, 1); // the games are those of a run without the limit
    run_datagen(&counted);
    CHECK(game_sums(path, sums) == nb && game_sums(other, other_sums) == nb);
    CHECK(memcmp(sums, other_sums, sizeof sums[0] * (size_t)nb) == 0);
    remove(other);
    CASE("whole games are not ended by scores");
    for (int whole_games = 0; whole_games <= 100; whole_games += 100) {
        remove(path);
        DatagenJob eager = small_job(path, 4, 1);
        eager.settings.win_score = eager.settings.win_plies = 1;
        eager.settings.draw_score = -1;
        eager.settings.whole_games = whole_games;
        run_datagen(&eager);
        CHECK_INT(count_ends(path, END_WIN_SCORE) > 0, whole_games == 0);
    }
    remove(path);
}

// As earlier versions counted it: the settings, and of the network the feature weights alone.
static u64 earlier_fingerprint(const DatagenJob *job)
{
    u64 sum = 0;
    const i64 *setting = (const i64 *)&job->settings;
    for (size_t i = 0; i < sizeof job->settings / sizeof *setting; i++)
        sum = hash_mix(sum ^ (u64)setting[i]);
    const i16 *weight = job->net ? job->net->feature_weight[0] : NULL;
    for (size_t i = 0; weight && i < (size_t)NET_ROWS * NET_HIDDEN; i++)
        sum = (sum ^ (u16)weight[i]) * 0x100000001B3ULL;
    return hash_mix(sum);
}

enum { SETTINGS_AT = 48 }; // in the head of a file

static void test_network(void)
{
    char path[PATH_BYTES];
    scratch_path("network.tfg", path);
    CASE("datagen: a file is continued only with the whole network it began with");
    Net *net = os_alloc_big(sizeof *net);
    DatagenJob job = small_job(path, 2, 1);
    Message message = {""};
    CHECK(net != NULL);
    remove(path);
    job.net = net;
    run_datagen(&job);
    net->output_bias[0] = 64; // which no earlier fingerprint saw
    job.games = 3;
    CHECK(!datagen_run(&job, &message));
    CHECK_THAT(strstr(message.text, "network") != NULL, "%s", message.text);
    net->output_bias[0] = 0;
    run_datagen(&job);
    job.net = NULL;
    CHECK(!datagen_run(&job, &message));

    CASE("datagen: a file of an earlier version is continued if what it noted fits");
    job.net = net;
    remove(path);
    run_datagen(&job);
    Text file = read_whole(path);
    u64 earlier = earlier_fingerprint(&job);
    memcpy(file.ptr + SETTINGS_AT, &earlier, sizeof earlier);
    CHECK(os_write_file(path, file.ptr, file.len * 2 / 3, &message));
    run_datagen(&job);
    Text again = read_whole(path);
    CHECK(again.len == file.len && memcmp(again.ptr, file.ptr, file.len) == 0);
    net->feature_weight[0][0] = 1;
    CHECK(!datagen_run(&job, &message));
    net->feature_weight[0][0] = 0;
    job.settings.nodes++;
    CHECK(!datagen_run(&job, &message));
    text_free(&again);
    text_free(&file);
    os_free_big(net, sizeof *net);
    remove(path);
}

void test_datagen(void)
{
    test_repeats();
    test_limits();
    test_network();
}
