// SPDX-License-Identifier: GPL-3.0-or-later
// Named levels of play for people: a word for a playing strength.
#ifndef TWOFOLD_LEVELS_H
#define TWOFOLD_LEVELS_H

#include "search/search.h"

enum { LEVEL_FULL = 0 }; // as SearchOptions.elo has it: no limit

typedef struct Level {
    const char *name, *japanese; // both are understood in every language
    int elo;                     // LEVEL_FULL: full strength
} Level;

int levels_count(void);
Level levels_at(int index);
// The Elo of a level's name, or of a number; false with a message that lists what there is.
bool levels_parse(Span text, int *elo, Message *message);
// The name in the language that is spoken.
const char *level_word(Level level);
// "club (1500)", "1700" or "full strength".
void levels_print(int elo, char *out, size_t size);

#endif
