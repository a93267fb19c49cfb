// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that wait for a task, do their part and wait again. `round` counts the tasks: a worker has
// something to do when it is ahead of the worker's own count.
#include "train/crew.h"

#include <stdlib.h>

typedef struct Hand {
    Crew *crew;
    Thread thread;
    int part;
    u64 round;
} Hand;

struct Crew {
    Mutex mutex;
    Cond begin, done;
    CrewTask task;
    void *context;
    u64 round;
    int busy, nb;
    bool stop;
    Hand *hands; // nb - 1 of them
};

static void *hand_loop(void *argument)
{
    Hand *hand = argument;
    Crew *crew = hand->crew;
    pthread_mutex_lock(&crew->mutex);
    for (;;) {
        while (!crew->stop && crew->round == hand->round)
            pthread_cond_wait(&crew->begin, &crew->mutex);
        if (crew->stop)
            break;
        hand->round = crew->round;
        pthread_mutex_unlock(&crew->mutex);
        crew->task(crew->context, hand->part, crew->nb);
        pthread_mutex_lock(&crew->mutex);
        if (--crew->busy == 0)
            pthread_cond_signal(&crew->done);
    }
    pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

void crew_free(Crew *crew)
{
    if (!crew)
        return;
    pthread_mutex_lock(&crew->mutex);
    crew->stop = true;
    pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->mutex);
    for (int i = 0; i + 1 < crew->nb; i++)
        os_thread_join(crew->hands[i].thread);
    pthread_cond_destroy(&crew->begin);
    pthread_cond_destroy(&crew->done);
    pthread_mutex_destroy(&crew->mutex);
    free(crew->hands);
    free(crew);
}

Crew *crew_new(int nb)
{
    Crew *crew = calloc(1, sizeof *crew);
    Hand *hands = calloc((size_t)nb, sizeof *hands);
    if (!crew || !hands) {
        free(crew);
        free(hands);
        return NULL;
    }
    pthread_mutex_init(&crew->mutex, NULL);
    os_cond_init(&crew->begin);
    os_cond_init(&crew->done);
    crew->hands = hands;
    for (crew->nb = 1; crew->nb < nb; crew->nb++) {
        Hand *hand = &hands[crew->nb - 1];
        *hand = (Hand){.crew = crew, .part = crew->nb};
        if (!os_thread_start(&hand->thread, hand_loop, hand)) {
            crew_free(crew);
            return NULL;
        }
    }
    return crew;
}

int crew_size(const Crew *crew) { return crew->nb; }

void crew_run(Crew *crew, CrewTask task, void *context)
{
    if (crew->nb == 1) {
        task(context, 0, 1);
        return;
    }
    pthread_mutex_lock(&crew->mutex);
    crew->task = task;
    crew->context = context;
    crew->busy = crew->nb - 1;
    crew->round++;
    pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->mutex);
    task(context, 0, crew->nb);
    pthread_mutex_lock(&crew->mutex);
    while (crew->busy > 0)
        pthread_cond_wait(&crew->done, &crew->mutex);
    pthread_mutex_unlock(&crew->mutex);
}
