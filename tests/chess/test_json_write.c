// SPDX-License-Identifier: GPL-3.0-or-later
// Games of chess through the session that speaks JSON: how they ended, clocks, names of tags that would break
// the file, and requests that are refused rather than half understood.
#include "helpers.h"
#include "json_client.h"

static void check_answer(Client *client, const char *request, const char *wanted)
{
    client_forget(client);
    const char *answer = client_ask(client, "1", "{\"id\":1,%s}", request);
    CHECK_THAT(strstr(answer, wanted), "%s: %s, not %s", request, answer, wanted);
}

void test_json_write(void)
{
    Client client = {0};
    JsonOwner owner = client_owner(&client);
    client_open(&client, &owner);
    CASE("json write: the ending, the clocks, a word before the first move");
    check_answer(&client, "\"do\":\"write\",\"moves\":[\"e2e4\"],\"result\":\"1-0\",\"reason\":\"time\"",
                 "[Termination \\\"time forfeit\\\"]");
    check_answer(&client, "\"do\":\"write\",\"result\":\"1-0\",\"comment\":\"first\"", "{first} 1. e4");
    check_answer(&client, "\"do\":\"write\",\"clocks_ms\":[61000]", "[%clk 0:01:01]");
    check_answer(&client, "\"do\":\"write\",\"reason\":7", "\"code\":\"bad_value\"");
    CASE("json write: variations have times too");
    check_answer(&client,
                 "\"do\":\"write\",\"variations\":[{\"line\":0,\"ply\":1,\"moves\":[\"d2d4\"],"
                 "\"clocks_ms\":[62000]}]",
                 "[%clk 0:01:02]");
    CASE("json write: what is no name of a tag is not written as one");
    check_answer(&client, "\"do\":\"write\",\"tags\":{\"A\\nB\":\"x\"}", "\"code\":\"bad_value\"");
    check_answer(&client, "\"do\":\"write\",\"tags\":{\"a b\":\"x\",\"[\":\"y\",\"Good\":\"z\"}",
                 "[Result \\\"*\\\"]\\n[Good \\\"z\\\"]\\n");
    CASE("json: half understood is refused");
    check_answer(&client, "\"do\":\"parse\",\"text\":\"e5\\u0000x\"", "\"code\":\"bad_value\"");
    check_answer(&client, "\"do\":\"set\",\"name\":\"Clear Hash\",\"value\":1", "a button takes no value");
    check_answer(&client, "\"do\":\"go\",\"nodes\":50,\"level\":1.1e3", "\"ok\":true");
    check_answer(&client, "\"do\":\"go\",\"nodes\":50,\"level\":1.5", "\"code\":\"bad_value\"");
    CASE("json: moves of chess are the same in every language");
    check_answer(&client, "\"do\":\"state\",\"moves\":[\"g1f3\"],\"language\":\"ja\"", "\"text\":[\"Nf3\"]");
    client_close(&client, false);
    client_free(&client);
}
