// SPDX-License-Identifier: GPL-3.0-or-later
// A client of a session that speaks JSON, for tests: keeps all lines that come, and waits for answers.
#ifndef TWOFOLD_JSON_CLIENT_H
#define TWOFOLD_JSON_CLIENT_H

#include "base/json.h"
#include "test.h"
#include "web/json_lines.h"

typedef struct Client {
    JsonLines *lines;
    Mutex mutex;
    Cond came;
    Text all;      // every line that came, with its end
    int answer_nb; // how many of them were answers
    int bad_nb;    // and how many no JSON, or more than a line
    bool steps;    // the session has no thread
    Text last;     // the last answer that was waited for
    // What the owner's functions do; see client_owner.
    int hash_sum_max;      // grant: refuses more
    const char *poll_line; // poll: takes this line once, after poll_after calls
    int poll_after, poll_nb;
} Client;

// The owner of a usual session; tests change what they need.
JsonOwner client_owner(Client *client);
// Opens the session of the owner; a session that can't be opened fails the case.
void client_open(Client *client, const JsonOwner *owner);
// Sends a line; false after quit.
bool client_send(Client *client, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Sends a request and waits for the answer with that id, which is valid until the next call; "" when none
// came in a minute.
const char *client_ask(Client *client, const char *id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Waits for the answer to what was sent before.
const char *client_wait(Client *client, const char *id);
// How many lines that came hold the words.
int client_count(Client *client, const char *words);
// Forgets what came.
void client_forget(Client *client);
// Waits until everything is answered, and frees the session; what came stays until client_free.
void client_close(Client *client, bool cut_short);
void client_free(Client *client);

#endif
