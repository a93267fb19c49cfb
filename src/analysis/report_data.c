// SPDX-License-Identifier: GPL-3.0-or-later
// See report_data.h; report.js tells what the members of the JSON are.
#include "analysis/report_data.h"

#include <ctype.h>

#include "analysis/comments.h"
#include "analysis/remarks.h"
#include "base/json.h"
#include "page/assets.h"
#include "session/phrases.h"

// ---- a game -------------------------------------------------------------------------------------
static void put_line(JsonWriter *json, const Position *pos, const Move *moves, int nb, int score)
{
    Text text = {0};
    char shown[PHRASE_MAX];
    phrase_score_words(score, pos, shown);
    json_open_object(json, NULL);
    json_put_text(json, "s", shown);
    json_open_array(json, "m");
    line_print_from(pos, moves, nb, (LineStyle){.is_json = true}, &text);
    json_put_json(json, NULL, text_span(&text));
    json_close_array(json);
    text_clear(&text);
    json_open_array(json, "t");
    line_print_from(pos, moves, nb, (LineStyle){.is_spoken = true, .is_json = true}, &text);
    json_put_json(json, NULL, text_span(&text));
    json_close_array(json);
    json_close_object(json);
    text_free(&text);
}

// The best line where another move was played, and those that were asked for.
static void put_lines(JsonWriter *json, const Analysis *analysis, const AnalysedGame *game,
                      const Position *pos, int ply)
{
    const PositionResult *now = analysis_result(analysis, game, ply);
    const int other_nb = min_int(now->other_nb, analysis->line_nb - 1);
    if ((game->verdict[ply].is_best && other_nb <= 0) || !now->line_nb)
        return;
    json_open_array(json, "b");
    put_line(json, pos, now->line, now->line_nb, now->score);
    for (int i = 0; i < other_nb; i++)
        put_line(json, pos, now->other[i].move, now->other[i].move_nb, now->other[i].score);
    json_close_array(json);
}

static void put_move(JsonWriter *json, const Analysis *analysis, const AnalysedGame *game,
                     const Position *pos, const Position *after, int ply)
{
    const RecordMove *move = &game->record.move[ply];
    const MoveVerdict *verdict = &game->verdict[ply];
    char text[TEXT_MAX];
    Text words = {0};
    json_open_object(json, NULL);
    move_print(pos, move->move, text);
    json_put_text(json, "m", text);
    move_print_words(pos, ply ? game->record.move[ply - 1].move : MOVE_NONE, move->move, language(), text);
    json_put_text(json, "t", text);
    if (verdict->is_judged) {
        phrase_score_words(analysis_result(analysis, game, ply + 1)->score, after, text);
        json_put_text(json, "s", text);
        json_put_int(json, "e", verdict->after);
        if (verdict->mark != MARK_NONE)
            json_put_text(json, "k", mark_text(verdict->mark));
        analysis_remark(analysis, game, pos, ply, REMARK_LINE, language(), &words);
        if (words.len)
            json_put_text(json, "r", words.ptr);
        put_lines(json, analysis, game, pos, ply);
    }
    text_clear(&words);
    comment_strip(move->comment, COMMENT_COMMANDS | (game->has_old_remarks ? COMMENT_OLD_REMARKS : 0),
                  &words);
    if (words.len)
        json_put_text(json, "q", words.ptr);
    if (move->clock_ms)
        json_put_int(json, "c", move->clock_ms / 1000);
    if (move->time_ms)
        json_put_int(json, "u", move->time_ms / 1000);
    json_close_object(json);
    text_free(&words);
}

// The game in its usual format, with our remarks.
static void put_record(JsonWriter *json, const Analysis *analysis, const AnalysedGame *game)
{
    Analysis alone = *analysis;
    Text record = {0};
    char name[16];
    size_t i = 0;
    const char *format = record_format_at(0)->name;
    alone.game = (AnalysedGame *)game;
    alone.game_nb = 1;
    alone.progress = NULL;
    for (; format[i] && i + 1 < sizeof name; i++)
        name[i] = (char)toupper((unsigned char)format[i]);
    name[i] = '\0';
    json_put_text(json, "format", name);
    if (report_annotated(&alone, NULL, &record))
        json_put_string(json, "record", text_span(&record));
    text_free(&record);
}

// The JSON and the end of its element, before which nothing in it may end it. Frees the JSON.
static void add_json(Text *json, Text *out)
{
    for (size_t i = 0; i < json->len; i++)
        if (json->ptr[i] == '<')
            text_add(out, "\\u003c");
        else
            text_add_bytes(out, &json->ptr[i], 1);
    text_add(out, "</script>\n");
    out->failed |= json->failed;
    text_free(json);
}

void report_data(const Analysis *analysis, const AnalysedGame *game, Text *out)
{
    Text text = {0};
    JsonWriter json = {.out = &text};
    Position pos = game->record.start;
    char start[TEXT_MAX];
    pos_print(&pos, start);
    json_open_object(&json, NULL);
    json_put_text(&json, "game", GAME_NAME);
    json_put_text(&json, "start", start);
    json_put_int(&json, "first", pos_game_ply(&pos));
    json_put_bool(&json, "plies", moves_are_half_moves());
    json_put_bool(&json, "flip", !game->is_of[0]);
    put_record(&json, analysis, game);
    json_open_array(&json, "moves");
    for (int ply = 0; ply < game->record.move_nb; ply++) {
        const Position after = pos_after(&pos, game->record.move[ply].move);
        put_move(&json, analysis, game, &pos, &after, ply);
        pos = after;
    }
    json_close_array(&json);
    json_close_object(&json);
    text_add(out, "<script type=\"application/json\" class=\"game\">");
    add_json(&text, out);
}

static void put_word(JsonWriter *json, const char *english) { json_put_text(json, english, said(english)); }

void report_words(Text *out)
{
    Text text = {0};
    JsonWriter json = {.out = &text};
    if (language() == LANGUAGE_ENGLISH)
        return;
    json_open_object(&json, NULL);
    put_word(&json, "First position");
    put_word(&json, "Back");
    put_word(&json, "On");
    put_word(&json, "Last position");
    put_word(&json, "Next remark");
    put_word(&json, "Turn the board");
    put_word(&json, "Copy position");
    put_word(&json, "Copy the position as text");
    put_word(&json, "Copy {0}");
    put_word(&json, "Copy the game with its remarks");
    put_word(&json, "Copied");
    put_word(&json, "The start");
    put_word(&json, "Time used for each move");
    put_word(&json, "{0}: {1} s");
    put_word(&json, ", {0} left");
    put_word(&json, "Before {0}");
    put_word(&json, "Score");
    put_word(&json, "Chances");
    put_word(&json, "In the hand of Black");
    put_word(&json, "In the hand of White");
    put_word(&json, "Rook");
    put_word(&json, "Bishop");
    put_word(&json, "Gold");
    put_word(&json, "Silver");
    put_word(&json, "Knight");
    put_word(&json, "Lance");
    put_word(&json, "Pawn");
    put_word(&json, "abcdefghi");
    json_close_object(&json);
    text_add(out, "<script type=\"application/json\" id=\"words\">");
    add_json(&text, out);
}

// ---- script and style ---------------------------------------------------------------------------
// The files are modules of the page; here they are one script, without what leads from one to the other and
// without remarks.
static void add_module(const char *name, Text *out)
{
    const PageFile *file = page_file(span_of(name));
    Span rest = {file ? (const char *)file->bytes : "", file ? file->size : 0}, line;
    while (span_line(&rest, &line)) {
        line = span_trim(line);
        if (!line.len || span_starts(line, "//") || span_starts(line, "import "))
            continue;
        size_t skip = span_starts(line, "export ") ? strlen("export ") : 0;
        text_add_bytes(out, line.ptr + skip, line.len - skip);
        text_add(out, "\n");
    }
}

void report_script(Text *out)
{
    static const char *const MODULES[] = {"pieces.js", "board.js", "position.js", "report.js"};
    text_add(out, "(() => {\n'use strict';\n");
    for (size_t i = 0; i < sizeof MODULES / sizeof MODULES[0]; i++)
        add_module(MODULES[i], out);
    text_add(out, "})();\n");
}

void report_style(Text *out)
{
    static const char *const STYLES[] = {"board.css", "report.css"};
    for (size_t i = 0; i < sizeof STYLES / sizeof STYLES[0]; i++) {
        const PageFile *file = page_file(span_of(STYLES[i]));
        Span rest = {file ? (const char *)file->bytes : "", file ? file->size : 0}, line;
        while (span_line(&rest, &line)) {
            line = span_trim(line);
            if (!span_starts(line, "/*"))
                text_add_bytes(out, line.ptr, line.len);
            text_add(out, "\n");
        }
    }
}
