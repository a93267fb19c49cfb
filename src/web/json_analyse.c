// SPDX-License-Identifier: GPL-3.0-or-later
// See json_analyse.h. A game is judged as the command `analyse` does it, position by position with a clean
// table, so that the verdicts depend on nothing but the game and the settings. The session's threads search
// one position each, and share its hash. Each move is told as soon as the positions before and after it are
// known.
#include "web/json_analyse.h"

#include <stdlib.h>

#include "analysis/analysis.h"
#include "games/words.h"
#include "web/json_game.h"
#include "web/json_go.h"
#include "web/json_record.h"

enum { DEFAULT_NODES = 100000 };

struct JsonAnalysis {
    Analysis analysis;
};

// What is known while it runs.
typedef struct Watch {
    Request *request;
    const Analysis *analysis;
    bool *is_known; // for each position of the game
    int done_nb, opening_ply;
} Watch;

void analysis_drop(JsonLines *lines)
{
    if (lines->analysis)
        analysis_free(&lines->analysis->analysis);
    free(lines->analysis);
    lines->analysis = NULL;
}

// ---- moves --------------------------------------------------------------------------------------
static const char *mark_key(Mark mark)
{
    switch (mark) {
    case MARK_GOOD: return "good";
    case MARK_DUBIOUS: return "inaccuracy";
    case MARK_MISTAKE: return "mistake";
    case MARK_BLUNDER: return "blunder";
    default: return NULL;
    }
}

// A score from the first side's view.
static void put_first_score(JsonWriter *json, const char *name, int score, const Position *pos)
{
    json_open_object(json, name);
    int sign = pos_side(pos) == 0 ? 1 : -1;
    if (score_is_mate(score))
        json_put_int(json, "mate", sign * words_mate_shown(score_mate_plies(score)));
    else
        json_put_int(json, "cp", sign * score_shown(score, pos));
    json_close_object(json);
}

// Centipawns that the move gave away; -1 where a mate has no such number.
static int centipawns_lost(const PositionResult *now, const PositionResult *next, const Position *pos,
                           const Position *after, const MoveVerdict *verdict)
{
    if (verdict->is_best)
        return 0;
    if (score_is_mate(now->score) || score_is_mate(next->score))
        return -1;
    return max_int(score_shown(now->score, pos) + score_shown(next->score, after), 0);
}

static void put_moves_of(JsonWriter *json, const char *name, const Position *pos,
                         const PositionResult *result, LineStyle style)
{
    Text text = {0};
    json_open_array(json, name);
    line_print_from(pos, result->line, result->line_nb, style, &text);
    json_put_json(json, NULL, text_span(&text));
    json_close_array(json);
    text_free(&text);
}

// The members of one judged move. `pos` is the position before it.
static void put_judged(const Request *request, JsonWriter *json, const Analysis *analysis,
                       const Position *pos, int ply, int opening_ply)
{
    const AnalysedGame *game = &analysis->game[0];
    const PositionResult *now = analysis_result(analysis, game, ply),
                         *next = analysis_result(analysis, game, ply + 1);
    const MoveVerdict verdict = analysis_judge_move(analysis, game, pos, ply);
    const Move move = game->record.move[ply].move, last = ply ? game->record.move[ply - 1].move : MOVE_NONE;
    const Position after = pos_after(pos, move);
    const int lost = centipawns_lost(now, next, pos, &after, &verdict);
    json_put_int(json, "ply", ply + 1);
    put_move_names(request, json, "move", "text", pos, last, move);
    put_first_score(json, "score", next->score, &after);
    json_put_real(json, "expect", verdict.after / 1000.0, 3);
    put_first_score(json, "best_score", now->score, pos);
    json_put_real(json, "best_expect", verdict.before / 1000.0, 3);
    put_move_names(request, json, "best", "best_text", pos, last, now->line_nb ? now->line[0] : MOVE_NONE);
    put_moves_of(json, "line", pos, now, line_style(request, false, last));
    put_moves_of(json, "line_text", pos, now, line_style(request, true, last));
    json_put_int(json, "depth", now->depth);
    json_put_real(json, "loss", verdict.loss / 1000.0, 3);
    if (lost < 0)
        json_put_null(json, "cp_loss");
    else
        json_put_int(json, "cp_loss", lost);
    json_put_text(json, "mark", mark_key(verdict.mark));
    json_put_bool(json, "book", ply < opening_ply);
}

// ---- while it runs ------------------------------------------------------------------------------
static void tell_move(const Watch *watch, int ply)
{
    const AnalysedGame *game = &watch->analysis->game[0];
    Position pos = game->record.start;
    Reply reply;
    for (int i = 0; i < ply; i++)
        pos = pos_after(&pos, game->record.move[i].move);
    reply_begin(&reply, watch->request, "move");
    put_judged(watch->request, &reply.json, watch->analysis, &pos, ply, watch->opening_ply);
    request_send_event(watch->request, &reply);
}

static void on_found(void *watcher, int result)
{
    Watch *watch = watcher;
    const AnalysedGame *game = &watch->analysis->game[0];
    Reply reply;
    for (int ply = 0; ply <= game->record.move_nb; ply++) {
        if (game->result_index[ply] != result)
            continue;
        watch->is_known[ply] = true;
        if (ply > 0 && watch->is_known[ply - 1])
            tell_move(watch, ply - 1);
        if (ply < game->record.move_nb && watch->is_known[ply + 1])
            tell_move(watch, ply);
    }
    reply_begin(&reply, watch->request, "progress");
    json_put_int(&reply.json, "done", ++watch->done_nb);
    json_put_int(&reply.json, "total", watch->analysis->search_nb);
    request_send_event(watch->request, &reply);
}

static bool is_stopped(void *watcher)
{
    const Watch *watch = watcher;
    return control_is_stopped(&watch->request->control);
}

// ---- the answer ---------------------------------------------------------------------------------
static void put_player(JsonWriter *json, const Analysis *analysis, const AnalysedGame *game, int side)
{
    const PlayerSummary *player = &game->player[side];
    Position pos = game->record.start;
    i64 lost_sum = 0;
    int lost_nb = 0;
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        const Position after = pos_after(&pos, game->record.move[ply].move);
        int lost =
            centipawns_lost(analysis_result(analysis, game, ply), analysis_result(analysis, game, ply + 1),
                            &pos, &after, &game->verdict[ply]);
        if (pos_side(&pos) == side && lost >= 0) {
            lost_sum += lost;
            lost_nb++;
        }
        pos = after;
    }
    json_open_object(json, NULL);
    json_put_int(json, "moves", player->move_nb);
    if (player->move_nb)
        json_put_real(json, "accuracy", player->accuracy, 4);
    else
        json_put_null(json, "accuracy");
    json_put_int(json, "good", player->mark_nb[MARK_GOOD]);
    json_put_int(json, "inaccuracies", player->mark_nb[MARK_DUBIOUS]);
    json_put_int(json, "mistakes", player->mark_nb[MARK_MISTAKE]);
    json_put_int(json, "blunders", player->mark_nb[MARK_BLUNDER]);
    if (lost_nb)
        json_put_int(json, "cp_loss", lost_sum / lost_nb);
    else
        json_put_null(json, "cp_loss");
    json_close_object(json);
}

static void answer_analysis(Request *request, const Analysis *analysis, int opening_ply)
{
    const AnalysedGame *game = &analysis->game[0];
    Position pos = game->record.start;
    Reply reply;
    JsonWriter *json = &reply.json;
    reply_begin(&reply, request, NULL);
    json_open_array(json, "moves");
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        json_open_object(json, NULL);
        put_judged(request, json, analysis, &pos, ply, opening_ply);
        json_close_object(json);
        pos = pos_after(&pos, game->record.move[ply].move);
    }
    json_close_array(json);
    json_open_array(json, "players");
    for (int side = 0; side < SIDE_NB; side++)
        put_player(json, analysis, game, side);
    json_close_array(json);
    json_open_array(json, "turning");
    for (int i = 0; i < game->turning_nb; i++)
        json_put_int(json, NULL, game->turning[i] + 1);
    json_close_array(json);
    put_opening(json, "opening", &request->game);
    request_send_answer(request, &reply);
}

// ---- the request --------------------------------------------------------------------------------
bool read_analyse(Request *request)
{
    Limits *limits = &request->go.limits;
    i64 depth = 0, nodes = 0;
    if (!request_int(request, "depth", 1, MAX_PLY - 1, &depth) ||
        !request_int(request, "nodes", 1, INT64_MAX, &nodes) ||
        !request_int(request, "movetime_ms", 1, INT32_MAX, &limits->move_time_ms))
        return false;
    limits->depth = (int)depth;
    limits->nodes = depth || nodes || limits->move_time_ms ? (u64)nodes : DEFAULT_NODES;
    return request->lines->game.move_nb > 0 ||
           request_fail(request, "bad_value", "there are no moves to judge");
}

static JobsEnd evaluate(Request *request, Analysis *analysis, Watch *watch, Message *message)
{
    JsonLines *lines = request->lines;
    Session *session = &lines->session;
    const Limits *limits = &request->go.limits;
    Message note = {0};
    const EvaluateOptions options = {.nodes = limits->nodes,
                                     .time_ms = limits->move_time_ms,
                                     .depth = limits->depth,
                                     .threads = lines->owner.has_no_thread ? 0 : session->settings.threads,
                                     .watcher = watch,
                                     .found = on_found,
                                     .is_stopped = is_stopped};
    const JobsEnd end = evaluate_shared(analysis, session, &options, message, &note);
    if (note.text[0])
        request_note(request, note.text);
    return end;
}

// A game of one, from the request.
static bool set_up(Request *request, JsonAnalysis *made, Watch *watch)
{
    Analysis *analysis = &made->analysis;
    Opening opening = {0};
    analysis->game = calloc(1, sizeof *analysis->game);
    watch->is_known = calloc((size_t)request->game.move_nb + 1, sizeof *watch->is_known);
    if (!analysis->game || !watch->is_known)
        return request_fail(request, "failed", "no memory for the analysis");
    analysis->game_nb = 1;
    analysis->game[0].number = analysis->game[0].line = 1;
    watch->request = request;
    watch->analysis = analysis;
    watch->opening_ply = opening_name(&request->game, &opening) ? opening.ply : 0;
    analysis->game[0].opening = opening;
    return record_of_request(request, &request->game, &analysis->game[0].record);
}

void run_analyse(Request *request)
{
    JsonLines *lines = request->lines;
    JsonAnalysis *made = calloc(1, sizeof *made);
    Watch watch = {0};
    Message message = {0};
    if (!made) {
        request_fail(request, "failed", "no memory for the analysis");
        return;
    }
    analysis_drop(lines);
    lines->analysis = made;
    bool is_whole = false;
    if (set_up(request, made, &watch)) {
        JobsEnd end = evaluate(request, &made->analysis, &watch, &message);
        is_whole = end == JOBS_DONE;
        if (end == JOBS_INTERRUPTED)
            request_fail(request, "stopped", "stopped after %d of %d positions", watch.done_nb,
                         made->analysis.search_nb);
        else if (!is_whole)
            request_fail(request, "failed", "%s", message.text);
    }
    if (is_whole) {
        analysis_judge(&made->analysis);
        answer_analysis(request, &made->analysis, watch.opening_ply);
    } else {
        analysis_drop(lines);
    }
    free(watch.is_known);
}

// ---- reports ------------------------------------------------------------------------------------
void run_report(Request *request)
{
    const JsonAnalysis *made = request->lines->analysis;
    Span format = span_of("html"), title = {0};
    Text text = {0};
    Reply reply;
    const char *ending;
    char name[64];
    if (!request_string(request, "format", &format) || !request_string(request, "title", &title))
        return;
    if (!made) {
        request_fail(request, "bad_request", "there is no analysis to report on: ask for analyse first");
        return;
    }
    if (!report_find(format, &ending)) {
        request_fail(request, "bad_value", "format: '%.*s' is no format of reports",
                     (int)min_i64((i64)format.len, 32), format.ptr);
    } else {
        report_write(&made->analysis, format, title.ptr, &text);
        snprintf(name, sizeof name, "report.%s", ending);
        reply_begin(&reply, request, NULL);
        json_put_string(&reply.json, "format", format);
        json_put_text(&reply.json, "name", name);
        json_put_string(&reply.json, "text", text_span(&text));
        reply.text.failed |= text.failed;
        request_send_answer(request, &reply);
    }
    text_free(&text);
}
