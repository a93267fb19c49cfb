// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that end in mate. A mate score is told with moves that lead to it; where the table cut the line
// short, it is completed from the table, and its last plies by a small exhaustive search.
#include "search/worker.h"

enum { MATE_LINE_BUDGET = 5000, MATE_LINE_PLIES = 7 };

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

void complete_mate_line(const Worker *w, RootMove *rm)
{
    if (!score_is_mate(rm->score) || rm->bound != BOUND_EXACT)
        return;
    int plies = score_mate_plies(rm->score);
    plies = plies < 0 ? -plies : plies;
    Position pos;
    if (rm->pv_nb >= plies || !replay_line(w, rm->pv, rm->pv_nb, &pos))
        return;
    Undo undo;
    while (rm->pv_nb < plies && rm->pv_nb < MAX_PLY - 1) {
        TtEntry tt = tt_probe(w->engine->tt, pos_key(&pos), 0);
        int left = plies - rm->pv_nb;
        bool attacker = left % 2 == 1;
        int wanted = attacker ? SCORE_MATE - left : -SCORE_MATE + left;
        if (!tt.hit || tt.move == MOVE_NONE || tt.score != wanted || !move_is_pseudo_legal(&pos, tt.move) ||
            !move_is_legal(&pos, tt.move))
            break;
        rm->pv[rm->pv_nb++] = tt.move;
        pos_make(&pos, tt.move, &undo, NULL);
    }
    int left = plies - rm->pv_nb;
    if (left > 0 && left % 2 == 1 && left <= MATE_LINE_PLIES) {
        u64 budget = MATE_LINE_BUDGET;
        Move line[MAX_PLY];
        int nb = 0;
        if (mates_within(&pos, left, &budget, line, &nb) && nb == left) {
            memcpy(rm->pv + rm->pv_nb, line, (size_t)nb * sizeof(Move));
            rm->pv_nb += nb;
        }
    }
}
