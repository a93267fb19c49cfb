// SPDX-License-Identifier: GPL-3.0-or-later
// The moves of the root and the shortest mate proven so far.
#ifndef TWOFOLD_ROOT_H
#define TWOFOLD_ROOT_H

#include "search/worker.h"

// The legal moves that the limits leave; a list of wanted moves that leaves nothing counts for nothing.
void root_set_moves(Worker *w, const Limits *limits);
// Before the first iteration: promising moves first, so that the move that is always ready is a sensible one.
void root_order_first(Worker *w);
// Ranks the moves by the tablebases, where they know the position, and leaves out those that are worse.
void root_rank_by_tb(Worker *w);
// Best first, from `first` to before `end`. Stable.
void root_sort(Worker *w, int first, int end);
// Several lines, cut short: what was not finished is as the last iteration left it, and all are put in order.
void root_settle_lines(Worker *w);
// The second and later lines begin with the move that was best among the rest in the last iteration: its
// score is what the window is built around.
void root_expect_first(Worker *w);
// Takes note of what the search of a root move found.
void root_note_move(Worker *w, RootMove *rm, int score, int alpha, int beta, int move_nb, u64 nodes);

void root_put_first(Worker *w, const RootMove *rm);
// The best of the last finished iteration again, after one that has found nothing.
void root_restore_last(Worker *w);
// A proven mate is never given up for a longer one, nor for none.
void root_hold_mate(Worker *w);

#endif
