// SPDX-License-Identifier: GPL-3.0-or-later
// KIF, the game format of Japanese programs: headers with a wide colon, a handicap by name or a board diagram
// (BOD), one numbered line a move, variations behind the game. Comments and times are kept. Lines with moves
// as books print them, several in a line (KI2), are read too. Text arrives here as UTF-8.
#include "japanese.h"
#include "record.h"
#include "starts.h"

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
    return take_before(value, "：", name) && name->len > 0 && name->len < KIF_HEADER_MAX;
}

bool starts_with_any(Span line, const char *const *words)
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
        kif_time(builder, after);
        return;
    }
    JapaneseMove wanted;
    if (builder->is_over)
        return;
    if (!japanese_take(&s, reader->last_to, &wanted)) {
        builder_fail(builder, text, "is not a move: expected one like ７六歩(77), or an ending like 投了");
    } else {
        text.len -= s.len;
        if (builder_add(builder, japanese_find(&builder->pos, &wanted), text))
            kif_time(builder, s);
        reader->last_to = wanted.to;
    }
}

// Who is named in front of "の": 先手, 下手, 後手, 上手; -1: nobody.
static int named_side(Span text, const char *what)
{
    static const char *const NAMES[SIDE_NB][2] = {{"先手の", "下手の"}, {"後手の", "上手の"}};
    for (int i = 0; i < 2 * SIDE_NB; i++) {
        Span rest = text, before;
        if (take_before(&rest, NAMES[i / 2][i % 2], &before) && span_starts(rest, what))
            return i / 2;
    }
    return -1;
}

// The ending that a line like "まで99手で先手の勝ち" tells, as the side to move has it; NULL when it is none.
static const Ending *summed_ending(Span text, int mover)
{
    static const char *const WORDS[] = {"千日手", "持将棋", "引き分け", "最大手数", "中断",
                                        "不詰",   "詰",     "不戦敗",   "不戦勝",   NULL};
    Span rest = text, before;
    int side = named_side(text, "反則"), winner = named_side(text, "勝ち");
    if (side >= 0) {
        bool is_loss = take_before(&rest, "反則負け", &before);
        return ending_named(span_of(is_loss == (side == mover) ? "反則負け" : "反則勝ち"));
    }
    for (int i = 0; i < 3 && winner < 0; i++) {
        static const char *const DECLARED[] = {"入玉勝ち", "勝ち宣言", "宣言勝ち"};
        if (named_side(text, DECLARED[i]) == mover)
            return ending_named(span_of("入玉勝ち"));
    }
    if (winner == !mover)
        return ending_named(span_of(take_before(&rest, "時間切れ", &before) ? "切れ負け" : "投了"));
    for (const char *const *word = WORDS; winner < 0 && *word; word++)
        if (take_before(&rest, *word, &before))
            return ending_named(span_of(*word));
    return NULL;
}

// "まで99手で先手の勝ち", for files that have no line for the ending itself.
static void kif_summary(KifReader *reader, Span line)
{
    Builder *builder = reader->builder;
    Record *record = builder->record;
    kif_settle(reader);
    const Ending *ending = summed_ending(line, builder->pos.side);
    int winner = named_side(line, "勝ち");
    if (ending && !record->error.text[0] && !builder->is_refused) {
        builder_end(builder, ending, span_of(ending->kif));
    } else if (builder->line == RECORD_MAIN && !record->result_word[0] && record->result == RESULT_NONE) {
        // Whose turn it was is lost with moves that could not be read; the line names the winner.
        record->result = winner >= 0                                 ? result_of_winner(winner)
                         : ending && ending->outcome == OUTCOME_DRAW ? RESULT_DRAW
                                                                     : RESULT_NONE;
    }
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

// Headers that programs write, and that are kept here under their own names.
static bool is_usual_header(Span name)
{
    static const char *const NAMES[] = {
        "対局日",     "表題",       "秒読み",   "消費時間",   "掲載",       "先手省略名", "後手省略名",
        "記録係",     "作品番号",   "作品名",   "作者",       "発表誌",     "発表年月",   "出典",
        "手数",       "完全性",     "分類",     "受賞",       "対局ID",     "棋譜ID",     "図",
        "結末",       "先手段級",   "後手段級", "下手省略名", "上手省略名", "手合",       "開始局面",
        "目的",       "終了時間",   "開始時間", "Annotator",  "解説",       "振り駒",     "ルール",
        "先手レート", "後手レート", NULL};
    bool is_ascii = true; // tags of other files, kept under their names
    for (size_t i = 0; i < name.len; i++)
        is_ascii &= (u8)name.ptr[i] < 0x80;
    for (const char *const *known = NAMES; *known; known++)
        if (span_is(name, *known))
            return true;
    return is_ascii;
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
    bool is_known = is_usual_header(name);
    Span header = name;
    for (int i = 0; i < TAG_NAME_NB; i++)
        if (span_is(name, TAG_NAMES[i].kif) ||
            (TAG_NAMES[i].kif_other && span_is(name, TAG_NAMES[i].kif_other))) {
            header = span_of(TAG_NAMES[i].tag);
            is_known = true;
        }
    if (!is_known)
        builder_warn(builder, name,
                     "is a header that is not known here (known are 先手, 棋戦, 手合割 and so on): "
                     "it is kept as it stands");
    builder_tag(builder, header, value);
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

// The lines above a board and above the moves.
static bool is_frame(Span line)
{
    static const char *const FRAMES[] = {"手数-", "９", "9 ", "盤面の回転", NULL};
    return starts_with_any(line, FRAMES);
}

static void kif_line(KifReader *reader, Span line)
{
    Span name, value, rest = line;
    if (line.ptr[0] == '*') {
        builder_comment(reader->builder, (Span){line.ptr + 1, line.len - 1});
    } else if (span_starts(line, "変化：") || span_starts(line, "変化:")) {
        kif_variation(reader, line);
    } else if (line.ptr[0] == '&') {
        builder_bookmark(reader->builder, (Span){line.ptr + 1, line.len - 1});
    } else if (memchr("#+", line.ptr[0], 2)) {
        return;
    } else if (is_list_line(line)) {
        kif_list_line(reader, line);
    } else if (line.ptr[0] >= '0' && line.ptr[0] <= '9') {
        kif_move_line(reader, line);
    } else if (span_starts(line, "まで")) {
        kif_summary(reader, line);
    } else if (reader->has_moves) {
        builder_warn(
            reader->builder, line,
            "is neither a move, a comment (*), a variation (変化：) nor an ending (まで): it is left out");
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
    } else if (!is_frame(line)) {
        builder_warn(
            reader->builder, line,
            "is no line of a KIF file: expected a header (名前：値), a board or a move; it is left out");
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
