// SPDX-License-Identifier: GPL-3.0-or-later
// See json.h. The reader goes through the text once, from left to right, and keeps values in one array and
// their decoded strings in one block that is as long as the text: a decoded string is never longer than what
// was written. It does not recurse: the open arrays and objects are a small stack.
#include "base/json.h"

#include <math.h>
#include <stdlib.h>

// ---- reading: the place and what is wrong there -------------------------------------------------
typedef struct Reader {
    Json *json;
    Span text;
    size_t at;
    Message *message;
    struct {
        int value; // index of the array or object
        int last;  // index of its last child; 0: none yet
    } open[JSON_DEPTH_MAX];
    int depth;
    int whole_nb; // values that were read with what must follow them
} Reader;

static bool wrong(const Reader *reader, const char *what)
{
    return message_set(reader->message, "%s at byte %zu", what, reader->at + 1);
}

static bool at_end(const Reader *reader) { return reader->at >= reader->text.len; }
static int here(const Reader *reader) { return at_end(reader) ? -1 : (u8)reader->text.ptr[reader->at]; }

static void skip_space(Reader *reader)
{
    int c;
    while ((c = here(reader)) == ' ' || c == '\t' || c == '\r' || c == '\n')
        reader->at++;
}

// ---- reading: strings and numbers ---------------------------------------------------------------
static void keep_byte(Json *json, int c) { json->bytes[json->byte_nb++] = (char)c; }

static void keep_code(Json *json, u32 code)
{
    if (code < 0x80) {
        keep_byte(json, (int)code);
        return;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const u8 LEAD[] = {0, 0xC0, 0xE0, 0xF0};
    keep_byte(json, LEAD[more] | (int)(code >> 6 * more));
    while (more-- > 0)
        keep_byte(json, 0x80 | (int)(code >> 6 * more & 0x3F));
}

// Four hexadecimal digits behind \u.
static bool read_hex(Reader *reader, u32 *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, reader->at++) {
        int c = here(reader);
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return wrong(reader, "expected four hexadecimal digits after \\u");
        *code = *code << 4 | (u32)digit;
    }
    return true;
}

static bool read_unicode(Reader *reader)
{
    u32 code, low;
    size_t start = reader->at - 2;
    if (!read_hex(reader, &code))
        return false;
    if (code >= 0xD800 && code < 0xDC00) {
        bool goes_on = here(reader) == '\\' && reader->at + 1 < reader->text.len &&
                       reader->text.ptr[reader->at + 1] == 'u';
        reader->at += goes_on ? 2 : 0;
        if (goes_on && !read_hex(reader, &low))
            return false;
        if (!goes_on || low < 0xDC00 || low > 0xDFFF) {
            reader->at = start;
            return wrong(reader, "half of a surrogate pair");
        }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code <= 0xDFFF) {
        reader->at = start;
        return wrong(reader, "half of a surrogate pair");
    }
    keep_code(reader->json, code);
    return true;
}

static bool read_escape(Reader *reader)
{
    static const char NAMES[] = "\"\\/bfnrt", BYTES[] = "\"\\/\b\f\n\r\t";
    reader->at++; // the backslash
    int c = here(reader);
    const char *known = c > 0 ? strchr(NAMES, c) : NULL;
    if (!known && c != 'u')
        return wrong(reader, "unknown escape in a string");
    reader->at++;
    if (c == 'u')
        return read_unicode(reader);
    keep_byte(reader->json, BYTES[known - NAMES]);
    return true;
}

static bool read_string(Reader *reader, Span *out)
{
    Json *json = reader->json;
    size_t start = json->byte_nb;
    reader->at++; // the quote
    for (int c; (c = here(reader)) != '"';) {
        if (c < 0)
            return wrong(reader, "a string without its end");
        if (c < ' ')
            return wrong(reader, "a control character in a string");
        if (c == '\\') {
            if (!read_escape(reader))
                return false;
            continue;
        }
        size_t len = span_utf8_char((Span){reader->text.ptr + reader->at, reader->text.len - reader->at});
        if (!len)
            return wrong(reader, "not UTF-8");
        memcpy(json->bytes + json->byte_nb, reader->text.ptr + reader->at, len);
        json->byte_nb += len;
        reader->at += len;
    }
    reader->at++;
    *out = (Span){json->bytes + start, json->byte_nb - start};
    keep_byte(json, 0);
    return true;
}

static bool skip_digits(Reader *reader)
{
    size_t start = reader->at;
    while (here(reader) >= '0' && here(reader) <= '9')
        reader->at++;
    return reader->at > start || wrong(reader, "expected a digit");
}

static bool read_number(Reader *reader, Span *out)
{
    Json *json = reader->json;
    size_t start = reader->at;
    reader->at += here(reader) == '-';
    if (here(reader) == '0')
        reader->at++;
    else if (!skip_digits(reader))
        return false;
    if (here(reader) == '.') {
        reader->at++;
        if (!skip_digits(reader))
            return false;
    }
    if (here(reader) == 'e' || here(reader) == 'E') {
        reader->at++;
        reader->at += here(reader) == '+' || here(reader) == '-';
        if (!skip_digits(reader))
            return false;
    }
    size_t len = reader->at - start;
    if (len > JSON_NUMBER_MAX) {
        reader->at = start;
        return wrong(reader, "a number with too many digits");
    }
    *out = (Span){json->bytes + json->byte_nb, len};
    memcpy(json->bytes + json->byte_nb, reader->text.ptr + start, len);
    json->byte_nb += len;
    return true;
}

// ---- reading: values ----------------------------------------------------------------------------
// A new value behind the others of the array or object that is open; its index, -1 when there is no room.
static int add_value(Reader *reader)
{
    Json *json = reader->json;
    if (json->value_nb == JSON_VALUES_MAX)
        return wrong(reader, "too many values"), -1;
    if (json->value_nb == json->capacity) {
        int capacity = json->capacity ? 2 * json->capacity : 32;
        JsonValue *grown = realloc(json->value, (size_t)capacity * sizeof *grown);
        if (!grown)
            return wrong(reader, "no memory"), -1;
        json->value = grown;
        json->capacity = capacity;
    }
    int index = json->value_nb++;
    json->value[index] = (JsonValue){0};
    if (reader->depth) {
        JsonValue *parent = &json->value[reader->open[reader->depth - 1].value];
        int *last = &reader->open[reader->depth - 1].last;
        *(*last ? &json->value[*last].next : &parent->first) = index;
        *last = index;
        parent->nb++;
    }
    return index;
}

static u32 hash_name(Span name)
{
    u32 hash = 2166136261u;
    for (size_t i = 0; i < name.len; i++)
        hash = (hash ^ (u8)name.ptr[i]) * 16777619u;
    return hash;
}

// The name before a value, with its colon; refused when the object has it already.
static bool read_name(Reader *reader, int index)
{
    Json *json = reader->json;
    Span name;
    size_t start = reader->at;
    if (here(reader) != '"')
        return wrong(reader, "expected a name in quotes");
    if (!read_string(reader, &name))
        return false;
    u32 hash = hash_name(name);
    const JsonValue *object = &json->value[reader->open[reader->depth - 1].value];
    for (int i = object->first; i && i != index; i = json->value[i].next) {
        const JsonValue *other = &json->value[i];
        if (other->name_hash == hash && other->name.len == name.len &&
            memcmp(other->name.ptr, name.ptr, name.len) == 0) {
            reader->at = start;
            reader->whole_nb = i; // neither of the two counts
            return wrong(reader, "a name that comes twice in an object");
        }
    }
    if (object->nb > JSON_MEMBERS_MAX)
        return wrong(reader, "an object with too many members");
    json->value[index].name = name;
    json->value[index].name_hash = hash;
    skip_space(reader);
    if (here(reader) != ':')
        return wrong(reader, "expected a colon");
    reader->at++;
    skip_space(reader);
    return true;
}

static bool read_word(Reader *reader, const char *word)
{
    size_t len = strlen(word);
    if (reader->text.len - reader->at < len || memcmp(reader->text.ptr + reader->at, word, len) != 0)
        return wrong(reader, "expected a value");
    reader->at += len;
    return true;
}

// Anything but the inside of arrays and objects, which are opened.
static bool read_value(Reader *reader, int index)
{
    JsonValue *value = &reader->json->value[index];
    int c = here(reader);
    if (c == '{' || c == '[') {
        if (reader->depth == JSON_DEPTH_MAX)
            return wrong(reader, "too deep");
        reader->at++;
        value->type = c == '{' ? JSON_OBJECT : JSON_ARRAY;
        reader->open[reader->depth].value = index;
        reader->open[reader->depth++].last = 0;
        return true;
    }
    if (c == '"') {
        value->type = JSON_STRING;
        return read_string(reader, &value->text);
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        value->type = JSON_NUMBER;
        return read_number(reader, &value->text);
    }
    if (c == 'n')
        return read_word(reader, "null");
    value->type = JSON_BOOL;
    value->truth = c == 't';
    if (c == 't' || c == 'f')
        return read_word(reader, c == 't' ? "true" : "false");
    return wrong(reader, c < 0 ? "expected a value, but the text ends" : "expected a value");
}

// What may stand between values: a comma, or the end of what is open. *more: a value must follow.
static bool read_between(Reader *reader, bool *more)
{
    const Json *json = reader->json;
    for (*more = false; reader->depth > 0 && !*more;) {
        const JsonValue *open = &json->value[reader->open[reader->depth - 1].value];
        const int end = open->type == JSON_OBJECT ? '}' : ']';
        skip_space(reader);
        int c = here(reader);
        if (c == end) {
            reader->at++;
            reader->depth--;
        } else if (open->nb == 0) {
            *more = true;
        } else if (c == ',') {
            reader->at++;
            skip_space(reader);
            *more = true;
        } else {
            return wrong(reader, end == '}' ? "expected a comma or }" : "expected a comma or ]");
        }
    }
    return true;
}

static bool read_all(Reader *reader)
{
    skip_space(reader);
    for (bool more = true; more;) {
        bool in_object =
            reader->depth && reader->json->value[reader->open[reader->depth - 1].value].type == JSON_OBJECT;
        int index = add_value(reader);
        if (index < 0 || (in_object && !read_name(reader, index)) || !read_value(reader, index) ||
            !read_between(reader, &more))
            return false;
        reader->whole_nb = reader->json->value_nb;
    }
    skip_space(reader);
    return at_end(reader) || wrong(reader, "something behind the value");
}

// Lets go of the value that was being read, if any.
static void keep_whole(Json *json, int whole_nb)
{
    json->value_nb = whole_nb;
    for (int i = 0; i < whole_nb; i++) {
        JsonValue *value = &json->value[i];
        value->next = value->next < whole_nb ? value->next : 0;
        value->first = value->first < whole_nb ? value->first : 0;
    }
    if (!whole_nb)
        json_free(json);
}

bool json_read_part(Json *json, Span text, Message *message)
{
    Reader reader = {.json = json, .text = text, .message = message};
    *json = (Json){0};
    // Each string needs its quotes, and is kept with a NUL: never more bytes than the text has. A number
    // takes its own length.
    json->bytes = malloc(text.len + 1);
    if (!json->bytes)
        return message_set(message, "no memory for a text of %zu bytes", text.len);
    if (read_all(&reader))
        return true;
    keep_whole(json, reader.whole_nb);
    return false;
}

bool json_read(Json *json, Span text, Message *message)
{
    if (json_read_part(json, text, message))
        return true;
    json_free(json);
    return false;
}

void json_free(Json *json)
{
    free(json->value);
    free(json->bytes);
    *json = (Json){0};
}

// ---- looking into what was read -----------------------------------------------------------------
const JsonValue *json_first(const Json *json, const JsonValue *value)
{
    return value && value->first ? &json->value[value->first] : NULL;
}

const JsonValue *json_next(const Json *json, const JsonValue *value)
{
    return value && value->next ? &json->value[value->next] : NULL;
}

const JsonValue *json_member(const Json *json, const JsonValue *object, const char *name)
{
    if (!object || object->type != JSON_OBJECT)
        return NULL;
    for (const JsonValue *member = json_first(json, object); member; member = json_next(json, member))
        if (span_is(member->name, name))
            return member;
    return NULL;
}

bool json_int(const JsonValue *value, i64 lo, i64 hi, i64 *out)
{
    double real;
    if (!value || value->type != JSON_NUMBER)
        return false;
    if (span_int(value->text, lo, hi, out))
        return true;
    // Whole numbers that are written with a point or a power of ten.
    if (!memchr(value->text.ptr, '.', value->text.len) && !memchr(value->text.ptr, 'e', value->text.len) &&
        !memchr(value->text.ptr, 'E', value->text.len))
        return false;
    if (!span_real(value->text, -0x1p53, 0x1p53, &real) || real != floor(real) || real < (double)lo ||
        real > (double)hi)
        return false;
    *out = (i64)real;
    return true;
}

const char *json_type_name(JsonType type)
{
    static const char *const NAMES[] = {"null",     "true or false", "a number",
                                        "a string", "an array",      "an object"};
    return NAMES[type];
}

// ---- writing ------------------------------------------------------------------------------------
void text_add_json(Text *text, Span s)
{
    text_add_bytes(text, "\"", 1);
    while (s.len) {
        size_t len = span_utf8_char(s);
        u8 c = (u8)*s.ptr;
        if (len == 0)
            text_add(text, "\\ufffd"), len = 1;
        else if (c == '"' || c == '\\')
            text_add(text, "\\%c", c);
        else if (c == '\n' || c == '\t')
            text_add(text, c == '\n' ? "\\n" : "\\t");
        else if (c < ' ')
            text_add(text, "\\u%04x", c);
        else
            text_add_bytes(text, s.ptr, len);
        s.ptr += len;
        s.len -= len;
    }
    text_add_bytes(text, "\"", 1);
}

// What stands before a value: a comma, and its name.
static void begin(JsonWriter *writer, Span name)
{
    if (writer->has_before)
        text_add_bytes(writer->out, ",", 1);
    if (name.ptr) {
        text_add_json(writer->out, name);
        text_add_bytes(writer->out, ":", 1);
    }
    writer->has_before = true;
}

static Span name_span(const char *name) { return name ? span_of(name) : (Span){0}; }

static void open_with(JsonWriter *writer, const char *name, const char *bracket)
{
    begin(writer, name_span(name));
    text_add_bytes(writer->out, bracket, 1);
    writer->has_before = false;
}

static void close_with(JsonWriter *writer, const char *bracket)
{
    text_add_bytes(writer->out, bracket, 1);
    writer->has_before = true;
}

void json_open_object(JsonWriter *writer, const char *name) { open_with(writer, name, "{"); }
void json_close_object(JsonWriter *writer) { close_with(writer, "}"); }
void json_open_array(JsonWriter *writer, const char *name) { open_with(writer, name, "["); }
void json_close_array(JsonWriter *writer) { close_with(writer, "]"); }

void json_put_string(JsonWriter *writer, const char *name, Span value)
{
    begin(writer, name_span(name));
    text_add_json(writer->out, value);
}

void json_put_member(JsonWriter *writer, Span name, Span value)
{
    begin(writer, name.ptr ? name : span_of(""));
    text_add_json(writer->out, value);
}

void json_put_text(JsonWriter *writer, const char *name, const char *value)
{
    if (value)
        json_put_string(writer, name, span_of(value));
    else
        json_put_null(writer, name);
}

void json_put_int(JsonWriter *writer, const char *name, i64 value)
{
    begin(writer, name_span(name));
    text_add(writer->out, "%lld", (long long)value);
}

void json_put_u64(JsonWriter *writer, const char *name, u64 value)
{
    begin(writer, name_span(name));
    text_add(writer->out, "%llu", (unsigned long long)value);
}

void json_put_real(JsonWriter *writer, const char *name, double value, int digits)
{
    begin(writer, name_span(name));
    if (isfinite(value))
        text_add(writer->out, "%.*g", digits, value);
    else
        text_add_bytes(writer->out, "null", 4);
}

void json_put_bool(JsonWriter *writer, const char *name, bool value)
{
    begin(writer, name_span(name));
    text_add(writer->out, "%s", value ? "true" : "false");
}

void json_put_null(JsonWriter *writer, const char *name)
{
    begin(writer, name_span(name));
    text_add_bytes(writer->out, "null", 4);
}

void json_put_json(JsonWriter *writer, const char *name, Span json)
{
    if (!json.len && !name)
        return;
    begin(writer, name_span(name));
    text_add_bytes(writer->out, json.ptr, json.len);
}
