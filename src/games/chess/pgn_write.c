// SPDX-License-Identifier: GPL-3.0-or-later
// Game records of chess are written: PGN as the standard says, the seven tags of the roster first, lines of
// at most 79 characters. What it writes, pgn.c reads back as the same record.
#include <ctype.h>

#include "games/notation.h"
#include "games/record.h"
#include "pgn.h"

// ---- tags ---------------------------------------------------------------------------------------
static const char *const ROSTER[7][2] = {{"Event", "?"}, {"Site", "?"},  {"Date", "????.??.??"},
                                         {"Round", "?"}, {"White", "?"}, {"Black", "?"},
                                         {"Result", "*"}};

static void write_tag(Text *out, const char *name, const char *value)
{
    text_add(out, "[%s \"", name);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            text_add_bytes(out, "\\", 1);
        text_add_bytes(out, (u8)*value < ' ' ? " " : value, 1);
    }
    text_add(out, "\"]\n");
}

// Tags that the writer knows better than the record's list: the roster goes first, the position's come from
// the start.
static bool is_own_tag(const char *name)
{
    for (int i = 0; i < 7; i++)
        if (strcmp(name, ROSTER[i][0]) == 0)
            return true;
    return strcmp(name, "FEN") == 0 || strcmp(name, "SetUp") == 0;
}

// What pgn.c reads as the name of a tag: others, which other formats may have, are left out.
static bool is_tag_name(const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < len; i++)
        if (!isalnum((unsigned char)name[i]) && (i == 0 || (name[i] != '_' && name[i] != '-')))
            return false;
    return len > 0 && isalpha((unsigned char)name[0]) && len < TAG_NAME_MAX - 4;
}

static const char *result_word(const Record *record)
{
    if (record->result_word[0])
        return record->result_word;
    switch (record->result) {
    case RESULT_FIRST_WINS: return "1-0";
    case RESULT_SECOND_WINS: return "0-1";
    case RESULT_DRAW: return "1/2-1/2";
    default: return "*";
    }
}

static void write_tags(const Record *record, Text *out)
{
    for (int i = 0; i < 6; i++) {
        const char *value = record_tag(record, ROSTER[i][0]);
        write_tag(out, ROSTER[i][0], value ? value : ROSTER[i][1]);
    }
    write_tag(out, "Result", result_word(record));
    char fen[TEXT_MAX];
    pos_print(&record->start, fen);
    if (record->start.rules.chess960 && !record_tag(record, "Variant"))
        write_tag(out, "Variant", "Chess960");
    if (record->start.rules.chess960 || strcmp(fen, GAME_START) != 0) {
        write_tag(out, "SetUp", "1");
        write_tag(out, "FEN", fen);
    }
    if (record->reason == REASON_TIME && !record_tag(record, "Termination"))
        write_tag(out, "Termination", TIME_FORFEIT);
    for (int i = 0; i < record->tag_nb; i++)
        if (!is_own_tag(record->tag[i].name) && is_tag_name(record->tag[i].name))
            write_tag(out, record->tag[i].name, record->tag[i].value);
    text_add(out, "\n");
}

// ---- moves and comments -------------------------------------------------------------------------
// Words in lines of at most 79 characters, as far as the words allow it. The last word waits, since a
// parenthesis may have to be put behind it.
typedef struct Wrapper {
    Text *out;
    int column;
    Text last;
    int opened; // parentheses that go before the next word
} Wrapper;

static void flush_word(Wrapper *wrapper)
{
    int width = 0;
    const Text *word = &wrapper->last;
    if (!word->len)
        return;
    for (size_t i = 0; i < word->len; i++)
        width += ((u8)word->ptr[i] & 0xC0) != 0x80;
    // A line that began with one of these would be read as an escape or a tag.
    bool may_begin_line = *word->ptr != '%' && *word->ptr != '[';
    if (wrapper->column > 0) {
        bool fits = wrapper->column + 1 + width < 80;
        text_add_bytes(wrapper->out, fits || !may_begin_line ? " " : "\n", 1);
        wrapper->column = fits || !may_begin_line ? wrapper->column + 1 : 0;
    }
    text_add_bytes(wrapper->out, word->ptr, word->len);
    wrapper->column += width;
    text_clear(&wrapper->last);
}

static void wrap_word(Wrapper *wrapper, Span word)
{
    flush_word(wrapper);
    for (; wrapper->opened; wrapper->opened--)
        text_add_bytes(&wrapper->last, "(", 1);
    text_add_bytes(&wrapper->last, word.ptr, word.len);
}

// A command such as [%eval 0.35] stays on one line: not every reader looks past its end.
static void extend_command(Span *word, Span *rest)
{
    const char *end = memchr(word->ptr, ']', (size_t)(rest->ptr + rest->len - word->ptr));
    while (end && word->ptr + word->len <= end) {
        Span more = span_word(rest);
        word->len = (size_t)(more.ptr + more.len - word->ptr);
    }
}

// PGN knows no escape inside a comment: braces become parentheses.
static void write_comment(Wrapper *wrapper, const char *comment)
{
    Text text = {0};
    text_add(&text, "{%s}", comment);
    for (size_t i = 1; i + 1 < text.len; i++)
        if (text.ptr[i] == '{' || text.ptr[i] == '}')
            text.ptr[i] = text.ptr[i] == '{' ? '(' : ')';
    Span rest = text_span(&text);
    for (Span word = span_word(&rest); word.len; word = span_word(&rest)) {
        bool is_command = span_starts(word, "[%") || span_starts(word, "{[%");
        if (is_command)
            extend_command(&word, &rest);
        // Commands stay on the line of the word before them, since none may begin a line.
        for (Span more = rest; span_starts(span_word(&more), "[%"); more = rest) {
            Span command = span_word(&rest);
            extend_command(&command, &rest);
            word.len = (size_t)(command.ptr + command.len - word.ptr);
        }
        wrap_word(wrapper, word);
    }
    text_free(&text);
}

// The move, its marks and what the file says of it.
static void write_move(Wrapper *wrapper, const Position *pos, const RecordMove *move, bool number_due)
{
    char text[MOVE_TEXT_MAX + 16];
    if (pos->side == WHITE || number_due) {
        snprintf(text, sizeof text, "%d%s", pos->fullmove, pos->side == WHITE ? "." : "...");
        wrap_word(wrapper, span_of(text));
    }
    if (move->move == MOVE_NULL)
        snprintf(text, sizeof text, "--");
    else
        move_print_human(pos, move->move, text);
    wrap_word(wrapper, span_of(text));
    for (int i = -1; i < RECORD_GLYPH_MAX; i++) {
        int glyph = i < 0 ? move->mark : move->glyph[i];
        snprintf(text, sizeof text, "$%d", glyph);
        if (glyph)
            wrap_word(wrapper, span_of(text));
    }
    Text comment = {0};
    record_add_clocks(move, &comment);
    if (move->comment)
        text_add(&comment, "%s%s", comment.len ? " " : "", move->comment);
    if (comment.len)
        write_comment(wrapper, comment.ptr);
    wrapper->out->failed |= comment.failed;
    text_free(&comment);
}

static void write_line(Wrapper *wrapper, const Record *record, int line, const Position *start,
                       bool number_due);

// The variations in one place, each in parentheses; `first` is a move that goes before each of them, or NULL.
static bool write_variations(Wrapper *wrapper, const Record *record, int line, const Position *pos,
                             const RecordMove *first)
{
    bool any = line >= 0;
    for (; line >= 0; line = record->line[line].next - 1) {
        const RecordLine *variation = &record->line[line];
        if (!variation->move_nb && !variation->comment)
            continue;
        wrapper->opened++;
        Position at = *pos;
        if (variation->comment)
            write_comment(wrapper, variation->comment);
        if (first) {
            write_move(wrapper, &at, &(RecordMove){.move = first->move}, true);
            at = pos_after(&at, first->move);
        }
        write_line(wrapper, record, line, &at, !first);
        if (variation->ending)
            wrap_word(wrapper, span_of(variation->ending));
        text_add_bytes(&wrapper->last, ")", 1);
    }
    return any;
}

// The moves of a line, each with the variations in its place behind it. PGN has no variation that goes on
// where a line ends: such a one repeats the last move.
static void write_line(Wrapper *wrapper, const Record *record, int line, const Position *start,
                       bool number_due)
{
    int move_nb;
    const RecordMove *moves = record_line_moves(record, line, &move_nb);
    Position pos = *start;
    for (int i = 0; i < move_nb; i++) {
        const RecordMove *move = &moves[i];
        write_move(wrapper, &pos, move, number_due);
        number_due = move->comment || move->clock_ms || move->time_ms;
        number_due |= write_variations(wrapper, record, record_first_line(record, line, i), &pos, NULL);
        if (i == move_nb - 1)
            write_variations(wrapper, record, record_first_line(record, line, move_nb), &pos, move);
        pos = pos_after(&pos, move->move);
    }
}

static void write_pgn(const Record *record, Text *out)
{
    write_tags(record, out);
    Wrapper wrapper = {.out = out};
    if (record->comment)
        write_comment(&wrapper, record->comment);
    write_line(&wrapper, record, RECORD_MAIN, &record->start, true);
    wrap_word(&wrapper, span_of(result_word(record)));
    flush_word(&wrapper);
    out->failed |= wrapper.last.failed;
    text_free(&wrapper.last);
    text_add(out, "\n\n");
}

static void write_uci(const Record *record, Text *out)
{
    char text[TEXT_MAX];
    Position pos = record->start;
    pos_print(&pos, text);
    if (strcmp(text, GAME_START) == 0)
        text_add(out, "position startpos");
    else
        text_add(out, "position fen %s", text);
    for (int i = 0; i < record->move_nb; i++) {
        move_print(&pos, record->move[i].move, text);
        text_add(out, "%s %s", i ? "" : " moves", text);
        pos = pos_after(&pos, record->move[i].move);
    }
    text_add(out, "\n");
}

bool record_write(const Record *record, const char *format, Text *out)
{
    Span name = span_of(format ? format : "pgn");
    if (span_is_nocase(name, "pgn"))
        write_pgn(record, out);
    else if (span_is_nocase(name, "uci"))
        write_uci(record, out);
    else if (span_is_nocase(name, "fen"))
        record_write_position(record, out);
    else
        return false;
    return !out->failed;
}

// Files of chess are UTF-8.
bool record_encode(Text *text, const char *encoding, Message *note)
{
    (void)encoding;
    note->text[0] = '\0';
    return !text->failed;
}

// Programs for chess read the score alone.
void record_add_search(const Position *pos, int depth, const Move *line, int nb, Text *out)
{
    (void)pos, (void)depth, (void)line, (void)nb, (void)out;
}

Language record_language(void) { return LANGUAGE_ENGLISH; }
