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

void test_shogi_play(void)
{
    test_declaring();
}
