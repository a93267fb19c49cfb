// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON reader and writer: what the standard allows is taken, everything else is refused with its place,
// limits hold, and what is written can be read back.
#include <stdlib.h>

#include "base/base64.h"
#include "base/json.h"
#include "helpers.h"

static bool reads_span(Span text, Message *message)
{
    Json json;
    bool ok = json_read(&json, text, message);
    json_free(&json);
    return ok;
}

static bool reads(const char *text) { return reads_span(span_of(text), NULL); }

// Refused, with the byte where it went wrong.
static bool refuses(const char *text, int byte)
{
    Message message = {0};
    char place[32];
    snprintf(place, sizeof place, "at byte %d", byte);
    size_t len = strlen(place);
    if (reads_span(span_of(text), &message))
        return false;
    size_t told = strlen(message.text);
    bool is_there = told >= len && strcmp(message.text + told - len, place) == 0;
    if (!is_there)
        printf("%s: %s\n", text, message.text);
    return is_there;
}

// The text that is read from a JSON string and written again.
static void check_string(const char *text, const char *decoded)
{
    Json json;
    CHECK(json_read(&json, span_of(text), NULL));
    if (!json.value)
        return;
    CHECK_INT(json_root(&json)->type, JSON_STRING);
    CHECK_TEXT(json_root(&json)->text.ptr, decoded);
    json_free(&json);
}

static void test_values(void)
{
    CASE("json: values of every kind");
    static const char *const GOOD[] = {"null",
                                       "true",
                                       " false ",
                                       "0",
                                       "-0",
                                       "12",
                                       "-1.5",
                                       "1e3",
                                       "1E+3",
                                       "0.1e-2",
                                       "\"\"",
                                       "[]",
                                       "{}",
                                       "[1,2]",
                                       "[[],{}]",
                                       "{\"a\":1,\"b\":[null]}",
                                       "\t[ 1 ,\r\n 2 ] ",
                                       "\"\\u0000\"",
                                       "1234567890123456789012345678901234567890"};
    for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++)
        CHECK_THAT(reads(GOOD[i]), "%s", GOOD[i]);
}

static void test_refused(void)
{
    CASE("json: what is none is refused, with its place");
    static const struct {
        const char *text;
        int byte;
    } BAD[] = {
        {"", 1},
        {"   ", 4},
        {"nul", 1},
        {"nulll", 5},
        {"True", 1},
        {"+1", 1},
        {"01", 2},
        {"1.", 3},
        {".5", 1},
        {"1e", 3},
        {"1e+", 4},
        {"-", 2},
        {"--1", 2},
        {"1 2", 3},
        {"[", 2},
        {"[1", 3},
        {"[1,", 4},
        {"[1,]", 4},
        {"[,1]", 2},
        {"[1 2]", 4},
        {"]", 1},
        {"{", 2},
        {"{\"a\"", 5},
        {"{\"a\":", 6},
        {"{\"a\":1", 7},
        {"{\"a\":1,}", 8},
        {"{a:1}", 2},
        {"{1:1}", 2},
        {"{\"a\" 1}", 6},
        {"[1}", 3},
        {"{\"a\":1]", 7},
        {"\"", 2},
        {"\"a", 3},
        {"\"\\\"", 4},
        {"\"\\x\"", 3},
        {"\"\\u12\"", 6},
        {"\"\\u123g\"", 7},
        {"\"\n\"", 2},
        {"\"\t\"", 2},
        {"'a'", 1},
        {"[1]//", 4},
        {"NaN", 1},
        {"Infinity", 1},
        {"\xEF\xBB\xBF{}", 1},
        {"{\"a\":1,\"a\":2}", 8},
        {"{\"a\":1,\"\\u0061\":2}", 8},
        {"12345678901234567890123456789012345678901", 1},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        CHECK_THAT(refuses(BAD[i].text, BAD[i].byte), "%s", BAD[i].text);
    CASE("json: a zero byte is no white space and no part of a string");
    CHECK(!reads_span((Span){"1\0", 2}, NULL));
    CHECK(!reads_span((Span){"\"a\0b\"", 5}, NULL));
}

static void test_strings(void)
{
    CASE("json: strings are decoded");
    check_string("\"a\\\"b\\\\c\\/d\\b\\f\\n\\r\\t\"", "a\"b\\c/d\b\f\n\r\t");
    check_string("\"\\u0041\\u00e9\\u6B69\"", "A\xC3\xA9\xE6\xAD\xA9");
    check_string("\"\\ud83d\\uDE00\"", "\xF0\x9F\x98\x80");
    check_string("\"\xE6\xAD\xA9\xF0\x9F\x98\x80\"", "\xE6\xAD\xA9\xF0\x9F\x98\x80");
    CASE("json: halves of surrogate pairs are refused");
    CHECK(refuses("\"\\ud83d\"", 2));
    CHECK(refuses("\"\\ud83dx\"", 2));
    CHECK(refuses("\"\\ud83d\\n\"", 2));
    CHECK(refuses("\"\\ud83d\\ud83d\"", 2));
    CHECK(refuses("\"\\ude00\"", 2));
    CHECK(refuses("\"a\\udfff\\ud800\"", 3));
    CASE("json: bytes that are no UTF-8 are refused");
    CHECK(refuses("\"\xFF\"", 2));
    CHECK(refuses("\"\xC0\x80\"", 2));
    CHECK(refuses("\"\xE0\x80\x80\"", 2));
    CHECK(refuses("\"\xED\xA0\x80\"", 2));
    CHECK(refuses("\"\xF4\x90\x80\x80\"", 2));
    CHECK(refuses("\"a\xE6\xAD\"", 3));
}

static void add_times(Text *text, const char *part, int times)
{
    for (int i = 0; i < times; i++)
        text_add(text, "%s", part);
}

static void test_limits(void)
{
    Text text = {0};
    CASE("json: as deep as the limit, and not deeper");
    add_times(&text, "[", JSON_DEPTH_MAX);
    add_times(&text, "]", JSON_DEPTH_MAX);
    CHECK(reads_span(text_span(&text), NULL));
    text_clear(&text);
    add_times(&text, "[", JSON_DEPTH_MAX + 1);
    add_times(&text, "]", JSON_DEPTH_MAX + 1);
    CHECK(!reads_span(text_span(&text), NULL));
    CASE("json: as many members as the limit, and no more");
    for (int nb = JSON_MEMBERS_MAX; nb <= JSON_MEMBERS_MAX + 1; nb++) {
        text_clear(&text);
        for (int i = 0; i < nb; i++)
            text_add(&text, "%c\"m%d\":%d", i ? ',' : '{', i, i);
        text_add(&text, "}");
        CHECK_INT(reads_span(text_span(&text), NULL), nb == JSON_MEMBERS_MAX);
    }
    CASE("json: as many values as the limit, and no more");
    for (int nb = JSON_VALUES_MAX - 1; nb <= JSON_VALUES_MAX; nb++) {
        text_clear(&text);
        text_add(&text, "[0");
        add_times(&text, ",0", nb - 1);
        text_add(&text, "]");
        CHECK_INT(reads_span(text_span(&text), NULL), nb == JSON_VALUES_MAX - 1);
    }
    text_free(&text);
}

static void test_looking(void)
{
    CASE("json: members and elements are found");
    Json json;
    i64 number = 77;
    CHECK(json_read(&json, span_of("{\"a\":[1,2.0,3e0,4.5,9007199254740993],\"b\":null}"), NULL));
    const JsonValue *list = json_member(&json, json_root(&json), "a");
    CHECK(list && list->type == JSON_ARRAY && list->nb == 5);
    CHECK(!json_member(&json, json_root(&json), "c") && !json_member(&json, list, "a") &&
          !json_member(&json, NULL, "a"));
    const JsonValue *item = json_first(&json, list);
    for (int i = 1; i <= 3; i++, item = json_next(&json, item))
        CHECK(json_int(item, 0, 10, &number) && number == i);
    CHECK(!json_int(item, 0, 10, &number) && number == 3);
    item = json_next(&json, item);
    CHECK(json_int(item, 0, INT64_MAX, &number) && number == 9007199254740993);
    CHECK(!json_int(item, 0, 10, &number) && !json_next(&json, item));
    CHECK(json_first(&json, json_root(&json)) == list && !json_int(NULL, 0, 1, &number));
    json_free(&json);
}

static void test_writer(void)
{
    CASE("json: what is written");
    Text text = {0};
    JsonWriter json = {.out = &text};
    json_open_object(&json, NULL);
    json_put_int(&json, "int", -5);
    json_put_u64(&json, "big", UINT64_MAX);
    json_put_real(&json, "real", 0.125, 3);
    json_put_real(&json, "none", 0.0 / 0.0, 3);
    json_open_array(&json, "list");
    json_put_bool(&json, NULL, true);
    json_put_null(&json, NULL);
    json_open_object(&json, NULL);
    json_close_object(&json);
    json_put_json(&json, NULL, span_of(""));
    json_put_json(&json, NULL, span_of("1,2"));
    json_close_array(&json);
    json_put_text(&json, "text", "a\"b\\\n\x01\xFF\xE6\xAD\xA9");
    json_put_text(&json, "missing", NULL);
    json_put_member(&json, span_of("n\"x"), span_of("v"));
    json_close_object(&json);
    CHECK_TEXT(
        text.ptr,
        "{\"int\":-5,\"big\":18446744073709551615,\"real\":0.125,\"none\":null,\"list\":[true,null,{},1,2],"
        "\"text\":\"a\\\"b\\\\\\n\\u0001\\ufffd\xE6\xAD\xA9\",\"missing\":null,\"n\\\"x\":\"v\"}");
    CHECK(reads(text.ptr));
    text_free(&text);
}

// Cuts and changes of a good text: never more than an answer of yes or no, and what is taken is sound.
static void test_damage(void)
{
    CASE("json: damaged texts are read or refused");
    static const char GOOD[] =
        "{\"id\":7,\"do\":\"go\",\"x\":[1,-2.5e3,\"\\ud83d\\ude00\",null,{\"y\":true}]}";
    Rng rng = {5};
    int taken = 0;
    for (int i = 0; i < 20000; i++) {
        char text[sizeof GOOD];
        memcpy(text, GOOD, sizeof GOOD);
        for (u32 k = rng_below(&rng, 3); k < 3; k++)
            text[rng_below(&rng, sizeof GOOD - 1)] = (char)rng_below(&rng, 256);
        Json json;
        if (json_read(&json, (Span){text, rng_below(&rng, sizeof GOOD)}, NULL)) {
            taken++;
            for (int v = 0; v < json.value_nb; v++)
                CHECK(span_is_utf8(json.value[v].text));
        }
        json_free(&json);
    }
    CHECK(taken > 0);
}

static void test_base64(void)
{
    CASE("base64: there and back");
    static const char *const TEXTS[][2] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"\xFF\xFE\x80", "//6A"}};
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        Text coded = {0}, back = {0};
        base64_add(&coded, span_of(TEXTS[i][0]));
        CHECK_TEXT(coded.len ? coded.ptr : "", TEXTS[i][1]);
        CHECK(base64_read(span_of(TEXTS[i][1]), &back));
        CHECK_TEXT(back.len ? back.ptr : "", TEXTS[i][0]);
        text_free(&coded);
        text_free(&back);
    }
    CASE("base64: what is none is refused");
    static const char *const BAD[] = {
        "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm 9", "=g==", "Zg==Zg==", "Zm9v\n"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        Text back = {0};
        CHECK_THAT(!base64_read(span_of(BAD[i]), &back), "%s", BAD[i]);
        text_free(&back);
    }
}

void test_json(void)
{
    test_values();
    test_refused();
    test_strings();
    test_limits();
    test_looking();
    test_writer();
    test_damage();
    test_base64();
}
