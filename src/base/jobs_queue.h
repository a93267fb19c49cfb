// SPDX-License-Identifier: GPL-3.0-or-later
// What a run of jobs is made of: jobs_queue.c hands them out and takes their results, jobs_queue_threads.c
// does them, jobs_queue_ranks.c brings them to other ranks and back. Private to these and jobs.c.
#ifndef TWOFOLD_JOBS_QUEUE_H
#define TWOFOLD_JOBS_QUEUE_H

#include "base/jobs.h"

typedef enum SlotState {
    SLOT_IDLE,     // has no job; its thread, if it has one, waits
    SLOT_RUNNING,  // has a job
    SLOT_FINISHED, // the job has ended: ok, result and message tell how
    SLOT_CLOSING,  // its thread is to end
} SlotState;

typedef struct JobQueue JobQueue;

// One that does a job at a time: a thread here, or its image at rank 0 when it is at another rank.
typedef struct JobSlot {
    JobQueue *queue;
    int rank, number; // whose it is, and its number there
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

// The slots of a rank. Rank 0 knows those of others when these have told how many they are.
typedef struct JobCrew {
    JobSlot *slot;
    int slot_nb;
    bool is_gone;
} JobCrew;

struct JobQueue {
    const JobSet *set;
    const Transport *transport;
    Mutex mutex;
    Cond changed;
    bool stop; // guarded: no job begins any more
    // Of the calling thread alone:
    JobCrew *crew; // by rank; a rank above 0 has its own alone
    int crew_nb, active;
    u64 run;               // a number that no other run has: messages of others mean nothing here
    i64 forget_us;         // jobs at other ranks that were cancelled are waited for until then; 0: none were
    i64 next, taken, lost; // the next number; results taken; jobs that began and gave none
    i64 start_us;
    JobsEnd end;
    int thread_nb;      // of all ranks that have come
    bool keeps_results; // finished jobs are still taken
    Message message;
};

bool jobs_init(JobQueue *queue, const JobSet *set, const Transport *transport, Message *message);
void jobs_free(JobQueue *queue);

// ---- jobs_queue.c -------------------------------------------------------------------------------------
// The number of the next job; false when there is none.
bool jobs_next(JobQueue *queue, i64 *index);
// The next job and its task are in the slot; false when there is none, or no more are to begin.
bool jobs_take_next(JobQueue *queue, JobSlot *slot);
void jobs_heed_interrupts(JobQueue *queue);
// Gives the slot a job, if there is one.
void jobs_hand_out(JobQueue *queue, JobSlot *slot);
// Takes what a finished slot has.
void jobs_collect(JobQueue *queue, JobSlot *slot);
// A job began and will give nothing: the run has failed.
bool jobs_fail(JobQueue *queue, const Message *message);
// From now on no job begins. A failure is told whatever ended the run before; otherwise the first reason
// stays.
void jobs_stop(JobQueue *queue, JobsEnd end, const Message *message);

// ---- jobs_queue_threads.c ------------------------------------------------------------------------------
bool crew_init(JobCrew *crew, JobQueue *queue, int rank, int slot_nb);
// Ends the threads.
void crew_free(JobCrew *crew);
// Gets what the jobs of a slot work with; whether it may begin.
bool slot_open(JobSlot *slot);
void slot_set_state(JobSlot *slot, SlotState state);
SlotState slot_state(JobSlot *slot);
// The slot's thread, started when it has none, does the job that is in the slot.
bool slot_start(JobSlot *slot, Message *message);
// What the threads do now ends.
void crew_cancel(JobCrew *crew);

// ---- jobs_queue_ranks.c -------------------------------------------------------------------------------
// Rank 0: calls the others to work.
void ranks_begin(JobQueue *queue);
// Waits for something to happen, here or elsewhere, and takes what others have sent.
void ranks_listen(JobQueue *queue, int timeout_ms);
// Sends a slot's job to its rank.
bool ranks_start(JobSlot *slot, Message *message);
// What the other ranks do now ends; those that don't say so soon are not waited for.
void ranks_cancel(JobQueue *queue);
// A thread of rank 0 has ended its job: ends the waiting of ranks_listen.
void ranks_wake(const JobQueue *queue);
// A thread of another rank has: its result goes to rank 0.
void ranks_tell(JobSlot *slot);

// The whole work of another rank.
void ranks_serve(const JobSet *set, const Transport *transport);

#endif
