// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the protocol: SFEN and USI moves. Upper and lower case differ in both.
// pos_set works on a scratch position and assigns it at the very end, so a text that is refused changes
// nothing. pos_print and pos_set are inverse for every position that pos_set accepts, but that hands come out
// in the usual order.
#include "notation.h"

#include "base/language.h"
#include "bitboard.h"
#include "games/notation.h"
#include "japanese.h"

enum { MOVE_NUMBER_MAX = 30000 }; // beyond any game, and plies still fit the position's counter

const char KIND_LETTERS[KING + 2] = "?PLNSBRGK";

// ---- spelling -----------------------------------------------------------------------------------
int kind_from_letter(char letter)
{
    const char *at = memchr(KIND_LETTERS + 1, letter, KING);
    return at ? (int)(at - KIND_LETTERS) : NO_KIND;
}

static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

static char to_upper(char c) { return is_lower(c) ? (char)(c - 'a' + 'A') : c; }

static char to_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

int square_parse(const char *text)
{
    bool ok = text[0] >= '1' && text[0] <= '9' && text[1] >= 'a' && text[1] <= 'i';
    return ok ? sq_make(text[0] - '1', text[1] - 'a') : -1;
}

char *square_print(int sq, char *out)
{
    *out++ = (char)('1' + sq_file(sq));
    *out++ = (char)('a' + sq_rank(sq));
    return out;
}

bool promotion_is_possible(int side, int kind, int from, int to)
{
    return kind_promotes(kind) && (in_zone(side, from) || in_zone(side, to));
}

bool promotion_is_forced(int side, int kind, int to)
{
    int rank = sq_relative_rank(side, to);
    return (rank < 1 && (kind == PAWN || kind == LANCE)) || (rank < 2 && kind == KNIGHT);
}

const char *rank_words(int rank)
{
    static const char LETTERS[9][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    return language() == LANGUAGE_JAPANESE ? KANJI_DIGITS[rank + 1] : LETTERS[rank];
}

SquareWords square_words(int sq)
{
    const int file = sq_file(sq) + 1;
    const char *rank = rank_words(sq_rank(sq));
    SquareWords words;
    if (language() == LANGUAGE_JAPANESE)
        snprintf(words.text, sizeof words.text, "%s%s", WIDE_DIGITS[file], rank);
    else
        snprintf(words.text, sizeof words.text, "%d%s", file, rank);
    return words;
}

// ---- reading an SFEN ----------------------------------------------------------------------------
// Places one piece of a rank that is read from file 9 to file 1.
static bool read_piece(Position *pos, char letter, bool promoted, int rank, int column, Message *message)
{
    int raw = kind_from_letter(to_upper(letter)), side = is_lower(letter) ? WHITE : BLACK;
    if (raw == NO_KIND)
        return message_set(message, "SFEN board: '%c' in rank %s is no piece", letter, rank_words(rank));
    if (promoted && !kind_promotes(raw))
        return message_set(message, "SFEN board: '+%c' in rank %s: this piece does not promote", letter,
                           rank_words(rank));
    if (column > 8)
        return message_set(message, "SFEN board: rank %s has more than 9 squares", rank_words(rank));
    if (raw == KING && pos_has_king(pos, side))
        return message_set(message, "SFEN board: %s has a second king in rank %s", side_words(pos, side),
                           rank_words(rank));
    pos_put(pos, piece_make(side, promoted ? raw + PROMOTED : raw), sq_make(8 - column, rank));
    return true;
}

static bool read_board(Position *pos, Span field, Message *message)
{
    int rank = 0, column = 0;
    bool promoted = false;
    for (size_t i = 0; i < field.len; i++) {
        char c = field.ptr[i];
        if (promoted && (c == '/' || c == '+' || is_digit(c)))
            return message_set(message, "SFEN board: '+' in rank %s stands before no piece",
                               rank_words(rank));
        if (c == '/') {
            if (column != 9)
                return message_set(message, "SFEN board: rank %s has %d squares, not 9", rank_words(rank),
                                   column);
            if (++rank > 8)
                return message_set(message, "SFEN board: more than 9 ranks");
            column = 0;
        } else if (c == '+') {
            promoted = true;
        } else if (c >= '1' && c <= '9') {
            column += c - '0';
            if (column > 9)
                return message_set(message, "SFEN board: rank %s has more than 9 squares", rank_words(rank));
        } else {
            if (!read_piece(pos, c, promoted, rank, column, message))
                return false;
            promoted = false;
            column++;
        }
    }
    if (promoted)
        return message_set(message, "SFEN board: '+' at the end stands before no piece");
    if (rank != 8)
        return message_set(message, "SFEN board: %d ranks, not 9", rank + 1);
    return column == 9 ||
           message_set(message, "SFEN board: rank %s has %d squares, not 9", rank_words(rank), column);
}

static bool read_hands(Position *pos, Span field, Message *message)
{
    if (span_is(field, "-"))
        return true;
    for (size_t i = 0; i < field.len; i++) {
        int count = 0, digits = 0;
        for (; i < field.len && is_digit(field.ptr[i]); i++, digits++)
            count = min_int(count * 10 + field.ptr[i] - '0', 100);
        if (i == field.len)
            return message_set(message, "SFEN hands: the count at the end stands before no piece");
        char letter = field.ptr[i];
        int kind = kind_from_letter(to_upper(letter)), side = is_lower(letter) ? WHITE : BLACK;
        if (kind == NO_KIND || kind == KING)
            return message_set(message, "SFEN hands: '%c' can't be in a hand", letter);
        if (digits == 0)
            count = 1;
        if (count == 0 || field.ptr[i - (size_t)digits] == '0')
            return message_set(message, "SFEN hands: the count before '%c' must not begin with 0", letter);
        int total = count + hand_count(pos->hand[side], kind);
        if (total > kind_set_count(kind))
            return message_set(message, "SFEN hands: %d of '%c', a set has %d", total, letter,
                               kind_set_count(kind));
        pos->hand[side] += (Hand)count * hand_one(kind);
    }
    return true;
}

SetResult pos_set(Position *pos, Span text, const Rules *rules, Message *message)
{
    Span board = span_word(&text), side = span_word(&text), hands = span_word(&text),
         number = span_word(&text);
    Span rest = span_trim(text);
    Position result;
    pos_clear(&result);
    if (board.len == 0)
        return message_set(message, "SFEN: no board"), SET_REJECTED;
    if (!read_board(&result, board, message))
        return SET_REJECTED;
    if (side.len && !span_is(side, "b") && !span_is(side, "w"))
        return message_set(message, "SFEN side to move: '%.*s' is neither b nor w",
                           (int)min_i64((i64)side.len, 20), side.ptr),
               SET_REJECTED;
    if (hands.len && !read_hands(&result, hands, message))
        return SET_REJECTED;
    i64 move_number = 1;
    if (number.len && !span_int(number, 0, MOVE_NUMBER_MAX, &move_number))
        return message_set(message, "SFEN move number: '%.*s' is no number from 1 to %d",
                           (int)min_i64((i64)number.len, 20), number.ptr, MOVE_NUMBER_MAX),
               SET_REJECTED;
    if (rest.len)
        return message_set(message, "SFEN: '%.*s' after the move number", (int)min_i64((i64)rest.len, 20),
                           rest.ptr),
               SET_REJECTED;
    result.side = span_is(side, "w") ? WHITE : BLACK;
    result.game_ply = (u16)max_int((int)move_number - 1, 0);
    result.rules = *rules;
    Message why;
    if (!pos_check_set_up(&result, &why))
        return message_set(message, "SFEN: %s", why.text), SET_REJECTED;
    pos_refresh(&result);
    *pos = result;
    if (move_number == 0)
        return message_set(message, "SFEN move number: 0 taken as 1"), SET_REPAIRED;
    return SET_OK;
}

// ---- writing an SFEN ----------------------------------------------------------------------------
char *board_print(const u8 board[SQUARE_NB], char *out)
{
    for (int rank = 0; rank < 9; rank++) {
        int empty = 0;
        for (int file = 8; file >= 0; file--) {
            int piece = board[sq_make(file, rank)], kind = piece_kind(piece);
            if (!piece) {
                empty++;
                continue;
            }
            if (empty)
                *out++ = (char)('0' + empty);
            empty = 0;
            if (kind > KING)
                *out++ = '+';
            char letter = KIND_LETTERS[kind_raw(kind)];
            *out++ = piece_side(piece) == WHITE ? to_lower(letter) : letter;
        }
        if (empty)
            *out++ = (char)('0' + empty);
        if (rank < 8)
            *out++ = '/';
    }
    return out;
}

static char *print_hands(const Position *pos, char *out)
{
    static const u8 ORDER[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
    if (!pos->hand[BLACK] && !pos->hand[WHITE])
        *out++ = '-';
    for (int side = 0; side < SIDE_NB; side++)
        for (size_t i = 0; i < sizeof ORDER; i++) {
            int count = hand_count(pos->hand[side], ORDER[i]);
            char letter = KIND_LETTERS[ORDER[i]];
            if (count > 1)
                out += sprintf(out, "%d", count);
            if (count)
                *out++ = side == WHITE ? to_lower(letter) : letter;
        }
    return out;
}

void pos_print(const Position *pos, char *out)
{
    char *end = board_print(pos->board, out);
    end += sprintf(end, " %c ", pos->side == BLACK ? 'b' : 'w');
    end = print_hands(pos, end);
    end += sprintf(end, " %d", pos->game_ply + 1);
    assert(end - out < TEXT_MAX);
}

// ---- moves --------------------------------------------------------------------------------------
Move move_parse(const Position *pos, Span text)
{
    if (text.len < 4 || text.len > 5)
        return MOVE_NONE;
    int to = square_parse(text.ptr + 2), from;
    if (text.ptr[1] == '*') {
        int kind = kind_from_letter(text.ptr[0]);
        from = kind == NO_KIND || kind == KING ? -1 : DROP_BASE + kind;
    } else {
        from = square_parse(text.ptr);
    }
    if (from < 0 || to < 0 || (text.len == 5 && text.ptr[4] != '+'))
        return MOVE_NONE;
    Move move = (Move)(move_make(from, to) | (text.len == 5 ? MOVE_PROMOTE : 0));
    return move_is_pseudo_legal(pos, move) && move_is_legal(pos, move) ? move : MOVE_NONE;
}

void move_print(const Position *pos, Move move, char *out)
{
    (void)pos;
    if (move == MOVE_NONE || move == MOVE_NULL || move == MOVE_WIN) {
        strcpy(out, move == MOVE_NONE ? "none" : move == MOVE_NULL ? "pass" : "win");
        return;
    }
    if (move_is_drop(move)) {
        *out++ = KIND_LETTERS[move_drop_kind(move)];
        *out++ = '*';
    } else {
        out = square_print(move_from(move), out);
    }
    out = square_print(move_to(move), out);
    if (move_is_promotion(move))
        *out++ = '+';
    *out = '\0';
}
