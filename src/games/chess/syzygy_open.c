// SPDX-License-Identifier: GPL-3.0-or-later
// Opens a Syzygy table: reads its head and its codes and checks everything that a lookup will follow, so that
// no lookup can be led out of the file. A file that fails any check is refused with the reason.
#include <stdlib.h>

#include "syzygy_table.h"

// ---- reading forward ----------------------------------------------------------------------------
// Past the end everything is zero and `failed` is set.
typedef struct Cursor {
    DiskView *view;
    size_t size, at;
    bool failed;
} Cursor;

// Where the next bytes lie in the file; 0 when there are not so many.
static size_t take(Cursor *cursor, u64 bytes)
{
    if (cursor->failed || bytes > cursor->size - cursor->at) {
        cursor->failed = true;
        return 0;
    }
    size_t at = cursor->at;
    cursor->at += bytes;
    return at;
}

static bool take_bytes(Cursor *cursor, u64 bytes, u8 *out)
{
    size_t at = take(cursor, bytes);
    if (!cursor->failed)
        disk_view_copy(cursor->view, at, bytes, out);
    return !cursor->failed;
}

// The next bytes in memory of their own; NULL when there are not so many.
static u8 *take_copy(Cursor *cursor, u64 bytes)
{
    size_t at = take(cursor, bytes);
    u8 *copy = cursor->failed ? NULL : malloc(bytes ? bytes : 1);
    cursor->failed |= !copy;
    if (copy)
        disk_view_copy(cursor->view, at, bytes, copy);
    return copy;
}

static u32 take_number(Cursor *cursor, int bytes)
{
    u8 piece[4];
    u32 value = 0;
    bool taken = take_bytes(cursor, (u64)bytes, piece);
    for (int i = 0; taken && i < bytes; i++)
        value |= (u32)piece[i] << 8 * i;
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

// ---- the head -----------------------------------------------------------------------------------
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
        u64 codes = pairs->base[i + 1] + syzygy_u16(pairs->lowest + 2 * i);
        u64 below = syzygy_u16(pairs->lowest + 2 * (i + 1));
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
    pairs->lowest = take_copy(cursor, 2 * (u64)(pairs->bits_max - pairs->bits_min + 1));
    pairs->symbol_nb = (int)take_number(cursor, 2);
    pairs->tree = take_copy(cursor, 3 * (u64)pairs->symbol_nb + (pairs->symbol_nb & 1));
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
            pairs->map[i].entry = take_copy(cursor, (u64)(pairs->map[i].nb * width));
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
        u8 men[SYZYGY_MEN_MAX];
        if (!take_bytes(cursor, (u64)table->men, men))
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
static const char *read_table(Cursor *cursor, SyzygyTable *table, const SyzygyMaps *maps)
{
    static const u8 MAGIC[2][4] = {{0x71, 0xE8, 0x23, 0x5D}, {0xD7, 0x66, 0x0C, 0xA5}};
    u8 magic[4];
    if (!take_bytes(cursor, 4, magic) || memcmp(magic, MAGIC[table->is_dtz], 4) != 0)
        return "not a Syzygy table of this kind";
    if (cursor->size % FILE_UNIT != CHECKSUM_BYTES)
        return "cut short";
    if (!read_head(cursor, table, maps))
        return "its head does not fit its name";
    for (int file = 0; file < table->file_nb; file++)
        for (int side = 0; side < table->side_nb; side++)
            if (!read_sizes(cursor, &table->pairs[side][file]))
                return cursor->failed ? "cut short" : "damaged code table";
    if (table->is_dtz && !read_maps(cursor, table))
        return "cut short";
    for (int part = 0; part < 3; part++)
        for (int file = 0; file < table->file_nb; file++)
            for (int side = 0; side < table->side_nb; side++) {
                Pairs *pairs = &table->pairs[side][file];
                if (part == 0)
                    pairs->sparse = take(cursor, pairs->sparse_nb * SPARSE_BYTES);
                if (part == 1)
                    pairs->lengths = take(cursor, pairs->length_nb * 2);
                if (part == 2 && pairs->block_nb) {
                    align(cursor, 64);
                    pairs->blocks = take(cursor, pairs->block_nb << pairs->block_shift);
                }
            }
    return cursor->failed ? "cut short" : NULL;
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
    table->file = disk_open(path, message);
    if (table->file) {
        DiskView view;
        disk_view_begin(&view, table->file);
        Cursor cursor = {.view = &view, .size = disk_size(table->file)};
        const char *wrong = read_table(&cursor, table, maps);
        if (!disk_view_end(&view))
            wrong = "cut short while it was read";
        if (!wrong)
            return table;
        message_set(message, "%s", wrong);
    }
    syzygy_close(table);
    return NULL;
}

static void free_pairs(Pairs *pairs)
{
    free(pairs->value_nb);
    free(pairs->lowest);
    free(pairs->tree);
    for (int i = 0; i < 4; i++)
        free(pairs->map[i].entry);
}

void syzygy_close(SyzygyTable *table)
{
    if (!table)
        return;
    for (int side = 0; side < 2; side++)
        for (int file = 0; file < 4; file++)
            free_pairs(&table->pairs[side][file]);
    disk_close(table->file);
    free(table);
}

// ---- lost files ---------------------------------------------------------------------------------
bool syzygy_check(const SyzygyTable *table) { return disk_check(table->file); }

bool syzygy_mark_lost(SyzygyTable *table) { return !atomic_exchange(&table->is_lost, true); }

bool syzygy_tell_lost(SyzygyTable *table)
{
    return atomic_load(&table->is_lost) && !atomic_exchange(&table->is_told, true);
}
