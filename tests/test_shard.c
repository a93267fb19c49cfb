// SPDX-License-Identifier: GPL-3.0-or-later
// Shares of a job: what is no share is refused with the reason, and the shares of any number are a partition.
#include "test.h"

#include "base/shard.h"

static void test_words(void)
{
    static const char *const WRONG[] = {"",     "3",    "/",    "1/",    "/3",    "0/3",       "4/3", "1/0",
                                        "-1/3", "1/-3", "1/3x", "1/2/3", "1 / 3", "1/1000000", "a/b"};
    Shard shard = {.index = 7, .nb = 9};
    Message message;
    CASE("shares: words that are one");
    CHECK(shard_read(span_of("3/8"), &shard, &message) && shard.index == 2 && shard.nb == 8);
    CHECK(shard_read(span_of("1/1"), &shard, &message) && shard.index == 0 && shard.nb == 1);
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        CASE("shares: '%s' is none", WRONG[i]);
        shard = (Shard){.index = 7, .nb = 9};
        message.text[0] = '\0';
        CHECK(!shard_read(span_of(WRONG[i]), &shard, &message));
        CHECK(shard.index == 7 && shard.nb == 9 && message.text[0]);
    }
}

static void test_partition(void)
{
    enum { JOBS = 23 };
    CASE("shares: every job in one of them, and as many as are said");
    for (int nb = 1; nb <= 30; nb++) {
        int taken[JOBS] = {0};
        for (int index = 0; index < nb; index++) {
            const Shard shard = {.index = index, .nb = nb};
            i64 own = 0;
            for (int i = 0; i < JOBS; i++) {
                taken[i] += shard_has(&shard, i);
                own += shard_has(&shard, i);
            }
            CHECK_INT(shard_count(&shard, JOBS), own);
        }
        for (int i = 0; i < JOBS; i++)
            CHECK_INT(taken[i], 1);
    }
    const Shard all = {0};
    CHECK(shard_has(&all, 0) && shard_has(&all, 22) && shard_count(&all, JOBS) == JOBS);
}

void test_shard(void)
{
    test_words();
    test_partition();
}
