// SPDX-License-Identifier: GPL-3.0-or-later
// Moves taken back and made again. Each is a command: `argument` is what was typed behind its name.
#ifndef TWOFOLD_PLAY_UNDO_H
#define TWOFOLD_PLAY_UNDO_H

#include "console/play_game.h"

// Takes back an end that the rules do not demand, so many half-moves, or as many as lead to the person's own
// last turn.
void play_undo(Play *play, Span argument);
// Makes moves again that were taken back, until another move is made.
void play_redo(Play *play, Span argument);

#endif
