// SPDX-License-Identifier: GPL-3.0-or-later
// The Syzygy file format, for up to seven men: the number of a position and the value stored under it. A file
// holds one or more sub-tables (by side to move, and by the file of the leading pawn); each is a sequence of
// values, one for each index of a position, compressed by recursive pairing (a symbol stands for two others,
// down to values) and canonical Huffman codes, cut into blocks of equal size. syzygy_open.c has checked
// everything that a lookup follows; what can only be seen while decoding (a symbol out of range, a block that
// is not there) makes the lookup answer "damaged", and a file that has been cut short since makes it answer
// "lost".
#include "bitboard.h"
#include "syzygy_table.h"

// ---- maps ---------------------------------------------------------------------------------------
static int off_diagonal(int sq) { return sq_rank(sq) - sq_file(sq); }

static void init_kings(SyzygyMaps *maps)
{
    int code = 0, diagonal_nb = 0;
    u8 diagonal[64][2];
    // In the order of the triangle's numbers; the pairs with both kings on the diagonal come last.
    for (int number = 0; number < 10; number++) {
        for (int first = 0; first < 32; first++) {
            if (sq_file(first) > 3 || off_diagonal(first) > 0 || maps->triangle[first] != number)
                continue;
            for (int second = 0; second < SQUARE_NB; second++) {
                if ((attacks_king(first) | sq_bit(first)) & sq_bit(second))
                    continue;
                if (off_diagonal(first) != 0 || off_diagonal(second) < 0)
                    maps->kings[number][second] = (u16)code++;
                else if (off_diagonal(second) == 0)
                    diagonal[diagonal_nb][0] = (u8)number, diagonal[diagonal_nb++][1] = (u8)second;
            }
        }
    }
    for (int i = 0; i < diagonal_nb; i++)
        maps->kings[diagonal[i][0]][diagonal[i][1]] = (u16)code++;
    assert(code == KINGS_NB);
}

static void init_pawns(SyzygyMaps *maps)
{
    int free_squares = 47; // for other pawns, when the leading one is on a2
    for (int file = 0; file < 4; file++)
        for (int rank = 1; rank < 7; rank++) {
            maps->pawn[sq_make(file, rank)] = (u8)free_squares--;
            maps->pawn[sq_make(7 - file, rank)] = (u8)free_squares--;
        }
    for (int pawns = 1; pawns < SYZYGY_MEN_MAX - 1; pawns++)
        for (int file = 0; file < 4; file++) {
            u64 index = 0;
            for (int rank = 1; rank < 7; rank++) {
                int sq = sq_make(file, rank);
                maps->lead_pawns[pawns][sq] = index;
                index += maps->binomial[pawns - 1][maps->pawn[sq]];
            }
            maps->lead_pawns_nb[pawns][file] = index;
        }
}

void syzygy_maps_init(SyzygyMaps *maps)
{
    memset(maps, 0, sizeof *maps);
    for (int n = 0; n < SQUARE_NB; n++)
        for (int k = 0; k < SYZYGY_MEN_MAX; k++)
            maps->binomial[k][n] = k == 0   ? 1
                                   : n == 0 ? 0
                                            : maps->binomial[k - 1][n - 1] + maps->binomial[k][n - 1];
    int below = 0, triangle = 0;
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        if (off_diagonal(sq) < 0)
            maps->below_diagonal[sq] = (u8)below++;
        if (off_diagonal(sq) < 0 && sq_file(sq) < 4)
            maps->triangle[sq] = (u8)triangle++;
    }
    for (int i = 0; i < 4; i++)
        maps->triangle[sq_make(i, i)] = (u8)triangle++;
    init_kings(maps);
    init_pawns(maps);
}

Material material_of(const Position *pos)
{
    Material material = 0;
    for (int side = WHITE; side <= BLACK; side++)
        for (int kind = PAWN; kind <= QUEEN; kind++)
            material += (u64)bits_count(pos_pieces(pos, side, kind)) * material_one(side, kind);
    return material;
}

// ---- the index of a position --------------------------------------------------------------------
// The men as the table sees them: squares and pieces in the order of the sub-table.
typedef struct Men {
    int sq[SYZYGY_MEN_MAX];
    u8 piece[SYZYGY_MEN_MAX];
    int nb;
} Men;

static void swap_men(Men *men, int a, int b)
{
    int sq = men->sq[a];
    u8 piece = men->piece[a];
    men->sq[a] = men->sq[b], men->piece[a] = men->piece[b];
    men->sq[b] = sq, men->piece[b] = piece;
}

// Sorts squares by a key, ascending; by the square itself without one.
static void sort_squares(int *sq, int nb, const u8 *key)
{
    for (int i = 1; i < nb; i++)
        for (int j = i; j > 0; j--) {
            int a = sq[j - 1], b = sq[j];
            if (key ? key[a] <= key[b] : a <= b)
                break;
            sq[j - 1] = b, sq[j] = a;
        }
}

// Takes the pawns of one side, the leading one (nearest the edge, then lowest) in front.
static void take_lead_pawns(Men *men, const Position *pos, int piece, int flip, const SyzygyMaps *maps)
{
    int own_piece = flip ? piece ^ 8 : piece, lead = 0;
    u64 pawns = pos_pieces(pos, piece_side(own_piece), PAWN);
    while (pawns) {
        men->sq[men->nb] = bits_pop(&pawns) ^ flip;
        men->piece[men->nb++] = (u8)piece;
    }
    for (int i = 1; i < men->nb; i++)
        if (maps->pawn[men->sq[i]] > maps->pawn[men->sq[lead]])
            lead = i;
    swap_men(men, 0, lead);
}

static void take_others(Men *men, const Position *pos, int flip, const Pairs *pairs)
{
    int first = men->nb, lead_piece = first ? men->piece[0] : 0;
    u64 occupied = pos_occupied(pos);
    while (occupied) {
        int sq = bits_pop(&occupied), piece = flip ? pos->board[sq] ^ 8 : pos->board[sq];
        if (piece == lead_piece)
            continue;
        men->sq[men->nb] = sq ^ flip;
        men->piece[men->nb++] = (u8)piece;
    }
    for (int i = first; i < men->nb; i++)
        for (int j = i; j < men->nb; j++)
            if (men->piece[j] == pairs->piece[i]) {
                swap_men(men, i, j);
                break;
            }
}

static void mirror_men(Men *men, int from, int mask)
{
    for (int i = from; i < men->nb; i++)
        men->sq[i] ^= mask;
}

// Without pawns the board has eight symmetries: the leading man goes to a1-d1-d4, and the first man of the
// leading group that is not on the diagonal goes below it.
static void fold_board(Men *men, int group_len)
{
    if (sq_rank(men->sq[0]) > 3)
        mirror_men(men, 0, 56);
    for (int i = 0; i < group_len; i++) {
        int off = off_diagonal(men->sq[i]);
        if (off == 0)
            continue;
        for (int j = i; off > 0 && j < men->nb; j++)
            men->sq[j] = sq_make(sq_rank(men->sq[j]), sq_file(men->sq[j]));
        return;
    }
}

// Three different men: the first in the triangle, the others on the squares that are left, counted by how
// many of them lie on the diagonal.
static u64 index_three(const int *sq, const SyzygyMaps *maps)
{
    enum { ONE_OFF = 6 * 63 * 62, TWO_OFF = ONE_OFF + 4 * 28 * 62, THREE_OFF = TWO_OFF + 4 * 7 * 28 };
    int second = sq[1] - (sq[1] > sq[0]), third = sq[2] - (sq[2] > sq[0]) - (sq[2] > sq[1]);
    int rank[3] = {sq_rank(sq[0]), sq_rank(sq[1]) - (sq[1] > sq[0]),
                   sq_rank(sq[2]) - (sq[2] > sq[0]) - (sq[2] > sq[1])};
    if (off_diagonal(sq[0]))
        return (u64)((maps->triangle[sq[0]] * 63 + second) * 62 + third);
    if (off_diagonal(sq[1]))
        return (u64)(ONE_OFF + (rank[0] * 28 + maps->below_diagonal[sq[1]]) * 62 + third);
    if (off_diagonal(sq[2]))
        return (u64)(TWO_OFF + rank[0] * 7 * 28 + rank[1] * 28 + maps->below_diagonal[sq[2]]);
    return (u64)(THREE_OFF + rank[0] * 7 * 6 + rank[1] * 6 + rank[2]);
}

static u64 index_lead(const SyzygyTable *table, const SyzygyMaps *maps, const Pairs *pairs, Men *men)
{
    int *sq = men->sq;
    if (sq_file(sq[0]) > 3)
        mirror_men(men, 0, 7);
    if (table->pawns[0] == 0) {
        fold_board(men, pairs->group_len[0]);
        return table->has_unique ? index_three(sq, maps) : maps->kings[maps->triangle[sq[0]]][sq[1]];
    }
    u64 index = maps->lead_pawns[table->pawns[0]][sq[0]];
    sort_squares(sq + 1, table->pawns[0] - 1, maps->pawn);
    for (int i = 1; i < table->pawns[0]; i++)
        index += maps->binomial[i][maps->pawn[sq[i]]];
    return index;
}

static u64 index_of(const SyzygyTable *table, const SyzygyMaps *maps, const Pairs *pairs, Men *men)
{
    u64 index = index_lead(table, maps, pairs, men) * pairs->group_step[0];
    int at = pairs->group_len[0];
    for (int group = 1; pairs->group_len[group]; group++) {
        int len = pairs->group_len[group], *sq = men->sq + at;
        int below =
            group == 1 && table->pawns[1] ? 8 : 0; // the other side's pawns never stand on the first rank
        u64 number = 0;
        sort_squares(sq, len, NULL);
        for (int i = 0; i < len; i++) {
            int taken = 0;
            for (int j = 0; j < at; j++)
                taken += men->sq[j] < sq[i];
            number += maps->binomial[i + 1][sq[i] - taken - below];
        }
        index += number * pairs->group_step[group];
        at += len;
    }
    return index;
}

// ---- decoding -----------------------------------------------------------------------------------
static u16 length_of(DiskView *view, const Pairs *pairs, u64 block)
{
    return syzygy_u16(disk_view_at(view, pairs->lengths + 2 * block, 2));
}

// The block that holds the index, and how many values of it come before; false when the lengths lead out of
// the table.
static bool find_block(DiskView *view, const Pairs *pairs, u64 index, u64 *block, i64 *offset)
{
    u64 span = 1ULL << pairs->span_shift;
    const u8 *entry =
        disk_view_at(view, pairs->sparse + (index >> pairs->span_shift) * SPARSE_BYTES, SPARSE_BYTES);
    *block = (u32)syzygy_u16(entry) | (u32)syzygy_u16(entry + 2) << 16;
    *offset = syzygy_u16(entry + 4) + (i64)(index & (span - 1)) - (i64)(span / 2);
    if (*block >= pairs->length_nb)
        return false;
    while (*offset < 0) {
        if (*block == 0)
            return false;
        *offset += length_of(view, pairs, --*block) + 1;
    }
    while (*offset > length_of(view, pairs, *block)) {
        *offset -= length_of(view, pairs, *block) + 1;
        if (++*block >= pairs->length_nb)
            return false;
    }
    return *block < pairs->block_nb;
}

// Four bytes of a block, the first highest; zeros past the block's end, where no code begins.
static u64 block_word(DiskView *view, size_t block, u64 size, u64 at)
{
    if (at + 4 > size)
        return 0; // sizes are powers of two, from eight on
    const u8 *bytes = disk_view_at(view, block + at, 4);
    return (u64)bytes[0] << 24 | (u64)bytes[1] << 16 | (u64)bytes[2] << 8 | bytes[3];
}

// The value at the index, -1 when the table is damaged.
static int decode(DiskView *view, const Pairs *pairs, u64 index)
{
    if (pairs->flags & FLAG_SINGLE)
        return pairs->single_value;
    u64 number, size = 1ULL << pairs->block_shift, at = 8;
    i64 offset;
    if (index >= pairs->index_nb || !find_block(view, pairs, index, &number, &offset))
        return -1;
    size_t block = pairs->blocks + (number << pairs->block_shift);
    u64 bits = block_word(view, block, size, 0) << 32 | block_word(view, block, size, 4);
    int bits_left = 64, symbol;
    for (;;) {
        int len = 0;
        while (bits < pairs->base[len])
            len++; // ends at the longest code, whose base is 0
        int code_bits = len + pairs->bits_min;
        u64 first = syzygy_u16(pairs->lowest + 2 * len), rank = (bits - pairs->base[len]) >> (64 - code_bits);
        if (first + rank >= (u64)pairs->symbol_nb)
            return -1;
        symbol = (int)(first + rank);
        if (offset < pairs->value_nb[symbol])
            break;
        offset -= pairs->value_nb[symbol];
        bits <<= code_bits;
        bits_left -= code_bits;
        if (bits_left <= 32) {
            bits |= block_word(view, block, size, at) << (32 - bits_left);
            bits_left += 32;
            at += 4;
        }
    }
    for (;;) {
        const u8 *node = pairs->tree + 3 * symbol;
        int left = (node[1] & 15) << 8 | node[0];
        if (pairs->value_nb[symbol] == 1)
            return left;
        bool go_left = offset < pairs->value_nb[left];
        offset -= go_left ? 0 : pairs->value_nb[left];
        symbol = go_left ? left : node[2] << 4 | node[1] >> 4;
    }
}

// A distance as stored: renumbered by a map for each result, in plies or in full moves.
static int distance_plies(const Pairs *pairs, int wdl, int value)
{
    static const u8 MAP_OF_RESULT[5] = {1, 3, 0, 2, 0};
    if (pairs->flags & FLAG_MAPPED) {
        int map = MAP_OF_RESULT[wdl + 2];
        if (value >= pairs->map[map].nb)
            return -1;
        const u8 *entry = pairs->map[map].entry;
        value = pairs->flags & FLAG_WIDE ? syzygy_u16(entry + 2 * value) : entry[value];
    }
    bool plies = wdl == 2    ? pairs->flags & FLAG_WIN_PLIES
                 : wdl == -2 ? pairs->flags & FLAG_LOSS_PLIES
                             : false;
    return (plies ? value : 2 * value) + 1;
}

SyzygyAnswer syzygy_lookup(const SyzygyTable *table, const SyzygyMaps *maps, const Position *pos, int wdl,
                           int *value)
{
    // The table has White as the stronger side, and White to move where both sides are equal.
    bool turn = table->symmetric ? pos->side == BLACK : material_of(pos) != table->material;
    int flip = turn ? 56 : 0, side = pos->side ^ turn, file = 0;
    Men men = {.nb = 0};
    if (table->pawns[0]) {
        take_lead_pawns(&men, pos, table->pairs[0][0].piece[0], flip, maps);
        file = min_int(sq_file(men.sq[0]), 7 - sq_file(men.sq[0]));
    }
    const Pairs *pairs = &table->pairs[table->side_nb == 2 ? side : 0][file];
    if (table->is_dtz && (pairs->flags & FLAG_BLACK) != side && !(table->symmetric && !table->pawns[0]))
        return SYZYGY_OTHER_SIDE;
    take_others(&men, pos, flip, pairs);
    DiskView view;
    disk_view_begin(&view, table->file);
    int stored = decode(&view, pairs, index_of(table, maps, pairs, &men));
    if (!disk_view_end(&view))
        return SYZYGY_LOST;
    if (stored >= 0)
        stored = table->is_dtz ? distance_plies(pairs, wdl, stored) : stored <= 4 ? stored : -1;
    *value = table->is_dtz ? stored : stored - 2;
    return stored < 0 ? SYZYGY_DAMAGED : SYZYGY_FOUND;
}
