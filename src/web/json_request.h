// SPDX-License-Identifier: GPL-3.0-or-later
// One request as it is read, checked and answered, and the session it belongs to: what all the handlers of
// requests share. Two sides use a JsonLines: `take` has the current game and the rules (guarded by its
// mutex), the thread that does the queued requests has the session. A queued request carries a copy of the
// game it is about, so that neither waits for the other. Invariant: request_send_answer or request_fail is
// called exactly once for each request.
#ifndef TWOFOLD_JSON_REQUEST_H
#define TWOFOLD_JSON_REQUEST_H

#include "base/json.h"
#include "base/language.h"
#include "base/suggest.h"
#include "session/queue.h"
#include "session/session.h"
#include "web/json_lines.h"

typedef struct Request Request;
typedef struct JsonAnalysis JsonAnalysis;

enum {
    REQUEST_GAME = 1,    // takes start, moves and chess960: about a game
    REQUEST_QUEUED = 2,  // waits its turn and is done where the session is
    REQUEST_AT_ONCE = 4, // the same, but done by take itself while nothing else is queued
    // and JOB_LONG, JOB_SEARCH
};

typedef struct Handler {
    const char *name;
    int flags;
    const char *const *fields; // beside those of every request; ends with NULL
    // Of queued requests, in take: checks what was asked and keeps what `run` needs. False: it was refused.
    bool (*read)(Request *request);
    void (*run)(Request *request);
} Handler;

struct JsonLines {
    JsonOwner owner;
    Queue queue;
    Thread player;
    bool has_player;
    Mutex tell_mutex; // one line at a time

    Mutex take_mutex; // guards what follows
    Game game;        // the current one
    Rules rules;      // of the games to come
    bool has_quit;

    Mutex options_mutex; // guards the list, which is written where the session is and read by take
    Text options;        // as JSON

    Session session;        // of the thread that does the jobs; of take while nothing is queued
    Request *running;       // whose events the session tells
    JsonAnalysis *analysis; // the last one; NULL: none
};

struct Request {
    QueueJob head;
    SearchControl control;
    JsonLines *lines;
    const Handler *handler;
    Json json;
    Text id;     // as JSON
    Language in; // which moves are told as people write them
    i64 arrived_us;
    bool is_queued, is_answered;
    Game game; // what it is about; empty when it is done at once
    GoRequest go;
    int multi_pv, level; // of go; 0: as the options have it; level -1: full strength
    bool has_seed;
    u64 seed;
    Text last_line; // the last main line of its search, as a JSON object
};

// ---- reading fields -----------------------------------------------------------------------------
const JsonValue *request_field(const Request *request, const char *name);
// Each answers true with *out untouched when the field is missing or null, and false, the request having been
// refused, when it does not fit.
bool request_int(Request *request, const char *name, i64 lo, i64 hi, i64 *out);
bool request_int_of(Request *request, const JsonValue *object, const char *name, i64 lo, i64 hi, i64 *out);
bool request_bool(Request *request, const char *name, bool *out);
bool request_string(Request *request, const char *name, Span *out);
// Refuses members of an object that are not among the names (which end with NULL).
bool request_check_members(Request *request, const JsonValue *object, const char *const *names);
// The game it is about.
const Game *request_game(const Request *request);

// ---- answering ----------------------------------------------------------------------------------
typedef struct Reply {
    Text text;
    JsonWriter json;
} Reply;
// Begins {"id":...,"ok":true or {"id":...,"event":NAME.
void reply_begin(Reply *reply, const Request *request, const char *event);
// Closes it, tells it and frees it.
void request_send_event(const Request *request, Reply *reply);
void request_send_answer(Request *request, Reply *reply);
// {"id":...,"ok":true}
void request_done(Request *request);
// Answers by an error and returns false. The codes: bad_json, bad_request, unknown, bad_value, illegal, busy,
// too_long, failed.
bool request_fail(Request *request, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same for a name that is not known, with those that are near: "there is no field 'mvoes' (did you mean
// moves?)".
bool request_fail_near(Request *request, const char *code, const char *what, Span name,
                       const Suggestions *near);
// Tells one sentence.
void request_note(const Request *request, const char *text);

#endif
