// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any bytes as what comes over a connection of the server. Read whole and in pieces the head
// must get the same verdict; what passes is within its limits, and every span of it within the head.
#define _GNU_SOURCE // memmem
#include "fuzz.h"

#include "web/serve_guard.h"

static bool is_within(Span part, Span whole)
{
    return !part.ptr || (part.ptr >= whole.ptr && part.ptr + part.len <= whole.ptr + whole.len);
}

static void check_request(Span head, const HttpRequest *request)
{
    const Span parts[] = {request->path,       request->query,      request->host,       request->origin,
                          request->last_event, request->fetch_site, request->fetch_mode, request->fetch_dest,
                          request->length,     request->coding,     request->connection, request->expect};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        require(is_within(parts[i], head));
    require(request->path.len > 0 && request->path.ptr[0] == '/');
    require(request->path.len + request->query.len <= HTTP_TARGET_MAX);
    require(request->body_size >= 0 && request->body_size <= HTTP_BODY_MAX);
    require(request->has_length || request->body_size == 0);
    require(!request->coding.ptr);

    ServeGuard guard = {.token = "0123456789abcdef0123456789abcdef", .port = 28064};
    Span name = {NULL, 0}, value = {NULL, 0};
    if (!guard_check(&guard, request, &name)) {
        require(is_within(name, request->path));
        require(memmem(request->path.ptr, request->path.len, guard.token, SECRET_TEXT - 1) != NULL);
        require(span_is_nocase(request->host, "127.0.0.1:28064") ||
                span_is_nocase(request->host, "localhost:28064"));
    }
    if (http_query(request->query, "s", &value))
        require(is_within(value, request->query));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    Span bytes = {(const char *)data, size};
    HttpScan whole = {0}, pieces = {0};
    HttpStatus status = http_scan(&whole, bytes), piecewise = HTTP_MORE;
    for (size_t len = 0; piecewise == HTTP_MORE && len <= size; len += 1 + len % 7)
        piecewise = http_scan(&pieces, (Span){bytes.ptr, len});
    if (piecewise == HTTP_MORE)
        piecewise = http_scan(&pieces, bytes);
    require(piecewise == status && pieces.at == whole.at && pieces.start == whole.start);
    require(whole.at <= HTTP_HEAD_MAX + 2 && whole.line_nb <= HTTP_FIELD_NB_MAX + 2);
    require(http_reason(status)[0] != '\0');
    if (status != HTTP_OK)
        return 0;
    HttpRequest request;
    Span head = {bytes.ptr, whole.at};
    status = http_read(head, &whole, &request);
    require(status == HTTP_OK || (status >= 400 && status < 600 && http_reason(status)[0]));
    if (status == HTTP_OK)
        check_request(head, &request);
    return 0;
}
