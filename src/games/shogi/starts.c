// SPDX-License-Identifier: GPL-3.0-or-later
// Start positions of shogi by name: the even game and the handicaps. The player who gives one is White, and
// moves first. Where a handicap is of one side of the board and its name does not say which, it is the usual
// one.
#include "starts.h"

#include "games/notation.h"

typedef struct Handicap {
    StartName start;
    const char *ranks; // the three that differ
} Handicap;

// clang-format off
static const Handicap HANDICAPS[] = {
    {{"even", "Even game", "平手", 0}, "lnsgkgsnl/1r5b1/ppppppppp"},
    {{"handicap:lance", "Lance handicap", "香落ち", 0}, "lnsgkgsn1/1r5b1/ppppppppp"},
    {{"handicap:right-lance", "Right lance handicap", "右香落ち", 0}, "1nsgkgsnl/1r5b1/ppppppppp"},
    {{"handicap:bishop", "Bishop handicap", "角落ち", 0}, "lnsgkgsnl/1r7/ppppppppp"},
    {{"handicap:rook", "Rook handicap", "飛車落ち", 0}, "lnsgkgsnl/7b1/ppppppppp"},
    {{"handicap:rook-lance", "Rook and lance handicap", "飛香落ち", 0}, "lnsgkgsn1/7b1/ppppppppp"},
    {{"handicap:2", "2-piece handicap", "二枚落ち", 0}, "lnsgkgsnl/9/ppppppppp"},
    {{"handicap:3", "3-piece handicap", "三枚落ち", 0}, "lnsgkgsn1/9/ppppppppp"},
    {{"handicap:4", "4-piece handicap", "四枚落ち", 0}, "1nsgkgsn1/9/ppppppppp"},
    {{"handicap:5", "5-piece handicap", "五枚落ち", 0}, "2sgkgsn1/9/ppppppppp"},
    {{"handicap:left-5", "Left 5-piece handicap", "左五枚落ち", 0}, "1nsgkgs2/9/ppppppppp"},
    {{"handicap:6", "6-piece handicap", "六枚落ち", 0}, "2sgkgs2/9/ppppppppp"},
    {{"handicap:7", "7-piece handicap", "左七枚落ち", 0}, "2sgkg3/9/ppppppppp"},
    {{"handicap:right-7", "Right 7-piece handicap", "右七枚落ち", 0}, "3gkgs2/9/ppppppppp"},
    {{"handicap:8", "8-piece handicap", "八枚落ち", 0}, "3gkg3/9/ppppppppp"},
    {{"handicap:10", "10-piece handicap", "十枚落ち", 0}, "4k4/9/ppppppppp"},
    {{"handicap:king", "Bare king", "裸玉", 0}, "4k4/9/9"},
};
// clang-format on
_Static_assert(sizeof HANDICAPS / sizeof HANDICAPS[0] == HANDICAP_NB, "HANDICAP_NB counts the rows");

static const char PREFIX[] = "handicap:";
enum { NAME_BYTES = 64 };

// ---- names --------------------------------------------------------------------------------------
// Takes the text off the front; false when it is not there.
static bool take(Span *s, const char *text)
{
    if (!span_starts(*s, text))
        return false;
    *s = (Span){s->ptr + strlen(text), s->len - strlen(text)};
    return true;
}

// What a Japanese name comes down to: digits in place of kanji and wide digits, without what may be left out.
static void plain_name(Span name, char out[NAME_BYTES])
{
    static const char *const DIGITS[][3] = {
        {"１", "一", "1"}, {"２", "二", "2"}, {"３", "三", "3"}, {"４", "四", "4"}, {"５", "五", "5"},
        {"６", "六", "6"}, {"７", "七", "7"}, {"８", "八", "8"}, {"９", "九", "9"}, {"０", "十", NULL},
    };
    Text plain = {0};
    for (name = span_trim(name); name.len;) {
        bool is_digit = false;
        if (take(&name, "車") || take(&name, "落ち") || take(&name, "落") || take(&name, "　"))
            continue;
        for (size_t i = 0; i < 10 && !is_digit; i++) {
            bool is_wide = take(&name, DIGITS[i][0]);
            is_digit = is_wide || take(&name, DIGITS[i][1]);
            if (is_digit)
                text_add(&plain, "%s", DIGITS[i][2] ? DIGITS[i][2] : is_wide ? "0" : "10");
        }
        if (!is_digit) {
            text_add_bytes(&plain, name.ptr, 1);
            name = (Span){name.ptr + 1, name.len - 1};
        }
    }
    if (!span_copy(text_span(&plain), out, NAME_BYTES))
        out[0] = '\0';
    text_free(&plain);
}

int handicap_named(Span name)
{
    char wanted[NAME_BYTES], known[NAME_BYTES];
    plain_name(name, wanted);
    for (int i = 0; i < HANDICAP_NB; i++) {
        plain_name(span_of(HANDICAPS[i].start.name_ja), known);
        if (strcmp(wanted, known) == 0)
            return i;
    }
    // The side may be left out.
    return strcmp(wanted, "7枚") == 0 ? handicap_named(span_of("左七枚落ち")) : HANDICAP_NB;
}

const char *handicap_name(int row) { return HANDICAPS[row].start.name_ja; }

// "2", "rook", "2-piece", "2-piece handicap", "二枚落ち": what may stand behind "handicap:".
static int find_row(Span name)
{
    static const char HANDICAP[] = " handicap";
    for (int i = 0; i < HANDICAP_NB; i++) {
        const StartName *start = &HANDICAPS[i].start;
        Span key = span_of(start->key), full = span_of(start->name);
        bool has_prefix = take(&key, PREFIX);
        char brief[NAME_BYTES];
        span_copy(full, brief, sizeof brief);
        char *tail = strstr(brief, HANDICAP);
        if (tail)
            *tail = '\0';
        if ((has_prefix && span_is_nocase(name, key.ptr)) || span_is_nocase(name, start->key) ||
            span_is_nocase(name, start->name) || span_is_nocase(name, brief))
            return i;
    }
    return handicap_named(name);
}

// ---- positions ----------------------------------------------------------------------------------
void handicap_print(int row, char out[TEXT_MAX])
{
    snprintf(out, TEXT_MAX, "%s/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL %c - 1", HANDICAPS[row].ranks,
             row ? 'w' : 'b');
}

int handicap_of(const Position *pos)
{
    char text[TEXT_MAX], start[TEXT_MAX];
    pos_print(pos, text);
    for (int i = 0; i < HANDICAP_NB; i++) {
        handicap_print(i, start);
        if (strcmp(start, text) == 0)
            return i;
    }
    return HANDICAP_NB;
}

// ---- the contract -------------------------------------------------------------------------------
const StartName *start_name_at(int index)
{
    return index >= 0 && index < HANDICAP_NB ? &HANDICAPS[index].start : NULL;
}

bool start_by_name(Span name, Rules *rules, char *out, Message *message)
{
    (void)rules;
    Span rest = span_trim(name);
    bool has_prefix = take(&rest, PREFIX);
    int row = rest.len ? find_row(span_trim(rest)) : HANDICAP_NB;
    // A number alone is no name.
    if (!has_prefix && rest.len && rest.ptr[0] >= '0' && rest.ptr[0] <= '9' &&
        memchr("0123456789", rest.ptr[rest.len - 1], 10))
        row = HANDICAP_NB;
    if (row == HANDICAP_NB)
        return message_set(
            message,
            "there is no start '%.*s': expected even, or handicap: with 2 to 8 or 10 (pieces), "
            "lance, right-lance, bishop, rook, rook-lance or king, or a name like 二枚落ち",
            min_int((int)name.len, 40), name.ptr);
    handicap_print(row, out);
    return true;
}

// Shogi has no start positions drawn by lot.
bool start_random(const char *kind, Rng *rng, Rules *rules, char *out)
{
    (void)kind, (void)rng, (void)rules, (void)out;
    return false;
}
