// SPDX-License-Identifier: GPL-3.0-or-later
// Ten thousand requests with every kind of nonsense in them: each line gets exactly one answer, and the
// session is as good afterwards as it was before.
#include "helpers.h"
#include "json_client.h"

static const char *const NAMES[] = {"hello",  "options",  "set",     "new",  "position", "state",
                                    "legal",  "parse",    "setup",   "go",   "stop",     "ponderhit",
                                    "eval",   "threat",   "opening", "read", "write",    "analyse",
                                    "report", "nonsense", ""};
static const char *const FIELDS[] = {
    "start",       "moves",      "chess960", "square", "text",        "fen",   "depth",   "nodes",
    "movetime_ms", "mate",       "infinite", "ponder", "searchmoves", "clock", "multipv", "level",
    "seed",        "target",     "base64",   "name",   "game",        "tags",  "result",  "format",
    "comments",    "variations", "nags",     "title",  "value",       "id",    "do",      "nonsense"};
// Values that are right for some field, and values that are right for none.
static const char *const VALUES[] = {"null",
                                     "true",
                                     "false",
                                     "0",
                                     "1",
                                     "-1",
                                     "3",
                                     "1.5",
                                     "1e400",
                                     "-0",
                                     "99999999999999999999",
                                     "\"\"",
                                     "\"startpos\"",
                                     "\"e2e4\"",
                                     "\"7g7f\"",
                                     "[\"e2e4\"]",
                                     "[\"7g7f\",\"3c3d\"]",
                                     "[]",
                                     "{}",
                                     "[[[[]]]]",
                                     "{\"a\":{\"b\":1}}",
                                     "{\"time_ms\":[100,100],\"inc_ms\":0}",
                                     "{\"time_ms\":5,\"byoyomi_ms\":\"x\"}",
                                     "\"Threads\"",
                                     "\"Hash\"",
                                     "\"MultiPV\"",
                                     "\"UCI_Chess960\"",
                                     "\"EvalFile\"",
                                     "\"none\"",
                                     "\"/etc/passwd\"",
                                     "\"beginner\"",
                                     "700",
                                     "\"1-0\"",
                                     "\"pgn\"",
                                     "\"kif\"",
                                     "\"html\"",
                                     "\"json\"",
                                     "\"handicap:2\"",
                                     "\"chess960:518\"",
                                     "\"chess960:99999\"",
                                     "\"Zm9v\"",
                                     "\"1. e4 e5 2. Nf3 *\"",
                                     "\"\\u0000\"",
                                     "\"\\ud83d\\ude00\"",
                                     "\"8/8/8/8/8/8/8/8 w - - 0 1\"",
                                     "[null,\"x\",5]",
                                     "\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"",
                                     "\"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\"",
                                     "nul",
                                     "\"\\ud83d\"",
                                     "01",
                                     "\"a",
                                     "{\"a\":1,\"a\":2}"};
#define NB(array) (sizeof(array) / sizeof(array)[0])
#define ANY(rng, array) ((array)[rng_below(rng, (u32)NB(array))])

static void add_request(Rng *rng, Text *line)
{
    text_add(line, "{\"id\":%s,\"do\":\"%s\"", rng_below(rng, 20) ? "7" : ANY(rng, VALUES), ANY(rng, NAMES));
    for (u32 i = rng_below(rng, 4); i > 0; i--)
        text_add(line, ",\"%s\":%s", ANY(rng, FIELDS), ANY(rng, VALUES));
    text_add(line, "}");
}

// A request, whole or damaged; never with an end of line in it.
static void make_line(Rng *rng, Text *line)
{
    text_clear(line);
    add_request(rng, line);
    if (rng_below(rng, 4) == 0)
        for (u32 i = rng_below(rng, 3) + 1; i > 0; i--)
            line->ptr[rng_below(rng, (u32)line->len)] = (char)rng_below(rng, 256);
    if (rng_below(rng, 10) == 0)
        line->len = rng_below(rng, (u32)line->len);
    for (size_t i = 0; i < line->len; i++)
        if (line->ptr[i] == '\n')
            line->ptr[i] = ' ';
}

static void feed(bool has_no_thread, int line_nb, u64 seed)
{
    Client client = {0};
    JsonOwner owner = client_owner(&client);
    owner.has_no_thread = has_no_thread;
    owner.hash_max_mb = 4;
    owner.threads_max = 2;
    owner.allows_files = false;
    owner.node_cap = 40;
    client_open(&client, &owner);
    Rng rng = {seed};
    Text line = {0};
    int sent = 0;
    for (int i = 0; i < line_nb; i++) {
        make_line(&rng, &line);
        sent += span_trim(text_span(&line)).len > 0;
        json_lines_take(client.lines, text_span(&line));
        while (has_no_thread && json_lines_step(client.lines)) {
        }
        while (!has_no_thread && !json_lines_is_idle(client.lines) && i % 50 == 0)
            os_sleep_ms(1);
    }
    text_free(&line);
    CHECK(strstr(
        client_ask(&client, "\"last\"", "{\"id\":\"last\",\"do\":\"position\",\"start\":\"startpos\"}"),
        "\"ok\":true"));
    client_close(&client, false);
    CHECK_INT(client.answer_nb, sent + 1);
    CHECK(client_count(&client, "\"ok\":true") > line_nb / 20);
    CHECK(client_count(&client, "\"ok\":false") > line_nb / 20);
    client_free(&client);
}

void test_json_nonsense(void)
{
    CASE("json nonsense: ten thousand requests, one answer each");
    feed(true, test_is_light() ? 2000 : 10000, 1);
    CASE("json nonsense: the same with a thread of its own");
    feed(false, test_is_light() ? 1000 : 3000, 2);
}
