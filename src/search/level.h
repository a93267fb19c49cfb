// SPDX-License-Identifier: GPL-3.0-or-later
// Playing below full strength the way people are weak: few nodes, a small noise in the evaluation that is the same
// whenever the position is the same, a soft choice among moves that look nearly as good, and short sight.
// Never silly when the game is won: then the choice hardens and a mate in sight is played.
#ifndef TWOFOLD_LEVEL_H
#define TWOFOLD_LEVEL_H

#include "search/search.h"

typedef struct LevelPlan {
    bool active;
    u64 nodes;        // a move
    int max_depth;
    int noise;        // centipawns, the width of the evaluation's error
    int softness;     // centipawns: how much worse a move may look and still be chosen now and then
    int lines;        // how many root moves are looked at
    u64 seed;
} LevelPlan;

// Full strength for elo 0 or at the top of the range.
LevelPlan level_plan(int elo, u64 seed);
// Won endings need no strength but care: when `score` (the side to move's, without noise) is won, less error
// and more sight.
void level_sharpen(LevelPlan *plan, int score);
// The error of the evaluation in this position: deterministic, about normally distributed.
int level_noise(const LevelPlan *plan, u64 key);
// Which of the lines (scores, best first) to play.
int level_choose(const LevelPlan *plan, const int *scores, int nb, u64 key);

#endif
