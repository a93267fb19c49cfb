// SPDX-License-Identifier: GPL-3.0-or-later
// "Did you mean ...?": the few words nearest to what was typed.
#ifndef TWOFOLD_SUGGEST_H
#define TWOFOLD_SUGGEST_H

#include "base/base.h"

enum { SUGGEST_MAX = 4, SUGGEST_TEXT_MAX = 32 };

// The nearest candidates so far, nearest first. Zero-initialised is none.
typedef struct Suggestions {
    struct {
        char text[SUGGEST_TEXT_MAX];
        int distance;
    } item[SUGGEST_MAX];
    int nb;
} Suggestions;

// Offers a candidate; it is kept if it is near enough to what was typed and nearer than what is there.
void suggest(Suggestions *near, Span typed, Span candidate);
// "Nbd2, Nfd2 or Ne2"; only those as near as the nearest. Empty when there is none.
void suggest_print(const Suggestions *near, Text *out);
// How many letters must be typed, deleted or exchanged to make one of the other; upper and lower case differ by less than letters do,
// so the unit is half a letter.
int suggest_distance(Span a, Span b);

#endif
