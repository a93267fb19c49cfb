// SPDX-License-Identifier: GPL-3.0-or-later
// Analysis and play of shogi files: lists of SFEN with tasks, USI moves, KIF and CSA, an illegal move, a
// declaration refused.
#include <stdlib.h>

#include "analysis/analysis.h"
#include "console/console.h"
#include "game.h"
#include "test.h"

static char *analyse(const char *text, AnalyseOptions options, char **errors, int *code)
{
    char path[512], *out = NULL, *err = NULL;
    size_t out_size = 0, err_size = 0;
    Message message = {0};
    span_copy(span_of(test_scratch("study.kif")), path, sizeof path);
    CHECK(os_write_file(path, text, strlen(text), &message));
    FILE *out_stream = open_memstream(&out, &out_size), *err_stream = open_memstream(&err, &err_size);
    options.hash_mb = 1;
    options.threads = 2;
    options.nodes = 3000;
    *code = analyse_run(path, &options, out_stream, err_stream);
    fclose(out_stream);
    fclose(err_stream);
    remove(path);
    *errors = err;
    return out;
}

// Analyses and expects both sentences, one in the report and one among the errors.
static void check_report(const char *text, AnalyseOptions options, const char *said, const char *complained)
{
    char *err;
    int code;
    char *out = analyse(text, options, &err, &code);
    CHECK_INT(code, 0);
    CHECK_THAT(strstr(out, said) != NULL, "no '%s' in:\n%s", said, out);
    CHECK_THAT(strstr(err, complained) != NULL, "no '%s' in:\n%s", complained, err);
    free(out);
    free(err);
}

void test_study(void)
{
    static const char MATE[] = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    char text[1024];
    CASE("study: tasks of SFEN lists, in both ways of writing them");
    snprintf(text, sizeof text,
             "# a remark\n%s bm G*5b; id \"mate\";\nsfen %s | bm G*5b\n%s am G*5b\n%s dm 1\n", MATE, MATE,
             MATE, MATE);
    check_report(text, (AnalyseOptions){0}, "Solved 3 of 4 (75.0%).", "100%");
    check_report(text, (AnalyseOptions){0}, "mate         solved", "");
    CASE("study: a task that cannot be read is told with its line and not counted");
    snprintf(text, sizeof text, "%s bm G*5b\n%s bm G-1b;\n", MATE, MATE);
    check_report(text, (AnalyseOptions){0}, "Solved 1 of 1 (100.0%).",
                 "position 2 (line 2): bm: 'G-1b' is no legal move");
    CASE("study: a wrong line is told, the others are searched");
    snprintf(text, sizeof text, "%s bm G*5b\nsfen 9/9/9 b - 1\n%s bm G*5b\n", MATE, MATE);
    check_report(text, (AnalyseOptions){0}, "Solved 2 of 2", "position 2 (line 2)");
    CASE("study: lists of USI moves, an illegal one told with its place");
    check_report("startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 7g7f\n", (AnalyseOptions){0}, "2. P-2f",
                 "game 2 (line 2): ");
    CASE("study: a file of something else is told from its first line");
    char *err;
    int code;
    char *report = analyse("Dear diary,\nnothing happened.\n", (AnalyseOptions){0}, &err, &code);
    CHECK_INT(code, 1);
    CHECK_THAT(strstr(err, "game 1 (line 1): ") != NULL, "%s", err);
    free(report);
    free(err);
    CASE("study: who resigned after an unreadable move is not guessed");
    report = analyse("先手：A\n後手：B\n手合割：平手\n手数----指手---------消費時間--\n"
                     "   1 ７六歩(77)\n   2 ９九玉(51)\n   3 投了\n",
                     (AnalyseOptions){.annotated_path = "-"}, &err, &code);
    CHECK_INT(code, 0);
    CHECK_THAT(strstr(report, "７六歩(77)") && !strstr(report, "   2 投了") && !strstr(report, "勝ち"), "%s",
               report);
    CHECK_THAT(strstr(report,
                      "The game could not be read to its end: move 2: '９九玉(51)' is not a legal move here. "
                      "The file's result is 投了.\n") != NULL,
               "%s", report);
    free(report);
    free(err);
    CASE("study: in a handicap game White has move 1, and Black goes on with move 2");
    static const char HANDICAP[] = "手合割：二枚落ち\n手数----指手---------消費時間--\n"
                                   "   1 ６二銀(71)\n   2 ７六歩(77)\n   3 ５四歩(53)\n";
    check_report(HANDICAP, (AnalyseOptions){0}, "  1... S-6b", "");
    check_report(HANDICAP, (AnalyseOptions){0}, "  2. P-7f", "");
    check_report(HANDICAP, (AnalyseOptions){0}, "  2... P-5d", "");
    check_report(HANDICAP, (AnalyseOptions){.html_path = "-"},
                 "<span class=\"n num\">2.</span><span class=\"mv\" id=\"g1p2\"", "");
    CASE("study: CSA in, KIF out");
    check_report("V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n", (AnalyseOptions){.annotated_path = "-"},
                 "[%eval", "100%");
    check_report("V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n", (AnalyseOptions){.html_path = "-"},
                 "A - B, White wins<", "100%");
    CASE("study: several games in CSA have a separator between them");
    report = analyse("startpos moves 7g7f\nstartpos moves 2g2f\n",
                     (AnalyseOptions){.annotated_path = "-", .format = "csa"}, &err, &code);
    const char *slash = strstr(report, "\n/\nV2.2\n");
    CHECK_THAT(slash && !strstr(slash + 3, "\n/\n") && report[0] == 'V', "%s", report);
    free(report);
    free(err);
    CASE("study: a game lost by perpetual check is told as that, and not as a mate or as 200 pawns");
    static const char CHECKS[] = "k8/9/9/9/9/9/9/1R7/8K b - 1 moves 8h9h 9a8a 9h8h 8a9a 8h9h 9a8a 9h8h 8a9a "
                                 "8h9h 9a8a 9h8h 8a9a\n";
    check_report(CHECKS, (AnalyseOptions){0}, "6... K-9a           -win", "");
    check_report(CHECKS, (AnalyseOptions){.json_path = "-"}, "\"score\":{\"win\":\"White\"}", "");
    check_report(CHECKS, (AnalyseOptions){.html_path = "-"}, "K-9a<small class=\"num\">-win</small>", "");
    check_report(CHECKS, (AnalyseOptions){.annotated_path = "-"},
                 "12 ９一玉(81) ( 0:00/00:00:00)\n*White wins by rule.\n", "");
    report = analyse(CHECKS, (AnalyseOptions){.json_path = "-"}, &err, &code);
    CHECK_THAT(!strstr(report, "\"mate\":0") && !strstr(report, "20000"), "%s", report);
    free(report);
    free(err);
    CASE("play: an ambiguous move lists what could be meant");
    PlayOptions options = play_options_default();
    options.hash_mb = 1;
    char script[] = "win\nP-7f\nundo\n", ambiguous[] = "G-5h\nquit\n", *answer = NULL;
    size_t size = 0;
    FILE *in = fmemopen(ambiguous, strlen(ambiguous), "r"), *out = open_memstream(&answer, &size);
    CHECK_INT(play_run(in, out, &options), 0);
    fclose(in);
    fclose(out);
    CHECK_THAT(strstr(answer, "Did you mean G4i-5h or G6i-5h?") ||
                   strstr(answer, "Did you mean G6i-5h or G4i-5h?"),
               "%s", answer);
    free(answer);
    CASE("play: nothing to declare at the start");
    options.nodes = 500;
    in = fmemopen(script, strlen(script), "r"), out = open_memstream(&answer, &size);
    CHECK_INT(play_run(in, out, &options), 0);
    fclose(in);
    fclose(out);
    CHECK(strstr(answer, "nothing to declare") != NULL);
    CHECK(strstr(answer, "Twofold plays 1...") != NULL);
    CHECK(strstr(answer, "Taken back.") != NULL);
    free(answer);
}
