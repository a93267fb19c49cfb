// SPDX-License-Identifier: GPL-3.0-or-later
// Our own words in the comments of a file, written and recognised. Sums go over words and single blanks, so
// that a program may break the lines of a comment anew, and over bytes, so that they are the same on every
// machine.
#include "analysis/comments.h"

#include "base/checksum.h"
#include "session/phrases.h"

enum { OWN_WORDS_MAX = 64, MARKS_MAX = 8, SUM_BITS = 24 };
static const char MARK[] = "[%twofold";

// ---- words --------------------------------------------------------------------------------------
static Span behind(Span span, const char *at) { return (Span){at, span.len - (size_t)(at - span.ptr)}; }

// The command at the front, or an empty span.
static Span command_at(Span text)
{
    const char *close = span_starts(text, "[%") ? memchr(text.ptr, ']', text.len) : NULL;
    return (Span){text.ptr, close ? (size_t)(close + 1 - text.ptr) : 0};
}

// The next word; a command is one word, blanks and all.
static Span next_word(Span *rest)
{
    const Span before = *rest;
    Span word = span_word(rest);
    Span command = command_at(behind(before, word.ptr));
    if (command.len) {
        word = command;
    } else {
        for (size_t i = 1; i + 1 < word.len; i++) // a command that follows without a blank
            if (word.ptr[i] == '[' && word.ptr[i + 1] == '%')
                word.len = i;
    }
    if (word.len)
        *rest = behind(before, word.ptr + word.len);
    return word;
}

// The first words of a text, at most max, up to a command: how many they are, their sum and where they end.
static int sum_words(Span text, int max, u32 *sum, const char **end)
{
    u64 total = 0;
    int nb = 0;
    *end = text.ptr;
    for (Span word; nb < max && (word = next_word(&text)).len && !command_at(word).len; nb++) {
        for (size_t i = 0; i < word.len; i++)
            total = checksum_step(total, (u8)word.ptr[i]);
        total = checksum_step(total, ' ');
        *end = word.ptr + word.len;
    }
    *sum = (u32)(hash_mix(total) >> (64 - SUM_BITS));
    return nb;
}

// ---- our own words ------------------------------------------------------------------------------
bool comment_is_marked(const char *comment) { return comment && strstr(comment, MARK) != NULL; }

void comment_add_own(Span words, int glyph, Text *out)
{
    u32 sum;
    const char *end;
    int nb = sum_words(words, OWN_WORDS_MAX, &sum, &end);
    if (nb)
        text_add(out, "%s%s %d,%06x,%d] ", out->len ? " " : "", MARK, nb, sum, glyph);
    text_add_bytes(out, words.ptr, words.len);
}

void comment_add_mark(const char *word, Text *out)
{
    text_add(out, "%s%s %s]", out->len ? " " : "", MARK, word);
}

// What a mark of ours holds; false for another word, and for a mark without its bracket.
static bool mark_holds(Span word, Span *held)
{
    const size_t len = strlen(MARK);
    if (!span_starts(word, MARK) || !command_at(word).len)
        return false;
    *held = span_trim((Span){word.ptr + len, word.len - len - 1});
    return true;
}

bool comment_has_mark(const char *comment, const char *word)
{
    Span rest = span_of(comment ? comment : "");
    for (Span found, held; (found = next_word(&rest)).len;)
        if (mark_holds(found, &held) && span_is(held, word))
            return true;
    return false;
}

// "[%twofold 12,09fa31,4]"
static bool parse_mark(Span word, int *nb, u32 *sum, int *glyph)
{
    Span rest;
    if (!mark_holds(word, &rest))
        return false;
    const char *comma = memchr(rest.ptr, ',', rest.len);
    i64 words, told = -2;
    u64 value;
    if (!comma || !span_int((Span){rest.ptr, (size_t)(comma - rest.ptr)}, 1, OWN_WORDS_MAX, &words))
        return false;
    rest = behind(rest, comma + 1);
    comma = memchr(rest.ptr, ',', rest.len);
    if (comma && !span_int(behind(rest, comma + 1), 0, 255, &told))
        return false;
    rest.len = comma ? (size_t)(comma - rest.ptr) : rest.len;
    if (!span_hex(rest, &value) || value >> SUM_BITS)
        return false;
    *glyph = (int)told;
    *nb = (int)words;
    *sum = (u32)value;
    return true;
}

// The words that a mark is about: those behind it, or, when a program has moved the commands, others of the
// comment. Empty when they are not there any more, or not as they were.
static Span find_own(Span comment, Span behind_mark, int nb, u32 sum)
{
    Span rest = behind_mark;
    bool is_moved = false;
    for (;;) {
        u32 found;
        const char *end;
        if (sum_words(rest, nb, &found, &end) == nb && found == sum) {
            const char *from = next_word(&rest).ptr;
            return (Span){from, (size_t)(end - from)};
        }
        if (!is_moved)
            rest = comment;
        else if (!next_word(&rest).len)
            return (Span){0};
        is_moved = true;
    }
}

// All words of the comment that are marked as ours.
static int find_all_own(Span comment, Span own[MARKS_MAX], int *glyph)
{
    int own_nb = 0, nb, told;
    u32 sum;
    Span rest = comment;
    *glyph = -1;
    for (Span word; own_nb < MARKS_MAX && (word = next_word(&rest)).len;)
        if (parse_mark(word, &nb, &sum, &told)) {
            own[own_nb] = find_own(comment, rest, nb, sum);
            if (own[own_nb].len > 0) {
                *glyph = told;
                own_nb++;
            }
        }
    return own_nb;
}

int comment_own_glyph(const char *comment)
{
    Span own[MARKS_MAX];
    int glyph;
    find_all_own(span_of(comment ? comment : ""), own, &glyph);
    return glyph;
}

static bool take_own(Span *rest, const Span *own, int own_nb)
{
    for (int i = 0; i < own_nb; i++)
        if (own[i].ptr == rest->ptr) {
            *rest = behind(*rest, own[i].ptr + own[i].len);
            return true;
        }
    return false;
}

static bool take_command(Span *rest, int left_out)
{
    Span command = command_at(*rest);
    bool is_out =
        command.len &&
        (span_starts(command, MARK) || left_out & COMMENT_COMMANDS ||
         (left_out & COMMENT_EVALS && (span_starts(command, "[%eval") || span_starts(command, "[%depth") ||
                                       span_starts(command, "[%pv"))));
    if (is_out)
        *rest = behind(*rest, command.ptr + command.len);
    return is_out;
}

// ---- remarks without a mark ---------------------------------------------------------------------
static bool take(Span *rest, const char *prefix)
{
    if (!span_starts(*rest, prefix))
        return false;
    *rest = behind(*rest, rest->ptr + strlen(prefix));
    return true;
}

// Takes a sentence off the front as earlier versions wrote it.
static bool take_old_remark(Span *rest)
{
    Span at = *rest;
    if (take(rest, "The only good move."))
        return true;
    if ((take(&at, phrase_side(0)) || take(&at, phrase_side(1))) && take(&at, " wins by rule.")) {
        *rest = at;
        return true;
    }
    bool is_mate = take(&at, "Misses mate in ") || take(&at, "Allows mate in ");
    bool is_loss =
        !is_mate && (take(&at, "Blunder: ") || take(&at, "Mistake: ") || take(&at, "Dubious move: "));
    while (at.len && *at.ptr >= '0' && *at.ptr <= '9')
        at.ptr++, at.len--;
    if (!(is_mate && take(&at, ".")) && !(is_loss && take(&at, "% of a win lost.")))
        return false;
    if (!take(&at, " Better was "))
        return false;
    // The line ends with a word that has a full stop and is no number of a move.
    for (Span word = span_word(&at); word.len; word = span_word(&at)) {
        if (word.ptr[word.len - 1] != '.' || strspn(word.ptr, "0123456789.") >= word.len)
            continue;
        *rest = at;
        return true;
    }
    return false;
}

// ---- what is left -------------------------------------------------------------------------------
static void add_part(Text *out, const char *from, const char *to)
{
    Span part = span_trim((Span){from, (size_t)(to - from)});
    if (part.len && out->len)
        text_add(out, " ");
    text_add_bytes(out, part.ptr, part.len);
}

void comment_strip(const char *comment, int left_out, Text *out)
{
    const Span whole = span_of(comment ? comment : "");
    Span own[MARKS_MAX], rest = whole;
    int glyph, own_nb = find_all_own(whole, own, &glyph);
    const char *kept = rest.ptr; // from here on nothing is written yet
    while (rest.len) {
        const char *at = rest.ptr;
        if (take_own(&rest, own, own_nb) || take_command(&rest, left_out) ||
            (left_out & COMMENT_OLD_REMARKS && take_old_remark(&rest))) {
            add_part(out, kept, at);
            kept = rest.ptr;
        } else {
            rest.ptr++, rest.len--;
        }
    }
    add_part(out, kept, rest.ptr);
}
