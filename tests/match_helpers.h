// SPDX-License-Identifier: GPL-3.0-or-later
// For the suites of matches: pairs of programs that behave as a mode says (tests/engines/behaves.c), games
// between them, and whole matches in processes of their own.
#ifndef TWOFOLD_TEST_MATCH_HELPERS_H
#define TWOFOLD_TEST_MATCH_HELPERS_H

#include <sys/types.h>

#include "arena/match_game.h"
#include "helpers.h"

// The path of the program, which stands beside the tests' own.
const char *behaves(void);

typedef struct Pairing {
    SeatSpec spec[SIDE_NB];
    SeatCommon common;
    SeatProcess *seat[SIDE_NB];
    Text log;
} Pairing;

// A pair of programs in these modes, which become their names. Its limits may be changed before it plays.
void pair_up(Pairing *pairing, const char *first, const char *second, const TimeControl *control);
// Plays a game from the start position and fills *report, whose record is to be freed.
void pairing_play(Pairing *pairing, const Adjudication *rule, GameReport *report);
// The same, when nobody wants the record.
GameReport pairing_result(Pairing *pairing, const Adjudication *rule);
void part(Pairing *pairing);

// Runs `match` with the words of `format` (split as a command) in a process of its own, without its output;
// the process.
pid_t start_match(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Waits for it; its exit code, or 128 and the signal that ended it.
int end_of_match(pid_t pid);

#endif
