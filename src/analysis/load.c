// SPDX-License-Identifier: GPL-3.0-or-later
// Reading one game or position out of a text. What cannot be read is kept with its error, so that every
// report can say what is missing and where.
#include <stdlib.h>

#include "analysis/comments.h"
#include "analysis/load.h"
#include "analysis/tasks.h"
#include "session/phrases.h"

// A position of a list is one line, not counting lines of remarks. What could not be read and has more lines
// was meant as a game.
static bool is_one_line(const char *from, const char *to)
{
    Span rest = {from, (size_t)(to - from)}, line;
    int nb = 0;
    while (span_line(&rest, &line)) {
        line = span_trim(line);
        nb += line.len && line.ptr[0] != '#' && line.ptr[0] != '%';
    }
    return nb <= 1;
}

static bool has_players(const Record *record)
{
    return record_tag(record, phrase_side(0)) || record_tag(record, phrase_side(1));
}

// Games that earlier versions annotated: evaluations, or our name, and none of the marks that we put before
// remarks now (comments.h).
static bool has_old_remarks(const Record *record)
{
    const char *annotator = record_tag(record, "Annotator");
    bool is_annotated = annotator && strcmp(annotator, "Twofold") == 0;
    for (int i = -1; i < record->move_nb; i++) {
        const char *comment = i < 0 ? record->comment : record->move[i].comment;
        if (comment_is_marked(comment))
            return false;
        is_annotated |= comment && strstr(comment, "[%eval");
    }
    return is_annotated;
}

// The last castle of each king, and the move that finished it.
static void find_castles(AnalysedGame *game)
{
    Position pos = game->record.start;
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        Opening castle;
        pos = pos_after(&pos, game->record.move[ply].move);
        const int side = !pos_side(&pos); // the one that moved
        if (!castle_name(&pos, side, &castle) || strcmp(castle.name, game->castle[side].name) == 0)
            continue;
        game->castle[side] = castle;
        game->castle[side].ply = ply + 1;
    }
}

bool game_read(Span *rest, const Rules *rules, AnalysedGame *game)
{
    const char *start = rest->ptr;
    *game = (AnalysedGame){.is_of = {true, true}};
    if (!record_read(rest, rules, &game->record)) {
        game_drop(game);
        return false;
    }
    text_disarm(game->record.error.text, strlen(game->record.error.text), ' ');
    text_disarm(game->record.note.text, strlen(game->record.note.text), ' ');
    game->has_old_remarks = has_old_remarks(&game->record);
    game->is_skipped = game->record.move_nb == 0 && game->record.error.text[0];
    game->is_position = game->record.move_nb == 0 && !has_players(&game->record) &&
                        (!game->is_skipped || is_one_line(start, rest->ptr));
    if (game->is_skipped)
        text_add_bytes(&game->raw, start, (size_t)(rest->ptr - start));
    if (game->is_position && !game->is_skipped)
        task_check(game);
    text_disarm(game->task_error.text, strlen(game->task_error.text), ' ');
    if (!record_opening(&game->record, &game->opening))
        game->opening = (Opening){0};
    find_castles(game);
    return true;
}

void game_drop(AnalysedGame *game)
{
    record_free(&game->record);
    text_free(&game->raw);
    free(game->result_index);
    free(game->verdict);
    *game = (AnalysedGame){0};
}

void analysis_free(Analysis *analysis)
{
    for (int i = 0; i < analysis->game_nb; i++)
        game_drop(&analysis->game[i]);
    free(analysis->game);
    free(analysis->result);
    *analysis = (Analysis){0};
}
