// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that think (json_go.c): go and threat with their events, stop and ponderhit.
#ifndef TWOFOLD_JSON_GO_H
#define TWOFOLD_JSON_GO_H

#include "web/json_request.h"

// The session tells what it finds to the request that runs.
SessionEvents go_events(JsonLines *lines);
bool read_go(Request *request);
void run_go(Request *request);
bool read_threat(Request *request);
void run_threat(Request *request);
void run_stop(Request *request);
void run_ponderhit(Request *request);
// {"cp":34} or {"mate":-3}, with the bound if there is one (BOUND_EXACT: none).
void put_score(JsonWriter *json, const char *name, int score, Bound bound, const Position *pos);
// What the first side may expect, from 0 to 1.
void put_expectation(JsonWriter *json, const char *name, int score, const Position *pos);

#endif
