/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that links both libraries, chess and shogi, and uses nothing but include/twofold.h: life,
 * options, positions, searches with callbacks, a stop from another thread, every failure, and both games
 * thinking at the same time. Its last line is `library: P passed, F failed, 0 skipped`.
 */
#include <ctype.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
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

/* An evaluation of our own: men counted, over so many squares and both hands. */
typedef struct Count {
    int squares, calls;
} Count;

static int worth(int man)
{
    static const char LETTERS[] = "PLNSGBRQ";
    static const int WORTH[] = {100, 200, 300, 400, 450, 500, 900, 950};
    const int letter = man & 0xff;
    const char *at = letter ? strchr(LETTERS, toupper(letter)) : NULL;
    return !at ? 0 : (isupper(letter) ? 1 : -1) * (WORTH[at - LETTERS] + (man >= TWOFOLD_PROMOTED ? 100 : 0));
}

/*
 * The same tests for either game: FIRST is a legal first move, MATE a position with a mate in one move, ONE;
 * in HANGING a pawn takes a great piece by TAKE.
 */
#define GAME_TESTS(game, FIRST, START_MOVES, MATE, ONE, SQUARES, HANGING, TAKE)                            \
    static void *stop_##game(void *engine)                                                                 \
    {                                                                                                      \
        pause_ms(150);                                                                                     \
        twofold_##game##_stop(engine);                                                                     \
        return NULL;                                                                                       \
    }                                                                                                      \
    static void failures_##game(twofold_##game *engine)                                                    \
    {                                                                                                      \
        twofold_limits limits = {.size = sizeof limits};                                                   \
        twofold_result result = {.size = sizeof result};                                                   \
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
        twofold_limits limits = {.size = sizeof limits, .nodes = 20000};                                   \
        twofold_result first = {.size = sizeof first}, second = {.size = sizeof second};                   \
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
        limits = (twofold_limits){.size = sizeof limits, .infinite = 1};                                   \
        heard = (Heard){.stop_at_depth = 4};                                                               \
        CHECK(twofold_##game##_search(engine, &limits, hear, &heard, &second) == TWOFOLD_OK &&             \
              heard.last_depth >= 4);                                                                      \
        limits = (twofold_limits){.size = sizeof limits,                                                   \
                                  .nodes = UINT64_MAX,                                                     \
                                  .move_time_ms = INT64_MAX,                                               \
                                  .time_ms = {INT64_MAX, INT64_MAX}};                                      \
        heard = (Heard){.stop_at_depth = 4}; /* no limit is too large to be one */                         \
        CHECK(twofold_##game##_search(engine, &limits, hear, &heard, &second) == TWOFOLD_OK &&             \
              heard.last_depth >= 4);                                                                      \
        limits = (twofold_limits){.size = sizeof limits, .infinite = 1};                                   \
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
        limits = (twofold_limits){.size = sizeof limits, .depth = 5};                                      \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &second) == TWOFOLD_OK);                \
        CHECK(second.mate == 1 && strcmp(second.best, ONE) == 0 && second.win >= 990);                     \
        CHECK(twofold_##game##_play(engine, second.best) == TWOFOLD_OK);                                   \
        CHECK(twofold_##game##_outcome(engine, &outcome) == TWOFOLD_OK && outcome == TWOFOLD_LOST);        \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &second) == TWOFOLD_OK &&               \
              !second.best[0]);                                                                            \
    }                                                                                                      \
    static int count_##game(void *context, const twofold_position *position)                               \
    {                                                                                                      \
        Count *count = context;                                                                            \
        int sum = 0, side = twofold_##game##_side_to_move(position);                                       \
        for (int square = 0; square < count->squares; square++)                                            \
            sum += worth(twofold_##game##_man(position, square));                                          \
        for (int i = 0; i < 7; i++)                                                                        \
            sum += worth("PLNSGBR"[i]) * (twofold_##game##_hand(position, 0, "PLNSGBR"[i]) -               \
                                          twofold_##game##_hand(position, 1, "plnsgbr"[i]));               \
        count->calls++;                                                                                    \
        return side == 0 ? sum : -sum;                                                                     \
    }                                                                                                      \
    static int beyond_##game(void *context, const twofold_position *position)                              \
    {                                                                                                      \
        (void)position;                                                                                    \
        return *(const int *)context;                                                                      \
    }                                                                                                      \
    static void evaluation_##game(twofold_##game *engine, int squares, const char *hanging,                \
                                  const char *take)                                                        \
    {                                                                                                      \
        Count count = {.squares = squares};                                                                \
        twofold_limits limits = {.size = sizeof limits, .depth = 2};                                       \
        twofold_result result = {.size = sizeof result};                                                   \
        int cp, beyond = INT_MAX;                                                                          \
        CHECK(twofold_##game##_set_evaluate(NULL, count_##game, &count) == TWOFOLD_BAD_ARGUMENT);          \
        CHECK(twofold_##game##_set_evaluate(engine, count_##game, &count) == TWOFOLD_OK);                  \
        CHECK(twofold_##game##_set_position(engine, NULL, NULL) == TWOFOLD_OK);                            \
        CHECK(twofold_##game##_evaluate(engine, &cp) == TWOFOLD_OK && cp == 0 && count.calls == 1);        \
        CHECK(twofold_##game##_set_position(engine, hanging, NULL) == TWOFOLD_OK);                         \
        CHECK(twofold_##game##_evaluate(engine, &cp) == TWOFOLD_OK && cp > -950 && cp < -700);             \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &result) == TWOFOLD_OK);                \
        CHECK(strcmp(result.best, take) == 0 && result.score_cp >= 90 && result.score_cp <= 1100);         \
        CHECK(count.calls > 2 && result.mate == 0);                                                        \
        CHECK(twofold_##game##_set_evaluate(engine, beyond_##game, &beyond) == TWOFOLD_OK);                \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &result) == TWOFOLD_OK);                \
        CHECK(result.mate == 0 && abs(result.score_cp) == TWOFOLD_SCORE_MAX);                              \
        CHECK(twofold_##game##_man(NULL, 0) == 0 && twofold_##game##_hand(NULL, 0, 'P') == 0);             \
        count.calls = 0;                                                                                   \
        CHECK(twofold_##game##_set_evaluate(engine, NULL, NULL) == TWOFOLD_OK);                            \
        CHECK(twofold_##game##_search(engine, &limits, NULL, NULL, &result) == TWOFOLD_OK);                \
        CHECK(count.calls == 0 && strcmp(result.best, take) == 0);                                         \
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
        evaluation_##game(engine, SQUARES, HANGING, TAKE);                                                 \
        twofold_##game##_free(engine);                                                                     \
        twofold_##game##_free(other);                                                                      \
        return NULL;                                                                                       \
    }

GAME_TESTS(chess, "e2e4", "e2e4 e7e5", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 64,
           "k7/8/8/3q4/4P3/8/8/K7 w - - 0 1", "e4d5")
GAME_TESTS(shogi, "7g7f", "7g7f 3c3d", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", 81,
           "4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1", "5f5e")

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
