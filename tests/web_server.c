// SPDX-License-Identifier: GPL-3.0-or-later
// The server of the tests of `serve`.
#include "web_server.h"

// How long anything may take before a case fails: machines of tests are busy.
static int patience_ms(void) { return test_is_slow() ? 60000 : 20000; }

static void note(void *context, const char *line)
{
    TestServer *test = context;
    pthread_mutex_lock(&test->mutex);
    text_add(&test->said, "%s\n", line);
    pthread_mutex_unlock(&test->mutex);
}

static void *run(void *context)
{
    TestServer *test = context;
    server_run(&test->server);
    return NULL;
}

ServerOptions test_server_options(void)
{
    ServerOptions options = server_defaults();
    options.grace_ms = 60000;
    options.patience =
        (Patience){.head_ms = 20000, .body_ms = 20000, .idle_ms = 60000, .write_ms = 20000, .linger_ms = 500};
    return options;
}

bool test_server_start(TestServer *test, ServerOptions options)
{
    Message error = {{0}};
    *test = (TestServer){0};
    pthread_mutex_init(&test->mutex, NULL);
    options.log = (ServeLog){.context = test, .say = note};
    bool ok = server_open(&test->server, &options, &error);
    Text address = {0};
    if (ok)
        server_address(&test->server, &address);
    CHECK_THAT(ok && address_read(&test->address, address.ptr), "%s", error.text);
    text_free(&address);
    test->runs = ok && os_thread_start(&test->thread, run, test);
    return test->runs;
}

void test_server_end(TestServer *test)
{
    i64 start_ms = os_now_ms();
    if (test->runs) {
        server_stop(&test->server);
        os_thread_join(test->thread);
    }
    server_free(&test->server);
    CHECK(test_is_slow() || os_now_ms() - start_ms < 3000);
    text_free(&test->said);
    pthread_mutex_destroy(&test->mutex);
}

int test_server_said(TestServer *test, const char *words)
{
    int nb = 0;
    pthread_mutex_lock(&test->mutex);
    for (const char *at = test->said.ptr; at && (at = strstr(at, words)); at += strlen(words))
        nb++;
    pthread_mutex_unlock(&test->mutex);
    return nb;
}

bool test_server_says(TestServer *test, const char *words, int times)
{
    for (int waited_ms = 0; waited_ms < patience_ms(); waited_ms += 5) {
        if (test_server_said(test, words) >= times)
            return true;
        os_sleep_ms(5);
    }
    return false;
}
