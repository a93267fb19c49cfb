// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of HTTP heads: what it takes, what it refuses and with which status, that every limit is where
// it is said to be, and that it does not matter in which pieces a head comes.
#include <stdlib.h>

#include "test.h"
#include "web/serve_guard.h"

#define HOST "Host: 127.0.0.1:28064\r\n"

// Reads a head that comes in one piece.
static HttpStatus read_head(Span bytes, HttpScan *scan, HttpRequest *request)
{
    *scan = (HttpScan){0};
    HttpStatus status = http_scan(scan, bytes);
    return status == HTTP_OK ? http_read((Span){bytes.ptr, scan->at}, scan, request) : status;
}

static HttpStatus status_of(const char *text)
{
    HttpScan scan;
    HttpRequest request;
    return read_head(span_of(text), &scan, &request);
}

static void check_good(void)
{
    CASE("http: a request of a browser");
    static const char TEXT[] = "GET /0123/events?s=ab&after=7 HTTP/1.1\r\n"
                               "host:127.0.0.1:28064\r\n"
                               "Accept: */*\r\n"
                               "LAST-EVENT-ID: \t 12 \r\n"
                               "Origin: http://127.0.0.1:28064\r\n"
                               "X-Name: caf\xc3\xa9\r\n"
                               "Sec-Fetch-Site: same-origin\r\n"
                               "Connection: keep-alive\r\n\r\nrest";
    HttpScan scan;
    HttpRequest request;
    CHECK_INT(read_head(span_of(TEXT), &scan, &request), HTTP_OK);
    CHECK_INT(scan.at, sizeof TEXT - 1 - 4);
    CHECK_INT(request.method, HTTP_GET);
    CHECK(span_is(request.path, "/0123/events"));
    CHECK(span_is(request.query, "s=ab&after=7"));
    CHECK(span_is(request.host, "127.0.0.1:28064"));
    CHECK(span_is(request.last_event, "12"));
    CHECK(span_is(request.origin, "http://127.0.0.1:28064"));
    CHECK(request.is_kept && !request.has_length && !request.expects_continue);
    Span value;
    CHECK(http_query(request.query, "after", &value) && span_is(value, "7"));
    CHECK(http_query(request.query, "s", &value) && span_is(value, "ab"));
    CHECK(!http_query(request.query, "a", &value));

    CASE("http: bodies and connections");
    CHECK_INT(
        read_head(span_of("\r\nPOST / HTTP/1.1\r\n" HOST "Content-Length: 0012\r\nConnection: x, Close\r\n"
                          "Expect: 100-Continue\r\n\r\n"),
                  &scan, &request),
        HTTP_OK);
    CHECK_INT(request.method, HTTP_POST);
    CHECK_INT(request.body_size, 12);
    CHECK(request.has_length && !request.is_kept && request.expects_continue);
    CHECK_INT(read_head(span_of("HEAD / HTTP/1.0\r\n\r\n"), &scan, &request), HTTP_OK);
    CHECK(request.method == HTTP_HEAD && !request.is_kept && !request.host.ptr);
    CHECK_INT(read_head(span_of("BREW /?a=b?c HTTP/1.1\r\n" HOST "\r\n"), &scan, &request), HTTP_OK);
    CHECK(request.method == HTTP_OTHER && span_is(request.query, "a=b?c"));
}

static void check_bad(void)
{
    static const struct {
        const char *text;
        HttpStatus status;
    } BAD[] = {
        {"GET / HTTP/1.1\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/1.1\r\nHost: a\n\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/1.1\r" HOST "\r\n", HTTP_BAD_REQUEST},
        {"\r\n\r\nGET / HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET  / HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/1.1 \r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {" GET / HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET /\tHTTP/1.1\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET /\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"G(T / HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET http://127.0.0.1/ HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"OPTIONS * HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET /a#b HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET /a\\b HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET /a\"b HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET /caf\xc3\xa9 HTTP/1.1\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET / http/1.1\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/11\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/1.\r\n" HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/1.1\r\n\r\n", HTTP_BAD_REQUEST}, // no host
        {"GET / HTTP/1.1\r\n" HOST HOST "\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/1.1\r\n" HOST "Origin: a\r\norigin: a\r\n\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/1.1\r\n" HOST " folded\r\n\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/1.1\r\n" HOST "Name : value\r\n\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/1.1\r\n" HOST "no colon\r\n\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/1.1\r\n" HOST ": value\r\n\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/1.1\r\n" HOST "A: b\x01\r\n\r\n", HTTP_BAD_REQUEST},
        {"GET / HTTP/1.1\r\n" HOST "A: b\x7f\r\n\r\n", HTTP_BAD_REQUEST},
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: \r\n\r\n", HTTP_BAD_REQUEST},
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: -1\r\n\r\n", HTTP_BAD_REQUEST},
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: +1\r\n\r\n", HTTP_BAD_REQUEST},
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: 1, 1\r\n\r\n", HTTP_BAD_REQUEST},
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: 0x10\r\n\r\n", HTTP_BAD_REQUEST},
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", HTTP_BAD_REQUEST},
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
         HTTP_BAD_REQUEST},
        {"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n", HTTP_NO_LENGTH},
        {"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: identity\r\n\r\n", HTTP_NO_LENGTH},
        {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", HTTP_BAD_REQUEST},
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: 16778241\r\n\r\n", HTTP_TOO_LARGE},
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: 99999999999999999999999\r\n\r\n", HTTP_TOO_LARGE},
        {"POST / HTTP/1.1\r\n" HOST "Expect: a miracle\r\n\r\n", HTTP_BAD_EXPECT},
        {"GET / HTTP/2.0\r\n" HOST "\r\n", HTTP_BAD_VERSION},
        {"GET / HTTP/0.9\r\n" HOST "\r\n", HTTP_BAD_VERSION},
        {"GET / HTTP/1.2\r\n" HOST "\r\n", HTTP_BAD_VERSION},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", HTTP_BAD_VERSION},
        {"\x16\x03\x01\x02", HTTP_BAD_REQUEST}, // the beginning of TLS, refused at its first byte
        {"GET / HTTP/1.1\r\n" HOST, HTTP_MORE},
        {"GET / HTTP/1.1\r\n" HOST "\r", HTTP_MORE},
        {"", HTTP_MORE},
    };
    CASE("http: what is not plainly right is refused");
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        HttpStatus status = status_of(BAD[i].text);
        CHECK_THAT(status == BAD[i].status, "%d, expected %d: %s", status, BAD[i].status, BAD[i].text);
    }
    CASE("http: a NUL is refused");
    static const char NUL[] = "GET / HTTP/1.1\r\n" HOST "A: \0\r\n\r\n";
    HttpScan scan;
    HttpRequest request;
    CHECK_INT(read_head((Span){NUL, sizeof NUL - 1}, &scan, &request), HTTP_BAD_REQUEST);
}

// A head with a target, a header value and a number of headers of these sizes.
static HttpStatus status_of_size(int target, int value, int fields)
{
    Text text = {0};
    HttpScan scan;
    HttpRequest request;
    text_add(&text, "GET /%*s HTTP/1.1\r\n" HOST, target - 1, "");
    memset(text.ptr + 5, 'a', (size_t)target - 1);
    size_t from = text.len + 3;
    text_add(&text, "A: %*s\r\n", value, "");
    memset(text.ptr + from, 'b', (size_t)value);
    for (int i = 2; i < fields; i++)
        text_add(&text, "F%d: x\r\n", i);
    text_add(&text, "\r\n");
    HttpStatus status = read_head(text_span(&text), &scan, &request);
    text_free(&text);
    return status;
}

static void check_limits(void)
{
    CASE("http: limits on every length");
    CHECK_INT(status_of_size(HTTP_TARGET_MAX, 1, 2), HTTP_OK);
    CHECK_INT(status_of_size(HTTP_TARGET_MAX + 1, 1, 2), HTTP_LONG_TARGET);
    CHECK_INT(status_of_size(HTTP_LINE_MAX + 100, 1, 2), HTTP_LONG_TARGET);
    CHECK_INT(status_of_size(10, HTTP_FIELD_MAX - 3, 2), HTTP_OK);
    CHECK_INT(status_of_size(10, HTTP_FIELD_MAX - 2, 2), HTTP_LONG_HEAD);
    CHECK_INT(status_of_size(10, 10, HTTP_FIELD_NB_MAX), HTTP_OK);
    CHECK_INT(status_of_size(10, 10, HTTP_FIELD_NB_MAX + 1), HTTP_LONG_HEAD);

    CASE("http: a head that never ends is refused at its limit");
    Text text = {0};
    HttpScan scan = {0};
    HttpStatus status = HTTP_MORE;
    text_add(&text, "GET / HTTP/1.1\r\n" HOST);
    for (int i = 0; status == HTTP_MORE && text.len < 4 * HTTP_HEAD_MAX; i++) {
        text_add(&text, "F%d: %01000d\r\n", i, 0);
        status = http_scan(&scan, text_span(&text));
    }
    CHECK_INT(status, HTTP_LONG_HEAD);
    CHECK(scan.at <= HTTP_HEAD_MAX);
    text_free(&text);
    CHECK_INT(HTTP_BODY_MAX, 16778240);
}

static void check_pieces(void)
{
    CASE("http: byte by byte is the same");
    static const char TEXT[] = "\r\nPOST /a?b HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhello";
    HttpScan scan = {0};
    for (size_t len = 0; len < sizeof TEXT - 1; len++) {
        // A copy of its own size: a sanitizer sees who reads beyond it.
        char *copy = malloc(len + 1);
        memcpy(copy, TEXT, len);
        HttpStatus status = http_scan(&scan, (Span){copy, len});
        CHECK_INT(status, len < sizeof TEXT - 1 - 5 ? HTTP_MORE : HTTP_OK);
        free(copy);
        if (status == HTTP_OK)
            break;
    }
    CHECK_INT(scan.at, sizeof TEXT - 1 - 5);
}

// ---- the guard ----------------------------------------------------------------------------------
static const char TOKEN[] = "0123456789abcdef0123456789abcdef";

// Does a request with this line and these headers pass?
static bool passes(int port, const char *path, const char *headers)
{
    ServeGuard guard = {.port = port};
    Text text = {0};
    HttpScan scan;
    HttpRequest request;
    Span name;
    snprintf(guard.token, sizeof guard.token, "%s", TOKEN);
    text_add(&text, "GET %s HTTP/1.1\r\n%s\r\n", path, headers);
    CHECK_INT(read_head(text_span(&text), &scan, &request), HTTP_OK);
    bool ok = guard_check(&guard, &request, &name) == NULL;
    text_free(&text);
    return ok;
}

static void check_guard(void)
{
    static const char PATH[] = "/0123456789abcdef0123456789abcdef/";
    CASE("guard: the right host, origin and token pass");
    CHECK(passes(28064, PATH, HOST));
    CHECK(passes(28064, PATH, "Host: LocalHost:28064\r\n"));
    CHECK(passes(80, PATH, "Host: localhost\r\n"));
    CHECK(passes(28064, PATH, HOST "Origin: http://127.0.0.1:28064\r\nSec-Fetch-Site: same-origin\r\n"));
    CHECK(passes(28064, PATH, HOST "Sec-Fetch-Site: none\r\n"));
    CHECK(passes(28064, PATH,
                 HOST
                 "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"));
    CHECK(passes(28064, "/0123456789abcdef0123456789abcdef", HOST));

    CASE("guard: other names for this machine are others' pages");
    static const char *const HOSTS[] = {
        "127.0.0.1",        "127.0.0.1:28065",     "127.0.0.2:28064",    "",
        "evil.example",     "0.0.0.0:28064",       "[::1]:28064",        "127.1:28064",
        "localhost.:28064", "a.localhost:28064",   "127.0.0.1:28064:80", "2130706433:28064",
        "127.0.0.1:028064", "evil@127.0.0.1:28064"};
    for (size_t i = 0; i < sizeof HOSTS / sizeof HOSTS[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "Host: %s\r\n", HOSTS[i]);
        CHECK_THAT(!passes(28064, PATH, line), "%s", line);
    }

    CASE("guard: no other origin");
    static const char *const ORIGINS[] = {"null",
                                          "",
                                          "http://evil.example",
                                          "https://127.0.0.1:28064",
                                          "http://127.0.0.1",
                                          "http://127.0.0.1:28065",
                                          "http://localhost:28064", // not the host it is sent to
                                          "http://127.0.0.1:28064.evil.example",
                                          "http://127.0.0.1:28064/",
                                          "127.0.0.1:28064",
                                          "file://"};
    for (size_t i = 0; i < sizeof ORIGINS / sizeof ORIGINS[0]; i++) {
        char lines[128];
        snprintf(lines, sizeof lines, HOST "Origin: %s\r\n", ORIGINS[i]);
        CHECK_THAT(!passes(28064, PATH, lines), "%s", lines);
    }
    CHECK(!passes(28064, PATH, HOST "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"));
    CHECK(!passes(28064, PATH, HOST "Sec-Fetch-Site: same-site\r\n"));
    CHECK(!passes(28064, PATH,
                  HOST
                  "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n"));

    CASE("guard: no other token");
    static const char *const PATHS[] = {"/",
                                        "//",
                                        "/favicon.ico",
                                        "/0123456789abcdef0123456789abcde/",
                                        "/0123456789abcdef0123456789abcdef0/",
                                        "/0123456789ABCDEF0123456789abcdef/",
                                        "/1123456789abcdef0123456789abcdef/",
                                        "/0123456789abcdef0123456789abcdee/",
                                        "//0123456789abcdef0123456789abcdef/",
                                        "/x/../0123456789abcdef0123456789abcdef/",
                                        "/%30123456789abcdef0123456789abcdef/"};
    for (size_t i = 0; i < sizeof PATHS / sizeof PATHS[0]; i++)
        CHECK_THAT(!passes(28064, PATHS[i], HOST), "%s", PATHS[i]);

    CASE("guard: secrets differ");
    char a[SECRET_TEXT], b[SECRET_TEXT];
    Message error;
    CHECK(guard_secret(a, &error) && guard_secret(b, &error));
    CHECK(strlen(a) == 32 && strspn(a, "0123456789abcdef") == 32 && strcmp(a, b) != 0);
    CHECK(guard_is_secret(span_of(a), a) && !guard_is_secret(span_of(a), b) &&
          !guard_is_secret(span_of(""), a));
}

void test_http(void)
{
    check_good();
    check_bad();
    check_limits();
    check_pieces();
    check_guard();
}
