// SPDX-License-Identifier: GPL-3.0-or-later
// `serve` from outside: starts the program itself and is its browser. How long it takes until one can play,
// what it prints, how it ends by Ctrl-C and what is left when it is killed, ports that are taken, a browser
// that is started or can't be. The last line is `serve of PROGRAM: P passed, F failed, 0 skipped`.
//   serve_driver PROGRAM FOLDER      the folder is for scratch files
#define _GNU_SOURCE // setenv, kill
#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve_nonsense.h"

static int passed_nb, failed_nb;

static bool expect(bool ok, const char *what)
{
    if (ok)
        passed_nb++;
    else
        failed_nb++, printf("FAILED: serve: %s\n", what);
    return ok;
}

// ---- the program --------------------------------------------------------------------------------
typedef struct Run {
    Process process;
    Text said;
    Address address;
    i64 start_ms;
} Run;

// Reads what it says until the words come; false when they don't.
static bool says(Run *run, const char *words)
{
    i64 until_ms = os_now_ms() + 20000;
    while (!run->said.ptr || !strstr(run->said.ptr, words)) {
        char buffer[4096];
        int got = os_process_read(&run->process, buffer, sizeof buffer, 50);
        if (got < 0 || os_now_ms() > until_ms)
            return false;
        text_add_bytes(&run->said, buffer, (size_t)got);
    }
    return true;
}

static bool start(Run *run, const char *program, const char *a, const char *b, const char *c)
{
    char *argv[] = {(char *)program, "serve", (char *)a, (char *)b, (char *)c, NULL};
    Message error = {{0}};
    *run = (Run){.start_ms = os_now_ms()};
    if (!expect(os_process_start(&run->process, argv, NULL, ERRORS_JOINED, &error), error.text))
        return false;
    const char *at = says(run, "Ctrl-C ends the server\n") ? strstr(run->said.ptr, "http://") : NULL;
    return expect(at && address_read(&run->address, at), "it prints its address");
}

// Waits for its end; the exit code.
static int ended(Run *run)
{
    int status = -1;
    for (int i = 0; i < 2000 && os_process_alive(&run->process, &status); i++)
        os_sleep_ms(10);
    char buffer[4096];
    for (int got; (got = os_process_read(&run->process, buffer, sizeof buffer, 200)) > 0;)
        text_add_bytes(&run->said, buffer, (size_t)got);
    os_process_end(&run->process, 0);
    return status;
}

static void run_free(Run *run)
{
    os_process_end(&run->process, 0);
    text_free(&run->said);
}

// ---- what a person sees -------------------------------------------------------------------------
// A page is loaded, gets a session, asks for the position and plays a move.
static void check_play(const char *program, bool is_fast)
{
    Run run;
    Listener tab = {0};
    Reply reply;
    if (!start(&run, program, "--port", "0", NULL))
        return;
    i64 address_ms = os_now_ms() - run.start_ms;
    expect(ask_once(&run.address, "GET", "", "", NULL, &reply) == 200, "the page is there");
    reply_free(&reply);
    i64 page_ms = os_now_ms() - run.start_ms;
    expect(listener_open(&tab, &run.address), "a tab is opened");
    expect(listener_send(&tab, &run.address, "{\"id\":1,\"do\":\"hello\"}\n{\"id\":2,\"do\":\"state\"}") ==
               204,
           "requests are taken");
    expect(listener_hears(&tab, &run.address, "\"id\":2,\"ok\":true"), "the position is told");
    i64 board_ms = os_now_ms() - run.start_ms;
    expect(listener_send(&tab, &run.address, "{\"id\":3,\"do\":\"go\",\"nodes\":1000}") == 204,
           "a search is taken");
    expect(listener_hears(&tab, &run.address, "\"id\":3,\"ok\":true"), "a move is answered");
    printf("serve of %s: address after %lld ms, page %lld, board %lld, first move %lld\n", program,
           (long long)address_ms, (long long)page_ms, (long long)board_ms,
           (long long)(os_now_ms() - run.start_ms));
    expect(!is_fast || board_ms < 1000, "a board to play on within a second");
    expect(says(&run, "tab 1 is open"), "it tells of the tab");

    // Ctrl-C in the middle of a search.
    listener_send(&tab, &run.address, "{\"id\":4,\"do\":\"go\",\"infinite\":true}");
    expect(listener_hears(&tab, &run.address, "\"id\":4,\"event\":"), "it thinks");
    i64 end_ms = os_now_ms();
    kill(run.process.pid, SIGINT);
    expect(ended(&run) == 0, "Ctrl-C ends it with 0");
    expect(!is_fast || os_now_ms() - end_ms < 3000, "and soon");
    expect(strstr(run.said.ptr, "tab 1 is closed (the server ends), 0 open") != NULL,
           "it tells of the tab's end");
    expect(strstr(run.said.ptr, "the server has ended") != NULL, "it tells of its end");
    expect(strstr(run.said.ptr, run.address.token) == strstr(run.said.ptr, "http://") +
                                                          strlen("http://127.0.0.1:") +
                                                          (run.address.port > 9999 ? 6 : 5),
           "the token is in the address alone");
    listener_free(&tab);
    run_free(&run);
}

static void check_killed(const char *program)
{
    Run run, again;
    Listener tab = {0};
    char port[16];
    if (!start(&run, program, "--port", "0", NULL))
        return;
    expect(listener_open(&tab, &run.address), "a tab is opened");
    listener_send(&tab, &run.address, "{\"id\":1,\"do\":\"go\",\"infinite\":true}");
    expect(listener_hears(&tab, &run.address, "\"event\":\"line\""), "it thinks");
    kill(run.process.pid, SIGKILL);
    expect(wire_is_closed(&tab.client, 10000), "a killed server's stream ends");
    ended(&run);
    Wire client;
    expect(!wire_open(&client, &run.address), "and nobody answers there");
    snprintf(port, sizeof port, "%d", run.address.port);
    if (start(&again, program, "--port", port, NULL)) { // at once, on the port of the one before
        expect(again.address.port == run.address.port && strcmp(again.address.token, run.address.token) != 0,
               "the next one has its port and another token");
        expect(listener_connect(&tab, &again.address) == 404, "and knows no session of the one before");
        kill(again.process.pid, SIGTERM);
        expect(ended(&again) == 0, "SIGTERM ends it with 0");
        run_free(&again);
    }
    listener_free(&tab);
    run_free(&run);
}

// ---- what it leaves behind ----------------------------------------------------------------------
// The memory of the process; 0 where the system does not tell.
static i64 resident_kb(const Run *run)
{
    char path[64], line[256];
    long long kb = 0;
    snprintf(path, sizeof path, "/proc/%d/status", run->process.pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %lld", &kb) == 1)
            break;
    if (file)
        fclose(file);
    return kb;
}

static int open_files(const Run *run)
{
    char path[64], target[64];
    int nb = 0;
    for (int i = 0; i < 1024; i++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", run->process.pid, i);
        nb += readlink(path, target, sizeof target) > 0;
    }
    return nb;
}

// A browser opens and closes tabs, each with a search: true when all went well.
static bool use_tabs(Run *run, int nb)
{
    for (int i = 0; i < nb; i++) {
        Listener tab = {0};
        Reply reply;
        char close[64];
        bool ok = listener_open(&tab, &run->address) &&
                  listener_send(&tab, &run->address, "{\"id\":1,\"do\":\"go\",\"nodes\":2000}") == 204 &&
                  listener_hears(&tab, &run->address, "\"id\":1,\"ok\":true");
        snprintf(close, sizeof close, "close?s=%s", tab.session);
        ok = ok && ask_once(&run->address, "POST", close, "", "", &reply) == 204;
        if (ok)
            reply_free(&reply);
        ok = ok && wire_is_closed(&tab.client, 10000);
        listener_free(&tab);
        if (!ok)
            return false;
    }
    return true;
}

// Nonsense without end, and tabs that come and go, leave neither memory nor open files behind.
static void check_nonsense(const char *program, bool is_fast)
{
    enum { TABS = 20, GROWTH_KB = 24 << 10 };
    const char *asked = getenv("SERVE_NONSENSE");
    int times = asked ? atoi(asked) : 2000, wrong = 0;
    Run run;
    Listener tab = {0};
    Rng rng = {7};
    if (!start(&run, program, "--port", "0", NULL))
        return;
    expect(use_tabs(&run, TABS) && listener_open(&tab, &run.address), "tabs come and go");
    Nonsense nonsense = {.to = &run.address, .session = tab.session};
    for (int i = 0; i < 500; i++)
        nonsense_ask(&nonsense, &rng,
                     &(Message){{0}}); // what is kept for the page is full after that, or nearly
    i64 before_kb = resident_kb(&run);
    int before_files = open_files(&run);
    for (int i = 0; i < times && wrong < 5; i++) {
        Message why = {{0}};
        bool ok = nonsense_ask(&nonsense, &rng, &why);
        if (!ok)
            expect(false, why.text);
        wrong += !ok;
    }
    expect(!wrong, "nonsense has the right status");
    expect(use_tabs(&run, TABS), "tabs come and go after it");
    os_sleep_ms(2500); // connections that linger are over
    i64 after_kb = resident_kb(&run);
    int after_files = open_files(&run);
    printf("serve of %s: %d requests of nonsense: %lld kB before, %lld kB after, %d and %d open files\n",
           program, times, (long long)before_kb, (long long)after_kb, before_files, after_files);
    expect(after_files <= before_files, "no connection is left open");
    expect(!is_fast || after_kb - before_kb < GROWTH_KB, "no memory is left behind");
    kill(run.process.pid, SIGTERM);
    expect(ended(&run) == 0, "it ends as ever");
    listener_free(&tab);
    run_free(&run);
}

// Does anyone listen at that address of this machine?
static bool is_heard_at(const char *address, int port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((u16)port)};
    int handle = socket(AF_INET, SOCK_STREAM, 0);
    bool heard = handle >= 0 && inet_pton(AF_INET, address, &at.sin_addr) == 1 &&
                 connect(handle, (struct sockaddr *)&at, sizeof at) == 0;
    if (handle >= 0)
        close(handle);
    return heard;
}

static void check_alone(const char *program)
{
    Run run;
    if (!start(&run, program, "--port", "0", NULL))
        return;
    expect(is_heard_at("127.0.0.1", run.address.port), "it listens at 127.0.0.1");
    expect(!is_heard_at("127.0.0.2", run.address.port),
           "and at no other address, though it is this machine's");
    run_free(&run);
}

// What the command line says holds in the tabs.
static void check_option(const char *program)
{
    Run run;
    Listener tab = {0};
    if (!start(&run, program, "--port=0", "--option", "Threads=2"))
        return;
    expect(listener_open(&tab, &run.address), "a tab with options is opened");
    listener_send(&tab, &run.address, "{\"id\":1,\"do\":\"options\"}");
    expect(listener_hears(&tab, &run.address,
                          "\"name\":\"Threads\",\"type\":\"spin\",\"default\":1,\"value\":2"),
           "the option of the command line holds");
    listener_free(&tab);
    run_free(&run);
}

// ---- ports and browsers -------------------------------------------------------------------------
static void check_ports(const char *program)
{
    Run first, second, third;
    char port[16];
    Message error;
    if (!start(&first, program, NULL, NULL, NULL))
        return;
    snprintf(port, sizeof port, "%d", first.address.port);
    if (start(&second, program, NULL, NULL, NULL)) {
        expect(second.address.port != first.address.port, "a second server takes another port");
        expect(strstr(second.said.ptr, "is taken: using") != NULL, "and says so");
        run_free(&second);
    }
    char *argv[] = {(char *)program, "serve", "--port", port, NULL};
    third = (Run){0};
    expect(os_process_start(&third.process, argv, NULL, ERRORS_JOINED, &error), "a third one starts");
    expect(ended(&third) == 1, "a port that was asked for and is taken is a failure");
    expect(third.said.ptr && strstr(third.said.ptr, "cannot listen on port"), "with the reason");
    run_free(&third);
    run_free(&first);
}

// With a program that opens browsers in the path, and with none.
static void check_open(const char *program, const char *folder)
{
    char opener[600], address[600], absolute[4096];
    Run run;
    snprintf(opener, sizeof opener, "%s/xdg-open", folder);
    snprintf(address, sizeof address, "%s/address", folder);
    FILE *file = fopen(opener, "w");
    if (!expect(file && realpath(program, absolute), "a browser for the test"))
        return;
    fprintf(file, "#!/bin/sh\nprintf '%%s' \"$1\" >'%s.new'\n/bin/mv '%s.new' '%s'\n", address, address,
            address);
    fclose(file);
    char *chmod_argv[] = {"chmod", "+x", opener, NULL};
    Process process;
    Message error;
    if (os_process_start(&process, chmod_argv, NULL, ERRORS_SHOWN, &error))
        os_process_end(&process, 5000);
    setenv("PATH", folder, 1);
    if (start(&run, absolute, "--open", "--port", "0")) {
        expect(says(&run, "shown in the browser (xdg-open)"), "it starts the browser");
        for (int i = 0; i < 500 && !os_exists(address); i++)
            os_sleep_ms(10);
        Text text = {0};
        expect(text_read_file(&text, address, 1000, &error) && strstr(run.said.ptr, text.ptr),
               "with its address");
        text_free(&text);
        run_free(&run);
    }
    setenv("PATH", "/nowhere", 1);
    if (start(&run, absolute, "--open", "--port", "0")) {
        expect(says(&run, "open the address by hand"), "without one it says what to do");
        run_free(&run);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    os_ignore_broken_pipes();
    setvbuf(stdout, NULL, _IOLBF, 0);
    check_play(argv[1], !getenv("TEST_SLOW") && !getenv("TEST_LIGHT"));
    check_killed(argv[1]);
    check_nonsense(argv[1], !getenv("TEST_SLOW") && !getenv("TEST_LIGHT"));
    check_alone(argv[1]);
    check_option(argv[1]);
    check_ports(argv[1]);
    check_open(argv[1], argv[2]); // last: it leaves the path changed
    printf("serve of %s: %d passed, %d failed, 0 skipped\n", argv[1], passed_nb, failed_nb);
    return failed_nb != 0;
}
