// SPDX-License-Identifier: GPL-3.0-or-later
// Endgame tables: which Syzygy files there are, what they say about a position, and the ranking of root
// moves. All files are opened and checked at once, so nothing changes after tb_open (but that a table may get
// lost with its file) and any number of threads may ask. The tables know neither en passant nor, where a
// capture is best, the true value: captures are searched first. Invariant: an answer is given only when every
// table it rests on was there and sound.
#include "tablebase.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "bitboard.h"
#include "syzygy.h"

enum {
    TABLE_SLOTS =
        16384,          // a power of two, well above two slots for each of the 1511 tables of up to seven men
    RANK_MAX = 1 << 18, // above any distance in plies
    CERTAIN_PLIES = 90, // wins within so many plies of the clock rank alike
    PATH_BYTES = 4096,
};

typedef struct Slot {
    Material material; // 0: empty
    SyzygyTable *wdl, *dtz;
    bool owner; // the same tables stand under the exchanged material too
} Slot;

struct Tablebase {
    SyzygyMaps maps;
    int men, wdl_nb, dtz_nb;
    atomic_int *lost_nb; // by itself: it grows while others only read
    Slot slot[TABLE_SLOTS];
};

// ---- which tables there are ---------------------------------------------------------------------
static size_t slot_index(const Tablebase *tables, Material material)
{
    size_t i = hash_mix(material) & (TABLE_SLOTS - 1);
    while (tables->slot[i].material && tables->slot[i].material != material)
        i = (i + 1) & (TABLE_SLOTS - 1);
    return i;
}

static void table_name(Material material, char *out)
{
    for (int side = WHITE; side <= BLACK; side++) {
        *out++ = 'K';
        for (int kind = QUEEN; kind >= PAWN; kind--)
            for (int n = material_count(material, side, kind); n; n--)
                *out++ = " PNBRQ"[kind];
        if (side == WHITE)
            *out++ = 'v';
    }
    *out = '\0';
}

// What went wrong, file by file, in one message.
typedef struct Complaints {
    Text text;
    int nb;
} Complaints;

// Opens one file from the first folder of the list that has it whole.
static SyzygyTable *open_table(const Tablebase *tables, Span folders, Material material, bool is_dtz,
                               Complaints *complaints)
{
    char name[24], path[PATH_BYTES];
    table_name(material, name);
    while (folders.len) {
        const char *end = memchr(folders.ptr, os_list_separator(), folders.len);
        Span folder = {folders.ptr, end ? (size_t)(end - folders.ptr) : folders.len};
        folders = (Span){folder.ptr + folder.len + (end != NULL), folders.len - folder.len - (end != NULL)};
        int len = snprintf(path, sizeof path, "%.*s/%s.%s", (int)min_i64((i64)folder.len, PATH_BYTES),
                           folder.ptr, name, is_dtz ? "rtbz" : "rtbw");
        if (folder.len == 0 || len < 0 || len >= PATH_BYTES || !os_exists(path))
            continue;
        Message message = {""};
        SyzygyTable *table = syzygy_open(path, material, is_dtz, &tables->maps, &message);
        if (table)
            return table;
        complaints->nb++;
        text_add(&complaints->text, "%s%s.%s: %s", complaints->text.len ? "; " : "", name,
                 is_dtz ? "rtbz" : "rtbw", message.text);
    }
    return NULL;
}

static void add_table(Tablebase *tables, Span folders, Material material, Complaints *complaints)
{
    size_t at = slot_index(tables, material);
    if (tables->slot[at].material)
        return;
    SyzygyTable *wdl = open_table(tables, folders, material, false, complaints);
    SyzygyTable *dtz = open_table(tables, folders, material, true, complaints);
    if (!wdl && !dtz)
        return;
    tables->slot[at] = (Slot){material, wdl, dtz, true};
    Material flipped = material_flip(material);
    if (flipped != material)
        tables->slot[slot_index(tables, flipped)] = (Slot){flipped, wdl, dtz, false};
    int men = 2;
    for (int kind = PAWN; kind <= QUEEN; kind++)
        men += material_count(material, WHITE, kind) + material_count(material, BLACK, kind);
    tables->wdl_nb += wdl != NULL;
    tables->dtz_nb += dtz != NULL;
    if (wdl)
        tables->men = max_int(tables->men, men);
}

// Of the two ways to name a table, files have the side with more men first, or the one with the better men.
static bool is_named_first(Material material)
{
    int men[SIDE_NB] = {0, 0};
    for (int kind = PAWN; kind <= QUEEN; kind++)
        for (int side = WHITE; side <= BLACK; side++)
            men[side] += material_count(material, side, kind);
    u64 white = material & 0xFFFFF, black = material >> 20;
    return material && (men[WHITE] != men[BLACK] ? men[WHITE] > men[BLACK] : white >= black);
}

// Tries every material of up to `left` more men: of White from the queen down, then of Black.
static void add_tables(Tablebase *tables, Span folders, Material material, int index, int left,
                       Complaints *complaints)
{
    if (index == 10) {
        if (is_named_first(material))
            add_table(tables, folders, material, complaints);
        return;
    }
    int side = index < 5 ? WHITE : BLACK, kind = QUEEN - index % 5;
    for (int n = 0; n <= left; n++)
        add_tables(tables, folders, material + (u64)n * material_one(side, kind), index + 1, left - n,
                   complaints);
}

Tablebase *tb_open(const char *path, Message *message)
{
    Tablebase *tables = calloc(1, sizeof *tables);
    if (!tables) {
        message_set(message, "endgame tables: no memory");
        return NULL;
    }
    tables->lost_nb = calloc(1, sizeof *tables->lost_nb);
    if (!tables->lost_nb) {
        message_set(message, "endgame tables: no memory");
        tb_close(tables);
        return NULL;
    }
    syzygy_maps_init(&tables->maps);
    Complaints complaints = {.nb = 0};
    add_tables(tables, span_of(path), 0, 0, SYZYGY_MEN_MAX - 2, &complaints);
    bool any = tables->wdl_nb > 0;
    message_set(message, "%s", "");
    if (complaints.nb)
        message_set(message, "endgame tables: %d damaged file%s left out: %s", complaints.nb,
                    complaints.nb == 1 ? "" : "s", complaints.text.ptr ? complaints.text.ptr : "?");
    else if (!any)
        message_set(message, "endgame tables: none found in '%s'", path);
    text_free(&complaints.text);
    if (any)
        return tables;
    tb_close(tables);
    return NULL;
}

void tb_close(Tablebase *tables)
{
    if (!tables)
        return;
    for (int i = 0; i < TABLE_SLOTS; i++)
        if (tables->slot[i].owner) {
            syzygy_close(tables->slot[i].wdl);
            syzygy_close(tables->slot[i].dtz);
        }
    free(tables->lost_nb);
    free(tables);
}

int tb_men(const Tablebase *tables) { return tables ? tables->men : 0; }

// ---- tables whose files are lost ----------------------------------------------------------------
static void mark_lost(const Tablebase *tables, SyzygyTable *table)
{
    if (syzygy_mark_lost(table))
        atomic_fetch_add(tables->lost_nb, 1);
}

int tb_lost(const Tablebase *tables) { return tables ? atomic_load(tables->lost_nb) : 0; }

void tb_check_files(const Tablebase *tables)
{
    for (int i = 0; tables && i < TABLE_SLOTS; i++) {
        const Slot *slot = &tables->slot[i];
        if (slot->owner && slot->wdl && !syzygy_check(slot->wdl))
            mark_lost(tables, slot->wdl);
        if (slot->owner && slot->dtz && !syzygy_check(slot->dtz))
            mark_lost(tables, slot->dtz);
    }
}

bool tb_tell_lost(Tablebase *tables, Message *message)
{
    Text names = {0};
    for (int i = 0; tables && i < TABLE_SLOTS && tb_lost(tables); i++) {
        const Slot *slot = &tables->slot[i];
        SyzygyTable *table[2] = {slot->owner ? slot->wdl : NULL, slot->owner ? slot->dtz : NULL};
        for (int is_dtz = 0; is_dtz < 2; is_dtz++) {
            char name[24];
            if (!table[is_dtz] || !syzygy_tell_lost(table[is_dtz]))
                continue;
            table_name(slot->material, name);
            text_add(&names, "%s%s.%s", names.len ? ", " : "", name, is_dtz ? "rtbz" : "rtbw");
        }
    }
    if (names.len)
        message_set(message, "endgame tables: cut short or replaced, and not used any more: %s", names.ptr);
    bool is_news = names.len > 0;
    text_free(&names);
    return is_news;
}

// Looks a position up in one of the tables.
static SyzygyAnswer look_up(const Tablebase *tables, SyzygyTable *table, const Position *pos, int wdl,
                            int *value)
{
    SyzygyAnswer answer = table ? syzygy_lookup(table, &tables->maps, pos, wdl, value) : SYZYGY_DAMAGED;
    if (answer == SYZYGY_LOST)
        mark_lost(tables, table);
    return answer;
}

// ---- win, draw, loss ----------------------------------------------------------------------------
static bool is_covered(const Tablebase *tables, const Position *pos)
{
    return tables && !pos->castling && pos_men(pos) <= tables->men;
}

static bool stored_wdl(const Tablebase *tables, const Position *pos, int *wdl)
{
    Material material = material_of(pos);
    *wdl = 0;
    if (!material)
        return true; // two kings
    return look_up(tables, tables->slot[slot_index(tables, material)].wdl, pos, 0, wdl) == SYZYGY_FOUND;
}

static bool is_capture(const Position *pos, Move move)
{
    return pos->board[move_to(move)] || move_type(move) == MOVE_EN_PASSANT;
}

static bool is_zeroing(const Position *pos, Move move)
{
    return is_capture(pos, move) || piece_kind(pos->board[move_from(move)]) == PAWN;
}

// The true result: the best of the captures (and, if asked, of all moves that reset the clock) and of the
// table. When such a move decides, *by_zeroing says so: the distance table holds nothing useful then.
static bool search_wdl(const Tablebase *tables, const Position *pos, bool pawn_moves, int *wdl,
                       bool *by_zeroing)
{
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    int best = -2, tried = 0;
    *by_zeroing = false;
    for (Move *m = list; m < end; m++) {
        if (!is_capture(pos, *m) && !(pawn_moves && is_zeroing(pos, *m)))
            continue;
        Position after = pos_after(pos, *m);
        bool ignored;
        int value;
        if (!search_wdl(tables, &after, false, &value, &ignored))
            return false;
        tried++;
        best = max_int(best, -value);
        if (best == 2)
            break;
    }
    // With all legal moves tried the table has nothing to add; it may even be wrong, where one of them is en
    // passant.
    bool all_tried = tried && tried == end - list;
    int stored = best;
    if (best < 2 && !all_tried && !stored_wdl(tables, pos, &stored))
        return false;
    *wdl = max_int(best, stored);
    *by_zeroing = best >= stored && (best > 0 || all_tried);
    return true;
}

TbResult tb_probe(const Tablebase *tables, const Position *pos)
{
    int wdl;
    bool by_zeroing;
    if (!is_covered(tables, pos) || !search_wdl(tables, pos, false, &wdl, &by_zeroing))
        return TB_NONE;
    return (TbResult)wdl;
}

TbResult tb_probe_stored(const Tablebase *tables, const Position *pos)
{
    int wdl;
    return is_covered(tables, pos) && stored_wdl(tables, pos, &wdl) ? (TbResult)wdl : TB_NONE;
}

// ---- distances ----------------------------------------------------------------------------------
static int sign(int value) { return (value > 0) - (value < 0); }

// The distance of a position whose best move resets the clock.
static int distance_of_zeroing(int wdl)
{
    static const i8 DISTANCE[5] = {-1, -101, 0, 101, 1};
    return DISTANCE[wdl + 2];
}

static bool is_mate(const Position *pos) { return pos_in_check(pos) && gen_count(pos) == 0; }

// The distance table holds one side to move only: for the other, the best of the positions after each move
// counts.
static bool distance_by_moves(const Tablebase *tables, const Position *pos, int wdl, int *plies)
{
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    int best = RANK_MAX;
    for (Move *m = list; m < end; m++) {
        Position after = pos_after(pos, *m);
        int value, reply;
        bool ignored;
        if (is_zeroing(pos, *m)) {
            if (!search_wdl(tables, &after, false, &reply, &ignored))
                return false;
            value = -distance_of_zeroing(reply);
        } else {
            if (!tb_probe_distance(tables, &after, &reply))
                return false;
            value = reply == -1 && is_mate(&after) ? 1 : -reply - sign(reply);
        }
        if (sign(value) == sign(wdl))
            best = min_int(best, value);
    }
    *plies = best == RANK_MAX ? -1 : best; // without a move it is mate
    return true;
}

bool tb_probe_distance(const Tablebase *tables, const Position *pos, int *plies)
{
    int wdl, value = 0;
    bool by_zeroing;
    if (!is_covered(tables, pos) || !search_wdl(tables, pos, true, &wdl, &by_zeroing))
        return false;
    if (wdl == 0 || by_zeroing) {
        *plies = distance_of_zeroing(wdl);
        return true;
    }
    SyzygyTable *table = tables->slot[slot_index(tables, material_of(pos))].dtz;
    switch (look_up(tables, table, pos, wdl, &value)) {
    case SYZYGY_FOUND: *plies = sign(wdl) * (value + (wdl == 1 || wdl == -1 ? 100 : 0)); return true;
    case SYZYGY_OTHER_SIDE: return distance_by_moves(tables, pos, wdl, plies);
    default: return false;
    }
}

// ---- root moves ---------------------------------------------------------------------------------
// How often the position has been there in the game, as far back as the clock allows.
static int count_before(const KeyHistory *keys, u64 key, int plies)
{
    int count = 0;
    for (int i = keys->count - 1; i >= 0 && i >= keys->count - plies; i--)
        count += keys->entry[i].key == key;
    return count;
}

// Has any position since the last capture or pawn move come twice? Then winning moves must also make
// progress.
static bool has_repeated(const Position *pos, const KeyHistory *keys)
{
    if (count_before(keys, pos->key, pos->rule50))
        return true;
    for (int i = max_int(0, keys->count - pos->rule50); i < keys->count; i++)
        for (int j = i + 1; j < keys->count; j++)
            if (keys->entry[i].key == keys->entry[j].key)
                return true;
    return false;
}

// The move makes the position a draw by the rules that tables do not know.
static bool draws_by_rule(const Position *after, const KeyHistory *keys, bool count_limit)
{
    return count_before(keys, after->key, after->rule50) >= 2 ||
           (count_limit && after->rule50 >= 100 && !is_mate(after));
}

// The distance from the root through this move, in plies; with its sign.
static bool root_distance(const Tablebase *tables, const Position *pos, const KeyHistory *keys,
                          bool count_limit, Move move, int *plies)
{
    Position after = pos_after(pos, move);
    int value;
    bool ignored;
    if (is_mate(&after)) {
        *plies = 1;
        return true;
    }
    if (is_zeroing(pos, move)) {
        if (!search_wdl(tables, &after, false, &value, &ignored))
            return false;
        *plies = distance_of_zeroing(-value);
        return true;
    }
    *plies = 0;
    if (draws_by_rule(&after, keys, count_limit))
        return true;
    if (!tb_probe_distance(tables, &after, &value))
        return false;
    *plies = -value - sign(value);
    return true;
}

// Wins that are certain within the fifty moves rank alike, so that the search may look for mate among them;
// from the edge on (or after a repetition) the shorter way ranks higher. Losses rank alike unless the fifty
// moves may still save them.
static int rank_of_distance(int plies, int clock, bool repeated)
{
    if (plies > 0)
        return plies + clock <= CERTAIN_PLIES && !repeated ? RANK_MAX : RANK_MAX - (plies + clock);
    if (plies < 0)
        return -2 * plies + clock < 100 ? -RANK_MAX : -RANK_MAX + (-plies + clock);
    return 0;
}

static TbResult result_of_rank(int rank, bool count_limit)
{
    if (rank == 0)
        return TB_DRAW;
    bool certain = !count_limit || RANK_MAX - abs(rank) <= 100;
    return rank > 0 ? (certain ? TB_WIN : TB_CURSED_WIN) : (certain ? TB_LOSS : TB_BLESSED_LOSS);
}

// Without distance tables: by result alone.
static bool root_rank_by_result(const Tablebase *tables, const Position *pos, const KeyHistory *keys,
                                bool count_limit, Move move, int *rank)
{
    static const int RANK[5] = {-RANK_MAX, -RANK_MAX + 101, 0, RANK_MAX - 101, RANK_MAX};
    Position after = pos_after(pos, move);
    int wdl = 0;
    bool ignored;
    *rank = 0;
    if (!is_zeroing(pos, move) && draws_by_rule(&after, keys, count_limit))
        return true;
    if (!search_wdl(tables, &after, false, &wdl, &ignored))
        return false;
    if (!count_limit)
        wdl = 2 * sign(wdl);
    *rank = RANK[2 - wdl];
    return true;
}

bool tb_rank_root(const Tablebase *tables, const Position *pos, const KeyHistory *keys, bool count_limit,
                  const Move *moves, int move_nb, int *ranks, TbResult *result)
{
    if (!is_covered(tables, pos) || move_nb == 0)
        return false;
    bool by_distance = true, repeated = has_repeated(pos, keys);
    int clock = count_limit ? pos->rule50 : 0, best = -RANK_MAX;
    for (int i = 0; i < move_nb && by_distance; i++) {
        int plies;
        by_distance = root_distance(tables, pos, keys, count_limit, moves[i], &plies);
        if (by_distance)
            ranks[i] = rank_of_distance(plies, clock, repeated);
    }
    for (int i = 0; i < move_nb; i++) {
        if (!by_distance && !root_rank_by_result(tables, pos, keys, count_limit, moves[i], &ranks[i]))
            return false;
        best = max_int(best, ranks[i]);
    }
    *result = result_of_rank(best, count_limit);
    return true;
}

bool tb_hold_here(const Position *pos) { return pos->rule50 == 0; }
