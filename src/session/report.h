// SPDX-License-Identifier: GPL-3.0-or-later
// Which lines of a search are told, and when: bounds and the current root move only in long searches, no line
// more often than the options ask, no flood of them, and before the answer always one that begins with the
// move played and tells all nodes and all the time.
#ifndef TWOFOLD_SESSION_REPORT_H
#define TWOFOLD_SESSION_REPORT_H

#include "session/session.h"

typedef struct HeldLine HeldLine;
typedef struct Report {
    const Session *session;
    const Game *game;
    i64 start_us, group_us, root_move_us; // of the search, the last group of lines, the last root move told
    int interval_ms;                      // least time between groups of lines; 0: tell all
    bool is_held;                         // the current group is kept back
    bool is_flood;                        // because there were too many before it
    int told_nb, main_nb;                 // lines told so far, and main lines among them
    Move last_first;                      // the first move of the last of those
    u64 last_nodes;                       // of the same
    bool is_final;                        // it came after the search had done its work
    Move known[MAX_PLY];                  // the last main line told that was no bound
    int known_nb, known_depth, known_score;
    HeldLine *held; // the group kept back
    int held_nb, held_capacity;
} Report;

void report_init(Report *report, const Session *session, const Game *game, const SearchControl *control);
void report_free(Report *report);
SearchEvents report_events(Report *report);
// Tells what is still owed before an answer: a group kept back, and a main line with the move played, all
// nodes and all the time, unless the last one told them.
void report_close(Report *report, const SearchResult *result);

#endif
