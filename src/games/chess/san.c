// SPDX-License-Identifier: GPL-3.0-or-later
// Standard algebraic notation, both ways. Writing is strict: the shortest disambiguation, then + or #.
// Reading is kind: marks, captures and checks may be wrong or missing, castling may be spelled with zeros,
// pieces in lower case or as figurines, promotions without '='; long notation and the protocol's text are
// understood as well. What is read is a description; it stands for a move only if exactly one legal move
// answers it.
#include <ctype.h>

#include "bitboard.h"
#include "games/notation.h"
#include "notation.h"

// ---- writing ------------------------------------------------------------------------------------
// The file, the rank or both, as far as they are needed to tell this move from others of the same kind to the
// same square.
static char *print_origin(const Position *pos, Move move, char *out)
{
    int from = move_from(move), piece = pos->board[from];
    bool others = false, same_file = false, same_rank = false;
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    for (Move *m = list; m < end; m++) {
        int other = move_from(*m);
        if (other == from || move_to(*m) != move_to(move) || pos->board[other] != piece)
            continue;
        others = true;
        same_file |= (other & 7) == (from & 7);
        same_rank |= other >> 3 == from >> 3;
    }
    if (others && (!same_file || same_rank))
        *out++ = (char)('a' + (from & 7));
    if (others && same_file)
        *out++ = (char)('1' + (from >> 3));
    return out;
}

static char *print_check(const Position *pos, Move move, char *out)
{
    Position after = *pos;
    Undo undo;
    pos_make(&after, move, &undo, NULL);
    if (pos_in_check(&after))
        *out++ = gen_count(&after) ? '+' : '#';
    return out;
}

void move_print_human(const Position *pos, Move move, char *out)
{
    if (move == MOVE_NONE || move == MOVE_WIN) {
        move_print(pos, move, out);
        return;
    }
    if (move == MOVE_NULL) {
        strcpy(out, "--");
        return;
    }
    int from = move_from(move), to = move_to(move), kind = piece_kind(pos->board[from]);
    if (move_type(move) == MOVE_CASTLING) {
        strcpy(out, to > from ? "O-O" : "O-O-O");
        out += strlen(out);
    } else {
        bool capture = pos->board[to] || move_type(move) == MOVE_EN_PASSANT;
        if (kind != PAWN) {
            *out++ = PIECE_LETTERS[kind];
            if (kind != KING)
                out = print_origin(pos, move, out);
        } else if (capture) {
            *out++ = (char)('a' + (from & 7));
        }
        if (capture)
            *out++ = 'x';
        out = square_print(to, out);
        if (move_is_promotion(move)) {
            *out++ = '=';
            *out++ = PIECE_LETTERS[move_promotion_kind(move)];
        }
    }
    *print_check(pos, move, out) = '\0';
}

// There is no notation of chess that is Japanese.
void move_print_words(const Position *pos, Move last, Move move, Language in, char *out)
{
    (void)last;
    (void)in;
    move_print_human(pos, move, out);
}

// ---- reading ------------------------------------------------------------------------------------
// What the text says about the move; -1 and NO_KIND stand for what it leaves open.
typedef struct Description {
    int kind, from_file, from_rank, to, promotion;
} Description;

static int kind_from_letter(char letter)
{
    return piece_kind(piece_from_letter((char)toupper((unsigned char)letter)));
}

// The figurines are U+2654 .. U+265F, king to pawn in white and again in black.
static int kind_from_figurine(Span text)
{
    static const u8 KINDS[6] = {KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN};
    const u8 *byte = (const u8 *)text.ptr;
    if (text.len < 3 || byte[0] != 0xE2 || byte[1] != 0x99 || byte[2] < 0x94 || byte[2] > 0x9F)
        return NO_KIND;
    return KINDS[(byte[2] - 0x94) % 6];
}

static Span drop_front(Span text, size_t len) { return (Span){text.ptr + len, text.len - len}; }

// Off with the move number in front and the marks behind: check, mate, opinion, "e.p.".
static Span bare_text(Span text)
{
    text = span_trim(text);
    size_t digits = 0;
    while (digits < text.len && isdigit((unsigned char)text.ptr[digits]))
        digits++;
    if (digits && digits < text.len && text.ptr[digits] == '.') {
        text = drop_front(text, digits);
        while (text.len && (*text.ptr == '.' || *text.ptr == ' '))
            text = drop_front(text, 1);
    }
    for (;;) {
        size_t before = text.len;
        while (text.len && strchr("+#!? ", text.ptr[text.len - 1]))
            text.len--;
        if (text.len > 4 && memcmp(text.ptr + text.len - 4, "e.p.", 4) == 0)
            text.len -= 4;
        else if (text.len > 4 && memcmp(text.ptr + text.len - 2, "ep", 2) == 0)
            text.len -= 2;
        if (text.len == before)
            return text;
    }
}

// 1 for short castling, 2 for long, 0 for anything else.
static int castling_words(Span text)
{
    int rings = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (strchr("Oo0", text.ptr[i]) && text.ptr[i])
            rings++;
        else if (text.ptr[i] != '-' || i == 0 || i + 1 == text.len || text.ptr[i - 1] == '-')
            return 0;
    }
    return rings == 2 || rings == 3 ? rings - 1 : 0;
}

// Takes a promotion off the end: =Q, Q, (Q), /Q after the square, in either case.
static Span take_promotion(Span text, Description *what)
{
    size_t len = text.len;
    if (len >= 3 && text.ptr[len - 1] == ')' && text.ptr[len - 3] == '(') {
        what->promotion = kind_from_letter(text.ptr[len - 2]);
        return (Span){text.ptr, len - 3};
    }
    if (len >= 3 && !isdigit((unsigned char)text.ptr[len - 1])) {
        what->promotion = kind_from_letter(text.ptr[len - 1]);
        len--;
        if (text.ptr[len - 1] == '=' || text.ptr[len - 1] == '/')
            len--;
    }
    return (Span){text.ptr, len};
}

// Reads [origin][x-:]square[promotion], the piece letter having been taken off the front.
static bool describe(Span text, int kind, Description *what)
{
    *what = (Description){kind, -1, -1, -1, NO_KIND};
    bool promotes = text.len && !isdigit((unsigned char)text.ptr[text.len - 1]);
    text = take_promotion(text, what);
    if (promotes && (what->promotion < KNIGHT || what->promotion > QUEEN))
        return false;
    if (text.len < 2 || (what->to = square_parse(text.ptr + text.len - 2)) < 0)
        return false;
    text.len -= 2;
    if (text.len && strchr("x:-X", text.ptr[text.len - 1]))
        text.len--;
    if (text.len && text.ptr[0] >= 'a' && text.ptr[0] <= 'h') {
        what->from_file = text.ptr[0] - 'a';
        text = drop_front(text, 1);
    }
    if (text.len && text.ptr[0] >= '1' && text.ptr[0] <= '8') {
        what->from_rank = text.ptr[0] - '1';
        text = drop_front(text, 1);
    }
    // A pawn that stays on its file is never written with that file alone: such a 'b' is a bishop.
    bool odd_pawn = kind == PAWN && what->from_rank < 0 && what->from_file == (what->to & 7);
    return text.len == 0 && !odd_pawn;
}

// The one legal move that answers the description; MOVE_NONE for none or several. *several tells which.
static Move find_described(const Position *pos, const Description *what, bool *several)
{
    Move list[MAX_MOVES], *end = gen_all(pos, list), found = MOVE_NONE;
    *several = false;
    for (Move *m = list; m < end; m++) {
        int from = move_from(*m);
        if (move_to(*m) != what->to || move_type(*m) == MOVE_CASTLING ||
            piece_kind(pos->board[from]) != what->kind ||
            (what->from_file >= 0 && (from & 7) != what->from_file) ||
            (what->from_rank >= 0 && from >> 3 != what->from_rank) ||
            (move_is_promotion(*m) ? move_promotion_kind(*m) : NO_KIND) != what->promotion)
            continue;
        *several = found != MOVE_NONE;
        if (*several)
            return MOVE_NONE;
        found = *m;
    }
    return found;
}

static Move find_castling(const Position *pos, bool is_long)
{
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    for (Move *m = list; m < end; m++)
        if (move_type(*m) == MOVE_CASTLING && (move_to(*m) < move_from(*m)) == is_long)
            return *m;
    return MOVE_NONE;
}

// The protocol's text, also with a sign between the squares (b8-c6), and castling as a move of the king
// (Ke1-g1).
static Move parse_squares(const Position *pos, Span text)
{
    const size_t first = *text.ptr == 'K';
    char plain[8];
    size_t len = 0;
    for (size_t i = first; i < text.len && len < sizeof plain; i++)
        if (i != first + 2 || !memchr("-x:", text.ptr[i], 3))
            plain[len++] = text.ptr[i];
    Move move = len < sizeof plain ? move_parse(pos, (Span){plain, len}) : MOVE_NONE;
    return first && move_type(move) != MOVE_CASTLING ? MOVE_NONE : move;
}

Move move_parse_reply(const Position *pos, Move last, Span text)
{
    (void)last;
    text = bare_text(text);
    if (text.len == 0)
        return MOVE_NONE;
    int castling = castling_words(text);
    if (castling)
        return find_castling(pos, castling == 2);

    // The strict reading first: a piece is a figurine or an upper-case letter, everything else a pawn.
    Description what;
    bool several = false;
    Move move = MOVE_NONE;
    int figurine = kind_from_figurine(text), letter = kind_from_letter(*text.ptr);
    if (figurine != NO_KIND) {
        if (describe(drop_front(text, 3), figurine, &what))
            move = find_described(pos, &what, &several);
        return move;
    }
    if (letter != NO_KIND && isupper((unsigned char)*text.ptr)) {
        if (describe(drop_front(text, 1), letter, &what))
            move = find_described(pos, &what, &several);
    } else if (describe(text, PAWN, &what)) {
        move = find_described(pos, &what, &several);
    }
    if (move != MOVE_NONE || several)
        return move;
    // Then the protocol's, and last a piece in lower case.
    move = parse_squares(pos, text);
    if (move == MOVE_NONE && letter != NO_KIND && islower((unsigned char)*text.ptr) &&
        describe(drop_front(text, 1), letter, &what))
        move = find_described(pos, &what, &several);
    return move;
}
