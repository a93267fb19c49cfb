// SPDX-License-Identifier: GPL-3.0-or-later
// The one line that tells how far a long command is. On a terminal it is drawn over itself and never wraps:
// what matters least is left out until the rest fits. In a log it is a line every so often, with everything
// on it.
#ifndef TWOFOLD_PROGRESS_H
#define TWOFOLD_PROGRESS_H

#include "base/base.h"

enum { PROGRESS_PARTS_MAX = 12, PROGRESS_PART_MAX = 96 };

// A line in the making: its parts from left to right. Zero-initialised is empty.
typedef struct ProgressLine {
    struct {
        char text[PROGRESS_PART_MAX];
        int rank;
    } part[PROGRESS_PARTS_MAX];
    int part_nb;
    bool has_bar; // before the first part
    i64 done, total;
} ProgressLine;

// Adds a part, with what parts it from the one before. Rank 0 always stays; where there is no room, all parts
// of the highest rank go together, then those of the next.
void progress_part(ProgressLine *line, int rank, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// On a terminal the line begins with a bar that takes the room the parts leave.
void progress_bar(ProgressLine *line, i64 done, i64 total);

typedef struct Progress {
    FILE *out;    // NULL: nothing is ever shown
    bool redraws; // a terminal
    int width;    // of the terminal; 0: it is asked each time
    i64 every_us, start_us, shown_us;
    bool is_open; // the line on the screen has not ended
} Progress;

// Begins; `every_ms` is the time between two lines of a log.
void progress_start(Progress *progress, FILE *out, bool redraws, i64 every_ms);
// Is it time to show a line? The first one comes after a moment on a terminal, and after every_ms in a log.
bool progress_is_due(const Progress *progress);
void progress_show(Progress *progress, const ProgressLine *line);
// Ends the line, so that other text can follow. Another progress_show begins a new one.
void progress_end(Progress *progress);

// What the line shows, in `width` columns; 0: all of it, without a bar.
void progress_print(const ProgressLine *line, int width, Text *out);

// "45 s", "3 min 20 s", "2 h 5 min".
enum { DURATION_MAX = 48 };
void duration_print(i64 seconds, char out[DURATION_MAX]);
// The seconds that are left when `done` of this run took as long as it did and `left` remain; -1 when nobody
// knows yet.
i64 progress_left_s(const Progress *progress, double done, double left);

#endif
