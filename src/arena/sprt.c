// SPDX-License-Identifier: GPL-3.0-or-later
// Elo, normalised Elo, likelihood of superiority and the generalised sequential test. The mathematics is
// Michel Van den Bergh's ("A practical introduction to the GSPRT", "Normalized Elo"); each step's reason
// stands beside it.
#include "arena/sprt.h"

#include <math.h>

#include "base/cli.h"

static const double Z95 = 1.959963984540054;
// Normalised Elo per standard deviation of one game: the slope that makes it equal to Elo for a deviation of
// one half.
#define NELO_SCALE (800.0 / 2.302585092994046)

static const double PAIR_VALUE[PAIR_NB] = {0, 0.25, 0.5, 0.75, 1};
static const double GAME_VALUE[3] = {0, 0.5, 1};

i64 tally_games(const Tally *tally) { return tally->win + tally->draw + tally->loss; }

i64 tally_pairs(const Tally *tally)
{
    i64 nb = 0;
    for (int i = 0; i < PAIR_NB; i++)
        nb += tally->pair[i];
    return nb;
}

double elo_of_score(double score)
{
    if (score <= 0)
        return -INFINITY;
    return score >= 1 ? INFINITY : 400 * log10(score / (1 - score));
}

double score_of_elo(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

// ---- moments ------------------------------------------------------------------------------------
typedef struct Moments {
    double count, mean, variance;
    double skewness, kurtosis; // 0 without variance
} Moments;

static Moments moments_of(const double *value, const double *weight, int nb)
{
    Moments m = {0};
    for (int i = 0; i < nb; i++) {
        m.count += weight[i];
        m.mean += weight[i] * value[i];
    }
    if (m.count <= 0)
        return m;
    m.mean /= m.count;
    double third = 0, fourth = 0;
    for (int i = 0; i < nb; i++) {
        double d = value[i] - m.mean, p = weight[i] / m.count;
        m.variance += p * d * d;
        third += p * d * d * d;
        fourth += p * d * d * d * d;
    }
    if (m.variance > 0) {
        m.skewness = third / pow(m.variance, 1.5);
        m.kurtosis = fourth / (m.variance * m.variance);
    }
    return m;
}

// `games` is how many games one observation holds: the deviation of a game is sqrt(games) times that of their
// average.
static Estimate estimate(Moments m, int games)
{
    if (m.count <= 0)
        return (Estimate){.score = 0.5,
                          .elo_low = -INFINITY,
                          .elo_high = INFINITY,
                          .elo_error = INFINITY,
                          .nelo_error = INFINITY,
                          .superiority = 0.5};
    double error = sqrt(m.variance / m.count);
    Estimate e = {.score = m.mean, .elo = elo_of_score(m.mean)};
    e.elo_low = elo_of_score(m.mean - Z95 * error);
    e.elo_high = elo_of_score(m.mean + Z95 * error);
    // All won, or all lost: the interval ends where so long a row is still as likely as one in forty.
    if (m.mean >= 1 || m.mean <= 0) {
        double bound = pow(0.025, 1 / (m.count * games));
        *(m.mean >= 1 ? &e.elo_low : &e.elo_high) = elo_of_score(m.mean >= 1 ? bound : 1 - bound);
    } else if (m.variance <= 0) {
        e.elo_low = -INFINITY;
        e.elo_high = INFINITY;
    }
    // Equal results tell nothing about their spread, so they have no error to tell either.
    e.elo_error = isinf(e.elo) || m.variance <= 0 ? INFINITY : (e.elo_high - e.elo_low) / 2;
    if (m.variance > 0) {
        double t = (m.mean - 0.5) / sqrt(m.variance);
        double per_game = NELO_SCALE / sqrt(games);
        e.nelo = t * per_game;
        // The delta method: mean and deviation are estimated from the same pairs, so skewness and kurtosis
        // enter.
        double spread = 1 - t * m.skewness + t * t * (m.kurtosis - 1) / 4;
        e.nelo_error = Z95 * per_game * sqrt(fmax(spread, 0) / m.count);
        e.superiority = 0.5 * erfc(-t * sqrt(m.count) / sqrt(2));
    } else {
        e.nelo = m.mean > 0.5 ? INFINITY : m.mean < 0.5 ? -INFINITY : 0;
        e.nelo_error = INFINITY;
        // All alike: as sure as a coin that fell on the same side every time.
        double doubt = pow(0.5, m.count + 1);
        e.superiority = m.mean > 0.5 ? 1 - doubt : m.mean < 0.5 ? doubt : 0.5;
    }
    return e;
}

Estimate estimate_games(const Tally *tally)
{
    double weight[3] = {(double)tally->loss, (double)tally->draw, (double)tally->win};
    return estimate(moments_of(GAME_VALUE, weight, 3), 1);
}

Estimate estimate_pairs(const Tally *tally)
{
    double weight[PAIR_NB];
    for (int i = 0; i < PAIR_NB; i++)
        weight[i] = (double)tally->pair[i];
    i64 games = tally_games(tally), pairs = tally_pairs(tally);
    if (pairs == 0)
        return estimate_games(tally);
    Moments m = moments_of(PAIR_VALUE, weight, PAIR_NB);
    if (games > 2 * pairs) { // games whose pair is not complete count for the score, not for its spread
        m.mean = ((double)tally->win + (double)tally->draw / 2) / (double)games;
        m.count = (double)games / 2;
    }
    return estimate(m, 2);
}

// ---- the sequential test ------------------------------------------------------------------------
bool sprt_is_ok(const Sprt *sprt, Message *error)
{
    if (!(sprt->elo0 < sprt->elo1))
        return message_set(error, "elo0 (%g) must be less than elo1 (%g)", sprt->elo0, sprt->elo1);
    if (!(sprt->alpha > 0 && sprt->beta > 0 && sprt->alpha + sprt->beta < 1))
        return message_set(error, "alpha (%g) and beta (%g) must be above 0 and together below 1",
                           sprt->alpha, sprt->beta);
    if (fabs(sprt->elo0) > SPRT_ELO_MAX || fabs(sprt->elo1) > SPRT_ELO_MAX)
        return message_set(error, "elo0 (%g) and elo1 (%g) must lie within +-%d", sprt->elo0, sprt->elo1,
                           SPRT_ELO_MAX);
    return true;
}

bool sprt_read(const Span word[4], Sprt *sprt, Message *error)
{
    return cli_real(word[0], -SPRT_ELO_MAX, SPRT_ELO_MAX, &sprt->elo0, error) &&
           cli_real(word[1], -SPRT_ELO_MAX, SPRT_ELO_MAX, &sprt->elo1, error) &&
           cli_real(word[2], 0, 1, &sprt->alpha, error) && cli_real(word[3], 0, 1, &sprt->beta, error) &&
           sprt_is_ok(sprt, error);
}

double sprt_lower(const Sprt *sprt) { return log(sprt->beta / (1 - sprt->alpha)); }

double sprt_upper(const Sprt *sprt) { return log((1 - sprt->beta) / sprt->alpha); }

// The distribution nearest to p (most likely, given p as observed shares) under which the mean of `a` is 0:
// Lagrange gives q = p / (1 + theta a), with theta the one root of a falling function between the poles. `a`
// must have both signs.
static void fit_zero_mean(const double *a, const double *p, int nb, double *q)
{
    double least = a[0], most = a[0];
    for (int i = 1; i < nb; i++) {
        least = fmin(least, a[i]);
        most = fmax(most, a[i]);
    }
    assert(least < 0 && most > 0); // or no distribution has that mean: strengths beyond sprt_is_ok
    // Newton's steps, kept between the poles by halving whenever one would leave the interval that holds the
    // root.
    double low = -1 / most, high = -1 / least, theta = 0;
    for (int step = 0; step < 100; step++) {
        double value = 0, slope = 0;
        for (int i = 0; i < nb; i++) {
            double part = a[i] / (1 + theta * a[i]);
            value += p[i] * part;
            slope += p[i] * part * part;
        }
        *(value > 0 ? &low : &high) = theta;
        double next = theta + value / slope;
        if (next <= low || next >= high)
            next = (low + high) / 2;
        if (fabs(next - theta) <= 1e-13 * (high - low + fabs(theta)))
            break;
        theta = next;
    }
    for (int i = 0; i < nb; i++)
        q[i] = p[i] / (1 + theta * a[i]);
}

// Most likely distribution with mean `score`.
static void fit_score(const double *p, double score, double *q)
{
    double a[PAIR_NB];
    for (int i = 0; i < PAIR_NB; i++)
        a[i] = PAIR_VALUE[i] - score;
    fit_zero_mean(a, p, PAIR_NB, q);
}

// Most likely distribution whose mean lies t of its own deviations above one half. That is no linear
// condition; around a guess it is nearly one, so guess, solve the linear one and repeat until nothing
// changes. The even distribution is a guess from which that converges whatever p is; p itself is not.
static void fit_deviations(const double *p, double t, double *q)
{
    for (int i = 0; i < PAIR_NB; i++)
        q[i] = 1.0 / PAIR_NB;
    for (int step = 0; step < 20; step++) {
        Moments m = moments_of(PAIR_VALUE, q, PAIR_NB);
        double deviation = sqrt(m.variance), a[PAIR_NB], next[PAIR_NB], change = 0;
        for (int i = 0; i < PAIR_NB; i++) {
            double d = (PAIR_VALUE[i] - m.mean) / deviation;
            a[i] = PAIR_VALUE[i] - 0.5 - t * deviation * (1 + d * d) / 2;
        }
        fit_zero_mean(a, p, PAIR_NB, next);
        for (int i = 0; i < PAIR_NB; i++) {
            change = fmax(change, fabs(next[i] - q[i]));
            q[i] = next[i];
        }
        if (change < 1e-9)
            return;
    }
}

double sprt_llr(const Sprt *sprt, const i64 pair[PAIR_NB])
{
    double p[PAIR_NB], q0[PAIR_NB], q1[PAIR_NB], nb = 0, llr = 0;
    for (int i = 0; i < PAIR_NB; i++)
        nb += (double)pair[i];
    if (nb <= 0)
        return 0;
    // What was not seen yet is not impossible: a trace of each keeps every fit defined.
    double total = 0;
    for (int i = 0; i < PAIR_NB; i++)
        total += p[i] = pair[i] ? (double)pair[i] : 1e-3;
    for (int i = 0; i < PAIR_NB; i++)
        p[i] /= total;
    if (sprt->logistic) {
        fit_score(p, score_of_elo(sprt->elo0), q0);
        fit_score(p, score_of_elo(sprt->elo1), q1);
    } else {
        // A pair's average deviates by 1 / sqrt(2) of what a game does.
        fit_deviations(p, sprt->elo0 / NELO_SCALE * sqrt(2), q0);
        fit_deviations(p, sprt->elo1 / NELO_SCALE * sqrt(2), q1);
    }
    for (int i = 0; i < PAIR_NB; i++)
        llr += p[i] * log(q1[i] / q0[i]);
    return total * llr;
}

SprtVerdict sprt_verdict(const Sprt *sprt, double llr)
{
    if (llr >= sprt_upper(sprt))
        return SPRT_H1;
    return llr <= sprt_lower(sprt) ? SPRT_H0 : SPRT_GOES_ON;
}
