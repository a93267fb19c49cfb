// SPDX-License-Identifier: GPL-3.0-or-later
// See json_lines.h. The way of a line: read, checked against the row of its name (json_handlers.h), then
// answered at once or queued. What a request does is in the other json_*.c.
#include "web/json_lines.h"

#include <stdlib.h>

#include "session/options.h"
#include "web/json_analyse.h"
#include "web/json_game.h"
#include "web/json_go.h"
#include "web/json_handlers.h"
#include "web/json_options.h"

enum { ID_MAX = 64 };

// ---- reading a line -----------------------------------------------------------------------------
static void request_free(QueueJob *head)
{
    Request *request = (Request *)head;
    control_free(&request->control);
    go_free(&request->go);
    game_free(&request->game);
    json_free(&request->json);
    text_free(&request->id);
    text_free(&request->last_line);
    free(request);
}

static void job_run(void *context, QueueJob *head)
{
    JsonLines *lines = context;
    Request *request = (Request *)head;
    lines->running = request;
    request->handler->run(request);
    lines->running = NULL;
    assert(request->is_answered);
}

// Takes the id for the answer, if there is a good one.
static bool take_id(Request *request)
{
    const JsonValue *id = json_member(&request->json, json_root(&request->json), "id");
    if (id && id->type == JSON_STRING && id->text.len <= ID_MAX)
        text_add_json(&request->id, id->text);
    else if (id && id->type == JSON_NUMBER)
        text_add_bytes(&request->id, id->text.ptr, id->text.len);
    else
        return false;
    return true;
}

static bool read_id(Request *request)
{
    if (take_id(request))
        return true;
    if (!json_member(&request->json, json_root(&request->json), "id"))
        return request_fail(request, "bad_request", "a request needs an id: a number or a string");
    return request_fail(request, "bad_request", "an id is a number or a string of at most %d bytes",
                        (int)ID_MAX);
}

static bool find_handler(Request *request)
{
    const JsonValue *name = json_member(&request->json, json_root(&request->json), "do");
    Suggestions near = {0};
    if (!name || name->type != JSON_STRING)
        return request_fail(request, "bad_request",
                            "a request needs the name of what to do: \"do\":\"state\"");
    request->handler = handler_find(name->text, &near);
    return request->handler ||
           request_fail_near(request, "unknown", "there is no request", name->text, &near);
}

// All fields must be known to the request.
static bool check_fields(Request *request)
{
    enum { FIELDS_MAX = 24 };
    static const char *const OF_ALL[] = {"id", "do", "language", NULL}, *const OF_NONE[] = {NULL},
                             *const OF_GAMES[] = {"start", "moves", "chess960", NULL};
    const char *const *const lists[] = {OF_ALL, request->handler->fields,
                                        request->handler->flags & REQUEST_GAME ? OF_GAMES : OF_NONE};
    const char *names[FIELDS_MAX];
    int nb = 0;
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++)
        for (int i = 0; lists[l][i]; i++) {
            assert(nb < FIELDS_MAX - 1);
            names[nb++] = lists[l][i];
        }
    names[nb] = NULL;
    return request_check_members(request, json_root(&request->json), names);
}

static bool read_language(Request *request)
{
    Span name = {0};
    if (!request_string(request, "language", &name))
        return false;
    return !name.ptr || language_named(name, &request->in) ||
           request_fail(request, "bad_value", "language: expected en or ja");
}

// What the line asks for; false when it was refused.
static bool read_line(Request *request, Span line)
{
    enum { ID_WITHIN = 1024 }; // bytes of a line that is too long in which its id is looked for
    Message message = {0};
    if (line.len > JSON_LINE_MAX) {
        json_read_part(&request->json, (Span){line.ptr, ID_WITHIN}, &message);
        take_id(request);
        return request_fail(request, "too_long", "a line of %zu bytes: at most %d are taken", line.len,
                            (int)JSON_LINE_MAX);
    }
    if (!json_read_part(&request->json, line, &message)) {
        take_id(request);
        return request_fail(request, "bad_json", "%s", message.text);
    }
    if (json_root(&request->json)->type != JSON_OBJECT)
        return request_fail(request, "bad_request", "a request is an object, not %s",
                            json_type_name(json_root(&request->json)->type));
    return read_id(request) && find_handler(request) && check_fields(request) && read_language(request);
}

// ---- routing ------------------------------------------------------------------------------------
// Can the session be used by take itself?
static bool is_at_once(JsonLines *lines, const Request *request)
{
    return !(request->handler->flags & (REQUEST_QUEUED | REQUEST_AT_ONCE)) ||
           ((request->handler->flags & REQUEST_AT_ONCE) && queue_is_idle(&lines->queue));
}

static bool enqueue(JsonLines *lines, Request *request)
{
    if (queue_waiting(&lines->queue) >= JSON_WAITING_MAX)
        return request_fail(request, "busy", "%d requests wait already", (int)JSON_WAITING_MAX);
    if (!game_copy(&request->game, &lines->game))
        return request_fail(request, "failed", "no memory for the game");
    request->is_queued = true;
    if (request->head.flags & JOB_LONG) // what would never end by itself must not keep it waiting
        queue_stop_endless(&lines->queue);
    queue_add(&lines->queue, &request->head);
    return true;
}

// True when the queue has it now.
static bool route(JsonLines *lines, Request *request)
{
    const Handler *handler = request->handler;
    if ((handler->flags & REQUEST_GAME) && !game_take_fields(request))
        return false;
    if (handler->read && !handler->read(request))
        return false;
    // Made as late as the limits are known, and as early as a stop can come.
    control_free(&request->control);
    control_init(&request->control, &request->go.limits, request->arrived_us);
    if (lines->owner.has_no_thread && lines->owner.poll)
        control_set_poll(&request->control, lines->owner.poll, lines->owner.context);
    request->head.flags = handler->flags & (JOB_LONG | JOB_SEARCH);
    if (!is_at_once(lines, request))
        return enqueue(lines, request);
    if (handler->flags & REQUEST_AT_ONCE) // the session is ours
        job_run(lines, &request->head);
    else
        handler->run(request);
    return false;
}

bool json_lines_take(JsonLines *lines, Span line)
{
    line = span_trim(line);
    if (!line.len)
        return true;
    i64 arrived_us = os_now_us();
    Request *request = calloc(1, sizeof *request);
    pthread_mutex_lock(&lines->take_mutex);
    if (request) {
        request->lines = lines;
        request->arrived_us = arrived_us;
        request->head = (QueueJob){.control = &request->control, .run = job_run, .free = request_free};
        control_init(&request->control, &request->go.limits, arrived_us);
        bool is_kept = read_line(request, line) && route(lines, request);
        if (!is_kept)
            request_free(&request->head);
    } else {
        Request none = {.lines = lines};
        request_fail(&none, "failed", "no memory for a request");
    }
    bool goes_on = !lines->has_quit;
    pthread_mutex_unlock(&lines->take_mutex);
    return goes_on;
}

bool json_lines_step(JsonLines *lines) { return queue_step(&lines->queue); }

bool json_lines_is_idle(JsonLines *lines) { return queue_is_idle(&lines->queue); }

// ---- life ---------------------------------------------------------------------------------------
static void free_lines(JsonLines *lines)
{
    session_free(&lines->session);
    analysis_drop(lines);
    game_free(&lines->game);
    text_free(&lines->options);
    queue_free(&lines->queue);
    pthread_mutex_destroy(&lines->tell_mutex);
    pthread_mutex_destroy(&lines->take_mutex);
    pthread_mutex_destroy(&lines->options_mutex);
    free(lines);
}

static bool open_session(JsonLines *lines, Message *message)
{
    const JsonOwner *owner = &lines->owner;
    Session *session = &lines->session;
    if (!session_init(session))
        return message_set(message, "no memory for a session");
    session->node_cap = owner->node_cap;
    int hash_mb = owner->hash_mb ? owner->hash_mb : session->settings.hash_mb;
    if (owner->hash_max_mb)
        hash_mb = min_int(hash_mb, owner->hash_max_mb);
    if (owner->grant && !owner->grant(owner->context, hash_mb, session->settings.threads, message))
        return false;
    if (!option_set_number(session, "Hash", hash_mb, message) ||
        (owner->options && !option_list_set(session, owner->options, message)))
        return false;
    session->events = go_events(lines); // nobody has asked yet who could be told of what the options found
    lines->rules = session->rules;
    if (!game_copy(&lines->game, &session->game))
        return message_set(message, "no memory for a session");
    options_list(lines);
    return true;
}

JsonLines *json_lines_open(const JsonOwner *owner, Message *message)
{
    JsonLines *lines = calloc(1, sizeof *lines);
    if (!lines) {
        message_set(message, "no memory for a session");
        return NULL;
    }
    lines->owner = *owner;
    pthread_mutex_init(&lines->tell_mutex, NULL);
    pthread_mutex_init(&lines->take_mutex, NULL);
    pthread_mutex_init(&lines->options_mutex, NULL);
    queue_init(&lines->queue, lines);
    bool ok = open_session(lines, message);
    if (ok && !owner->has_no_thread) {
        lines->has_player = os_thread_start(&lines->player, queue_run, &lines->queue);
        ok = lines->has_player || message_set(message, "the system gives no thread to think in");
    }
    if (ok)
        return lines;
    free_lines(lines);
    return NULL;
}

void json_lines_close(JsonLines *lines, bool cut_short)
{
    if (cut_short)
        queue_stop(&lines->queue, JOB_LONG);
    else
        queue_stop_endless(&lines->queue);
    queue_end(&lines->queue);
    if (lines->has_player)
        os_thread_join(lines->player);
    while (queue_step(&lines->queue)) {
    }
    free_lines(lines);
}
