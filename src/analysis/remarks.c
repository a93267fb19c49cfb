// SPDX-License-Identifier: GPL-3.0-or-later
// What the reports say in words about a move or a game.
#include "analysis/remarks.h"

#include "base/language.h"
#include "games/notation.h"
#include "session/phrases.h"

// ---- marks and remarks --------------------------------------------------------------------------
const char *mark_text(Mark mark)
{
    static const char *const TEXTS[MARK_NB] = {"", "!", "?", "", "??", "", "?!"};
    return TEXTS[mark];
}

const char *mark_word(Mark mark)
{
    static const char *const WORDS[MARK_NB] = {"", "Good move", "Mistake", "", "Blunder", "", "Dubious move"};
    return WORDS[mark];
}

LineStyle line_style_of(Language in)
{
    LineStyle style = LINE_NUMBERED;
    style.is_japanese = in == LANGUAGE_JAPANESE;
    return style;
}

const char *phase_word(GamePhase phase)
{
    static const char *const WORDS[PHASE_NB] = {"opening", "middlegame", "endgame"};
    return WORDS[phase];
}

void analysis_remark(const Analysis *analysis, const AnalysedGame *game, const Position *pos, int ply,
                     int line_max, Language in, Text *out)
{
    const MoveVerdict *verdict = &game->verdict[ply];
    if (!verdict->is_judged || verdict->mark == MARK_NONE)
        return;
    const PositionResult *now = analysis_result(analysis, game, ply),
                         *next = analysis_result(analysis, game, ply + 1);
    if (verdict->mark == MARK_GOOD) {
        text_add(out, "%s", said_in(in, "The only good move."));
        return;
    }
    if (now->line_nb == 0)
        return;
    if (score_is_mate(now->score) && now->score > 0)
        text_add(out, said_in(in, "Misses mate in %d."),
                 phrase_mate_length(score_mate_plies(now->score), in));
    else if (score_is_mate(next->score) && next->score > 0)
        text_add(out, said_in(in, "Allows mate in %d."),
                 phrase_mate_length(score_mate_plies(next->score), in));
    else
        text_add(out, said_in(in, "%s: %d%% of a win lost."), said_in(in, mark_word(verdict->mark)),
                 (verdict->loss + 5) / 10);
    Text line = {0};
    line_print_from(pos, now->line, min_int(now->line_nb, line_max), line_style_of(in), &line);
    if (line.len)
        text_add(out, said_in(in, " Better was %s."), line.ptr);
    out->failed |= line.failed;
    text_free(&line);
}

// ---- titles -------------------------------------------------------------------------------------
// A score such as 1-0 is understood everywhere. Other words for a result belong to one format of files: then
// the winner is named instead.
static void add_result(const Record *record, Text *out)
{
    const bool is_score = record->result_word[0] && strchr("01*", record->result_word[0]);
    const int winner = result_winner(record->result);
    if (is_score)
        text_add(out, ", %s", record->result_word);
    else if (winner >= 0)
        text_add(out, said(", %s wins"), side_words(&record->start, winner));
    else if (record->result == RESULT_DRAW)
        text_add(out, "%s", said(", drawn"));
}

void analysis_title(const AnalysedGame *game, Text *out)
{
    const char *first = record_tag(&game->record, phrase_side(0)),
               *second = record_tag(&game->record, phrase_side(1));
    const char *id = record_tag(&game->record, "id"), *event = record_tag(&game->record, "Event");
    if (first || second)
        text_add(out, "%s - %s", first ? first : "?", second ? second : "?");
    else if (id)
        text_add(out, "%s", id);
    else if (event)
        text_add(out, "%s", event);
    else
        text_add(out, said(game->is_position ? "Position %d" : "Unnamed"), game->number);
    if (!game->is_position)
        add_result(&game->record, out);
}

void analysis_opening(const AnalysedGame *game, Text *out)
{
    if (game->opening.ply)
        opening_print(&game->opening, out);
}

void analysis_castles(const AnalysedGame *game, Text *out)
{
    const size_t start = out->len;
    for (int side = 0; side < SIDE_NB; side++) {
        if (!game->castle[side].ply)
            continue;
        text_add(out, "%s%s ", out->len > start ? said("; ") : "", side_words(&game->record.start, side));
        opening_print(&game->castle[side], out);
    }
}
