/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library under random use from several threads: stress_library [SEARCHES [SEED]]. For each game two
 * engines live at the same time, each with a thread that searches (all kinds of limits, options and positions
 * between) and one that stops, asks and changes things whenever it likes. What must hold: every search
 * answers once, with a legal move; a stop that was armed for is never lost; a call while a search runs says
 * TWOFOLD_BUSY and changes nothing; nothing hangs. What is asked for depends on the seed alone. The last line
 * is `stress of the library: P passed, F failed, 0 skipped`.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "twofold.h"

enum { ENGINES = 2, PATIENCE_S = 60, FIRST_SEED = 7 };

static struct {
    atomic_int passed, failed, done;
    atomic_long progress; /* grows with every search: the watchdog looks at it */
    long searches;
    uint64_t seed;
} state;

static void check(int ok, const char *what, int line)
{
    atomic_fetch_add(ok ? &state.passed : &state.failed, 1);
    if (!ok)
        printf("FAILED: stress of the library, seed %llu: line %d: %s\n", (unsigned long long)state.seed,
               line, what);
}
#define CHECK(condition) check(!!(condition), #condition, __LINE__)

/* Numbers below n, the same from the same seed. */
static unsigned pick(uint64_t *state_of, unsigned n)
{
    uint64_t z = (*state_of += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return (unsigned)(((z ^ (z >> 31)) >> 32) % n);
}

static void pause_us(unsigned us)
{
    struct timespec t = {.tv_sec = 0, .tv_nsec = us * 1000L};
    nanosleep(&t, NULL);
}

/* Is the word one of those in the list, blanks between? */
static int has_word(const char *list, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += len)
        if ((at == list || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
            return 1;
    return 0;
}

typedef struct Shared {
    void *engine;
    uint64_t rng;
    atomic_int armed; /* an endless search was armed for: the other thread owes it a stop */
    atomic_int ended;
    int calls, stop_at;
} Shared;

static int hear(void *context, const twofold_info *info)
{
    Shared *shared = context;
    shared->calls++;
    return info->moves[0] == '\0' || (shared->stop_at > 0 && shared->calls >= shared->stop_at);
}

/* Limits of every kind; true when only a stop ends the search. */
static int random_limits(uint64_t *rng, twofold_limits *limits)
{
    memset(limits, 0, sizeof *limits);
    limits->size = sizeof *limits;
    switch (pick(rng, 6)) {
    case 0: limits->infinite = 1; return 1;
    case 1: limits->nodes = 1 + pick(rng, pick(rng, 2) ? 20 : 20000); return 0;
    case 2: limits->depth = 1 + (int)pick(rng, 6); return 0;
    case 3: limits->move_time_ms = 1 + pick(rng, 20); return 0;
    case 4:
        limits->time_ms[0] = limits->time_ms[1] = 20 + pick(rng, 200);
        limits->inc_ms[0] = limits->inc_ms[1] = pick(rng, 10);
        return 0;
    default:
        limits->mate = 1 + (int)pick(rng, 3);
        limits->nodes = 1 + pick(rng, 20000);
        return 0;
    }
}

#define GAME_STRESS(game, FIRST)                                                                            \
    /* Stops, asks and changes whenever it likes; a search that was armed for always gets its stop. */      \
    static void *disturb_##game(void *argument)                                                             \
    {                                                                                                       \
        Shared *shared = argument;                                                                          \
        twofold_##game *engine = shared->engine;                                                            \
        uint64_t rng = shared->rng ^ 0x5555;                                                                \
        while (!atomic_load(&shared->ended)) {                                                              \
            int status = TWOFOLD_OK, value;                                                                 \
            twofold_outcome outcome;                                                                        \
            pause_us(pick(&rng, pick(&rng, 3) ? 300 : 3000));                                               \
            if (atomic_exchange(&shared->armed, 0) || pick(&rng, 8) == 0)                                   \
                twofold_##game##_stop(engine);                                                              \
            switch (pick(&rng, 6)) {                                                                        \
            case 0: status = twofold_##game##_evaluate(engine, &value); break;                              \
            case 1: status = twofold_##game##_outcome(engine, &outcome); break;                             \
            case 2: status = twofold_##game##_set_option(engine, "MultiPV", pick(&rng, 2) ? "1" : "3");     \
                break;                                                                                      \
            default: break;                                                                                 \
            }                                                                                               \
            CHECK(status == TWOFOLD_OK || status == TWOFOLD_BUSY);                                          \
        }                                                                                                   \
        return NULL;                                                                                        \
    }                                                                                                       \
    /* Calls until the other thread does not hold the engine. */                                            \
    static void set_up_##game(twofold_##game *engine, uint64_t *rng)                                        \
    {                                                                                                       \
        static const char *const THREADS[] = {"1", "2", "3"};                                               \
        const char *moves = pick(rng, 2) ? FIRST : NULL, *threads = THREADS[pick(rng, 3)];                  \
        while (twofold_##game##_set_position(engine, NULL, moves) == TWOFOLD_BUSY)                          \
            ;                                                                                               \
        if (pick(rng, 4) == 0)                                                                              \
            while (twofold_##game##_set_option(engine, "Threads", threads) == TWOFOLD_BUSY)                 \
                ;                                                                                           \
        if (pick(rng, 10) == 0)                                                                             \
            while (twofold_##game##_new_game(engine) == TWOFOLD_BUSY)                                       \
                ;                                                                                           \
    }                                                                                                       \
    static void search_once_##game(Shared *shared, uint64_t *rng)                                           \
    {                                                                                                       \
        twofold_##game *engine = shared->engine;                                                            \
        twofold_limits limits;                                                                              \
        twofold_result result;                                                                              \
        char legal[4096];                                                                                   \
        int status;                                                                                         \
        set_up_##game(engine, rng);                                                                         \
        while ((status = twofold_##game##_legal_moves(engine, legal, sizeof legal)) == TWOFOLD_BUSY)        \
            ;                                                                                               \
        CHECK(status == TWOFOLD_OK);                                                                        \
        int endless = random_limits(rng, &limits);                                                          \
        shared->calls = 0;                                                                                  \
        shared->stop_at = pick(rng, 4) == 0 ? 1 + (int)pick(rng, 3) : 0;                                    \
        do {                                                                                                \
            memset(&result, 0, sizeof result);                                                              \
            result.size = sizeof result;                                                                    \
            if (endless) {                                                                                  \
                twofold_##game##_arm(engine);                                                               \
                atomic_store(&shared->armed, 1);                                                            \
            }                                                                                               \
            status = twofold_##game##_search(engine, &limits, pick(rng, 2) ? hear : NULL, shared, &result); \
        } while (status == TWOFOLD_BUSY);                                                                   \
        CHECK(status == TWOFOLD_OK);                                                                        \
        CHECK(has_word(legal, result.best));                                                                \
        CHECK(strncmp(result.line, result.best, strlen(result.best)) == 0);                                 \
        atomic_fetch_add(&state.progress, 1);                                                               \
    }                                                                                                       \
    static void *searches_##game(void *argument)                                                            \
    {                                                                                                       \
        Shared shared = {.engine = twofold_##game##_new(), .rng = *(uint64_t *)argument};                   \
        uint64_t rng = shared.rng;                                                                          \
        pthread_t other;                                                                                    \
        CHECK(shared.engine != NULL);                                                                       \
        pthread_create(&other, NULL, disturb_##game, &shared);                                              \
        for (long i = 0; i < state.searches; i++)                                                           \
            search_once_##game(&shared, &rng);                                                              \
        atomic_store(&shared.ended, 1);                                                                     \
        pthread_join(other, NULL);                                                                          \
        twofold_##game##_free(shared.engine);                                                               \
        atomic_fetch_add(&state.done, 1);                                                                   \
        return NULL;                                                                                        \
    }

GAME_STRESS(chess, "e2e4 e7e5 g1f3")
GAME_STRESS(shogi, "7g7f 3c3d 2g2f")

/* Ends the program when no search has ended for too long. */
static void watch(void)
{
    long before = -1;
    for (int silent_ms = 0; atomic_load(&state.done) < 2 * ENGINES; silent_ms += 20) {
        long now = atomic_load(&state.progress);
        if (now != before)
            silent_ms = 0;
        before = now;
        if (silent_ms > PATIENCE_S * 1000) {
            printf("FAILED: stress of the library, seed %llu: no search has ended for %d s\n",
                   (unsigned long long)state.seed, PATIENCE_S);
            printf("stress of the library: %d passed, %d failed, 0 skipped\n", atomic_load(&state.passed),
                   atomic_load(&state.failed) + 1);
            fflush(stdout);
            _exit(1);
        }
        pause_us(20000);
    }
}

int main(int argc, char **argv)
{
    pthread_t thread[2 * ENGINES];
    uint64_t seed[2 * ENGINES];
    state.searches = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
    state.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : FIRST_SEED;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < 2 * ENGINES; i++) {
        seed[i] = state.seed + 1000u * (uint64_t)i;
        pthread_create(&thread[i], NULL, i % 2 ? searches_shogi : searches_chess, &seed[i]);
    }
    watch();
    for (int i = 0; i < 2 * ENGINES; i++)
        pthread_join(thread[i], NULL);
    printf("%ld searches\n", atomic_load(&state.progress));
    printf("stress of the library: %d passed, %d failed, 0 skipped\n", atomic_load(&state.passed),
           atomic_load(&state.failed));
    return atomic_load(&state.failed) != 0;
}
