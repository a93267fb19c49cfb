// SPDX-License-Identifier: GPL-3.0-or-later
// Requests about positions and moves (json_game.c): the current game, what is legal in it, what a move typed
// by a person means, and positions that are set up by hand.
#ifndef TWOFOLD_JSON_GAME_H
#define TWOFOLD_JSON_GAME_H

#include "web/json_request.h"

// Makes the game of start, moves and chess960 the current one, if any of them is given. False when it was
// refused; nothing has changed then.
bool game_take_fields(Request *request);
// The word for the end of a game; NULL for none.
const char *reason_key(Reason reason);
void run_state(Request *request);
void run_legal(Request *request);
void run_parse(Request *request);
void run_setup(Request *request);

#endif
