// SPDX-License-Identifier: GPL-3.0-or-later
// The loop: who can be read or written, what tabs have told, who has taken too long. Sessions wake it from
// their threads through a socket of its own.
#include "web/server.h"

#include <stdlib.h>

#include "web/serve_routes.h"

enum {
    TURN_MS = 200, // how long it waits at most: an interrupt may come just before
    DEAF_MS = 100,
    STREAM_MAX = 4,     // of browsers, which have six connections to a server
    LEASE_MS = 200,     // how long each stream lives at least when there are more
    RETRY_MS = 50,      // and when its page comes back
    REFUSED_MAX = 10,   // lines on refused requests
    REFUSED_MS = 10000, // in so long a time
};

// ---- opening ------------------------------------------------------------------------------------
ServerOptions server_defaults(void)
{
    enum { TABS = 12, HASH_MB = 1024 };
    return (ServerOptions){
        .tab_max = TABS,
        .hash_mb = HASH_MB,
        .threads = TABS - 1 + os_core_count(),
        .share = {.hash_mb = TAB_HASH_MB, .threads = TAB_THREADS},
        .grace_ms = 15000,
        .yield_ms = 2000,
        .patience = {
            .head_ms = 10000, .body_ms = 60000, .idle_ms = 60000, .write_ms = 20000, .linger_ms = 2000}};
}

static void wake(void *context)
{
    Server *server = context;
    if (!atomic_exchange(&server->is_awake, true))
        os_socket_write(&server->wake_writer, "", 1);
}

static void refused(void *context, HttpStatus status, const char *why)
{
    server_refused(context, status, why);
}

bool server_open(Server *server, const ServerOptions *options, Message *message)
{
    *server = (Server){.log = options->log};
    server->tabs = (Tabs){.max = options->tab_max,
                          .grace_ms = options->grace_ms,
                          .yield_ms = options->yield_ms,
                          .log = &server->log,
                          .wake = wake,
                          .wake_context = server};
    server->owner = (ConnectionOwner){.context = server,
                                      .patience = options->patience,
                                      .request = routes_request,
                                      .body = routes_body,
                                      .refused = refused};
    if (!budget_init(&server->tabs.budget, &options->share, options->hash_mb, options->threads,
                     options->tab_max, message))
        return false;
    bool listens = os_listen_loopback(&server->listener, options->port, message) ||
                   (options->may_use_another && os_listen_loopback(&server->listener, 0, message));
    if (!listens || !os_socket_pair(&server->wake_reader, &server->wake_writer, message) ||
        !guard_secret(server->guard.token, message))
        return false;
    server->guard.port = os_socket_port(&server->listener);
    return true;
}

void server_address(const Server *server, Text *out)
{
    text_add(out, "http://127.0.0.1:%d/%s/", server->guard.port, server->guard.token);
}

// ---- connections --------------------------------------------------------------------------------
static void drop_connection(Server *server, int i)
{
    Connection *connection = server->connection[i];
    server->connection[i] = server->connection[--server->connection_nb];
    if (connection->tab) {
        connection->tab->stream_nb--;
        connection->tab->seen_ms = server->now_ms;
    }
    connection_close(connection);
    free(connection);
}

static void end_stream(Server *server, Connection *connection, int retry_ms)
{
    connection->tab->stream_nb--;
    connection->tab->seen_ms = server->now_ms;
    connection_end_stream(connection, retry_ms, server->now_ms);
}

// Makes room for one more: the oldest that never came with the token and the oldest that waits for nothing
// are given up, in this order. False when all are in use.
static bool make_room(Server *server)
{
    int oldest = -1;
    for (int i = 0; i < server->connection_nb; i++) {
        const Connection *a = server->connection[i], *b = oldest < 0 ? NULL : server->connection[oldest];
        bool is_idle = a->state == CONNECTION_LINGER || (a->state == CONNECTION_HEAD && a->in.len == 0);
        if (a->is_known && !is_idle)
            continue;
        if (!b || (b->is_known && !a->is_known) || (a->is_known == b->is_known && a->since_ms < b->since_ms))
            oldest = i;
    }
    if (oldest < 0)
        return false;
    drop_connection(server, oldest);
    return true;
}

static void accept_all(Server *server)
{
    enum { ACCEPTS = 64 }; // a turn
    for (int i = 0; i < ACCEPTS; i++) {
        Socket socket;
        if (!os_accept(&server->listener, &socket)) {
            if (i == 0) // it was ready and gave none: the system has run out of something
                server->deaf_until_ms = server->now_ms + DEAF_MS;
            return;
        }
        Connection *connection =
            server->connection_nb < CONNECTIONS_MAX || make_room(server) ? malloc(sizeof *connection) : NULL;
        if (!connection) {
            os_socket_close(&socket);
            server_refused(server, HTTP_BUSY, "too many connections");
            continue;
        }
        connection_open(connection, &server->owner, socket, server->now_ms);
        server->connection[server->connection_nb++] = connection;
        connection_advance(connection, server->now_ms);
    }
}

// ---- streams ------------------------------------------------------------------------------------
// A browser lends its few connections to all of its tabs: when more of them listen than it can, the streams
// take turns, and each page goes on where its last stream ended. When the next turn is due, in ms.
static i64 rotate_streams(Server *server)
{
    Connection *oldest = NULL;
    int nb = 0;
    for (int i = 0; i < server->connection_nb; i++) {
        Connection *connection = server->connection[i];
        if (connection->state != CONNECTION_STREAM || !connection->is_browser)
            continue;
        nb++;
        if (!oldest || connection->since_ms < oldest->since_ms)
            oldest = connection;
    }
    if (nb <= STREAM_MAX)
        return TURN_MS;
    i64 left_ms = oldest->since_ms + LEASE_MS - server->now_ms;
    if (left_ms > 0)
        return left_ms;
    end_stream(server, oldest, RETRY_MS);
    connection_advance(oldest, server->now_ms);
    return 0;
}

// Sends what was told, and ends streams of tabs that are over when their page has all of it.
static void pump_streams(Server *server)
{
    for (int i = 0; i < server->connection_nb; i++) {
        Connection *connection = server->connection[i];
        if (connection->state != CONNECTION_STREAM)
            continue;
        bool has_ended = tab_has_ended(connection->tab); // asked before: nothing is told after that
        bool has_more;
        do {
            has_more = connection_pump(connection, server->now_ms);
            connection_advance(connection, server->now_ms);
        } while (has_more && connection->state == CONNECTION_STREAM && connection->out.len == 0);
        if (has_ended && !has_more && connection->state == CONNECTION_STREAM && connection->out.len == 0) {
            end_stream(server, connection, 0);
            connection_advance(connection, server->now_ms);
        }
    }
}

// ---- the loop -----------------------------------------------------------------------------------
enum { WATCH_WAKE, WATCH_LISTENER, WATCH_CONNECTIONS };

static int watch_all(const Server *server, SocketWatch *watch)
{
    watch[WATCH_WAKE] = (SocketWatch){.socket = server->wake_reader, .wants_read = true};
    watch[WATCH_LISTENER] =
        (SocketWatch){.socket = server->listener, .wants_read = server->now_ms >= server->deaf_until_ms};
    for (int i = 0; i < server->connection_nb; i++)
        connection_watch(server->connection[i], &watch[WATCH_CONNECTIONS + i]);
    return WATCH_CONNECTIONS + server->connection_nb;
}

static void drain_wake(Server *server)
{
    char bytes[64];
    while (os_socket_read(&server->wake_reader, bytes, sizeof bytes) > 0)
        ;
    atomic_store(&server->is_awake, false); // before what was told is looked at
}

static void check_times(Server *server)
{
    for (int i = server->connection_nb; i-- > 0;) {
        connection_check_time(server->connection[i], server->now_ms);
        if (server->connection[i]->state == CONNECTION_OVER)
            drop_connection(server, i);
    }
    if (server->untold_nb && server->now_ms - server->refused_since_ms >= REFUSED_MS) {
        serve_log(&server->log, "%d more requests were refused", server->untold_nb);
        server->untold_nb = 0;
    }
}

void server_run(Server *server)
{
    SocketWatch watch[WATCH_CONNECTIONS + CONNECTIONS_MAX];
    i64 wait_ms = 0;
    server->now_ms = os_now_ms();
    while (!atomic_load(&server->is_ending) && !os_interrupted()) {
        int nb = watch_all(server, watch);
        os_sockets_wait(watch, nb, wait_ms);
        server->now_ms = os_now_ms();
        drain_wake(server);
        for (int i = WATCH_CONNECTIONS; i < nb; i++)
            if (watch[i].is_ready)
                connection_advance(server->connection[i - WATCH_CONNECTIONS], server->now_ms);
        if (watch[WATCH_LISTENER].is_ready)
            accept_all(server);
        pump_streams(server);
        wait_ms = rotate_streams(server);
        check_times(server);
        tabs_tick(&server->tabs, server->now_ms);
    }
}

void server_stop(Server *server)
{
    atomic_store(&server->is_ending, true);
    wake(server);
}

void server_free(Server *server)
{
    os_socket_close(&server->listener);
    while (server->connection_nb)
        drop_connection(server, server->connection_nb - 1);
    tabs_free(&server->tabs);
    budget_free(&server->tabs.budget);
    os_socket_close(&server->wake_reader);
    os_socket_close(&server->wake_writer);
}

void server_refused(Server *server, HttpStatus status, const char *why)
{
    if (server->now_ms - server->refused_since_ms >= REFUSED_MS && !server->untold_nb) {
        server->refused_since_ms = server->now_ms;
        server->refused_nb = 0;
    }
    if (server->refused_nb++ < REFUSED_MAX)
        serve_log(&server->log, "refused (%d): %s", status, why);
    else
        server->untold_nb++;
}
