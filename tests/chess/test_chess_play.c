// SPDX-License-Identifier: GPL-3.0-or-later
// The game in the terminal where it is chess: endings, clocks and files as this game has them.
#include <stdlib.h>

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

static void test_book(void)
{
    CASE("play: the engine plays from its book, and says so");
    PlayOptions options = quick();
    char book[PATH_BYTES], tables[PATH_BYTES];
    Message message = {0};
    snprintf(book, sizeof book, "Book File=%s", test_data("chess/polyglot/lasker-trap.bin"));
    CHECK(option_list_add(&options.engine, span_of(book), &message));
    CHECK(option_list_add(&options.engine, span_of("OwnBook=true"), &message));
    check_says("d4\n", &options, "Twofold plays 1... d5 (d7d5), from its book\n");
    CASE("play: what endgame tables are there is said");
    snprintf(tables, sizeof tables, "SyzygyPath=%s", test_data("chess/syzygy"));
    CHECK(option_list_add(&options.engine, span_of(tables), &message));
    check_says("quit\n", &options, "Note: endgame tables of up to ");
}

// Two people play from a position; the answer must hold the sentence.
static void check_game(const char *position, const char *script, const char *sentence)
{
    PlayOptions options = quick();
    options.human[1] = true;
    options.position = position;
    check_says(script, &options, sentence);
}

static void test_endings(void)
{
    CASE("play: endings are announced");
    check_game(NULL, "f3\ne5\ng4\nQh4\n", "Black wins: checkmate.");
    check_game(NULL, "Nf3\nNf6\nNg1\nNg8\nNf3\nNf6\nNg1\nNg8\n", "The game is drawn: repetition.");
    check_game("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7\n", "The game is drawn: stalemate.");
    check_game("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", "quit\n", "The game is drawn: stalemate.");
    CASE("play: fifty moves are called so");
    static const char FIFTY[] = "The game is drawn: fifty moves without a capture or a pawn move.";
    check_game("7k/8/6K1/8/8/8/8/5Q2 w - - 99 80", "Qe2\n", FIFTY);
    check_game("4k3/8/8/8/8/8/8/4K2R w - - 99 80", "Kd2\n", FIFTY);
    CASE("play: a position that cannot occur is refused");
    PlayOptions options = quick();
    int code;
    options.position = "7k/8/6K1/8/8/8/5p2/6K1 w - - 0 1";
    char *refusal = run("x\n", &options, &code);
    CHECK_INT(code, 1);
    check_has(refusal, "no position to play from");
    free(refusal);
    options.position = NULL;
    CASE("play: nothing is declared");
    char *answer = run("help\n", &options, NULL);
    CHECK_THAT(strstr(answer, "declare") == NULL, "%s", answer);
    free(answer);
}

// White's flag falls; the answer must say so, and the file hold the part.
static void check_flag(const char *position, const char *sentence, const char *part)
{
    PlayOptions options = quick();
    char path[PATH_BYTES], script[600];
    options.human[0] = options.human[1] = true;
    options.clock_ms = 20;
    options.position = position;
    scratch_path("flag.pgn", path);
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
    check_flag("4k2r/8/8/8/8/8/8/4K2R w - - 0 1", "White has run out of time: Black wins.",
               "[Result \"0-1\"]");
    CASE("play: a flag draws against a bare king");
    check_flag("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "the game is drawn", "[Result \"1/2-1/2\"]");
}

static void test_loading(void)
{
    static const char GAME[] =
        "[Event \"Club\"]\n[Site \"?\"]\n[Date \"1999.01.02\"]\n[Round \"3\"]\n[White \"Anna\"]\n[Black "
        "\"Boris\"]\n"
        "[Result \"1-0\"]\n[Termination \"normal\"]\n\n1. e4 {best} 1... e5 2. Nf3 $1 1-0\n\n";
    PlayOptions options = quick();
    char game[PATH_BYTES], saved[PATH_BYTES], script[1200];
    Message message = {0};
    scratch_path("game.pgn", game);
    scratch_path("saved.pgn", saved);
    CHECK(os_write_file(game, GAME, strlen(GAME), &message));
    CASE("play: a finished game is loaded as one, and saved as it was");
    snprintf(script, sizeof script, "load %s\nd4\nsave %s\n", game, saved);
    char *answer = run(script, &options, NULL);
    CHECK_THAT(strstr(answer, "This game is over: White won.") && !strstr(answer, "Twofold plays"), "%s",
               answer);
    free(answer);
    check_file(saved, GAME);
    remove(saved);
    CASE("play: a loaded game that goes on keeps its names, and loses its result");
    snprintf(script, sizeof script, "load %s\nundo\nsave %s\n", game, saved);
    check_says(script, &options, "Twofold plays 2... ");
    check_file(saved,
               "[White \"Anna\"]\n[Black \"Boris\"]\n[Result \"*\"]\n\n1. e4 {best} 1... e5 2. Nf3 $1 ");
    check_file(saved, "[Date \"1999.01.02\"]\n");
    remove(saved);
    CASE("play: a game that cannot be read to its end has no result");
    snprintf(script, sizeof script, "[White \"Anna\"]\n\n1. e4 e5 2. Nf9 1-0\n");
    CHECK(os_write_file(game, script, strlen(script), &message));
    snprintf(script, sizeof script, "load %s\nsave %s\n", game, saved);
    check_says(script, &options, "Note: move 2");
    check_file(saved, "[Result \"*\"]\n\n1. e4 e5 *");
    remove(game);
    remove(saved);
}

static void test_passes(void)
{
    CASE("play: the null moves of files are no moves of a game");
    PlayOptions options = quick();
    check_says("0000\n", &options, "'0000' is no move here");
    check_says("--\n", &options, "'--' is no move here");
    check_says("Z0\n", &options, "'Z0' is no move here");
}

static void test_mistakes(void)
{
    CASE("play: an ambiguous move lists what could be meant");
    check_game("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rd1\nRf1\nundo\n", "Taken back.");
    check_game("4k3/8/8/8/8/8/8/R2RK3 w - - 0 1", "Rb1\nquit\n", "Did you mean Rab1 or Rdb1?");
    check_game("4k3/8/8/3N4/8/8/8/1N2K3 w - - 0 1", "Nc3\n", "Did you mean Nbc3 or Ndc3?");
    check_game("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8\n", "Did you mean a8=Q");
    CASE("play: who is in check is told so");
    check_game("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "Kd8\n", "The king is in check.");
}

void test_chess_play(void)
{
    test_mistakes();
    test_passes();
    test_endings();
    test_loading();
    test_flags();
    test_watching();
    test_book();
}
