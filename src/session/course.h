// SPDX-License-Identifier: GPL-3.0-or-later
// A game on its way: where it started, the moves played, the position reached and the key history behind it.
// Playing, analysing and the library all walk games through this. Invariant: `pos` and `key history` are what
// `move[0..move_nb)` make of `start`.
#ifndef TWOFOLD_COURSE_H
#define TWOFOLD_COURSE_H

#include "game.h"

// The position that someone names, by its text or as startpos: otherwise as pos_set.
SetResult course_position(Position *start, Span text, const Rules *rules, Message *message);

// Zero-initialised is empty: course_start must come first.
typedef struct Course {
    Position start, pos;
    KeyHistory keys;
    Move *move;
    int move_nb, capacity;
} Course;

// Begins anew at the position, with no moves.
void course_start(Course *course, const Position *start);
// Plays a legal move; false when there is no memory, the course being unchanged.
bool course_play(Course *course, Move move);
// Takes back moves, at most all of them.
void course_back(Course *course, int plies);
void course_free(Course *course);

// The number of the move to come: each stands for a move of the first side and the answer of the second.
int course_move_number(const Position *pos);
// "12. " or "12... " for the move about to be made, as the position's text counts moves and whatever the
// game: number, then dots for the side that moves second.
void course_number(const Position *pos, char *out, size_t size);
// "12. Nf3" and "12.Nf3" are taken as "Nf3", "12." as nothing: people copy moves from books.
Span course_without_number(Span text);

#endif
