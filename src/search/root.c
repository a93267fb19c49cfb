// SPDX-License-Identifier: GPL-3.0-or-later
// The moves of the root: which ones there are, their order before and after an iteration, what tablebases say
// of them, and the shortest mate proven so far, which nothing longer may replace.
#include "search/root.h"

// ---- the list -----------------------------------------------------------------------------------
static bool list_has(const Move *list, int nb, Move move)
{
    for (int i = 0; i < nb; i++)
        if (list[i] == move)
            return true;
    return false;
}

void root_set_moves(Worker *w, const Limits *limits)
{
    Move all[MAX_MOVES];
    int all_nb = (int)(gen_all(&w->pos, all) - all);
    // Wanted moves, less excluded ones; a list that leaves nothing counts for nothing.
    for (int pass = 0; pass < 3; pass++) {
        w->root_nb = 0;
        for (int i = 0; i < all_nb; i++) {
            if (pass < 2 && limits->only_nb > 0 && !list_has(limits->only, limits->only_nb, all[i]))
                continue;
            if ((pass == 0 || limits->only_nb == 0) && pass < 2 &&
                list_has(limits->except, limits->except_nb, all[i]))
                continue;
            RootMove *rm = &w->root[w->root_nb++];
            rm->move = rm->pv[0] = all[i];
            rm->pv_nb = 1;
            rm->score = rm->previous_score = -SCORE_INFINITE;
            rm->average_score = SCORE_NONE;
            rm->bound = BOUND_NONE;
            rm->is_of_last = false;
            rm->seldepth = 0;
            rm->nodes = 0;
            rm->tb_rank = 0;
            rm->tb_result = TB_NONE;
        }
        w->root_is_partial = w->root_nb < all_nb;
        if (w->root_nb > 0)
            return;
    }
}

// Before the first iteration: promising moves first, so that the move that is always ready is a sensible one.
// The root moves differ in nothing but their moves yet.
void root_order_first(Worker *w)
{
    const Position *pos = &w->pos;
    const Move tt_move = tt_probe(w->engine->tt, pos_key(pos), 0).move;
    int promise[MAX_MOVES];
    for (int i = 0; i < w->root_nb; i++) {
        const Move move = w->root[i].move;
        int own = move == tt_move                                    ? 1 << 20
                  : move_is_noisy(pos, move) && see_ge(pos, move, 0) ? move_gain(pos, move)
                                                                     : 0;
        int j = i;
        for (; j > 0 && own > promise[j - 1]; j--) {
            promise[j] = promise[j - 1];
            w->root[j].move = w->root[j].pv[0] = w->root[j - 1].move;
        }
        promise[j] = own;
        w->root[j].move = w->root[j].pv[0] = move;
    }
}

void root_rank_by_tb(Worker *w)
{
    const SearchOptions *o = &w->engine->options;
    Move moves[MAX_MOVES];
    int ranks[MAX_MOVES];
    TbResult result;
    if (!o->tablebase || pos_men(&w->pos) > min_int(o->tb_men, tb_men(o->tablebase)))
        return;
    for (int i = 0; i < w->root_nb; i++)
        moves[i] = w->root[i].move;
    if (!tb_rank_root(o->tablebase, &w->pos, &w->keys, o->tb_count_limit, moves, w->root_nb, ranks, &result))
        return;
    atomic_fetch_add_explicit(&w->tb_hits, (u64)w->root_nb, memory_order_relaxed);
    int best = ranks[0];
    for (int i = 1; i < w->root_nb; i++)
        best = max_int(best, ranks[i]);
    // Only moves as good as the best are searched: the search finds the mate among them.
    int kept = 0;
    for (int i = 0; i < w->root_nb; i++) {
        TbResult own;
        w->root[i].tb_rank = ranks[i];
        if (ranks[i] == best)
            w->root[i].tb_result = result;
        else if (o->multi_pv > 1 && tb_rank_root(o->tablebase, &w->pos, &w->keys, o->tb_count_limit,
                                                 &moves[i], 1, &ranks[i], &own))
            w->root[i].tb_result = own;
        if (w->root[i].tb_rank == best || o->multi_pv > 1)
            w->root[kept++] = w->root[i];
    }
    w->root_nb = kept;
}

// ---- the order ----------------------------------------------------------------------------------
// Best first: table rank, then this iteration's score; those it has not scored by the nodes they took, but
// for an iteration cut short, which leaves them in the last one's order. Stable.
static bool goes_before(const RootMove *a, const RootMove *b, bool by_nodes)
{
    if (a->tb_rank != b->tb_rank)
        return a->tb_rank > b->tb_rank;
    if (a->score != b->score)
        return a->score > b->score;
    if (a->score == -SCORE_INFINITE)
        return by_nodes && a->nodes > b->nodes;
    return a->previous_score > b->previous_score;
}

// Puts a move before others that keep their order; most stay where they are, and their lines are not copied.
static void move_up(Worker *w, int from, int to)
{
    if (from == to)
        return;
    RootMove rm = w->root[from];
    memmove(&w->root[to + 1], &w->root[to], (size_t)(from - to) * sizeof rm);
    w->root[to] = rm;
}

void root_sort(Worker *w, int first, int end)
{
    const bool by_nodes = !atomic_load_explicit(&w->control->stop, memory_order_relaxed);
    for (int i = first + 1; i < end; i++) {
        int to = i;
        while (to > first && goes_before(&w->root[i], &w->root[to - 1], by_nodes))
            to--;
        move_up(w, i, to);
    }
}

// Several lines, cut short: what was not finished is as the last iteration left it, and all are put in order.
void root_settle_lines(Worker *w)
{
    for (int i = 0; w->completed_depth > 0 && i < w->root_nb; i++) {
        RootMove *rm = &w->root[i];
        if (rm->score != -SCORE_INFINITE && rm->bound == BOUND_EXACT)
            continue;
        rm->score = rm->previous_score;
        rm->bound = BOUND_EXACT;
        rm->is_of_last = true;
    }
    root_sort(w, 0, w->root_nb);
}

// The second and later lines begin with the move that was best among the rest in the last iteration: its
// score is what the window is built around.
void root_expect_first(Worker *w)
{
    int best = w->pv_index;
    for (int i = best + 1; i < w->pv_last; i++)
        if (w->root[i].previous_score > w->root[best].previous_score)
            best = i;
    move_up(w, best, w->pv_index);
}

void root_note_move(Worker *w, RootMove *rm, int score, int alpha, int beta, int move_nb, u64 nodes)
{
    rm->nodes += nodes;
    if (move_nb > 1 && score <= alpha) {
        rm->score = -SCORE_INFINITE;
        return;
    }
    rm->average_score = rm->average_score == SCORE_NONE ? score : (rm->average_score + score) / 2;
    rm->score = score;
    rm->bound = score <= alpha ? BOUND_UPPER : score >= beta ? BOUND_LOWER : BOUND_EXACT;
    rm->seldepth = w->seldepth;
    rm->pv[0] = rm->move;
    memcpy(rm->pv + 1, w->pv[1], (size_t)w->pv_nb[1] * sizeof(Move));
    rm->pv_nb = w->pv_nb[1] + 1;
}

// ---- mates that hold ----------------------------------------------------------------------------
void root_put_first(Worker *w, const RootMove *rm)
{
    RootMove front = *rm;
    for (int i = 0; i < w->root_nb; i++)
        if (w->root[i].move == front.move) {
            front.nodes = w->root[i].nodes;
            memmove(&w->root[1], &w->root[0], (size_t)i * sizeof w->root[0]);
            w->root[0] = front;
            return;
        }
}

void root_restore_last(Worker *w)
{
    if (w->completed_depth > 0) {
        root_put_first(w, &w->last_complete);
        w->root[0].previous_score = w->root[0].score; // as the others' of that iteration are by now
    } else
        w->root[0].score = -SCORE_INFINITE;
}

// A proven mate is never given up for a longer one, nor for none.
void root_hold_mate(Worker *w)
{
    RootMove *best = &w->root[0], *proven_mate = &w->proven_mate;
    if (best->bound != BOUND_EXACT || best->score == -SCORE_INFINITE) {
        if (w->has_proven_mate)
            root_put_first(w, proven_mate);
        return;
    }
    int proven_plies = w->has_proven_mate ? score_mate_plies(proven_mate->score) : 0;
    bool is_better = !w->has_proven_mate;
    if (score_is_mate(best->score)) {
        int plies = score_mate_plies(best->score);
        is_better = !w->has_proven_mate || (plies > 0 && (proven_plies < 0 || plies <= proven_plies)) ||
                    (plies < 0 && proven_plies < 0 && plies >= proven_plies);
    } else if (!w->has_proven_mate)
        return;
    else
        is_better = false;
    if (is_better) {
        *proven_mate = *best;
        w->has_proven_mate = true;
        return;
    }
    root_put_first(w, proven_mate);
}
