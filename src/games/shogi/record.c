// SPDX-License-Identifier: GPL-3.0-or-later
// Game files of shogi: which format comes next, and what the readers of the formats share.
// Invariants: a reader takes at least one line off the text, so that reading always ends; every move of a
// record is legal after those before it; text kept from a file is valid UTF-8.
#include "record.h"

#include <stdlib.h>

// ---- names --------------------------------------------------------------------------------------
const PieceName PIECE_NAMES[KIND_NB] = {
    [PAWN] = {"FU", "歩", "歩"},
    [LANCE] = {"KY", "香", "香"},
    [KNIGHT] = {"KE", "桂", "桂"},
    [SILVER] = {"GI", "銀", "銀"},
    [BISHOP] = {"KA", "角", "角"},
    [ROOK] = {"HI", "飛", "飛"},
    [GOLD] = {"KI", "金", "金"},
    [KING] = {"OU", "玉", "玉"},
    [TOKIN] = {"TO", "と", "と"},
    [PROMOTED_LANCE] = {"NY", "杏", "成香"},
    [PROMOTED_KNIGHT] = {"NK", "圭", "成桂"},
    [PROMOTED_SILVER] = {"NG", "全", "成銀"},
    [HORSE] = {"UM", "馬", "馬"},
    [DRAGON] = {"RY", "龍", "龍"},
};

const TagName TAG_NAMES[TAG_NAME_NB] = {
    {"Black", "N+", "先手", "下手"},
    {"White", "N-", "後手", "上手"},
    {"Event", "$EVENT:", "棋戦", NULL},
    {"Site", "$SITE:", "場所", NULL},
    {"Date", "$START_TIME:", "開始日時", NULL},
    {"EndDate", "$END_TIME:", "終了日時", NULL},
    {"TimeControl", "$TIME_LIMIT:", "持ち時間", NULL},
    {"Opening", "$OPENING:", "戦型", NULL},
};

// The first row that fits is the one written.
static const Ending ENDINGS[] = {
    {"%TORYO", "投了", "resign", OUTCOME_LOSS, REASON_NONE},
    {"%TSUMI", "詰み", NULL, OUTCOME_LOSS, REASON_MATE},
    {"%TSUMI", "詰", NULL, OUTCOME_LOSS, REASON_MATE},
    {"%TIME_UP", "切れ負け", NULL, OUTCOME_LOSS, REASON_TIME},
    {"%TIME_UP", "時間切れ", NULL, OUTCOME_LOSS, REASON_TIME},
    {"%ILLEGAL_MOVE", "反則負け", NULL, OUTCOME_LOSS, REASON_PERPETUAL_CHECK},
    {"%ILLEGAL_ACTION", "反則勝ち", NULL, OUTCOME_WIN, REASON_PERPETUAL_CHECK},
    {"%KACHI", "入玉勝ち", "win", OUTCOME_WIN, REASON_DECLARATION},
    {"%KACHI", "勝ち宣言", NULL, OUTCOME_WIN, REASON_DECLARATION},
    {"%SENNICHITE", "千日手", "rep_draw", OUTCOME_DRAW, REASON_REPETITION},
    {"%JISHOGI", "持将棋", "draw", OUTCOME_DRAW, REASON_NONE},
    {"%HIKIWAKE", "引き分け", NULL, OUTCOME_DRAW, REASON_NONE},
    {"%MAX_MOVES", "最大手数", NULL, OUTCOME_DRAW, REASON_MOVE_LIMIT},
    {"%TORYO", "不戦敗", NULL, OUTCOME_LOSS, REASON_NONE},
    {"%ILLEGAL_ACTION", "不戦勝", NULL, OUTCOME_WIN,
     REASON_PERPETUAL_CHECK}, // a foul too, as far as it is written
    {"%CHUDAN", "中断", NULL, OUTCOME_NONE, REASON_NONE},
    {"%FUZUMI", "不詰", NULL, OUTCOME_NONE, REASON_NONE},
    {"%MATTA", "待った", NULL, OUTCOME_NONE, REASON_NONE},
    {"%ERROR", "エラー", NULL, OUTCOME_NONE, REASON_NONE},
};
enum { ENDING_NB = sizeof ENDINGS / sizeof ENDINGS[0] };

const Ending *ending_named(Span word)
{
    for (int i = 0; i < ENDING_NB; i++) {
        const Ending *e = &ENDINGS[i];
        if (span_is(word, e->csa) || span_is(word, e->kif) || (e->usi && span_is(word, e->usi)))
            return e;
    }
    return NULL;
}

const Ending *ending_of(const Record *record, int side)
{
    const Ending *named = ending_named(span_of(record->result_word));
    if (named)
        return named;
    Outcome outcome = result_outcome(record->result, side);
    Reason reason = record->reason == REASON_NO_MOVE ? REASON_MATE : record->reason;
    const Ending *similar = NULL;
    for (int i = 0; i < ENDING_NB && outcome != OUTCOME_NONE; i++) {
        if (ENDINGS[i].outcome != outcome)
            continue;
        if (ENDINGS[i].reason == reason)
            return &ENDINGS[i];
        // A winner who is to move has no other word for it than the opponent's fault.
        similar = similar ? similar : &ENDINGS[i];
    }
    return similar;
}

// ---- lines --------------------------------------------------------------------------------------
static bool is_ascii(Span s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((u8)s.ptr[i] >= 0x80)
            return false;
    return true;
}

// Copies the text with U+FFFD for every byte that is no UTF-8.
static void repair_utf8(Span s, Text *out)
{
    while (s.len) {
        size_t len = span_utf8_char(s);
        text_add_bytes(out, len ? s.ptr : "\xEF\xBF\xBD", len ? len : 3);
        s.ptr += len ? len : 1;
        s.len -= len ? len : 1;
    }
}

// The text without the sign that the end of a file has cut in two, if there is one.
static Span without_cut_sign(Span s)
{
    for (size_t tail = 1; tail <= 3 && tail <= s.len; tail++) {
        u8 byte = (u8)s.ptr[s.len - tail];
        if (byte >= 0xC2)
            return (Span){s.ptr, s.len - tail};
        if (byte < 0x80)
            break;
    }
    return s;
}

static Encoding encoding_of(Span line, bool is_last)
{
    Span whole = is_last ? without_cut_sign(line) : line;
    return span_is_utf8(line) || (span_is_utf8(whole) && !is_ascii(whole)) ? ENCODING_UTF8
                                                                           : ENCODING_SHIFT_JIS;
}

void lines_next(Lines *lines)
{
    lines->raw = lines->rest;
    lines->has_line = span_line(&lines->rest, &lines->line);
    if (!lines->has_line || is_ascii(lines->line))
        return;
    if (lines->encoding == ENCODING_ASCII)
        lines->encoding = encoding_of(lines->line, lines->rest.len == 0);
    if (lines->encoding == ENCODING_UTF8 && span_is_utf8(lines->line))
        return;
    text_clear(&lines->decoded);
    if (lines->encoding == ENCODING_SHIFT_JIS)
        shift_jis_decode(lines->line, &lines->decoded);
    else
        repair_utf8(lines->line, &lines->decoded);
    lines->line = text_span(&lines->decoded);
}

void lines_start(Lines *lines, Span text)
{
    *lines = (Lines){.rest = text};
    span_take(&lines->rest, "\xEF\xBB\xBF"); // byte order mark
    lines_next(lines);
}

void lines_end(Lines *lines) { text_free(&lines->decoded); }

// ---- positions ----------------------------------------------------------------------------------
bool setup_from(Setup *setup, const char *sfen)
{
    Position pos;
    Rules rules = rules_default();
    if (pos_set(&pos, span_of(sfen), &rules, NULL) == SET_REJECTED)
        return false;
    memcpy(setup->board, pos.board, sizeof setup->board);
    for (int side = 0; side < SIDE_NB; side++)
        for (int kind = PAWN; kind <= GOLD; kind++)
            setup->hand[side][kind] = hand_count(pos.hand[side], kind);
    setup->side = pos.side;
    setup->number = 1;
    return true;
}

static void setup_print(const Setup *setup, Text *out)
{
    char board[BOARD_TEXT_MAX];
    *board_print(setup->board, board) = '\0';
    text_add(out, "%s %c ", board, setup->side == WHITE ? 'w' : 'b');
    size_t before = out->len;
    for (int side = 0; side < SIDE_NB; side++)
        for (int kind = GOLD; kind >= PAWN; kind--)
            if (setup->hand[side][kind] > 0)
                text_add(out, "%d%c", setup->hand[side][kind],
                         KIND_LETTERS[kind] + (side == WHITE ? 'a' - 'A' : 0));
    text_add(out, "%s %d", out->len == before ? "-" : "", setup->number);
}

bool setup_finish(const Setup *setup, const Rules *rules, Position *pos, Message *message)
{
    Text text = {0};
    setup_print(setup, &text);
    bool ok = !text.failed && pos_set(pos, text_span(&text), rules, message) != SET_REJECTED;
    text_free(&text);
    return ok;
}

// ---- building -----------------------------------------------------------------------------------
void builder_start(Builder *builder, Record *record, const Rules *rules, const Lines *lines,
                   const char *begin)
{
    *builder = (Builder){.record = record,
                         .rules = rules,
                         .lines = lines,
                         .begin = begin,
                         .line = RECORD_MAIN,
                         .first_number = 1};
    Position pos;
    pos_set(&pos, span_of(GAME_START), rules, NULL);
    builder_set_position(builder, &pos);
}

void builder_set_position(Builder *builder, const Position *pos)
{
    assert(builder->record->move_nb == 0);
    builder->record->start = builder->pos = *pos;
}

void builder_note(Builder *builder, const Message *error)
{
    if (!builder->record->error.text[0]) {
        builder->record->error = *error;
        builder->record->error_at = (size_t)(builder->lines->raw.ptr - builder->begin);
    }
    builder->is_over = true;
}

// What cannot be read of a variation costs the game nothing: it is kept as a comment, and told once.
static void note_in_variation(Builder *builder, const Message *error)
{
    Message *note = &builder->record->note;
    if (!note->text[0])
        message_set(note, "of a variation, %.400s; it is kept as a comment", error->text);
    builder->is_over = builder->is_refused = true;
}

static void note_error(Builder *builder, const char *place, Span text, const char *what)
{
    char shown[64];
    span_copy(span_trim(text), shown, sizeof shown);
    // A sign that was cut in two is left out.
    size_t len = strlen(shown), whole = 0;
    for (size_t step; whole < len && (step = span_utf8_char((Span){shown + whole, len - whole})) > 0;
         whole += step)
        ;
    shown[whole] = '\0';
    Message error;
    message_set(&error, "%s'%s' %s", place, shown, what);
    if (builder->line == RECORD_MAIN && !builder->is_refused) {
        builder_note(builder, &error);
        return;
    }
    note_in_variation(builder, &error);
    builder_comment(builder, text);
}

// The number of a line's first move, as the file counts.
static i64 first_number(const Builder *builder, int line)
{
    i64 number = builder->first_number;
    for (; line != RECORD_MAIN; line = builder->record->line[line].parent)
        number += builder->record->line[line].ply;
    return number;
}

void builder_fail(Builder *builder, Span text, const char *what)
{
    char place[32];
    int move_nb;
    record_line_moves(builder->record, builder->line, &move_nb);
    snprintf(place, sizeof place,
             "move %d: ", (int)(first_number(builder, builder->line) - builder->first_number) + move_nb + 1);
    note_error(builder, place, text, what);
}

void builder_refuse(Builder *builder, Span text, const char *what) { note_error(builder, "", text, what); }

void builder_settle(Builder *builder, const Setup *setup)
{
    Position pos;
    Message message = {""};
    if (setup_finish(setup, builder->rules, &pos, &message)) {
        builder_set_position(builder, &pos);
        return;
    }
    Span why = span_of(message.text);
    if (!span_take(&why, "SFEN: ")) // the file has none
        span_take(&why, "SFEN ");
    Message error;
    message_set(&error, "the position cannot be: %.*s", (int)why.len, why.ptr);
    builder_note(builder, &error);
}

bool move_is_possible(const Position *pos, Move move)
{
    return move != MOVE_NONE && move_is_pseudo_legal(pos, move) && move_is_legal(pos, move);
}

bool builder_add(Builder *builder, Move move, Span text)
{
    if (!move_is_possible(&builder->pos, move)) {
        builder_fail(builder, text, "is not a legal move here");
        return false;
    }
    if (!record_add_line_move(builder->record, builder->line, move, NULL)) {
        builder_fail(builder, text, "does not fit into memory");
        return false;
    }
    builder->pos = pos_after(&builder->pos, move);
    return true;
}

int builder_last_to(const Builder *builder)
{
    const Record *record = builder->record;
    for (int line = builder->line, ply = -1;; line = record->line[line].parent) {
        int move_nb;
        const RecordMove *moves = record_line_moves(record, line, &move_nb);
        int last = ply < 0 ? move_nb : ply;
        if (last)
            return move_to(moves[last - 1].move);
        if (line == RECORD_MAIN)
            return -1;
        ply = record->line[line].ply;
    }
}

void builder_variation(Builder *builder, i64 number, Span text)
{
    Record *record = builder->record;
    int line = builder->line, move_nb;
    while (line != RECORD_MAIN && number <= first_number(builder, line))
        line = record->line[line].parent;
    record_line_moves(record, line, &move_nb);
    i64 ply = number - first_number(builder, line);
    bool has_place = ply >= 0 && ply <= move_nb;
    int added = has_place ? record_add_line(record, line, (int)ply) : -1;
    builder->line = added >= 0 ? added : RECORD_MAIN;
    builder->is_over = builder->is_refused = added < 0;
    if (added >= 0)
        builder->pos = record_line_position(record, line, (int)ply);
    else
        note_error(builder, "", text, has_place ? "is nested too deep" : "leaves no line that has this move");
}

enum { MARK_NB = 7 };
static const char *const MARKS[MARK_NB] = {"", "!", "?", "!!", "??", "!?", "?!"};

const char *record_mark_text(int mark) { return mark < MARK_NB ? MARKS[mark] : ""; }

static int mark_of(Span line)
{
    if (line.len < 3 || line.ptr[0] != '[' || line.ptr[line.len - 1] != ']')
        return 0;
    for (int mark = 1; mark < MARK_NB; mark++)
        if (span_is((Span){line.ptr + 1, line.len - 2}, MARKS[mark]))
            return mark;
    return 0;
}

void builder_comment(Builder *builder, Span line)
{
    Record *record = builder->record;
    RecordMove *move = record_last_move(record, builder->line);
    if (move && mark_of(line)) {
        record_add_glyph(move, mark_of(line));
        return;
    }
    char **comment = move ? &move->comment : record_line_comment(record, builder->line);
    size_t old = *comment ? strlen(*comment) + 1 : 0;
    char *longer = realloc(*comment, old + line.len + 1);
    if (!longer)
        return;
    if (old)
        longer[old - 1] = '\n';
    for (size_t i = 0; i < line.len; i++)
        longer[old + i] = line.ptr[i] ? line.ptr[i] : ' ';
    longer[old + line.len] = '\0';
    *comment = longer;
}

void builder_time(Builder *builder, i64 time_ms)
{
    RecordMove *move = record_last_move(builder->record, builder->line);
    if (move && !builder->is_over)
        move->time_ms = (i32)min_i64(time_ms, INT32_MAX);
}

// The word behind the moves of a variation.
static void end_variation(Builder *builder, Span word)
{
    RecordLine *line = &builder->record->line[builder->line];
    if (!line->ending && (line->ending = malloc(word.len + 1)))
        span_copy(word, line->ending, word.len + 1);
    builder->is_over = true;
}

void builder_end(Builder *builder, const Ending *ending, Span word)
{
    Record *record = builder->record;
    if (builder->line != RECORD_MAIN) {
        end_variation(builder, word);
        return;
    }
    if (record->result_word[0])
        return;
    record->result = result_of_outcome(ending->outcome, builder->pos.side);
    if (result_winner(record->result) >= 0 && record->error.text[0])
        record->result = RESULT_NONE; // whose turn it was is lost with the moves that could not be read
    // A foul is perpetual check only when the rules say so; the file's word alone does not.
    record->reason = ending->reason == REASON_PERPETUAL_CHECK ? REASON_NONE : ending->reason;
    span_copy(word, record->result_word, sizeof record->result_word);
    builder->is_over = true;
}

void builder_tag(Builder *builder, Span name, Span value)
{
    char key[64], text[1024];
    name = span_trim(name);
    value = span_trim(value);
    if (name.len == 0 || !span_copy(name, key, sizeof key) || memchr(value.ptr, '\0', value.len) ||
        strlen(key) != name.len)
        return;
    span_copy(value, text, sizeof text);
    record_set_tag(builder->record, key, text);
}

// ---- writing ------------------------------------------------------------------------------------
void write_in_line(const char *text, Text *out)
{
    for (; *text; text++)
        text_add_bytes(out, *text == '\n' || *text == '\r' ? " " : text, 1);
}

// A date with points, as other game files have it, is written with strokes: "2026.11.16" as "2026/11/16".
void write_tag_value(const RecordTag *tag, Text *out)
{
    static const char DATE[] = "dddd.dd.dd";
    char date[sizeof DATE];
    bool is_date = strcmp(tag->name, "Date") == 0 || strcmp(tag->name, "EndDate") == 0;
    is_date = is_date && span_copy(span_of(tag->value), date, sizeof date) && strlen(date) == sizeof DATE - 1;
    for (size_t i = 0; is_date && i < sizeof DATE - 1; i++) {
        is_date = DATE[i] == '.' ? date[i] == '.' : date[i] >= '0' && date[i] <= '9';
        date[i] = DATE[i] == '.' ? '/' : date[i];
    }
    write_in_line(is_date ? date : tag->value, out);
}

void write_comment(const char *sign, const char *comment, Text *out)
{
    Span rest = span_of(comment), line;
    while (span_line(&rest, &line))
        text_add(out, "%s%.*s\n", sign, (int)line.len, line.ptr);
}

// ---- the contract -------------------------------------------------------------------------------
// Lines that belong to nothing: blank, or a comment before the first game.
static bool is_idle(Span line)
{
    line = span_trim(line);
    return line.len == 0 || line.ptr[0] == '#' || span_starts(line, "//") || span_is(line, "/");
}

static bool begins_game(Span line)
{
    return usi_begins(line) || csa_begins(line) || kif_begins(line) || list_begins(line);
}

// Which format it is: the first line tells.
static void read_game(Lines *lines, Builder *builder)
{
    Record *record = builder->record;
    if (usi_begins(lines->line)) {
        usi_read(lines, builder);
    } else if (csa_begins(lines->line) && !list_begins(lines->line)) { // "P-7f" is a move too
        record->format = "csa";
        csa_read(lines, builder);
    } else if (kif_begins(lines->line)) {
        record->format = "kif";
        kif_read(lines, builder);
    } else if (list_begins(lines->line)) {
        record->format = "moves";
        list_read(lines, builder);
    } else {
        builder_refuse(builder, lines->line, "begins no game in CSA, KIF or USI moves");
        while (lines->has_line && (is_idle(lines->line) || !begins_game(lines->line)))
            lines_next(lines);
    }
}

bool record_read(Span *rest, const Rules *rules, Record *record)
{
    static const char *const ENCODINGS[] = {
        [ENCODING_ASCII] = "ASCII", [ENCODING_UTF8] = "UTF-8", [ENCODING_SHIFT_JIS] = "Shift_JIS"};
    record_free(record);
    Lines lines;
    lines_start(&lines, *rest);
    while (lines.has_line && is_idle(lines.line))
        lines_next(&lines);
    bool found = lines.has_line;
    if (found) {
        Builder builder;
        builder_start(&builder, record, rules, &lines, rest->ptr);
        read_game(&lines, &builder);
        record->encoding = ENCODINGS[lines.encoding];
    }
    // The readers stop in front of a line that is not theirs.
    *rest = lines.raw;
    lines_end(&lines);
    return found;
}

const RecordFormat *record_format_at(int index)
{
    static const RecordFormat FORMATS[] = {
        {"kif", "kifu", true, true}, // UTF-8
        {"ki2", "ki2u", true, false}, {"csa", "csa", true, true},    {"usi", "usi", true, true},
        {"sfen", "sfen", true, true}, {"moves", "txt", true, false},
    };
    return index >= 0 && index < (int)(sizeof FORMATS / sizeof FORMATS[0]) ? &FORMATS[index] : NULL;
}

bool record_write(const Record *record, const char *format, Text *out)
{
    Span name = span_of(format ? format : "kif");
    if (span_is_nocase(name, "kif"))
        kif_write(record, out);
    else if (span_is_nocase(name, "csa"))
        csa_write(record, out);
    else if (span_is_nocase(name, "usi"))
        usi_write(record, out);
    else if (span_is_nocase(name, "sfen"))
        record_write_position(record, out);
    else
        return false;
    return true;
}
