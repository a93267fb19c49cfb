// SPDX-License-Identifier: GPL-3.0-or-later
// Static exchange evaluation: both sides capture on one square, cheapest piece first, and each may stop when
// it stands well. Sliders behind the pieces that left join in. A piece takes part only if that does not
// expose its king to a slider that still stands; a pawn that captures on the last rank becomes a queen; a
// king captures only when nobody can answer.
#include "bitboard.h"

// Is the piece on `from` held on its square by a slider against its king, for as long as the squares are
// occupied so?
static bool is_held(const Position *pos, int side, int from, int target, u64 occupied)
{
    int king = pos_king(pos, side);
    u64 line = line_through(king, from);
    if (!line || line & sq_bit(target))
        return false;
    u64 enemy = pos->by_side[!side] & occupied & ~sq_bit(target);
    u64 without = occupied & ~sq_bit(from);
    u64 sliders = boards.lines[0][king] & sq_bit(from)
                      ? attacks_bishop(king, without) & pos_diagonal_sliders(pos)
                      : attacks_rook(king, without) & pos_straight_sliders(pos);
    return sliders & line & enemy;
}

// The square of the least valuable piece among `attackers` that is free to capture; SQUARE_NB when there is
// none.
static int find_cheapest(const Position *pos, int side, int target, u64 occupied, u64 attackers)
{
    for (int kind = PAWN; kind <= QUEEN; kind++)
        for (u64 rest = attackers & pos->by_kind[kind]; rest;) {
            int from = bits_pop(&rest);
            if (!is_held(pos, side, from, target, occupied))
                return from;
        }
    u64 king = attackers & pos->by_kind[KING];
    return king ? bits_first(king) : SQUARE_NB;
}

bool see_ge(const Position *pos, Move move, int threshold)
{
    if (move_type(move) == MOVE_CASTLING)
        return threshold <= 0;
    int side = pos->side, from = move_from(move), target = move_to(move);
    const int promotion_gain = VALUE_QUEEN - VALUE_PAWN;

    // Invariant: `side` has just moved to the target and stands well (lead >= 0) if nobody captures there any
    // more.
    int lead = move_gain(pos, move) - threshold;
    if (lead < 0)
        return false;
    int victim =
        kind_value(move_is_promotion(move) ? move_promotion_kind(move) : piece_kind(pos->board[from]));
    bool last_rank = sq_bit(target) & (RANK_1 | RANK_8);
    if (lead >= victim + (last_rank ? promotion_gain : 0))
        return true;

    u64 occupied = (pos_occupied(pos) & ~sq_bit(from)) | sq_bit(target);
    if (move_type(move) == MOVE_EN_PASSANT)
        occupied &= ~sq_bit(target ^ 8);
    u64 diagonal = pos_diagonal_sliders(pos), straight = pos_straight_sliders(pos);
    u64 attackers = pos_attackers(pos, target, occupied);
    for (;;) {
        attackers &= occupied;
        int capturer = find_cheapest(pos, !side, target, occupied, attackers & pos->by_side[!side]);
        if (capturer == SQUARE_NB)
            break;
        int kind = piece_kind(pos->board[capturer]);
        if (kind == KING && attackers & pos->by_side[side])
            break;
        bool promotes = kind == PAWN && last_rank;
        int new_lead = victim + (promotes ? promotion_gain : 0) - lead - 1;
        if (new_lead < 0)
            break; // the capture does not turn the tables: `side` keeps what it has
        side ^= 1;
        lead = new_lead;
        victim = kind_value(promotes ? QUEEN : kind);
        occupied &= ~sq_bit(capturer);
        if (kind == PAWN || kind == BISHOP || kind == QUEEN)
            attackers |= attacks_bishop(target, occupied) & diagonal;
        if (kind == ROOK || kind == QUEEN)
            attackers |= attacks_rook(target, occupied) & straight;
    }
    return side == pos->side;
}
