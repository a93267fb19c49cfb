// SPDX-License-Identifier: GPL-3.0-or-later
// What a search tells while it runs.
#ifndef TWOFOLD_REPORT_H
#define TWOFOLD_REPORT_H

#include "search/worker.h"

enum { REPORT_QUIET_MS = 3000 }; // before this, bounds and the current move are not told

u64 engine_tb_hits(const Engine *engine);
// The root move that is searched now, in a long search.
void engine_report_current(Engine *engine, int depth, Move move, int number);
// What is told of a root move's score: what the tables know of it goes before what the search guesses, but a
// mate is a mate.
int reported_score(const Worker *w, const RootMove *rm, int score);
void report_line(const Worker *w, const RootMove *rm, int multi_pv, int depth, int score, Bound bound);
// All lines together; those without a score were not reached in the first iteration.
void report_all(const Worker *w, int lines);

#endif
