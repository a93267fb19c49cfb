// SPDX-License-Identifier: GPL-3.0-or-later
// Static exchange evaluation: the value of each listed capture, held from both sides (it wins v, and not v +
// 1).
#include "test.h"

#include "game.h"

// Takes the text up to the next ';' off the front of *rest.
static Span take_field(Span *rest)
{
    const char *end = memchr(rest->ptr, ';', rest->len);
    size_t len = end ? (size_t)(end - rest->ptr) : rest->len;
    Span field = {rest->ptr, len};
    rest->ptr += len + (end != NULL);
    rest->len -= len + (end != NULL);
    return span_trim(field);
}

static void check_line(Span line)
{
    CASE("see: %.*s", (int)line.len, line.ptr);
    Position pos, flipped;
    Rules rules = rules_default();
    Message message;
    Span fen = take_field(&line), text = take_field(&line);
    i64 value = 0;
    CHECK_THAT(pos_set(&pos, fen, &rules, &message) == SET_OK, "%s", message.text);
    CHECK(span_int(take_field(&line), -10000, 10000, &value));
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
    Text file = {0};
    Message message;
    CASE("see: the list");
    CHECK_THAT(text_read_file(&file, test_data("chess/see.txt"), 1 << 20, &message), "%s", message.text);
    Span rest = text_span(&file), line;
    while (span_line(&rest, &line))
        if (line.len && line.ptr[0] != '#')
            check_line(line);
    text_free(&file);
}
