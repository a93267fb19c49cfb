// SPDX-License-Identifier: GPL-3.0-or-later
// Requests about the engine itself (json_options.c): who it is, its options, a new game, its evaluation.
#ifndef TWOFOLD_JSON_OPTIONS_H
#define TWOFOLD_JSON_OPTIONS_H

#include "web/json_request.h"

// Writes the list of options anew: to be called, where the session is, whenever one was set.
void options_list(JsonLines *lines);
void run_hello(Request *request);
void run_options(Request *request);
bool read_set(Request *request);
void run_set(Request *request);
bool read_new(Request *request);
void run_new(Request *request);
void run_eval(Request *request);

#endif
