// SPDX-License-Identifier: GPL-3.0-or-later
// See json_handlers.h.
#include "web/json_handlers.h"

#include "web/json_analyse.h"
#include "web/json_game.h"
#include "web/json_go.h"
#include "web/json_options.h"
#include "web/json_record.h"

static void run_quit(Request *request)
{
    request->lines->has_quit = true;
    request_done(request);
}

static const char *const NO_FIELDS[] = {NULL};
static const char *const OPTION_FIELDS[] = {"name", "value", NULL};
static const char *const SQUARE_FIELDS[] = {"square", NULL};
static const char *const TEXT_FIELDS[] = {"text", NULL};
static const char *const FEN_FIELDS[] = {"fen", NULL};
static const char *const GO_FIELDS[] = {"depth",       "nodes", "movetime_ms", "mate",  "infinite", "ponder",
                                        "searchmoves", "clock", "multipv",     "level", "seed",     NULL};
static const char *const STOP_FIELDS[] = {"target", NULL};
static const char *const HIT_FIELDS[] = {"clock", NULL};
static const char *const THREAT_FIELDS[] = {"depth", "nodes", "movetime_ms", NULL};
static const char *const READ_FIELDS[] = {"text", "base64", "name", "game", NULL};
// What belongs to a game in a file.
#define RECORD_FIELDS \
    "tags", "result", "reason", "comment", "comments", "nags", "times_ms", "clocks_ms", "variations"
static const char *const WRITE_FIELDS[] = {RECORD_FIELDS, "format", NULL};
static const char *const ANALYSE_FIELDS[] = {RECORD_FIELDS, "nodes", "depth", "movetime_ms", NULL};
static const char *const REPORT_FIELDS[] = {"format", "title", NULL};

static const Handler HANDLERS[] = {
    {"hello", 0, NO_FIELDS, NULL, run_hello},
    {"options", 0, NO_FIELDS, NULL, run_options},
    {"set", REQUEST_AT_ONCE, OPTION_FIELDS, read_set, run_set},
    {"new", REQUEST_AT_ONCE, NO_FIELDS, read_new, run_new},
    {"position", REQUEST_GAME, NO_FIELDS, NULL, run_state},
    {"state", REQUEST_GAME, NO_FIELDS, NULL, run_state},
    {"legal", REQUEST_GAME, SQUARE_FIELDS, NULL, run_legal},
    {"parse", REQUEST_GAME, TEXT_FIELDS, NULL, run_parse},
    {"setup", 0, FEN_FIELDS, NULL, run_setup},
    {"go", REQUEST_GAME | REQUEST_QUEUED | JOB_LONG | JOB_SEARCH, GO_FIELDS, read_go, run_go},
    {"stop", 0, STOP_FIELDS, NULL, run_stop},
    {"ponderhit", 0, HIT_FIELDS, NULL, run_ponderhit},
    {"eval", REQUEST_GAME | REQUEST_AT_ONCE, NO_FIELDS, NULL, run_eval},
    {"threat", REQUEST_GAME | REQUEST_QUEUED | JOB_LONG | JOB_SEARCH, THREAT_FIELDS, read_threat, run_threat},
    {"opening", REQUEST_GAME, NO_FIELDS, NULL, run_opening},
    {"read", 0, READ_FIELDS, NULL, run_read},
    {"write", REQUEST_GAME, WRITE_FIELDS, NULL, run_write},
    {"analyse", REQUEST_GAME | REQUEST_QUEUED | JOB_LONG, ANALYSE_FIELDS, read_analyse, run_analyse},
    {"report", REQUEST_QUEUED, REPORT_FIELDS, NULL, run_report},
    {"quit", 0, NO_FIELDS, NULL, run_quit},
};
enum { HANDLER_NB = sizeof HANDLERS / sizeof HANDLERS[0] };

const Handler *handler_find(Span name, Suggestions *near)
{
    for (int i = 0; i < HANDLER_NB; i++) {
        if (span_is(name, HANDLERS[i].name))
            return &HANDLERS[i];
        suggest(near, name, span_of(HANDLERS[i].name));
    }
    return NULL;
}

void put_requests(JsonWriter *json)
{
    json_open_array(json, "requests");
    for (int i = 0; i < HANDLER_NB; i++)
        json_put_text(json, NULL, HANDLERS[i].name);
    json_close_array(json);
}
