// SPDX-License-Identifier: GPL-3.0-or-later
// JSON (RFC 8259), strictly: a reader that takes exactly what the standard allows, within limits on length,
// depth and number of values, and refuses names that come twice in an object; and the one writer of the tree.
// Invariant: what was read is valid UTF-8 throughout; what is written is one valid JSON text on one line,
// whatever its strings hold.
#ifndef TWOFOLD_JSON_H
#define TWOFOLD_JSON_H

#include "base/base.h"

// ---- reading ------------------------------------------------------------------------------------
enum {
    JSON_DEPTH_MAX = 32,       // arrays and objects within each other
    JSON_VALUES_MAX = 1 << 20, // of one text
    JSON_MEMBERS_MAX = 256,    // of one object
    JSON_NUMBER_MAX = 40,      // characters of a number
};

typedef enum JsonType { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonType;

// A value of a text that was read. Strings are decoded and end in NUL behind their last byte; numbers are as
// they were written.
typedef struct JsonValue {
    JsonType type;
    bool truth; // of JSON_BOOL
    Span name;  // of a member of an object
    u32 name_hash;
    Span text;       // of JSON_STRING and JSON_NUMBER
    int nb;          // how many elements or members
    int first, next; // indices of the first of them and of the next one beside it; 0: none
} JsonValue;

// Zero-initialised is empty. Everything in it lives until json_free; the text that was read need not.
typedef struct Json {
    JsonValue *value; // the first is the whole
    int value_nb, capacity;
    char *bytes;
    size_t byte_nb;
} Json;

// Reads one whole value with nothing but white space around it. False with a message that says what is wrong
// and at which byte (from 1); *json is empty then.
bool json_read(Json *json, Span text, Message *message);
// The same, but of a text that is wrong what came whole before the fault is kept; to be freed in either case.
bool json_read_part(Json *json, Span text, Message *message);
void json_free(Json *json);
static inline const JsonValue *json_root(const Json *json) { return json->value; }
// The member of that name; NULL when there is none or the value is no object. NULL has no members.
const JsonValue *json_member(const Json *json, const JsonValue *object, const char *name);
// The elements of an array or the members of an object, in order; NULL behind the last.
const JsonValue *json_first(const Json *json, const JsonValue *value);
const JsonValue *json_next(const Json *json, const JsonValue *value);
// The number, if it is a whole one in [lo, hi] (3, 3.0 and 3e0 are); false else, with *out untouched.
bool json_int(const JsonValue *value, i64 lo, i64 hi, i64 *out);
// "a string", "an object" ...: for messages.
const char *json_type_name(JsonType type);

// ---- writing ------------------------------------------------------------------------------------
// Adds one value to a text, piece by piece; commas come by themselves. Zero-initialised but for `out` is the
// beginning. In the functions below, `name` is the member's, and NULL for an element of an array and for the
// whole.
typedef struct JsonWriter {
    Text *out;
    bool has_before; // something stands before what comes next
} JsonWriter;

void json_open_object(JsonWriter *writer, const char *name);
void json_close_object(JsonWriter *writer);
void json_open_array(JsonWriter *writer, const char *name);
void json_close_array(JsonWriter *writer);
void json_put_string(JsonWriter *writer, const char *name, Span value);
// The same for a C string; NULL becomes null.
void json_put_text(JsonWriter *writer, const char *name, const char *value);
void json_put_int(JsonWriter *writer, const char *name, i64 value);
void json_put_u64(JsonWriter *writer, const char *name, u64 value);
// With so many digits that count; what is not finite becomes null.
void json_put_real(JsonWriter *writer, const char *name, double value, int digits);
void json_put_bool(JsonWriter *writer, const char *name, bool value);
void json_put_null(JsonWriter *writer, const char *name);
// What is JSON already: one value, or elements with commas between them (nothing when it is empty).
void json_put_json(JsonWriter *writer, const char *name, Span json);
// A member whose name need not end in NUL.
void json_put_member(JsonWriter *writer, Span name, Span value);

// Adds the string as a JSON string literal, quotes included; invalid UTF-8 becomes U+FFFD.
void text_add_json(Text *text, Span s);

#endif
