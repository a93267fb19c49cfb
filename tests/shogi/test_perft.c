// SPDX-License-Identifier: GPL-3.0-or-later
// The leaves of the move tree, counted against known numbers.
#include "test.h"

#include "game.h"

enum { WITHOUT_BULK_MAX = 50000 };

// Takes the field before the next bar (or the end) off the front.
static Span take_field(Span *line)
{
    const char *bar = memchr(line->ptr, '|', line->len);
    size_t len = bar ? (size_t)(bar - line->ptr) : line->len;
    Span field = {line->ptr, len};
    line->ptr += len + (bar != NULL);
    line->len -= len + (bar != NULL);
    return span_trim(field);
}

// One line: name | sfen | depth | leaves.
static void check_line(Span line, i64 limit)
{
    Span name = take_field(&line), sfen = take_field(&line);
    i64 depth, leaves;
    CASE("perft: %.*s", (int)name.len, name.ptr);
    bool read =
        span_int(take_field(&line), 1, 20, &depth) && span_int(take_field(&line), 0, INT64_MAX, &leaves);
    CHECK_THAT(read, "not a line of the list");
    if (!read || leaves > limit)
        return;
    Position pos;
    Rules rules = rules_default();
    Message message;
    SetResult result = pos_set(&pos, sfen, &rules, &message);
    CHECK_THAT(result == SET_OK, "%s", message.text);
    if (result != SET_OK)
        return;
    CHECK_INT(perft(&pos, (int)depth, true), leaves);
    if (leaves <= WITHOUT_BULK_MAX)
        CHECK_INT(perft(&pos, (int)depth, false), leaves);
    CHECK(pos_is_ok(&pos));
}

void test_perft(void)
{
    Text file = {0};
    Message message;
    CASE("perft: the list");
    CHECK_THAT(text_read_file(&file, test_data("shogi/perft.txt"), 1 << 20, &message), "%s", message.text);
    Span rest = text_span(&file), line;
    while (span_line(&rest, &line))
        if (line.len && line.ptr[0] != '#')
            check_line(line, test_is_light() ? 3000 : 20000000);
    text_free(&file);
}
