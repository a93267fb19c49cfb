// SPDX-License-Identifier: GPL-3.0-or-later
// What record.c needs of the variations and their arrays. Private to games/.
#ifndef TWOFOLD_GAMES_RECORD_TREE_H
#define TWOFOLD_GAMES_RECORD_TREE_H

#include "games/record.h"

// Room for one more element in an array of `count`; the array (moved, perhaps), or NULL with the old one
// still valid. Arrays that grow so alone need no capacity.
void *record_grow(void *array, int count, size_t element);
char *record_copy_text(const char *text);
// Adds a copy of the move to a line, but for its links to variations.
bool record_copy_move(Record *record, int line, const RecordMove *move);
// Gives a record whose moves are a copy of another's the variations of the other.
bool record_copy_lines(Record *to, const Record *from);
void record_free_lines(Record *record);

#endif
