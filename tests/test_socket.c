// SPDX-License-Identifier: GPL-3.0-or-later
// Sockets of this machine: what is written arrives, nothing waits, an end is seen at both sides, a port that
// is taken is told; random bytes differ.
#include "test.h"

// Waits until it can be read.
static bool wait_for(const Socket *socket)
{
    SocketWatch watch = {.socket = *socket, .wants_read = true};
    for (int i = 0; i < 100; i++)
        if (os_sockets_wait(&watch, 1, 100) == 1)
            return watch.is_ready;
    return false;
}

static void check_talk(void)
{
    Socket server, second, client, accepted = {0};
    Message error = {{0}};
    char buffer[16];
    CASE("socket: a port of this machine");
    CHECK(os_listen_loopback(&server, 0, &error));
    int port = os_socket_port(&server);
    CHECK(port > 0);
    CHECK(!os_accept(&server, &accepted)); // nobody has called, and it does not wait
    CHECK(!os_listen_loopback(&second, port, &error) && strstr(error.text, "cannot listen on port"));
    CHECK_INT(second.handle, 0);

    CASE("socket: bytes go both ways, and nothing waits");
    CHECK(os_connect_loopback(&client, port, &error));
    CHECK(wait_for(&server) && os_accept(&server, &accepted));
    CHECK_INT(os_socket_read(&accepted, buffer, sizeof buffer), 0);
    CHECK_INT(os_socket_write(&client, "hello", 5), 5);
    CHECK(wait_for(&accepted));
    CHECK_INT(os_socket_read(&accepted, buffer, sizeof buffer), 5);
    CHECK(memcmp(buffer, "hello", 5) == 0);

    CASE("socket: a reader that does not read takes no more at some time");
    static char much[1 << 20];
    int put = 1, rounds = 0;
    while (rounds++ < 100 && (put = os_socket_write(&client, much, sizeof much)) > 0)
        ;
    CHECK_INT(put, 0);

    CASE("socket: an end is an answer");
    os_socket_close(&accepted);
    for (int i = 0; i < 100 && (put = os_socket_write(&client, "x", 1)) >= 0; i++)
        os_sleep_ms(10);
    CHECK_INT(put, -1);
    os_socket_close(&client);
    os_socket_close(&client); // harmless
    os_socket_close(&server);
    CHECK(!os_connect_loopback(&client, port, &error));
    CHECK_INT(client.handle, 0);

    CASE("socket: one end is told of, the other still talks");
    CHECK(os_socket_pair(&client, &server, &error));
    os_socket_finish(&client);
    CHECK(wait_for(&server));
    CHECK_INT(os_socket_read(&server, buffer, sizeof buffer), -1);
    CHECK_INT(os_socket_write(&server, "bye", 3), 3);
    CHECK(wait_for(&client));
    CHECK_INT(os_socket_read(&client, buffer, sizeof buffer), 3);
    os_socket_close(&client);
    os_socket_close(&server);
}

static void check_random(void)
{
    u8 a[32], b[32], none[32] = {0};
    Message error;
    CASE("socket: secrets");
    CHECK(os_random(a, sizeof a, &error) && os_random(b, sizeof b, &error));
    CHECK(memcmp(a, b, sizeof a) != 0 && memcmp(a, none, sizeof a) != 0);
    CHECK(!os_random(NULL, 1000, &error) && error.text[0]); // more than the system gives at a time
}

void test_socket(void)
{
    check_talk();
    check_random();
}
