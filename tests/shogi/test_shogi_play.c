// SPDX-License-Identifier: GPL-3.0-or-later
// The game in the terminal where it is shogi: declarations, endings and files as this game has them.
#include <stdlib.h>

#include "base/language.h"
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
    scratch_path("flag.kifu", kif);
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
    scratch_path("saved.kifu", saved);
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

// A word of two letters or more that is neither a number's nor one of those that are the same in Japanese:
// the first, or NULL.
static const char *english_word(const char *text, char out[64])
{
    static const char *const SAME[] = {"Twofold",  "help", "moves",  "undo",    "new",      "save", "FILE",
                                       "load",     "hint", "eval",   "level",   "resign",   "swap", "flip",
                                       "board",    "game", "quit",   "win",     "NAME",     "SFEN", "declare",
                                       "POSITION", "redo", "resume", "moments", "thinking", NULL};
    while (*text) {
        size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        bool is_same = len < 2 || text[len] == '/' || (text[len] >= '0' && text[len] <= '9');
        for (const char *const *same = SAME; *same && !is_same; same++)
            is_same = strlen(*same) == len && strncmp(*same, text, len) == 0;
        if (!is_same) {
            span_copy((Span){text, len}, out, 64);
            return out;
        }
        // A move or a position of the protocol is one word, digits and all.
        len = len ? len
              : strspn(text, "0123456789abcdefghiPLNSGBRK*+/")
                  ? strspn(text, "0123456789abcdefghiPLNSGBRK*+/")
                  : 1;
        text += len;
    }
    return NULL;
}

static void test_in_japanese(void)
{
    PlayOptions options = quick();
    options.unicode = true;
    language_set(LANGUAGE_JAPANESE);
    CASE("play in Japanese: moves, commands and the board");
    check_says("７六歩\n", &options, "Twofold の指し手：2手目 △");
    check_says("７六歩\n待った\n棋譜\n", &options, "まだ一手も指されていません。");
    check_says("投了\n", &options, "先手の投了により、後手の勝ちです。");
    check_says("宣言\n", &options, "宣言できる局面ではありません。");
    check_says("盤\n", &options, "一    後手 持駒： なし");
    snprintf(options.start_name, sizeof options.start_name, "handicap:2");
    check_says("quit\n", &options, "下手 持駒：");
    options.start_name[0] = '\0';
    CASE("play in Japanese: no English word is left");
    static const char *const SCRIPTS[] = {
        "説明\n変な手\n形勢\nヒント\n待った\n待った 3\n待った x\n反転\n先後交代\n",
        "７六歩\n待った\n強さ\n新規\n保存\n読込\n読込 無い\n棋譜\n投了\n７六歩\n"};
    for (size_t i = 0; i < sizeof SCRIPTS / sizeof SCRIPTS[0]; i++) {
        char word[64], *answer = run(SCRIPTS[i], &options, NULL);
        const char *english = english_word(answer, word);
        CHECK_THAT(!english || strstr("beginner casual club expert master full", english), "'%s' in: %s",
                   english, answer);
        free(answer);
    }
    language_set(LANGUAGE_ENGLISH);
}

void test_shogi_play(void)
{
    test_in_japanese();
    test_mistakes();
    test_usi_file();
    test_loading();
    test_flags();
    test_declaring();
    test_resigning();
}
