// SPDX-License-Identifier: GPL-3.0-or-later
// docs/json.md is true: its requests are sent, and what comes is what the page shows, up to times and speeds.
// Each block of a game is a session of its own. Requests (>) that stand together are sent together, then what
// comes (<) is compared: line by line, or, in blocks marked `loose` whose lines depend on the moment, by the
// names of their members alone. Long lists are shortened on the page; here in the same way. With
// JSON_PAGE=write in the environment the page is written anew instead.
#include <stdlib.h>

#include "helpers.h"
#include "json_client.h"

enum { SCALARS_SHOWN = 4, OBJECTS_SHOWN = 2, MEMBERS_SHOWN = 4, TEXT_SHOWN = 120 };
#define MORE "\xE2\x80\xA6"

// ---- shortened lines ----------------------------------------------------------------------------
typedef struct Shortener {
    const Json *json;
    JsonWriter out;
    bool masks; // times and speeds are left out
} Shortener;

static bool is_masked(Span name)
{
    static const char *const NAMES[] = {"time_ms", "nps", "threads_max", NULL};
    for (int i = 0; NAMES[i]; i++)
        if (span_is(name, NAMES[i]))
            return true;
    return false;
}

static void shorten(Shortener *shortener, const JsonValue *value, const char *name);

static void shorten_list(Shortener *shortener, const JsonValue *list)
{
    const JsonValue *item = json_first(shortener->json, list);
    bool has_objects = item && (item->type == JSON_OBJECT || item->type == JSON_ARRAY);
    int shown = 0, most = has_objects ? OBJECTS_SHOWN : SCALARS_SHOWN;
    for (; item && shown < most; item = json_next(shortener->json, item), shown++)
        shorten(shortener, item, NULL);
    if (item)
        json_put_text(&shortener->out, NULL, MORE);
}

// Objects that are lists by their names (squares, tags) are shortened too.
static void shorten_object(Shortener *shortener, const JsonValue *object, bool is_list)
{
    int shown = 0;
    for (const JsonValue *member = json_first(shortener->json, object); member;
         member = json_next(shortener->json, member)) {
        if (is_list && shown++ == MEMBERS_SHOWN) {
            json_put_text(&shortener->out, MORE, MORE);
            return;
        }
        shorten(shortener, member, member->name.ptr);
    }
}

static void shorten_text(Shortener *shortener, const char *name, Span text)
{
    Text cut = {0};
    size_t len = 0;
    while (len < text.len && len < TEXT_SHOWN)
        len += span_utf8_char((Span){text.ptr + len, text.len - len});
    text_add_bytes(&cut, text.ptr, len);
    if (len < text.len)
        text_add(&cut, MORE);
    json_put_string(&shortener->out, name, text_span(&cut));
    text_free(&cut);
}

static void shorten(Shortener *shortener, const JsonValue *value, const char *name)
{
    JsonWriter *out = &shortener->out;
    switch (value->type) {
    case JSON_NULL: json_put_null(out, name); break;
    case JSON_BOOL: json_put_bool(out, name, value->truth); break;
    case JSON_NUMBER:
        json_put_json(out, name, shortener->masks && is_masked(value->name) ? span_of("0") : value->text);
        break;
    case JSON_STRING: shorten_text(shortener, name, value->text); break;
    case JSON_ARRAY:
        json_open_array(out, name);
        shorten_list(shortener, value);
        json_close_array(out);
        break;
    case JSON_OBJECT:
        json_open_object(out, name);
        shorten_object(shortener, value, name && strcmp(name, "squares") == 0);
        json_close_object(out);
        break;
    }
}

// The line as the page shows it, or, with masks, as it is compared; or only its kind and the names of its
// members.
static void print_line(Span line, bool masks, bool names_only, Text *out)
{
    Json json;
    text_clear(out);
    if (!json_read(&json, line, NULL)) {
        text_add(out, "(no JSON)");
        return;
    }
    Shortener shortener = {.json = &json, .out = {.out = out}, .masks = masks};
    if (!names_only)
        shorten(&shortener, json_root(&json), NULL);
    for (const JsonValue *member = json_first(&json, json_root(&json)); names_only && member;
         member = json_next(&json, member)) {
        bool is_kind =
            span_is(member->name, "id") || span_is(member->name, "event") || span_is(member->name, "ok");
        text_add(out, "%s%s ", member->name.ptr,
                 is_kind && member->type != JSON_BOOL ? member->text.ptr : "");
    }
    json_free(&json);
}

// ---- the page -----------------------------------------------------------------------------------
typedef struct Page {
    Client client;
    Text out;      // the page as it would be written
    Text answered; // ids of the requests that stand together, a line each
    Text expected; // the lines that the page shows for them
    bool is_open, is_loose, is_fenced;
    int block_nb, request_nb, line_number;
    Text done; // every request's name that the blocks of this game have
} Page;

static void send_request(Page *page, Span line)
{
    Json json;
    Text id = {0};
    json_read_part(&json, line, NULL); // one that is no JSON is answered with the id before the fault, if any
    const JsonValue *member = json_member(&json, json_root(&json), "id"),
                    *name = json_member(&json, json_root(&json), "do");
    if (member && member->type == JSON_STRING)
        text_add_json(&id, member->text);
    else
        text_add(&id, "%.*s", member ? (int)member->text.len : 4, member ? member->text.ptr : "null");
    text_add(&page->answered, "%s\n", id.ptr);
    if (name)
        text_add(&page->done, "%s\n", name->text.ptr);
    json_free(&json);
    text_free(&id);
    json_lines_take(page->client.lines, line);
    page->request_nb++;
}

// Has a line of this kind been written for the group already?
static bool is_new_kind(Text *kinds, Span line)
{
    Text kind = {0};
    print_line(line, false, true, &kind);
    text_add(&kind, "\n");
    bool is_new = !kinds->len || !strstr(kinds->ptr, kind.ptr);
    text_add(kinds, "%s", kind.ptr);
    text_free(&kind);
    return is_new;
}

// What came is what the page shows, line by line.
static void compare_lines(const Page *page, Span came)
{
    Span shown = text_span(&page->expected), line, wanted;
    Text a = {0}, b = {0};
    while (span_line(&came, &line)) {
        bool has_more = span_line(&shown, &wanted);
        CHECK_THAT(has_more, "docs/json.md before line %d: a line that the page has not: %.*s",
                   page->line_number, (int)line.len, line.ptr);
        if (!has_more)
            break;
        print_line(line, true, false, &a);
        print_line(wanted, true, false, &b);
        // What is shortened on the page is shortened again: that changes nothing.
        CHECK_TEXT(a.ptr, b.ptr);
    }
    CHECK_THAT(!span_line(&shown, &wanted), "docs/json.md before line %d: a line that did not come",
               page->line_number);
    text_free(&a);
    text_free(&b);
}

// Every line of the page has one of its kind among what came.
static void compare_kinds(const Page *page, Span came)
{
    Span shown = text_span(&page->expected), wanted;
    Text kinds = {0}, kind = {0};
    for (Span line; span_line(&came, &line);)
        is_new_kind(&kinds, line);
    while (span_line(&shown, &wanted)) {
        print_line(wanted, false, true, &kind);
        CHECK_THAT(kinds.len && strstr(kinds.ptr, kind.ptr), "docs/json.md before line %d: no line like %.*s",
                   page->line_number, (int)wanted.len, wanted.ptr);
    }
    text_free(&kinds);
    text_free(&kind);
}

// The requests that stand together have been sent, and what the page shows is known.
static void end_group(Page *page)
{
    Span rest = text_span(&page->answered), id;
    if (!rest.len)
        return;
    while (span_line(&rest, &id)) {
        char name[80];
        span_copy(id, name, sizeof name);
        client_wait(&page->client, name);
    }
    Text came = page->client.all, line = {0}, kinds = {0};
    page->client.all = (Text){0};
    if (page->is_loose)
        compare_kinds(page, text_span(&came));
    else
        compare_lines(page, text_span(&came));
    Span lines = text_span(&came);
    for (Span each; span_line(&lines, &each);)
        if (!page->is_loose || is_new_kind(&kinds, each)) {
            print_line(each, false, false, &line);
            text_add(&page->out, "< %s\n", line.ptr);
        }
    text_clear(&page->answered);
    text_clear(&page->expected);
    text_free(&came);
    text_free(&line);
    text_free(&kinds);
}

static void open_block(Page *page, Span words)
{
    page->is_loose = false;
    for (Span word; (word = span_word(&words)).len;) {
        page->is_open |= span_is(word, GAME_NAME);
        page->is_loose |= span_is(word, "loose");
    }
    if (!page->is_open)
        return;
    JsonOwner owner = client_owner(&page->client);
    client_open(&page->client, &owner);
    page->block_nb++;
}

static void close_block(Page *page)
{
    end_group(page);
    client_close(&page->client, false);
    client_free(&page->client);
    page->client = (Client){0};
    page->is_open = false;
}

static void take_line(Page *page, Span line)
{
    page->line_number++;
    page->is_fenced ^= span_starts(line, "```");
    CHECK_THAT(page->is_fenced || (!span_starts(line, "> {") && !span_starts(line, "< {")),
               "docs/json.md:%d: an example outside of the blocks, which nobody tests", page->line_number);
    if (!page->is_open) {
        if (span_starts(line, "```json "))
            open_block(page, (Span){line.ptr + 8, line.len - 8});
    } else if (span_starts(line, "```")) {
        close_block(page);
    } else if (span_starts(line, "< ")) {
        text_add(&page->expected, "%.*s\n", (int)line.len - 2, line.ptr + 2);
        return;
    } else {
        if (page->expected.len)
            end_group(page);
        CHECK_THAT(span_starts(line, "> "), "docs/json.md:%d: expected > or <", page->line_number);
        send_request(page, (Span){line.ptr + 2, line.len - 2});
    }
    text_add(&page->out, "%.*s\n", (int)line.len, line.ptr);
}

// Every request that hello names has an example of this game.
static void check_complete(const Page *page)
{
    Client client = {0};
    Json json;
    JsonOwner owner = client_owner(&client);
    client_open(&client, &owner);
    CHECK(json_read(&json, span_of(client_ask(&client, "1", "{\"id\":1,\"do\":\"hello\"}")), NULL));
    const JsonValue *names = json_member(&json, json_root(&json), "requests");
    CHECK(names && names->nb > 15);
    for (const JsonValue *name = json_first(&json, names); name; name = json_next(&json, name)) {
        char line[64];
        snprintf(line, sizeof line, "%s\n", name->text.ptr);
        CHECK_THAT(page->done.len && strstr(page->done.ptr, line), "docs/json.md has no example of %s",
                   name->text.ptr);
    }
    json_free(&json);
    client_close(&client, false);
    client_free(&client);
}

void test_json_page(void)
{
    Page page = {0};
    const char *mode = getenv("JSON_PAGE");
    CASE("json page: its requests are answered as it says");
    Text text = read_whole("docs/json.md");
    Span rest = text_span(&text);
    for (Span line; span_line(&rest, &line);)
        take_line(&page, line);
    CHECK(!page.is_open && page.block_nb > 5 && page.request_nb > 20);
    CASE("json page: every request has an example");
    check_complete(&page);
    if (mode && strcmp(mode, "write") == 0)
        write_text("docs/json.md", page.out.ptr);
    text_free(&text);
    text_free(&page.out);
    text_free(&page.answered);
    text_free(&page.expected);
    text_free(&page.done);
}
