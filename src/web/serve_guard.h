// SPDX-License-Identifier: GPL-3.0-or-later
// Who may talk to the server. Any page on the internet can make a browser send requests to 127.0.0.1, and a
// name that resolves to 127.0.0.1 makes such a page look like ours: so a request must carry the secret of the
// printed address, name this server as its host, and come from no other page. Invariant: secrets are compared
// in a time that does not depend on how much of them is right.
#ifndef TWOFOLD_WEB_SERVE_GUARD_H
#define TWOFOLD_WEB_SERVE_GUARD_H

#include "web/http.h"

enum { SECRET_BYTES = 16, SECRET_TEXT = 2 * SECRET_BYTES + 1 }; // 128 bits, in hexadecimal digits

typedef struct ServeGuard {
    char token[SECRET_TEXT];
    int port;
} ServeGuard;

// A new secret in hexadecimal digits; false with a message when the system has no random bytes.
bool guard_secret(char out[SECRET_TEXT], Message *message);
// Is the text the secret?
bool guard_is_secret(Span text, const char secret[SECRET_TEXT]);
// NULL when the request may go on: *name is then the path behind the token ("" for the page itself, ptr NULL
// when even the slash is missing). Otherwise one sentence on why it is refused.
const char *guard_check(const ServeGuard *guard, const HttpRequest *request, Span *name);

#endif
