// SPDX-License-Identifier: GPL-3.0-or-later
// The table of requests (json_handlers.c): what each is called, which fields it takes, where it is done.
#ifndef TWOFOLD_JSON_HANDLERS_H
#define TWOFOLD_JSON_HANDLERS_H

#include "base/suggest.h"
#include "web/json_request.h"

// The row of that name; NULL, with the nearest names, when there is none.
const Handler *handler_find(Span name, Suggestions *near);
// The names of all requests, for hello.
void put_requests(JsonWriter *json);

#endif
