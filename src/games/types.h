// SPDX-License-Identifier: GPL-3.0-or-later
// The contract, for everyone: the types that are the same for every game. Each game's game.h includes this,
// defines its constants and structures, and then includes rules.h, heuristics.h and features.h, which declare
// the functions that rules, search and network need. The rest of the contract stands in headers by audience:
// knowledge.h (search), notation.h (people), record.h (files), words.h (protocols). contract.c holds each
// game to all of it.
#ifndef TWOFOLD_GAMES_TYPES_H
#define TWOFOLD_GAMES_TYPES_H

#include "base/base.h"

// A move is 16 bits in every game; which bits mean what is the game's own business. No legal move has one of
// these values.
typedef u16 Move;
enum {
    MOVE_NONE = 0,
    MOVE_NULL = 0x8001, // pass: made only by pos_make_null
    MOVE_WIN = 0x8002,  // a declaration that ends the game: never in the table, never in a PV
};

// Side 0 moves first from the start position (White in chess, Black in shogi).
enum { SIDE_NB = 2 };

// A verdict of the rules, from the view of the side to move. Only the search knows what it is worth in
// points.
typedef enum Outcome {
    OUTCOME_NONE, // the game goes on
    OUTCOME_DRAW,
    OUTCOME_WIN,
    OUTCOME_LOSS,
    OUTCOME_SUPERIOR, // the position came back with more for the side to move: as good as won, inside a
                      // search
    OUTCOME_INFERIOR, // the same, with less
} Outcome;

// How a game ended, for reports: what game_outcome found, or what the clock said.
typedef enum Reason {
    REASON_NONE,
    REASON_MATE,
    REASON_NO_MOVE, // stalemate: a draw or a loss, as the game has it
    REASON_REPETITION,
    REASON_PERPETUAL_CHECK,
    REASON_MOVE_LIMIT, // fifty moves; the agreed maximum
    REASON_DEAD_POSITION,
    REASON_DECLARATION,
    REASON_TIME, // a flag fell: never from game_outcome
    REASON_NB,
} Reason;

// What the rules say of a position, from the view of the side to move.
typedef struct Verdict {
    Outcome outcome; // NONE, DRAW, WIN or LOSS
    Reason reason;
} Verdict;

// How a game ended, by sides and never from the mover's view; RESULT_NONE when it goes on or nobody knows.
typedef enum GameResult {
    RESULT_NONE,
    RESULT_FIRST_WINS,
    RESULT_DRAW,
    RESULT_SECOND_WINS,
    RESULT_NB
} GameResult;
// The half points that a result gives to one side.
enum { POINTS_LOSS, POINTS_DRAW, POINTS_WIN, POINTS_NB };

static inline GameResult result_of_winner(int side)
{
    return side == 0 ? RESULT_FIRST_WINS : RESULT_SECOND_WINS;
}
// The result that an outcome from the view of `side` means.
static inline GameResult result_of_outcome(Outcome outcome, int side)
{
    switch (outcome) {
    case OUTCOME_DRAW: return RESULT_DRAW;
    case OUTCOME_WIN: return result_of_winner(side);
    case OUTCOME_LOSS: return result_of_winner(!side);
    default: return RESULT_NONE;
    }
}
// The result as an outcome from the view of `side`.
static inline Outcome result_outcome(GameResult result, int side)
{
    if (result == RESULT_NONE || result == RESULT_DRAW)
        return result == RESULT_DRAW ? OUTCOME_DRAW : OUTCOME_NONE;
    return result == result_of_winner(side) ? OUTCOME_WIN : OUTCOME_LOSS;
}
// The side that won; -1 when none did.
static inline int result_winner(GameResult result)
{
    return result == RESULT_FIRST_WINS ? 0 : result == RESULT_SECOND_WINS ? 1 : -1;
}
// What the result gives to a side; a game without a result counts as drawn.
static inline int result_points(GameResult result, int side)
{
    int winner = result_winner(result);
    return winner < 0 ? POINTS_DRAW : winner == side ? POINTS_WIN : POINTS_LOSS;
}
static inline GameResult result_of_points(int points_of_first)
{
    return (GameResult)(RESULT_SECOND_WINS - points_of_first);
}

// What pos_set made of a text.
typedef enum SetResult {
    SET_REJECTED, // the message says why; the position is untouched
    SET_REPAIRED, // accepted after dropping a field that is impossible on this board; the message says which
    SET_OK,
} SetResult;

// Outside knowledge about a position: what an endgame table says, from the view of the side to move.
typedef enum TbResult {
    TB_LOSS = -2,
    TB_BLESSED_LOSS = -1, // lost, but for a move-count rule
    TB_DRAW = 0,
    TB_CURSED_WIN = 1,
    TB_WIN = 2,
    TB_NONE = 100,
} TbResult;

#endif
