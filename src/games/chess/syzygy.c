// SPDX-License-Identifier: GPL-3.0-or-later
// The Syzygy file format, for up to seven men. A file holds one or more sub-tables (by side to move, and by
// the file of the leading pawn); each is a sequence of values, one for each index of a position, compressed
// by recursive pairing (a symbol stands for two others, down to values) and canonical Huffman codes, cut into
// blocks of equal size. Everything that a lookup will follow is checked when the file is opened; what can
// only be seen while decoding (a symbol out of range, a block that is not there) makes the lookup answer
// "damaged". No read ever leaves the mapping.
#include "syzygy.h"

#include <stdlib.h>

#include "bitboard.h"

enum {
    FLAG_BLACK = 1, // of a distance table: Black to move
    FLAG_MAPPED = 2,
    FLAG_WIN_PLIES = 4,
    FLAG_LOSS_PLIES = 8,
    FLAG_WIDE = 16,
    FLAG_SINGLE = 128,

    HEAD_SPLIT = 1, // the two sides have different material
    HEAD_PAWNS = 2,

    CODE_BITS_MAX = 32,
    SYMBOL_NONE = 0xFFF,
    SYMBOL_DEPTH_MAX = 256,
    SPARSE_BYTES = 6,
    FILE_UNIT = 64, // a file is so many times this, and a checksum
    CHECKSUM_BYTES = 16,
    UNIQUE_NB = 31332, // placements of three different men, and of two kings, up to symmetry
    KINGS_NB = 462,
};

// One sub-table.
typedef struct Pairs {
    u8 piece[SYZYGY_MEN_MAX];           // the order in which the index takes the men
    int group_len[SYZYGY_MEN_MAX + 1];  // men of one kind in a row; ends with 0
    u64 group_step[SYZYGY_MEN_MAX + 1]; // what one step of a group's number is worth in the index
    u64 index_nb;
    u8 flags, single_value, bits_min, bits_max;
    int block_shift, span_shift, symbol_nb;
    u64 sparse_nb, block_nb, length_nb;
    const u8 *lowest, *tree, *sparse, *lengths, *blocks;
    u64 base[CODE_BITS_MAX + 1]; // lowest code of each length, left-justified
    u16 *value_nb;               // of each symbol: how many values it stands for
    struct {
        const u8 *entry;
        int nb;
    } map[4]; // of a distance table: by result
} Pairs;

struct SyzygyTable {
    FileMap file;
    Material material;
    int men;
    int pawns[2]; // of the leading side and of the other
    bool is_dtz, symmetric, has_unique;
    int file_nb, side_nb;
    Pairs pairs[2][4]; // [side to move][file of the leading pawn]
};

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

// ---- opening ------------------------------------------------------------------------------------
// Reads forward through the mapping. Past its end everything is zero and `failed` is set.
typedef struct Cursor {
    const u8 *data;
    size_t size, at;
    bool failed;
} Cursor;

// The next bytes as they lie in the file; NULL when there are not so many.
static const u8 *take(Cursor *cursor, u64 bytes)
{
    if (cursor->failed || bytes > cursor->size - cursor->at) {
        cursor->failed = true;
        return NULL;
    }
    const u8 *at = cursor->data + cursor->at;
    cursor->at += bytes;
    return at;
}

static u32 take_number(Cursor *cursor, int bytes)
{
    const u8 *at = take(cursor, (u64)bytes);
    u32 value = 0;
    for (int i = 0; at && i < bytes; i++)
        value |= (u32)at[i] << 8 * i;
    return value;
}

static void align(Cursor *cursor, size_t to)
{
    size_t at = (cursor->at + to - 1) & ~(to - 1);
    if (at > cursor->size)
        cursor->failed = true;
    else
        cursor->at = at;
}

static u16 read_u16(const u8 *at) { return (u16)(at[0] | at[1] << 8); }

// The men of a sub-table must be the men of the table, pawns of the leading side first, then the other
// side's.
static bool check_men(const SyzygyTable *table, const Pairs *pairs)
{
    Material material = 0;
    int kings[SIDE_NB] = {0, 0};
    for (int i = 0; i < table->men; i++) {
        int piece = pairs->piece[i], kind = piece_kind(piece), side = piece_side(piece);
        if (kind < PAWN || kind > KING)
            return false;
        if (kind == KING)
            kings[side]++;
        else
            material += material_one(side, kind);
    }
    for (int i = 0; i < table->pawns[0] + table->pawns[1]; i++) {
        int like = pairs->piece[i < table->pawns[0] ? 0 : table->pawns[0]];
        if (piece_kind(pairs->piece[i]) != PAWN || pairs->piece[i] != like)
            return false;
    }
    return material == table->material && kings[WHITE] == 1 && kings[BLACK] == 1 &&
           (table->pawns[0] == 0 || pairs->piece[0] == table->pairs[0][0].piece[0]);
}

// Groups the men and computes each group's step in the index. `order` says when the leading group and (with
// pawns on both sides) the other side's pawns are counted; the other groups follow in their order.
static bool set_groups(const SyzygyTable *table, const SyzygyMaps *maps, Pairs *pairs, const int order[2],
                       int file)
{
    bool has_pawns = table->pawns[0] > 0, two_pawns = table->pawns[1] > 0;
    int lead = has_pawns ? 0 : table->has_unique ? 3 : 2, group = 0;
    pairs->group_len[0] = 1;
    for (int i = 1; i < table->men; i++) {
        if (--lead > 0 || pairs->piece[i] == pairs->piece[i - 1])
            pairs->group_len[group]++;
        else
            pairs->group_len[++group] = 1;
    }
    int group_nb = group + 1, next = two_pawns ? 2 : 1, placed = 0;
    int free_squares = 64 - pairs->group_len[0] - (two_pawns ? pairs->group_len[1] : 0);
    u64 index = 1;
    for (int k = 0; k < 16; k++) {
        if (k == order[0]) {
            pairs->group_step[0] = index;
            index *= has_pawns           ? maps->lead_pawns_nb[pairs->group_len[0]][file]
                     : table->has_unique ? UNIQUE_NB
                                         : KINGS_NB;
            placed++;
        } else if (two_pawns && k == order[1]) {
            pairs->group_step[1] = index;
            index *= maps->binomial[pairs->group_len[1]][48 - pairs->group_len[0]];
            placed++;
        } else if (next < group_nb) {
            pairs->group_step[next] = index;
            index *= maps->binomial[pairs->group_len[next]][free_squares];
            free_squares -= pairs->group_len[next++];
            placed++;
        }
    }
    pairs->index_nb = index;
    return placed == group_nb;
}

// How many values the symbol stands for; false for a symbol that holds itself or is absurdly deep.
static bool count_values(Pairs *pairs, int symbol, int depth)
{
    if (symbol >= pairs->symbol_nb || depth > SYMBOL_DEPTH_MAX)
        return false;
    if (pairs->value_nb[symbol])
        return true;
    const u8 *node = pairs->tree + 3 * symbol;
    int left = (node[1] & 15) << 8 | node[0], right = node[2] << 4 | node[1] >> 4;
    if (right == SYMBOL_NONE) {
        pairs->value_nb[symbol] = 1;
        return true;
    }
    if (!count_values(pairs, left, depth + 1) || !count_values(pairs, right, depth + 1))
        return false;
    int sum = pairs->value_nb[left] + pairs->value_nb[right];
    pairs->value_nb[symbol] = (u16)sum;
    return sum <= 0xFFFF;
}

// The lowest code of each length: codes of one length are consecutive, and longer codes come before shorter
// ones.
static bool set_codes(Pairs *pairs)
{
    int length_nb = pairs->bits_max - pairs->bits_min + 1;
    pairs->base[length_nb - 1] = 0;
    for (int i = length_nb - 2; i >= 0; i--) {
        u64 codes = pairs->base[i + 1] + read_u16(pairs->lowest + 2 * i);
        u64 below = read_u16(pairs->lowest + 2 * (i + 1));
        if (codes < below)
            return false;
        pairs->base[i] = (codes - below) / 2;
    }
    for (int i = 0; i < length_nb; i++)
        pairs->base[i] <<= 64 - i - pairs->bits_min;
    return true;
}

static bool read_sizes(Cursor *cursor, Pairs *pairs)
{
    pairs->flags = (u8)take_number(cursor, 1);
    if (pairs->flags & FLAG_SINGLE) {
        pairs->single_value = (u8)take_number(cursor, 1);
        return !cursor->failed;
    }
    pairs->block_shift = (int)take_number(cursor, 1);
    pairs->span_shift = (int)take_number(cursor, 1);
    u32 padding = take_number(cursor, 1);
    pairs->block_nb = take_number(cursor, 4);
    pairs->length_nb = pairs->block_nb + padding;
    pairs->bits_max = (u8)take_number(cursor, 1);
    pairs->bits_min = (u8)take_number(cursor, 1);
    if (cursor->failed || pairs->block_shift > 30 || pairs->block_shift < 3 || pairs->span_shift < 1 ||
        pairs->span_shift > 30 || pairs->bits_min < 1 || pairs->bits_min > pairs->bits_max ||
        pairs->bits_max > CODE_BITS_MAX)
        return false;
    pairs->sparse_nb = (pairs->index_nb + (1ULL << pairs->span_shift) - 1) >> pairs->span_shift;
    pairs->lowest = take(cursor, 2 * (u64)(pairs->bits_max - pairs->bits_min + 1));
    pairs->symbol_nb = (int)take_number(cursor, 2);
    pairs->tree = take(cursor, 3 * (u64)pairs->symbol_nb + (pairs->symbol_nb & 1));
    if (cursor->failed || pairs->symbol_nb < 1 || pairs->symbol_nb > SYMBOL_NONE || !set_codes(pairs))
        return false;
    pairs->value_nb = calloc((size_t)pairs->symbol_nb, sizeof *pairs->value_nb);
    if (!pairs->value_nb)
        return false;
    for (int symbol = 0; symbol < pairs->symbol_nb; symbol++)
        if (!count_values(pairs, symbol, 0))
            return false;
    return true;
}

static bool read_maps(Cursor *cursor, SyzygyTable *table)
{
    for (int file = 0; file < table->file_nb; file++) {
        Pairs *pairs = &table->pairs[0][file];
        int width = pairs->flags & FLAG_WIDE ? 2 : 1;
        if (!(pairs->flags & FLAG_MAPPED))
            continue;
        align(cursor, (size_t)width);
        for (int i = 0; i < 4; i++) {
            pairs->map[i].nb = (int)take_number(cursor, width);
            pairs->map[i].entry = take(cursor, (u64)(pairs->map[i].nb * width));
        }
    }
    align(cursor, 2);
    return !cursor->failed;
}

static bool read_head(Cursor *cursor, SyzygyTable *table, const SyzygyMaps *maps)
{
    u32 head = take_number(cursor, 1);
    bool two_pawns = table->pawns[1] > 0;
    if ((head & (HEAD_SPLIT | HEAD_PAWNS)) !=
        ((table->symmetric ? 0u : HEAD_SPLIT) | (table->pawns[0] ? HEAD_PAWNS : 0u)))
        return false;
    for (int file = 0; file < table->file_nb; file++) {
        u32 first = take_number(cursor, 1), second = two_pawns ? take_number(cursor, 1) : 0xFF;
        const u8 *men = take(cursor, (u64)table->men);
        if (!men)
            return false;
        for (int side = 0; side < table->side_nb; side++) {
            Pairs *pairs = &table->pairs[side][file];
            int order[2] = {(int)(first >> 4 * side & 15), (int)(second >> 4 * side & 15)};
            for (int i = 0; i < table->men; i++)
                pairs->piece[i] = men[i] >> 4 * side & 15;
            if (!check_men(table, pairs) || !set_groups(table, maps, pairs, order, file))
                return false;
        }
    }
    align(cursor, 2);
    return !cursor->failed;
}

// The parts lie one after the other, each for all sub-tables: sizes and codes, distance maps, sparse index,
// block lengths, blocks.
static const char *read_table(SyzygyTable *table, const SyzygyMaps *maps)
{
    static const u8 MAGIC[2][4] = {{0x71, 0xE8, 0x23, 0x5D}, {0xD7, 0x66, 0x0C, 0xA5}};
    Cursor cursor = {.data = table->file.data, .size = table->file.size};
    const u8 *magic = take(&cursor, 4);
    if (!magic || memcmp(magic, MAGIC[table->is_dtz], 4) != 0)
        return "not a Syzygy table of this kind";
    if (table->file.size % FILE_UNIT != CHECKSUM_BYTES)
        return "cut short";
    if (!read_head(&cursor, table, maps))
        return "its head does not fit its name";
    for (int file = 0; file < table->file_nb; file++)
        for (int side = 0; side < table->side_nb; side++)
            if (!read_sizes(&cursor, &table->pairs[side][file]))
                return cursor.failed ? "cut short" : "damaged code table";
    if (table->is_dtz && !read_maps(&cursor, table))
        return "cut short";
    for (int part = 0; part < 3; part++)
        for (int file = 0; file < table->file_nb; file++)
            for (int side = 0; side < table->side_nb; side++) {
                Pairs *pairs = &table->pairs[side][file];
                if (part == 0)
                    pairs->sparse = take(&cursor, pairs->sparse_nb * SPARSE_BYTES);
                if (part == 1)
                    pairs->lengths = take(&cursor, pairs->length_nb * 2);
                if (part == 2 && pairs->block_nb) {
                    align(&cursor, 64);
                    pairs->blocks = take(&cursor, pairs->block_nb << pairs->block_shift);
                }
            }
    return cursor.failed ? "cut short" : NULL;
}

static void set_material(SyzygyTable *table, Material material)
{
    table->material = material;
    table->symmetric = material == material_flip(material);
    table->men = 2;
    for (int side = WHITE; side <= BLACK; side++)
        for (int kind = PAWN; kind <= QUEEN; kind++) {
            table->men += material_count(material, side, kind);
            table->has_unique |= material_count(material, side, kind) == 1;
        }
    // With pawns on both sides, those of the side with fewer lead.
    int white = material_count(material, WHITE, PAWN), black = material_count(material, BLACK, PAWN);
    bool white_leads = !black || (white && black >= white);
    table->pawns[0] = white_leads ? white : black;
    table->pawns[1] = white_leads ? black : white;
    table->file_nb = table->pawns[0] ? 4 : 1;
    table->side_nb = table->is_dtz || table->symmetric ? 1 : 2;
}

SyzygyTable *syzygy_open(const char *path, Material material, bool is_dtz, const SyzygyMaps *maps,
                         Message *message)
{
    SyzygyTable *table = calloc(1, sizeof *table);
    if (!table) {
        message_set(message, "no memory");
        return NULL;
    }
    table->is_dtz = is_dtz;
    set_material(table, material);
    if (os_map_file(&table->file, path, message)) {
        const char *wrong = read_table(table, maps);
        if (!wrong)
            return table;
        message_set(message, "%s", wrong);
    }
    syzygy_close(table);
    return NULL;
}

void syzygy_close(SyzygyTable *table)
{
    if (!table)
        return;
    for (int side = 0; side < 2; side++)
        for (int file = 0; file < 4; file++)
            free(table->pairs[side][file].value_nb);
    os_unmap_file(&table->file);
    free(table);
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
// The block that holds the index, and how many values of it come before; false when the lengths lead out of
// the table.
static bool find_block(const Pairs *pairs, u64 index, u64 *block, i64 *offset)
{
    u64 span = 1ULL << pairs->span_shift;
    const u8 *entry = pairs->sparse + (index >> pairs->span_shift) * SPARSE_BYTES;
    *block = (u32)read_u16(entry) | (u32)read_u16(entry + 2) << 16;
    *offset = read_u16(entry + 4) + (i64)(index & (span - 1)) - (i64)(span / 2);
    if (*block >= pairs->length_nb)
        return false;
    while (*offset < 0) {
        if (*block == 0)
            return false;
        *offset += read_u16(pairs->lengths + 2 * --*block) + 1;
    }
    while (*offset > read_u16(pairs->lengths + 2 * *block)) {
        *offset -= read_u16(pairs->lengths + 2 * *block) + 1;
        if (++*block >= pairs->length_nb)
            return false;
    }
    return *block < pairs->block_nb;
}

// Four bytes of a block, the first highest; zeros past the block's end, where no code begins.
static u64 block_word(const u8 *block, u64 size, u64 at)
{
    u64 word = 0;
    for (int i = 0; i < 4; i++)
        word = word << 8 | (at + (u64)i < size ? block[at + (u64)i] : 0);
    return word;
}

// The value at the index, -1 when the table is damaged.
static int decode(const Pairs *pairs, u64 index)
{
    if (pairs->flags & FLAG_SINGLE)
        return pairs->single_value;
    u64 number, size = 1ULL << pairs->block_shift, at = 8;
    i64 offset;
    if (index >= pairs->index_nb || !find_block(pairs, index, &number, &offset))
        return -1;
    const u8 *block = pairs->blocks + (number << pairs->block_shift);
    u64 bits = block_word(block, size, 0) << 32 | block_word(block, size, 4);
    int bits_left = 64, symbol;
    for (;;) {
        int len = 0;
        while (bits < pairs->base[len])
            len++; // ends at the longest code, whose base is 0
        int code_bits = len + pairs->bits_min;
        u64 first = read_u16(pairs->lowest + 2 * len), rank = (bits - pairs->base[len]) >> (64 - code_bits);
        if (first + rank >= (u64)pairs->symbol_nb)
            return -1;
        symbol = (int)(first + rank);
        if (offset < pairs->value_nb[symbol])
            break;
        offset -= pairs->value_nb[symbol];
        bits <<= code_bits;
        bits_left -= code_bits;
        if (bits_left <= 32) {
            bits |= block_word(block, size, at) << (32 - bits_left);
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
        value = pairs->flags & FLAG_WIDE ? read_u16(entry + 2 * value) : entry[value];
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
    int stored = decode(pairs, index_of(table, maps, pairs, &men));
    if (stored >= 0)
        stored = table->is_dtz ? distance_plies(pairs, wdl, stored) : stored <= 4 ? stored : -1;
    *value = table->is_dtz ? stored : stored - 2;
    return stored < 0 ? SYZYGY_DAMAGED : SYZYGY_FOUND;
}
