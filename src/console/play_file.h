// SPDX-License-Identifier: GPL-3.0-or-later
// Games of the terminal in files. Each is a command: `argument` is what was typed behind its name.
#ifndef TWOFOLD_PLAY_FILE_H
#define TWOFOLD_PLAY_FILE_H

#include "console/play_game.h"

// Saves the game, unless the file is there already and is not the one saved to last.
void play_save(Play *play, Span argument);
// Saves the game, replacing a file that is there.
void play_save_over(Play *play, Span argument);
// Goes on with the game of a file.
void play_load(Play *play, Span argument);

#endif
