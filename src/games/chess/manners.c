// SPDX-License-Identifier: GPL-3.0-or-later
// What a person sees of a move at a glance, and likes about it: for levels that play below full strength.
#include "bitboard.h"

// The check of a man that does not move: its line is opened.
static bool discovers_check(const Position *pos, Move move)
{
    if (move_type(move) == MOVE_CASTLING || !move_gives_check(pos, move))
        return false;
    const int us = pos->side, from = move_from(move), to = move_to(move);
    const int kind = move_is_promotion(move) ? move_promotion_kind(move) : piece_kind(pos->board[from]);
    const u64 occupied = (pos_occupied(pos) & ~sq_bit(from)) | sq_bit(to);
    return !(attacks_of(us, kind, to, occupied) & sq_bit(pos_king(pos, !us)));
}

static int steps(int from, int to)
{
    const int files = sq_file(from) - sq_file(to), ranks = sq_rank(from) - sq_rank(to);
    return max_int(files < 0 ? -files : files, ranks < 0 ? -ranks : ranks);
}

// Does the knight attack two better men from there?
static bool is_fork(const Position *pos, int to)
{
    const u64 better =
        pos->by_side[!pos->side] & (pos->by_kind[ROOK] | pos->by_kind[QUEEN] | pos->by_kind[KING]);
    return bits_many(attacks_knight(to) & better);
}

int move_obscurity(const Position *pos, Move move)
{
    enum {
        TAKES = 12,
        QUIET = 34,
        CASTLES = 15,
        BACKWARD = 22,
        LONG_DIAGONAL = 18,
        LONG_LINE = 8,
        LONG = 4,
        KNIGHT_MOVE = 8,
        FORK = 15,
        CHECK = -12,
        DISCOVERS = 35,
        ON_THE_WAY = 30,
        PROMOTES = -10
    };
    const int us = pos->side, from = move_from(move), to = move_to(move);
    const int kind = piece_kind(pos->board[from]);
    if (move_type(move) == MOVE_CASTLING)
        return CASTLES;
    int obscurity = move_captured(pos, move) ? TAKES : QUIET;
    if (move_type(move) == MOVE_EN_PASSANT)
        obscurity += ON_THE_WAY;
    if (kind == KNIGHT)
        obscurity += KNIGHT_MOVE + (is_fork(pos, to) ? FORK : 0);
    else if (steps(from, to) >= LONG)
        obscurity += sq_file(from) == sq_file(to) || sq_rank(from) == sq_rank(to) ? LONG_LINE : LONG_DIAGONAL;
    if (sq_relative_rank(us, to) < sq_relative_rank(us, from))
        obscurity += BACKWARD;
    if (move_gives_check(pos, move))
        obscurity += discovers_check(pos, move) ? DISCOVERS : CHECK;
    return clamp_int(move_is_promotion(move) ? obscurity + PROMOTES : obscurity, 3, 100);
}

int move_manner(const Position *pos, Move move, u64 lot)
{
    enum {
        OPENING_PLIES = 40,
        CASTLES = 60,
        KING_STAYS = -50,
        COMES_OUT = 30,
        FAVOURITE = 15,
        AGAIN = -15,
        EARLY_QUEEN = -25,
        EARLY_ROOK = -15,
        EDGE_PAWN = -18,
        CENTRE_PAWN = 20
    };
    const int us = pos->side, from = move_from(move), rank = sq_relative_rank(us, from);
    const int kind = piece_kind(pos->board[from]), file = sq_file(from);
    if (pos_game_ply(pos) > OPENING_PLIES || move_is_noisy(pos, move))
        return 0;
    if (move_type(move) == MOVE_CASTLING)
        return CASTLES;
    const bool can_castle = pos->castling & (us == WHITE ? CASTLE_WHITE_SHORT | CASTLE_WHITE_LONG
                                                         : CASTLE_BLACK_SHORT | CASTLE_BLACK_LONG);
    switch (kind) {
    case KING: return can_castle ? KING_STAYS : 0;
    case KNIGHT:
    case BISHOP: return rank > 0 ? AGAIN : COMES_OUT + (lot % 2 == (kind == KNIGHT) ? FAVOURITE : 0);
    case ROOK: return can_castle ? EARLY_ROOK : 0;
    case QUEEN: return rank == 0 ? EARLY_QUEEN : AGAIN;
    case PAWN: return file == 0 || file == 7 ? EDGE_PAWN : file == 3 || file == 4 ? CENTRE_PAWN : 0;
    default: return 0;
    }
}
