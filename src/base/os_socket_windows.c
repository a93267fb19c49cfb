// SPDX-License-Identifier: GPL-3.0-or-later
// Sockets between programs of this machine, and random bytes for the secrets that guard them, on Windows.
// Invariants as in os_socket_posix.c: nothing listens anywhere but on 127.0.0.1, nothing but os_sockets_wait
// waits, no child inherits a socket.
#ifdef _WIN32
#define _CRT_RAND_S
#include <stdlib.h>
#include <winsock2.h>

#include "base/os_windows.h"

static SOCKET socket_fd(const Socket *socket) { return (SOCKET)(socket->handle - 1); }

static Socket socket_of(SOCKET fd) { return (Socket){(i64)fd + 1}; }

static struct sockaddr_in loopback(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((u16)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

// The last failure in words, without the line end the system puts there.
static const char *reason_text(int reason, char text[256])
{
    wchar_t wide[200];
    DWORD len = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                               (DWORD)reason, 0, wide, 200, NULL);
    while (len > 0 && (wide[len - 1] == L'\r' || wide[len - 1] == L'\n' || wide[len - 1] == L'.'))
        len--;
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, (int)len, text, 255, NULL, NULL);
    text[size] = '\0';
    return size ? text : "the system does not say why";
}

// ---- opening ------------------------------------------------------------------------------------
// The library has to be asked for once; every call after the first is cheap and counted.
static SOCKET open_one(void)
{
    WSADATA about;
    if (WSAStartup(MAKEWORD(2, 2), &about) != 0)
        return INVALID_SOCKET;
    SOCKET fd =
        WSASocketW(AF_INET, SOCK_STREAM, 0, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
    return fd;
}

// From now on it never waits, and sends what it has at once: answers and events are small.
static bool make_quick(SOCKET fd)
{
    u_long yes = 1;
    BOOL on = TRUE;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, (const char *)&on, sizeof on);
    return ioctlsocket(fd, (long)FIONBIO, &yes) == 0;
}

bool os_listen_loopback(Socket *server, int port, Message *error)
{
    enum { BACKLOG = 64 };
    struct sockaddr_in address = loopback(port);
    SOCKET fd = open_one();
    BOOL yes = TRUE; // here another program could take a port that is in use, unless one says no
    char text[256];
    *server = (Socket){0};
    if (fd != INVALID_SOCKET &&
        setsockopt(fd, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char *)&yes, sizeof yes) == 0 &&
        bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, BACKLOG) == 0 &&
        make_quick(fd)) {
        *server = socket_of(fd);
        return true;
    }
    int reason = WSAGetLastError();
    if (fd != INVALID_SOCKET)
        closesocket(fd);
    return message_set(error, "cannot listen on port %d of 127.0.0.1: %s", port, reason_text(reason, text));
}

int os_socket_port(const Socket *socket)
{
    struct sockaddr_in address = {0};
    int size = sizeof address;
    return getsockname(socket_fd(socket), (struct sockaddr *)&address, &size) == 0 ? ntohs(address.sin_port)
                                                                                   : 0;
}

bool os_accept(const Socket *server, Socket *client)
{
    SOCKET fd = accept(socket_fd(server), NULL, NULL);
    if (fd == INVALID_SOCKET)
        return false;
    SetHandleInformation((HANDLE)fd, HANDLE_FLAG_INHERIT, 0);
    make_quick(fd);
    *client = socket_of(fd);
    return true;
}

bool os_connect_loopback(Socket *client, int port, Message *error)
{
    struct sockaddr_in address = loopback(port);
    SOCKET fd = open_one();
    char text[256];
    *client = (Socket){0};
    if (fd != INVALID_SOCKET && connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
        make_quick(fd)) {
        *client = socket_of(fd);
        return true;
    }
    int reason = WSAGetLastError();
    if (fd != INVALID_SOCKET)
        closesocket(fd);
    return message_set(error, "nothing answers on port %d of 127.0.0.1: %s", port, reason_text(reason, text));
}

// There are no pairs here: one calls the other, and nobody else is let in between.
bool os_socket_pair(Socket *reader, Socket *writer, Message *error)
{
    Socket server;
    *reader = *writer = (Socket){0};
    if (!os_listen_loopback(&server, 0, error))
        return false;
    bool ok = os_connect_loopback(writer, os_socket_port(&server), error);
    for (int tries = 0; ok && !reader->handle && tries < 1000; tries++) {
        struct sockaddr_in peer = {0};
        int size = sizeof peer;
        if (!os_accept(&server, reader))
            os_sleep_ms(1);
        else if (getpeername(socket_fd(reader), (struct sockaddr *)&peer, &size) != 0 ||
                 ntohs(peer.sin_port) != os_socket_port(writer))
            os_socket_close(reader);
    }
    os_socket_close(&server);
    if (ok && reader->handle)
        return true;
    os_socket_close(writer);
    return ok ? message_set(error, "cannot make a pair of sockets") : false;
}

// ---- talking ------------------------------------------------------------------------------------
int os_socket_read(const Socket *socket, void *buffer, size_t size)
{
    int got = recv(socket_fd(socket), buffer, (int)min_i64((i64)size, 1 << 30), 0);
    if (got > 0)
        return got;
    return got < 0 && WSAGetLastError() == WSAEWOULDBLOCK ? 0 : -1;
}

int os_socket_write(const Socket *socket, const void *bytes, size_t size)
{
    int put = send(socket_fd(socket), bytes, (int)min_i64((i64)size, 1 << 30), 0);
    if (put >= 0)
        return put;
    return WSAGetLastError() == WSAEWOULDBLOCK ? 0 : -1;
}

void os_socket_finish(const Socket *socket) { shutdown(socket_fd(socket), SD_SEND); }

void os_socket_close(Socket *socket)
{
    if (socket->handle)
        closesocket(socket_fd(socket));
    *socket = (Socket){0};
}

// Ctrl-C comes in another thread and wakes nobody: it is looked for from time to time.
int os_sockets_wait(SocketWatch *watch, int nb, i64 timeout_ms)
{
    enum { WATCH_MAX = 1024, SLICE_MS = 100 };
    WSAPOLLFD fds[WATCH_MAX];
    assert(nb <= WATCH_MAX);
    i64 until_us = os_now_us() + clamp_i64(timeout_ms, 0, 1 << 30) * 1000;
    int ready = 0, before = os_interrupted();
    for (int i = 0; i < nb; i++)
        watch[i].is_ready = false;
    for (bool is_last = false; ready == 0 && !is_last && os_interrupted() == before;) {
        i64 left_ms = max_i64(until_us - os_now_us() + 999, 0) / 1000;
        is_last = left_ms <= SLICE_MS;
        for (int i = 0; i < nb; i++)
            fds[i] = (WSAPOLLFD){.fd = socket_fd(&watch[i].socket),
                                 .events = (SHORT)((watch[i].wants_read ? POLLRDNORM : 0) |
                                                   (watch[i].wants_write ? POLLWRNORM : 0))};
        if (nb > 0)
            ready = WSAPoll(fds, (ULONG)nb, (INT)min_i64(left_ms, SLICE_MS));
        else
            os_sleep_ms(min_i64(left_ms, SLICE_MS));
    }
    for (int i = 0; i < nb && ready > 0; i++)
        watch[i].is_ready = fds[i].revents != 0;
    return ready > 0 ? ready : 0;
}

// ---- secrets ------------------------------------------------------------------------------------
bool os_random(void *bytes, size_t size, Message *error)
{
    if (size > 256)
        return message_set(error, "the system gives at most 256 random bytes at once");
    for (size_t at = 0; at < size; at += sizeof(unsigned)) {
        unsigned value;
        if (rand_s(&value) != 0)
            return message_set(error, "the system gives no random bytes");
        memcpy((u8 *)bytes + at, &value, size - at < sizeof value ? size - at : sizeof value);
    }
    return true;
}
#endif
