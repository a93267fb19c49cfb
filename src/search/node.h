// SPDX-License-Identifier: GPL-3.0-or-later
// What the search of a node and quiescence share: making moves, verdicts of the rules as scores, the line of
// best moves.
#ifndef TWOFOLD_NODE_H
#define TWOFOLD_NODE_H

#include "search/worker.h"

// Has the search been told to end? Then every level returns a dummy value, and nothing is stored.
static inline bool worker_stopped(const Worker *w)
{
    return atomic_load_explicit(&w->control->stop, memory_order_relaxed);
}

// Makes a legal move (or a pass) and counts the node; the stack's entry keeps what undoing needs.
void make_move(Worker *w, Stack *stack, Move move);
void unmake_move(Worker *w, Stack *stack);
void make_null(Worker *w, Stack *stack);
void unmake_null(Worker *w, Stack *stack);

// What the table has of this position. An entry whose move is not legal here is another position's, and is
// not used.
static inline TtEntry read_table(Worker *w, const Stack *stack)
{
    const Position *pos = &w->pos;
    w->counters.tt_probes++;
    const TtEntry entry = tt_probe(w->engine->tt, pos_key(pos), stack->ply);
    if (entry.move != MOVE_NONE && !(move_is_pseudo_legal(pos, entry.move) && move_is_legal(pos, entry.move)))
        return TT_NO_ENTRY;
    w->counters.tt_hits += entry.hit;
    return entry;
}
// Does an entry of at least this depth answer whether the score reaches beta?
static inline bool entry_answers(const Worker *w, const TtEntry *tt, int depth, int beta)
{
    const bool deep_enough = P(w, UseTtEqualDepth) ? tt->depth == depth : tt->depth >= depth;
    return tt->hit && tt->score != SCORE_NONE && deep_enough && pos_tt_trust(&w->pos) &&
           (tt->bound & (tt->score >= beta ? BOUND_LOWER : BOUND_UPPER));
}
// Does a weaker level overlook the move here? Only near the root; evasions are never overlooked.
static inline bool worker_overlooks(const Worker *w, const Stack *stack, Move move)
{
    return stack->ply < w->blind_plies && !stack->in_check &&
           !skill_sees(&w->engine->skill, &w->pos, move, stack->ply, stack[-1].move, stack[-2].move);
}

// What a draw is worth to the side to move here.
int draw_score(const Worker *w);
int outcome_score(const Worker *w, Outcome outcome, int ply);
int no_move_score(const Worker *w, int ply);
// What the rules say about this node before any move is looked at; true when that is the answer.
bool judged_by_rules(Worker *w, const Stack *stack, int *alpha, int *beta, int *score);
// The side to move wins at once: a mate in one that can be seen without searching, or a declaration.
bool wins_at_once(Worker *w, const Stack *stack, bool pv_node, int *score);

// The best line from this ply is the move and the best line behind it.
void pv_set(Worker *w, int ply, Move move);

#endif
