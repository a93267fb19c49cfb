// SPDX-License-Identifier: GPL-3.0-or-later
// The report as text for the terminal. All scores are side 0's.
#include "analysis/analysis.h"
#include "analysis/remarks.h"
#include "analysis/tasks.h"
#include "base/language.h"
#include "games/notation.h"
#include "session/phrases.h"

enum { LINE_SHOWN = 6 };

// One of several lines, with its score before it.
static void text_other(const Position *pos, const OtherLine *other, int indent, Text *out)
{
    char score[PHRASE_MAX];
    phrase_score_words(other->score, pos, score);
    text_add(out, "%*s", indent + max_int(7 - span_width(span_of(score)), 0), "");
    text_add(out, "%s  ", score);
    line_print_from(pos, other->move, min_int(other->move_nb, LINE_SHOWN), LINE_SPOKEN, out);
    text_add(out, "\n");
}

static void text_move(const Analysis *analysis, const AnalysedGame *game, const Position *pos,
                      const Position *after, int ply, int line_nb, Text *out)
{
    const MoveVerdict *verdict = &game->verdict[ply];
    char number[24], move[64], score[PHRASE_MAX], marked[96];
    move_number_words(pos, number, sizeof number);
    move_print_words(pos, ply ? game->record.move[ply - 1].move : MOVE_NONE, game->record.move[ply].move,
                     language(), move);
    if (!verdict->is_judged) {
        text_add(out, "  %s%s\n", number, move);
        return;
    }
    const PositionResult *now = analysis_result(analysis, game, ply),
                         *next = analysis_result(analysis, game, ply + 1);
    phrase_score_words(next->score, after, score);
    snprintf(marked, sizeof marked, "%s%s%s", number, move, mark_text(verdict->mark));
    text_add(out, "  ");
    text_add_padded(out, marked, language() == LANGUAGE_JAPANESE ? 24 : 16);
    text_add(out, "%*s", 1 + max_int(7 - span_width(span_of(score)), 0), "");
    text_add(out, "%s  ", score);
    if (verdict->mark != MARK_NONE) {
        analysis_remark(analysis, game, pos, ply, REMARK_LINE, language(), out);
    } else if (now->line_nb) {
        text_add(out, "%s", verdict->is_best ? "" : said("or "));
        line_print_from(pos, now->line, min_int(now->line_nb, LINE_SHOWN), LINE_SPOKEN, out);
    }
    text_add(out, "\n");
    for (int i = 0; i < min_int(now->other_nb, line_nb - 1); i++)
        text_other(pos, &now->other[i], 29, out);
}

static void text_phases(const PlayerSummary *player, Text *out)
{
    bool is_first = true;
    for (int i = 0; i < PHASE_NB; i++) {
        const PhaseSummary *phase = &player->phase[i];
        if (!phase->move_nb || phase->move_nb == player->move_nb) // one phase alone is the whole game
            continue;
        text_add(out, said("%s%s %.1f%% (%.0f cp)"), is_first ? "         " : ", ",
                 said(phase_word((GamePhase)i)), phase->accuracy, phase->cp_loss);
        is_first = false;
    }
    text_add(out, is_first ? "" : "\n");
}

static void text_players(const AnalysedGame *game, Text *out)
{
    for (int side = 0; side < SIDE_NB; side++) {
        const PlayerSummary *player = &game->player[side];
        const char *name = record_tag(&game->record, phrase_side(side));
        text_add(out, "  ");
        text_add_padded(out, side_words(&game->record.start, side), 6);
        text_add(out, " ");
        if (player->move_nb)
            text_add(out,
                     said("%5.1f%% accurate over %d move%s: %.0f cp lost a move, %d ??, %d ?, %d ?!, %d !"),
                     player->accuracy, player->move_nb, player->move_nb == 1 ? "" : "s", player->cp_loss,
                     player->mark_nb[MARK_BLUNDER], player->mark_nb[MARK_MISTAKE],
                     player->mark_nb[MARK_DUBIOUS], player->mark_nb[MARK_GOOD]);
        else
            text_add(out, "%s", said("no move"));
        text_add(out, "%s%s\n", name ? "  " : "", name ? name : "");
        text_phases(player, out);
    }
}

static void text_opening(const AnalysedGame *game, Text *out)
{
    Text name = {0};
    analysis_opening(game, &name);
    if (name.len)
        text_add(out, said("  Opening: %s\n"), name.ptr);
    text_clear(&name);
    analysis_castles(game, &name);
    if (name.len)
        text_add(out, said("  Castles: %s\n"), name.ptr);
    text_free(&name);
}

static void text_game(const Analysis *analysis, const AnalysedGame *game, Text *out)
{
    Text turning = {0};
    Position pos = game->record.start;
    int turning_at = 0;
    text_add(out, said("Game %d: "), game->number);
    analysis_title(game, out);
    text_add(out, "\n");
    text_opening(game, out);
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        Position after = pos_after(&pos, game->record.move[ply].move);
        size_t start = out->len;
        text_move(analysis, game, &pos, &after, ply, analysis->line_nb, out);
        if (turning_at < game->turning_nb && game->turning[turning_at] == ply && !out->failed) {
            text_add_bytes(&turning, out->ptr + start, out->len - start);
            turning_at++;
        }
        pos = after;
    }
    if (game->record.error.text[0])
        text_add(out, said("  (stopped: %s)\n"), game->record.error.text);
    text_add(out, "\n");
    text_players(game, out);
    if (turning.len) {
        text_add(out, "%s", said("\n  Turning points\n"));
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
    phrase_score_words(result->score, pos, score);
    text_add(out, "%5d  %-12s ", game->number, id ? id : "");
    text_add_padded(out,
                    said(game->task_error.text[0] ? "unclear"
                         : !game->has_task        ? ""
                         : game->is_solved        ? "solved"
                                                  : "missed"),
                    7);
    text_add(out, "%*s%s  ", 1 + max_int(7 - span_width(span_of(score)), 0), "", score);
    text_add(out, said("depth %2d"), result->depth);
    text_add(out, "  ");
    if (result->line_nb)
        line_print_from(pos, result->line, min_int(result->line_nb, LINE_SHOWN), LINE_SPOKEN, out);
    else
        text_add(out, "%s", said("the game is over"));
    if (game->has_task && !game->is_solved) {
        text_add(out, "  (");
        task_print(game, out);
        text_add(out, ")");
    }
    if (game->task_error.text[0])
        text_add(out, "  (%s)", game->task_error.text);
    text_add(out, "\n");
    for (int i = 0; i < min_int(result->other_nb, analysis->line_nb - 1); i++)
        text_other(pos, &result->other[i], 27, out);
}

void report_text_games(const Analysis *analysis, Text *out)
{
    const size_t start = out->len;
    for (int i = 0; i < analysis->game_nb && analysis_goes_on(analysis, i); i++) {
        const AnalysedGame *game = &analysis->game[i];
        if (game->is_skipped)
            text_add(out, said("%s %d, line %d: left out: %s\n"),
                     said(game->is_position ? "Position" : "Game"), game->number, game->line,
                     game->record.error.text);
        else if (game->is_position)
            text_position(analysis, game, out);
        else
            text_game(analysis, game, out);
    }
    if (out->len > start)
        text_disarm(out->ptr + start, out->len - start, ' ');
}

void report_text_end(const AnalysisTotals *totals, Text *out)
{
    if (totals->task_nb)
        text_add(out, said("Solved %d of %d (%.1f%%).\n"), totals->solved_nb, totals->task_nb,
                 100.0 * totals->solved_nb / totals->task_nb);
}

void report_text(const Analysis *analysis, Text *out)
{
    AnalysisTotals totals = {0};
    analysis_totals(analysis, &totals);
    report_text_games(analysis, out);
    report_text_end(&totals, out);
}
