// SPDX-License-Identifier: GPL-3.0-or-later
// See json_client.h.
#include "json_client.h"

#include <stdlib.h>

enum { WAIT_US = 60000000 };

static void tell(void *context, Span line)
{
    Client *client = context;
    Json json;
    bool is_read = json_read(&json, line, NULL);
    pthread_mutex_lock(&client->mutex);
    text_add_bytes(&client->all, line.ptr, line.len);
    text_add_bytes(&client->all, "\n", 1);
    client->bad_nb += !is_read || memchr(line.ptr, '\n', line.len);
    client->answer_nb += is_read && json_member(&json, json_root(&json), "ok");
    pthread_cond_broadcast(&client->came);
    pthread_mutex_unlock(&client->mutex);
    json_free(&json);
}

static void poll(void *context)
{
    Client *client = context;
    if (client->poll_line && ++client->poll_nb == client->poll_after)
        json_lines_take(client->lines, span_of(client->poll_line));
}

static bool grant(void *context, int hash_mb, int threads, Message *why)
{
    const Client *client = context;
    if (client->hash_sum_max && hash_mb * threads > client->hash_sum_max)
        return message_set(why, "that is more than there is");
    return true;
}

JsonOwner client_owner(Client *client)
{
    return (JsonOwner){.context = client, .tell = tell, .poll = poll, .grant = grant, .allows_files = true};
}

void client_open(Client *client, const JsonOwner *owner)
{
    Message message = {0};
    pthread_mutex_init(&client->mutex, NULL);
    os_cond_init(&client->came);
    client->steps = owner->has_no_thread;
    client->lines = json_lines_open(owner, &message);
    CHECK_THAT(client->lines, "%s", message.text);
}

static bool send(Client *client, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = malloc((size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, args);
    bool goes_on = json_lines_take(client->lines, (Span){text, (size_t)len});
    free(text);
    return goes_on;
}

bool client_send(Client *client, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool goes_on = send(client, format, args);
    va_end(args);
    return goes_on;
}

// The answer with that id among what came; the mutex is held.
static bool find_answer(Client *client, const char *id)
{
    char begin[128];
    snprintf(begin, sizeof begin, "{\"id\":%s,\"ok\":", id);
    Span rest = text_span(&client->all), line;
    while (span_line(&rest, &line))
        if (span_starts(line, begin)) {
            text_clear(&client->last);
            text_add_bytes(&client->last, line.ptr, line.len);
            return true;
        }
    return false;
}

const char *client_wait(Client *client, const char *id)
{
    i64 until_us = os_now_us() + WAIT_US;
    pthread_mutex_lock(&client->mutex);
    bool found = find_answer(client, id);
    while (!found && os_cond_wait_until(&client->came, &client->mutex, until_us))
        found = find_answer(client, id);
    pthread_mutex_unlock(&client->mutex);
    CHECK_THAT(found, "no answer to %s", id);
    return found ? client->last.ptr : "";
}

const char *client_ask(Client *client, const char *id, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    send(client, format, args);
    va_end(args);
    while (client->steps && json_lines_step(client->lines)) {
    }
    return client_wait(client, id);
}

static bool has_words(Span line, const char *words)
{
    size_t len = strlen(words);
    for (size_t i = 0; i + len <= line.len; i++)
        if (memcmp(line.ptr + i, words, len) == 0)
            return true;
    return false;
}

int client_count(Client *client, const char *words)
{
    int nb = 0;
    pthread_mutex_lock(&client->mutex);
    Span rest = text_span(&client->all), line;
    while (span_line(&rest, &line))
        nb += has_words(line, words);
    pthread_mutex_unlock(&client->mutex);
    return nb;
}

void client_forget(Client *client)
{
    pthread_mutex_lock(&client->mutex);
    text_clear(&client->all);
    client->answer_nb = 0;
    pthread_mutex_unlock(&client->mutex);
}

void client_close(Client *client, bool cut_short)
{
    json_lines_close(client->lines, cut_short);
    client->lines = NULL;
    CHECK_INT(client->bad_nb, 0);
}

void client_free(Client *client)
{
    if (client->lines)
        client_close(client, true);
    text_free(&client->all);
    text_free(&client->last);
    pthread_cond_destroy(&client->came);
    pthread_mutex_destroy(&client->mutex);
}
