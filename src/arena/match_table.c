// SPDX-License-Identifier: GPL-3.0-or-later
// See match_table.h. Ratings are those of the Bradley-Terry model: the chance of a point is in proportion to
// strength. They are found by iteration, and a drawn game more for each pairing keeps those finite that won
// all.
#include "arena/match_table.h"

#include <math.h>
#include <stdlib.h>

#include "base/language.h"

enum { ITERATIONS = 2000, NAME_WIDTH = 24 };

bool match_between(const MatchOptions *options, const MatchState *state, int engine, int other, Tally *out)
{
    for (int p = 1; p <= match_pairing_nb(options); p++) {
        int first, second;
        match_pairing(options, p, &first, &second);
        if (first == engine && second == other) {
            *out = state->tally[p];
            return true;
        }
        if (first == other && second == engine) {
            const Tally *from = &state->tally[p];
            *out = (Tally){.win = from->loss, .draw = from->draw, .loss = from->win};
            for (int i = 0; i < PAIR_NB; i++)
                out->pair[i] = from->pair[PAIR_NB - 1 - i];
            return true;
        }
    }
    return false;
}

// ---- ratings ------------------------------------------------------------------------------------
static void find_strengths(const MatchOptions *options, const MatchState *state, double strength[ENGINES_MAX])
{
    const int nb = options->engine_nb;
    for (int i = 0; i < nb; i++)
        strength[i] = 1;
    for (int round = 0; round < ITERATIONS; round++) {
        double points[ENGINES_MAX] = {0}, weight[ENGINES_MAX] = {0}, log_sum = 0;
        for (int p = 1; p <= match_pairing_nb(options); p++) {
            int a, b;
            match_pairing(options, p, &a, &b);
            const double games = (double)tally_games(&state->tally[p]) + 1,
                         won = tally_points(&state->tally[p]) + 0.5;
            points[a] += won;
            points[b] += games - won;
            weight[a] += games / (strength[a] + strength[b]);
            weight[b] += games / (strength[a] + strength[b]);
        }
        for (int i = 0; i < nb; i++) {
            strength[i] = points[i] / weight[i];
            log_sum += log(strength[i]);
        }
        for (int i = 0; i < nb; i++)
            strength[i] /= exp(log_sum / nb);
    }
}

static int by_elo(const void *left, const void *right)
{
    const Standing *a = left, *b = right;
    if (a->elo != b->elo)
        return a->elo > b->elo ? -1 : 1;
    return a->engine - b->engine;
}

int match_standings(const MatchOptions *options, const MatchState *state, Standing out[ENGINES_MAX])
{
    double strength[ENGINES_MAX];
    find_strengths(options, state, strength);
    for (int i = 0; i < options->engine_nb; i++)
        out[i] = (Standing){.engine = i,
                            .games = tally_games(&state->total[i]),
                            .points = tally_points(&state->total[i]),
                            .elo = 400 * log10(strength[i])};
    qsort(out, (size_t)options->engine_nb, sizeof out[0], by_elo);
    return options->engine_nb;
}

// ---- as text ------------------------------------------------------------------------------------
void match_table(const MatchOptions *options, const MatchState *state, Text *out)
{
    Standing standing[ENGINES_MAX];
    const int nb = match_standings(options, state, standing);
    const char *const heads[] = {"games", "points", "scored", "Elo"};
    text_add(out, "  %3s ", "#");
    text_add_padded(out, said("engine"), NAME_WIDTH);
    for (int i = 0; i < 4; i++)
        text_add_right(out, said(heads[i]), i == 0 ? 8 : 9);
    for (int i = 0; i < nb; i++)
        text_add(out, " %7d", i + 1);
    text_add(out, "\n");
    for (int i = 0; i < nb; i++) {
        const Standing *s = &standing[i];
        text_add(out, "  %3d %-*.*s %7lld %8.1f %6.1f %% %+8.1f", i + 1, NAME_WIDTH, NAME_WIDTH,
                 options->engine[s->engine].name, (long long)s->games, s->points,
                 s->games ? 100 * s->points / (double)s->games : 0.0, s->elo);
        for (int j = 0; j < nb; j++) {
            Tally tally;
            if (i != j && match_between(options, state, s->engine, standing[j].engine, &tally))
                text_add(out, " %7.1f", tally_points(&tally));
            else
                text_add(out, " %7s", "-");
        }
        text_add(out, "\n");
    }
}
