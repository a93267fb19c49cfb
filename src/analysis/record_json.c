// SPDX-License-Identifier: GPL-3.0-or-later
// A game as JSON: tags, start, moves in two notations, comments, clocks, variations, result. For the protocol
// of JSON lines and for the library.
#include "analysis/analysis.h"

const char *record_reason_key(Reason reason)
{
    switch (reason) {
    case REASON_MATE: return "checkmate";
    case REASON_NO_MOVE: return "stalemate";
    case REASON_REPETITION: return "repetition";
    case REASON_PERPETUAL_CHECK: return "perpetual";
    case REASON_MOVE_LIMIT: return "move_limit";
    case REASON_DEAD_POSITION: return "material";
    case REASON_DECLARATION: return "declaration";
    case REASON_TIME: return "time";
    default: return NULL;
    }
}

const char *record_result_key(GameResult result)
{
    switch (result) {
    case RESULT_FIRST_WINS: return "1-0";
    case RESULT_SECOND_WINS: return "0-1";
    case RESULT_DRAW: return "1/2-1/2";
    default: return "*";
    }
}

static void put_record_move(JsonWriter *json, const Position *pos, Move last, const RecordMove *move,
                            Language in)
{
    char text[MOVE_TEXT_MAX], human[MOVE_WORDS_MAX];
    move_print(pos, move->move, text);
    move_print_words(pos, last, move->move, in, human);
    json_open_object(json, NULL);
    json_put_text(json, "move", text);
    json_put_text(json, "text", human);
    if (move->comment)
        json_put_text(json, "comment", move->comment);
    if (move->mark || move->glyph[0]) {
        json_open_array(json, "nags");
        if (move->mark)
            json_put_int(json, NULL, move->mark);
        for (int i = 0; i < RECORD_GLYPH_MAX && move->glyph[i]; i++)
            json_put_int(json, NULL, move->glyph[i]);
        json_close_array(json);
    }
    if (move->time_ms)
        json_put_int(json, "time_ms", move->time_ms);
    if (move->clock_ms)
        json_put_int(json, "clock_ms", move->clock_ms);
    json_close_object(json);
}

// The move before the first one of a line.
static Move move_before(const Record *record, int line)
{
    int nb;
    if (line == RECORD_MAIN)
        return MOVE_NONE;
    const int parent = record->line[line].parent, ply = record->line[line].ply;
    return ply ? record_line_moves(record, parent, &nb)[ply - 1].move : move_before(record, parent);
}

static void put_moves(JsonWriter *json, const Record *record, int line, Language in)
{
    int nb;
    const RecordMove *moves = record_line_moves(record, line, &nb);
    Position pos = record_line_position(record, line, 0);
    Move last = move_before(record, line);
    json_open_array(json, "moves");
    for (int i = 0; i < nb; i++) {
        put_record_move(json, &pos, last, &moves[i], in);
        last = moves[i].move;
        pos = pos_after(&pos, last);
    }
    json_close_array(json);
}

// One list. Each says which line it leaves, 0 for the game, n for the n-th of the list, and which move of it,
// from 1, it replaces; the number behind the last: it goes on where that line ends.
static void put_variations(JsonWriter *json, const Record *record, Language in)
{
    json_open_array(json, "variations");
    for (int i = 0; i < record->line_nb; i++) {
        const RecordLine *line = &record->line[i];
        json_open_object(json, NULL);
        json_put_int(json, "line", line->parent + 1);
        json_put_int(json, "ply", line->ply + 1);
        if (line->comment)
            json_put_text(json, "comment", line->comment);
        put_moves(json, record, i, in);
        json_close_object(json);
    }
    json_close_array(json);
}

void record_put_json(JsonWriter *json, const char *name, const Record *record, Language in)
{
    char start[TEXT_MAX];
    i64 chess960;
    json_open_object(json, name);
    json_open_object(json, "tags");
    for (int i = 0; i < record->tag_nb; i++)
        if (record_tag(record, record->tag[i].name) == record->tag[i].value) // the first of a name
            json_put_text(json, record->tag[i].name, record->tag[i].value);
    json_close_object(json);
    pos_print(&record->start, start);
    json_put_text(json, "start", start);
    if (option_rule(&record->start.rules, span_of("UCI_Chess960"), &chess960))
        json_put_bool(json, "chess960", chess960 != 0);
    json_put_text(json, "comment", record->comment);
    put_moves(json, record, RECORD_MAIN, in);
    if (record->line_nb)
        put_variations(json, record, in);
    json_put_text(json, "result", record_result_key(record->result));
    json_put_text(json, "reason", record_reason_key(record->reason));
    json_close_object(json);
}

void record_json(const Record *record, Text *out)
{
    JsonWriter json = {.out = out};
    record_put_json(&json, NULL, record, LANGUAGE_ENGLISH);
}
