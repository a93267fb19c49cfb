// SPDX-License-Identifier: GPL-3.0-or-later
// Game records in memory: the part that is the same for every game. Reading and writing them is the game's
// own, and its variations are in record_tree.c.
#include <stdlib.h>

#include "games/record.h"
#include "games/record_tree.h"

void record_free(Record *record)
{
    for (int i = 0; i < record->tag_nb; i++) {
        free(record->tag[i].name);
        free(record->tag[i].value);
    }
    for (int i = 0; i < record->move_nb; i++) {
        free(record->move[i].comment);
        free(record->move[i].bookmark);
    }
    record_free_lines(record);
    free(record->tag);
    free(record->move);
    free(record->comment);
    free(record->bookmark);
    memset(record, 0, sizeof *record);
}

const char *record_tag(const Record *record, const char *name)
{
    for (int i = 0; i < record->tag_nb; i++)
        if (strcmp(record->tag[i].name, name) == 0)
            return record->tag[i].value;
    return NULL;
}

bool record_add_tag(Record *record, const char *name, const char *value)
{
    RecordTag *tags = record_grow(record->tag, record->tag_nb, sizeof *tags);
    if (!tags)
        return false;
    record->tag = tags;
    RecordTag tag = {record_copy_text(name), record_copy_text(value)};
    if (!tag.name || !tag.value) {
        free(tag.name);
        free(tag.value);
        return false;
    }
    tags[record->tag_nb++] = tag;
    return true;
}

bool record_set_tag(Record *record, const char *name, const char *value)
{
    for (int i = 0; i < record->tag_nb; i++) {
        if (strcmp(record->tag[i].name, name) != 0)
            continue;
        char *copy = record_copy_text(value);
        if (!copy)
            return false;
        free(record->tag[i].value);
        record->tag[i].value = copy;
        return true;
    }
    return record_add_tag(record, name, value);
}

bool record_add_move(Record *record, Move move, const char *comment)
{
    return record_add_line_move(record, RECORD_MAIN, move, comment);
}

bool record_copy(Record *to, const Record *from)
{
    Record copy = *from;
    copy.tag = NULL;
    copy.move = NULL;
    copy.line = NULL;
    copy.tag_nb = copy.move_nb = copy.line_nb = 0;
    copy.comment = from->comment ? record_copy_text(from->comment) : NULL;
    copy.bookmark = from->bookmark ? record_copy_text(from->bookmark) : NULL;
    bool ok = (copy.comment || !from->comment) && (copy.bookmark || !from->bookmark);
    for (int i = 0; ok && i < from->tag_nb; i++)
        ok = record_add_tag(&copy, from->tag[i].name, from->tag[i].value);
    for (int i = 0; ok && i < from->move_nb; i++)
        ok = record_copy_move(&copy, RECORD_MAIN, &from->move[i]);
    ok = ok && record_copy_lines(&copy, from);
    record_free(to);
    *to = copy;
    if (!ok)
        record_free(to);
    return ok;
}

// ---- files --------------------------------------------------------------------------------------
RecordStyle record_style_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    const RecordFormat *format;
    if (!dot || strchr(dot, '/'))
        return (RecordStyle){0};
    Span ending = span_of(dot + 1);
    for (int i = 0; (format = record_format_at(i)) != NULL; i++) {
        bool is_old = format->old_ending && span_is_nocase(ending, format->old_ending);
        if (is_old || span_is_nocase(ending, format->ending))
            return (RecordStyle){format->name, is_old               ? format->old_encoding
                                               : format->old_ending ? "UTF-8"
                                                                    : NULL};
    }
    return (RecordStyle){0};
}

// A name of an encoding comes down to its letters and digits.
static bool is_encoding(Span name, const char *wanted)
{
    size_t i = 0;
    for (; *wanted; wanted++) {
        if (strchr("-_ ", *wanted))
            continue;
        while (i < name.len && strchr("-_ ", name.ptr[i]))
            i++;
        char letter = i < name.len ? name.ptr[i++] : '\0', other = *wanted;
        letter = letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
        other = other >= 'A' && other <= 'Z' ? (char)(other - 'A' + 'a') : other;
        if (letter != other)
            return false;
    }
    return i == name.len;
}

const char *record_encoding_named(Span name)
{
    static const char *const SHORT[] = {"sjis", "cp932", "ms932", "windows-31j"};
    const RecordFormat *format;
    if (is_encoding(name, "UTF-8"))
        return "UTF-8";
    for (int i = 0; (format = record_format_at(i)) != NULL; i++) {
        if (!format->old_encoding)
            continue;
        bool is_named = is_encoding(name, format->old_encoding);
        for (size_t n = 0; n < sizeof SHORT / sizeof SHORT[0] && !is_named; n++)
            is_named = is_encoding(name, SHORT[n]);
        if (is_named)
            return format->old_encoding;
    }
    return NULL;
}

bool record_of_game(Record *record, const Game *game)
{
    record_free(record);
    record->start = game->start;
    for (int i = 0; i < game->move_nb; i++)
        if (game->move[i] == MOVE_NULL || !record_add_move(record, game->move[i], NULL))
            return false;
    return true;
}

bool record_opening(const Record *record, Opening *opening)
{
    return opening_of_moves(&record->start, record->move_nb ? &record->move[0].move : NULL,
                            sizeof record->move[0], record->move_nb, opening);
}

void record_write_position(const Record *record, Text *out)
{
    char text[TEXT_MAX];
    Position pos = record->start;
    for (int i = 0; i < record->move_nb; i++)
        pos = pos_after(&pos, record->move[i].move);
    pos_print(&pos, text);
    text_add(out, "%s\n", text);
}

// ---- commands in comments -----------------------------------------------------------------------
// The command at the front of the text, brackets included; empty when there is none that is closed.
static Span command_at(Span text)
{
    const char *end = span_starts(text, "[%") ? memchr(text.ptr, ']', text.len) : NULL;
    return (Span){text.ptr, end ? (size_t)(end + 1 - text.ptr) : 0};
}

// "1:02:03.5", "5:03" or "12" (seconds) as ms; false when it is none of these.
static bool parse_time(Span text, i32 *out)
{
    double total = 0;
    for (int part = 0; part < 3; part++) {
        const char *colon = memchr(text.ptr, ':', text.len);
        Span number = {text.ptr, colon ? (size_t)(colon - text.ptr) : text.len};
        double value;
        if (!span_real(number, 0, 1e5, &value))
            return false;
        total = total * 60 + value;
        if (!colon) {
            *out = (i32)min_i64((i64)(total * 1000 + 0.5), INT32_MAX);
            return true;
        }
        text = (Span){colon + 1, text.len - number.len - 1};
    }
    return false;
}

void record_take_clocks(RecordMove *move)
{
    Span rest = span_of(move->comment ? move->comment : "");
    while (rest.len) {
        Span command = command_at(rest);
        size_t step = command.len ? command.len : 1;
        rest = (Span){rest.ptr + step, rest.len - step};
        if (!command.len)
            continue;
        command = (Span){command.ptr + 2, command.len - 3};
        Span name = span_word(&command), value = span_trim(command);
        if (span_is(name, "clk"))
            parse_time(value, &move->clock_ms);
        else if (span_is(name, "emt"))
            parse_time(value, &move->time_ms);
    }
}

static void add_time(const char *name, i32 ms, Text *out)
{
    int s = ms / 1000;
    text_add(out, "%s[%%%s %d:%02d:%02d", out->len ? " " : "", name, s / 3600, s / 60 % 60, s % 60);
    if (ms % 1000 / 100)
        text_add(out, ".%d", ms % 1000 / 100);
    text_add(out, "]");
}

void record_add_clocks(const RecordMove *move, Text *out)
{
    const char *comment = move->comment ? move->comment : "";
    if (move->clock_ms && !strstr(comment, "[%clk"))
        add_time("clk", move->clock_ms, out);
    if (move->time_ms && !strstr(comment, "[%emt"))
        add_time("emt", move->time_ms, out);
}

void record_add_plain(const char *comment, Text *out)
{
    Text plain = {0};
    Span rest = span_of(comment);
    while (rest.len) {
        Span command = command_at(rest);
        size_t step = command.len ? command.len : 1;
        bool follows_blank = !plain.len || plain.ptr[plain.len - 1] == ' ';
        if (!command.len && !(*rest.ptr == ' ' && follows_blank))
            text_add_bytes(&plain, rest.ptr, 1);
        rest = (Span){rest.ptr + step, rest.len - step};
    }
    Span text = span_trim(text_span(&plain));
    text_add_bytes(out, text.ptr, text.len);
    out->failed |= plain.failed;
    text_free(&plain);
}
