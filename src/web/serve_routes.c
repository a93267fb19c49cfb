// SPDX-License-Identifier: GPL-3.0-or-later
// The routes: a table of names, methods and what is done. The guard comes first; whoever it refuses learns
// nothing else.
#include "web/serve_routes.h"

#include "page/assets.h"
#include "web/server.h"

typedef enum Route { ROUTE_SESSION, ROUTE_SEND, ROUTE_CLOSE, ROUTE_EVENTS, ROUTE_NB } Route;

static const struct {
    const char *name;
    HttpMethod method;
    const char *allow;
    bool has_session;
    int body_max;
} ROUTES[ROUTE_NB] = {
    [ROUTE_SESSION] = {"session", HTTP_POST, "POST", false, 1024},
    [ROUTE_SEND] = {"send", HTTP_POST, "POST", true, HTTP_BODY_MAX},
    [ROUTE_CLOSE] = {"close", HTTP_POST, "POST", true, 1024},
    [ROUTE_EVENTS] = {"events", HTTP_GET, "GET", true, 0},
};

static void refuse(Server *server, Connection *connection, HttpStatus status, const char *why)
{
    server_refused(server, status, why);
    connection_refuse(connection, status, why, NULL);
}

// ---- the page -----------------------------------------------------------------------------------
static void answer_page(Server *server, Connection *connection, const HttpRequest *request, Span name)
{
    if (!name.ptr) { // relative names would lead out of the token's folder
        char path[SECRET_TEXT + 2];
        snprintf(path, sizeof path, "/%s/", server->guard.token);
        connection_answer_moved(connection, path);
        return;
    }
    const PageFile *file = page_file(name.len ? name : span_of("index.html"));
    if (!file)
        refuse(server, connection, HTTP_NOT_FOUND, "there is no such file in the page");
    else if (request->method != HTTP_GET && request->method != HTTP_HEAD)
        connection_refuse(connection, HTTP_BAD_METHOD, "the page is only read", "GET, HEAD");
    else if (request->body_size > 0)
        refuse(server, connection, HTTP_BAD_REQUEST, "a body belongs to no question for a file");
    else
        connection_answer_file(connection, file->type, file->bytes, file->size);
}

// ---- the tabs -----------------------------------------------------------------------------------
static void answer_session(Server *server, Connection *connection)
{
    Message message = {{0}};
    char json[64];
    Tab *tab = tabs_open(&server->tabs, server->now_ms, &message);
    if (!tab) {
        refuse(server, connection, HTTP_BUSY, message.text);
        return;
    }
    snprintf(json, sizeof json, "{\"session\":\"%s\"}\n", tab->id);
    connection_answer(connection, "application/json", span_of(json));
}

// From the line after the one that the page got last: it says so in a header when the browser connects again
// by itself, or in the address.
static bool read_after(const HttpRequest *request, u64 *after)
{
    Span text;
    i64 number = 0;
    if (request->last_event.ptr)
        text = request->last_event;
    else if (!http_query(request->query, "after", &text))
        text = span_of("0");
    bool ok = text.len && text.ptr[0] != '-' && text.ptr[0] != '+' && span_int(text, 0, INT64_MAX, &number);
    *after = (u64)number;
    return ok;
}

static void answer_events(Server *server, Connection *connection, const HttpRequest *request, Tab *tab)
{
    u64 after;
    if (!read_after(request, &after)) {
        refuse(server, connection, HTTP_BAD_REQUEST, "the number of the last event is no number");
        return;
    }
    // A browser has few connections to a server, for all its tabs together; other programs do not.
    bool is_browser = request->fetch_site.ptr && !span_is(request->fetch_site, "none");
    tab->stream_nb++;
    connection_answer_stream(connection, tab, after, is_browser);
}

// The tab of a request, which is there, or the request is refused.
static Tab *tab_of(Server *server, Connection *connection, Span session)
{
    Tab *tab = tabs_find(&server->tabs, session);
    if (!tab) {
        refuse(server, connection, HTTP_NOT_FOUND, "there is no such session (any more)");
        return NULL;
    }
    tab->seen_ms = server->now_ms;
    return tab;
}

// Is the request right for its route? Otherwise it has been refused.
static bool is_right(Server *server, Connection *connection, const HttpRequest *request, Route route)
{
    if (request->method != ROUTES[route].method) {
        connection_refuse(connection, HTTP_BAD_METHOD, "there is another method for this",
                          ROUTES[route].allow);
        return false;
    }
    if (request->body_size > ROUTES[route].body_max) {
        refuse(server, connection, HTTP_TOO_LARGE, "the body is too long");
        return false;
    }
    if (route == ROUTE_SEND && !request->has_length) {
        refuse(server, connection, HTTP_NO_LENGTH, "requests come in a body");
        return false;
    }
    return true;
}

static void take_request(Server *server, Connection *connection, const HttpRequest *request, Route route)
{
    Span session = {"", 0};
    Tab *tab = NULL;
    if (!is_right(server, connection, request, route))
        return;
    if (ROUTES[route].has_session) {
        http_query(request->query, "s", &session);
        if (!(tab = tab_of(server, connection, session)))
            return;
    }
    if (route == ROUTE_EVENTS) {
        answer_events(server, connection, request, tab);
        return;
    }
    connection->route = route;
    span_copy(session, connection->session, sizeof connection->session);
    connection_want_body(connection, request);
}

void routes_request(void *context, Connection *connection, const HttpRequest *request)
{
    Server *server = context;
    Span name;
    const char *why = guard_check(&server->guard, request, &name);
    if (why) {
        refuse(server, connection, HTTP_FORBIDDEN, why);
        return;
    }
    connection->is_known = true;
    if (request->method == HTTP_OTHER) {
        connection_refuse(connection, HTTP_BAD_METHOD, "there are GET, HEAD and POST", "GET, HEAD, POST");
        return;
    }
    for (Route route = 0; route < ROUTE_NB; route++)
        if (name.ptr && span_is(name, ROUTES[route].name)) {
            take_request(server, connection, request, route);
            return;
        }
    answer_page(server, connection, request, name);
}

void routes_body(void *context, Connection *connection, Span body)
{
    Server *server = context;
    if (connection->route == ROUTE_SESSION) {
        answer_session(server, connection);
        return;
    }
    Tab *tab = tab_of(server, connection, span_of(connection->session)); // it may have ended meanwhile
    if (!tab)
        return;
    if (connection->route == ROUTE_CLOSE) {
        tabs_end(tab, "by its page");
        connection_answer_done(connection);
    } else if (!body.len || tab_send(tab, body)) {
        connection_answer_done(connection);
    } else {
        refuse(server, connection, HTTP_TOO_MANY, "too much waits for this session already");
    }
}
