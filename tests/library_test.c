/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that links both libraries, chess and shogi, and uses nothing but include/twofold.h: life,
 * options, positions, searches with callbacks, a stop from another thread, every failure, and both games
 * thinking at the same time. Its last line is `library: P passed, F failed, 0 skipped`.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "twofold.h"

static struct {
    pthread_mutex_t mutex;
    int passed, failed;
} state = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void check(int ok, const char *what, int line)
{
    pthread_mutex_lock(&state.mutex);
    state.passed += ok;
    state.failed += !ok;
    if (!ok)
        printf("FAILED: library: line %d: %s\n", line, what);
    pthread_mutex_unlock(&state.mutex);
}
#define CHECK(condition) check(!!(condition), #condition, __LINE__)

typedef struct Heard {
    int calls, last_depth, stop_at_depth, bad;
    uint64_t nodes;
} Heard;

static int hear(void *context, const twofold_info *info)
{
    Heard *heard = context;
    heard->calls++;
    heard->bad += info->win + info->draw + info->loss < 990 || info->win + info->draw + info->loss > 1010 ||
                  !info->moves[0];
    heard->bad += info->nodes < heard->nodes;
    heard->nodes = info->nodes;
    heard->last_depth = info->depth;
    return heard->stop_at_depth && info->depth >= heard->stop_at_depth;
}

static void pause_ms(int ms)
{
    struct timespec t = {.tv_sec = 0, .tv_nsec = ms * 1000000L};
    nanosleep(&t, NULL);
}

/* The same tests for either game: FIRST is a legal first move, MATE a position with a mate in one move, ONE.
 */
#define GAME_TESTS(game, FIRST, START_MOVES, MATE, ONE)                                                    \
    static void *stop_##game(void *engine)                                                                 \
    {                                                                                                      \
        pause_ms(150);                                                                                     \
        twofold_##game##_stop(engine);                                                                     \
        return NULL;                                                                                       \
    }                                                                                                      \
    static void failures_##game(twofold_##game *engine)                                                    \
    {                                                                                                      \
        twofold_limits limits = {0};                                                                       \
        twofold_result result;                                                                             \
        char before[256], after[256], tiny[4];                                                             \
        CHECK(twofold_##game##_position(engine, before, sizeof before) == TWOFOLD_OK);                     \
        CHECK(twofold_##game##_set_position(engine, "nonsense", NULL) == TWOFOLD_BAD_POSITION);            \
        CHECK(strlen(twofold_##game##_error(engine)) > 0);                                                 \
        CHECK(twofold_##game##_set_position(engine, NULL, FIRST " xyzzy") == TWOFOLD_BAD_MOVE);            \
        CHECK(strstr(twofold_##game##_error(engine), "xyzzy") != NULL);                                    \
        CHECK(twofold_##game##_play(engine, "xyzzy") == TWOFOLD_BAD_MOVE);                                 \
        CHECK(twofold_##game##_play(engine, NULL) == TWOFOLD_BAD_ARGUMENT);                                \
        CHECK(twofold_##game##_position(engine, after, sizeof after) == TWOFOLD_OK &&                      \
              strcmp(before, after) == 0);                                                                 \
        CHECK(twofold_##game##_position(engine, tiny, sizeof tiny) == TWOFOLD_BAD_ARGUMENT);               \
        CHECK(twofold_##game##_set_option(engine, "Hash", "many") == TWOFOLD_BAD_OPTION);                  \
        CHECK(twofold_##game##_set_option(engine, "Hash", "-1") == TWOFOLD_BAD_OPTION);                    \
        CHECK(twofold_##game##_set_option(engine, "Nothing", "1") == TWOFOLD_BAD_OPTION);                  \
        CHECK(twofold_##game##_set_option(engine, "EvalFile", "/nonexistent/net") == TWOFOLD_BAD_OPTION);  \
        CHECK(twofold_##game##_set_option(engine, "Tables", "/nonexistent/tables") == TWOFOLD_BAD_OPTION); \
        CHECK(twofold_##game##_set_option(engine, NULL, "1") == TWOFOLD_BAD_ARGUMENT);                     \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &result) == TWOFOLD_BAD_ARGUMENT);      \
        CHECK(twofold_##game##_search(engine, NULL, NULL, NULL, &result) == TWOFOLD_BAD_ARGUMENT);         \
        limits.nodes = 100;                                                                                \
        limits.only_moves = "xyzzy";                                                                       \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &result) == TWOFOLD_BAD_MOVE);          \
        limits.only_moves = "0000"; /* a pass is no move of the game */                                    \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &result) == TWOFOLD_BAD_MOVE);          \
        CHECK(twofold_##game##_play(engine, "0000") == TWOFOLD_BAD_MOVE);                                  \
        CHECK(twofold_##game##_search(NULL, &limits, NULL, NULL, &result) == TWOFOLD_BAD_ARGUMENT);        \
        CHECK(twofold_##game##_error(NULL)[0] != '\0');                                                    \
        twofold_##game##_stop(NULL);                                                                       \
        twofold_##game##_free(NULL);                                                                       \
    }                                                                                                      \
    static void searches_##game(twofold_##game *engine)                                                    \
    {                                                                                                      \
        twofold_limits limits = {.nodes = 20000};                                                          \
        twofold_result first, second;                                                                      \
        Heard heard = {0};                                                                                 \
        twofold_outcome outcome;                                                                           \
        pthread_t thread;                                                                                  \
        int cp;                                                                                            \
        CHECK(twofold_##game##_set_position(engine, NULL, START_MOVES) == TWOFOLD_OK);                     \
        CHECK(twofold_##game##_new_game(engine) == TWOFOLD_OK);                                            \
        CHECK(twofold_##game##_search(engine, &limits, hear, &heard, &first) == TWOFOLD_OK);               \
        CHECK(heard.calls > 0 && heard.bad == 0 && first.best[0] && first.nodes <= 20000);                 \
        CHECK(strncmp(first.line, first.best, strlen(first.best)) == 0);                                   \
        CHECK(twofold_##game##_new_game(engine) == TWOFOLD_OK);                                            \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &second) == TWOFOLD_OK);                \
        CHECK(strcmp(first.line, second.line) == 0 && first.nodes == second.nodes);                        \
        limits.except_moves = first.best;                                                                  \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &second) == TWOFOLD_OK &&               \
              strcmp(first.best, second.best) != 0);                                                       \
        limits = (twofold_limits){.infinite = 1};                                                          \
        heard = (Heard){.stop_at_depth = 4};                                                               \
        CHECK(twofold_##game##_search(engine, &limits, hear, &heard, &second) == TWOFOLD_OK &&             \
              heard.last_depth >= 4);                                                                      \
        limits = (twofold_limits){                                                                         \
            .nodes = UINT64_MAX, .move_time_ms = INT64_MAX, .time_ms = {INT64_MAX, INT64_MAX}};            \
        heard = (Heard){.stop_at_depth = 4}; /* no limit is too large to be one */                         \
        CHECK(twofold_##game##_search(engine, &limits, hear, &heard, &second) == TWOFOLD_OK &&             \
              heard.last_depth >= 4);                                                                      \
        limits = (twofold_limits){.infinite = 1};                                                          \
        CHECK(pthread_create(&thread, NULL, stop_##game, engine) == 0);                                    \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &second) == TWOFOLD_OK &&               \
              second.best[0]);                                                                             \
        pthread_join(thread, NULL);                                                                        \
        twofold_##game##_arm(engine);                                                                      \
        twofold_##game##_stop(engine); /* before the search begins: it still counts */                     \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &second) == TWOFOLD_OK &&               \
              second.best[0]);                                                                             \
        CHECK(twofold_##game##_set_position(engine, MATE, NULL) == TWOFOLD_OK);                            \
        CHECK(twofold_##game##_outcome(engine, &outcome) == TWOFOLD_OK && outcome == TWOFOLD_GOES_ON);     \
        CHECK(twofold_##game##_evaluate(engine, &cp) == TWOFOLD_OK);                                       \
        limits = (twofold_limits){.depth = 5};                                                             \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &second) == TWOFOLD_OK);                \
        CHECK(second.mate == 1 && strcmp(second.best, ONE) == 0 && second.win >= 990);                     \
        CHECK(twofold_##game##_play(engine, second.best) == TWOFOLD_OK);                                   \
        CHECK(twofold_##game##_outcome(engine, &outcome) == TWOFOLD_OK && outcome == TWOFOLD_LOST);        \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &second) == TWOFOLD_OK &&               \
              !second.best[0]);                                                                            \
    }                                                                                                      \
    static void *all_##game(void *unused)                                                                  \
    {                                                                                                      \
        char moves[8192];                                                                                  \
        twofold_##game *engine = twofold_##game##_new(), *other = twofold_##game##_new();                  \
        (void)unused;                                                                                      \
        CHECK(engine &&other);                                                                             \
        if (!engine || !other)                                                                             \
            return NULL;                                                                                   \
        CHECK(twofold_##game##_version()[0] && strcmp(twofold_##game##_error(engine), "") == 0);           \
        CHECK(twofold_##game##_legal_moves(engine, moves, sizeof moves) == TWOFOLD_OK &&                   \
              strstr(moves, FIRST));                                                                       \
        CHECK(twofold_##game##_set_option(engine, "hash", "2") == TWOFOLD_OK);                             \
        CHECK(twofold_##game##_set_option(engine, "MultiPV", "1") == TWOFOLD_OK);                          \
        CHECK(twofold_##game##_set_option(engine, "Elo", "0") == TWOFOLD_OK);                              \
        CHECK(twofold_##game##_option_name(0) && !twofold_##game##_option_name(1000) &&                    \
              !twofold_##game##_option_name(-1));                                                          \
        failures_##game(engine);                                                                           \
        searches_##game(engine);                                                                           \
        searches_##game(other);                                                                            \
        twofold_##game##_free(engine);                                                                     \
        twofold_##game##_free(other);                                                                      \
        return NULL;                                                                                       \
    }

GAME_TESTS(chess, "e2e4", "e2e4 e7e5", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8")
GAME_TESTS(shogi, "7g7f", "7g7f 3c3d", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b")

int main(void)
{
    pthread_t chess, shogi;
    if (pthread_create(&chess, NULL, all_chess, NULL) != 0 ||
        pthread_create(&shogi, NULL, all_shogi, NULL) != 0) {
        printf("library: no threads\n");
        return 1;
    }
    pthread_join(chess, NULL);
    pthread_join(shogi, NULL);
    printf("library: %d passed, %d failed, 0 skipped\n", state.passed, state.failed);
    return state.failed != 0;
}
