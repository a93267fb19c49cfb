// SPDX-License-Identifier: GPL-3.0-or-later
// The server over real sockets: its routes, what it refuses and how, connections that stay, clients that are
// slow, many or mad. A server runs in a thread of its own; tests/web_server.h is its client.
#include <stdlib.h>

#include "page/assets.h"
#include "web_server.h"

// ---- routes -------------------------------------------------------------------------------------
static void check_security(const Reply *reply, const char *what)
{
    static const char *const HEADERS[][2] = {
        {"Referrer-Policy", "no-referrer"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Cache-Control", "no-store"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Embedder-Policy", "require-corp"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    };
    for (size_t i = 0; i < sizeof HEADERS / sizeof HEADERS[0]; i++)
        CHECK_THAT(strcmp(reply_header(reply, HEADERS[i][0]), HEADERS[i][1]) == 0, "%s: %s is '%s'", what,
                   HEADERS[i][0], reply_header(reply, HEADERS[i][0]));
    const char *policy = reply_header(reply, "Content-Security-Policy");
    CHECK(strstr(policy, "default-src 'none'") && strstr(policy, "script-src 'self'") &&
          strstr(policy, "frame-ancestors 'none'"));
    CHECK(!strstr(policy, "unsafe") && !strstr(policy, "*"));
    CHECK(reply_header(reply, "Access-Control-Allow-Origin")[0] == '\0');
}

// The status of a request, whose answer has all security headers.
static int status_of(const TestServer *test, const char *method, const char *name, const char *headers,
                     const char *body)
{
    Reply reply;
    int status = ask_once(&test->address, method, name, headers, body, &reply);
    check_security(&reply, name);
    if (status == 405)
        CHECK(reply_header(&reply, "Allow")[0] != '\0');
    reply_free(&reply);
    return status;
}

static void check_page(const TestServer *test)
{
    Reply reply;
    CASE("serve: the page and its files are those of the program");
    CHECK_INT(ask_once(&test->address, "GET", "", "", NULL, &reply), 200);
    CHECK_TEXT(reply_header(&reply, "Content-Type"), "text/html; charset=utf-8");
    check_security(&reply, "the page");
    CHECK(reply.body.ptr && strstr(reply.body.ptr, "<html"));
    reply_free(&reply);
    int nb = 0;
    for (const PageFile *file; (file = page_file_at(nb)); nb++) {
        CHECK_INT(ask_once(&test->address, "GET", file->name, "", NULL, &reply), 200);
        CHECK_TEXT(reply_header(&reply, "Content-Type"), file->type);
        CHECK_THAT(reply.body.len == file->size && memcmp(reply.body.ptr, file->bytes, file->size) == 0,
                   "%s has %zu bytes, not %zu", file->name, reply.body.len, file->size);
        reply_free(&reply);
        CHECK_INT(ask_once(&test->address, "HEAD", file->name, "", NULL, &reply), 200);
        CHECK_INT(reply.body.len, 0);
        reply_free(&reply);
    }
    CHECK(nb > 0 && page_file(span_of("index.html")) && !page_file(span_of("assets.c")));

    CASE("serve: without its slash the address leads to the page");
    Wire client;
    if (wire_open(&client, &test->address)) {
        Text text = {0};
        text_add(&text, "GET /%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", test->server.guard.token,
                 test->server.guard.port);
        wire_put(&client, text.ptr, text.len);
        reply = (Reply){0};
        CHECK_INT(wire_reply(&client, &reply, false), 308);
        CHECK(strstr(reply_header(&reply, "Location"), test->server.guard.token) != NULL);
        reply_free(&reply);
        text_free(&text);
        wire_close(&client);
    }

    CASE("serve: nothing of the disk");
    static const char *const NAMES[] = {"../",
                                        "..",
                                        "../../etc/passwd",
                                        "%2e%2e/etc/passwd",
                                        "/etc/passwd",
                                        "assets.c",
                                        "Makefile",
                                        "index.html/",
                                        "index.html%00",
                                        "./index.html",
                                        "INDEX.HTML",
                                        "nets",
                                        "session/",
                                        "send/x",
                                        ".",
                                        "index.html~",
                                        "files.c",
                                        "src/page/app.js",
                                        "?",
                                        "none"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        int expected = strcmp(NAMES[i], "?") == 0 ? 200 : 404;
        CHECK_THAT(status_of(test, "GET", NAMES[i], "", NULL) == expected, "%s", NAMES[i]);
    }
}

static void check_statuses(const TestServer *test)
{
    static const char FAKE[] = "0123456789abcdef0123456789abcdef";
    char send[64], close[64], events[64];
    snprintf(send, sizeof send, "send?s=%s", FAKE);
    snprintf(close, sizeof close, "close?s=%s", FAKE);
    snprintf(events, sizeof events, "events?s=%s", FAKE);
    CASE("serve: methods");
    CHECK_INT(status_of(test, "POST", "", "", ""), 405);
    CHECK_INT(status_of(test, "DELETE", "", "", NULL), 405);
    CHECK_INT(status_of(test, "OPTIONS", "send", "", NULL), 405);
    CHECK_INT(status_of(test, "GET", "session", "", NULL), 405);
    CHECK_INT(status_of(test, "GET", send, "", NULL), 405);
    CHECK_INT(status_of(test, "POST", events, "", ""), 405);
    CHECK_INT(status_of(test, "PUT", "index.html", "", "x"), 405);

    CASE("serve: sessions that are none");
    CHECK_INT(status_of(test, "POST", send, "", "{}"), 404);
    CHECK_INT(status_of(test, "POST", close, "", ""), 404);
    CHECK_INT(status_of(test, "GET", events, "", NULL), 404);
    CHECK_INT(status_of(test, "POST", "send", "", "{}"), 404);
    CHECK_INT(status_of(test, "POST", "send?s=", "", "{}"), 404);
    CHECK_INT(status_of(test, "POST", "send?x=1&s=abc", "", "{}"), 404);

    CASE("serve: bodies where none belong, or none where one does");
    CHECK_INT(status_of(test, "GET", "", "", "body"), 400);
    CHECK_INT(status_of(test, "POST", send, "", NULL), 411);
    CHECK_INT(status_of(test, "POST", send, "Transfer-Encoding: chunked\r\n", NULL), 411);
    CHECK_INT(status_of(test, "POST", send, "Content-Length: 99999999\r\n", NULL), 413);
    CHECK_INT(status_of(test, "POST", "session", "Content-Length: 4000\r\n", NULL), 413);
}

static void check_guarded(const TestServer *test)
{
    CASE("serve: strangers learn nothing");
    static const char *const REQUESTS[] = {
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
        "GET /index.html HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
        "GET /00000000000000000000000000000000/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
        "BREW / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
        "POST /session HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: evil.example:%d\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof REQUESTS / sizeof REQUESTS[0]; i++) {
        Wire client;
        Reply reply = {0};
        char text[256];
        if (!wire_open(&client, &test->address))
            return;
        snprintf(text, sizeof text, REQUESTS[i], test->server.guard.port);
        wire_put(&client, text, strlen(text));
        CHECK_INT(wire_reply(&client, &reply, false), 403);
        check_security(&reply, REQUESTS[i]);
        CHECK(!strstr(reply.head, test->server.guard.token) &&
              !strstr(reply.body.ptr, test->server.guard.token));
        reply_free(&reply);
        wire_close(&client);
    }
    CASE("serve: with the token, but from elsewhere");
    CHECK_INT(status_of(test, "GET", "", "Origin: http://evil.example\r\n", NULL), 403);
    CHECK_INT(status_of(test, "POST", "session", "Origin: null\r\n", ""), 403);
    CHECK_INT(status_of(test, "POST", "session", "Sec-Fetch-Site: cross-site\r\n", ""), 403);
    CHECK_INT(status_of(test, "GET", "", "Host: evil.example\r\n", NULL), 400); // two of them
}

// ---- connections --------------------------------------------------------------------------------
static void check_kept(const TestServer *test)
{
    enum { PIPELINED = 50 };
    Wire client;
    Reply reply = {0};
    CASE("serve: requests in a row are answered in a row");
    if (!wire_open(&client, &test->address))
        return;
    Text text = {0};
    for (int i = 0; i < PIPELINED; i++)
        text_add(&text, "%s /%s/%s HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: 0\r\n\r\n",
                 i % 3 == 2 ? "POST" : "GET", test->server.guard.token, i % 3 == 1 ? "none" : "",
                 test->server.guard.port);
    wire_put(&client, text.ptr, text.len);
    text_free(&text);
    for (int i = 0; i < PIPELINED; i++)
        CHECK_INT(wire_reply(&client, &reply, false), i % 3 == 0 ? 200 : i % 3 == 1 ? 404 : 405);
    CHECK(!wire_is_closed(&client, 30));
    CHECK(reply_header(&reply, "Connection")[0] == '\0');

    CASE("serve: a connection closes when it is asked to");
    wire_ask(&client, &test->address, "GET", "", "Connection: close\r\n", NULL);
    CHECK_INT(wire_reply(&client, &reply, false), 200);
    CHECK_TEXT(reply_header(&reply, "Connection"), "close");
    CHECK(wire_is_closed(&client, 5000));
    wire_close(&client);

    CASE("serve: a refused body closes, and the answer arrives all the same");
    if (!wire_open(&client, &test->address))
        return;
    char *flood = malloc(1 << 20);
    memset(flood, 'x', 1 << 20);
    wire_ask(&client, &test->address, "POST", "session", "Content-Length: 16000000\r\n", NULL);
    wire_put(&client, flood, 1 << 20);
    CHECK_INT(wire_reply(&client, &reply, false), 413);
    CHECK_TEXT(reply_header(&reply, "Connection"), "close");
    free(flood);
    wire_close(&client);

    CASE("serve: whoever waits to be told is told to go on");
    if (!wire_open(&client, &test->address))
        return;
    wire_ask(&client, &test->address, "POST", "session", "Expect: 100-continue\r\nContent-Length: 2\r\n",
             NULL);
    CHECK_INT(wire_reply(&client, &reply, false), 100);
    wire_put(&client, "{}", 2);
    CHECK_INT(wire_reply(&client, &reply, false), 200);
    reply_free(&reply);
    wire_close(&client);
}

// ---- clients that are slow, or many -------------------------------------------------------------
static void check_slow(void)
{
    ServerOptions options = test_server_options();
    options.patience =
        (Patience){.head_ms = 300, .body_ms = 300, .idle_ms = 500, .write_ms = 500, .linger_ms = 100};
    TestServer test;
    Wire head, body, idle;
    Reply reply = {0};
    CASE("serve: slow clients are given up, and hold up nobody");
    if (!test_server_start(&test, options) || !wire_open(&head, &test.address) ||
        !wire_open(&body, &test.address) || !wire_open(&idle, &test.address))
        return;
    wire_ask(&body, &test.address, "POST", "session", "Content-Length: 10\r\n", NULL);
    wire_put(&body, "12345", 5);
    i64 start_ms = os_now_ms();
    bool is_open = true;
    for (int i = 0; is_open && i < 200; i++) { // a byte now and then does not help
        is_open = wire_put(&head, i == 0 ? "G" : "E", 1) && !head.is_over && !wire_is_closed(&head, 10);
        if (i % 10 == 0) {
            CHECK_INT(ask_once(&test.address, "GET", "", "", NULL, &reply), 200);
            reply_free(&reply);
        }
    }
    CHECK(!is_open);
    CHECK(test_is_slow() || os_now_ms() - start_ms < 1500);
    CHECK_INT(wire_reply(&head, &reply, false), 408);
    CHECK_INT(wire_reply(&body, &reply, false), 408);
    CHECK(wire_is_closed(&body, 5000));
    CHECK(wire_is_closed(&idle, 5000));
    CHECK_INT(wire_reply(&idle, &reply, false), 0);
    reply_free(&reply);
    wire_close(&head);
    wire_close(&body);
    wire_close(&idle);
    test_server_end(&test);
}

static void check_many(const TestServer *test)
{
    enum { MANY = CONNECTIONS_MAX + 100 };
    static Wire clients[MANY];
    Reply reply;
    CASE("serve: strangers in any number keep nobody out");
    for (int i = 0; i < MANY; i++)
        if (wire_open(&clients[i], &test->address))
            wire_put(&clients[i], "GET /", i % 6);
    for (int i = 0; i < 20; i++) {
        CHECK_INT(ask_once(&test->address, "GET", "", "", NULL, &reply), 200);
        reply_free(&reply);
    }
    for (int i = 0; i < MANY; i++)
        wire_close(&clients[i]);
}

void test_serve(void)
{
    TestServer test;
    CASE("serve: a server listens");
    if (!test_server_start(&test, test_server_options()))
        return;
    CHECK(test.server.guard.port > 0);
    check_page(&test);
    check_statuses(&test);
    check_guarded(&test);
    check_kept(&test);
    check_many(&test);
    CASE("serve: it tells of what it refused, but not of all");
    CHECK(test_server_says(&test, "refused (404): there is no such file in the page", 1));
    CHECK(test_server_said(&test, "refused (") < 200);
    test_server_end(&test);
    check_slow();
}
