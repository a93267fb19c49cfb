// SPDX-License-Identifier: GPL-3.0-or-later
// Game records of chess are read: PGN as it is found in the wild, lists of moves, and lines of positions
// (epd.c). Invariant: the reader only moves forward, looking at each byte a bounded number of times, and each
// call that answers true has consumed something, so any input ends in linear time. Text that is not UTF-8 is
// taken as Latin-1.
#include <ctype.h>
#include <stdlib.h>

#include "bitboard.h"
#include "games/notation.h"
#include "games/record.h"
#include "pgn.h"

enum { TAG_LINE_MAX = 1 << 14 };

// ---- bytes --------------------------------------------------------------------------------------
// A line that was left for a variation of it.
typedef struct PgnFrame {
    Position pos, before;
} PgnFrame;

typedef struct PgnReader {
    Span rest;
    const char *begin; // of the file part we were given: tells the start of a line
    Record *record;
    int line;        // that is read: RECORD_MAIN, or a variation
    Position pos;    // after its last move
    Position before; // before its last move
    PgnFrame *frame; // the lines that were left, the main one first: `depth` of them
    int depth;
    Text comment;    // collected since the last move
    const char *fen; // where the tag with the position is; NULL: there is none
    bool ended;      // the result was read
} PgnReader;

static char peek(const PgnReader *reader) { return *reader->rest.ptr; }

static void skip(PgnReader *reader, size_t len)
{
    reader->rest.ptr += len;
    reader->rest.len -= len;
}

static bool at_line_start(const PgnReader *reader)
{
    return reader->rest.ptr == reader->begin || reader->rest.ptr[-1] == '\n' || reader->rest.ptr[-1] == '\r';
}

static void skip_line(PgnReader *reader)
{
    const char *end = memchr(reader->rest.ptr, '\n', reader->rest.len);
    skip(reader, end ? (size_t)(end - reader->rest.ptr) + 1 : reader->rest.len);
}

// Where in the text the error stands that was just noted.
static void place_error(PgnReader *reader, const char *at)
{
    reader->record->error_at = (size_t)(at - reader->begin);
}

static bool is_white(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0'; }

void pgn_add_clean(Text *out, Span s)
{
    bool latin1 = !span_is_utf8(s), blank = false;
    for (size_t i = 0; i < s.len; i++) {
        u8 byte = (u8)s.ptr[i];
        if (is_white(s.ptr[i])) {
            blank = true;
            continue;
        }
        if (blank && out->len)
            text_add_bytes(out, " ", 1);
        blank = false;
        char pair[2] = {(char)(0xC0 | byte >> 6), (char)(0x80 | (byte & 0x3F))};
        if (latin1 && byte >= 0x80)
            text_add_bytes(out, pair, 2);
        else
            text_add_bytes(out, &s.ptr[i], 1);
    }
}

// ---- where games begin --------------------------------------------------------------------------
static bool at_tag(const PgnReader *reader)
{
    Span s = reader->rest;
    if (s.len < 2 || *s.ptr != '[' || !isalpha((unsigned char)s.ptr[1]))
        return false;
    size_t i = 1, limit = s.len < TAG_NAME_MAX ? s.len : TAG_NAME_MAX;
    while (i < limit && (isalnum((unsigned char)s.ptr[i]) || s.ptr[i] == '_' || s.ptr[i] == '-'))
        i++;
    while (i < limit && (s.ptr[i] == ' ' || s.ptr[i] == '\t'))
        i++;
    return i < limit && s.ptr[i] == '"';
}

// A comment or a variation that is never closed must not swallow the games behind it.
static bool at_next_game(const PgnReader *reader)
{
    return peek(reader) == '[' && at_line_start(reader) && span_starts(reader->rest, "[Event \"");
}

// A first word with at least three slashes is meant as a board, be it right or wrong.
static bool at_board(const PgnReader *reader)
{
    Span rest = reader->rest;
    if (rest.len > 128)
        rest.len = 128;
    Span word = span_word(&rest);
    int slashes = 0;
    for (size_t i = 0; i < word.len; i++)
        slashes += word.ptr[i] == '/';
    return slashes >= 3;
}

// ---- PGN: comments and variations ---------------------------------------------------------------
// A file that was cut short ends in the middle of something, and moves may have gone into it. A comment alone
// is no game.
static void note_unclosed(PgnReader *reader, const char *what)
{
    static const char *const NAMES[] = SIDE_NAMES;
    Record *record = reader->record;
    if (record->error.text[0] || (!record->move_nb && !record->tag_nb))
        return;
    const Position *pos = reader->depth ? &reader->frame[0].pos : &reader->pos;
    message_set(&record->error, "move %d (%s): the %s before it is not closed", pos->fullmove,
                NAMES[pos->side], what);
    place_error(reader, reader->rest.ptr);
}

static void read_comment(PgnReader *reader)
{
    skip(reader, 1);
    Span text = {reader->rest.ptr, 0};
    while (reader->rest.len && peek(reader) != '}' && !at_next_game(reader))
        skip(reader, 1);
    text.len = (size_t)(reader->rest.ptr - text.ptr);
    if (reader->rest.len && peek(reader) == '}')
        skip(reader, 1);
    else
        note_unclosed(reader, "comment");
    if (reader->comment.len && span_trim(text).len)
        text_add_bytes(&reader->comment, " ", 1);
    pgn_add_clean(&reader->comment, span_trim(text));
}

static void read_line_comment(PgnReader *reader)
{
    skip(reader, 1);
    Span line;
    if (!span_line(&reader->rest, &line))
        return;
    if (reader->comment.len && span_trim(line).len)
        text_add_bytes(&reader->comment, " ", 1);
    pgn_add_clean(&reader->comment, span_trim(line));
}

static void skip_variation(PgnReader *reader)
{
    i64 depth = 0;
    while (reader->rest.len && !at_next_game(reader)) {
        char c = peek(reader);
        if (c == ';' || (c == '%' && at_line_start(reader))) {
            skip_line(reader);
            continue;
        }
        skip(reader, 1);
        if (c == '{')
            while (reader->rest.len && peek(reader) != '}' && !at_next_game(reader))
                skip(reader, 1);
        depth += (c == '(') - (c == ')');
        if (depth == 0)
            return;
    }
    note_unclosed(reader, "variation");
}

// Gives the collected comment to the last move of the line, behind what it has, or to the line when there is
// no move yet.
static void keep_comment(PgnReader *reader)
{
    Record *record = reader->record;
    RecordMove *move = record_last_move(record, reader->line);
    char **where = move ? &move->comment : record_line_comment(record, reader->line);
    Text *comment = &reader->comment, both = {0};
    if (comment->len && *where) {
        text_add(&both, "%s %s", *where, comment->ptr);
        text_free(comment);
        *comment = both;
    }
    if (comment->len && !comment->failed) {
        free(*where);
        *where = comment->ptr; // the text was made by malloc: the record owns it from here
        *comment = (Text){0};
        if (move)
            record_take_clocks(move);
    }
    text_clear(comment);
}

// ---- PGN: variations ----------------------------------------------------------------------------
// What cannot be read of a variation is kept as a comment, and told.
static void keep_raw(PgnReader *reader, Span raw, const char *why)
{
    Record *record = reader->record;
    if (reader->comment.len)
        text_add_bytes(&reader->comment, " ", 1);
    pgn_add_clean(&reader->comment, span_trim(raw));
    if (record->note.text[0])
        return;
    Text clean = {0};
    pgn_add_clean(&clean, raw);
    message_set(&record->note, "move %d: of a variation, '%.40s' %s; it is kept as a comment",
                reader->pos.fullmove, clean.ptr ? clean.ptr : "", why);
    text_free(&clean);
}

// A variation that cannot be a line of the record, kept with its parentheses.
static void keep_variation(PgnReader *reader, const char *why)
{
    const char *start = reader->rest.ptr;
    skip_variation(reader);
    keep_raw(reader, (Span){start, (size_t)(reader->rest.ptr - start)}, why);
}

static void open_variation(PgnReader *reader)
{
    Record *record = reader->record;
    int move_nb;
    record_line_moves(record, reader->line, &move_nb);
    if (!move_nb) {
        keep_variation(reader, "is in the place of no move");
        return;
    }
    if (reader->depth == RECORD_DEPTH_MAX) {
        keep_variation(reader, "is nested too deep");
        return;
    }
    PgnFrame *frames = realloc(reader->frame, ((size_t)reader->depth + 1) * sizeof *frames);
    reader->frame = frames ? frames : reader->frame;
    keep_comment(reader);
    int line = frames ? record_add_line(record, reader->line, move_nb - 1) : -1;
    if (line < 0) {
        keep_variation(reader, "does not fit into memory");
        return;
    }
    skip(reader, 1);
    frames[reader->depth++] = (PgnFrame){reader->pos, reader->before};
    reader->line = line;
    reader->pos = reader->before;
}

static void close_variation(PgnReader *reader)
{
    skip(reader, 1);
    if (!reader->depth)
        return;
    keep_comment(reader);
    const PgnFrame *frame = &reader->frame[--reader->depth];
    reader->line = reader->record->line[reader->line].parent;
    reader->pos = frame->pos;
    reader->before = frame->before;
}

// The rest of the variation, from a word on that is no move in it, up to the parenthesis that ends it.
static void keep_rest(PgnReader *reader, Span word)
{
    for (i64 depth = 0; reader->rest.len && !at_next_game(reader);) {
        char c = peek(reader);
        if (c == ')' && depth == 0)
            break;
        skip(reader, 1);
        if (c == '{')
            while (reader->rest.len && peek(reader) != '}' && !at_next_game(reader))
                skip(reader, 1);
        depth += (c == '(') - (c == ')');
    }
    keep_raw(reader, (Span){word.ptr, (size_t)(reader->rest.ptr - word.ptr)}, "is not legal there");
}

// ---- PGN: tags ----------------------------------------------------------------------------------
// A quote closes the value when a bracket or the line's end follows: names with unescaped quotes are read as
// meant.
static bool closes_value(Span s)
{
    s = span_trim((Span){s.ptr + 1, s.len - 1});
    return s.len == 0 || *s.ptr == ']';
}

static void read_tag(PgnReader *reader)
{
    size_t limit = reader->rest.len < TAG_LINE_MAX ? reader->rest.len : TAG_LINE_MAX;
    const char *line_end = memchr(reader->rest.ptr, '\n', limit);
    Span line = {reader->rest.ptr, line_end ? (size_t)(line_end - reader->rest.ptr) : limit};
    const char *quote = memchr(line.ptr, '"', line.len);
    Span name = span_trim((Span){line.ptr + 1, (size_t)(quote - line.ptr - 1)});
    Span value = {quote + 1, line.len - (size_t)(quote + 1 - line.ptr)};
    Text raw = {0};
    // closes_value trims the rest of the line: at most a few quotes are worth asking about.
    int quotes = 0;
    size_t i = 0;
    for (; i < value.len; i++) {
        if (value.ptr[i] == '\\' && i + 1 < value.len &&
            (value.ptr[i + 1] == '"' || value.ptr[i + 1] == '\\'))
            i++;
        else if (value.ptr[i] == '"' && (++quotes > 16 || closes_value((Span){value.ptr + i, value.len - i})))
            break;
        text_add_bytes(&raw, &value.ptr[i], 1);
    }
    bool closed = i < value.len;
    if (span_is(name, "FEN"))
        reader->fen = line.ptr;
    skip(reader, (size_t)(value.ptr - line.ptr) + i + closed);
    while (closed && reader->rest.len && (peek(reader) == ' ' || peek(reader) == ']'))
        skip(reader, 1);

    if (!closed && raw.len && raw.ptr[raw.len - 1] == ']')
        raw.len--;
    char name_text[TAG_NAME_MAX];
    span_copy(name, name_text, sizeof name_text);
    Text clean = {0};
    pgn_add_clean(&clean, text_span(&raw));
    if (!raw.failed && !clean.failed)
        record_add_tag(reader->record, name_text, clean.ptr ? clean.ptr : "");
    text_free(&raw);
    text_free(&clean);
}

// Chess960, Fischerandom, "Fischer Random", Freestyle: whatever the writer calls it.
static bool variant_is_960(const char *name)
{
    if (!name)
        return false;
    for (Span rest = span_of(name); rest.len; rest.ptr++, rest.len--)
        if (span_starts(rest, "960") ||
            span_is_nocase((Span){rest.ptr, rest.len < 7 ? rest.len : 7}, "fischer") ||
            span_is_nocase(rest, "freestyle"))
            return true;
    return false;
}

// The position that the tags give. A position that only Chess960 explains is one, even where no tag says so.
static void set_start(PgnReader *reader, const Rules *rules)
{
    Record *record = reader->record;
    const char *fen = record_tag(record, "FEN");
    Rules used = {.chess960 = rules->chess960 || variant_is_960(record_tag(record, "Variant"))},
          free_rules = {true};
    Message message;
    pos_set(&record->start, span_of(GAME_START), &used, &message);
    if (fen && *fen) {
        SetResult result = pos_set(&record->start, span_of(fen), &used, &message);
        Position other;
        if (result == SET_REPAIRED && !used.chess960 &&
            pos_set(&other, span_of(fen), &free_rules, NULL) == SET_OK)
            record->start = other;
        else if (result == SET_REPAIRED)
            message_set(&record->note, "tag FEN: %s", message.text);
        if (result == SET_REJECTED) {
            message_set(&record->error, "tag FEN: %s", message.text);
            place_error(reader, reader->fen ? reader->fen : reader->begin);
        }
    }
    reader->pos = reader->before = record->start;
}

// ---- PGN: moves ---------------------------------------------------------------------------------
// A draw in any of its spellings; half a point as one sign may be UTF-8 or Latin-1.
static bool is_draw(Span word)
{
    return span_is(word, "1/2-1/2") || span_is(word, "1/2") || span_is(word, "\xC2\xBD-\xC2\xBD") ||
           span_is(word, "\xBD-\xBD");
}

static bool is_result(Span word)
{
    return span_is(word, "1-0") || span_is(word, "0-1") || span_is(word, "*") || is_draw(word);
}

static void set_result(Record *record, Span word)
{
    if (is_draw(word))
        word = span_of("1/2-1/2");
    span_copy(word, record->result_word, sizeof record->result_word);
    record->result = span_is(word, "1-0")       ? RESULT_FIRST_WINS
                     : span_is(word, "0-1")     ? RESULT_SECOND_WINS
                     : span_is(word, "1/2-1/2") ? RESULT_DRAW
                                                : RESULT_NONE;
    record->reason = REASON_NONE;
}

// A word of the move text: up to white space or a character that begins something else.
static Span read_word(PgnReader *reader)
{
    Span word = {reader->rest.ptr, 0};
    while (reader->rest.len && !is_white(peek(reader)) && !strchr("{}()[];$", peek(reader))) {
        skip(reader, 1);
        word.len++;
    }
    return word;
}

// Off with "12." and "12...", the number of a move, also when it is glued to the move; a number alone is
// nothing too.
static Span without_number(Span word)
{
    size_t i = 0;
    while (i < word.len && isdigit((unsigned char)word.ptr[i]))
        i++;
    if (i < word.len && word.ptr[i] != '.')
        return word;
    while (i < word.len && word.ptr[i] == '.')
        i++;
    return (Span){word.ptr + i, word.len - i};
}

static bool is_mark(Span word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!strchr("!?+-=#", word.ptr[i]) || !word.ptr[i])
            return false;
    return !span_is(word, "--");
}

// "!?" behind a move, or alone behind it, is the last move's mark: the same as "$5".
static void keep_mark(PgnReader *reader, Span word)
{
    static const char *const MARKS[] = {"!", "?", "!!", "??", "!?", "?!"};
    RecordMove *move = record_last_move(reader->record, reader->line);
    size_t len = 0;
    while (len < word.len && strchr("!?", word.ptr[word.len - len - 1]))
        len++;
    for (int i = 0; i < 6 && move; i++)
        if (span_is((Span){word.ptr + word.len - len, len}, MARKS[i]))
            record_add_glyph(move, i + 1);
}

static void move_error(PgnReader *reader, Span word, const char *what)
{
    static const char *const NAMES[] = SIDE_NAMES;
    Text clean = {0};
    pgn_add_clean(&clean, word);
    message_set(&reader->record->error, "move %d (%s): '%.40s' %s", reader->pos.fullmove,
                NAMES[reader->pos.side], clean.ptr ? clean.ptr : "", what);
    place_error(reader, word.ptr);
    text_free(&clean);
}

static bool is_null_move(Span word)
{
    return span_is(word, "--") || span_is(word, "Z0") || span_is(word, "0000");
}

static void read_move(PgnReader *reader, Span word)
{
    Record *record = reader->record;
    bool is_variation = reader->depth > 0;
    Move move = move_parse_human(&reader->pos, word);
    keep_comment(reader);
    if (is_null_move(word))
        move = is_variation && !pos_in_check(&reader->pos) ? MOVE_NULL : MOVE_NONE;
    if (move == MOVE_NONE && is_variation) {
        keep_rest(reader, word);
    } else if (move == MOVE_NONE) {
        move_error(reader, word,
                   is_null_move(word) ? "is a null move, which no game has" : "is not a legal move here");
    } else if (!record_add_line_move(record, reader->line, move, NULL)) {
        move_error(reader, word, "does not fit into memory");
    } else {
        keep_mark(reader, word);
        reader->before = reader->pos;
        reader->pos = pos_after(&reader->pos, move);
    }
}

// A result ends the game; in a variation it is a word behind its moves.
static void read_result(PgnReader *reader, Span word)
{
    if (!reader->depth) {
        set_result(reader->record, word);
        reader->ended = true;
        return;
    }
    RecordLine *line = &reader->record->line[reader->line];
    if (!line->ending && (line->ending = malloc(word.len + 1)))
        span_copy(is_draw(word) ? span_of("1/2") : word, line->ending, word.len + 1);
}

// A word: a result, a number, a mark or a move. After an error only the end of the game is looked for.
static void read_move_text(PgnReader *reader)
{
    Span word = read_word(reader);
    if (is_result(word)) {
        read_result(reader, word);
        return;
    }
    word = without_number(word);
    if (!word.len || span_is(word, "e.p.") || reader->record->error.text[0])
        return;
    if (is_mark(word))
        keep_mark(reader, word);
    else
        read_move(reader, word);
}

// "$2" after a move: how it is judged.
static void read_glyph(PgnReader *reader)
{
    RecordMove *move = record_last_move(reader->record, reader->line);
    i64 glyph;
    skip(reader, 1);
    if (span_int(read_word(reader), 1, 255, &glyph) && move && !reader->record->error.text[0])
        record_add_glyph(move, (int)glyph);
}

// The comments behind the result still belong to this game.
static void read_after_result(PgnReader *reader)
{
    while (reader->rest.len) {
        if (is_white(peek(reader)))
            skip(reader, 1);
        else if (peek(reader) == '{')
            read_comment(reader);
        else if (peek(reader) == ';')
            read_line_comment(reader);
        else
            return;
    }
}

// After an error variations are not looked into, and only the end of the game is looked for.
static void read_token(PgnReader *reader)
{
    const bool has_error = reader->record->error.text[0];
    char c = peek(reader);
    if (is_white(c))
        skip(reader, 1);
    else if (c == '{')
        read_comment(reader);
    else if (c == ';')
        read_line_comment(reader);
    else if (c == '%' && at_line_start(reader))
        skip_line(reader);
    else if (c == '(' && has_error)
        skip_variation(reader);
    else if (c == '(')
        open_variation(reader);
    else if (c == ')')
        close_variation(reader);
    else if (c == '$')
        read_glyph(reader);
    else if (strchr("}[]", c))
        skip(reader, 1);
    else
        read_move_text(reader);
}

static void read_moves(PgnReader *reader)
{
    const Message *error = &reader->record->error;
    while (reader->rest.len && !reader->ended) {
        if (reader->depth ? at_next_game(reader) : at_tag(reader))
            break;
        if (error->text[0] && at_line_start(reader) && at_board(reader))
            break;
        read_token(reader);
    }
    if (reader->ended)
        read_after_result(reader);
    if (reader->depth)
        note_unclosed(reader, "variation");
    if (error->text[0] && !reader->depth)
        text_clear(&reader->comment);
    keep_comment(reader);
}

static void read_tags(PgnReader *reader)
{
    bool has_event = false;
    while (reader->rest.len) {
        char c = peek(reader);
        if (is_white(c)) {
            skip(reader, 1);
        } else if (c == '%' && at_line_start(reader)) {
            skip_line(reader);
        } else if (at_tag(reader)) {
            bool is_event = span_starts(reader->rest, "[Event ");
            if (is_event && has_event)
                return;
            has_event |= is_event;
            read_tag(reader);
        } else {
            return;
        }
    }
}

// ---- reading ------------------------------------------------------------------------------------
static void skip_to_game(PgnReader *reader)
{
    if (span_starts(reader->rest, "\xEF\xBB\xBF"))
        skip(reader, 3);
    while (reader->rest.len) {
        char c = peek(reader);
        if (is_white(c))
            skip(reader, 1);
        else if ((c == '%' || c == '#') &&
                 at_line_start(reader)) // an escape; a remark in a list of positions
            skip_line(reader);
        else
            return;
    }
}

static const char *encoding_of(Span text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((u8)text.ptr[i] >= 0x80)
            return span_is_utf8(text) ? "UTF-8" : "Latin-1";
    return "ASCII";
}

// The result, where the moves did not end with one, and how it came about.
static void finish(Record *record)
{
    const char *tag = record_tag(record, "Result"), *termination = record_tag(record, "Termination");
    if (!record->result_word[0])
        set_result(record, tag && is_result(span_of(tag)) ? span_of(tag) : span_of("*"));
    if (termination && span_is_nocase(span_of(termination), TIME_FORFEIT) && record->result != RESULT_NONE)
        record->reason = REASON_TIME;
}

// A line of its own: a position, or the protocol's words for a game.
static bool read_line_record(PgnReader *reader, const Rules *rules)
{
    Span line = {0}, rest = reader->rest;
    span_line(&rest, &line);
    bool is_board = at_board(reader);
    if (!is_board && !uci_begins(line))
        return false;
    if (is_board)
        epd_read(line, rules, reader->record);
    else
        uci_read(line, rules, reader->record);
    if (reader->record->error.text[0])
        place_error(reader, line.ptr);
    reader->rest = rest;
    return true;
}

bool record_read(Span *rest, const Rules *rules, Record *record)
{
    record_free(record);
    PgnReader reader = {.rest = *rest, .begin = rest->ptr, .record = record, .line = RECORD_MAIN};
    bool found = false;
    while (!found) {
        skip_to_game(&reader);
        if (!reader.rest.len)
            break;
        if (read_line_record(&reader, rules)) {
            found = true;
            break;
        }
        read_tags(&reader);
        record->format = record->tag_nb ? "pgn" : "moves";
        set_start(&reader, rules);
        read_moves(&reader);
        // Comments alone, between games or at the end, are no game.
        found = record->tag_nb || record->move_nb || record->error.text[0] || reader.ended;
        if (!found)
            record_free(record);
    }
    if (found)
        finish(record);
    record->encoding = encoding_of((Span){reader.begin, (size_t)(reader.rest.ptr - reader.begin)});
    text_free(&reader.comment);
    free(reader.frame);
    *rest = reader.rest;
    return found;
}

const RecordFormat *record_format_at(int index)
{
    static const RecordFormat FORMATS[] = {
        {"pgn", "pgn", true, true, NULL, NULL},    {"fen", "fen", true, true, NULL, NULL},
        {"epd", "epd", true, false, NULL, NULL},   {"uci", "uci", true, true, NULL, NULL},
        {"moves", "txt", true, false, NULL, NULL},
    };
    return index >= 0 && index < (int)(sizeof FORMATS / sizeof FORMATS[0]) ? &FORMATS[index] : NULL;
}
