// SPDX-License-Identifier: GPL-3.0-or-later
// Fits the win/draw/loss curve: counts of results by score and phase, and the four numbers under which they
// are most likely, found by the simplex method of Nelder and Mead.
#include "train/wdlfit.h"

#include <math.h>

#include "search/search.h"

void wdl_count_game(WdlCounts *counts, const PackedGame *game)
{
    Replay replay;
    if (!replay_start(&replay, game))
        return;
    for (; replay.index < game->move_nb; replay_step(&replay)) {
        int score = packed_score(game, replay.index);
        if (!replay_move_is_legal(&replay))
            return;
        if (score < -WDL_SCORE_MAX || score > WDL_SCORE_MAX)
            continue;
        int phase = clamp_int((pos_phase(&replay.pos) + 8) / 16, 0, WDL_PHASES - 1);
        int bin = (score + WDL_SCORE_MAX + WDL_STEP / 2) / WDL_STEP;
        counts->count[phase][min_int(bin, WDL_SCORES - 1)][replay_result(&replay)]++;
        counts->total++;
    }
}

void wdl_chances(const WdlFit *fit, double score, double phase, double chance[POINTS_NB])
{
    static const double LEAST = 1e-5; // no result is ever impossible
    double share = phase / 256;
    double centre = fit->centre[0] + (fit->centre[1] - fit->centre[0]) * share;
    double width = fmax(1, fit->width[0] + (fit->width[1] - fit->width[0]) * share);
    double win = 1 / (1 + exp((centre - score) / width)), loss = 1 / (1 + exp((centre + score) / width));
    chance[POINTS_WIN] = fmax(LEAST, win);
    chance[POINTS_LOSS] = fmax(LEAST, loss);
    chance[POINTS_DRAW] = fmax(LEAST, 1 - win - loss);
}

typedef double Point[4]; // centre and width at both ends

static double cost(const WdlCounts *counts, const Point p)
{
    WdlFit fit = {.centre = {p[0], p[1]}, .width = {p[2], p[3]}};
    if (p[0] < 0 || p[1] < 0 || p[2] < 1 || p[3] < 1)
        return 1e9;
    double sum = 0, chance[POINTS_NB];
    for (int phase = 0; phase < WDL_PHASES; phase++)
        for (int s = 0; s < WDL_SCORES; s++) {
            const i64 *count = counts->count[phase][s];
            if (count[0] + count[1] + count[2] == 0)
                continue;
            wdl_chances(&fit, s * WDL_STEP - WDL_SCORE_MAX, phase * 16, chance);
            for (int r = 0; r < POINTS_NB; r++)
                sum -= (double)count[r] * log(chance[r]);
        }
    return sum / (double)max_i64(counts->total, 1);
}

static void between(const Point a, const Point b, double share, Point out)
{
    for (int i = 0; i < 4; i++)
        out[i] = a[i] + (b[i] - a[i]) * share;
}

static void sort_simplex(Point point[5], double value[5])
{
    for (int i = 1; i < 5; i++)
        for (int j = i; j > 0 && value[j] < value[j - 1]; j--) {
            double v = value[j], p[4];
            memcpy(p, point[j], sizeof p);
            value[j] = value[j - 1], value[j - 1] = v;
            memcpy(point[j], point[j - 1], sizeof p);
            memcpy(point[j - 1], p, sizeof p);
        }
}

// One move of the simplex: the worst point goes to the best of its reflections, or all move towards the best.
static void simplex_step(const WdlCounts *counts, Point point[5], double value[5])
{
    Point middle = {0}, tried, other;
    for (int i = 0; i < 4; i++)
        for (int d = 0; d < 4; d++)
            middle[d] += point[i][d] / 4;
    between(point[4], middle, 2, tried);
    double v = cost(counts, tried);
    if (v < value[0] || v >= value[3]) {
        between(point[4], middle, v < value[0] ? 3 : 0.5, other);
        double w = cost(counts, other);
        if (w < v) {
            memcpy(tried, other, sizeof tried);
            v = w;
        }
    }
    if (v < value[4]) {
        memcpy(point[4], tried, sizeof tried);
        value[4] = v;
        return;
    }
    for (int i = 1; i < 5; i++) {
        between(point[0], point[i], 0.5, point[i]);
        value[i] = cost(counts, point[i]);
    }
}

WdlFit wdl_fit(const WdlCounts *counts)
{
    Point point[5] = {{100, 100, 100, 100},
                      {200, 100, 100, 100},
                      {100, 200, 100, 100},
                      {100, 100, 200, 100},
                      {100, 100, 100, 200}};
    double value[5];
    for (int i = 0; i < 5; i++)
        value[i] = cost(counts, point[i]);
    sort_simplex(point, value);
    for (int step = 0; step < 600; step++) {
        simplex_step(counts, point, value);
        sort_simplex(point, value);
    }
    return (WdlFit){
        .centre = {point[0][0], point[0][1]}, .width = {point[0][2], point[0][3]}, .loss = value[0]};
}
