// SPDX-License-Identifier: GPL-3.0-or-later
// Game records in memory: the part that is the same for every game. Reading and writing them is the game's
// own. Invariant: arrays have room for the next power of two (at least RECORD_GROW) of what they hold, so no
// capacity is kept.
#include <stdlib.h>

#include "games/record.h"

enum { RECORD_GROW = 8 };

// Room for one more element in an array of `count`; the array (moved, perhaps), or NULL with the old one
// still valid.
static void *grow(void *array, int count, size_t element)
{
    if (array && (count < RECORD_GROW || (count & (count - 1)) != 0))
        return array;
    size_t room = count < RECORD_GROW ? RECORD_GROW : (size_t)count * 2;
    return realloc(array, room * element);
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

void record_free(Record *record)
{
    for (int i = 0; i < record->tag_nb; i++) {
        free(record->tag[i].name);
        free(record->tag[i].value);
    }
    for (int i = 0; i < record->move_nb; i++)
        free(record->move[i].comment);
    free(record->tag);
    free(record->move);
    free(record->comment);
    memset(record, 0, sizeof *record);
}

const char *record_tag(const Record *record, const char *name)
{
    for (int i = 0; i < record->tag_nb; i++)
        if (strcmp(record->tag[i].name, name) == 0)
            return record->tag[i].value;
    return NULL;
}

bool record_add_tag(Record *record, const char *name, const char *value)
{
    RecordTag *tags = grow(record->tag, record->tag_nb, sizeof *tags);
    if (!tags)
        return false;
    record->tag = tags;
    RecordTag tag = {copy_text(name), copy_text(value)};
    if (!tag.name || !tag.value) {
        free(tag.name);
        free(tag.value);
        return false;
    }
    tags[record->tag_nb++] = tag;
    return true;
}

bool record_set_tag(Record *record, const char *name, const char *value)
{
    for (int i = 0; i < record->tag_nb; i++) {
        if (strcmp(record->tag[i].name, name) != 0)
            continue;
        char *copy = copy_text(value);
        if (!copy)
            return false;
        free(record->tag[i].value);
        record->tag[i].value = copy;
        return true;
    }
    return record_add_tag(record, name, value);
}

bool record_add_move(Record *record, Move move, const char *comment)
{
    RecordMove *moves = grow(record->move, record->move_nb, sizeof *moves);
    if (!moves)
        return false;
    record->move = moves;
    char *copy = comment ? copy_text(comment) : NULL;
    if (comment && !copy)
        return false;
    moves[record->move_nb++] = (RecordMove){.move = move, .comment = copy};
    return true;
}
