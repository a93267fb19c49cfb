/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads every game of a file of chess games, judges its moves and prints the mistakes, each with what was
 * better. Build it, after `make install`, with cc examples/records.c $(pkg-config --cflags --libs
 * twofold-chess) -o records and run it as  ./records FILE.pgn [NODES]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "twofold.h"

/* The whole file; NULL when it can't be read. */
static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    *size = 0;
    for (size_t room = 65536, got = 1; file && got > 0; *size += got, room *= 2) {
        char *grown = realloc(text, room);
        if (!grown)
            break;
        text = grown;
        got = fread(text + *size, 1, room - *size, file);
    }
    if (file)
        fclose(file);
    return text;
}

/* The string behind "NAME": in a line of the report; the report's escapes are left as they are. */
static int member(const char *line, const char *name, char *out, size_t size)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *at = strstr(line, key);
    if (!at)
        return 0;
    at += strlen(key);
    snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
    return 1;
}

static void show_game(twofold_chess *engine, const twofold_limits *limits, int number)
{
    const char *text, *end;
    char white[128] = "", black[128] = "", move[32], mark[8], better[512];
    if (twofold_chess_tag(engine, "White", &text) == TWOFOLD_OK)
        snprintf(white, sizeof white, "%s", text);
    if (twofold_chess_tag(engine, "Black", &text) == TWOFOLD_OK)
        snprintf(black, sizeof black, "%s", text);
    printf("game %d: %s - %s\n", number, white, black);
    if (twofold_chess_analyse(engine, limits, NULL, NULL, "json", &text) != TWOFOLD_OK) {
        printf("  %s\n", twofold_chess_error(engine));
        return;
    }
    for (; (end = strchr(text, '\n')) != NULL; text = end + 1) { /* a line is a move */
        char line[8192];
        snprintf(line, sizeof line, "%.*s", (int)(end - text), text);
        if (member(line, "mark", mark, sizeof mark) && strchr(mark, '?') &&
            member(line, "human", move, sizeof move) && member(line, "line_human", better, sizeof better))
            printf("  %s%s: better was %s\n", move, mark, better);
    }
}

int main(int argc, char **argv)
{
    twofold_limits limits = {.size = sizeof limits, .nodes = argc > 2 ? strtoull(argv[2], NULL, 10) : 50000};
    size_t size = 0, at = 0;
    char *text = argc > 1 ? read_file(argv[1], &size) : NULL;
    twofold_chess *engine = twofold_chess_new();
    if (!text || !engine) {
        fprintf(stderr, "%s\n", text ? "not enough memory" : "expected a file of games");
        twofold_chess_free(engine);
        free(text);
        return 1;
    }
    for (int number = 1, status;
         (status = twofold_chess_read_record(engine, text, size, &at)) != TWOFOLD_NO_RECORD; number++)
        if (status == TWOFOLD_OK)
            show_game(engine, &limits, number);
        else
            printf("game %d: %s\n", number, twofold_chess_error(engine));
    twofold_chess_free(engine);
    free(text);
    return 0;
}
