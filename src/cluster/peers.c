// SPDX-License-Identifier: GPL-3.0-or-later
// Rank 0's side of a search over ranks. A thread of its own talks with the others; what its session and its
// search call returns at once, but for `prepare`. A rank that is lost is told of once, and from then on the
// others do without it.
#include "cluster/cluster.h"

#include "cluster/exchange.h"

enum { READY_MS = 60000 };

typedef struct First {
    Exchange exchange;
    Thread thread;
    atomic_bool is_ending;
} First;

static void note(Exchange *exchange, int rank, const char *text, int len)
{
    Message message;
    message_set(&message, "rank %d: %.*s", rank, len, text);
    pthread_mutex_lock(&exchange->mutex);
    void (*tell)(void *context, const char *text) = exchange->note;
    pthread_mutex_unlock(&exchange->mutex);
    if (tell)
        tell(exchange->note_context, message.text);
}

static void lose(Exchange *exchange, int rank, const Text *why)
{
    static const char ALONE[] = "is gone; the search goes on without it";
    pthread_mutex_lock(&exchange->mutex);
    const bool is_news = !atomic_exchange(&exchange->other[rank].is_lost, true);
    exchange->other[rank].counts = (PeerCounts){0};
    pthread_cond_broadcast(&exchange->changed);
    pthread_mutex_unlock(&exchange->mutex);
    if (is_news)
        note(exchange, rank, why->len ? why->ptr : ALONE, (int)(why->len ? why->len : strlen(ALONE)));
}

static void *talk(void *argument)
{
    First *first = argument;
    Exchange *exchange = &first->exchange;
    Text bytes = {0};
    int from, tag;
    while (!atomic_load(&first->is_ending)) {
        if (!exchange_turn(exchange, &from, &tag, &bytes))
            continue;
        if (tag == TAG_NOTE)
            note(exchange, from, bytes.ptr, (int)bytes.len);
        if (tag == TRANSPORT_LOST)
            lose(exchange, from, &bytes);
        if (tag == TAG_READY) {
            pthread_mutex_lock(&exchange->mutex);
            exchange->other[from].ready_nb++;
            pthread_cond_broadcast(&exchange->changed);
            pthread_mutex_unlock(&exchange->mutex);
        }
    }
    text_free(&bytes);
    return NULL;
}

static void wake(Exchange *exchange)
{
    const Transport *transport = exchange->transport;
    transport->send(transport->self, transport->rank, TAG_WAKE, NULL, 0);
}

// ---- what the session calls ---------------------------------------------------------------------
static void option(void *self, Span name, Span value)
{
    Text text = {0};
    text_add_bytes(&text, name.ptr, name.len);
    text_add_bytes(&text, "", 1);
    text_add_bytes(&text, value.ptr, value.len);
    if (!text.failed)
        exchange_tell_all(self, TAG_OPTION, text.ptr, text.len);
    text_free(&text);
}

static void new_game(void *self) { exchange_tell_all(self, TAG_NEW_GAME, NULL, 0); }

// A rank that owes an answer from before stands still: it is waited for again when it has given it.
static void prepare(void *self)
{
    Exchange *exchange = self;
    const i64 until_us = os_now_us() + READY_MS * 1000LL;
    const int nb = ++exchange->prepare_nb;
    exchange_tell_all(exchange, TAG_PREPARE, NULL, 0);
    for (int rank = 1; rank < exchange->transport->size; rank++) {
        Other *other = &exchange->other[rank];
        pthread_mutex_lock(&exchange->mutex);
        while (!atomic_load(&other->is_lost) && other->ready_nb == nb - 1 && os_now_us() < until_us)
            os_cond_wait_until(&exchange->changed, &exchange->mutex, until_us);
        const bool is_late = !atomic_load(&other->is_lost) && other->ready_nb == nb - 1;
        pthread_mutex_unlock(&exchange->mutex);
        if (is_late)
            note(exchange, rank, "does not answer", 15);
    }
}

static void listen_to(void *self, void (*tell)(void *context, const char *text), void *context)
{
    Exchange *exchange = self;
    pthread_mutex_lock(&exchange->mutex);
    exchange->note_context = context;
    exchange->note = tell;
    pthread_mutex_unlock(&exchange->mutex);
}

// ---- what the search calls ----------------------------------------------------------------------
static bool begin(void *self, const Game *game, const Limits *limits, u64 network, int workers)
{
    Exchange *exchange = self;
    const u32 search = exchange->search + 1;
    GoHead head;
    memset(&head, 0, sizeof head);
    head.search = search;
    head.size = sizeof head;
    head.network = network;
    head.move_nb = game->move_nb;
    head.key_start = game->key_start;
    head.limits = *limits;
    head.start = game->start;
    if (!exchange_begin(exchange, search, workers))
        return false;
    Text text = {0};
    text_add_bytes(&text, &head, sizeof head);
    text_add_bytes(&text, game->move, (size_t)game->move_nb * sizeof(Move));
    if (!text.failed)
        exchange_tell_all(exchange, TAG_GO, text.ptr, text.len);
    text_free(&text);
    wake(exchange);
    return true;
}

static void end(void *self)
{
    Exchange *exchange = self;
    exchange_end(exchange);
    exchange_tell_all(exchange, TAG_STOP, &exchange->search, sizeof exchange->search);
}

// ---- life ---------------------------------------------------------------------------------------
Peers *peers_open(const Transport *transport, Message *message)
{
    First *first = calloc(1, sizeof *first);
    if (!first) {
        message_set(message, "no memory for a search over ranks");
        return NULL;
    }
    Exchange *exchange = &first->exchange;
    atomic_init(&first->is_ending, false);
    bool ok = exchange_init(exchange, transport, message);
    exchange->peers = exchange_peers(exchange);
    exchange->peers.option = option;
    exchange->peers.new_game = new_game;
    exchange->peers.prepare = prepare;
    exchange->peers.listen = listen_to;
    exchange->peers.begin = begin;
    exchange->peers.end = end;
    if (ok && !os_thread_start(&first->thread, talk, first))
        ok = message_set(message, "the system gives no more threads");
    if (!ok) {
        exchange_free(exchange);
        free(first);
        return NULL;
    }
    transport_tell_all(transport, TRANSPORT_START, NULL, 0);
    return &exchange->peers;
}

void peers_close(Peers *peers)
{
    First *first = peers->self;
    atomic_store(&first->is_ending, true);
    wake(&first->exchange);
    os_thread_join(first->thread);
    exchange_free(&first->exchange);
    free(first);
}
