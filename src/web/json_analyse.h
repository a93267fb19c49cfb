// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that judge a whole game (json_analyse.c): analyse, and the reports on the last analysis.
#ifndef TWOFOLD_JSON_ANALYSE_H
#define TWOFOLD_JSON_ANALYSE_H

#include "web/json_request.h"

bool read_analyse(Request *request);
void run_analyse(Request *request);
void run_report(Request *request);
// Forgets the last analysis.
void analysis_drop(JsonLines *lines);

#endif
