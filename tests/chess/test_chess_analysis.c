// SPDX-License-Identifier: GPL-3.0-or-later
// What the analysis says about chess games of known quality: missed mates, illegal moves, comments, tasks of
// EPD files.
#include <stdlib.h>

#include "analyse.h"

static void test_illegal_move(void)
{
    CASE("analyse: an illegal move is reported with its place, and the rest is analysed");
    Run run = analyse(
        "[Event \"one\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 (1... c5 2. Nf3) {as ever} 2. Nf3 1-0\n\n"
        "[Event \"two\"]\n[White \"C\"]\n[Black \"D\"]\n\n1. d4 d5 2. Qh5 Nf6 0-1\n\n"
        "[Event \"three\"]\n[White \"E\"]\n[Black \"F\"]\n\n1. c4 1/2-1/2\n",
        (AnalyseOptions){0});
    CHECK_INT(run.code, 0);
    check_has(run.err, "game 2 (line 11): move 2 (White): 'Qh5'");
    check_has(run.out, "Game 1: A - B, 1-0");
    check_has(run.out, "Game 2: C - D, 0-1");
    check_has(run.out, "1... d5");
    check_has(run.out, "Game 3: E - F, 1/2-1/2");
    CHECK(strstr(run.out, "c5") == NULL || strstr(run.out, "or 1... c5") != NULL);
    run_free(&run);
    CASE("analyse: an annotated game that was cut at an illegal move says so, and keeps its result");
    run = analyse("1. d4 d5 2. Qh5 Nf6 0-1\n", (AnalyseOptions){.annotated_path = "-"});
    for (char *end = strchr(run.out, '\n'); end; end = strchr(end, '\n'))
        *end = ' ';
    check_has(run.out,
              "The game could not be read to its end: move 2 (White): 'Qh5' is not a legal move here. "
              "The file's result is 0-1. [%eval ");
    check_has(run.out, "]} 0-1 ");
    run_free(&run);
}

static void test_unreadable(void)
{
    CASE("analyse: a game without a position to begin from is a game, told with its first line, and not "
         "counted");
    Run run = analyse("[Event \"one\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 e5 *\n\n"
                      "[Event \"two\"]\n\n1. d4 *\n\n8/8/8/8 w - -\n",
                      (AnalyseOptions){.json_path = "-"});
    CHECK_INT(run.code, 0);
    check_has(run.err, "game 1 (line 2): tag FEN: ");
    check_has(run.out, "\"games\":1,\"positions\":0,\"left_out\":2,");
    CASE("analyse: who has not moved has no accuracy");
    check_has(run.out, "\"side\":\"Black\",\"name\":null,\"moves\":0,\"accuracy\":null,");
    run_free(&run);
    run = analyse("1. d4 *\n", (AnalyseOptions){0});
    check_has(run.out, "% accurate over 1 move:");
    check_has(run.out, "  Black  no move\n");
    run_free(&run);
    CASE("analyse: what a terminal would obey does not reach it, what is no UTF-8 is written as UTF-8");
    run = analyse("[White \"A\x1b[31m\xC2\x9B\"]\n[Black \"\xED\xA0\x80\"]\n\n1. e4 x\x1b[2J\x07 *\n\n"
                  "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm \x1b[1m; id \"\x1b[7m\";\n",
                  (AnalyseOptions){0});
    CHECK_INT(run.code, 0);
    check_has(run.out, "Game 1: A [31m   - \xC3\xAD\xC2\xA0");
    CHECK(!strchr(run.out, 0x1b) && !strchr(run.err, 0x1b) && !strchr(run.err, 7) &&
          !strstr(run.out, "\xC2\x9B"));
    run_free(&run);
    CASE("analyse: a file that is cut short says so");
    run = analyse("[White \"A\"]\n\n1. e4 e5 {a comment that", (AnalyseOptions){0});
    CHECK_INT(run.code, 0);
    check_has(run.err, "game 1 (line 3): move 2 (White): the comment before it is not closed");
    check_has(run.out, "1... e5");
    run_free(&run);
}

static void test_judgement(void)
{
    CASE("analyse: a missed mate, a blunder into mate, and the mate itself");
    Run run = analyse("[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 d6 3. h4 Qxh4+ 1-0\n",
                      (AnalyseOptions){.json_path = "-"});
    CHECK_INT(run.code, 0);
    check_has(run.out, "\"remark\":\"Allows mate in 1.");
    check_has(run.out, "\"remark\":\"Misses mate in 1. Better was 2... Qh4#.\"");
    check_has(run.out, "\"mark\":\"??\"");
    run_free(&run);
    CASE("analyse: the last position needs no search when the game is over");
    run = analyse("1. f3 e5 2. g4 Qh4# 0-1\n", (AnalyseOptions){0});
    check_has(run.out, "2... Qh4#              #");
    check_has(run.out, "Black  100.0% accurate over 2 moves");
    run_free(&run);
    CASE("analyse: names from a file cannot break the page");
    run = analyse(
        "[White \"<script>alert(1)</script>\"]\n[Black \"O'Neil & \\\"Q\\\"\"]\n\n1. e4 {<img src=x>} e5 *\n",
        (AnalyseOptions){.html_path = "-"});
    CHECK(strstr(run.out, "<script>alert") == NULL && strstr(run.out, "<img") == NULL);
    CHECK_INT(count_of(run.out, "<script"), 2); // the data and ours
    CHECK_INT(count_of(run.out, "</script>"), 2);
    check_has(run.out, "&lt;script&gt;");
    check_has(run.out, "O&#39;Neil &amp;");
    run_free(&run);
    CASE("analyse: the page tells what is known of a game, and breaks long words but no result");
    run = analyse("[Event \"?\"]\n[Site \"Why? Where\"]\n[Date \"1997.??.??\"]\n[Round \"01\"]\n[White "
                  "\"A\"]\n[Black \"B\"]\n"
                  "[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n\n"
                  "[Date \"2001.05.??\"]\n[Round \"-\"]\n[White \"C\"]\n\n1. e4 *\n",
                  (AnalyseOptions){.html_path = "-"});
    check_has(run.out, "<p class=\"soft\">Game 1, Why? Where, round 1, 1997</p>");
    check_has(run.out, "<p class=\"soft\">Game 2, 2001.05</p>");
    check_has(run.out, "A - B, <span class=\"keep\">1/2-1/2</span></h2>");
    check_has(run.out, "p,.title,.name,.mv,.remarks{overflow-wrap:anywhere}");
    run_free(&run);
    CASE("analyse: an old evaluation gives way to ours, old words stay");
    run = analyse("1. e4 {[%eval 9.99] a good start} e5 *\n", (AnalyseOptions){.annotated_path = "-"});
    CHECK(strstr(run.out, "9.99") == NULL);
    check_has(run.out, "a good start");
    run_free(&run);
}

static void test_quotes(void)
{
    CASE("analyse: what programs wrote into comments is not quoted, what people wrote is");
    Run run = analyse("1. e4 {[%eval 0.18] [%clk 0:03:00]} e5 {my plan [%clk 0:02:59] was bold} 2. Nf3 *\n",
                      (AnalyseOptions){.html_path = "-"});
    char *data = strstr(run.out, "\"record\":"); // the game itself has them, for whoever copies it
    CHECK(data && strstr(data, "[%clk 0:02:59]"));
    memset(data, ' ', (size_t)(strstr(data, "\"moves\":") - data));
    CHECK(strstr(run.out, "[%") == NULL);
    check_has(run.out, "<q>my plan was bold</q>");
    check_has(run.out, "All remarks (1)");
    run_free(&run);
    CASE("analyse: the words before the first move are kept too");
    run = analyse("{[%evp 1,2] A <short> game.} 1. e4 *\n", (AnalyseOptions){.html_path = "-"});
    check_has(run.out, "<p><q>A &lt;short&gt; game.</q></p>");
    run_free(&run);
    run = analyse("{A \"short\" game.} 1. e4 *\n", (AnalyseOptions){.json_path = "-"});
    check_has(run.out, "\"error\":null,\"comment\":\"A \\\"short\\\" game.\",\"tags\":{}}");
    run_free(&run);
}

static const AnalyseOptions ANNOTATED = {.annotated_path = "-", .quiet = true};

// The games as annotated, in one line: where lines end depends on the scores. To be freed with the run.
static Run annotate_flat(const char *text)
{
    Run run = analyse(text, ANNOTATED);
    for (char *end = run.out; (end = strchr(end, '\n'));)
        *end = ' ';
    return run;
}

// Annotated a second time, the games are as they are.
static void check_settled(const char *text)
{
    Run first = analyse(text, ANNOTATED), second = analyse(first.out, ANNOTATED);
    check_has(first.out, "[%eval ");
    CHECK_TEXT(second.out, first.out);
    run_free(&first);
    run_free(&second);
}

static void test_annotated_again(void)
{
    CASE("analyse: games annotated twice are as if annotated once, clocks and words kept");
    static const char GAME[] =
        "1. f3 {[%clk 0:03:00] Mistake: a bad day.} e5 2. g4 d6 {Better was another game.} 3. h4 Nf6 *\n";
    Run run = annotate_flat(GAME);
    check_has(run.out, "Better was 2...");
    check_has(run.out, "[%clk 0:03:00] Mistake: a bad day.");
    check_has(run.out, "Better was another game.");
    CHECK(count_of(run.out, "[%twofold line,") > 0);
    CHECK_INT(count_of(run.out, "[%twofold "), count_of(run.out, "] The only ") +
                                                   count_of(run.out, " Better was ") +
                                                   count_of(run.out, "[%twofold line,"));
    run_free(&run);
    check_settled(GAME);
    CASE("analyse: so are games that could not be read to their end");
    check_settled("1. d4 d5 2. Qh5 Nf6 0-1\n");
    CASE("analyse: what people add to our remarks, before them or behind them, is kept");
    run = analyse(GAME, ANNOTATED);
    char *close = strchr(strstr(run.out, "Misses mate"), '}'), *mark = strstr(run.out, "[%twofold ");
    CHECK(close && mark && mark < close);
    Text edited = {0};
    text_add(&edited, "%.*s(so they say) %.*s And I saw it!%s", (int)(mark - run.out), run.out,
             (int)(close - mark), mark, close);
    run_free(&run);
    run = annotate_flat(edited.ptr);
    check_has(run.out, "(so they say)");
    check_has(run.out, "And I saw it!");
    CHECK_INT(count_of(run.out, "Misses mate"), 1);
    CHECK_INT(count_of(run.out, "Allows mate"), 1);
    check_settled(edited.ptr);
    text_free(&edited);
    run_free(&run);
    CASE("analyse: a sentence like ours in a file that no program annotated is not ours");
    run = annotate_flat("1. e4 {The only good move.} e5 *\n");
    check_has(run.out, "{The only good move. [%eval ");
    run_free(&run);
}

// As the program wrote it before it marked its remarks.
static const char OLD_GAME[] =
    "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[Annotator \"Twofold\"]\n\n"
    "{a short game} 1. f3 {[%clk 0:03:00] why not [%eval -0.15]} 1... e5\n"
    "{[%eval -0.29]} 2. g4 $4 {[%eval #-1] Allows mate in 1. Better was 2. e4 c6 3.\n"
    "c3 d5 4. exd5 cxd5.} 2... d6 $4 {[%eval -1.19] Misses mate in 1. Better was\n"
    "2... Qh4#.} 3. h4 $6 {[%eval -1.65] Dubious move: 6% of a win lost. Better was\n"
    "3. Bg2 h5 4. gxh5 Qh4+ 5. Kf1.} 3... Qxh4+ $4 {[%eval 9.71] Blunder: 73% of a\n"
    "win lost. Better was 3... Be7 4. Bg2 Bxh4+ 5. Kf1 d5 6. c3.} 1-0\n";

static void test_old_remarks(void)
{
    CASE("analyse: remarks of the time before there was a mark give way to ours");
    Run old = analyse(OLD_GAME, ANNOTATED);
    Run plain =
        analyse("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{a short game} 1. f3 {[%clk 0:03:00] "
                "why not} 1... e5 2. g4 d6 3. h4 Qxh4+ 1-0\n",
                ANNOTATED);
    check_has(old.out, "[%twofold ");
    CHECK_TEXT(old.out, plain.out);
    run_free(&old);
    run_free(&plain);
    CASE("analyse: and they are not quoted as words of people");
    Run page = analyse(OLD_GAME, (AnalyseOptions){.html_path = "-"});
    check_has(page.out, "<q>why not</q>");
    CHECK_INT(count_of(page.out, "<q>"), 2);
    run_free(&page);
    CASE("analyse: tasks are told in words of our own, which a later run takes out");
    Run tasks = analyse("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n", ANNOTATED);
    check_has(tasks.out, "] Solved.}");
    Run again = analyse(tasks.out, ANNOTATED);
    CHECK(!strstr(again.out, "Solved."));
    run_free(&tasks);
    run_free(&again);
}

static void test_tasks(void)
{
    CASE("analyse: best moves, moves to avoid and mates of EPD lines are checked and counted");
    Run run = analyse("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"back rank\";\n"
                      "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#; id \"avoid\";\n"
                      "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm #1;\n"
                      "6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1; id \"dm\";\n"
                      "6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"no task\";\n"
                      "nonsense/8/8/8/8 w - - bm e4;\n"
                      "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n",
                      (AnalyseOptions){0});
    CHECK_INT(run.code, 0);
    check_has(run.out, "Solved 3 of 4 (75.0%).");
    check_has(run.out, "back rank    solved");
    check_has(run.out, "avoid        missed");
    check_has(run.err, "position 6 (line 6)");
    check_has(run.err, "left out");
    check_has(run.out, "the game is over");
    run_free(&run);
    CASE("analyse: page and text say what was asked for, and the page which positions could not be read");
    static const char HARD[] = "8/8/8/8/8/4k3/8/4K2R w - - dm 1; id \"too short\";\n"
                               "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#;\nnonsense/8/8/8/8 w - - bm e4;\n";
    run = analyse(HARD, (AnalyseOptions){.html_path = "-"});
    check_has(run.out, ". The task: mate in 1.</p>");
    check_has(run.out, "Found 1. Ra8#. The task: avoid Ra8#.</p>");
    check_has(run.out, "<td colspan=\"4\" class=\"soft title\">Left out: FEN board: ");
    CHECK(strstr(run.out, "The first ") == NULL);
    run_free(&run);
    run = analyse(HARD, (AnalyseOptions){0});
    check_has(run.out, "  (mate in 1)\n");
    check_has(run.out, "  (avoid Ra8#)\n");
    run_free(&run);
    Text many = {0};
    for (int i = 0; i < 30; i++)
        text_add(&many, "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#;\n");
    run = analyse(many.ptr, (AnalyseOptions){.html_path = "-"});
    check_has(run.out, "<h3>Missed</h3><p class=\"soft\">The first 24 of 30.</p>");
    text_free(&many);
    run_free(&run);
    CASE("analyse: a position whose game is over has no evaluation in the annotated list");
    run = analyse("7k/6Q1/6K1/8/8/8/8/8 b - - id \"mated\";\n6k1/5ppp/8/8/8/8/8/R3K3 w - -\n",
                  (AnalyseOptions){.annotated_path = "-"});
    CHECK(strstr(run.out, "[%eval -200") == NULL && strstr(run.out, "[%eval 200") == NULL);
    check_has(run.out, "{[%eval #1]} 1. Ra8# *");
    run_free(&run);
}

static void test_wrong_tasks(void)
{
    CASE("analyse: tasks that cannot be read, or not be solved, are told with their line and not counted");
    Run run = analyse("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n"
                      "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Qxx;\n"
                      "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm ;\n"
                      "6k1/5ppp/8/8/8/8/8/R3K3 w - - dm x;\n"
                      "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm #0;\n"
                      "7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8;\n"
                      "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra1;\n",
                      (AnalyseOptions){0});
    check_has(run.out, "Solved 1 of 1 (100.0%).");
    check_has(run.out, "unclear");
    check_has(run.err, "position 2 (line 2): bm: 'Qxx' is no legal move here; the task is not counted\n");
    check_has(run.err, "position 3 (line 3): bm names no move;");
    check_has(run.err, "position 4 (line 4): dm: 'x' is no number of moves;");
    check_has(run.err, "position 5 (line 5): bm: '#0' is no legal move here;");
    check_has(run.err, "position 6 (line 6): the game is over here: stalemate;");
    check_has(run.err, "position 7 (line 7): am: 'Ra1' is no legal move here;");
    run_free(&run);
    CASE("analyse: remarks in a list of positions, and the line of a wrong one");
    run = analyse("# a remark\n\n8/8/8/8 w - -\n% another\n6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n",
                  (AnalyseOptions){0});
    check_has(run.err, "position 1 (line 3)");
    check_has(run.out, "Solved 1 of 1");
    run_free(&run);
    CASE("analyse: a file without anything right in it");
    run = analyse("nonsense/8/8/8/8 w - - bm e4;\n", (AnalyseOptions){0});
    CHECK_INT(run.code, 1);
    check_has(run.err, "nothing in the file can be analysed");
    run_free(&run);
}

void test_chess_analysis(void)
{
    test_illegal_move();
    test_unreadable();
    test_judgement();
    test_quotes();
    test_annotated_again();
    test_old_remarks();
    test_tasks();
    test_wrong_tasks();
}
