// SPDX-License-Identifier: GPL-3.0-or-later
// A program that plays: started as a child, spoken to in the game's protocol, timed, and distrusted. Whatever
// it does (or does not), every call here ends within its time and says what went wrong; a SeatProcess that
// failed is ended and started anew for the next game.
#ifndef TWOFOLD_ARENA_SEAT_PROCESS_H
#define TWOFOLD_ARENA_SEAT_PROCESS_H

#include <stdatomic.h>

#include "arena/playgame.h"
#include "arena/stalls.h"
#include "games/words.h"

typedef struct Setting {
    Span name, value;
} Setting;
enum { SEAT_ARGS_MAX = 64, SEAT_SETTINGS_MAX = 128, SEAT_NAME_MAX = 64 };

// What was asked for on the command line. The texts are not owned, but for `words`.
typedef struct SeatSpec {
    char name[SEAT_NAME_MAX];
    char *words; // the command, cut into argv
    char *argv[SEAT_ARGS_MAX + 1];
    int argv_nb;
    const char *dir;
    Setting setting[SEAT_SETTINGS_MAX];
    int setting_nb;
    TimeControl control;
} SeatSpec;
// Cuts a command into words as a shell would (blanks, quotes, backslash where it parts no folders) and names
// the engine after it. A command that is the name of a file as it stands is one word.
bool seat_spec_command(SeatSpec *spec, Span command, Message *error);

// What all seats of a match have in common.
typedef struct SeatCommon {
    Setting rule[SEAT_SETTINGS_MAX]; // options of the rules, told to every engine that has them
    int rule_nb;
    i64 init_timeout_ms; // for start, options and new games
    i64 margin_ms;       // how much later than its clock an answer may be
    i64 hang_timeout_ms; // for a move when no clock limits it
    i64 stop_grace_ms;   // for a late one to answer after stop: is it slow, or hung?
    Stalls *stalls;      // what is known of the machine's own; may be NULL
} SeatCommon;

typedef struct SeatAnswer {
    char move[32];  // what stood after bestmove
    i64 elapsed_us; // from the last byte of go to the line being there
    bool has_score, is_mate;
    int score; // its own view: centipawns, or plies to mate
    int depth; // 0: it did not say
    u64 nodes;
} SeatAnswer;

enum { SEAT_LINE_MAX = 1 << 16 };
typedef struct SeatProcess {
    const SeatSpec *spec;
    const SeatCommon *common;
    const atomic_bool *abandon; // set from outside: give up waiting; NULL: nobody does
    Process process;
    char id[128];      // as it calls itself
    Text options;      // the names it offered, one a line
    char unknown[256]; // settings it did not offer; empty when it knew all
    SeatAnswer answer; // the last one
    Fault fault;       // why the last call failed; NONE when it was abandoned
    Message about;     // the same in words, for files
    Message spoken;    // and in the language that is spoken
    bool is_starting;  // it has not yet come to its first game
    bool cannot_start; // there is no such program, or no process to be had
    Text *log;         // takes every line, both ways; not owned, NULL: nobody wants them
    i64 log_start_us;
    // The game in play, as it is told: `position` has the first told_nb moves, which lead to `told`.
    Text position, request;
    Position told;
    int told_nb;
    i64 read_us;       // when the line last given was there
    int odd_lines;     // lines since go that are no protocol
    size_t begin, end; // what is unread in the buffer
    char buffer[SEAT_LINE_MAX];
} SeatProcess;

SeatProcess *seat_process_new(const SeatSpec *spec, const SeatCommon *common, const atomic_bool *abandon);
void seat_process_free(SeatProcess *seat);
// Ends the process: asked to quit, then killed. The next game starts it again.
void seat_process_end(SeatProcess *seat);
// The seat of a program, which is started with its next game. What it answers is checked here: a move that is
// not legal, or a win declared without right, is its fault.
Seat seat_of_process(SeatProcess *seat);

#endif
