// SPDX-License-Identifier: GPL-3.0-or-later
// A run of jobs: waits until something has ended, here or at another rank, has its result taken and the next
// job handed out (jobs_queue.c), and sees to it that the run ends when it is to.
#include "base/jobs.h"

#include <stdlib.h>

#include "base/jobs_queue.h"

enum { TICK_US = 50000 };

// Those at work are to end: all of them, unless enough is there and they may finish.
static void cancel_running(JobQueue *queue)
{
    const JobSet *set = queue->set;
    if (queue->end == JOBS_DONE || !set->cancel ||
        (queue->end == JOBS_ENOUGH && set->finishes && !os_interrupted()))
        return;
    crew_cancel(&queue->crew[0]);
    ranks_cancel(queue);
}

static void tick(JobQueue *queue, bool is_last)
{
    if (!queue->set->tick)
        return;
    queue->set->tick(queue->set->context, &(JobProgress){.taken = queue->taken,
                                                         .active = queue->active,
                                                         .threads = queue->thread_nb,
                                                         .elapsed_us = os_now_us() - queue->start_us,
                                                         .is_last = is_last});
}

// Waits until a job of this process has ended or it is time to look around.
static void wait_here(JobQueue *queue)
{
    const JobCrew *crew = &queue->crew[0];
    i64 until_us = os_now_us() + TICK_US;
    bool any = false;
    pthread_mutex_lock(&queue->mutex);
    for (bool in_time = true; !any && in_time;
         in_time = any || os_cond_wait_until(&queue->changed, &queue->mutex, until_us))
        for (int i = 0; i < crew->slot_nb; i++)
            any |= crew->slot[i].state == SLOT_FINISHED;
    pthread_mutex_unlock(&queue->mutex);
}

static void work(JobQueue *queue)
{
    JobCrew *crew = &queue->crew[0];
    ranks_begin(queue);
    for (int i = 0; i < crew->slot_nb; i++)
        jobs_hand_out(queue, &crew->slot[i]);
    while (queue->active > 0) {
        if (queue->transport->size > 1)
            ranks_listen(queue, TICK_US / 1000);
        else
            wait_here(queue);
        jobs_heed_interrupts(queue);
        for (int i = 0; i < crew->slot_nb; i++)
            if (slot_state(&crew->slot[i]) == SLOT_FINISHED) {
                jobs_collect(queue, &crew->slot[i]);
                jobs_hand_out(queue, &crew->slot[i]);
            }
        cancel_running(queue);
        tick(queue, false);
    }
}

// ---- without threads ----------------------------------------------------------------------------
// The one slot has no thread: each of its jobs is run and taken before the next is looked for.
static void work_here(JobQueue *queue)
{
    JobSlot *slot = &queue->crew[0].slot[0];
    const JobSet *set = queue->set;
    bool is_tried = false, goes_on = false;
    while (queue->crew[0].slot_nb > 0 && jobs_take_next(queue, slot)) {
        queue->active++;
        goes_on = is_tried ? goes_on : slot_open(slot);
        is_tried = true;
        slot->ok = goes_on && set->run(set->context, slot->opened, slot->index, text_span(&slot->task),
                                       &slot->result, &slot->message);
        jobs_heed_interrupts(queue);
        jobs_collect(queue, slot);
        tick(queue, false);
    }
    if (slot->is_open && set->close)
        set->close(slot->opened);
    slot->is_open = false;
}

// ---- the whole ----------------------------------------------------------------------------------
// An interrupt that came when all was done, or as good as, took nothing away.
static JobsEnd true_end(JobQueue *queue)
{
    i64 index;
    bool is_whole = queue->end == JOBS_INTERRUPTED && queue->lost == 0 && queue->set->job_nb >= 0;
    return is_whole && !jobs_next(queue, &index) ? JOBS_DONE : queue->end;
}

JobsEnd jobs_run(const JobSet *set, const Transport *transport, Message *message)
{
    JobQueue queue;
    assert(set->threads >= (transport->size > 1));
    if (transport->rank > 0) {
        ranks_serve(set, transport);
        return JOBS_DONE;
    }
    if (!jobs_init(&queue, set, transport, message))
        return JOBS_FAILED;
    if (set->threads == 0)
        work_here(&queue);
    else
        work(&queue);
    crew_free(&queue.crew[0]);
    tick(&queue, true);
    jobs_free(&queue);
    JobsEnd end = true_end(&queue);
    if (end == JOBS_FAILED)
        *message = queue.message;
    return end;
}
