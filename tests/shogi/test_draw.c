// SPDX-License-Identifier: GPL-3.0-or-later
// The board as text and as a picture: what must be there is there, in every style, and a picture is
// well-formed.
#include "games/notation.h"
#include "helpers.h"

static Text text;

static void draw(const char *sfen, BoardStyle style, bool as_picture)
{
    const Position pos = position_of(sfen);
    text_clear(&text);
    if (as_picture)
        board_draw_svg(&pos, style, 600, &text);
    else
        board_draw(&pos, style, &text);
    CHECK(!text.failed && text.len > 0);
}

static const char SFEN[] = "l2g5/2s3g2/3k1p2p/P2pp2P1/1pP4s1/p1+B6/NP1P+nP+S1P/K1G3+R+p1/+L6NL b BGNLPrs3p 1";

static void test_letters(void)
{
    CASE("letters");
    draw(SFEN, (BoardStyle){0}, false);
    CHECK_TEXT(text.ptr, "    9   8   7   6   5   4   3   2   1 \n"
                         "    l   .   .   g   .   .   .   .   .  a    White: r s p3\n"
                         "    .   .   s   .   .   .   g   .   .  b\n"
                         "    .   .   .   k   .   p   .   .   p  c\n"
                         "    P   .   .   p   p   .   .   P   .  d\n"
                         "    .   p   P   .   .   .   .   s   .  e\n"
                         "    p   .  +B   .   .   .   .   .   .  f\n"
                         "    N   P   .   P  +n   P  +S   .   P  g\n"
                         "    K   .   G   .   .   .  +R  +p   .  h\n"
                         "   +L   .   .   .   .   .   .   N   L  i  > Black: B G N L P\n");
    CASE("on a narrow screen the hands are above and below, and nothing is wider than it");
    draw(SFEN, (BoardStyle){.columns = 40}, false);
    CHECK(strstr(text.ptr, "    White: r s p3\n    9   8   7") == text.ptr);
    CHECK(strstr(text.ptr, " .  i\n") == NULL && strstr(text.ptr, " L  i\n  > Black: B G N L P\n") != NULL);
    for (int columns = 40; columns <= 60; columns++) {
        draw(SFEN, (BoardStyle){.columns = columns}, false);
        Span rest = text_span(&text), line;
        while (span_line(&rest, &line))
            CHECK((int)line.len <= columns);
        CHECK((strstr(text.ptr, "  i  > Black") != NULL) ==
              (columns >= 60)); // 40 of the board, 20 of the hand
    }
    CASE("turned round, with the last move");
    draw(SFEN, (BoardStyle){.flip = true, .last = move_make(0 * 9 + 8, 0 * 9 + 6)}, false); // 1i1g
    CHECK(strstr(text.ptr, "    1   2   3   4   5   6   7   8   9 \n"
                           "    L*  N   .   .   .   .   .   .  +L  i  > Black: B G N L P\n"
                           "    .  +p  +R   .   .   .   G   .   K  h\n"
                           "    P*  .  +S   P  +n   P   .   P   N  g\n") == text.ptr);
    draw(SFEN, (BoardStyle){.last = move_make_drop(PAWN, 0)}, false);
    CHECK(strstr(text.ptr, " .* a ") != NULL);
    draw(SFEN, (BoardStyle){.last = MOVE_NULL}, false);
    CHECK(strchr(text.ptr, '*') == NULL);
}

static void test_kanji(void)
{
    CASE("kanji");
    draw(SFEN, (BoardStyle){.unicode = true}, false);
    CHECK(strstr(text.ptr, "  v香  ・  ・ v金  ・  ・  ・  ・  ・  a    White: 飛 銀 歩3\n") != NULL);
    CHECK(strstr(text.ptr, "   桂  歩  ・  歩 v圭  歩  全  ・  歩  g\n") != NULL);
    draw(SFEN, (BoardStyle){.unicode = true, .flip = true}, false);
    CHECK(strstr(text.ptr, "  v香 v桂  ・  ・  ・  ・  ・  ・ v杏  i  > Black: 角 金 桂 香 歩\n") != NULL);
    CASE("colour only where it is asked for; a hand of nothing; no king");
    CHECK(strchr(text.ptr, '\x1b') == NULL);
    draw("4k4/9/9/9/9/9/9/9/9 b 2P 1", (BoardStyle){.colour = true, .unicode = true}, false);
    CHECK(strchr(text.ptr, '\x1b') != NULL);
    CHECK(strstr(text.ptr, "White: -") != NULL);
    // Every line that sets a colour takes it back.
    Span rest = text_span(&text), line;
    while (span_line(&rest, &line)) {
        const char *last = NULL;
        for (size_t i = 0; i + 4 <= line.len; i++)
            if (line.ptr[i] == '\x1b')
                last = line.ptr + i;
        CHECK(!last || memcmp(last, "\x1b[0m", 4) == 0);
    }
}

// Tags open and close in order, attributes are quoted, and every reference has its target.
static bool is_well_formed(const char *svg)
{
    int depth = 0;
    for (const char *at = svg; *at; at++) {
        if (*at != '<')
            continue;
        const char *end = strchr(at, '>');
        if (!end)
            return false;
        int quotes = 0;
        for (const char *c = at; c < end; c++)
            quotes += *c == '\'';
        if (quotes % 2)
            return false;
        depth += at[1] == '/' ? -1 : end[-1] == '/' ? 0 : 1;
        if (depth < 0)
            return false;
        char id[64];
        const char *href = strstr(at, "href='#");
        if (href && href < end) {
            snprintf(id, sizeof id, "id='%.*s'", (int)strcspn(href + 7, "'"), href + 7);
            if (!strstr(svg, id))
                return false;
        }
    }
    return depth == 0;
}

static int drawn(const char *what) { return count_of(text.ptr, what); }

static void test_picture(void)
{
    for (int bits = 0; bits < 4; bits++) {
        CASE("picture, style %d", bits);
        draw(SFEN, (BoardStyle){.unicode = bits & 1, .flip = bits & 2}, true);
        CHECK(is_well_formed(text.ptr));
        CHECK(span_starts(text_span(&text), "<svg "));
        CHECK(strstr(text.ptr, " width='600'") != NULL);
        CHECK(strstr(text.ptr, SFEN) != NULL);
        CHECK_INT(drawn("font-size='40' font-weight"),
                  1); // legible where a page shows the board a third as large
        CHECK_INT(drawn("href='#twofold-koma'"), 30 + 5 + 3); // on the board, and each kind in a hand once
        CHECK(bits & 1 ? drawn("href='#twofold-kanji") == 38 : drawn("kanji") == 0);
    }
    CASE("picture: last move and check");
    draw(SFEN, (BoardStyle){.unicode = true}, true);
    int plain = drawn("<rect");
    draw(SFEN, (BoardStyle){.unicode = true, .last = move_make(0 * 9 + 8, 0 * 9 + 6)}, true);
    CHECK_INT(drawn("<rect"), plain + 2);
    draw("4k4/9/9/9/4R4/9/9/9/4K4 w - 1", (BoardStyle){0}, true);
    CHECK_INT(drawn("#e8624f"), 1);
}

void test_draw(void)
{
    test_letters();
    test_kanji();
    test_picture();
    text_free(&text);
}
