// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/inbox.h"

#include <stdlib.h>

#include "base/transport.h"

void inbox_init(Inbox *inbox)
{
    *inbox = (Inbox){0};
    pthread_mutex_init(&inbox->mutex, NULL);
    os_cond_init(&inbox->changed);
}

void inbox_free(Inbox *inbox)
{
    while (inbox->first) {
        Parcel *parcel = inbox->first;
        inbox->first = parcel->next;
        text_free(&parcel->bytes);
        free(parcel);
    }
    pthread_cond_destroy(&inbox->changed);
    pthread_mutex_destroy(&inbox->mutex);
}

bool inbox_put_text(Inbox *inbox, int peer, int tag, Text *text)
{
    Parcel *parcel = text->failed ? NULL : malloc(sizeof *parcel);
    if (!parcel)
        return false;
    *parcel = (Parcel){.peer = peer, .tag = tag, .bytes = *text};
    *text = (Text){0};
    pthread_mutex_lock(&inbox->mutex);
    if (inbox->last)
        inbox->last->next = parcel;
    else
        inbox->first = parcel;
    inbox->last = parcel;
    inbox->is_ended |= peer == 0 && (tag == TRANSPORT_END || tag == TRANSPORT_LOST);
    pthread_cond_signal(&inbox->changed);
    pthread_mutex_unlock(&inbox->mutex);
    return true;
}

bool inbox_put(Inbox *inbox, int peer, int tag, const void *bytes, size_t size)
{
    Text copy = {0};
    if (size)
        text_add_bytes(&copy, bytes, size);
    bool ok = inbox_put_text(inbox, peer, tag, &copy);
    text_free(&copy);
    return ok;
}

bool inbox_take(Inbox *inbox, int *peer, int *tag, Text *bytes, i64 until_us)
{
    pthread_mutex_lock(&inbox->mutex);
    if (!inbox->first && until_us > os_now_us())
        os_cond_wait_until(&inbox->changed, &inbox->mutex, until_us);
    Parcel *parcel = inbox->first;
    if (parcel && !(inbox->first = parcel->next))
        inbox->last = NULL;
    pthread_mutex_unlock(&inbox->mutex);
    if (!parcel)
        return false;
    *peer = parcel->peer;
    *tag = parcel->tag;
    text_free(bytes);
    *bytes = parcel->bytes;
    free(parcel);
    return true;
}

void inbox_wait(Inbox *inbox, i64 until_us)
{
    pthread_mutex_lock(&inbox->mutex);
    if (!inbox->first)
        os_cond_wait_until(&inbox->changed, &inbox->mutex, until_us);
    pthread_mutex_unlock(&inbox->mutex);
}

bool inbox_is_ended(Inbox *inbox)
{
    pthread_mutex_lock(&inbox->mutex);
    bool is = inbox->is_ended;
    pthread_mutex_unlock(&inbox->mutex);
    return is;
}

void inbox_wake(Inbox *inbox)
{
    pthread_mutex_lock(&inbox->mutex);
    pthread_cond_broadcast(&inbox->changed);
    pthread_mutex_unlock(&inbox->mutex);
}
