// SPDX-License-Identifier: GPL-3.0-or-later
// Records that are a line: EPD or FEN, which read as a game without moves whose operations are its tags, and
// games in the words of the protocol.
#include <ctype.h>

#include "games/notation.h"
#include "pgn.h"

// ---- positions ----------------------------------------------------------------------------------
// How much of the line is the position: four fields (as far as they are there), and the two counters of a
// FEN.
static size_t position_length(Span line)
{
    Span rest = line;
    size_t len = 0;
    for (int field = 0; field < 6; field++) {
        Span word = span_word(&rest);
        bool number = word.len && isdigit((unsigned char)*word.ptr);
        bool stop = !word.len || *word.ptr == ';' || (field >= 4 && !number) || (field >= 2 && word.len > 8);
        if (stop)
            break;
        len = (size_t)(word.ptr + word.len - line.ptr);
        if (word.ptr[word.len - 1] == ';')
            return len - 1;
    }
    return len;
}

// Only a name that can be a tag's: anything else would not read back.
static bool is_operation_name(Span name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!isalnum((unsigned char)name.ptr[i]) && (i == 0 || (name.ptr[i] != '_' && name.ptr[i] != '-')))
            return false;
    return name.len > 0 && isalpha((unsigned char)*name.ptr);
}

// Where an operation ends: at a semicolon, but not at one in quotes that are closed.
static size_t operation_length(Span s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == ';')
            return i;
        const char *close = s.ptr[i] == '"' ? memchr(s.ptr + i + 1, '"', s.len - i - 1) : NULL;
        if (close)
            i = (size_t)(close - s.ptr);
    }
    return s.len;
}

// Operations: name, operands, semicolon. Quotes around a single operand are not part of it.
static void read_operations(Record *record, Span rest)
{
    while (rest.len) {
        Span part = {rest.ptr, operation_length(rest)};
        bool has_end = part.len < rest.len;
        rest = (Span){part.ptr + part.len + has_end, rest.len - part.len - has_end};
        Span name = span_word(&part), value = span_trim(part);
        if (value.len >= 2 && *value.ptr == '"' && value.ptr[value.len - 1] == '"')
            value = (Span){value.ptr + 1, value.len - 2};
        char name_text[32];
        Text clean = {0};
        pgn_add_clean(&clean, value);
        if (is_operation_name(name) && span_copy(name, name_text, sizeof name_text) && !clean.failed)
            record_add_tag(record, name_text, clean.ptr ? clean.ptr : "");
        text_free(&clean);
    }
}

static int field_count(const Text *text)
{
    int nb = 0;
    for (Span rest = text_span(text); span_word(&rest).len; nb++)
        ;
    return nb;
}

// The operations hmvc and fmvn are the two counters that EPD's position has not.
static void add_counters(Text *text, const Record *record)
{
    static const char *const COUNTERS[2][2] = {{"hmvc", "0"}, {"fmvn", "1"}};
    int field_nb = field_count(text);
    for (int i = 0; i < 2 && field_nb == 4; i++) {
        const char *value = record_tag(record, COUNTERS[i][0]);
        i64 number;
        bool is_number = value && span_int(span_of(value), 0, 9999, &number);
        text_add(text, " %s", is_number ? value : COUNTERS[i][1]);
    }
}

void epd_read(Span line, const Rules *rules, Record *record)
{
    size_t len = position_length(line);
    Message message;
    Text text = {0};
    pos_set(&record->start, span_of(GAME_START), rules, NULL);
    read_operations(record, (Span){line.ptr + len, line.len - len});
    text_add_bytes(&text, line.ptr, len);
    record->format = field_count(&text) == 4 ? "epd" : "fen";
    if (record->tag_nb)
        record->format = "epd";
    add_counters(&text, record);
    SetResult set = pos_set(&record->start, text_span(&text), rules, &message);
    if (set == SET_REJECTED)
        record->error = message;
    else if (set == SET_REPAIRED)
        record->note = message;
    text_free(&text);
}

// ---- the protocol's words -----------------------------------------------------------------------
bool uci_begins(Span line)
{
    Span word = span_word(&line), next = span_word(&line);
    if (span_is(word, "position"))
        return span_is(next, "startpos") || span_is(next, "fen");
    return span_is(word, "startpos") || span_is(word, "fen");
}

// Takes the position's words, up to those of the moves, off the line.
static Span take_position(Span *line)
{
    Span rest = *line, text = span_word(&rest);
    if (span_is(text, "position"))
        text = span_word(&rest);
    if (span_is(text, "startpos")) {
        *line = rest;
        return text;
    }
    text = (Span){rest.ptr, 0};
    for (Span word; *line = rest, (word = span_word(&rest)).len && !span_is(word, "moves");)
        text.len = (size_t)(word.ptr + word.len - text.ptr);
    return span_trim(text);
}

void uci_read(Span line, const Rules *rules, Record *record)
{
    Game game = {0};
    Message message = {""};
    Span text = take_position(&line);
    record->format = "uci";
    pos_set(&record->start, span_of(GAME_START), rules, NULL);
    SetResult set = game_set(&game, text, rules, &message);
    if (set == SET_REJECTED) {
        record->error = message;
        return;
    }
    if (set == SET_REPAIRED)
        record->note = message;
    record->start = game.pos;
    for (Span word; !record->error.text[0] && (word = span_word(&line)).len;) {
        Move move = move_parse_human(&game.pos, word);
        if (move == MOVE_NONE && (record->move_nb || !span_is(word, "moves")))
            message_set(&record->error, "move %d: '%.*s' is not a legal move here", record->move_nb + 1,
                        min_int((int)word.len, 40), word.ptr);
        else if (move != MOVE_NONE && !(record_add_move(record, move, NULL) && game_play(&game, move)))
            message_set(&record->error, "move %d does not fit into memory", record->move_nb + 1);
    }
    game_free(&game);
}
