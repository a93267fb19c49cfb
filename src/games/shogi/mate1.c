// SPDX-License-Identifier: GPL-3.0-or-later
// Mate in one, seen without making a move: every check is tried against the flight squares of the king first,
// and the few that leave none are proved on a copy of the sets of men. What is found is a mate; what is
// missed is only a mate whose last defence would be a pawn dropped with mate in its turn (such a drop is
// forbidden, but counts as a defence here).
#include "bitboard.h"

// The squares next to the king that it could go to now: not its own men's and not attacked by us.
static Bitboard flights_of(const Position *pos)
{
    int us = pos->side, king = pos->king[!us];
    Bitboard around = lookup.king[king] & ~pos->boards.by_side[!us];
    return around & ~attacked_among(&pos->boards, us, king, around, pos_occupied(pos) ^ bb_of(king));
}

static int arriving_kind(const Position *pos, Move move)
{
    return piece_kind(move_piece(pos, move)) + (move_is_promotion(move) ? PROMOTED : 0);
}

// Is a slider of ours in line with the square, so that a man who leaves it may open the line?
static bool may_open_line(const Position *pos, int from)
{
    const Boards *boards = &pos->boards;
    Bitboard sliders = (bishops_of(boards) & lookup.diagonal[from]) |
                       (rooks_of(boards) & lookup.straight[from]) |
                       (boards->by_kind[LANCE] & lookup.ray[pos->side == BLACK ? DOWN : UP][from]);
    return bb_meet(sliders, boards->by_side[pos->side]);
}

// A quick no for most moves: a flight square stays that the arriving piece does not attack and no opened line
// can.
static bool leaves_flight(const Position *pos, Bitboard flights, Move move)
{
    int us = pos->side, from = move_from(move), to = move_to(move);
    Bitboard occupied = ((pos_occupied(pos) ^ bb_of(pos->king[!us])) & ~bb_of(from)) | bb_of(to);
    return bb_exceeds(flights, attacks_of(us, arriving_kind(pos, move), to, occupied)) &&
           !may_open_line(pos, from);
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
    if (hand_count(hand, SILVER) || hand_count(hand, GOLD) || hand_count(hand, BISHOP) ||
        hand_count(hand, ROOK))
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

// Where a drop of the kind checks and may mate. Next to the king it must be defended, which are squares that
// are no flights. A slider from afar covers flights in line with the king alone, and never mates one who has
// a piece to put between; a knight covers none.
static Bitboard promising_drops(const Position *pos, int kind, Bitboard flights)
{
    int us = pos->side, king = pos->king[!us];
    Hand shields = pos->hand[!us];
    Bitboard squares =
        pos_check_squares(pos, kind) & drop_squares(&pos->boards, us, kind) & ~pos_occupied(pos) & ~flights;
    Bitboard line = kind == BISHOP                  ? lookup.diagonal[king]
                    : kind == ROOK || kind == LANCE ? lookup.straight[king]
                                                    : BB_NONE;
    bool can_shield = hand_count(shields, SILVER) || hand_count(shields, GOLD) ||
                      hand_count(shields, BISHOP) || hand_count(shields, ROOK);
    if (bb_exceeds(flights, line) || (can_shield && kind != KNIGHT))
        squares &= lookup.king[king];
    return squares;
}

static Move mate_by_drop(const Position *pos, Bitboard flights)
{
    int us = pos->side;
    Bitboard occupied = pos_occupied(pos) ^ bb_of(pos->king[!us]);
    for (int kind = LANCE; kind < HAND_KIND_NB; kind++) { // a dropped pawn never mates lawfully
        if (!hand_count(pos->hand[us], kind))
            continue;
        for (Squares s = squares_of(promising_drops(pos, kind, flights)); squares_left(s);) {
            int to = squares_next(&s);
            Move move = move_make_drop(kind, to);
            if (!bb_exceeds(flights, attacks_of(us, kind, to, occupied | bb_of(to))) && mates(pos, move))
                return move;
        }
    }
    return MOVE_NONE;
}

Move pos_mate_in_one(const Position *pos)
{
    assert(!pos_in_check(pos));
    if (!pos_has_king(pos, !pos->side))
        return MOVE_NONE;
    Move list[MAX_MOVES], *end = gen_pseudo_checks(pos, list);
    Hand hand = pos->hand[pos->side];
    if (end == list && hand_count(hand, PAWN) * hand_one(PAWN) == hand)
        return MOVE_NONE;
    Bitboard flights = flights_of(pos);
    for (Move *move = list; move < end; move++)
        if (!leaves_flight(pos, flights, *move) && move_is_legal(pos, *move) && mates(pos, *move))
            return *move;
    return mate_by_drop(pos, flights);
}
