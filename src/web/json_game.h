// SPDX-License-Identifier: GPL-3.0-or-later
// Requests about positions and moves (json_game.c): the current game, what is legal in it, what a move typed
// by a person means, and positions that are set up by hand.
#ifndef TWOFOLD_JSON_GAME_H
#define TWOFOLD_JSON_GAME_H

#include "games/notation.h"
#include "web/json_request.h"

// Makes the game of start, moves and chess960 the current one, if any of them is given. False when it was
// refused; nothing has changed then.
bool game_take_fields(Request *request);
// A move of a position as the protocol and as people write it, in the language of the request; `last` is the
// move before. MOVE_NONE: both are null.
void put_move_names(const Request *request, JsonWriter *json, const char *name, const char *human_name,
                    const Position *pos, Move last, Move move);
// How a line of moves is written, behind the move `last`.
LineStyle line_style(const Request *request, bool is_human, Move last);
// The last move of the game; MOVE_NONE before the first.
Move last_move(const Game *game);
void run_state(Request *request);
void run_legal(Request *request);
void run_parse(Request *request);
void run_setup(Request *request);

#endif
