// SPDX-License-Identifier: GPL-3.0-or-later
// What the search of a node and quiescence share.
#ifndef TWOFOLD_ALPHABETA_H
#define TWOFOLD_ALPHABETA_H

#include "search/movepick.h"
#include "search/worker.h"

enum { TRIED_MAX = 64 };
// The first moves tried at a node, for the histories.
typedef struct MoveList {
    Move move[TRIED_MAX];
    int nb;
} MoveList;

static inline void move_list_add(MoveList *list, Move move)
{
    if (list->nb < TRIED_MAX)
        list->move[list->nb++] = move;
}

// What is known of a move when it is decided whether and how deep to search it.
typedef struct MoveInfo {
    Move move;
    int depth, move_nb, reduction; // reduction in 1024ths
    int history;
    int correction; // how far the evaluation was corrected: uncertainty
    bool noisy, gives_check, pv_node, cut_node, improving, tt_noisy;
} MoveInfo;

static inline bool worker_stopped(const Worker *w)
{
    return atomic_load_explicit(&w->engine->stop, memory_order_relaxed);
}

int search_node(Worker *w, Stack *stack, int alpha, int beta, int depth, bool cut_node);
// qply counts plies that consume quiescence depth; extended those that did not.
int quiescence(Worker *w, Stack *stack, int alpha, int beta, int qply, int extended);

void make_move(Worker *w, Stack *stack, Move move);
void unmake_move(Worker *w, Stack *stack);
int correction_of(Worker *w, const Stack *stack);
int corrected_eval(Worker *w, const Stack *stack, int raw);
int outcome_score(const Worker *w, Outcome outcome, int ply);
int no_move_score(const Worker *w, int ply);
bool judged_by_rules(Worker *w, const Stack *stack, int *alpha, int *beta, int *score);
bool wins_at_once(Worker *w, const Stack *stack, bool pv_node, int *score);
void pv_set(Worker *w, int ply, Move move);

#endif
