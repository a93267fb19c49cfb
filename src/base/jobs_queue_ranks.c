// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs at other ranks. Rank 0 calls them at the beginning of each run; each answers how many threads it has,
// and from then on these are slots like its own. A job goes there when its slot is free and comes back as a
// result, so a slow rank gets fewer. What arrives of an earlier run is known by its number and means nothing.
#include <stdlib.h>

#include "base/checksum.h"
#include "base/jobs_queue.h"

enum {
    MESSAGE_BEGIN = TRANSPORT_JOBS,
    MESSAGE_READY,
    MESSAGE_JOB,
    MESSAGE_RESULT,
    MESSAGE_CANCEL,
    MESSAGE_WAKE
};
enum { MESSAGES_AT_ONCE = 64, FORGET_US = 1000000, SERVE_MS = 1000, LEAVE_US = 5000000 };

// The head of every message; the bytes of a task, a result or a sentence follow.
typedef struct JobNote {
    u64 run, settings;
    i64 index;
    i32 slot_nb, slot; // how many there are; which one it is about
    i32 ok, unused;
} JobNote;

static bool send_note(const JobQueue *queue, int to, int tag, const JobNote *note, Span bytes)
{
    const Transport *transport = queue->transport;
    Text text = {0};
    text_add_bytes(&text, note, sizeof *note);
    if (bytes.len)
        text_add_bytes(&text, bytes.ptr, bytes.len);
    bool ok = !text.failed && transport->send(transport->self, to, tag, text.ptr, text.len);
    text_free(&text);
    return ok;
}

// False when it is none.
static bool read_note(const Text *message, JobNote *note, Span *bytes)
{
    if (message->len < sizeof *note)
        return false;
    memcpy(note, message->ptr, sizeof *note);
    *bytes = (Span){message->ptr + sizeof *note, message->len - sizeof *note};
    return true;
}

// What must be the same everywhere: the program, and what the results depend on.
static u64 all_settings(const JobSet *set)
{
    static const char PROGRAM[] = TWOFOLD_VERSION;
    return checksum_add(set->settings, PROGRAM, sizeof PROGRAM);
}

// ---- rank 0 -------------------------------------------------------------------------------------
void ranks_begin(JobQueue *queue)
{
    const Transport *transport = queue->transport;
    const JobNote note = {.run = queue->run};
    transport_tell_all(transport, TRANSPORT_START, NULL, 0);
    transport_tell_all(transport, MESSAGE_BEGIN, &note, sizeof note);
}

void ranks_wake(const JobQueue *queue)
{
    if (queue->transport->size > 1)
        queue->transport->send(queue->transport->self, 0, MESSAGE_WAKE, NULL, 0);
}

bool ranks_start(JobSlot *slot, Message *message)
{
    const JobNote note = {.run = slot->queue->run, .index = slot->index, .slot = slot->number};
    if (!send_note(slot->queue, slot->rank, MESSAGE_JOB, &note, text_span(&slot->task)))
        return message_set(message, "rank %d cannot be reached", slot->rank);
    slot->state = SLOT_RUNNING;
    return true;
}

void ranks_cancel(JobQueue *queue)
{
    const JobNote note = {.run = queue->run};
    if (!queue->forget_us) {
        transport_tell_all(queue->transport, MESSAGE_CANCEL, &note, sizeof note);
        queue->forget_us = os_now_us() + FORGET_US;
    }
    if (os_now_us() < queue->forget_us)
        return;
    for (int rank = 1; rank < queue->crew_nb; rank++)
        for (int i = 0; i < queue->crew[rank].slot_nb; i++) {
            JobSlot *slot = &queue->crew[rank].slot[i];
            queue->active -= slot->state == SLOT_RUNNING;
            queue->lost += slot->state == SLOT_RUNNING;
            slot->state = SLOT_IDLE;
        }
}

// What its threads had is lost with it. When all are ended from outside, that is not what ended the run.
static void lose_rank(JobQueue *queue, int rank)
{
    JobCrew *crew = &queue->crew[rank];
    Message message;
    if (crew->is_gone)
        return;
    for (int i = 0; i < crew->slot_nb; i++) {
        queue->active -= crew->slot[i].state == SLOT_RUNNING;
        queue->lost += crew->slot[i].state == SLOT_RUNNING;
    }
    crew_free(crew);
    crew->is_gone = true;
    message_set(&message, "rank %d was lost; what was finished is kept: run the same command again to go on",
                rank);
    jobs_stop(queue, os_interrupted() ? JOBS_INTERRUPTED : JOBS_FAILED, &message);
}

static void welcome(JobQueue *queue, int rank, const JobNote *note)
{
    JobCrew *crew = &queue->crew[rank];
    Message message;
    if (crew->slot || crew->is_gone)
        return;
    if (note->settings != all_settings(queue->set)) {
        message_set(&message, "rank %d has another program, another network or other settings than rank 0",
                    rank);
        jobs_stop(queue, JOBS_FAILED, &message);
    } else if (!crew_init(crew, queue, rank, note->slot_nb)) {
        message_set(&message, "out of memory");
        jobs_stop(queue, JOBS_FAILED, &message);
    }
    for (int i = 0; i < crew->slot_nb; i++)
        jobs_hand_out(queue, &crew->slot[i]);
}

static void take_result(JobQueue *queue, int rank, const JobNote *note, Span bytes)
{
    const JobCrew *crew = &queue->crew[rank];
    JobSlot *slot = note->slot >= 0 && note->slot < crew->slot_nb ? &crew->slot[note->slot] : NULL;
    if (!slot || slot->state != SLOT_RUNNING || slot->index != note->index)
        return;
    slot->ok = note->ok;
    if (slot->ok)
        text_add_bytes(&slot->result, bytes.ptr, bytes.len);
    else if (bytes.len)
        message_set(&slot->message, "rank %d: %.*s", rank, (int)bytes.len, bytes.ptr);
    jobs_collect(queue, slot);
    jobs_hand_out(queue, slot);
}

void ranks_listen(JobQueue *queue, int timeout_ms)
{
    const Transport *transport = queue->transport;
    Text message = {0};
    JobNote note;
    Span bytes;
    int from, tag;
    // Not all that there may be: the threads here wait for their next jobs too, and somebody may interrupt.
    for (int i = 0; i < MESSAGES_AT_ONCE &&
                    transport->receive(transport->self, &from, &tag, &message, i == 0 ? timeout_ms : 0);
         i++) {
        if (tag == TRANSPORT_LOST)
            lose_rank(queue, from);
        else if (from > 0 && read_note(&message, &note, &bytes) && note.run == queue->run) {
            if (tag == MESSAGE_READY)
                welcome(queue, from, &note);
            else if (tag == MESSAGE_RESULT)
                take_result(queue, from, &note, bytes);
        }
    }
    text_free(&message);
}

// ---- the other ranks ----------------------------------------------------------------------------
void ranks_tell(JobSlot *slot)
{
    JobQueue *queue = slot->queue;
    const JobNote note = {.run = queue->run,
                          .index = slot->index,
                          .slot = slot->number,
                          .ok = slot->ok && !slot->result.failed};
    if (slot->result.failed)
        message_set(&slot->message, "out of memory");
    send_note(queue, 0, MESSAGE_RESULT, &note,
              note.ok ? text_span(&slot->result) : span_of(slot->message.text));
}

static void serve_job(JobQueue *queue, const JobNote *note, Span task)
{
    JobSlot *slot = &queue->crew[0].slot[note->slot];
    pthread_mutex_lock(&queue->mutex);
    while (slot->state == SLOT_RUNNING) // its result was sent, the rest of its thread's work is not done
        pthread_cond_wait(&queue->changed, &queue->mutex);
    pthread_mutex_unlock(&queue->mutex);
    slot->index = note->index;
    slot->message.text[0] = '\0';
    text_clear(&slot->result);
    text_clear(&slot->task);
    text_add_bytes(&slot->task, task.ptr, task.len);
    if (!slot_start(slot, &slot->message)) {
        slot->ok = false;
        ranks_tell(slot);
    }
}

// What was cancelled stays so: the next run begins with new threads.
static bool renew(JobQueue *queue)
{
    crew_cancel(&queue->crew[0]);
    crew_free(&queue->crew[0]);
    return crew_init(&queue->crew[0], queue, 0, max_int(queue->set->threads, 1));
}

// Whether there may be more to do.
static bool serve_message(JobQueue *queue, int tag, const JobNote *note, Span bytes)
{
    const JobNote answer = {
        .run = note->run, .settings = all_settings(queue->set), .slot_nb = queue->crew[0].slot_nb};
    if (tag == MESSAGE_BEGIN) {
        queue->run = note->run;
        return send_note(queue, 0, MESSAGE_READY, &answer, (Span){"", 0});
    }
    if (note->run == queue->run && tag == MESSAGE_CANCEL)
        return renew(queue);
    if (note->run == queue->run && tag == MESSAGE_JOB && note->slot >= 0 &&
        note->slot < queue->crew[0].slot_nb)
        serve_job(queue, note, bytes);
    return true;
}

void ranks_serve(const JobSet *set, const Transport *transport)
{
    JobQueue queue;
    Text message = {0};
    Message ignored;
    JobNote note;
    Span bytes;
    int from, tag;
    i64 interrupted_us = 0;
    bool goes_on = jobs_init(&queue, set, transport, &ignored);
    const bool is_open = goes_on;
    while (goes_on) {
        if (transport->receive(transport->self, &from, &tag, &message, SERVE_MS)) {
            if (from == 0 && (tag == TRANSPORT_END || tag == TRANSPORT_LOST))
                goes_on = false;
            else if (from == 0 && read_note(&message, &note, &bytes))
                goes_on = serve_message(&queue, tag, &note, bytes);
        }
        // An interrupt is for the whole run, which rank 0 ends; but it may not have come to rank 0.
        if (os_interrupted() && !interrupted_us)
            interrupted_us = os_now_us();
        goes_on &= !interrupted_us || os_now_us() < interrupted_us + LEAVE_US;
    }
    if (is_open) {
        crew_cancel(&queue.crew[0]);
        jobs_free(&queue);
    }
    text_free(&message);
}
