// SPDX-License-Identifier: GPL-3.0-or-later
// Our own words in the comments of files: what we wrote is found again, and what people wrote is never taken
// for it.
#include "analysis/comments.h"
#include "test.h"

static const char REMARK[] = "Blunder: 40% of a win lost. Better was 2... c6 3. a3 Nf6.";

// The comment without our own words and what else is to be left out must be this.
static void check_left(const char *comment, int left_out, const char *expected)
{
    Text text = {0};
    comment_strip(comment, left_out, &text);
    CHECK_TEXT(text.ptr ? text.ptr : "", expected);
    text_free(&text);
}

// A comment of words, our remark with its mark, and words again.
static Text make_comment(const char *before, const char *after)
{
    Text text = {0};
    text_add(&text, "%s", before);
    comment_add_own(span_of(REMARK), 0, &text);
    text_add(&text, "%s%s", *after ? " " : "", after);
    return text;
}

static void check_kept(const char *before, const char *after, const char *expected)
{
    Text text = make_comment(before, after);
    CHECK(comment_is_marked(text.ptr));
    check_left(text.ptr, 0, expected);
    text_free(&text);
}

static void test_own_words(void)
{
    CASE("comments: our own words go, those of people around them stay");
    check_kept("", "", "");
    check_kept("A plan.", "", "A plan.");
    check_kept("", "Or not?", "Or not?");
    check_kept("A plan.", "Or not?", "A plan. Or not?");
    check_kept("[%clk 0:03:00]", "[%emt 3] later", "[%clk 0:03:00] [%emt 3] later");
    CASE("comments: no words, no mark");
    Text text = {0};
    comment_add_own((Span){0}, 0, &text);
    CHECK_INT((int)text.len, 0);
    check_left(NULL, 0, "");
    CASE("comments: several remarks in one comment");
    text_add(&text, "One");
    comment_add_own(span_of(REMARK), 0, &text);
    text_add(&text, " two");
    comment_add_own(span_of("The only good move."), 0, &text);
    text_add(&text, " three");
    check_left(text.ptr, 0, "One two three");
    text_free(&text);
    CASE("comments: the mark is written as files have it");
    comment_add_own(span_of("The only good move."), 0, &text);
    CHECK_TEXT(text.ptr, "[%twofold 4,0af19c,0] The only good move.");
    text_free(&text);
}

static void test_moved_words(void)
{
    CASE("comments: lines may be broken anew");
    Text text = make_comment("A plan.", "Or not?");
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == ' ' && i % 3 == 0)
            text.ptr[i] = '\n';
    check_left(text.ptr, 0, "A plan. Or not?");
    text_free(&text);
    CASE("comments: a program may put the commands elsewhere");
    comment_add_own(span_of(REMARK), 0, &text);
    Text moved = {0};
    int mark_len = (int)(strchr(text.ptr, ']') + 1 - text.ptr);
    text_add(&moved, "A plan. %s Or not? %.*s", REMARK, mark_len, text.ptr);
    check_left(moved.ptr, 0, "A plan. Or not?");
    text_clear(&moved);
    text_add(&moved, "%.*s [%%eval 0.35]%s[%%clk 0:03:00]", mark_len, text.ptr, REMARK);
    check_left(moved.ptr, COMMENT_EVALS, "[%clk 0:03:00]");
    CASE("comments: words that were changed are people's from then on");
    text_clear(&moved);
    text_add(&moved, "%.*s %s", mark_len, text.ptr,
             "Blunder: 41% of a win lost. Better was 2... c6 3. a3 Nf6.");
    check_left(moved.ptr, 0, "Blunder: 41% of a win lost. Better was 2... c6 3. a3 Nf6.");
    text_clear(&moved);
    text_add(&moved, "%.*s I thought long about this move, and then forgot what I had found, as ever.",
             mark_len, text.ptr);
    check_left(moved.ptr, 0, "I thought long about this move, and then forgot what I had found, as ever.");
    text_free(&moved);
    text_free(&text);
}

static void test_damaged_marks(void)
{
    CASE("comments: a mark that tells nothing takes no words with it");
    static const char *const MARKS[] = {
        "[%twofold]",
        "[%twofold 2]",
        "[%twofold ,]",
        "[%twofold 2,]",
        "[%twofold 2,zzzzzz]",
        "[%twofold 0,000000]",
        "[%twofold -1,000000]",
        "[%twofold 2,1000000]",
        "[%twofold 99999999999999999999,0]",
        "[%twofold 2,000000 x]",
        "[%twofold\n2,000000]",
    };
    for (size_t i = 0; i < sizeof MARKS / sizeof MARKS[0]; i++) {
        Text text = {0};
        text_add(&text, "before %s two words", MARKS[i]);
        check_left(text.ptr, 0, "before two words");
        text_free(&text);
    }
    check_left("[%twofold 2,000000 never closed", 0, "[%twofold 2,000000 never closed");
    check_left("[%", COMMENT_COMMANDS, "[%");
}

static void test_programs_words(void)
{
    CASE("comments: evaluations and commands go when they are not wanted");
    check_left("[%eval 0.35] a [%clk 0:03:00] b", 0, "[%eval 0.35] a [%clk 0:03:00] b");
    check_left("[%eval 0.35] a [%clk 0:03:00] b", COMMENT_EVALS, "a [%clk 0:03:00] b");
    check_left("[%eval 0.35] a [%clk 0:03:00] b", COMMENT_COMMANDS, "a b");
    CASE("comments: remarks without a mark are only taken for ours when that is asked for");
    static const char OLD[] =
        "Mine. Misses mate in 2. Better was 2... Qh4+ 3. Kf1 Qf2#. The only good move. Yours.";
    check_left(OLD, COMMENT_COMMANDS, OLD);
    check_left(OLD, COMMENT_OLD_REMARKS, "Mine. Yours.");
    check_left("Mistake: a bad day.", COMMENT_OLD_REMARKS, "Mistake: a bad day.");
}

// Are the letters of the one those of the other, with some left out?
static bool is_part_of(const char *part, const char *whole)
{
    for (; *part; part++) {
        if (*part == ' ')
            continue;
        whole = strchr(whole, *part);
        if (!whole)
            return false;
        whole++;
    }
    return true;
}

static void test_any_comment(void)
{
    CASE("comments: a mark that is cut short is none, and nothing behind the comment is read");
    static const char *const CUT[] = {"[%twofold", "[%twofold 1,", "[%twofold 4,0af19c", "word [%twofold 1"};
    for (size_t i = 0; i < sizeof CUT / sizeof CUT[0]; i++) {
        Text comment = {0}, left = {0};
        text_add_bytes(&comment, CUT[i], strlen(CUT[i]));
        comment_strip(comment.ptr, 0, &left);
        CHECK_TEXT(left.ptr ? left.ptr : "", CUT[i]);
        CHECK_INT(comment_own_glyph(comment.ptr), -1);
        text_free(&comment);
        text_free(&left);
    }
    CASE("comments: whatever stands in one, nothing is added to it");
    static const char *const PIECES[] = {"[%twofold 4,0af19c]",
                                         "The only good move.",
                                         "[%twofold 1,",
                                         "]",
                                         "[%",
                                         "[%eval 0.35]",
                                         "[%clk",
                                         " ",
                                         "\n",
                                         "word",
                                         "Blunder: 5% of a win lost. Better was ",
                                         "1. e4.",
                                         "\xC3\xA9",
                                         ","};
    Rng rng = {7};
    int shorter_nb = 0;
    for (int i = 0; i < 2000; i++) {
        Text comment = {0}, left = {0};
        for (u32 nb = rng_below(&rng, 12), k = 0; k < nb; k++)
            text_add(&comment, "%s%s", PIECES[rng_below(&rng, sizeof PIECES / sizeof PIECES[0])],
                     rng_below(&rng, 2) ? " " : "");
        comment_strip(comment.ptr, (int)rng_below(&rng, 8), &left);
        const char *before = comment.ptr ? comment.ptr : "", *after = left.ptr ? left.ptr : "";
        CHECK_THAT(is_part_of(after, before), "'%s' became '%s'", before, after);
        shorter_nb += left.len < comment.len;
        text_free(&comment);
        text_free(&left);
    }
    CHECK(shorter_nb > 1000);
}

void test_comments(void)
{
    test_any_comment();
    test_own_words();
    test_moved_words();
    test_damaged_marks();
    test_programs_words();
}
