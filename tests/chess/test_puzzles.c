// SPDX-License-Identifier: GPL-3.0-or-later
// Puzzles: found in games, written so that they read back, asked and judged; and files that have none.
#include <stdlib.h>

#include "analyse.h"
#include "console/puzzles.h"

// What is said when these lines are typed.
static char *say(const char *path, const char *typed, int code)
{
    char *said = NULL;
    size_t size;
    PlayOptions options = play_options_default();
    options.puzzles_path = path;
    FILE *in = fmemopen((char *)(typed[0] ? typed : "\n"), typed[0] ? strlen(typed) : 1, "r"),
         *out = open_memstream(&said, &size);
    CHECK_INT(puzzles_run(in, out, out, &options), code);
    fclose(in);
    fclose(out);
    return said;
}

static void test_written(void)
{
    CASE("puzzles: a mate that was missed becomes one, and analyse solves what it wrote");
    Run run =
        analyse("[White \"An;na\"]\n[Black \"\\\"B\\\"\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. d3 d6 *\n",
                (AnalyseOptions){.puzzles_path = "-"});
    CHECK_INT(run.code, 0);
    check_has(run.out,
              "w KQkq - hmvc 4; fmvn 4; bm Qxf7#; dm 1; id \"An na -  B , game 1, 4. d3 was played\";");
    Run again = analyse(run.out, (AnalyseOptions){0});
    check_has(again.out, "Solved 1 of 1");
    run_free(&again);
    run_free(&run);
    CASE("puzzles: only those of the player that was asked for");
    run = analyse("[White \"Anna\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. d3 d6 *\n",
                  (AnalyseOptions){.puzzles_path = "-", .player = "bob"});
    CHECK(run.code == 0 && strstr(run.out, "Qxf7#") == NULL);
    run_free(&run);
}

static void test_asked(const char *path)
{
    CASE("puzzles: what was missed comes again, and is not counted twice");
    write_text(path, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; dm 1;\n"
                     "7k/8/8/8/8/8/R7/1R4K1 w - - bm Rb7; dm 2;\nnonsense/7/8/9/8/8/8/8 w - - bm e4;\n");
    char *said = say(path, "Ra2\nfoo\nRa7\nshow\nRa8\nRb7\n", 0);
    check_has(said, "2 puzzles;");
    check_has(said, "1 could not be read");
    check_has(said, "No. It comes again.");
    check_has(said, "'foo' is no move here");
    check_has(said, "Again, puzzle 1 of 2: White to move and mate in 1.");
    check_has(said, "1 of 2 solved at the first try.");
    free(said);
    CASE("puzzles: another mate of the same length is right, a longer one is not");
    said = say(path, "Ra8\nRa7\n", 0);
    CHECK_INT(count_of(said, "Right."), 2);
    free(said);
    said = say(path, "Ra8\nRa3\nquit\n", 0);
    CHECK_INT(count_of(said, "Right."), 1);
    check_has(said, "1 of 2 solved at the first try.");
    free(said);
    CASE("puzzles: who mates at once is right, whatever was asked for");
    write_text(path,
               "6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - bm Ra8#;\n6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - bm h3;\n");
    said = say(path, "Rb8\nRa8\n", 0);
    CHECK_INT(count_of(said, "Right."), 2);
    free(said);
    CASE("puzzles: the input ends");
    said = say(path, "", 0);
    CHECK(strstr(said, "solved") == NULL);
    free(said);
    CASE("puzzles: files that have none");
    write_text(path, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -\n1. e4 e5 *\n");
    said = say(path, "", 1);
    check_has(said, "there is no puzzle in '");
    free(said);
    said = say("/nonexistent/puzzles", "", 1);
    check_has(said, "cannot open '/nonexistent/puzzles'");
    free(said);
    remove(path);
}

void test_puzzles(void)
{
    char path[PATH_BYTES];
    scratch_path("puzzles.epd", path);
    test_written();
    test_asked(path);
}
