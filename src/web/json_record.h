// SPDX-License-Identifier: GPL-3.0-or-later
// Requests about games as people keep them (json_record.c): files read and written, names of openings and of
// start positions.
#ifndef TWOFOLD_JSON_RECORD_H
#define TWOFOLD_JSON_RECORD_H

#include "games/record.h"
#include "web/json_request.h"

// The start positions with names, and the formats of files, for hello.
void put_starts(JsonWriter *json);
void put_formats(JsonWriter *json);
// The last named position on the way of the game; null when it left no name behind.
void put_opening(JsonWriter *json, const char *name, const Game *game);
// How the kings of both sides are housed, where that has a name.
void put_castles(JsonWriter *json, const Position *pos);
// Fills an empty record with the game and with tags, result and comments of the request. False: refused.
bool record_of_request(Request *request, const Game *game, Record *record);
void run_opening(Request *request);
void run_read(Request *request);
void run_write(Request *request);

#endif
