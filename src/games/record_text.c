// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of games, as files or as somebody has pasted them: the games are counted and described, one of them
// is kept, and what could not be read is told with its line. Reading is the game's own (record_read).
#include <stdlib.h>

#include "games/record.h"

enum { WORDS_SHOWN = 24, BINARY_LOOK = 4096 };

// ---- encodings ----------------------------------------------------------------------------------
static void add_utf8(u32 code, Text *out)
{
    u8 bytes[4];
    size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const u8 LEAD[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = len - 1; i > 0; i--, code >>= 6)
        bytes[i] = (u8)(0x80 | (code & 0x3F));
    bytes[0] = (u8)(LEAD[len] | code);
    text_add_bytes(out, bytes, len);
}

// A text that begins with the mark of UTF-16, as UTF-8; false when it does not begin so.
static bool decode_utf16(Span text, Text *out)
{
    const u8 *byte = (const u8 *)text.ptr;
    bool is_little = text.len >= 2 && byte[0] == 0xFF && byte[1] == 0xFE;
    if (!is_little && !(text.len >= 2 && byte[0] == 0xFE && byte[1] == 0xFF))
        return false;
    u32 high = 0;
    for (size_t i = 2; i + 1 < text.len; i += 2) {
        u32 unit = (u32)(byte[i + !is_little] | byte[i + is_little] << 8);
        if (unit >= 0xD800 && unit < 0xDC00) {
            if (high)
                add_utf8(0xFFFD, out);
            high = unit;
        } else if (unit >= 0xDC00 && unit < 0xE000) {
            add_utf8(high ? 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00) : 0xFFFD, out);
            high = 0;
        } else {
            if (high)
                add_utf8(0xFFFD, out);
            high = 0;
            add_utf8(unit, out);
        }
    }
    return true;
}

// ---- notes --------------------------------------------------------------------------------------
// The text is valid, ends with the last whole character that fits and has no control characters.
static bool add_note(RecordNote **notes, int *nb, int line, const char *text)
{
    if (*nb >= RECORD_NOTES_MAX)
        return true;
    RecordNote *grown = realloc(*notes, (size_t)(*nb + 1) * sizeof *grown);
    if (!grown)
        return false;
    *notes = grown;
    char *copy = strdup(text);
    if (!copy)
        return false;
    text_disarm(copy, strlen(copy), ' ');
    grown[(*nb)++] = (RecordNote){line, copy};
    return true;
}

static void free_notes(RecordNote *notes, int nb)
{
    for (int i = 0; i < nb; i++)
        free(notes[i].text);
    free(notes);
}

void record_close(RecordText *text)
{
    record_free(&text->record);
    free_notes(text->game, min_int(text->game_nb, RECORD_NOTES_MAX));
    free_notes(text->warning, text->warning_nb);
    *text = (RecordText){0};
}

// "Anna - Boris, 1-0", or what else there is to tell games apart by.
static void describe(const Record *record, Text *out)
{
    static const char *const NAMES[] = SIDE_NAMES;
    const char *first = record_tag(record, NAMES[0]), *second = record_tag(record, NAMES[1]),
               *event = record_tag(record, "Event"), *id = record_tag(record, "id");
    char start[TEXT_MAX];
    pos_print(&record->start, start);
    if (first || second)
        text_add(out, "%s - %s", first ? first : "?", second ? second : "?");
    else if (id || event)
        text_add(out, "%s", id ? id : event);
    else if (record->move_nb == 0)
        text_add(out, "%s", start);
    else
        line_print_from(&record->start, &record->move[0].move, 1, LINE_NUMBERED, out);
    if (record->result_word[0] && strcmp(record->result_word, "*") != 0)
        text_add(out, ", %s", record->result_word);
    if (record->move_nb)
        text_add(out, ", %d half-move%s", record->move_nb, record->move_nb == 1 ? "" : "s");
}

// ---- reading ------------------------------------------------------------------------------------
typedef struct TextReader {
    RecordText *out;
    Span rest;
    const char *counted; // up to here the lines are counted
    int line;            // of that place
    int number;          // of the game that is wanted
} TextReader;

// The line of a place, which never lies before an earlier one that was asked for.
static int line_of(TextReader *reader, const char *at)
{
    if (at > reader->counted) {
        reader->line += span_line_ends((Span){reader->counted, (size_t)(at - reader->counted)});
        reader->counted = at;
    }
    return reader->line;
}

static const char *text_start(Span rest)
{
    if (span_starts(rest, "\xEF\xBB\xBF"))
        rest = (Span){rest.ptr + 3, rest.len - 3};
    while (rest.len && (*rest.ptr == ' ' || (*rest.ptr >= '\t' && *rest.ptr <= '\r')))
        rest.ptr++, rest.len--;
    return rest.ptr;
}

// Neither a move nor a tag, and no position that was meant as one: words, but no game.
static bool is_prose(const Record *record)
{
    bool is_line =
        record->format && (strcmp(record->format, "fen") == 0 || strcmp(record->format, "epd") == 0 ||
                           strcmp(record->format, "sfen") == 0 || strcmp(record->format, "uci") == 0);
    return record->error.text[0] && !record->move_nb && !record->tag_nb && !is_line;
}

static bool refuse_prose(int line, const char *at, const char *end, Message *message)
{
    Span rest = {at, (size_t)(end - at)}, first = {0};
    Text formats = {0}, words = {0};
    span_line(&rest, &first);
    for (int i = 0; record_format_at(i); i++)
        text_add(&formats, "%s%s", i ? ", " : "", record_format_at(i)->name);
    first.len = first.len < WORDS_SHOWN ? first.len : WORDS_SHOWN;
    while (first.len && !span_is_utf8(first))
        first.len--;
    text_add_bytes(&words, first.ptr, first.len);
    message_set(message, "line %d: no game begins with '%s'; what is read: %s", line,
                words.len ? words.ptr : "", formats.len ? formats.ptr : "");
    text_free(&formats);
    text_free(&words);
    return false;
}

// What EPD says of the position is told as a comment too.
static void comment_operations(Record *record)
{
    Text text = {0};
    bool is_line =
        record->format && (strcmp(record->format, "epd") == 0 || strcmp(record->format, "sfen") == 0);
    for (int i = 0; is_line && i < record->tag_nb; i++)
        text_add(&text, "%s%s %s", i ? "; " : "", record->tag[i].name, record->tag[i].value);
    if (text.len && !record->comment && !text.failed) {
        record->comment = text.ptr;
        text = (Text){0};
    }
    text_free(&text);
}

// Takes note of a game; the one that is wanted becomes the text's own.
static bool take_game(TextReader *reader, Record *record, const char *start, const char *read_from)
{
    RecordText *out = reader->out;
    Text title = {0};
    describe(record, &title);
    int line = line_of(reader, start), nb = out->game_nb;
    bool ok = !title.failed && add_note(&out->game, &nb, line, title.len ? title.ptr : "?");
    text_free(&title);
    if (!ok)
        return false;
    out->game_nb++;
    // In the order of their places: lines are counted forward.
    bool error_first = record->error.text[0] && record->error_at < record->note_at;
    for (int i = 0; ok && i < 2; i++) {
        bool is_error = error_first == (i == 0);
        const Message *message = is_error ? &record->error : &record->note;
        size_t at = is_error ? record->error_at : record->note_at;
        if (message->text[0])
            ok = add_note(&out->warning, &out->warning_nb, at ? line_of(reader, read_from + at) : line,
                          message->text);
    }
    if (out->game_nb == reader->number) {
        out->record = *record;
        *record = (Record){0};
    }
    return ok;
}

// Reads all games; false with a message when there is no memory, or words stand where the first should.
static bool read_games(TextReader *reader, const Rules *rules, Message *message)
{
    RecordText *out = reader->out;
    Record record = {0};
    bool ok = true;
    for (;;) {
        const char *read_from = reader->rest.ptr, *start = text_start(reader->rest);
        if (!ok || !record_read(&reader->rest, rules, &record))
            break;
        if (!is_prose(&record)) {
            if (!out->format)
                out->format = record.format;
            if (!out->encoding || strcmp(out->encoding, "ASCII") == 0)
                out->encoding = record.encoding;
            ok = take_game(reader, &record, start, read_from) ||
                 message_set(message, "there is not enough memory for the games");
        } else if (out->game_nb == 0) {
            ok = refuse_prose(line_of(reader, start), start, reader->rest.ptr, message);
        } else {
            ok = add_note(&out->warning, &out->warning_nb, line_of(reader, start), record.error.text) ||
                 message_set(message, "there is not enough memory for the games");
        }
    }
    record_free(&record);
    return ok;
}

// Is there a game to show?
static bool check_game(const RecordText *out, int number, Message *message)
{
    const Record *record = &out->record;
    if (out->game_nb == 0)
        return message_set(message, "there is no game and no position in it");
    if (number < 1 || number > out->game_nb)
        return message_set(message, "there is no game %d: it has %d", number, out->game_nb);
    if (record->move_nb == 0 && record->error.text[0])
        for (int i = 0; i < out->warning_nb; i++)
            if (strcmp(out->warning[i].text, record->error.text) == 0)
                return message_set(message, "line %d: %s", out->warning[i].line, record->error.text);
    return true;
}

bool record_open(Span text, const char *name, int number, const Rules *rules, RecordText *out,
                 Message *message)
{
    Text decoded = {0};
    Message why = {""};
    record_close(out);
    bool is_wide = decode_utf16(text, &decoded);
    if (is_wide)
        text = text_span(&decoded);
    TextReader reader = {.out = out, .rest = text, .counted = text.ptr, .line = 1, .number = number};
    bool ok = !decoded.failed || message_set(&why, "there is not enough memory for the text");
    if (ok && span_trim(text).len == 0)
        ok = message_set(&why, "it is empty");
    if (ok && memchr(text.ptr, '\0', text.len < BINARY_LOOK ? text.len : BINARY_LOOK))
        ok = message_set(&why, "it is binary: expected games or positions as text");
    ok = ok && read_games(&reader, rules, &why) && check_game(out, number, &why);
    if (ok) {
        comment_operations(&out->record);
        out->format = out->record.format;
        out->encoding = is_wide ? "UTF-16" : out->encoding;
    } else {
        record_close(out);
        message_set(message, "%s%s%s", name ? name : "", name ? ": " : "", why.text);
    }
    text_free(&decoded);
    return ok;
}
