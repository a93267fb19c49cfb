// SPDX-License-Identifier: GPL-3.0-or-later
// The session that speaks JSON: one answer for each request, errors with their code, requests in order, stop
// and ponderhit, bounds of the owner, sessions without a thread. The words of every message are held by
// test_json_page.c.
#include <stdlib.h>

#include "helpers.h"
#include "json_client.h"

// ---- errors -------------------------------------------------------------------------------------
static void check_error(Client *client, const char *id, const char *code, const char *request)
{
    char words[64];
    snprintf(words, sizeof words, "\"code\":\"%s\"", code);
    client_forget(client);
    const char *answer = client_ask(client, id, "%s", request);
    CHECK_THAT(strstr(answer, "\"ok\":false,\"error\":\"") && strstr(answer, words), "%s: %s", request,
               answer);
    CHECK_INT(client->answer_nb, 1);
}

static void test_unreadable(void)
{
    Client client = {0};
    JsonOwner owner = client_owner(&client);
    client_open(&client, &owner);
    CASE("json lines: what can't be read is answered");
    check_error(&client, "null", "bad_json", "nonsense");
    check_error(&client, "null", "bad_json", "{\"id\":1");
    check_error(&client, "null", "bad_json", "{\"id\":1x,\"do\":\"state\"}");
    check_error(&client, "null", "bad_json", "{\"id\":\"a");
    check_error(&client, "null", "bad_json", "{\"do\":{\"id\":1,\"do\":state}}");
    check_error(&client, "null", "bad_json", "{\"do\":state,\"id\":1}");
    check_error(&client, "null", "bad_json", "[{\"id\":1,\"do\":state}]");
    check_error(&client, "null", "bad_json", "{\"id\":1,\"id\":2,\"do\":\"state\"}");
    check_error(&client, "null", "bad_request", "[1]");
    check_error(&client, "null", "bad_request", "7");
    check_error(&client, "null", "bad_request", "{}");
    check_error(&client, "null", "bad_request", "{\"do\":\"state\"}");
    check_error(&client, "null", "bad_request", "{\"id\":null,\"do\":\"state\"}");
    check_error(&client, "null", "bad_request", "{\"id\":[1],\"do\":\"state\"}");
    check_error(
        &client, "null", "bad_request",
        "{\"id\":\"12345678901234567890123456789012345678901234567890123456789012345\",\"do\":\"state\"}");
    CASE("json lines: what can't be read to its end is answered with the id before the fault");
    check_error(&client, "1", "bad_json", "{\"id\":1,\"do\":\"state\"");
    check_error(&client, "1", "bad_json", "{\"id\":1,");
    check_error(&client, "\"q\"", "bad_json", "{\"do\":\"state\",\"id\":\"q\"} x");
    check_error(&client, "2", "bad_json", "{\"id\":2,\"do\":\"state\",\"do\":\"go\"}");
    check_error(&client, "3", "bad_json", "{\"id\":3,\"do\":\"position\",\"moves\":[e2e4]}");
    check_error(&client, "4", "bad_json", "{\"moves\":[{},[\"id\"]],\"id\":4,\"do\":\"po");
    client_close(&client, false);
    client_free(&client);
}

static void test_errors(void)
{
    Client client = {0};
    JsonOwner owner = client_owner(&client);
    client_open(&client, &owner);
    CASE("json lines: errors have the id and the reason");
    check_error(&client, "1", "bad_request", "{\"id\":1}");
    check_error(&client, "1", "bad_request", "{\"id\":1,\"do\":5}");
    check_error(&client, "\"a\\\"b\"", "unknown", "{\"id\":\"a\\\"b\",\"do\":\"sate\"}");
    check_has(client.last.ptr, "did you mean state?");
    check_error(&client, "2.50", "bad_request", "{\"id\":2.50,\"do\":\"position\",\"mvoes\":[]}");
    check_has(client.last.ptr, "'mvoes' (did you mean moves?)");
    check_error(&client, "3", "bad_request", "{\"id\":3,\"do\":\"hello\",\"moves\":[]}");
    check_error(&client, "4", "bad_value", "{\"id\":4,\"do\":\"position\",\"moves\":\"e2e4\"}");
    check_error(&client, "5", "bad_value", "{\"id\":5,\"do\":\"position\",\"moves\":[5]}");
    check_error(&client, "6", "illegal", "{\"id\":6,\"do\":\"position\",\"moves\":[\"zz\"]}");
    check_has(client.last.ptr, "'zz', move 1");
    check_error(&client, "7", "illegal", "{\"id\":7,\"do\":\"position\",\"start\":\"8/8/8 w\"}");
    check_error(&client, "8", "bad_value", "{\"id\":8,\"do\":\"position\",\"chess960\":1}");
    check_error(&client, "9", "bad_value", "{\"id\":9,\"do\":\"go\",\"depth\":0}");
    check_error(&client, "10", "bad_value", "{\"id\":10,\"do\":\"go\",\"depth\":\"5\"}");
    check_error(&client, "11", "bad_value", "{\"id\":11,\"do\":\"go\",\"nodes\":1.5}");
    check_error(&client, "12", "bad_value", "{\"id\":12,\"do\":\"go\",\"clock\":{\"time_ms\":[1]}}");
    check_error(&client, "13", "bad_request", "{\"id\":13,\"do\":\"go\",\"clock\":{\"time\":[1,2]}}");
    check_has(client.last.ptr, "did you mean time_ms?");
    check_error(&client, "14", "bad_value", "{\"id\":14,\"do\":\"go\",\"clock\":{}}");
    check_error(&client, "15", "illegal", "{\"id\":15,\"do\":\"go\",\"depth\":1,\"searchmoves\":[\"a1a1\"]}");
    check_error(&client, "16", "bad_value", "{\"id\":16,\"do\":\"go\",\"level\":\"novice\"}");
    check_error(&client, "17", "bad_value", "{\"id\":17,\"do\":\"set\",\"name\":\"Hasch\",\"value\":1}");
    check_error(&client, "18", "bad_value", "{\"id\":18,\"do\":\"set\",\"name\":\"Hash\",\"value\":0}");
    check_error(&client, "19", "bad_value", "{\"id\":19,\"do\":\"set\",\"name\":\"Hash\",\"value\":[1]}");
    check_error(&client, "20", "bad_request", "{\"id\":20,\"do\":\"set\",\"value\":1}");
    check_error(&client, "21", "bad_value", "{\"id\":21,\"do\":\"stop\",\"target\":[1]}");
    check_error(&client, "22", "bad_request", "{\"id\":22,\"do\":\"report\"}");
    check_error(&client, "23", "bad_value", "{\"id\":23,\"do\":\"analyse\",\"start\":\"startpos\"}");
    check_error(&client, "24", "bad_request", "{\"id\":24,\"do\":\"read\"}");
    check_error(&client, "25", "bad_value", "{\"id\":25,\"do\":\"read\",\"base64\":\"x\"}");
    CASE("json lines: variations that do not fit are refused");
    check_error(&client, "26", "bad_value", "{\"id\":26,\"do\":\"write\",\"variations\":7}");
    check_error(&client, "27", "bad_value", "{\"id\":27,\"do\":\"write\",\"variations\":[7]}");
    check_error(&client, "28", "bad_value",
                "{\"id\":28,\"do\":\"write\",\"variations\":[{\"line\":0,\"ply\":1}]}");
    check_error(&client, "29", "bad_value",
                "{\"id\":29,\"do\":\"write\",\"variations\":[{\"line\":0,\"ply\":2,\"moves\":[\"x\"]}]}");
    check_error(&client, "30", "bad_value",
                "{\"id\":30,\"do\":\"write\",\"variations\":[{\"line\":1,\"ply\":1,\"moves\":[\"x\"]}]}");
    check_error(&client, "31", "illegal",
                "{\"id\":31,\"do\":\"write\",\"variations\":[{\"line\":0,\"ply\":1,\"moves\":[\"x\"]}]}");
    check_error(&client, "32", "illegal",
                "{\"id\":32,\"do\":\"write\",\"variations\":[{\"line\":0,\"ply\":1,\"moves\":[7]}]}");
    check_error(&client, "33", "bad_request",
                "{\"id\":33,\"do\":\"write\",\"variations\":[{\"lnie\":0,\"ply\":1,\"moves\":[]}]}");
    check_error(&client, "34", "bad_value", "{\"id\":34,\"do\":\"write\",\"nags\":[[1]]}");
    check_error(&client, "35", "bad_value",
                "{\"id\":35,\"do\":\"write\",\"comments\":[\"more than moves\"]}");
    check_error(&client, "26", "bad_value", "{\"id\":26,\"do\":\"write\",\"format\":\"doc\"}");
    check_error(&client, "27", "bad_value", "{\"id\":27,\"do\":\"write\",\"result\":\"won\"}");
    check_error(&client, "28", "bad_value", "{\"id\":28,\"do\":\"write\",\"tags\":[]}");
    check_error(&client, "29", "bad_value", "{\"id\":29,\"do\":\"legal\",\"square\":\"e\"}");
    check_error(&client, "36", "bad_value", "{\"id\":36,\"do\":\"legal\",\"square\":\"j1\"}");
    check_error(&client, "37", "bad_value", "{\"id\":37,\"do\":\"legal\",\"square\":\"K*\"}");
    check_error(&client, "30", "bad_request", "{\"id\":30,\"do\":\"parse\"}");
    check_error(&client, "31", "illegal", "{\"id\":31,\"do\":\"parse\",\"text\":\"nonsense\"}");
    check_error(&client, "32", "bad_request", "{\"id\":32,\"do\":\"setup\"}");
    CASE("json lines: a line that is too long is refused");
    char *line = malloc(JSON_LINE_MAX + 2);
    memset(line, 'x', JSON_LINE_MAX + 2);
    client_forget(&client);
    json_lines_take(client.lines, (Span){line, JSON_LINE_MAX + 2});
    check_has(client_wait(&client, "null"), "\"code\":\"too_long\"");
    free(line);
    CASE("json lines: nothing has changed by errors");
    client_forget(&client);
    CHECK(strstr(client_ask(&client, "1", "{\"id\":1,\"do\":\"state\"}"), "\"ply\":0"));
    client_close(&client, false);
    client_free(&client);
}

// ---- searches -----------------------------------------------------------------------------------
static const char *first_move(void)
{
    static char text[MOVE_TEXT_MAX];
    Position pos = position_of(GAME_START);
    Move list[MAX_MOVES];
    gen_all(&pos, list);
    move_print(&pos, list[0], text);
    return text;
}

static void test_order(void)
{
    Client client = {0};
    JsonOwner owner = client_owner(&client);
    client_open(&client, &owner);
    CASE("json lines: searches with an end are done one after the other");
    client_send(&client, "{\"id\":1,\"do\":\"go\",\"nodes\":20000}");
    client_send(&client, "{\"id\":2,\"do\":\"go\",\"nodes\":20000,\"moves\":[\"%s\"]}", first_move());
    client_send(&client, "{\"id\":3,\"do\":\"state\"}");
    CHECK(strstr(client_wait(&client, "3"), "\"ply\":1"));
    CHECK(strstr(client_wait(&client, "2"), "\"kind\":\"move\""));
    CHECK(strstr(client_wait(&client, "1"), "\"kind\":\"move\""));
    Span all = text_span(&client.all);
    const char *one = strstr(all.ptr, "{\"id\":1,\"ok\":true"), *two = strstr(all.ptr, "{\"id\":2,");
    CHECK(one && two && one < two);
    CHECK(client_count(&client, "{\"id\":1,\"event\":\"line\"") > 2);
    CHECK(strstr(client_wait(&client, "1"), "\"nodes\":20000"));
    CASE("json lines: a search without an end makes room for the next one");
    client_send(&client, "{\"id\":4,\"do\":\"go\",\"infinite\":true}");
    client_send(&client, "{\"id\":5,\"do\":\"go\",\"depth\":3}");
    client_wait(&client, "4");
    client_wait(&client, "5");
    CASE("json lines: stop ends what runs and what waits");
    client_forget(&client);
    client_send(&client, "{\"id\":6,\"do\":\"go\",\"movetime_ms\":100000}");
    client_send(&client, "{\"id\":7,\"do\":\"go\",\"movetime_ms\":100000}");
    CHECK(strstr(client_ask(&client, "8", "{\"id\":8,\"do\":\"stop\"}"), "\"stopped\":2"));
    client_wait(&client, "6");
    client_wait(&client, "7");
    CASE("json lines: stop with a target ends that one alone");
    client_forget(&client);
    client_send(&client, "{\"id\":\"x\",\"do\":\"go\",\"movetime_ms\":100000}");
    client_send(&client, "{\"id\":\"y\",\"do\":\"go\",\"nodes\":2000}");
    CHECK(strstr(client_ask(&client, "9", "{\"id\":9,\"do\":\"stop\",\"target\":\"y\"}"), "\"stopped\":1"));
    CHECK(strstr(client_ask(&client, "10", "{\"id\":10,\"do\":\"stop\",\"target\":\"z\"}"), "\"stopped\":0"));
    CHECK_INT(client_count(&client, "{\"id\":\"x\",\"ok\""), 0);
    CHECK(strstr(client_ask(&client, "11", "{\"id\":11,\"do\":\"stop\",\"target\":\"x\"}"), "\"stopped\":1"));
    client_wait(&client, "\"x\"");
    client_wait(&client, "\"y\"");
    CASE("json lines: no more wait than the limit");
    client_forget(&client);
    client_send(&client, "{\"id\":\"long\",\"do\":\"go\",\"movetime_ms\":100000}");
    for (int i = 0; i < JSON_WAITING_MAX + 2; i++)
        client_send(&client, "{\"id\":%d,\"do\":\"eval\"}", 100 + i);
    CHECK(client_count(&client, "\"code\":\"busy\"") >= 1);
    client_ask(&client, "1", "{\"id\":1,\"do\":\"stop\"}");
    client_close(&client, false);
    CHECK_INT(client.answer_nb, JSON_WAITING_MAX + 4);
    client_free(&client);
}

static void test_ponder(void)
{
    Client client = {0};
    JsonOwner owner = client_owner(&client);
    client_open(&client, &owner);
    CASE("json lines: a ponderhit lets it answer");
    client_send(&client, "{\"id\":1,\"do\":\"go\",\"ponder\":true,\"nodes\":1000}");
    os_sleep_ms(100);
    CHECK_INT(client_count(&client, "{\"id\":1,\"ok\""), 0);
    CHECK(strstr(client_ask(&client, "2", "{\"id\":2,\"do\":\"ponderhit\"}"), "\"hit\":true"));
    client_wait(&client, "1");
    CHECK(strstr(client_ask(&client, "3", "{\"id\":3,\"do\":\"ponderhit\"}"), "\"hit\":false"));
    CASE("json lines: a ponderhit brings fresh clocks");
    client_send(&client, "{\"id\":4,\"do\":\"go\",\"ponder\":true,\"clock\":{\"time_ms\":[900000,900000]}}");
    CHECK(
        strstr(client_ask(&client, "5", "{\"id\":5,\"do\":\"ponderhit\",\"clock\":{\"time_ms\":[300,300]}}"),
               "\"hit\":true"));
    client_wait(&client, "4");
    CASE("json lines: at the end everything asked is answered");
    client_forget(&client);
    client_send(&client, "{\"id\":1,\"do\":\"go\",\"infinite\":true}");
    client_send(&client, "{\"id\":2,\"do\":\"eval\"}");
    client_send(&client, "{\"id\":3,\"do\":\"go\",\"nodes\":30000}");
    client_send(&client, "{\"id\":4,\"do\":\"go\",\"ponder\":true}");
    CHECK(!client_send(&client, "{\"id\":5,\"do\":\"quit\"}"));
    client_close(&client, false);
    CHECK_INT(client.answer_nb, 5);
    CHECK_INT(client_count(&client, "{\"id\":3,\"event\":\"line\",\"multipv\":1") > 0, 1);
    CHECK(strstr(client.all.ptr, "\"nodes\":30000"));
    client_free(&client);
}

// ---- owners -------------------------------------------------------------------------------------
static void test_bounds(void)
{
    Client client = {.hash_sum_max = 64};
    JsonOwner owner = client_owner(&client);
    owner.hash_max_mb = 64;
    owner.threads_max = 4;
    owner.hash_mb = 8;
    owner.allows_files = false;
    client_open(&client, &owner);
    CASE("json lines: an owner's bounds hold");
    CHECK(strstr(client_ask(&client, "1", "{\"id\":1,\"do\":\"hello\"}"), "\"hash_max\":64"));
    check_error(&client, "2", "bad_value", "{\"id\":2,\"do\":\"set\",\"name\":\"Hash\",\"value\":65}");
    check_error(&client, "3", "bad_value", "{\"id\":3,\"do\":\"set\",\"name\":\"Threads\",\"value\":5}");
    CHECK(strstr(client_ask(&client, "4", "{\"id\":4,\"do\":\"set\",\"name\":\"Hash\",\"value\":32}"),
                 "\"value\":32"));
    CHECK(strstr(client_ask(&client, "5", "{\"id\":5,\"do\":\"set\",\"name\":\"Threads\",\"value\":\"2\"}"),
                 "\"value\":2"));
    check_error(&client, "6", "bad_value", "{\"id\":6,\"do\":\"set\",\"name\":\"Threads\",\"value\":3}");
    check_has(client.last.ptr, "more than there is");
    CASE("json lines: files are refused where the owner refuses them");
    check_error(&client, "7", "bad_value",
                "{\"id\":7,\"do\":\"set\",\"name\":\"EvalFile\",\"value\":\"/etc/passwd\"}");
    check_error(&client, "8", "bad_value",
                "{\"id\":8,\"do\":\"set\",\"name\":\"BookFile\",\"value\":\"/etc/passwd\"}");
    client_forget(&client);
    CHECK(!strstr(client_ask(&client, "9", "{\"id\":9,\"do\":\"options\"}"), "EvalFile"));
    client_close(&client, false);
    client_free(&client);
    CASE("json lines: a session that is not granted is not opened");
    Client none = {.hash_sum_max = 1};
    Message message = {0};
    owner = client_owner(&none);
    CHECK(!json_lines_open(&owner, &message) && strstr(message.text, "more than there is"));
}

static void test_settings(void)
{
    Client client = {0};
    JsonOwner owner = client_owner(&client);
    client_open(&client, &owner);
    CASE("json lines: multipv and level hold for one search");
    client_ask(&client, "1", "{\"id\":1,\"do\":\"go\",\"depth\":4,\"multipv\":3}");
    CHECK(client_count(&client, "\"multipv\":3") > 0);
    client_forget(&client);
    client_ask(&client, "2", "{\"id\":2,\"do\":\"go\",\"depth\":4,\"level\":\"beginner\",\"seed\":7}");
    client_ask(&client, "3", "{\"id\":3,\"do\":\"go\",\"depth\":4}");
    CHECK_INT(client_count(&client, "\"multipv\":2"), 0);
    CHECK(strstr(client_ask(&client, "4", "{\"id\":4,\"do\":\"options\"}"),
                 "LimitStrength\",\"type\":\"check\",\"default\":false,\"value\":false"));
    CASE("json lines: an option is set in its turn, and the list tells it");
    client_send(&client, "{\"id\":5,\"do\":\"go\",\"infinite\":true}");
    client_send(&client, "{\"id\":6,\"do\":\"set\",\"name\":\"multipv\",\"value\":2}");
    os_sleep_ms(50);
    CHECK_INT(client_count(&client, "{\"id\":6,"), 0);
    client_ask(&client, "7", "{\"id\":7,\"do\":\"stop\"}");
    CHECK(strstr(client_wait(&client, "6"), "\"name\":\"MultiPV\",\"value\":2"));
    CHECK(strstr(client_ask(&client, "8", "{\"id\":8,\"do\":\"options\"}"),
                 "\"MultiPV\",\"type\":\"spin\",\"default\":1,\"value\":2"));
    client_close(&client, false);
    client_free(&client);
}

static void test_without_thread(void)
{
    Client client = {.poll_line = "{\"id\":2,\"do\":\"stop\"}", .poll_after = 5};
    JsonOwner owner = client_owner(&client);
    owner.has_no_thread = true;
    client_open(&client, &owner);
    CASE("json lines: without a thread the owner does the work, and a poll hears of a stop");
    client_send(&client, "{\"id\":1,\"do\":\"go\",\"infinite\":true}");
    CHECK(!json_lines_is_idle(client.lines));
    CHECK_INT(client_count(&client, "{\"id\":1,"), 0);
    CHECK(json_lines_step(client.lines));
    CHECK(strstr(client_wait(&client, "1"), "\"kind\":\"move\""));
    CHECK(strstr(client_wait(&client, "2"), "\"stopped\":1"));
    CHECK(!json_lines_step(client.lines) && json_lines_is_idle(client.lines));
    CASE("json lines: without a thread the same nodes are searched");
    CHECK(strstr(client_ask(&client, "3", "{\"id\":3,\"do\":\"go\",\"nodes\":5000}"), "\"nodes\":5000"));
    CASE("json lines: without a thread a poll hears of a ponderhit, also while the answer waits");
    client.poll_line = "{\"id\":8,\"do\":\"ponderhit\"}";
    client.poll_nb = 0;
    client_ask(&client, "4", "{\"id\":4,\"do\":\"go\",\"ponder\":true,\"depth\":1}");
    CHECK(strstr(client_wait(&client, "8"), "\"hit\":true"));
    CASE("json lines: without a thread an analysis can be stopped");
    client_forget(&client);
    client.poll_line = "{\"id\":6,\"do\":\"stop\"}";
    client.poll_nb = 0;
    client_send(&client, "{\"id\":5,\"do\":\"analyse\",\"moves\":[\"%s\"],\"movetime_ms\":100000}",
                first_move());
    json_lines_step(client.lines);
    check_has(client_wait(&client, "5"), "\"code\":\"stopped\"");
    CASE("json lines: without a thread a game is judged");
    client_ask(&client, "7", "{\"id\":7,\"do\":\"analyse\",\"moves\":[\"%s\"],\"nodes\":500}", first_move());
    // Both positions once, or a second time when the move is in doubt; it is told as soon as both are known.
    int looks = client_count(&client, "{\"id\":7,\"event\":\"progress\"");
    CHECK(looks == 2 || looks == 4);
    CHECK_INT(client_count(&client, looks == 2 ? "\"done\":2,\"total\":2" : "\"done\":4,\"total\":4"), 1);
    CHECK_INT(client_count(&client, "{\"id\":7,\"event\":\"move\""), looks - 1);
    client_close(&client, false);
    client_free(&client);
    CASE("json lines: where nothing can be heard, nothing waits for a stop");
    client = (Client){0};
    owner.poll = NULL;
    client_open(&client, &owner);
    check_error(&client, "1", "bad_value", "{\"id\":1,\"do\":\"go\",\"ponder\":true}");
    check_error(&client, "2", "bad_value", "{\"id\":2,\"do\":\"go\"}");
    client_ask(&client, "3", "{\"id\":3,\"do\":\"go\",\"depth\":2}");
    client_close(&client, false);
    client_free(&client);
}

// ---- analyses -----------------------------------------------------------------------------------
static void test_analyses(void)
{
    Client client = {0};
    JsonOwner owner = client_owner(&client);
    client_open(&client, &owner);
    CASE("json lines: an analysis is the same with any number of threads");
    client_ask(&client, "1", "{\"id\":1,\"do\":\"analyse\",\"moves\":[\"%s\"],\"nodes\":3000}", first_move());
    Text one = {0};
    text_add(&one, "%s", client.last.ptr);
    client_ask(&client, "2", "{\"id\":2,\"do\":\"set\",\"name\":\"Threads\",\"value\":2}");
    client_forget(&client);
    CHECK_TEXT(client_ask(&client, "1", "{\"id\":1,\"do\":\"analyse\",\"nodes\":3000}"), one.ptr);
    CHECK(strstr(client_ask(&client, "3", "{\"id\":3,\"do\":\"options\"}"),
                 "\"Threads\",\"type\":\"spin\",\"default\":1,\"value\":2"));
    text_free(&one);
    CASE("json lines: reports on it");
    CHECK(strstr(client_ask(&client, "4", "{\"id\":4,\"do\":\"report\"}"), "<!doctype html>") ||
          strstr(client.last.ptr, "<!DOCTYPE html>"));
    CHECK(strstr(client_ask(&client, "5", "{\"id\":5,\"do\":\"report\",\"format\":\"json\"}"),
                 "\\\"type\\\":\\\"game\\\""));
    check_error(&client, "6", "bad_value", "{\"id\":6,\"do\":\"report\",\"format\":\"doc\"}");
    CASE("json lines: an analysis that is stopped says so");
    client_forget(&client);
    client_send(&client, "{\"id\":7,\"do\":\"analyse\",\"movetime_ms\":100000}");
    os_sleep_ms(50);
    client_ask(&client, "8", "{\"id\":8,\"do\":\"stop\"}");
    check_has(client_wait(&client, "7"), "\"code\":\"stopped\"");
    check_error(&client, "9", "bad_request", "{\"id\":9,\"do\":\"report\"}");
    CASE("json lines: a session that is cut short gives up");
    client_send(&client, "{\"id\":10,\"do\":\"analyse\",\"movetime_ms\":100000}");
    client_send(&client, "{\"id\":11,\"do\":\"go\",\"movetime_ms\":100000}");
    client_close(&client, true);
    CHECK_INT(client_count(&client, "{\"id\":10,\"ok\":false"), 1);
    CHECK_INT(client_count(&client, "{\"id\":11,\"ok\":true"), 1);
    client_free(&client);
}

void test_json_lines(void)
{
    test_unreadable();
    test_errors();
    test_order();
    test_ponder();
    test_bounds();
    test_settings();
    test_without_thread();
    test_analyses();
}
