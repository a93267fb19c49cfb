// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: a few threads that do the same task together, again and again. The caller is one of
// them, so a crew of one starts no thread at all.
#ifndef TWOFOLD_TRAIN_CREW_H
#define TWOFOLD_TRAIN_CREW_H

#include "base/base.h"

typedef struct Crew Crew;
typedef void (*CrewTask)(void *context, int part, int part_nb);

// NULL when there is no memory or the system gives no threads.
Crew *crew_new(int nb);
void crew_free(Crew *crew);
int crew_size(const Crew *crew);
// Runs task(context, part, nb) once for every part < nb, at the same time, and waits for all of them.
void crew_run(Crew *crew, CrewTask task, void *context);

#endif
