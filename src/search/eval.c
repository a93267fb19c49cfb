// SPDX-License-Identifier: GPL-3.0-or-later
// The static evaluation as the search uses it: the network (or material), the error of a weaker level, and
// the correction learned from positions like this one.
#include "search/eval.h"

#include "search/history.h"

int worker_evaluate(Worker *w)
{
    const Position *pos = &w->pos;
    const Net *net = w->engine->net;
    w->counters.evaluations++;
    int score = net ? nnue_evaluate(w->acc, net, pos) : pos_material(pos) + pos_activity(pos);
    if (w->engine->skill.active)
        score += skill_noise(&w->engine->skill, pos_key(pos));
    return clamp_int(score, -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}

int corrected_eval(Worker *w, const Stack *stack, int raw)
{
    int eval = pos_damp(&w->pos, raw) + history_correction(w, stack);
    return clamp_int(eval, -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}
