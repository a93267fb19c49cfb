// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: one run of the trainer with its settings, callable by tests without a command line.
// The run itself is open to the files that report it; they only read it.
#ifndef TWOFOLD_TRAIN_TRAINER_H
#define TWOFOLD_TRAIN_TRAINER_H

#include "train/inspect.h"
#include "train/loader.h"

typedef struct TrainJob {
    CliFiles data;
    const char *out;        // network file
    const char *checkpoint; // folder for the state, the curve and the pictures; NULL: none
    const char *from;       // a network to start from; NULL: random weights
    const char *name;       // of the network; NULL: what it is made of
    i64 epochs, batch, buffer, threads, seed;
    i64 stop_after; // end after this many epochs of the schedule, to be continued; 0: all of them
    double wdl_share, score_k;
    double rate, rate_end, decay;
    double valid_share;
    SampleFilter filter;
    bool quiet;
} TrainJob;

// A run of it.
typedef struct Trainer {
    const TrainJob *job;
    Parallel *team;
    Dataset data;
    Loader loader;
    Model model;
    u64 from;            // tells which network it started from; 0: none
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

TrainJob train_job_default(void);
// Learns, writes the network to job->out, and reports. An interrupted run is continued by the same job. False
// with a message on failure.
bool train_run(const TrainJob *job, Message *message);
// The learning rate of update `step` of `steps`: a short rise, then half a cosine from rate down to rate_end.
double train_rate(const TrainJob *job, u64 step, u64 steps);

#endif
