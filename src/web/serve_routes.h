// SPDX-License-Identifier: GPL-3.0-or-later
// What there is behind the token: the page and its files, and four requests of a tab. docs/json.md tells
// them. Private to the server; `context` is a Server.
#ifndef TWOFOLD_WEB_SERVE_ROUTES_H
#define TWOFOLD_WEB_SERVE_ROUTES_H

#include "web/http_connection.h"

// A head has come: answers it, or waits for its body.
void routes_request(void *context, Connection *connection, const HttpRequest *request);
// Its body has come: answers it.
void routes_body(void *context, Connection *connection, Span body);

#endif
