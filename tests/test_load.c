// SPDX-License-Identifier: GPL-3.0-or-later
// What other work does with the cores is seen, and work that yields is not held against it. The machine may
// be busy with anything else meanwhile: nothing here needs it quiet, and what is started ends by itself.
#include "test.h"

// Starts the script, which ends by itself, and returns the number it prints first: that of a process.
static int start_script(Process *process, const char *script)
{
    Message error = {{0}};
    char *argv[] = {"sh", "-c", (char *)script, NULL}, out[64] = "";
    CHECK_THAT(os_process_start(process, argv, NULL, ERRORS_HIDDEN, &error), "%s", error.text);
    int len = os_process_read(process, out, sizeof out - 1, 10000), pid = 0;
    CHECK(len > 0 && sscanf(out, "%d", &pid) == 1);
    return pid;
}

static bool script_yields(const char *script)
{
    Process process = {0};
    int pid = start_script(&process, script);
    bool yields = pid > 0 && os_process_yields(pid);
    os_process_end(&process, 0);
    return yields;
}

static void check_yielding(void)
{
    CASE("load: in our session a process yields when it is nice");
    CHECK(!script_yields("echo $$; sleep 3"));
    CHECK(!script_yields("renice -n 5 $$ >/dev/null; echo $$; sleep 3"));
    CHECK(script_yields("renice -n 19 $$ >/dev/null; echo $$; sleep 3"));
    CHECK(!os_process_yields(-1));
    CASE("load: in another session it yields when its session does");
    FILE *file = fopen("/proc/sys/kernel/sched_autogroup_enabled", "r");
    bool has_groups = file && fgetc(file) == '1';
    if (file)
        fclose(file);
    if (has_groups) {
        CHECK(!script_yields("setsid nice -n 19 sh -c 'echo $$; sleep 3'"));
        CHECK(script_yields(
            "setsid sh -c 'for i in 1 2 3 4 5; do echo 19 >/proc/self/autogroup && break; sleep 0.2;"
            " done; echo $$; sleep 3'"));
    } else {
        test_skip("sessions do not share the cores here");
    }
}

void test_load(void)
{
    OtherLoad load;
    Process busy = {0};
    CASE("load: a busy process is seen");
    if (!os_other_load(1, &load)) {
        test_skip("this system does not tell");
        return;
    }
    start_script(&busy, "echo $$; while :; do :; done");
    CHECK(os_other_load(400, &load));
    CHECK_THAT(load.cores > 0.2, "%.2f cores", load.cores);
    CHECK_THAT(load.cores < 1.5 * os_core_count(), "%.2f cores", load.cores);
    CHECK(load.pid > 0 && load.name[0]);
    os_process_end(&busy, 0);
    check_yielding();
}
