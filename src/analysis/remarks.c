// SPDX-License-Identifier: GPL-3.0-or-later
// What the reports say in words about a move, a game or a comment of the file, and the recognition of our own
// remarks in a file that was annotated before.
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

// ---- comments of the file -----------------------------------------------------------------------
static bool take(Span *rest, const char *prefix)
{
    if (!span_starts(*rest, prefix))
        return false;
    *rest = (Span){rest->ptr + strlen(prefix), rest->len - strlen(prefix)};
    return true;
}

// Takes what analysis_remark or the annotated games once said off the front.
static bool take_remark(Span *rest)
{
    Span at = *rest;
    if (take(rest, "The only good move."))
        return true;
    if ((take(&at, phrase_side(0)) || take(&at, phrase_side(1))) && take(&at, " wins by rule.")) {
        *rest = at;
        return true;
    }
    bool is_mate = take(&at, "Misses mate in ") || take(&at, "Allows mate in ");
    bool is_loss =
        !is_mate && (take(&at, "Blunder: ") || take(&at, "Mistake: ") || take(&at, "Dubious move: "));
    while (at.len && *at.ptr >= '0' && *at.ptr <= '9')
        at.ptr++, at.len--;
    if (!(is_mate && take(&at, ".")) && !(is_loss && take(&at, "% of a win lost.")))
        return false;
    if (!take(&at, " Better was "))
        return false;
    // The line ends with a word that has a full stop and is no number of a move.
    for (Span word = span_word(&at); word.len; word = span_word(&at)) {
        if (word.ptr[word.len - 1] != '.' || strspn(word.ptr, "0123456789.") >= word.len)
            continue;
        *rest = at;
        return true;
    }
    return false;
}

static bool take_command(Span *rest, bool only_eval)
{
    const char *close =
        span_starts(*rest, only_eval ? "[%eval" : "[%") ? memchr(rest->ptr, ']', rest->len) : NULL;
    if (close)
        *rest = (Span){close + 1, rest->len - (size_t)(close + 1 - rest->ptr)};
    return close != NULL;
}

static void add_part(Text *out, const char *from, const char *to)
{
    Span part = span_trim((Span){from, (size_t)(to - from)});
    if (part.len && out->len)
        text_add(out, " ");
    text_add_bytes(out, part.ptr, part.len);
}

void analysis_words(const char *comment, bool keep_commands, Text *out)
{
    Span rest = span_of(comment ? comment : "");
    const char *kept = rest.ptr; // from here on nothing is written yet
    while (rest.len) {
        const char *at = rest.ptr;
        if (take_command(&rest, keep_commands) || take_remark(&rest)) {
            add_part(out, kept, at);
            kept = rest.ptr;
        } else {
            rest.ptr++, rest.len--;
        }
    }
    add_part(out, kept, rest.ptr);
}

// ---- titles -------------------------------------------------------------------------------------
// A score such as 1-0 is everyone's. Other words for an end belong to a format of files: who won is said
// instead.
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
