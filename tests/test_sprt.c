// SPDX-License-Identifier: GPL-3.0-or-later
// The statistics of matches against cases worked by hand, closed forms, and a simulated sequential test of
// known strength.
#include <math.h>

#include "arena/sprt.h"
#include "test.h"

static void check_near(const char *what, double actual, double expected, double tolerance)
{
    CHECK_THAT(fabs(actual - expected) <= tolerance, "%s is %.6f, expected %.6f", what, actual, expected);
}

static void check_elo(void)
{
    CASE("stats: Elo of a score and back");
    check_near("elo(1/2)", elo_of_score(0.5), 0, 1e-12);
    check_near("elo(10/11)", elo_of_score(10.0 / 11), 400, 1e-9); // ten to one
    check_near("elo(3/4)", elo_of_score(0.75), 190.8485, 1e-4);   // 400 log10 3
    CHECK(isinf(elo_of_score(1)) && elo_of_score(1) > 0);
    CHECK(isinf(elo_of_score(0)) && elo_of_score(0) < 0);
    for (double elo = -700; elo <= 700; elo += 35)
        check_near("elo(score(elo))", elo_of_score(score_of_elo(elo)), elo, 1e-9);

    // 60 wins, 20 draws, 20 losses: mean 0.7, variance 0.6 x 0.09 + 0.2 x 0.04 + 0.2 x 0.49 = 0.16, so the
    // mean's standard error is 0.4 / 10 = 0.04 and its interval 0.6216014 .. 0.7783986.
    CASE("stats: games, worked by hand");
    Tally games = {.win = 60, .draw = 20, .loss = 20};
    Estimate e = estimate_games(&games);
    check_near("score", e.score, 0.7, 1e-12);
    check_near("elo", e.elo, 147.1907, 1e-4); // 400 log10(7/3)
    check_near("elo_low", e.elo_low, 86.2250, 1e-3);
    check_near("elo_high", e.elo_high, 218.2518, 1e-3);
    check_near("elo_error", e.elo_error, (218.2518 - 86.2250) / 2, 1e-3);
    check_near("nelo", e.nelo, 0.5 * 347.4356, 1e-3); // half a deviation above one half
    // Normal distribution: 0.2 / 0.04 = 5 deviations.
    check_near("superiority", e.superiority, 0.99999971, 1e-8);
    // Without pairs, the games are what there is.
    check_near("pairs fall back", estimate_pairs(&games).elo_error, e.elo_error, 1e-12);
}

static void check_pairs(void)
{
    // Scores 0, 1/4, 1/2, 3/4, 1 in 10, 20, 40, 20, 10 pairs: mean 1/2, variance 0.2 x 0.25 + 0.4 x 0.0625 =
    // 0.075, standard error sqrt(0.00075) = 0.0273861, interval 0.4463242 .. 0.5536758: Elo +-37.44.
    // Normalised: the error is 1.96 / sqrt(200 games) x 347.4356 = 48.152.
    CASE("stats: pairs, worked by hand");
    Tally even = {.win = 60, .draw = 80, .loss = 60, .pair = {10, 20, 40, 20, 10}};
    Estimate e = estimate_pairs(&even);
    check_near("elo", e.elo, 0, 1e-9);
    check_near("elo_error", e.elo_error, 37.4421, 1e-3);
    check_near("nelo", e.nelo, 0, 1e-9);
    check_near("nelo_error", e.nelo_error, 48.1520, 1e-3);
    check_near("superiority", e.superiority, 0.5, 1e-12);

    // 0, 10, 60, 30, 0: mean 0.55, variance 0.1 x 0.09 + 0.6 x 0.0025 + 0.3 x 0.04 = 0.0225 = 0.15^2: a third
    // of a deviation.
    CASE("stats: pairs, worked by hand, uneven");
    Tally better = {.pair = {0, 10, 60, 30, 0}};
    e = estimate_pairs(&better);
    check_near("elo", e.elo, 34.8600, 1e-3); // 400 log10(11/9)
    check_near("nelo", e.nelo, 347.4356 / sqrt(2) / 3, 1e-3);
    check_near("superiority", e.superiority, 0.99957, 1e-5); // 10/3 deviations
    // Pairs that cancel tell more than single games: the same games seen one by one have a wider error, by
    // the root of 0.0725 / 2 over 0.0225, which is 1.269.
    Tally single = {.win = 40, .draw = 140, .loss = 20};
    check_near("error of single games", estimate_games(&single).elo_error / e.elo_error, 1.269, 0.005);

    CASE("stats: pairs, the ends");
    Tally none = {0}, all = {.pair = {0, 0, 0, 0, 7}}, drawn = {.pair = {0, 0, 9, 0, 0}};
    CHECK(isinf(estimate_pairs(&none).elo_error) && estimate_pairs(&none).elo == 0);
    CHECK(isinf(estimate_pairs(&all).elo));
    check_near("superiority", estimate_pairs(&all).superiority, 255.0 / 256, 1e-12);
    // Fourteen games won in a row happen once in forty to one who wins 0.025^(1/14) = 76.84 % of them: 208.3
    // Elo.
    check_near("elo_low", estimate_pairs(&all).elo_low, 208.34, 0.1);
    CHECK(isinf(estimate_pairs(&all).elo_high));
    Tally lost = {.loss = 14};
    check_near("elo_high", estimate_pairs(&lost).elo_high, -208.34, 0.1);
    CHECK(estimate_pairs(&drawn).elo == 0 && isinf(estimate_pairs(&drawn).elo_error));
    CHECK(isinf(estimate_pairs(&drawn).elo_low) && isinf(estimate_pairs(&drawn).elo_high));
    CHECK(estimate_pairs(&drawn).superiority == 0.5);
}

static void check_llr(void)
{
    CASE("stats: SPRT bounds");
    Sprt five = {.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05};
    check_near("lower", sprt_lower(&five), -2.944439, 1e-6); // ln(0.05 / 0.95)
    check_near("upper", sprt_upper(&five), 2.944439, 1e-6);
    Sprt skew = {.elo0 = 0, .elo1 = 5, .alpha = 0.01, .beta = 0.2};
    check_near("lower", sprt_lower(&skew), log(0.2 / 0.99), 1e-12);
    check_near("upper", sprt_upper(&skew), log(0.8 / 0.01), 1e-12);
    CHECK_INT(sprt_verdict(&five, 2.95), SPRT_H1);
    CHECK_INT(sprt_verdict(&five, -2.95), SPRT_H0);
    CHECK_INT(sprt_verdict(&five, 2.94), SPRT_GOES_ON);
    Message error;
    CHECK(sprt_is_ok(&five, &error));
    CHECK(!sprt_is_ok(&(Sprt){.elo0 = 5, .elo1 = 5, .alpha = 0.05, .beta = 0.05}, &error));
    CHECK(!sprt_is_ok(&(Sprt){.elo0 = 0, .elo1 = 5, .alpha = 0, .beta = 0.05}, &error));
    CHECK(!sprt_is_ok(&(Sprt){.elo0 = 0, .elo1 = 5, .alpha = 0.5, .beta = 0.5}, &error));
    CHECK(!sprt_is_ok(&(Sprt){.elo0 = 0, .elo1 = 5000, .alpha = 0.05, .beta = 0.05}, &error));

    // When only 0 and 1 ever happen there is one distribution of each strength, and the ratio is a
    // binomial's.
    CASE("stats: LLR closed forms");
    Sprt logistic = {.elo0 = 0, .elo1 = 20, .alpha = 0.05, .beta = 0.05, .logistic = true};
    double s1 = score_of_elo(20);
    i64 two[PAIR_NB] = {4600, 0, 0, 0, 5400};
    check_near("logistic", sprt_llr(&logistic, two), 4600 * log((1 - s1) / 0.5) + 5400 * log(s1 / 0.5), 0.01);
    // Normalised: mean q has deviation sqrt(q (1 - q)); (q - 1/2) / that = t gives q = 1/2 + t / (2 sqrt(1 +
    // t^2)).
    Sprt normal = {.elo0 = 0, .elo1 = 20, .alpha = 0.05, .beta = 0.05};
    double t = 20 / 347.4355855226 * sqrt(2), q = 0.5 + t / (2 * sqrt(1 + t * t));
    check_near("normalised", sprt_llr(&normal, two), 4600 * log((1 - q) / 0.5) + 5400 * log(q / 0.5), 0.01);
    // For many pairs near the middle it nears N (s1 - s0) (2 s - s0 - s1) / (2 variance): here 10 000 pairs,
    // score 0.51, variance 0.0748 or so.
    i64 many[PAIR_NB] = {900, 1900, 4100, 2100, 1000};
    double mean = 0.51, variance = 0;
    for (int i = 0; i < PAIR_NB; i++)
        variance += (double)many[i] / 10000 * (i / 4.0 - mean) * (i / 4.0 - mean);
    Sprt small = {.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05, .logistic = true};
    double s5 = score_of_elo(5);
    check_near("Gauss", sprt_llr(&small, many), 10000 * (s5 - 0.5) * (2 * mean - 0.5 - s5) / (2 * variance),
               0.02);
    i64 none[PAIR_NB] = {0};
    check_near("no pairs", sprt_llr(&small, none), 0, 0);

    CASE("stats: LLR is finite and ordered for every small count");
    for (int code = 0; code < 4 * 4 * 4 * 4 * 4; code++) {
        i64 pair[PAIR_NB], swapped[PAIR_NB];
        for (int i = 0, rest = code; i < PAIR_NB; i++, rest /= 4)
            pair[i] = rest % 4;
        for (int i = 0; i < PAIR_NB; i++)
            swapped[i] = pair[PAIR_NB - 1 - i];
        Sprt up = {.elo0 = -3, .elo1 = 3, .alpha = 0.05, .beta = 0.05};
        double llr = sprt_llr(&up, pair);
        CHECK_THAT(isfinite(llr) && fabs(llr) < 2, "code %d: %f", code, llr);
        check_near("antisymmetric", sprt_llr(&up, swapped), -llr, 1e-6);
        i64 more[PAIR_NB];
        memcpy(more, pair, sizeof more);
        more[4] += 2;
        CHECK_THAT(code == 0 || sprt_llr(&up, more) > llr, "code %d: two more won pairs lower the ratio",
                   code);
    }
}

// The share of tests (in permille) that end with H1 when pairs come from `p`.
static double share_of_h1(const Sprt *sprt, const double p[PAIR_NB], int trials, Rng *rng)
{
    int accepted = 0;
    for (int trial = 0; trial < trials; trial++) {
        i64 pair[PAIR_NB] = {0};
        SprtVerdict verdict = SPRT_GOES_ON;
        while (verdict == SPRT_GOES_ON) {
            double u = rng_unit(rng);
            int i = 0;
            while (i < PAIR_NB - 1 && u >= p[i])
                u -= p[i++];
            pair[i]++;
            verdict = sprt_verdict(sprt, sprt_llr(sprt, pair));
        }
        accepted += verdict == SPRT_H1;
    }
    return (double)accepted / trials;
}

// A pair distribution of roughly the shape of real ones, tilted until its strength is `elo` in the test's own
// measure.
static void make_distribution(double elo, bool logistic, double p[PAIR_NB])
{
    static const double SHAPE[PAIR_NB] = {0.05, 0.22, 0.44, 0.23, 0.06};
    double low = -3, high = 3;
    for (int step = 0; step < 60; step++) {
        double tilt = (low + high) / 2, sum = 0, mean = 0, variance = 0;
        for (int i = 0; i < PAIR_NB; i++)
            sum += p[i] = SHAPE[i] * exp(tilt * i);
        for (int i = 0; i < PAIR_NB; i++)
            mean += (p[i] /= sum) * i / 4;
        for (int i = 0; i < PAIR_NB; i++)
            variance += p[i] * (i / 4.0 - mean) * (i / 4.0 - mean);
        double is = logistic ? elo_of_score(mean) : (mean - 0.5) / sqrt(2 * variance) * 347.4355855226;
        *(is < elo ? &low : &high) = tilt;
    }
}

static void check_errors(void)
{
    // 1 000 tests at 5 %: the standard error of the measured rate is 0.7 %. Over many seeds the rates are 5 %
    // to within that; a rate above 6.5 % would be a wrong test, not chance.
    Rng rng = {20260101};
    int trials = test_is_light() ? 100 : 1000;
    double slack = test_is_light() ? 0.08 : 0.015;
    for (int logistic = 0; logistic < 2; logistic++) {
        Sprt sprt = {.elo0 = 0, .elo1 = 30, .alpha = 0.05, .beta = 0.05, .logistic = logistic};
        double p[PAIR_NB];
        CASE("stats: simulated SPRT, %s", logistic ? "logistic" : "normalised");
        make_distribution(sprt.elo0, logistic, p);
        double wrong = share_of_h1(&sprt, p, trials, &rng);
        CHECK_THAT(wrong <= sprt.alpha + slack, "H1 accepted in %.1f %% of tests at elo0", 100 * wrong);
        make_distribution(sprt.elo1, logistic, p);
        wrong = 1 - share_of_h1(&sprt, p, trials, &rng);
        CHECK_THAT(wrong <= sprt.beta + slack, "H0 accepted in %.1f %% of tests at elo1", 100 * wrong);
        // And it can tell: clearly stronger is accepted nearly always, clearly weaker nearly never.
        make_distribution(2 * sprt.elo1, logistic, p);
        CHECK(share_of_h1(&sprt, p, trials / 5, &rng) > 0.98);
        make_distribution(-sprt.elo1, logistic, p);
        CHECK(share_of_h1(&sprt, p, trials / 5, &rng) < 0.02);
    }
}

void test_sprt(void)
{
    check_elo();
    check_pairs();
    check_llr();
    check_errors();
}
