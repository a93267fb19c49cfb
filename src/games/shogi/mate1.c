// SPDX-License-Identifier: GPL-3.0-or-later
// Mate in one, seen without making a move: every check is tried against the flight squares of the king first, and the few
// that leave none are proved on a copy of the sets of men. What is found is a mate; what is missed is only a mate whose
// last defence would be a pawn dropped with mate in its turn (such a drop is forbidden, but counts as a defence here).
#include "bitboard.h"

// What stays the same for all candidates of a position.
typedef struct Hunt {
    Bitboard flights; // where the king can go now: next to it, not its own men's, not attacked by us
    Bitboard opening; // squares our sliders look at: a man of ours that leaves one may open a line
} Hunt;

static Hunt hunt_begin(const Position *pos)
{
    int us = pos->side, king = pos->king[!us];
    Bitboard occupied = pos_occupied(pos) ^ bb_of(king);
    Bitboard around = lookup.king[king] & ~pos->boards.by_side[!us];
    Hunt hunt = {around & ~attacked_among(&pos->boards, us, king, around, occupied), BB_NONE};
    Bitboard sliders = bishops_of(&pos->boards) | rooks_of(&pos->boards) | pos->boards.by_kind[LANCE];
    for (Squares s = squares_of(sliders & pos->boards.by_side[us]); squares_left(s);) {
        int sq = squares_next(&s);
        hunt.opening |= attacks_of(us, piece_kind(pos->board[sq]), sq, occupied);
    }
    return hunt;
}

static int arriving_kind(const Position *pos, Move move)
{
    return piece_kind(move_piece(pos, move)) + (move_is_promotion(move) ? PROMOTED : 0);
}

// A quick no: a flight square stays that the arriving piece does not attack and no opened line can.
static bool leaves_flight(const Position *pos, const Hunt *hunt, Move move)
{
    int us = pos->side, from = move_from(move), to = move_to(move);
    Bitboard occupied = pos_occupied(pos) ^ bb_of(pos->king[!us]);
    if (!move_is_drop(move)) {
        if (bb_has(hunt->opening, from))
            return false;
        occupied &= ~bb_of(from);
    }
    return bb_exceeds(hunt->flights, attacks_of(us, arriving_kind(pos, move), to, occupied | bb_of(to)));
}

static void boards_after(const Position *pos, Move move, Boards *after)
{
    int to = move_to(move);
    *after = pos->boards;
    if (!move_is_drop(move)) {
        boards_toggle(after, pos->board[move_from(move)], bb_of(move_from(move)));
        if (pos->board[to])
            boards_toggle(after, pos->board[to], bb_of(to));
    }
    boards_toggle(after, piece_make(pos->side, arriving_kind(pos, move)), bb_of(to));
}

// Can a man of that side other than its king go to the square without leaving a pin?
static bool can_reach(const Boards *boards, int side, int king, Bitboard blockers, int sq)
{
    Bitboard men = attackers_to(boards, side, sq, boards->by_kind[NO_KIND]) & ~bb_of(king);
    if (bb_exceeds(men, blockers))
        return true;
    for (Squares s = squares_of(men); squares_left(s);)
        if (direction_of(king, squares_next(&s)) == direction_of(king, sq))
            return true;
    return false;
}

// Has that side a man in hand that may be dropped on one of the empty squares?
static bool can_drop(const Boards *boards, int side, Hand hand, Bitboard squares)
{
    if (hand_count(hand, SILVER) || hand_count(hand, GOLD) || hand_count(hand, BISHOP) || hand_count(hand, ROOK))
        return true;
    if (hand_count(hand, KNIGHT) && bb_exceeds(squares, last_two_ranks(side)))
        return true;
    if (hand_count(hand, LANCE) && bb_exceeds(squares, last_rank(side)))
        return true;
    Bitboard pawns = boards->by_side[side] & boards->by_kind[PAWN];
    return hand_count(hand, PAWN) && bb_any(squares & files_without(pawns) & ~last_rank(side));
}

// Does the checking move mate? The whole question, but for the corner named above.
static bool mates(const Position *pos, Move move)
{
    int us = pos->side, them = !us, king = pos->king[them];
    Boards after;
    boards_after(pos, move, &after);
    Bitboard occupied = after.by_kind[NO_KIND];
    Bitboard around = lookup.king[king] & ~after.by_side[them];
    if (bb_exceeds(around, attacked_among(&after, us, king, around, occupied ^ bb_of(king))))
        return false;
    Bitboard checkers = attackers_to(&after, us, king, occupied);
    if (bb_many(checkers))
        return true;
    int checker = bb_first(checkers);
    Bitboard blockers, pinners, between = squares_between(king, checker);
    find_blockers(&after, them, king, &blockers, &pinners);
    if (can_reach(&after, them, king, blockers, checker))
        return false;
    if (!bb_any(between))
        return true;
    if (pos->hand[them] && can_drop(&after, them, pos->hand[them], between))
        return false;
    for (Squares s = squares_of(between); squares_left(s);)
        if (can_reach(&after, them, king, blockers, squares_next(&s)))
            return false;
    return true;
}

Move pos_mate_in_one(const Position *pos)
{
    assert(!pos_in_check(pos));
    if (!pos_has_king(pos, !pos->side))
        return MOVE_NONE;
    Move list[MAX_MOVES], *end = gen_pseudo_checks(pos, list);
    if (end == list)
        return MOVE_NONE;
    Hunt hunt = hunt_begin(pos);
    for (Move *move = list; move < end; move++) {
        bool is_pawn_drop = move_is_drop(*move) && move_drop_kind(*move) == PAWN; // never mates lawfully
        if (!is_pawn_drop && !leaves_flight(pos, &hunt, *move) && move_is_legal(pos, *move) && mates(pos, *move))
            return *move;
    }
    return MOVE_NONE;
}
