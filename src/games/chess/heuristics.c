// SPDX-License-Identifier: GPL-3.0-or-later
// What the search wants to hear about positions and moves besides the rules: values, activity, and cheap
// guesses for ordering and extensions. Nothing here decides legality; all of it is the same for both sides,
// seen from each.
#include "bitboard.h"

// ---- positions ----------------------------------------------------------------------------------
int pos_material(const Position *pos) { return pos->side == WHITE ? pos->material : -pos->material; }

int pos_phase(const Position *pos)
{
    enum { MINOR = 1, MAJOR = 2, QUEEN_PHASE = 4, FULL = 2 * (4 * MINOR + 2 * MAJOR + QUEEN_PHASE) };
    int left = MINOR * bits_count(pos->by_kind[KNIGHT] | pos->by_kind[BISHOP]) +
               MAJOR * bits_count(pos->by_kind[ROOK]) + QUEEN_PHASE * bits_count(pos->by_kind[QUEEN]);
    return min_int(256, left * 256 / FULL);
}

// No enemy pawn ahead on its own or the neighbouring files.
static bool is_passed(const Position *pos, int side, int sq)
{
    u64 file = file_bits(sq_file(sq)), rank = rank_bits(sq_rank(sq));
    u64 files = file | ((file & ~FILE_A) >> 1) | ((file & ~FILE_H) << 1);
    u64 ahead = side == WHITE ? ~(rank | (rank - 1)) : (rank & -rank) - 1;
    return !(files & ahead & pos_pieces(pos, !side, PAWN));
}

// Centipawns for one side: squares its pieces can go to without being taken by a pawn, and how far its pawns
// have come.
static int activity_of(const Position *pos, int side)
{
    enum {
        KNIGHT_SQUARE = 4,
        BISHOP_SQUARE = 3,
        ROOK_SQUARE = 2,
        QUEEN_SQUARE = 1,
        KING_SQUARE = 2,
        STEP = 2,
        PASSED_STEP = 8
    };
    u64 own = pos->by_side[side], occupied = pos_occupied(pos);
    u64 safe = ~own & ~pawns_attack(!side, pos_pieces(pos, !side, PAWN));
    int score = 0;
    for (u64 rest = own & pos->by_kind[KNIGHT]; rest;)
        score += KNIGHT_SQUARE * bits_count(attacks_knight(bits_pop(&rest)) & safe);
    for (u64 rest = own & pos->by_kind[BISHOP]; rest;)
        score += BISHOP_SQUARE * bits_count(attacks_bishop(bits_pop(&rest), occupied) & safe);
    for (u64 rest = own & pos->by_kind[ROOK]; rest;)
        score += ROOK_SQUARE * bits_count(attacks_rook(bits_pop(&rest), occupied) & safe);
    for (u64 rest = own & pos->by_kind[QUEEN]; rest;)
        score += QUEEN_SQUARE * bits_count(attacks_queen(bits_pop(&rest), occupied) & safe);
    score += KING_SQUARE *
             bits_count(attacks_king(pos_king(pos, side)) & safe & ~attacks_king(pos_king(pos, !side)));
    for (u64 rest = own & pos->by_kind[PAWN]; rest;) {
        int sq = bits_pop(&rest), steps = sq_relative_rank(side, sq) - 1;
        score += steps * (is_passed(pos, side, sq) ? PASSED_STEP : STEP);
    }
    return score;
}

int pos_activity(const Position *pos) { return activity_of(pos, pos->side) - activity_of(pos, !pos->side); }

// ---- moves --------------------------------------------------------------------------------------
int move_captured(const Position *pos, Move move)
{
    switch (move_type(move)) {
    case MOVE_CASTLING: return NO_KIND;
    case MOVE_EN_PASSANT: return PAWN;
    default: return piece_kind(pos->board[move_to(move)]);
    }
}

int move_gain(const Position *pos, Move move)
{
    int gain = kind_value(move_captured(pos, move));
    return move_is_promotion(move) ? gain + kind_value(move_promotion_kind(move)) - VALUE_PAWN : gain;
}

int move_risk(const Position *pos, Move move) { return kind_value(piece_kind(move_piece(pos, move))); }

int move_stake(const Position *pos, Move move)
{
    if (move_type(move) == MOVE_CASTLING)
        return 0;
    const int stake = kind_value(move_is_promotion(move) ? move_promotion_kind(move)
                                                         : piece_kind(pos->board[move_from(move)]));
    // A pawn that takes back there promotes.
    return sq_bit(move_to(move)) & (RANK_1 | RANK_8) ? stake + VALUE_QUEEN - VALUE_PAWN : stake;
}

// 0 in a corner, 6 in the middle.
static int centrality(int sq)
{
    int file = sq_file(sq), rank = sq_rank(sq);
    return min_int(file, 7 - file) + min_int(rank, 7 - rank);
}

int move_order_bonus(const Position *pos, Move move)
{
    enum { CASTLING = 60, INTO_PAWN = -60, OUT_OF_PAWN = 40, KING_STEP = 10, PAWN_STEP = 4 };
    static const i8 CENTRE[KIND_NB] = {[PAWN] = 4, [KNIGHT] = 8, [BISHOP] = 5, [ROOK] = 1, [QUEEN] = 2};
    int us = pos->side, from = move_from(move), to = move_to(move), kind = piece_kind(pos->board[from]);
    if (move_type(move) == MOVE_CASTLING)
        return CASTLING;
    if (kind == KING) // he hides while there are queens, and walks when there are none
        return pos_pieces(pos, !us, QUEEN)
                   ? KING_STEP * (sq_relative_rank(us, from) - sq_relative_rank(us, to))
                   : KING_STEP * (centrality(to) - centrality(from));
    int prior = CENTRE[kind] * (centrality(to) - centrality(from));
    if (kind == PAWN)
        return prior + PAWN_STEP * sq_relative_rank(us, to);
    u64 pawns = pos_pieces(pos, !us, PAWN);
    if (attacks_pawn(us, to) & pawns)
        prior += INTO_PAWN;
    if (attacks_pawn(us, from) & pawns)
        prior += OUT_OF_PAWN;
    return clamp_int(prior, -100, 100);
}

bool move_is_advance(const Position *pos, Move move)
{
    int us = pos->side, to = move_to(move);
    return piece_kind(move_piece(pos, move)) == PAWN && sq_relative_rank(us, to) >= 5 &&
           is_passed(pos, us, to);
}

int move_danger(const Position *pos, Move move)
{
    const u64 occupied = pos_occupied(pos);
    return pos_attacked_by(pos, move_from(move), !pos->side, occupied) +
           2 * pos_attacked_by(pos, move_to(move), !pos->side, occupied);
}

bool move_makes_threat(const Position *pos, Move move)
{
    if (move_type(move) == MOVE_CASTLING)
        return false;
    int us = pos->side, from = move_from(move), to = move_to(move);
    int kind = move_is_promotion(move) ? move_promotion_kind(move) : piece_kind(pos->board[from]);
    u64 occupied = (pos_occupied(pos) & ~sq_bit(from)) | sq_bit(to);
    u64 targets = attacks_of(us, kind, to, occupied) & pos->by_side[!us] & ~pos->by_kind[KING];
    while (targets) {
        int sq = bits_pop(&targets);
        if (kind != KING && kind_value(piece_kind(pos->board[sq])) > kind_value(kind))
            return true;
        if (!pos_attacked_by(pos, sq, !us, occupied))
            return true;
    }
    return false;
}
