/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small program that uses the library: thinks about a chess and a shogi position at the same time, in two
 * threads, and prints the lines as they come. Build it, after `make lib`, with cc -Iinclude
 * examples/analyse.c libtwofold-chess.a libtwofold-shogi.a -lm -pthread -o analyse and run it as  ./analyse
 * [NODES]
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "twofold.h"

static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;

static int show(void *context, const twofold_info *info)
{
    pthread_mutex_lock(&printing);
    printf("%s  depth %2d  ", (const char *)context, info->depth);
    if (info->mate)
        printf("mate %+d  ", info->mate);
    else
        printf("%+5.2f  ", info->score_cp / 100.0);
    printf("%s\n", info->moves);
    pthread_mutex_unlock(&printing);
    return 0; /* anything else would end the search */
}

static void *think_chess(void *limits)
{
    twofold_chess *engine = twofold_chess_new();
    twofold_result result = {.size = sizeof result};
    if (!engine)
        return NULL;
    if (twofold_chess_set_position(engine, NULL, "e2e4 e7e5 g1f3 b8c6 f1b5") != TWOFOLD_OK ||
        twofold_chess_search(engine, limits, show, "chess", &result) != TWOFOLD_OK)
        printf("chess: %s\n", twofold_chess_error(engine));
    else
        printf("chess: best is %s\n", result.best);
    twofold_chess_free(engine);
    return NULL;
}

static void *think_shogi(void *limits)
{
    twofold_shogi *engine = twofold_shogi_new();
    twofold_result result = {.size = sizeof result};
    if (!engine)
        return NULL;
    if (twofold_shogi_set_position(engine, NULL, "7g7f 3c3d 2g2f") != TWOFOLD_OK ||
        twofold_shogi_search(engine, limits, show, "shogi", &result) != TWOFOLD_OK)
        printf("shogi: %s\n", twofold_shogi_error(engine));
    else
        printf("shogi: best is %s\n", result.best);
    twofold_shogi_free(engine);
    return NULL;
}

int main(int argc, char **argv)
{
    twofold_limits limits = {.size = sizeof limits, .nodes = argc > 1 ? strtoull(argv[1], NULL, 10) : 200000};
    pthread_t chess, shogi;
    if (pthread_create(&chess, NULL, think_chess, &limits) != 0 ||
        pthread_create(&shogi, NULL, think_shogi, &limits) != 0)
        return 1;
    pthread_join(chess, NULL);
    pthread_join(shogi, NULL);
    return 0;
}
