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

// White's flag falls; the answer must say so, and the file hold the part.
static void check_flag(const char *position, const char *sentence, const char *part)
{
    PlayOptions options = quick();
    char path[512], script[600];
    options.human[0] = options.human[1] = true;
    options.clock_ms = 20;
    options.position = position;
    span_copy(span_of(test_scratch("flag.pgn")), path, sizeof path);
    snprintf(script, sizeof script, "Kd2\nsave %s", path);
    char *answer = run_late(script, 120, &options);
    if (answer) {
        CHECK_THAT(strstr(answer, sentence) != NULL, "%s", answer);
        check_file(path, part);
        check_file(path, "[Termination \"time forfeit\"]");
    }
    free(answer);
    remove(path);
}

static void test_flags(void)
{
    CASE("play: a flag loses");
    check_flag("4k2r/8/8/8/8/8/8/4K2R w - - 0 1", "White has run out of time: Black wins.", "[Result \"0-1\"]");
    CASE("play: a flag draws against a bare king");
    check_flag("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "the game is drawn", "[Result \"1/2-1/2\"]");
}

void test_chess_play(void)
{
    test_flags();
    test_watching();
}
