// SPDX-License-Identifier: GPL-3.0-or-later
// The table of phrases and what is said from it: both columns have the same conversions in the same order, no
// phrase stands in it twice, and boards, moves, scores and columns are in Japanese when that is spoken.
#include "base/language.h"

#include <stdlib.h>

#include "games/notation.h"
#include "helpers.h"
#include "session/phrases.h"

// The conversions of a format, without flags, widths and precisions: "%s%d%llu" and so on.
static void print_conversions(const char *format, char *out, size_t size)
{
    size_t len = 0;
    for (const char *at = strchr(format, '%'); at && len + 8 < size; at = strchr(at, '%')) {
        out[len++] = *at++;
        for (; *at && strchr("-+ #0123456789.*", *at); at++)
            if (*at == '*') // it takes an argument of its own
                out[len++] = '*';
        while (*at && strchr("hlzjt", *at))
            out[len++] = *at++;
        if (*at)
            out[len++] = *at++;
    }
    out[len] = '\0';
}

static void test_table(void)
{
    CASE("both columns of every phrase take the same arguments, in the same order");
    for (int i = 0; i < LANGUAGE_TABLE_NB; i++) {
        char english[128], japanese[128];
        const Phrase *phrase = &LANGUAGE_TABLE[i];
        print_conversions(phrase->english, english, sizeof english);
        print_conversions(phrase->japanese, japanese, sizeof japanese);
        CHECK_THAT(strcmp(english, japanese) == 0, "'%s' has %s, '%s' has %s", phrase->english, english,
                   phrase->japanese, japanese);
        CHECK_THAT(span_is_utf8(span_of(phrase->japanese)), "'%s' is no UTF-8", phrase->english);
        size_t len = strlen(phrase->english), other = strlen(phrase->japanese);
        bool ends = len && phrase->english[len - 1] == '\n',
             also = other && phrase->japanese[other - 1] == '\n';
        CHECK_THAT(ends == also, "'%s' ends a line in one language alone", phrase->english);
    }
    CASE("no phrase stands in the table twice");
    for (int i = 0; i < LANGUAGE_TABLE_NB; i++)
        for (int k = 0; k < i; k++)
            CHECK_THAT(strcmp(LANGUAGE_TABLE[i].english, LANGUAGE_TABLE[k].english) != 0, "'%s'",
                       LANGUAGE_TABLE[i].english);
    CASE("messages are said in the language that is spoken, and English is as it stands");
    Message message;
    message_set(&message, "more than %d files", 3);
    CHECK_TEXT(message.text, "more than 3 files");
    language_set(LANGUAGE_JAPANESE);
    message_set(&message, "more than %d files", 3);
    CHECK_TEXT(message.text, "ファイルは 3 個までです");
    CHECK_TEXT(said("nothing that the table has"), "nothing that the table has");
    language_set(LANGUAGE_ENGLISH);
}

static void test_environment(void)
{
    CASE("the language of the system: LC_ALL, then LC_MESSAGES, then LANG");
    static const char *const NAMES[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    char *old[3];
    for (int i = 0; i < 3; i++) {
        old[i] = getenv(NAMES[i]) ? strdup(getenv(NAMES[i])) : NULL;
        unsetenv(NAMES[i]);
    }
    CHECK_INT(language_of_environment(), LANGUAGE_ENGLISH);
    setenv("LANG", "ja_JP.UTF-8", 1);
    CHECK_INT(language_of_environment(), LANGUAGE_JAPANESE);
    setenv("LC_MESSAGES", "C", 1);
    CHECK_INT(language_of_environment(), LANGUAGE_ENGLISH);
    setenv("LC_ALL", "ja", 1);
    CHECK_INT(language_of_environment(), LANGUAGE_JAPANESE);
    setenv("LC_ALL", "jabber", 1);
    CHECK_INT(language_of_environment(), LANGUAGE_ENGLISH);
    for (int i = 0; i < 3; i++) {
        if (old[i])
            setenv(NAMES[i], old[i], 1);
        else
            unsetenv(NAMES[i]);
        free(old[i]);
    }
}

static void check_score(int score, const Position *pos, const char *expected)
{
    char text[PHRASE_MAX];
    phrase_score_words(score, pos, text);
    CHECK_TEXT(text, expected);
}

static void test_words(void)
{
    language_set(LANGUAGE_JAPANESE);
    Position even = position_of(GAME_START),
             given = position_of("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    CASE("先手 and 後手, in a handicap game 下手 and 上手");
    CHECK_TEXT(side_words(&even, 0), "先手");
    CHECK_TEXT(side_words(&even, 1), "後手");
    CHECK_TEXT(side_words(&given, 0), "下手");
    CHECK_TEXT(side_words(&given, 1), "上手");

    Position problem = position_of("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"),
             later = position_of("lnsgkgsnl/9/pppp1pppp/4p4/9/4P4/PPPP1PPPP/1B5R1/LNSGKGSNL w - 3"),
             bare = position_of("4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    CHECK_TEXT(side_words(&problem, 0), "先手");
    CHECK_TEXT(side_words(&later, 1), "上手");
    CHECK_TEXT(side_words(&bare, 1), "上手");

    CASE("形勢 in words, and mates by half-moves");
    char text[PHRASE_MAX];
    phrase_chance(&even, 510, text);
    CHECK_TEXT(text, "形勢互角");
    phrase_chance(&even, 300, text);
    CHECK_TEXT(text, "後手優勢");
    phrase_chance(&given, 960, text);
    CHECK_TEXT(text, "下手必勝");
    check_score(SCORE_MATE - 5, &even, "+5手詰");
    check_score(SCORE_MATE - 5, &given, "-5手詰");
    check_score(-SCORE_MATE, &even, "詰み");
    check_score(0, &even, "+0");
    move_number_words(&even, text, sizeof text);
    CHECK_TEXT(text, "1手目 ");

    CASE("a board with １ to ９, 一 to 九 and 持駒 in words");
    Position pos = position_of("ln1gk1s1l/1r4gb1/p8/9/9/9/P8/1B5R1/L1SGKGSNL b 2N10Ps6p 1");
    Text board = {0};
    board_draw(&pos, (BoardStyle){.unicode = true}, &board);
    check_has(board.ptr, "   ９  ８  ７  ６  ５  ４  ３  ２  １ \n");
    check_has(board.ptr, " 一    後手 持駒： 銀 歩六\n");
    check_has(board.ptr, " 九  > 先手 持駒： 桂二 歩十\n");
    // All ranks are as wide: the digit of each stands in the same column.
    Span rest = text_span(&board), line;
    span_line(&rest, &line);
    for (int rank = 0; rank < 9; rank++) {
        CHECK(span_line(&rest, &line) && line.len > 0);
        CHECK_THAT(span_width((Span){line.ptr, line.len}) >= 41, "rank %d: %.*s", rank, (int)line.len,
                   line.ptr);
        int width = 0;
        for (Span cut = {line.ptr, 0}; cut.len < line.len && width < 39; cut.len++)
            width = span_is_utf8(cut) ? span_width(cut) : width;
        CHECK_INT(width, 39);
    }
    text_free(&board);
    language_set(LANGUAGE_ENGLISH);
    CHECK_TEXT(side_words(&given, 0), "Black");
}

static void test_width(void)
{
    CASE("columns: kanji take two, letters one, marks none");
    CHECK_INT(span_width(span_of("abc")), 3);
    CHECK_INT(span_width(span_of("先手abc")), 7);
    CHECK_INT(span_width(span_of("ﾊﾝｶｸ")), 4);
    CHECK_INT(span_width(span_of("か\xE3\x82\x99")), 2);
    CHECK_INT(span_width(span_of("１２")), 4);
    Text out = {0};
    text_add_padded(&out, "先手", 6);
    text_add_padded(&out, "abc", 2);
    CHECK_TEXT(out.ptr, "先手  abc");
    text_free(&out);
}

void test_language(void)
{
    test_table();
    test_environment();
    test_words();
    test_width();
}
