// SPDX-License-Identifier: GPL-3.0-or-later
// The states of a connection. An answer is made whole (its head, and a body that is copied or stays) before
// any of it is sent. After a refusal that leaves bytes unread the connection lingers: closed at once, the
// system would throw away the answer together with them.
#include "web/http_connection.h"

enum {
    READ_BYTES = 64 << 10,
    STREAM_AHEAD = 256 << 10, // how much of a stream may wait for its reader
    BEAT_MS = 15000,
    RETRY_MS = 1000,
    SPARE_BYTES = 64 << 10, // a buffer that has grown beyond is freed when it is empty
};

// Every answer has these: the page runs its own scripts and styles alone, talks to this server alone, is
// shown in no frame, tells no one its address, and may have threads.
static const char SECURITY[] =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: "
    "blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Embedder-Policy: require-corp\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cache-Control: no-store\r\n";

static void enter(Connection *connection, ConnectionState state, i64 now_ms)
{
    connection->state = state;
    connection->since_ms = now_ms;
}

static bool is_sending(const Connection *connection)
{
    return connection->out_at < connection->out.len || connection->rest_at < connection->rest_len;
}

void connection_open(Connection *connection, const ConnectionOwner *owner, Socket socket, i64 now_ms)
{
    *connection = (Connection){.owner = owner, .socket = socket, .opened_ms = now_ms, .moved_ms = now_ms};
    enter(connection, CONNECTION_HEAD, now_ms);
}

void connection_close(Connection *connection)
{
    os_socket_close(&connection->socket);
    text_free(&connection->in);
    text_free(&connection->out);
    connection->state = CONNECTION_OVER;
}

// ---- answers ------------------------------------------------------------------------------------
static void answer_head(Connection *connection, HttpStatus status, const char *extra)
{
    text_add(&connection->out, "HTTP/1.1 %d %s\r\n%s%s%s", status, http_reason(status), SECURITY, extra,
             connection->is_kept ? "" : "Connection: close\r\n");
    connection->state = CONNECTION_ANSWER;
}

static void answer_sized(Connection *connection, HttpStatus status, const char *type, size_t size,
                         const char *extra)
{
    answer_head(connection, status, extra);
    text_add(&connection->out, "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n", type, size);
}

void connection_refuse(Connection *connection, HttpStatus status, const char *why, const char *allow)
{
    char extra[64] = "", body[64 + MESSAGE_MAX];
    if (allow)
        snprintf(extra, sizeof extra, "Allow: %s\r\n", allow);
    int len = snprintf(body, sizeof body, "%d %s: %s\n", status, http_reason(status), why);
    size_t size = (size_t)min_int(len, (int)sizeof body - 1);
    if (connection->body_size > 0) // which is not going to be read
        connection->is_kept = false;
    answer_sized(connection, status, "text/plain; charset=utf-8", size, extra);
    if (!connection->is_head)
        text_add_bytes(&connection->out, body, size);
}

void connection_answer(Connection *connection, const char *type, Span text)
{
    answer_sized(connection, HTTP_OK, type, text.len, "");
    if (!connection->is_head)
        text_add_bytes(&connection->out, text.ptr, text.len);
}

void connection_answer_file(Connection *connection, const char *type, const u8 *bytes, size_t size)
{
    answer_sized(connection, HTTP_OK, type, size, "");
    connection->rest = bytes;
    connection->rest_len = connection->is_head ? 0 : size;
    connection->rest_at = 0;
}

void connection_answer_done(Connection *connection)
{
    answer_head(connection, HTTP_NO_CONTENT, "");
    text_add(&connection->out, "\r\n");
}

void connection_answer_moved(Connection *connection, const char *path)
{
    char extra[128];
    snprintf(extra, sizeof extra, "Location: %s\r\n", path);
    answer_sized(connection, HTTP_MOVED, "text/plain; charset=utf-8", 0, extra);
}

void connection_want_body(Connection *connection, const HttpRequest *request)
{
    connection->state = CONNECTION_BODY;
    if (request->expects_continue)
        text_add(&connection->out, "HTTP/1.1 100 Continue\r\n\r\n");
}

void connection_answer_stream(Connection *connection, Tab *tab, u64 after, bool is_browser)
{
    connection->is_kept = false; // it ends with the connection
    answer_head(connection, HTTP_OK, "");
    text_add(&connection->out, "Content-Type: text/event-stream\r\n\r\nretry: %d\n\n", RETRY_MS);
    connection->state = CONNECTION_STREAM;
    connection->tab = tab;
    connection->after = after;
    connection->is_browser = is_browser;
}

bool connection_pump(Connection *connection, i64 now_ms)
{
    size_t waiting = connection->out.len - connection->out_at;
    if (connection->state != CONNECTION_STREAM || waiting >= STREAM_AHEAD)
        return false;
    if (!waiting)
        connection->moved_ms = now_ms;
    bool has_more = tab_events(connection->tab, &connection->after, STREAM_AHEAD - waiting, &connection->out);
    if (!has_more && now_ms - connection->beat_ms >= BEAT_MS)
        text_add(&connection->out, ":\n\n");
    if (connection->out.len - connection->out_at > waiting)
        connection->beat_ms = now_ms;
    return has_more;
}

void connection_end_stream(Connection *connection, int retry_ms, i64 now_ms)
{
    if (retry_ms)
        text_add(&connection->out, "retry: %d\n\n", retry_ms);
    connection->tab = NULL;
    enter(connection, CONNECTION_ANSWER, now_ms);
}

// ---- bytes in -----------------------------------------------------------------------------------
// Throws away the first bytes of what has come.
static void drop_input(Connection *connection, size_t used)
{
    Text *in = &connection->in;
    in->len -= used;
    if (in->len == 0 && in->capacity > SPARE_BYTES) {
        text_free(in);
    } else if (in->ptr) {
        memmove(in->ptr, in->ptr + used, in->len);
        in->ptr[in->len] = '\0';
    }
}

static void refuse_head(Connection *connection, HttpStatus status, const char *why)
{
    connection->is_kept = connection->is_head = false;
    connection->owner->refused(connection->owner->context, status, why);
    connection_refuse(connection, status, why, NULL);
}

// A whole head has come: asks the owner.
static void take_head(Connection *connection, i64 now_ms)
{
    HttpRequest request;
    Span head = {connection->in.ptr, connection->scan.at};
    HttpStatus status = http_read(head, &connection->scan, &request);
    connection->since_ms = now_ms;
    if (status == HTTP_OK) {
        connection->is_kept = request.is_kept;
        connection->is_head = request.method == HTTP_HEAD;
        connection->body_size = (size_t)request.body_size;
        connection->owner->request(connection->owner->context, connection, &request);
        assert(connection->state != CONNECTION_HEAD);
    } else {
        connection->body_size = 0;
        refuse_head(connection, status, "the head of the request is not what this server reads");
    }
    drop_input(connection, head.len);
    connection->scan = (HttpScan){0};
}

// Does what the bytes that are there allow; false when more are needed or an answer must be sent first.
static bool take_input(Connection *connection, i64 now_ms)
{
    Span bytes = text_span(&connection->in);
    if (connection->state == CONNECTION_HEAD && bytes.len) {
        HttpStatus status = http_scan(&connection->scan, bytes);
        if (status == HTTP_OK)
            take_head(connection, now_ms);
        else if (status != HTTP_MORE)
            refuse_head(connection, status, "the request is malformed or too long");
        return status != HTTP_MORE;
    }
    if (connection->state == CONNECTION_BODY && bytes.len >= connection->body_size) {
        connection->owner->body(connection->owner->context, connection,
                                (Span){bytes.ptr, connection->body_size});
        assert(connection->state == CONNECTION_ANSWER);
        drop_input(connection, connection->body_size);
        connection->body_size = 0;
        return true;
    }
    return false;
}

// How many bytes are of use now; 0: none are read.
static size_t wanted_bytes(const Connection *connection)
{
    size_t len = connection->in.len;
    switch (connection->state) {
    case CONNECTION_HEAD: return HTTP_HEAD_MAX + 2 - len;
    case CONNECTION_BODY: return connection->body_size - len;
    case CONNECTION_STREAM:
    case CONNECTION_LINGER: return READ_BYTES; // only to see the end
    default: return 0;
    }
}

// Reads one time; false when nothing came.
static bool read_some(Connection *connection, i64 now_ms)
{
    char buffer[READ_BYTES];
    size_t wanted = wanted_bytes(connection);
    int got =
        wanted ? os_socket_read(&connection->socket, buffer, wanted < sizeof buffer ? wanted : sizeof buffer)
               : 0;
    if (got == 0)
        return false;
    // A page that listens to a stream has nothing more to say on that connection.
    if (got < 0 || connection->state == CONNECTION_STREAM) {
        enter(connection, CONNECTION_OVER, now_ms);
        return false;
    }
    if (connection->state == CONNECTION_LINGER)
        return true;
    if (connection->state == CONNECTION_HEAD && connection->in.len == 0)
        connection->since_ms = now_ms;
    text_add_bytes(&connection->in, buffer, (size_t)got);
    if (connection->in.failed)
        enter(connection, CONNECTION_OVER, now_ms);
    return !connection->in.failed;
}

// ---- bytes out ----------------------------------------------------------------------------------
// Sends what is taken; false when the other side is gone.
static bool write_some(Connection *connection, i64 now_ms)
{
    while (is_sending(connection)) {
        bool is_rest = connection->out_at == connection->out.len;
        int put = is_rest ? os_socket_write(&connection->socket, connection->rest + connection->rest_at,
                                            connection->rest_len - connection->rest_at)
                          : os_socket_write(&connection->socket, connection->out.ptr + connection->out_at,
                                            connection->out.len - connection->out_at);
        if (put <= 0)
            return put == 0;
        *(is_rest ? &connection->rest_at : &connection->out_at) += (size_t)put;
        connection->moved_ms = now_ms;
    }
    connection->rest_len = connection->rest_at = connection->out_at = 0;
    if (connection->out.capacity > SPARE_BYTES)
        text_free(&connection->out);
    else
        text_clear(&connection->out);
    connection->moved_ms = now_ms;
    return true;
}

// The answer has been taken: what now?
static void answer_taken(Connection *connection, i64 now_ms)
{
    if (connection->is_kept) {
        enter(connection, CONNECTION_HEAD, now_ms);
        return;
    }
    os_socket_finish(&connection->socket);
    text_free(&connection->in);
    enter(connection, CONNECTION_LINGER, now_ms);
}

void connection_advance(Connection *connection, i64 now_ms)
{
    enum { READS = 16 }; // then it is the others' turn; what was read is worked off before
    if (!is_sending(connection))
        connection->moved_ms = now_ms;
    for (int reads = 0; connection->state != CONNECTION_OVER;) {
        bool moved = take_input(connection, now_ms);
        if (connection->out.failed || !write_some(connection, now_ms)) {
            enter(connection, CONNECTION_OVER, now_ms);
            return;
        }
        if (connection->state == CONNECTION_ANSWER && !is_sending(connection)) {
            answer_taken(connection, now_ms);
            moved = true;
        }
        if (!moved && (reads++ == READS || !read_some(connection, now_ms)))
            return;
    }
}

void connection_watch(const Connection *connection, SocketWatch *watch)
{
    *watch = (SocketWatch){.socket = connection->socket,
                           .wants_read = wanted_bytes(connection) > 0,
                           .wants_write = is_sending(connection)};
}

// ---- time ---------------------------------------------------------------------------------------
void connection_check_time(Connection *connection, i64 now_ms)
{
    const Patience *patience = &connection->owner->patience;
    i64 in_state_ms = now_ms - connection->since_ms;
    bool is_late = false;
    switch (connection->state) {
    case CONNECTION_HEAD:
        is_late = in_state_ms >= (connection->in.len ? patience->head_ms : patience->idle_ms);
        break;
    case CONNECTION_BODY: is_late = in_state_ms >= patience->body_ms; break;
    case CONNECTION_LINGER: is_late = in_state_ms >= patience->linger_ms; break;
    case CONNECTION_ANSWER:
    case CONNECTION_STREAM:
    case CONNECTION_OVER: break;
    }
    bool is_stuck = is_sending(connection) && now_ms - connection->moved_ms >= patience->write_ms;
    if (!is_late && !is_stuck)
        return;
    bool has_begun = connection->state == CONNECTION_BODY ||
                     (connection->state == CONNECTION_HEAD && connection->in.len > 0);
    if (!has_begun || is_stuck) {
        enter(connection, CONNECTION_OVER, now_ms);
        return;
    }
    enter(connection, CONNECTION_ANSWER, now_ms);
    refuse_head(connection, HTTP_TIMEOUT, "the request took too long to come");
    connection_advance(connection, now_ms);
}
