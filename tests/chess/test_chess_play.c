// SPDX-License-Identifier: GPL-3.0-or-later
// The game in the terminal where it is chess: endings, clocks and files as this game has them.
#include "play.h"

static void test_watching(void)
{
    CASE("play: who watches sees every position");
    PlayOptions options = quick();
    options.human[0] = options.human[1] = false;
    options.position = "8/8/8/8/8/5k2/7q/5K2 b - - 0 1";
    char *answer = run("", &options, NULL);
    int plies = count_of(answer, "Twofold plays");
    CHECK_THAT(plies > 0 && count_of(answer, "a  b  c  d") == plies + 1, "%s", answer);
    free(answer);
}

void test_chess_play(void)
{
    test_watching();
}
