// SPDX-License-Identifier: GPL-3.0-or-later
// Fork and join: a few threads that do the parts of one task together, again and again. The caller is one of
// them, so a team of one starts no thread at all. Which part does what depends on the number of parts alone,
// never on who is faster: results stay the same to the bit. For work that comes piece by piece there is
// jobs.h.
#ifndef TWOFOLD_PARALLEL_H
#define TWOFOLD_PARALLEL_H

#include "base/base.h"

typedef struct Parallel Parallel;
typedef void (*ParallelTask)(void *context, int part, int part_nb);

// NULL when there is no memory or the system gives no threads.
Parallel *parallel_new(int nb);
void parallel_free(Parallel *team);
int parallel_size(const Parallel *team);
// Runs task(context, part, nb) once for every part < nb, at the same time, and waits for all of them.
void parallel_run(Parallel *team, ParallelTask task, void *context);
// The same for a single task, with threads of its own; one part after the other when the system gives none.
void parallel_once(int nb, ParallelTask task, void *context);

#endif
