// SPDX-License-Identifier: GPL-3.0-or-later
// The variations of a record. They are one flat list, so that a file with thousands of them, one in the
// other, needs no deep calls to be read, copied or freed; links lead from a move to the variations in its
// place. Invariants: a line stands behind its parent; the links say nothing that parent and ply do not, and
// are made of them (link_line); arrays have room for the next power of two (at least RECORD_GROW) of what
// they hold, so no capacity is kept.
#include "games/record_tree.h"

#include <stdlib.h>

enum { RECORD_GROW = 8 };

// ---- arrays -------------------------------------------------------------------------------------
void *record_grow(void *array, int count, size_t element)
{
    if (array && (count < RECORD_GROW || (count & (count - 1)) != 0))
        return array;
    size_t room = count < RECORD_GROW ? RECORD_GROW : (size_t)count * 2;
    return realloc(array, room * element);
}

char *record_copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

static void free_line(RecordLine *line)
{
    for (int i = 0; i < line->move_nb; i++) {
        free(line->move[i].comment);
        free(line->move[i].bookmark);
    }
    free(line->move);
    free(line->comment);
    free(line->ending);
}

void record_free_lines(Record *record)
{
    for (int i = 0; i < record->line_nb; i++)
        free_line(&record->line[i]);
    free(record->line);
    record->line = NULL;
    record->line_nb = record->tail = 0;
}

// ---- lines --------------------------------------------------------------------------------------
static RecordMove *moves_of(Record *record, int line)
{
    return line == RECORD_MAIN ? record->move : record->line[line].move;
}

static int move_nb_of(const Record *record, int line)
{
    return line == RECORD_MAIN ? record->move_nb : record->line[line].move_nb;
}

// Where the index + 1 of the first variation in a place is kept.
static int *place_of(Record *record, int line, int ply)
{
    if (ply < move_nb_of(record, line))
        return &moves_of(record, line)[ply].line;
    return line == RECORD_MAIN ? &record->tail : &record->line[line].tail;
}

// Hangs a line, whose own links are empty, behind those in its place.
static void link_line(Record *record, int index)
{
    RecordLine *line = &record->line[index];
    int *first = place_of(record, line->parent, line->ply);
    if (*first) {
        RecordLine *head = &record->line[*first - 1];
        record->line[head->last - 1].next = index + 1;
        head->last = index + 1;
    } else {
        *first = line->last = index + 1;
    }
}

int record_add_line(Record *record, int parent, int ply)
{
    assert(parent < record->line_nb && ply >= 0 && ply <= move_nb_of(record, parent));
    int depth = parent == RECORD_MAIN ? 1 : record->line[parent].depth + 1;
    if (depth > RECORD_DEPTH_MAX)
        return -1;
    RecordLine *lines = record_grow(record->line, record->line_nb, sizeof *lines);
    if (!lines)
        return -1;
    record->line = lines;
    lines[record->line_nb] = (RecordLine){.parent = parent, .ply = ply, .depth = depth};
    link_line(record, record->line_nb);
    return record->line_nb++;
}

bool record_copy_move(Record *record, int line, const RecordMove *move)
{
    RecordMove **array = line == RECORD_MAIN ? &record->move : &record->line[line].move;
    int *nb = line == RECORD_MAIN ? &record->move_nb : &record->line[line].move_nb;
    RecordMove *moves = record_grow(*array, *nb, sizeof *moves), added = *move;
    if (!moves)
        return false;
    *array = moves;
    added.line = 0;
    added.comment = move->comment ? record_copy_text(move->comment) : NULL;
    added.bookmark = move->bookmark ? record_copy_text(move->bookmark) : NULL;
    if ((move->comment && !added.comment) || (move->bookmark && !added.bookmark)) {
        free(added.comment);
        free(added.bookmark);
        return false;
    }
    moves[(*nb)++] = added;
    return true;
}

bool record_add_line_move(Record *record, int line, Move move, const char *comment)
{
    return record_copy_move(record, line, &(RecordMove){.move = move, .comment = (char *)comment});
}

RecordMove *record_last_move(Record *record, int line)
{
    int nb = move_nb_of(record, line);
    return nb ? &moves_of(record, line)[nb - 1] : NULL;
}

char **record_line_comment(Record *record, int line)
{
    return line == RECORD_MAIN ? &record->comment : &record->line[line].comment;
}

int record_first_line(const Record *record, int line, int ply)
{
    int nb;
    const RecordMove *moves = record_line_moves(record, line, &nb);
    if (ply < nb)
        return moves[ply].line - 1;
    return (line == RECORD_MAIN ? record->tail : record->line[line].tail) - 1;
}

Position record_line_position(const Record *record, int line, int ply)
{
    // The lines on the way there: at most one for each depth.
    int way[RECORD_DEPTH_MAX + 1], upto[RECORD_DEPTH_MAX + 1], nb = 0;
    for (int at = line, end = ply;; end = record->line[at].ply, at = record->line[at].parent) {
        way[nb] = at;
        upto[nb++] = end;
        if (at == RECORD_MAIN)
            break;
    }
    Position pos = record->start;
    while (nb-- > 0) {
        int move_nb;
        const RecordMove *moves = record_line_moves(record, way[nb], &move_nb);
        for (int i = 0; i < upto[nb] && i < move_nb; i++)
            pos = pos_after(&pos, moves[i].move);
    }
    return pos;
}

// ---- the tree -----------------------------------------------------------------------------------
// Makes all links again, from the parents and places.
static void link_all(Record *record)
{
    record->tail = 0;
    for (int i = 0; i < record->move_nb; i++)
        record->move[i].line = 0;
    for (int i = 0; i < record->line_nb; i++) {
        RecordLine *line = &record->line[i];
        line->next = line->last = line->tail = 0;
        for (int k = 0; k < line->move_nb; k++)
            line->move[k].line = 0;
    }
    for (int i = 0; i < record->line_nb; i++)
        link_line(record, i);
}

bool record_remove_lines(Record *record, const bool *is_out)
{
    int *to = malloc(((size_t)record->line_nb + 1) * sizeof *to); // the new index of each line; -1: out
    int kept = 0;
    if (!to)
        return false;
    for (int i = 0; i < record->line_nb; i++) {
        RecordLine *line = &record->line[i];
        bool is_lost = line->parent != RECORD_MAIN && to[line->parent] < 0;
        to[i] = is_out[i] || is_lost ? -1 : kept++;
        if (to[i] < 0) {
            free_line(line);
            continue;
        }
        if (line->parent != RECORD_MAIN)
            line->parent = to[line->parent];
        record->line[to[i]] = *line;
    }
    // An array may be larger than record_grow thinks, never smaller.
    record->line_nb = kept;
    free(to);
    link_all(record);
    return true;
}

bool record_copy_lines(Record *to, const Record *from)
{
    to->tail = 0;
    for (int i = 0; i < from->line_nb; i++) {
        const RecordLine *line = &from->line[i];
        int index = record_add_line(to, line->parent, line->ply);
        if (index < 0)
            return false;
        RecordLine *copy = &to->line[index];
        copy->comment = line->comment ? record_copy_text(line->comment) : NULL;
        copy->ending = line->ending ? record_copy_text(line->ending) : NULL;
        if ((line->comment && !copy->comment) || (line->ending && !copy->ending))
            return false;
        for (int k = 0; k < line->move_nb; k++)
            if (!record_copy_move(to, index, &line->move[k]))
                return false;
    }
    return true;
}

// ---- glyphs -------------------------------------------------------------------------------------
bool record_add_glyph(RecordMove *move, int glyph)
{
    if (glyph <= 0 || glyph > 255)
        return false;
    if (move->mark == glyph)
        return true;
    if (glyph <= 6 && !move->mark) {
        move->mark = (u8)glyph;
        return true;
    }
    for (int i = 0; i < RECORD_GLYPH_MAX; i++)
        if (!move->glyph[i] || move->glyph[i] == (u8)glyph) {
            move->glyph[i] = (u8)glyph;
            return true;
        }
    return false;
}

void record_remove_glyph(RecordMove *move, int glyph)
{
    int kept = 0, had[RECORD_GLYPH_MAX];
    if (move->mark == glyph)
        move->mark = 0;
    for (int i = 0; i < RECORD_GLYPH_MAX; i++)
        if (move->glyph[i] && move->glyph[i] != glyph)
            had[kept++] = move->glyph[i];
    memset(move->glyph, 0, sizeof move->glyph);
    for (int i = 0; i < kept; i++)
        record_add_glyph(move, had[i]); // a second one of the first six becomes the first
}
