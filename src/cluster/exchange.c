// SPDX-License-Identifier: GPL-3.0-or-later
// See exchange.h. Nothing here is ever in the way of a search: workers put entries into rings, and one thread
// sends them a few hundred times a second. What is under way to a rank is bounded too: as long as it has not
// said that enough of it came, it gets nothing more, and what it would have got is dropped.
#include "cluster/exchange.h"

enum {
    RING_OUT = 1 << 10,
    RING_IN = 1 << 13,
    BATCH_MAX = 1 << 10, // entries in a message
    WINDOW = 64,         // messages of entries on their way to a rank
    FLUSH_US = 4000,     // between two of them, and the longer the more ranks there are
    TELL_US = 40000,     // between two that have no entries
    IDLE_MS = 1000,
};

bool exchange_init(Exchange *exchange, const Transport *transport, Message *message)
{
    *exchange = (Exchange){.transport = transport};
    pthread_mutex_init(&exchange->mutex, NULL);
    os_cond_init(&exchange->changed);
    exchange->other = calloc((size_t)transport->size, sizeof *exchange->other);
    exchange->batch = calloc(1, sizeof(EntriesHead) + BATCH_MAX * sizeof(PeerEntry));
    const bool has_ring = ring_init(&exchange->in, RING_IN);
    return (exchange->other && exchange->batch && has_ring) ||
           message_set(message, "no memory for a search over %d ranks", transport->size);
}

void exchange_free(Exchange *exchange)
{
    for (int i = 0; i < exchange->out_nb; i++)
        ring_free(&exchange->out[i]);
    free(exchange->out);
    ring_free(&exchange->in);
    free(exchange->batch);
    free(exchange->other);
    pthread_cond_destroy(&exchange->changed);
    pthread_mutex_destroy(&exchange->mutex);
}

// ---- a search -----------------------------------------------------------------------------------
// Rings for so many workers. The mutex is held.
static bool have_rings(Exchange *exchange, int workers)
{
    if (workers <= exchange->out_nb)
        return true;
    Ring *rings = calloc((size_t)workers, sizeof *rings);
    if (!rings)
        return false;
    int made = 0;
    while (made < workers && ring_init(&rings[made], RING_OUT))
        made++;
    Ring *old = made == workers ? exchange->out : rings;
    const int old_nb = made == workers ? exchange->out_nb : made;
    if (made == workers) {
        exchange->out = rings;
        exchange->out_nb = workers;
    }
    for (int i = 0; i < old_nb; i++)
        ring_free(&old[i]);
    free(old);
    return made == workers;
}

bool exchange_begin(Exchange *exchange, u32 search, int workers)
{
    PeerEntry stale[64];
    pthread_mutex_lock(&exchange->mutex);
    const bool ok = have_rings(exchange, workers);
    if (ok) {
        exchange->search = search;
        exchange->is_running = true;
        exchange->own = (PeerCounts){0};
        exchange->has_new_vote = false;
        exchange->flushed_us = exchange->told_us = 0;
        for (int i = 0; i < exchange->transport->size; i++)
            exchange->other[i].counts = (PeerCounts){0};
        for (int i = 0; i < exchange->out_nb; i++)
            while (ring_take(&exchange->out[i], stale, 64) > 0)
                continue;
        while (ring_take(&exchange->in, stale, 64) > 0)
            continue;
    }
    pthread_mutex_unlock(&exchange->mutex);
    return ok;
}

void exchange_end(Exchange *exchange)
{
    pthread_mutex_lock(&exchange->mutex);
    exchange->is_running = false;
    pthread_mutex_unlock(&exchange->mutex);
}

// ---- what a search calls ------------------------------------------------------------------------
static void offer(void *self, int worker, PeerEntry entry)
{
    Exchange *exchange = self;
    assert(worker < exchange->out_nb);
    ring_put(&exchange->out[worker], entry);
}

static int collect(void *self, PeerEntry *out, int max)
{
    Exchange *exchange = self;
    return ring_take(&exchange->in, out, max);
}

static void count(void *self, const PeerCounts *own)
{
    Exchange *exchange = self;
    pthread_mutex_lock(&exchange->mutex);
    const u64 sent = exchange->own.sent;
    exchange->own = *own;
    exchange->own.sent = sent;
    pthread_mutex_unlock(&exchange->mutex);
}

static void vote(void *self, const PeerVote *vote)
{
    Exchange *exchange = self;
    pthread_mutex_lock(&exchange->mutex);
    exchange->vote = *vote;
    exchange->has_new_vote = true;
    pthread_mutex_unlock(&exchange->mutex);
}

static PeerCounts others(void *self)
{
    Exchange *exchange = self;
    PeerCounts sum = {0};
    pthread_mutex_lock(&exchange->mutex);
    sum.sent = exchange->own.sent;
    for (int i = 0; i < exchange->transport->size; i++) {
        const PeerCounts *counts = &exchange->other[i].counts;
        sum.nodes += counts->nodes;
        sum.tb_hits += counts->tb_hits;
        sum.sent += counts->sent;
        sum.taken += counts->taken;
        sum.used += counts->used;
    }
    pthread_mutex_unlock(&exchange->mutex);
    return sum;
}

// Votes that come when the search has ended are not taken any more, so it stays as it is.
static const PeerVote *voted(void *self, int rank)
{
    Exchange *exchange = self;
    pthread_mutex_lock(&exchange->mutex);
    const Other *other = &exchange->other[rank];
    const PeerVote *vote =
        other->voted == exchange->search && !atomic_load(&other->is_lost) ? &other->vote : NULL;
    pthread_mutex_unlock(&exchange->mutex);
    return vote;
}

Peers exchange_peers(Exchange *exchange)
{
    return (Peers){.self = exchange,
                   .rank = exchange->transport->rank,
                   .size = exchange->transport->size,
                   .offer = offer,
                   .collect = collect,
                   .count = count,
                   .vote = vote,
                   .others = others,
                   .voted = voted};
}

// ---- sending ------------------------------------------------------------------------------------
static bool send_to(Exchange *exchange, int rank, int tag, const void *bytes, size_t size)
{
    const Transport *transport = exchange->transport;
    return transport->send(transport->self, rank, tag, bytes, size);
}

void exchange_tell_all(Exchange *exchange, int tag, const void *bytes, size_t size)
{
    for (int rank = 0; rank < exchange->transport->size; rank++)
        if (rank != exchange->transport->rank && !atomic_load(&exchange->other[rank].is_lost))
            send_to(exchange, rank, tag, bytes, size);
}

static i64 flush_us(const Exchange *exchange) { return FLUSH_US + (i64)exchange->transport->size * 100; }

// Entries of all workers, as far as they fit into one message. The mutex is held.
static int gather(Exchange *exchange, PeerEntry *to)
{
    int nb = 0;
    for (int i = 0; i < exchange->out_nb; i++)
        nb += ring_take(&exchange->out[i], to + nb, BATCH_MAX - nb);
    return nb;
}

// Sends what is due. Only this thread touches sent, got and kept.
static void flush(Exchange *exchange)
{
    const i64 now_us = os_now_us();
    EntriesHead *head = (EntriesHead *)exchange->batch;
    VoteMessage ballot;
    pthread_mutex_lock(&exchange->mutex);
    const bool is_due = exchange->is_running && now_us - exchange->flushed_us >= flush_us(exchange);
    const bool votes = is_due && exchange->has_new_vote && exchange->transport->rank > 0;
    if (is_due) {
        exchange->flushed_us = now_us;
        head->nb = (u32)gather(exchange, (PeerEntry *)(head + 1));
        exchange->own.sent += head->nb;
        head->search = exchange->search;
        head->counts = exchange->own;
        if (votes) {
            ballot = (VoteMessage){.search = exchange->search, .vote = exchange->vote};
            exchange->has_new_vote = false;
        }
    }
    pthread_mutex_unlock(&exchange->mutex);
    if (votes)
        send_to(exchange, 0, TAG_VOTE, &ballot, sizeof ballot);
    if (!is_due || (head->nb == 0 && now_us - exchange->told_us < TELL_US))
        return;
    exchange->told_us = now_us;
    for (int rank = 0; rank < exchange->transport->size; rank++) {
        Other *other = &exchange->other[rank];
        if (rank == exchange->transport->rank || atomic_load(&other->is_lost) ||
            other->sent - other->kept >= WINDOW)
            continue;
        head->got = other->got;
        other->sent++;
        send_to(exchange, rank, TAG_ENTRIES, head, sizeof *head + head->nb * sizeof(PeerEntry));
    }
}

// ---- receiving ----------------------------------------------------------------------------------
static void take_entries(Exchange *exchange, Other *other, const Text *bytes)
{
    EntriesHead head;
    if (bytes->len < sizeof head)
        return;
    memcpy(&head, bytes->ptr, sizeof head);
    if (head.nb != (bytes->len - sizeof head) / sizeof(PeerEntry))
        return;
    other->got++;
    other->kept = head.got;
    pthread_mutex_lock(&exchange->mutex);
    const bool is_of_now = exchange->is_running && head.search == exchange->search;
    if (is_of_now)
        other->counts = head.counts;
    for (u32 i = 0; is_of_now && i < head.nb; i++) {
        PeerEntry entry;
        memcpy(&entry, bytes->ptr + sizeof head + i * sizeof entry, sizeof entry);
        if (!ring_put(&exchange->in, entry))
            break; // the search is slow to take them: the rest is dropped
    }
    pthread_mutex_unlock(&exchange->mutex);
}

static void take_vote(Exchange *exchange, Other *other, const Text *bytes)
{
    VoteMessage ballot;
    if (bytes->len != sizeof ballot)
        return;
    memcpy(&ballot, bytes->ptr, sizeof ballot);
    pthread_mutex_lock(&exchange->mutex);
    if (exchange->is_running && ballot.search == exchange->search) {
        other->vote = ballot.vote;
        other->voted = ballot.search;
    }
    pthread_mutex_unlock(&exchange->mutex);
}

bool exchange_turn(Exchange *exchange, int *from, int *tag, Text *bytes)
{
    const Transport *transport = exchange->transport;
    pthread_mutex_lock(&exchange->mutex);
    const bool is_running = exchange->is_running;
    const i64 due_us = exchange->flushed_us + flush_us(exchange) - os_now_us();
    pthread_mutex_unlock(&exchange->mutex);
    const int wait_ms = is_running ? (int)clamp_i64((due_us + 999) / 1000, 0, IDLE_MS) : IDLE_MS;
    const bool came = transport->receive(transport->self, from, tag, bytes, wait_ms);
    if (came && *tag == TAG_ENTRIES)
        take_entries(exchange, &exchange->other[*from], bytes);
    else if (came && *tag == TAG_VOTE)
        take_vote(exchange, &exchange->other[*from], bytes);
    flush(exchange);
    return came && *tag != TAG_ENTRIES && *tag != TAG_VOTE && *tag != TAG_WAKE;
}
