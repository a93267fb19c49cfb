// SPDX-License-Identifier: GPL-3.0-or-later
// Shows an address in a browser, on POSIX systems. Unlike the children of process_posix.c the browser is
// nobody's child: it has a session of its own, none of our streams, and goes on when we end. Invariant: the
// intermediate child is reaped before the call returns, so nothing is left to wait for.
#define _GNU_SOURCE // pipe2
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

// Runs in the grandchild, where only async-signal-safe calls are allowed. Does not return.
static void run_detached(char *const argv[], int report)
{
    static const int RESET[] = {SIGPIPE, SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof RESET / sizeof RESET[0]; i++)
        signal(RESET[i], SIG_DFL);
    int null = open("/dev/null", O_RDWR);
    if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0 &&
        dup2(null, STDERR_FILENO) >= 0)
        execvp(argv[0], argv);
    int reason = errno;
    ssize_t ignored = write(report, &reason, sizeof reason);
    (void)ignored;
    _exit(127);
}

// Starts a program that is nobody's child; false when there is none of that name.
static bool start_detached(char *const argv[])
{
    int report[2], reason = 0;
    if (pipe2(report, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        setsid();
        pid_t grandchild = fork();
        if (grandchild == 0)
            run_detached(argv, report[1]);
        _exit(grandchild > 0 ? 0 : 1);
    }
    close(report[1]);
    int status = 1;
    if (child > 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    ssize_t got; // the pipe closes without a word when the program runs
    do
        got = read(report[0], &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    close(report[0]);
    return child > 0 && status == 0 && got == 0;
}

bool os_open_address(const char *address, const char **opener, Message *error)
{
    static const char *const OPENERS[] = {"xdg-open", "open", "wslview", "sensible-browser", "x-www-browser"};
    for (size_t i = 0; i < sizeof OPENERS / sizeof OPENERS[0]; i++) {
        char *argv[] = {(char *)OPENERS[i], (char *)address, NULL};
        if (start_detached(argv)) {
            *opener = OPENERS[i];
            return true;
        }
    }
    return message_set(error, "there is no program here that opens a browser (xdg-open or the like)");
}
