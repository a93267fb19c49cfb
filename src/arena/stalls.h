// SPDX-License-Identifier: GPL-3.0-or-later
// Does the machine stand still? A virtual one does now and then, for a tenth of a second, and no program on
// it could have answered in that time. A thread on each core that does nothing but sleep and wake sees it.
#ifndef TWOFOLD_STALLS_H
#define TWOFOLD_STALLS_H

#include "base/base.h"

typedef struct Stalls Stalls;

// Watches every core this program may use; NULL when that can't be had.
Stalls *stalls_watch(void);
// The same without the watch: only what is noted counts.
Stalls *stalls_new(int core_nb);
void stalls_end(Stalls *stalls);
void stalls_note(Stalls *stalls, int core, i64 from_us, i64 to_us);
// For how long, between the two times, the core that stood still the longest did so. 0 for NULL.
i64 stalls_within(Stalls *stalls, i64 from_us, i64 to_us);
// An answer would have been late but for this.
void stalls_excuse(Stalls *stalls);

typedef struct StallsCount {
    i64 nb, longest_us, excused; // in all
} StallsCount;

StallsCount stalls_count(Stalls *stalls);

#endif
