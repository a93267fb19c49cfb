// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the moves of games for a book. Invariant: no two counts of the merged array have the same key and
// code.
#include "games/book_maker.h"

#include <stdlib.h>

struct BookMaker {
    BookCount *count;
    size_t nb, capacity;
    bool failed;
};

BookMaker *book_maker_new(void) { return calloc(1, sizeof(BookMaker)); }

static int by_key(const void *a, const void *b)
{
    const BookCount *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : x->code - y->code;
}

// Sorts, and makes one of equal moves.
static void merge(BookMaker *maker)
{
    size_t kept = 0;
    if (maker->nb)
        qsort(maker->count, maker->nb, sizeof *maker->count, by_key);
    for (size_t i = 0; i < maker->nb; i++) {
        BookCount *last = kept ? &maker->count[kept - 1] : NULL, now = maker->count[i];
        if (!last || by_key(last, &now) != 0) {
            maker->count[kept++] = now;
            continue;
        }
        last->points += now.points;
        last->games += now.games;
        last->ply = (u16)min_int(last->ply, now.ply);
    }
    maker->nb = kept;
}

// When the array is full it is merged first; it grows only if that did not help much.
static bool make_room(BookMaker *maker)
{
    if (maker->nb < maker->capacity)
        return true;
    merge(maker);
    if (maker->capacity && maker->nb < maker->capacity / 4 * 3)
        return true;
    size_t capacity = maker->capacity ? maker->capacity * 2 : 1024;
    BookCount *bigger = realloc(maker->count, capacity * sizeof *bigger);
    if (!bigger)
        return false;
    maker->count = bigger;
    maker->capacity = capacity;
    return true;
}

void book_maker_add(BookMaker *maker, const Record *record, int max_ply)
{
    if (!maker)
        return;
    Position pos = record->start;
    Move last = MOVE_NONE;
    for (int i = 0; i < record->move_nb && (max_ply <= 0 || i < max_ply) && !maker->failed; i++) {
        Move move = record->move[i].move;
        BookCount count = {.games = 1, .ply = (u16)min_int(pos_game_ply(&pos), UINT16_MAX)};
        count.points = (u64)result_points(record->result, pos_side(&pos));
        if (book_count_init(&count, &pos, last, move)) {
            maker->failed = !make_room(maker);
            if (!maker->failed)
                maker->count[maker->nb++] = count;
        }
        pos = pos_after(&pos, move);
        last = move;
    }
}

// The moves worth writing: played often enough, and not always lost.
static void drop_rare(BookMaker *maker, int min_games)
{
    size_t kept = 0;
    for (size_t i = 0; i < maker->nb; i++)
        if (maker->count[i].points && (i64)maker->count[i].games >= min_games)
            maker->count[kept++] = maker->count[i];
    maker->nb = kept;
}

bool book_maker_finish(BookMaker *maker, const char *path, int min_games, Message *message)
{
    Text text = {0};
    bool done = false;
    if (maker && !maker->failed) {
        merge(maker);
        drop_rare(maker, min_games);
        if (maker->nb)
            book_counts_print(maker->count, maker->nb, &text);
    }
    if (!maker || maker->failed || text.failed)
        message_set(message, "book '%s': no memory for so many moves", path);
    else if (maker->nb == 0)
        message_set(message, "book '%s': no move was played often enough", path);
    else
        done = os_write_file(path, text.ptr, text.len, message);
    text_free(&text);
    if (maker)
        free(maker->count);
    free(maker);
    return done;
}
