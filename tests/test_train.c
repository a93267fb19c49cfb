// SPDX-License-Identifier: GPL-3.0-or-later
// Learning: gradients against differences, training that repeats itself to the bit and lowers the loss, and
// the tools for the files.
#include <math.h>
#include <stdlib.h>

#include "packed_helpers.h"
#include "train/dataset.h"
#include "train/model.h"
#include "train/train.h"
#include "train/trainer.h"
#include "train/wdlfit.h"

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
    Gradient *gradient = os_alloc_big(sizeof *gradient);
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
                           *(float *)((char *)&gradient->of + ((char *)weight - (char *)p)), &apart, &size);
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
    const Position pos = position_of(GAME_START);
    Sample sample;
    sample_from_position(&sample, &pos, 0.5f);
    CHECK(fabs(nnue_evaluate_scalar(net, &pos) - (double)model_output(&model, &sample) * NET_SCALE) < 25);
    model_from_net(&model, net, 1);
    model_quantise(&model, again);
    CHECK(memcmp(net, again, sizeof *net) == 0);
    os_free_big(net, sizeof *net);
    os_free_big(again, sizeof *again);
    model_free(&model);
}

static void test_average(void)
{
    CASE("the average is that of the weights after the updates that count");
    Model model;
    Message message;
    CHECK(model_new(&model, &message));
    model_init(&model, 6);
    model_take_average(&model); // there is none: nothing changes
    float first = model.params->feature_bias[3], sum = 0;
    CHECK(first != 0);
    Weights *sum_of_parts = os_alloc_big(sizeof(Weights));
    for (int i = 0; i < 6; i++) {
        Update update = {.rate = 0.01f, .gradient_scale = 1, .averages = i >= 3};
        sum_of_parts->feature_bias[3] = 1;
        model_update_part(&model, &update, sum_of_parts, NULL, 0, 0, 1);
        for (int part = 0; update.averages && part < 3; part++)
            model_average_part(&model, part, 3);
        model_step_done(&model, &update);
        sum += update.averages ? model.params->feature_bias[3] : 0;
    }
    CHECK_INT(model.averaged, 3);
    CHECK(model.params->feature_bias[3] < first - 0.05f);
    model_take_average(&model);
    CHECK(fabsf(model.params->feature_bias[3] - sum / 3) < 1e-6f);
    CHECK(model.rows[FEATURE_NB / 2][7] == model.params->feature_weight[FEATURE_NB / 2][7] || MODEL_FACTORED);
    os_free_big(sum_of_parts, sizeof(Weights));
    model_free(&model);
}

static void test_unused_units(void)
{
    CASE("units that a network does not use begin at random, and change no score");
    Model model;
    Message message;
    CHECK(model_new(&model, &message));
    Net *net = os_alloc_big(sizeof *net);
    model_init(&model, 2);
    model_quantise(&model, net);
    for (int b = 0; b < BUCKET_NB; b++)
        for (int s = 0; s < SIDE_NB; s++)
            net->output_weight[b][s][9] = 0;
    for (int row = 0; row < NET_ROWS; row++)
        net->feature_weight[row][9] = 0;
    model_from_net(&model, net, 77);
    bool is_random = false;
    for (int row = 0; row < FEATURE_NB; row++)
        is_random |= model.rows[row][9] != 0;
    CHECK(is_random);
    const Position pos = position_of(GAME_START);
    Sample sample;
    sample_from_position(&sample, &pos, 0.5f);
    CHECK(fabs(nnue_evaluate_scalar(net, &pos) - (double)model_output(&model, &sample) * NET_SCALE) < 25);
    os_free_big(net, sizeof *net);
    model_free(&model);
}

static void test_decay(void)
{
    CASE("what a king bucket has of its own decays by a rate of its own, the rest by the other");
    Model model;
    Message message;
    CHECK(model_new(&model, &message));
    model_init(&model, 8);
    Weights *sum = os_alloc_big(sizeof *sum);
    float *own = &model.params->feature_weight[NET_ROWS - 1][4], *factor = &model.params->factor_weight[0][4],
          *output = &model.params->output_weight[0][0][4];
    *own = *factor = *output = 0.5f;
    Update update = {.rate = 0.01f, .decay = 0.1f, .decay_own = 20, .gradient_scale = 1};
    model_update_part(&model, &update, sum, NULL, 0, 0, 1);
    CHECK(fabsf(*own - (MODEL_FACTORED ? 0.4f : 0.4995f)) < 1e-6f);
    CHECK(fabsf(*factor - (MODEL_FACTORED ? 0.4995f : 0.5f)) < 1e-6f);
    CHECK(fabsf(*output - 0.4995f) < 1e-6f);
    os_free_big(sum, sizeof *sum);
    model_free(&model);
}

static void test_adam(void)
{
    CASE("one step of the optimiser moves each weight by the rate against its gradient");
    Model model;
    Message message;
    CHECK(model_new(&model, &message));
    model_init(&model, 3);
    Gradient *gradients[2] = {os_alloc_big(sizeof(Gradient)), os_alloc_big(sizeof(Gradient))};
    Weights *sum = os_alloc_big(sizeof *sum);
    float before = model.params->feature_bias[5];
    gradients[0]->of.feature_bias[5] = 1.5f;
    gradients[1]->of.feature_bias[5] = 0.5f;
    Update update = {.rate = 0.01f, .decay = 0.1f, .gradient_scale = 0.5f};
    model_update_part(&model, &update, sum, gradients, 2, 0, 1);
    model_step_done(&model, &update);
    CHECK(fabsf(model.params->feature_bias[5] - (before - 0.01f)) < 1e-6f);
    CHECK(fabsf(model.moment1->feature_bias[5] - 0.1f) < 1e-6f);
    CHECK(gradients[0]->of.feature_bias[5] == 0 && gradients[1]->of.feature_bias[5] == 0);
    CHECK_INT(model.step, 1);
    CASE("weights are held within what integers can say");
    for (int i = 0; i < 1000; i++) {
        gradients[0]->of.output_weight[0][0][0] = -1;
        gradients[0]->of.feature_bias[0] = 1;
        update.rate = 0.1f;
        model_update_part(&model, &update, sum, gradients, 2, 0, 1);
        model_step_done(&model, &update);
    }
    CHECK(model.params->output_weight[0][0][0] <= 127.0f / NET_QB);
    CHECK(model.params->output_weight[0][0][0] > 126.0f / NET_QB);
    float most = fminf(2, (float)INT16_MAX / NET_QA /
                              (FEATURE_ACTIVE_MAX + 1)); // less than 2 where many features can be active
    CHECK(model.params->feature_bias[0] >= -most && model.params->feature_bias[0] < -0.95f * most);
    for (int i = 0; i < 2; i++)
        os_free_big(gradients[i], sizeof(Gradient));
    os_free_big(sum, sizeof *sum);
    model_free(&model);
}

// ---- targets ------------------------------------------------------------------------------------

// What the position at `ply` should be worth: by the definition, from its own score and what follows.
static double target_by_hand(const Dataset *data, const PackedGame *game, int ply)
{
    Replay replay;
    CHECK(replay_start(&replay, game));
    while (replay.index < ply)
        replay_step(&replay);
    double own = dataset_target(data, packed_score(game, ply), replay_result(&replay));
    if (ply + 1 >= game->move_nb || move_is_noisy(&replay.pos, packed_move(game, ply)))
        return own;
    return (1 - data->blend) * own + data->blend * (1 - target_by_hand(data, game, ply + 1));
}

static void test_blended_targets(void)
{
    CASE("a blended target takes its share from the positions behind, up to a noisy move");
    char path[PATH_BYTES];
    scratch_path("blend.tfg", path);
    write_random_games(path, 1, 60, 41);
    CliFiles files = {.path = {path}, .nb = 1};
    SampleFilter filter = sample_filter_default();
    Parallel *team = parallel_new(1);
    Dataset data;
    Message message = {""};
    CHECK_THAT(dataset_open(&data, &files, &filter, 0, team, &message), "%s", message.text);
    data.wdl_share = 0.1;
    data.blend = 0.75;
    Sample *samples = calloc((size_t)data.train.samples + 1, sizeof *samples);
    dataset_decode(&data, &data.train, NULL, 1, team, samples);
    Replay replay;
    int nb = 0, moved = 0;
    CHECK(replay_start(&replay, data.train.ref[0].game));
    for (; replay.index < replay.game.move_nb; replay_step(&replay)) {
        if (replay_skip(&replay, &filter) != 0)
            continue;
        double want = target_by_hand(&data, &replay.game, replay.index);
        float own = dataset_target(&data, packed_score(&replay.game, replay.index), replay_result(&replay));
        CHECK_THAT(fabs(samples[nb].target - want) < 1e-5, "ply %d: %f, expected %f", replay.index,
                   samples[nb].target, want);
        moved += fabsf(samples[nb].target - own) > 0.001f;
        nb++;
    }
    CHECK_INT(nb, data.train.samples);
    CHECK(moved > 0);
    free(samples);
    dataset_close(&data);
    parallel_free(team);
    remove(path);
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
    model_from_net(&model, net, 1);
    double loss = total_loss(&model, samples, nb);
    model_free(&model);
    os_free_big(net, sizeof *net);
    return loss / nb;
}

// Trains again with several numbers of threads: the network is always the one expected.
static void check_threads(TrainJob *job, const char *expected)
{
    static const int THREADS[] = {2, 3, 4, 20};
    for (int i = 0; i < 4; i++) {
        job->threads = THREADS[i];
        remove(job->out);
        run_training(job);
        CHECK(same_files(expected, job->out));
    }
}

static void test_training(void)
{
    enum { SAMPLES = 500 };
    char data[PATH_BYTES], one[PATH_BYTES], two[PATH_BYTES], folder[PATH_BYTES], path[600];
    scratch_path("train.tfg", data);
    scratch_path("one.nnue", one);
    scratch_path("two.nnue", two);
    scratch_path("checkpoint", folder);
    write_random_games(data, test_is_light() ? 30 : 150, 100, 5000);
    TrainJob job = small_training(data, one), again = small_training(data, two);
    CASE("the same seed gives the same network to the bit");
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
    again.checkpoint = NULL;
    again.stop_after = 0;
    CASE("any number of threads gives the same network to the bit");
    check_threads(&again, one);
    CASE("batches smaller than their parts learn every sample too");
    again.batch = 5;
    again.epochs = 1;
    run_training(&again);
    CHECK(net_loss(two, samples, SAMPLES) < before);
    CASE("no data is a message");
    again.filter.max_score = -1;
    CHECK(!train_run(&again, &message) && strstr(message.text, "no position") != NULL);
    CASE("a network that can't be written is told before the first epoch");
    TrainJob nowhere = small_training(data, "/no/such/folder/x.nnue");
    char beginning[PATH_BYTES];
    scratch_path("beginning", beginning);
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

static void test_validation_set(void)
{
    CASE("games of a validation set are not trained on, even where they are among the data");
    char games[PATH_BYTES], apart[PATH_BYTES], one[PATH_BYTES], two[PATH_BYTES];
    Message message = {""};
    scratch_path("games.tfg", games);
    scratch_path("apart.tfg", apart);
    scratch_path("one.nnue", one);
    scratch_path("two.nnue", two);
    write_random_games(games, 30, 60, 6500);
    write_random_games(apart, 10, 60, 6600);
    TrainJob job = small_training(games, one), both = small_training(games, two);
    job.epochs = both.epochs = 1;
    job.valid_share = 0;
    both.data = (CliFiles){.path = {games, apart}, .nb = 2};
    both.validation = (CliFiles){.path = {apart}, .nb = 1};
    run_training(&job);
    run_training(&both);
    CHECK(same_files(one, two));
    both.validation.nb = 0;
    both.valid_share = 0;
    run_training(&both);
    CHECK(!same_files(one, two));
    CASE("a validation set without a game to train on is a message");
    job.validation = (CliFiles){.path = {games}, .nb = 1};
    CHECK(!train_run(&job, &message) && strstr(message.text, "to train on") != NULL);
    remove(games);
    remove(apart);
    remove(one);
    remove(two);
}

static void test_from(void)
{
    char data[PATH_BYTES], nets[2][PATH_BYTES], out[PATH_BYTES], folder[PATH_BYTES], path[600];
    Message message = {""};
    scratch_path("from.tfg", data);
    scratch_path("first.nnue", nets[0]);
    scratch_path("second.nnue", nets[1]);
    scratch_path("out.nnue", out);
    scratch_path("checkpoint", folder);
    write_random_games(data, 30, 60, 6000);
    for (int i = 0; i < 2; i++) {
        TrainJob start = small_training(data, nets[i]);
        start.epochs = 1;
        start.seed = i + 1;
        run_training(&start);
    }
    CASE("train: a checkpoint is continued only from the network it began with");
    TrainJob job = small_training(data, out);
    job.from = nets[0];
    job.checkpoint = folder;
    job.stop_after = 1;
    run_training(&job);
    job.from = nets[1];
    CHECK(!train_run(&job, &message));
    CHECK_THAT(strstr(message.text, "another network") != NULL, "%s", message.text);
    job.from = NULL;
    CHECK(!train_run(&job, &message));
    job.from = nets[0];
    job.stop_after = 2;
    run_training(&job);
    static const char *const FILES[] = {"state.checkpoint", "loss.svg", "squares.svg"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, FILES[i]);
        remove(path);
    }
    remove(folder);
    remove(data);
    remove(out);
    remove(nets[0]);
    remove(nets[1]);
}

static void test_loader(void)
{
    CASE("an epoch hands out every sample of the training games once, shuffled");
    char path[PATH_BYTES];
    scratch_path("feed.tfg", path);
    write_random_games(path, 40, 100, 31);
    Parallel *team = parallel_new(2);
    Dataset data;
    Loader loader;
    SampleFilter filter = {.max_score = 32000};
    CliFiles files = {.path = {path}, .nb = 1};
    Message message = {""};
    CHECK_THAT(dataset_open(&data, &files, &filter, 0, team, &message), "%s", message.text);
    data.score_k = 100;
    CHECK(loader_new(&loader, &data, 500, 170, &message));
    loader.capacity = 600; // far smaller than an epoch, so that the pool is refilled with a rest in it
    double want = 0, got = 0, in_order = 0;
    Sample *all = calloc((size_t)data.train.samples, sizeof *all);
    dataset_decode(&data, &data.train, NULL, data.train.nb, team, all);
    for (i64 i = 0; i < data.train.samples; i++) {
        want += all[i].target * (double)(1 + all[i].row[0][0]);
        in_order += all[i].target * (double)i;
    }
    enum { STRETCHES = 3 };
    i64 seen = 0;
    double shuffled = 0;
    u32 *order = calloc((size_t)data.train.nb + 1, sizeof *order);
    Stretch stretch[STRETCHES];
    loader_deal(&data, 1, 0, order, stretch, STRETCHES);
    for (int s = 0; s < STRETCHES; s++) {
        CHECK(stretch[s].samples > data.train.samples / STRETCHES - 100);
        loader_begin(&loader, &stretch[s], 1);
        for (i64 left = stretch[s].samples, nb; (nb = min_i64(left, 170)) > 0; left -= nb) {
            const u32 *index = loader_next(&loader, nb);
            for (i64 i = 0; i < nb; i++, seen++) {
                const Sample *sample = &loader.pool[index[i]];
                got += sample->target * (double)(1 + sample->row[0][0]);
                shuffled += sample->target * (double)seen;
            }
        }
    }
    free(order);
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
    test_gradient();
    test_quantised();
    test_decay();
    test_adam();
    test_average();
    test_unused_units();
    test_blended_targets();
    test_loader();
    test_training();
    test_validation_set();
    test_from();
    test_wdl();
    test_rate();
}
