// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: what a run of the trainer prints. Nothing here changes the run.
#ifndef TWOFOLD_TRAIN_REPORT_H
#define TWOFOLD_TRAIN_REPORT_H

#include "train/inspect.h"
#include "train/trainer.h"

// Before the first epoch: what was read.
void train_report_data(const Trainer *trainer);
// After each epoch: the losses, and how long it takes still.
void train_report_epoch(const Trainer *trainer);
// What pieces are worth to the network.
// The average of the last weights has taken their place.
void train_report_average(const Trainer *trainer, double validation);
void train_report_values(const Inspection *look);
// At the end: how fast it went, and what rounding cost.
void train_report_speed(const Trainer *trainer);
void train_report_rounding(const Trainer *trainer, const Net *net);

#endif
