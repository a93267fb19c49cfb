// SPDX-License-Identifier: GPL-3.0-or-later
// The leaves of the move tree, counted against known numbers: normal chess, Chess960 and double Chess960.
#include "helpers.h"

static bool ends_with(Span s, const char *end)
{
    size_t len = strlen(end);
    return s.len >= len && memcmp(s.ptr + s.len - len, end, len) == 0;
}

// One line: FEN ;D1 n ;D2 n .. ;id name ;variant chess960. A light run leaves out the depths with
// more leaves than it has time for.
static void check_line(Span line)
{
    const u64 limit = test_is_light() ? 50000 : UINT64_MAX;
    const char *fields = memchr(line.ptr, ';', line.len);
    if (!fields) {
        CHECK_THAT(false, "no counts: %.*s", (int)line.len, line.ptr);
        return;
    }
    Position pos;
    Rules rules = {.chess960 = ends_with(line, ";variant chess960")};
    Message message;
    Span fen = {line.ptr, (size_t)(fields - line.ptr)}, rest = {fields, line.len - fen.len};
    CASE("row 25: perft: %.*s", (int)fen.len, fen.ptr);
    SetResult result = pos_set(&pos, fen, &rules, &message);
    CHECK_THAT(result != SET_REJECTED, "%s", message.text);
    if (result == SET_REJECTED)
        return;
    int checked = 0;
    for (Span word = span_word(&rest); word.len; word = span_word(&rest)) {
        i64 depth, leaves;
        if (!span_starts(word, ";D") || !span_int((Span){word.ptr + 2, word.len - 2}, 1, 20, &depth))
            continue;
        CHECK(span_int(span_word(&rest), 0, INT64_MAX, &leaves));
        if ((u64)leaves > limit)
            continue;
        CHECK_INT(perft(&pos, (int)depth, true), leaves);
        if (leaves <= 50000) // the same without gen_count
            CHECK_INT(perft(&pos, (int)depth, false), leaves);
        CHECK(pos_is_ok(&pos));
        checked++;
    }
    CHECK_THAT(checked > 0, "no depth was counted");
}

void test_perft(void)
{
    CASE("row 25: perft: the list");
    CHECK(each_line("chess/perft.epd", check_line) > 50);
}
