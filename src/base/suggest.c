// SPDX-License-Identifier: GPL-3.0-or-later
// Edit distance with neighbours exchanged counting once, over short words only.
#include "base/suggest.h"

#include <ctype.h>

#include "base/language.h"

// What a slip costs. A letter left out is the likeliest one: a move typed without what tells it from another.
enum { WRONG = 3, LEFT_OUT = 2, SWAPPED = 2, CASE = 1, WORD_MAX = SUGGEST_TEXT_MAX };

static int exchange_cost(char a, char b)
{
    if (a == b)
        return 0;
    return tolower((unsigned char)a) == tolower((unsigned char)b) ? CASE : WRONG;
}

int suggest_distance(Span typed, Span candidate)
{
    const Span a = typed, b = candidate;
    if (a.len > WORD_MAX || b.len > WORD_MAX)
        return WRONG * (int)(a.len > b.len ? a.len : b.len);
    int cost[WORD_MAX + 1][WORD_MAX + 1];
    for (size_t i = 0; i <= a.len; i++) {
        for (size_t j = 0; j <= b.len; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = WRONG * (int)i + LEFT_OUT * (int)j;
                continue;
            }
            int best = cost[i - 1][j - 1] + exchange_cost(a.ptr[i - 1], b.ptr[j - 1]);
            best = min_int(best, min_int(cost[i - 1][j] + WRONG, cost[i][j - 1] + LEFT_OUT));
            if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1])
                best = min_int(best, cost[i - 2][j - 2] + SWAPPED);
            cost[i][j] = best;
        }
    }
    return cost[a.len][b.len];
}

// Typed to its beginning and no further, as the pawn move of a promotion without its piece.
static bool is_begun(Span typed, Span candidate)
{
    return typed.len >= 2 && typed.len < candidate.len && memcmp(typed.ptr, candidate.ptr, typed.len) == 0;
}

// Typed without the square in the middle that tells a move from others: G-5h for G4i-5h.
static bool has_gap(Span typed, Span candidate)
{
    enum { SQUARE_LEN = 2 };
    if (typed.len < 3 || candidate.len != typed.len + SQUARE_LEN)
        return false;
    size_t same = 0;
    while (same < typed.len && typed.ptr[same] == candidate.ptr[same])
        same++;
    return same > 0 && memcmp(typed.ptr + same, candidate.ptr + same + SQUARE_LEN, typed.len - same) == 0;
}

void suggest(Suggestions *near, Span typed, Span candidate)
{
    // A third of the word may be wrong, and one letter always.
    int limit = max_int(WRONG, WRONG * (int)((typed.len + 1) / 3));
    int distance = is_begun(typed, candidate) || has_gap(typed, candidate)
                       ? LEFT_OUT
                       : suggest_distance(typed, candidate);
    if (typed.len == 0 || candidate.len >= SUGGEST_TEXT_MAX || distance > limit ||
        distance >= LEFT_OUT * (int)candidate.len)
        return;
    int at = near->nb;
    while (at > 0 && near->item[at - 1].distance > distance)
        at--;
    if (at == SUGGEST_MAX)
        return;
    near->nb = min_int(near->nb + 1, SUGGEST_MAX);
    for (int i = near->nb - 1; i > at; i--)
        near->item[i] = near->item[i - 1];
    span_copy(candidate, near->item[at].text, sizeof near->item[at].text);
    near->item[at].distance = distance;
}

void suggest_print(const Suggestions *near, Text *out)
{
    int nb = 0;
    while (nb < near->nb && near->item[nb].distance == near->item[0].distance)
        nb++;
    Text list = {0};
    text_add(&list, "%s", nb ? near->item[0].text : "");
    for (int i = 1; i < nb; i++) {
        Text longer = {0};
        text_add(&longer, said(i == nb - 1 ? "%s or %s" : "%s, %s"), list.ptr ? list.ptr : "",
                 near->item[i].text);
        text_free(&list);
        list = longer;
    }
    text_add_bytes(out, list.ptr, list.len);
    text_free(&list);
}
