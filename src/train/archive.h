// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: the games of several files of packed games, found once and indexed. The files stay
// mapped; the games point into them. Whether their moves are legal is not known yet.
#ifndef TWOFOLD_TRAIN_ARCHIVE_H
#define TWOFOLD_TRAIN_ARCHIVE_H

#include "base/cli.h"
#include "train/packed.h"

typedef struct Archive {
    FileMap *map;
    int map_nb;
    PackedGame *game; // in the order of the files
    i64 nb, capacity;
    RunId run;      // of the first file
    int other_file; // the first one that is of another run; 0: none is
    i64 damaged_places;
    u64 damaged_bytes;
    Text players; // their names as the heads of the files have them, each once between two spaces
} Archive;

// Reads all files; false with a message that names the one that can't be read, and nothing to be closed.
bool archive_open(Archive *archive, const CliFiles *files, Message *message);
// Harmless on what is zero-initialised.
void archive_close(Archive *archive);

#endif
