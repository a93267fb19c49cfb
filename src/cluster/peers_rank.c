// SPDX-License-Identifier: GPL-3.0-or-later
// A search over ranks, seen from a rank above 0: a session that is told the same options as rank 0's, and a
// search without limits for each of rank 0's, until it is stopped. The thread that talks is the program's
// first; a search has one of its own. Nothing is printed here: what there is to say goes to rank 0.
#include "cluster/cluster.h"

#include "cluster/exchange.h"
#include "session/options.h"

typedef struct Helper {
    Exchange exchange;
    Session session;
    GoHead head; // of the search
    Game game;
    SearchControl control;
    Thread thread;
    bool searches;       // the thread and the control are there
    bool has_complained; // of another network, since an option was set
} Helper;

static void complain(Exchange *exchange, const char *text)
{
    const Transport *transport = exchange->transport;
    transport->send(transport->self, 0, TAG_NOTE, text, strlen(text));
}

// ---- the search ---------------------------------------------------------------------------------
static bool begin(void *self, const Game *game, const Limits *limits, u64 network, int workers)
{
    Helper *helper = self;
    const Transport *transport = helper->exchange.transport;
    (void)game, (void)limits, (void)network;
    const bool ok = exchange_begin(&helper->exchange, helper->head.search, workers);
    transport->send(transport->self, transport->rank, TAG_WAKE, NULL, 0);
    return ok;
}

static void end(void *self) { exchange_end(self); }

static void *search(void *argument)
{
    Helper *helper = argument;
    SearchResult result;
    Message message = {0};
    if (!search_run(helper->session.engine, &helper->game, &helper->control, NULL, &result, &message))
        complain(&helper->exchange, message.text);
    return NULL;
}

static void stop_search(Helper *helper)
{
    if (!helper->searches)
        return;
    control_stop(&helper->control, STOP_COMMAND);
    os_thread_join(helper->thread);
    control_free(&helper->control);
    helper->searches = false;
}

// The position and the moves of the message.
static bool read_game(Helper *helper, const Text *bytes)
{
    const GoHead *head = &helper->head;
    game_start(&helper->game, &head->start);
    for (i32 i = 0; i <= head->move_nb; i++) {
        Move move;
        if (i == head->key_start)
            game_cut_keys(&helper->game);
        if (i == head->move_nb)
            break;
        memcpy(&move, bytes->ptr + sizeof *head + (size_t)i * sizeof move, sizeof move);
        if (!game_play(&helper->game, move))
            return false;
    }
    return true;
}

// The same request without anything that ends it.
static Limits endless(const Limits *asked)
{
    Limits limits = *asked;
    limits.clocks = (Clocks){0};
    limits.move_time_ms = 0;
    limits.depth = limits.mate = limits.elo = 0;
    limits.nodes = limits.soft_nodes = 0;
    limits.infinite = true;
    limits.ponder = false;
    return limits;
}

static void go(Helper *helper, const Text *bytes)
{
    GoHead *head = &helper->head;
    stop_search(helper);
    if (bytes->len >= sizeof *head)
        memcpy(head, bytes->ptr, sizeof *head);
    if (bytes->len < sizeof *head || head->size != sizeof *head || head->move_nb < 0 ||
        bytes->len != sizeof *head + (size_t)head->move_nb * sizeof(Move)) {
        complain(&helper->exchange, "takes no part: it is another version of the program");
        return;
    }
    if (head->network != engine_network(helper->session.engine)) {
        if (!helper->has_complained)
            complain(&helper->exchange, "takes no part: its network is not the one of rank 0");
        helper->has_complained = true;
        return;
    }
    const Limits limits = endless(&head->limits);
    control_init(&helper->control, &limits, 0);
    helper->searches = read_game(helper, bytes) && os_thread_start(&helper->thread, search, helper);
    if (!helper->searches) {
        control_free(&helper->control);
        complain(&helper->exchange, "takes no part: it has no memory or no thread left");
    }
}

// ---- what it is told ----------------------------------------------------------------------------
static void set_option(Helper *helper, const Text *bytes)
{
    const char *zero = bytes->len ? memchr(bytes->ptr, '\0', bytes->len) : NULL;
    Message why = {0}, message;
    if (!zero)
        return;
    const Span name = {bytes->ptr, (size_t)(zero - bytes->ptr)};
    const Span value = {zero + 1, bytes->len - name.len - 1};
    helper->has_complained = false;
    if (option_set(&helper->session, name, value, &why) == OPTION_DONE)
        return;
    message_set(&message, "%.*s: %s", (int)name.len, name.ptr, why.text);
    complain(&helper->exchange, message.text);
}

static void prepare(Helper *helper)
{
    const Transport *transport = helper->exchange.transport;
    Message message;
    if (!engine_prepare(helper->session.engine, &message))
        complain(&helper->exchange, message.text);
    transport->send(transport->self, 0, TAG_READY, NULL, 0);
}

// False when there is nothing more to come.
static bool take(Helper *helper, int from, int tag, const Text *bytes)
{
    if (tag == TRANSPORT_END || (tag == TRANSPORT_LOST && from == 0))
        return false;
    if (tag == TRANSPORT_LOST) {
        atomic_store(&helper->exchange.other[from].is_lost, true);
        return true;
    }
    if (tag == TAG_GO) {
        go(helper, bytes);
        return true;
    }
    stop_search(helper); // whatever else it is told
    if (tag == TAG_OPTION)
        set_option(helper, bytes);
    if (tag == TAG_NEW_GAME)
        session_new_game(&helper->session);
    if (tag == TAG_PREPARE)
        prepare(helper);
    return true;
}

int peers_serve(const Transport *transport)
{
    Helper *helper = calloc(1, sizeof *helper);
    Message message;
    Text bytes = {0};
    int from, tag;
    if (!helper)
        return 1;
    bool ok = exchange_init(&helper->exchange, transport, &message) && session_init(&helper->session);
    if (ok) {
        helper->exchange.peers = exchange_peers(&helper->exchange);
        helper->exchange.peers.begin = begin;
        helper->exchange.peers.end = end;
        engine_set_peers(helper->session.engine, &helper->exchange.peers);
        while (!exchange_turn(&helper->exchange, &from, &tag, &bytes) || take(helper, from, tag, &bytes))
            continue;
        stop_search(helper);
    }
    text_free(&bytes);
    game_free(&helper->game);
    session_free(&helper->session);
    exchange_free(&helper->exchange);
    free(helper);
    return ok ? 0 : 1;
}
