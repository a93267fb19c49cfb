// SPDX-License-Identifier: GPL-3.0-or-later
// Mates: the game's solver beside the search, and the lines that lead to them.
#ifndef TWOFOLD_MATE_H
#define TWOFOLD_MATE_H

#include "search/worker.h"

// Puts a mate that the solver proves into the root's list; false when there is none to be had.
bool solver_try_root(Worker *worker);
// Proves mates along the best line, into the table.
void solver_try_line(Worker *worker);

// Follows a line from the root; false when a move of it is illegal, else *end is where it leads.
bool replay_line(const Worker *worker, const Move *line, int nb, Position *end);
bool is_mated(const Position *pos);
// Makes the line of a mate score as long as the score says.
void complete_mate_line(const Worker *worker, RootMove *rm);

#endif
