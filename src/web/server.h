// SPDX-License-Identifier: GPL-3.0-or-later
// The server: one thread that waits for all connections at a time, and the tabs with their threads behind it.
// Nothing it does for one connection waits for another. Invariants: it listens on 127.0.0.1 alone; it knows
// no file of the disk; connections, tabs, bytes and times all have a limit.
#ifndef TWOFOLD_WEB_SERVER_H
#define TWOFOLD_WEB_SERVER_H

#include "web/http_connection.h"
#include "web/serve_tabs.h"

enum { CONNECTIONS_MAX = 256 };

typedef struct ServerOptions {
    int port;                      // 0: any that is free
    bool may_use_another;          // when the port is taken, any that is free
    int tab_max, hash_mb, threads; // of all tabs together
    TabShare share;
    int grace_ms, yield_ms;
    Patience patience;
    ServeLog log;
} ServerOptions;
// What a person gets who asks for nothing else; the log is to be filled in.
ServerOptions server_defaults(void);

typedef struct Server {
    ServeLog log;
    ServeGuard guard;
    Tabs tabs;
    ConnectionOwner owner;
    Socket listener;
    i64 deaf_until_ms; // the system gave no connection: not asked again before
    Connection *connection[CONNECTIONS_MAX];
    int connection_nb;
    int refused_nb; // told in this stretch of time
    int untold_nb;  // and not told
    i64 refused_since_ms;
    i64 now_ms; // the time of this turn
    Socket wake_reader, wake_writer;
    atomic_bool is_awake; // a byte is under way to the loop
    atomic_bool is_ending;
} Server;

// Listens and has a token; false with a message when that can't be had. To be freed in either case.
bool server_open(Server *server, const ServerOptions *options, Message *message);
// The address with its token.
void server_address(const Server *server, Text *out);
// Serves until server_stop or, with interrupts caught, a signal.
void server_run(Server *server);
// Any thread: the run ends soon.
void server_stop(Server *server);
// Ends all tabs and connections.
void server_free(Server *server);
// Tells of a request that was refused, unless there have been many.
void server_refused(Server *server, HttpStatus status, const char *why);

#endif
