// SPDX-License-Identifier: GPL-3.0-or-later
// The head of an HTTP request, read strictly: what is not plainly right is refused with a status, and nothing
// is guessed or mended. Of the protocol there is what a browser on the same machine needs: GET, HEAD and
// POST, bodies of a told length, connections that stay. Knows no socket, no route and no secret. Invariant:
// no length, count or number that comes from outside is used before it has been compared with its limit.
#ifndef TWOFOLD_WEB_HTTP_H
#define TWOFOLD_WEB_HTTP_H

#include "base/base.h"

enum {
    HTTP_TARGET_MAX = 1024,            // bytes of the request line but for the method and the version
    HTTP_LINE_MAX = 32 + 1024 + 16,    // of the request line
    HTTP_FIELD_MAX = 4096,             // of one header
    HTTP_FIELD_NB_MAX = 64,            // headers
    HTTP_HEAD_MAX = 16 << 10,          // of the whole head
    HTTP_BODY_MAX = (16 << 20) + 1024, // of a body: a request of the longest kind and its end of line
};

typedef enum HttpStatus {
    HTTP_MORE = 0, // it has not all come yet
    HTTP_OK = 200,
    HTTP_NO_CONTENT = 204,
    HTTP_MOVED = 308,
    HTTP_BAD_REQUEST = 400,
    HTTP_FORBIDDEN = 403,
    HTTP_NOT_FOUND = 404,
    HTTP_BAD_METHOD = 405,
    HTTP_TIMEOUT = 408,
    HTTP_NO_LENGTH = 411,
    HTTP_TOO_LARGE = 413,
    HTTP_LONG_TARGET = 414,
    HTTP_BAD_EXPECT = 417,
    HTTP_TOO_MANY = 429,
    HTTP_LONG_HEAD = 431,
    HTTP_BUSY = 503,
    HTTP_BAD_VERSION = 505,
} HttpStatus;
// "Bad Request" and the like.
const char *http_reason(HttpStatus status);

// How far a head has been looked through. Zero-initialised is not at all.
typedef struct HttpScan {
    size_t start; // of the request line, behind an empty line that may stand before it
    size_t at;    // bytes seen; of a whole head: its size
    size_t line;  // where the line it is in begins
    int line_nb;  // lines that have ended
} HttpScan;
// Goes on through the bytes of a connection, of which more come each time. HTTP_OK: they begin with a head of
// scan->at bytes; HTTP_MORE; or the status with which it is refused, as soon as that can be known.
HttpStatus http_scan(HttpScan *scan, Span bytes);

typedef enum HttpMethod { HTTP_OTHER, HTTP_GET, HTTP_HEAD, HTTP_POST } HttpMethod;

// The spans are parts of the head.
typedef struct HttpRequest {
    HttpMethod method;
    Span path, query;                        // what stands before and behind the first '?'
    Span host, origin, last_event;           // headers; ptr NULL: there is none
    Span fetch_site, fetch_mode, fetch_dest; // what a browser tells of where the request comes from
    Span length, coding, connection, expect; // headers this file itself understands
    i64 body_size;
    bool has_length;
    bool is_kept;          // the connection goes on after the answer
    bool expects_continue; // it waits to be told that its body is wanted
} HttpRequest;
// Reads a whole head, of which http_scan said so. HTTP_OK, or the status with which it is refused.
HttpStatus http_read(Span head, const HttpScan *scan, HttpRequest *request);
// The value of NAME in a query NAME=VALUE&NAME=VALUE, as it stands there; false when it is not there.
bool http_query(Span query, const char *name, Span *value);

#endif
