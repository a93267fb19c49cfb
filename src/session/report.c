// SPDX-License-Identifier: GPL-3.0-or-later
// See report.h. The lines of one depth are a group: they are told or kept back together, and a group that is
// kept back is forgotten when the next one comes.
#include "session/report.h"

#include <stdlib.h>

enum {
    LONG_SEARCH_MS = 3000,
    ROOT_MOVE_MS = 50,
    BURST_LINES = 600, // of one search, before there must be no more than one each millisecond
};

struct HeldLine {
    SearchLine line;
    Move pv[MAX_PLY];
};

static void remember(Report *report, const SearchLine *line)
{
    report->known_nb = min_int(line->pv_nb, MAX_PLY);
    memcpy(report->known, line->pv, (size_t)report->known_nb * sizeof *line->pv);
    report->known_depth = line->depth;
    report->known_score = line->score;
}

static void tell(Report *report, const SearchLine *line)
{
    const SessionEvents *events = &report->session->events;
    report->told_nb++;
    if (line->multi_pv <= 1) {
        report->main_nb++;
        report->is_final = true;
        report->last_first = line->pv_nb ? line->pv[0] : MOVE_NONE;
        report->last_nodes = line->nodes;
        if (line->bound == BOUND_EXACT)
            remember(report, line);
    }
    if (events->line)
        events->line(events->context, report->game, line);
}

// False when there is no memory to keep it.
static bool hold(Report *report, const SearchLine *line)
{
    if (report->held_nb == report->held_capacity) {
        int capacity = report->held_capacity ? 2 * report->held_capacity : 4;
        HeldLine *grown = realloc(report->held, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        report->held = grown;
        report->held_capacity = capacity;
    }
    HeldLine *held = &report->held[report->held_nb++];
    held->line = *line;
    held->line.pv_nb = min_int(line->pv_nb, MAX_PLY);
    memcpy(held->pv, line->pv, (size_t)held->line.pv_nb * sizeof *line->pv);
    return true;
}

static void tell_held(Report *report)
{
    for (int i = 0; i < report->held_nb; i++) {
        SearchLine line = report->held[i].line;
        line.pv = report->held[i].pv;
        tell(report, &line);
    }
    report->held_nb = 0;
    report->is_held = report->is_flood = false;
}

// In a trivial position a depth takes no time: with MultiPV there would be hundreds of thousands of lines.
static bool is_flood(const Report *report, i64 now_us)
{
    return report->told_nb > BURST_LINES + (now_us - report->start_us) / 1000;
}

static void begin_group(Report *report, i64 now_us)
{
    i64 interval_us = report->interval_ms * 1000LL;
    report->is_flood = is_flood(report, now_us);
    report->is_held = report->is_flood || (report->main_nb && now_us - report->group_us < interval_us);
    if (!report->is_held)
        report->group_us = now_us;
    report->held_nb = 0;
}

static void on_line(void *context, const SearchLine *line)
{
    Report *report = context;
    i64 now_us = os_now_us();
    if (line->bound != BOUND_EXACT && now_us - report->start_us < LONG_SEARCH_MS * 1000LL)
        return;
    if (line->multi_pv <= 1)
        begin_group(report, now_us);
    if (!report->is_held || !hold(report, line))
        tell(report, line);
}

static void on_root_move(void *context, int depth, Move move, int number)
{
    Report *report = context;
    const SessionEvents *events = &report->session->events;
    i64 now_us = os_now_us();
    if (!events->root_move || now_us - report->start_us < LONG_SEARCH_MS * 1000LL ||
        now_us - report->root_move_us < ROOT_MOVE_MS * 1000LL)
        return;
    report->root_move_us = now_us;
    events->root_move(events->context, report->game, depth, move, number);
}

void report_init(Report *report, const Session *session, const Game *game, const SearchControl *control)
{
    *report =
        (Report){.session = session, .game = game, .start_us = control->start_us, .last_first = MOVE_NONE};
    report->interval_ms = control->limits.infinite ? 0 : session->settings.pv_interval_ms;
}

void report_free(Report *report) { free(report->held); }

// Lines that were kept back because they came too fast are told a moment later, or when the search is done.
static bool on_poll(void *context)
{
    Report *report = context;
    if (report->is_flood && !is_flood(report, os_now_us()))
        tell_held(report);
    return false;
}

static void on_settled(void *context)
{
    Report *report = context;
    if (report->is_flood)
        tell_held(report);
    report->is_final = false;
}

SearchEvents report_events(Report *report)
{
    return (SearchEvents){.context = report,
                          .line = on_line,
                          .root_move = on_root_move,
                          .poll = on_poll,
                          .settled = on_settled};
}

void report_close(Report *report, const SearchResult *result)
{
    tell_held(report);
    bool is_told = report->main_nb && (report->last_first == result->best || result->best == MOVE_WIN);
    bool is_final = report->last_nodes == result->nodes && (report->is_final || !result->waited);
    if (is_told && (result->best == MOVE_WIN || is_final))
        return;
    // The line that goes with this score is told again as it was, under its own depth: of an iteration that
    // was cut short since, the search may have no more than the first move or two.
    bool is_same =
        report->known_nb && report->known[0] == result->best && report->known_score == result->score;
    SearchLine line = {.depth = is_same ? report->known_depth : max_int(result->depth, 1),
                       .seldepth = max_int(result->seldepth, 1),
                       .multi_pv = 1,
                       .score = result->score,
                       .bound = result->bound == BOUND_LOWER && !is_same ? BOUND_LOWER : BOUND_EXACT,
                       .nodes = result->nodes,
                       .tb_hits = result->tb_hits,
                       .time_ms = result->time_ms,
                       .hash_permille = engine_hash_permille(report->session->engine),
                       .pv = is_same ? report->known : result->pv,
                       .pv_nb = is_same ? report->known_nb : result->pv_nb};
    if (result->best == MOVE_WIN) { // a declaration is no move of a line, and ends the game now
        line.score = SCORE_MATE - 1;
        line.pv_nb = 0;
    } else if (line.pv_nb == 0 || line.pv[0] != result->best) {
        line.pv = &result->best;
        line.pv_nb = 1;
    }
    tell(report, &line);
}
