// SPDX-License-Identifier: GPL-3.0-or-later
// The trainer: epochs of batches over the team, validation, checkpoints, and in the end a network file with a
// report of what it learned and of how far integers are from floats. A batch is split into one part per
// thread, each with a gradient of its own; the optimiser's step is split the same way. Nothing depends on
// which thread is faster, so the same seed and the same number of threads give the same network to the bit.
#include "train/train.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/checksum.h"
#include "base/cli.h"
#include "base/progress.h"
#include "train/inspect.h"
#include "train/trainer.h"

enum {
    VALID_MAX = 1 << 20,
    EPOCHS_MAX = 10000,
    LOOK_POSITIONS = 1000,
    ROUNDING_POSITIONS = 20000,
    PATH_MAX_BYTES = 1024
};

TrainJob train_job_default(void)
{
    return (TrainJob){.epochs = 30,
                      .batch = 4096,
                      .buffer = 1 << 20,
                      .threads = 1,
                      .seed = 1,
                      .wdl_share = 0.25,
                      .score_k = NET_SCALE,
                      .rate = 1e-3,
                      .rate_end = 1e-5,
                      .decay = 0.01,
                      .valid_share = 0.05,
                      .filter = sample_filter_default()};
}

double train_rate(const TrainJob *job, u64 step, u64 steps)
{
    double warm = fmin(200, (double)steps / 20), at = (double)step;
    if (at < warm)
        return job->rate * (at + 1) / (warm + 1);
    double share = (at - warm) / fmax(1, (double)steps - warm);
    return job->rate_end + (job->rate - job->rate_end) * 0.5 * (1 + cos(3.14159265358979323846 * share));
}

// ---- a run --------------------------------------------------------------------------------------

typedef struct Trainer {
    const TrainJob *job;
    Parallel *team;
    Dataset data;
    Loader loader;
    Model model;
    Weights **gradients; // one for each thread
    double *losses;      // the same
    Sample *valid;
    i64 valid_nb;
    u64 steps;         // of the whole schedule
    int epoch;         // epochs done
    LossPoint *points; // of the epochs done
    double seconds;    // spent on training, without validation
    double cpu;        // the same in seconds of all cores together
    i64 trained;       // samples in that time
    double flops;      // floating point operations in that time
    // the batch in work
    const u32 *index;
    int batch_nb;
    float sharpness;
    Update update;
} Trainer;

static void learn_part(void *context, int part, int part_nb)
{
    Trainer *trainer = context;
    int from = (int)((i64)trainer->batch_nb * part / part_nb),
        to = (int)((i64)trainer->batch_nb * (part + 1) / part_nb);
    double loss = 0;
    for (int i = from; i < to; i++) {
        if (i + 2 < to)
            __builtin_prefetch(&trainer->loader.pool[trainer->index[i + 2]]);
        loss += model_learn(&trainer->model, &trainer->loader.pool[trainer->index[i]], trainer->sharpness,
                            trainer->gradients[part]);
    }
    trainer->losses[part] = loss;
}

static void update_part(void *context, int part, int part_nb)
{
    Trainer *trainer = context;
    model_update_part(&trainer->model, &trainer->update, trainer->gradients, part_nb, part, part_nb);
}

static void validate_part(void *context, int part, int part_nb)
{
    Trainer *trainer = context;
    double loss = 0;
    for (i64 i = trainer->valid_nb * part / part_nb; i < trainer->valid_nb * (part + 1) / part_nb; i++)
        loss += model_learn(&trainer->model, &trainer->valid[i], trainer->sharpness, NULL);
    trainer->losses[part] = loss;
}

static double losses_sum(const Trainer *trainer)
{
    double sum = 0;
    for (int i = 0; i < parallel_size(trainer->team); i++)
        sum += trainer->losses[i];
    return sum;
}

// Additions of rows both ways, and some ten operations a hidden unit for activation, output and their slopes.
static double batch_flops(const Trainer *trainer)
{
    double rows = 0;
    for (int i = 0; i < trainer->batch_nb; i++) {
        const Sample *sample = &trainer->loader.pool[trainer->index[i]];
        rows += sample->row_nb[0] + sample->row_nb[1];
    }
    return 2 * rows * NET_HIDDEN + 10.0 * SIDE_NB * NET_HIDDEN * trainer->batch_nb +
           12.0 * sizeof(Weights) / sizeof(float);
}

// One pass over the training games; the mean loss, or -1 when interrupted.
static double run_epoch(Trainer *trainer)
{
    const TrainJob *job = trainer->job;
    double loss = 0;
    i64 seen = 0, start_us = os_now_us();
    clock_t cpu_start = clock();
    loader_begin(&trainer->loader, (u64)job->seed, trainer->epoch);
    while ((trainer->batch_nb = loader_next(&trainer->loader, (int)job->batch, &trainer->index)) > 0) {
        if (os_interrupted())
            return -1;
        parallel_run(trainer->team, learn_part, trainer);
        loss += losses_sum(trainer);
        trainer->update = (Update){.rate = (float)train_rate(job, trainer->model.step, trainer->steps),
                                   .decay = (float)job->decay,
                                   .gradient_scale = 1 / (float)trainer->batch_nb};
        parallel_run(trainer->team, update_part, trainer);
        model_step_done(&trainer->model);
        seen += trainer->batch_nb;
        if (trainer->epoch == 0)
            trainer->flops += batch_flops(trainer);
    }
    trainer->seconds += (double)(os_now_us() - start_us) / 1e6;
    trainer->cpu += (double)(clock() - cpu_start) / CLOCKS_PER_SEC;
    trainer->trained += seen;
    return loss / (double)max_i64(seen, 1);
}

static double validation_loss(Trainer *trainer)
{
    if (trainer->valid_nb == 0)
        return -1;
    parallel_run(trainer->team, validate_part, trainer);
    return losses_sum(trainer) / (double)trainer->valid_nb;
}

// ---- checkpoints --------------------------------------------------------------------------------

typedef struct CheckpointHeader {
    char magic[8];
    u64 settings, step, bytes;
    i64 epoch;
    u64 checksum; // of what follows
} CheckpointHeader;
static const char CHECKPOINT_MAGIC[8] = {'T', 'W', 'O', 'F', 'C', 'K', 'P', '3'};

// Everything that the weights depend on: a checkpoint of another run is not continued.
static u64 settings_of(const Trainer *trainer)
{
    const TrainJob *job = trainer->job;
    const double reals[] = {job->wdl_share, job->score_k, job->rate,
                            job->rate_end,  job->decay,   job->valid_share};
    const i64 ints[] = {
        job->epochs,         job->batch,        job->buffer, job->threads, job->seed, job->filter.max_score,
        job->filter.min_ply, job->filter.skips, NET_HIDDEN,  NET_ROWS,     BUCKET_NB};
    return checksum_add(checksum_add(trainer->data.identity, reals, sizeof reals), ints, sizeof ints);
}

static void file_in(const Trainer *trainer, const char *name, char *path)
{
    snprintf(path, PATH_MAX_BYTES, "%s/%s", trainer->job->checkpoint, name);
}

static bool checkpoint_save(const Trainer *trainer, Message *message)
{
    size_t points_bytes = (size_t)trainer->epoch * sizeof(LossPoint);
    const void *parts[] = {NULL, trainer->model.params, trainer->model.moment1, trainer->model.moment2,
                           trainer->points};
    const size_t sizes[] = {sizeof(CheckpointHeader), sizeof(Weights), sizeof(Weights), sizeof(Weights),
                            points_bytes};
    CheckpointHeader header = {
        .settings = settings_of(trainer), .step = trainer->model.step, .epoch = trainer->epoch};
    memcpy(header.magic, CHECKPOINT_MAGIC, sizeof header.magic);
    for (int i = 1; i < 5; i++) {
        header.bytes += sizes[i];
        header.checksum = checksum_add(header.checksum, parts[i], sizes[i]);
    }
    parts[0] = &header;
    char path[PATH_MAX_BYTES];
    file_in(trainer, "state.checkpoint", path);
    return os_write_parts(path, parts, sizes, 5, message);
}

// Of the parts, as they were summed when they were written.
static u64 checkpoint_checksum(const FileMap *map, size_t points_bytes)
{
    const u8 *at = map->data + sizeof(CheckpointHeader);
    u64 sum = 0;
    for (int i = 0; i < 3; i++, at += sizeof(Weights))
        sum = checksum_add(sum, at, sizeof(Weights));
    return checksum_add(sum, at, points_bytes);
}

static bool checkpoint_take(Trainer *trainer, const FileMap *map, Message *message)
{
    CheckpointHeader header;
    if (map->size < sizeof header || memcmp(map->data, CHECKPOINT_MAGIC, sizeof CHECKPOINT_MAGIC) != 0)
        return message_set(message, "this is no checkpoint of this version of the program");
    memcpy(&header, map->data, sizeof header);
    if (header.settings != settings_of(trainer))
        return message_set(
            message, "it belongs to a run with other data or settings: choose another folder, or remove it");
    size_t points_bytes = map->size - sizeof header - 3 * sizeof(Weights);
    if (header.bytes != map->size - sizeof header || header.epoch < 0 ||
        header.epoch > trainer->job->epochs || points_bytes != (size_t)header.epoch * sizeof(LossPoint) ||
        checkpoint_checksum(map, points_bytes) != header.checksum)
        return message_set(message, "the checkpoint is damaged");
    const u8 *at = map->data + sizeof header;
    Weights *const parts[] = {trainer->model.params, trainer->model.moment1, trainer->model.moment2};
    for (int i = 0; i < 3; i++, at += sizeof(Weights))
        memcpy(parts[i], at, sizeof(Weights));
    memcpy(trainer->points, at, points_bytes);
    trainer->model.step = header.step;
    trainer->epoch = (int)header.epoch;
    model_sync(&trainer->model);
    return true;
}

// Continues where a checkpoint of this run ended; without one, from the beginning.
static bool checkpoint_load(Trainer *trainer, Message *message)
{
    char path[PATH_MAX_BYTES];
    FileMap map = {0};
    Message reason = {""};
    if (!os_make_folder(trainer->job->checkpoint, message))
        return false;
    file_in(trainer, "state.checkpoint", path);
    FILE *probe = fopen(path, "rb");
    if (!probe)
        return true;
    fclose(probe);
    if (!os_map_file(&map, path, message))
        return false;
    bool ok = checkpoint_take(trainer, &map, &reason);
    os_unmap_file(&map);
    return ok || message_set(message, "%s: %s", path, reason.text);
}

static bool write_text(const Trainer *trainer, const char *name, Text *text, Message *message)
{
    char path[PATH_MAX_BYTES];
    file_in(trainer, name, path);
    bool ok = !text->failed && os_write_file(path, text->ptr, text->len, message);
    text_free(text);
    return ok;
}

// ---- reports ------------------------------------------------------------------------------------

// Vector multiplies and adds in registers alone: what this build could reach at most on one core, in
// operations a second.
static double measure_peak(void)
{
    typedef float Lane __attribute__((vector_size(32)));
    enum { CHAINS = 12, ROUNDS = 400000 };
    Lane value[CHAINS];
    for (int c = 0; c < CHAINS; c++)
        for (int l = 0; l < 8; l++)
            value[c][l] = 1 + (float)c / 16;
    clock_t start = clock();
    for (int r = 0; r < ROUNDS; r++)
        for (int c = 0; c < CHAINS; c++)
            value[c] = c % 2 ? value[c] * 0.999999f : value[c] + 1e-6f;
    double seconds = fmax(1e-6, (double)(clock() - start) / CLOCKS_PER_SEC);
    volatile float sink = 0;
    for (int c = 0; c < CHAINS; c++)
        sink += value[c][0];
    (void)sink;
    return 8.0 * CHAINS * ROUNDS / seconds;
}

static void report_data(const Trainer *trainer)
{
    const Dataset *data = &trainer->data;
    printf("%" PRId64 " games, %" PRId64 " positions; training on %" PRId64 ", validation on %" PRId64 "\n",
           data->train.nb + data->valid.nb, data->positions, data->train.samples, trainer->valid_nb);
    printf("left out: %" PRId64 " in check, %" PRId64 " with a noisy move, %" PRId64 " by score, %" PRId64
           " too early\n",
           data->skipped[0], data->skipped[1], data->skipped[2], data->skipped[3]);
    if (data->damaged_places || data->illegal_games)
        printf("damage: %" PRId64 " places skipped, %" PRId64 " games dropped for illegal moves\n",
               data->damaged_places, data->illegal_games);
    printf("%d features x %d king buckets -> 2 x %d -> %d outputs; batch %" PRId64 ", %d thread%s\n",
           FEATURE_NB, PERSPECTIVE_BUCKET_NB, NET_HIDDEN, BUCKET_NB, trainer->job->batch,
           parallel_size(trainer->team), parallel_size(trainer->team) > 1 ? "s" : "");
}

static void report_epoch(const Trainer *trainer)
{
    const LossPoint *point = &trainer->points[trainer->epoch - 1];
    double rate = (double)trainer->trained / fmax(trainer->seconds, 1e-9);
    double left_s =
        (double)(trainer->job->epochs - trainer->epoch) * (double)trainer->data.train.samples / fmax(rate, 1);
    printf("epoch %3d/%" PRId64 "  loss %.6f", trainer->epoch, trainer->job->epochs, point->train);
    if (point->valid >= 0)
        printf("  validation %.6f", point->valid);
    char left[DURATION_MAX];
    duration_print((i64)left_s, left);
    printf("  rate %.1e  %.0f positions/s  %s left\n",
           train_rate(trainer->job, trainer->model.step, trainer->steps), rate, left);
    fflush(stdout);
}

static void report_values(const Inspection *look)
{
    Text line = {0};
    inspect_print_values(look, &line);
    printf("worth: %s\n", line.len ? line.ptr : "no positions to ask");
    fflush(stdout);
    text_free(&line);
}

// By the clock, and by the processor time that was really had: the machine may have other work.
static void report_speed(const Trainer *trainer)
{
    if (trainer->trained == 0)
        return;
    double epochs = (double)trainer->trained / (double)trainer->data.train.samples;
    printf("%.0f positions/s, %.0f a second of one core, with decoding and filtering",
           (double)trainer->trained / trainer->seconds, (double)trainer->trained / trainer->cpu);
    if (trainer->flops > 0) {
        double done = trainer->flops * epochs / trainer->cpu, peak = measure_peak();
        printf("; %.1f GFLOP/s a core, %.0f%% of the %.0f it does in registers alone", done / 1e9,
               100 * done / peak, peak / 1e9);
    }
    printf("\n");
}

// The integer network against the float one, in centipawns.
typedef struct Rounding {
    double apart, worst;      // mean and greatest distance
    double offset[BUCKET_NB]; // mean of float less integer
    i64 nb;
} Rounding;

static Rounding compare_rounding(const Trainer *trainer, const Net *net)
{
    const GameList *list = trainer->data.valid.samples > 0 ? &trainer->data.valid : &trainer->data.train;
    Rounding rounding = {0};
    i64 bucket_nb[BUCKET_NB] = {0};
    for (i64 g = 0; g < list->nb && rounding.nb < ROUNDING_POSITIONS; g++) {
        Replay replay;
        if (!replay_start(&replay, &list->ref[g].game))
            continue;
        for (; replay.index < replay.game.move_nb; replay_step(&replay)) {
            Sample sample;
            if (replay_skip(&replay, &trainer->data.filter) != 0)
                continue;
            sample_from_position(&sample, &replay.pos, 0);
            double difference = (double)model_output(&trainer->model, &sample) * NET_SCALE -
                                nnue_evaluate_scalar(net, &replay.pos);
            rounding.apart += fabs(difference);
            rounding.worst = fmax(rounding.worst, fabs(difference));
            rounding.offset[sample.bucket] += difference;
            bucket_nb[sample.bucket]++;
            rounding.nb++;
        }
    }
    rounding.apart /= (double)max_i64(rounding.nb, 1);
    for (int b = 0; b < BUCKET_NB; b++)
        rounding.offset[b] /= (double)max_i64(bucket_nb[b], 1);
    return rounding;
}

// Activations are never negative, so rounded output weights shift all scores of a bucket alike; the bias
// takes it back.
static void quantise(const Trainer *trainer, Net *net)
{
    model_quantise(&trainer->model, net);
    Rounding rounding = compare_rounding(trainer, net);
    for (int b = 0; b < BUCKET_NB; b++)
        net->output_bias[b] += (i32)lrint(rounding.offset[b] * (NET_QA * NET_QB) / NET_SCALE);
}

static void report_rounding(const Trainer *trainer, const Net *net)
{
    Rounding rounding = compare_rounding(trainer, net);
    printf("integers against floats on %" PRId64 " positions: %.2f cp apart on average, %.1f at most\n",
           rounding.nb, rounding.apart, rounding.worst);
}

// ---- the whole ----------------------------------------------------------------------------------

static bool start_weights(Trainer *trainer, Message *message)
{
    if (!trainer->job->from) {
        model_init(&trainer->model, (u64)trainer->job->seed);
        return true;
    }
    Net *net = os_alloc_big(sizeof *net);
    bool ok =
        net ? net_load(net, trainer->job->from, message) : message_set(message, "no memory for a network");
    if (ok)
        model_from_net(&trainer->model, net);
    if (net)
        os_free_big(net, sizeof *net);
    return ok;
}

static bool trainer_open(Trainer *trainer, const TrainJob *job, Message *message)
{
    *trainer = (Trainer){.job = job, .sharpness = (float)(NET_SCALE / job->score_k)};
    trainer->team = parallel_new((int)job->threads);
    if (!trainer->team)
        return message_set(message, "the system gives no %d threads", (int)job->threads);
    if (!dataset_open(&trainer->data, &job->data, &job->filter, job->valid_share, trainer->team, message))
        return false;
    trainer->data.wdl_share = job->wdl_share;
    trainer->data.score_k = job->score_k;
    if (trainer->data.train.samples == 0)
        return message_set(message, "no position is left to train on");
    i64 valid_games = 0;
    for (; valid_games < trainer->data.valid.nb &&
           trainer->valid_nb + trainer->data.valid.ref[valid_games].sample_nb <= VALID_MAX;
         valid_games++)
        trainer->valid_nb += trainer->data.valid.ref[valid_games].sample_nb;
    trainer->valid = malloc((size_t)(trainer->valid_nb + 1) * sizeof *trainer->valid);
    trainer->gradients = calloc((size_t)job->threads, sizeof *trainer->gradients);
    trainer->losses = calloc((size_t)job->threads, sizeof *trainer->losses);
    trainer->points = calloc((size_t)job->epochs + 1, sizeof *trainer->points);
    bool ok = trainer->valid && trainer->gradients && trainer->losses && trainer->points;
    for (int i = 0; ok && i < job->threads; i++)
        ok = (trainer->gradients[i] = os_alloc_big(sizeof(Weights))) != NULL;
    if (!ok)
        return message_set(message, "no memory for training");
    dataset_decode(&trainer->data, &trainer->data.valid, NULL, valid_games, trainer->team, trainer->valid);
    trainer->steps = (u64)(job->epochs * ((trainer->data.train.samples + job->batch - 1) / job->batch));
    return loader_new(&trainer->loader, &trainer->data, job->buffer, trainer->team, message) &&
           model_new(&trainer->model, message) && start_weights(trainer, message) &&
           (!job->checkpoint || checkpoint_load(trainer, message));
}

static void trainer_close(Trainer *trainer)
{
    model_free(&trainer->model);
    loader_free(&trainer->loader);
    for (int i = 0; trainer->gradients && i < trainer->job->threads; i++)
        if (trainer->gradients[i])
            os_free_big(trainer->gradients[i], sizeof(Weights));
    free(trainer->gradients);
    free(trainer->losses);
    free(trainer->points);
    free(trainer->valid);
    dataset_close(&trainer->data);
    parallel_free(trainer->team);
}

// After an epoch: the curve and the state on disk, so that a kill costs no more than the next epoch.
static bool keep_progress(const Trainer *trainer, Message *message)
{
    if (!trainer->job->checkpoint)
        return true;
    Text curve = {0};
    inspect_draw_losses(trainer->points, trainer->epoch, &curve);
    return write_text(trainer, "loss.svg", &curve, message) && checkpoint_save(trainer, message);
}

static bool look_now(const Trainer *trainer, const Net *net, Message *message)
{
    Inspection *look = malloc(sizeof *look);
    if (!look)
        return message_set(message, "no memory");
    inspect_measure(look, net, &trainer->data, LOOK_POSITIONS);
    if (!trainer->job->quiet)
        report_values(look);
    Text picture = {0};
    bool ok = true;
    if (trainer->job->checkpoint) {
        inspect_draw(look, &picture);
        ok = write_text(trainer, "squares.svg", &picture, message);
    }
    free(look);
    return ok;
}

static bool train_epochs(Trainer *trainer, Net *net, Message *message)
{
    const TrainJob *job = trainer->job;
    i64 until = job->stop_after ? min_i64(job->stop_after, job->epochs) : job->epochs;
    while (trainer->epoch < until) {
        double loss = run_epoch(trainer);
        if (loss < 0)
            return message_set(message, "interrupted in epoch %d%s", trainer->epoch + 1,
                               job->checkpoint ? "; the same command continues" : "");
        trainer->epoch++;
        trainer->points[trainer->epoch - 1] = (LossPoint){.train = loss, .valid = validation_loss(trainer)};
        if (!job->quiet)
            report_epoch(trainer);
        if (!keep_progress(trainer, message))
            return false;
        if (trainer->epoch == 1 && until > 1) {
            model_quantise(&trainer->model, net);
            if (!look_now(trainer, net, message))
                return false;
        }
    }
    return true;
}

static bool finish(Trainer *trainer, Net *net, Message *message)
{
    const TrainJob *job = trainer->job;
    quantise(trainer, net);
    if (job->name)
        snprintf(net->name, sizeof net->name, "%s", job->name);
    else
        snprintf(net->name, sizeof net->name, "%s 2x%d, %.1f M positions, %d epochs", GAME_NAME, NET_HIDDEN,
                 (double)trainer->data.train.samples / 1e6, trainer->epoch);
    if (!look_now(trainer, net, message))
        return false;
    if (!job->quiet) {
        report_speed(trainer);
        report_rounding(trainer, net);
    }
    if (!net_save(net, job->out, message))
        return false;
    if (!job->quiet)
        printf("%s: %s\n", job->out, net->name);
    return true;
}

bool train_run(const TrainJob *job, Message *message)
{
    Trainer trainer;
    Net *net = os_alloc_big(sizeof *net);
    bool ok = trainer_open(&trainer, job, message) && os_can_write(job->out, message) &&
              (net || message_set(message, "no memory for a network"));
    if (ok && !job->quiet) {
        report_data(&trainer);
        if (trainer.epoch)
            printf("continuing after epoch %d\n", trainer.epoch);
        fflush(stdout);
    }
    ok = ok && train_epochs(&trainer, net, message) && finish(&trainer, net, message);
    trainer_close(&trainer);
    if (net)
        os_free_big(net, sizeof *net);
    return ok;
}

// ---- the command --------------------------------------------------------------------------------

typedef struct TrainLine {
    TrainJob job;
    bool keep_checks, keep_noisy;
} TrainLine;

static const CliOption OPTIONS[] = {
    {"data", 0, CLI_FILES, offsetof(TrainLine, job.data), 0, 0, NULL, "files of packed games", NULL},
    {"out", 0, CLI_TEXT, offsetof(TrainLine, job.out), 0, 0, "FILE", "network file to write", NULL},
    {"checkpoint", 0, CLI_TEXT, offsetof(TrainLine, job.checkpoint), 0, 0, "FOLDER",
     "folder for the state after each epoch (the same command continues), the loss curve and pictures", NULL},
    {"from", 0, CLI_TEXT, offsetof(TrainLine, job.from), 0, 0, "FILE",
     "network to start from instead of random weights", NULL},
    {"name", 0, CLI_TEXT, offsetof(TrainLine, job.name), 0, 0, "TEXT", "name to write into the network",
     NULL},
    {"epochs", 0, CLI_I64, offsetof(TrainLine, job.epochs), 1, EPOCHS_MAX, "N", "passes over the data", NULL},
    {"stop-after", 0, CLI_I64, offsetof(TrainLine, job.stop_after), 0, EPOCHS_MAX, "N",
     "end after this many of them, to be continued; 0: all", NULL},
    {"wdl", 0, CLI_REAL, offsetof(TrainLine, job.wdl_share), 0, 1, "X",
     "share of the game's result in the target; the rest is the score", NULL},
    {"lambda", 0, CLI_REAL, offsetof(TrainLine, job.wdl_share), 0, 1, "X", "the same as --wdl", NULL},
    {"scale", 0, CLI_REAL, offsetof(TrainLine, job.score_k), 1, 10000, "X",
     "centipawns of one unit of the sigmoid", NULL},
    {"lr", 0, CLI_REAL, offsetof(TrainLine, job.rate), 1e-9, 10, "X", "highest learning rate", NULL},
    {"lr-end", 0, CLI_REAL, offsetof(TrainLine, job.rate_end), 0, 10, "X",
     "learning rate at the end of the cosine", NULL},
    {"decay", 0, CLI_REAL, offsetof(TrainLine, job.decay), 0, 10, "X", "decoupled weight decay", NULL},
    {"batch", 0, CLI_I64, offsetof(TrainLine, job.batch), 1, 1 << 24, "N", "positions an update", NULL},
    {"buffer", 0, CLI_I64, offsetof(TrainLine, job.buffer), 1, 1 << 28, "N", "positions shuffled together",
     NULL},
    {"validation", 0, CLI_REAL, offsetof(TrainLine, job.valid_share), 0, 0.9, "X",
     "share of the games kept for validation", NULL},
    {"threads", 0, CLI_I64, offsetof(TrainLine, job.threads), 1, 256, "N", "threads", NULL},
    {"seed", 0, CLI_I64, offsetof(TrainLine, job.seed), 0, 9e15, "N",
     "the same seed and number of threads give the same network to the bit", NULL},
    {"max-score", 0, CLI_INT, offsetof(TrainLine, job.filter.max_score), 0, 32767, "N",
     "leave out positions with a larger score", NULL},
    {"min-ply", 0, CLI_INT, offsetof(TrainLine, job.filter.min_ply), 0, 10000, "N",
     "leave out the first plies of each game", NULL},
    {"keep-checks", 0, CLI_SWITCH, offsetof(TrainLine, keep_checks), 0, 0, NULL,
     "train on positions in check too", NULL},
    {"keep-noisy", 0, CLI_SWITCH, offsetof(TrainLine, keep_noisy), 0, 0, NULL,
     "train on positions with a noisy best move too", NULL},
};
static const CliCommand COMMAND = {
    .name = "twofold-" GAME_NAME " train",
    .about = "Usage: twofold-" GAME_NAME " train --data FILE.. --out FILE [OPTIONS]\n"
             "Learns a network from packed games.",
    .table = &(const CliTable){OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0]},
    .table_nb = 1,
};

int train_train_main(int argc, char **argv)
{
    TrainLine line = {.job = train_job_default()};
    TrainJob *job = &line.job;
    Message message = {""};
    int code;
    if (!cli_read(&COMMAND, argc, argv, &line, NULL, &code))
        return code;
    if (job->data.nb == 0 || !job->out)
        return cli_misused(&COMMAND, "--data FILE.. and --out FILE are needed");
    for (int i = 0; i < job->data.nb; i++)
        if (os_same_file(job->out, job->data.path[i])) {
            message_set(&message, "'%s' is read: --out must be another file", job->out);
            return cli_misused(&COMMAND, message.text);
        }
    job->filter.skips &= ~((line.keep_checks ? SKIP_CHECK : 0u) | (line.keep_noisy ? SKIP_NOISY : 0u));
    os_catch_interrupts();
    if (train_run(job, &message))
        return EXIT_DONE;
    cli_failed(&COMMAND, message.text);
    return os_interrupted() ? 128 + os_interrupted() : EXIT_FAILED;
}
