// SPDX-License-Identifier: GPL-3.0-or-later
// Playing below full strength the way people are weak: short sight, few nodes, a noise in the evaluation that
// is the same whenever the position is the same, and a soft choice among moves that look nearly as good.
// Never silly when the game is won: then the choice hardens, a mate in sight is played, and basic endings are
// known.
//
// Two steps lead from an Elo number to a plan. A table of each game, measured in games (docs/levels.md), says
// which strength an Elo number stands for; one family of plans, the same for every game, says how a strength
// plays. So a new network needs a new measurement (scripts/levels.sh) and nothing else.
#ifndef TWOFOLD_SKILL_H
#define TWOFOLD_SKILL_H

#include "search/search.h"

typedef struct SkillPlan {
    bool active;
    u64 nodes; // a move
    int max_depth;
    int noise;      // centipawns, the width of the evaluation's error
    int softness;   // centipawns: how much worse a move may look and still be chosen now and then
    int lines;      // how many root moves are looked at
    u64 seed;       // of the choices in this position
    u64 error_seed; // of the errors: each level has its own
} SkillPlan;

// Full strength for elo 0 or at the top of the range. `key` is the root's: some choices differ from position
// to position.
SkillPlan skill_plan(int elo, u64 key);
// Won positions need no strength but care: the more `score` (the side to move's, without noise) says so, the
// less error and the more sight.
void skill_sharpen(SkillPlan *plan, const Position *pos, int score);
// The error of the evaluation in this position: deterministic, about normally distributed.
int skill_noise(const SkillPlan *plan, u64 key);
// Which of the lines (scores, best first) to play.
int skill_choose(const SkillPlan *plan, const int *scores, int nb);
// Which of the worker's root moves to play: an index into its list.
typedef struct Worker Worker; // worker.h
int skill_pick(const Worker *worker);

#endif
