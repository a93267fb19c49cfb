// SPDX-License-Identifier: GPL-3.0-or-later
// The engines of a match in their order, what each made against each, and their ratings.
#ifndef TWOFOLD_ARENA_MATCH_TABLE_H
#define TWOFOLD_ARENA_MATCH_TABLE_H

#include "arena/match_state.h"

typedef struct Standing {
    int engine;
    i64 games;
    double points;
    double elo; // the most likely ratings for all results together, their mean being 0
} Standing;

// The engines, the best first; how many: all of them.
int match_standings(const MatchOptions *options, const MatchState *state, Standing out[ENGINES_MAX]);
// The games between two engines from the view of the first named; false when they do not meet.
bool match_between(const MatchOptions *options, const MatchState *state, int engine, int other, Tally *out);
static inline double tally_points(const Tally *tally) { return (double)tally->win + (double)tally->draw / 2; }
// The cross table as text.
void match_table(const MatchOptions *options, const MatchState *state, Text *out);

#endif
