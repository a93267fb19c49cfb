// SPDX-License-Identifier: GPL-3.0-or-later
// JSON Kifu Format (JKF), the record of programs for the web: headers as KIF names them, a start by name or
// as a board, moves with times and comments, forks in the place of a move. Read whole: a file is one value.
// Of a file that is cut short, what came whole before the fault is used.
#include "base/json.h"
#include "record.h"
#include "starts.h"

typedef struct JkfReader {
    Builder *builder;
    const Json *json;
} JkfReader;

bool jkf_begins(Span line) { return span_starts(span_trim(line), "{"); }

static Span text_in(const JkfReader *reader, const JsonValue *object, const char *name)
{
    const JsonValue *value = json_member(reader->json, object, name);
    return value && value->type == JSON_STRING ? value->text : (Span){0};
}

static i64 number_in(const JkfReader *reader, const JsonValue *object, const char *name, i64 none)
{
    i64 number = none;
    const JsonValue *value = json_member(reader->json, object, name);
    if (value)
        json_int(value, 0, 99999, &number);
    return number;
}

// The kind of the two letters that CSA has too; NO_KIND for anything else.
static int kind_named(Span name)
{
    for (int kind = PAWN; kind < KIND_NB; kind++)
        if (span_is(name, PIECE_NAMES[kind].csa))
            return kind;
    return NO_KIND;
}

// ---- the start ----------------------------------------------------------------------------------
static const char *preset_name(Span preset)
{
    static const char *const NAMES[][2] = {
        {"HIRATE", "平手"},    {"KY", "香落ち"},      {"KY_R", "右香落ち"},  {"KA", "角落ち"},
        {"HI", "飛車落ち"},    {"HIKY", "飛香落ち"},  {"2", "二枚落ち"},     {"3", "三枚落ち"},
        {"4", "四枚落ち"},     {"5", "五枚落ち"},     {"5_L", "左五枚落ち"}, {"6", "六枚落ち"},
        {"7_L", "左七枚落ち"}, {"7_R", "右七枚落ち"}, {"8", "八枚落ち"},     {"10", "十枚落ち"}};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (span_is(preset, NAMES[i][0]))
            return NAMES[i][1];
    return NULL;
}

// board[x - 1][y - 1] is the man on file x, rank y.
static void read_board(const JkfReader *reader, const JsonValue *board, Setup *setup)
{
    const JsonValue *column = json_first(reader->json, board);
    for (int file = 1; file <= 9 && column; file++, column = json_next(reader->json, column)) {
        const JsonValue *cell = json_first(reader->json, column);
        for (int rank = 1; rank <= 9 && cell; rank++, cell = json_next(reader->json, cell)) {
            int kind = kind_named(text_in(reader, cell, "kind"));
            if (kind)
                setup->board[square_make(file, rank)] =
                    (u8)piece_make(number_in(reader, cell, "color", 0) == 1, kind);
        }
    }
}

static void read_hands(const JkfReader *reader, const JsonValue *hands, Setup *setup)
{
    const JsonValue *hand = json_first(reader->json, hands);
    for (int side = 0; side < SIDE_NB && hand; side++, hand = json_next(reader->json, hand))
        for (int kind = PAWN; kind <= GOLD; kind++)
            setup->hand[side][kind] = min_int((int)number_in(reader, hand, PIECE_NAMES[kind].csa, 0), 99);
}

static void read_start(const JkfReader *reader, const JsonValue *initial)
{
    Setup setup = {.number = 1};
    Span preset = text_in(reader, initial, "preset");
    const JsonValue *data = json_member(reader->json, initial, "data");
    const char *name = preset_name(preset);
    char sfen[TEXT_MAX];
    if (!initial || initial->type == JSON_NULL)
        return;
    if (name) {
        handicap_print(handicap_named(span_of(name)), sfen);
        setup_from(&setup, sfen);
    } else if (span_is(preset, "OTHER") && data) {
        read_board(reader, json_member(reader->json, data, "board"), &setup);
        read_hands(reader, json_member(reader->json, data, "hands"), &setup);
        setup.side = number_in(reader, data, "color", 0) == 1;
    } else {
        builder_refuse(reader->builder, preset,
                       "is no start of JKF: expected HIRATE, 2, OTHER with data, ...");
        return;
    }
    builder_settle(reader->builder, &setup);
}

// ---- moves --------------------------------------------------------------------------------------
// A place {"x": file, "y": rank}; -1 when it is none.
static int square_in(const JkfReader *reader, const JsonValue *object, const char *name)
{
    const JsonValue *place = json_member(reader->json, object, name);
    i64 file = number_in(reader, place, "x", 0), rank = number_in(reader, place, "y", 0);
    return file >= 1 && file <= 9 && rank >= 1 && rank <= 9 ? square_make((int)file, (int)rank) : -1;
}

static Move move_in(const JkfReader *reader, const JsonValue *object)
{
    const Builder *builder = reader->builder;
    const JsonValue *same = json_member(reader->json, object, "same"),
                    *promote = json_member(reader->json, object, "promote");
    int to = square_in(reader, object, "to"), from = square_in(reader, object, "from"),
        kind = kind_named(text_in(reader, object, "piece"));
    if (to < 0 && same && same->type == JSON_BOOL && same->truth)
        to = builder_last_to(builder);
    if (to < 0)
        return MOVE_NONE;
    if (from < 0)
        return kind && kind <= GOLD ? move_make_drop(kind, to) : MOVE_NONE;
    bool promotes = promote && promote->type == JSON_BOOL && promote->truth;
    return promotes ? move_make(from, to) | MOVE_PROMOTE : move_make(from, to);
}

static void read_comments(const JkfReader *reader, const JsonValue *object)
{
    const JsonValue *comments = json_member(reader->json, object, "comments"), *line;
    for (line = json_first(reader->json, comments); line; line = json_next(reader->json, line))
        if (line->type == JSON_STRING && !span_starts(line->text, "&"))
            builder_comment(reader->builder, line->text);
        else if (line->type == JSON_STRING)
            builder_bookmark(reader->builder, (Span){line->text.ptr + 1, line->text.len - 1});
}

static void read_time(const JkfReader *reader, const JsonValue *object)
{
    const JsonValue *now = json_member(reader->json, json_member(reader->json, object, "time"), "now");
    i64 seconds = (number_in(reader, now, "h", 0) * 60 + number_in(reader, now, "m", 0)) * 60 +
                  number_in(reader, now, "s", 0);
    if (now)
        builder_time(reader->builder, seconds * 1000);
}

static void read_special(const JkfReader *reader, Span special)
{
    Builder *builder = reader->builder;
    char word[40];
    bool is_named = special.len > 1 && (*special.ptr == '+' || *special.ptr == '-');
    bool is_mover = is_named && (*special.ptr == '-') == builder->pos.side;
    snprintf(word, sizeof word, "%%%.*s", min_int((int)special.len, 32), special.ptr);
    const Ending *ending = ending_named(span_of(is_named ? is_mover ? "反則負け" : "反則勝ち" : word));
    if (ending)
        builder_end(builder, ending, span_of(ending->kif));
    else
        builder_warn(builder, special, "is no ending of JKF: it is left out");
}

// One element of "moves" or of a fork.
static void read_element(const JkfReader *reader, const JsonValue *element)
{
    Builder *builder = reader->builder;
    const JsonValue *move = json_member(reader->json, element, "move");
    Span special = text_in(reader, element, "special");
    if (move && move->type == JSON_OBJECT && !builder->is_over) {
        if (!builder_add(builder, move_in(reader, move), text_in(reader, move, "piece")))
            return;
        read_time(reader, element);
    }
    read_comments(reader, element);
    if (special.len && !builder->is_over) {
        read_special(reader, special);
        read_time(reader, element);
    }
}

static void read_list(const JkfReader *reader, const JsonValue *list, int first);

// The forks of an element stand in the place of its move.
static void read_forks(const JkfReader *reader, const JsonValue *element, int line, int ply)
{
    Builder *builder = reader->builder;
    const JsonValue *fork = json_first(reader->json, json_member(reader->json, element, "forks"));
    for (; fork; fork = json_next(reader->json, fork)) {
        int added = record_add_line(builder->record, line, ply);
        if (added < 0)
            return;
        builder->line = added;
        builder->is_over = builder->is_refused = false;
        builder->pos = record_line_position(builder->record, line, ply);
        read_list(reader, fork, 0);
    }
}

// The moves of a line first, then what leaves it, as the tree wants them.
static void read_list(const JkfReader *reader, const JsonValue *list, int first)
{
    Builder *builder = reader->builder;
    const int line = builder->line;
    int ply = -first, move_nb;
    for (const JsonValue *at = json_first(reader->json, list); at; at = json_next(reader->json, at))
        read_element(reader, at);
    record_line_moves(builder->record, line, &move_nb);
    for (const JsonValue *at = json_first(reader->json, list); at && ply <= move_nb;
         at = json_next(reader->json, at), ply++)
        if (ply >= 0)
            read_forks(reader, at, line, ply);
}

static void read_headers(const JkfReader *reader, const JsonValue *header)
{
    for (const JsonValue *at = json_first(reader->json, header); at; at = json_next(reader->json, at)) {
        Span name = at->name;
        for (int i = 0; i < TAG_NAME_NB; i++)
            if (span_is(name, TAG_NAMES[i].kif) ||
                (TAG_NAMES[i].kif_other && span_is(name, TAG_NAMES[i].kif_other)))
                name = span_of(TAG_NAMES[i].tag);
        if (at->type == JSON_STRING)
            builder_tag(reader->builder, name, at->text);
    }
}

void jkf_read(Lines *lines, Builder *builder)
{
    Json json = {0};
    Message message = {""};
    JkfReader reader = {builder, &json};
    if (!json_read_part(&json, lines->raw, &message)) {
        message_set(&builder->record->note, "JSON: %.400s; what came before is used", message.text);
        builder->record->note_at = (size_t)(lines->raw.ptr - builder->begin);
    }
    const JsonValue *root = json.value_nb ? json_root(&json) : NULL,
                    *moves = json_member(&json, root, "moves");
    if (!moves || moves->type != JSON_ARRAY) {
        builder_refuse(builder, lines->line,
                       "is JSON but no record: expected an object with header and moves");
    } else {
        read_headers(&reader, json_member(&json, root, "header"));
        read_start(&reader, json_member(&json, root, "initial"));
        read_list(&reader, moves, 1);
    }
    json_free(&json);
    while (lines->has_line)
        lines_next(lines);
}
