// SPDX-License-Identifier: GPL-3.0-or-later
// A suite of cases that pass, fail and check nothing, for tests/runner.sh: what must fail the runner fails.
// It is linked with runner.c alone and brings the three functions that the runner wants from elsewhere.
#include "test.h"

#include "game.h"

void game_init(void) {}

i64 os_now_us(void) { return 0; }
void os_start(int *argc, char ***argv) { (void)argc, (void)argv; }

void test_sample(void)
{
    CHECK(1 + 1 == 3); // before the first case: a failure all the same
    CASE("a case that passes");
    CHECK(1 + 1 == 2);
    CHECK_INT(1 + 1, 2);
    CHECK_TEXT("two", "two");
    CASE("a case that fails");
    CHECK_INT(1 + 1, 3);
    CHECK(1 + 1 == 2);
    CASE("a case that fails by its text");
    CHECK_TEXT("two", "three");
    CASE("a case that is skipped");
    test_skip("there is no reason");
    CASE("a case that checks nothing");
}
