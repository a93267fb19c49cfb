// SPDX-License-Identifier: GPL-3.0-or-later
// The threads of a run, one for each slot. A slot's fields belong to its thread while it is opening or
// running, and to the calling thread at all other times; the state that says which is guarded by the mutex.
// So results are never copied and the functions of the JobSet are called without a lock.
#include <stdlib.h>

#include "base/jobs_queue.h"

bool slot_open(JobSlot *slot)
{
    JobQueue *queue = slot->queue;
    const JobSet *set = queue->set;
    void *opened = set->open ? set->open(set->context, &slot->message) : NULL;
    pthread_mutex_lock(&queue->mutex);
    slot->opened = opened;
    slot->is_open = opened || !set->open;
    bool goes_on = slot->is_open && !queue->stop;
    pthread_mutex_unlock(&queue->mutex);
    if (!slot->is_open && !slot->message.text[0])
        message_set(&slot->message, "out of memory");
    return goes_on;
}

// At another rank the slot is free as soon as its result is on the way.
static void finish_job(JobSlot *slot)
{
    JobQueue *queue = slot->queue;
    const bool is_served = queue->transport->rank > 0;
    if (is_served)
        ranks_tell(slot);
    pthread_mutex_lock(&queue->mutex);
    slot->state = is_served ? SLOT_IDLE : SLOT_FINISHED;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
    if (!is_served)
        ranks_wake(queue);
}

static void *slot_thread(void *argument)
{
    JobSlot *slot = argument;
    JobQueue *queue = slot->queue;
    const JobSet *set = queue->set;
    bool goes_on = slot_open(slot);
    pthread_mutex_lock(&queue->mutex);
    for (;;) {
        while (slot->state != SLOT_RUNNING && slot->state != SLOT_CLOSING)
            pthread_cond_wait(&slot->wake, &queue->mutex);
        if (slot->state == SLOT_CLOSING)
            break;
        pthread_mutex_unlock(&queue->mutex);
        slot->ok = goes_on && set->run(set->context, slot->opened, slot->index, text_span(&slot->task),
                                       &slot->result, &slot->message);
        finish_job(slot);
        pthread_mutex_lock(&queue->mutex);
    }
    bool is_open = slot->is_open;
    slot->is_open = false;
    pthread_mutex_unlock(&queue->mutex);
    if (is_open && set->close)
        set->close(slot->opened);
    return NULL;
}

void slot_set_state(JobSlot *slot, SlotState state)
{
    pthread_mutex_lock(&slot->queue->mutex);
    slot->state = state;
    pthread_cond_signal(&slot->wake);
    pthread_mutex_unlock(&slot->queue->mutex);
}

SlotState slot_state(JobSlot *slot)
{
    pthread_mutex_lock(&slot->queue->mutex);
    SlotState state = slot->state;
    pthread_mutex_unlock(&slot->queue->mutex);
    return state;
}

bool slot_start(JobSlot *slot, Message *message)
{
    slot_set_state(slot, SLOT_RUNNING);
    if (!slot->has_thread)
        slot->has_thread = os_thread_start(&slot->thread, slot_thread, slot);
    if (slot->has_thread)
        return true;
    slot_set_state(slot, SLOT_IDLE);
    return message_set(message, "the system gives no more threads: try fewer");
}

// ---- all threads of a process -------------------------------------------------------------------
bool crew_init(JobCrew *crew, JobQueue *queue, int rank, int slot_nb)
{
    *crew = (JobCrew){.slot = calloc((size_t)slot_nb + 1, sizeof *crew->slot)};
    if (!crew->slot)
        return false;
    crew->slot_nb = slot_nb;
    queue->thread_nb += slot_nb;
    for (int i = 0; i < slot_nb; i++) {
        crew->slot[i] = (JobSlot){.queue = queue, .rank = rank, .number = i};
        os_cond_init(&crew->slot[i].wake);
    }
    return true;
}

void crew_free(JobCrew *crew)
{
    for (int i = 0; i < crew->slot_nb; i++)
        if (crew->slot[i].has_thread)
            slot_set_state(&crew->slot[i], SLOT_CLOSING);
    for (int i = 0; i < crew->slot_nb; i++) {
        JobSlot *slot = &crew->slot[i];
        if (slot->has_thread)
            os_thread_join(slot->thread);
        pthread_cond_destroy(&slot->wake);
        text_free(&slot->task);
        text_free(&slot->result);
    }
    free(crew->slot);
    *crew = (JobCrew){0};
}

void crew_cancel(JobCrew *crew)
{
    for (int i = 0; i < crew->slot_nb; i++) {
        JobSlot *slot = &crew->slot[i];
        const JobSet *set = slot->queue->set;
        pthread_mutex_lock(&slot->queue->mutex);
        bool is_open = slot->is_open;
        pthread_mutex_unlock(&slot->queue->mutex);
        if (is_open && set->cancel) // and stays so until the calling thread has it closed
            set->cancel(slot->opened);
    }
}
