// SPDX-License-Identifier: GPL-3.0-or-later
// What a program has found, in comments as the programs of Japan read them. Inside a record it stands as in
// other game files, [%eval 0.61] [%depth 12] [%pv 7g7f 3c3d], our remark behind it; in KIF, KI2 and CSA it is
// a line each: #評価値=61, #深さ=12, #読み筋=▲７六歩△３四歩, #詰み=先手勝ち:7手, and #エンジン=Twofold
// VERSION, by which it is known again. Scores are from Black's view. Invariant: what is written so is read as
// it was.
#include <stdlib.h>

#include "record.h"

static const char ENGINE[] = "#エンジン=Twofold";

typedef struct Finding {
    Span eval, depth, line; // empty: not told
} Finding;

// ---- as commands --------------------------------------------------------------------------------
void record_add_search(const Position *pos, int depth, const Move *line, int nb, Text *out)
{
    Text moves = {0};
    line_print_from(pos, line, nb, (LineStyle){0}, &moves);
    if (depth > 0)
        text_add(out, " [%%depth %d]", depth);
    if (moves.len)
        text_add(out, " [%%pv %s]", moves.ptr);
    text_free(&moves);
}

// Takes "[%name value]" and the blanks before it off the front.
static bool take_command(Span *rest, const char *name, Span *value)
{
    Span at = *rest;
    char head[16];
    snprintf(head, sizeof head, "[%%%s ", name);
    span_skip_spaces(&at);
    const char *end = span_starts(at, head) ? memchr(at.ptr, ']', at.len) : NULL;
    if (!end)
        return false;
    *value = (Span){at.ptr + strlen(head), (size_t)(end - at.ptr) - strlen(head)};
    *rest = (Span){end + 1, (size_t)(at.ptr + at.len - end) - 1};
    return true;
}

// ---- writing ------------------------------------------------------------------------------------
static void write_score(const char *sign, Span eval, const Position *pos, Text *out)
{
    i64 moves;
    double pawns;
    if (eval.len > 1 && *eval.ptr == '#' && span_int((Span){eval.ptr + 1, eval.len - 1}, -999, 999, &moves)) {
        int winner = moves > 0 ? BLACK : WHITE;
        int plies = 2 * (int)(moves > 0 ? moves : -moves) - (pos->side == winner);
        text_add(out, "%s#詰み=%s勝ち:%d手\n", sign, winner == BLACK ? "先手" : "後手", plies);
    } else if (span_real(eval, -100000, 100000, &pawns)) {
        text_add(out, "%s#評価値=%d\n", sign, (int)(pawns * 100 + (pawns < 0 ? -0.5 : 0.5)));
    }
}

static void write_moves(const char *sign, Span line, const Position *start, int last_to, Text *out)
{
    Position pos = *start;
    text_add(out, "%s#読み筋=", sign);
    for (Span word; (word = span_word(&line)).len;) {
        char text[JAPANESE_MOVE_MAX];
        Move move = move_parse(&pos, word);
        if (move == MOVE_NONE)
            break;
        japanese_print(&pos, move, last_to, text);
        text_add(out, "%s%s", pos.side == BLACK ? "▲" : "△", text);
        last_to = move_to(move);
        pos = pos_after(&pos, move);
    }
    text_add(out, "\n");
}

static void write_lines(const char *sign, Span text, Text *out)
{
    Span line;
    while (span_line(&text, &line))
        text_add(out, "%s%.*s\n", sign, (int)line.len, line.ptr);
}

void write_analysed(const char *sign, const char *comment, const Position *pos, int last_to, Text *out)
{
    const char *at = strstr(comment, "[%eval ");
    Span rest = span_of(at ? at : ""), mark = {0};
    Finding found = {0};
    if (!at || !take_command(&rest, "eval", &found.eval)) {
        write_comment(sign, comment, out);
        return;
    }
    take_command(&rest, "depth", &found.depth);
    take_command(&rest, "pv", &found.line);
    Span before = {comment, (size_t)(at - comment)};
    while (before.len && before.ptr[before.len - 1] == ' ')
        before.len--;
    write_lines(sign, before, out);
    write_score(sign, found.eval, pos, out);
    if (found.depth.len)
        text_add(out, "%s#深さ=%.*s\n", sign, (int)found.depth.len, found.depth.ptr);
    if (found.line.len)
        write_moves(sign, found.line, pos, last_to, out);
    text_add(out, "%s%s " TWOFOLD_VERSION, sign, ENGINE);
    if (take_command(&rest, "twofold", &mark))
        text_add(out, " [%%twofold %.*s]", (int)mark.len, mark.ptr);
    text_add(out, "\n");
    span_take(&rest, " ");
    write_lines(sign, rest, out);
}

// ---- reading ------------------------------------------------------------------------------------
static bool is_key(Span line)
{
    static const char *const KEYS[] = {"#評価値=", "#詰み=", "#深さ=", "#読み筋=", NULL};
    return starts_with_any(line, KEYS);
}

static void read_score(Span value, bool is_mate, Text *out)
{
    i64 number = 0;
    if (!is_mate && span_int(value, -10000000, 10000000, &number)) {
        i64 size = number < 0 ? -number : number;
        text_add(out, "[%%eval %s%lld.%02lld]", number < 0 ? "-" : "", (long long)(size / 100),
                 (long long)(size % 100));
        return;
    }
    bool is_black = span_take(&value, "先手勝ち:"), is_white = !is_black && span_take(&value, "後手勝ち:");
    Span plies = {value.ptr, value.len >= 3 ? value.len - 3 : 0}; // without 手
    if ((is_black || is_white) && span_int(plies, 1, 9999, &number))
        text_add(out, "[%%eval #%s%lld]", is_white ? "-" : "", (long long)((number + 1) / 2));
}

static void read_moves(Span value, const Position *start, int last_to, Text *out)
{
    Position pos = *start;
    const size_t begin = out->len;
    for (JapaneseMove wanted; value.len; last_to = wanted.to) {
        char text[MOVE_TEXT_MAX];
        japanese_side(&value);
        Move move = japanese_take(&value, last_to, &wanted) ? japanese_find(&pos, &wanted) : MOVE_NONE;
        if (move == MOVE_NONE)
            break;
        move_print(&pos, move, text);
        text_add(out, "%s%s", out->len == begin ? " [%pv " : " ", text);
        pos = pos_after(&pos, move);
    }
    if (out->len > begin)
        text_add(out, "]");
}

// One line of the block, as a command.
static void read_key(Span line, const Position *pos, int last_to, Text *out)
{
    if (span_take(&line, "#評価値="))
        read_score(line, false, out);
    else if (span_take(&line, "#詰み="))
        read_score(line, true, out);
    else if (span_take(&line, "#深さ="))
        text_add(out, " [%%depth %.*s]", (int)line.len, line.ptr);
    else if (span_take(&line, "#読み筋="))
        read_moves(line, pos, last_to, out);
}

// The comment with our lines as commands; NULL when it has none of ours, or there is no memory.
static char *read_comment(const char *comment, const Position *pos, int last_to)
{
    Span rest = span_of(comment ? comment : ""), line;
    Text out = {0}, block = {0};
    bool is_behind = false, has_engine = false, has_block = false;
    if (!comment || !strstr(comment, ENGINE))
        return NULL;
    while (span_line(&rest, &line)) {
        if (!has_engine && is_key(line)) {
            read_key(line, pos, last_to, &block);
            has_block = true;
        } else if (!has_engine && has_block && span_starts(line, ENGINE)) {
            const char *mark = memchr(line.ptr, '[', line.len);
            text_add(&out, "%s%s", out.len ? " " : "", block.len ? block.ptr : "");
            if (mark)
                text_add(&out, "%s%.*s", out.len ? " " : "", (int)(line.ptr + line.len - mark), mark);
            has_engine = is_behind = true;
        } else {
            text_add(&out, "%s%.*s", !out.len ? "" : is_behind ? " " : "\n", (int)line.len, line.ptr);
            is_behind = false;
        }
    }
    text_free(&block);
    if (!has_engine || out.failed)
        text_free(&out);
    return out.ptr;
}

static void take_comment(char **comment, const Position *pos, int last_to)
{
    char *read = read_comment(*comment, pos, last_to);
    if (!read)
        return;
    free(*comment);
    *comment = read;
}

void read_analysed(Record *record)
{
    take_comment(&record->comment, &record->start, -1);
    for (int line = RECORD_MAIN; line < record->line_nb; line++) {
        Position pos = record_line_position(record, line, 0);
        RecordMove *moves = line == RECORD_MAIN ? record->move : record->line[line].move;
        int nb;
        record_line_moves(record, line, &nb);
        for (int i = 0; i < nb; i++) {
            pos = pos_after(&pos, moves[i].move);
            take_comment(&moves[i].comment, &pos, moves[i].move == MOVE_NULL ? -1 : move_to(moves[i].move));
        }
    }
}
