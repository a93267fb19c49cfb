// SPDX-License-Identifier: GPL-3.0-or-later
// The contract, for the network: a position as sets of numbered features. Part of game.h, as rules.h is.
#ifndef TWOFOLD_GAMES_FEATURES_H
#define TWOFOLD_GAMES_FEATURES_H

// Features are numbered 0..FEATURE_NB-1 within a view; a view (< PERSPECTIVE_NB) is how one side looks at the
// board: king bucket and mirror. Weights of bucket b start at row b * FEATURE_NB.
int features_perspective(const Position *pos, int side);
int features_perspective_bucket(int view);
// Writes the active features of one side's view, at most FEATURE_ACTIVE_MAX, in any order; returns how many.
int features_active(const Position *pos, int side, int view, u16 *out);
// Translates a Delta for one side's view: at most FEATURE_CHANGED_MAX each way.
void features_changed(const Delta *delta, int side, int view, u16 *added, int *added_nb, u16 *removed,
                      int *removed_nb);
// The output bucket, < BUCKET_NB.
int features_bucket(const Position *pos);
// The features (of one side's view) that the piece on a square gives, for explaining: how many, 0 for an
// empty square or a king.
int features_of_square(const Position *pos, int side, int view, int sq, u16 *out);
// What a feature stands for, for tables and pictures: a plane ("own pawn") with its number, and the square as
// the board is drawn with the own side below: column from the left, row from the top, both -1 for what is not
// on the board.
typedef struct FeatureMeaning {
    const char *plane_name;
    int plane, column, row;
} FeatureMeaning;
FeatureMeaning features_meaning(int feature);

#endif
