// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis of shogi files: lists of SFEN with tasks, USI moves, KIF and CSA, an illegal move, a handicap,
// an end by perpetual check.
#include "analyse.h"

static void test_tasks(void)
{
    static const char MATE[] = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    char text[1024];
    CASE("analyse: tasks of SFEN lists, in both ways of writing them");
    snprintf(text, sizeof text,
             "# a remark\n%s bm G*5b; id \"mate\";\nsfen %s | bm G*5b\n%s am G*5b\n%s dm 1\n", MATE, MATE,
             MATE, MATE);
    check_report(text, (AnalyseOptions){0}, "Solved 3 of 4 (75.0%).", "100%");
    check_report(text, (AnalyseOptions){0}, "mate         solved", "");
    CASE("analyse: a task that cannot be read is told with its line and not counted");
    snprintf(text, sizeof text, "%s bm G*5b\n%s bm G-1b;\n", MATE, MATE);
    check_report(text, (AnalyseOptions){0}, "Solved 1 of 1 (100.0%).",
                 "position 2 (line 2): bm: 'G-1b' is no legal move");
    CASE("analyse: a wrong line is told, the others are searched");
    snprintf(text, sizeof text, "%s bm G*5b\nsfen 9/9/9 b - 1\n%s bm G*5b\n", MATE, MATE);
    check_report(text, (AnalyseOptions){0}, "Solved 2 of 2", "position 2 (line 2)");
}

static void test_wrong_files(void)
{
    CASE("analyse: lists of USI moves, an illegal one told with its place");
    check_report("startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 7g7f\n", (AnalyseOptions){0}, "2. P-2f",
                 "game 2 (line 2): ");
    CASE("analyse: a file of something else is told from its first line");
    Run run = analyse("Dear diary,\nnothing happened.\n", (AnalyseOptions){0});
    CHECK_INT(run.code, 1);
    CHECK_THAT(strstr(run.err, "game 1 (line 1): ") != NULL, "%s", run.err);
    run_free(&run);
    CASE("analyse: who resigned after an unreadable move is not guessed");
    run = analyse("先手：A\n後手：B\n手合割：平手\n手数----指手---------消費時間--\n"
                  "   1 ７六歩(77)\n   2 ９九玉(51)\n   3 投了\n",
                  (AnalyseOptions){.annotated_path = "-"});
    CHECK_INT(run.code, 0);
    CHECK_THAT(strstr(run.out, "７六歩(77)") && !strstr(run.out, "   2 投了") && !strstr(run.out, "勝ち"),
               "%s", run.out);
    CHECK_THAT(strstr(run.out, "*この後の指し手は読めませんでした。棋譜の結果は投了。\n*#評価値=") != NULL,
               "%s", run.out);
    run_free(&run);
}

static void test_handicap(void)
{
    CASE("analyse: in a handicap game White has move 1, and Black goes on with move 2");
    static const char HANDICAP[] = "手合割：二枚落ち\n手数----指手---------消費時間--\n"
                                   "   1 ６二銀(71)\n   2 ７六歩(77)\n   3 ５四歩(53)\n";
    check_report(HANDICAP, (AnalyseOptions){0}, "  1... S-6b", "");
    check_report(HANDICAP, (AnalyseOptions){0}, "  2. P-7f", "");
    check_report(HANDICAP, (AnalyseOptions){0}, "  2... P-5d", "");
    check_report(HANDICAP, (AnalyseOptions){.html_path = "-"},
                 "<span class=\"n num\">2.</span><span class=\"mv\" id=\"g1p2\"", "");
}

static void test_formats(void)
{
    CASE("analyse: CSA in, KIF out");
    check_report("V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n", (AnalyseOptions){.annotated_path = "-"},
                 "*#評価値=", "100%");
    check_report("V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n", (AnalyseOptions){.html_path = "-"},
                 "A - B, White wins<", "100%");
    CASE("analyse: several games in CSA have a separator between them");
    Run run = analyse("startpos moves 7g7f\nstartpos moves 2g2f\n",
                      (AnalyseOptions){.annotated_path = "-", .format = "csa"});
    const char *slash = strstr(run.out, "\n/\n'CSA encoding=UTF-8\nV2.2\n");
    CHECK_THAT(slash && !strstr(slash + 3, "\n/\n") &&
                   strncmp(run.out, "'CSA encoding=UTF-8\nV2.2\n", 24) == 0,
               "%s", run.out);
    run_free(&run);
}

static void test_perpetual_check(void)
{
    CASE("analyse: a game lost by perpetual check is told as that, and not as a mate or as 200 pawns");
    static const char CHECKS[] = "k8/9/9/9/9/9/9/1R7/8K b - 1 moves 8h9h 9a8a 9h8h 8a9a 8h9h 9a8a 9h8h 8a9a "
                                 "8h9h 9a8a 9h8h 8a9a\n";
    check_report(CHECKS, (AnalyseOptions){0}, "6... K-9a           -win", "");
    check_report(CHECKS, (AnalyseOptions){.json_path = "-"}, "\"score\":{\"win\":\"White\"}", "");
    check_report(CHECKS, (AnalyseOptions){.html_path = "-"}, "K-9a<small class=\"num\">-win</small>", "");
    check_report(CHECKS, (AnalyseOptions){.annotated_path = "-"},
                 "12 ９一玉(81) ( 0:00/00:00:00)\n*[%twofold 1,dbe657,0] 規定により後手の勝ち。\n", "");
    Run run = analyse(CHECKS, (AnalyseOptions){.json_path = "-"});
    CHECK_THAT(!strstr(run.out, "\"mate\":0") && !strstr(run.out, "20000"), "%s", run.out);
    run_free(&run);
}

// As the program wrote it before it marked its remarks; the words in brackets are a person's.
static const char OLD_KIF[] =
    "#KIF version=2.0 encoding=UTF-8\nAnnotator：Twofold\n手合割：平手\n手数----指手---------消費時間--\n"
    "   1 ７六歩(77) ( 0:00/00:00:00)\n*(as ever)\n*(in the morning) [%eval -0.25]\n"
    "   2 ３四歩(33) ( 0:00/00:00:00)\n*[%eval 0.19]\n"
    "   3 ２二角成(88) ( 0:00/00:00:00)\n*[%eval -0.30]\n"
    "   4 ９四歩(93) ( 0:00/00:00:00)\n*[??]\n"
    "*[%eval 22.24] Blunder: 49% of a win lost. Better was 2... Sx2b 3. L-9h G-3b 4. S-8h B*3c.\n"
    "   5 ３一馬(22) ( 0:00/00:00:00)\n*[?]\n"
    "*[%eval 7.64] Mistake: 20% of a win lost. Better was 3. +Bx2a S-3b 4. +Bx1a P-8d 5. K-4h P-8e.\n";
static const char OLD_CSA[] =
    "V2.2\nPI\n+\n+7776FU\n'*(as ever)\n'*(in the morning) [%eval -0.25]\n-3334FU\n'*[%eval 0.19]\n"
    "+8822UM\n'*[%eval -0.30]\n-9394FU\n'*[??]\n"
    "'*[%eval 22.24] Blunder: 49% of a win lost. Better was 2... Sx2b 3. L-9h G-3b 4. S-8h B*3c.\n"
    "+2231UM\n'*[?]\n"
    "'*[%eval 7.64] Mistake: 20% of a win lost. Better was 3. +Bx2a S-3b 4. +Bx1a P-8d 5. K-4h P-8e.\n";

// Annotated once or more often, from a file with old remarks or from one without any, it is the same file.
static void check_annotated(const char *format, const char *plain, const char *old)
{
    const AnalyseOptions annotated = {.annotated_path = "-", .format = format, .quiet = true};
    Run first = analyse(plain, annotated), second = analyse(first.out, annotated),
        renewed = analyse(old, annotated);
    check_has(first.out, "*#評価値=");
    check_has(first.out, "*#エンジン=Twofold " TWOFOLD_VERSION " [%twofold ");
    check_has(first.out, "*(as ever)\n");
    check_has(first.out,
              strcmp(format, "csa") == 0 ? "'*(in the morning)\n'*#評価値=" : "*(in the morning)\n*#評価値=");
    CHECK_TEXT(second.out, first.out);
    CHECK_TEXT(renewed.out, first.out);
    run_free(&first);
    run_free(&second);
    run_free(&renewed);
}

static void test_annotated_again(void)
{
    CASE("analyse: games annotated twice are as if annotated once, and remarks without a mark are replaced");
    check_annotated("kif",
                    "#KIF version=2.0 encoding=UTF-8\n手合割：平手\n手数----指手---------消費時間--\n"
                    "   1 ７六歩(77)\n*(as ever)\n*(in the morning)\n   2 ３四歩(33)\n   3 ２二角成(88)\n"
                    "   4 ９四歩(93)\n   5 ３一馬(22)\n",
                    OLD_KIF);
    check_annotated(
        "csa", "V2.2\nPI\n+\n+7776FU\n'*(as ever)\n'*(in the morning)\n-3334FU\n+8822UM\n-9394FU\n+2231UM\n",
        OLD_CSA);
    CASE("analyse: what people add to our remarks is kept");
    static const char
        REMARK[] = "*[%twofold 4,d747ba,0] White wins by rule.",
        GAME[] = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n%s%s\n   2 ３四歩(33)\n";
    char text[512];
    snprintf(text, sizeof text, GAME, REMARK, " Or so they say.\n*I do not think so.");
    check_report(text, (AnalyseOptions){.annotated_path = "-"},
                 "\n*Or so they say.\n*I do not think so.\n*#評価値=", "");
    snprintf(text, sizeof text, GAME, REMARK, "");
    Run run = analyse(text, (AnalyseOptions){.annotated_path = "-"});
    CHECK(!strstr(run.out, "by rule") && !strstr(run.out, "規定"));
    run_free(&run);
}

static void test_castles(void)
{
    static const char GAME[] = "7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 5i4h 5a4b 4h3h 4b3b 3h2h 6a5b 3i3h\n";
    CASE("analyse: openings and castles are told in text, page and JSON, in both languages");
    check_report(GAME, (AnalyseOptions){0}, "  Castles: Black Half Mino (片美濃囲い); White Boat (舟囲い)\n",
                 "");
    check_report(GAME, (AnalyseOptions){.html_path = "-"},
                 "<p>Castles: Black Half Mino (片美濃囲い); White Boat (舟囲い)</p>", "");
    check_report(GAME, (AnalyseOptions){.json_path = "-"},
                 "\"castles\":[{\"ply\":13,\"code\":null,\"name\":\"Half Mino\",\"name_ja\":\"片美濃囲い\"}",
                 "");
    language_set(LANGUAGE_JAPANESE);
    Run run = analyse(GAME, (AnalyseOptions){.html_path = "-"});
    check_has(run.out, "<p>四間飛車</p>");
    check_has(run.out, "<p>囲い：先手 片美濃囲い、後手 舟囲い</p>");
    CASE("analyse: in Japanese the graph begins with 評価値 and can show 勝率");
    check_has(run.out, "<div class=\"graph showscore\">");
    check_has(run.out, "<span class=\"scale top byscore\">先手 +3000</span>");
    check_has(run.out, "<span class=\"scale top bychance\">先手勝ち</span>");
    check_has(run.out, "\"Chances\":\"勝率\"");
    run_free(&run);
    run = analyse(GAME, (AnalyseOptions){.quiet = false});
    check_has(run.out, "  戦型：四間飛車\n  囲い：先手 片美濃囲い、後手 舟囲い\n");
    run_free(&run);
    language_set(LANGUAGE_ENGLISH);
}

void test_shogi_analysis(void)
{
    test_castles();
    test_tasks();
    test_wrong_files();
    test_handicap();
    test_formats();
    test_perpetual_check();
    test_annotated_again();
}
