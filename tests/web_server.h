// SPDX-License-Identifier: GPL-3.0-or-later
// For the tests of `serve`: a server in a thread of its own, whose lines are kept.
#ifndef TWOFOLD_TEST_WEB_SERVER_H
#define TWOFOLD_TEST_WEB_SERVER_H

#include "http_client.h"
#include "test.h"
#include "web/server.h"

typedef struct TestServer {
    Server server;
    Address address;
    Thread thread;
    Mutex mutex;
    Text said; // its lines; guarded by the mutex
    bool runs;
} TestServer;

// Options with short times, for tests.
ServerOptions test_server_options(void);
bool test_server_start(TestServer *test, ServerOptions options);
// Ends it and checks that it ended soon.
void test_server_end(TestServer *test);
// How often it has said that, so far.
int test_server_said(TestServer *test, const char *words);
// Waits until it has said that so often; false when it does not.
bool test_server_says(TestServer *test, const char *words, int times);

#endif
