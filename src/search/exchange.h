// SPDX-License-Identifier: GPL-3.0-or-later
// Exchanges as the search asks for them: played out (see_ge) only where the gain of a move and its stake do
// not decide by themselves, and counted either way, but for those that order quiet checks. For captures; a
// quiet move gains nothing that could decide.
#ifndef TWOFOLD_EXCHANGE_H
#define TWOFOLD_EXCHANGE_H

#include "search/worker.h"

// Is the exchange that the move begins worth at least `threshold` centipawns, played out?
static inline bool exchange_played(Worker *w, Move move, int threshold)
{
    w->counters.see_calls++;
    return see_ge(&w->pos, move, threshold);
}

// Does the exchange that the move, of this gain, begins win at least `threshold` centipawns? The verdict is
// see_ge's.
static inline bool exchange_reaches(Worker *w, Move move, int gain, int threshold)
{
    if (gain < threshold || gain - move_stake(&w->pos, move) >= threshold)
        return w->counters.see_saved++, gain >= threshold;
    return exchange_played(w, move, threshold);
}

// What the exchange wins in centipawns, or loses.
static inline int exchange_value(Worker *w, Move move)
{
    const int gain = move_gain(&w->pos, move);
    int high = gain, low = gain - move_stake(&w->pos, move);
    while (low < high) { // it wins `low` at least and `high` at most
        const int middle = low + (high - low + 1) / 2;
        if (exchange_reaches(w, move, gain, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

#endif
