// SPDX-License-Identifier: GPL-3.0-or-later
// Child processes: what is written arrives, silence times out, the end is seen, a broken pipe is an answer
// and not a signal, and nothing that was started is left behind, not even what a child started itself.
#include <signal.h>
#include <unistd.h>

#include "test.h"

static bool start_shell(Process *process, const char *script)
{
    Message error = {{0}};
    char *argv[] = {"sh", "-c", (char *)script, NULL};
    bool ok = os_process_start(process, argv, NULL, ERRORS_JOINED, &error);
    CHECK_THAT(ok, "%s", error.text);
    return ok;
}

// Reads until `size - 1` bytes, the end of output or two seconds of silence.
static size_t read_all(Process *process, char *out, size_t size)
{
    size_t len = 0;
    while (len + 1 < size) {
        int got = os_process_read(process, out + len, size - 1 - len, 2000);
        if (got <= 0)
            break;
        len += (size_t)got;
    }
    out[len] = '\0';
    return len;
}

static void check_talk(void)
{
    CASE("process: echo");
    Process cat;
    char out[64];
    if (!start_shell(&cat, "cat"))
        return;
    CHECK(os_process_write(&cat, "hello\n", 6, 1000));
    CHECK_INT(os_process_read(&cat, out, sizeof out, 2000), 6);
    CHECK(memcmp(out, "hello\n", 6) == 0);
    CASE("process: silence is a time-out");
    i64 start_ms = os_now_ms();
    CHECK_INT(os_process_read(&cat, out, sizeof out, 30), 0);
    CHECK(os_now_ms() - start_ms >= 29);
    CHECK(os_process_alive(&cat, NULL));
    int pid = cat.pid;
    os_process_end(&cat, 2000);
    CHECK_INT(cat.pid, 0);
    CHECK(kill(pid, 0) != 0);
    os_process_end(&cat, 0); // harmless on none

    CASE("process: errors are joined, exit code is told");
    Process sh;
    int status = -1;
    if (!start_shell(&sh, "echo out; echo err >&2; exit 7"))
        return;
    read_all(&sh, out, sizeof out);
    CHECK_TEXT(out, "out\nerr\n");
    for (int i = 0; i < 2000 && os_process_alive(&sh, NULL); i++)
        os_sleep_ms(1);
    CHECK(!os_process_alive(&sh, &status));
    CHECK_INT(status, 7);
    os_process_end(&sh, 0);
}

static void check_refusals(void)
{
    CASE("process: a command that is not there");
    Process none;
    Message error = {{0}};
    char *argv[] = {"no-such-program-anywhere", NULL};
    CHECK(!os_process_start(&none, argv, NULL, ERRORS_HIDDEN, &error));
    CHECK(strstr(error.text, "no-such-program-anywhere") != NULL);
    CHECK_INT(none.pid, 0);
    char *cat[] = {"cat", NULL};
    CHECK(!os_process_start(&none, cat, "/no/such/folder", ERRORS_HIDDEN, &error));
    CHECK(strstr(error.text, "/no/such/folder") != NULL);

    CASE("process: writing to one that is gone");
    Process gone;
    char out[8], block[4096] = {0};
    if (!start_shell(&gone, "exit 0"))
        return;
    CHECK_INT(os_process_read(&gone, out, sizeof out, 2000), -1);
    bool taken = true;
    for (int i = 0; i < 100 && taken; i++)
        taken = os_process_write(&gone, block, sizeof block, 100);
    CHECK(!taken);
    os_process_end(&gone, 0);

    CASE("process: writing to one that does not read");
    Process deaf;
    if (!start_shell(&deaf, "sleep 60"))
        return;
    i64 start_ms = os_now_ms();
    taken = true;
    for (int i = 0; i < 100 && taken; i++)
        taken = os_process_write(&deaf, block, sizeof block, 50);
    CHECK(!taken);
    CHECK(os_now_ms() - start_ms < 5000);
    os_process_end(&deaf, 0);
}

// The pids of a shell and of the process it started and waits for.
static void check_group(void)
{
    CASE("process: what a child started ends with it");
    Process sh;
    char out[64];
    i64 pid = 0;
    if (!start_shell(&sh, "trap '' TERM INT; sleep 60 & echo $!; wait"))
        return;
    CHECK(os_process_read(&sh, out, sizeof out, 2000) > 0);
    Span rest = {out, strcspn(out, "\n")};
    CHECK(span_int(rest, 2, INT32_MAX, &pid));
    os_process_end(&sh, 20);
    // It is nobody's child now: whoever adopts orphans reaps it soon.
    bool gone = false;
    for (int i = 0; i < 2000 && !gone; i++, os_sleep_ms(1)) {
        char path[64], state[256] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        FILE *file = fopen(path, "r");
        gone = !file || !fgets(state, sizeof state, file) || strstr(state, ") Z") != NULL;
        if (file)
            fclose(file);
    }
    CHECK(gone);

    CASE("process: much output at the end does not hold it up");
    Process loud;
    if (!start_shell(&loud, "cat >/dev/null; i=0; while [ $i -lt 3000 ]; do echo "
                            "0123456789012345678901234567890123456789; i=$((i+1)); done"))
        return;
    i64 start_ms = os_now_ms();
    os_process_end(&loud, 20000);
    CHECK(os_now_ms() - start_ms < 15000);
}

// ---- many at a time -----------------------------------------------------------------------------
enum { STARTERS = 4, LISTING_MAX = 512 };

// The files that a fresh child has open, by number.
static bool list_files(char listing[LISTING_MAX])
{
    Message error;
    Process sh;
    char *argv[] = {"sh", "-c", "cd /proc/$$/fd && echo *", NULL};
    if (!os_process_start(&sh, argv, NULL, ERRORS_JOINED, &error))
        return false;
    read_all(&sh, listing, LISTING_MAX);
    os_process_end(&sh, 2000);
    return listing[0] != '\0';
}

typedef struct Starter {
    Thread thread;
    const char *alone; // what a child has that is started alone
    int rounds, failed, apart;
    char listing[LISTING_MAX];
} Starter;

static void *start_many(void *argument)
{
    Starter *starter = argument;
    char listing[LISTING_MAX];
    for (int i = 0; i < starter->rounds; i++) {
        if (!list_files(listing))
            starter->failed++;
        else if (strcmp(listing, starter->alone) != 0) {
            starter->apart++;
            memcpy(starter->listing, listing, sizeof listing);
        }
    }
    return NULL;
}

// A child that holds the pipe of another one keeps that one's end from being seen.
static void check_threads(void)
{
    CASE("process: children that threads start at the same time do not inherit each other's pipes");
    char alone[LISTING_MAX];
    Starter starter[STARTERS];
    CHECK(list_files(alone));
    for (int i = 0; i < STARTERS; i++) {
        starter[i] = (Starter){.alone = alone, .rounds = test_is_light() ? 30 : 150};
        CHECK(os_thread_start(&starter[i].thread, start_many, &starter[i]));
    }
    for (int i = 0; i < STARTERS; i++) {
        os_thread_join(starter[i].thread);
        CHECK_INT(starter[i].failed, 0);
        CHECK_THAT(starter[i].apart == 0, "%d of %d have other files: %sinstead of %s", starter[i].apart,
                   starter[i].rounds, starter[i].listing, alone);
    }
}

void test_process(void)
{
    check_talk();
    check_refusals();
    check_group();
    check_threads();
}
