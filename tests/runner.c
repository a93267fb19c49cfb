// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the suites (all, or those named on the command line) and prints one closing line:
// `suites of GAME: P passed, F failed, S skipped`, which scripts/test.sh adds up. Exit code 1 when a case
// failed. TEST_CASES names a file for one line a case, `passed NAME`, `failed NAME` or `skipped NAME`, by
// which scripts/rows.sh sees what ran.
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

#include "game.h"

static struct {
    char name[256];
    bool open, unnamed, failed, skipped; // unnamed: a suite's checks before its first CASE
    _Atomic int checks_nb;
    int passed_nb, failed_nb, skipped_nb;
    FILE *cases; // NULL: not asked for
} state;

static void close_case(void)
{
    const bool empty = state.checks_nb == 0 && !state.skipped;
    if (!state.open || (state.unnamed && empty && !state.failed))
        return;
    if (empty)
        test_fail(__FILE__, __LINE__, "the case checked nothing");
    if (state.cases)
        fprintf(state.cases, "%s %s\n",
                state.failed    ? "failed"
                : state.skipped ? "skipped"
                                : "passed",
                state.name);
    state.failed_nb += state.failed;
    state.skipped_nb += !state.failed && state.skipped;
    state.passed_nb += !state.failed && !state.skipped;
    state.open = false;
}

void test_case(const char *format, ...)
{
    close_case();
    va_list args;
    va_start(args, format);
    vsnprintf(state.name, sizeof state.name, format, args);
    va_end(args);
    state.open = true;
    state.unnamed = false;
    state.failed = state.skipped = false;
    state.checks_nb = 0;
}

void test_skip(const char *reason)
{
    state.skipped = true;
    printf("skipped: %s: %s\n", state.name, reason);
}

bool test_check(bool condition)
{
    state.checks_nb++;
    return condition;
}

void test_fail(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("FAILED: %s: %s:%d: ", state.name, file, line);
    vprintf(format, args);
    printf("\n");
    va_end(args);
    state.failed = true;
}

void test_check_int(const char *file, int line, const char *what, i64 actual, i64 expected)
{
    if (!test_check(actual == expected))
        test_fail(file, line, "%s is %lld, expected %lld", what, (long long)actual, (long long)expected);
}

void test_check_text(const char *file, int line, const char *what, const char *actual, const char *expected)
{
    if (!test_check(strcmp(actual, expected) == 0))
        test_fail(file, line, "%s is '%s', expected '%s'", what, actual, expected);
}

bool test_is_light(void) { return getenv("TEST_LIGHT") != NULL; }

bool test_is_slow(void) { return test_is_light() || getenv("TEST_SLOW") != NULL; }

const char *test_data(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "tests/data/%s", name);
    return path;
}

const char *test_scratch(const char *name)
{
    static char path[512];
    const char *dir = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/twofold-test-%d-%s", dir ? dir : "/tmp", (int)getpid(), name);
    return path;
}

int main(int argc, char **argv)
{
    os_start(&argc, &argv);
    static const struct {
        const char *name;
        void (*run)(void);
    } SUITES[] = {
#define SUITE(name) {#name, name},
#include "suites.h"
#undef SUITE
    };
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *cases = getenv("TEST_CASES");
    if (cases && !(state.cases = fopen(cases, "w"))) {
        printf("FAILED: TEST_CASES: '%s' cannot be written\n", cases);
        return 1;
    }
    if (state.cases)
        setvbuf(state.cases, NULL, _IOLBF, 0); // whole lines, also from a run that crashes later
    game_init();
    for (size_t i = 0; i < sizeof SUITES / sizeof SUITES[0]; i++) {
        bool wanted = argc < 2;
        for (int a = 1; a < argc; a++)
            wanted |= strcmp(argv[a], SUITES[i].name) == 0;
        if (!wanted)
            continue;
        i64 start_ms = os_now_ms();
        int failed_before = state.failed_nb, passed_before = state.passed_nb;
        test_case("%s before its first case", SUITES[i].name);
        state.unnamed = true;
        SUITES[i].run();
        close_case();
        printf("%-24s %6d ok %4d failed %8lld ms\n", SUITES[i].name, state.passed_nb - passed_before,
               state.failed_nb - failed_before, (long long)(os_now_ms() - start_ms));
    }
    printf("suites of %s: %d passed, %d failed, %d skipped\n", GAME_NAME, state.passed_nb, state.failed_nb,
           state.skipped_nb);
    return state.failed_nb != 0;
}
