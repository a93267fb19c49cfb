// SPDX-License-Identifier: GPL-3.0-or-later
// Text without surprises: a view of characters (Span), tokens, numbers that are checked whole, a message
// buffer for errors, and a string that grows. A Span owns nothing and need not end in NUL.
#ifndef TWOFOLD_TEXT_H
#define TWOFOLD_TEXT_H

#include <stdarg.h>
#include <stdio.h>

#include "base/base.h"

typedef struct Span {
    const char *ptr;
    size_t len;
} Span;

Span span_of(const char *text);
// Takes the next word (any white space separates) off the front of *rest; an empty Span when there is none.
Span span_word(Span *rest);
// Takes the next line (LF or CR LF, without its end) off the front of *rest; false when nothing is left.
bool span_line(Span *rest, Span *line);
// The same for files of other hands, where a CR alone ends a line too, as in very old ones.
bool span_any_line(Span *rest, Span *line);
// How many lines end in the text, by that rule.
int span_line_ends(Span s);
// Without leading and trailing white space.
Span span_trim(Span s);
bool span_is(Span s, const char *text);
// The same, upper and lower case being equal (ASCII).
bool span_is_nocase(Span s, const char *text);
bool span_starts(Span s, const char *prefix);
// The bytes of the UTF-8 character that a span (not an empty one) begins with; 0 when it is none.
size_t span_utf8_char(Span s);
bool span_is_utf8(Span s);
// How many columns of a terminal it takes: signs of East Asia take two, marks on other signs none.
int span_width(Span s);
// As many whole characters of its front as fit into so many columns.
Span span_fit(Span s, int columns);
// The whole span as a decimal number in [lo, hi]; false, with *out untouched, when it is anything else.
bool span_int(Span s, i64 lo, i64 hi, i64 *out);
bool span_real(Span s, double lo, double hi, double *out);
// The whole span as at most 16 hexadecimal digits, small letters.
bool span_hex(Span text, u64 *out);
// Copies at most size - 1 characters and ends them with NUL; false when it had to cut.
bool span_copy(Span s, char *out, size_t size);

// One clear sentence for a person about what was wrong and where. Functions that can fail on input take one.
enum { MESSAGE_MAX = 512 };
typedef struct Message {
    char text[MESSAGE_MAX];
} Message;

// Writes the message (control characters become '?', so that it stays one line) and returns false, for
// `return message_set(...)`.
bool message_set(Message *message, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A file's name, or other words from outside, as a message has them: a terminal would obey what they may
// hold.
Message message_of(const char *words);

// A string that grows. Zero-initialised is empty. Out of memory sets `failed`, keeps what was there and drops
// later appends.
typedef struct Text {
    char *ptr;
    size_t len, capacity;
    bool failed;
} Text;

void text_free(Text *text);
void text_clear(Text *text);
void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Adds the string and blanks up to so many columns.
void text_add_padded(Text *text, const char *s, int columns);
// The same with the blanks in front.
void text_add_right(Text *text, const char *s, int columns);
void text_add_bytes(Text *text, const void *bytes, size_t len);
// Adds the string with & < > " ' escaped for HTML, XML and SVG.
void text_add_html(Text *text, Span s);
static inline Span text_span(const Text *text) { return (Span){text->ptr ? text->ptr : "", text->len}; }

// Puts another character in the place of every control character but the end of a line: a file or its name
// may have them, and a terminal would obey.
void text_disarm(char *text, size_t len, char other);
// The same for what has to stay one line: ends of lines are control characters too. All become '?'.
void text_disarm_line(char *line);

// Reads a whole file, at most limit bytes; false with a message on failure.
bool text_read_file(Text *text, const char *path, size_t limit, Message *error);

// A reader of lines of any length from a stream, NUL bytes kept as bytes of the line.
bool text_read_line(Text *line, FILE *stream);

#endif
