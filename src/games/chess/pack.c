// SPDX-License-Identifier: GPL-3.0-or-later
// A position in 32 bytes, the same on every machine:
//   0-7    occupied squares, little-endian, a1 being bit 0
//   8-23   a nibble for each man in the order of the squares, low nibble first: the piece's number, or 7
//   (White) and
//          15 (Black) for a rook that may still castle; nibbles that are not needed are zero
//   24     side to move (bit 0), file of the en passant square plus one (bits 1-4)
//   25-26  half-move clock, 27-28 move number, little-endian; 29-31 zero
// Every position of at most 32 men fits. Unpacking believes nothing: what pos_pack could not have made is
// refused.
#include "bitboard.h"
#include "game.h"
#include "notation.h"

enum { CASTLE_ROOK = 7, MEN_MAX = 32 };
static_assert(PACKED_BYTES == 8 + MEN_MAX / 2 + 8, "the layout above");

static void put_u16(u8 *out, u16 value)
{
    out[0] = (u8)value;
    out[1] = (u8)(value >> 8);
}

static u16 get_u16(const u8 *in) { return (u16)(in[0] | in[1] << 8); }

static bool is_castle_rook(const Position *pos, int sq)
{
    for (int i = 0; i < 4; i++)
        if (pos->castling & 1 << i && pos->castle_rook[i] == sq)
            return true;
    return false;
}

bool pos_pack(const Position *pos, u8 *out)
{
    u64 occupied = pos_occupied(pos);
    if (bits_count(occupied) > MEN_MAX)
        return false;
    memset(out, 0, PACKED_BYTES);
    for (int i = 0; i < 8; i++)
        out[i] = (u8)(occupied >> 8 * i);
    for (int n = 0; occupied; n++) {
        int sq = bits_pop(&occupied), code = pos->board[sq];
        if (is_castle_rook(pos, sq))
            code = piece_side(code) * 8 + CASTLE_ROOK;
        out[8 + n / 2] |= (u8)(code << 4 * (n & 1));
    }
    int file = pos->en_passant < SQUARE_NB ? (pos->en_passant & 7) + 1 : 0;
    out[24] = (u8)(pos->side | file << 1);
    put_u16(out + 25, pos->rule50);
    put_u16(out + 27, pos->fullmove);
    return true;
}

// Puts the men on the board; *castle_rooks gets the rooks that may castle.
static bool unpack_board(Position *pos, const u8 *in, u64 *castle_rooks)
{
    u64 occupied = 0;
    for (int i = 0; i < 8; i++)
        occupied |= (u64)in[i] << 8 * i;
    int men = bits_count(occupied);
    if (men > MEN_MAX)
        return false;
    for (int n = 0; n < MEN_MAX; n++) {
        int code = in[8 + n / 2] >> 4 * (n & 1) & 15, side = code >> 3, kind = code & 7;
        if (n >= men) {
            if (code)
                return false;
            continue;
        }
        if (kind == NO_KIND)
            return false;
        int sq = bits_pop(&occupied);
        if (kind == CASTLE_ROOK)
            *castle_rooks |= 1ULL << sq;
        pos_put(pos, piece_make(side, kind == CASTLE_ROOK ? ROOK : kind), sq);
    }
    return true;
}

static bool unpack_castling(Position *pos, u64 rooks)
{
    while (rooks) {
        int rook = bits_pop(&rooks), side = piece_side(pos->board[rook]), king = pos_king(pos, side);
        int index = castle_index(side, rook < king);
        if (sq_relative_rank(side, rook) != 0 || sq_rank(king) != sq_rank(rook) || pos->castling & 1 << index)
            return false;
        pos->castling |= (u8)(1 << index);
        pos->castle_rook[index] = (u8)rook;
    }
    return true;
}

bool pos_unpack(Position *pos, const u8 *in, const Rules *rules)
{
    Position scratch;
    pos_clear(&scratch);
    scratch.rules = *rules;
    scratch.side = in[24] & 1;
    u64 castle_rooks = 0;
    int file = (in[24] >> 1) - 1;
    if (file > 7 || in[29] || in[30] || in[31] || !unpack_board(&scratch, in, &castle_rooks) ||
        !pos_check_board(&scratch, NULL) || !unpack_castling(&scratch, castle_rooks))
        return false;
    if (file >= 0) {
        int target = (scratch.side == WHITE ? 40 : 16) + file;
        if (!en_passant_is_legal(&scratch, target))
            return false;
        scratch.en_passant = (u8)target;
    }
    scratch.rule50 = get_u16(in + 25);
    scratch.fullmove = get_u16(in + 27);
    if (scratch.fullmove == 0)
        return false;
    pos_refresh(&scratch);
    *pos = scratch;
    return true;
}
