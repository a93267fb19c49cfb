// SPDX-License-Identifier: GPL-3.0-or-later
// What analysis and play say about chess games of known quality: missed mates, illegal moves, tasks of EPD
// files, endings by the rules.
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
    span_copy(span_of(test_scratch("study.pgn")), path, sizeof path);
    CHECK(os_write_file(path, text, strlen(text), &message));
    FILE *out_stream = open_memstream(&out, &out_size), *err_stream = open_memstream(&err, &err_size);
    options.hash_mb = 1;
    options.threads = 2;
    if (!options.nodes)
        options.nodes = 3000;
    *code = analyse_run(path, &options, out_stream, err_stream);
    fclose(out_stream);
    fclose(err_stream);
    remove(path);
    *errors = err;
    return out;
}

static void check_has(const char *text, const char *part)
{
    CHECK_THAT(strstr(text, part) != NULL, "no '%s' in:\n%s", part, text);
}

static void test_illegal_move(void)
{
    char *err;
    int code;
    CASE("study: an illegal move is reported with its place, and the rest is analysed");
    char *out = analyse(
        "[Event \"one\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 (1... c5 2. Nf3) {as ever} 2. Nf3 1-0\n\n"
        "[Event \"two\"]\n[White \"C\"]\n[Black \"D\"]\n\n1. d4 d5 2. Qh5 Nf6 0-1\n\n"
        "[Event \"three\"]\n[White \"E\"]\n[Black \"F\"]\n\n1. c4 1/2-1/2\n",
        (AnalyseOptions){0}, &err, &code);
    CHECK_INT(code, 0);
    check_has(err, "game 2 (line 7): move 2 (White): 'Qh5'");
    check_has(out, "Game 1: A - B, 1-0");
    check_has(out, "Game 2: C - D, 0-1");
    check_has(out, "1... d5");
    check_has(out, "Game 3: E - F, 1/2-1/2");
    CHECK(strstr(out, "c5") == NULL || strstr(out, "or 1... c5") != NULL);
    free(out);
    free(err);
    CASE("study: an annotated game that was cut at an illegal move says so, and keeps its result");
    out = analyse("1. d4 d5 2. Qh5 Nf6 0-1\n", (AnalyseOptions){.annotated_path = "-"}, &err, &code);
    for (char *end = strchr(out, '\n'); end; end = strchr(end, '\n'))
        *end = ' ';
    check_has(out, "The game could not be read to its end: move 2 (White): 'Qh5' is not a legal move here. "
                   "The file's result is 0-1.} 0-1 ");
    free(out);
    free(err);
}

static void test_unreadable(void)
{
    char *err;
    int code;
    CASE("study: a game without a position to begin from is a game, told with its first line, and not "
         "counted");
    char *out = analyse("[Event \"one\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 e5 *\n\n"
                        "[Event \"two\"]\n\n1. d4 *\n\n8/8/8/8 w - -\n",
                        (AnalyseOptions){.json_path = "-"}, &err, &code);
    CHECK_INT(code, 0);
    check_has(err, "game 1 (line 1): tag FEN: ");
    check_has(out, "\"games\":1,\"positions\":0,\"left_out\":2,");
    CASE("study: who has not moved has no accuracy");
    check_has(out, "\"side\":\"Black\",\"name\":null,\"moves\":0,\"accuracy\":null,");
    free(out);
    free(err);
    out = analyse("1. d4 *\n", (AnalyseOptions){0}, &err, &code);
    check_has(out, "% accurate over 1 move:");
    check_has(out, "  Black  no move\n");
    free(out);
    free(err);
    CASE("study: what a terminal would obey does not reach it, what is no UTF-8 is written as UTF-8");
    out = analyse("[White \"A\x1b[31m\xC2\x9B\"]\n[Black \"\xED\xA0\x80\"]\n\n1. e4 x\x1b[2J\x07 *\n\n"
                  "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm \x1b[1m; id \"\x1b[7m\";\n",
                  (AnalyseOptions){0}, &err, &code);
    CHECK_INT(code, 0);
    check_has(out, "Game 1: A [31m   - \xC3\xAD\xC2\xA0");
    CHECK(!strchr(out, 0x1b) && !strchr(err, 0x1b) && !strchr(err, 7) && !strstr(out, "\xC2\x9B"));
    free(out);
    free(err);
    CASE("study: a file that is cut short says so");
    out = analyse("[White \"A\"]\n\n1. e4 e5 {a comment that", (AnalyseOptions){0}, &err, &code);
    CHECK_INT(code, 0);
    check_has(err, "game 1 (line 1): move 2 (White): the comment before it is not closed");
    check_has(out, "1... e5");
    free(out);
    free(err);
}

static void test_judgement(void)
{
    char *err;
    int code;
    CASE("study: a missed mate, a blunder into mate, and the mate itself");
    char *out = analyse("[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 d6 3. h4 Qxh4+ 1-0\n",
                        (AnalyseOptions){.json_path = "-"}, &err, &code);
    CHECK_INT(code, 0);
    check_has(out, "\"remark\":\"Allows mate in 1.");
    check_has(out, "\"remark\":\"Misses mate in 1. Better was 2... Qh4#.\"");
    check_has(out, "\"mark\":\"??\"");
    free(out);
    free(err);
    CASE("study: the last position needs no search when the game is over");
    out = analyse("1. f3 e5 2. g4 Qh4# 0-1\n", (AnalyseOptions){0}, &err, &code);
    check_has(out, "2... Qh4#              #");
    check_has(out, "Black  100.0% accurate over 2 moves");
    free(out);
    free(err);
    CASE("study: names from a file cannot break the page");
    out = analyse(
        "[White \"<script>alert(1)</script>\"]\n[Black \"O'Neil & \\\"Q\\\"\"]\n\n1. e4 {<img src=x>} e5 *\n",
        (AnalyseOptions){.html_path = "-"}, &err, &code);
    CHECK(strstr(out, "<script") == NULL && strstr(out, "<img") == NULL);
    check_has(out, "&lt;script&gt;");
    check_has(out, "O&#39;Neil &amp;");
    free(out);
    free(err);
    CASE("study: the page tells what is known of a game, and breaks long words but no result");
    out = analyse("[Event \"?\"]\n[Site \"Why? Where\"]\n[Date \"1997.??.??\"]\n[Round \"01\"]\n[White "
                  "\"A\"]\n[Black \"B\"]\n"
                  "[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n\n"
                  "[Date \"2001.05.??\"]\n[Round \"-\"]\n[White \"C\"]\n\n1. e4 *\n",
                  (AnalyseOptions){.html_path = "-"}, &err, &code);
    check_has(out, "<p class=\"soft\">Game 1, Why? Where, round 1, 1997</p>");
    check_has(out, "<p class=\"soft\">Game 2, 2001.05</p>");
    check_has(out, "A - B, <span class=\"keep\">1/2-1/2</span></h2>");
    check_has(out, "h4,p,.title,.name,.mv,.remarks{overflow-wrap:anywhere}");
    free(out);
    free(err);
    CASE("study: an old evaluation gives way to ours, old words stay");
    out = analyse("1. e4 {[%eval 9.99] a good start} e5 *\n", (AnalyseOptions){.annotated_path = "-"}, &err,
                  &code);
    CHECK(strstr(out, "9.99") == NULL);
    check_has(out, "a good start");
    free(out);
    free(err);
}

static void test_comments(void)
{
    char *err;
    int code;
    CASE("study: what programs wrote into comments is not quoted, what people wrote is");
    char *out = analyse("1. e4 {[%eval 0.18] [%clk 0:03:00]} e5 {my plan [%clk 0:02:59] was bold} 2. Nf3 *\n",
                        (AnalyseOptions){.html_path = "-"}, &err, &code);
    CHECK(strstr(out, "[%") == NULL);
    check_has(out, "<q>my plan was bold</q>");
    check_has(out, "All remarks (1)");
    free(out);
    free(err);
    CASE("study: the words before the first move are kept too");
    out = analyse("{[%evp 1,2] A <short> game.} 1. e4 *\n", (AnalyseOptions){.html_path = "-"}, &err, &code);
    check_has(out, "<p><q>A &lt;short&gt; game.</q></p>");
    free(out);
    free(err);
    out = analyse("{A \"short\" game.} 1. e4 *\n", (AnalyseOptions){.json_path = "-"}, &err, &code);
    check_has(out, "\"error\":null,\"comment\":\"A \\\"short\\\" game.\",\"tags\":{}}");
    free(out);
    free(err);
    CASE("study: games annotated twice are as if annotated once, clocks and words kept");
    const AnalyseOptions annotated = {.annotated_path = "-", .quiet = true};
    out = analyse(
        "1. f3 {[%clk 0:03:00] Mistake: a bad day.} e5 2. g4 d6 {Better was another game.} 3. h4 Nf6 *\n",
        annotated, &err, &code);
    char *flat = strdup(out); // where lines end depends on the scores
    for (char *end = flat; (end = strchr(end, '\n'));)
        *end = ' ';
    check_has(flat, "Better was 2...");
    check_has(flat, "[%clk 0:03:00] Mistake: a bad day.");
    check_has(flat, "Better was another game.");
    free(flat);
    free(err);
    char *again = analyse(out, annotated, &err, &code);
    CHECK_TEXT(again, out);
    free(again);
    free(out);
    free(err);
}

static void test_tasks(void)
{
    char *err;
    int code;
    CASE("study: best moves, moves to avoid and mates of EPD lines are checked and counted");
    char *out = analyse("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"back rank\";\n"
                        "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#; id \"avoid\";\n"
                        "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm #1;\n"
                        "6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1; id \"dm\";\n"
                        "6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"no task\";\n"
                        "nonsense/8/8/8/8 w - - bm e4;\n"
                        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n",
                        (AnalyseOptions){0}, &err, &code);
    CHECK_INT(code, 0);
    check_has(out, "Solved 3 of 4 (75.0%).");
    check_has(out, "back rank    solved");
    check_has(out, "avoid        missed");
    check_has(err, "position 6 (line 6)");
    check_has(err, "left out");
    check_has(out, "the game is over");
    free(out);
    free(err);
    CASE("study: page and text say what was asked for, and the page which positions could not be read");
    static const char HARD[] = "8/8/8/8/8/4k3/8/4K2R w - - dm 1; id \"too short\";\n"
                               "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#;\nnonsense/8/8/8/8 w - - bm e4;\n";
    out = analyse(HARD, (AnalyseOptions){.html_path = "-"}, &err, &code);
    check_has(out, ". The task: mate in 1.</p>");
    check_has(out, "Found 1. Ra8#. The task: avoid Ra8#.</p>");
    check_has(out, "<td colspan=\"4\" class=\"soft title\">Left out: FEN board: ");
    CHECK(strstr(out, "The first ") == NULL);
    free(out);
    free(err);
    out = analyse(HARD, (AnalyseOptions){0}, &err, &code);
    check_has(out, "  (mate in 1)\n");
    check_has(out, "  (avoid Ra8#)\n");
    free(out);
    free(err);
    Text many = {0};
    for (int i = 0; i < 30; i++)
        text_add(&many, "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#;\n");
    out = analyse(many.ptr, (AnalyseOptions){.html_path = "-"}, &err, &code);
    check_has(out, "<h3>Missed</h3><p class=\"soft\">The first 24 of 30.</p>");
    text_free(&many);
    free(out);
    free(err);
    CASE("study: a position whose game is over has no evaluation in the annotated list");
    out = analyse("7k/6Q1/6K1/8/8/8/8/8 b - - id \"mated\";\n6k1/5ppp/8/8/8/8/8/R3K3 w - -\n",
                  (AnalyseOptions){.annotated_path = "-"}, &err, &code);
    CHECK(strstr(out, "[%eval -200") == NULL && strstr(out, "[%eval 200") == NULL);
    check_has(out, "{[%eval #1]} 1. Ra8# *");
    free(out);
    free(err);
    CASE("study: tasks that cannot be read, or not be solved, are told with their line and not counted");
    out = analyse("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n"
                  "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Qxx;\n"
                  "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm ;\n"
                  "6k1/5ppp/8/8/8/8/8/R3K3 w - - dm x;\n"
                  "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm #0;\n"
                  "7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8;\n"
                  "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra1;\n",
                  (AnalyseOptions){0}, &err, &code);
    check_has(out, "Solved 1 of 1 (100.0%).");
    check_has(out, "unclear");
    check_has(err, "position 2 (line 2): bm: 'Qxx' is no legal move here; the task is not counted\n");
    check_has(err, "position 3 (line 3): bm names no move;");
    check_has(err, "position 4 (line 4): dm: 'x' is no number of moves;");
    check_has(err, "position 5 (line 5): bm: '#0' is no legal move here;");
    check_has(err, "position 6 (line 6): the game is over here: stalemate;");
    check_has(err, "position 7 (line 7): am: 'Ra1' is no legal move here;");
    free(out);
    free(err);
    CASE("study: remarks in a list of positions, and the line of a wrong one");
    out = analyse("# a remark\n\n8/8/8/8 w - -\n% another\n6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n",
                  (AnalyseOptions){0}, &err, &code);
    check_has(err, "position 1 (line 3)");
    check_has(out, "Solved 1 of 1");
    free(out);
    free(err);
    CASE("study: a file without anything right in it");
    out = analyse("nonsense/8/8/8/8 w - - bm e4;\n", (AnalyseOptions){0}, &err, &code);
    CHECK_INT(code, 1);
    check_has(err, "nothing in the file can be analysed");
    free(out);
    free(err);
}

// ---- endings in play ----------------------------------------------------------------------------
static void check_answer(const char *position, const char *script, int code, const char *sentence)
{
    PlayOptions options = play_options_default();
    options.human[1] = true;
    options.hash_mb = 1;
    options.position = position;
    char *answer = NULL;
    size_t size = 0;
    FILE *in = fmemopen((void *)script, strlen(script), "r"), *out = open_memstream(&answer, &size);
    CHECK_INT(play_run(in, out, &options), code);
    fclose(in);
    fclose(out);
    check_has(answer, sentence);
    free(answer);
}

static void check_ending(const char *position, const char *script, const char *sentence)
{
    check_answer(position, script, 0, sentence);
}

static void test_endings(void)
{
    CASE("play: endings are announced");
    check_ending(NULL, "f3\ne5\ng4\nQh4\n", "Black wins: checkmate.");
    check_ending(NULL, "Nf3\nNf6\nNg1\nNg8\nNf3\nNf6\nNg1\nNg8\n", "The game is drawn: repetition.");
    check_ending("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7\n", "The game is drawn: stalemate.");
    check_ending("7k/8/6K1/8/8/8/8/5Q2 w - - 99 80", "Qe2\n",
                 "The game is drawn: fifty moves without a capture or a pawn move.");
    check_answer("7k/8/6K1/8/8/8/5p2/6K1 w - - 0 1", "x\n", 1, "no position to play from");
    check_ending("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", "quit\n", "The game is drawn: stalemate.");
    CASE("play: an ambiguous move lists what could be meant");
    check_ending("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rd1\nRf1\nundo\n", "Taken back.");
    check_ending("4k3/8/8/8/8/8/8/R2RK3 w - - 0 1", "Rb1\nquit\n", "Goodbye");
    check_ending("4k3/8/8/3N4/8/8/8/1N2K3 w - - 0 1", "Nc3\n", "Did you mean Nbc3 or Ndc3?");
    check_ending("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "Kd8\n", "The king is in check.");
    check_ending("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8\n", "Did you mean a8=Q");
}

void test_study(void)
{
    test_illegal_move();
    test_unreadable();
    test_judgement();
    test_comments();
    test_tasks();
    test_endings();
}
