// SPDX-License-Identifier: GPL-3.0-or-later
// Opening books in the Polyglot format: entries of 16 bytes (key, move, weight, learning data; high byte
// first), sorted by key. A file that is no such book is refused when it is opened; an entry that is no legal
// move of its position is passed over. Books are written from counted moves (games/book_maker.h).
#include "polyglot.h"

#include <stdlib.h>

#include "bitboard.h"
#include "games/book_file.h"
#include "games/book_maker.h"
#include "polyglot_keys.h"

enum { ENTRY_BYTES = 16, WEIGHT_MAX = 0xFFFF };

// ---- the format ---------------------------------------------------------------------------------
u64 polyglot_key(const Position *pos, int pushed_file)
{
    u64 key = pos->side == WHITE ? POLYGLOT_KEYS[POLYGLOT_WHITE] : 0, occupied = pos_occupied(pos);
    while (occupied) {
        int sq = bits_pop(&occupied), piece = pos->board[sq];
        key ^= POLYGLOT_KEYS[64 * (2 * (piece_kind(piece) - PAWN) + (piece_side(piece) == WHITE)) + sq];
    }
    for (int i = 0; i < 4; i++)
        if (pos->castling & 1 << i)
            key ^= POLYGLOT_KEYS[POLYGLOT_CASTLING + i];
    if (pushed_file >= 0) {
        int target = sq_relative(pos->side, sq_make(pushed_file, 5));
        if (attacks_pawn(!pos->side, target) & pos_pieces(pos, pos->side, PAWN))
            key ^= POLYGLOT_KEYS[POLYGLOT_EN_PASSANT + pushed_file];
    }
    return key;
}

// Castling is the king taking its rook in the format too, so no plain move can be mistaken for it.
static u16 move_code(Move move)
{
    int promotion = move_is_promotion(move) ? move_promotion_kind(move) - KNIGHT + 1 : 0;
    return (u16)(move_to(move) | move_from(move) << 6 | promotion << 12);
}

static u64 read_big(const u8 *at, int bytes)
{
    u64 value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

static void write_big(u8 *at, int bytes, u64 value)
{
    for (int i = bytes - 1; i >= 0; i--, value >>= 8)
        at[i] = (u8)value;
}

// ---- reading ------------------------------------------------------------------------------------
static size_t entry_nb(const Book *book) { return book->size / ENTRY_BYTES; }

static u64 entry_key(const Book *book, size_t index)
{
    return read_big(book->bytes + index * ENTRY_BYTES, 8);
}

bool book_check(const Book *book, const char *path, Message *message)
{
    if (book->size % ENTRY_BYTES != 0)
        return message_set(message, "book '%s': %zu bytes are no whole number of 16-byte entries", path,
                           book->size);
    for (size_t i = 1; i < entry_nb(book); i++)
        if (entry_key(book, i - 1) > entry_key(book, i))
            return message_set(message, "book '%s': not sorted at entry %zu, so not a Polyglot book", path,
                               i + 1);
    return true;
}

// Adds the playable moves stored under one key, in the order of weight; how many there are then.
static int add_moves(const Book *book, u64 key, const Position *pos, BookMove *out, int nb)
{
    size_t low = 0, high = entry_nb(book);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entry_key(book, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    for (size_t i = low; i < entry_nb(book) && entry_key(book, i) == key && nb < BOOK_MOVES_MAX; i++) {
        const u8 *entry = book->bytes + i * ENTRY_BYTES;
        u16 code = (u16)read_big(entry + 8, 2), weight = (u16)read_big(entry + 10, 2);
        Move *m = list;
        while (m < end && move_code(*m) != code)
            m++;
        bool skip = m == end || weight == 0;
        for (int j = 0; j < nb && !skip; j++)
            skip = out[j].move == *m;
        if (skip)
            continue;
        int at = nb++;
        for (; at > 0 && out[at - 1].weight < weight; at--)
            out[at] = out[at - 1];
        out[at] = (BookMove){.move = *m, .weight = weight};
    }
    return nb;
}

// Files on which a pawn may just have advanced two squares beside one of ours that is not allowed to capture
// it. The book may hold such a position under either key, and it is the same position by the rules.
static int pushed_files(const Position *pos, int out[8])
{
    int nb = 0;
    for (int file = 0; file < 8; file++) {
        int target = sq_relative(pos->side, sq_make(file, 5)),
            origin = sq_relative(pos->side, sq_make(file, 6));
        u64 pawns = attacks_pawn(!pos->side, target) & pos_pieces(pos, pos->side, PAWN);
        bool pushed = pos->board[target ^ 8] == piece_make(!pos->side, PAWN) && !pos->board[target] &&
                      !pos->board[origin];
        bool legal = false;
        for (u64 rest = pawns; pushed && rest;)
            legal |= pos_en_passant_is_legal(pos, bits_pop(&rest), target);
        if (pushed && pawns && !legal)
            out[nb++] = file;
    }
    return nb;
}

int book_probe(const Book *book, const Position *pos, BookMove out[BOOK_MOVES_MAX])
{
    if (!book)
        return 0;
    int file = pos->en_passant < SQUARE_NB ? sq_file(pos->en_passant) : -1, files[8];
    int nb = add_moves(book, polyglot_key(pos, file), pos, out, 0);
    if (file >= 0)
        return nb;
    int file_nb = pushed_files(pos, files);
    for (int i = 0; i < file_nb; i++)
        nb = add_moves(book, polyglot_key(pos, files[i]), pos, out, nb);
    return nb;
}

// ---- making -------------------------------------------------------------------------------------
bool book_count_init(BookCount *count, const Position *pos, Move last, Move move)
{
    int pushed_file = last == MOVE_NONE && pos->en_passant < SQUARE_NB ? sq_file(pos->en_passant) : -1;
    bool double_push = last != MOVE_NONE && piece_kind(pos->board[move_to(last)]) == PAWN &&
                       move_type(last) == MOVE_NORMAL && abs(move_to(last) - move_from(last)) == 16;
    count->key = polyglot_key(pos, double_push ? sq_file(move_to(last)) : pushed_file);
    count->code = move_code(move);
    return true;
}

static int by_weight(const void *a, const void *b)
{
    const BookCount *x = a, *y = b;
    if (x->key != y->key)
        return (x->key > y->key) - (x->key < y->key);
    return x->points != y->points ? (x->points < y->points) - (x->points > y->points) : x->code - y->code;
}

void book_counts_print(BookCount *count, size_t nb, Text *out)
{
    u64 most = 1;
    qsort(count, nb, sizeof *count, by_weight);
    for (size_t i = 0; i < nb; i++) {
        u8 entry[ENTRY_BYTES] = {0};
        if (i == 0 || count[i].key != count[i - 1].key)
            most = count[i].points; // the first of its key has the most
        u64 weight = most > WEIGHT_MAX ? count[i].points * WEIGHT_MAX / most : count[i].points;
        write_big(entry, 8, count[i].key);
        write_big(entry + 8, 2, count[i].code);
        write_big(entry + 10, 2, weight ? weight : 1);
        text_add_bytes(out, entry, sizeof entry);
    }
}
