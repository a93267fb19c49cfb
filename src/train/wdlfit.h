// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: what scores came to. Counts wins, draws and losses by score and phase, and fits the
// curve that the search's win/draw/loss model uses: win = 1 / (1 + exp((centre - score) / width)), loss the
// same with the score negated, draw the rest; centre and width linear in the phase.
#ifndef TWOFOLD_TRAIN_WDLFIT_H
#define TWOFOLD_TRAIN_WDLFIT_H

#include "train/packed.h"

enum { WDL_PHASES = 17, WDL_STEP = 20, WDL_SCORE_MAX = 2000, WDL_SCORES = 2 * WDL_SCORE_MAX / WDL_STEP + 1 };

typedef struct WdlCounts {
    i64 count[WDL_PHASES][WDL_SCORES][POINTS_NB]; // half points of the side to move
    i64 total;
} WdlCounts;

typedef struct WdlFit {
    double centre[2], width[2]; // at phase 0 and at phase 256
    double loss;                // mean negative log likelihood
} WdlFit;

void wdl_count_game(WdlCounts *counts, const PackedGame *game);
WdlFit wdl_fit(const WdlCounts *counts);
// The chances the fit gives, side to move's view, indexed by half points.
void wdl_chances(const WdlFit *fit, double score, double phase, double chance[POINTS_NB]);

#endif
