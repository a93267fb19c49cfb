// SPDX-License-Identifier: GPL-3.0-or-later
// The line editor without a terminal: bytes as a keyboard sends them in, the line and the drawing of it out.
#include "console/edit.h"

#include <stdlib.h>

#include "helpers.h"

// Types on; the event of the last byte.
static EditEvent type(Editor *editor, const char *keys)
{
    EditEvent event = EDIT_GOES_ON;
    for (; *keys; keys++)
        event = edit_take(editor, (u8)*keys);
    return event;
}

// Types into a line that is empty, with what was typed before as its history.
static void check_line(const char *keys, const char *line, size_t cursor)
{
    Editor editor = {0};
    type(&editor, keys);
    CHECK_THAT(span_is((Span){editor.line, editor.len}, line), "'%.*s', not '%s'", (int)editor.len,
               editor.line, line);
    CHECK_INT(editor.cursor, cursor);
    edit_free(&editor);
}

static void test_keys(void)
{
    CASE("letters go where the cursor is");
    check_line("e4", "e4", 2);
    check_line("ad\x1b[Dbc", "abcd", 3);
    check_line("bc\001a", "abc", 1);
    check_line("bc\x1b[Ha\x1b[Fd", "abcd", 4);
    check_line("bc\x1bOHa\x1b[1~", "abc", 0);
    check_line("ab\x1b[D\x1b[D\x1b[D\x1b[C", "ab", 1);
    CASE("and are taken away");
    check_line("abc\x7f\x08", "a", 1);
    check_line("abc\001\x1b[3~", "bc", 0);
    check_line("\x7f\x1b[3~\x1b[D\x1b[C\013\025\027\031", "", 0);
    check_line("save my file\027\027", "save ", 5);
    check_line("save my file\x1b"
               "b\013",
               "save my ", 8);
    check_line("abc def\025", "", 0);
    check_line("abc def\027\001\031", "defabc ", 3);
    CASE("words are gone over");
    check_line("load my file\x1b[1;5D\x1b[1;5D\x1b[1;5C-", "load my- file", 8);
    CASE("a character is whole, however many bytes it has");
    check_line("７六歩", "７六歩", 9);
    check_line("７六歩\x7f", "７六", 6);
    check_line("７六歩\x1b[D\x1b[D\x1b[3~", "７歩", 3);
    check_line("\xE6\xAD"
               "e4",
               "e4", 2); // the rest of it did not come
    check_line("\x80\x80\xFF"
               "e4",
               "e4", 2);
    check_line("\xC2\x9B"
               "e4",
               "??e4", 4); // a control character in UTF-8
    CASE("keys that mean nothing here say nothing");
    check_line("a\x1b[15~\x1b[5;3~\x1b[Z\x1bOPb\x1bxc\x1e\x0f", "abc", 3);
    check_line("\x1b[999999999999999999999999~a", "a", 1); // longer than any key
    CASE("ends of the line");
    Editor editor = {0};
    CHECK_INT(type(&editor, "e4\r"), EDIT_DONE);
    CHECK_INT(type(&editor, "\n"), EDIT_DONE);
    CHECK_INT(type(&editor, "\t"), EDIT_TAB);
    CHECK_INT(type(&editor, "\f"), EDIT_CLEAR);
    CHECK_INT(type(&editor, "\004"), EDIT_GOES_ON); // something stands there
    edit_begin(&editor);
    CHECK_INT(type(&editor, "\004"), EDIT_CLOSED);
    edit_free(&editor);
    CASE("more than a line can have");
    for (int i = 0; i < 3 * EDIT_LINE_MAX; i++)
        edit_take(&editor, i % 3 ? 0x80 : 0xE6);
    CHECK(editor.len <= EDIT_LINE_MAX && editor.len > EDIT_LINE_MAX - 3 && editor.len % 3 == 0);
    edit_free(&editor);
}

static void check_shows(const Editor *editor, const char *line)
{
    CHECK_THAT(span_is((Span){editor->line, editor->len}, line), "'%.*s', not '%s'", (int)editor->len,
               editor->line, line);
}

static void test_history(void)
{
    Editor editor = {0};
    CASE("lines before come back, and the new one is kept meanwhile");
    for (const char *const *line = (const char *const[]){"e4", "d4", "d4", "", "c4", NULL}; *line; line++) {
        edit_begin(&editor);
        type(&editor, *line);
    }
    edit_begin(&editor);
    CHECK_INT(editor.history_nb, 3);
    type(&editor, "new\x1b[A");
    check_shows(&editor, "c4");
    type(&editor, "\x1b[A\x1bOA\x1b[A\x1b[A");
    check_shows(&editor, "e4");
    type(&editor, "\016");
    check_shows(&editor, "d4");
    type(&editor, "\x1b[B\x1b[B\x1b[B");
    check_shows(&editor, "new");
    type(&editor, "\020x");
    check_shows(&editor, "c4x");
    CASE("the oldest are forgotten");
    for (int i = 0; i < 3 * EDIT_HISTORY_MAX; i++) {
        char line[16];
        snprintf(line, sizeof line, "%d", i);
        edit_begin(&editor);
        type(&editor, line);
    }
    edit_begin(&editor);
    CHECK_INT(editor.history_nb, EDIT_HISTORY_MAX);
    CHECK_TEXT(editor.history[EDIT_HISTORY_MAX - 1], "599");
    edit_free(&editor);
}

static void check_drawn(const char *keys, const char *prompt, int columns, const char *drawn)
{
    Editor editor = {0};
    Text out = {0};
    type(&editor, keys);
    edit_draw(&editor, span_of(prompt), columns, &out);
    CHECK_TEXT(out.ptr, drawn);
    text_free(&out);
    edit_free(&editor);
}

static void test_drawing(void)
{
    CASE("the line behind the prompt, the cursor where it belongs");
    check_drawn("e4", "> ", 80, "\r> e4\x1b[K\r\x1b[4C");
    check_drawn("e4\001", "> ", 80, "\r> e4\x1b[K\r\x1b[2C");
    check_drawn("", "", 80, "\r\x1b[K\r");
    check_drawn("７六\x1b[D", "> ", 80, "\r> ７六\x1b[K\r\x1b[4C");
    CASE("a long line is shown around the cursor, a long prompt is cut");
    check_drawn("abcdefghijkl", "> ", 10, "\r> fghijkl\x1b[K\r\x1b[9C");
    check_drawn("abcdefghijkl\001", "> ", 10, "\r> abcdefg\x1b[K\r\x1b[2C");
    check_drawn("ab", "a very long prompt", 12, "\ra veab\x1b[K\r\x1b[6C");
    check_drawn("７六歩成", "> ", 10, "\r> 六歩成\x1b[K\r\x1b[8C");
    check_drawn("abc", "> ", 0, "\rc\x1b[K\r\x1b[1C");
}

// What a line becomes when its last word is completed; the words that are listed, with blanks between.
static void check_completed(const char *typed, const char *const *words, const char *line, const char *listed)
{
    Editor editor = {0};
    Span list = {"", 0};
    type(&editor, typed);
    Completion completion = {.typed = {editor.line, editor.len}};
    for (; *words; words++)
        complete_offer(&completion, *words);
    bool is_list = complete_apply(&completion, &editor, &list);
    check_shows(&editor, line);
    char shown[256] = "";
    if (is_list && span_copy(list, shown, sizeof shown))
        for (size_t i = 0; i + 1 < list.len; i++)
            shown[i] = shown[i] ? shown[i] : ' ';
    CHECK_TEXT(shown, listed);
    complete_free(&completion);
    edit_free(&editor);
}

static void test_completion(void)
{
    static const char *const MOVES[] = {"Nf3", "Nc3", "Nbd2",    "b3",      "b4",
                                        "Bb5", "new", "▲７六歩", "▲７八金", NULL};
    CASE("one word is completed, several as far as they are the same, then listed");
    check_completed("Nf", MOVES, "Nf3 ", "");
    check_completed("N", MOVES, "N", "Nf3 Nc3 Nbd2");
    check_completed("b", MOVES, "b", "b3 b4");
    check_completed("▲", MOVES, "▲７", "");
    check_completed("▲７", MOVES, "▲７", "▲７六歩 ▲７八金");
    check_completed("x", MOVES, "x", "");
    CASE("capitals are forgiven where nothing else is meant");
    check_completed("nf", MOVES, "Nf3 ", "");
    check_completed("nE", MOVES, "new ", "");
    check_completed("bb", MOVES, "Bb5 ", "");
    CASE("a whole word gets its blank");
    check_completed("b3", MOVES, "b3 ", "");
}

void test_edit(void)
{
    test_keys();
    test_history();
    test_drawing();
    test_completion();
}
