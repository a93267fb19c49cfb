// SPDX-License-Identifier: GPL-3.0-or-later
// See json_record.h.
#include "web/json_record.h"

#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/base64.h"
#include "games/notation.h"
#include "web/json_tree.h"

// ---- names --------------------------------------------------------------------------------------
void put_starts(JsonWriter *json)
{
    const StartName *start;
    json_open_array(json, "starts");
    for (int i = 0; (start = start_name_at(i)) != NULL; i++) {
        Rules rules = rules_default();
        char text[TEXT_MAX];
        json_open_object(json, NULL);
        json_put_text(json, "key", start->key);
        json_put_text(json, "name", start->name);
        if (start->name_ja)
            json_put_text(json, "name_ja", start->name_ja);
        if (start->number_nb) // its key goes on with one of so many numbers, from 0
            json_put_int(json, "numbers", start->number_nb);
        else if (start_by_name(span_of(start->key), &rules, text, NULL))
            json_put_text(json, "fen", text);
        json_close_object(json);
    }
    json_close_array(json);
}

static void put_format_names(JsonWriter *json, const char *name, bool are_read)
{
    const RecordFormat *format;
    json_open_array(json, name);
    for (int i = 0; (format = record_format_at(i)) != NULL; i++)
        if (are_read ? format->is_read : format->is_written)
            json_put_text(json, NULL, format->name);
    json_close_array(json);
}

void put_formats(JsonWriter *json)
{
    json_open_object(json, "formats");
    put_format_names(json, "read", true);
    put_format_names(json, "write", false);
    json_close_object(json);
}

// The names of an opening or a castle.
static void put_names(JsonWriter *json, const Opening *named)
{
    json_put_text(json, "name", named->name);
    if (named->name_ja[0])
        json_put_text(json, "name_ja", named->name_ja);
}

void put_opening(JsonWriter *json, const char *name, const Game *game)
{
    Opening opening;
    if (!opening_name(game, &opening)) {
        json_put_null(json, name);
        return;
    }
    json_open_object(json, name);
    json_put_text(json, "code", opening.code[0] ? opening.code : NULL);
    put_names(json, &opening);
    json_put_int(json, "ply", opening.ply);
    json_close_object(json);
}

void put_castles(JsonWriter *json, const Position *pos)
{
    json_open_array(json, "castles");
    for (int side = 0; side < SIDE_NB; side++) {
        Opening castle;
        if (!castle_name(pos, side, &castle)) {
            json_put_null(json, NULL);
            continue;
        }
        json_open_object(json, NULL);
        put_names(json, &castle);
        json_close_object(json);
    }
    json_close_array(json);
}

void run_opening(Request *request)
{
    Reply reply;
    reply_begin(&reply, request, NULL);
    put_opening(&reply.json, "opening", request_game(request));
    request_send_answer(request, &reply);
}

// ---- reading ------------------------------------------------------------------------------------
// The text to read: as it is, or from base64, then in *bytes. False: refused.
static bool read_source(Request *request, Text *bytes, Span *text)
{
    Span coded = {0};
    *text = (Span){0};
    if (!request_string(request, "text", text) || !request_string(request, "base64", &coded))
        return false;
    if (!text->ptr == !coded.ptr)
        return request_fail(request, "bad_request", "expected either text or base64");
    if (!coded.ptr)
        return true;
    if (!base64_read(coded, bytes))
        return request_fail(request, "bad_value", "base64: the text is no base64");
    *text = text_span(bytes);
    return true;
}

static void put_notes(JsonWriter *json, const char *name, const RecordNote *note, int nb)
{
    json_open_array(json, name);
    for (int i = 0; i < nb; i++) {
        json_open_object(json, NULL);
        json_put_int(json, "line", note[i].line);
        json_put_text(json, "text", note[i].text);
        json_close_object(json);
    }
    json_close_array(json);
}

static void answer_read(Request *request, const RecordText *text)
{
    Reply reply;
    JsonWriter *json = &reply.json;
    reply_begin(&reply, request, NULL);
    json_put_text(json, "format", text->format);
    json_put_text(json, "encoding", text->encoding);
    json_put_int(json, "games", text->game_nb);
    record_put_json(json, "game", &text->record, request->in);
    put_notes(json, "list", text->game, text->game_nb > 1 ? min_int(text->game_nb, RECORD_NOTES_MAX) : 0);
    put_notes(json, "warnings", text->warning, text->warning_nb);
    request_send_answer(request, &reply);
}

void run_read(Request *request)
{
    RecordText found = {0};
    Text bytes = {0};
    Span text, name = {0};
    i64 number = 1;
    Message message = {0};
    if (request_string(request, "name", &name) && request_int(request, "game", 1, INT32_MAX, &number) &&
        read_source(request, &bytes, &text)) {
        if (record_open(text, name.ptr, (int)number, &request->lines->rules, &found, &message))
            answer_read(request, &found);
        else
            request_fail(request, "bad_value", "%s", message.text);
    }
    record_close(&found);
    text_free(&bytes);
}

// ---- writing ------------------------------------------------------------------------------------
// A name that stays on its line, whatever the format.
static bool is_tag_name(Span name)
{
    for (size_t i = 0; i < name.len; i++)
        if ((u8)name.ptr[i] < ' ')
            return false;
    return name.len > 0;
}

static bool take_tags(Request *request, Record *record)
{
    const JsonValue *tags = request_field(request, "tags");
    if (tags && tags->type != JSON_OBJECT)
        return request_fail(request, "bad_value", "tags: expected an object, not %s",
                            json_type_name(tags->type));
    for (const JsonValue *tag = json_first(&request->json, tags); tag; tag = json_next(&request->json, tag)) {
        if (tag->type != JSON_STRING || memchr(tag->text.ptr, '\0', tag->text.len) || !is_tag_name(tag->name))
            return request_fail(request, "bad_value",
                                "tags: expected a text with a name on one line, not '%.*s'",
                                (int)min_i64((i64)tag->name.len, 64), tag->name.ptr);
        if (!record_set_tag(record, tag->name.ptr, tag->text.ptr))
            return request_fail(request, "failed", "no memory for the tags");
    }
    return true;
}

// Why the game ended: as it is given, or as the rules have it when the result is theirs. A resignation is
// what files need no reason for.
static bool take_reason(Request *request, const Verdict *verdict, GameResult of_rules, Record *record)
{
    Span word = {0};
    Text names = {0};
    if (!request_string(request, "reason", &word))
        return false;
    record->reason = record->result == of_rules ? verdict->reason : REASON_NONE;
    if (!word.ptr || span_is(word, "resignation"))
        return true;
    for (Reason reason = REASON_NONE + 1; reason < REASON_NB; reason++) {
        if (span_is(word, record_reason_key(reason))) {
            record->reason = reason;
            text_free(&names);
            return true;
        }
        text_add(&names, "%s, ", record_reason_key(reason));
    }
    request_fail(request, "bad_value", "reason: expected %sor resignation", names.ptr ? names.ptr : "");
    text_free(&names);
    return false;
}

// The result that is given, or that the rules give.
static bool take_result(Request *request, const Game *game, Record *record)
{
    Span word = {0};
    if (!request_string(request, "result", &word))
        return false;
    const Verdict verdict = game_verdict(game);
    const GameResult of_rules = result_of_outcome(verdict.outcome, pos_side(&game->pos));
    record->result = of_rules;
    if (!word.ptr)
        return take_reason(request, &verdict, of_rules, record);
    for (int result = RESULT_NONE; result < RESULT_NB; result++)
        if (span_is(word, record_result_key((GameResult)result))) {
            record->result = (GameResult)result;
            return take_reason(request, &verdict, of_rules, record);
        }
    return request_fail(request, "bad_value", "result: expected 1-0, 0-1, 1/2-1/2 or *");
}

bool record_of_request(Request *request, const Game *game, Record *record)
{
    for (int i = 0; i < game->move_nb; i++)
        if (game->move[i] == MOVE_NULL)
            return request_fail(request, "bad_value", "moves: move %d is a pass, which no file can hold",
                                i + 1);
    if (!record_of_game(record, game))
        return request_fail(request, "failed", "no memory for the game");
    return take_tags(request, record) && take_result(request, game, record) &&
           take_remarks(request, json_root(&request->json), record, RECORD_MAIN) &&
           take_variations(request, record);
}

// The format of that name (NULL: the usual one) if games can be written in it.
static const RecordFormat *find_format(Span name)
{
    const RecordFormat *format;
    for (int i = 0; (format = record_format_at(i)) != NULL; i++)
        if (format->is_written && (!name.ptr || span_is_nocase(name, format->name)))
            return format;
    return NULL;
}

void run_write(Request *request)
{
    Record record = {0};
    Span name = {0};
    Text text = {0};
    Reply reply;
    char file[64];
    if (!request_string(request, "format", &name))
        return;
    const RecordFormat *format = find_format(name);
    if (!format) {
        request_fail(request, "bad_value", "format: '%.*s' is no format to write games in",
                     (int)min_i64((i64)name.len, 32), name.ptr);
        return;
    }
    if (record_of_request(request, request_game(request), &record)) {
        record_write(&record, format->name, &text);
        snprintf(file, sizeof file, "game.%s", format->ending);
        reply_begin(&reply, request, NULL);
        json_put_text(&reply.json, "format", format->name);
        json_put_text(&reply.json, "name", file);
        if (span_is_utf8(text_span(&text))) {
            json_put_string(&reply.json, "text", text_span(&text));
        } else {
            Text coded = {0};
            base64_add(&coded, text_span(&text));
            json_put_string(&reply.json, "base64", text_span(&coded));
            text_free(&coded);
        }
        request_send_answer(request, &reply);
    }
    record_free(&record);
    text_free(&text);
}
