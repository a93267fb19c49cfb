// SPDX-License-Identifier: GPL-3.0-or-later
// What the search remembers about moves (how often each was good, by several keys) and about evaluations (how
// far off they were). Histories is one worker's; a new game is one history_clear of it. Only history.c knows
// where an entry stands: the others ask and tell.
#ifndef TWOFOLD_HISTORY_H
#define TWOFOLD_HISTORY_H

#include "search/params.h"
#include "search/search.h"

enum {
    PAWN_HISTORY_NB = 512,
    LOW_PLY_NB = 5,
    CORRECTION_NB = 16384,
    CONTINUATION_CORRECTION_NB = 32768,
    TRIED_MAX = 64,
    // Tables of moves told apart by danger (move_danger), and of answers to evasions, captures, both and
    // neither: one of each where the switch is off for good.
    DANGER_NB = PARAMS_VARY || PARAM_UseThreatHistory ? 4 : 1,
    CONTINUATION_KINDS = PARAMS_VARY || PARAM_UseContinuationKinds ? 4 : 1,
};

typedef i16 PieceTo[PIECE_NB][SQUARE_NB];

typedef struct Histories {
    i16 butterfly[DANGER_NB][SIDE_NB][FROM_NB][SQUARE_NB];
    PieceTo piece_to;
    PieceTo continuation[CONTINUATION_KINDS][PIECE_NB][SQUARE_NB];
    PieceTo pawn[PAWN_HISTORY_NB];
    i16 low_ply[LOW_PLY_NB][FROM_NB][SQUARE_NB];
    i16 capture[PIECE_NB][SQUARE_NB][PIECE_NB];
    Move counter[PIECE_NB][SQUARE_NB];
    i16 correction[SUBKEY_NB][SIDE_NB][CORRECTION_NB];
    i16 continuation_correction[SIDE_NB][CONTINUATION_CORRECTION_NB];
} Histories;

// The first moves tried at a node.
typedef struct MoveList {
    Move move[TRIED_MAX];
    int nb;
} MoveList;

static inline void move_list_add(MoveList *list, Move move)
{
    if (list->nb < TRIED_MAX)
        list->move[list->nb++] = move;
}

typedef struct Worker Worker; // worker.h
typedef struct Stack Stack;

// ---- moves --------------------------------------------------------------------------------------
// A legal move is about to be made: the stack's entry keeps what the histories will ask of it.
void history_note_move(Worker *worker, Stack *stack, Move move);
// Where the history of answers to no move is: to a pass, or at the root.
PieceTo *history_no_continuation(Histories *histories);
// The sum that guides reductions and pruning of a quiet move: plies 1, 2 and 4 back, structure and piece-to.
int history_quiet(Worker *worker, const Stack *stack, Move move);
// The same with what only the order of quiet moves takes into account: ply 6 back, and the plies near the
// root.
int history_order(Worker *worker, const Stack *stack, Move move);
int history_noisy(Worker *worker, Move move);
// The quiet move that was the answer to the move before this node when it was met last; MOVE_NONE: none.
Move history_counter(const Worker *worker, const Stack *stack);
// The best move failed high (or became the PV): it rises, those tried before it sink.
void history_update(Worker *worker, Stack *stack, Move best, int depth, const MoveList *quiets,
                    const MoveList *noisies);
// The table knows that this quiet move fails high here: it rises a little.
void history_confirm(Worker *worker, const Stack *stack, Move move, int depth);
// Nothing here helped: the quiet move that led here was good.
void history_reward_previous(Worker *worker, const Stack *stack, int depth);
// The quiet move that led here made the evaluation better, or worse, for the side that played it.
void history_note_eval(Worker *worker, const Stack *stack);
// A late quiet move, just made, was searched again at full depth: it was good after all, or it was not.
void history_note_research(Worker *worker, const Stack *stack, int depth, bool is_good);

// ---- evaluations --------------------------------------------------------------------------------
// How far static evaluations of positions like this have been off, in centipawns.
int history_correction(Worker *worker, const Stack *stack);
void history_update_correction(Worker *worker, const Stack *stack, int difference, int depth);

// ---- between searches ---------------------------------------------------------------------------
// A new search begins: what belongs to the old root is forgotten, the rest fades.
void history_age(Worker *worker);
void history_clear(Histories *histories);

#endif
