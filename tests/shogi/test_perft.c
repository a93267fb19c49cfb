// SPDX-License-Identifier: GPL-3.0-or-later
// The leaves of the move tree, counted against known numbers.
#include "helpers.h"

enum { WITHOUT_BULK_MAX = 50000 };

// One line: name | sfen | depth | leaves. Lines with more leaves than the run has time for are left out.
static void check_line(Span line)
{
    const i64 most = test_is_light() ? 3000 : 20000000;
    Span name = take_field(&line, '|'), sfen = take_field(&line, '|');
    i64 depth = 0, leaves = 0;
    bool is_read = span_int(take_field(&line, '|'), 1, 20, &depth) &&
                   span_int(take_field(&line, '|'), 0, INT64_MAX, &leaves);
    if (is_read && leaves > most)
        return;
    CASE("row 37: perft: %.*s", (int)name.len, name.ptr);
    char text[TEXT_MAX];
    CHECK_THAT(is_read && span_copy(sfen, text, sizeof text), "not a line of the list");
    Position pos = position_of(text);
    CHECK_INT(perft(&pos, (int)depth, true), leaves);
    if (leaves <= WITHOUT_BULK_MAX)
        CHECK_INT(perft(&pos, (int)depth, false), leaves);
    CHECK(pos_is_ok(&pos));
}

void test_perft(void)
{
    CASE("row 37: perft: the list");
    CHECK(each_line("shogi/perft.txt", check_line) > 80);
}
