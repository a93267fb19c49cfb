// SPDX-License-Identifier: GPL-3.0-or-later
// Game files: CSA, KIF (UTF-8 and Shift_JIS) and lists of USI moves, read, written and read again; and what
// no reader may do with a broken file: hang, crash, or keep an illegal move.
#include <stdlib.h>

#include "games/record.h"
#include "helpers.h"

static Record record; // freed by each read

static bool read_first(Span *rest)
{
    Rules rules = rules_default();
    return record_read(rest, &rules, &record);
}

static bool read_text(const char *text)
{
    Span rest = span_of(text);
    return read_first(&rest);
}

// The moves of the record as USI texts with blanks between, from the start position as well as they go.
static const char *moves_text(void)
{
    static char text[4096];
    size_t len = 0;
    Position pos = record.start;
    text[0] = '\0';
    for (int i = 0; i < record.move_nb && len < sizeof text - 32; i++) {
        char move[MOVE_TEXT_MAX];
        move_print(&pos, record.move[i].move, move);
        len += (size_t)sprintf(text + len, "%s%s", i ? " " : "", move);
        play_move(&pos, record.move[i].move);
    }
    return text;
}

static const char *start_text(void)
{
    static char text[TEXT_MAX];
    pos_print(&record.start, text);
    return text;
}

static const char *tag(const char *name)
{
    const char *value = record_tag(&record, name);
    return value ? value : "(none)";
}

// ---- USI ----------------------------------------------------------------------------------------
static void test_usi(void)
{
    CASE("USI lists");
    CHECK(read_text("startpos moves 7g7f 3c3d 8h2b+\n"));
    CHECK_TEXT(moves_text(), "7g7f 3c3d 8h2b+");
    CHECK_TEXT(record.error.text, "");
    CHECK(read_text("position startpos\n"));
    CHECK_INT(record.move_nb, 0);
    CHECK_TEXT(start_text(), GAME_START);
    CHECK(read_text("7g7f 3c3d\r\n"));
    CHECK_TEXT(moves_text(), "7g7f 3c3d");
    CHECK(read_text("sfen 4k4/9/4G4/9/9/9/9/9/4K4 b P 1 moves P*5b resign"));
    CHECK_TEXT(moves_text(), "P*5b");
    CHECK_TEXT(record.result_word, "resign");
    CHECK_INT(record.result, RESULT_FIRST_WINS);
    CHECK(read_text("4k4/9/4G4/9/9/9/9/9/4K4 b P"));
    CHECK_TEXT(start_text(), "4k4/9/4G4/9/9/9/9/9/4K4 b P 1");
    CHECK(read_text("4k4/9/4G4/9/9/9/9/9/4K4 b P moves P*5b"));
    CHECK_TEXT(moves_text(), "P*5b");

    CASE("USI lists: several games, comments, an illegal move and a bad position");
    Span rest = span_of("# a list\n\nstartpos moves 7g7f\nstartpos moves 7g7f 7g7f 3c3d\nsfen 9/9 b - "
                        "1\nstartpos moves 2g2f\n");
    CHECK(read_first(&rest));
    CHECK_TEXT(moves_text(), "7g7f");
    CHECK(read_first(&rest));
    CHECK_TEXT(moves_text(), "7g7f");
    CHECK_TEXT(record.error.text, "move 2: '7g7f' is not a legal move here");
    CHECK(read_first(&rest));
    CHECK(record.error.text[0] != '\0');
    CHECK(read_first(&rest));
    CHECK_TEXT(moves_text(), "2g2f");
    CHECK_TEXT(record.error.text, "");
    CHECK(!read_first(&rest));
}

// ---- CSA ----------------------------------------------------------------------------------------
static void test_csa(void)
{
    CASE("CSA: a whole game");
    CHECK(read_text("'CSA encoding=UTF-8\nV2.2\nN+Kanna\nN-Ren Mori\n$EVENT:Spring Cup\n$SITE:Somewhere\n"
                    "$START_TIME:2024/04/01 "
                    "10:00:00\n$TIME_LIMIT:00:25+00\n$NOTE:x\nPI\n+\n+7776FU\nT12\n'*quiet\n-3334FU\nT6\n"
                    "+8822UM\nT1.5\n-3122GI\n+0055KA\n%TORYO\n"));
    CHECK_TEXT(moves_text(), "7g7f 3c3d 8h2b+ 3a2b B*5e");
    CHECK_TEXT(record.error.text, "");
    CHECK_TEXT(tag("Black"), "Kanna");
    CHECK_TEXT(tag("White"), "Ren Mori");
    CHECK_TEXT(tag("Event"), "Spring Cup");
    CHECK_TEXT(tag("Date"), "2024/04/01 10:00:00");
    CHECK_TEXT(tag("TimeControl"), "00:25+00");
    CHECK_TEXT(tag("NOTE"), "x");
    CHECK_TEXT(record.result_word, "%TORYO");
    CHECK_INT(record.result, RESULT_FIRST_WINS); // White resigns
    CHECK_INT(record.move[0].time_ms, 12000);
    CHECK_INT(record.move[2].time_ms, 1500);
    CHECK_INT(record.move[3].time_ms, 0);
    CHECK_TEXT(record.move[0].comment ? record.move[0].comment : "", "quiet");
    CHECK(!record.comment); // the encoding is the file's, not the game's

    CASE("CSA: positions");
    CHECK(read_text("PI82HI22KA\n-\n-3334FU\n"));
    CHECK_TEXT(start_text(), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    CHECK_TEXT(moves_text(), "3c3d");
    CHECK(read_text(
        "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n"
        "P4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  *\nP6\nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\n"
        "P8 * +KA *  *  *  *  * +HI\nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n"));
    CHECK_TEXT(start_text(), GAME_START);
    CHECK(read_text("P-51OU\nP+53FU00KI\nP-00AL\n+\n+0052KI\n%TSUMI\n"));
    CHECK_TEXT(start_text(), "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    CHECK_TEXT(moves_text(), "G*5b");
    CHECK_INT(record.reason, REASON_MATE);
    CHECK_INT(record.result, RESULT_FIRST_WINS);
    CHECK(read_text("V2\nP-11OU\nP+99OU12TO33UM\n-\n")); // the king is in check and White to move: fine
    CHECK_TEXT(start_text(), "8k/8+P/6+B2/9/9/9/9/9/K8 w - 1");
    CHECK(read_text("+7776FU\n")); // no position at all: the start
    CHECK_TEXT(moves_text(), "7g7f");

    CASE("CSA: several statements in a line, several games");
    Span rest = span_of("V2.2\nPI\n+\n+7776FU,T3,-8384FU,T4\n%CHUDAN\n/"
                        "\nN+a\nPI\n+\n+2726FU\n%SENNICHITE\nV2.2\nPI\n+\n+2625FU\n+2726FU\n");
    CHECK(read_first(&rest));
    CHECK_TEXT(moves_text(), "7g7f 8c8d");
    CHECK_INT(record.move[1].time_ms, 4000);
    CHECK_INT(record.result, RESULT_NONE);
    CHECK(read_first(&rest));
    CHECK_TEXT(tag("Black"), "a");
    CHECK_INT(record.result, RESULT_DRAW);
    CHECK_INT(record.reason, REASON_REPETITION);
    CHECK(read_first(&rest));
    CHECK_INT(record.move_nb, 0);
    CHECK_TEXT(record.error.text, "move 1: '+2625FU' is not a legal move here");
    CHECK(!read_first(&rest));

    CHECK(read_text("PI82HI22KA,-,-3334FU,T2\n%TORYO\n")); // the position too
    CHECK_TEXT(start_text(), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    CHECK_TEXT(moves_text(), "3c3d");
    CHECK_INT(record.result, RESULT_SECOND_WINS);
}

static void test_csa_ends(void)
{
    CASE("CSA: who wins");
    static const struct {
        const char *text;
        GameResult result;
    } ENDS[] = {
        {"PI\n+\n+7776FU\n%TORYO\n", RESULT_FIRST_WINS},
        {"PI\n+\n%TORYO\n", RESULT_SECOND_WINS},
        {"PI\n+\n+7776FU\n%KACHI\n", RESULT_SECOND_WINS},
        {"PI\n+\n+7776FU\n%TIME_UP\n", RESULT_FIRST_WINS},
        {"PI\n+\n+7776FU\n%+ILLEGAL_ACTION\n", RESULT_SECOND_WINS},
        {"PI\n+\n+7776FU\n%-ILLEGAL_ACTION\n", RESULT_FIRST_WINS},
        {"PI\n+\n+7776FU\n-3334FU\n%-ILLEGAL_ACTION\n", RESULT_FIRST_WINS},
        {"PI\n+\n+7776FU\n%JISHOGI\n", RESULT_DRAW},
        {"PI\n+\n+7776FU\n%HIKIWAKE\n", RESULT_DRAW},
        {"PI\n+\n+7776FU\n%MATTA\n", RESULT_NONE},
    };
    for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++) {
        CHECK(read_text(ENDS[i].text));
        CHECK_THAT(record.result == ENDS[i].result, "'%s' gives %d", ENDS[i].text, record.result);
        CHECK_TEXT(record.error.text, "");
        CHECK_TEXT(strrchr(ENDS[i].text, '%') + strlen(record.result_word), "\n"); // the whole word is kept
    }

    CASE("a position that cannot be is said to be one, and no move is blamed");
    CHECK(read_text("P1-OU+KI+KI+KI+KI+KI\nP9+OU\n+\n+1918OU\n"));
    CHECK_TEXT(record.error.text, "the position cannot be: there are 5 golds, a set has 4");
    CHECK(read_text("先手の持駒：金五\n|v玉 ・ ・ ・ ・ ・ ・ ・ ・|一\n後手番\n"));
    CHECK_TEXT(record.error.text, "the position cannot be: hands: 5 of 'G', a set has 4");
    CHECK(read_text("P+55ZZ\n+\n"));
    CHECK_TEXT(record.error.text, "'P+55ZZ' is not a line of a position");
    CHECK(read_text("what is this\n"));
    CHECK_TEXT(record.error.text, "'what is this' begins no game in CSA, KIF or USI moves");

    CASE("CSA: what is wrong is said");
    static const char *const BAD[] = {"PI\n+\n-3334FU\n", "PI\n+\n+7776GI\n",  "PI\n+\n+7776\n",
                                      "PI\n+\n+0055FU\n", "PI11XX\n+\n",       "P1-XX\n+\n",
                                      "P+55ZZ\n+\n",      "P+51OU52OU\n+\n",   "PI\n+\nhello\n",
                                      "PI99FU\n+\n",      "PI\n+\n+7776FU,x\n"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        CHECK(read_text(BAD[i]));
        CHECK_THAT(record.error.text[0], "'%s' is accepted", BAD[i]);
    }
}

// ---- KIF ----------------------------------------------------------------------------------------
static const char KIF_GAME[] = "#KIF version=2.0 encoding=UTF-8\n"
                               "開始日時：2023/05/06 09:00:00\n"
                               "棋戦：春の会\n"
                               "手合割：平手　　\n"
                               "先手：山本\n"
                               "後手：Rei\n"
                               "手数----指手---------消費時間--\n"
                               "*before the first move\n"
                               "   1 ７六歩(77)   ( 0:16/00:00:16)\n"
                               "*a comment\n"
                               "*in two lines\n"
                               "   2 ３四歩(33)   ( 1:02/00:01:02)+\n"
                               "&bookmark\n"
                               "   3 ２二角成(88) ( 0:00/00:00:16)\n"
                               "   4 同　銀(31)   ( 0:00/00:01:02)\n"
                               "   5 ５五角打     (1:00:01/01:00:17)\n"
                               "   6 ３三銀(22)\n"
                               "   7 投了         ( 0:03/01:00:20)\n"
                               "まで6手で後手の勝ち\n"
                               "\n"
                               "変化：3手\n"
                               "   3 ２六歩(27)   ( 0:00/00:00:16)\n"
                               "*not of the game\n";

static void test_kif(void)
{
    CASE("KIF: a whole game");
    CHECK(read_text(KIF_GAME));
    CHECK_TEXT(record.error.text, "");
    CHECK_TEXT(moves_text(), "7g7f 3c3d 8h2b+ 3a2b B*5e 2b3c");
    CHECK_TEXT(tag("Black"), "山本");
    CHECK_TEXT(tag("White"), "Rei");
    CHECK_TEXT(tag("Event"), "春の会");
    CHECK_TEXT(tag("Date"), "2023/05/06 09:00:00");
    CHECK_TEXT(record.comment ? record.comment : "", "before the first move");
    CHECK_TEXT(record.move[0].comment ? record.move[0].comment : "", "a comment\nin two lines");
    CHECK(!record.move[5].comment);
    CHECK_INT(record.move[0].time_ms, 16000);
    CHECK_INT(record.move[1].time_ms, 62000);
    CHECK_INT(record.move[4].time_ms, 3601000);
    CHECK_TEXT(record.result_word, "投了");
    CHECK_INT(record.result, RESULT_SECOND_WINS);

    CASE("KIF: handicaps");
    static const struct {
        const char *name, *sfen;
    } HANDICAPS[] = {
        {"香落ち", "lnsgkgsn1/1r5b1/"}, {"右香落ち", "1nsgkgsnl/1r5b1/"}, {"角落ち", "lnsgkgsnl/1r7/"},
        {"飛車落ち", "lnsgkgsnl/7b1/"}, {"飛香落ち", "lnsgkgsn1/7b1/"},   {"二枚落ち", "lnsgkgsnl/9/"},
        {"三枚落ち", "lnsgkgsn1/9/"},   {"四枚落ち", "1nsgkgsn1/9/"},     {"五枚落ち", "2sgkgsn1/9/"},
        {"左五枚落ち", "1nsgkgs2/9/"},  {"六枚落ち", "2sgkgs2/9/"},       {"八枚落ち", "3gkg3/9/"},
        {"十枚落ち", "4k4/9/"},
    };
    for (size_t i = 0; i < sizeof HANDICAPS / sizeof HANDICAPS[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "手合割：%s\n下手：a\n上手：b\n   1 ５二玉(51)\n", HANDICAPS[i].name);
        CHECK(read_text(text));
        CHECK_THAT(span_starts(span_of(start_text()), HANDICAPS[i].sfen) && strstr(start_text(), " w - 1"),
                   "%s gives %s", HANDICAPS[i].name, start_text());
        CHECK_TEXT(tag("Black"), "a");
        CHECK_TEXT(tag("White"), "b");
        CHECK_TEXT(moves_text(), "5a5b");
    }

    CASE("KIF: a board diagram");
    CHECK(read_text(
        "後手の持駒：飛二　角　金三　銀四　桂四　香四　歩十七\n"
        "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
        "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・v馬 ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n"
        "+---------------------------+\n先手の持駒：金\n手数＝24  ▲９九香  "
        "まで\n手数----指手---------消費時間--\n"
        "   1 ５二金打\n   2 詰み\n"));
    CHECK_TEXT(record.error.text, "");
    CHECK_TEXT(start_text(), "4k4/9/4P4/9/5+b3/9/9/9/9 b G2rb3g4s4n4l17p 25");
    CHECK_TEXT(moves_text(), "G*5b");
    CHECK_INT(record.reason, REASON_MATE);

    CASE("KIF: White to move in a diagram; two diagrams in a file");
    static const char BOARD[] =
        "| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n|v杏v圭v全vと ・v龍 ・ ・ ・|\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ 王 ・ ・ ・ ・|\n";
    char two[4096];
    snprintf(two, sizeof two,
             "後手の持駒：なし\n%s先手の持駒：なし\n後手番\n\n後手の持駒：歩\n%s先手の持駒：\n", BOARD,
             BOARD);
    Span rest = span_of(two);
    CHECK(read_first(&rest));
    CHECK_TEXT(start_text(), "4k4/9/+l+n+s+p1+r3/9/9/9/9/9/4K4 w - 1");
    CHECK(read_first(&rest));
    CHECK_TEXT(start_text(), "4k4/9/+l+n+s+p1+r3/9/9/9/9/9/4K4 b p 1");
    CHECK(!read_first(&rest));
}

static void test_kif_odd(void)
{
    static const char BOARD[] =
        "後手の持駒：歩　\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・v歩 ・ ・ ・ ・|五\n"
        "| ・ ・ ・ ・ 歩 ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"
        "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n先手の持駒：金二　\n手数＝24  △５五歩  まで\n";
    char text[4096];

    CASE("KIF: the first move of a diagram takes on the square of the move before it");
    snprintf(text, sizeof text, "手合割：その他\n%s   1 同　歩(56)\n", BOARD);
    CHECK(read_text(text));
    CHECK_TEXT(record.error.text, "");
    CHECK_TEXT(start_text(), "4k4/9/9/9/4p4/4P4/9/9/4K4 b 2Gp 25");
    CHECK_TEXT(moves_text(), "5f5e");

    CASE("KIF: a handicap's name after a diagram does not undo it");
    snprintf(text, sizeof text, "%s手合割：平手\n   1 ５五歩(56)\n", BOARD);
    CHECK(read_text(text));
    CHECK_TEXT(moves_text(), "5f5e");

    CASE("KIF: a handicap that is not known is named, not taken for none");
    CHECK(read_text("手合割：トンボ\n   1 ３四歩(33)\n   2 ７六歩(77)\n"));
    CHECK(strstr(record.error.text, "'トンボ' is a handicap that is not known") != NULL);
    CHECK_INT(record.move_nb, 0);

    CASE("KIF: moves as books print them, several in a line");
    CHECK(read_text("手合割：平手\n▲７六歩 △３四歩\n*A comment\n▲２二角成　△同　銀\nまで4手で中断\n"));
    CHECK_TEXT(record.error.text, "");
    CHECK_TEXT(moves_text(), "7g7f 3c3d 8h2b+ 3a2b");
    CHECK_TEXT(record.move[1].comment, "A comment");
    CHECK_TEXT(record.format, "ki2");
    CHECK(read_text("手合割：平手\n▲７六歩 ▲３四歩\n"));
    CHECK_TEXT(record.error.text, "move 2: '▲３四歩' is a move of the side that is not to move");
    CHECK(read_text("手合割：平手\n▲７六歩 △３四\n"));
    CHECK_TEXT(record.error.text, "move 2: '△３四' is not a move");

    CASE("KIF: UTF-8 that ends within a sign is still UTF-8");
    CHECK(read_text("手合割：平\xe6\x89"));
    CHECK_TEXT(record.error.text, "'平\xEF\xBF\xBD\xEF\xBF\xBD' is a handicap that is not known here");
}

static void test_kif_moves(void)
{
    CASE("KIF: promotions, refusals and promoted pieces");
    CHECK(read_text("手合割：平手\n 1 ７六歩(77)\n 2 ３四歩(33)\n 3 ２二角不成(88)\n 4 同 飛(82)\n 5 "
                    "９六歩(97)\n 6 ５五角打\n"
                    " 7 ９五歩(96)\n 8 ９九角成(55)\n 9 ９四歩(95)\n 10 ９八馬(99)\n 11 同香(99)\n"));
    CHECK_TEXT(record.error.text, "move 11: '同香(99)' is not a legal move here");
    CHECK_TEXT(moves_text(), "7g7f 3c3d 8h2b 8b2b 9g9f B*5e 9f9e 5e9i+ 9e9d 9i9h");

    CASE("KIF: plain digits, no origin, the other names");
    CHECK(read_text("1 76歩(77)\n2 ３４歩\n3 ６八玉\n4 ８四歩\n5 ４八銀\n"));
    CHECK_TEXT(record.error.text, "");
    CHECK_TEXT(moves_text(), "7g7f 3c3d 5i6h 8c8d 3i4h");
    CHECK(read_text("手合割：平手\n1 ５八金\n")); // two golds can
    CHECK(record.error.text[0] != '\0');

    CASE("KIF: endings");
    static const struct {
        const char *word;
        GameResult result;
    } ENDS[] = {
        {"投了", RESULT_FIRST_WINS},     {"詰み", RESULT_FIRST_WINS},      {"切れ負け", RESULT_FIRST_WINS},
        {"反則負け", RESULT_FIRST_WINS}, {"反則勝ち", RESULT_SECOND_WINS}, {"入玉勝ち", RESULT_SECOND_WINS},
        {"千日手", RESULT_DRAW},         {"持将棋", RESULT_DRAW},          {"中断", RESULT_NONE},
        {"不詰", RESULT_NONE},           {"不戦勝", RESULT_SECOND_WINS},   {"不戦敗", RESULT_FIRST_WINS},
        {"時間切れ", RESULT_FIRST_WINS},
    };
    for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "手合割：平手\n   1 ７六歩(77)\n   2 %s     ( 0:01/00:00:01)\n",
                 ENDS[i].word);
        CHECK(read_text(text));
        CHECK_THAT(record.result == ENDS[i].result, "%s gives %d", ENDS[i].word, record.result);
        CHECK_TEXT(record.result_word, ENDS[i].word);
        CHECK_TEXT(record.error.text, "");
    }
    CHECK(read_text("手合割：平手\n1 ７六歩(77)\t(0:01)\n2 投了\t(0:01)\n"));
    CHECK_TEXT(record.result_word, "投了");
    CHECK(read_text("手合割：平手\n1 ７六歩(77)\nまで1手で先手の勝ち\n"));
    CHECK_INT(record.result, RESULT_FIRST_WINS);

    CASE("KIF: several games, one with an illegal move");
    Span rest = span_of(
        "手合割：平手\n1 ７六歩(77)\n2 ３五歩(33)\n3 ２六歩(27)\n4 投了\n\n手合割：角落ち\n1 ３四歩(33)\n"
        "変化：1手\n1 ８四歩(83)\n#KIF version=2.0\n手合割：平手\n1 ２六歩(27)\n");
    CHECK(read_first(&rest));
    CHECK_TEXT(record.error.text, "move 2: '３五歩(33)' is not a legal move here");
    CHECK_TEXT(moves_text(), "7g7f");
    CHECK_TEXT(record.result_word, "投了");
    CHECK(read_first(&rest));
    CHECK_TEXT(moves_text(), "3c3d");
    CHECK_TEXT(record.error.text, "");
    CHECK(read_first(&rest));
    CHECK_TEXT(moves_text(), "2g2f");
    CHECK(!read_first(&rest));
}

// "先手：髙山ｱｲ / １ ７六歩 / 投了" in Shift_JIS, byte by byte.
static void test_shift_jis(void)
{
    CASE("KIF in Shift_JIS");
    CHECK(read_text("\x8e\xe8\x8d\x87\x8a\x84\x81\x46\x95\xbd\x8e\xe8\r\n"
                    "\x90\xe6\x8e\xe8\x81\x46\xfb\xfc\x8e\x52\xb1\xb2\r\n"
                    "   1 \x82\x56\x98\x5a\x95\xe0(77)   ( 0:16/00:00:16)\r\n"
                    "*\x83\x5c\r\n"
                    "   2 \x82\x52\x8e\x6c\x95\xe0(33)\r\n"
                    "   3 \x82\x51\x93\xf1\x8a\x70\x90\xac(88)\r\n"
                    "   4 \x93\xaf\x81\x40\x8b\xe2(31)\r\n"
                    "   5 \x93\x8a\x97\xb9\r\n"));
    CHECK_TEXT(record.error.text, "");
    CHECK_TEXT(tag("Black"), "髙山ｱｲ");
    CHECK_TEXT(moves_text(), "7g7f 3c3d 8h2b+ 3a2b");
    CHECK_TEXT(record.move[0].comment ? record.move[0].comment : "", "ソ");
    CHECK_TEXT(record.result_word, "投了");
}

// ---- writing ------------------------------------------------------------------------------------
static void check_round(const char *source, const char *format)
{
    CHECK(read_text(source));
    Text first = {0}, second = {0};
    CHECK(record_write(&record, format, &first));
    char moves[4096], start[TEXT_MAX];
    snprintf(moves, sizeof moves, "%s", moves_text());
    snprintf(start, sizeof start, "%s", start_text());
    GameResult result = record.result;
    Reason reason = record.reason;
    CHECK(read_text(first.ptr));
    CHECK_TEXT(record.error.text, "");
    CHECK_TEXT(moves_text(), moves);
    if (strcmp(format, "csa") == 0) // which has no move numbers
        CHECK(strncmp(start_text(), start, (size_t)(strrchr(start, ' ') - start)) == 0);
    else
        CHECK_TEXT(start_text(), start);
    CHECK_INT(record.result, result);
    CHECK_INT(record.reason, reason);
    CHECK(record_write(&record, format, &second));
    CHECK_TEXT(second.ptr, first.ptr);
    text_free(&first);
    text_free(&second);
}

static void test_write(void)
{
    static const char *const FORMATS[] = {"kif", "csa", "usi"};
    static const char *const SOURCES[] = {
        KIF_GAME,
        "V2.2\nN+x\nN-y\nPI22KA\n-\n-3334FU\nT3\n'*why\n'*not\n+7776FU\n%+ILLEGAL_ACTION\n",
        "P-11OU\nP+53FU99OU00KI\nP-00AL\n+\n+0052KI\n-0021HI\n+5241KI\n%KACHI\n",
        "sfen l2g5/2s3g2/3k1p2p/P2pp2P1/1pP4s1/p1+B6/NP1P+nPS1P/K1G4+p1/L6NL b RBGNLPrs3p 77 moves G*5c 6c7d",
        "startpos",
    };
    for (size_t f = 0; f < 3; f++) {
        CASE("written as %s and read again", FORMATS[f]);
        for (size_t i = 0; i < sizeof SOURCES / sizeof SOURCES[0]; i++)
            check_round(SOURCES[i], FORMATS[f]);
    }

    CASE("the usual format is KIF, marks and times are kept, unknown formats refused");
    Text text = {0};
    CHECK(read_text(KIF_GAME));
    record.move[2].mark = 6;
    CHECK(record_write(&record, NULL, &text));
    CHECK(span_starts(text_span(&text), "#KIF"));
    CHECK(strstr(text.ptr, "   4 同　銀(31)") != NULL);
    CHECK(strstr(text.ptr, "(60:01/01:00:17)") != NULL);
    CHECK(strstr(text.ptr, "まで6手で後手の勝ち") != NULL);
    CHECK(read_text(text.ptr));
    CHECK_INT(record.move[2].mark, 6);
    CHECK(!record.move[2].comment);
    CHECK_INT(record.move[4].time_ms, 3601000);
    CHECK(!record_write(&record, "pgn", &text));
    text_free(&text);

    CASE("a date with points is written with strokes, anything else as it is");
    static const char *const DATES[][2] = {
        {"2026.11.16", "2026/11/16"}, {"????.??.??", "????.??.??"}, {"2026.11", "2026.11"}};
    for (int i = 0; i < 3; i++) {
        CHECK(read_text("startpos moves 7g7f"));
        CHECK(record_set_tag(&record, "Date", DATES[i][0]));
        text = (Text){0};
        CHECK(record_write(&record, "csa", &text));
        CHECK(record_write(&record, "kif", &text));
        Text csa = {0}, kif = {0};
        text_add(&csa, "$START_TIME:%s\n", DATES[i][1]);
        text_add(&kif, "開始日時：%s\n", DATES[i][1]);
        CHECK_THAT(strstr(text.ptr, csa.ptr) && strstr(text.ptr, kif.ptr), "%s", text.ptr);
        text_free(&csa);
        text_free(&kif);
        text_free(&text);
    }
}

static void test_write_results(void)
{
    Text text = {0};
    CASE("who resigned after an unreadable move is not known");
    CHECK(read_text("V2.2\nPI\n+\n+7776FU\n-9999FU\n%TORYO\n"));
    CHECK(record.error.text[0] != '\0');
    CHECK_TEXT(record.result_word, "%TORYO");
    CHECK_INT(record.result, RESULT_NONE);

    CASE("a result without a word of the file");
    CHECK(read_text("startpos moves 7g7f 3c3d"));
    static const struct {
        GameResult result;
        Reason reason;
        const char *kif, *csa;
    } RESULTS[] = {
        {RESULT_SECOND_WINS, REASON_NONE, "投了", "%TORYO"},
        {RESULT_SECOND_WINS, REASON_MATE, "詰み", "%TSUMI"},
        {RESULT_SECOND_WINS, REASON_NO_MOVE, "詰み", "%TSUMI"},
        {RESULT_FIRST_WINS, REASON_DECLARATION, "入玉勝ち", "%KACHI"},
        {RESULT_DRAW, REASON_REPETITION, "千日手", "%SENNICHITE"},
        {RESULT_FIRST_WINS, REASON_PERPETUAL_CHECK, "反則勝ち", "%-ILLEGAL_ACTION"},
        {RESULT_SECOND_WINS, REASON_PERPETUAL_CHECK, "反則負け", "%ILLEGAL_MOVE"},
        {RESULT_SECOND_WINS, REASON_TIME, "切れ負け", "%TIME_UP"},
        {RESULT_DRAW, REASON_NONE, "持将棋", "%JISHOGI"},
        {RESULT_FIRST_WINS, REASON_NONE, "まで2手で先手の勝ち", "%-ILLEGAL_ACTION"},
    };
    for (size_t i = 0; i < sizeof RESULTS / sizeof RESULTS[0]; i++) {
        record.result = RESULTS[i].result;
        record.reason = RESULTS[i].reason;
        text_clear(&text);
        CHECK(record_write(&record, "kif", &text));
        CHECK_THAT(strstr(text.ptr, RESULTS[i].kif), "no %s in %s", RESULTS[i].kif, text.ptr);
        text_clear(&text);
        CHECK(record_write(&record, "csa", &text));
        CHECK_THAT(strstr(text.ptr, RESULTS[i].csa), "no %s in %s", RESULTS[i].csa, text.ptr);
    }
    CASE("record: the players of a handicap game are called by the names such games have");
    static const char HANDICAP[] = "上手：A\n下手：B\n手合割：二枚落ち\n1 ６二銀(71)\n2 投了\n";
    CHECK(read_text(HANDICAP));
    text_clear(&text);
    CHECK(record_write(&record, "kif", &text));
    CHECK_THAT(strstr(text.ptr, "上手：A\n下手：B\n") && strstr(text.ptr, "まで1手で上手の勝ち\n"), "%s",
               text.ptr);
    CHECK_THAT(!strstr(text.ptr, "先手") && !strstr(text.ptr, "後手"), "%s", text.ptr);
    text_free(&text);
}

// ---- broken files -------------------------------------------------------------------------------
// Reads all games; every move must be legal, and the reader must come to an end.
static void read_all(Span rest)
{
    size_t games = 0, limit = rest.len + 1;
    Rules rules = rules_default();
    while (record_read(&rest, &rules, &record)) {
        Position pos = record.start;
        for (int i = 0; i < record.move_nb; i++) {
            CHECK(move_is_pseudo_legal(&pos, record.move[i].move) &&
                  move_is_legal(&pos, record.move[i].move));
            play_move(&pos, record.move[i].move);
        }
        if (++games > limit) {
            CHECK(!"the reader does not come to an end");
            return;
        }
    }
}

static void test_broken(void)
{
    static const char CSA_GAME[] = "V2.2\nN+a\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP+00FU00AL\n+\n+7776FU,T3\n'"
                                   "x\n%TORYO\n/\nPI\n+\n+2726FU\n";
    static const char USI_GAME[] =
        "position sfen l2g5/2s3g2/3k1p2p/P2pp2P1/1pP4s1/p1+B6/NP1P+nPS1P/K1G4+p1/L6NL b "
        "RBGNLPrs3p 77 moves G*5c 6c7d\n";
    static const char *const SOURCES[] = {KIF_GAME, CSA_GAME, USI_GAME};
    CASE("cut off at every byte");
    for (size_t i = 0; i < 3; i++)
        for (size_t len = 0; len <= strlen(SOURCES[i]); len++)
            read_all((Span){SOURCES[i], len});

    CASE("bytes changed at random");
    Rng rng = {20240506};
    int rounds = test_is_light() ? 300 : 6000;
    for (int round = 0; round < rounds; round++) {
        const char *source = SOURCES[round % 3];
        size_t len = strlen(source);
        char *copy = malloc(len);
        memcpy(copy, source, len);
        for (u32 i = 1 + rng_below(&rng, 8); i > 0; i--) {
            u32 at = rng_below(&rng, (u32)len);
            copy[at] = rng_below(&rng, 2) ? (char)rng_below(&rng, 256) : copy[rng_below(&rng, (u32)len)];
        }
        read_all((Span){copy, len});
        free(copy);
    }

    CASE("no text at all");
    for (int round = 0; round < rounds / 10; round++) {
        char noise[512];
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (char)rng_next(&rng);
        read_all((Span){noise, sizeof noise});
    }
    Span rest = span_of("\n\n  \n");
    CHECK(!read_first(&rest));
    rest = span_of("this is a letter\nto nobody\n\nstartpos moves 7g7f\n");
    CHECK(read_first(&rest));
    CHECK(strstr(record.error.text, "this is a letter") != NULL);
    CHECK(read_first(&rest));
    CHECK_TEXT(moves_text(), "7g7f");
}

void test_record(void)
{
    test_usi();
    test_csa();
    test_csa_ends();
    test_kif();
    test_kif_odd();
    test_kif_moves();
    test_shift_jis();
    test_write();
    test_write_results();
    test_broken();
    record_free(&record);
}
