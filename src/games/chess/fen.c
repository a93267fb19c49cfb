// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the protocol: FEN (with X-FEN and Shredder-FEN castling letters) and moves as pairs of
// squares. pos_set works on a scratch position and assigns it at the very end, so a text that is refused
// changes nothing. A field that is not of its form is refused; one that is of its form but can't be true on
// this board (a castling right without its rook, an en passant square on which nobody can capture) is dropped
// and named in the message. pos_print and pos_set are inverse for every position that pos_set accepts.
#include <ctype.h>

#include "bitboard.h"
#include "game.h"
#include "notation.h"

enum {
    COUNTER_MAX = 9999
}; // of the half-move clock and the move number: beyond any game, and its text stays short

const char PIECE_LETTERS[PIECE_NB] = ".PNBRQK..pnbrqk";
static const char FIELD_NAMES[6][24] = {
    "board", "side to move", "castling rights", "en passant square", "half-move clock", "move number"};

Rules rules_default(void) { return (Rules){.chess960 = false}; }

int pos_men(const Position *pos) { return bits_count(pos_occupied(pos)); }

// ---- spelling -----------------------------------------------------------------------------------
int piece_from_letter(char letter)
{
    const char *at = letter == '.' ? NULL : memchr(PIECE_LETTERS, letter, sizeof PIECE_LETTERS - 1);
    return at ? (int)(at - PIECE_LETTERS) : 0;
}

int square_parse(const char *text)
{
    int file = tolower((unsigned char)text[0]) - 'a', rank = text[1] - '1';
    return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? rank * 8 + file : -1;
}

char *square_print(int sq, char *out)
{
    *out++ = (char)('a' + (sq & 7));
    *out++ = (char)('1' + (sq >> 3));
    return out;
}

// ---- reading a FEN ------------------------------------------------------------------------------
// What was dropped so far, as one sentence that grows.
typedef struct Repairs {
    char text[256];
    int len;
} Repairs;

static void repairs_add(Repairs *repairs, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void repairs_add(Repairs *repairs, const char *format, ...)
{
    size_t room = sizeof repairs->text - (size_t)repairs->len;
    int used = repairs->len ? snprintf(repairs->text + repairs->len, room, "; ") : 0;
    if ((size_t)used >= room)
        return;
    va_list args;
    va_start(args, format);
    int more = vsnprintf(repairs->text + repairs->len + used, room - (size_t)used, format, args);
    va_end(args);
    repairs->len = min_int(repairs->len + used + more, (int)sizeof repairs->text - 1);
}

static bool read_board(Position *pos, Span field, Message *message)
{
    int rank = 7, file = 0;
    for (size_t i = 0; i < field.len; i++) {
        char c = field.ptr[i];
        int piece = piece_from_letter(c);
        if (c == '/') {
            if (file != 8)
                return message_set(message, "FEN board: rank %d has %d squares, not 8", rank + 1, file);
            if (--rank < 0)
                return message_set(message, "FEN board: more than 8 ranks");
            file = 0;
        } else if (c >= '1' && c <= '8') {
            file += c - '0';
        } else if (piece) {
            if (file < 8)
                pos_put(pos, piece, rank * 8 + file);
            file++;
        } else {
            return message_set(message,
                               "FEN board: '%c' in rank %d is neither a piece nor a digit from 1 to 8",
                               c ? c : '?', rank + 1);
        }
        if (file > 8)
            return message_set(message, "FEN board: rank %d has more than 8 squares", rank + 1);
    }
    if (file != 8)
        return message_set(message, "FEN board: rank %d has %d squares, not 8", rank + 1, file);
    if (rank != 0)
        return message_set(message, "FEN board: %d ranks, not 8", 8 - rank);
    return true;
}

// One army: its king, its pawns, and no more pieces than promotions could have made.
static bool check_army(const Position *pos, int side, Message *message)
{
    static const char *const NAMES[] = SIDE_NAMES;
    static const int AT_START[KIND_NB] = {[KNIGHT] = 2, [BISHOP] = 2, [ROOK] = 2, [QUEEN] = 1};
    u64 own = pos->by_side[side];
    int kings = bits_count(own & pos->by_kind[KING]), pawns = bits_count(own & pos->by_kind[PAWN]),
        promoted = 0;
    if (kings != 1)
        return message_set(message, "FEN board: %s has %d kings", NAMES[side], kings);
    if (own & pos->by_kind[PAWN] & (RANK_1 | RANK_8))
        return message_set(message, "FEN board: %s has a pawn on the first or the last rank", NAMES[side]);
    if (pawns > 8)
        return message_set(message, "FEN board: %s has %d pawns", NAMES[side], pawns);
    for (int kind = KNIGHT; kind <= QUEEN; kind++)
        promoted += max_int(0, bits_count(own & pos->by_kind[kind]) - AT_START[kind]);
    if (pawns + promoted > 8)
        return message_set(
            message, "FEN board: %s has more pieces than promotions allow (%d pawns, %d promoted pieces)",
            NAMES[side], pawns, promoted);
    return true;
}

// The checks that need to know whose move it is.
static bool check_kings(const Position *pos, Message *message)
{
    static const char *const NAMES[] = SIDE_NAMES;
    int us = pos->side, them = !us;
    u64 occupied = pos_occupied(pos);
    if (attacks_king(pos_king(pos, us)) & sq_bit(pos_king(pos, them)))
        return message_set(message, "FEN board: the kings stand next to each other");
    if (pos_attackers(pos, pos_king(pos, them), occupied) & pos->by_side[us])
        return message_set(message, "FEN: %s is in check, but it is %s to move", NAMES[them], NAMES[us]);
    int checkers = bits_count(pos_attackers(pos, pos_king(pos, us), occupied) & pos->by_side[them]);
    if (checkers > 2)
        return message_set(message, "FEN board: %s is in check from %d pieces at once", NAMES[us], checkers);
    return true;
}

bool pos_check_board(const Position *pos, Message *message)
{
    for (int side = WHITE; side <= BLACK; side++) {
        if (!check_army(pos, side, message))
            return false;
    }
    return check_kings(pos, message);
}

// The rook's square that a castling letter means, or -1. `strict`: K and Q mean the corner, as in standard
// chess.
static int castle_rook_of_letter(const Position *pos, char letter, bool strict)
{
    int side = islower((unsigned char)letter) ? BLACK : WHITE, king = pos_king(pos, side);
    char upper = (char)toupper((unsigned char)letter);
    u64 back_rank = side == WHITE ? RANK_1 : RANK_8, rooks = pos_pieces(pos, side, ROOK) & back_rank;
    if (!(back_rank & sq_bit(king)))
        return -1;
    if (upper == 'K' || upper == 'Q') {
        u64 below_king = sq_bit(king) - 1;
        rooks &= upper == 'K' ? ~below_king : below_king;
        if (strict)
            rooks &= FILE_A | FILE_H;
        if (!rooks)
            return -1;
        return upper == 'K' ? bits_last(rooks) : bits_first(rooks);
    }
    int sq = sq_relative(side, upper - 'A');
    return rooks & sq_bit(sq) ? sq : -1;
}

// In standard chess K and Q speak of the corners, so a king on its e-file is read strictly. Off that file the
// text can only be of Chess960 (the outermost rook is meant), provided that all of the side's rights have
// rooks to go with.
static bool castle_letters_fit(const Position *pos, Span field, int side)
{
    for (size_t i = 0; i < field.len; i++)
        if ((islower((unsigned char)field.ptr[i]) != 0) == side &&
            castle_rook_of_letter(pos, field.ptr[i], false) < 0)
            return false;
    return true;
}

static bool read_castling(Position *pos, Span field, Repairs *repairs, Message *message)
{
    if (span_is(field, "-"))
        return true;
    for (size_t i = 0; i < field.len; i++) {
        char upper = (char)toupper((unsigned char)field.ptr[i]);
        if (upper != 'K' && upper != 'Q' && (upper < 'A' || upper > 'H'))
            return message_set(message, "FEN castling rights: '%c' is none of KQkq, A-H, a-h",
                               field.ptr[i] ? field.ptr[i] : '?');
    }
    bool fits[SIDE_NB] = {castle_letters_fit(pos, field, WHITE), castle_letters_fit(pos, field, BLACK)};
    for (size_t i = 0; i < field.len; i++) {
        char letter = field.ptr[i];
        int side = islower((unsigned char)letter) ? BLACK : WHITE, king = pos_king(pos, side);
        bool at_home = (king & 7) == 4, strict = !pos->rules.chess960 && (at_home || !fits[side]);
        int rook = castle_rook_of_letter(pos, letter, strict);
        if (rook < 0 || (strict && !at_home && toupper((unsigned char)letter) > 'H')) {
            repairs_add(repairs, "castling right %c dropped: no such king and rook", letter);
            continue;
        }
        int index = castle_index(side, rook < king);
        if (pos->castling & 1 << index) {
            repairs_add(repairs, "castling right %c dropped: given twice", letter);
            continue;
        }
        pos->castling |= (u8)(1 << index);
        pos->castle_rook[index] = (u8)rook;
    }
    return true;
}

bool en_passant_is_legal(const Position *pos, int target)
{
    int us = pos->side, pushed = target ^ 8, origin = us == WHITE ? target + 8 : target - 8;
    if (sq_relative_rank(us, target) != 5 || pos->board[pushed] != piece_make(!us, PAWN) ||
        pos_occupied(pos) & (sq_bit(target) | sq_bit(origin)))
        return false;
    u64 pawns = attacks_pawn(!us, target) & pos_pieces(pos, us, PAWN);
    while (pawns)
        if (pos_en_passant_is_legal(pos, bits_pop(&pawns), target))
            return true;
    return false;
}

static bool read_en_passant(Position *pos, Span field, Repairs *repairs, Message *message)
{
    if (span_is(field, "-"))
        return true;
    int target = field.len == 2 && islower((unsigned char)*field.ptr) ? square_parse(field.ptr) : -1;
    if (target < 0)
        return message_set(message, "FEN en passant square: '%.*s' is neither a square nor -",
                           min_int((int)field.len, 20), field.ptr);
    if (en_passant_is_legal(pos, target))
        pos->en_passant = (u8)target;
    else
        repairs_add(repairs, "en passant square %.2s dropped: no pawn can capture there", field.ptr);
    return true;
}

static bool read_counter(Span field, int lo, int index, u16 *out, Repairs *repairs, Message *message)
{
    for (size_t i = 0; i < field.len; i++)
        if (field.ptr[i] < '0' || field.ptr[i] > '9')
            return message_set(message, "FEN %s: '%.*s' is not a number", FIELD_NAMES[index],
                               min_int((int)field.len, 20), field.ptr);
    i64 value = 0;
    if (!span_int(field, 0, COUNTER_MAX, &value)) {
        value = COUNTER_MAX;
        repairs_add(repairs, "%s %.*s taken as %d", FIELD_NAMES[index], min_int((int)field.len, 20),
                    field.ptr, COUNTER_MAX);
    }
    *out = (u16)max_int((int)value, lo);
    return true;
}

SetResult pos_set(Position *pos, Span text, const Rules *rules, Message *message)
{
    static const char *const MISSING[6] = {"", "", "-", "-", "0", "1"};
    Span field[6], rest = text;
    int field_nb = 0;
    for (Span word = span_word(&rest); word.len; word = span_word(&rest)) {
        if (field_nb == 6)
            return message_set(message, "FEN: '%.*s' after the sixth field", min_int((int)word.len, 20),
                               word.ptr),
                   SET_REJECTED;
        field[field_nb++] = word;
    }
    if (field_nb < 2)
        return message_set(message,
                           field_nb ? "FEN: no side to move after the board '%.*s'" : "FEN: empty%.*s",
                           field_nb ? min_int((int)field[0].len, 80) : 0, field_nb ? field[0].ptr : ""),
               SET_REJECTED;
    for (int i = field_nb; i < 6; i++)
        field[i] = span_of(MISSING[i]);

    Position scratch;
    pos_clear(&scratch);
    scratch.rules = *rules;
    Repairs repairs = {.len = 0};
    if (!read_board(&scratch, field[0], message))
        return SET_REJECTED;
    if (!span_is(field[1], "w") && !span_is(field[1], "b"))
        return message_set(message, "FEN side to move: '%.*s' is neither w nor b",
                           min_int((int)field[1].len, 20), field[1].ptr),
               SET_REJECTED;
    scratch.side = *field[1].ptr == 'w' ? WHITE : BLACK;
    if (!pos_check_board(&scratch, message) || !read_castling(&scratch, field[2], &repairs, message) ||
        !read_en_passant(&scratch, field[3], &repairs, message) ||
        !read_counter(field[4], 0, 4, &scratch.rule50, &repairs, message) ||
        !read_counter(field[5], 1, 5, &scratch.fullmove, &repairs, message))
        return SET_REJECTED;
    pos_refresh(&scratch);
    *pos = scratch;
    if (!repairs.len)
        return SET_OK;
    message_set(message, "FEN: %s", repairs.text);
    return SET_REPAIRED;
}

// ---- writing a FEN ------------------------------------------------------------------------------
static char *print_castling(const Position *pos, char *out)
{
    bool letters = pos->rules.chess960;
    for (int i = 0; i < 4; i++)
        letters |= pos->castling & 1 << i && !castle_is_standard(pos_king(pos, i / 2), pos->castle_rook[i]);
    char *start = out;
    for (int i = 0; i < 4; i++)
        if (pos->castling & 1 << i)
            *out++ = letters ? (char)((i < 2 ? 'A' : 'a') + (pos->castle_rook[i] & 7)) : "KQkq"[i];
    if (out == start)
        *out++ = '-';
    return out;
}

void pos_print(const Position *pos, char *out)
{
    char *start = out;
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            int piece = pos->board[rank * 8 + file];
            if (piece && empty)
                *out++ = (char)('0' + empty), empty = 0;
            if (piece)
                *out++ = PIECE_LETTERS[piece];
            else
                empty++;
        }
        if (empty)
            *out++ = (char)('0' + empty);
        *out++ = rank ? '/' : ' ';
    }
    *out++ = pos->side == WHITE ? 'w' : 'b';
    *out++ = ' ';
    out = print_castling(pos, out);
    *out++ = ' ';
    if (pos->en_passant < SQUARE_NB)
        out = square_print(pos->en_passant, out);
    else
        *out++ = '-';
    snprintf(out, (size_t)(TEXT_MAX - (out - start)), " %d %d", pos->rule50, pos->fullmove);
}

// ---- moves --------------------------------------------------------------------------------------
void move_print(const Position *pos, Move move, char *out)
{
    const char *word = move == MOVE_NONE   ? "(none)"
                       : move == MOVE_NULL ? "0000"
                       : move == MOVE_WIN  ? "win"
                                           : NULL;
    if (word) {
        strcpy(out, word);
        return;
    }
    int from = move_from(move), to = move_to(move);
    // Off the standard squares the king's arrival could be mistaken for a plain king move, whatever the mode.
    if (move_type(move) == MOVE_CASTLING && !pos->rules.chess960 && castle_is_standard(from, to))
        to = castle_king_to(pos->side, to < from);
    out = square_print(to, square_print(from, out));
    if (move_is_promotion(move))
        *out++ = "nbrq"[move_promotion_kind(move) - KNIGHT];
    *out = '\0';
}

// A king step and a castling can share their text in Chess960 (f1g1): the plain move goes first, then king
// takes rook, then the king's arrival.
Move move_parse(const Position *pos, Span text)
{
    text = span_trim(text);
    if (text.len < 4 || text.len > 6 || (text.len == 6 && text.ptr[4] != '='))
        return MOVE_NONE;
    int from = square_parse(text.ptr), to = square_parse(text.ptr + 2), promotion = NO_KIND;
    if (from < 0 || to < 0)
        return MOVE_NONE;
    if (text.len > 4) {
        promotion = piece_kind(piece_from_letter((char)tolower((unsigned char)text.ptr[text.len - 1])));
        if (promotion < KNIGHT || promotion > QUEEN)
            return MOVE_NONE;
    }
    Move list[MAX_MOVES], *end = gen_all(pos, list), castling = MOVE_NONE, arrival = MOVE_NONE;
    for (Move *m = list; m < end; m++) {
        if (move_from(*m) != from || (move_is_promotion(*m) ? move_promotion_kind(*m) : NO_KIND) != promotion)
            continue;
        if (move_type(*m) != MOVE_CASTLING) {
            if (move_to(*m) == to)
                return *m;
        } else if (move_to(*m) == to) {
            castling = *m;
        } else if (castle_king_to(pos->side, move_to(*m) < from) == to) {
            arrival = *m;
        }
    }
    return castling ? castling : arrival;
}
