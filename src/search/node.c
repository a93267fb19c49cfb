// SPDX-License-Identifier: GPL-3.0-or-later
// What every node does, in the search and in quiescence: making and taking back a move, scores for what the
// rules say, and the line of best moves. Invariant: a worker's position, key history and accumulators change
// together, here alone.
#include "search/node.h"

#include "search/history.h"
#include "search/threads.h"

// ---- making moves -------------------------------------------------------------------------------
static void count_node(Worker *w, int ply)
{
    w->deepest = max_int(w->deepest, ply);
    u64 nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed) + 1;
    atomic_store_explicit(&w->nodes, nodes, memory_order_relaxed);
    w->counters.nodes++;
    if (--w->clock_countdown <= 0)
        worker_check_clock(w);
}

void make_move(Worker *w, Stack *stack, Move move)
{
    Position *pos = &w->pos;
    history_note_move(w, stack, move);
    keys_push(&w->keys, pos);
    pos_make(pos, move, &stack->undo, &stack->delta);
    assert(pos_is_ok(pos));
    if (w->engine->net)
        nnue_push(w->acc, &stack->delta, pos);
    tt_prefetch(w->engine->tt, pos_key(pos));
    count_node(w, stack->ply);
}

void unmake_move(Worker *w, Stack *stack)
{
    if (w->engine->net)
        nnue_pop(w->acc);
    pos_unmake(&w->pos, stack->move, &stack->undo);
    keys_pop(&w->keys);
    assert(pos_is_ok(&w->pos));
}

void make_null(Worker *w, Stack *stack)
{
    stack->move = MOVE_NULL;
    stack->piece_to = 0;
    stack->continuation = history_no_continuation(w->history);
    keys_push(&w->keys, &w->pos);
    pos_make_null(&w->pos, &stack->undo);
    tt_prefetch(w->engine->tt, pos_key(&w->pos));
    count_node(w, stack->ply);
}

void unmake_null(Worker *w, Stack *stack)
{
    pos_unmake_null(&w->pos, &stack->undo);
    keys_pop(&w->keys);
}

// ---- verdicts of the rules as scores ------------------------------------------------------------
int draw_score(const Worker *w) { return pos_side(&w->pos) == w->root_side ? w->draw_score : -w->draw_score; }

// A win by rule (not by mate) counts as a won table position: sure, but no mate to be shown.
int outcome_score(const Worker *w, Outcome outcome, int ply)
{
    switch (outcome) {
    case OUTCOME_WIN: return SCORE_TB_WIN - ply;
    case OUTCOME_LOSS: return -SCORE_TB_WIN + ply;
    case OUTCOME_SUPERIOR: return P(w, DominantScore);
    case OUTCOME_INFERIOR: return -P(w, DominantScore);
    default: return draw_score(w);
    }
}

int no_move_score(const Worker *w, int ply)
{
    return pos_in_check(&w->pos) || pos_no_move_outcome(&w->pos) == OUTCOME_LOSS ? -SCORE_MATE + ply
                                                                                 : draw_score(w);
}

// What the rules say about this node before any move is looked at; true when that is the answer.
bool judged_by_rules(Worker *w, const Stack *stack, int *alpha, int *beta, int *score)
{
    Outcome outcome = pos_outcome(&w->pos, &w->keys, stack->ply);
    if (outcome != OUTCOME_NONE) {
        w->counters.repetitions++;
        *score = outcome_score(w, outcome, stack->ply);
        return true;
    }
    // A move that repeats is at hand: the side to move has at least a draw.
    if (P(w, UseUpcomingRepetition) && *alpha < draw_score(w) &&
        pos_can_repeat(&w->pos, &w->keys, stack->ply)) {
        *alpha = draw_score(w);
        if (*alpha >= *beta)
            return *score = *alpha, true;
    }
    // Mate-distance: even mating at once, or being mated at once, could not change the result.
    if (P(w, UseMateDistance)) {
        *alpha = max_int(*alpha, -SCORE_MATE + stack->ply);
        *beta = min_int(*beta, SCORE_MATE - stack->ply - 1);
        if (*alpha >= *beta)
            return *score = *alpha, true;
    }
    return false;
}

// The side to move wins at once: a mate in one that can be seen without searching, or a declaration.
bool wins_at_once(Worker *w, const Stack *stack, bool pv_node, int *score)
{
    Move how;
    if (!P(w, UseInstantWin) || stack->in_check || stack->ply < w->blind_plies ||
        !pos_instant_win(&w->pos, &how))
        return false;
    w->counters.instant_wins++;
    if (how == MOVE_WIN) {
        *score = SCORE_TB_WIN - stack->ply;
        return true;
    }
    *score = SCORE_MATE - stack->ply - 1;
    if (pv_node) {
        w->pv[stack->ply][0] = how;
        w->pv_nb[stack->ply] = 1;
    }
    return true;
}

// ---- the line -----------------------------------------------------------------------------------
void pv_set(Worker *w, int ply, Move move)
{
    Move *line = w->pv[ply];
    line[0] = move;
    memcpy(line + 1, w->pv[ply + 1], (size_t)w->pv_nb[ply + 1] * sizeof(Move));
    w->pv_nb[ply] = w->pv_nb[ply + 1] + 1;
}
