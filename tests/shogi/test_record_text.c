// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of shogi games, as files or as somebody pastes them: formats, encodings, several games, and what
// cannot be read.
#include "record_helpers.h"

static void test_lists(void)
{
    CASE("lists of moves, in any notation and over any lines");
    check_list("7g7f 3c3d", "7g7f 3c3d", "moves");
    check_list("▲７六歩 △３四歩", "7g7f 3c3d", "ki2");
    check_list("▲７六歩△３四歩▲２二角成△同　銀", "7g7f 3c3d 8h2b+ 3a2b", "ki2");
    check_list("７六歩 ３四歩 ２二角成 同銀", "7g7f 3c3d 8h2b+ 3a2b", "ki2");
    check_list("76歩 34歩", "7g7f 3c3d", "ki2");
    check_list("☗７六歩 ☖３四歩", "7g7f 3c3d", "ki2");
    check_list("1. ▲７六歩 2. △３四歩", "7g7f 3c3d", "ki2");
    check_list("\xEF\xBB\xBF\r\n\r\n▲７六歩\r\n\r\n△３四歩\r\n", "7g7f 3c3d", "ki2");
    check_list("1. P-7f P-3d 2. Bx2b+ Sx2b", "7g7f 3c3d 8h2b+ 3a2b", "moves");
    check_list("P-7f\r\n\r\nP-3d\r\n", "7g7f 3c3d", "moves");
    check_list("1.P-7f P-3d resign", "7g7f 3c3d", "moves");
    CHECK_INT(opened.record.result, RESULT_SECOND_WINS);
    check_list("position startpos moves 7g7f 3c3d", "7g7f 3c3d", "usi");
    check_list("startpos moves 7g7f", "7g7f", "usi");
    check_list("▲７六歩 △３四歩 投了", "7g7f 3c3d", "ki2");
    CHECK_INT(opened.record.result, RESULT_SECOND_WINS);

    CASE("two lists with numbers are two games");
    CHECK(open_text("1. P-7f P-3d\n2. P-2f\n\n1. P-2f P-8d\n", 2));
    CHECK_INT(opened.game_nb, 2);
    CHECK_TEXT(opened_moves(), "2g2f 8c8d");
    CHECK_INT(opened.game[1].line, 4);

    CASE("a list with a wrong move keeps what is before it, and tells the line");
    CHECK(open_text("▲７六歩 △３四歩\n▲９九歩\n", 1));
    CHECK_TEXT(opened_moves(), "7g7f 3c3d");
    CHECK_INT(opened.warning_nb, 1);
    CHECK_INT(opened.warning[0].line, 2);
    check_has(opened.warning[0].text, "move 3: '▲９九歩' is not a legal move here");
    CHECK(open_text("P-7f P-3d\nP-9a P-2d\nP-2e\n", 1));
    CHECK_TEXT(opened_moves(), "7g7f 3c3d");
    CHECK_INT(opened.game_nb, 1);
    CHECK_INT(opened.warning[0].line, 2);
}

static void test_formats(void)
{
    static const char SFEN[] = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    CASE("a SFEN is a game of no moves, with what is said of it as a comment");
    check_list(SFEN, "", "sfen");
    CHECK_TEXT(text_of(&opened.record.start), SFEN);
    CHECK(open_text("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 bm G*5b; id \"mate\";", 1));
    CHECK_TEXT(opened.format, "sfen");
    CHECK_TEXT(opened.record.comment, "bm G*5b; id mate");
    check_list("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b", "G*5b", "usi");
    CHECK(open_text("4k4/9/4P4/9/9/9/9/9/4K4 b G 0", 1));
    check_has(opened.warning[0].text, "0 taken as 1");
    CHECK(!open_text("9/9/9/9/9/9/9/9/9 b - 1", 1));
    CHECK_TEXT(open_message.text, "line 1: SFEN: there is no king on the board");

    CASE("KIF, CSA, and their times");
    check_list("手合割：二枚落ち\n上手：Anna\n   1 ３四歩(33) ( 0:12/00:00:12)\n   2 ７六歩(77)\n",
               "3c3d 7g7f", "kif");
    CHECK_INT(opened.record.move[0].time_ms, 12000);
    CHECK_TEXT(opened.encoding, "UTF-8");
    check_list("手合割：裸玉\n   1 ４二玉(51)\n", "5a4b", "kif");
    check_list("V2.2\nPI\n+\n+7776FU\nT5\n-3334FU\n%TORYO\n", "7g7f 3c3d", "csa");
    CHECK_INT(opened.record.move[0].time_ms, 5000);
    CHECK_TEXT(opened.encoding, "ASCII");
    check_list("\xEF\xBB\xBF"
               "手合割：平手\r\n\r\n   1 ７六歩(77)\r\n",
               "7g7f", "kif");

    CASE("Shift_JIS");
    check_list("\x8e\xe8\x8d\x87\x8a\x84\x81\x46\x95\xbd\x8e\xe8\r\n1 \x82\x56\x98\x5a\x95\xe0(77)\r\n",
               "7g7f", "kif");
    CHECK_TEXT(opened.encoding, "Shift_JIS");
    check_list("\x81\xa3\x82\x56\x98\x5a\x95\xe0 \x81\xa2\x82\x52\x8e\x6c\x95\xe0\r\n", "7g7f 3c3d", "ki2");
    CASE("UTF-16");
    static const char WIDE[] = "\xFF\xFE\xB2\x25\x17\xFF\x6D\x51\x69\x6B";
    CHECK(open_bytes(WIDE, sizeof WIDE - 1, 1));
    CHECK_TEXT(opened_moves(), "7g7f");
    CHECK_TEXT(opened.encoding, "UTF-16");
}

static void test_games(void)
{
    CASE("several games are counted, described and chosen by number");
    static const char TWO[] =
        "V2.2\nN+Anna\nN-Boris\nPI\n+\n+7776FU\n%TORYO\n/\nV2.2\nN+Carla\nPI\n+\n+2726FU\n";
    CHECK(open_text(TWO, 2));
    CHECK_INT(opened.game_nb, 2);
    CHECK_TEXT(opened_moves(), "2g2f");
    CHECK_TEXT(opened.game[0].text, "Anna - Boris, %TORYO, 1 half-move");
    CHECK_TEXT(opened.game[1].text, "Carla - ?, 1 half-move");
    CHECK_INT(opened.game[1].line, 9);
    CHECK(!open_text(TWO, 3));
    CHECK_TEXT(open_message.text, "there is no game 3: it has 2");
    CASE("one game a line");
    CHECK(open_text("startpos moves 7g7f\nstartpos moves 2g2f 9z9z\nstartpos moves 5g5f\n", 3));
    CHECK_INT(opened.game_nb, 3);
    CHECK_TEXT(opened_moves(), "5g5f");
    CHECK_INT(opened.warning_nb, 1);
    CHECK_INT(opened.warning[0].line, 2);
}

static void check_written(const char *format, const char *part)
{
    Text out = {0};
    CHECK(record_write(&opened.record, format, &out));
    check_has(out.ptr, part);
    text_free(&out);
}

static void test_written(void)
{
    CASE("the formats, and what is written in them");
    CHECK(open_text("手合割：裸玉\n   1 ４二玉(51)\n   2 ７六歩(77)\n", 1));
    check_written("kif", "手合割：裸玉\n");
    check_written("csa", "P1 *  *  *  * -OU");
    check_written("usi", "sfen 4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 5a4b 7g7f\n");
    check_written("sfen", "9/5k3/9/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 3\n");
    Text out = {0};
    for (int i = 0; record_format_at(i); i++) {
        const RecordFormat *format = record_format_at(i);
        CHECK_INT(record_write(&opened.record, format->name, &out), format->is_written);
        CHECK(format->is_read && format->ending[0]);
    }
    CHECK(record_format_at(-1) == NULL && strcmp(record_format_at(0)->name, "kif") == 0);
    text_free(&out);
}

static void test_refused(void)
{
    CASE("what is no game is refused in clear words");
    check_refused("", "it is empty");
    check_refused(" \r\n", "it is empty");
    CHECK(!open_bytes("a\0b", 3, 1));
    check_has(open_message.text, "it is binary");
    check_refused("Hello, a game\n▲７六歩\n", "line 1: no game begins with 'Hello, a game'");
    check_refused("1. e4 e5", "what is read: kif, ki2, csa, usi, sfen, jkf, moves");
    check_refused("これは棋譜です", "line 1: no game begins with 'これは棋譜です'");

    CASE("any bytes come to an end, and leave nothing behind");
    static const char *const PARTS[] = {
        "▲７六歩", "同銀",   "手合割：", "平手", "1 ７六歩(77)", "+7776FU", "PI", "7g7f", "P-7f",     "1.",
        "*",       "変化：", "まで",     "\xFF", "sfen",         "moves",   "△",  "9/9/", "\x82\x56", "/"};
    Rng rng = {78};
    for (int i = 0; i < 3000; i++) {
        Text soup = {0};
        for (int n = (int)rng_below(&rng, 12); n >= 0; n--)
            text_add(&soup, "%s%s", PARTS[rng_below(&rng, sizeof PARTS / sizeof PARTS[0])],
                     rng_below(&rng, 3) ? " " : "\n");
        bool ok = open_bytes(soup.ptr, soup.len, 1 + (int)rng_below(&rng, 2));
        CHECK(ok == (open_message.text[0] == '\0'));
        CHECK(ok || opened.game_nb == 0);
        text_free(&soup);
    }
}

void test_record_text(void)
{
    test_lists();
    test_formats();
    test_games();
    test_written();
    test_refused();
    record_close(&opened);
}
