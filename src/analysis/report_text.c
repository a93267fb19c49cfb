// SPDX-License-Identifier: GPL-3.0-or-later
// The report as text for the terminal. All scores are side 0's.
#include "analysis/analysis.h"
#include "analysis/remarks.h"
#include "analysis/tasks.h"
#include "games/notation.h"
#include "session/phrases.h"

enum { LINE_SHOWN = 6 };

static void text_move(const Analysis *analysis, const AnalysedGame *game, const Position *pos,
                      const Position *after, int ply, Text *out)
{
    const PositionResult *now = analysis_result(analysis, game, ply),
                         *next = analysis_result(analysis, game, ply + 1);
    const MoveVerdict *verdict = &game->verdict[ply];
    char number[24], move[64], score[PHRASE_MAX], marked[96];
    move_number_print(pos, number, sizeof number);
    move_print_human(pos, game->record.move[ply].move, move);
    phrase_score(next->score, after, score);
    snprintf(marked, sizeof marked, "%s%s%s", number, move, mark_text(verdict->mark));
    text_add(out, "  %-16s %7s  ", marked, score);
    if (verdict->mark != MARK_NONE) {
        analysis_remark(analysis, game, pos, ply, out);
    } else if (now->line_nb) {
        text_add(out, verdict->is_best ? "" : "or ");
        line_print_from(pos, now->line, min_int(now->line_nb, LINE_SHOWN), LINE_NUMBERED, out);
    }
    text_add(out, "\n");
}

static void text_players(const AnalysedGame *game, Text *out)
{
    for (int side = 0; side < SIDE_NB; side++) {
        const PlayerSummary *player = &game->player[side];
        const char *name = record_tag(&game->record, phrase_side(side));
        if (player->move_nb)
            text_add(out, "  %-6s %5.1f%% accurate over %d move%s: %d ??, %d ?, %d ?!, %d !",
                     phrase_side(side), player->accuracy, player->move_nb, player->move_nb == 1 ? "" : "s",
                     player->mark_nb[MARK_BLUNDER], player->mark_nb[MARK_MISTAKE],
                     player->mark_nb[MARK_DUBIOUS], player->mark_nb[MARK_GOOD]);
        else
            text_add(out, "  %-6s no move", phrase_side(side));
        text_add(out, "%s%s\n", name ? "  " : "", name ? name : "");
    }
}

static void text_opening(const AnalysedGame *game, Text *out)
{
    Text name = {0};
    analysis_opening(game, &name);
    if (name.len)
        text_add(out, "  Opening: %s\n", name.ptr);
    text_free(&name);
}

static void text_game(const Analysis *analysis, const AnalysedGame *game, Text *out)
{
    Text turning = {0};
    Position pos = game->record.start;
    int turning_at = 0;
    text_add(out, "Game %d: ", game->number);
    analysis_title(game, out);
    text_add(out, "\n");
    text_opening(game, out);
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        Position after = pos_after(&pos, game->record.move[ply].move);
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
    const PositionResult *result = analysis_result(analysis, game, 0);
    const Position *pos = &game->record.start;
    const char *id = record_tag(&game->record, "id");
    char score[PHRASE_MAX];
    phrase_score(result->score, pos, score);
    text_add(out, "%5d  %-12s %-7s %7s  depth %2d  ", game->number, id ? id : "",
             game->task_error.text[0] ? "unclear"
             : !game->has_task        ? ""
             : game->is_solved        ? "solved"
                                      : "missed",
             score, result->depth);
    if (result->line_nb)
        line_print_from(pos, result->line, min_int(result->line_nb, LINE_SHOWN), LINE_NUMBERED, out);
    else
        text_add(out, "the game is over");
    if (game->has_task && !game->is_solved) {
        text_add(out, "  (");
        task_print(game, out);
        text_add(out, ")");
    }
    if (game->task_error.text[0])
        text_add(out, "  (%s)", game->task_error.text);
    text_add(out, "\n");
}

void report_text(const Analysis *analysis, Text *out)
{
    const AnalysisTotals totals = analysis_totals(analysis);
    const size_t start = out->len;
    for (int i = 0; i < analysis->game_nb && analysis_goes_on(analysis, i); i++) {
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
        text_disarm(out->ptr + start, out->len - start, ' ');
}
