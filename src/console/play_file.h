// SPDX-License-Identifier: GPL-3.0-or-later
// Games of the terminal in files. Each is a command: `argument` is what was typed behind its name.
#ifndef TWOFOLD_PLAY_FILE_H
#define TWOFOLD_PLAY_FILE_H

#include "console/play_game.h"

// Saves the game, unless the file is there already and is not the one saved to last.
void play_save(Play *play, Span argument);
// Saves the game, replacing a file that is there.
void play_save_over(Play *play, Span argument);
// Goes on with a game of a file: the first, or that of the number behind its name.
void play_load(Play *play, Span argument);
// The same for game `number` (from 1) of the file at `path`; false, the game on the board being unchanged,
// when that can't be had.
bool play_load_file(Play *play, const char *path, i64 number);
// What is to be said of it then: where it stands, and whether it is over.
void play_show_loaded(Play *play);
// The game on the board as a record; false when there is no memory.
bool play_make_record(const Play *play, Record *record);

#endif
