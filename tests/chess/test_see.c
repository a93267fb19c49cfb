// SPDX-License-Identifier: GPL-3.0-or-later
// Static exchange evaluation: the value of each listed capture, held from both sides (it wins v, and not v +
// 1).
#include "helpers.h"

static void check_line(Span line)
{
    CASE("row 21: see: %.*s", (int)line.len, line.ptr);
    Position pos, flipped;
    Rules rules = rules_default();
    Message message;
    Span fen = take_field(&line, ';'), text = take_field(&line, ';');
    i64 value = 0;
    CHECK_THAT(pos_set(&pos, fen, &rules, &message) == SET_OK, "%s", message.text);
    CHECK(span_int(take_field(&line, ';'), -10000, 10000, &value));
    Move move = move_parse(&pos, text);
    CHECK_THAT(move != MOVE_NONE, "no such move");
    if (move == MOVE_NONE)
        return;
    CHECK(see_ge(&pos, move, (int)value));
    CHECK(!see_ge(&pos, move, (int)value + 1));
    // The same exchange with colours exchanged: squares are numbered so that ranks flip with bits 3 to 5 of
    // each.
    pos_flip(&pos, &flipped);
    Move other = (Move)(move ^ 56 ^ 56 << 6);
    CHECK(move_is_pseudo_legal(&flipped, other) && move_is_legal(&flipped, other));
    CHECK(see_ge(&flipped, other, (int)value) && !see_ge(&flipped, other, (int)value + 1));
}

void test_see(void)
{
    CASE("row 21: see: the list");
    CHECK(each_line("chess/see.txt", check_line) > 50);
}
