// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: one run of the trainer with its settings, callable by tests without a command line.
// The run itself is open to the files that report it; they only read it.
#ifndef TWOFOLD_TRAIN_TRAINER_H
#define TWOFOLD_TRAIN_TRAINER_H

#include <stdatomic.h>

#include "train/inspect.h"
#include "train/loader.h"
#include "train/ranks.h"

typedef struct TrainJob {
    CliFiles data;
    CliFiles validation;    // games to validate on, the same for every run; none: a share of the data
    const char *out;        // network file
    const char *checkpoint; // folder for the state, the curve and the pictures; NULL: none
    const char *from;       // a network to start from; NULL: random weights
    const char *name;       // of the network; NULL: what it is made of
    i64 epochs, batch, buffer, threads, seed;
    i64 stop_after; // end after this many epochs of the schedule, to be continued; 0: all of them
    double wdl_share, score_k;
    double rate, rate_end, decay;
    double decay_own; // of what a king bucket has of its own, apart from what all of them share
    double average;   // the share of the last updates whose weights are averaged; 0: the last weights count
    double blend;     // how much of a target comes from the position after it (Dataset); 0: nothing
    double valid_share;
    SampleFilter filter;
    bool quiet;
    const Transport *transport; // to the other ranks; NULL: alone
} TrainJob;

// One of the parts that every batch has: which thread of which rank learns it makes no difference.
typedef struct Part {
    Loader loader;
    i64 learned, rows; // samples, and the rows they added up, since the run began
} Part;

// What all parts of a batch come to.
typedef struct BatchSum {
    Weights gradient;
    double loss[BATCH_PARTS]; // each part's own
    u64 interrupted;          // how many ranks are to stop
} BatchSum;

// A run of it. With several ranks each has all of this, but only rank 0 reads and writes networks and
// checkpoints.
typedef struct Trainer {
    const TrainJob *job;
    Ranks ranks;
    Parallel *team;
    Dataset data, frozen;             // frozen: the games of job->validation, if there are any
    u32 *game_order;                  // of the epoch
    Stretch stretch[BATCH_PARTS];     // of it, by part
    Part part[BATCH_PARTS];           // those of this rank are in use
    Gradient *gradients[BATCH_PARTS]; // of this rank's parts, the first of them first
    int gradient_nb;
    BatchSum *sum;
    Model model;
    u64 from; // tells which network it started from; 0: none
    Sample *valid;
    i64 valid_nb;
    u64 steps;         // of the whole schedule
    int epoch;         // epochs done
    LossPoint *points; // of the epochs done
    double seconds;    // spent on training, without validation
    double cpu;        // the same in seconds of all cores of this rank together
    i64 trained;       // samples in that time, of all ranks
    // the batch in work
    i64 batch, batch_of; // its number in the epoch, and how many there are
    i64 batch_nb;
    atomic_int next_part;
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
