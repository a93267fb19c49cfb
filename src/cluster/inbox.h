// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that wait for their reader, in the order in which they came: one thread puts them in while
// another takes them out. Private to cluster/.
#ifndef TWOFOLD_CLUSTER_INBOX_H
#define TWOFOLD_CLUSTER_INBOX_H

#include "base/base.h"

typedef struct Parcel {
    struct Parcel *next;
    int peer, tag; // who sent it, or whom it is for
    Text bytes;
} Parcel;

typedef struct Inbox {
    Mutex mutex;
    Cond changed;
    Parcel *first, *last;
    bool is_ended; // rank 0 has said that it needs nothing more, or is gone
} Inbox;

void inbox_init(Inbox *inbox);
void inbox_free(Inbox *inbox);
// Puts a copy of the bytes in; false without memory.
bool inbox_put(Inbox *inbox, int peer, int tag, const void *bytes, size_t size);
// Puts the text itself in, which is empty afterwards.
bool inbox_put_text(Inbox *inbox, int peer, int tag, Text *text);
// Takes the first message out, waiting for it until then (as os_now_us tells it).
bool inbox_take(Inbox *inbox, int *peer, int *tag, Text *bytes, i64 until_us);
// Waits until there is one, until then, or until inbox_wake.
void inbox_wait(Inbox *inbox, i64 until_us);
void inbox_wake(Inbox *inbox);
// Has a message come that ends the work of a rank above 0?
bool inbox_is_ended(Inbox *inbox);

#endif
