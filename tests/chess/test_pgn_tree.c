// SPDX-License-Identifier: GPL-3.0-or-later
// Variations of PGN: read, written and read again as the same tree; and what no variation may do to the game
// it stands in.
#include <stdlib.h>

#include "record_helpers.h"

// Reads the text and writes it again: the moves, as they are written, in one line.
static const char *written(const char *text)
{
    static Text out;
    text_clear(&out);
    CHECK(open_text(text, 1));
    record_write(&opened.record, "pgn", &out);
    const char *moves = out.ptr ? strstr(out.ptr, "\n\n") : NULL;
    CHECK(moves != NULL);
    if (!moves)
        return "";
    for (char *c = out.ptr; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    out.ptr[out.len - 2] = '\0';
    return moves + 2;
}

// What is written is what was read, and stays so when it is read again.
static void check_kept(const char *text) { CHECK_TEXT(written(text), text); }

static void test_kept(void)
{
    CASE("variations, their comments, marks, clocks and endings are written as they were read");
    check_kept("1. e4 (1. d4) 1... e5 *");
    check_kept("1. e4 (1. d4 d5 (1... Nf6 2. c4 (2. Nf3)) 2. c4) (1. c4) 1... e5 2. Nf3 1-0");
    check_kept("{a} 1. e4 $1 $14 {b} ({c} 1. d4 {d [%clk 0:01:02]} 1... d5 $2) 1... e5 *");
    check_kept("1. e4 (1. d4 d5 1-0) 1... e5 1/2-1/2");
    check_kept("1. e4 (1. d4 -- 2. c4 --) 1... e5 *");
    check_kept("1. e4 $1 $2 $7 $10 $32 *");

    CASE("comments around a variation are the move's before it");
    CHECK_TEXT(written("1. e4 {a} (1. d4) {b} 1... e5 *"), "1. e4 {a b} (1. d4) 1... e5 *");
    CHECK_TEXT(written("1. e4 ( 1. d4 ! ) ! e5 *"), "1. e4 $1 (1. d4 $1) 1... e5 *");
}

static void test_tree(void)
{
    CASE("the tree has parents, places and depths");
    CHECK(open_text("1. e4 (1. d4 d5 (1... Nf6)) (1. c4) e5 *", 1));
    const Record *record = &opened.record;
    CHECK_INT(record->move_nb, 2);
    CHECK_INT(record->line_nb, 3);
    CHECK_INT(record->line[0].parent, RECORD_MAIN);
    CHECK_INT(record->line[1].parent, 0);
    CHECK_INT(record->line[1].ply, 1);
    CHECK_INT(record->line[1].depth, 2);
    CHECK_INT(record_first_line(record, RECORD_MAIN, 0), 0);
    CHECK_INT(record->line[0].next - 1, 2);
    CHECK_INT(record_first_line(record, RECORD_MAIN, 1), -1);
    Position pos = record_line_position(record, 1, 1), same = position_of(GAME_START);
    play_move(&same, move_of(&same, "d2d4"));
    play_move(&same, move_of(&same, "g8f6"));
    CHECK_TEXT(text_of(&pos), text_of(&same));

    CASE("a copy is the same, and lines are taken out with what leaves them");
    Record copy = {0};
    Text out = {0};
    CHECK(record_copy(&copy, record));
    CHECK(record_remove_lines(&copy, (const bool[]){true, false, false}));
    CHECK_INT(copy.line_nb, 1);
    record_write(&copy, "pgn", &out);
    check_has(out.ptr, "\n\n1. e4 (1. c4) 1... e5 *\n");
    record_free(&copy);
    text_free(&out);
}

static void test_bad(void)
{
    CASE("what cannot be read of a variation is kept as a comment, and the game goes on");
    CHECK_TEXT(written("1. e4 (1. d4 Qh9 2. c4 {x}) e5 *"), "1. e4 (1. d4 {Qh9 2. c4 (x)}) 1... e5 *");
    CHECK_INT(opened.warning_nb, 1);
    check_has(opened.warning[0].text, "of a variation, 'Qh9 2. c4 {x}' is not legal there");
    CHECK_TEXT(written("(1. d4) 1. e4 e5 *"), "{(1. d4)} 1. e4 e5 *");
    CHECK_TEXT(written("1. e4 ) e5 ()) *"), "1. e4 e5 *");

    CASE("a variation that is not closed is the error it was, and swallows no game behind it");
    CHECK(open_text("[Event \"a\"]\n\n1. e4 (1. d4 d5\n\n[Event \"b\"]\n\n1. c4 *", 1));
    CHECK_INT(opened.game_nb, 2);
    check_has(opened.warning[0].text, "move 1 (Black): the variation before it is not closed");

    CASE("variations nested a thousand deep are read in time, the deepest as a comment");
    Text deep = {0};
    for (int i = 0; i < 1000; i++)
        text_add(&deep, "1. e4 (");
    for (int i = 0; i < 1000; i++)
        text_add(&deep, ") ");
    text_add(&deep, "*");
    CHECK(open_text(deep.ptr, 1));
    CHECK_INT(opened.record.line_nb, RECORD_DEPTH_MAX);
    check_has(opened.warning[0].text, "is nested too deep");
    text_free(&deep);

    CASE("fifty thousand variations in one place take no longer than they must");
    for (int i = 0; i < 50000; i++)
        text_add(&deep, i ? "(1. d4)" : "1. e4 ");
    CHECK(open_text(deep.ptr, 1));
    CHECK_INT(opened.record.line_nb, 49999);
    text_free(&deep);
    record_close(&opened);
}

void test_pgn_tree(void)
{
    test_kept();
    test_tree();
    test_bad();
}
