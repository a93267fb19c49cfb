// SPDX-License-Identifier: GPL-3.0-or-later
// What the reports say in words about a move or a game.
#include "analysis/remarks.h"

#include "games/notation.h"
#include "session/phrases.h"

enum { REMARK_LINE = 6 }; // moves of the better line

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

void analysis_remark(const Analysis *analysis, const AnalysedGame *game, const Position *pos, int ply,
                     Text *out)
{
    const MoveVerdict *verdict = &game->verdict[ply];
    const PositionResult *now = analysis_result(analysis, game, ply),
                         *next = analysis_result(analysis, game, ply + 1);
    if (verdict->mark == MARK_GOOD) {
        text_add(out, "The only good move.");
        return;
    }
    if (verdict->mark == MARK_NONE || now->line_nb == 0)
        return;
    bool had_mate = score_is_mate(now->score) && now->score > 0,
         gets_mated = score_is_mate(next->score) && next->score > 0;
    if (had_mate)
        text_add(out, "Misses mate in %d.", (score_mate_plies(now->score) + 1) / 2);
    else if (gets_mated)
        text_add(out, "Allows mate in %d.", (score_mate_plies(next->score) + 1) / 2);
    else
        text_add(out, "%s: %d%% of a win lost.", mark_word(verdict->mark), (verdict->loss + 5) / 10);
    text_add(out, " Better was ");
    line_print_from(pos, now->line, min_int(now->line_nb, REMARK_LINE), LINE_NUMBERED, out);
    text_add(out, ".");
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
        text_add(out, ", %s wins", phrase_side(winner));
    else if (record->result == RESULT_DRAW)
        text_add(out, ", drawn");
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
        text_add(out, game->is_position ? "Position %d" : "Unnamed", game->number);
    if (!game->is_position)
        add_result(&game->record, out);
}

void analysis_opening(const AnalysedGame *game, Text *out)
{
    Opening opening;
    if (record_opening(&game->record, &opening))
        opening_print(&opening, out);
}
