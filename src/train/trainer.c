// SPDX-License-Identifier: GPL-3.0-or-later
// The trainer: epochs of batches over the team, validation, checkpoints, and in the end a network file with a
// report of what it learned and of how far integers are from floats. A batch is cut into 16 parts, each with
// games and a gradient of its own, which threads and ranks share out as they come; the gradients are added in
// the order of the parts. So the same seed gives the same network to the bit, however many threads and ranks
// there are.
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/checksum.h"
#include "base/language.h"
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
                      .decay_own = 5,
                      .average = 0.2,
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

// How many of the part's samples are in the batches before this one: an even share of each, and the parts
// take turns where it is no whole number.
static i64 samples_before(const Trainer *trainer, int part, i64 batch)
{
    const i64 of = trainer->batch_of;
    return (i64)(((__int128)trainer->stretch[part].samples * batch + of * part / BATCH_PARTS) / of);
}

static i64 samples_of(const Trainer *trainer, int part)
{
    return samples_before(trainer, part, trainer->batch + 1) - samples_before(trainer, part, trainer->batch);
}

// Each thread takes the next part that nobody has taken.
static int next_part(Trainer *trainer) { return atomic_fetch_add(&trainer->next_part, 1); }

static void run_parts(Trainer *trainer, ParallelTask task)
{
    atomic_store(&trainer->next_part, trainer->ranks.part);
    parallel_run(trainer->team, task, trainer);
}

static void learn_parts(void *context, int thread, int thread_nb)
{
    Trainer *trainer = context;
    (void)thread, (void)thread_nb;
    for (int p; (p = next_part(trainer)) < trainer->ranks.part_end;) {
        Part *part = &trainer->part[p];
        const i64 nb = samples_of(trainer, p);
        const u32 *index = loader_next(&part->loader, nb);
        double loss = 0;
        for (i64 i = 0; i < nb; i++) {
            const Sample *sample = &part->loader.pool[index[i]];
            if (i + 2 < nb)
                __builtin_prefetch(&part->loader.pool[index[i + 2]]);
            loss += model_learn(&trainer->model, sample, trainer->sharpness,
                                trainer->gradients[p - trainer->ranks.part]);
            part->rows += sample->row_nb[0] + sample->row_nb[1];
        }
        part->learned += nb;
        trainer->sum->loss[p] = loss;
    }
}

static void validate_parts(void *context, int thread, int thread_nb)
{
    Trainer *trainer = context;
    (void)thread, (void)thread_nb;
    for (int p; (p = next_part(trainer)) < trainer->ranks.part_end;) {
        const i64 end = trainer->valid_nb * (p + 1) / BATCH_PARTS;
        double loss = 0;
        for (i64 i = trainer->valid_nb * p / BATCH_PARTS; i < end; i++)
            loss += model_learn(&trainer->model, &trainer->valid[i], trainer->sharpness, NULL);
        trainer->sum->loss[p] = loss;
    }
}

// With several ranks the gradients have been gathered on the way from rank to rank.
static void update_part(void *context, int part, int part_nb)
{
    Trainer *trainer = context;
    model_update_part(&trainer->model, &trainer->update, &trainer->sum->gradient, trainer->gradients,
                      trainer->ranks.nb > 1 ? 0 : trainer->gradient_nb, part, part_nb);
}

static void average_part(void *context, int part, int part_nb)
{
    Trainer *trainer = context;
    model_average_part(&trainer->model, part, part_nb);
}

// ---- sums over the ranks ------------------------------------------------------------------------
enum {
    ROW_BYTES = NET_HIDDEN * sizeof(float),
    PIECE_ROWS = (1 << 16) / ROW_BYTES,
    ROW_PIECES = (NET_ROWS + PIECE_ROWS - 1) / PIECE_ROWS,
    LOSS_FROM = offsetof(BatchSum, loss),
};
_Static_assert(offsetof(BatchSum, gradient.feature_weight) == 0, "the pieces of rows come first");

typedef struct Adding {
    Trainer *trainer;
    double loss[BATCH_PARTS]; // this rank's parts'; the sum's are overwritten by what comes
} Adding;

static Adding adding_of(Trainer *trainer)
{
    Adding adding = {.trainer = trainer};
    memcpy(adding.loss, trainer->sum->loss, sizeof adding.loss);
    return adding;
}

static void add_losses(void *context, size_t from, size_t end)
{
    const Adding *adding = context;
    const Ranks *ranks = &adding->trainer->ranks;
    BatchSum *sum = adding->trainer->sum;
    (void)from, (void)end;
    for (int p = ranks->part; p < ranks->part_end; p++)
        sum->loss[p] = adding->loss[p];
    sum->interrupted = (ranks->rank ? sum->interrupted : 0) + (os_interrupted() != 0);
}

static void add_gradients(void *context, size_t from, size_t end)
{
    const Adding *adding = context;
    Trainer *trainer = adding->trainer;
    Weights *sum = &trainer->sum->gradient;
    if (end <= sizeof sum->feature_weight) {
        model_gather_rows(sum, trainer->gradients, trainer->gradient_nb, (int)(from / ROW_BYTES),
                          (int)(end / ROW_BYTES));
        return;
    }
    model_gather_rest(sum, trainer->gradients, trainer->gradient_nb);
    add_losses(context, from, end);
}

static bool sum_batch(Trainer *trainer, Message *message)
{
    size_t end[ROW_PIECES + 1];
    for (int i = 0; i < ROW_PIECES; i++)
        end[i] = (size_t)min_int((i + 1) * PIECE_ROWS, NET_ROWS) * ROW_BYTES;
    end[ROW_PIECES] = sizeof *trainer->sum;
    Adding adding = adding_of(trainer);
    return ranks_sum(&trainer->ranks, trainer->sum, end, ROW_PIECES + 1, add_gradients, &adding, message);
}

static bool sum_losses(Trainer *trainer, double *loss, Message *message)
{
    const size_t end = sizeof *trainer->sum - LOSS_FROM;
    Adding adding = adding_of(trainer);
    if (!ranks_sum(&trainer->ranks, trainer->sum->loss, &end, 1, add_losses, &adding, message))
        return false;
    *loss = 0;
    for (int p = 0; p < BATCH_PARTS; p++)
        *loss += trainer->sum->loss[p];
    return true;
}

// ---- an epoch -----------------------------------------------------------------------------------
// Is the next update one of the last ones, whose weights are averaged?
static bool counts_in_average(const Trainer *trainer)
{
    return (double)trainer->model.step >= (1 - trainer->job->average) * (double)trainer->steps;
}

static void begin_epoch(Trainer *trainer)
{
    const u64 seed = (u64)trainer->job->seed;
    loader_deal(&trainer->data, seed, trainer->epoch, trainer->game_order, trainer->stretch, BATCH_PARTS);
    for (int p = trainer->ranks.part; p < trainer->ranks.part_end; p++)
        loader_begin(&trainer->part[p].loader, &trainer->stretch[p],
                     seed ^ hash_mix((u64)trainer->epoch * BATCH_PARTS + (u64)p));
}

// One batch on all ranks; adds its loss. False with a message when interrupted, or when a rank is gone.
static bool run_batch(Trainer *trainer, double *loss, Message *message)
{
    const TrainJob *job = trainer->job;
    trainer->batch_nb = 0;
    for (int p = 0; p < BATCH_PARTS; p++)
        trainer->batch_nb += samples_of(trainer, p);
    run_parts(trainer, learn_parts);
    trainer->sum->interrupted = os_interrupted() != 0;
    if (trainer->ranks.nb > 1 && !sum_batch(trainer, message))
        return false;
    if (trainer->sum->interrupted)
        return message_set(message,
                           job->checkpoint ? "interrupted in epoch %d; the same command continues"
                                           : "interrupted in epoch %d",
                           trainer->epoch + 1);
    for (int p = 0; p < BATCH_PARTS; p++)
        *loss += trainer->sum->loss[p];
    trainer->update = (Update){.rate = (float)train_rate(job, trainer->model.step, trainer->steps),
                               .decay = (float)job->decay,
                               .decay_own = (float)job->decay_own,
                               .gradient_scale = 1 / (float)max_i64(trainer->batch_nb, 1),
                               .averages = counts_in_average(trainer)};
    parallel_run(trainer->team, update_part, trainer);
    if (trainer->update.averages)
        parallel_run(trainer->team, average_part, trainer);
    model_step_done(&trainer->model, &trainer->update);
    trainer->trained += trainer->batch_nb;
    return true;
}

// One pass over the training games, and its mean loss.
static bool run_epoch(Trainer *trainer, double *loss, Message *message)
{
    const i64 start_us = os_now_us();
    const clock_t cpu_start = clock();
    *loss = 0;
    begin_epoch(trainer);
    for (trainer->batch = 0; trainer->batch < trainer->batch_of; trainer->batch++)
        if (!run_batch(trainer, loss, message))
            return false;
    trainer->seconds += (double)(os_now_us() - start_us) / 1e6;
    trainer->cpu += (double)(clock() - cpu_start) / CLOCKS_PER_SEC;
    *loss /= (double)trainer->data.train.samples;
    return true;
}

// The mean loss on the validation games; -1 without any.
static bool validate(Trainer *trainer, double *loss, Message *message)
{
    *loss = -1;
    if (trainer->valid_nb == 0)
        return true;
    run_parts(trainer, validate_parts);
    if (!sum_losses(trainer, loss, message))
        return false;
    *loss /= (double)trainer->valid_nb;
    return true;
}

// ---- the whole ----------------------------------------------------------------------------------

static bool start_weights(Trainer *trainer, Message *message)
{
    if (!trainer->job->from) {
        model_init(&trainer->model, (u64)trainer->job->seed);
        return true;
    }
    Net *net = os_alloc_big(sizeof *net);
    bool ok = net ? net_load_grown(net, trainer->job->from, message)
                  : message_set(message, "no memory for a network");
    if (ok) {
        model_from_net(&trainer->model, net, (u64)trainer->job->seed);
        trainer->from = net_checksum(net);
    }
    if (net)
        os_free_big(net, sizeof *net);
    return ok;
}

// The first validation games, as many as are looked at after each epoch, and their samples.
static bool open_validation(Trainer *trainer, Message *message)
{
    const Dataset *data = trainer->job->validation.nb ? &trainer->frozen : &trainer->data;
    const GameList *list = &data->valid;
    i64 games = 0;
    for (; games < list->nb && trainer->valid_nb + list->ref[games].sample_nb <= VALID_MAX; games++)
        trainer->valid_nb += list->ref[games].sample_nb;
    trainer->valid = malloc((size_t)(trainer->valid_nb + 1) * sizeof *trainer->valid);
    if (!trainer->valid)
        return message_set(message, "no memory for training");
    dataset_decode(data, list, NULL, games, trainer->team, trainer->valid);
    return true;
}

// Everything that the weights depend on: a checkpoint of another run is not continued.
static u64 settings_of(const Trainer *trainer)
{
    const TrainJob *job = trainer->job;
    const double reals[] = {job->wdl_share,   job->score_k, job->rate,  job->rate_end, job->decay,
                            job->valid_share, job->average, job->blend, job->decay_own};
    const i64 ints[] = {
        job->epochs,         job->batch,        job->buffer, BATCH_PARTS, job->seed, job->filter.max_score,
        job->filter.min_ply, job->filter.skips, NET_HIDDEN,  NET_ROWS,    BUCKET_NB, (i64)trainer->from};
    const u64 identity = checksum_add(trainer->data.identity, &trainer->frozen.identity, sizeof(u64));
    return checksum_add(checksum_add(identity, reals, sizeof reals), ints, sizeof ints);
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

static void *new_big(size_t bytes, bool *ok)
{
    void *memory = *ok ? os_alloc_big(bytes) : NULL;
    *ok = *ok && memory;
    return memory;
}

// What this rank's parts of a batch need.
static bool open_parts(Trainer *trainer, Message *message)
{
    const TrainJob *job = trainer->job;
    const i64 want_max = job->batch / BATCH_PARTS + GAME_MOVES_MAX + 2;
    bool ok = true;
    trainer->game_order = malloc((size_t)(trainer->data.train.nb + 1) * sizeof *trainer->game_order);
    trainer->sum = new_big(sizeof *trainer->sum, &ok);
    for (int p = trainer->ranks.part; p < trainer->ranks.part_end; p++) {
        trainer->gradients[trainer->gradient_nb] = new_big(sizeof(Gradient), &ok);
        trainer->gradient_nb += ok;
    }
    if (!ok || !trainer->game_order)
        return message_set(message, "no memory for training");
    for (int p = trainer->ranks.part; ok && p < trainer->ranks.part_end; p++)
        ok = loader_new(&trainer->part[p].loader, &trainer->data, job->buffer / BATCH_PARTS, want_max,
                        message);
    return ok;
}

// Games with their targets as the job has them. Some of them are kept for validation: a share of the data, or
// all of the games of a validation set.
static bool open_games(Trainer *trainer, Dataset *data, const CliFiles *files, double valid_share,
                       Message *message)
{
    const TrainJob *job = trainer->job;
    if (!dataset_open(data, files, &job->filter, valid_share, trainer->team, message))
        return false;
    data->wdl_share = job->wdl_share;
    data->score_k = job->score_k;
    data->blend = job->blend;
    return true;
}

// What every rank does for itself.
static bool open_own(Trainer *trainer, Message *message)
{
    const TrainJob *job = trainer->job;
    const bool is_frozen = job->validation.nb > 0;
    trainer->team = parallel_new((int)job->threads);
    if (!trainer->team)
        return message_set(message, "the system gives no %d threads", (int)job->threads);
    if (!open_games(trainer, &trainer->data, &job->data, is_frozen ? 0 : job->valid_share, message) ||
        (is_frozen && (!open_games(trainer, &trainer->frozen, &job->validation, 1, message) ||
                       !dataset_leave_out(&trainer->data, &trainer->frozen, message))))
        return false;
    const i64 samples = trainer->data.train.samples;
    if (samples == 0)
        return message_set(message, "no position is left to train on");
    if (is_frozen && trainer->frozen.valid.samples == 0)
        return message_set(message, "no position is left to validate on");
    trainer->points = calloc((size_t)job->epochs + 1, sizeof *trainer->points);
    if (!trainer->points)
        return message_set(message, "no memory for training");
    if (!open_validation(trainer, message))
        return false;
    trainer->batch_of = (samples + job->batch - 1) / job->batch;
    trainer->steps = (u64)(job->epochs * trainer->batch_of);
    return open_parts(trainer, message) && model_new(&trainer->model, message);
}

// Rank 0's: where training begins, and where its result goes.
static bool open_files(Trainer *trainer, Message *message)
{
    return start_weights(trainer, message) &&
           (!trainer->job->checkpoint || load_checkpoint(trainer, message)) &&
           os_can_write(trainer->job->out, message);
}

// Gives the others what rank 0 has read.
static bool share_state(Trainer *trainer, Message *message)
{
    Model *model = &trainer->model;
    Weights *const weights[] = {model->params, model->moment1, model->moment2, model->average};
    u64 numbers[] = {model->step, model->averaged, (u64)trainer->epoch};
    bool ok = trainer->ranks.nb == 1 || ranks_share(&trainer->ranks, numbers, sizeof numbers, message);
    for (int i = 0; ok && trainer->ranks.nb > 1 && i < 4; i++)
        ok = ranks_share(&trainer->ranks, weights[i], sizeof *weights[i], message);
    model->step = numbers[0];
    model->averaged = numbers[1];
    trainer->epoch = (int)numbers[2];
    if (ok)
        model_sync(model);
    return ok;
}

static bool trainer_open(Trainer *trainer, const TrainJob *job, Message *message)
{
    const Ranks *ranks = &trainer->ranks;
    *trainer = (Trainer){.job = job,
                         .ranks = ranks_of(job->transport ? job->transport : transport_local()),
                         .sharpness = (float)(NET_SCALE / job->score_k)};
    bool ok = open_own(trainer, message);
    if (!ranks_agree(ranks, ok, ok ? settings_of(trainer) : 0, message))
        return false;
    ok = ranks->rank > 0 || open_files(trainer, message);
    return ranks_agree(ranks, ok, 0, message) && share_state(trainer, message);
}

static void trainer_close(Trainer *trainer)
{
    model_free(&trainer->model);
    for (int p = 0; p < BATCH_PARTS; p++)
        loader_free(&trainer->part[p].loader);
    for (int i = 0; i < trainer->gradient_nb; i++)
        os_free_big(trainer->gradients[i], sizeof(Gradient));
    if (trainer->sum)
        os_free_big(trainer->sum, sizeof *trainer->sum);
    free(trainer->game_order);
    free(trainer->points);
    free(trainer->valid);
    dataset_close(&trainer->data);
    dataset_close(&trainer->frozen);
    parallel_free(trainer->team);
}

// Does this rank report and write?
static bool is_first(const Trainer *trainer) { return trainer->ranks.rank == 0; }

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

// What rank 0 does after an epoch.
static bool show_epoch(Trainer *trainer, Net *net, bool is_last, Message *message)
{
    if (!trainer->job->quiet)
        train_report_epoch(trainer);
    if (!keep_progress(trainer, message))
        return false;
    if (trainer->epoch > 1 || is_last)
        return true;
    model_quantise(&trainer->model, net);
    return look_now(trainer, net, message);
}

static bool train_epochs(Trainer *trainer, Net *net, Message *message)
{
    const TrainJob *job = trainer->job;
    i64 until = job->stop_after ? min_i64(job->stop_after, job->epochs) : job->epochs;
    while (trainer->epoch < until) {
        LossPoint point;
        if (!run_epoch(trainer, &point.train, message))
            return false;
        trainer->epoch++;
        if (!validate(trainer, &point.valid, message))
            return false;
        trainer->points[trainer->epoch - 1] = point;
        bool ok = !is_first(trainer) || show_epoch(trainer, net, until == 1, message);
        if (!ranks_agree(&trainer->ranks, ok, model_checksum(&trainer->model), message))
            return false;
    }
    return true;
}

static bool finish(Trainer *trainer, Net *net, Message *message)
{
    const TrainJob *job = trainer->job;
    const bool tells = is_first(trainer) && !job->quiet;
    double loss;
    if (trainer->model.averaged) {
        model_take_average(&trainer->model);
        if (!validate(trainer, &loss, message))
            return false;
        if (tells)
            train_report_average(trainer, loss);
    }
    if (!is_first(trainer))
        return true;
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
        printf("%s: %s\n", message_of(job->out).text, net->name);
    return true;
}

static bool train(Trainer *trainer, Net *net, Message *message)
{
    if (is_first(trainer) && !trainer->job->quiet) {
        train_report_data(trainer);
        if (trainer->epoch)
            printf(said("continuing after epoch %d\n"), trainer->epoch);
        fflush(stdout);
    }
    return train_epochs(trainer, net, message) && finish(trainer, net, message);
}

bool train_run(const TrainJob *job, Message *message)
{
    Trainer trainer;
    if (job->transport && job->transport->rank >= BATCH_PARTS)
        return true; // there is no part of a batch for it
    Net *net = os_alloc_big(sizeof *net);
    bool ok = net ? trainer_open(&trainer, job, message) : message_set(message, "no memory for a network");
    ok = ok && train(&trainer, net, message);
    if (net) {
        ranks_leave(&trainer.ranks);
        trainer_close(&trainer);
        os_free_big(net, sizeof *net);
    }
    return ok;
}
