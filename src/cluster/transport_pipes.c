// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks as processes of one machine: rank 0 starts the others and is joined to each by the pipes at its
// standard input and output; messages between two others go through rank 0. Each pipe has a thread: one
// writes what waits to be sent, so that nobody else ever waits for a process that stands still, and one reads
// to the end, which is how the end of a process is noticed. Invariant: only the writing thread writes.
#include <stdatomic.h>
#include <stdlib.h>

#include "cluster/cluster.h"
#include "cluster/inbox.h"

enum { READ_BYTES = 1 << 16, POLL_MS = 100, IDLE_US = 1000000, WRITE_MS = 24 * 3600 * 1000, LEAVE_MS = 5000 };

// In front of the bytes of each message.
typedef struct Frame {
    i32 from, to, tag, unused;
    u64 size;
} Frame;

typedef struct Pipes Pipes;

// The process at the other end of a pair of pipes.
typedef struct Peer {
    Pipes *pipes;
    int rank;
    Process process;
    Thread reader, writer;
    bool has_reader, has_writer;
    atomic_bool is_gone;
    Inbox unsent; // frames for it
    Text unread;  // what has come of the next frames
} Peer;

struct Pipes {
    Transport transport;
    Inbox inbox;
    Peer *peer; // of rank 0: by rank, the first unused; of the others: rank 0 alone
    int peer_nb;
    atomic_bool is_closing;
};

// ---- sending ------------------------------------------------------------------------------------
static Peer *peer_towards(Pipes *pipes, int rank) { return &pipes->peer[pipes->transport.rank ? 0 : rank]; }

static bool queue_frame(Peer *peer, const Frame *frame, const void *bytes)
{
    Text text = {0};
    if (atomic_load(&peer->is_gone))
        return false;
    text_add_bytes(&text, frame, sizeof *frame);
    if (frame->size)
        text_add_bytes(&text, bytes, (size_t)frame->size);
    const bool ok = inbox_put_text(&peer->unsent, frame->to, frame->tag, &text);
    text_free(&text);
    return ok;
}

// Until the process is gone or a frame without a byte comes, the last one.
static void *write_pipe(void *argument)
{
    Peer *peer = argument;
    Text frame = {0};
    int to, tag;
    for (bool goes_on = true; goes_on;) {
        if (inbox_take(&peer->unsent, &to, &tag, &frame, os_now_us() + IDLE_US))
            goes_on = frame.len > 0 && os_process_write(&peer->process, frame.ptr, frame.len, WRITE_MS);
        else
            goes_on = !atomic_load(&peer->pipes->is_closing);
    }
    text_free(&frame);
    return NULL;
}

static bool pipes_send(void *self, int to, int tag, const void *bytes, size_t size)
{
    Pipes *pipes = self;
    const Frame frame = {.from = pipes->transport.rank, .to = to, .tag = tag, .size = size};
    assert(to >= 0 && to < pipes->transport.size);
    if (to == pipes->transport.rank)
        return inbox_put(&pipes->inbox, to, tag, bytes, size);
    return queue_frame(peer_towards(pipes, to), &frame, bytes);
}

static bool pipes_receive(void *self, int *from, int *tag, Text *bytes, int timeout_ms)
{
    Pipes *pipes = self;
    return inbox_take(&pipes->inbox, from, tag, bytes, os_now_us() + (i64)timeout_ms * 1000);
}

// ---- the thread that reads ----------------------------------------------------------------------
// Delivers the whole frames at the front of what has come.
static void deliver(Peer *peer)
{
    Pipes *pipes = peer->pipes;
    Text *unread = &peer->unread;
    size_t at = 0;
    for (Frame frame; unread->len - at >= sizeof frame; at += sizeof frame + (size_t)frame.size) {
        memcpy(&frame, unread->ptr + at, sizeof frame);
        if (unread->len - at - sizeof frame < frame.size)
            break;
        const char *bytes = unread->ptr + at + sizeof frame;
        if (frame.to == pipes->transport.rank)
            inbox_put(&pipes->inbox, frame.from, frame.tag, bytes, (size_t)frame.size);
        else
            queue_frame(peer_towards(pipes, frame.to), &frame, bytes);
    }
    if (at > 0)
        memmove(unread->ptr, unread->ptr + at, unread->len - at);
    unread->len -= at;
}

static void *read_pipe(void *argument)
{
    Peer *peer = argument;
    Pipes *pipes = peer->pipes;
    char *buffer = malloc(READ_BYTES);
    int got = buffer ? 0 : -1;
    while (got >= 0 && !atomic_load(&pipes->is_closing)) {
        got = os_process_read(&peer->process, buffer, READ_BYTES, POLL_MS);
        if (got > 0) {
            text_add_bytes(&peer->unread, buffer, (size_t)got);
            deliver(peer);
        }
    }
    free(buffer);
    atomic_store(&peer->is_gone, true);
    inbox_put(&pipes->inbox, peer->rank, TRANSPORT_LOST, NULL, 0);
    return NULL;
}

static bool start_threads(Peer *peer)
{
    inbox_init(&peer->unsent);
    peer->has_reader = os_thread_start(&peer->reader, read_pipe, peer);
    peer->has_writer = peer->has_reader && os_thread_start(&peer->writer, write_pipe, peer);
    return peer->has_writer;
}

// ---- begin and end ------------------------------------------------------------------------------
static void peer_free(Peer *peer)
{
    if (!peer->has_reader)
        return;
    if (peer->rank > 0)
        os_process_kill(&peer->process);
    inbox_put(&peer->unsent, peer->rank, TRANSPORT_END, NULL, 0);
    if (peer->has_writer)
        os_thread_join(peer->writer);
    os_thread_join(peer->reader);
    if (peer->rank > 0)
        os_process_end(&peer->process, 0);
    inbox_free(&peer->unsent);
    text_free(&peer->unread);
}

static void pipes_free(Pipes *pipes)
{
    atomic_store(&pipes->is_closing, true);
    for (int i = 0; i < pipes->peer_nb; i++)
        peer_free(&pipes->peer[i]);
    inbox_free(&pipes->inbox);
    free(pipes->peer);
    free(pipes);
}

// Rank 0 waits until the others have ended by themselves; those that don't are ended.
static void pipes_close(void *self, int code)
{
    Pipes *pipes = self;
    const i64 until_us = os_now_us() + LEAVE_MS * 1000;
    (void)code;
    for (int i = 1; i < pipes->peer_nb; i++)
        while (!atomic_load(&pipes->peer[i].is_gone) && os_now_us() < until_us)
            os_sleep_ms(1);
    pipes_free(pipes);
}

static Pipes *pipes_new(ClusterRun *cluster, int rank, int size, int peer_nb)
{
    Pipes *pipes = calloc(1, sizeof *pipes);
    Peer *peers = calloc((size_t)peer_nb, sizeof *peers);
    if (!pipes || !peers) {
        free(pipes);
        free(peers);
        return NULL;
    }
    inbox_init(&pipes->inbox);
    pipes->peer = peers;
    pipes->peer_nb = peer_nb;
    pipes->transport =
        (Transport){.self = pipes, .rank = rank, .size = size, .send = pipes_send, .receive = pipes_receive};
    *cluster = (ClusterRun){.transport = &pipes->transport, .close = pipes_close, .inbox = &pipes->inbox};
    return pipes;
}

// Starts the process of a rank: the same program and words, with its number in front of them.
static bool start_rank(Pipes *pipes, int rank, int argc, char **argv, Message *message)
{
    Peer *peer = &pipes->peer[rank];
    char number[32];
    char **words = calloc((size_t)argc + 3, sizeof *words);
    if (!words)
        return message_set(message, "out of memory");
    snprintf(number, sizeof number, "%d/%d", rank, pipes->transport.size);
    words[0] = argv[0];
    words[1] = "--rank";
    words[2] = number;
    memcpy(words + 3, argv + 1, (size_t)(argc - 1) * sizeof *words);
    *peer = (Peer){.pipes = pipes, .rank = rank};
    bool ok = os_process_start(&peer->process, words, NULL, ERRORS_SHOWN, message) &&
              (start_threads(peer) || message_set(message, "the system gives no more threads: try fewer"));
    free(words);
    return ok;
}

bool pipes_open(ClusterRun *cluster, int size, int argc, char **argv, Message *message)
{
    if (!os_can(OS_RANKS))
        return message_set(message, "--ranks: this system has no processes that are ranks of one run");
    Pipes *pipes = pipes_new(cluster, 0, size, size);
    if (!pipes)
        return message_set(message, "out of memory");
    for (int rank = 1; rank < size; rank++)
        if (!start_rank(pipes, rank, argc, argv, message)) {
            pipes_free(pipes);
            *cluster = (ClusterRun){.transport = transport_local()};
            return false;
        }
    return true;
}

bool pipes_join(ClusterRun *cluster, int rank, int size, Message *message)
{
    Process parent;
    if (!os_process_parent(&parent, message))
        return false;
    Pipes *pipes = pipes_new(cluster, rank, size, 1);
    if (!pipes)
        return message_set(message, "out of memory");
    pipes->peer[0] = (Peer){.pipes = pipes, .process = parent};
    return start_threads(&pipes->peer[0]) ||
           message_set(message, "the system gives no more threads: try fewer");
}
