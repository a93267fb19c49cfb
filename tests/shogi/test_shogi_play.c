// SPDX-License-Identifier: GPL-3.0-or-later
// The game in the terminal where it is shogi: declarations, endings and files as this game has them.
#include "play.h"

#define DECLARABLE "+R+B+P+PK1+P2/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b RB4G4S4P 1"

static void test_declaring(void)
{
    CASE("play: the board is drawn before the engine declares");
    PlayOptions options = quick();
    options.human[0] = false;
    options.human[1] = true;
    options.position = DECLARABLE;
    char *answer = run("", &options, NULL);
    CHECK_THAT(strstr(answer, "Black declares and wins.") && count_of(answer, "1   2   3   4") == 1, "%s", answer);
    free(answer);
}

static void test_flags(void)
{
    CASE("play: a loss on time is kept as one");
    PlayOptions options = quick();
    char kif[512], csa[512], script[1200];
    options.human[0] = options.human[1] = true;
    options.clock_ms = 20;
    span_copy(span_of(test_scratch("flag.kif")), kif, sizeof kif);
    span_copy(span_of(test_scratch("flag.csa")), csa, sizeof csa);
    snprintf(script, sizeof script, "P-7f\nsave %s\nsave %s", kif, csa);
    char *answer = run_late(script, 120, &options);
    if (answer) {
        CHECK_THAT(strstr(answer, "Black has run out of time: White wins.") != NULL, "%s", answer);
        check_file(kif, "切れ負け");
        check_file(csa, "%TIME_UP");
    }
    free(answer);
    remove(kif);
    remove(csa);
}

void test_shogi_play(void)
{
    test_flags();
    test_declaring();
}
