// SPDX-License-Identifier: GPL-3.0-or-later
// The drawn board: where things stand, marks, flipping, no escapes in a pipe, well-formed pictures.
#include "games/notation.h"
#include "helpers.h"

static Position played(const char *fen, const char *move, BoardStyle *style)
{
    Position pos = position_of(fen);
    if (*move) {
        style->last = move_parse_human(&pos, span_of(move));
        CHECK(style->last != MOVE_NONE);
        play_move(&pos, style->last);
    }
    return pos;
}

static void check_drawing(const char *fen, const char *move, BoardStyle style, const char *expected)
{
    Position pos = played(fen, move, &style);
    Text out = {0};
    board_draw(&pos, style, &out);
    CHECK_TEXT(out.ptr, expected);
    text_free(&out);
}

static void test_text(void)
{
    CASE("the board in a pipe");
    check_drawing("r3k2r/8/8/8/8/8/4P3/R3K2R w KQkq - 0 1", "O-O", (BoardStyle){0},
                  " 8  r  .  .  .  k  .  .  r \n"
                  " 7  .  .  .  .  .  .  .  . \n"
                  " 6  .  .  .  .  .  .  .  . \n"
                  " 5  .  .  .  .  .  .  .  . \n"
                  " 4  .  .  .  .  .  .  .  . \n"
                  " 3  .  .  .  .  .  .  .  . \n"
                  " 2  .  .  .  .  P  .  .  . \n"
                  " 1  R  .  .  . (.) R (K) . \n"
                  "    a  b  c  d  e  f  g  h\n");
    check_drawing("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "", (BoardStyle){.flip = true, .unicode = true},
                  " 1  ·  ·  ·  ♔  ·  ·  ·  · \n"
                  " 2  ·  ·  ·  ♙  ·  ·  ·  · \n"
                  " 3  ·  ·  ·  ·  ·  ·  ·  · \n"
                  " 4  ·  ·  ·  ·  ·  ·  ·  · \n"
                  " 5  ·  ·  ·  ·  ·  ·  ·  · \n"
                  " 6  ·  ·  ·  ·  ·  ·  ·  · \n"
                  " 7  ·  ·  ·  ·  ·  ·  ·  · \n"
                  " 8  ·  ·  ·  ♚  ·  ·  ·  · \n"
                  "    h  g  f  e  d  c  b  a\n");

    CASE("the board in colour ends every line plain");
    BoardStyle style = {.colour = true, .unicode = true};
    Position pos = played("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", "Kd7", &style);
    Text out = {0};
    board_draw(&pos, style, &out);
    Span rest = text_span(&out), line;
    int lines = 0;
    while (span_line(&rest, &line)) {
        lines++;
        CHECK(lines == 9 || (line.len > 4 && memcmp(line.ptr + line.len - 4, "\x1b[0m", 4) == 0));
    }
    CHECK_INT(lines, 9);
    text_free(&out);
}

// Every element that is opened is closed; enough for a text without comments, CDATA and '<' in attributes.
static bool is_well_formed(const char *svg)
{
    char open[16][16];
    int depth = 0;
    for (const char *at = strchr(svg, '<'); at; at = strchr(at + 1, '<')) {
        const char *end = strchr(at, '>');
        if (!end)
            return false;
        bool closing = at[1] == '/', empty = end[-1] == '/';
        char name[16];
        int len = 0;
        for (const char *c = at + 1 + closing; len < 15 && *c != ' ' && *c != '>' && *c != '/'; c++)
            name[len++] = *c;
        name[len] = '\0';
        if (closing && (depth == 0 || strcmp(open[--depth], name) != 0))
            return false;
        if (!closing && !empty) {
            if (depth == 16)
                return false;
            strcpy(open[depth++], name);
        }
    }
    return depth == 0;
}

static void test_picture(void)
{
    CASE("the board as a picture");
    BoardStyle style = {0};
    Position pos =
        played("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "Qxf7", &style);
    Text out = {0};
    board_draw_svg(&pos, style, 360, &out);
    CHECK(span_starts(text_span(&out), "<svg xmlns='http://www.w3.org/2000/svg'"));
    CHECK(strstr(out.ptr, "width='360' height='360'") != NULL);
    CHECK(is_well_formed(out.ptr));
    CHECK_INT(count_of(out.ptr, "<use "), 31);
    CHECK_INT(count_of(out.ptr, "#twofold-P'"), 15);
    CHECK_INT(count_of(out.ptr, "<text "), 16);
    CHECK_INT(count_of(out.ptr, "font-size='30'"),
              1);                                     // legible where a page shows the board a third as large
    CHECK_INT(count_of(out.ptr, "opacity='.55'"), 2); // the last move
    CHECK_INT(count_of(out.ptr, "opacity='.75'"), 1); // check
    CHECK(strstr(out.ptr, "<use href='#twofold-Q' x='500' y='100'/>") != NULL);
    text_clear(&out);
    style.flip = true;
    board_draw_svg(&pos, style, 360, &out);
    CHECK(strstr(out.ptr, "<use href='#twofold-Q' x='200' y='600'/>") != NULL);
    CHECK(is_well_formed(out.ptr));
    text_free(&out);
}

void test_draw(void)
{
    test_text();
    test_picture();
}
