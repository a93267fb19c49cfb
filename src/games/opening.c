// SPDX-License-Identifier: GPL-3.0-or-later
// Names of openings, and the lines that lead to them, found by the key of the position, so that the order of
// the moves does not matter. The tables are text (opening_table.h), written by people; an index by key is
// made of each when it is first asked for, in a few milliseconds, so that a program that asks for none pays
// nothing. Invariant: once made, an index does not change.
#include <pthread.h>

#include "games/opening_table.h"

enum { ROW_MAX = 5000, SLOT_NB = 8192, WAY_MAX = 64, WAY_SLOT_NB = 32768 };
_Static_assert((SLOT_NB & (SLOT_NB - 1)) == 0 && SLOT_NB * 2 > ROW_MAX * 3, "room to find a slot quickly");

static struct {
    int row_nb;
    u32 row_at[ROW_MAX]; // where each row begins in the text
    u64 key[SLOT_NB];    // the slot of a key is the first free one from its low bits on
    u16 row[SLOT_NB];    // row + 1; 0: the slot is free
} table_index;

// How many lines come by a position, in the slot of its key as above.
static struct {
    u64 key[WAY_SLOT_NB];
    u16 line_nb[WAY_SLOT_NB]; // 0: the slot is free
} way_index;

// ---- rows ---------------------------------------------------------------------------------------
typedef struct OpeningRow {
    int kept, shared;
    Span moves, code, name, name_ja;
} OpeningRow;

// Takes the text up to the sign (or the end) off the front.
static Span take_until(Span *s, char sign)
{
    const char *end = memchr(s->ptr, sign, s->len);
    Span taken = {s->ptr, end ? (size_t)(end - s->ptr) : s->len};
    size_t step = taken.len + (end != NULL);
    *s = (Span){s->ptr + step, s->len - step};
    return taken;
}

static int take_number(Span *s)
{
    i64 value = 0;
    span_int(take_until(s, ' '), 0, OPENING_NAME_MAX - 1, &value);
    return (int)value;
}

static OpeningRow row_of(Span line)
{
    OpeningRow row = {.moves = take_until(&line, '|')};
    row.kept = take_number(&row.moves);
    row.code = take_until(&line, '|');
    row.name = take_until(&line, '|');
    row.shared = take_number(&row.name);
    row.name_ja = line;
    return row;
}

static OpeningRow row_at(int row)
{
    Span rest = span_of(OPENING_TABLE.rows + table_index.row_at[row]);
    return row_of(take_until(&rest, '\n'));
}

// ---- the index ----------------------------------------------------------------------------------
static int slot_of(u64 key)
{
    int slot = (int)(key & (SLOT_NB - 1));
    while (table_index.row[slot] && table_index.key[slot] != key)
        slot = (slot + 1) & (SLOT_NB - 1);
    return slot;
}

// Plays the row's moves from what it keeps of the way before; false when one of them is not legal.
static bool play_row(const OpeningRow *row, Position way[WAY_MAX + 1], int *ply)
{
    Span rest = row->moves;
    *ply = min_int(row->kept, *ply);
    for (Span word; (word = span_word(&rest)).len; (*ply)++) {
        Move move = *ply < WAY_MAX ? move_parse_human(&way[*ply], word) : MOVE_NONE;
        if (move == MOVE_NONE)
            return false;
        way[*ply + 1] = pos_after(&way[*ply], move);
    }
    return true;
}

// Goes through the rows of a table: calls `take` with the number of each, where it begins in the text, and
// the positions of its line from the start on.
static void walk_rows(const char *rows, void (*take)(int row, u32 at, const Position *way, int ply))
{
    Position way[WAY_MAX + 1];
    Rules rules = rules_default();
    Span rest = span_of(rows), line;
    int ply = 0;
    pos_set(&way[0], span_of(GAME_START), &rules, NULL);
    for (int row_nb = 0; row_nb < ROW_MAX; row_nb++) {
        u32 at = (u32)(rest.ptr - rows);
        if (!(line = take_until(&rest, '\n')).len)
            break;
        OpeningRow row = row_of(line);
        bool is_legal = play_row(&row, way, &ply);
        assert(is_legal);
        if (is_legal)
            take(row_nb, at, way, ply);
    }
    assert(rest.len == 0);
}

static void index_name(int row, u32 at, const Position *way, int ply)
{
    table_index.row_at[row] = at;
    table_index.row_nb = row + 1;
    int slot = slot_of(pos_key(&way[ply]));
    if (table_index.row[slot])
        return;
    table_index.key[slot] = pos_key(&way[ply]);
    table_index.row[slot] = (u16)(row + 1);
}

static void make_index(void) { walk_rows(OPENING_TABLE.rows, index_name); }

static int way_slot_of(u64 key)
{
    int slot = (int)(key & (WAY_SLOT_NB - 1));
    while (way_index.line_nb[slot] && way_index.key[slot] != key)
        slot = (slot + 1) & (WAY_SLOT_NB - 1);
    return slot;
}

static void index_way(int row, u32 at, const Position *way, int ply)
{
    (void)row, (void)at;
    for (int i = 1; i <= ply; i++) {
        const int slot = way_slot_of(pos_key(&way[i]));
        way_index.key[slot] = pos_key(&way[i]);
        way_index.line_nb[slot]++;
    }
}

static void make_way_index(void) { walk_rows(OPENING_TABLE.played, index_way); }

int opening_moves(const Position *pos, OpeningMove *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_way_index);
    Move list[MAX_MOVES];
    int nb = 0;
    const int all_nb = (int)(gen_all(pos, list) - list);
    for (int i = 0; i < all_nb; i++) {
        const Position after = pos_after(pos, list[i]);
        const int line_nb = way_index.line_nb[way_slot_of(pos_key(&after))];
        if (line_nb)
            out[nb++] = (OpeningMove){list[i], line_nb};
    }
    return nb;
}

// ---- names --------------------------------------------------------------------------------------
// The bytes that a name shares with the one before it stand in that row, or in an earlier one still.
static void print_name(int row, const OpeningRow *last, Opening *out)
{
    int open = last->shared, len = open + (int)last->name.len;
    assert(len < OPENING_NAME_MAX);
    memcpy(out->name + open, last->name.ptr, last->name.len);
    out->name[len] = '\0';
    while (open > 0 && row-- > 0) {
        OpeningRow before = row_at(row);
        if (before.shared >= open)
            continue;
        memcpy(out->name + before.shared, before.name.ptr, (size_t)(open - before.shared));
        open = before.shared;
    }
}

static void print_row(int row, Opening *out)
{
    OpeningRow last = row_at(row), named = last;
    print_name(row, &last, out);
    span_copy(last.name_ja, out->name_ja, sizeof out->name_ja);
    while (!named.code.len && row > 0)
        named = row_at(--row);
    span_copy(named.code, out->code, sizeof out->code);
}

bool opening_of_moves(const Position *start, const Move *first, size_t stride, int nb, Opening *opening)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    *opening = (Opening){0};
    if (!OPENING_TABLE.fits(start))
        return false;
    pthread_once(&once, make_index);
    Position pos = *start;
    int named = -1, named_ply = 0; // the last row that was met, and is yet to be printed
    for (int ply = 0;; ply++) {
        int row = table_index.row[slot_of(pos_key(&pos))] - 1;
        if (row >= 0)
            named = row, named_ply = ply;
        // Whether a shape has something to say depends on the name so far.
        if (named >= 0 && (OPENING_TABLE.by_shape || ply == nb)) {
            print_row(named, opening);
            opening->ply = named_ply;
            named = -1;
        }
        if (row < 0 && OPENING_TABLE.by_shape && OPENING_TABLE.by_shape(&pos, opening))
            opening->ply = ply;
        if (ply == nb)
            break;
        Move move;
        memcpy(&move, (const char *)first + (size_t)ply * stride, sizeof move);
        pos = pos_after(&pos, move);
    }
    return opening->name[0] != '\0';
}

bool opening_name(const Game *game, Opening *opening)
{
    return opening_of_moves(&game->start, game->move, sizeof game->move[0], game->move_nb, opening);
}

void opening_print(const Opening *opening, Text *out)
{
    if (opening->name_ja[0] && language() == LANGUAGE_JAPANESE) {
        text_add(out, "%s", opening->name_ja);
        return;
    }
    text_add(out, "%s%s%s", opening->code, opening->code[0] ? " " : "", opening->name);
    if (opening->name_ja[0])
        text_add(out, " (%s)", opening->name_ja);
}
