// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks of positions: what a list of positions asks the engine to find.
#ifndef TWOFOLD_TASKS_H
#define TWOFOLD_TASKS_H

#include "analysis/analysis.h"

// Can the task be solved and its words be read? Sets has_task, or task_error and no task.
void task_check(AnalysedGame *game);
// Has the search found what was asked for? Sets is_solved.
void task_judge(const Analysis *analysis, AnalysedGame *game);
// What a position's task asks for: "best is Rg3, mate in 2".
void task_print(const AnalysedGame *game, Text *out);

#endif
