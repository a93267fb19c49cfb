// SPDX-License-Identifier: GPL-3.0-or-later
// The board for people: as text for a terminal or a pipe, and as a picture (SVG) that needs nothing but
// itself. The pieces of the picture are our own outlines, so it looks the same everywhere. Squares of the
// last move and a king in check are marked. Without colour the text has no escape sequences.
#include "bitboard.h"
#include "games/notation.h"
#include "notation.h"

// The squares that the last move left and reached; castling is stored as king takes rook, but people see the
// king arrive.
static u64 last_move_squares(const Position *pos, Move last)
{
    if (last == MOVE_NONE || last == MOVE_NULL || last == MOVE_WIN)
        return 0;
    int from = move_from(last), to = move_to(last);
    if (move_type(last) == MOVE_CASTLING)
        to = castle_king_to(!pos->side, to < from);
    return sq_bit(from) | sq_bit(to);
}

// ---- text ---------------------------------------------------------------------------------------
// Colours of the 256-colour palette that every terminal of today has.
enum {
    COLOUR_LIGHT = 67, // neither square so light that White fades, nor so dark that Black does
    COLOUR_DARK = 60,
    COLOUR_LIGHT_LAST = 179,
    COLOUR_DARK_LAST = 136,
    COLOUR_CHECK = 167,
    COLOUR_WHITE_PIECE = 231,
    COLOUR_BLACK_PIECE = 16,
};

// Without colour the two sides differ by outline and solid glyphs; with colour the solid ones serve both.
static const char *piece_text(int piece, BoardStyle style, char letter[2])
{
    static const char *const OUTLINE[KIND_NB] = {" ", "♙", "♘", "♗", "♖", "♕", "♔"};
    static const char *const SOLID[KIND_NB] = {" ", "♟", "♞", "♝", "♜", "♛", "♚"};
    if (piece == 0)
        return style.colour ? " " : style.unicode ? "·" : ".";
    if (style.unicode)
        return style.colour || piece_side(piece) == BLACK ? SOLID[piece_kind(piece)]
                                                          : OUTLINE[piece_kind(piece)];
    letter[0] = PIECE_LETTERS[piece];
    letter[1] = '\0';
    return letter;
}

static void draw_square(const Position *pos, BoardStyle style, int sq, bool is_last, Text *out)
{
    char letter[2];
    int piece = pos->board[sq];
    const char *text = piece_text(piece, style, letter);
    if (!style.colour) {
        text_add(out, is_last ? "(%s)" : " %s ", text);
        return;
    }
    bool is_dark = DARK_SQUARES & sq_bit(sq);
    bool in_check = piece == piece_make(pos->side, KING) && pos_in_check(pos);
    int back = in_check  ? COLOUR_CHECK
               : is_last ? (is_dark ? COLOUR_DARK_LAST : COLOUR_LIGHT_LAST)
                         : (is_dark ? COLOUR_DARK : COLOUR_LIGHT);
    int front = piece_side(piece) == WHITE ? COLOUR_WHITE_PIECE : COLOUR_BLACK_PIECE;
    text_add(out, "\x1b[48;5;%d;38;5;%d;1m %s ", back, front, text);
}

void board_draw(const Position *pos, BoardStyle style, Text *out)
{
    u64 last = last_move_squares(pos, style.last);
    for (int row = 0; row < 8; row++) {
        int rank = style.flip ? row : 7 - row;
        text_add(out, " %d ", rank + 1);
        for (int column = 0; column < 8; column++) {
            int sq = sq_make(style.flip ? 7 - column : column, rank);
            draw_square(pos, style, sq, last & sq_bit(sq), out);
        }
        text_add(out, "%s\n", style.colour ? "\x1b[0m" : "");
    }
    text_add(out, "   ");
    for (int column = 0; column < 8; column++)
        text_add(out, " %c%s", 'a' + (style.flip ? 7 - column : column), column < 7 ? " " : "\n");
}

// ---- picture ------------------------------------------------------------------------------------
// Outlines in a square of 100 units. Fill and stroke come from the use of a shape; `color` is for lines
// inside it.
static const char *const SHAPES[KIND_NB] = {
    [PAWN] =
        "<path d='M50 22a13 13 0 0 0-8 23c-6 2-9 6-9 11h10c-1 10-6 16-12 20-4 3-5 6-5 9v3h48v-3c0-3-1-6-5-9"
        "-6-4-11-10-12-20h10c0-5-3-9-9-11a13 13 0 0 0-8-23z'/>",
    [KNIGHT] = "<path d='M31 88c-1-15 7-22 16-32-6 4-11 5-15 5-3 4-6 7-10 6-4-2-6-6-5-10 2-5 6-9 8-14 2-7 "
               "4-11 9-15l-2-13"
               " 12 8c20 0 33 16 33 42 0 9-1 16 1 23z'/>"
               "<path d='M48 27c15 1 22 13 23 32' fill='none' stroke='currentColor'/>"
               "<circle cx='37' cy='40' r='2.6' fill='currentColor' stroke='none'/>"
               "<circle cx='23' cy='57' r='1.8' fill='currentColor' stroke='none'/>",
    [BISHOP] =
        "<circle cx='50' cy='16' r='5'/>"
        "<path d='M50 22c-11 7-18 17-18 27 0 6 3 11 7 14l-3 10c-2 4-7 6-12 8v7h52v-7c-5-2-10-4-12-8l-3-10"
        "c4-3 7-8 7-14 0-10-7-20-18-27z'/>"
        "<path d='M50 35v16M42 43h16M39 63h22M36 73h28' fill='none' stroke='currentColor'/>",
    [ROOK] = "<path d='M26 18h11v8h7v-8h12v8h7v-8h11v19l-8 8v24l9 9v10H25V78l9-9V45l-8-8z'/>"
             "<path d='M26 37h48M34 45h32M34 69h32M25 78h50' fill='none' stroke='currentColor'/>",
    [QUEEN] =
        "<path d='M25 70L15 35l17 17 2-29 16 25 16-25 2 29 17-17-10 35c-1 5 2 8 2 12v6H23v-6c0-4 3-7 2-12z'/>"
        "<circle cx='15' cy='31' r='5'/><circle cx='34' cy='20' r='5'/><circle cx='66' cy='20' r='5'/>"
        "<circle cx='85' cy='31' r='5'/>"
        "<path d='M25 70c16-5 34-5 50 0M24 81c17-5 35-5 52 0' fill='none' stroke='currentColor'/>",
    [KING] =
        "<path d='M46 8h8v7h7v8h-7v10h-8V23h-7v-8h7z'/>"
        "<path d='M50 44c-4-15-34-17-36 3-1 11 9 16 12 26 1 4-2 6-2 9v6h52v-6c0-3-3-5-2-9 3-10 13-15 12-26"
        "-2-20-32-18-36-3z'/>"
        "<path d='M50 44v25M26 73c16-5 32-5 48 0M25 81c16-5 34-5 50 0' fill='none' stroke='currentColor'/>",
};

static void draw_svg_square(const Position *pos, int sq, int x, int y, bool is_last, Text *out)
{
    bool is_dark = DARK_SQUARES & sq_bit(sq);
    if (is_dark)
        text_add(out, "<rect x='%d' y='%d' width='100' height='100' fill='#8ca3b5'/>\n", x, y);
    if (is_last)
        text_add(out, "<rect x='%d' y='%d' width='100' height='100' fill='#f2c33c' opacity='.55'/>\n", x, y);
    if (pos->board[sq] == piece_make(pos->side, KING) && pos_in_check(pos))
        text_add(out, "<circle cx='%d' cy='%d' r='47' fill='#e0443e' opacity='.75'/>\n", x + 50, y + 50);
    if (x == 0)
        text_add(out, "<text x='3' y='%d' fill='#2f4354'>%d</text>\n", y + 25, sq_rank(sq) + 1);
    if (y == 700)
        text_add(out, "<text x='%d' y='793' fill='#2f4354' text-anchor='end'>%c</text>\n", x + 97,
                 'a' + sq_file(sq));
}

// The shapes are named once and used by reference; the names are the same in every board, so boards can share
// a page.
static void draw_svg_shapes(const Position *pos, Text *out)
{
    text_add(out, "<defs>\n");
    for (int kind = PAWN; kind <= KING; kind++)
        if (pos->by_kind[kind])
            text_add(out, "<g id='twofold-%c'>%s</g>\n", PIECE_LETTERS[kind], SHAPES[kind]);
    text_add(out, "</defs>\n");
}

void board_draw_svg(const Position *pos, BoardStyle style, int size, Text *out)
{
    static const char *const INK[SIDE_NB] = {"fill='#fbfaf6' stroke='#22262b' color='#22262b'",
                                             "fill='#33383f' stroke='#14171a' color='#d9d6cc'"};
    u64 last = last_move_squares(pos, style.last);
    char fen[TEXT_MAX];
    pos_print(pos, fen);
    text_add(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 800 800' width='%d' height='%d' role='img' "
        "aria-label='Chess board: %s' font-family='sans-serif' font-size='30' font-weight='600'>\n",
        size, size, fen);
    draw_svg_shapes(pos, out);
    text_add(out, "<rect width='800' height='800' fill='#eceae2'/>\n");
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        int column = style.flip ? 7 - sq_file(sq) : sq_file(sq),
            row = style.flip ? sq_rank(sq) : 7 - sq_rank(sq);
        draw_svg_square(pos, sq, 100 * column, 100 * row, last & sq_bit(sq), out);
    }
    for (int side = WHITE; side <= BLACK; side++) {
        text_add(out, "<g %s stroke-width='3' stroke-linejoin='round' stroke-linecap='round'>\n", INK[side]);
        u64 pieces = pos->by_side[side];
        while (pieces) {
            int sq = bits_pop(&pieces);
            int column = style.flip ? 7 - sq_file(sq) : sq_file(sq),
                row = style.flip ? sq_rank(sq) : 7 - sq_rank(sq);
            text_add(out, "<use href='#twofold-%c' x='%d' y='%d'/>\n",
                     PIECE_LETTERS[piece_kind(pos->board[sq])], 100 * column, 100 * row);
        }
        text_add(out, "</g>\n");
    }
    text_add(out, "</svg>\n");
}

// ---- sides --------------------------------------------------------------------------------------
const char *side_words_in(const Position *pos, int side, Language in)
{
    static const char *const NAMES[LANGUAGE_NB][SIDE_NB] = {SIDE_NAMES, {"白", "黒"}};
    (void)pos;
    return NAMES[in][side];
}

const char *side_words(const Position *pos, int side) { return side_words_in(pos, side, language()); }

bool side_named(Span name, int *side)
{
    static const char *const NAMES[][SIDE_NB] = {SIDE_NAMES, {"first", "second"}, {"w", "b"}, {"白", "黒"}};
    for (size_t i = 0; i < 2 * sizeof NAMES / sizeof NAMES[0]; i++)
        if (span_is_nocase(name, NAMES[i / 2][i % 2])) {
            *side = (int)(i % 2);
            return true;
        }
    return false;
}
