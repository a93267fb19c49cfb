// SPDX-License-Identifier: GPL-3.0-or-later
// Games with everything in them (game_maker.h), written and read again in every format that keeps it: the
// same moves, comments, marks, bookmarks, times, variations and endings. TWOFOLD_ROUND_TRIPS asks for more
// games than the usual hundred. Then records written by hand, of every ending and every handicap.
#include "game_maker.h"
#include "record_helpers.h"

enum { WITH_TIMES = 1, WITH_WORDS = 2, WITH_LINES = 4, WITH_BOOKMARKS = 8 };

static bool same_text(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : "") == 0; }

static bool same_moves(const Record *a, const Record *b, int line, int other, int with)
{
    int nb, other_nb;
    const RecordMove *moves = record_line_moves(a, line, &nb),
                     *others = record_line_moves(b, other, &other_nb);
    if (nb != other_nb)
        return false;
    for (int i = 0; i < nb; i++) {
        const RecordMove *m = &moves[i], *o = &others[i];
        if (m->move != o->move || ((with & WITH_TIMES) && m->time_ms != o->time_ms) ||
            ((with & WITH_WORDS) && (!same_text(m->comment, o->comment) || m->mark != o->mark)) ||
            ((with & WITH_BOOKMARKS) && !same_text(m->bookmark, o->bookmark)))
            return false;
    }
    return true;
}

// The variations stand in the file in another order than they were added in: they are followed place by
// place.
static bool same_lines(const Record *a, const Record *b, int line, int other, int with)
{
    int nb;
    record_line_moves(a, line, &nb);
    if (!same_moves(a, b, line, other, with))
        return false;
    for (int ply = 0; ply <= nb; ply++) {
        int i = record_first_line(a, line, ply), k = record_first_line(b, other, ply);
        for (; i >= 0 && k >= 0; i = a->line[i].next - 1, k = b->line[k].next - 1) {
            const RecordLine *x = &a->line[i], *y = &b->line[k];
            if (!same_text(x->comment, y->comment) || !same_text(x->ending, y->ending) ||
                !same_lines(a, b, i, k, with))
                return false;
        }
        if (i >= 0 || k >= 0)
            return false;
    }
    return true;
}

static void check_same(const Record *a, const Record *b, int with, const char *what, int number)
{
    char start[TEXT_MAX], other[TEXT_MAX];
    pos_print(&a->start, start);
    pos_print(&b->start, other);
    CHECK_TEXT(other, start);
    CHECK_THAT(b->error.text[0] == 0 && b->note.text[0] == 0, "game %d, %s: %s%s", number, what,
               b->error.text, b->note.text);
    CHECK_THAT(same_moves(a, b, RECORD_MAIN, RECORD_MAIN, with), "game %d, %s: the moves", number, what);
    CHECK_THAT(!(with & WITH_LINES) || same_lines(a, b, RECORD_MAIN, RECORD_MAIN, with),
               "game %d, %s: the variations", number, what);
    CHECK_THAT(!(with & WITH_WORDS) || same_text(a->comment, b->comment), "game %d, %s: the comment", number,
               what);
    CHECK_THAT(!(with & WITH_BOOKMARKS) || same_text(a->bookmark, b->bookmark), "game %d, %s: the bookmark",
               number, what);
    CHECK_THAT(a->result == b->result && a->reason == b->reason, "game %d, %s: the end, %s and %s", number,
               what, a->result_word, b->result_word);
    CHECK_THAT(!(with & WITH_TIMES) || a->end_ms == b->end_ms, "game %d, %s: the time of the end", number,
               what);
    for (int i = 0; (with & WITH_WORDS) && i < a->tag_nb; i++)
        CHECK_TEXT(record_tag(b, a->tag[i].name), a->tag[i].value);
}

static void go_round(const Record *record, const char *format, const char *encoding, int with, int number)
{
    Text text = {0};
    Message note = {""};
    Record again = {0};
    Rules rules = rules_default();
    CHECK(record_write(record, format, &text) && record_encode(&text, encoding, &note));
    CHECK_TEXT(note.text, "");
    Span rest = text_span(&text);
    CHECK(record_read(&rest, &rules, &again));
    check_same(record, &again, with, format, number);
    CHECK_INT(span_trim(rest).len, 0);
    CHECK(!encoding || strcmp(again.encoding, encoding) == 0);
    record_free(&again);
    text_free(&text);
}

static int game_nb(void)
{
    const char *asked = getenv("TWOFOLD_ROUND_TRIPS");
    i64 nb = test_is_light() ? 30 : 100;
    if (asked)
        CHECK(span_int(span_of(asked), 1, 1000000, &nb));
    return (int)nb;
}

static void drop_bookmarks(Record *record)
{
    free(record->bookmark);
    record->bookmark = NULL;
    for (int i = 0; i < record->move_nb; i++) {
        free(record->move[i].bookmark);
        record->move[i].bookmark = NULL;
    }
}

static void test_made(void)
{
    enum { ALL = WITH_TIMES | WITH_WORDS | WITH_LINES | WITH_BOOKMARKS };
    static const struct {
        const char *format, *encoding;
        int with;
    } WAYS[] = {{"kif", NULL, ALL},
                {"kif", "Shift_JIS", ALL},
                {"ki2", NULL, ALL & ~WITH_TIMES},
                {"ki2", "Shift_JIS", ALL & ~WITH_TIMES},
                {"csa", NULL, WITH_TIMES | WITH_WORDS},
                {"csa", "Shift_JIS", WITH_TIMES | WITH_WORDS},
                {"usi", NULL, 0}};
    Record record = {0};
    int nb = game_nb(), handicap_nb = 0;
    for (size_t way = 0; way < sizeof WAYS / sizeof WAYS[0]; way++) {
        CASE("%d games in %s%s are read as they were written", nb, WAYS[way].format,
             WAYS[way].encoding ? ", Shift_JIS" : "");
        for (int i = 0; i < nb; i++) {
            maker_make(i, &record);
            handicap_nb += handicap_of(&record.start) > 0;
            if (strcmp(WAYS[way].format, "csa") == 0)
                drop_bookmarks(&record); // the format makes comments of them
            go_round(&record, WAYS[way].format, WAYS[way].encoding, WAYS[way].with, i);
        }
    }
    CHECK_INT(handicap_nb, nb / 10 * 7);
    record_free(&record);
}

// ---- written by hand ----------------------------------------------------------------------------
static void go_all_ways(void)
{
    static const char *const FORMATS[] = {"kif", "ki2", "csa", "usi"};
    for (int i = 0; i < 4; i++)
        go_round(&opened.record, FORMATS[i], i < 2 ? "Shift_JIS" : NULL, 0, 0);
}

// 手合割 of every kind, as people write them, and the first three ranks.
static void test_handicaps(void)
{
    static const struct {
        const char *name, *ranks;
    } STARTS[] = {{"香落ち", "lnsgkgsn1/1r5b1/ppppppppp"},
                  {"右香落ち", "1nsgkgsnl/1r5b1/ppppppppp"},
                  {"角落ち", "lnsgkgsnl/1r7/ppppppppp"},
                  {"飛車落ち", "lnsgkgsnl/7b1/ppppppppp"},
                  {"飛落ち", "lnsgkgsnl/7b1/ppppppppp"},
                  {"飛香落ち", "lnsgkgsn1/7b1/ppppppppp"},
                  {"二枚落ち", "lnsgkgsnl/9/ppppppppp"},
                  {"２枚落ち", "lnsgkgsnl/9/ppppppppp"},
                  {"三枚落ち", "lnsgkgsn1/9/ppppppppp"},
                  {"四枚落ち", "1nsgkgsn1/9/ppppppppp"},
                  {"五枚落ち", "2sgkgsn1/9/ppppppppp"},
                  {"左五枚落ち", "1nsgkgs2/9/ppppppppp"},
                  {"六枚落ち", "2sgkgs2/9/ppppppppp"},
                  {"左七枚落ち", "2sgkg3/9/ppppppppp"},
                  {"右七枚落ち", "3gkgs2/9/ppppppppp"},
                  {"八枚落ち", "3gkg3/9/ppppppppp"},
                  {"十枚落ち", "4k4/9/ppppppppp"},
                  {"10枚落ち", "4k4/9/ppppppppp"},
                  {"裸玉", "4k4/9/9"}};
    for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++) {
        char text[512], sfen[TEXT_MAX];
        CASE("手合割：%s", STARTS[i].name);
        snprintf(text, sizeof text,
                 "下手：甲\n上手：乙\n手合割：%s\n   1 ６二玉(51)   ( 0:04/00:00:04)\n   2 ７六歩(77)   ( "
                 "0:01/00:00:01)\n"
                 "   3 投了\nまで2手で下手の勝ち\n",
                 STARTS[i].name);
        snprintf(sfen, sizeof sfen, "%s/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", STARTS[i].ranks);
        CHECK_THAT(open_text(text, 1), "%s", open_message.text);
        CHECK_TEXT(text_of(&opened.record.start), sfen);
        CHECK_TEXT(opened_moves(), "5a6b 7g7f");
        CHECK_INT(opened.warning_nb, 0);
        CHECK_INT(opened.record.result, RESULT_FIRST_WINS);
        CHECK_TEXT(record_tag(&opened.record, "White"), "乙");
        go_all_ways();
    }
}

static void test_endings(void)
{
    static const struct {
        const char *word; // behind ▲７六歩 △３四歩: Black is to move
        const char *line; // of KI2
        GameResult result;
        Reason reason;
    } ENDS[] = {
        {"投了", "後手の勝ち", RESULT_SECOND_WINS, REASON_NONE},
        {"詰み", "詰み", RESULT_SECOND_WINS, REASON_MATE},
        {"切れ負け", "時間切れにより後手の勝ち", RESULT_SECOND_WINS, REASON_TIME},
        {"反則負け", "先手の反則負け", RESULT_SECOND_WINS, REASON_NONE},
        {"反則勝ち", "先手の反則勝ち", RESULT_FIRST_WINS, REASON_NONE},
        {"入玉勝ち", "先手の入玉勝ち", RESULT_FIRST_WINS, REASON_DECLARATION},
        {"千日手", "千日手", RESULT_DRAW, REASON_REPETITION},
        {"持将棋", "持将棋", RESULT_DRAW, REASON_NONE},
        {"引き分け", "引き分け", RESULT_DRAW, REASON_NONE},
        {"最大手数", "最大手数", RESULT_DRAW, REASON_MOVE_LIMIT},
        {"中断", "中断", RESULT_NONE, REASON_NONE},
        {"不詰", "不詰", RESULT_NONE, REASON_NONE},
        {"不戦敗", "不戦敗", RESULT_SECOND_WINS, REASON_NONE},
    };
    for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++) {
        char text[512];
        CASE("the ending %s", ENDS[i].word);
        snprintf(text, sizeof text, "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 %s\n",
                 ENDS[i].word);
        CHECK_THAT(open_text(text, 1), "%s", open_message.text);
        CHECK_INT(opened.record.result, ENDS[i].result);
        CHECK_INT(opened.record.reason, ENDS[i].reason);
        go_all_ways();
        Text ki2 = {0};
        CHECK(record_write(&opened.record, "ki2", &ki2));
        snprintf(text, sizeof text, "まで2手で%s\n", ENDS[i].line);
        check_has(ki2.ptr, text);
        text_free(&ki2);
        // The line alone, as KI2 has it, tells the same.
        snprintf(text, sizeof text, "▲７六歩    △３四歩\nまで2手で%s\n", ENDS[i].line);
        CHECK(open_text(text, 1));
        CHECK_INT(opened.record.result, ENDS[i].result);
        CHECK_INT(opened.record.reason, ENDS[i].reason);
    }
}

// Files of old systems.
static void test_old_files(void)
{
    CASE("a CR alone ends a line, and lines are counted so");
    CHECK(open_text("先手：甲\r手合割：平手\r   1 ７六歩(77)\r*好手\r   2 ３四歩(33)\r", 1));
    CHECK_TEXT(opened_moves(), "7g7f 3c3d");
    CHECK_TEXT(record_tag(&opened.record, "Black"), "甲");
    CHECK(open_text("先手：甲\r\n手合割：平手\r   1 ７六歩(77)\n   2 ９九歩(33)\r", 1));
    CHECK_INT(opened.warning_nb, 1);
    CHECK_INT(opened.warning_nb ? opened.warning[0].line : 0, 4);

    CASE("EUC-JP is read, and told once, with its line");
    CHECK(open_text("\xC0\xE8\xBC\xEA\xA1\xA7\xB9\xC3\n   1 \xA3\xB7\xCF\xBB\xCA\xE2(77)\n"
                    "*\x8E\xB6\x8E\xC5 \xAD\xA1\n",
                    1));
    CHECK_TEXT(opened_moves(), "7g7f");
    CHECK_TEXT(record_tag(&opened.record, "Black"), "甲");
    CHECK_TEXT(opened.record.move[0].comment, "ｶﾅ ①");
    CHECK_INT(opened.warning_nb, 1);
    CHECK_INT(opened.warning_nb ? opened.warning[0].line : 0, 1);
    check_has(opened.warning_nb ? opened.warning[0].text : "", "expected UTF-8 or Shift_JIS, found EUC-JP");

    CASE("half-width katakana of Shift_JIS are not taken for EUC-JP");
    CHECK(open_text("*\xB1\xB2\xC3\xBD\n   1 \x82\x56\x98\x5A\x95\xE0(77)\n", 1));
    CHECK_TEXT(opened.record.comment, "ｱｲﾃｽ");

    CASE("the time of an ending");
    CHECK(open_text("   1 ７六歩(77) ( 0:03/00:00:03)\n   2 投了 ( 1:05/00:01:05)\n", 1));
    CHECK_INT(opened.record.end_ms, 65000);
    CHECK(open_text("PI\n+\n+7776FU\nT3\n%TORYO\nT65\n", 1));
    CHECK_INT(opened.record.end_ms, 65000);
    CHECK(open_text(
        "{\"header\":{},\"moves\":[{},{\"special\":\"TORYO\",\"time\":{\"now\":{\"m\":1,\"s\":5}}}]}", 1));
    CHECK_INT(opened.record.end_ms, 65000);
}

static void test_encodings(void)
{
    Text text = {0};
    Message note = {""};
    CASE("what Shift_JIS has no sign for is written as 〓, and told with its line");
    text_add(&text, "先手：甲\n*☗７六歩 😀 ①髙～〜−\n");
    CHECK(record_encode(&text, "Shift_JIS", &note));
    CHECK_TEXT(note.text, "line 2: Shift_JIS has no sign '☗': it and 1 more are written as 〓");
    CHECK(text.ptr && memcmp(text.ptr, "\x90\xE6\x8E\xE8\x81\x46\x8D\x62\n*\x81\xAC\x82\x56", 14) == 0);
    CHECK(strstr(text.ptr, "\x87\x40\xFB\xFC\x81\x60\x81\x60\x81\x7C\n") != NULL);

    CASE("encodings by name, and by the ending of a file");
    CHECK_TEXT(record_encoding_named(span_of("sjis")), "Shift_JIS");
    CHECK_TEXT(record_encoding_named(span_of("CP932")), "Shift_JIS");
    CHECK_TEXT(record_encoding_named(span_of("shift-jis")), "Shift_JIS");
    CHECK_TEXT(record_encoding_named(span_of("utf8")), "UTF-8");
    CHECK(record_encoding_named(span_of("latin")) == NULL);
    CHECK_TEXT(record_style_of("a/b.kif").encoding, "Shift_JIS");
    CHECK_TEXT(record_style_of("b.KIF").format, "kif");
    CHECK_TEXT(record_style_of("b.kifu").encoding, "UTF-8");
    CHECK_TEXT(record_style_of("b.ki2").format, "ki2");
    CHECK_TEXT(record_style_of("b.ki2u").encoding, "UTF-8");
    CHECK(record_style_of("b.csa").encoding == NULL && record_style_of("b.kif/c").format == NULL);
    text_free(&text);
}

static void check_damaged(const char *bytes, size_t len, int line, const char *words, const char *moves)
{
    CHECK_THAT(open_bytes(bytes, len, 1), "%s", open_message.text);
    CHECK_INT(opened.warning_nb, 1);
    CHECK_INT(opened.warning_nb ? opened.warning[0].line : 0, line);
    check_has(opened.warning_nb ? opened.warning[0].text : "", words);
    CHECK_TEXT(opened_moves(), moves);
}

static void test_damaged(void)
{
    CASE("mixed encodings are read line by line, and told");
    static const char MIXED[] = "手合割：平手\n   1 ７六歩(77)\n*\x83\x65\x83\x58\x83\x67\n   2 ３四歩(33)\n";
    check_damaged(MIXED, sizeof MIXED - 1, 3, "found Shift_JIS", "7g7f 3c3d");
    CHECK_TEXT(opened.record.move[0].comment, "テスト");

    CASE("half a character at the end");
    static const char HALF[] = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n*コメン\xE3\x83";
    check_damaged(HALF, sizeof HALF - 1, 4, "half of one", "7g7f 3c3d");
    static const char HALF_SJIS[] = "\x8E\xE8\x8D\x87\x8A\x84\x81\x46\x95\xBD\x8E\xE8\n   1 "
                                    "\x82\x56\x98\x5A\x95\xE0(77)\n*\x83\x65\x83";
    check_damaged(HALF_SJIS, sizeof HALF_SJIS - 1, 3, "half of one", "7g7f");

    CASE("bytes that are no character");
    static const char BYTES[] = "手合割：平手\n   1 ７六歩(77)\n*\xFF\xFE\xFD\n   2 ３四歩(33)\n";
    check_damaged(BYTES, sizeof BYTES - 1, 3, "expected UTF-8", "7g7f 3c3d");

    CASE("mojibake is named as such, and the moves before it are kept");
    static const char GARBLED[] = "手合割：平手\n   1 ７六歩(77)\n   2 ・難ｼ墓ｭｩ(33)\n";
    check_damaged(GARBLED, sizeof GARBLED - 1, 3, "saved in a wrong encoding", "7g7f");
    check_has(opened.warning[0].text, "expected one like ７六歩(77)");

    CASE("unknown headers are kept, and told once");
    static const char HEADER[] = "手合割：平手\n天気：晴れ\n昼食：蕎麦\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
    check_damaged(HEADER, sizeof HEADER - 1, 2, "'天気' is a header that is not known here", "7g7f 3c3d");
    CHECK_TEXT(record_tag(&opened.record, "昼食"), "蕎麦");
    record_close(&opened);
}

static void test_findings(void)
{
    CASE("what a program found stands in lines that others read, and is read as it was");
    Text kif = {0};
    CHECK(open_text(
        "手合割：平手\n   1 ７六歩(77)\n*人の言葉 [%eval 0.61] [%depth 12] [%pv 3c3d 8h2b+ 3a2b] "
        "[%twofold 2,123456] Two words\n   2 ３四歩(33)\n*[%eval #-4]\n   3 ２六歩(27)\n*[%eval -12.05]\n",
        1));
    CHECK(record_write(&opened.record, "kif", &kif));
    check_has(kif.ptr, "*人の言葉\n*#評価値=61\n*#深さ=12\n*#読み筋=△３四歩▲２二角成△同銀\n*#エンジン="
                       "Twofold " TWOFOLD_VERSION " [%twofold 2,123456]\n*Two words\n");
    check_has(kif.ptr, "*#詰み=後手勝ち:8手\n");
    check_has(kif.ptr, "*#評価値=-1205\n");
    Record before = {0};
    CHECK(record_copy(&before, &opened.record));
    CHECK(open_text(kif.ptr, 1));
    CHECK_INT(opened.warning_nb, 0);
    for (int i = 0; i < 3; i++)
        CHECK_TEXT(opened.record.move[i].comment, before.move[i].comment);
    CASE("the findings of another program are left alone");
    CHECK(open_text("手合割：平手\n   1 ７六歩(77)\n*#評価値=61\n*#エンジン=Other 1\n", 1));
    CHECK_TEXT(opened.record.move[0].comment, "#評価値=61\n#エンジン=Other 1");
    record_free(&before);
    text_free(&kif);
}

static void test_jkf(void)
{
    CASE("JKF: headers, start, moves, times, comments, forks, ending");
    CHECK_THAT(
        open_text(
            "{\"header\":{\"先手\":\"na2hiro\",\"後手\":\"うひょ\"},\n"
            "\"initial\":{\"preset\":\"HIRATE\"},\n"
            "\"moves\":[{\"comments\":[\"始まり\"]},\n"
            "{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"color\":0,\"piece\":\"FU\"},"
            "\"time\":{\"now\":{\"m\":1,\"s\":2},\"total\":{\"h\":0,\"m\":1,\"s\":2}},\"comments\":[\"一\","
            "\"二\"]},\n"
            "{\"move\":{\"from\":{\"x\":3,\"y\":3},\"to\":{\"x\":3,\"y\":4},\"piece\":\"FU\"},"
            "\"forks\":[[{\"move\":{\"from\":{\"x\":8,\"y\":3},\"to\":{\"x\":8,\"y\":4},\"piece\":\"FU\"}},"
            "{\"special\":\"CHUDAN\"}]]},\n"
            "{\"move\":{\"from\":{\"x\":8,\"y\":8},\"to\":{\"x\":2,\"y\":2},\"piece\":\"KA\",\"promote\":"
            "true}},\n"
            "{\"move\":{\"from\":{\"x\":3,\"y\":1},\"same\":true,\"piece\":\"GI\"}},\n"
            "{\"move\":{\"to\":{\"x\":4,\"y\":5},\"piece\":\"KA\"}},\n"
            "{\"special\":\"TORYO\"}]}\n",
            1),
        "%s", open_message.text);
    CHECK_TEXT(opened.format, "jkf");
    CHECK_TEXT(opened_moves(), "7g7f 3c3d 8h2b+ 3a2b B*4e");
    CHECK_INT(opened.warning_nb, 0);
    CHECK_INT(opened.record.move[0].time_ms, 62000);
    CHECK_TEXT(opened.record.move[0].comment, "一\n二");
    CHECK_TEXT(opened.record.comment, "始まり");
    CHECK_INT(opened.record.line_nb, 1);
    CHECK_INT(opened.record.line[0].ply, 1);
    CHECK_TEXT(opened.record.line[0].ending, "中断");
    CHECK_INT(opened.record.result, RESULT_FIRST_WINS);
    CHECK_TEXT(record_tag(&opened.record, "Black"), "na2hiro");

    CASE("JKF: a board of one's own, and a file that is cut short");
    CHECK_THAT(
        open_text(
            "{\"header\":{},\"initial\":{\"preset\":\"OTHER\",\"data\":{\"color\":0,\"board\":["
            "[{},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{}],"
            "[{},{},{},{},{},{},{},{},{}],[{\"color\":1,\"kind\":\"OU\"},{},{\"color\":0,\"kind\":\"TO\"},"
            "{},{},{},{},{},{\"color\":0,\"kind\":\"OU\"}]],"
            "\"hands\":[{\"KI\":1},{\"FU\":2}]}},\"moves\":[{},{\"move\":{\"to\":{\"x\":5,\"y\":2},"
            "\"piece\":\"KI\",\"color\":0}},{\"special\":\"TSU",
            1),
        "%s", open_message.text);
    CHECK_TEXT(text_of(&opened.record.start), "4k4/9/4+P4/9/9/9/9/9/4K4 b G2p 1");
    CHECK_TEXT(opened_moves(), "G*5b");
    CHECK_INT(opened.warning_nb, 1);
    check_refused("{\"a\": 1}", "no game begins with '{");
    record_close(&opened);
}

void test_shogi_round_trip(void)
{
    test_made();
    test_handicaps();
    test_endings();
    test_encodings();
    test_old_files();
    test_damaged();
    test_findings();
    test_jkf();
}
