// SPDX-License-Identifier: GPL-3.0-or-later
// The past of a game or of a search: a growing array of entries. What an entry holds is the game's business
// (trail_push); how it is kept is the same for all. A failed call leaves the trail as it was.
#include <stdlib.h>

#include "game.h"

bool trail_reserve(Trail *trail, int extra)
{
    assert(extra >= 0);
    if (extra > INT32_MAX / 2 - trail->count)
        return false;
    int needed = trail->count + extra;
    if (needed <= trail->capacity)
        return true;
    int capacity = max_int(needed, trail->capacity + trail->capacity / 2);
    TrailEntry *entry = realloc(trail->entry, (size_t)capacity * sizeof *entry);
    if (!entry)
        return false;
    trail->entry = entry;
    trail->capacity = capacity;
    return true;
}

bool trail_copy(Trail *to, const Trail *from, int extra)
{
    if (extra > INT32_MAX / 2 - from->count)
        return false;
    int missing = from->count + extra - to->count;
    if (missing > 0 && !trail_reserve(to, missing))
        return false;
    if (from->count)
        memmove(to->entry, from->entry, (size_t)from->count * sizeof *from->entry);
    to->count = from->count;
    return true;
}

void trail_free(Trail *trail)
{
    free(trail->entry);
    *trail = (Trail){0};
}
