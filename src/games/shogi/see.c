// SPDX-License-Identifier: GPL-3.0-or-later
// Static exchange: what the captures on one square come to, in the same points as pos_material. A capture
// takes a piece off the board and puts it, unpromoted, into a hand: it swings by both values. The first move
// may promote; later ones are counted without. X-rays open as pieces leave; a pinned piece joins only along
// its pin, while its pinner stands.
#include "bitboard.h"

int move_gain(const Position *pos, Move move)
{
    int gain = kind_exchange_value(move_captured(pos, move));
    if (move_is_promotion(move)) {
        int kind = piece_kind(pos->board[move_from(move)]);
        gain += kind_value(kind + PROMOTED) - kind_value(kind);
    }
    return gain;
}

int move_risk(const Position *pos, Move move)
{
    return kind_exchange_value(piece_kind(move_piece(pos, move)));
}

int move_stake(const Position *pos, Move move)
{
    return kind_exchange_value(piece_kind(move_piece(pos, move)) + (move_is_promotion(move) ? PROMOTED : 0));
}

// Pieces of that side that must not leave their line for the square.
static Bitboard held_back(const Position *pos, int side, int sq, Bitboard occupied)
{
    if (!bb_meet(pos->state.pinners[!side], occupied))
        return BB_NONE;
    int king = pos->king[side];
    return pos->state.blockers[side] & ~lookup.ray[direction_of(king, sq)][king];
}

// The slider that comes into view of the square when `from` is left.
static Bitboard uncovered(const Boards *boards, int sq, int from, Bitboard occupied)
{
    int direction = direction_of(sq, from);
    if (direction == NO_DIRECTION)
        return BB_NONE;
    Bitboard sliders = direction >= LEFT_UP ? bishops_of(boards) : rooks_of(boards);
    if (direction == UP) // a piece above comes down: a lance of White's
        sliders |= boards->by_kind[LANCE] & boards->by_side[WHITE];
    if (direction == DOWN)
        sliders |= boards->by_kind[LANCE] & boards->by_side[BLACK];
    sliders &= lookup.ray[direction][from] & occupied;
    Bitboard seen = BB_NONE;
    for (Squares s = squares_of(sliders); squares_left(s);) {
        int slider = squares_next(&s);
        if (!bb_meet(squares_between(slider, sq), occupied))
            seen |= bb_of(slider);
    }
    return seen;
}

// The cheapest of the attackers to lose.
static int cheapest(const Position *pos, Bitboard attackers)
{
    static const u8 ORDER[] = {
        PAWN,  LANCE, TOKIN,  KNIGHT, PROMOTED_LANCE, PROMOTED_KNIGHT, SILVER, PROMOTED_SILVER, GOLD, BISHOP,
        HORSE, ROOK,  DRAGON, KING};
    for (size_t i = 0; i < sizeof ORDER; i++) {
        Bitboard found = attackers & pos->boards.by_kind[ORDER[i]];
        if (bb_any(found))
            return bb_first(found);
    }
    return SQUARE_NB;
}

bool see_ge(const Position *pos, Move move, int threshold)
{
    int us = pos->side, to = move_to(move), from = move_from(move);
    int kind = piece_kind(move_piece(pos, move)) + (move_is_promotion(move) ? PROMOTED : 0);
    // `balance` is what the side whose turn it is still has to win to change the verdict.
    int balance = move_gain(pos, move) - threshold;
    if (balance < 0)
        return false;
    balance = kind_exchange_value(kind) - balance;
    if (balance <= 0)
        return true;

    const Boards *boards = &pos->boards;
    Bitboard occupied = pos_occupied(pos) | bb_of(to);
    if (!move_is_drop(move))
        occupied &= ~bb_of(from);
    Bitboard attackers =
        attackers_to(boards, BLACK, to, occupied) | attackers_to(boards, WHITE, to, occupied);
    int side = us;
    bool wins = true; // for the side that made the first move, if the exchange stopped here
    for (;;) {
        side = !side;
        attackers &= occupied;
        Bitboard own = attackers & boards->by_side[side] & ~held_back(pos, side, to, occupied);
        if (!bb_any(own))
            return wins;
        int taker = cheapest(pos, own), taker_kind = piece_kind(pos->board[taker]);
        // The king takes only what is not defended.
        if (taker_kind == KING)
            return bb_meet(attackers & boards->by_side[!side] & ~held_back(pos, !side, to, occupied), BB_ALL)
                       ? wins
                       : !wins;
        wins = !wins;
        balance = kind_exchange_value(taker_kind) - balance;
        if (balance < (wins ? 1 : 0))
            return wins;
        occupied &= ~bb_of(taker);
        attackers |= uncovered(boards, to, taker, occupied);
    }
}
