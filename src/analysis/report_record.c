// SPDX-License-Identifier: GPL-3.0-or-later
// The games again, in a format of game files, with marks and comments. What people wrote in the file is kept;
// what an earlier run wrote is replaced.
#include "analysis/analysis.h"
#include "analysis/comments.h"
#include "analysis/remarks.h"
#include "session/phrases.h"

// Scores in comments are written as PGN programs read them: pawns, or # and moves to mate. There is no such
// notation for a win by another rule: that goes into our remark.
static void add_eval(const PositionResult *result, const Position *pos, Text *out, Text *own)
{
    int mate, winner, shown = score_shown(result->score, pos) * (pos_side(pos) == 0 ? 1 : -1);
    if (phrase_rule_win(result->score, pos, &winner)) {
        text_add(own, "%s wins by rule.", phrase_side(winner));
        return;
    }
    if (!result->line_nb) // the game is over here
        return;
    text_add(out, out->len ? " " : "");
    if (phrase_mate(result->score, pos, &mate) && mate != 0)
        text_add(out, "[%%eval #%d]", mate);
    else
        text_add(out, "[%%eval %s%d.%02d]", shown < 0 ? "-" : "", (shown < 0 ? -shown : shown) / 100,
                 (shown < 0 ? -shown : shown) % 100);
}

// Why the game ends here, and the file's result, which belongs to moves that could not be read. A later run
// cannot find this out again, so it is not marked as ours.
static void comment_stop(const Record *record, Text *out)
{
    text_add(out, "%sThe game could not be read to its end: %s.", out->len ? " " : "", record->error.text);
    if (record->result_word[0] && strcmp(record->result_word, "*") != 0)
        text_add(out, " The file's result is %s.", record->result_word);
}

// The words of the file, without evaluations and remarks of an earlier run; then ours.
static void comment_move(const Analysis *analysis, const AnalysedGame *game, const Position *pos,
                         const Position *after, int ply, Text *out)
{
    const Record *record = &game->record;
    Text own = {0};
    comment_strip(record->move[ply].comment,
                  COMMENT_EVALS | (game->has_old_remarks ? COMMENT_OLD_REMARKS : 0), out);
    if (ply == record->move_nb - 1 && record->error.text[0])
        comment_stop(record, out);
    add_eval(analysis_result(analysis, game, ply + 1), after, out, &own);
    const size_t len = own.len;
    Text remark = {0};
    analysis_remark(analysis, game, pos, ply, &remark);
    if (remark.len)
        text_add(&own, "%s%s", len ? " " : "", remark.ptr);
    comment_add_own(text_span(&own), out);
    out->failed |= own.failed || remark.failed;
    text_free(&own);
    text_free(&remark);
}

// A copy of the record with our comments and marks; false when there is no memory.
static bool annotate(const Analysis *analysis, const AnalysedGame *game, Record *record)
{
    Position pos = game->record.start;
    Text comment = {0};
    record->start = game->record.start;
    record->result = game->record.result;
    record->reason = game->record.reason;
    if (!game->record.error.text[0]) // the file's result belongs behind its last move
        memcpy(record->result_word, game->record.result_word, sizeof record->result_word);
    bool ok = true;
    for (int i = 0; i < game->record.tag_nb; i++)
        ok = ok && record_add_tag(record, game->record.tag[i].name, game->record.tag[i].value);
    ok = ok && record_set_tag(record, "Annotator", "Twofold");
    if (ok && game->record.comment) {
        if (comment_is_marked(game->record.comment))
            comment_strip(game->record.comment, 0, &comment);
        else
            text_add(&comment, "%s", game->record.comment);
        record->comment = comment.ptr; // malloc'ed, and freed with the record from here
        comment = (Text){0};
    }
    for (int ply = 0; ok && ply < game->record.move_nb; ply++) {
        const RecordMove *move = &game->record.move[ply];
        Position after = pos_after(&pos, move->move);
        text_clear(&comment);
        comment_move(analysis, game, &pos, &after, ply, &comment);
        ok = !comment.failed && record_add_move(record, move->move, comment.len ? comment.ptr : NULL);
        if (ok) {
            record->move[ply].mark = (u8)game->verdict[ply].mark;
            record->move[ply].time_ms = move->time_ms;
        }
        pos = after;
    }
    text_free(&comment);
    return ok;
}

// A position of a list is written as a game: the best line, with the result as the comment before it.
static bool annotate_position(const Analysis *analysis, const AnalysedGame *game, Record *record)
{
    const PositionResult *result = analysis_result(analysis, game, 0);
    Position pos = game->record.start;
    Text comment = {0}, own = {0};
    bool ok = true;
    record->start = game->record.start;
    for (int i = 0; i < game->record.tag_nb; i++)
        ok = ok && record_add_tag(record, game->record.tag[i].name, game->record.tag[i].value);
    for (int i = 0; ok && i < result->line_nb && move_is_pseudo_legal(&pos, result->line[i]) &&
                    move_is_legal(&pos, result->line[i]);
         i++) {
        pos = pos_after(&pos, result->line[i]);
        ok = record_add_move(record, result->line[i], NULL);
    }
    add_eval(result, &game->record.start, &comment, &own);
    if (game->has_task)
        text_add(&own, "%s%s", own.len ? " " : "", game->is_solved ? "Solved." : "Not solved.");
    comment_add_own(text_span(&own), &comment);
    record->comment = comment.ptr;
    ok = ok && !comment.failed && !own.failed;
    text_free(&own);
    return ok;
}

bool report_annotated(const Analysis *analysis, const char *format, Text *out)
{
    bool ok = true;
    const size_t start = out->len;
    for (int i = 0; ok && i < analysis->game_nb && analysis_goes_on(analysis, i); i++) {
        const AnalysedGame *game = &analysis->game[i];
        Record record = {0};
        if (game->is_skipped)
            continue;
        ok = (game->is_position ? annotate_position : annotate)(analysis, game, &record) &&
             record_write(&record, format, out);
        record_free(&record);
    }
    if (out->len > start)
        text_disarm(out->ptr + start, out->len - start, ' ');
    return ok;
}
