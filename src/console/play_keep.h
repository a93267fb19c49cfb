// SPDX-License-Identifier: GPL-3.0-or-later
// Every game is kept as it is played: in a file of its own in the user's data folder, written anew after each
// move. Beside them a small file names the last of these games and what its file does not say: who plays, how
// strong, the clocks. A game that was not finished is offered again.
#ifndef TWOFOLD_PLAY_KEEP_H
#define TWOFOLD_PLAY_KEEP_H

#include "console/play_game.h"

// Looks whether the last game was finished, and offers it where a person sits.
void play_keep_open(Play *play);
// Writes the game if it has changed since. That it can't be written is said once.
void play_keep(Play *play);
// The command: goes on with the game that was not finished.
void play_resume(Play *play, Span argument);

#endif
