// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that MPI has started; the only file that knows it. One thread makes every call of MPI and passes what
// it brings and takes through two queues. Instead of turning in circles, as MPI's own waiting does, it looks
// whether something has come and sleeps: shortly while there is traffic, for milliseconds when there is none,
// so that an idle rank leaves its cores to the search. Invariant: the bytes of a message that is under way
// stay in `sending` until MPI has done with them.
#include "cluster/cluster.h"

#ifdef TWOFOLD_MPI
#include <mpi.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "cluster/inbox.h"

// How long it sleeps when the last message was so long ago.
enum { BUSY_US = 5000, QUIET_US = 100000, SLEEP_BUSY_US = 30, SLEEP_QUIET_US = 500, SLEEP_IDLE_US = 4000 };
enum { DIRECT_BYTES = 4096, BATCH = 64 };
// At the end, when nothing is left to be done: who takes longer to leave stands still.
enum { LEAVE_US = 20 * 1000 * 1000 };

typedef struct Sending {
    struct Sending *next;
    MPI_Request request;
    int to;
    Text bytes;
} Sending;

typedef struct Mpi {
    Transport transport;
    Inbox in, out;
    Thread thread;
    Mutex mutex;
    Cond changed;
    bool is_ready, is_closing; // guarded by the mutex
    int code;
    // Of the thread alone:
    Sending *sending;
    atomic_bool *is_lost; // by rank; read by all
    bool is_any_lost;
} Mpi;

// ---- the thread ---------------------------------------------------------------------------------
static void lose(Mpi *mpi, int rank)
{
    mpi->is_any_lost = true;
    if (!atomic_exchange(&mpi->is_lost[rank], true))
        inbox_put(&mpi->in, rank, TRANSPORT_LOST, NULL, 0);
}

// Large messages come in pieces: in between it sleeps.
static bool receive_bytes(char *bytes, int size, int from, int tag)
{
    MPI_Request request;
    int is_done = 0;
    if (size <= DIRECT_BYTES)
        return MPI_Recv(bytes, size, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    if (MPI_Irecv(bytes, size, MPI_BYTE, from, tag, MPI_COMM_WORLD, &request) != MPI_SUCCESS)
        return false;
    for (;;) {
        if (MPI_Test(&request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return false;
        if (is_done)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = SLEEP_BUSY_US * 1000}, NULL);
    }
}

// Whether a message has come.
static bool take_in(Mpi *mpi)
{
    MPI_Status status;
    int is_there = 0, size = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status) != MPI_SUCCESS ||
        !is_there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Text bytes = {.ptr = malloc((size_t)size + 1), .len = (size_t)size, .capacity = (size_t)size + 1};
    if (!bytes.ptr || !receive_bytes(bytes.ptr, size, status.MPI_SOURCE, status.MPI_TAG) ||
        !inbox_put_text(&mpi->in, status.MPI_SOURCE, status.MPI_TAG, &bytes))
        lose(mpi, status.MPI_SOURCE);
    text_free(&bytes);
    return true;
}

// Whether a message was given to MPI.
static bool put_out(Mpi *mpi)
{
    int to, tag;
    Text bytes = {0};
    if (!inbox_take(&mpi->out, &to, &tag, &bytes, 0))
        return false;
    Sending *sending = malloc(sizeof *sending);
    if (sending && bytes.len <= INT32_MAX) {
        *sending = (Sending){.next = mpi->sending, .to = to, .bytes = bytes};
        if (MPI_Isend(bytes.ptr, (int)bytes.len, MPI_BYTE, to, tag, MPI_COMM_WORLD, &sending->request) ==
            MPI_SUCCESS) {
            mpi->sending = sending;
            return true;
        }
    }
    lose(mpi, to);
    text_free(&bytes);
    free(sending);
    return true;
}

// Forgets what has been sent; whether anything is still under way.
static bool settle(Mpi *mpi)
{
    for (Sending **at = &mpi->sending; *at;) {
        Sending *sending = *at;
        int is_done = 0;
        if (MPI_Test(&sending->request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
            lose(mpi, sending->to);
            is_done = 1;
        }
        if (!is_done) {
            at = &sending->next;
            continue;
        }
        *at = sending->next;
        text_free(&sending->bytes);
        free(sending);
    }
    return mpi->sending != NULL;
}

static bool is_closing(Mpi *mpi)
{
    pthread_mutex_lock(&mpi->mutex);
    bool is = mpi->is_closing;
    pthread_mutex_unlock(&mpi->mutex);
    return is;
}

static void carry(Mpi *mpi)
{
    i64 last_us = os_now_us(), closing_us = 0;
    for (bool is_busy = false;; is_busy = false) {
        const bool is_last = is_closing(mpi); // asked first: what was sent before it is in the queue
        for (int i = 0; i < BATCH && put_out(mpi); i++)
            is_busy = true;
        for (int i = 0; i < BATCH && take_in(mpi); i++)
            is_busy = true;
        bool is_sending = settle(mpi);
        const i64 now_us = os_now_us(), idle_us = now_us - last_us;
        if (is_last && !closing_us)
            closing_us = now_us;
        mpi->is_any_lost |= is_last && is_sending && now_us - closing_us > LEAVE_US;
        if (is_last && !is_busy && (!is_sending || mpi->is_any_lost))
            return;
        if (is_busy || is_sending)
            last_us = now_us;
        if (!is_busy)
            inbox_wait(&mpi->out, now_us + (idle_us < BUSY_US    ? SLEEP_BUSY_US
                                            : idle_us < QUIET_US ? SLEEP_QUIET_US
                                                                 : SLEEP_IDLE_US));
    }
}

// Whether all others have come to the end too. Rank 0 does not wait for one that never does.
static bool all_leave(const Mpi *mpi)
{
    MPI_Request request;
    const i64 until_us = os_now_us() + LEAVE_US;
    int is_done = 0;
    if (MPI_Ibarrier(MPI_COMM_WORLD, &request) != MPI_SUCCESS)
        return false;
    while (MPI_Test(&request, &is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !is_done &&
           (mpi->transport.rank > 0 || os_now_us() < until_us))
        os_sleep_ms(1);
    return is_done;
}

static void *talk(void *argument)
{
    Mpi *mpi = argument;
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &mpi->transport.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &mpi->transport.size);
    mpi->is_lost = calloc((size_t)mpi->transport.size, sizeof *mpi->is_lost);
    pthread_mutex_lock(&mpi->mutex);
    mpi->is_ready = true;
    pthread_cond_signal(&mpi->changed);
    pthread_mutex_unlock(&mpi->mutex);
    if (mpi->is_lost)
        carry(mpi);
    // The others can't agree on the end with somebody who is gone, or stands still.
    if (mpi->is_any_lost || !mpi->is_lost || !all_leave(mpi))
        MPI_Abort(MPI_COMM_WORLD, mpi->code ? mpi->code : 1);
    MPI_Finalize();
    return NULL;
}

// ---- the other threads --------------------------------------------------------------------------
static bool mpi_send(void *self, int to, int tag, const void *bytes, size_t size)
{
    Mpi *mpi = self;
    assert(to >= 0 && to < mpi->transport.size);
    if (to == mpi->transport.rank)
        return inbox_put(&mpi->in, to, tag, bytes, size);
    return !atomic_load(&mpi->is_lost[to]) && inbox_put(&mpi->out, to, tag, bytes, size);
}

static bool mpi_receive(void *self, int *from, int *tag, Text *bytes, int timeout_ms)
{
    Mpi *mpi = self;
    return inbox_take(&mpi->in, from, tag, bytes, os_now_us() + (i64)timeout_ms * 1000);
}

static void mpi_close(void *self, int code)
{
    Mpi *mpi = self;
    pthread_mutex_lock(&mpi->mutex);
    mpi->is_closing = true;
    mpi->code = code;
    pthread_mutex_unlock(&mpi->mutex);
    inbox_wake(&mpi->out);
    os_thread_join(mpi->thread);
    inbox_free(&mpi->in);
    inbox_free(&mpi->out);
    free(mpi->is_lost);
    free(mpi);
}

// mpirun of OpenMPI, and srun with the plugins pmix and pmi2. Programs that a rank starts are no ranks.
bool mpi_is_wanted(void)
{
    const char *own = getenv("TWOFOLD_MPI");
    return (!own || strcmp(own, "off") != 0) &&
           (getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK"));
}

bool mpi_open(ClusterRun *cluster, Message *message)
{
    Mpi *mpi = calloc(1, sizeof *mpi);
    if (!mpi)
        return message_set(message, "out of memory");
    pthread_mutex_init(&mpi->mutex, NULL);
    os_cond_init(&mpi->changed);
    inbox_init(&mpi->in);
    inbox_init(&mpi->out);
    mpi->transport = (Transport){.self = mpi, .send = mpi_send, .receive = mpi_receive};
    *cluster = (ClusterRun){.transport = &mpi->transport, .close = mpi_close, .inbox = &mpi->in};
    if (!os_thread_start(&mpi->thread, talk, mpi))
        return message_set(message, "the system gives no more threads");
    pthread_mutex_lock(&mpi->mutex);
    while (!mpi->is_ready)
        pthread_cond_wait(&mpi->changed, &mpi->mutex);
    pthread_mutex_unlock(&mpi->mutex);
    setenv("TWOFOLD_MPI", "off", 1);
    return true;
}
#else
bool mpi_is_wanted(void) { return false; }
bool mpi_open(ClusterRun *cluster, Message *message)
{
    (void)cluster;
    return message_set(message, "built without MPI: `make MPI=1`");
}
#endif
