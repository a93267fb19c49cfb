// SPDX-License-Identifier: GPL-3.0-or-later
// Western notation, the way people write shogi moves with Latin letters: P-7f, Rx2b+, G*5b, G6i-5h, Sx3c=.
// The piece (with + when it is promoted), its square where another one of its kind could go there too, - for
// a move, x for a capture, * for a drop, the square, and + or = for taking or declining a promotion. Reading
// takes this, the protocol's own spelling, and the usual variations: no sign, ' for a drop, a rank as a
// digit, a square too many; and moves as Japanese write them.
#include "bitboard.h"
#include "games/notation.h"
#include "japanese.h"
#include "notation.h"

// Could another piece of this kind go there as well?
static bool is_ambiguous(const Position *pos, Move move)
{
    int us = pos->side, from = move_from(move), to = move_to(move), kind = piece_kind(pos->board[from]);
    for (Squares s = squares_of(pos_pieces(pos, us, kind) & ~bb_of(from)); squares_left(s);) {
        int other = squares_next(&s);
        for (int flags = 0; flags <= MOVE_PROMOTE; flags += MOVE_PROMOTE) {
            Move rival = (Move)(move_make(other, to) | flags);
            if (move_is_pseudo_legal(pos, rival) && move_is_legal(pos, rival))
                return true;
        }
    }
    return false;
}

void move_print_human(const Position *pos, Move move, char *out)
{
    if (move_is_drop(move) || !move_is_pseudo_legal(pos, move)) {
        move_print(pos, move, out);
        return;
    }
    int us = pos->side, from = move_from(move), to = move_to(move), kind = piece_kind(pos->board[from]);
    if (kind > KING)
        *out++ = '+';
    *out++ = KIND_LETTERS[kind_raw(kind)];
    if (is_ambiguous(pos, move))
        out = square_print(from, out);
    *out++ = pos->board[to] ? 'x' : '-';
    out = square_print(to, out);
    if (move_is_promotion(move))
        *out++ = '+';
    else if (promotion_is_possible(us, kind, from, to))
        *out++ = '=';
    *out = '\0';
}

// ---- reading ------------------------------------------------------------------------------------
// What a text says about a move; -1 for a square that is not named.
typedef struct Clue {
    int kind, from, to;
    char sign, suffix; // 0 when there is none
} Clue;

// Takes a square off the front: a file digit and a rank as letter or digit.
static int take_square(Span *text)
{
    if (text->len < 2)
        return -1;
    char name[2] = {text->ptr[0], text->ptr[1]};
    if (name[1] >= '1' && name[1] <= '9')
        name[1] = (char)(name[1] - '1' + 'a');
    int sq = square_parse(name);
    if (sq >= 0) {
        text->ptr += 2;
        text->len -= 2;
    }
    return sq;
}

// Takes the next character off the front if it is one of these; 0 if not.
static char take_char(Span *text, const char *any)
{
    if (!text->len || !*text->ptr || !strchr(any, *text->ptr))
        return 0;
    text->len--;
    return *text->ptr++;
}

static bool read_clue(Span text, Clue *clue)
{
    bool promoted = take_char(&text, "+") != 0;
    char letter = take_char(&text, KIND_LETTERS + 1);
    clue->kind = kind_from_letter(letter);
    if (clue->kind == NO_KIND || (promoted && !kind_promotes(clue->kind)))
        return false;
    clue->kind += promoted ? PROMOTED : 0;
    int first = take_square(&text);
    clue->sign = take_char(&text, "-x*'");
    int second = take_square(&text);
    clue->from = second >= 0 ? first : -1;
    clue->to = second >= 0 ? second : first;
    if (clue->sign == '\'')
        clue->sign = '*';
    clue->suffix = take_char(&text, "+=");
    return clue->to >= 0 && text.len == 0 && (first < 0 || second >= 0 || !clue->sign);
}

static bool clue_fits(const Position *pos, const Clue *clue, Move move)
{
    if (move_to(move) != clue->to || piece_kind(move_piece(pos, move)) != clue->kind)
        return false;
    if (clue->from >= 0 && move_from(move) != clue->from)
        return false;
    bool drop = move_is_drop(move), takes = !drop && pos->board[clue->to];
    if ((clue->sign == '*' && !drop) || (clue->sign == 'x' && !takes) ||
        (clue->sign == '-' && (takes || drop)))
        return false;
    return move_is_promotion(move) == (clue->suffix == '+');
}

Move move_parse_reply(const Position *pos, Move last, Span text)
{
    text = span_trim(text);
    Move found = move_parse(pos, text);
    Clue clue;
    if (found == MOVE_NONE)
        found = japanese_parse(pos, last == MOVE_NONE || last == MOVE_NULL ? -1 : move_to(last), text);
    if (found != MOVE_NONE || !read_clue(text, &clue))
        return found;
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    // A move on the board goes before a drop that is not marked as one; beyond that the text must be unique.
    for (int drops = 0; drops <= 1 && found == MOVE_NONE; drops++)
        for (Move *move = list; move < end; move++) {
            if (move_is_drop(*move) != (drops == 1) || !clue_fits(pos, &clue, *move))
                continue;
            if (found != MOVE_NONE)
                return MOVE_NONE;
            found = *move;
        }
    return found;
}
