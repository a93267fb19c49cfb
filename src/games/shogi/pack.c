// SPDX-License-Identifier: GPL-3.0-or-later
// The packed position: 304 bits, lowest bit of each byte first. In order: occupied squares (81), side to move
// (1), plies played (16), men in hands (6), then for each man on the board, by square, kind and side (4 + 1),
// then for each man in a hand, Black's first and by kind, kind and side (3 + 1). 40 men at 5 bits are the
// most there can be; the rest is zero. Each position has one packing, and unpacking refuses whatever packing
// would not have written.
#include "bitboard.h"

enum {
    PLY_BITS = 16,
    HAND_COUNT_BITS = 6,
    KIND_BITS = 4,
    HAND_KIND_BITS = 3,
    MEN_MAX = 40,
};
static_assert(SQUARE_NB + 1 + PLY_BITS + HAND_COUNT_BITS + MEN_MAX * (KIND_BITS + 1) == PACKED_BYTES * 8,
              "the packing fits");

typedef struct BitWriter {
    u8 *bytes;
    int at;
} BitWriter;

static void write_bits(BitWriter *writer, unsigned value, int width)
{
    for (int i = 0; i < width; i++, writer->at++)
        writer->bytes[writer->at >> 3] |= (u8)((value >> i & 1) << (writer->at & 7));
}

typedef struct BitReader {
    const u8 *bytes;
    int at;
} BitReader;

static int read_bits(BitReader *reader, int width)
{
    int value = 0;
    for (int i = 0; i < width; i++, reader->at++)
        value |= (reader->bytes[reader->at >> 3] >> (reader->at & 7) & 1) << i;
    return value;
}

static int hand_total(const Position *pos)
{
    int total = 0;
    for (int side = 0; side < SIDE_NB; side++)
        for (int kind = PAWN; kind < HAND_KIND_NB; kind++)
            total += hand_count(pos->hand[side], kind);
    return total;
}

bool pos_pack(const Position *pos, u8 *out)
{
    memset(out, 0, PACKED_BYTES);
    BitWriter writer = {out, 0};
    for (int sq = 0; sq < SQUARE_NB; sq++)
        write_bits(&writer, pos->board[sq] != 0, 1);
    write_bits(&writer, pos->side, 1);
    write_bits(&writer, pos->game_ply, PLY_BITS);
    write_bits(&writer, (unsigned)hand_total(pos), HAND_COUNT_BITS);
    for (int sq = 0; sq < SQUARE_NB; sq++)
        if (pos->board[sq])
            write_bits(&writer, pos->board[sq], KIND_BITS + 1);
    for (int side = 0; side < SIDE_NB; side++)
        for (int kind = PAWN; kind < HAND_KIND_NB; kind++)
            for (int i = 0; i < hand_count(pos->hand[side], kind); i++)
                write_bits(&writer, (unsigned)(kind | side << HAND_KIND_BITS), HAND_KIND_BITS + 1);
    return true;
}

// The men on the squares that the bits name, and the hands.
static bool unpack_men(Position *pos, BitReader *reader, const bool *occupied, int hand_nb)
{
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        if (!occupied[sq])
            continue;
        int piece = read_bits(reader, KIND_BITS + 1), kind = piece_kind(piece);
        if (kind == NO_KIND || kind >= KIND_NB || (kind == KING && pos_has_king(pos, piece_side(piece))))
            return false;
        pos_put(pos, piece, sq);
    }
    for (int i = 0, last = 0; i < hand_nb; i++) {
        int code = read_bits(reader, HAND_KIND_BITS + 1), kind = code & 7, side = code >> HAND_KIND_BITS;
        if (kind == NO_KIND || code < last || hand_count(pos->hand[side], kind) >= kind_set_count(kind))
            return false;
        pos->hand[side] += hand_one(kind);
        last = code;
    }
    return true;
}

bool pos_unpack(Position *pos, const u8 *in, const Rules *rules)
{
    Position result;
    pos_clear(&result);
    BitReader reader = {in, 0};
    bool occupied[SQUARE_NB];
    int men = 0;
    for (int sq = 0; sq < SQUARE_NB; sq++)
        men += occupied[sq] = read_bits(&reader, 1);
    result.side = (u8)read_bits(&reader, 1);
    result.game_ply = (u16)read_bits(&reader, PLY_BITS);
    int hand_nb = read_bits(&reader, HAND_COUNT_BITS);
    if (men + hand_nb > MEN_MAX || !unpack_men(&result, &reader, occupied, hand_nb))
        return false;
    while (reader.at < PACKED_BYTES * 8)
        if (read_bits(&reader, 1))
            return false;
    result.rules = *rules;
    if (!pos_check_set_up(&result, NULL))
        return false;
    pos_refresh(&result);
    *pos = result;
    return true;
}
