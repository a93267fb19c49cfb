// SPDX-License-Identifier: GPL-3.0-or-later
// The game in the terminal where it is shogi: declarations, endings and files as this game has them.
#include <stdlib.h>

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
    CHECK_THAT(strstr(answer, "Black declares and wins.") && count_of(answer, "1   2   3   4") == 1, "%s",
               answer);
    free(answer);
    CASE("play: declare is a command");
    check_says("help\n", &options, "\n  declare ");
    options.human[0] = true;
    check_says("declare\nquit\n", &options, "Black declares and wins.");
    options.position = NULL;
    check_says("declare\n", &options, "There is nothing to declare here.");
}

static void test_resigning(void)
{
    PlayOptions options = quick();
    Message message = {0};
    CASE("play: the engine gives up where ResignValue says so");
    options.position = "4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S 1";
    CHECK(option_list_add(&options.engine, span_of("ResignValue=600"), &message));
    check_says("quit\n", &options, "White resigns: Black wins.");
    CASE("play: undo does not make it give up again");
    options.position = "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S 1";
    check_says("K-5h\nundo\ngame\n", &options, "No move has been played.");
}

static void test_flags(void)
{
    CASE("play: a loss on time is kept as one");
    PlayOptions options = quick();
    char kif[PATH_BYTES], csa[PATH_BYTES], script[1200];
    options.human[0] = options.human[1] = true;
    options.clock_ms = 20;
    scratch_path("flag.kif", kif);
    scratch_path("flag.csa", csa);
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

static void test_usi_file(void)
{
    CASE("play: a resignation is kept in a file of moves too");
    PlayOptions options = quick();
    char path[PATH_BYTES], script[1200];
    options.human[0] = options.human[1] = true;
    scratch_path("given-up.usi", path);
    snprintf(script, sizeof script, "P-7f\nP-3d\nresign\nsave %s\n", path);
    check_says(script, &options, "Saved in");
    check_file(path, "startpos moves 7g7f 3c3d resign\n");
    snprintf(script, sizeof script, "load %s\n", path);
    check_says(script, &options, "This game is over: White won.");
    remove(path);
}

static void test_loading(void)
{
    CASE("play: a finished game is loaded as one, and saved as it was");
    static const char GAME[] =
        "V2.2\nN+Sato\nN-Suzuki\n$START_TIME:1999/01/02\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n";
    PlayOptions options = quick();
    char game[PATH_BYTES], saved[PATH_BYTES], script[1200];
    Message message = {0};
    scratch_path("game.csa", game);
    scratch_path("saved.kif", saved);
    CHECK(os_write_file(game, GAME, strlen(GAME), &message));
    snprintf(script, sizeof script, "load %s\nsave %s\n", game, saved);
    check_says(script, &options, "This game is over: White won.");
    check_file(saved, "先手：Sato\n後手：Suzuki\n開始日時：1999/01/02\n");
    check_file(saved, "投了");
    remove(saved);
    CASE("play: a loaded game that goes on keeps its names, and loses its result");
    snprintf(script, sizeof script, "load %s\nundo\nP-2f\nsave %s\n", game, saved);
    check_says(script, &options, "Twofold plays 2... ");
    check_file(saved, "先手：Sato\n後手：Suzuki\n開始日時：1999/01/02\n");
    check_file(saved, "   3 ２六歩(27)");
    remove(game);
    remove(saved);
}

static void test_mistakes(void)
{
    CASE("play: an ambiguous move lists what could be meant");
    PlayOptions options = quick();
    char *answer = run("G-5h\nquit\n", &options, NULL);
    CHECK_THAT(strstr(answer, "Did you mean G4i-5h or G6i-5h?") ||
                   strstr(answer, "Did you mean G6i-5h or G4i-5h?"),
               "%s", answer);
    free(answer);
    CASE("play: nothing to declare at the start");
    answer = run("win\nP-7f\nundo\n", &options, NULL);
    check_has(answer, "nothing to declare");
    check_has(answer, "Twofold plays 1...");
    check_has(answer, "Taken back.");
    free(answer);
}

void test_shogi_play(void)
{
    test_mistakes();
    test_usi_file();
    test_loading();
    test_flags();
    test_declaring();
    test_resigning();
}
