// SPDX-License-Identifier: GPL-3.0-or-later
// How often a search looks at the clock: never more than ClockNodes nodes apart, in the tree and in
// quiescence. With TWOFOLD_OVERSHOOT it thinks 50 times for 10 ms and tells by how much that took longer (a
// figure of `make test-long`). The cases carry the row of docs/features.md that they show.
#include <stdlib.h>

#include "search_helpers.h"

typedef struct Reads {
    const Engine *engine;
    u64 last, most;
    int nb;
} Reads;

static bool note_read(void *context)
{
    Reads *reads = context;
    const u64 nodes = atomic_load(&reads->engine->worker[0]->nodes);
    reads->most = reads->nb && nodes - reads->last > reads->most ? nodes - reads->last : reads->most;
    reads->last = nodes;
    reads->nb++;
    return false;
}

static void check_reads(Engine *engine)
{
    Rng rng = {3};
    CASE("row 40: between two looks at the clock there are ClockNodes nodes at most");
    for (int i = 0; i < 6; i++) {
        Position pos = position_of(GAME_START);
        if (i > 0)
            while (!random_position(&rng, 20 + 10 * i, &pos))
                ;
        Reads reads = {.engine = engine};
        const SearchEvents events = {.context = &reads, .poll = note_read};
        engine_new_game(engine);
        run(engine, &pos, (Limits){.nodes = 20 * PARAM_ClockNodes, .depth = 60}, &events);
        CHECK_THAT(reads.most <= PARAM_ClockNodes, "%llu nodes", (unsigned long long)reads.most);
        if (i == 0)
            CHECK_THAT(reads.nb >= 19, "%d looks", reads.nb);
    }
}

static int by_size(const void *a, const void *b)
{
    const i64 left = *(const i64 *)a, right = *(const i64 *)b;
    return (left > right) - (left < right);
}

static void check_overshoot(Engine *engine)
{
    enum { RUNS = 50, MOVE_TIME_MS = 10 };
    i64 over_us[RUNS];
    const Position start = position_of(GAME_START);
    CASE("row 40: 50 searches of 10 ms");
    engine_options(engine)->move_overhead_ms = 0;
    for (int i = 0; i < RUNS; i++) {
        const i64 begin = os_now_us();
        run(engine, &start, (Limits){.move_time_ms = MOVE_TIME_MS}, NULL);
        over_us[i] = os_now_us() - begin - MOVE_TIME_MS * 1000;
    }
    qsort(over_us, RUNS, sizeof over_us[0], by_size);
    printf("overshoot of %d searches of %d ms: median %.1f ms, worst %.1f ms\n", RUNS, MOVE_TIME_MS,
           (double)over_us[RUNS / 2] / 1000, (double)over_us[RUNS - 1] / 1000);
    CHECK_THAT(over_us[RUNS / 2] < 5000, "median %.1f ms", (double)over_us[RUNS / 2] / 1000);
    CHECK(over_us[0] > -MOVE_TIME_MS * 1000 / 2); // and the time is used
}

void test_clock_reads(void)
{
    Engine *engine = engine_new(2);
    check_reads(engine);
    if (getenv("TWOFOLD_OVERSHOOT"))
        check_overshoot(engine);
    engine_free(engine);
}
