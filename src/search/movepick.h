// SPDX-License-Identifier: GPL-3.0-or-later
// Hands out the moves of a node one by one, best guess first, generating each group only when it is reached:
// table move, good noisy moves, killers, counter move, quiets, bad noisy moves. Every move handed out is
// legal, and each comes once.
#ifndef TWOFOLD_MOVEPICK_H
#define TWOFOLD_MOVEPICK_H

#include "search/worker.h"

// In the order in which they are gone through; each way in starts at a stage of its own.
typedef enum Stage {
    STAGE_TT,
    STAGE_GEN_NOISY,
    STAGE_GOOD_NOISY,
    STAGE_BAD_NOISY_FIRST,
    STAGE_KILLER_1,
    STAGE_KILLER_2,
    STAGE_COUNTER,
    STAGE_GEN_QUIET,
    STAGE_QUIET,
    STAGE_BAD_NOISY,
    STAGE_DONE,
    STAGE_EVASION_TT,
    STAGE_GEN_EVASION,
    STAGE_EVASION,
    STAGE_NOISY_TT,
    STAGE_GEN_NOISY_ONLY,
    STAGE_NOISY_ONLY,
    STAGE_Q_TT,
    STAGE_Q_GEN_NOISY,
    STAGE_Q_NOISY,
    STAGE_Q_GEN_CHECKS,
    STAGE_Q_CHECKS,
    STAGE_Q_OWN_TT,
    STAGE_Q_OWN_GEN,
    STAGE_Q_OWN,
} Stage;

typedef struct Picker {
    Worker *worker;
    const Stack *stack;
    int stage;
    int threshold;
    Move tt_move, killer[2], counter;
    bool with_checks, skip_quiets;
    int next, end, bad_nb, bad_next;
    Move move[MAX_MOVES];
    int score[MAX_MOVES];
    Move bad[MAX_MOVES];
} Picker;

// Everything; noisy moves whose exchange reaches `threshold`, for ProbCut; noisy moves, then quiet checks if
// asked, or both in quiescence's own order.
void picker_init(Picker *picker, Worker *worker, const Stack *stack, Move tt_move);
void picker_init_noisy(Picker *picker, Worker *worker, const Stack *stack, Move tt_move, int threshold);
void picker_init_quiescence(Picker *picker, Worker *worker, const Stack *stack, Move tt_move,
                            bool with_checks);
// The next move, MOVE_NONE when there are no more. Quiets are left out once skip_quiets is set.
Move picker_next(Picker *picker);

#endif
