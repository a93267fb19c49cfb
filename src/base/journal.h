// SPDX-License-Identifier: GPL-3.0-or-later
// A file that remembers, line by line, what a long run has finished, so that it can be continued however it
// ended: each line is handed to the system at once and carries a checksum. A line that was cut short or
// damaged is as good as not there. The first line tells what the file is for and under which conditions it
// was written: a file of another purpose, version or run is refused and never written to.
#ifndef TWOFOLD_JOURNAL_H
#define TWOFOLD_JOURNAL_H

#include "base/base.h"

// What the first line says.
typedef struct JournalHead {
    const char *kind; // program, purpose and version: "twofold-chess match 2"
    const char
        *conditions; // what must be the same for the lines to count; "" when each line tells for itself
} JournalHead;

typedef enum JournalFound {
    JOURNAL_NEW,     // there is no file, or nothing in it
    JOURNAL_READ,    // its lines were read
    JOURNAL_FOREIGN, // it is something else, or of another version
    JOURNAL_OTHER,   // it is of this kind, but of other conditions
    JOURNAL_FAILED,  // it can't be read
} JournalFound;

typedef struct Journal {
    FILE *file; // NULL: none
} Journal;

// Calls `found` for each sound line, in order. The message tells what is wrong with a file that is not to be
// used.
JournalFound journal_read(const char *path, JournalHead head, void (*found)(void *context, Span line),
                          void *context, Message *message);
// The same line by line, for whoever can't hold them all. Zero-initialised is none.
typedef struct JournalReader {
    FILE *file;
    Text line;
} JournalReader;
// Unless it answers JOURNAL_READ there is nothing to read, and nothing is open.
JournalFound journal_begin(JournalReader *reader, const char *path, JournalHead head, Message *message);
// The next sound line, which lives until the next call; false at the end, or where no more can be read.
bool journal_next(JournalReader *reader, Span *line);
// Harmless on none.
void journal_end(JournalReader *reader);
// Opens a file that journal_read found new or read, to add lines.
bool journal_open(Journal *journal, const char *path, JournalHead head, Message *message);
// Adds a line, which has no line end, and hands it to the system; false when it can't be written, as errno
// tells.
bool journal_add(Journal *journal, Span line);
// Harmless on none.
void journal_close(Journal *journal);

// Do the first bytes of a file say that it is a journal?
bool journal_is_begun(Span bytes);
// Writes the sound lines of several journals to a stream (a FILE), one after the other under one head, which
// must be the same of all. *line_nb counts them. False with a message.
bool journal_join(void *stream, const char *const *paths, int path_nb, i64 *line_nb, Message *message);

#endif
