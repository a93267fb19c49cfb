// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a file of games and positions into memory. What cannot be read is kept with its error, so that
// every report can say what is missing and where.
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/comments.h"
#include "analysis/tasks.h"
#include "session/phrases.h"

static int count_lines(const char *from, const char *to)
{
    int nb = 0;
    for (const char *at = from; (at = memchr(at, '\n', (size_t)(to - at))) != NULL; at++)
        nb++;
    return nb;
}

// Where the next game starts, after white space: for line numbers.
static const char *text_start(Span rest)
{
    while (rest.len && (*rest.ptr == ' ' || (*rest.ptr >= '\t' && *rest.ptr <= '\r')))
        rest.ptr++, rest.len--;
    return rest.ptr;
}

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

bool analysis_load(Analysis *analysis, Span text, const Rules *rules, Message *message)
{
    Span rest = text;
    int capacity = 0, line = 1;
    const char *counted = text.ptr;
    if (span_trim(text).len == 0)
        return message_set(message, "the file is empty");
    if (memchr(text.ptr, '\0', text.len < 4096 ? text.len : 4096))
        return message_set(message, "the file is binary: expected games or positions as text");
    for (;;) {
        if (analysis->game_nb == capacity) {
            capacity = capacity ? 2 * capacity : 16;
            AnalysedGame *grown = realloc(analysis->game, (size_t)capacity * sizeof *grown);
            if (!grown)
                return message_set(message, "not enough memory for %d games", capacity);
            analysis->game = grown;
        }
        AnalysedGame *game = &analysis->game[analysis->game_nb];
        const char *start = text_start(rest);
        *game = (AnalysedGame){.number = analysis->game_nb + 1};
        if (!record_read(&rest, rules, &game->record)) {
            record_free(&game->record);
            break;
        }
        text_disarm(game->record.error.text, strlen(game->record.error.text), ' ');
        game->has_old_remarks = has_old_remarks(&game->record);
        game->is_skipped = game->record.move_nb == 0 && game->record.error.text[0];
        game->is_position = game->record.move_nb == 0 && !has_players(&game->record) &&
                            (!game->is_skipped || is_one_line(start, rest.ptr));
        // The line of a game is its first, of a position its last: there may be remarks before it.
        const char *place = game->is_position && rest.ptr > start ? rest.ptr - 1 : start;
        line += count_lines(counted, place);
        counted = place;
        game->line = line;
        if (game->is_position && !game->is_skipped)
            task_check(game);
        text_disarm(game->task_error.text, strlen(game->task_error.text), ' ');
        analysis->game_nb++;
    }
    if (analysis->game_nb == 0)
        return message_set(message, "there is no game and no position in the file");
    return true;
}

void analysis_free(Analysis *analysis)
{
    for (int i = 0; i < analysis->game_nb; i++) {
        record_free(&analysis->game[i].record);
        free(analysis->game[i].result_index);
        free(analysis->game[i].verdict);
    }
    free(analysis->game);
    free(analysis->result);
    *analysis = (Analysis){0};
}
