// SPDX-License-Identifier: GPL-3.0-or-later
// The report as JSON lines for programs: a game, then its moves and a summary; at the end one line of totals.
// All scores are side 0's.
#include "analysis/analysis.h"

#include <errno.h>
#include <math.h>

#include "analysis/remarks.h"
#include "base/json.h"
#include "games/notation.h"
#include "session/phrases.h"

static void add_score(JsonWriter *json, const char *name, int score, const Position *pos)
{
    int mate, winner;
    json_open_object(json, name);
    if (phrase_mate(score, pos, &mate))
        json_put_int(json, "mate", mate);
    else if (phrase_rule_win(score, pos, &winner))
        json_put_text(json, "win", phrase_side(winner));
    else
        json_put_int(json, "cp", score_shown(score, pos) * (pos_side(pos) == 0 ? 1 : -1));
    json_close_object(json);
}

// Permille as a number with all three digits.
// With one decimal, as people read it.
static void add_tenths(JsonWriter *json, const char *name, double value)
{
    json_put_real(json, name, round(value * 10) / 10, 6);
}

static void add_permille(JsonWriter *json, const char *name, int permille)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%03d", permille / 1000, permille % 1000);
    json_put_json(json, name, span_of(text));
}

static void add_moves(JsonWriter *json, const Position *pos, const Move *line, int line_nb)
{
    Text moves = {0};
    json_open_array(json, "line");
    line_print_from(pos, line, line_nb, (LineStyle){.is_json = true}, &moves);
    json_put_json(json, NULL, text_span(&moves));
    json_close_array(json);
    text_clear(&moves);
    line_print_from(pos, line, line_nb, LINE_NUMBERED, &moves);
    json_put_string(json, "line_human", text_span(&moves));
    text_free(&moves);
}

static void add_line(JsonWriter *json, const Position *pos, const PositionResult *result)
{
    add_moves(json, pos, result->line, result->line_nb);
    json_open_array(json, "other_lines");
    for (int i = 0; i < result->other_nb; i++) {
        const OtherLine *other = &result->other[i];
        json_open_object(json, NULL);
        add_score(json, "score", other->score, pos);
        add_moves(json, pos, other->move, other->move_nb);
        json_close_object(json);
    }
    json_close_array(json);
    json_put_int(json, "depth", result->depth);
    json_put_u64(json, "nodes", result->nodes);
    json_put_bool(json, "looked_twice", result->earlier != SCORE_NONE);
}

// An opening or a castle.
static void add_opening(JsonWriter *json, const char *member, const Opening *opening)
{
    if (!opening->ply) {
        json_put_text(json, member, NULL);
        return;
    }
    json_open_object(json, member);
    json_put_int(json, "ply", opening->ply);
    json_put_text(json, "code", opening->code[0] ? opening->code : NULL);
    json_put_text(json, "name", opening->name);
    if (opening->name_ja[0])
        json_put_text(json, "name_ja", opening->name_ja);
    json_close_object(json);
}

static void add_head(JsonWriter *json, const AnalysedGame *game)
{
    char start[TEXT_MAX];
    const Record *record = &game->record;
    pos_print(&record->start, start);
    json_put_text(json, "type", game->is_position ? "position" : "game");
    json_put_int(json, "game", game->number);
    json_put_int(json, "at_line", game->line);
    json_put_int(json, "moves", record->move_nb);
    json_put_text(json, "start", start);
    json_put_text(json, "result", record->result_word);
    const int winner = result_winner(record->result);
    json_put_text(json, "winner", winner >= 0 ? phrase_side(winner) : NULL);
    json_put_bool(json, "drawn", record->result == RESULT_DRAW);
    json_put_text(json, "file", game->file);
    add_opening(json, "opening", &game->opening);
    json_open_array(json, "castles");
    for (int side = 0; side < SIDE_NB; side++)
        add_opening(json, NULL, &game->castle[side]);
    json_close_array(json);
    json_put_text(json, "error", record->error.text[0] ? record->error.text : NULL);
    json_put_text(json, "comment", record->comment);
    json_open_object(json, "tags");
    for (int i = 0; i < record->tag_nb; i++)
        json_put_text(json, record->tag[i].name, record->tag[i].value);
    json_close_object(json);
}

// What the search says of a move.
static void add_judged(JsonWriter *json, const Analysis *analysis, const AnalysedGame *game,
                       const Position *pos, const Position *after, int ply)
{
    const PositionResult *now = analysis_result(analysis, game, ply),
                         *next = analysis_result(analysis, game, ply + 1);
    const MoveVerdict *verdict = &game->verdict[ply];
    Text remark = {0};
    add_score(json, "best_score", now->score, pos);
    add_score(json, "score", next->score, after);
    add_permille(json, "expected_before", verdict->before);
    add_permille(json, "expected_after", verdict->after);
    add_permille(json, "loss", verdict->loss);
    json_put_int(json, "cp_loss", verdict->cp_loss);
    add_tenths(json, "accuracy", verdict->accuracy);
    json_put_text(json, "mark", mark_text(verdict->mark));
    add_line(json, pos, now);
    analysis_remark(analysis, game, pos, ply, REMARK_LINE, LANGUAGE_ENGLISH, &remark);
    json_put_text(json, "remark", remark.len ? remark.ptr : NULL);
    text_free(&remark);
}

static void add_move(JsonWriter *json, const Analysis *analysis, const AnalysedGame *game,
                     const Position *pos, const Position *after, int ply)
{
    const RecordMove *move = &game->record.move[ply];
    const MoveVerdict *verdict = &game->verdict[ply];
    char text[TEXT_MAX], human[64];
    json_open_object(json, NULL);
    json_put_text(json, "type", "move");
    json_put_int(json, "game", game->number);
    json_put_int(json, "ply", ply + 1);
    json_put_text(json, "side", phrase_side(pos_side(pos)));
    move_print(pos, move->move, text);
    move_print_human(pos, move->move, human);
    json_put_text(json, "move", text);
    json_put_text(json, "human", human);
    pos_print(pos, text);
    json_put_text(json, "position", text);
    json_put_text(json, "phase", phase_word(verdict->phase));
    json_put_bool(json, "book", verdict->is_book);
    json_put_bool(json, "judged", verdict->is_judged);
    if (verdict->is_judged)
        add_judged(json, analysis, game, pos, after, ply);
    if (move->time_ms)
        json_put_int(json, "time_ms", move->time_ms);
    if (move->clock_ms)
        json_put_int(json, "clock_ms", move->clock_ms);
    json_put_text(json, "comment", move->comment);
    json_close_object(json);
}

static void add_phases(JsonWriter *json, const PlayerSummary *player)
{
    json_open_array(json, "phases");
    for (int i = 0; i < PHASE_NB; i++) {
        const PhaseSummary *phase = &player->phase[i];
        if (!phase->move_nb)
            continue;
        json_open_object(json, NULL);
        json_put_text(json, "phase", phase_word((GamePhase)i));
        json_put_int(json, "moves", phase->move_nb);
        add_tenths(json, "accuracy", phase->accuracy);
        add_tenths(json, "cp_loss", phase->cp_loss);
        json_put_real(json, "loss", phase->loss, 3);
        json_close_object(json);
    }
    json_close_array(json);
}

static void add_player(JsonWriter *json, const AnalysedGame *game, int side)
{
    const PlayerSummary *player = &game->player[side];
    char accuracy[32];
    json_open_object(json, NULL);
    json_put_text(json, "side", phrase_side(side));
    json_put_text(json, "name", record_tag(&game->record, phrase_side(side)));
    json_put_int(json, "moves", player->move_nb);
    snprintf(accuracy, sizeof accuracy, "%.1f", player->accuracy);
    json_put_json(json, "accuracy", span_of(player->move_nb ? accuracy : "null"));
    json_put_int(json, "blunders", player->mark_nb[MARK_BLUNDER]);
    json_put_int(json, "mistakes", player->mark_nb[MARK_MISTAKE]);
    json_put_int(json, "dubious", player->mark_nb[MARK_DUBIOUS]);
    json_put_int(json, "good", player->mark_nb[MARK_GOOD]);
    if (player->move_nb)
        add_tenths(json, "cp_loss", player->cp_loss);
    else
        json_put_null(json, "cp_loss");
    add_phases(json, player);
    json_close_object(json);
}

static void add_summary(JsonWriter *json, const AnalysedGame *game)
{
    json_open_object(json, NULL);
    json_put_text(json, "type", "summary");
    json_put_int(json, "game", game->number);
    json_open_array(json, "players");
    for (int side = 0; side < SIDE_NB; side++)
        add_player(json, game, side);
    json_close_array(json);
    json_open_array(json, "turning_points");
    for (int i = 0; i < game->turning_nb; i++)
        json_put_int(json, NULL, game->turning[i] + 1);
    json_close_array(json);
    json_close_object(json);
}

// Each line is an object of its own.
static void end_line(JsonWriter *json)
{
    text_add(json->out, "\n");
    json->has_before = false;
}

static void add_game(JsonWriter *json, const Analysis *analysis, const AnalysedGame *game)
{
    Position pos = game->record.start;
    json_open_object(json, NULL);
    add_head(json, game);
    if (game->is_position && !game->is_skipped) {
        const PositionResult *result = analysis_result(analysis, game, 0);
        add_score(json, "score", result->score, &pos);
        add_line(json, &pos, result);
        json_put_json(json, "solved", span_of(!game->has_task ? "null" : game->is_solved ? "true" : "false"));
        json_put_text(json, "task_error", game->task_error.text[0] ? game->task_error.text : NULL);
    }
    json_close_object(json);
    end_line(json);
    if (game->is_position || game->is_skipped)
        return;
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        Position after = pos_after(&pos, game->record.move[ply].move);
        add_move(json, analysis, game, &pos, &after, ply);
        end_line(json);
        pos = after;
    }
    add_summary(json, game);
    end_line(json);
}

void report_json_games(const Analysis *analysis, Text *out)
{
    JsonWriter json = {.out = out};
    for (int i = 0; i < analysis->game_nb && analysis_goes_on(analysis, i); i++)
        add_game(&json, analysis, &analysis->game[i]);
}

void report_json_end(const AnalysisTotals *totals, Text *out)
{
    JsonWriter json = {.out = out};
    json_open_object(&json, NULL);
    json_put_text(&json, "type", "total");
    json_put_text(&json, "game_name", GAME_NAME);
    json_put_int(&json, "games", totals->game_nb);
    json_put_int(&json, "positions", totals->position_nb);
    json_put_int(&json, "left_out", totals->left_out_nb);
    json_put_int(&json, "tasks", totals->task_nb);
    json_put_int(&json, "solved", totals->solved_nb);
    json_close_object(&json);
    end_line(&json);
}

void report_json(const Analysis *analysis, Text *out)
{
    AnalysisTotals totals = {0};
    analysis_totals(analysis, &totals);
    report_json_games(analysis, out);
    report_json_end(&totals, out);
}

// ---- several as one -----------------------------------------------------------------------------
// Is the line the last of a report? Then its numbers are added.
static bool add_totals(Span line, AnalysisTotals *totals)
{
    Json json = {0};
    Message ignored;
    i64 number[5] = {0};
    static const char *const NAMES[] = {"games", "positions", "left_out", "tasks", "solved"};
    if (!span_starts(line, "{\"type\":\"total\"") || !json_read(&json, line, &ignored))
        return false;
    const JsonValue *game = json_member(&json, json_root(&json), "game_name");
    bool ok = game && game->type == JSON_STRING && span_is(game->text, GAME_NAME);
    for (int i = 0; ok && i < 5; i++)
        ok = json_int(json_member(&json, json_root(&json), NAMES[i]), 0, INT32_MAX, &number[i]);
    json_free(&json);
    if (!ok)
        return false;
    totals->game_nb += (int)number[0];
    totals->position_nb += (int)number[1];
    totals->left_out_nb += (int)number[2];
    totals->task_nb += (int)number[3];
    totals->solved_nb += (int)number[4];
    return true;
}

static bool join_file(FILE *file, FILE *stream, AnalysisTotals *totals)
{
    Text line = {0};
    bool is_whole = false, ok = true;
    while (ok && !is_whole && text_read_line(&line, file)) {
        is_whole = add_totals(text_span(&line), totals);
        if (!is_whole)
            ok = fwrite(line.ptr, 1, line.len, stream) == line.len && fputc('\n', stream) != EOF;
    }
    text_free(&line);
    return ok && is_whole;
}

bool report_json_join(void *stream, const char *const *paths, int path_nb, Message *message)
{
    AnalysisTotals totals = {0};
    Text end = {0};
    bool ok = true;
    for (int i = 0; ok && i < path_nb; i++) {
        FILE *file = os_fopen(paths[i], "rb");
        ok = file && join_file(file, stream, &totals);
        if (!file)
            message_set(message, "cannot open '%s': %s", paths[i], strerror(errno));
        else if (!ok && ferror((FILE *)stream))
            message_set(message, "cannot write: %s", strerror(errno));
        else if (!ok)
            message_set(message, "'%s' is no whole report of an analysis of " GAME_NAME, paths[i]);
        if (file)
            fclose(file);
    }
    report_json_end(&totals, &end);
    ok = ok && fwrite(end.ptr, 1, end.len, stream) == end.len;
    text_free(&end);
    return ok;
}
