// SPDX-License-Identifier: GPL-3.0-or-later
// The board for people: as text for a terminal or a pipe, and as a picture (SVG) that needs nothing but
// itself. The kanji of the picture are strokes of our own, so it looks the same where no Japanese font is
// installed; without unicode, letters stand in for them. Hands are beside the board, squares of the last move
// and a king in check are marked.
#include "games/notation.h"
#include "record.h"

// The order in which a hand is shown: the biggest first.
static const u8 HAND_ORDER[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
enum { HAND_ORDER_NB = sizeof HAND_ORDER };

static bool is_real_move(Move move) { return move != MOVE_NONE && move != MOVE_NULL && move != MOVE_WIN; }

static bool is_last_square(BoardStyle style, int sq)
{
    return is_real_move(style.last) && (move_to(style.last) == sq || move_from(style.last) == sq);
}

static bool is_king_in_check(const Position *pos, int sq)
{
    return pos_in_check(pos) && pos->king[pos->side] == sq;
}

// The square in a row and column of the picture, counted from the top left.
static int square_shown(BoardStyle style, int row, int column)
{
    return style.flip ? square_make(column + 1, 9 - row) : square_make(9 - column, row + 1);
}

// ---- text ---------------------------------------------------------------------------------------
// Colours of the 256-colour palette that every terminal of today has.
enum {
    COLOUR_BOARD = 222,
    COLOUR_LAST = 215,
    COLOUR_CHECK = 210,
    COLOUR_BLACK_PIECE = 16,
    COLOUR_WHITE_PIECE = 19,
    COLOUR_PROMOTED = 160,
    COLOUR_EMPTY = 179,
};

enum { BOARD_COLUMNS = 2 + 9 * 4 + 2 }; // of a row: the margin, the squares, the letter of the rank

// Four columns: whose it is, the piece (a kanji is two columns wide) and the mark of the last move.
static void draw_cell(const Position *pos, BoardStyle style, int sq, Text *out)
{
    int piece = pos->board[sq], kind = piece_kind(piece), side = piece_side(piece);
    char mark = !style.colour && is_last_square(style, sq) ? '*' : ' ';
    if (style.colour) {
        int back = is_king_in_check(pos, sq)   ? COLOUR_CHECK
                   : is_last_square(style, sq) ? COLOUR_LAST
                                               : COLOUR_BOARD;
        int front = !piece          ? COLOUR_EMPTY
                    : kind > KING   ? COLOUR_PROMOTED
                    : side == BLACK ? COLOUR_BLACK_PIECE
                                    : COLOUR_WHITE_PIECE;
        text_add(out, "\x1b[48;5;%d;38;5;%d%sm", back, front, piece ? ";1" : ";22");
    }
    if (style.unicode) {
        // Those who play down the screen have their pieces upside down; a "v" says so.
        bool points_down = piece && (side == WHITE) != style.flip;
        text_add(out, "%s%s%c", points_down ? "v" : " ", piece ? PIECE_NAMES[kind].kanji : "・", mark);
    } else {
        int letter = KIND_LETTERS[kind_raw(kind)];
        text_add(out, " %c%c%c", kind > KING ? '+' : ' ',
                 !piece          ? '.'
                 : side == WHITE ? letter + 'a' - 'A'
                                 : letter,
                 mark);
    }
}

// In Japanese a hand is 先手 持駒：飛 角二 歩十一.
static void add_hand(const Position *pos, BoardStyle style, int side, Text *out)
{
    bool in_words = style.unicode && language() == LANGUAGE_JAPANESE;
    text_add(out, in_words ? "%s 持駒：" : "%s:", side_words(pos, side));
    for (int i = 0; i < HAND_ORDER_NB; i++) {
        int kind = HAND_ORDER[i], count = hand_count(pos->hand[side], kind);
        if (count == 0)
            continue;
        if (style.unicode)
            text_add(out, " %s", PIECE_NAMES[kind].kanji);
        else
            text_add(out, " %c", KIND_LETTERS[kind] + (side == WHITE ? 'a' - 'A' : 0));
        if (count > 1 && !in_words)
            text_add(out, "%d", count);
        else if (count > 1)
            text_add(out, "%s%s", count >= 10 ? "十" : "", count == 10 ? "" : KANJI_DIGITS[count % 10]);
    }
    text_add(out, "%s", pos->hand[side] ? "" : in_words ? " なし" : " -");
}

// The columns that the hand takes beside the board, as draw_hand writes it.
static int hand_columns(const Position *pos, BoardStyle style, int side)
{
    Text hand = {0};
    add_hand(pos, style, side, &hand);
    int columns = 4 + span_width(text_span(&hand));
    text_free(&hand);
    return columns;
}

static void draw_hand(const Position *pos, BoardStyle style, int side, Text *out)
{
    bool to_move = pos->side == side, is_bold = style.colour && to_move;
    Text hand = {0};
    add_hand(pos, style, side, &hand);
    text_add(out, "  %s%s%s%s", is_bold ? "\x1b[1m" : "", to_move ? "> " : "  ", hand.ptr ? hand.ptr : "",
             is_bold ? "\x1b[0m" : "");
    text_free(&hand);
}

// Hands stand beside the board, or above and below it where the screen is too narrow.
void board_draw(const Position *pos, BoardStyle style, Text *out)
{
    const int upper = style.flip ? BLACK : WHITE, lower = !upper;
    const int hand = max_int(hand_columns(pos, style, upper), hand_columns(pos, style, lower));
    const bool is_narrow = style.columns && style.columns < BOARD_COLUMNS + hand;
    if (is_narrow) {
        draw_hand(pos, style, upper, out);
        text_add(out, "\n");
    }
    text_add(out, "  ");
    bool in_words = style.unicode && language() == LANGUAGE_JAPANESE;
    for (int column = 0; column < 9; column++) {
        int file = style.flip ? column + 1 : 9 - column;
        if (in_words)
            text_add(out, " %s ", WIDE_DIGITS[file]);
        else
            text_add(out, "  %d ", file);
    }
    text_add(out, "\n");
    for (int row = 0; row < 9; row++) {
        text_add(out, "  ");
        for (int column = 0; column < 9; column++)
            draw_cell(pos, style, square_shown(style, row, column), out);
        int rank = style.flip ? 9 - row : row + 1;
        text_add(out, "%s ", style.colour ? "\x1b[0m" : "");
        if (in_words)
            text_add(out, "%s", KANJI_DIGITS[rank]);
        else
            text_add(out, "%c", 'a' + rank - 1);
        if (row == 0 && !is_narrow)
            draw_hand(pos, style, upper, out);
        if (row == 8 && !is_narrow)
            draw_hand(pos, style, lower, out);
        text_add(out, "\n");
    }
    if (is_narrow) {
        draw_hand(pos, style, lower, out);
        text_add(out, "\n");
    }
}

// ---- picture ------------------------------------------------------------------------------------
// Each sign as strokes in a square of 100 units, in the shape of a brush held plainly.
enum { GLYPH_WHITE_KING = KIND_NB, GLYPH_NB };
static const char *const GLYPHS[GLYPH_NB] = {
    [PAWN] = "M51 6V44M51 24H74M28 20V44M10 45H90M51 53V78Q51 86 42 82M33 58Q28 69 17 77M68 57Q78 63 86 "
             "74M78 70Q58 92 "
             "22 96",
    [LANCE] =
        "M70 6Q50 13 24 15M10 28H90M50 12V55M48 30Q34 47 11 55M52 30Q66 46 90 54M29 60V97M29 61H71V97M29 "
        "78H71M29 95H71",
    [KNIGHT] = "M5 30H43M24 7V96M23 32Q17 54 4 67M26 38Q34 46 41 55M53 24H93M73 8V45M47 46H98M53 69H93M73 "
               "54V92M45 93H98",
    [SILVER] = "M26 5Q18 22 3 32M26 5Q34 19 47 27M15 37H39M7 53H45M27 37V90M12 62L18 78M43 61L37 77M5 93H47"
               "M58 11H89V49M58 30H89M58 49H89M58 11V92L75 81M93 56Q86 63 77 67M67 50Q74 80 98 95",
    [BISHOP] =
        "M39 5Q31 20 14 31M35 15H63Q59 25 52 32M25 33V60Q24 82 11 97M25 33H81V87Q81 97 66 93M26 52H81M25 "
        "70H81M53 33V70",
    [ROOK] = "M14 10H60Q61 32 87 41L90 31M86 8Q79 16 70 19M72 22Q80 26 87 30M40 24Q28 31 11 34M5 53H52M26 "
             "31V56Q24 82 8 96"
             "M44 22V97M57 52H66Q67 84 93 92L96 80M89 50Q82 60 73 64M74 67Q82 71 90 77",
    [GOLD] = "M50 5Q36 29 5 44M50 5Q64 29 95 44M32 47H68M17 65H83M50 47V92M28 71L36 86M72 71L64 86M7 94H93",
    [KING] = "M16 13H84M21 49H79M50 13V91M7 92H93M64 62L78 77",
    [TOKIN] = "M33 9Q35 31 46 46M83 30Q21 49 21 73Q22 97 85 89",
    [PROMOTED_LANCE] = "M10 24H90M50 5V54M47 26Q33 45 8 55M53 26Q67 45 92 55M28 63V98M28 64H72V98M28 94H72",
    [PROMOTED_KNIGHT] = "M20 24H80M50 5V46M12 46H88M20 70H80M50 54V93M7 94H93",
    [PROMOTED_SILVER] = "M50 5Q36 29 5 44M50 5Q64 29 95 44M26 49H74M30 71H70M50 49V92M9 93H91",
    [HORSE] = "M24 9V58M24 9H83M24 26H78M24 42H78M51 9V58M24 59H85Q87 87 78 94Q75 97 65 93M13 70Q12 84 5 "
              "93M29 72L34 87"
              "M45 71L50 84M61 69L67 80",
    [DRAGON] = "M50 4V15M17 17H83M35 21L39 32M65 21L61 32M9 36H91M24 46H76V77H24ZM24 61H76M50 46V87Q50 96 60 "
               "96H83Q93 "
               "96 93 84",
    [GLYPH_WHITE_KING] = "M16 13H84M21 51H79M50 13V91M7 92H93",
};

// Measures of the picture: a hand, the board with its coordinates, a hand.
enum {
    CELL_WIDTH = 100,
    CELL_HEIGHT = 110,
    HAND_WIDTH = 170,
    BOARD_X = HAND_WIDTH + 20,
    BOARD_Y = 50,
    BOARD_WIDTH = 9 * CELL_WIDTH,
    BOARD_HEIGHT = 9 * CELL_HEIGHT,
    PICTURE_WIDTH = BOARD_X + BOARD_WIDTH + 50 + HAND_WIDTH,
    PICTURE_HEIGHT = BOARD_Y + BOARD_HEIGHT + 20,
};

// What a picture uses is named once; the names are the same in every board, so boards can share a page.
static void draw_svg_shapes(BoardStyle style, Text *out)
{
    text_add(
        out,
        "<defs>\n<path id='twofold-koma' d='M0-50L31-38L43 48H-43L-31-38Z' fill='#f6dfae' stroke='#6b4a1b' "
        "stroke-width='2.5' stroke-linejoin='round'/>\n");
    for (int glyph = PAWN; glyph < GLYPH_NB && style.unicode; glyph++)
        text_add(out,
                 "<path id='twofold-kanji%d' d='%s' transform='translate(-28-24)scale(.56.64)' fill='none' "
                 "stroke-width='8.5' "
                 "stroke-linecap='round' stroke-linejoin='round'/>\n",
                 glyph, GLYPHS[glyph]);
    text_add(out, "</defs>\n");
}

// A piece with its centre at (x, y). Kanji turn with their piece; letters stay upright, to be read.
static void draw_svg_piece(BoardStyle style, int side, int kind, int x, int y, Text *out)
{
    const char *ink = kind > KING ? "#b3201a" : "#1d1a16";
    const char *turn = (side == WHITE) != style.flip ? "rotate(180)" : "";
    int glyph = kind == KING && side == WHITE ? GLYPH_WHITE_KING : kind;
    text_add(out, "<g transform='translate(%d %d)%s'><use href='#twofold-koma'/>", x, y, turn);
    if (style.unicode)
        text_add(out, "<use href='#twofold-kanji%d' stroke='%s'/></g>\n", glyph, ink);
    else
        text_add(out, "</g><text x='%d' y='%d' fill='%s' font-size='%d' text-anchor='middle'>%s%c</text>\n",
                 x, y + 18, ink, kind > KING ? 40 : 46, kind > KING ? "+" : "", KIND_LETTERS[kind_raw(kind)]);
}

static void draw_svg_hand(const Position *pos, BoardStyle style, int side, Text *out)
{
    bool at_top = (side == WHITE) != style.flip;
    int x = at_top ? HAND_WIDTH / 2 - 10 : PICTURE_WIDTH - HAND_WIDTH / 2 + 5, kind_nb = 0;
    for (int i = 0; i < HAND_ORDER_NB; i++)
        kind_nb += hand_count(pos->hand[side], HAND_ORDER[i]) > 0;
    int y = at_top ? BOARD_Y + 30 : BOARD_Y + BOARD_HEIGHT - kind_nb * CELL_HEIGHT - 20;
    text_add(out, "<text x='%d' y='%d' text-anchor='middle' fill='#3b2f1e' font-size='30'>%s</text>\n", x, y,
             side_words(pos, side));
    if (pos->side == side)
        text_add(out, "<rect x='%d' y='%d' width='84' height='6' rx='3' fill='#c8541f'/>\n", x - 42, y + 12);
    y += 80;
    for (int i = 0; i < HAND_ORDER_NB; i++) {
        int count = hand_count(pos->hand[side], HAND_ORDER[i]);
        if (count == 0)
            continue;
        int shift = count > 1 ? 25 : 0;
        draw_svg_piece(style, side, HAND_ORDER[i], x - shift, y, out);
        if (count > 1)
            text_add(out, "<text x='%d' y='%d' fill='#3b2f1e' font-size='36'>%d</text>\n", x + 22, y + 14,
                     count);
        y += CELL_HEIGHT;
    }
}

static void draw_svg_grid(const Position *pos, BoardStyle style, Text *out)
{
    text_add(out, "<rect x='%d' y='%d' width='%d' height='%d' fill='#eac98a'/>\n", BOARD_X, BOARD_Y,
             BOARD_WIDTH, BOARD_HEIGHT);
    for (int i = 0; i < SQUARE_NB; i++) {
        int row = i / 9, column = i % 9, sq = square_shown(style, row, column);
        int x = BOARD_X + column * CELL_WIDTH, y = BOARD_Y + row * CELL_HEIGHT;
        const char *fill = is_king_in_check(pos, sq)   ? "#e8624f"
                           : is_last_square(style, sq) ? "#f3a83c"
                                                       : NULL;
        if (fill)
            text_add(out, "<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>\n", x, y, CELL_WIDTH,
                     CELL_HEIGHT, fill);
    }
    text_add(out, "<path d='");
    for (int i = 0; i <= 9; i++)
        text_add(out, "M%d %dh%dM%d %dv%d", BOARD_X, BOARD_Y + i * CELL_HEIGHT, BOARD_WIDTH,
                 BOARD_X + i * CELL_WIDTH, BOARD_Y, BOARD_HEIGHT);
    text_add(out,
             "' stroke='#5a3f1a' stroke-width='2'/>\n<rect x='%d' y='%d' width='%d' height='%d' fill='none' "
             "stroke='#5a3f1a' "
             "stroke-width='5'/>\n",
             BOARD_X, BOARD_Y, BOARD_WIDTH, BOARD_HEIGHT);
    for (int i = 0; i < 4; i++)
        text_add(out, "<circle cx='%d' cy='%d' r='6' fill='#5a3f1a'/>\n",
                 BOARD_X + CELL_WIDTH * (i % 2 ? 6 : 3), BOARD_Y + CELL_HEIGHT * (i / 2 ? 6 : 3));
    for (int i = 0; i < 9; i++) {
        text_add(out, "<text x='%d' y='%d' text-anchor='middle' fill='#3b2f1e'>%d</text>",
                 BOARD_X + i * CELL_WIDTH + 50, BOARD_Y - 14, style.flip ? i + 1 : 9 - i);
        const int rank = style.flip ? 9 - i : 1 + i;
        const char letter[] = {(char)('a' + rank - 1), '\0'};
        text_add(out, "<text x='%d' y='%d' fill='#3b2f1e'>%s</text>\n", BOARD_X + BOARD_WIDTH + 14,
                 BOARD_Y + i * CELL_HEIGHT + 66,
                 language() == LANGUAGE_JAPANESE ? KANJI_DIGITS[rank] : letter);
    }
}

void board_draw_svg(const Position *pos, BoardStyle style, int size, Text *out)
{
    char sfen[TEXT_MAX];
    pos_print(pos, sfen);
    text_add(out,
             "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' role='img' "
             "aria-label='Shogi board: %s' font-family='sans-serif' font-size='40' font-weight='600'>\n",
             PICTURE_WIDTH, PICTURE_HEIGHT, size, size * PICTURE_HEIGHT / PICTURE_WIDTH, sfen);
    draw_svg_shapes(style, out);
    text_add(out, "<rect width='%d' height='%d' rx='16' fill='#f4ead6'/>\n", PICTURE_WIDTH, PICTURE_HEIGHT);
    draw_svg_grid(pos, style, out);
    for (int i = 0; i < SQUARE_NB; i++) {
        int row = i / 9, column = i % 9, piece = pos->board[square_shown(style, row, column)];
        if (piece)
            draw_svg_piece(style, piece_side(piece), piece_kind(piece),
                           BOARD_X + column * CELL_WIDTH + CELL_WIDTH / 2,
                           BOARD_Y + row * CELL_HEIGHT + CELL_HEIGHT / 2, out);
    }
    draw_svg_hand(pos, style, WHITE, out);
    draw_svg_hand(pos, style, BLACK, out);
    text_add(out, "</svg>\n");
}
