// SPDX-License-Identifier: GPL-3.0-or-later
// See json_request.h.
#include "web/json_request.h"

// ---- answering ----------------------------------------------------------------------------------
static void tell(JsonLines *lines, Span line)
{
    pthread_mutex_lock(&lines->tell_mutex);
    lines->owner.tell(lines->owner.context, line);
    pthread_mutex_unlock(&lines->tell_mutex);
}

static Span id_of(const Request *request)
{
    return request->id.len && !request->id.failed ? text_span(&request->id) : span_of("null");
}

void reply_begin(Reply *reply, const Request *request, const char *event)
{
    *reply = (Reply){0};
    reply->json.out = &reply->text;
    json_open_object(&reply->json, NULL);
    json_put_json(&reply->json, "id", id_of(request));
    if (event)
        json_put_text(&reply->json, "event", event);
    else
        json_put_bool(&reply->json, "ok", true);
}

void request_send_event(const Request *request, Reply *reply)
{
    json_close_object(&reply->json);
    if (!reply->text.failed)
        tell(request->lines, text_span(&reply->text));
    text_free(&reply->text);
}

static void send_last(Request *request, Span line)
{
    assert(!request->is_answered);
    request->is_answered = true;
    if (request->is_queued)
        queue_answers(&request->lines->queue);
    tell(request->lines, line);
}

void request_send_answer(Request *request, Reply *reply)
{
    json_close_object(&reply->json);
    if (reply->text.failed)
        request_fail(request, "failed", "no memory for the answer");
    else
        send_last(request, text_span(&reply->text));
    text_free(&reply->text);
}

void request_done(Request *request)
{
    Reply reply;
    reply_begin(&reply, request, NULL);
    request_send_answer(request, &reply);
}

bool request_fail(Request *request, const char *code, const char *format, ...)
{
    char words[MESSAGE_MAX];
    Text text = {0};
    JsonWriter json = {.out = &text};
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    json_open_object(&json, NULL);
    json_put_json(&json, "id", id_of(request));
    json_put_bool(&json, "ok", false);
    json_put_text(&json, "error", words);
    json_put_text(&json, "code", code);
    json_close_object(&json);
    if (text.failed)
        send_last(request, span_of("{\"id\":null,\"ok\":false,\"error\":\"no memory\",\"code\":\"failed\"}"));
    else
        send_last(request, text_span(&text));
    text_free(&text);
    return false;
}

bool request_fail_near(Request *request, const char *code, const char *what, Span name,
                       const Suggestions *near)
{
    enum { NAME_SHOWN = 64 };
    Text text = {0};
    suggest_print(near, &text);
    request_fail(request, code, "%s '%.*s'%s%s%s", what, (int)min_i64((i64)name.len, NAME_SHOWN), name.ptr,
                 text.len ? " (did you mean " : "", text.len ? text.ptr : "", text.len ? "?)" : "");
    text_free(&text);
    return false;
}

void request_note(const Request *request, const char *text)
{
    Reply reply;
    reply_begin(&reply, request, "note");
    json_put_text(&reply.json, "text", text);
    request_send_event(request, &reply);
}

// ---- fields -------------------------------------------------------------------------------------
const Game *request_game(const Request *request)
{
    return request->is_queued ? &request->game : &request->lines->game;
}

static const JsonValue *given(const Request *request, const JsonValue *object, const char *name)
{
    const JsonValue *value = json_member(&request->json, object, name);
    return value && value->type != JSON_NULL ? value : NULL;
}

const JsonValue *request_field(const Request *request, const char *name)
{
    return given(request, json_root(&request->json), name);
}

static bool wrong_type(Request *request, const char *name, const char *expected, const JsonValue *value)
{
    return request_fail(request, "bad_value", "%s: expected %s, not %s", name, expected,
                        json_type_name(value->type));
}

bool request_int_of(Request *request, const JsonValue *object, const char *name, i64 lo, i64 hi, i64 *out)
{
    const JsonValue *value = given(request, object, name);
    if (!value)
        return true;
    if (value->type != JSON_NUMBER)
        return wrong_type(request, name, "a number", value);
    return json_int(value, lo, hi, out) ||
           request_fail(request, "bad_value", "%s: expected a whole number from %lld to %lld, not %.*s", name,
                        (long long)lo, (long long)hi, (int)value->text.len, value->text.ptr);
}

bool request_int(Request *request, const char *name, i64 lo, i64 hi, i64 *out)
{
    return request_int_of(request, json_root(&request->json), name, lo, hi, out);
}

bool request_bool(Request *request, const char *name, bool *out)
{
    const JsonValue *value = request_field(request, name);
    if (value && value->type != JSON_BOOL)
        return wrong_type(request, name, "true or false", value);
    if (value)
        *out = value->truth;
    return true;
}

bool request_string(Request *request, const char *name, Span *out)
{
    const JsonValue *value = request_field(request, name);
    if (value && value->type != JSON_STRING)
        return wrong_type(request, name, "a string", value);
    if (value)
        *out = value->text;
    return true;
}

bool request_check_members(Request *request, const JsonValue *object, const char *const *names)
{
    for (const JsonValue *member = json_first(&request->json, object); member;
         member = json_next(&request->json, member)) {
        bool is_known = false;
        Suggestions near = {0};
        for (int i = 0; names[i]; i++) {
            is_known |= span_is(member->name, names[i]);
            suggest(&near, member->name, span_of(names[i]));
        }
        if (is_known)
            continue;
        return request_fail_near(request, "bad_request", "there is no field", member->name, &near);
    }
    return true;
}
