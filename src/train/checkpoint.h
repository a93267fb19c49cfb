// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: the state of a run after an epoch, in a file of a folder that also takes the curve
// and the pictures. Invariant: a run is continued only with what it began with.
#ifndef TWOFOLD_TRAIN_CHECKPOINT_H
#define TWOFOLD_TRAIN_CHECKPOINT_H

#include "train/inspect.h"
#include "train/model.h"

typedef struct Checkpoint {
    const char *folder;
    u64 settings; // everything that the weights depend on
    Model *model;
    LossPoint *points; // room for `epochs` of them
    i64 epochs;        // of the whole schedule
} Checkpoint;

// Writes the state after so many epochs.
bool checkpoint_save(const Checkpoint *checkpoint, int epoch, Message *message);
// Makes the folder, and fills model, points and *epoch from a state of the same settings; without one they
// stay as they are. False with a message when there is one that is not to be continued.
bool checkpoint_load(const Checkpoint *checkpoint, int *epoch, Message *message);
// Writes another file of the folder, and frees the text.
bool checkpoint_write_text(const char *folder, const char *name, Text *text, Message *message);

#endif
