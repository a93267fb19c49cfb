// SPDX-License-Identifier: GPL-3.0-or-later
// Writing moves as Japanese write them, by the rule of the Japan Shogi Association. Where several like men
// can reach a square, the way of moving tells which it was (上 forward, 寄 sideways, 引 back); where that
// does not decide, the side on which it stood (右, 左, 直 straight below it); where neither does alone, both.
// A man that is pinned counts as one that reaches the square: a reader sees the board, not the pin.
#include "bitboard.h"
#include "games/notation.h"
#include "japanese.h"
#include "record.h"

// ---- where the men stand ------------------------------------------------------------------------
int japanese_steps_up(int side, int from, int to)
{
    int up = sq_rank(from) - sq_rank(to);
    return side == BLACK ? up : -up;
}

int japanese_steps_right(int side, int from, int to)
{
    int right = sq_file(to) - sq_file(from);
    return side == BLACK ? right : -right;
}

static int sign_of(int value) { return (value > 0) - (value < 0); }

// The men of the side to move that are of this kind and reach the square, but for one of them.
static Bitboard rivals_of(const Position *pos, int kind, int to, int except)
{
    Bitboard men =
        attackers_to(&pos->boards, pos->side, to, pos_occupied(pos)) & pos_pieces(pos, pos->side, kind);
    return except < SQUARE_NB ? men & ~bb_of(except) : men;
}

// Silvers, golds and what moves as a gold; of two dragons or horses none is called straight.
static bool kind_goes_straight(int kind)
{
    return kind == SILVER || kind == GOLD || (kind >= TOKIN && kind <= PROMOTED_SILVER);
}

// ---- which of several men -----------------------------------------------------------------------
static void print_which(const Position *pos, Move move, int kind, char *out)
{
    static const char *const MOTION[] = {"引", "寄", "上"};
    int from = move_from(move), to = move_to(move), up = sign_of(japanese_steps_up(pos->side, from, to)),
        right = japanese_steps_right(pos->side, from, to);
    int like_nb = 0, rival_nb = 0, left_nb = 0, right_nb = 0; // like: moves in the same way
    *out = '\0';
    for (Squares s = squares_of(rivals_of(pos, kind, to, from)); squares_left(s); rival_nb++) {
        int other = squares_next(&s), side = japanese_steps_right(pos->side, other, to);
        like_nb += sign_of(japanese_steps_up(pos->side, other, to)) == up;
        // Does it stand as far to the left, or to the right, as this one or further?
        left_nb += side <= right;
        right_nb += side >= right;
    }
    if (rival_nb == 0)
        return;
    if (like_nb == 0)
        strcpy(out, MOTION[up + 1]);
    else if (up > 0 && right == 0 && kind_goes_straight(kind))
        strcpy(out, "直");
    else if (left_nb == 0 || right_nb == 0)
        strcpy(out, left_nb == 0 ? "左" : "右");
    else
        sprintf(out, "%s%s", right > 0 ? "右" : "左", MOTION[up + 1]);
}

// ---- moves --------------------------------------------------------------------------------------
void japanese_print(const Position *pos, Move move, int last_to, char *out)
{
    int kind = piece_kind(move_piece(pos, move)), to = move_to(move);
    if (to == last_to)
        out += sprintf(out, "同");
    else
        out += sprintf(out, "%s%s", WIDE_DIGITS[square_file(to)], KANJI_DIGITS[square_rank(to)]);
    out += sprintf(out, "%s", kind == DRAGON ? "竜" : PIECE_NAMES[kind].written);
    if (move_is_drop(move)) {
        strcpy(out, bb_any(rivals_of(pos, kind, to, SQUARE_NB)) ? "打" : "");
        return;
    }
    print_which(pos, move, kind, out);
    if (move_is_promotion(move))
        strcat(out, "成");
    else if (promotion_is_possible(pos->side, kind, move_from(move), to))
        strcat(out, "不成");
}

void move_print_words(const Position *pos, Move last, Move move, Language in, char *out)
{
    if (in != LANGUAGE_JAPANESE || !move_is_pseudo_legal(pos, move)) {
        move_print_human(pos, move, out);
        return;
    }
    strcpy(out, pos->side == BLACK ? "▲" : "△");
    japanese_print(pos, move, last == MOVE_NONE || last == MOVE_NULL ? -1 : move_to(last), out + strlen(out));
}

// ---- sides --------------------------------------------------------------------------------------
// Men never leave the game: where some are missing that one side had at the start, they were given. Problems
// lack others, and kings.
static bool is_handicap(const Position *pos)
{
    int missing[KIND_NB] = {0}, nb = 0;
    for (int sq = 0; sq < SQUARE_NB; sq++)
        if (pos->board[sq])
            missing[kind_raw(piece_kind(pos->board[sq]))]--;
    for (int kind = PAWN; kind < HAND_KIND_NB; kind++) {
        const int given = kind_set_count(kind) / 2;
        missing[kind] += 2 * given - hand_count(pos->hand[BLACK], kind) - hand_count(pos->hand[WHITE], kind);
        if (missing[kind] > given)
            return false;
        nb += missing[kind];
    }
    return nb > 0 && (missing[PAWN] == 0 || missing[PAWN] == kind_set_count(PAWN) / 2) &&
           pos_has_king(pos, BLACK) && pos_has_king(pos, WHITE);
}

const char *side_words_in(const Position *pos, int side, Language in)
{
    static const char *const NAMES[SIDE_NB] = SIDE_NAMES;
    if (in != LANGUAGE_JAPANESE)
        return NAMES[side];
    if (pos && is_handicap(pos))
        return side == BLACK ? "下手" : "上手";
    return side == BLACK ? "先手" : "後手";
}

const char *side_words(const Position *pos, int side) { return side_words_in(pos, side, language()); }

bool side_named(Span name, int *side)
{
    static const char *const NAMES[][SIDE_NB] = {SIDE_NAMES,        {"first", "second"}, {"b", "w"},
                                                 {"sente", "gote"}, {"先手", "後手"},    {"下手", "上手"},
                                                 {"先", "後"},      {"shitate", "uwate"}};
    for (size_t i = 0; i < 2 * sizeof NAMES / sizeof NAMES[0]; i++)
        if (span_is_nocase(name, NAMES[i / 2][i % 2])) {
            *side = (int)(i % 2);
            return true;
        }
    return false;
}
