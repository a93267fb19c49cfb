// SPDX-License-Identifier: GPL-3.0-or-later
// The static evaluation as the search uses it: the network (or the caller's function, or material), as much
// of it as a weaker level understands, and the correction learned from positions like this one.
#include "search/eval.h"

#include "search/history.h"

int evaluate_without_net(const Engine *engine, const Position *pos)
{
    if (!engine->evaluate)
        return pos_material(pos) + pos_activity(pos);
    // Clamped here already: what is added to it later must not overflow.
    return clamp_int(engine->evaluate(engine->evaluate_context, pos), -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}

int worker_evaluate(Worker *w)
{
    const Position *pos = &w->pos;
    const Net *net = w->engine->net;
    w->counters.evaluations++;
    int score = net ? nnue_evaluate(w->acc, net, pos) : evaluate_without_net(w->engine, pos);
    if (w->engine->skill.active)
        score = skill_judge(&w->engine->skill, pos, score);
    return clamp_int(score, -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}

int corrected_by(const Worker *w, int raw, int correction)
{
    return clamp_int(pos_damp(&w->pos, raw) + correction, -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}

int corrected_eval(Worker *w, const Stack *stack, int raw)
{
    return corrected_by(w, raw, history_correction(w, stack));
}
