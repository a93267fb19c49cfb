// SPDX-License-Identifier: GPL-3.0-or-later
// The clock of one side in a game, and the time control it runs by. Knows no game: the match runner and play
// in the terminal keep time by the same rules. Invariant: a clock never shows less than zero.
#ifndef TWOFOLD_CLOCK_H
#define TWOFOLD_CLOCK_H

#include "base/base.h"

// How long a side may think: a clock, or a time a move, or a number of nodes, or a depth; several together as
// the protocol has it.
typedef struct TimeControl {
    bool has_clock;
    i64 base_ms, inc_ms, byoyomi_ms;
    int moves;        // a fresh base after so many moves; 0: the rest of the game
    i64 move_time_ms; // 0: none
    u64 nodes;        // 0: none
    int depth;        // 0: none
} TimeControl;
// "[MOVES/]SECONDS[+SECONDS]" into the clock's fields, the others being kept.
bool time_control_parse(TimeControl *control, Span text, Message *message);
// In the notation of time_control_parse and of the options, for reports.
void time_control_print(const TimeControl *control, char *out, size_t size);
// The same in the language that is spoken, for a person.
void time_control_say(const TimeControl *control, char *out, size_t size);

typedef struct Clock {
    const TimeControl *control;
    i64 left_us;
    int moves_to_go; // until the next base; 0: no such rule
} Clock;
// Sets it to the beginning of a game. A clock of nothing but increments begins with the first of them: nobody
// can move in no time.
void clock_start(Clock *clock, const TimeControl *control);
// What the side may use for this move, in ms; -1 when nothing limits its time.
i64 clock_allowed_ms(const Clock *clock);
// A move took so long: takes it off and adds what a move brings. False when the clock (with byoyomi) did not
// hold that much; it then counts as used up, and whether that loses the game is the caller's decision.
bool clock_spend(Clock *clock, i64 us);

#endif
