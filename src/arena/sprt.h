// SPDX-License-Identifier: GPL-3.0-or-later
// What game results say about strength: pure functions from counts to Elo, errors and the sequential test.
// Results are counted in pairs (one opening played with both colours): the two games of a pair are not
// independent, pairs are, so every error and the test are computed from the five possible scores of a pair
// whenever there are pairs.
#ifndef TWOFOLD_ARENA_SPRT_H
#define TWOFOLD_ARENA_SPRT_H

#include "base/base.h"

enum { PAIR_NB = 5 };

// Games from the first engine's view. pair[i]: pairs in which it scored i half points.
typedef struct Tally {
    i64 win, draw, loss;
    i64 pair[PAIR_NB];
} Tally;

i64 tally_games(const Tally *tally);
i64 tally_pairs(const Tally *tally);

// Elo (logistic: 400 points are ten to one) and normalised Elo (how many standard deviations of one game the
// score is away from one half, times 800 / ln 10: what a given number of games can show, whatever the share
// of draws). Infinite for a score of 0 or 1.
typedef struct Estimate {
    double score;                  // share of points, 0..1
    double elo, elo_low, elo_high; // the 95 % interval
    double elo_error;              // half of its width
    double nelo, nelo_error;
    double superiority; // likelihood that the first engine is the stronger one, 0..1
} Estimate;

double elo_of_score(double score);
double score_of_elo(double elo);
Estimate estimate_games(const Tally *tally);
// The score of all games, with the spread of the pairs; from the games alone when there are no pairs.
Estimate estimate_pairs(const Tally *tally);

// Sequential probability ratio test of elo1 (H1) against elo0 (H0), generalised to pairs: the likelihoods are
// those of the most likely pair distributions that have exactly that strength.
typedef struct Sprt {
    double elo0, elo1, alpha, beta;
    bool logistic; // elo0 and elo1 in logistic Elo; else in normalised Elo
} Sprt;
enum { SPRT_ELO_MAX = 200 };
typedef enum SprtVerdict { SPRT_GOES_ON, SPRT_H0, SPRT_H1 } SprtVerdict;

bool sprt_is_ok(const Sprt *sprt, Message *error);
// From the four words of a command line: elo0, elo1, alpha, beta.
bool sprt_read(const Span word[4], Sprt *sprt, Message *error);
double sprt_lower(const Sprt *sprt);
double sprt_upper(const Sprt *sprt);
// The logarithm of the likelihood ratio; 0 without pairs.
double sprt_llr(const Sprt *sprt, const i64 pair[PAIR_NB]);
SprtVerdict sprt_verdict(const Sprt *sprt, double llr);

#endif
