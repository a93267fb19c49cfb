// SPDX-License-Identifier: GPL-3.0-or-later
// The trainer: epochs of batches over the team, validation, checkpoints, and in the end a network file with a
// report of what it learned and of how far integers are from floats. A batch is split into one part per
// thread, each with a gradient of its own; the optimiser's step is split the same way. Nothing depends on
// which thread is faster, so the same seed and the same number of threads give the same network to the bit.
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/checksum.h"
#include "train/checkpoint.h"
#include "train/quantise.h"
#include "train/train_report.h"

enum { VALID_MAX = 1 << 20, LOOK_POSITIONS = 1000 };

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

// ---- an epoch -----------------------------------------------------------------------------------

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
    if (ok) {
        model_from_net(&trainer->model, net);
        trainer->from = net_checksum(net);
    }
    if (net)
        os_free_big(net, sizeof *net);
    return ok;
}

// The first validation games, as many as are looked at after each epoch, and their samples.
static i64 count_validation(Trainer *trainer)
{
    const GameList *valid = &trainer->data.valid;
    i64 games = 0;
    for (; games < valid->nb && trainer->valid_nb + valid->ref[games].sample_nb <= VALID_MAX; games++)
        trainer->valid_nb += valid->ref[games].sample_nb;
    return games;
}

// Everything that the weights depend on: a checkpoint of another run is not continued.
static u64 settings_of(const Trainer *trainer)
{
    const TrainJob *job = trainer->job;
    const double reals[] = {job->wdl_share, job->score_k, job->rate,
                            job->rate_end,  job->decay,   job->valid_share};
    const i64 ints[] = {
        job->epochs,         job->batch,        job->buffer, job->threads, job->seed, job->filter.max_score,
        job->filter.min_ply, job->filter.skips, NET_HIDDEN,  NET_ROWS,     BUCKET_NB, (i64)trainer->from};
    return checksum_add(checksum_add(trainer->data.identity, reals, sizeof reals), ints, sizeof ints);
}

static Checkpoint checkpoint_of(Trainer *trainer)
{
    const TrainJob *job = trainer->job;
    return (Checkpoint){.folder = job->checkpoint,
                        .settings = settings_of(trainer),
                        .model = &trainer->model,
                        .points = trainer->points,
                        .epochs = job->epochs};
}

static bool load_checkpoint(Trainer *trainer, Message *message)
{
    Checkpoint checkpoint = checkpoint_of(trainer);
    return checkpoint_load(&checkpoint, &trainer->epoch, message);
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
    i64 valid_games = count_validation(trainer);
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
           (!job->checkpoint || load_checkpoint(trainer, message));
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
static bool keep_progress(Trainer *trainer, Message *message)
{
    if (!trainer->job->checkpoint)
        return true;
    Text curve = {0};
    inspect_draw_losses(trainer->points, trainer->epoch, &curve);
    Checkpoint checkpoint = checkpoint_of(trainer);
    return checkpoint_write_text(checkpoint.folder, "loss.svg", &curve, message) &&
           checkpoint_save(&checkpoint, trainer->epoch, message);
}

static bool look_now(const Trainer *trainer, const Net *net, Message *message)
{
    Inspection *look = malloc(sizeof *look);
    if (!look)
        return message_set(message, "no memory");
    inspect_measure(look, net, &trainer->data, LOOK_POSITIONS);
    if (!trainer->job->quiet)
        train_report_values(look);
    Text picture = {0};
    bool ok = true;
    if (trainer->job->checkpoint) {
        inspect_draw(look, &picture);
        ok = checkpoint_write_text(trainer->job->checkpoint, "squares.svg", &picture, message);
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
            train_report_epoch(trainer);
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
    quantise(&trainer->model, &trainer->data, net);
    if (job->name)
        snprintf(net->name, sizeof net->name, "%s", job->name);
    else
        snprintf(net->name, sizeof net->name, "%s 2x%d, %.1f M positions, %d epochs", GAME_NAME, NET_HIDDEN,
                 (double)trainer->data.train.samples / 1e6, trainer->epoch);
    if (!look_now(trainer, net, message))
        return false;
    if (!job->quiet) {
        train_report_speed(trainer);
        train_report_rounding(trainer, net);
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
        train_report_data(&trainer);
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
