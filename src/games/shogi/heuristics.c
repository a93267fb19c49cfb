// SPDX-License-Identifier: GPL-3.0-or-later
// What the search wants to hear about positions and moves besides the rules: activity, phase, and cheap
// guesses for ordering and extensions. Nothing here decides legality; all of it is the same for both sides,
// seen from each.
#include "bitboard.h"

// ---- positions ----------------------------------------------------------------------------------
int pos_phase(const Position *pos)
{
    enum { PER_MAN_IN_HAND = 16 }; // the game is decided when a good third of all men have changed hands
    int in_hand = 0;
    for (int side = 0; side < SIDE_NB; side++)
        for (int kind = PAWN; kind < HAND_KIND_NB; kind++)
            in_hand += hand_count(pos->hand[side], kind);
    return max_int(0, 256 - PER_MAN_IN_HAND * in_hand);
}

// Centipawns for one side: what its men attack, with more for what lies about either king.
static int activity_of(const Position *pos, int side)
{
    enum { SQUARE = 2, ZONE_SQUARE = 2, ENEMY_KING_SQUARE = 10, OWN_KING_SQUARE = 6 };
    Bitboard own = pos->boards.by_side[side], occupied = pos_occupied(pos), zone = zone_of(side);
    Bitboard enemy_king = lookup.king[pos->king[!side]], own_king = lookup.king[pos->king[side]];
    int score = 0;
    for (Squares s = squares_of(own & ~pos->boards.by_kind[KING]); squares_left(s);) {
        int sq = squares_next(&s);
        Bitboard attacks = attacks_of(side, piece_kind(pos->board[sq]), sq, occupied);
        score += SQUARE * bb_count(attacks) + ZONE_SQUARE * bb_count(attacks & zone) +
                 ENEMY_KING_SQUARE * bb_count(attacks & enemy_king) +
                 OWN_KING_SQUARE * bb_count(attacks & own_king);
    }
    return score;
}

int pos_activity(const Position *pos) { return activity_of(pos, pos->side) - activity_of(pos, !pos->side); }

// ---- moves --------------------------------------------------------------------------------------
int move_order_bonus(const Position *pos, Move move)
{
    enum { DROP_NEAR = 48, PER_STEP = 12, KING_STEP = 8 };
    int us = pos->side, to = move_to(move), kind = piece_kind(move_piece(pos, move));
    int king = pos->king[!us];
    if (kind == KING) // he keeps away from the front
        return KING_STEP * (sq_relative_rank(us, to) - sq_relative_rank(us, move_from(move)));
    if (king == SQUARE_NB)
        return 0;
    int distance = sq_distance(to, king);
    int prior = move_is_drop(move) ? DROP_NEAR - PER_STEP * distance
                                   : PER_STEP * (sq_distance(move_from(move), king) - distance);
    return clamp_int(prior, -100, 100);
}

bool move_is_advance(const Position *pos, Move move)
{
    // A pawn that stands before or in the zone without having promoted: it will on its next step.
    return piece_kind(move_piece(pos, move)) == PAWN && !move_is_promotion(move) &&
           sq_relative_rank(pos->side, move_to(move)) <= 3;
}

int move_danger(const Position *pos, Move move)
{
    const Bitboard occupied = pos_occupied(pos);
    return (!move_is_drop(move) && is_attacked(&pos->boards, !pos->side, move_from(move), occupied)) +
           2 * is_attacked(&pos->boards, !pos->side, move_to(move), occupied);
}

bool move_makes_threat(const Position *pos, Move move)
{
    int us = pos->side, to = move_to(move), from = move_from(move);
    int kind = piece_kind(move_piece(pos, move)) + (move_is_promotion(move) ? PROMOTED : 0);
    Bitboard occupied = pos_occupied(pos) | bb_of(to);
    if (!move_is_drop(move))
        occupied &= ~bb_of(from);
    Bitboard prey = attacks_of(us, kind, to, occupied) & pos->boards.by_side[!us] &
                    ~pos->boards.by_kind[KING] & ~bb_of(to);
    if (!move_is_drop(move)) // what it attacked before is no news
        prey &= ~attacks_of(us, piece_kind(pos->board[from]), from, pos_occupied(pos));
    for (Squares s = squares_of(prey); squares_left(s);) {
        int sq = squares_next(&s);
        if (kind_exchange_value(piece_kind(pos->board[sq])) > kind_exchange_value(kind) ||
            !is_attacked(&pos->boards, !us, sq, occupied))
            return true;
    }
    return false;
}
