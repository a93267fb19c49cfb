// SPDX-License-Identifier: GPL-3.0-or-later
// Games of shogi through the session that speaks JSON: how they ended, times, and the language of moves.
#include "helpers.h"
#include "json_client.h"

static void check_answer(Client *client, const char *request, const char *wanted)
{
    client_forget(client);
    const char *answer = client_ask(client, "1", "{\"id\":1,%s}", request);
    CHECK_THAT(strstr(answer, wanted), "%s: %s, not %s", request, answer, wanted);
}

static void test_endings(Client *client)
{
    static const char WRITE[] = "\"do\":\"write\",\"format\":\"kif\",\"moves\":[\"7g7f\",\"3c3d\"]";
    char request[1024];
    CASE("json write: the ending is the one that is given");
    snprintf(request, sizeof request, "%s,\"result\":\"0-1\",\"reason\":\"resignation\"", WRITE);
    check_answer(client, request, "3 投了");
    snprintf(request, sizeof request, "%s,\"result\":\"0-1\",\"reason\":\"time\"", WRITE);
    check_answer(client, request, "3 切れ負け");
    snprintf(request, sizeof request, "%s,\"result\":\"1-0\",\"reason\":\"declaration\"", WRITE);
    check_answer(client, request, "3 入玉勝ち");
    snprintf(request, sizeof request, "%s,\"reason\":\"boredom\"", WRITE);
    check_answer(client, request, "expected checkmate, stalemate, repetition,");
    CASE("json write: a result that is also that of the rules has their reason");
    snprintf(request, sizeof request,
             "\"do\":\"write\",\"format\":\"kif\",\"result\":\"1/2-1/2\",\"moves\":["
             "%s,%s,%s]",
             "\"2h3h\",\"8b7b\",\"3h2h\",\"7b8b\"", "\"2h3h\",\"8b7b\",\"3h2h\",\"7b8b\"",
             "\"2h3h\",\"8b7b\",\"3h2h\",\"7b8b\"");
    check_answer(client, request, "千日手");
    CASE("json write: times and a word before the first move");
    snprintf(request, sizeof request, "%s,\"times_ms\":[12000,null],\"comment\":\"早指し\"", WRITE);
    check_answer(client, request, "( 0:12/00:00:12)");
    check_answer(client, request, "*早指し");
    check_answer(client, "\"do\":\"write\",\"times_ms\":[1,2,3,4,5]", "\"code\":\"bad_value\"");
    check_answer(client, "\"do\":\"write\",\"times_ms\":[-1]", "\"code\":\"bad_value\"");
    check_answer(client, "\"do\":\"write\",\"tags\":{\"a\\nb\":\"c\"}", "\"code\":\"bad_value\"");
}

static void test_moves_in_japanese(Client *client)
{
    CASE("json: moves are told in the language of the request");
    check_answer(client, "\"do\":\"state\",\"moves\":[\"7g7f\",\"3c3d\",\"8h2b+\",\"3a2b\"]",
                 "[\"P-7f\",\"P-3d\",\"Bx2b+\",\"Sx2b\"]");
    check_answer(client, "\"do\":\"state\",\"language\":\"ja\"",
                 "[\"▲７六歩\",\"△３四歩\",\"▲２二角成\",\"△同銀\"]");
    check_answer(client, "\"do\":\"legal\",\"square\":\"B*\",\"language\":\"ja\"", "\"text\":\"▲１二角\"");
    check_answer(client, "\"do\":\"parse\",\"text\":\"B*5e\",\"language\":\"ja\"", "\"text\":\"▲５五角\"");
    check_answer(client, "\"do\":\"go\",\"nodes\":200,\"searchmoves\":[\"8i7g\"],\"language\":\"ja\"",
                 "\"text\":\"▲７七桂\"");
    check_answer(client, "\"do\":\"threat\",\"nodes\":200,\"language\":\"ja\"", "\"text\":\"△");
    check_answer(client, "\"do\":\"analyse\",\"nodes\":100,\"language\":\"ja\"",
                 "\"move\":\"3a2b\",\"text\":\"△同銀\"");
    check_answer(
        client,
        "\"do\":\"read\",\"language\":\"ja\",\"text\":\"手合割：平手\\n   1 ７六歩(77)\\n   2 ３四歩(33)\\n"
        "   3 ２二角成(88)\\n   4 同　銀(31)\\n変化：4手\\n   4 同　飛(82)\\n\"",
        "\"text\":\"△同銀\"");
    check_answer(client, "\"do\":\"hello\",\"language\":\"de\"", "expected en or ja");
    check_answer(client, "\"do\":\"hello\",\"language\":7", "\"code\":\"bad_value\"");
    CASE("json: castles have their names");
    check_answer(
        client,
        "\"do\":\"state\",\"start\":\"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B1RG1SK1/LNS2G1NL b - 1\"",
        "\"castles\":[{\"name\":");
    check_answer(client, "\"do\":\"state\",\"start\":\"startpos\"", "\"castles\":[null,null]");
}

void test_json_write(void)
{
    Client client = {0};
    JsonOwner owner = client_owner(&client);
    client_open(&client, &owner);
    test_endings(&client);
    test_moves_in_japanese(&client);
    client_close(&client, false);
    client_free(&client);
}
