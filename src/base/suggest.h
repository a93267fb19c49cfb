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
// How far what was typed is from a candidate: the cost of the slips that make the one of the other.
int suggest_distance(Span typed, Span candidate);

#endif
