// SPDX-License-Identifier: GPL-3.0-or-later
// Playing below full strength the way people are weak: moves near the root that are not seen at all, short
// sight, little understanding beyond material, tastes that last for a game, and haste where a move looks
// obvious. What is overlooked is a move, wherever it comes up in one search: it depends on the level, on how
// hard the move is to see, and on a lot that is drawn anew for each move of the game. Never silly when the
// game is won: then all is seen, and basic endings are known.
//
// Two steps lead from an Elo number to a plan. A table of each game, measured in games (docs/levels.md), says
// which strength an Elo number stands for; one family of plans, the same for every game, says how a strength
// plays. So a new network needs a new measurement (scripts/levels.sh) and nothing else.
#ifndef TWOFOLD_SKILL_H
#define TWOFOLD_SKILL_H

#include "search/search.h"

enum {
    SKILL_BLIND_PLIES = 3
}; // moves are overlooked at the root, in the replies, and in the replies to them

typedef struct SkillPlan {
    bool active;
    int elo;
    u64 nodes; // a move
    int max_depth;
    int unseen;    // permille: how likely an own move of usual obscurity is overlooked
    int missed;    // the same for a reply of the other side
    int insight;   // percent of the evaluation that it understands; for the rest it counts material
    int taste;     // centipawns: how far its likings go
    int manners;   // percent of the manners of the opening
    int lines;     // how many root moves are weighed
    int score;     // of the position, as it stands before the search
    u64 game_seed; // of the tastes
    u64 move_seed; // of what is overlooked
    Move last[4];  // the moves before this one, the last first; MOVE_NONE: there are none
} SkillPlan;

// Of the limits' level and seeds; not active at full strength.
SkillPlan skill_plan(const Limits *limits);
// Looks at the board: what was played last, and how it stands (`score` for the side to move). Won positions
// need no strength but care; a move that looks obvious is made in haste.
void skill_look(SkillPlan *plan, const Game *game, int score);
// Is the move seen in this search, so many plies from its root? `before` and `own` are the moves one and two
// plies earlier, MOVE_NONE where there are none. The same move is harder or easier to see from position to
// position, but the lot drawn for it is one for the whole search.
bool skill_sees(const SkillPlan *plan, const Position *pos, Move move, int ply, Move before, Move own);
// The evaluation of the position, as far as the level understands it.
int skill_judge(const SkillPlan *plan, const Position *pos, int score);
// By how many centipawns it likes the move at the root more than its search says.
int skill_taste(const SkillPlan *plan, const Position *pos, Move move);

typedef struct Worker Worker; // worker.h
// Leaves those root moves to the worker that the level sees and may play.
void skill_choose_root(Worker *worker);
// Which of the worker's root moves to play: an index into its list.
int skill_pick(const Worker *worker);

#endif
