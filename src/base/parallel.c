// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that wait for a task, do their part and wait again. `round` counts the tasks: a thread has
// something to do when it is ahead of the thread's own count.
#include "base/parallel.h"

#include <stdlib.h>

typedef struct Member {
    Parallel *team;
    Thread thread;
    int part;
    u64 round;
} Member;

struct Parallel {
    Mutex mutex;
    Cond begin, done;
    ParallelTask task;
    void *context;
    u64 round;
    int busy, nb;
    bool stop;
    Member *members; // nb - 1 of them
};

static void *member_loop(void *argument)
{
    Member *member = argument;
    Parallel *team = member->team;
    pthread_mutex_lock(&team->mutex);
    for (;;) {
        while (!team->stop && team->round == member->round)
            pthread_cond_wait(&team->begin, &team->mutex);
        if (team->stop)
            break;
        member->round = team->round;
        pthread_mutex_unlock(&team->mutex);
        team->task(team->context, member->part, team->nb);
        pthread_mutex_lock(&team->mutex);
        if (--team->busy == 0)
            pthread_cond_signal(&team->done);
    }
    pthread_mutex_unlock(&team->mutex);
    return NULL;
}

void parallel_free(Parallel *team)
{
    if (!team)
        return;
    pthread_mutex_lock(&team->mutex);
    team->stop = true;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->mutex);
    for (int i = 0; i + 1 < team->nb; i++)
        os_thread_join(team->members[i].thread);
    pthread_cond_destroy(&team->begin);
    pthread_cond_destroy(&team->done);
    pthread_mutex_destroy(&team->mutex);
    free(team->members);
    free(team);
}

Parallel *parallel_new(int nb)
{
    assert(nb > 0);
    Parallel *team = calloc(1, sizeof *team);
    Member *members = calloc((size_t)nb, sizeof *members);
    if (!team || !members) {
        free(team);
        free(members);
        return NULL;
    }
    pthread_mutex_init(&team->mutex, NULL);
    os_cond_init(&team->begin);
    os_cond_init(&team->done);
    team->members = members;
    for (int i = 1; i < nb; i++) {
        members[i - 1] = (Member){.team = team, .part = i};
        team->nb = i;
        if (!os_thread_start(&members[i - 1].thread, member_loop, &members[i - 1])) {
            parallel_free(team);
            return NULL;
        }
    }
    team->nb = nb;
    return team;
}

int parallel_size(const Parallel *team) { return team->nb; }

void parallel_run(Parallel *team, ParallelTask task, void *context)
{
    if (team->nb == 1) {
        task(context, 0, 1);
        return;
    }
    pthread_mutex_lock(&team->mutex);
    team->task = task;
    team->context = context;
    team->busy = team->nb - 1;
    team->round++;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->mutex);
    task(context, 0, team->nb);
    pthread_mutex_lock(&team->mutex);
    while (team->busy > 0)
        pthread_cond_wait(&team->done, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}

void parallel_once(int nb, ParallelTask task, void *context)
{
    Parallel *team = parallel_new(nb);
    for (int part = 0; !team && part < nb; part++)
        task(context, part, nb);
    if (team)
        parallel_run(team, task, context);
    parallel_free(team);
}
