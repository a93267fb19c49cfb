// SPDX-License-Identifier: GPL-3.0-or-later
// KIF, the game format of Japanese programs: headers with a wide colon, a handicap by name or a board diagram
// (BOD), one numbered line a move, variations behind the game. Comments and times are kept. Lines with moves
// as books print them, several in a line (KI2), are read too. Text arrives here as UTF-8.
#include "japanese.h"
#include "record.h"
#include "starts.h"

enum { HEADER_NAME_MAX = 48 };

typedef struct KifReader {
    Builder *builder;
    Setup setup;
    int rank_nb;    // of a board diagram, seen so far
    bool has_setup; // a handicap or the first line of a diagram has been seen
    bool has_moves; // the position is settled
    bool in_variation;
    int last_to;               // for "same square"; -1: none
    char unknown_handicap[64]; // its name; an error unless a diagram tells the position
} KifReader;

// ---- small words --------------------------------------------------------------------------------
// A number as hands have it ("四", "十", "十七") or in plain digits; `none` when there is none.
static int kif_number(Span *s, int none)
{
    int value = 0;
    bool any = false, has_ten = false;
    for (int digit; value < 10000; any = true) {
        if (span_take(s, "十"))
            value = value ? value * 10 : 10, has_ten = true;
        else if ((digit = japanese_digit(s)) >= 0)
            value = has_ten ? value + digit : value * 10 + digit;
        else
            break;
    }
    return any ? value : none;
}

// Takes what stands before the first `mark` off the front, the mark too; false when it is not there.
static bool take_before(Span *s, const char *mark, Span *before)
{
    for (size_t i = 0; i + strlen(mark) <= s->len; i++) {
        if (memcmp(s->ptr + i, mark, strlen(mark)) != 0)
            continue;
        *before = (Span){s->ptr, i};
        s->ptr += i + strlen(mark);
        s->len -= i + strlen(mark);
        return true;
    }
    return false;
}

static bool take_header(Span line, Span *name, Span *value)
{
    *value = line;
    return take_before(value, "：", name) && name->len > 0 && name->len < HEADER_NAME_MAX;
}

static bool starts_with_any(Span line, const char *const *words)
{
    for (; *words; words++)
        if (span_starts(line, *words))
            return true;
    return false;
}

// ---- position -----------------------------------------------------------------------------------
static void kif_handicap(KifReader *reader, Span name)
{
    if (reader->rank_nb) // a diagram says more than a name
        return;
    int row = handicap_named(name);
    if (row < HANDICAP_NB) {
        char sfen[TEXT_MAX];
        handicap_print(row, sfen);
        reader->has_setup = setup_from(&reader->setup, sfen);
        return;
    }
    span_copy(name, reader->unknown_handicap, sizeof reader->unknown_handicap);
}

static void kif_hand(KifReader *reader, int side, Span s)
{
    memset(reader->setup.hand[side], 0, sizeof reader->setup.hand[side]);
    for (span_skip_spaces(&s); s.len && !span_starts(s, "なし"); span_skip_spaces(&s)) {
        int kind = japanese_kind(&s);
        if (kind == NO_KIND || kind > GOLD) {
            builder_refuse(reader->builder, s, "is no piece of a hand");
            return;
        }
        reader->setup.hand[side][kind] = min_int(kif_number(&s, 1), 99);
    }
}

// "|v香v桂 ・ ... |一": nine cells, each a sign for the side and a piece.
static void kif_rank(KifReader *reader, Span line)
{
    Span s = line;
    bool ok = span_take(&s, "|");
    if (reader->rank_nb == 0)
        memset(reader->setup.board, 0, sizeof reader->setup.board);
    reader->has_setup = true;
    int rank = ++reader->rank_nb;
    for (int file = 9; ok && rank <= 9 && file >= 1; file--) {
        bool is_white = span_take(&s, "v") || span_take(&s, "V") || span_take(&s, "ｖ");
        if (!is_white && !span_take(&s, "^"))
            span_take(&s, " ");
        int kind = japanese_kind(&s);
        reader->setup.board[square_make(file, rank)] = (u8)(kind ? piece_make(is_white, kind) : 0);
        ok = kind || (!is_white && (span_take(&s, "・") || span_take(&s, "･") || span_take(&s, ".") ||
                                    span_take(&s, "　")));
    }
    if (!ok || rank > 9 || !span_starts(s, "|"))
        builder_refuse(reader->builder, line, "is not a rank of a board");
}

// The position is complete: what follows are moves.
static void kif_settle(KifReader *reader)
{
    if (reader->has_moves)
        return;
    reader->has_moves = true;
    if (reader->has_setup)
        builder_settle(reader->builder, &reader->setup);
    else if (reader->unknown_handicap[0])
        builder_refuse(reader->builder, span_of(reader->unknown_handicap),
                       "is a handicap that is not known here");
}

// ---- moves --------------------------------------------------------------------------------------
// "( 0:16/00:00:16)": minutes and seconds, or hours too.
static void kif_time(Builder *builder, Span s)
{
    i64 parts = 0, seconds = 0, value;
    span_skip_spaces(&s);
    if (!span_take(&s, "("))
        return;
    while (parts < 3) {
        span_skip_spaces(&s);
        Span number = {s.ptr, 0};
        while (s.len && s.ptr[0] >= '0' && s.ptr[0] <= '9')
            s.ptr++, s.len--, number.len++;
        if (!span_int(number, 0, 99999, &value))
            return;
        seconds = seconds * 60 + value;
        parts++;
        if (!span_take(&s, ":"))
            break;
    }
    builder_time(builder, seconds * 1000);
}

static void kif_move_line(KifReader *reader, Span line)
{
    Builder *builder = reader->builder;
    kif_settle(reader);
    if (builder->is_refused) {
        builder_comment(builder, line);
        return;
    }
    if (builder->is_over && (builder->record->result_word[0] || reader->in_variation))
        return;
    Span s = line, number = {line.ptr, 0};
    while (s.len && s.ptr[0] >= '0' && s.ptr[0] <= '9')
        s.ptr++, s.len--, number.len++;
    if (builder->record->move_nb == 0 && builder->line == RECORD_MAIN)
        span_int(number, 1, 9999, &builder->first_number);
    span_skip_spaces(&s);
    Span text = s, after = s;
    while (after.len && !memchr(" \t(", after.ptr[0], 3) && !span_starts(after, "　"))
        after.ptr++, after.len--;
    Span word = {s.ptr, s.len - after.len};
    const Ending *ending = ending_named(word);
    if (ending) {
        builder_end(builder, ending, word);
        return;
    }
    JapaneseMove wanted;
    if (builder->is_over)
        return;
    if (!japanese_take(&s, reader->last_to, &wanted)) {
        builder_fail(builder, text, "is not a move");
    } else {
        text.len -= s.len;
        if (builder_add(builder, japanese_find(&builder->pos, &wanted), text))
            kif_time(builder, s);
        reader->last_to = wanted.to;
    }
}

// "まで99手で先手の勝ち", for files that have no line for the ending itself.
static void kif_summary(KifReader *reader, Span line)
{
    Builder *builder = reader->builder;
    Record *record = builder->record;
    Span before, rest = line;
    kif_settle(reader);
    bool black = take_before(&rest, "先手の勝ち", &before) || take_before(&rest, "下手の勝ち", &before);
    bool white = take_before(&rest, "後手の勝ち", &before) || take_before(&rest, "上手の勝ち", &before);
    bool draw = take_before(&rest, "千日手", &before) || take_before(&rest, "持将棋", &before);
    if (!record->result_word[0] && record->result == RESULT_NONE)
        record->result = black   ? RESULT_FIRST_WINS
                         : white ? RESULT_SECOND_WINS
                         : draw  ? RESULT_DRAW
                                 : RESULT_NONE;
    builder->is_over = true;
}

// "手数＝24  ▲９九香  まで": the number of the last move of a diagram, and the square that "same" means after
// it.
static void kif_number_line(KifReader *reader, Span s)
{
    reader->setup.number = kif_number(&s, 0) + 1;
    span_skip_spaces(&s);
    if (japanese_side(&s) < 0)
        return;
    int file = japanese_digit(&s), rank = japanese_digit(&s);
    if (file >= 1 && rank >= 1)
        reader->last_to = square_make(file, rank);
}

// ---- lines --------------------------------------------------------------------------------------
// "12." before a move; a number without a point belongs to the move.
static void skip_list_number(Span *s)
{
    Span at = *s;
    size_t digits = 0;
    while (digits < at.len && at.ptr[digits] >= '0' && at.ptr[digits] <= '9')
        digits++;
    if (digits == 0 || digits >= at.len || at.ptr[digits] != '.')
        return;
    while (digits < at.len && at.ptr[digits] == '.')
        digits++;
    *s = (Span){at.ptr + digits, at.len - digits};
    span_skip_spaces(s);
}

// Does the line begin with a move as books print it, "▲７六歩", with or without the sign of its side?
static bool is_list_line(Span line)
{
    JapaneseMove move;
    skip_list_number(&line);
    bool has_side = japanese_side(&line) >= 0;
    span_skip_spaces(&line);
    Span at = line;
    return japanese_take(&at, 0, &move) ||
           (has_side && (japanese_digit(&line) >= 1 || span_starts(line, "同")));
}

// Takes one move, or the word for an ending, off the line; what is neither is the error of the record.
static void kif_list_move(KifReader *reader, Span *s)
{
    Builder *builder = reader->builder;
    Span text = *s, rest = *s;
    JapaneseMove wanted;
    const Ending *ending = ending_named(span_word(&rest));
    if (ending) {
        builder_end(builder, ending, (Span){s->ptr, s->len - rest.len});
        return;
    }
    int side = japanese_side(s);
    span_skip_spaces(s);
    bool is_move = japanese_take(s, reader->last_to, &wanted);
    text.len -= s->len;
    if (!is_move) {
        builder_fail(builder, text.len ? text : *s, "is not a move");
    } else if (side >= 0 && side != builder->pos.side) {
        builder_fail(builder, text, "is a move of the side that is not to move");
    } else {
        builder_add(builder, japanese_find(&builder->pos, &wanted), text);
        reader->last_to = wanted.to;
    }
}

static void kif_list_line(KifReader *reader, Span s)
{
    if (reader->builder->is_refused) {
        builder_comment(reader->builder, s);
        return;
    }
    kif_settle(reader);
    reader->builder->record->format = "ki2";
    for (span_skip_spaces(&s); s.len && !reader->builder->is_over; span_skip_spaces(&s)) {
        skip_list_number(&s);
        if (s.len)
            kif_list_move(reader, &s);
    }
}

// Is it a header that does not belong to the game under way?
static bool kif_starts_next(const KifReader *reader, Span line)
{
    Span name, value;
    // Diagrams without moves follow each other too.
    if (reader->rank_nb >= 9 && (span_starts(line, "後手の持駒") || span_starts(line, "上手の持駒")))
        return true;
    if (!reader->has_moves)
        return false;
    if (span_starts(line, "#KIF") || span_starts(line, "# ---"))
        return true;
    return line.ptr[0] != '*' && take_header(line, &name, &value) && !span_starts(line, "変化");
}

static void kif_header(KifReader *reader, Span name, Span value)
{
    Builder *builder = reader->builder;
    bool is_white = span_starts(name, "後手") || span_starts(name, "上手");
    Span before, rest = name;
    if (take_before(&rest, "の持駒", &before) || take_before(&rest, "の持ち駒", &before)) {
        kif_hand(reader, is_white, value);
        return;
    }
    value = span_trim(value);
    if (span_is(name, "手合割")) {
        // Some programs leave wide blanks behind the name.
        while (value.len >= 3 && memcmp(value.ptr + value.len - 3, "　", 3) == 0)
            value.len -= 3;
        kif_handicap(reader, value);
        return;
    }
    for (int i = 0; i < TAG_NAME_NB; i++)
        if (span_is(name, TAG_NAMES[i].kif) ||
            (TAG_NAMES[i].kif_other && span_is(name, TAG_NAMES[i].kif_other)))
            name = span_of(TAG_NAMES[i].tag);
    builder_tag(builder, name, value);
}

// "変化：12手"
static void kif_variation(KifReader *reader, Span line)
{
    Span s = line;
    kif_settle(reader);
    reader->in_variation = true;
    if (!span_take(&s, "変化："))
        span_take(&s, "変化:");
    span_skip_spaces(&s);
    builder_variation(reader->builder, kif_number(&s, 0), line);
    reader->last_to = builder_last_to(reader->builder);
}

static void kif_line(KifReader *reader, Span line)
{
    Span name, value, rest = line;
    if (line.ptr[0] == '*') {
        builder_comment(reader->builder, (Span){line.ptr + 1, line.len - 1});
    } else if (span_starts(line, "変化：") || span_starts(line, "変化:")) {
        kif_variation(reader, line);
    } else if (memchr("#&+", line.ptr[0], 3)) {
        return;
    } else if (is_list_line(line)) {
        kif_list_line(reader, line);
    } else if (line.ptr[0] >= '0' && line.ptr[0] <= '9') {
        kif_move_line(reader, line);
    } else if (span_starts(line, "まで")) {
        if (!reader->in_variation)
            kif_summary(reader, line);
    } else if (reader->has_moves) {
        return;
    } else if (line.ptr[0] == '|') {
        kif_rank(reader, line);
    } else if (span_starts(line, "後手番") || span_starts(line, "上手番")) {
        reader->setup.side = WHITE;
    } else if (span_starts(line, "先手番") || span_starts(line, "下手番")) {
        reader->setup.side = BLACK;
    } else if (span_take(&rest, "手数＝") || span_take(&rest, "手数=")) {
        kif_number_line(reader, rest);
    } else if (take_header(line, &name, &value)) {
        kif_header(reader, name, value);
    }
}

bool kif_begins(Span line)
{
    static const char *const FIRST[] = {"#KIF",   "手数-",  "|",      "*",    "+-",
                                        "後手番", "先手番", "手数＝", "まで", NULL};
    Span name, value;
    span_skip_spaces(&line);
    if (line.len == 0)
        return false;
    if (starts_with_any(line, FIRST) || take_header(line, &name, &value) || is_list_line(line))
        return true;
    // A board diagram's line of files, or a move.
    int first = japanese_digit(&line);
    if (first == 9)
        return true;
    while (line.len && line.ptr[0] >= '0' && line.ptr[0] <= '9')
        line.ptr++, line.len--;
    span_skip_spaces(&line);
    JapaneseMove move;
    return first >= 0 && japanese_take(&line, 0, &move);
}

void kif_read(Lines *lines, Builder *builder)
{
    KifReader reader = {.builder = builder, .setup = {.number = 1}, .last_to = -1};
    for (; lines->has_line; lines_next(lines)) {
        Span line = lines->line;
        bool is_comment = span_starts(line, "*");
        if (!is_comment)
            span_skip_spaces(&line);
        if (line.len == 0)
            continue;
        if (kif_starts_next(&reader, line))
            break;
        kif_line(&reader, line);
    }
    kif_settle(&reader);
}

// ---- writing ------------------------------------------------------------------------------------
static void kif_write_hand(const Position *pos, int side, Text *out)
{
    text_add(out, "%s手の持駒：", side == BLACK ? "先" : "後");
    static const u8 ORDER[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
    for (size_t i = 0; i < sizeof ORDER; i++) {
        int count = hand_count(pos->hand[side], ORDER[i]);
        if (count == 0)
            continue;
        text_add(out, "%s", PIECE_NAMES[ORDER[i]].kanji);
        if (count >= 10)
            text_add(out, "十");
        if (count > 1 && count != 10)
            text_add(out, "%s", KANJI_DIGITS[count % 10]);
        text_add(out, "　");
    }
    text_add(out, "%s\n", pos->hand[side] ? "" : "なし");
}

static void kif_write_board(const Position *pos, Text *out)
{
    kif_write_hand(pos, WHITE, out);
    text_add(out, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for (int rank = 1; rank <= 9; rank++) {
        text_add(out, "|");
        for (int file = 9; file >= 1; file--) {
            int piece = pos->board[square_make(file, rank)];
            text_add(out, "%s%s", piece_side(piece) == WHITE ? "v" : " ",
                     piece ? PIECE_NAMES[piece_kind(piece)].kanji : "・");
        }
        text_add(out, "|%s\n", KANJI_DIGITS[rank]);
    }
    text_add(out, "+---------------------------+\n");
    kif_write_hand(pos, BLACK, out);
    if (pos->side == WHITE)
        text_add(out, "後手番\n");
    if (pos_game_ply(pos) > 0)
        text_add(out, "手数＝%d\n", pos_game_ply(pos));
}

// The players of a game with a handicap are not called first and second: the one who gives it moves first.
static const char *side_name(int side, int handicap)
{
    bool is_handicap = handicap > 0 && handicap < HANDICAP_NB;
    return side == BLACK ? (is_handicap ? "下手" : "先手") : is_handicap ? "上手" : "後手";
}

// Would a line that begins with the name be read as a header, and as no other line?
static bool is_tag_name(const char *name)
{
    static const char *const OTHERS[] = {"変化",   "まで",   "手数",   "手合割", "後手番",
                                         "上手番", "先手番", "下手番", " ",      "　",
                                         "後手の", "先手の", "上手の", "下手の", NULL};
    static const char *const INSIDE[] = {"：", "の持", "\n", "\r", NULL};
    Span text = span_of(name);
    if (text.len == 0 || text.len >= HEADER_NAME_MAX || strchr("0123456789*#&+|'", name[0]) ||
        starts_with_any(text, OTHERS))
        return false;
    for (const char *const *inside = INSIDE; *inside; inside++)
        if (strstr(name, *inside))
            return false;
    return true;
}

static void kif_write_tags(const Record *record, int handicap, Text *out)
{
    for (int i = 0; i < record->tag_nb; i++) {
        const char *name = record->tag[i].name;
        for (int n = 0; n < TAG_NAME_NB; n++)
            if (strcmp(record->tag[i].name, TAG_NAMES[n].tag) == 0)
                name = TAG_NAMES[n].kif;
        for (int side = 0; side < SIDE_NB; side++)
            if (strcmp(name, side_name(side, 0)) == 0)
                name = side_name(side, handicap);
        if (!is_tag_name(name))
            continue;
        text_add(out, "%s：", name);
        write_tag_value(&record->tag[i], out);
        text_add(out, "\n");
    }
}

static void kif_write_move(const Position *pos, Move move, int last_to, Text *out)
{
    int to = move_to(move);
    if (to == last_to)
        text_add(out, "同　");
    else
        text_add(out, "%s%s", WIDE_DIGITS[square_file(to)], KANJI_DIGITS[square_rank(to)]);
    text_add(out, "%s", PIECE_NAMES[piece_kind(move_piece(pos, move))].written);
    if (move_is_drop(move))
        text_add(out, "打");
    else
        text_add(out, "%s(%d%d)", move_is_promotion(move) ? "成" : "", square_file(move_from(move)),
                 square_rank(move_from(move)));
}

static void kif_write_marks(const RecordMove *move, Text *out)
{
    for (int i = -1; i < RECORD_GLYPH_MAX; i++) {
        const char *mark = record_mark_text(i < 0 ? move->mark : move->glyph[i]);
        if (mark[0])
            text_add(out, "*[%s]\n", mark);
    }
}

static void kif_write_time(i64 time_ms, i64 total_ms, Text *out)
{
    long long s = time_ms / 1000, t = total_ms / 1000;
    text_add(out, " (%2lld:%02lld/%02lld:%02lld:%02lld)\n", s / 60, s % 60, t / 3600, t / 60 % 60, t % 60);
}

static void kif_write_ending(const Record *record, int side, int handicap, i64 total_ms, Text *out)
{
    int moves = record->move_nb;
    const Ending *ending = ending_of(record, side);
    if (ending) {
        text_add(out, "%4d %s", moves + 1, ending->kif);
        kif_write_time(0, total_ms, out);
    }
    int winner = result_winner(record->result);
    if (winner >= 0)
        text_add(out, "まで%d手で%sの勝ち\n", moves, side_name(winner, handicap));
    else if (ending)
        text_add(out, "まで%d手で%s\n", moves, ending->kif);
}

// A line being written: the position and what is known of the moves so far.
typedef struct KifLine {
    Position pos;
    i64 total_ms[SIDE_NB];
    int last_to;
    int number; // of the next move
} KifLine;

static void kif_write_line(const Record *record, int line, KifLine *at, Text *out)
{
    int move_nb;
    const RecordMove *moves = record_line_moves(record, line, &move_nb);
    for (int i = 0; i < move_nb; i++) {
        const RecordMove *move = &moves[i];
        i64 *total = &at->total_ms[at->pos.side];
        text_add(out, "%4d ", at->number++);
        if (move->move == MOVE_NULL)
            text_add(out, "パス");
        else
            kif_write_move(&at->pos, move->move, at->last_to, out);
        *total += move->time_ms;
        kif_write_time(move->time_ms, *total, out);
        kif_write_marks(move, out);
        if (move->comment)
            write_comment("*", move->comment, out);
        at->last_to = move->move == MOVE_NULL ? -1 : move_to(move->move);
        at->pos = pos_after(&at->pos, move->move);
    }
}

// Brings `at` from the start to the place where a variation begins.
static void kif_walk_to(const Record *record, int line, int ply, KifLine *at)
{
    if (line != RECORD_MAIN)
        kif_walk_to(record, record->line[line].parent, record->line[line].ply, at);
    int move_nb;
    const RecordMove *moves = record_line_moves(record, line, &move_nb);
    for (int i = 0; i < ply; i++) {
        at->total_ms[at->pos.side] += moves[i].time_ms;
        at->last_to = move_to(moves[i].move);
        at->pos = pos_after(&at->pos, moves[i].move);
        at->number++;
    }
}

// The variations of a line, the last place first: so each leaves the line written before it, or one that this
// one leaves.
static void kif_write_variations(const Record *record, int line, Text *out)
{
    int move_nb;
    record_line_moves(record, line, &move_nb);
    for (int ply = move_nb; ply >= 0; ply--) {
        for (int i = record_first_line(record, line, ply); i >= 0; i = record->line[i].next - 1) {
            const RecordLine *variation = &record->line[i];
            KifLine at = {.pos = record->start, .last_to = -1, .number = 1};
            kif_walk_to(record, line, ply, &at);
            text_add(out, "\n変化：%d手\n", at.number);
            if (variation->comment)
                write_comment("*", variation->comment, out);
            kif_write_line(record, i, &at, out);
            if (variation->ending) {
                const Ending *ending = ending_named(span_of(variation->ending));
                text_add(out, "%4d %s", at.number, ending ? ending->kif : variation->ending);
                kif_write_time(0, at.total_ms[at.pos.side], out);
            }
            kif_write_variations(record, i, out);
        }
    }
}

void kif_write(const Record *record, Text *out)
{
    int handicap = handicap_of(&record->start);
    text_add(out, "#KIF version=2.0 encoding=UTF-8\n");
    kif_write_tags(record, handicap, out);
    if (handicap < HANDICAP_NB)
        text_add(out, "手合割：%s\n", handicap_name(handicap));
    else
        kif_write_board(&record->start, out);
    text_add(out, "手数----指手---------消費時間--\n");
    if (record->comment)
        write_comment("*", record->comment, out);
    KifLine at = {.pos = record->start, .last_to = -1, .number = 1};
    kif_write_line(record, RECORD_MAIN, &at, out);
    kif_write_ending(record, at.pos.side, handicap, at.total_ms[at.pos.side], out);
    kif_write_variations(record, RECORD_MAIN, out);
}
