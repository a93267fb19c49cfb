// SPDX-License-Identifier: GPL-3.0-or-later
// The queue is a row of slots, one for each thread. A slot's fields belong to its thread while it is opening
// or running, and to the calling thread at all other times; the state that says which is guarded by the
// mutex. So results are never copied and the functions of the JobSet are called without a lock. What passes
// between the two sides of a slot (a number and a task one way; a result or a message the other) is also all
// that would have to travel to a thread of another rank.
#include "base/jobs.h"

#include <stdlib.h>

enum { TICK_US = 50000 };

typedef enum SlotState {
    SLOT_IDLE,     // has no job; its thread, if it has one, waits
    SLOT_RUNNING,  // has a job
    SLOT_FINISHED, // the job has ended: ok, result and message tell how
    SLOT_CLOSING,  // its thread is to end
} SlotState;

typedef struct Queue Queue;
typedef struct JobSlot {
    Queue *queue;
    Thread thread;
    bool has_thread;
    Cond wake; // of its thread
    SlotState state;
    bool is_open; // `opened` may be cancelled; guarded by the mutex too
    void *opened;
    i64 index;
    Text task, result;
    bool ok;
    Message message;
} JobSlot;

struct Queue {
    const JobSet *set;
    Mutex mutex;
    Cond changed;
    bool stop; // guarded: no job begins any more
    // Of the calling thread alone:
    JobSlot *slot;
    int slot_nb, active;
    i64 next, taken, lost; // the next number; results taken; jobs that began and gave none
    i64 start_us;
    JobsEnd end;
    bool keeps_results; // finished jobs are still taken
    Message message;
};

// ---- a thread -----------------------------------------------------------------------------------
static bool open_state(JobSlot *slot)
{
    Queue *queue = slot->queue;
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

static void *slot_thread(void *argument)
{
    JobSlot *slot = argument;
    Queue *queue = slot->queue;
    const JobSet *set = queue->set;
    bool goes_on = open_state(slot);
    pthread_mutex_lock(&queue->mutex);
    for (;;) {
        while (slot->state != SLOT_RUNNING && slot->state != SLOT_CLOSING)
            pthread_cond_wait(&slot->wake, &queue->mutex);
        if (slot->state == SLOT_CLOSING)
            break;
        pthread_mutex_unlock(&queue->mutex);
        slot->ok = goes_on && set->run(set->context, slot->opened, slot->index, text_span(&slot->task),
                                       &slot->result, &slot->message);
        pthread_mutex_lock(&queue->mutex);
        slot->state = SLOT_FINISHED;
        pthread_cond_signal(&queue->changed);
    }
    bool is_open = slot->is_open;
    slot->is_open = false;
    pthread_mutex_unlock(&queue->mutex);
    if (is_open && set->close)
        set->close(slot->opened);
    return NULL;
}

// ---- handing out --------------------------------------------------------------------------------
static void set_state(JobSlot *slot, SlotState state)
{
    pthread_mutex_lock(&slot->queue->mutex);
    slot->state = state;
    pthread_cond_signal(&slot->wake);
    pthread_mutex_unlock(&slot->queue->mutex);
}

// From now on no job begins. A failure is told whatever ended the run before; otherwise the first reason
// stays.
static void stop(Queue *queue, JobsEnd end, const Message *message)
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

static void heed_interrupts(Queue *queue)
{
    const JobSet *set = queue->set;
    if (os_interrupted() || (set->is_cancelled && set->is_cancelled(set->context)))
        stop(queue, JOBS_INTERRUPTED, NULL);
}

static bool next_index(Queue *queue, i64 *index)
{
    const JobSet *set = queue->set;
    while (set->job_nb < 0 || queue->next < set->job_nb) {
        *index = queue->next++;
        if (!set->is_done || !set->is_done(set->context, *index))
            return true;
    }
    return false;
}

// A job began and will give nothing: the run has failed.
static bool fail(Queue *queue, const Message *message)
{
    queue->lost++;
    stop(queue, JOBS_FAILED, message);
    return false;
}

// The next job and its task are in the slot; false when there is none, or no more are to begin.
static bool take_next(Queue *queue, JobSlot *slot)
{
    const JobSet *set = queue->set;
    Message message = {{0}};
    heed_interrupts(queue);
    if (queue->end != JOBS_DONE)
        return false;
    if (set->is_enough && set->is_enough(set->context)) {
        stop(queue, JOBS_ENOUGH, NULL);
        return false;
    }
    if (!next_index(queue, &slot->index))
        return false;
    text_clear(&slot->task);
    text_clear(&slot->result);
    slot->message.text[0] = '\0';
    bool ok = !set->give || set->give(set->context, slot->index, &slot->task, &message);
    if (ok && slot->task.failed)
        ok = message_set(&message, "out of memory");
    return ok || fail(queue, &message);
}

// Gives the slot a job, if there is one.
static void hand_out(Queue *queue, JobSlot *slot)
{
    Message message = {{0}};
    if (!take_next(queue, slot))
        return;
    set_state(slot, SLOT_RUNNING);
    if (!slot->has_thread && !(slot->has_thread = os_thread_start(&slot->thread, slot_thread, slot))) {
        message_set(&message, "the system gives no more threads: try fewer");
        set_state(slot, SLOT_IDLE);
        fail(queue, &message);
        return;
    }
    queue->active++;
}

// ---- taking -------------------------------------------------------------------------------------
static void collect(Queue *queue, JobSlot *slot)
{
    const JobSet *set = queue->set;
    Message message = {{0}};
    queue->active--;
    set_state(slot, SLOT_IDLE);
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
        stop(queue, JOBS_FAILED, &message);
    } else if (!slot->ok && slot->message.text[0]) {
        stop(queue, JOBS_FAILED, &slot->message);
    } else if (!slot->ok && queue->end == JOBS_DONE) {
        message_set(&message, "job %lld ended without a result", (long long)slot->index);
        stop(queue, JOBS_FAILED, &message);
    }
}

// Those at work are to end: all of them, unless enough is there and they may finish.
static void cancel_running(Queue *queue)
{
    const JobSet *set = queue->set;
    if (queue->end == JOBS_DONE || !set->cancel ||
        (queue->end == JOBS_ENOUGH && set->finishes && !os_interrupted()))
        return;
    for (int i = 0; i < queue->slot_nb; i++) {
        pthread_mutex_lock(&queue->mutex);
        bool is_open = queue->slot[i].is_open;
        pthread_mutex_unlock(&queue->mutex);
        if (is_open) // and stays so until the calling thread has it closed
            set->cancel(queue->slot[i].opened);
    }
}

static void tick(Queue *queue, bool is_last)
{
    if (!queue->set->tick)
        return;
    queue->set->tick(queue->set->context, &(JobProgress){.taken = queue->taken,
                                                         .active = queue->active,
                                                         .elapsed_us = os_now_us() - queue->start_us,
                                                         .is_last = is_last});
}

// Waits until a job has ended or it is time to look around; whether one has.
static bool wait_for_end(Queue *queue)
{
    i64 until_us = os_now_us() + TICK_US;
    pthread_mutex_lock(&queue->mutex);
    for (bool in_time = true;; in_time = os_cond_wait_until(&queue->changed, &queue->mutex, until_us)) {
        bool any = false;
        for (int i = 0; i < queue->slot_nb; i++)
            any |= queue->slot[i].state == SLOT_FINISHED;
        if (!any && in_time)
            continue;
        pthread_mutex_unlock(&queue->mutex);
        return any;
    }
}

static bool is_finished(JobSlot *slot)
{
    pthread_mutex_lock(&slot->queue->mutex);
    bool is = slot->state == SLOT_FINISHED;
    pthread_mutex_unlock(&slot->queue->mutex);
    return is;
}

static void work(Queue *queue)
{
    for (int i = 0; i < queue->slot_nb; i++)
        hand_out(queue, &queue->slot[i]);
    while (queue->active > 0) {
        bool any = wait_for_end(queue);
        heed_interrupts(queue);
        for (int i = 0; any && i < queue->slot_nb; i++)
            if (is_finished(&queue->slot[i])) {
                collect(queue, &queue->slot[i]);
                hand_out(queue, &queue->slot[i]);
            }
        cancel_running(queue);
        tick(queue, false);
    }
}

// ---- without threads ----------------------------------------------------------------------------
// The one slot has no thread: each of its jobs is run and taken before the next is looked for.
static void work_here(Queue *queue)
{
    JobSlot *slot = &queue->slot[0];
    const JobSet *set = queue->set;
    bool is_tried = false, goes_on = false;
    while (queue->slot_nb > 0 && take_next(queue, slot)) {
        queue->active++;
        goes_on = is_tried ? goes_on : open_state(slot);
        is_tried = true;
        slot->ok = goes_on && set->run(set->context, slot->opened, slot->index, text_span(&slot->task),
                                       &slot->result, &slot->message);
        heed_interrupts(queue);
        collect(queue, slot);
        tick(queue, false);
    }
    if (slot->is_open && set->close)
        set->close(slot->opened);
    slot->is_open = false;
}

// ---- the whole ----------------------------------------------------------------------------------
static void close_slots(Queue *queue)
{
    for (int i = 0; i < queue->slot_nb; i++)
        if (queue->slot[i].has_thread)
            set_state(&queue->slot[i], SLOT_CLOSING);
    for (int i = 0; i < queue->slot_nb; i++) {
        JobSlot *slot = &queue->slot[i];
        if (slot->has_thread)
            os_thread_join(slot->thread);
        pthread_cond_destroy(&slot->wake);
        text_free(&slot->task);
        text_free(&slot->result);
    }
}

// An interrupt that came when all was done, or as good as, took nothing away.
static JobsEnd true_end(Queue *queue)
{
    i64 index;
    bool is_whole = queue->end == JOBS_INTERRUPTED && queue->lost == 0 && queue->set->job_nb >= 0;
    return is_whole && !next_index(queue, &index) ? JOBS_DONE : queue->end;
}

JobsEnd jobs_run(const JobSet *set, const Transport *transport, Message *message)
{
    assert(set->threads >= 0 && transport->size == 1);
    (void)transport;
    Queue queue = {
        .set = set, .slot_nb = max_int(set->threads, 1), .keeps_results = true, .start_us = os_now_us()};
    if (set->job_nb >= 0 && set->job_nb < queue.slot_nb)
        queue.slot_nb = (int)set->job_nb;
    queue.slot = calloc((size_t)queue.slot_nb + 1, sizeof *queue.slot);
    if (!queue.slot) {
        message_set(message, "out of memory");
        return JOBS_FAILED;
    }
    pthread_mutex_init(&queue.mutex, NULL);
    os_cond_init(&queue.changed);
    for (int i = 0; i < queue.slot_nb; i++) {
        queue.slot[i].queue = &queue;
        os_cond_init(&queue.slot[i].wake);
    }
    if (set->threads == 0)
        work_here(&queue);
    else
        work(&queue);
    close_slots(&queue);
    tick(&queue, true);
    pthread_cond_destroy(&queue.changed);
    pthread_mutex_destroy(&queue.mutex);
    free(queue.slot);
    JobsEnd end = true_end(&queue);
    if (end == JOBS_FAILED)
        *message = queue.message;
    return end;
}
