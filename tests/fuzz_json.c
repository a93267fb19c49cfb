// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any bytes as a JSON text. What is taken is valid UTF-8, and written again it is taken again
// and has the same values.
#include "base/json.h"
#include "fuzz.h"

static void write_value(JsonWriter *writer, const Json *json, const JsonValue *value, bool is_member)
{
    if (is_member) {
        // Names may hold a zero byte: written as JSON by hand.
        if (writer->has_before)
            text_add(writer->out, ",");
        text_add_json(writer->out, value->name);
        text_add(writer->out, ":");
        writer->has_before = false;
    }
    switch (value->type) {
    case JSON_NULL: json_put_null(writer, NULL); break;
    case JSON_BOOL: json_put_bool(writer, NULL, value->truth); break;
    case JSON_NUMBER: json_put_json(writer, NULL, value->text); break;
    case JSON_STRING: json_put_string(writer, NULL, value->text); break;
    default:
        (value->type == JSON_ARRAY ? json_open_array : json_open_object)(writer, NULL);
        for (const JsonValue *child = json_first(json, value); child; child = json_next(json, child))
            write_value(writer, json, child, value->type == JSON_OBJECT);
        (value->type == JSON_ARRAY ? json_close_array : json_close_object)(writer);
    }
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    Json json, again;
    Message message = {0};
    Text text = {0};
    JsonWriter writer = {.out = &text};
    if (!json_read(&json, (Span){(const char *)data, size}, &message)) {
        require(message.text[0] != '\0' && !json.value && !json.bytes);
        return 0;
    }
    for (int i = 0; i < json.value_nb; i++)
        require(span_is_utf8(json.value[i].text) && span_is_utf8(json.value[i].name));
    write_value(&writer, &json, json_root(&json), false);
    require(json_read(&again, text_span(&text), &message));
    require(again.value_nb == json.value_nb);
    for (int i = 0; i < json.value_nb; i++) {
        const JsonValue *a = &json.value[i], *b = &again.value[i];
        require(a->type == b->type && a->nb == b->nb && a->truth == b->truth && a->text.len == b->text.len &&
                (!a->text.len || memcmp(a->text.ptr, b->text.ptr, a->text.len) == 0));
    }
    json_free(&json);
    json_free(&again);
    text_free(&text);
    return 0;
}
