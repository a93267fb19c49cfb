// SPDX-License-Identifier: GPL-3.0-or-later
// The transport of a run of one process: there is nobody to send to and nobody to hear from. And the place
// where main leaves the one of this run, before any thread is there.
#include "base/transport.h"

static bool send_nowhere(void *self, int to, int tag, const void *bytes, size_t size)
{
    (void)self, (void)to, (void)tag, (void)bytes, (void)size;
    return false;
}

static bool receive_nothing(void *self, int *from, int *tag, Text *bytes, int timeout_ms)
{
    (void)self, (void)from, (void)tag, (void)bytes;
    os_sleep_ms(timeout_ms);
    return false;
}

const Transport *transport_local(void)
{
    static const Transport LOCAL = {.size = 1, .send = send_nowhere, .receive = receive_nothing};
    return &LOCAL;
}

static const Transport *of_run;

const Transport *transport_of_run(void) { return of_run ? of_run : transport_local(); }
void transport_set_of_run(const Transport *transport) { of_run = transport; }

bool transport_tell_all(const Transport *transport, int tag, const void *bytes, size_t size)
{
    bool ok = true;
    for (int rank = 1; rank < transport->size; rank++)
        ok &= transport->send(transport->self, rank, tag, bytes, size);
    return ok;
}
