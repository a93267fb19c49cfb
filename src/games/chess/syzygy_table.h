// SPDX-License-Identifier: GPL-3.0-or-later
// A Syzygy table as it stands in memory: what syzygy_open.c makes of a file and syzygy.c looks values up by.
// The codes are copied out of the file; the values stay in it and are read in place. Private to these two
// files.
#ifndef TWOFOLD_CHESS_SYZYGY_TABLE_H
#define TWOFOLD_CHESS_SYZYGY_TABLE_H

#include <stdatomic.h>

#include "syzygy.h"

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
    u8 *lowest, *tree;              // the codes, and what each symbol stands for: copied from the file
    size_t sparse, lengths, blocks; // where the sparse index, the lengths of blocks and the blocks lie in it
    u64 base[CODE_BITS_MAX + 1];    // lowest code of each length, left-justified
    u16 *value_nb;                  // of each symbol: how many values it stands for
    struct {
        u8 *entry;
        int nb;
    } map[4]; // of a distance table: by result
} Pairs;

struct SyzygyTable {
    DiskFile *file;
    atomic_bool is_lost; // noticed, and counted
    atomic_bool is_told; // and named in a message
    Material material;
    int men;
    int pawns[2]; // of the leading side and of the other
    bool is_dtz, symmetric, has_unique;
    int file_nb, side_nb;
    Pairs pairs[2][4]; // [side to move][file of the leading pawn]
};

static inline u16 syzygy_u16(const u8 *at) { return (u16)(at[0] | at[1] << 8); }

#endif
