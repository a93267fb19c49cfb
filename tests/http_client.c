// SPDX-License-Identifier: GPL-3.0-or-later
// The client of the tests of `serve`.
#include "http_client.h"

#include <stdlib.h>

// How long anything may take: machines of tests are busy.
static int patience_ms(void) { return getenv("TEST_LIGHT") || getenv("TEST_SLOW") ? 60000 : 20000; }

bool address_read(Address *to, const char *text)
{
    static const char BEGIN[] = "http://127.0.0.1:";
    i64 port;
    Span rest = span_of(text);
    if (!span_starts(rest, BEGIN))
        return false;
    rest = (Span){rest.ptr + sizeof BEGIN - 1, rest.len - (sizeof BEGIN - 1)};
    const char *slash = memchr(rest.ptr, '/', rest.len);
    if (!slash || !span_int((Span){rest.ptr, (size_t)(slash - rest.ptr)}, 1, 65535, &port))
        return false;
    to->port = (int)port;
    return strspn(slash + 1, "0123456789abcdef") == 32 &&
           span_copy((Span){slash + 1, 32}, to->token, sizeof to->token) && slash[33] == '/';
}

// ---- a client -----------------------------------------------------------------------------------
bool wire_open(Wire *client, const Address *to)
{
    Message error = {{0}};
    *client = (Wire){0};
    return os_connect_loopback(&client->socket, to->port, &error);
}

void wire_close(Wire *client)
{
    os_socket_close(&client->socket);
    text_free(&client->in);
}

// Waits until the socket is ready; false when the time is over.
static bool wire_wait(Wire *client, bool to_write, i64 until_ms)
{
    SocketWatch watch = {.socket = client->socket, .wants_read = true, .wants_write = to_write};
    i64 left_ms = until_ms - os_now_ms();
    return left_ms > 0 && os_sockets_wait(&watch, 1, left_ms) > 0;
}

// Reads what is there; false when nothing is.
static bool wire_get(Wire *client)
{
    char buffer[16384];
    int got = client->is_over ? -1 : os_socket_read(&client->socket, buffer, sizeof buffer);
    if (got < 0)
        client->is_over = true;
    if (got <= 0)
        return false;
    text_add_bytes(&client->in, buffer, (size_t)got);
    return true;
}

bool wire_put(Wire *client, const void *bytes, size_t size)
{
    const char *at = bytes;
    i64 until_ms = os_now_ms() + patience_ms();
    while (size) {
        int put = os_socket_write(&client->socket, at, size);
        if (put < 0)
            return false;
        at += put;
        size -= (size_t)put;
        if (put == 0) {
            wire_get(client); // answers that nobody reads would keep the server from reading
            if (client->is_over || !wire_wait(client, true, until_ms))
                return false;
        }
    }
    return true;
}

void wire_ask(Wire *client, const Address *to, const char *method, const char *name, const char *headers,
              const char *body)
{
    Text text = {0};
    text_add(&text, "%s /%s/%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s", method, to->token, name, to->port,
             headers);
    if (body)
        text_add(&text, "Content-Length: %zu\r\n", strlen(body));
    text_add(&text, "\r\n%s", body ? body : "");
    wire_put(client, text.ptr, text.len);
    text_free(&text);
}

static void drop_front(Text *text, size_t used)
{
    text->len -= used;
    memmove(text->ptr, text->ptr + used, text->len);
    text->ptr[text->len] = '\0';
}

const char *reply_header(const Reply *reply, const char *name)
{
    static char value[1024];
    Span rest = span_of(reply->head), line;
    while (span_line(&rest, &line)) {
        const char *colon = memchr(line.ptr, ':', line.len);
        if (!colon || !span_is_nocase((Span){line.ptr, (size_t)(colon - line.ptr)}, name))
            continue;
        span_copy(span_trim((Span){colon + 1, line.len - (size_t)(colon + 1 - line.ptr)}), value,
                  sizeof value);
        return value;
    }
    return "";
}

// Waits until so many bytes are there.
static bool wire_has(Wire *client, size_t size, i64 until_ms)
{
    while (client->in.len < size)
        if (!wire_get(client) && (client->is_over || !wire_wait(client, false, until_ms)))
            return false;
    return true;
}

// Takes the head of an answer; false when there is none: status says why.
static bool take_reply_head(Wire *client, Reply *reply, i64 until_ms)
{
    const char *end = NULL;
    reply->status = -1;
    while (!(end = client->in.ptr ? strstr(client->in.ptr, "\r\n\r\n") : NULL))
        if (!wire_has(client, client->in.len + 1, until_ms)) {
            reply->status = client->is_over ? 0 : -1;
            return false;
        }
    size_t size = (size_t)(end - client->in.ptr) + 4;
    i64 status = 0;
    bool ok = span_copy((Span){client->in.ptr, size}, reply->head, sizeof reply->head) &&
              strncmp(reply->head, "HTTP/1.1 ", 9) == 0 &&
              span_int((Span){reply->head + 9, 3}, 100, 599, &status);
    reply->status = ok ? (int)status : REPLY_WRONG;
    drop_front(&client->in, size);
    return true;
}

int wire_reply(Wire *client, Reply *reply, bool is_head)
{
    i64 until_ms = os_now_ms() + patience_ms(), size = 0;
    text_clear(&reply->body);
    if (!take_reply_head(client, reply, until_ms))
        return reply->status;
    const char *length = reply_header(reply, "Content-Length");
    if (reply->status != 204 && reply->status != 100 && !length[0] &&
        !strstr(reply->head, "Content-Type: text/event-stream\r\n"))
        return reply->status = REPLY_WRONG; // an answer without a length has no end
    if (length[0] && !is_head && span_int(span_of(length), 0, 1 << 28, &size) && size) {
        if (!wire_has(client, (size_t)size, until_ms))
            return reply->status = -1;
        text_add_bytes(&reply->body, client->in.ptr, (size_t)size);
        drop_front(&client->in, (size_t)size);
    }
    return reply->status;
}

bool wire_is_closed(Wire *client, int within_ms)
{
    i64 until_ms = os_now_ms() + within_ms;
    while (!client->is_over)
        if (!wire_get(client) && !client->is_over && !wire_wait(client, false, until_ms))
            return false;
    return true;
}

void reply_free(Reply *reply) { text_free(&reply->body); }

int ask_once(const Address *to, const char *method, const char *name, const char *headers, const char *body,
             Reply *reply)
{
    Wire client;
    *reply = (Reply){.status = -1};
    if (!wire_open(&client, to))
        return -1;
    wire_ask(&client, to, method, name, headers, body);
    wire_reply(&client, reply, strcmp(method, "HEAD") == 0);
    wire_close(&client);
    return reply->status;
}

// ---- a page -------------------------------------------------------------------------------------
bool listener_open(Listener *listener, const Address *to)
{
    Reply reply;
    *listener = (Listener){.headers = ""};
    int status = ask_once(to, "POST", "session", "", "", &reply);
    const char *at = status == 200 ? strstr(reply.body.ptr, "\"session\":\"") : NULL;
    if (at)
        span_copy((Span){at + 11, 32}, listener->session, sizeof listener->session);
    reply_free(&reply);
    return at != NULL;
}

int listener_connect(Listener *listener, const Address *to)
{
    char name[96], headers[256];
    Reply reply = {0};
    wire_close(&listener->client);
    if (!wire_open(&listener->client, to))
        return -1;
    listener->connect_nb++;
    snprintf(name, sizeof name, "events?s=%s", listener->session);
    snprintf(headers, sizeof headers, "%sLast-Event-ID: %llu\r\n", listener->headers,
             (unsigned long long)listener->last);
    wire_ask(&listener->client, to, "GET", name, headers, NULL);
    int status = wire_reply(&listener->client, &reply, false);
    reply_free(&reply);
    return status;
}

// Takes the events that have come whole.
static void take_events(Listener *listener)
{
    Text *in = &listener->client.in;
    for (const char *end; in->ptr && (end = strstr(in->ptr, "\n\n"));) {
        Span rest = {in->ptr, (size_t)(end - in->ptr)}, line;
        i64 number;
        while (span_line(&rest, &line)) {
            if (span_starts(line, "id: ") &&
                span_int((Span){line.ptr + 4, line.len - 4}, 1, INT64_MAX, &number)) {
                listener->gap_nb += (u64)number != listener->last + 1;
                listener->last = (u64)number;
            } else if (span_starts(line, "data: ")) {
                text_add_bytes(&listener->lines, line.ptr + 6, line.len - 6);
                text_add(&listener->lines, "\n");
            }
        }
        drop_front(in, (size_t)(end - in->ptr) + 2);
    }
}

void listener_take(Listener *listener, const Address *to, int wait_ms)
{
    Wire *client = &listener->client;
    if (!client->socket.handle || client->is_over) {
        if (client->socket.handle)
            os_sleep_ms(10); // a browser waits too
        listener_connect(listener, to);
    }
    i64 until_ms = os_now_ms() + wait_ms;
    do
        while (wire_get(client))
            take_events(listener);
    while (!client->is_over && wire_wait(client, false, until_ms));
    take_events(listener);
}

bool listener_hears(Listener *listener, const Address *to, const char *words)
{
    i64 until_ms = os_now_ms() + patience_ms();
    while (!listener->lines.ptr || !strstr(listener->lines.ptr, words)) {
        if (os_now_ms() > until_ms)
            return false;
        listener_take(listener, to, 10);
    }
    return true;
}

int listener_send(const Listener *listener, const Address *to, const char *lines)
{
    char name[96];
    Reply reply;
    snprintf(name, sizeof name, "send?s=%s", listener->session);
    int status = ask_once(to, "POST", name, "", lines, &reply);
    reply_free(&reply);
    return status;
}

void listener_free(Listener *listener)
{
    wire_close(&listener->client);
    text_free(&listener->lines);
}
