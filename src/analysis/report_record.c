// SPDX-License-Identifier: GPL-3.0-or-later
// The games again, in a format of game files, with marks and comments. What people wrote in the file is kept;
// what an earlier run wrote is replaced.
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/comments.h"
#include "analysis/remarks.h"
#include "base/checksum.h"
#include "session/phrases.h"

// Scores in comments are written as PGN programs read them: pawns, or # and moves to mate. There is no such
// notation for a win by another rule: that goes into our remark.
static void add_eval(const PositionResult *result, const Position *pos, Text *out, Text *own)
{
    int mate, winner, shown = score_shown(result->score, pos) * (pos_side(pos) == 0 ? 1 : -1);
    if (phrase_rule_win(result->score, pos, &winner)) {
        text_add(own, said_in(record_language(), "%s wins by rule."),
                 side_words_in(pos, winner, record_language()));
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
    record_add_search(pos, result->depth, result->line, result->line_nb, out);
}

// Why the game ends here, and the file's result, which belongs to moves that could not be read. A later run
// cannot find this out again, so it is not marked as ours. What was wrong is told in the language that is
// spoken, which a file in another one leaves out.
static void comment_stop(const Record *record, Text *out)
{
    const Language in = record_language();
    text_add(out, "%s", out->len ? " " : "");
    text_add(out, said_in(in, "The game could not be read to its end: %s."), record->error.text);
    if (record->result_word[0] && strcmp(record->result_word, "*") != 0)
        text_add(out, said_in(in, " The file's result is %s."), record->result_word);
}

// ---- variations ---------------------------------------------------------------------------------
enum { VARIATION_MAX = 10 };

// The word of a mark that tells a variation of ours by its moves: whoever adds to it or changes it makes it
// his.
static void line_mark(const Record *record, int line, char word[32])
{
    int move_nb;
    const RecordMove *moves = record_line_moves(record, line, &move_nb);
    Position pos = record_line_position(record, record->line[line].parent, record->line[line].ply);
    u64 sum = 0;
    for (int i = 0; i < move_nb; i++) {
        char text[MOVE_TEXT_MAX];
        move_print(&pos, moves[i].move, text);
        sum = checksum_add(sum, text, strlen(text));
        pos = pos_after(&pos, moves[i].move);
    }
    snprintf(word, 32, "line,%06x", (unsigned)(hash_mix(sum) >> 40));
}

// Has an earlier run added the variation, and nobody touched it since?
static bool is_own_line(const Record *record, int line)
{
    int move_nb;
    const RecordMove *moves = record_line_moves(record, line, &move_nb);
    char word[32];
    Text left = {0};
    if (!move_nb || record->line[line].comment || record->line[line].ending ||
        !comment_is_marked(moves[move_nb - 1].comment))
        return false;
    for (int i = 0; i < move_nb; i++)
        if (moves[i].mark || moves[i].glyph[0] || moves[i].line || (i + 1 < move_nb && moves[i].comment))
            return false;
    line_mark(record, line, word);
    comment_strip(moves[move_nb - 1].comment, COMMENT_EVALS, &left);
    bool is_own = !record->line[line].tail && !left.len && comment_has_mark(moves[move_nb - 1].comment, word);
    text_free(&left);
    return is_own;
}

static bool remove_own_lines(Record *record)
{
    bool *is_out = calloc((size_t)record->line_nb + 1, sizeof *is_out);
    if (!is_out)
        return false;
    for (int i = 0; i < record->line_nb; i++)
        is_out[i] = is_own_line(record, i);
    bool ok = record_remove_lines(record, is_out);
    free(is_out);
    return ok;
}

// Is the line the beginning of a variation that is there?
static bool has_line(const Record *record, int ply, const Move *moves, int nb)
{
    for (int i = record_first_line(record, RECORD_MAIN, ply); i >= 0; i = record->line[i].next - 1) {
        int same = 0;
        while (same < nb && same < record->line[i].move_nb && record->line[i].move[same].move == moves[same])
            same++;
        if (same == nb)
            return true;
    }
    return false;
}

// Adds a better line in the place of a move, with the evaluation and our mark behind its last move.
static bool add_variation(Record *record, int ply, const Position *start, const Move *moves, int nb,
                          int score)
{
    Position pos = *start;
    int legal = 0;
    for (; legal < min_int(nb, VARIATION_MAX); legal++) {
        if (!move_is_pseudo_legal(&pos, moves[legal]) || !move_is_legal(&pos, moves[legal]))
            break;
        pos = pos_after(&pos, moves[legal]);
    }
    if (!legal || has_line(record, ply, moves, legal))
        return true;
    int line = record_add_line(record, RECORD_MAIN, ply);
    bool ok = line >= 0;
    for (int i = 0; ok && i < legal; i++)
        ok = record_add_line_move(record, line, moves[i], NULL);
    if (!ok)
        return false;
    char word[32];
    Text comment = {0}, own = {0};
    line_mark(record, line, word);
    comment_add_mark(word, &comment);
    add_eval(&(PositionResult){.score = score, .line_nb = 1}, start, &comment, &own);
    text_free(&own);
    record_last_move(record, line)->comment = comment.ptr; // malloc'ed, and freed with the record from here
    return !comment.failed;
}

// The better lines in the place of a move that has a mark: as many as were asked for.
static bool add_variations(const Analysis *analysis, const AnalysedGame *game, const Position *pos, int ply,
                           Record *record)
{
    const MoveVerdict *verdict = &game->verdict[ply];
    if (verdict->mark == MARK_NONE || verdict->mark == MARK_GOOD)
        return true;
    const PositionResult *now = analysis_result(analysis, game, ply);
    bool ok = add_variation(record, ply, pos, now->line, now->line_nb, now->score);
    for (int i = 0; ok && i < min_int(now->other_nb, analysis->line_nb - 1); i++)
        if (now->other[i].move[0] != game->record.move[ply].move)
            ok = add_variation(record, ply, pos, now->other[i].move, now->other[i].move_nb,
                               now->other[i].score);
    return ok;
}

// ---- moves --------------------------------------------------------------------------------------
// Takes the glyph back that an earlier run has given.
static void remove_own_glyph(RecordMove *move, bool has_old_remarks)
{
    static const int MARKS[] = {MARK_GOOD, MARK_MISTAKE, MARK_BLUNDER, MARK_DUBIOUS};
    const int own = comment_own_glyph(move->comment);
    Text with = {0}, without = {0};
    comment_strip(move->comment, 0, &with);
    comment_strip(move->comment, COMMENT_OLD_REMARKS, &without);
    const bool is_old = own == -2 || (has_old_remarks && with.len != without.len);
    if (own > 0)
        record_remove_glyph(move, own);
    for (int i = 0; i < 4 && is_old; i++)
        record_remove_glyph(move, MARKS[i]);
    text_free(&with);
    text_free(&without);
}

// How the comments of a game are made.
typedef struct Pen {
    const Analysis *analysis;
    const AnalysedGame *game;
    int left_out; // of the file's comments
} Pen;

// The words of the file, without what an earlier run wrote; then ours. Sets the move's glyph, unless somebody
// has given one.
static bool annotate_move(const Pen *pen, const Position *pos, const Position *after, int ply,
                          RecordMove *move)
{
    const Record *file = &pen->game->record;
    const MoveVerdict *verdict = &pen->game->verdict[ply];
    Text comment = {0}, own = {0}, remark = {0};
    remove_own_glyph(move, pen->game->has_old_remarks);
    // One evaluation is enough: that of a move that is judged gives way to ours.
    comment_strip(file->move[ply].comment, pen->left_out | (verdict->is_judged ? COMMENT_EVALS : 0),
                  &comment);
    if (ply == file->move_nb - 1 && file->error.text[0])
        comment_stop(file, &comment);
    if (verdict->is_judged)
        add_eval(analysis_result(pen->analysis, pen->game, ply + 1), after, &comment, &own);
    analysis_remark(pen->analysis, pen->game, pos, ply, 1, record_language(), &remark);
    if (remark.len)
        text_add(&own, "%s%s", own.len ? " " : "", remark.ptr);
    const int glyph = move->mark ? 0 : (int)verdict->mark;
    if (glyph)
        record_add_glyph(move, glyph);
    comment_add_own(text_span(&own), glyph, &comment);
    bool ok = !comment.failed && !own.failed && !remark.failed;
    free(move->comment);
    move->comment = comment.len ? comment.ptr : NULL; // malloc'ed, and freed with the record from here
    if (!comment.len)
        text_free(&comment);
    text_free(&own);
    text_free(&remark);
    return ok;
}

// A copy of the record with our comments, marks and variations; false when there is no memory.
static bool annotate(const Analysis *analysis, const AnalysedGame *game, Record *record)
{
    const int old = game->has_old_remarks ? COMMENT_OLD_REMARKS : 0;
    const Pen pen = {.analysis = analysis, .game = game, .left_out = old};
    Position pos = game->record.start;
    Text comment = {0};
    bool ok = record_copy(record, &game->record) && remove_own_lines(record);
    if (record->error.text[0]) // the file's result belongs behind its last move
        record->result_word[0] = '\0';
    if (ok && !record_tag(record, "Annotator"))
        ok = record_set_tag(record, "Annotator", "Twofold");
    if (ok && comment_is_marked(record->comment)) {
        comment_strip(game->record.comment, 0, &comment);
        free(record->comment);
        record->comment = comment.ptr; // malloc'ed, and freed with the record from here
        ok = !comment.failed;
    }
    for (int ply = 0; ok && ply < record->move_nb; ply++) {
        Position after = pos_after(&pos, record->move[ply].move);
        ok = annotate_move(&pen, &pos, &after, ply, &record->move[ply]) &&
             add_variations(analysis, game, &pos, ply, record);
        pos = after;
    }
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
        text_add(&own, "%s%s", own.len ? " " : "",
                 said_in(record_language(), game->is_solved ? "Solved." : "Not solved."));
    comment_add_own(text_span(&own), 0, &comment);
    record->comment = comment.ptr;
    ok = ok && !comment.failed && !own.failed;
    for (int i = 0; ok && i < min_int(result->other_nb, analysis->line_nb - 1) && record->move_nb; i++)
        ok = add_variation(record, 0, &game->record.start, result->other[i].move, result->other[i].move_nb,
                           result->other[i].score);
    text_free(&own);
    return ok;
}

// What could not be read is handed on as it is, where that does no harm.
static void keep_unread(const AnalysedGame *game, const char *format, Text *out)
{
    const char *usual = record_format_at(0)->name;
    const Span raw = span_trim(text_span(&game->raw));
    const bool is_same = game->record.format && strcmp(game->record.format, format ? format : usual) == 0;
    if (!raw.len || game->is_position || !is_same || !span_is_utf8(raw))
        return;
    text_add_bytes(out, raw.ptr, raw.len);
    text_add(out, "\n\n");
}

bool report_annotated(const Analysis *analysis, const char *format, Text *out)
{
    bool ok = true;
    const size_t start = out->len;
    for (int i = 0; ok && i < analysis->game_nb && analysis_goes_on(analysis, i); i++) {
        const AnalysedGame *game = &analysis->game[i];
        Record record = {0};
        if (game->is_skipped) {
            keep_unread(game, format, out);
            continue;
        }
        ok = (game->is_position ? annotate_position : annotate)(analysis, game, &record) &&
             record_write(&record, format, out);
        record_free(&record);
    }
    if (out->len > start)
        text_disarm(out->ptr + start, out->len - start, ' ');
    return ok;
}

bool report_is_annotated(const char *path) { return record_style_of(path).format != NULL; }
