// SPDX-License-Identifier: GPL-3.0-or-later
// What a search tells while it runs, through the callbacks of SearchEvents. Called by worker 0 alone.
#include "search/report.h"

#include "search/ranks.h"
#include "search/threads.h"

void engine_report_current(Engine *engine, int depth, Move move, int number)
{
    const SearchEvents *l = engine->events;
    if (depth > 0 && l && l->root_move && engine_real_ms(engine) >= REPORT_QUIET_MS)
        l->root_move(l->context, depth, move, number);
}

u64 engine_tb_hits(const Engine *engine)
{
    u64 sum = peers_counts(engine).tb_hits;
    for (int i = 0; i < engine->worker_nb; i++)
        sum += atomic_load_explicit(&engine->worker[i]->tb_hits, memory_order_relaxed);
    return sum;
}

// What is told of a root move's score: what the tables know of it goes before what the search guesses, but a
// mate is a mate.
int reported_score(const Worker *w, const RootMove *rm, int score)
{
    if (rm->tb_result == TB_NONE || score_is_mate(score))
        return score;
    return rm->tb_result == TB_WIN    ? SCORE_TB_WIN
           : rm->tb_result == TB_LOSS ? -SCORE_TB_WIN
                                      : w->draw_score + (int)rm->tb_result;
}

void report_line(const Worker *w, const RootMove *rm, int multi_pv, int depth, int score, Bound bound)
{
    Engine *engine = w->engine;
    const SearchEvents *l = engine->events;
    if (!l || !l->line)
        return;
    engine->reported = true;
    if (multi_pv == 1)
        engine->last_best = rm->move;
    l->line(l->context, &(SearchLine){.depth = max_int(depth, 1),
                                      .seldepth = max_int(rm->seldepth, 1),
                                      .multi_pv = multi_pv,
                                      .score = reported_score(w, rm, score),
                                      .bound = rm->tb_result == TB_NONE ? bound : BOUND_EXACT,
                                      .nodes = engine_nodes(engine),
                                      .tb_hits = engine_tb_hits(engine),
                                      .time_ms = engine_real_ms(engine),
                                      .hash_permille = tt_permille(engine->tt),
                                      .pv = rm->pv,
                                      .pv_nb = rm->pv_nb});
}

// All lines together; those without a score were not reached in the first iteration.
void report_all(const Worker *w, int lines)
{
    for (int i = 0; i < lines; i++) {
        const RootMove *rm = &w->root[i];
        if (rm->score != -SCORE_INFINITE)
            report_line(w, rm, i + 1, w->root_depth - rm->is_of_last, rm->score, rm->bound);
    }
}
