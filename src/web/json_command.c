// SPDX-License-Identifier: GPL-3.0-or-later
// The command `json`: a session that speaks JSON on standard input and output.
#include <stdlib.h>

#include "base/cli.h"
#include "base/language.h"
#include "session/options.h"
#include "web/json_lines.h"
#include "web/web.h"

typedef struct JsonOptions {
    int hash_max_mb, threads_max;
} JsonOptions;

static const CliOption OPTIONS[] = {
    {"max-hash", 0, CLI_INT, offsetof(JsonOptions, hash_max_mb), 1, HASH_MB_MAX, "MB",
     "the most memory that may be asked for", NULL},
    {"max-threads", 0, CLI_INT, offsetof(JsonOptions, threads_max), 1, THREADS_MAX, "N",
     "the most threads that may be asked for", NULL},
};
static const CliCommand COMMAND = {
    .name = "twofold-" GAME_NAME " json",
    .about = "Usage: twofold-" GAME_NAME " json [OPTIONS]\n"
             "Answers requests of programs: one JSON object a line on standard input, events and answers on "
             "standard output.",
    .more = "A first request: {\"id\":1,\"do\":\"hello\"}. docs/json.md has all of them.",
    .table = &(const CliTable){OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0]},
    .table_nb = 1,
    .speaks = true,
};

typedef struct Console {
    atomic_bool is_broken; // nobody reads any more
    Text line;             // being put together
} Console;

static void tell(void *context, Span line)
{
    Console *console = context;
    text_clear(&console->line);
    text_add_bytes(&console->line, line.ptr, line.len);
    text_add_bytes(&console->line, "\n", 1);
    if (console->line.failed || !os_write_output(console->line.ptr, console->line.len))
        atomic_store(&console->is_broken, true);
}

// Gives the whole lines of the buffer to the session and keeps the rest. Of a line that is too long only so
// much is kept that the session can refuse it. False after quit.
static bool take_lines(JsonLines *lines, Text *buffer, bool is_end)
{
    size_t begin = 0;
    bool goes_on = true;
    for (char *end; goes_on && buffer->len > begin &&
                    (end = memchr(buffer->ptr + begin, '\n', buffer->len - begin)) != NULL;) {
        goes_on = json_lines_take(lines, (Span){buffer->ptr + begin, (size_t)(end - buffer->ptr) - begin});
        begin = (size_t)(end - buffer->ptr) + 1;
    }
    if (is_end && goes_on && buffer->len > begin) {
        goes_on = json_lines_take(lines, (Span){buffer->ptr + begin, buffer->len - begin});
        begin = buffer->len;
    }
    if (begin && buffer->len > begin)
        memmove(buffer->ptr, buffer->ptr + begin, buffer->len - begin);
    buffer->len -= begin;
    return goes_on;
}

static int serve(JsonLines *lines, Console *console)
{
    Text buffer = {0};
    char *chunk = malloc(1 << 16);
    bool goes_on = chunk != NULL;
    int got = 0;
    while (goes_on) {
        got = os_read_input(chunk, 1 << 16);
        // What is too long already need not be kept whole: it is refused at its end.
        const char *end = got > 0 ? memchr(chunk, '\n', (size_t)got) : NULL;
        size_t from =
            buffer.len > JSON_LINE_MAX ? (end ? (size_t)(end - chunk) : (size_t)max_int(got, 0)) : 0;
        if (got > 0)
            text_add_bytes(&buffer, chunk + from, (size_t)got - from);
        goes_on =
            got >= 0 && !atomic_load(&console->is_broken) && take_lines(lines, &buffer, got == 0) && got > 0;
    }
    free(chunk);
    text_free(&buffer);
    bool is_broken = got < 0 || atomic_load(&console->is_broken);
    json_lines_close(lines, is_broken);
    return is_broken || !chunk ? EXIT_FAILED : EXIT_DONE;
}

int web_json_main(int argc, char **argv)
{
    JsonOptions options = {0};
    Console console = {0};
    Message message = {0};
    int code;
    if (!cli_read(&COMMAND, argc, argv, &options, NULL, &code))
        return code;
    language_set(LANGUAGE_ENGLISH); // a person was told how to start it; what it answers, programs read
    const JsonOwner owner = {.context = &console,
                             .tell = tell,
                             .hash_max_mb = options.hash_max_mb,
                             .threads_max = options.threads_max,
                             .allows_files = true};
    JsonLines *lines = json_lines_open(&owner, &message);
    code = lines ? serve(lines, &console) : cli_failed(&COMMAND, message.text);
    text_free(&console.line);
    return code;
}
