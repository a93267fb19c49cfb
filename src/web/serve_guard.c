// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of Host, Origin, where a browser says the request comes from, and the token; all must agree.
#include "web/serve_guard.h"

bool guard_secret(char out[SECRET_TEXT], Message *message)
{
    u8 bytes[SECRET_BYTES];
    if (!os_random(bytes, sizeof bytes, message))
        return false;
    for (int i = 0; i < SECRET_BYTES; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

bool guard_is_secret(Span text, const char secret[SECRET_TEXT])
{
    if (text.len != SECRET_TEXT - 1)
        return false;
    unsigned difference = 0;
    for (int i = 0; i < SECRET_TEXT - 1; i++)
        difference |= (u8)text.ptr[i] ^ (u8)secret[i];
    return difference == 0;
}

// Is it HOST:PORT of this server? By number or as localhost, and nothing else: another name for this address
// is another page's.
static bool is_our_host(const ServeGuard *guard, Span host)
{
    static const char *const NAMES[] = {"127.0.0.1", "localhost"};
    for (int i = 0; i < 2; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s:%d", NAMES[i], guard->port);
        if (span_is_nocase(host, text) || (guard->port == 80 && span_is_nocase(host, NAMES[i])))
            return true;
    }
    return false;
}

// A request with an Origin must come from the page at the host it is sent to.
static bool is_our_origin(const HttpRequest *request)
{
    static const char SCHEME[] = "http://";
    const size_t len = sizeof SCHEME - 1;
    char host[64];
    return span_starts(request->origin, SCHEME) && span_copy(request->host, host, sizeof host) &&
           span_is_nocase((Span){request->origin.ptr + len, request->origin.len - len}, host);
}

// Browsers say whether another site is behind a request. Whoever follows a link to the page may; nothing of
// it is loaded into another one.
static bool is_our_site(const HttpRequest *request)
{
    if (!request->fetch_site.ptr || span_is(request->fetch_site, "same-origin") ||
        span_is(request->fetch_site, "none"))
        return true;
    return request->method == HTTP_GET && span_is(request->fetch_mode, "navigate") &&
           span_is(request->fetch_dest, "document");
}

const char *guard_check(const ServeGuard *guard, const HttpRequest *request, Span *name)
{
    if (!is_our_host(guard, request->host))
        return "this server has another name";
    if (request->origin.ptr && !is_our_origin(request))
        return "the request comes from another page";
    if (!is_our_site(request))
        return "the request comes from another site";
    Span path = {request->path.ptr + 1, request->path.len - 1};
    const char *slash = path.len ? memchr(path.ptr, '/', path.len) : NULL;
    Span token = {path.ptr, slash ? (size_t)(slash - path.ptr) : path.len};
    if (!guard_is_secret(token, guard->token))
        return "the address lacks the right token: open the one that the program printed";
    *name = slash ? (Span){slash + 1, path.len - token.len - 1} : (Span){NULL, 0};
    return NULL;
}
