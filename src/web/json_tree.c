// SPDX-License-Identifier: GPL-3.0-or-later
// See json_tree.h. What a request gives is checked before it is put into the record: lines, places, moves.
#include "web/json_tree.h"

#include <stdlib.h>

#include "games/words.h"

enum { SHOWN = 64, NAG_MAX = 255 };
static const i64 TIME_MAX_MS = 100LL * 24 * 3600 * 1000;

static RecordMove *moves_of(Record *record, int line, int *nb)
{
    record_line_moves(record, line, nb);
    return line == RECORD_MAIN ? record->move : record->line[line].move;
}

// A text of the request in memory of its own. NULL, the request having been refused, when it is none.
static char *copy_text(Request *request, const JsonValue *text, const char *what)
{
    if (text->type != JSON_STRING || memchr(text->text.ptr, '\0', text->text.len)) {
        request_fail(request, "bad_value", "%s: expected a text or null", what);
        return NULL;
    }
    char *copy = malloc(text->text.len + 1);
    if (!copy) {
        request_fail(request, "failed", "no memory for the comments");
        return NULL;
    }
    return memcpy(copy, text->text.ptr, text->text.len + 1);
}

static bool take_comments(Request *request, const JsonValue *comments, RecordMove *move, int nb)
{
    if (comments && comments->type != JSON_NULL && (comments->type != JSON_ARRAY || comments->nb > nb))
        return request_fail(request, "bad_value",
                            "comments: expected an array with a text or null for each move");
    for (const JsonValue *comment = json_first(&request->json, comments); comment;
         comment = json_next(&request->json, comment), move++) {
        if (comment->type == JSON_NULL || (comment->type == JSON_STRING && !comment->text.len))
            continue;
        char *copy = copy_text(request, comment, "comments");
        if (!copy)
            return false;
        free(move->comment);
        move->comment = copy;
    }
    return true;
}

// The glyphs of one move, as PGN numbers them: the first of "!", "?" and their like becomes its mark.
static bool take_glyphs(Request *request, const JsonValue *list, RecordMove *move)
{
    i64 glyph;
    if (list->type != JSON_NULL && list->type != JSON_ARRAY)
        return request_fail(request, "bad_value", "nags: expected an array or null for each move");
    for (const JsonValue *one = json_first(&request->json, list); one; one = json_next(&request->json, one)) {
        if (!json_int(one, 1, NAG_MAX, &glyph))
            return request_fail(request, "bad_value", "nags: expected whole numbers from 1 to %d", NAG_MAX);
        if (glyph <= 6 && !move->mark)
            move->mark = (u8)glyph;
        else if (!record_add_glyph(move, (int)glyph))
            return request_fail(request, "bad_value", "nags: more than %d at one move", RECORD_GLYPH_MAX);
    }
    return true;
}

static bool take_nags(Request *request, const JsonValue *nags, RecordMove *move, int nb)
{
    if (nags && nags->type != JSON_NULL && (nags->type != JSON_ARRAY || nags->nb > nb))
        return request_fail(request, "bad_value",
                            "nags: expected an array with a list or null for each move");
    for (const JsonValue *list = json_first(&request->json, nags); list;
         list = json_next(&request->json, list), move++)
        if (!take_glyphs(request, list, move))
            return false;
    return true;
}

// Milliseconds of each move: what it took, or what the clock showed after it.
static bool take_times(Request *request, const JsonValue *from, const char *name, bool are_clocks,
                       RecordMove *move, int nb)
{
    const JsonValue *times = json_member(&request->json, from, name);
    bool ok = !times || times->type == JSON_NULL || (times->type == JSON_ARRAY && times->nb <= nb);
    for (const JsonValue *time = ok ? json_first(&request->json, times) : NULL; ok && time;
         time = json_next(&request->json, time), move++) {
        i64 ms = 0;
        ok = time->type == JSON_NULL || json_int(time, 0, TIME_MAX_MS, &ms);
        *(are_clocks ? &move->clock_ms : &move->time_ms) = ms;
    }
    return ok || request_fail(request, "bad_value",
                              "%s: expected an array with milliseconds or null for each move", name);
}

static bool take_first_comment(Request *request, const JsonValue *from, char **out)
{
    const JsonValue *comment = json_member(&request->json, from, "comment");
    if (!comment || comment->type == JSON_NULL || (comment->type == JSON_STRING && !comment->text.len))
        return true;
    char *copy = copy_text(request, comment, "comment");
    if (!copy)
        return false;
    free(*out);
    *out = copy;
    return true;
}

bool take_remarks(Request *request, const JsonValue *from, Record *record, int line)
{
    const Json *json = &request->json;
    int nb;
    RecordMove *move = moves_of(record, line, &nb);
    return take_first_comment(request, from,
                              line == RECORD_MAIN ? &record->comment : record_line_comment(record, line)) &&
           take_comments(request, json_member(json, from, "comments"), move, nb) &&
           take_nags(request, json_member(json, from, "nags"), move, nb) &&
           take_times(request, from, "times_ms", false, move, nb) &&
           take_times(request, from, "clocks_ms", true, move, nb);
}

static bool take_moves(Request *request, const JsonValue *moves, Record *record, int line)
{
    Position pos = record_line_position(record, line, 0);
    if (!moves || moves->type != JSON_ARRAY || !moves->nb)
        return request_fail(request, "bad_value", "variations: variation %d has no moves", line + 1);
    for (const JsonValue *word = json_first(&request->json, moves); word;
         word = json_next(&request->json, word)) {
        Move move = word->type == JSON_STRING ? move_parse(&pos, word->text) : MOVE_NONE;
        if (word->type == JSON_STRING && words_is_pass(word->text) && !pos_in_check(&pos))
            move = MOVE_NULL;
        if (move == MOVE_NONE)
            return request_fail(request, "illegal", "variations: '%.*s', in variation %d, is not legal there",
                                (int)min_i64((i64)word->text.len, SHOWN), word->text.ptr, line + 1);
        if (!record_add_line_move(record, line, move, NULL))
            return request_fail(request, "failed", "no memory for the variations");
        pos = pos_after(&pos, move);
    }
    return true;
}

static bool take_variation(Request *request, const JsonValue *from, Record *record)
{
    static const char *const MEMBERS[] = {"line", "ply",      "comment",   "moves", "comments",
                                          "nags", "times_ms", "clocks_ms", NULL};
    const Json *json = &request->json;
    i64 line = 0, ply = 1;
    int nb;
    if (from->type != JSON_OBJECT)
        return request_fail(request, "bad_value", "variations: expected an object, not %s",
                            json_type_name(from->type));
    if (!request_check_members(request, from, MEMBERS) ||
        !request_int_of(request, from, "line", 0, record->line_nb, &line))
        return false;
    record_line_moves(record, (int)line - 1, &nb);
    if (!request_int_of(request, from, "ply", 1, nb + 1, &ply))
        return false;
    int index = record_add_line(record, (int)line - 1, (int)ply - 1);
    if (index < 0)
        return request_fail(request, "bad_value", "variations: variation %d stands too deep",
                            record->line_nb + 1);
    return take_moves(request, json_member(json, from, "moves"), record, index) &&
           take_remarks(request, from, record, index);
}

bool take_variations(Request *request, Record *record)
{
    const JsonValue *all = request_field(request, "variations");
    if (all && all->type != JSON_ARRAY)
        return request_fail(request, "bad_value", "variations: expected an array, not %s",
                            json_type_name(all->type));
    for (const JsonValue *one = json_first(&request->json, all); one; one = json_next(&request->json, one))
        if (!take_variation(request, one, record))
            return false;
    return true;
}
