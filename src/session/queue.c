// SPDX-License-Identifier: GPL-3.0-or-later
// See queue.h.
#include "session/queue.h"

void queue_init(Queue *queue, void *context)
{
    *queue = (Queue){.context = context};
    pthread_mutex_init(&queue->mutex, NULL);
    os_cond_init(&queue->changed);
}

void queue_free(Queue *queue)
{
    for (QueueJob *job = queue->first, *next; job; job = next) {
        next = job->next;
        job->free(job);
    }
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->mutex);
}

void queue_add(Queue *queue, QueueJob *job)
{
    job->next = NULL;
    pthread_mutex_lock(&queue->mutex);
    if (queue->last)
        queue->last->next = job;
    else
        queue->first = job;
    queue->last = job;
    queue->waiting_nb++;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}

void queue_each(Queue *queue, void (*visit)(void *context, QueueJob *job), void *context)
{
    pthread_mutex_lock(&queue->mutex);
    if (queue->running)
        visit(context, queue->running);
    for (QueueJob *job = queue->first; job; job = job->next)
        visit(context, job);
    pthread_mutex_unlock(&queue->mutex);
}

// ---- signals ------------------------------------------------------------------------------------
static void stop_flagged(void *context, QueueJob *job)
{
    if ((job->flags & *(const int *)context) && job->control)
        control_stop(job->control, STOP_COMMAND);
}

void queue_stop(Queue *queue, int flags) { queue_each(queue, stop_flagged, &flags); }

static bool is_endless(QueueJob *job)
{
    return (job->flags & JOB_SEARCH) && job->control && control_is_endless(job->control);
}

static void stop_if_endless(void *context, QueueJob *job)
{
    (void)context;
    if (is_endless(job))
        control_stop(job->control, STOP_COMMAND);
}

void queue_stop_endless(Queue *queue) { queue_each(queue, stop_if_endless, NULL); }

static void last_search(void *context, QueueJob *job)
{
    if ((job->flags & JOB_SEARCH) && job->control)
        *(QueueJob **)context = job;
}

bool queue_ponderhit(Queue *queue, const Clocks *fresh)
{
    // Under one lock: the job must not be freed between being found and being told.
    pthread_mutex_lock(&queue->mutex);
    QueueJob *last = NULL;
    if (queue->running)
        last_search(&last, queue->running);
    for (QueueJob *job = queue->first; job; job = job->next)
        last_search(&last, job);
    bool ponders = last && atomic_load(&last->control->pondering);
    if (last)
        control_ponderhit(last->control, fresh);
    pthread_mutex_unlock(&queue->mutex);
    return ponders;
}

// ---- questions ----------------------------------------------------------------------------------
typedef struct Question {
    int flags;
    bool endless, found;
} Question;

static void ask(void *context, QueueJob *job)
{
    Question *question = context;
    question->found |= question->endless ? is_endless(job) : (job->flags & question->flags) != 0;
}

bool queue_has(Queue *queue, int flags)
{
    Question question = {.flags = flags};
    queue_each(queue, ask, &question);
    return question.found;
}

bool queue_has_endless(Queue *queue)
{
    Question question = {.endless = true};
    queue_each(queue, ask, &question);
    return question.found;
}

int queue_waiting(Queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    int nb = queue->waiting_nb;
    pthread_mutex_unlock(&queue->mutex);
    return nb;
}

bool queue_is_idle(Queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    bool is_idle = !queue->first && !queue->running;
    pthread_mutex_unlock(&queue->mutex);
    return is_idle;
}

// ---- the player ---------------------------------------------------------------------------------
void queue_answers(Queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    if (queue->running)
        queue->running->flags &= ~(JOB_LONG | JOB_SEARCH);
    pthread_mutex_unlock(&queue->mutex);
}

// Runs the next job; the mutex is held, but not meanwhile.
static bool run_next(Queue *queue)
{
    QueueJob *job = queue->first;
    if (!job)
        return false;
    queue->first = job->next;
    queue->waiting_nb--;
    if (!queue->first)
        queue->last = NULL;
    queue->running = job;
    pthread_mutex_unlock(&queue->mutex);
    job->run(queue->context, job);
    pthread_mutex_lock(&queue->mutex);
    queue->running = NULL;
    job->free(job);
    return true;
}

bool queue_step(Queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    bool any = run_next(queue);
    pthread_mutex_unlock(&queue->mutex);
    return any;
}

void *queue_run(void *argument)
{
    Queue *queue = argument;
    pthread_mutex_lock(&queue->mutex);
    for (;;) {
        while (!queue->first && !queue->is_ending)
            pthread_cond_wait(&queue->changed, &queue->mutex);
        if (!run_next(queue))
            break;
    }
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

void queue_end(Queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->is_ending = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}
