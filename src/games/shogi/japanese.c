// SPDX-License-Identifier: GPL-3.0-or-later
// Reading moves as Japanese write them: the square (or "the same"), the piece, which of several men is meant,
// promotion, drop: ▲７六歩, 同銀, ５八金右, ３三桂成, ５五角打. Digits may be wide, plain or kanji.
#include "japanese.h"

#include "bitboard.h"
#include "record.h"

const char WIDE_DIGITS[10][4] = {"０", "１", "２", "３", "４", "５", "６", "７", "８", "９"};
const char KANJI_DIGITS[10][4] = {"〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"};

// ---- small words --------------------------------------------------------------------------------
bool span_take(Span *s, const char *prefix)
{
    if (!span_starts(*s, prefix))
        return false;
    s->ptr += strlen(prefix);
    s->len -= strlen(prefix);
    return true;
}

void span_skip_spaces(Span *s)
{
    while (span_take(s, " ") || span_take(s, "\t") || span_take(s, "　"))
        ;
}

int japanese_digit(Span *s)
{
    for (int digit = 0; digit <= 9; digit++) {
        char plain[2] = {(char)('0' + digit), '\0'};
        if (span_take(s, plain) || span_take(s, WIDE_DIGITS[digit]) || span_take(s, KANJI_DIGITS[digit]))
            return digit;
    }
    return -1;
}

// Two-sign names go first: 成香 is not a promotion.
int japanese_kind(Span *s)
{
    static const struct {
        const char *name;
        u8 kind;
    } OTHER[] = {{"王", KING}, {"竜", DRAGON}};
    for (int kind = PROMOTED_LANCE; kind <= PROMOTED_SILVER; kind++)
        if (span_take(s, PIECE_NAMES[kind].written))
            return kind;
    for (int kind = PAWN; kind < KIND_NB; kind++)
        if (span_take(s, PIECE_NAMES[kind].kanji))
            return kind;
    for (size_t i = 0; i < sizeof OTHER / sizeof OTHER[0]; i++)
        if (span_take(s, OTHER[i].name))
            return OTHER[i].kind;
    return NO_KIND;
}

int japanese_side(Span *s)
{
    if (span_take(s, "▲") || span_take(s, "☗"))
        return BLACK;
    return span_take(s, "△") || span_take(s, "▽") || span_take(s, "☖") ? WHITE : -1;
}

// ---- reading ------------------------------------------------------------------------------------
// Which of several men: by where it stands, or by how it moves. As the mover sees it.
enum { HOW_RIGHT = 1, HOW_LEFT = 2, HOW_STRAIGHT = 4, HOW_UP = 8, HOW_SIDEWAYS = 16, HOW_BACK = 32 };

static u8 take_how(Span *s)
{
    static const struct {
        const char *sign;
        u8 how;
    } SIGNS[] = {{"右", HOW_RIGHT}, {"左", HOW_LEFT}, {"直", HOW_STRAIGHT}, {"上", HOW_UP},
                 {"行", HOW_UP},    {"入", HOW_UP},   {"寄", HOW_SIDEWAYS}, {"引", HOW_BACK}};
    u8 how = 0;
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++)
        if (span_take(s, SIGNS[i].sign))
            how |= SIGNS[i].how;
    return how;
}

bool japanese_take(Span *s, int last_to, JapaneseMove *out)
{
    *out = (JapaneseMove){.from = -1};
    if (span_take(s, "同")) {
        out->to = last_to;
    } else {
        int file = japanese_digit(s), rank = japanese_digit(s);
        out->to = file >= 1 && rank >= 1 ? square_make(file, rank) : -1;
    }
    span_skip_spaces(s);
    out->kind = japanese_kind(s);
    if (out->to < 0 || out->kind == NO_KIND)
        return false;
    out->how = take_how(s);
    out->promotes = !span_take(s, "不成") && !span_take(s, "生") && span_take(s, "成");
    out->is_drop = span_take(s, "打");
    if (span_take(s, "(")) {
        int file = japanese_digit(s), rank = japanese_digit(s);
        if (file < 1 || rank < 1 || !span_take(s, ")"))
            return false;
        out->from = square_make(file, rank);
    }
    return true;
}

// How far the man goes forward, and how far to the right of the square it starts: as the mover sees it.
static int steps_up(int side, Move move)
{
    int up = sq_rank(move_from(move)) - sq_rank(move_to(move));
    return side == BLACK ? up : -up;
}

static int steps_right(int side, Move move)
{
    int right = sq_file(move_to(move)) - sq_file(move_from(move));
    return side == BLACK ? right : -right;
}

static bool moves_so(int side, Move move, u8 how)
{
    int up = steps_up(side, move), right = steps_right(side, move);
    return (!(how & HOW_UP) || up > 0) && (!(how & HOW_BACK) || up < 0) &&
           (!(how & HOW_SIDEWAYS) || up == 0) && (!(how & HOW_STRAIGHT) || (up > 0 && right == 0));
}

// Of the men that can go there, the one that stands furthest to that side; MOVE_NONE when two stand so.
static Move outermost(int side, const Move *list, int nb, u8 how)
{
    Move best = MOVE_NONE;
    int most = INT32_MIN, most_nb = 0;
    for (int i = 0; i < nb; i++) {
        int right = steps_right(side, list[i]), value = how & HOW_LEFT ? -right : right;
        if (value > most)
            most = value, most_nb = 0, best = list[i];
        most_nb += value == most;
    }
    return most_nb == 1 ? best : MOVE_NONE;
}

Move japanese_find(const Position *pos, const JapaneseMove *wanted)
{
    Move list[MAX_MOVES], fits[MAX_MOVES], drop = MOVE_NONE;
    const Move *end = gen_all(pos, list);
    int nb = 0;
    for (const Move *m = list; m < end; m++) {
        if (move_to(*m) != wanted->to || piece_kind(move_piece(pos, *m)) != wanted->kind)
            continue;
        if (move_is_drop(*m))
            drop = *m;
        else if (move_is_promotion(*m) == wanted->promotes &&
                 (wanted->from < 0 ? moves_so(pos->side, *m, wanted->how) : move_from(*m) == wanted->from))
            fits[nb++] = *m;
    }
    bool may_drop = nb == 0 && wanted->from < 0 && !wanted->promotes && !wanted->how;
    if (wanted->is_drop || may_drop)
        return drop;
    if (nb > 1 && wanted->how & (HOW_RIGHT | HOW_LEFT))
        return outermost(pos->side, fits, nb, wanted->how);
    return nb == 1 ? fits[0] : MOVE_NONE;
}

Move japanese_parse(const Position *pos, int last_to, Span text)
{
    JapaneseMove wanted;
    text = span_trim(text);
    int side = japanese_side(&text);
    span_skip_spaces(&text);
    if ((side >= 0 && side != pos->side) || !japanese_take(&text, last_to, &wanted))
        return MOVE_NONE;
    span_skip_spaces(&text);
    return text.len == 0 ? japanese_find(pos, &wanted) : MOVE_NONE;
}
