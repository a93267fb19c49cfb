// SPDX-License-Identifier: GPL-3.0-or-later
// See output.h.
#include "protocol/output.h"

enum { SAID_MAX = 1024 };

static void put(Output *out, const char *bytes, size_t size)
{
    pthread_mutex_lock(&out->mutex);
    bool ok = out->write ? out->write(out->context, bytes, size) : os_write_output(bytes, size);
    pthread_mutex_unlock(&out->mutex);
    if (!ok)
        atomic_store(&out->broken, true);
}

void say_text(Output *out, const Text *text)
{
    if (text->len)
        put(out, text->ptr, text->len);
}

void say(Output *out, const char *format, ...)
{
    char line[SAID_MAX];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    len = clamp_int(len, 0, (int)sizeof line - 2);
    line[len] = '\n';
    put(out, line, (size_t)len + 1);
}

static void info(Output *out, char *words)
{
    Text text = {0};
    text_disarm_line(words);
    write_note(words, &text);
    say_text(out, &text);
    text_free(&text);
}

void say_info(Output *out, const char *format, ...)
{
    char words[SAID_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    info(out, words);
}

void refuse(Output *out, const char *format, ...)
{
    char words[SAID_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (out->is_command_line) {
        text_disarm_line(words);
        fprintf(stderr, "twofold-" GAME_NAME ": %s\n", words);
        out->has_refused = true;
    } else {
        info(out, words);
    }
}
