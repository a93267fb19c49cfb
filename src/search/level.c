// SPDX-License-Identifier: GPL-3.0-or-later
// See level.h. The steps between the rows of the table are filled in by straight lines (nodes on a logarithmic scale).
#include "search/level.h"

#include <math.h>

#include "search/worker.h"

typedef struct LevelRow {
    int elo, nodes, depth, noise, softness, lines;
} LevelRow;

enum { LEVEL_ROWS = 6, FULL_ELO = 3200, WON_SCORE = 500, LINES_MAX = 12 };

static const LevelRow LEVELS[LEVEL_ROWS] = {
    {600, 40, 2, 220, 140, 8},   {1000, 120, 3, 130, 90, 7},   {1400, 500, 5, 80, 55, 6},
    {1800, 2500, 8, 45, 30, 5},  {2400, 20000, 14, 15, 10, 3}, {3200, 400000, 40, 0, 0, 1},
};

LevelRange level_range(void)
{
    return (LevelRange){LEVELS[0].elo, FULL_ELO};
}

static int between(int a, int b, double t)
{
    return (int)lround(a + (b - a) * t);
}

LevelPlan level_plan(int elo, u64 seed)
{
    if (elo <= 0 || elo >= FULL_ELO)
        return (LevelPlan){.active = false};
    elo = max_int(elo, LEVELS[0].elo);
    int i = 0;
    while (i + 2 < LEVEL_ROWS && elo >= LEVELS[i + 1].elo)
        i++;
    const LevelRow *a = &LEVELS[i], *b = a + 1;
    double t = (double)(elo - a->elo) / (b->elo - a->elo);
    return (LevelPlan){.active = true,
                       .nodes = (u64)llround(exp(log(a->nodes) + (log(b->nodes) - log(a->nodes)) * t)),
                       .max_depth = between(a->depth, b->depth, t),
                       .noise = between(a->noise, b->noise, t),
                       .softness = between(a->softness, b->softness, t),
                       .lines = between(a->lines, b->lines, t),
                       .seed = hash_mix(seed ^ (u64)elo)};
}

void level_sharpen(LevelPlan *plan, int score)
{
    enum { SHARP_NODES = 60000, SHARP_DEPTH = 20 };
    if (score < WON_SCORE)
        return;
    plan->noise /= 16;
    plan->softness = 0;
    plan->lines = 1;
    plan->nodes = plan->nodes < SHARP_NODES ? SHARP_NODES : plan->nodes;
    plan->max_depth = max_int(plan->max_depth, SHARP_DEPTH);
}

int level_noise(const LevelPlan *plan, u64 key)
{
    // The sum of four even numbers is near enough to a bell; the same position always errs the same way.
    u64 h = hash_mix(key ^ 0x2F01D);
    int sum = (int)(h & 1023) + (int)(h >> 10 & 1023) + (int)(h >> 20 & 1023) + (int)(h >> 30 & 1023) - 2046;
    return sum * plan->noise / 1182;
}

int level_choose(const LevelPlan *plan, const int *scores, int nb, u64 key)
{
    // Won already, or mate in sight: no more games with it.
    if (plan->softness == 0 || nb < 2 || scores[0] >= WON_SCORE || score_is_mate(scores[0]))
        return 0;
    double weight[LINES_MAX], sum = 0;
    nb = min_int(nb, LINES_MAX);
    for (int i = 0; i < nb; i++) {
        double behind = scores[0] - scores[i];
        weight[i] = exp(-behind / plan->softness * 2.0);
        sum += weight[i];
    }
    Rng rng = {plan->seed ^ key};
    double at = rng_unit(&rng) * sum;
    for (int i = 0; i < nb; i++) {
        at -= weight[i];
        if (at < 0)
            return i;
    }
    return 0;
}

int level_pick(const Worker *w)
{
    int scores[LINES_MAX], nb = 0;
    while (nb < w->root_nb && nb < w->engine->level.lines && nb < LINES_MAX) {
        const RootMove *rm = &w->root[nb];
        int score = rm->score != -SCORE_INFINITE ? rm->score : rm->previous_score;
        if (score == -SCORE_INFINITE)
            break;
        scores[nb++] = score;
    }
    return nb == 0 ? 0 : level_choose(&w->engine->level, scores, nb, pos_key(&w->pos));
}
