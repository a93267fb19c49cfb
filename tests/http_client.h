// SPDX-License-Identifier: GPL-3.0-or-later
// A client that speaks HTTP as plainly as it can be spoken, so that a test can also say what no browser
// would, and a page's way to listen to a tab's events. Needs nothing but base: suites use it, and the driver
// that runs the program itself. No wait takes for ever.
#ifndef TWOFOLD_TEST_HTTP_CLIENT_H
#define TWOFOLD_TEST_HTTP_CLIENT_H

#include "base/base.h"

// Where the server is, and its secret.
typedef struct Address {
    int port;
    char token[33];
} Address;
// Reads http://127.0.0.1:PORT/TOKEN/; false when it is none.
bool address_read(Address *to, const char *text);

// ---- a client -----------------------------------------------------------------------------------
typedef struct Wire {
    Socket socket;
    Text in;      // what has come and is not used yet
    bool is_over; // the server closed
} Wire;

enum { REPLY_NONE = -1, REPLY_WRONG = -2 };
typedef struct Reply {
    int status; // 0: the server closed without an answer; REPLY_NONE: nothing came in time; REPLY_WRONG: no
                // HTTP
    char head[2048];
    Text body;
} Reply;

bool wire_open(Wire *client, const Address *to);
void wire_close(Wire *client);
// Sends all of it; false when the server has closed.
bool wire_put(Wire *client, const void *bytes, size_t size);
// Sends a request for a path behind the token, with the right Host, and these further header lines (each with
// its CR LF; may be "") and body (NULL: none).
void wire_ask(Wire *client, const Address *to, const char *method, const char *name, const char *headers,
              const char *body);
// Reads one whole answer, of a request that was HEAD or not.
int wire_reply(Wire *client, Reply *reply, bool is_head);
// Waits until the server closes; false when it does not within so long.
bool wire_is_closed(Wire *client, int within_ms);
// A request on a connection of its own: its status.
int ask_once(const Address *to, const char *method, const char *name, const char *headers, const char *body,
             Reply *reply);
// The value of a header in a reply; "" when there is none, valid until the next call.
const char *reply_header(const Reply *reply, const char *name);
void reply_free(Reply *reply);

// ---- a page -------------------------------------------------------------------------------------
// One tab's stream and what came over it.
typedef struct Listener {
    Wire client;
    char session[33];
    const char *headers; // sent with each request for the stream
    u64 last;            // the number of the last event
    int connect_nb;
    Text lines; // the data of all events, one a line
    int gap_nb; // events whose number does not follow
} Listener;

// A new session; false when it is refused.
bool listener_open(Listener *listener, const Address *to);
// Listens, from the event after `last` on; the status.
int listener_connect(Listener *listener, const Address *to);
// Takes what comes within a time; connects again when the stream has ended.
void listener_take(Listener *listener, const Address *to, int wait_ms);
// Waits until the lines hold that text; false when they do not in time.
bool listener_hears(Listener *listener, const Address *to, const char *words);
// Sends lines of requests; the status.
int listener_send(const Listener *listener, const Address *to, const char *lines);
void listener_free(Listener *listener);

#endif
