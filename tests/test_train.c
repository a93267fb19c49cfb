// SPDX-License-Identifier: GPL-3.0-or-later
// Learning: packed games with every kind of damage, self-play that repeats itself and continues, gradients
// against differences, training that repeats itself to the bit and lowers the loss, and the tools for the
// files.
#include <math.h>
#include <stdlib.h>

#include "search/search.h"
#include "test.h"
#include "train/datagen.h"
#include "train/dataset.h"
#include "train/model.h"
#include "train/packed.h"
#include "train/train.h"
#include "train/trainer.h"
#include "train/wdlfit.h"

static void scratch(const char *name, char path[512]) { snprintf(path, 512, "%s", test_scratch(name)); }

// ---- packed games -------------------------------------------------------------------------------

// A game of random legal moves with made-up scores.
static void draft_random(GameDraft *draft, u64 seed, int plies)
{
    Rng rng = {seed};
    Rules rules = rules_default();
    Message message;
    Position pos;
    Undo undo;
    CHECK(pos_set(&pos, span_of(GAME_START), &rules, &message) == SET_OK);
    CHECK(pos_pack(&pos, draft->start));
    for (draft->move_nb = 0; draft->move_nb < plies; draft->move_nb++) {
        Move list[MAX_MOVES];
        int nb = (int)(gen_all(&pos, list) - list);
        if (nb == 0)
            return;
        draft->move[draft->move_nb] = list[rng_below(&rng, (u32)nb)];
        draft->score[draft->move_nb] =
            (i16)clamp_int(pos_material(&pos) + (int)rng_below(&rng, 41) - 20, -3000, 3000);
        pos_make(&pos, draft->move[draft->move_nb], &undo, NULL);
    }
}

static void write_game(FILE *stream, const GameDraft *draft, u64 number, GameResult result, EndKind end)
{
    Text block = {0};
    packed_add(&block, draft, number, result, end);
    CHECK(fwrite(block.ptr, block.len, 1, stream) == 1);
    text_free(&block);
}

static void write_random_games(const char *path, int games, int plies, u64 seed)
{
    GameDraft *draft = calloc(1, sizeof *draft);
    FILE *stream = fopen(path, "wb");
    CHECK(stream && packed_write_header(stream, (RunId){.seed = 1, .settings = 2}));
    for (int g = 0; stream && g < games; g++) {
        draft_random(draft, seed + (u64)g, plies);
        write_game(stream, draft, (u64)g, result_of_points(g % 3), (EndKind)(g % PACKED_END_NB));
    }
    if (stream)
        fclose(stream);
    free(draft);
}

typedef struct Bytes {
    u8 *data;
    size_t size;
} Bytes;

static Bytes read_bytes(const char *path)
{
    Text text = {0};
    Message message;
    CHECK_THAT(text_read_file(&text, path, 1 << 28, &message), "%s", message.text);
    return (Bytes){(u8 *)text.ptr, text.len};
}

static void test_round_trip(void)
{
    CASE("packed games come back as they were");
    enum { GAMES = 20, PLIES = 90 };
    char path[512];
    scratch("round.tfg", path);
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
    char path[512];
    scratch("damage.tfg", path);
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
    char path[512];
    scratch("illegal.tfg", path);
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
    CHECK_INT(data.damaged_places, 0);
    CHECK(data.illegal_games >= games / 3 * 2);
    dataset_close(&data);
    parallel_free(team);
    free(draft);
    remove(path);
}

// ---- self-play ----------------------------------------------------------------------------------

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

// The checksums of a file's games in the order of their numbers.
static int game_sums(const char *path, u64 *sums, int max)
{
    Bytes file = read_bytes(path);
    GameReader reader = {0};
    PackedGame game[64];
    Message message;
    int nb = 0;
    CHECK(packed_open(&reader, file.data, file.size, NULL, &message));
    while (nb < max && packed_next(&reader, &game[nb])) {
        CHECK(replay_check(&game[nb]));
        nb++;
    }
    CHECK_INT(reader.damaged_bytes, 0);
    qsort(game, (size_t)nb, sizeof game[0], compare_numbers);
    for (int i = 0; i < nb; i++) {
        CHECK_INT(game[i].number, i);
        sums[i] = game[i].checksum;
    }
    free(file.data);
    return nb;
}

// How many games of a file ended in this way.
static int count_ends(const char *path, EndKind end)
{
    Bytes file = read_bytes(path);
    GameReader reader = {0};
    PackedGame game;
    Message message;
    int nb = 0;
    CHECK(packed_open(&reader, file.data, file.size, NULL, &message));
    while (packed_next(&reader, &game))
        nb += game.end == end;
    free(file.data);
    return nb;
}

static void run_datagen(const DatagenJob *job)
{
    Message message = {""};
    CHECK_THAT(datagen_run(job, &message), "%s", message.text);
}

static void test_datagen(void)
{
    int games = test_is_light() ? 6 : 16;
    char one[512], two[512];
    u64 sums_one[64], sums_two[64];
    scratch("one.tfg", one);
    scratch("two.tfg", two);
    CASE("the same seed gives the same games, on one thread or two");
    DatagenJob job = small_job(one, games, 1), job_two = small_job(two, games, 2);
    run_datagen(&job);
    run_datagen(&job_two);
    CHECK_INT(game_sums(one, sums_one, 64), games);
    CHECK_INT(game_sums(two, sums_two, 64), games);
    CHECK(memcmp(sums_one, sums_two, sizeof sums_one[0] * (size_t)games) == 0);
    CASE("another seed gives other games");
    remove(two);
    job_two.seed = 78;
    run_datagen(&job_two);
    game_sums(two, sums_two, 64);
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
    CASE("a limit of positions");
    remove(two);
    DatagenJob limited = small_job(two, 0, 1);
    limited.positions = 200;
    run_datagen(&limited);
    int nb = game_sums(two, sums_two, 64);
    CHECK(nb >= 200 / 60 && nb <= 64);
    for (int i = 0; i < nb && i < games; i++)
        CHECK(sums_one[i] == sums_two[i]);
    CASE("whole games are not ended by scores");
    for (int whole_games = 0; whole_games <= 100; whole_games += 100) {
        remove(two);
        DatagenJob eager = small_job(two, 4, 1);
        eager.settings.win_score = eager.settings.win_plies = 1;
        eager.settings.draw_score = -1;
        eager.settings.whole_games = whole_games;
        run_datagen(&eager);
        CHECK_INT(count_ends(two, END_WIN_SCORE) > 0, whole_games == 0);
    }
    free(again.data);
    free(whole.data);
    remove(one);
    remove(two);
}

// ---- the model ----------------------------------------------------------------------------------

static void samples_make(Sample *samples, int nb, u64 seed)
{
    GameDraft *draft = calloc(1, sizeof *draft);
    int made = 0;
    for (u64 g = 0; made < nb; g++) {
        draft_random(draft, seed + g, 80);
        Position pos;
        Rules rules = rules_default();
        Undo undo;
        CHECK(pos_unpack(&pos, draft->start, &rules));
        for (int i = 0; i < draft->move_nb && made < nb; i++) {
            if (i % 5 == 4)
                sample_from_position(&samples[made++], &pos,
                                     1 / (1 + expf(-(float)pos_material(&pos) / 400)));
            pos_make(&pos, draft->move[i], &undo, NULL);
        }
    }
    free(draft);
}

static double total_loss(const Model *model, const Sample *samples, int nb)
{
    double loss = 0;
    for (int i = 0; i < nb; i++)
        loss += model_learn(model, &samples[i], 0.9f, NULL);
    return loss;
}

// Central differences in the direction of one weight. The loss has kinks where a hidden unit meets its
// clamps; a small step and a few samples keep them rare, and the bound is on the mean error.
static void check_gradient(Model *model, const Sample *samples, int nb, float *weight, float gradient,
                           double *apart, double *size)
{
    const float step = 1e-3f;
    float before = *weight;
    *weight = before + step;
    model_sync(model);
    double up = total_loss(model, samples, nb);
    *weight = before - step;
    model_sync(model);
    double down = total_loss(model, samples, nb);
    *weight = before;
    *apart += fabs((up - down) / (2 * (double)step) - gradient);
    *size += fabs(gradient);
}

static void test_gradient(void)
{
    enum { SAMPLES = 24, TRIES = 60 };
    Model model;
    Message message;
    Sample samples[SAMPLES];
    CHECK(model_new(&model, &message));
    model_init(&model, 4);
    samples_make(samples, SAMPLES, 900);
    Weights *gradient = os_alloc_big(sizeof *gradient);
    for (int i = 0; i < SAMPLES; i++)
        model_learn(&model, &samples[i], 0.9f, gradient);
    Rng rng = {8};
    static const char *const LAYER[] = {"feature weights", "feature biases", "output weights",
                                        "output biases"};
    for (int layer = 0; layer < 4; layer++) {
        CASE("gradients equal differences: %s", LAYER[layer]);
        double apart = 0, size = 0;
        for (int t = 0; t < TRIES; t++) {
            const Sample *sample = &samples[rng_below(&rng, SAMPLES)];
            int unit = (int)rng_below(&rng, NET_HIDDEN), side = (int)rng_below(&rng, 2),
                row = sample->row[side][rng_below(&rng, sample->row_nb[side])];
            Weights *p = model.params;
            float *weight = layer == 0   ? &p->feature_weight[row][unit]
                            : layer == 1 ? &p->feature_bias[unit]
                            : layer == 2 ? &p->output_weight[sample->bucket][side][unit]
                                         : &p->output_bias[sample->bucket];
            check_gradient(&model, samples, SAMPLES, weight,
                           *(float *)((char *)gradient + ((char *)weight - (char *)p)), &apart, &size);
        }
        CHECK(size > 0);
        CHECK_THAT(apart < 0.02 * size, "%.3f%% apart", 100 * apart / size);
    }
    os_free_big(gradient, sizeof *gradient);
    model_free(&model);
}

static void test_quantised(void)
{
    CASE("the integer network follows the float one, and comes back from it");
    Model model;
    Message message = {""};
    CHECK(model_new(&model, &message));
    model_init(&model, 11);
    Net *net = os_alloc_big(sizeof *net), *again = os_alloc_big(sizeof *again);
    model_quantise(&model, net);
    Position pos;
    Rules rules = rules_default();
    CHECK(pos_set(&pos, span_of(GAME_START), &rules, &message) == SET_OK);
    Sample sample;
    sample_from_position(&sample, &pos, 0.5f);
    CHECK(fabs(nnue_evaluate_scalar(net, &pos) - (double)model_output(&model, &sample) * NET_SCALE) < 25);
    model_from_net(&model, net);
    model_quantise(&model, again);
    CHECK(memcmp(net, again, sizeof *net) == 0);
    os_free_big(net, sizeof *net);
    os_free_big(again, sizeof *again);
    model_free(&model);
}

static void test_adam(void)
{
    CASE("one step of the optimiser moves each weight by the rate against its gradient");
    Model model;
    Message message;
    CHECK(model_new(&model, &message));
    model_init(&model, 3);
    Weights *gradients[2] = {os_alloc_big(sizeof(Weights)), os_alloc_big(sizeof(Weights))};
    float before = model.params->feature_bias[5];
    gradients[0]->feature_bias[5] = 1.5f;
    gradients[1]->feature_bias[5] = 0.5f;
    Update update = {.rate = 0.01f, .decay = 0.1f, .gradient_scale = 0.5f};
    model_update_part(&model, &update, gradients, 2, 0, 1);
    model_step_done(&model);
    CHECK(fabsf(model.params->feature_bias[5] - (before - 0.01f)) < 1e-6f);
    CHECK(fabsf(model.moment1->feature_bias[5] - 0.1f) < 1e-6f);
    CHECK(gradients[0]->feature_bias[5] == 0 && gradients[1]->feature_bias[5] == 0);
    CHECK_INT(model.step, 1);
    CASE("weights are held within what integers can say");
    for (int i = 0; i < 1000; i++) {
        gradients[0]->output_weight[0][0][0] = -1;
        gradients[0]->feature_bias[0] = 1;
        update.rate = 0.1f;
        model_update_part(&model, &update, gradients, 2, 0, 1);
        model_step_done(&model);
    }
    CHECK(model.params->output_weight[0][0][0] <= 127.0f / NET_QB);
    CHECK(model.params->output_weight[0][0][0] > 126.0f / NET_QB);
    float most = fminf(2, (float)INT16_MAX / NET_QA /
                              (FEATURE_ACTIVE_MAX + 1)); // less than 2 where many features can be active
    CHECK(model.params->feature_bias[0] >= -most && model.params->feature_bias[0] < -0.95f * most);
    for (int i = 0; i < 2; i++)
        os_free_big(gradients[i], sizeof(Weights));
    model_free(&model);
}

// ---- training -----------------------------------------------------------------------------------

static TrainJob small_training(const char *data, const char *out)
{
    TrainJob job = train_job_default();
    job.data = (CliFiles){.path = {data}, .nb = 1};
    job.out = out;
    job.epochs = 4;
    job.batch = 256;
    job.rate = 1e-2;
    job.buffer = 2000;
    job.valid_share = 0.1;
    job.wdl_share = 0;
    job.quiet = true;
    job.name = "small";
    return job;
}

static void run_training(const TrainJob *job)
{
    Message message = {""};
    CHECK_THAT(train_run(job, &message), "%s", message.text);
}

static bool same_files(const char *a, const char *b)
{
    Bytes x = read_bytes(a), y = read_bytes(b);
    bool same = x.size == y.size && x.size > 0 && memcmp(x.data, y.data, x.size) == 0;
    free(x.data);
    free(y.data);
    return same;
}

static double net_loss(const char *path, const Sample *samples, int nb)
{
    Net *net = os_alloc_big(sizeof *net);
    Model model;
    Message message = {""};
    CHECK_THAT(net_load(net, path, &message), "%s", message.text);
    CHECK(model_new(&model, &message));
    model_from_net(&model, net);
    double loss = total_loss(&model, samples, nb);
    model_free(&model);
    os_free_big(net, sizeof *net);
    return loss / nb;
}

static void test_training(void)
{
    enum { SAMPLES = 500 };
    char data[512], one[512], two[512], folder[512], path[600];
    scratch("train.tfg", data);
    scratch("one.nnue", one);
    scratch("two.nnue", two);
    scratch("checkpoint", folder);
    write_random_games(data, test_is_light() ? 30 : 150, 100, 5000);
    TrainJob job = small_training(data, one), again = small_training(data, two);
    CASE("the same seed and one thread give the same network to the bit");
    run_training(&job);
    run_training(&again);
    CHECK(same_files(one, two));
    CASE("another seed gives another network");
    again.seed = 2;
    run_training(&again);
    CHECK(!same_files(one, two));
    CASE("the loss falls, on games it has not seen too");
    Sample *samples = calloc(SAMPLES, sizeof *samples);
    samples_make(samples, SAMPLES, 777000);
    TrainJob brief = small_training(data, two);
    brief.epochs = 1;
    brief.rate = brief.rate_end = 1e-9;
    run_training(&brief);
    double before = net_loss(two, samples, SAMPLES), after = net_loss(one, samples, SAMPLES);
    CHECK_THAT(after < (test_is_light() ? 1 : 0.75) * before, "from %.5f to %.5f", before, after);
    CASE("stopped after each epoch and continued, it ends in the same network");
    again = small_training(data, two);
    again.checkpoint = folder;
    for (again.stop_after = 1; again.stop_after <= again.epochs; again.stop_after++)
        run_training(&again);
    CHECK(same_files(one, two));
    CASE("a checkpoint of other settings, or a damaged one, is refused");
    Message message = {""};
    again.rate *= 2;
    CHECK(!train_run(&again, &message));
    CHECK(strstr(message.text, "settings") != NULL);
    again.rate /= 2;
    snprintf(path, sizeof path, "%s/state.checkpoint", folder);
    Bytes state = read_bytes(path);
    state.data[state.size / 2] ^= 1;
    CHECK(os_write_file(path, state.data, state.size, &message));
    CHECK(!train_run(&again, &message));
    CHECK(strstr(message.text, "damaged") != NULL);
    CASE("two threads repeat themselves too, and a team splits the work without loss");
    job.threads = again.threads = 2;
    again.checkpoint = NULL;
    again.stop_after = 0;
    run_training(&job);
    run_training(&again);
    CHECK(same_files(one, two));
    CASE("no data is a message");
    again.filter.max_score = -1;
    CHECK(!train_run(&again, &message) && strstr(message.text, "no position") != NULL);
    CASE("a network that can't be written is told before the first epoch");
    TrainJob nowhere = small_training(data, "/no/such/folder/x.nnue");
    char beginning[512];
    scratch("beginning", beginning);
    nowhere.checkpoint = beginning;
    CHECK(!train_run(&nowhere, &message) &&
          strstr(message.text, "cannot write '/no/such/folder/x.nnue'") != NULL);
    CHECK(remove(beginning) == 0); // the folder is empty: no checkpoint
    static const char *const FILES[] = {"state.checkpoint", "loss.svg", "squares.svg"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, FILES[i]);
        CHECK_THAT(remove(path) == 0, "%s was not written", path);
    }
    free(state.data);
    free(samples);
    remove(folder);
    remove(data);
    remove(one);
    remove(two);
}

static void test_loader(void)
{
    CASE("an epoch hands out every sample of the training games once, shuffled");
    char path[512];
    scratch("feed.tfg", path);
    write_random_games(path, 40, 100, 31);
    Parallel *team = parallel_new(2);
    Dataset data;
    Loader loader;
    SampleFilter filter = {.max_score = 32000};
    CliFiles files = {.path = {path}, .nb = 1};
    Message message = {""};
    CHECK_THAT(dataset_open(&data, &files, &filter, 0, team, &message), "%s", message.text);
    data.score_k = 100;
    CHECK(loader_new(&loader, &data, 500, team, &message));
    loader.capacity = 600; // far smaller than an epoch, so that the pool is refilled with a rest in it
    double want = 0, got = 0, in_order = 0;
    Sample *all = calloc((size_t)data.train.samples, sizeof *all);
    dataset_decode(&data, &data.train, NULL, data.train.nb, team, all);
    for (i64 i = 0; i < data.train.samples; i++) {
        want += all[i].target * (double)(1 + all[i].row[0][0]);
        in_order += all[i].target * (double)i;
    }
    i64 seen = 0;
    const u32 *index;
    double shuffled = 0;
    loader_begin(&loader, 1, 0);
    for (int nb; (nb = loader_next(&loader, 170, &index)) > 0;)
        for (int i = 0; i < nb; i++, seen++) {
            const Sample *sample = &loader.pool[index[i]];
            got += sample->target * (double)(1 + sample->row[0][0]);
            shuffled += sample->target * (double)seen;
        }
    CHECK_INT(seen, data.train.samples);
    CHECK_THAT(fabs(got - want) < 1e-6 * want, "sum %.6f, expected %.6f", got, want);
    CHECK(fabs(shuffled - in_order) > 1e-9 * in_order);
    free(all);
    loader_free(&loader);
    dataset_close(&data);
    parallel_free(team);
    remove(path);
}

// ---- the curve and the commands -----------------------------------------------------------------

static void test_wdl(void)
{
    CASE("the fit finds the curve the counts were made with");
    WdlCounts *counts = calloc(1, sizeof *counts);
    WdlFit truth = {.centre = {150, 220}, .width = {60, 90}};
    for (int phase = 0; phase < WDL_PHASES; phase++)
        for (int s = 0; s < WDL_SCORES; s++) {
            double chance[POINTS_NB];
            wdl_chances(&truth, s * WDL_STEP - WDL_SCORE_MAX, phase * 16, chance);
            for (int r = 0; r < POINTS_NB; r++) {
                counts->count[phase][s][r] = (i64)(chance[r] * 10000);
                counts->total += counts->count[phase][s][r];
            }
        }
    WdlFit fit = wdl_fit(counts);
    for (int i = 0; i < 2; i++) {
        CHECK_THAT(fabs(fit.centre[i] - truth.centre[i]) < 3, "centre %d is %.1f", i, fit.centre[i]);
        CHECK_THAT(fabs(fit.width[i] - truth.width[i]) < 3, "width %d is %.1f", i, fit.width[i]);
    }
    free(counts);
}

static void test_rate(void)
{
    CASE("the learning rate rises shortly, then falls to its end");
    TrainJob job = train_job_default();
    CHECK(train_rate(&job, 0, 10000) < job.rate / 50);
    CHECK(fabs(train_rate(&job, 200, 10000) - job.rate) < 1e-9);
    CHECK(fabs(train_rate(&job, 10000, 10000) - job.rate_end) < 1e-9);
    for (u64 step = 200; step < 10000; step += 100)
        CHECK(train_rate(&job, step, 10000) > train_rate(&job, step + 100, 10000));
}

void test_train(void)
{
    test_round_trip();
    test_damage();
    test_illegal();
    test_datagen();
    test_gradient();
    test_quantised();
    test_adam();
    test_loader();
    test_training();
    test_wdl();
    test_rate();
}
