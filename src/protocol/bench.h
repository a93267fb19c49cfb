// SPDX-License-Identifier: GPL-3.0-or-later
// bench and perft (bench.c).
#ifndef TWOFOLD_BENCH_H
#define TWOFOLD_BENCH_H

#include "protocol/uci.h"

void command_bench(Protocol *protocol, Job *job, Span arguments);
void command_perft(Protocol *protocol, Job *job, Span arguments);
// `MOVE: COUNT` for each root move, then the total.
void perft_print(Protocol *protocol, Job *job, const Position *pos, int depth);

#endif
