// SPDX-License-Identifier: GPL-3.0-or-later
// What the trainer tells on standard output: the data before the first epoch, a line for each epoch, and at
// the end what the network thinks pieces are worth, how fast it went, and what rounding cost.
#include "train/train_report.h"

#include <math.h>
#include <time.h>

#include "base/language.h"
#include "base/progress.h"
#include "train/quantise.h"

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

void train_report_data(const Trainer *trainer)
{
    const Dataset *data = &trainer->data;
    printf(said("%lld games, %lld positions; training on %lld, validation on %lld\n"),
           (long long)(data->train.nb + data->valid.nb), (long long)data->positions,
           (long long)data->train.samples, (long long)trainer->valid_nb);
    printf(said("left out: %lld in check, %lld with a noisy move, %lld by score, %lld too early\n"),
           (long long)data->skipped[0], (long long)data->skipped[1], (long long)data->skipped[2],
           (long long)data->skipped[3]);
    if (data->archive.damaged_places || data->illegal_games)
        printf(said("damage: %lld places skipped, %lld games dropped for illegal moves\n"),
               (long long)data->archive.damaged_places, (long long)data->illegal_games);
    const int threads = parallel_size(trainer->team), ranks = trainer->ranks.nb;
    printf(said("%d features x %d king buckets -> 2 x %d -> %d outputs; batch %lld, %d thread%s"), FEATURE_NB,
           PERSPECTIVE_BUCKET_NB, NET_HIDDEN, BUCKET_NB, (long long)trainer->job->batch, threads,
           threads > 1 ? "s" : "");
    if (ranks > 1)
        printf(said(" on each of %d ranks"), ranks);
    if (threads * ranks > BATCH_PARTS)
        printf(said("; a batch has %d parts, more threads than that have little to do"), BATCH_PARTS);
    printf("\n");
}

void train_report_epoch(const Trainer *trainer)
{
    const LossPoint *point = &trainer->points[trainer->epoch - 1];
    double rate = (double)trainer->trained / fmax(trainer->seconds, 1e-9);
    double left_s =
        (double)(trainer->job->epochs - trainer->epoch) * (double)trainer->data.train.samples / fmax(rate, 1);
    printf(said("epoch %3d/%lld  loss %.6f"), trainer->epoch, (long long)trainer->job->epochs, point->train);
    if (point->valid >= 0)
        printf(said("  validation %.6f"), point->valid);
    char left[DURATION_MAX];
    duration_print((i64)left_s, left);
    printf(said("  rate %.1e  %.0f positions/s  %s left\n"),
           train_rate(trainer->job, trainer->model.step, trainer->steps), rate, left);
    fflush(stdout);
}

void train_report_average(const Trainer *trainer, double validation)
{
    const unsigned long long updates = trainer->model.averaged;
    if (validation >= 0)
        printf(said("average of the weights after the last %llu updates: validation %.6f\n"), updates,
               validation);
    else
        printf(said("average of the weights after the last %llu updates\n"), updates);
}

void train_report_values(const Inspection *look)
{
    Text line = {0};
    inspect_print_values(look, &line);
    printf(said("worth: %s\n"), line.len ? line.ptr : said("no positions to ask"));
    fflush(stdout);
    text_free(&line);
}

// Floating point operations of this rank: additions of rows both ways, some ten operations a hidden unit for
// activation, output and their slopes, and a dozen a weight in each update.
static double flops_of(const Trainer *trainer)
{
    double rows = 0, learned = 0,
           updates =
               (double)trainer->trained / (double)trainer->data.train.samples * (double)trainer->batch_of;
    for (int p = 0; p < BATCH_PARTS; p++) {
        rows += (double)trainer->part[p].rows;
        learned += (double)trainer->part[p].learned;
    }
    return 2 * rows * NET_HIDDEN + 10.0 * SIDE_NB * NET_HIDDEN * learned +
           12.0 * sizeof(Weights) / sizeof(float) * updates;
}

// By the clock, and by the processor time that was really had: the machine may have other work.
void train_report_speed(const Trainer *trainer)
{
    if (trainer->trained == 0)
        return;
    i64 learned = 0;
    for (int p = 0; p < BATCH_PARTS; p++)
        learned += trainer->part[p].learned;
    const double done = flops_of(trainer) / trainer->cpu, peak = measure_peak();
    printf(
        said("%.0f positions/s, %.0f a second of one core, with decoding and filtering; %.1f GFLOP/s a core, "
             "%.0f%% of the %.0f it does in registers alone\n"),
        (double)trainer->trained / trainer->seconds, (double)learned / trainer->cpu, done / 1e9,
        100 * done / peak, peak / 1e9);
}

void train_report_rounding(const Trainer *trainer, const Net *net)
{
    Rounding rounding = rounding_of(&trainer->model, &trainer->data, net);
    printf(said("integers against floats on %lld positions: %.2f cp apart on average, %.1f at most\n"),
           (long long)rounding.nb, rounding.apart, rounding.worst);
}
