// SPDX-License-Identifier: GPL-3.0-or-later
// Scripted games in the terminal; see play.h for what each function promises.
#include "play.h"

#include <stdlib.h>
#include <unistd.h>

PlayOptions quick(void)
{
    PlayOptions options = play_options_default();
    options.nodes = 300;
    options.advice_nodes = 500;
    options.moment_nodes = 0;
    options.hash_mb = 1;
    return options;
}

char *run(const char *script, const PlayOptions *options, int *code)
{
    char *answer = NULL;
    size_t size = 0;
    FILE *in = fmemopen((void *)script, strlen(script) ? strlen(script) : 1, "r"),
         *out = open_memstream(&answer, &size);
    if (strlen(script) == 0)
        fgetc(in);
    int got = play_run(in, out, options);
    if (code)
        *code = got;
    fclose(in);
    fclose(out);
    return answer;
}

void check_says(const char *script, const PlayOptions *options, const char *sentence)
{
    char *answer = run(script, options, NULL);
    CHECK_THAT(strstr(answer, sentence) != NULL, "no '%s' in the answer to '%s':\n%s", sentence, script,
               answer);
    free(answer);
}

void check_file(const char *path, const char *part)
{
    Text text = {0};
    Message message = {0};
    CHECK_THAT(text_read_file(&text, path, 1 << 20, &message), "%s", message.text);
    CHECK_THAT(text.len && strstr(text.ptr, part) != NULL, "no '%s' in\n%s", part, text.len ? text.ptr : "");
    text_free(&text);
}

// Types only a while after the game has begun, so that the clock runs, and keeps what is answered.
typedef struct Typist {
    FILE *to, *from;
    const char *lines;
    i64 wait_ms;
    Text seen;
} Typist;

static void *type_late(void *argument)
{
    Typist *typist = argument;
    int sign = fgetc(typist->from);
    os_sleep_ms(typist->wait_ms);
    fprintf(typist->to, "%s\n", typist->lines);
    fclose(typist->to);
    for (; sign != EOF; sign = fgetc(typist->from))
        text_add(&typist->seen, "%c", sign);
    return NULL;
}

char *run_late(const char *lines, i64 wait_ms, const PlayOptions *options)
{
    int typed[2], shown[2];
    if (pipe(typed) != 0 || pipe(shown) != 0) {
        test_skip("no pipe");
        return NULL;
    }
    FILE *in = fdopen(typed[0], "r"), *out = fdopen(shown[1], "w");
    Typist typist = {
        .to = fdopen(typed[1], "w"), .from = fdopen(shown[0], "r"), .lines = lines, .wait_ms = wait_ms};
    Thread thread;
    CHECK(os_thread_start(&thread, type_late, &typist));
    CHECK_INT(play_run(in, out, options), 0);
    fclose(out);
    os_thread_join(thread);
    fclose(in);
    fclose(typist.from);
    return typist.seen.ptr;
}
