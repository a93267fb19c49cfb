// SPDX-License-Identifier: GPL-3.0-or-later
// A server that is asked nothing but nonsense: every answer has the right status, every line its answer, and
// after it the server serves as before and has nothing left over.
#include "serve_nonsense.h"

#include <stdlib.h>

#include "helpers.h"
#include "web_server.h"

void test_serve_nonsense(void)
{
    const char *asked = getenv("SERVE_NONSENSE");
    int times = asked ? atoi(asked) : test_is_slow() ? 2000 : 10000, wrong = 0;
    Rng rng = {19};
    TestServer test;
    Listener tab;
    CASE("serve: %d requests of nonsense, each with the right status", times);
    if (!test_server_start(&test, test_server_options()) || !listener_open(&tab, &test.address))
        return;
    Nonsense nonsense = {.to = &test.address, .session = tab.session};
    for (int i = 0; i < times && wrong < 5; i++) {
        Message why = {{0}};
        bool ok = nonsense_ask(&nonsense, &rng, &why);
        CHECK_THAT(ok, "request %d: %s", i, why.text);
        wrong += !ok;
    }

    CASE("serve: after them it serves, and every line of nonsense has one answer, an error");
    CHECK_INT(listener_send(&tab, &test.address, "{\"id\":\"end\",\"do\":\"state\"}"), 204);
    CHECK(listener_hears(&tab, &test.address, "\"id\":\"end\",\"ok\":true"));
    CHECK(nonsense.line_nb > times / 24 && nonsense.line_nb < TAB_EVENT_NB);
    CHECK_INT(count_of(tab.lines.ptr, "\"ok\":false"), nonsense.line_nb);
    CHECK_INT(tab.gap_nb, 0);
    CHECK(test_server_said(&test, "refused (") < 200);
    listener_free(&tab);
    test_server_end(&test);
}
