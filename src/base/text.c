// SPDX-License-Identifier: GPL-3.0-or-later
// Spans, messages and growing strings. Invariant of Text: when ptr is not NULL, ptr[len] is NUL and len <
// capacity.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/language.h"

// ---- spans --------------------------------------------------------------------------------------
Span span_of(const char *text) { return (Span){text, strlen(text)}; }

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

Span span_word(Span *rest)
{
    while (rest->len && is_space(*rest->ptr))
        rest->ptr++, rest->len--;
    Span word = {rest->ptr, 0};
    while (rest->len && !is_space(*rest->ptr))
        rest->ptr++, rest->len--, word.len++;
    return word;
}

bool span_line(Span *rest, Span *line)
{
    if (rest->len == 0)
        return false;
    const char *end = memchr(rest->ptr, '\n', rest->len);
    size_t len = end ? (size_t)(end - rest->ptr) : rest->len;
    *line = (Span){rest->ptr, len};
    rest->ptr += len + (end != NULL);
    rest->len -= len + (end != NULL);
    if (line->len && line->ptr[line->len - 1] == '\r')
        line->len--;
    return true;
}

bool span_any_line(Span *rest, Span *line)
{
    const Span all = *rest;
    if (!span_line(rest, line))
        return false;
    const char *cut = memchr(line->ptr, '\r', line->len);
    if (cut) {
        line->len = (size_t)(cut - line->ptr);
        *rest = (Span){cut + 1, all.len - line->len - 1};
    }
    return true;
}

int span_line_ends(Span s)
{
    int nb = 0;
    for (size_t i = 0; i < s.len; i++)
        nb += s.ptr[i] == '\n' || (s.ptr[i] == '\r' && (i + 1 == s.len || s.ptr[i + 1] != '\n'));
    return nb;
}

Span span_trim(Span s)
{
    while (s.len && is_space(*s.ptr))
        s.ptr++, s.len--;
    while (s.len && is_space(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

bool span_is(Span s, const char *text) { return s.len == strlen(text) && memcmp(s.ptr, text, s.len) == 0; }

bool span_is_nocase(Span s, const char *text)
{
    if (s.len != strlen(text))
        return false;
    for (size_t i = 0; i < s.len; i++)
        if (tolower((unsigned char)s.ptr[i]) != tolower((unsigned char)text[i]))
            return false;
    return true;
}

bool span_starts(Span s, const char *prefix)
{
    size_t len = strlen(prefix);
    return s.len >= len && memcmp(s.ptr, prefix, len) == 0;
}

bool span_int(Span s, i64 lo, i64 hi, i64 *out)
{
    bool negative = s.len && *s.ptr == '-';
    size_t i = s.len && (*s.ptr == '-' || *s.ptr == '+');
    if (i == s.len)
        return false;
    i64 value = 0;
    for (; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
        int digit = s.ptr[i] - '0';
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, negative ? -digit : digit, &value))
            return false;
    }
    if (value < lo || value > hi)
        return false;
    *out = value;
    return true;
}

bool span_hex(Span text, u64 *out)
{
    if (text.len == 0 || text.len > 16)
        return false;
    u64 value = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char *digits = "0123456789abcdef", *digit = strchr(digits, text.ptr[i]);
        if (!digit || !text.ptr[i])
            return false;
        value = value << 4 | (u64)(digit - digits);
    }
    *out = value;
    return true;
}

bool span_real(Span s, double lo, double hi, double *out)
{
    char text[64];
    if (s.len == 0 || is_space(*s.ptr) || !span_copy(s, text, sizeof text))
        return false;
    char *end;
    double value = strtod(text, &end);
    if (end != text + s.len || !(value >= lo && value <= hi))
        return false;
    *out = value;
    return true;
}

bool span_copy(Span s, char *out, size_t size)
{
    assert(size > 0);
    size_t len = s.len < size ? s.len : size - 1;
    memcpy(out, s.ptr, len);
    out[len] = '\0';
    return len == s.len;
}

// ---- messages -----------------------------------------------------------------------------------
// A text that was too long for its place may end in half a character: without that.
static void cut_whole(char text[MESSAGE_MAX])
{
    size_t len = strlen(text), at = len;
    if (len + 1 < MESSAGE_MAX)
        return;
    while (at > 0 && at + 4 > len && ((u8)text[at - 1] & 0xC0) == 0x80)
        at--;
    if (at > 0 && (u8)text[at - 1] >= 0xC0 && !span_utf8_char((Span){text + at - 1, len - at + 1}))
        text[at - 1] = '\0';
}

bool message_set(Message *message, const char *format, ...)
{
    if (!message)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(message->text, sizeof message->text, said(format), args);
    va_end(args);
    cut_whole(message->text);
    text_disarm_line(message->text);
    return false;
}

Message message_of(const char *words)
{
    Message message;
    message_set(&message, "%s", words);
    return message;
}

// ---- growing strings ----------------------------------------------------------------------------
void text_free(Text *text)
{
    free(text->ptr);
    *text = (Text){0};
}

void text_clear(Text *text)
{
    text->len = 0;
    text->failed = false;
    if (text->ptr)
        text->ptr[0] = '\0';
}

static bool text_room(Text *text, size_t extra)
{
    if (text->failed || extra > SIZE_MAX / 4 - text->len)
        return text->failed = true, false;
    size_t need = text->len + extra + 1;
    if (need <= text->capacity)
        return true;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < need)
        capacity *= 2;
    char *ptr = realloc(text->ptr, capacity);
    if (!ptr)
        return text->failed = true, false;
    text->ptr = ptr;
    text->capacity = capacity;
    return true;
}

void text_add_padded(Text *text, const char *s, int columns)
{
    text_add(text, "%s", s);
    for (int width = span_width(span_of(s)); width < columns; width++)
        text_add(text, " ");
}

void text_add_right(Text *text, const char *s, int columns)
{
    text_add(text, "%*s%s", max_int(columns - span_width(span_of(s)), 0), "", s);
}

void text_add_bytes(Text *text, const void *bytes, size_t len)
{
    if (!text_room(text, len))
        return;
    if (len)
        memcpy(text->ptr + text->len, bytes, len);
    text->len += len;
    text->ptr[text->len] = '\0';
}

void text_add(Text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len >= 0 && text_room(text, (size_t)len)) {
        vsnprintf(text->ptr + text->len, (size_t)len + 1, format, again);
        text->len += (size_t)len;
    }
    va_end(again);
}

size_t span_utf8_char(Span s)
{
    const u8 *p = (const u8 *)s.ptr;
    size_t len = p[0] < 0x80                   ? 1
                 : p[0] >= 0xC2 && p[0] < 0xE0 ? 2
                 : p[0] >= 0xE0 && p[0] < 0xF0 ? 3
                 : p[0] >= 0xF0 && p[0] < 0xF5 ? 4
                                               : 0;
    if (len == 0 || len > s.len)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xED && p[1] >= 0xA0;
    bool too_high = p[0] == 0xF4 && p[1] >= 0x90;
    return overlong || surrogate || too_high ? 0 : len;
}

// The code of a character of `len` bytes.
static u32 char_code(const char *at, size_t len)
{
    static const u8 LEAD[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    u32 code = (u8)at[0] & LEAD[len];
    for (size_t i = 1; i < len; i++)
        code = code << 6 | ((u8)at[i] & 0x3F);
    return code;
}

// By the ranges of Unicode's East Asian Width that are wide or full-width. The signs ▲△☗☖ and the like, which
// are wide in the fonts of Japan alone, are counted so where Japanese is spoken.
static int char_width(u32 code)
{
    static const u32 WIDE[][2] = {{0x1100, 0x115F},   {0x2E80, 0x303E},  {0x3041, 0x33FF}, {0x3400, 0x4DBF},
                                  {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},  {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
                                  {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},  {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F},
                                  {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
    static const u32 NONE[][2] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x3099, 0x309A}, {0xFE00, 0xFE0F}};
    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++)
        if (code >= NONE[i][0] && code <= NONE[i][1])
            return 0;
    for (size_t i = 0; i < sizeof WIDE / sizeof WIDE[0]; i++)
        if (code >= WIDE[i][0] && code <= WIDE[i][1])
            return 2;
    bool is_sign = (code >= 0x2190 && code <= 0x22FF) || (code >= 0x2460 && code <= 0x26FF);
    return is_sign && language() == LANGUAGE_JAPANESE ? 2 : 1;
}

int span_width(Span s)
{
    int width = 0;
    while (s.len) {
        size_t len = span_utf8_char(s);
        width += len ? char_width(char_code(s.ptr, len)) : 1;
        s = (Span){s.ptr + (len ? len : 1), s.len - (len ? len : 1)};
    }
    return width;
}

Span span_fit(Span s, int columns)
{
    Span front = {s.ptr, 0};
    while (front.len < s.len) {
        const Span rest = {s.ptr + front.len, s.len - front.len};
        const size_t len = span_utf8_char(rest) ? span_utf8_char(rest) : 1;
        columns -= span_width((Span){rest.ptr, len});
        if (columns < 0)
            break;
        front.len += len;
    }
    return front;
}

bool span_is_utf8(Span s)
{
    while (s.len) {
        size_t len = span_utf8_char(s);
        if (len == 0)
            return false;
        s = (Span){s.ptr + len, s.len - len};
    }
    return true;
}

void text_add_html(Text *text, Span s)
{
    while (s.len) {
        size_t len = span_utf8_char(s);
        switch (len ? *s.ptr : '\0') {
        case '&': text_add(text, "&amp;"); break;
        case '<': text_add(text, "&lt;"); break;
        case '>': text_add(text, "&gt;"); break;
        case '"': text_add(text, "&quot;"); break;
        case '\'': text_add(text, "&#39;"); break;
        default:
            if (len == 0 || ((u8)*s.ptr < ' ' && !is_space(*s.ptr)))
                text_add(text, "\xEF\xBF\xBD");
            else
                text_add_bytes(text, s.ptr, len);
        }
        len = len ? len : 1;
        s.ptr += len;
        s.len -= len;
    }
}

void text_disarm(char *text, size_t len, char other)
{
    for (size_t i = 0; i < len; i++) {
        const u8 byte = (u8)text[i];
        const bool is_upper =
            i > 0 && (u8)text[i - 1] == 0xC2 && byte >= 0x80 && byte < 0xA0; // U+0080 to U+009F
        if (is_upper)
            text[i - 1] = other;
        if (is_upper || byte == 0x7F || (byte < ' ' && byte != '\n'))
            text[i] = other;
    }
}

void text_disarm_line(char *line)
{
    for (char *c = line; *c; c++)
        if (*c == '\n')
            *c = '?';
    text_disarm(line, strlen(line), '?');
}

bool text_read_file(Text *text, const char *path, size_t limit, Message *error)
{
    FILE *file = os_fopen(path, "rb");
    if (!file)
        return message_set(error, "cannot open '%s': %s", path, said(strerror(errno)));
    char block[1 << 16];
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0 && text->len <= limit && !text->failed)
        text_add_bytes(text, block, got);
    int read_error = ferror(file) ? errno : 0;
    fclose(file);
    if (read_error)
        return message_set(error, "cannot read '%s': %s", path, said(strerror(read_error)));
    if (text->failed)
        return message_set(error, "not enough memory to read '%s'", path);
    if (text->len > limit)
        return message_set(error, "'%s' is larger than %zu bytes", path, limit);
    return true;
}

bool text_read_line(Text *line, FILE *stream)
{
    text_clear(line);
    int c;
    while ((c = getc_unlocked(stream)) != EOF && c != '\n') {
        char byte = (char)c;
        text_add_bytes(line, &byte, 1);
    }
    return c != EOF || line->len > 0;
}
