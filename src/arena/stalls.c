// SPDX-License-Identifier: GPL-3.0-or-later
// Watches for moments in which the machine stands still (stalls.h). Each core has a ring of its latest
// stalls; what is forgotten is older than any move that is being waited for.
#include "arena/stalls.h"

#include <stdlib.h>

enum { SLEEP_MS = 4, STALL_US = 25000, KEPT = 64, CORES_MAX = 256 };

typedef struct Interval {
    i64 from_us, to_us;
} Interval;

typedef struct Core {
    Stalls *stalls;
    Thread thread;
    bool is_watched;
    int id;       // as the system counts
    i64 awake_us; // when the watcher was last awake; 0: not yet
    Interval kept[KEPT];
    i64 nb; // of all; those kept are the last
} Core;

struct Stalls {
    Mutex mutex; // guards all below
    bool ends;
    i64 longest_us, excused;
    int core_nb;
    Core core[];
};

static void note(Core *core, i64 from_us, i64 to_us)
{
    core->kept[core->nb++ % KEPT] = (Interval){from_us, to_us};
    core->stalls->longest_us = max_i64(core->stalls->longest_us, to_us - from_us);
}

static void *watch(void *argument)
{
    Core *core = argument;
    Stalls *stalls = core->stalls;
    os_thread_pin(core->id);
    pthread_mutex_lock(&stalls->mutex);
    for (core->awake_us = os_now_us(); !stalls->ends;) {
        pthread_mutex_unlock(&stalls->mutex);
        os_sleep_ms(SLEEP_MS);
        i64 now_us = os_now_us();
        pthread_mutex_lock(&stalls->mutex);
        if (now_us - core->awake_us > STALL_US)
            note(core, core->awake_us, now_us);
        core->awake_us = now_us;
    }
    pthread_mutex_unlock(&stalls->mutex);
    return NULL;
}

Stalls *stalls_new(int core_nb)
{
    Stalls *stalls = calloc(1, sizeof *stalls + (size_t)core_nb * sizeof stalls->core[0]);
    if (!stalls)
        return NULL;
    pthread_mutex_init(&stalls->mutex, NULL);
    stalls->core_nb = core_nb;
    for (int i = 0; i < core_nb; i++)
        stalls->core[i].stalls = stalls;
    return stalls;
}

Stalls *stalls_watch(void)
{
    int list[CORES_MAX], nb = os_cores(list, CORES_MAX);
    Stalls *stalls = stalls_new(nb);
    if (!stalls)
        return NULL;
    for (int i = 0; i < nb; i++) {
        stalls->core[i].id = list[i];
        stalls->core[i].is_watched = os_thread_start(&stalls->core[i].thread, watch, &stalls->core[i]);
    }
    return stalls;
}

void stalls_end(Stalls *stalls)
{
    if (!stalls)
        return;
    pthread_mutex_lock(&stalls->mutex);
    stalls->ends = true;
    pthread_mutex_unlock(&stalls->mutex);
    for (int i = 0; i < stalls->core_nb; i++)
        if (stalls->core[i].is_watched)
            os_thread_join(stalls->core[i].thread);
    pthread_mutex_destroy(&stalls->mutex);
    free(stalls);
}

void stalls_note(Stalls *stalls, int core, i64 from_us, i64 to_us)
{
    pthread_mutex_lock(&stalls->mutex);
    note(&stalls->core[core], from_us, to_us);
    pthread_mutex_unlock(&stalls->mutex);
}

static i64 overlap(i64 from_us, i64 to_us, i64 a_us, i64 b_us)
{
    return max_i64(min_i64(to_us, b_us) - max_i64(from_us, a_us), 0);
}

i64 stalls_within(Stalls *stalls, i64 from_us, i64 to_us)
{
    i64 most = 0;
    if (!stalls)
        return 0;
    pthread_mutex_lock(&stalls->mutex);
    for (int c = 0; c < stalls->core_nb; c++) {
        const Core *core = &stalls->core[c];
        i64 sum = 0;
        for (i64 i = max_i64(core->nb - KEPT, 0); i < core->nb; i++)
            sum += overlap(from_us, to_us, core->kept[i % KEPT].from_us, core->kept[i % KEPT].to_us);
        // The watcher may still be asleep: who asks woke up before it.
        if (core->awake_us && os_now_us() - core->awake_us > STALL_US)
            sum += overlap(from_us, to_us, core->awake_us, os_now_us());
        most = max_i64(most, sum);
    }
    pthread_mutex_unlock(&stalls->mutex);
    return most;
}

void stalls_excuse(Stalls *stalls)
{
    pthread_mutex_lock(&stalls->mutex);
    stalls->excused++;
    pthread_mutex_unlock(&stalls->mutex);
}

StallsCount stalls_count(Stalls *stalls)
{
    if (!stalls)
        return (StallsCount){0};
    pthread_mutex_lock(&stalls->mutex);
    StallsCount count = {.longest_us = stalls->longest_us, .excused = stalls->excused};
    for (int c = 0; c < stalls->core_nb; c++)
        count.nb += stalls->core[c].nb;
    pthread_mutex_unlock(&stalls->mutex);
    return count;
}
