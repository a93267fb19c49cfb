// SPDX-License-Identifier: GPL-3.0-or-later
// Hands jobs out and takes their results. The queue is a row of slots, one for each thread of this process
// and, at rank 0, of every other: what passes between the two sides of a slot is a number and a task one way,
// a result or a message the other, and to a thread of another rank these travel.
#include "base/jobs_queue.h"

#include <stdlib.h>

// ---- handing out --------------------------------------------------------------------------------
void jobs_stop(JobQueue *queue, JobsEnd end, const Message *message)
{
    if (end == JOBS_FAILED && queue->end != JOBS_FAILED)
        queue->message = *message;
    if (queue->end == JOBS_DONE || end == JOBS_FAILED)
        queue->end = end;
    if (end == JOBS_ENOUGH && !queue->set->finishes)
        queue->keeps_results = false;
    pthread_mutex_lock(&queue->mutex);
    queue->stop = true;
    pthread_mutex_unlock(&queue->mutex);
}

void jobs_heed_interrupts(JobQueue *queue)
{
    const JobSet *set = queue->set;
    if (os_interrupted() || (set->is_cancelled && set->is_cancelled(set->context)))
        jobs_stop(queue, JOBS_INTERRUPTED, NULL);
}

bool jobs_next(JobQueue *queue, i64 *index)
{
    const JobSet *set = queue->set;
    while (set->job_nb < 0 || queue->next < set->job_nb) {
        *index = queue->next++;
        if (!set->is_done || !set->is_done(set->context, *index))
            return true;
    }
    return false;
}

bool jobs_fail(JobQueue *queue, const Message *message)
{
    queue->lost++;
    jobs_stop(queue, JOBS_FAILED, message);
    return false;
}

// The next job and its task are in the slot; false when there is none, or no more are to begin.
bool jobs_take_next(JobQueue *queue, JobSlot *slot)
{
    const JobSet *set = queue->set;
    Message message = {{0}};
    jobs_heed_interrupts(queue);
    if (queue->end != JOBS_DONE)
        return false;
    if (set->is_enough && set->is_enough(set->context)) {
        jobs_stop(queue, JOBS_ENOUGH, NULL);
        return false;
    }
    if (!jobs_next(queue, &slot->index))
        return false;
    text_clear(&slot->task);
    text_clear(&slot->result);
    slot->message.text[0] = '\0';
    bool ok = !set->give || set->give(set->context, slot->index, &slot->task, &message);
    if (ok && slot->task.failed)
        ok = message_set(&message, "out of memory");
    return ok || jobs_fail(queue, &message);
}

void jobs_hand_out(JobQueue *queue, JobSlot *slot)
{
    Message message = {{0}};
    if (!jobs_take_next(queue, slot))
        return;
    if (slot->rank ? ranks_start(slot, &message) : slot_start(slot, &message))
        queue->active++;
    else
        jobs_fail(queue, &message);
}

// ---- taking -------------------------------------------------------------------------------------
void jobs_collect(JobQueue *queue, JobSlot *slot)
{
    const JobSet *set = queue->set;
    Message message = {{0}};
    queue->active--;
    slot_set_state(slot, SLOT_IDLE);
    if (slot->ok && slot->result.failed)
        slot->ok = message_set(&slot->message, "out of memory");
    if (slot->ok && queue->keeps_results &&
        set->take(set->context, slot->index, text_span(&slot->result), &message)) {
        queue->taken++;
        return;
    }
    queue->lost++;
    if (slot->ok && queue->keeps_results) {
        queue->keeps_results = false; // what can't be written once is not tried again
        jobs_stop(queue, JOBS_FAILED, &message);
    } else if (!slot->ok && slot->message.text[0]) {
        jobs_stop(queue, JOBS_FAILED, &slot->message);
    } else if (!slot->ok && queue->end == JOBS_DONE) {
        message_set(&message, "job %lld ended without a result", (long long)slot->index);
        jobs_stop(queue, JOBS_FAILED, &message);
    }
}

// ---- begin and end ------------------------------------------------------------------------------
bool jobs_init(JobQueue *queue, const JobSet *set, const Transport *transport, Message *message)
{
    const int crew_nb = transport->rank ? 1 : transport->size;
    int slot_nb = max_int(set->threads, 1);
    if (transport->rank == 0 && set->job_nb >= 0 && set->job_nb < slot_nb)
        slot_nb = (int)set->job_nb;
    *queue = (JobQueue){.set = set,
                        .transport = transport,
                        .keeps_results = true,
                        .start_us = os_now_us(),
                        .crew = calloc((size_t)crew_nb, sizeof *queue->crew),
                        .crew_nb = crew_nb};
    queue->run = (u64)queue->start_us;
    pthread_mutex_init(&queue->mutex, NULL);
    os_cond_init(&queue->changed);
    if (queue->crew && crew_init(&queue->crew[0], queue, 0, slot_nb))
        return true;
    jobs_free(queue);
    return message_set(message, "out of memory");
}

void jobs_free(JobQueue *queue)
{
    for (int rank = 0; queue->crew && rank < queue->crew_nb; rank++)
        crew_free(&queue->crew[rank]);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->mutex);
    free(queue->crew);
}
