// SPDX-License-Identifier: GPL-3.0-or-later
// What a score means: the chances of winning, drawing and losing, and the centipawns shown to people. The
// model is a logistic curve whose centre and width depend on how much is left on the board; its constants are
// fitted per game on self-play (`data wdl`), one column each.
#include <math.h>
#include <stdlib.h>

#include "search/search.h"

typedef struct WdlModel {
    double centre[2], width[2]; // at phase 0 and at phase 256, linear between
    bool shown_by_win_rate; // shown = 600 * logit(win rate); else 100 is the score at which half the games
                            // are won
    double people_width, people_most; // in shown centipawns: of the curve for people, and where it is cut off
} WdlModel;

static const WdlModel MODELS[2] = {
    {{202.2, 84.0}, {52.1, 128.1}, false, 271.6, 1000},
    {{115.6, 31.4}, {724.7, 579.6}, true, 600, 20000},
};
enum { SHOWN_WIN_RATE_SCALE = 600, SHOWN_MAX = 20000 };

static double at_phase(const double value[2], const Position *pos)
{
    return value[0] + (value[1] - value[0]) * pos_phase(pos) / 256.0;
}

static double win_chance(double score, double centre, double width)
{
    return 1.0 / (1.0 + exp((centre - score) / width));
}

Wdl score_wdl(int score, const Position *pos)
{
    if (score >= SCORE_TB_MIN)
        return (Wdl){1000, 0, 0};
    if (score <= -SCORE_TB_MIN)
        return (Wdl){0, 0, 1000};
    const WdlModel *m = &MODELS[PARAM_COLUMN];
    double centre = at_phase(m->centre, pos), width = at_phase(m->width, pos);
    int win = (int)(1000 * win_chance(score, centre, width) + 0.5),
        loss = (int)(1000 * win_chance(-score, centre, width) + 0.5);
    loss = min_int(loss, 1000 - win);
    return (Wdl){win, 1000 - win - loss, loss};
}

static double shown_scale(const Position *pos)
{
    const WdlModel *m = &MODELS[PARAM_COLUMN];
    return m->shown_by_win_rate ? SHOWN_WIN_RATE_SCALE / at_phase(m->width, pos)
                                : 100.0 / at_phase(m->centre, pos);
}

int score_shown(int score, const Position *pos)
{
    if (abs(score) >= SCORE_TB_MIN) // a sure win, by tables or rules
        return score > 0 ? SHOWN_MAX : -SHOWN_MAX;
    return (int)fmax(-SHOWN_MAX, fmin(SHOWN_MAX, score * shown_scale(pos)));
}

int score_people(int score, const Position *pos)
{
    if (abs(score) >= SCORE_TB_MIN)
        return score > 0 ? 1000 : 0;
    const WdlModel *m = &MODELS[PARAM_COLUMN];
    double shown = fmax(-m->people_most, fmin(m->people_most, score_shown(score, pos)));
    return (int)(1000 * win_chance(shown, 0, m->people_width) + 0.5);
}

int score_of_shown(int centipawns, const Position *pos)
{
    return (int)lround(fmax(-SCORE_EVAL_MAX, fmin(SCORE_EVAL_MAX, centipawns / shown_scale(pos))));
}
