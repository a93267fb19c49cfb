// SPDX-License-Identifier: GPL-3.0-or-later
// The past of a game or of a search: a growing array of entries. What an entry holds is the game's business
// (keys_push); how it is kept is the same for all. A failed call leaves the key history as it was.
#include <stdlib.h>

#include "game.h"

bool keys_reserve(KeyHistory *keys, int extra)
{
    assert(extra >= 0);
    if (extra > INT32_MAX / 2 - keys->count)
        return false;
    int needed = keys->count + extra;
    if (needed <= keys->capacity)
        return true;
    int capacity = max_int(needed, keys->capacity + keys->capacity / 2);
    KeyEntry *entry = realloc(keys->entry, (size_t)capacity * sizeof *entry);
    if (!entry)
        return false;
    keys->entry = entry;
    keys->capacity = capacity;
    return true;
}

bool keys_copy(KeyHistory *to, const KeyHistory *from, int extra)
{
    if (extra > INT32_MAX / 2 - from->count)
        return false;
    int missing = from->count + extra - to->count;
    if (missing > 0 && !keys_reserve(to, missing))
        return false;
    if (from->count)
        memmove(to->entry, from->entry, (size_t)from->count * sizeof *from->entry);
    to->count = from->count;
    return true;
}

void keys_free(KeyHistory *keys)
{
    free(keys->entry);
    *keys = (KeyHistory){0};
}
