// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of request heads: first a walk over the bytes that finds the end, the line ends and every byte
// that may not be there, resumed where it stopped; then the lines themselves. What the first has seen the
// second relies on.
#include "web/http.h"

const char *http_reason(HttpStatus status)
{
    switch (status) {
    case HTTP_MORE: return "Continue";
    case HTTP_OK: return "OK";
    case HTTP_NO_CONTENT: return "No Content";
    case HTTP_MOVED: return "Permanent Redirect";
    case HTTP_BAD_REQUEST: return "Bad Request";
    case HTTP_FORBIDDEN: return "Forbidden";
    case HTTP_NOT_FOUND: return "Not Found";
    case HTTP_BAD_METHOD: return "Method Not Allowed";
    case HTTP_TIMEOUT: return "Request Timeout";
    case HTTP_NO_LENGTH: return "Length Required";
    case HTTP_TOO_LARGE: return "Content Too Large";
    case HTTP_LONG_TARGET: return "URI Too Long";
    case HTTP_BAD_EXPECT: return "Expectation Failed";
    case HTTP_TOO_MANY: return "Too Many Requests";
    case HTTP_LONG_HEAD: return "Request Header Fields Too Large";
    case HTTP_BUSY: return "Service Unavailable";
    case HTTP_BAD_VERSION: return "HTTP Version Not Supported";
    }
    return "";
}

// ---- the walk -----------------------------------------------------------------------------------
// May the byte stand in a line? The request line is plain ASCII without a tab.
static bool is_line_byte(u8 c, bool is_first)
{
    if (is_first)
        return c >= 0x20 && c < 0x7f;
    return (c >= 0x20 && c != 0x7f) || c == '\t';
}

// A line has ended at scan->at.
static HttpStatus scan_line_end(HttpScan *scan)
{
    bool is_empty = scan->at == scan->line;
    scan->line = scan->at += 2;
    if (is_empty && scan->line_nb > 0)
        return HTTP_OK;
    if (is_empty) { // one may stand before the request: some clients end a body with it
        if (scan->start > 0)
            return HTTP_BAD_REQUEST;
        scan->start = scan->at;
        return HTTP_MORE;
    }
    return ++scan->line_nb > 1 + HTTP_FIELD_NB_MAX ? HTTP_LONG_HEAD : HTTP_MORE;
}

HttpStatus http_scan(HttpScan *scan, Span bytes)
{
    while (scan->at < bytes.len) {
        u8 c = (u8)bytes.ptr[scan->at];
        bool is_first = scan->line_nb == 0;
        if (scan->at >= HTTP_HEAD_MAX)
            return HTTP_LONG_HEAD;
        if (c == '\r') {
            if (scan->at + 1 == bytes.len)
                return HTTP_MORE;
            if (bytes.ptr[scan->at + 1] != '\n')
                return HTTP_BAD_REQUEST;
            HttpStatus status = scan_line_end(scan);
            if (status != HTTP_MORE)
                return status;
            continue;
        }
        if (!is_line_byte(c, is_first))
            return HTTP_BAD_REQUEST;
        if (scan->at - scan->line >= (is_first ? (size_t)HTTP_LINE_MAX : (size_t)HTTP_FIELD_MAX))
            return is_first ? HTTP_LONG_TARGET : HTTP_LONG_HEAD;
        scan->at++;
    }
    return HTTP_MORE;
}

// ---- the request line ---------------------------------------------------------------------------
static bool is_alnum(u8 c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A method or the name of a header.
static bool is_token(Span s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!is_alnum((u8)s.ptr[i]) && !strchr("!#$%&'*+-.^_`|~", s.ptr[i]))
            return false;
    return s.len > 0;
}

// A path of this machine, with or without a query. Nothing is decoded: no name here needs it.
static bool is_target(Span s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!is_alnum((u8)s.ptr[i]) && !strchr("/-_.~!$&'()*+,;=:@%?", s.ptr[i]))
            return false;
    return s.len > 0 && s.ptr[0] == '/';
}

// Takes the text before the next separator off the front; all of it when there is none.
static Span take_until(Span *rest, char separator)
{
    const char *end = rest->len ? memchr(rest->ptr, separator, rest->len) : NULL;
    Span part = {rest->ptr, end ? (size_t)(end - rest->ptr) : rest->len};
    size_t used = part.len + (end ? 1 : 0);
    *rest = (Span){rest->ptr + used, rest->len - used};
    return part;
}

static HttpStatus read_version(Span version, HttpRequest *request)
{
    request->is_kept = span_is(version, "HTTP/1.1");
    if (request->is_kept || span_is(version, "HTTP/1.0"))
        return HTTP_OK;
    bool is_other = version.len == 8 && span_starts(version, "HTTP/") && version.ptr[5] >= '0' &&
                    version.ptr[5] <= '9' && version.ptr[6] == '.' && version.ptr[7] >= '0' &&
                    version.ptr[7] <= '9';
    return is_other ? HTTP_BAD_VERSION : HTTP_BAD_REQUEST;
}

static HttpStatus read_request_line(Span line, HttpRequest *request)
{
    Span method = take_until(&line, ' '), target = take_until(&line, ' ');
    HttpStatus status = read_version(line, request);
    if (!is_token(method))
        return HTTP_BAD_REQUEST;
    if (target.len > HTTP_TARGET_MAX)
        return HTTP_LONG_TARGET;
    if (status != HTTP_OK)
        return status;
    if (!is_target(target))
        return HTTP_BAD_REQUEST;
    request->method = span_is(method, "GET")    ? HTTP_GET
                      : span_is(method, "HEAD") ? HTTP_HEAD
                      : span_is(method, "POST") ? HTTP_POST
                                                : HTTP_OTHER;
    request->path = take_until(&target, '?');
    request->query = target;
    return HTTP_OK;
}

// ---- headers ------------------------------------------------------------------------------------
// Where the value of a header is kept; NULL: nobody asks for it.
static Span *field_of(HttpRequest *request, Span name)
{
    const struct {
        const char *name;
        Span *value;
    } FIELDS[] = {
        {"host", &request->host},
        {"origin", &request->origin},
        {"content-length", &request->length},
        {"transfer-encoding", &request->coding},
        {"connection", &request->connection},
        {"expect", &request->expect},
        {"last-event-id", &request->last_event},
        {"sec-fetch-site", &request->fetch_site},
        {"sec-fetch-mode", &request->fetch_mode},
        {"sec-fetch-dest", &request->fetch_dest},
    };
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++)
        if (span_is_nocase(name, FIELDS[i].name))
            return FIELDS[i].value;
    return NULL;
}

// One line of the head. What is asked for may stand there one time only: of two values each reader would take
// another.
static HttpStatus read_field(Span line, HttpRequest *request)
{
    const char *colon = memchr(line.ptr, ':', line.len);
    Span name = {line.ptr, colon ? (size_t)(colon - line.ptr) : 0};
    if (!is_token(name)) // also a line that goes on from the one before, and a blank before the colon
        return HTTP_BAD_REQUEST;
    Span *value = field_of(request, name);
    if (!value)
        return HTTP_OK;
    if (value->ptr)
        return HTTP_BAD_REQUEST;
    *value = span_trim((Span){colon + 1, line.len - name.len - 1});
    return HTTP_OK;
}

// Does a list with commas have the word?
static bool list_has(Span list, const char *word)
{
    while (list.len)
        if (span_is_nocase(span_trim(take_until(&list, ',')), word))
            return true;
    return false;
}

// The body: of a told length or none at all.
static HttpStatus read_length(HttpRequest *request)
{
    if (request->coding.ptr)
        return request->length.ptr || !request->is_kept ? HTTP_BAD_REQUEST : HTTP_NO_LENGTH;
    if (!request->length.ptr)
        return HTTP_OK;
    Span s = request->length;
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return HTTP_BAD_REQUEST;
    if (s.len == 0)
        return HTTP_BAD_REQUEST;
    while (s.len > 1 && s.ptr[0] == '0')
        s = (Span){s.ptr + 1, s.len - 1};
    if (!span_int(s, 0, HTTP_BODY_MAX, &request->body_size))
        return HTTP_TOO_LARGE;
    request->has_length = true;
    return HTTP_OK;
}

HttpStatus http_read(Span head, const HttpScan *scan, HttpRequest *request)
{
    *request = (HttpRequest){0};
    Span rest = {head.ptr + scan->start, head.len - scan->start}, line;
    span_line(&rest, &line);
    HttpStatus status = read_request_line(line, request);
    bool is_new = request->is_kept; // HTTP/1.1
    while (status == HTTP_OK && span_line(&rest, &line) && line.len)
        status = read_field(line, request);
    if (status == HTTP_OK && is_new && !request->host.ptr)
        status = HTTP_BAD_REQUEST;
    if (status == HTTP_OK)
        status = read_length(request);
    if (status != HTTP_OK)
        return status;
    if (list_has(request->connection, "close"))
        request->is_kept = false;
    request->expects_continue = is_new && span_is_nocase(request->expect, "100-continue");
    return request->expect.ptr && is_new && !request->expects_continue ? HTTP_BAD_EXPECT : HTTP_OK;
}

bool http_query(Span query, const char *name, Span *value)
{
    while (query.len) {
        Span pair = take_until(&query, '&'), key = take_until(&pair, '=');
        if (span_is(key, name)) {
            *value = pair;
            return true;
        }
    }
    return false;
}
