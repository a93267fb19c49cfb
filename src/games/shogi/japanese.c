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

// Two-sign names go first: 成香 is not a promotion, 桂馬 no horse.
int japanese_kind(Span *s)
{
    static const struct {
        const char *name;
        u8 kind;
    } OTHER[] = {
        {"と金", TOKIN},
        {"成り香", PROMOTED_LANCE},
        {"成り桂", PROMOTED_KNIGHT},
        {"成り銀", PROMOTED_SILVER},
        {"龍馬", HORSE},
        {"竜馬", HORSE},
        {"龍王", DRAGON},
        {"竜王", DRAGON},
        {"竜", DRAGON},
        {"歩兵", PAWN},
        {"香車", LANCE},
        {"桂馬", KNIGHT},
        {"銀将", SILVER},
        {"金将", GOLD},
        {"角行", BISHOP},
        {"飛車", ROOK},
        {"玉将", KING},
        {"王将", KING},
        {"王", KING},
        {"步", PAWN},
        {"飞", ROOK},
    };
    for (int kind = PROMOTED_LANCE; kind <= PROMOTED_SILVER; kind++)
        if (span_take(s, PIECE_NAMES[kind].written))
            return kind;
    for (size_t i = 0; i < sizeof OTHER / sizeof OTHER[0]; i++)
        if (span_take(s, OTHER[i].name))
            return OTHER[i].kind;
    for (int kind = PAWN; kind < KIND_NB; kind++)
        if (span_take(s, PIECE_NAMES[kind].kanji))
            return kind;
    return NO_KIND;
}

int japanese_side(Span *s)
{
    static const char *const SIGNS[SIDE_NB][6] = {{"▲", "☗", "▼", "先手", "下手", "先"},
                                                  {"△", "☖", "▽", "後手", "上手", "後"}};
    for (int side = 0; side < SIDE_NB; side++)
        for (int i = 0; i < 6; i++)
            if (span_take(s, SIGNS[side][i]))
                return side;
    return -1;
}

// ---- reading ------------------------------------------------------------------------------------
// Which of several men: by where it stands, or by how it moves. As the mover sees it.
enum { HOW_RIGHT = 1, HOW_LEFT = 2, HOW_STRAIGHT = 4, HOW_UP = 8, HOW_SIDEWAYS = 16, HOW_BACK = 32 };

static u8 take_how(Span *s)
{
    static const struct {
        const char *sign;
        u8 how;
    } SIGNS[] = {{"右", HOW_RIGHT}, {"左", HOW_LEFT}, {"直", HOW_STRAIGHT}, {"上", HOW_UP},  {"行", HOW_UP},
                 {"入", HOW_UP},    {"進", HOW_UP},   {"寄", HOW_SIDEWAYS}, {"引", HOW_BACK}};
    enum { SIGN_NB = sizeof SIGNS / sizeof SIGNS[0] };
    u8 how = 0;
    for (int i = 0; i < SIGN_NB; i++)
        if (span_take(s, SIGNS[i].sign)) {
            how |= SIGNS[i].how;
            i = -1;
        }
    return how;
}

// A square of two digits; -1 when there is none.
static int take_square(Span *s)
{
    Span at = *s;
    int file = japanese_digit(&at), rank = file < 1 ? -1 : japanese_digit(&at);
    if (rank < 1)
        return -1;
    *s = at;
    return square_make(file, rank);
}

// "(77)", with wide brackets too: where the man came from.
static bool take_origin(Span *s, int *from)
{
    if (!span_take(s, "(") && !span_take(s, "（"))
        return true;
    *from = take_square(s);
    return *from >= 0 && (span_take(s, ")") || span_take(s, "）"));
}

static bool take_not_promoting(Span *s)
{
    return span_take(s, "不成") || span_take(s, "生") || span_take(s, "成らず") || span_take(s, "ならず");
}

bool japanese_take(Span *s, int last_to, JapaneseMove *out)
{
    *out = (JapaneseMove){.from = -1};
    bool is_same = span_take(s, "同") || span_take(s, "仝");
    span_skip_spaces(s);
    out->to = take_square(s);
    if (out->to < 0 && is_same)
        out->to = last_to;
    span_skip_spaces(s);
    out->kind = japanese_kind(s);
    if (out->to < 0 || out->kind == NO_KIND)
        return false;
    out->how = take_how(s);
    out->promotes = !take_not_promoting(s) && (span_take(s, "成り") || span_take(s, "成"));
    out->is_drop = span_take(s, "打ち") || span_take(s, "打");
    return take_origin(s, &out->from);
}

static bool moves_so(int side, Move move, u8 how)
{
    int up = japanese_steps_up(side, move_from(move), move_to(move)),
        right = japanese_steps_right(side, move_from(move), move_to(move));
    return (!(how & HOW_UP) || up > 0) && (!(how & HOW_BACK) || up < 0) &&
           (!(how & HOW_SIDEWAYS) || up == 0) && (!(how & HOW_STRAIGHT) || (up > 0 && right == 0));
}

// Of the men that can go there, the one that stands furthest to that side; MOVE_NONE when two stand so.
static Move outermost(int side, const Move *list, int nb, u8 how)
{
    Move best = MOVE_NONE;
    int most = INT32_MIN, most_nb = 0;
    for (int i = 0; i < nb; i++) {
        int right = japanese_steps_right(side, move_from(list[i]), move_to(list[i])),
            value = how & HOW_LEFT ? -right : right;
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
