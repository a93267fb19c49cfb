// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that no browser sends: of HTTP, and in the lines for a session.
#include "serve_nonsense.h"

#include "web/http.h"

enum { ANY_STATUS = -1, LONG_LINE = HTTP_LINE_MAX, LONG_FIELD = HTTP_FIELD_MAX };

// ---- HTTP -----------------------------------------------------------------------------------------
// Adds a request to the server that is nonsense in one way or another; the status it must get, or ANY_STATUS.
static int add_nonsense(Text *out, Rng *rng, const Address *to)
{
    const char *token = to->token;
    int port = to->port, kind = (int)rng_below(rng, 24), n = (int)rng_below(rng, 3000);
    size_t start = out->len;
    switch (kind) {
    case 0: text_add(out, "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", token, port); return 200;
    case 1:
        text_add(out, "HEAD /%s/ HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n", token, port);
        return 200;
    case 2: text_add(out, "GET /%s/x%d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", token, n, port); return 404;
    case 3:
        text_add(out, "GET /%08x%s/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", n, token + 8, port);
        return 403;
    case 4: text_add(out, "GET /%s/ HTTP/1.1\r\nHost: h%d:%d\r\n\r\n", token, n, port); return 403;
    case 5:
        text_add(out, "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://h%d\r\n\r\n", token, port,
                 n);
        return 403;
    case 6: text_add(out, "M%d /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", n, token, port); return 405;
    case 7: text_add(out, "GET /%s/%0*d HTTP/1.1\r\n\r\n", token, LONG_LINE + n, 0); return 414;
    case 8: text_add(out, "GET /%s/ HTTP/1.1\r\nA: %0*d\r\n\r\n", token, LONG_FIELD + n, 0); return 431;
    case 9:
        text_add(out, "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n", token, port);
        for (int i = 0; i < 80; i++)
            text_add(out, "A%d: %d\r\n", i, n);
        text_add(out, "\r\n");
        return 431;
    case 10: text_add(out, "GET /%s/ HTTP/%d.%d\r\nHost: x\r\n\r\n", token, 2 + n % 8, n % 10); return 505;
    case 11:
        text_add(out, "POST /%s/send HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", token);
        return 411;
    case 12:
        text_add(out,
                 "POST /%s/session HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %d999999999\r\n\r\n",
                 token, port, n);
        return 413;
    case 13:
        text_add(out, "POST /%s/session HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: x%d\r\n\r\n", token,
                 port, n);
        return 400;
    case 14:
        text_add(out, "POST /%s/send?s=%032x HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 2\r\n\r\n{}",
                 token, n, port);
        return 404;
    case 15:
        text_add(out, "GET /%s/events?s=%d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", token, n, port);
        return 404;
    case 16: text_add(out, "GET /%s/\nHost: 127.0.0.1:%d\r\n\r\n", token, port); return 400;
    case 17:
        text_add(out, "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nHost: 127.0.0.1:%d\r\n\r\n", token, port,
                 port);
        return 400;
    case 18: text_add(out, "GET /%s/ HTTP/1.1\r\n\r\n", token); return 400;
    case 19:
        text_add(out, "GET http://127.0.0.1:%d/%s/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", port, token,
                 port);
        return 400;
    case 20:
        text_add_bytes(out, "\x16\x03\x01", 3); // TLS
        for (int i = 0; i < 1 + n % 200; i++)
            text_add_bytes(out, &(char){(char)rng_next(rng)}, 1);
        return 400;
    case 21:
        text_add(out, "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nA: \x01\r\n\r\n", token, port);
        return 400;
    default: // a request that is right, with some bytes that are not
        text_add(out, "POST /%s/close?s=%032x HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 3\r\n\r\nabc",
                 token, n, port);
        for (int i = 0; i <= n % 8; i++)
            out->ptr[start + rng_below(rng, (u32)(out->len - start))] = (char)rng_next(rng);
        return ANY_STATUS;
    }
}

// ---- lines for a session --------------------------------------------------------------------------
// Adds a line that is answered by an error, without its end.
static void add_line(Text *out, Rng *rng)
{
    static const char *const LINES[] = {
        "{\"id\":%d,\"do\":\"stat\"}",
        "{\"id\":%d,\"do\":\"go\",\"depth\":-1}",
        "{\"id\":%d,\"do\":\"go\",\"nodes\":1e99}",
        "{\"id\":%d,\"do\":\"state\",\"moves\":\"e2e4\"}",
        "{\"id\":%d,\"do\":\"state\",\"start\":\"8/8\"}",
        "{\"id\":%d,\"do\":\"legal\",\"square\":[[]]}",
        "{\"id\":%d,\"do\":\"read\",\"base64\":\"%%%%\"}",
        "{\"id\":%d,\"do\":\"set\",\"name\":\"Hash\",\"value\":99999999}",
        "{\"id\":%d,\"do\":\"set\",\"name\":\"EvalFile\",\"value\":\"/etc/passwd\"}",
        "{\"id\":{\"a\":%d},\"do\":\"state\"}",
        "{\"do\":%d}",
        "{\"id\":%d,\"do\":\"state\"",
        "\"%d\\u12",
        "x%d",
        "GET /%d HTTP/1.1",
    };
    int n = (int)rng_below(rng, 100000);
    switch (rng_below(rng, 4)) {
    case 0:
        for (int i = 0; i < n % 3000 + 1; i++)
            text_add(out, n & 1 ? "[" : "{\"a\":");
        return;
    case 1:
        text_add(out, "}");
        for (int i = 0; i < n % 500; i++) {
            char byte = (char)rng_next(rng);
            text_add_bytes(out, byte == '\n' || byte == '\r' ? "?" : &byte, 1);
        }
        return;
    default: text_add(out, LINES[rng_below(rng, sizeof LINES / sizeof LINES[0])], n);
    }
}

// Adds a request with such lines for a session.
static void add_send(Text *out, Rng *rng, Nonsense *nonsense)
{
    Text lines = {0};
    int nb = 1 + (int)rng_below(rng, 4);
    for (int i = 0; i < nb; i++) {
        add_line(&lines, rng);
        text_add(&lines, rng_below(rng, 2) ? "\n" : "\r\n");
    }
    text_add(out, "POST /%s/send?s=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %zu\r\n\r\n",
             nonsense->to->token, nonsense->session, nonsense->to->port, lines.len);
    text_add_bytes(out, lines.ptr, lines.len);
    text_free(&lines);
    nonsense->line_nb += nb;
}

// ---- asking ---------------------------------------------------------------------------------------
static bool is_known_status(int status)
{
    static const int KNOWN[] = {0, 200, 204, 308, 400, 403, 404, 405, 408, 411, 413, 414, 417, 431, 505};
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++)
        if (status == KNOWN[i])
            return true;
    return false;
}

bool nonsense_ask(Nonsense *nonsense, Rng *rng, Message *wrong)
{
    Wire wire;
    Text text = {0};
    Reply reply = {0};
    int expected = 204;
    if (nonsense->session && rng_below(rng, 12) == 0)
        add_send(&text, rng, nonsense);
    else
        expected = add_nonsense(&text, rng, nonsense->to);
    if (!wire_open(&wire, nonsense->to)) {
        text_free(&text);
        return message_set(wrong, "nobody answers");
    }
    size_t cut = rng_below(rng, 2) ? rng_below(rng, (u32)text.len) : 0; // in one piece, or in two
    wire_put(&wire, text.ptr, cut);
    wire_put(&wire, text.ptr + cut, text.len - cut);
    os_socket_finish(&wire.socket); // so that what was cut short need not be waited for
    int status = wire_reply(&wire, &reply, strncmp(text.ptr, "HEAD", 4) == 0);
    bool ok = expected == ANY_STATUS ? is_known_status(status) : status == expected;
    if (!ok)
        message_set(wrong, "status %d, expected %d: %.200s", status, expected, text.ptr);
    wire_close(&wire);
    reply_free(&reply);
    text_free(&text);
    return ok;
}
