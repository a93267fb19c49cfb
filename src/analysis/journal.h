// SPDX-License-Identifier: GPL-3.0-or-later
// The progress file of an analysis: one checksummed line for each position searched, appended as soon as it
// is known, so that an interrupted run goes on where it stopped. A line that was cut short or damaged is as
// good as not there.
#ifndef TWOFOLD_JOURNAL_H
#define TWOFOLD_JOURNAL_H

#include "analysis/analysis.h"

typedef struct Journal {
    FILE *file;
} Journal;

// Calls `found` for every sound line of the file, if there is one. False with a message when the file is
// something else: it must not be written to.
bool journal_read(const char *path, void (*found)(void *context, u64 key, const PositionResult *finding),
                  void *context, Message *message);
bool journal_open(Journal *journal, const char *path, Message *message);
// Appends and hands it to the system at once; false when the disk does not take it.
bool journal_add(Journal *journal, u64 key, const PositionResult *finding);
void journal_close(Journal *journal);

// A running checksum over bytes.
u64 journal_hash(u64 hash, const void *bytes, size_t size);

#endif
