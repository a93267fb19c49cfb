// SPDX-License-Identifier: GPL-3.0-or-later
// One connection of a browser: bytes in, requests one after the other, answers out. Knows HTTP and time, and
// asks its owner about each request as soon as its head is there, before any byte of a body is waited for.
// Invariants: what it holds of a stranger is at most one head; nothing here waits; each state has an end in
// time, but for a stream, which ends when its reader stops reading.
#ifndef TWOFOLD_WEB_HTTP_CONNECTION_H
#define TWOFOLD_WEB_HTTP_CONNECTION_H

#include "web/http.h"
#include "web/serve_tab.h"

// How long a connection may take for each thing.
typedef struct Patience {
    int head_ms;   // for a head, from its first byte
    int body_ms;   // for a body
    int idle_ms;   // with nothing under way
    int write_ms;  // while no byte of an answer is taken
    int linger_ms; // after the last answer, for the other side to close
} Patience;

typedef enum ConnectionState {
    CONNECTION_HEAD,   // waits for a request, or for the rest of its head
    CONNECTION_BODY,   // for the rest of its body
    CONNECTION_ANSWER, // until the answer has been taken
    CONNECTION_STREAM, // sends events for as long as the page listens
    CONNECTION_LINGER, // nothing more is sent, what still comes is thrown away
    CONNECTION_OVER,
} ConnectionState;

typedef struct Connection Connection;
// What the owner does with requests.
typedef struct ConnectionOwner {
    void *context;
    Patience patience;
    // A head has come: answers the request (connection_answer and its like), or leaves it for the body.
    void (*request)(void *context, Connection *connection, const HttpRequest *request);
    // Its body has come.
    void (*body)(void *context, Connection *connection, Span body);
    // The request can't be read: called before it is answered with the status.
    void (*refused)(void *context, HttpStatus status, const char *why);
} ConnectionOwner;

struct Connection {
    const ConnectionOwner *owner;
    Socket socket;
    ConnectionState state;
    i64 opened_ms, since_ms; // when it came, when its state began
    i64 moved_ms;            // when bytes last went out, or nothing was waiting to
    Text in;
    HttpScan scan;
    size_t body_size;
    bool is_kept, is_head; // of the request under way: the connection goes on; the answer has no body
    bool is_known;         // a request of it has passed the guard
    Text out;
    size_t out_at;             // how much of it has been sent
    const u8 *rest;            // sent after it, of memory that stays
    size_t rest_len, rest_at;  // how much of that has been sent
    int route;                 // what the body is for: the owner's
    char session[SECRET_TEXT]; // and whose
    // Of a stream.
    Tab *tab;
    u64 after;       // the number of the last event sent
    bool is_browser; // one that shares a few connections among all its tabs
    i64 beat_ms;     // when something was last sent
};

void connection_open(Connection *connection, const ConnectionOwner *owner, Socket socket, i64 now_ms);
// Harmless a second time. The owner takes it off its tab before.
void connection_close(Connection *connection);
// Reads and writes what can be read and written now, and does what follows.
void connection_advance(Connection *connection, i64 now_ms);
// What it waits for.
void connection_watch(const Connection *connection, SocketWatch *watch);
// Ends what has taken too long.
void connection_check_time(Connection *connection, i64 now_ms);

// ---- answers, one to each request ---------------------------------------------------------------
// A status and one sentence on why. `allow` (may be NULL) names the methods there are.
void connection_refuse(Connection *connection, HttpStatus status, const char *why, const char *allow);
// Text of a type, which is copied.
void connection_answer(Connection *connection, const char *type, Span text);
// Memory that stays.
void connection_answer_file(Connection *connection, const char *type, const u8 *bytes, size_t size);
// That it was done.
void connection_answer_done(Connection *connection);
// That it is at another path of this server.
void connection_answer_moved(Connection *connection, const char *path);
// Waits for the body, and calls the owner with it.
void connection_want_body(Connection *connection, const HttpRequest *request);
// Begins a stream of a tab's events. The owner counts it.
void connection_answer_stream(Connection *connection, Tab *tab, u64 after, bool is_browser);
// Adds what a tab has told since to what is sent, unless the reader is behind, and a sign of life now and
// then. True when there was something.
bool connection_pump(Connection *connection, i64 now_ms);
// Ends a stream; its page comes back after so many milliseconds if it likes.
void connection_end_stream(Connection *connection, int retry_ms, i64 now_ms);

#endif
