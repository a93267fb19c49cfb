// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs of the server: a session each, events in order and none lost over broken connections, eight of them
// thinking at a time, engines freed when their page is gone, and one budget of hash and threads for all.
#include <stdlib.h>

#include "helpers.h"
#include "session/options.h"
#include "web_server.h"

#define BROWSER "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\n"

static int tab_status(const TestServer *test, const Listener *tab, const char *method, const char *route)
{
    char name[96];
    Reply reply;
    snprintf(name, sizeof name, "%s?s=%s", route, tab->session);
    int status = ask_once(&test->address, method, name, "", strcmp(method, "POST") == 0 ? "" : NULL, &reply);
    reply_free(&reply);
    return status;
}

// How many answers have come.
static int answer_nb(const Listener *tab) { return tab->lines.ptr ? count_of(tab->lines.ptr, "\"ok\":") : 0; }

static void check_talk(void)
{
    TestServer test;
    Listener a, b;
    CASE("tabs: a request is answered over the stream");
    if (!test_server_start(&test, test_server_options()) || !listener_open(&a, &test.address) ||
        !listener_open(&b, &test.address))
        return;
    CHECK(strcmp(a.session, b.session) != 0);
    CHECK_INT(listener_send(&a, &test.address, "{\"id\":11,\"do\":\"hello\"}"), 204); // before anyone listens
    CHECK_INT(listener_connect(&a, &test.address), 200);
    CHECK(listener_hears(&a, &test.address, "\"id\":11,\"ok\":true"));
    CHECK_INT(a.last, 1);

    CASE("tabs: several requests in a body, empty lines and CR LF among them");
    CHECK_INT(listener_send(&a, &test.address,
                            "{\"id\":12,\"do\":\"state\"}\r\n\n{\"id\":13,\"do\":\"state\"}\nno json"),
              204);
    CHECK(listener_hears(&a, &test.address, "\"id\":13,\"ok\":true"));
    CHECK(listener_hears(&a, &test.address, "\"code\":\"bad_json\""));
    CHECK_INT(answer_nb(&a), 4);
    CHECK_INT(listener_send(&a, &test.address, ""), 204);

    CASE("tabs: each hears its own answers");
    CHECK_INT(listener_send(&b, &test.address, "{\"id\":21,\"do\":\"hello\"}"), 204);
    CHECK(listener_hears(&b, &test.address, "\"id\":21,\"ok\":true"));
    listener_take(&a, &test.address, 50);
    CHECK(!strstr(a.lines.ptr, "\"id\":21") && !strstr(b.lines.ptr, "\"id\":1"));

    CASE("tabs: who comes back goes on where he was");
    wire_close(&a.client);
    CHECK_INT(listener_send(&a, &test.address, "{\"id\":14,\"do\":\"state\"}\n{\"id\":15,\"do\":\"state\"}"),
              204);
    CHECK(listener_hears(&a, &test.address, "\"id\":15,\"ok\":true"));
    CHECK_INT(answer_nb(&a), 6);
    CHECK_INT(a.gap_nb, 0);
    a.last = 0; // a page that was loaded anew gets all that is kept
    text_clear(&a.lines);
    wire_close(&a.client);
    CHECK(listener_hears(&a, &test.address, "\"id\":15,\"ok\":true"));
    CHECK_INT(answer_nb(&a), 6);

    CASE("tabs: the number of the last event is a number");
    char name[96];
    Reply reply;
    snprintf(name, sizeof name, "events?s=%s&after=x", a.session);
    CHECK_INT(ask_once(&test.address, "GET", name, "", NULL, &reply), 400);
    reply_free(&reply);
    snprintf(name, sizeof name, "events?s=%s", a.session);
    CHECK_INT(ask_once(&test.address, "GET", name, "Last-Event-ID: -1\r\n", NULL, &reply), 400);
    reply_free(&reply);

    CASE("tabs: quit ends the session after its answer, and the stream");
    CHECK_INT(listener_send(&a, &test.address, "{\"id\":16,\"do\":\"quit\"}\n{\"id\":17,\"do\":\"state\"}"),
              204);
    CHECK(listener_hears(&a, &test.address, "\"id\":16,\"ok\":true"));
    CHECK(wire_is_closed(&a.client, 10000));
    CHECK(test_server_says(&test, "told to quit", 1));
    CHECK_INT(listener_connect(&a, &test.address), 404);
    listener_free(&a);
    listener_free(&b);
    test_server_end(&test);
}

static void check_gone(void)
{
    ServerOptions options = test_server_options();
    TestServer test;
    Listener a, b, c;
    options.grace_ms = 2000; // far more than a busy machine needs between two of the steps below
    CASE("tabs: closed by its page");
    if (!test_server_start(&test, options) || !listener_open(&a, &test.address))
        return;
    CHECK_INT(listener_send(&a, &test.address, "{\"id\":1,\"do\":\"go\",\"infinite\":true}"), 204);
    CHECK(listener_hears(&a, &test.address, "\"event\":\"line\""));
    CHECK_INT(tab_status(&test, &a, "POST", "close"), 204);
    CHECK(test_server_says(&test, "tab 1 is closed (by its page), 0 open", 1));
    CHECK(wire_is_closed(&a.client, 10000)); // its thread has ended, and with it the search
    CHECK_INT(tab_status(&test, &a, "POST", "close"), 404);
    CHECK_INT(listener_send(&a, &test.address, "{}"), 404);

    CASE("tabs: closed in the middle of an analysis and of all that waits behind it");
    Listener d;
    char move[16] = "", asked[256];
    if (!listener_open(&d, &test.address))
        return;
    CHECK_INT(listener_send(&d, &test.address, "{\"id\":1,\"do\":\"state\"}"), 204);
    CHECK(listener_hears(&d, &test.address, "\"legal\":[\""));
    const char *legal = d.lines.ptr ? strstr(d.lines.ptr, "\"legal\":[\"") : NULL;
    CHECK(legal && span_copy((Span){legal + 10, strcspn(legal + 10, "\"")}, move, sizeof move));
    snprintf(asked, sizeof asked,
             "{\"id\":2,\"do\":\"analyse\",\"moves\":[\"%s\"],\"nodes\":4000000000}\n"
             "{\"id\":3,\"do\":\"go\",\"depth\":90}\n",
             move);
    CHECK_INT(listener_send(&d, &test.address, asked), 204);
    listener_take(&d, &test.address, 300);
    CHECK(!strstr(d.lines.ptr, "\"id\":2,\"ok\"") && !strstr(d.lines.ptr, "\"id\":3,"));
    i64 closed_ms = os_now_ms();
    CHECK_INT(tab_status(&test, &d, "POST", "close"), 204);
    CHECK(test_server_says(&test, "tab 2 is closed (by its page), 0 open", 1));
    CHECK(test_is_slow() || os_now_ms() - closed_ms < 2000);
    listener_free(&d);

    CASE("tabs: a page that is gone frees its engine, after a time of grace");
    if (!listener_open(&b, &test.address) || !listener_open(&c, &test.address))
        return;
    CHECK_INT(listener_send(&b, &test.address, "{\"id\":1,\"do\":\"go\",\"infinite\":true}"), 204);
    CHECK(listener_hears(&b, &test.address, "\"event\":\"line\""));
    wire_close(&b.client); // a reload comes back in time
    os_sleep_ms(test_is_slow() ? 5 : 100);
    CHECK(test_is_slow() || listener_connect(&b, &test.address) == 200);
    i64 until_ms = os_now_ms() + 2800; // as long as one listens nothing ends
    while (!test_is_slow() && os_now_ms() < until_ms)
        listener_take(&b, &test.address, 50);
    CHECK(test_is_slow() || test_server_said(&test, "tab 3 is closed") == 0);
    CHECK(test_server_says(&test, "tab 4 is closed (its page is gone)", 1)); // which never listened
    wire_close(&b.client);
    CHECK(test_server_says(&test, "tab 3 is closed (its page is gone)", 1));
    CHECK(test_server_says(&test, "(its page is gone), 0 open", 1)); // whichever of the two was the last
    CHECK_INT(tab_status(&test, &b, "GET", "events"), 404);
    listener_free(&a);
    listener_free(&b);
    listener_free(&c);
    test_server_end(&test);
}

static void check_limit(void)
{
    ServerOptions options = test_server_options();
    TestServer test;
    Listener tab[3], more;
    Reply reply;
    options.tab_max = 3;
    options.yield_ms = 300;
    CASE("tabs: no more than are allowed, and a sentence on why");
    if (!test_server_start(&test, options))
        return;
    for (int i = 0; i < 3; i++) {
        CHECK(listener_open(&tab[i], &test.address));
        CHECK_INT(listener_connect(&tab[i], &test.address), 200);
    }
    CHECK_INT(ask_once(&test.address, "POST", "session", "", "", &reply), 503);
    CHECK(reply.body.ptr && strstr(reply.body.ptr, "3 tabs are open"));
    reply_free(&reply);
    CHECK_INT(tab_status(&test, &tab[0], "POST", "close"), 204);
    CHECK(test_server_says(&test, "tab 1 is closed", 1));
    CHECK(listener_open(&more, &test.address));

    CASE("tabs: the place of one whose page is away is taken");
    wire_close(&tab[1].client);
    CHECK_INT(listener_connect(&more, &test.address), 200);
    os_sleep_ms(400);
    CHECK_INT(ask_once(&test.address, "POST", "session", "", "", &reply), 200);
    reply_free(&reply);
    CHECK(test_server_says(&test, "tab 2 is closed (its page is gone, another needs the place)", 1));
    for (int i = 0; i < 3; i++)
        listener_free(&tab[i]);
    listener_free(&more);
    test_server_end(&test);
}

// Sets an option in a tab: was it granted?
static bool set_number(TestServer *test, Listener *tab, int id, const char *option, int value)
{
    char line[96], answer[32];
    snprintf(line, sizeof line, "{\"id\":%d,\"do\":\"set\",\"name\":\"%s\",\"value\":%d}", id, option, value);
    CHECK_INT(listener_send(tab, &test->address, line), 204);
    snprintf(answer, sizeof answer, "\"id\":%d,\"ok\":", id);
    CHECK(listener_hears(tab, &test->address, answer));
    const char *at = tab->lines.ptr ? strstr(tab->lines.ptr, answer) : NULL;
    return at && strncmp(at + strlen(answer), "true", 4) == 0;
}

static void check_budget(void)
{
    ServerOptions options = test_server_options();
    TestServer test;
    Listener a, b;
    Message error;
    Budget budget;
    options.tab_max = 2;
    options.hash_mb = 2 * TAB_HASH_MB + 32;
    options.threads = 2 * TAB_THREADS + 2;
    CASE("tabs: hash and threads are bounded over all tabs");
    if (!test_server_start(&test, options) || !listener_open(&a, &test.address) ||
        !listener_open(&b, &test.address))
        return;
    CHECK(set_number(&test, &a, 1, "Threads", TAB_THREADS + 2));
    CHECK(!set_number(&test, &b, 1, "Threads", TAB_THREADS + 1));
    CHECK(strstr(b.lines.ptr, "serve --threads") != NULL);
    CHECK(set_number(&test, &a, 2, "Threads", TAB_THREADS + 1));
    CHECK(set_number(&test, &b, 2, "Threads", TAB_THREADS + 1));
    CHECK(set_number(&test, &b, 3, "Hash", TAB_HASH_MB + 20));
    CHECK(!set_number(&test, &a, 3, "Hash", TAB_HASH_MB + 13));
    CHECK(strstr(a.lines.ptr, "serve --hash") != NULL);
    CHECK(set_number(&test, &a, 4, "Hash", TAB_HASH_MB + 12));
    CHECK(set_number(&test, &a, 5, "Hash", 1)); // less than the first share gives back no more than there was
    CHECK(!set_number(&test, &b, 4, "Hash", TAB_HASH_MB + 33));

    CASE("tabs: what a closed tab had is free again");
    CHECK_INT(tab_status(&test, &a, "POST", "close"), 204);
    CHECK(test_server_says(&test, "tab 1 is closed", 1));
    CHECK(set_number(&test, &b, 5, "Threads", TAB_THREADS + 2));
    CHECK(set_number(&test, &b, 6, "Hash", TAB_HASH_MB + 32));
    listener_free(&a);
    listener_free(&b);
    test_server_end(&test);

    CASE("tabs: a budget too small for the tabs is refused");
    CHECK(!budget_init(&budget, &options.share, 10 * TAB_HASH_MB - 1, 100, 10, &error) &&
          strstr(error.text, "--hash"));
    budget_free(&budget);
    CHECK(!budget_init(&budget, &options.share, 10 * TAB_HASH_MB, 9, 10, &error) &&
          strstr(error.text, "--threads"));
    budget_free(&budget);
}

// Asks a tab for its options: has it one with that value?
static bool has_option(TestServer *test, Listener *tab, const char *name, const char *value)
{
    char words[96], end[32];
    text_clear(&tab->lines);
    CHECK_INT(listener_send(tab, &test->address, "{\"id\":\"options\",\"do\":\"options\"}"), 204);
    CHECK(listener_hears(tab, &test->address, "\"id\":\"options\",\"ok\":true"));
    snprintf(words, sizeof words, "{\"name\":\"%s\"", name);
    snprintf(end, sizeof end, "\"value\":%s", value);
    const char *at = tab->lines.ptr ? strstr(tab->lines.ptr, words) : NULL;
    const char *found = at ? strstr(at, end) : NULL;
    return found && found < strchr(at, '}');
}

static void check_options(void)
{
    ServerOptions options = test_server_options();
    TestServer test;
    Listener a, b;
    Message error;
    OptionList list = {0};
    const char *hash = PROTOCOL_WORDS.option[ROLE_HASH].name;
    CHECK(option_list_add(&list, span_of("MultiPV=3"), &error));
    CHECK(option_list_add(&list, span_of("Hash=40"), &error));
    CHECK(option_list_add(&list, span_of("Threads=2"), &error));
    options.tab_max = 2;
    options.share = (TabShare){.hash_mb = 40, .threads = 2, .options = &list};
    options.hash_mb = 100;
    options.threads = 5;
    CASE("tabs: options of the command line hold in every tab, and count");
    if (!test_server_start(&test, options) || !listener_open(&a, &test.address) ||
        !listener_open(&b, &test.address))
        return;
    for (int i = 0; i < 2; i++) {
        Listener *tab = i ? &b : &a;
        CHECK(has_option(&test, tab, "MultiPV", "3"));
        CHECK(has_option(&test, tab, "Threads", "2"));
        CHECK(has_option(&test, tab, hash, "40"));
    }
    CHECK(!set_number(&test, &a, 1, "Hash", 61) && set_number(&test, &a, 2, "Hash", 60));
    CHECK(!set_number(&test, &b, 1, "Hash", 41) && set_number(&test, &b, 2, "Hash", 40));
    CHECK(!set_number(&test, &a, 3, "Threads", 4) && set_number(&test, &a, 4, "Threads", 3));
    CHECK(!set_number(&test, &b, 3, "Threads", 3) && set_number(&test, &b, 4, "Threads", 1));
    CHECK(!set_number(&test, &a, 5, "Threads", 4)); // the share of a tab is its own

    CASE("tabs: a page names no files");
    CHECK_INT(listener_send(&a, &test.address,
                            "{\"id\":6,\"do\":\"set\",\"name\":\"EvalFile\",\"value\":\"/etc/passwd\"}"),
              204);
    CHECK(listener_hears(&a, &test.address, "\"id\":6,\"ok\":false"));
    CHECK(strstr(a.lines.ptr, "files can't be named here") != NULL);
    listener_free(&a);
    listener_free(&b);
    test_server_end(&test);

    CASE("tabs: an option that can't be set opens no tab");
    list.pair[0] = span_of("MultiPV=none");
    Reply reply;
    if (!test_server_start(&test, options))
        return;
    CHECK_INT(ask_once(&test.address, "POST", "session", "", "", &reply), 503);
    CHECK(reply.body.ptr && strstr(reply.body.ptr, "MultiPV"));
    reply_free(&reply);
    test_server_end(&test);
}

// Eight pages at a time, each with a search, of a browser that shares its connections among them or of
// others.
static void check_eight(bool is_browser)
{
    enum { TABS = 8, QUESTIONS = 6 };
    TestServer test;
    Listener tab[TABS];
    CASE("tabs: eight think at a time%s",
         is_browser ? ", and take turns in the connections of one browser" : "");
    if (!test_server_start(&test, test_server_options()))
        return;
    for (int i = 0; i < TABS; i++) {
        CHECK(listener_open(&tab[i], &test.address));
        if (is_browser)
            tab[i].headers = BROWSER;
        CHECK_INT(listener_connect(&tab[i], &test.address), 200);
    }
    for (int q = 0; q < QUESTIONS; q++)
        for (int i = 0; i < TABS; i++) {
            char line[96];
            snprintf(line, sizeof line, "{\"id\":%d,\"do\":\"go\",\"nodes\":%d}", 100 * i + q,
                     test_is_slow() && !is_browser ? 2000 : 20000); // turns are taken only in time
            CHECK_INT(listener_send(&tab[i], &test.address, line), 204);
        }
    i64 until_ms = os_now_ms() + 120000;
    for (int done = 0; done < TABS && os_now_ms() < until_ms;) {
        done = 0;
        for (int i = 0; i < TABS; i++) {
            listener_take(&tab[i], &test.address, 5);
            done += answer_nb(&tab[i]) == QUESTIONS;
        }
    }
    int connect_nb = 0;
    for (int i = 0; i < TABS; i++) {
        CHECK_INT(answer_nb(&tab[i]), QUESTIONS);
        CHECK_INT(tab[i].gap_nb, 0);
        CHECK_INT(count_of(tab[i].lines.ptr, "\"lost\""), 0);
        char other[32];
        snprintf(other, sizeof other, "\"id\":%d", 100 * ((i + 1) % TABS));
        CHECK(!strstr(tab[i].lines.ptr, other) || i + 1 == TABS);
        connect_nb += tab[i].connect_nb;
        listener_free(&tab[i]);
    }
    CHECK(is_browser ? connect_nb > TABS : connect_nb == TABS);
    test_server_end(&test);
}

static void check_behind(void)
{
    enum { REQUESTS = TAB_EVENT_NB + 500 };
    ServerOptions options = test_server_options();
    TestServer test;
    Listener tab;
    Text lines = {0};
    CASE("tabs: a page that was away too long is told how much it missed");
    if (!test_server_start(&test, options) || !listener_open(&tab, &test.address))
        return;
    for (int i = 1; i <= REQUESTS; i++)
        text_add(&lines, "{\"id\":%d,\"do\":\"x\"}\n", i);
    CHECK_INT(listener_send(&tab, &test.address, lines.ptr), 204);
    char last[32], lost[64];
    snprintf(last, sizeof last, "\"id\":%d,", REQUESTS);
    snprintf(lost, sizeof lost, "\"event\":\"lost\",\"count\":%d}", REQUESTS - TAB_EVENT_NB);
    CHECK(listener_hears(&tab, &test.address, last)); // all are answered
    tab.last = 0;
    tab.gap_nb = 0;
    text_clear(&tab.lines);
    wire_close(&tab.client);
    CHECK(listener_hears(&tab, &test.address, last));
    CHECK_INT(tab.last, REQUESTS);
    CHECK(tab.gap_nb == 1 && count_of(tab.lines.ptr, lost) == 1);

    CASE("tabs: that event has a number, so that a stream that breaks right behind it tells it once");
    char first[96];
    snprintf(first, sizeof first, "id: %d\ndata: {\"id\":null,%s", REQUESTS - TAB_EVENT_NB, lost);
    tab.last = 0;
    CHECK_INT(listener_connect(&tab, &test.address), 200);
    for (i64 until_ms = os_now_ms() + 20000; !tab.client.in.ptr || !strstr(tab.client.in.ptr, lost);)
        if (wire_is_closed(&tab.client, 10) || os_now_ms() > until_ms)
            break;
    CHECK(tab.client.in.ptr && strstr(tab.client.in.ptr, first));

    text_free(&lines);
    listener_free(&tab);
    test_server_end(&test);
}

// How many events the lines say were lost.
static i64 lost_nb(const Listener *tab)
{
    static const char LOST[] = "\"event\":\"lost\",\"count\":";
    i64 sum = 0;
    for (const char *at = tab->lines.ptr; at && (at = strstr(at, LOST));)
        sum += strtoll(at += sizeof LOST - 1, NULL, 10);
    return sum;
}

static void check_unread(void)
{
    // More than is kept for the page, and the buffers of the system, can hold.
    enum { ROUNDS = 120, EACH = 50, PAGE_NB = 60 };
    ServerOptions options = test_server_options();
    TestServer test;
    Listener tab;
    Reply reply;
    Text lines = {0};
    options.patience.write_ms = 500;
    CASE("tabs: a page that does not read loses its stream, and holds up nobody");
    if (!test_server_start(&test, options) || !listener_open(&tab, &test.address))
        return;
    CHECK_INT(listener_connect(&tab, &test.address), 200);
    for (int i = 0; i < EACH; i++)
        text_add(&lines, "{\"id\":1,\"do\":\"hello\"}\n");
    for (int i = 0; i < ROUNDS; i++) // nobody reads the answers
        CHECK_INT(listener_send(&tab, &test.address, lines.ptr), 204);
    // Longer than the server waits for who does not read; where all is slow it has first to find the answers.
    i64 patience_ms = os_now_ms() + (test_is_slow() ? 5000 : 0);
    for (int i = 0; i < PAGE_NB || os_now_ms() < patience_ms; i++) {
        CHECK_INT(ask_once(&test.address, "GET", "", "", NULL, &reply), 200);
        reply_free(&reply);
        os_sleep_ms(20);
    }
    i64 until_ms = os_now_ms() + 20000;
    while (!tab.client.is_over && os_now_ms() < until_ms) // what was under way, and then the end
        listener_take(&tab, &test.address, 500);
    CHECK(tab.client.is_over);
    CHECK_INT(tab.connect_nb, 1);
    CHECK(tab.last > 0 && tab.last < ROUNDS * EACH);

    CASE("tabs: and gets what is kept when it comes back, and the number of what is not");
    CHECK_INT(listener_send(&tab, &test.address, "{\"id\":2,\"do\":\"state\"}"), 204);
    CHECK(listener_hears(&tab, &test.address, "\"id\":2,\"ok\":true"));
    CHECK(tab.connect_nb == 2 || (test_is_slow() && tab.connect_nb > 2)); // a slow reader is left again
    CHECK_INT(tab.last, ROUNDS * EACH + 1);
    CHECK_INT(answer_nb(&tab) + lost_nb(&tab), ROUNDS * EACH + 1);
    CHECK_INT(tab.gap_nb, count_of(tab.lines.ptr, "\"event\":\"lost\"")); // each is told
    text_free(&lines);
    listener_free(&tab);
    test_server_end(&test);
}

static void check_end(void)
{
    enum { TABS = 4 };
    TestServer test;
    Listener tab[TABS];
    CASE("tabs: a server that ends in the middle of it all ends at once");
    if (!test_server_start(&test, test_server_options()))
        return;
    for (int i = 0; i < TABS; i++) {
        CHECK(listener_open(&tab[i], &test.address));
        CHECK_INT(listener_send(
                      &tab[i], &test.address,
                      "{\"id\":1,\"do\":\"go\",\"infinite\":true}\n{\"id\":2,\"do\":\"go\",\"depth\":60}"),
                  204);
    }
    for (int i = 0; i < TABS; i++)
        CHECK(listener_hears(&tab[i], &test.address, "\"event\":\"line\""));
    test_server_end(&test);
    for (int i = 0; i < TABS; i++) {
        CHECK(wire_is_closed(&tab[i].client, 1000));
        listener_free(&tab[i]);
    }
}

void test_serve_tabs(void)
{
    check_talk();
    check_gone();
    check_limit();
    check_budget();
    check_options();
    check_eight(false);
    check_eight(true);
    check_behind();
    check_unread();
    check_end();
}
