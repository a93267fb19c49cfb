// SPDX-License-Identifier: GPL-3.0-or-later
// Sockets between programs of this machine, and random bytes for the secrets that guard them, on POSIX
// systems. Invariants: nothing listens anywhere but on 127.0.0.1; no call but os_sockets_wait ever waits; no
// child inherits a socket; a peer that is gone is an answer and never a signal.
#define _GNU_SOURCE // accept4, SOCK_CLOEXEC, getentropy
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/base.h"
#include "base/language.h"

// A handle is the descriptor and one: 0 is none.
static int socket_fd(const Socket *socket) { return (int)socket->handle - 1; }

static Socket socket_of(int fd) { return (Socket){(i64)fd + 1}; }

static struct sockaddr_in loopback(int port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((u16)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

// ---- opening ------------------------------------------------------------------------------------
bool os_listen_loopback(Socket *server, int port, Message *error)
{
    enum { BACKLOG = 64 };
    struct sockaddr_in address = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;
    *server = (Socket){0};
    // Connections that ended a moment ago must not keep the port from a program that starts again.
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, BACKLOG) == 0) {
        *server = socket_of(fd);
        return true;
    }
    int reason = errno;
    if (fd >= 0)
        close(fd);
    return message_set(error, "cannot listen on port %d of 127.0.0.1: %s", port, said(strerror(reason)));
}

int os_socket_port(const Socket *socket)
{
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;
    if (getsockname(socket_fd(socket), (struct sockaddr *)&address, &size) != 0)
        return 0;
    return address.sin_family == AF_INET ? ntohs(address.sin_port) : 0;
}

// Answers and events are small: none of them waits for another to fill a packet.
static void send_at_once(int fd)
{
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

bool os_accept(const Socket *server, Socket *client)
{
    int fd = accept4(socket_fd(server), NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return false;
    send_at_once(fd);
    *client = socket_of(fd);
    return true;
}

bool os_connect_loopback(Socket *client, int port, Message *error)
{
    struct sockaddr_in address = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    *client = (Socket){0};
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
        fcntl(fd, F_SETFL, O_NONBLOCK) == 0) {
        send_at_once(fd);
        *client = socket_of(fd);
        return true;
    }
    int reason = errno;
    if (fd >= 0)
        close(fd);
    return message_set(error, "nothing answers on port %d of 127.0.0.1: %s", port, said(strerror(reason)));
}

bool os_socket_pair(Socket *reader, Socket *writer, Message *error)
{
    int ends[2];
    *reader = *writer = (Socket){0};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
        return message_set(error, "cannot make a pair of sockets: %s", said(strerror(errno)));
    *reader = socket_of(ends[0]);
    *writer = socket_of(ends[1]);
    return true;
}

// ---- talking ------------------------------------------------------------------------------------
static bool is_not_now(int reason) { return reason == EAGAIN || reason == EWOULDBLOCK || reason == EINTR; }

int os_socket_read(const Socket *socket, void *buffer, size_t size)
{
    ssize_t got = recv(socket_fd(socket), buffer, size, 0);
    if (got > 0)
        return (int)got;
    return got < 0 && is_not_now(errno) ? 0 : -1;
}

int os_socket_write(const Socket *socket, const void *bytes, size_t size)
{
    ssize_t put = send(socket_fd(socket), bytes, size, MSG_NOSIGNAL);
    if (put >= 0)
        return (int)put;
    return is_not_now(errno) ? 0 : -1;
}

void os_socket_finish(const Socket *socket) { shutdown(socket_fd(socket), SHUT_WR); }

void os_socket_close(Socket *socket)
{
    if (socket->handle)
        close(socket_fd(socket));
    *socket = (Socket){0};
}

int os_sockets_wait(SocketWatch *watch, int nb, i64 timeout_ms)
{
    enum { WATCH_MAX = 1024 };
    struct pollfd fds[WATCH_MAX];
    assert(nb <= WATCH_MAX);
    for (int i = 0; i < nb; i++) {
        watch[i].is_ready = false;
        fds[i] = (struct pollfd){
            .fd = socket_fd(&watch[i].socket),
            .events = (short)((watch[i].wants_read ? POLLIN : 0) | (watch[i].wants_write ? POLLOUT : 0))};
    }
    int ready = poll(fds, (nfds_t)clamp_int(nb, 0, WATCH_MAX), (int)clamp_i64(timeout_ms, 0, 1 << 30));
    for (int i = 0; i < nb && ready > 0; i++)
        watch[i].is_ready = fds[i].revents != 0;
    return ready > 0 ? ready : 0;
}

// ---- secrets ------------------------------------------------------------------------------------
bool os_random(void *bytes, size_t size, Message *error)
{
    return getentropy(bytes, size) == 0 ||
           message_set(error, "the system gives no random bytes: %s", said(strerror(errno)));
}
