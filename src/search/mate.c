// SPDX-License-Identifier: GPL-3.0-or-later
// Mates: proven by the game's solver beside the search, and told with a line of moves that leads to them.
// The solver works on a budget of nodes, so that searches repeat: at the root before the first iteration, and
// along the principal variation after each. What it proves on the line goes into the table, where the next
// iteration meets it. A game without a solver answers at once and nothing happens. The budget follows the
// search, by its time at the root and by its nodes on the line: at a few milliseconds a move a fixed one left
// so little for the search that it cost more than 200 Elo. Where the table cut the line of a mate score
// short, it is completed from the table, and its last plies by a small exhaustive search.
#include "search/mate.h"

#include <stdlib.h>

#include "search/threads.h"

enum { SOLVER_MEMORY_MB = 8, LINE_PLIES_MAX = 16, NODES_MIN = 100 };
enum { MATE_LINE_BUDGET = 5000, MATE_LINE_PLIES = 7 };

// ---- lines that end in mate ---------------------------------------------------------------------
bool replay_line(const Worker *w, const Move *line, int nb, Position *end)
{
    Position pos = w->pos;
    Undo undo;
    for (int i = 0; i < nb; i++) {
        if (!move_is_pseudo_legal(&pos, line[i]) || !move_is_legal(&pos, line[i]))
            return false;
        pos_make(&pos, line[i], &undo, NULL);
    }
    *end = pos;
    return true;
}

bool is_mated(const Position *pos)
{
    return gen_count(pos) == 0 && (pos_in_check(pos) || pos_no_move_outcome(pos) == OUTCOME_LOSS);
}

// The move of an attacker or defender that keeps a mate in exactly `plies`, by a small exhaustive search;
// MOVE_NONE if not found in the budget.
static Move mate_step(Position *pos, int plies, u64 *budget, Move *line, int *line_nb);

static bool mates_within(Position *pos, int plies, u64 *budget, Move *line, int *line_nb)
{
    return mate_step(pos, plies, budget, line, line_nb) != MOVE_NONE;
}

// plies odd: the side to move mates in at most that many. The line found is the longest defence against the
// first mate found.
static Move mate_step(Position *pos, int plies, u64 *budget, Move *line, int *line_nb)
{
    if (*budget == 0)
        return MOVE_NONE;
    --*budget;
    Move list[MAX_MOVES];
    Move *end = gen_all(pos, list);
    for (Move *m = list; m < end; m++) {
        if (plies == 1 && !move_gives_check(pos, *m))
            continue;
        if (*budget == 0)
            return MOVE_NONE;
        --*budget;
        Undo undo, reply_undo;
        pos_make(pos, *m, &undo, NULL);
        Move replies[MAX_MOVES], best_line[MAX_PLY];
        Move *reply_end = gen_all(pos, replies);
        bool all = reply_end > replies ? plies >= 3 : is_mated(pos);
        int best_nb = 0;
        for (Move *r = replies; all && r < reply_end; r++) {
            Move sub[MAX_PLY];
            int sub_nb = 0;
            pos_make(pos, *r, &reply_undo, NULL);
            all = mates_within(pos, plies - 2, budget, sub, &sub_nb);
            pos_unmake(pos, *r, &reply_undo);
            if (all && sub_nb + 1 > best_nb) {
                best_line[0] = *r;
                memcpy(best_line + 1, sub, (size_t)sub_nb * sizeof(Move));
                best_nb = sub_nb + 1;
            }
        }
        pos_unmake(pos, *m, &undo);
        if (all) {
            line[0] = *m;
            memcpy(line + 1, best_line, (size_t)best_nb * sizeof(Move));
            *line_nb = best_nb + 1;
            return *m;
        }
    }
    return MOVE_NONE;
}

// What the table knows of the way: the attacker's move that keeps a mate in exactly so many plies, or a
// defence after which it is one ply nearer. MOVE_NONE: nothing.
static Move known_step(const Worker *w, const Position *pos, int plies)
{
    const bool attacks = plies % 2 == 1;
    const TtEntry here = tt_probe(w->engine->tt, pos_key(pos), 0);
    Move list[MAX_MOVES];
    if (here.hit && here.move != MOVE_NONE &&
        here.score == (attacks ? SCORE_MATE - plies : -SCORE_MATE + plies) &&
        move_is_pseudo_legal(pos, here.move) && move_is_legal(pos, here.move))
        return here.move;
    // Where no move helps none is in the table: one is wanted that puts the mate off for so long.
    const Move *end = attacks ? list : gen_all(pos, list);
    for (const Move *m = list; m < end; m++) {
        const Position after = pos_after(pos, *m);
        const TtEntry next = tt_probe(w->engine->tt, pos_key(&after), 0);
        if (next.hit && (next.bound & BOUND_LOWER) && next.score == SCORE_MATE - plies + 1)
            return *m;
    }
    return MOVE_NONE;
}

// The last plies of a mate by a small exhaustive search, whoever is to move; false when it takes too long.
static bool search_end(Position *pos, int plies, Move *line)
{
    u64 budget = MATE_LINE_BUDGET;
    Move list[MAX_MOVES];
    Undo undo;
    int nb = 0;
    if (plies <= 0 || plies > MATE_LINE_PLIES)
        return false;
    if (plies % 2 == 1)
        return mates_within(pos, plies, &budget, line, &nb) && nb == plies;
    const Move *end = gen_all(pos, list);
    bool found = false;
    for (const Move *m = list; !found && m < end; m++) {
        line[0] = *m;
        pos_make(pos, *m, &undo, NULL);
        found = mates_within(pos, plies - 1, &budget, line + 1, &nb) && nb == plies - 1;
        pos_unmake(pos, *m, &undo);
    }
    return found;
}

void complete_mate_line(const Worker *w, RootMove *rm)
{
    // A mate that a search cut short has as a bound alone is proven too, and holds once it has its line.
    const bool is_bound = rm->bound == BOUND_LOWER && rm->score > 0;
    const int plies = abs(score_mate_plies(rm->score));
    RootMove full = *rm;
    Position pos;
    Move next;
    if (!score_is_mate(rm->score) || !(rm->bound == BOUND_EXACT || is_bound) ||
        (rm->pv_nb >= plies && !is_bound) || !replay_line(w, rm->pv, rm->pv_nb, &pos))
        return;
    while (full.pv_nb < plies && (next = known_step(w, &pos, plies - full.pv_nb)) != MOVE_NONE) {
        full.pv[full.pv_nb++] = next;
        pos = pos_after(&pos, next);
    }
    if (search_end(&pos, plies - full.pv_nb, full.pv + full.pv_nb))
        full.pv_nb = plies;
    const bool is_whole = full.pv_nb == plies && replay_line(w, full.pv, full.pv_nb, &pos) && is_mated(&pos);
    if (is_bound && !is_whole)
        return;
    full.bound = BOUND_EXACT;
    *rm = full;
}

// ---- the solver ---------------------------------------------------------------------------------
static bool is_over(void *context)
{
    Engine *engine = context;
    return control_is_stopped(engine->control) ||
           control_is_late(engine->control, engine_elapsed_ms(engine), 50);
}

// A mate of the position of the worker, with all of its line. Adds the nodes it took.
static bool solve(Worker *w, u64 nodes, MateResult *result, u64 *used)
{
    MateLimits limits = {
        .nodes = nodes, .stop = is_over, .context = w->engine, .memory_mb = SOLVER_MEMORY_MB, .strict = true};
    Position end;
    MateAnswer answer = mate_solve(&w->pos, &w->keys, &limits, result);
    *used += result->nodes;
    return answer == MATE_FOUND && result->line_nb > 0 && result->line_nb < MAX_PLY - 2 &&
           replay_line(w, result->line, result->line_nb, &end) && is_mated(&end);
}

// A search too small to afford the solver does without it.
static bool can_afford(const Worker *w)
{
    const u64 hard = w->engine->node_limit, soft = w->control->limits.soft_nodes;
    const u64 small = (u64)P(w, SolverSmallSearch);
    bool few_nodes = (hard > 0 && hard < small) || (soft > 0 && soft < small);
    return P(w, UseMateSolver) && w->id == 0 && !few_nodes && !w->engine->skill.active;
}

// So many nodes for a millisecond of the time planned.
static u64 root_nodes(const Worker *w)
{
    TimePlan plan = control_plan(w->control);
    i64 nodes = P(w, SolverRootNodes), ms = plan.fixed ? plan.hard_ms : plan.soft_ms;
    return (u64)(plan.limited ? min_i64(nodes, ms * P(w, SolverRootRate)) : nodes);
}

bool solver_try_root(Worker *w)
{
    MateResult result;
    const u64 nodes = root_nodes(w);
    if (!can_afford(w) || w->engine->options.multi_pv > 1 || nodes < NODES_MIN ||
        !solve(w, nodes, &result, &w->counters.solver_root))
        return false;
    for (int i = 0; i < w->root_nb; i++) {
        RootMove *rm = &w->root[i];
        if (rm->move != result.line[0])
            continue;
        rm->score = rm->previous_score = rm->average_score = SCORE_MATE - result.line_nb;
        rm->bound = BOUND_EXACT;
        rm->seldepth = result.line_nb;
        memcpy(rm->pv, result.line, (size_t)result.line_nb * sizeof(Move));
        rm->pv_nb = result.line_nb;
        return true;
    }
    return false;
}

// What is left of its share in the nodes of the search.
static u64 line_nodes(const Worker *w)
{
    u64 share = atomic_load(&w->nodes) / (u64)P(w, SolverLineShare);
    u64 left = share > w->counters.solver_line ? share - w->counters.solver_line : 0;
    return left < (u64)P(w, SolverLineNodes) ? left : (u64)P(w, SolverLineNodes);
}

void solver_try_line(Worker *w)
{
    if (!can_afford(w) || !P(w, UseTt) || score_is_mate(w->root[0].score))
        return;
    const RootMove *rm = &w->root[0];
    Undo undo[LINE_PLIES_MAX];
    assert(P(w, SolverLinePlies) <= LINE_PLIES_MAX);
    int made = 0;
    for (; made < rm->pv_nb && made < P(w, SolverLinePlies); made++) {
        MateResult result;
        const u64 nodes = line_nodes(w);
        if (nodes < NODES_MIN)
            break;
        if (made > 0 && solve(w, nodes, &result, &w->counters.solver_line))
            tt_store(w->engine->tt, pos_key(&w->pos), made, result.line[0],
                     SCORE_MATE - made - result.line_nb, SCORE_NONE, P(w, SolverProofDepth), BOUND_LOWER,
                     true);
        keys_push(&w->keys, &w->pos);
        pos_make(&w->pos, rm->pv[made], &undo[made], NULL);
    }
    while (made-- > 0) {
        pos_unmake(&w->pos, rm->pv[made], &undo[made]);
        keys_pop(&w->keys);
    }
}
