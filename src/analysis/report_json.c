// SPDX-License-Identifier: GPL-3.0-or-later
// The report as JSON lines for programs: a game, then its moves and a summary; at the end one line of totals.
// All scores are side 0's.
#include <inttypes.h>

#include "analysis/analysis.h"
#include "analysis/remarks.h"
#include "games/notation.h"
#include "session/phrases.h"

static void json_field(Text *out, const char *name, const char *value)
{
    text_add(out, ",\"%s\":", name);
    if (value)
        text_add_json(out, span_of(value));
    else
        text_add(out, "null");
}

static void json_score(Text *out, const char *name, int score, const Position *pos)
{
    int mate, winner;
    if (phrase_mate(score, pos, &mate))
        text_add(out, ",\"%s\":{\"mate\":%d}", name, mate);
    else if (phrase_rule_win(score, pos, &winner))
        text_add(out, ",\"%s\":{\"win\":\"%s\"}", name, phrase_side(winner));
    else
        text_add(out, ",\"%s\":{\"cp\":%d}", name, score_shown(score, pos) * (pos_side(pos) == 0 ? 1 : -1));
}

static void json_line(Text *out, const Position *pos, const PositionResult *result)
{
    Text human = {0};
    text_add(out, ",\"line\":[");
    line_print_from(pos, result->line, result->line_nb, (LineStyle){.is_json = true}, out);
    line_print_from(pos, result->line, result->line_nb, LINE_NUMBERED, &human);
    text_add(out, "]");
    json_field(out, "line_human", human.len ? human.ptr : "");
    text_add(out, ",\"depth\":%d,\"nodes\":%" PRIu64, result->depth, result->nodes);
    text_free(&human);
}

static void json_head(Text *out, const AnalysedGame *game)
{
    char start[TEXT_MAX];
    pos_print(&game->record.start, start);
    text_add(out, "{\"type\":\"%s\",\"game\":%d,\"at_line\":%d,\"moves\":%d",
             game->is_position ? "position" : "game", game->number, game->line, game->record.move_nb);
    json_field(out, "start", start);
    json_field(out, "result", game->record.result_word);
    json_field(out, "error", game->record.error.text[0] ? game->record.error.text : NULL);
    json_field(out, "comment", game->record.comment);
    text_add(out, ",\"tags\":{");
    for (int i = 0; i < game->record.tag_nb; i++) {
        text_add(out, i ? "," : "");
        text_add_json(out, span_of(game->record.tag[i].name));
        text_add(out, ":");
        text_add_json(out, span_of(game->record.tag[i].value));
    }
    text_add(out, "}");
}

static void json_move(const Analysis *analysis, const AnalysedGame *game, const Position *pos,
                      const Position *after, int ply, Text *out)
{
    const PositionResult *now = analysis_result(analysis, game, ply),
                         *next = analysis_result(analysis, game, ply + 1);
    const MoveVerdict *verdict = &game->verdict[ply];
    char text[TEXT_MAX], human[64];
    Text remark = {0};
    move_print(pos, game->record.move[ply].move, text);
    move_print_human(pos, game->record.move[ply].move, human);
    text_add(out, "{\"type\":\"move\",\"game\":%d,\"ply\":%d,\"side\":\"%s\"", game->number, ply + 1,
             phrase_side(pos_side(pos)));
    json_field(out, "move", text);
    json_field(out, "human", human);
    pos_print(pos, text);
    json_field(out, "position", text);
    json_score(out, "best_score", now->score, pos);
    json_score(out, "score", next->score, after);
    text_add(out, ",\"expected_before\":%d.%03d,\"expected_after\":%d.%03d,\"loss\":%d.%03d",
             verdict->before / 1000, verdict->before % 1000, verdict->after / 1000, verdict->after % 1000,
             verdict->loss / 1000, verdict->loss % 1000);
    json_field(out, "mark", mark_text(verdict->mark));
    json_line(out, pos, now);
    analysis_remark(analysis, game, pos, ply, &remark);
    json_field(out, "remark", remark.len ? remark.ptr : NULL);
    json_field(out, "comment", game->record.move[ply].comment);
    text_add(out, "}\n");
    text_free(&remark);
}

static void json_summary(const AnalysedGame *game, Text *out)
{
    text_add(out, "{\"type\":\"summary\",\"game\":%d,\"players\":[", game->number);
    for (int side = 0; side < SIDE_NB; side++) {
        const PlayerSummary *player = &game->player[side];
        text_add(out, "%s{\"side\":\"%s\"", side ? "," : "", phrase_side(side));
        json_field(out, "name", record_tag(&game->record, phrase_side(side)));
        text_add(out, ",\"moves\":%d,\"accuracy\":", player->move_nb);
        if (player->move_nb)
            text_add(out, "%.1f", player->accuracy);
        else
            text_add(out, "null");
        text_add(out, ",\"blunders\":%d,\"mistakes\":%d,\"dubious\":%d,\"good\":%d}",
                 player->mark_nb[MARK_BLUNDER], player->mark_nb[MARK_MISTAKE], player->mark_nb[MARK_DUBIOUS],
                 player->mark_nb[MARK_GOOD]);
    }
    text_add(out, "],\"turning_points\":[");
    for (int i = 0; i < game->turning_nb; i++)
        text_add(out, "%s%d", i ? "," : "", game->turning[i] + 1);
    text_add(out, "]}\n");
}

static void json_game(const Analysis *analysis, const AnalysedGame *game, Text *out)
{
    Position pos = game->record.start;
    json_head(out, game);
    if (game->is_position && !game->is_skipped) {
        const PositionResult *result = analysis_result(analysis, game, 0);
        json_score(out, "score", result->score, &pos);
        json_line(out, &pos, result);
        text_add(out, ",\"solved\":%s", !game->has_task ? "null" : game->is_solved ? "true" : "false");
        json_field(out, "task_error", game->task_error.text[0] ? game->task_error.text : NULL);
    }
    text_add(out, "}\n");
    if (game->is_position || game->is_skipped)
        return;
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        Position after = pos_after(&pos, game->record.move[ply].move);
        json_move(analysis, game, &pos, &after, ply, out);
        pos = after;
    }
    json_summary(game, out);
}

void report_json(const Analysis *analysis, Text *out)
{
    const AnalysisTotals totals = analysis_totals(analysis);
    for (int i = 0; i < analysis->game_nb && analysis_goes_on(analysis, i); i++)
        json_game(analysis, &analysis->game[i], out);
    text_add(out,
             "{\"type\":\"total\",\"game_name\":\"" GAME_NAME
             "\",\"games\":%d,\"positions\":%d,\"left_out\":%d,\"tasks\":%d,\"solved\":%d}\n",
             totals.game_nb, totals.position_nb, totals.left_out_nb, totals.task_nb, totals.solved_nb);
}
