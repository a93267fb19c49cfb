// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of a session: the words of go as the protocols have them, as limits. Reading never fails:
// what can't be understood is left out and said, for there must always be an answer.
#ifndef TWOFOLD_GO_H
#define TWOFOLD_GO_H

#include "search/search.h"

typedef struct GoRequest {
    Limits limits;   // all but the moves, which are text until the position is known
    Text move_words; // behind searchmoves; freed by go_free
    bool is_perft;   // count instead of searching
    int perft_depth;
    bool solve_mate; // by the mate solver, for at most mate_ms (0: until stopped)
    i64 mate_ms;
    bool has_clock; // a clock or byoyomi was given
    bool has_limit; // something that ends the search was given
} GoRequest;

// *complaint is empty when all is well.
void go_parse(Span arguments, GoRequest *request, Message *complaint);
// The moves behind searchmoves become moves of the position; *complaint names the last one that is none.
void go_take_moves(const GoRequest *request, const Position *pos, Limits *limits, Message *complaint);
// The words go mate N: a mate in N moves, or the mate solver for at most N milliseconds (0: until it is
// stopped), as the game has it.
void go_set_mate(GoRequest *request, i64 value);
void go_free(GoRequest *request);

#endif
