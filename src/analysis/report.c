// SPDX-License-Identifier: GPL-3.0-or-later
// A study as text for the terminal, as JSON lines for programs, and as annotated games. All scores are side
// 0's. The HTML report is in html.c.
#include <inttypes.h>

#include "analysis/analysis.h"
#include "games/notation.h"
#include "session/course.h"
#include "session/phrases.h"

enum { LINE_SHOWN = 6 };

// ---- text ---------------------------------------------------------------------------------------
static void text_move(const Analysis *analysis, const AnalysedGame *game, const Position *pos,
                      const Position *after, int ply, Text *out)
{
    const PositionResult *now = analysis_finding(analysis, game, ply),
                         *next = analysis_finding(analysis, game, ply + 1);
    const MoveVerdict *judgement = &game->judgement[ply];
    char number[24], move[64], score[WORDS_MAX], marked[96];
    course_number(pos, number, sizeof number);
    move_print_human(pos, game->record.move[ply].move, move);
    words_score(next->score, after, score);
    snprintf(marked, sizeof marked, "%s%s%s", number, move, mark_text(judgement->mark));
    text_add(out, "  %-16s %7s  ", marked, score);
    if (judgement->mark != MARK_NONE) {
        analysis_remark(analysis, game, pos, ply, out);
    } else if (now->line_nb) {
        text_add(out, judgement->is_best ? "" : "or ");
        words_line(pos, now->line, now->line_nb, LINE_SHOWN, out);
    }
    text_add(out, "\n");
}

static void text_players(const AnalysedGame *game, Text *out)
{
    for (int side = 0; side < SIDE_NB; side++) {
        const PlayerSummary *player = &game->player[side];
        const char *name = record_tag(&game->record, words_side(side));
        if (player->move_nb)
            text_add(out, "  %-6s %5.1f%% accurate over %d move%s: %d ??, %d ?, %d ?!, %d !",
                     words_side(side), player->accuracy, player->move_nb, player->move_nb == 1 ? "" : "s",
                     player->mark_nb[MARK_BLUNDER], player->mark_nb[MARK_MISTAKE],
                     player->mark_nb[MARK_DUBIOUS], player->mark_nb[MARK_GOOD]);
        else
            text_add(out, "  %-6s no move", words_side(side));
        text_add(out, "%s%s\n", name ? "  " : "", name ? name : "");
    }
}

static void text_game(const Analysis *analysis, const AnalysedGame *game, Text *out)
{
    Text turning = {0};
    Position pos = game->record.start;
    int turning_at = 0;
    text_add(out, "Game %d: ", game->number);
    analysis_title(game, out);
    text_add(out, "\n");
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        Position after = pos;
        Undo undo;
        pos_make(&after, game->record.move[ply].move, &undo, NULL);
        size_t start = out->len;
        text_move(analysis, game, &pos, &after, ply, out);
        if (turning_at < game->turning_nb && game->turning[turning_at] == ply && !out->failed) {
            text_add_bytes(&turning, out->ptr + start, out->len - start);
            turning_at++;
        }
        pos = after;
    }
    if (game->record.error.text[0])
        text_add(out, "  (stopped: %s)\n", game->record.error.text);
    text_add(out, "\n");
    text_players(game, out);
    if (turning.len) {
        text_add(out, "\n  Turning points\n");
        text_add_bytes(out, turning.ptr, turning.len);
    }
    text_add(out, "\n");
    text_free(&turning);
}

static void text_position(const Analysis *analysis, const AnalysedGame *game, Text *out)
{
    const PositionResult *finding = analysis_finding(analysis, game, 0);
    const Position *pos = &game->record.start;
    const char *id = record_tag(&game->record, "id");
    char score[WORDS_MAX];
    words_score(finding->score, pos, score);
    text_add(out, "%5d  %-12s %-7s %7s  depth %2d  ", game->number, id ? id : "",
             game->task_error.text[0] ? "unclear"
             : !game->has_task        ? ""
             : game->is_solved        ? "solved"
                                      : "missed",
             score, finding->depth);
    if (finding->line_nb)
        words_line(pos, finding->line, finding->line_nb, LINE_SHOWN, out);
    else
        text_add(out, "the game is over");
    if (game->has_task && !game->is_solved) {
        text_add(out, "  (");
        analysis_task(game, out);
        text_add(out, ")");
    }
    if (game->task_error.text[0])
        text_add(out, "  (%s)", game->task_error.text);
    text_add(out, "\n");
}

typedef struct Totals {
    int game_nb, position_nb, left_out_nb; // what was analysed, and what could not be read
    int task_nb, solved_nb;
} Totals;

static Totals count_all(const Analysis *analysis)
{
    Totals totals = {0};
    for (int i = 0; i < analysis->game_nb; i++) {
        const AnalysedGame *game = &analysis->game[i];
        totals.left_out_nb += game->is_skipped;
        totals.position_nb += game->is_position && !game->is_skipped;
        totals.game_nb += !game->is_position && !game->is_skipped;
        totals.task_nb += game->has_task;
        totals.solved_nb += game->has_task && game->is_solved;
    }
    return totals;
}

void report_text(const Analysis *analysis, Text *out)
{
    const Totals totals = count_all(analysis);
    const size_t start = out->len;
    for (int i = 0; i < analysis->game_nb; i++) {
        const AnalysedGame *game = &analysis->game[i];
        if (game->is_skipped)
            text_add(out, "%s %d, line %d: left out: %s\n", game->is_position ? "Position" : "Game",
                     game->number, game->line, game->record.error.text);
        else if (game->is_position)
            text_position(analysis, game, out);
        else
            text_game(analysis, game, out);
    }
    if (totals.task_nb)
        text_add(out, "Solved %d of %d (%.1f%%).\n", totals.solved_nb, totals.task_nb,
                 100.0 * totals.solved_nb / totals.task_nb);
    if (out->len > start)
        words_disarm(out->ptr + start, out->len - start);
}

// ---- JSON lines ---------------------------------------------------------------------------------
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
    if (words_mate(score, pos, &mate))
        text_add(out, ",\"%s\":{\"mate\":%d}", name, mate);
    else if (words_rule_win(score, pos, &winner))
        text_add(out, ",\"%s\":{\"win\":\"%s\"}", name, words_side(winner));
    else
        text_add(out, ",\"%s\":{\"cp\":%d}", name, score_shown(score, pos) * (pos_side(pos) == 0 ? 1 : -1));
}

static void json_line(Text *out, const Position *pos, const PositionResult *finding)
{
    Position now = *pos;
    Text human = {0};
    text_add(out, ",\"line\":[");
    for (int i = 0; i < finding->line_nb; i++) {
        char text[MOVE_TEXT_MAX];
        if (!move_is_pseudo_legal(&now, finding->line[i]) || !move_is_legal(&now, finding->line[i]))
            break;
        move_print(&now, finding->line[i], text);
        text_add(out, "%s\"%s\"", i ? "," : "", text);
        Undo undo;
        pos_make(&now, finding->line[i], &undo, NULL);
    }
    words_line(pos, finding->line, finding->line_nb, finding->line_nb, &human);
    text_add(out, "]");
    json_field(out, "line_human", human.len ? human.ptr : "");
    text_add(out, ",\"depth\":%d,\"nodes\":%" PRIu64, finding->depth, finding->nodes);
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
    const PositionResult *now = analysis_finding(analysis, game, ply),
                         *next = analysis_finding(analysis, game, ply + 1);
    const MoveVerdict *judgement = &game->judgement[ply];
    char text[TEXT_MAX], human[64];
    Text remark = {0};
    move_print(pos, game->record.move[ply].move, text);
    move_print_human(pos, game->record.move[ply].move, human);
    text_add(out, "{\"type\":\"move\",\"game\":%d,\"ply\":%d,\"side\":\"%s\"", game->number, ply + 1,
             words_side(pos_side(pos)));
    json_field(out, "move", text);
    json_field(out, "human", human);
    pos_print(pos, text);
    json_field(out, "position", text);
    json_score(out, "best_score", now->score, pos);
    json_score(out, "score", next->score, after);
    text_add(out, ",\"expected_before\":%d.%03d,\"expected_after\":%d.%03d,\"loss\":%d.%03d",
             judgement->before / 1000, judgement->before % 1000, judgement->after / 1000,
             judgement->after % 1000, judgement->loss / 1000, judgement->loss % 1000);
    json_field(out, "mark", mark_text(judgement->mark));
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
        text_add(out, "%s{\"side\":\"%s\"", side ? "," : "", words_side(side));
        json_field(out, "name", record_tag(&game->record, words_side(side)));
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
        const PositionResult *finding = analysis_finding(analysis, game, 0);
        json_score(out, "score", finding->score, &pos);
        json_line(out, &pos, finding);
        text_add(out, ",\"solved\":%s", !game->has_task ? "null" : game->is_solved ? "true" : "false");
        json_field(out, "task_error", game->task_error.text[0] ? game->task_error.text : NULL);
    }
    text_add(out, "}\n");
    if (game->is_position || game->is_skipped)
        return;
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        Position after = pos;
        Undo undo;
        pos_make(&after, game->record.move[ply].move, &undo, NULL);
        json_move(analysis, game, &pos, &after, ply, out);
        pos = after;
    }
    json_summary(game, out);
}

void report_json(const Analysis *analysis, Text *out)
{
    const Totals totals = count_all(analysis);
    for (int i = 0; i < analysis->game_nb; i++)
        json_game(analysis, &analysis->game[i], out);
    text_add(out,
             "{\"type\":\"total\",\"game_name\":\"" GAME_NAME
             "\",\"games\":%d,\"positions\":%d,\"left_out\":%d,\"tasks\":%d,\"solved\":%d}\n",
             totals.game_nb, totals.position_nb, totals.left_out_nb, totals.task_nb, totals.solved_nb);
}

// ---- annotated games ----------------------------------------------------------------------------
// Scores in comments are written as PGN programs read them: pawns, or # and moves to mate. They have no sign
// for a win by another rule: that is said in words.
static void add_eval(Text *out, int score, const Position *pos)
{
    int mate, winner, shown = score_shown(score, pos) * (pos_side(pos) == 0 ? 1 : -1);
    text_add(out, out->len ? " " : "");
    if (words_rule_win(score, pos, &winner))
        text_add(out, "%s wins by rule.", words_side(winner));
    else if (words_mate(score, pos, &mate) && mate != 0)
        text_add(out, "[%%eval #%d]", mate);
    else
        text_add(out, "[%%eval %s%d.%02d]", shown < 0 ? "-" : "", (shown < 0 ? -shown : shown) / 100,
                 (shown < 0 ? -shown : shown) % 100);
}

static void comment_move(const Analysis *analysis, const AnalysedGame *game, const Position *pos,
                         const Position *after, int ply, Text *out)
{
    const PositionResult *next = analysis_finding(analysis, game, ply + 1);
    analysis_words(game->record.move[ply].comment, true,
                   out); // what we say now would contradict or repeat the rest
    int winner;
    if (next->line_nb || words_rule_win(next->score, after, &winner))
        add_eval(out, next->score, after);
    size_t len = out->len;
    Text remark = {0};
    analysis_remark(analysis, game, pos, ply, &remark);
    if (remark.len)
        text_add(out, "%s%s", len ? " " : "", remark.ptr);
    text_free(&remark);
}

// Why the moves stop here, and the file's word for the end, which stood behind moves that are not there.
static void comment_stop(const Record *record, Text *out)
{
    text_add(out, "%sThe game could not be read to its end: %s.", out->len ? " " : "", record->error.text);
    if (record->result_word[0] && strcmp(record->result_word, "*") != 0)
        text_add(out, " The file's result is %s.", record->result_word);
}

// A copy of the record with our comments and marks; false when there is no memory.
static bool annotate(const Analysis *analysis, const AnalysedGame *game, Record *record)
{
    Position pos = game->record.start;
    Text comment = {0};
    record->start = game->record.start;
    record->result = game->record.result;
    record->reason = game->record.reason;
    if (!game->record.error.text[0]) // the file's word for the end has its place behind the last move alone
        memcpy(record->result_word, game->record.result_word, sizeof record->result_word);
    bool ok = true;
    for (int i = 0; i < game->record.tag_nb; i++)
        ok = ok && record_add_tag(record, game->record.tag[i].name, game->record.tag[i].value);
    ok = ok && record_set_tag(record, "Annotator", "Twofold");
    if (ok && game->record.comment) {
        text_add(&comment, "%s", game->record.comment);
        record->comment = comment.ptr; // malloc'ed, and freed with the record from here
        comment = (Text){0};
    }
    for (int ply = 0; ok && ply < game->record.move_nb; ply++) {
        const RecordMove *move = &game->record.move[ply];
        Position after = pos;
        Undo undo;
        pos_make(&after, move->move, &undo, NULL);
        text_clear(&comment);
        comment_move(analysis, game, &pos, &after, ply, &comment);
        if (ply == game->record.move_nb - 1 && game->record.error.text[0])
            comment_stop(&game->record, &comment);
        ok = !comment.failed && record_add_move(record, move->move, comment.len ? comment.ptr : NULL);
        if (ok) {
            record->move[ply].mark = (u8)game->judgement[ply].mark;
            record->move[ply].time_ms = move->time_ms;
        }
        pos = after;
    }
    text_free(&comment);
    return ok;
}

// A position of a list becomes a game of its best line, with what was found as the comment before it.
static bool annotate_position(const Analysis *analysis, const AnalysedGame *game, Record *record)
{
    const PositionResult *finding = analysis_finding(analysis, game, 0);
    Position pos = game->record.start;
    Text comment = {0};
    bool ok = true;
    int winner;
    record->start = game->record.start;
    for (int i = 0; i < game->record.tag_nb; i++)
        ok = ok && record_add_tag(record, game->record.tag[i].name, game->record.tag[i].value);
    for (int i = 0; ok && i < finding->line_nb && move_is_pseudo_legal(&pos, finding->line[i]) &&
                    move_is_legal(&pos, finding->line[i]);
         i++) {
        Undo undo;
        pos_make(&pos, finding->line[i], &undo, NULL);
        ok = record_add_move(record, finding->line[i], NULL);
    }
    if (finding->line_nb || words_rule_win(finding->score, &game->record.start, &winner))
        add_eval(&comment, finding->score, &game->record.start);
    if (game->has_task)
        text_add(&comment, game->is_solved ? " Solved." : " Not solved.");
    record->comment = comment.ptr;
    return ok && !comment.failed;
}

bool report_annotated(const Analysis *analysis, const char *format, Text *out)
{
    bool ok = true;
    for (int i = 0; ok && i < analysis->game_nb; i++) {
        const AnalysedGame *game = &analysis->game[i];
        Record record = {0};
        if (game->is_skipped)
            continue;
        ok = (game->is_position ? annotate_position : annotate)(analysis, game, &record) &&
             record_write(&record, format, out);
        record_free(&record);
    }
    return ok;
}
