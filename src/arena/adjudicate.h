// SPDX-License-Identifier: GPL-3.0-or-later
// How games end, and the one rule that ends them early: when the scores of both sides have agreed for long
// enough. A ply is one move of one side; everything is counted in plies.
#ifndef TWOFOLD_ARENA_ADJUDICATE_H
#define TWOFOLD_ARENA_ADJUDICATE_H

#include "search/search.h"

// Why a game is over. The values up to END_LENGTH stand in files of packed games: they must not change.
typedef enum EndKind {
    END_NONE = -1,  // it is not
    END_RULES,      // the rules of the game say so, or a side declared a win by them
    END_WIN_SCORE,  // adjudicated: both sides see a win of the same side
    END_DRAW_SCORE, // adjudicated: both sides see a draw
    END_LENGTH,     // adjudicated: a draw because it is too long
    END_RESIGNED,
    END_FAULT,     // a side crashed, hung, lost on time or broke the rules
    END_ABANDONED, // given up from outside: it has no result
} EndKind;

// When scores end a game. A number of plies of 0 switches that part off.
typedef struct Adjudication {
    int win_score, win_plies;   // both sides see at least this for the same side, so many plies in a row
    int draw_score, draw_plies; // both see no more than this for either side, so many plies in a row..
    int draw_from_ply;          // ..of which the first brought the game to this ply or a later one
    int max_plies;              // a draw when the game has so many plies
    // As self-play has always done it, since the same seed must go on to give the same files: the scores are
    // asked before the rules, so that a mate with the last ply of such a row counts as adjudicated, and a
    // game that is too long ends as a draw by score when its row of such scores began too early.
    bool scores_first;
} Adjudication;

// The row of plies that is going on. Zero-initialised for a new game.
typedef struct Streak {
    int leader, win_plies, draw_plies;
} Streak;

// A side made a move with this score (its own view; SCORE_NONE when nobody knows), which brought the game to
// `ply` plies. END_NONE while the game goes on, else why it ends, with its result.
EndKind adjudicate(Streak *streak, const Adjudication *rule, int side, int score, int ply,
                   GameResult *result);

#endif
