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
    {"TIME+", "$TIME+:", "先手持ち時間", NULL},
    {"TIME-", "$TIME-:", "後手持ち時間", NULL},
    {"MAX_MOVES", "$MAX_MOVES:", "最大手数", NULL},
    {"JISHOGI", "$JISHOGI:", "持将棋", NULL},
    {"NOTE", "$NOTE:", "備考", NULL},
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
    {"%KACHI", "宣言勝ち", NULL, OUTCOME_WIN, REASON_DECLARATION},
    {"%KACHI", "入玉宣言", NULL, OUTCOME_WIN, REASON_DECLARATION},
    {"%KACHI", "トライ", NULL, OUTCOME_WIN, REASON_DECLARATION},
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

static const char UNKNOWN_SIGN[] = "\xEF\xBF\xBD";

// Copies the text with U+FFFD for every byte that is no UTF-8.
static void repair_utf8(Span s, Text *out)
{
    while (s.len) {
        size_t len = span_utf8_char(s);
        text_add_bytes(out, len ? s.ptr : UNKNOWN_SIGN, len ? len : 3);
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
    if (span_is_utf8(line) || (span_is_utf8(whole) && !is_ascii(whole)))
        return ENCODING_UTF8;
    return is_euc_jp(line) ? ENCODING_EUC_JP : ENCODING_SHIFT_JIS;
}

static bool is_damaged(const Text *decoded) { return decoded->len && strstr(decoded->ptr, UNKNOWN_SIGN); }

static void note_damage(Lines *lines, const char *what)
{
    if (lines->damage)
        return;
    lines->damage = what;
    lines->damage_at = lines->raw.ptr;
}

// A line that is not in the encoding of the file may be in the other one: files are glued together. If it is
// in neither, what cannot be read becomes U+FFFD.
static void decode_line(Lines *lines)
{
    const bool is_last = lines->rest.len == 0;
    text_clear(&lines->decoded);
    if (lines->encoding == ENCODING_EUC_JP) {
        note_damage(lines, "expected UTF-8 or Shift_JIS, found EUC-JP, which is read too");
        euc_jp_decode(lines->line, &lines->decoded);
        return;
    }
    if (lines->encoding == ENCODING_SHIFT_JIS) {
        shift_jis_decode(lines->line, &lines->decoded);
        if (!is_damaged(&lines->decoded))
            return;
        if (span_is_utf8(lines->line)) {
            note_damage(lines, "expected Shift_JIS as in the lines before, found UTF-8, which is read too");
            text_clear(&lines->decoded);
            text_add_bytes(&lines->decoded, lines->line.ptr, lines->line.len);
        }
        note_damage(lines, is_last ? "expected a whole character of Shift_JIS at the end, found half of one"
                                   : "expected Shift_JIS, found bytes that are no character");
        return;
    }
    if (is_last && span_is_utf8(without_cut_sign(lines->line))) {
        note_damage(lines, "expected a whole character of UTF-8 at the end, found half of one");
    } else {
        shift_jis_decode(lines->line, &lines->decoded);
        if (!is_damaged(&lines->decoded)) {
            note_damage(lines, "expected UTF-8 as in the lines before, found Shift_JIS, which is read too");
            return;
        }
        text_clear(&lines->decoded);
        note_damage(lines, "expected UTF-8, found bytes that are no character");
    }
    repair_utf8(lines->line, &lines->decoded);
}

void lines_next(Lines *lines)
{
    lines->raw = lines->rest;
    lines->has_line = span_any_line(&lines->rest, &lines->line);
    if (!lines->has_line || is_ascii(lines->line))
        return;
    if (lines->encoding == ENCODING_ASCII)
        lines->encoding = encoding_of(lines->line, lines->rest.len == 0);
    if (lines->encoding == ENCODING_UTF8 && span_is_utf8(lines->line))
        return;
    decode_line(lines);
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
    if (!note->text[0]) {
        message_set(note, "of a variation, %.400s; it is kept as a comment", error->text);
        builder->record->note_at = (size_t)(builder->lines->raw.ptr - builder->begin);
    }
    builder->is_over = builder->is_refused = true;
}

// The beginning of a text, without a sign that was cut in two.
enum { SHOWN_MAX = 64 };
static void print_shown(Span text, char shown[SHOWN_MAX])
{
    span_copy(span_trim(text), shown, SHOWN_MAX);
    size_t len = strlen(shown), whole = 0;
    for (size_t step; whole < len && (step = span_utf8_char((Span){shown + whole, len - whole})) > 0;
         whole += step)
        ;
    shown[whole] = '\0';
}

// Text that was read in a wrong encoding and saved so: half-width katakana between kanji (UTF-8 taken for
// Shift_JIS), accented letters (either taken for Latin-1).
static bool is_garbled(const char *text)
{
    for (const u8 *at = (const u8 *)text; *at; at++)
        if ((at[0] == 0xC3 && at[1] >= 0x80) || (at[0] == 0xEF && at[1] == 0xBD && at[2] >= 0xA1) ||
            (at[0] == 0xEF && at[1] == 0xBE && at[2] <= 0x9F))
            return true;
    return false;
}

static const char *garbled_hint(const char *text)
{
    return is_garbled(text) ? said("; the text looks as if it had been saved in a wrong encoding") : "";
}

void builder_warn(Builder *builder, Span text, const char *what)
{
    char shown[SHOWN_MAX];
    if (builder->record->note.text[0])
        return;
    print_shown(text, shown);
    message_set(&builder->record->note, "'%s' %s%s", shown, said(what), garbled_hint(shown));
    builder->record->note_at = (size_t)(builder->lines->raw.ptr - builder->begin);
}

static void note_error(Builder *builder, const char *place, Span text, const char *what)
{
    char shown[SHOWN_MAX];
    print_shown(text, shown);
    Message error;
    message_set(&error, "%s'%s' %s%s", place, shown, said(what), garbled_hint(shown));
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
    snprintf(place, sizeof place, said("move %d: "),
             (int)(first_number(builder, builder->line) - builder->first_number) + move_nb + 1);
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
    // The file has no SFEN.
    if (!span_take(&why, "SFEN: ") && !span_take(&why, "SFEN：") && !span_take(&why, "SFEN の"))
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

void builder_bookmark(Builder *builder, Span name)
{
    Record *record = builder->record;
    RecordMove *move = record_last_move(record, builder->line);
    char **bookmark = move ? &move->bookmark : &record->bookmark;
    if (*bookmark || !(*bookmark = malloc(name.len + 1)))
        return;
    span_copy(name, *bookmark, name.len + 1);
}

void builder_time(Builder *builder, i64 time_ms)
{
    RecordMove *move = record_last_move(builder->record, builder->line);
    const i32 ms = (i32)min_i64(time_ms, INT32_MAX);
    if (move && !builder->is_over)
        move->time_ms = ms;
    else if (builder->line == RECORD_MAIN && builder->record->result_word[0])
        builder->record->end_ms = ms;
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
    return usi_begins(line) || csa_begins(line) || jkf_begins(line) || kif_begins(line) || list_begins(line);
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
    } else if (jkf_begins(lines->line)) {
        record->format = "jkf";
        jkf_read(lines, builder);
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
    static const char *const ENCODINGS[] = {[ENCODING_ASCII] = "ASCII",
                                            [ENCODING_UTF8] = "UTF-8",
                                            [ENCODING_SHIFT_JIS] = "Shift_JIS",
                                            [ENCODING_EUC_JP] = "EUC-JP"};
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
        read_analysed(record);
        record->encoding = ENCODINGS[lines.encoding];
        if (lines.damage && !record->note.text[0]) {
            message_set(&record->note, "%s", said(lines.damage));
            record->note_at = (size_t)(lines.damage_at - rest->ptr);
        }
    }
    // The readers stop in front of a line that is not theirs.
    *rest = lines.raw;
    lines_end(&lines);
    return found;
}

Language record_language(void) { return LANGUAGE_JAPANESE; }

const RecordFormat *record_format_at(int index)
{
    static const RecordFormat FORMATS[] = {
        {"kif", "kifu", true, true, "kif", "Shift_JIS"}, {"ki2", "ki2u", true, true, "ki2", "Shift_JIS"},
        {"csa", "csa", true, true, NULL, NULL},          {"usi", "usi", true, true, NULL, NULL},
        {"sfen", "sfen", true, true, NULL, NULL},        {"jkf", "jkf", true, false, "json", NULL},
        {"moves", "txt", true, false, NULL, NULL},
    };
    return index >= 0 && index < (int)(sizeof FORMATS / sizeof FORMATS[0]) ? &FORMATS[index] : NULL;
}

bool record_write(const Record *record, const char *format, Text *out)
{
    Span name = span_of(format ? format : "kif");
    if (span_is_nocase(name, "kif") || span_is_nocase(name, "kifu"))
        kif_write(record, out);
    else if (span_is_nocase(name, "ki2") || span_is_nocase(name, "ki2u"))
        ki2_write(record, out);
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

// The lines of a file that tell its encoding tell the new one.
static void name_encoding(Span text, Text *out)
{
    static const char *const LINES[] = {"#KIF version=2.0 encoding=", "'CSA encoding="};
    for (Span line, rest = text; span_line(&rest, &line);) {
        Span end = {line.ptr + line.len, (size_t)(rest.ptr - line.ptr) - line.len};
        for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++)
            if (span_starts(line, LINES[i])) {
                text_add(out, "%s%s", LINES[i], i ? "SHIFT_JIS" : "Shift_JIS");
                line.len = 0;
            }
        text_add_bytes(out, line.ptr, line.len);
        text_add_bytes(out, end.ptr, end.len);
    }
}

bool record_encode(Text *text, const char *encoding, Message *note)
{
    note->text[0] = '\0';
    if (!encoding || strcmp(encoding, "Shift_JIS") != 0)
        return !text->failed;
    Text named = {0}, encoded = {0};
    ShiftJisLoss loss = {0};
    name_encoding(text_span(text), &named);
    bool ok = !text->failed && !named.failed && shift_jis_encode(text_span(&named), &encoded, &loss);
    text_free(&named);
    if (!ok) {
        text_free(&encoded);
        return false;
    }
    text_free(text);
    *text = encoded;
    if (loss.nb == 1)
        message_set(note, "line %d: Shift_JIS has no sign '%s': it is written as 〓", loss.line, loss.first);
    else if (loss.nb)
        message_set(note, "line %d: Shift_JIS has no sign '%s': it and %d more are written as 〓", loss.line,
                    loss.first, loss.nb - 1);
    return true;
}
