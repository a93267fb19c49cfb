// SPDX-License-Identifier: GPL-3.0-or-later
// Child processes on POSIX systems. A child leads a process group of its own, so that a
// Ctrl-C at the terminal is ours alone and whatever it started can be ended with it; on Linux the kernel
// kills it when we die, however we die. Invariant: from a successful start to os_process_end the pid is ours
// (an ended child stays unreaped), so no signal can hit a stranger.
#define _GNU_SOURCE // pipe2
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/base.h"
#include "base/language.h"

// ---- start --------------------------------------------------------------------------------------
// A pipe that other children do not inherit, from its first moment on: another thread may start one at any
// time. Ends 0 to 2 would be overwritten by the child's own dup2, so they are moved up.
static bool pipe_open(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        int fd = fcntl(ends[i], F_DUPFD_CLOEXEC, 3);
        close(ends[i]);
        ends[i] = fd;
    }
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    return false;
}

static void pipe_close(int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    ends[0] = ends[1] = -1;
}

// Runs in the child between fork and exec, where only async-signal-safe calls are allowed. Does not return.
static void child_run(char *const argv[], const char *dir, ProcessErrors errors, int in, int out, int report,
                      pid_t parent)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) // it died before the line above: nobody is left to end us
        _exit(127);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    static const int RESET[] = {SIGPIPE, SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof RESET / sizeof RESET[0]; i++)
        signal(RESET[i], SIG_DFL);
    bool ok = dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0;
    if (errors == ERRORS_JOINED)
        ok = ok && dup2(out, STDERR_FILENO) >= 0;
    if (errors == ERRORS_HIDDEN) {
        int null = open("/dev/null", O_WRONLY);
        ok = ok && null >= 0 && dup2(null, STDERR_FILENO) >= 0;
        if (null > STDERR_FILENO)
            close(null);
    }
    if (ok && dir)
        ok = chdir(dir) == 0;
    if (ok)
        execvp(argv[0], argv);
    int reason = errno;
    ssize_t ignored = write(report, &reason, sizeof reason);
    (void)ignored;
    _exit(127);
}

// What the child says about its exec: 0 when it succeeded (the pipe closed without a word), else its errno.
static int child_report(int fd)
{
    int reason = 0;
    ssize_t got;
    do
        got = read(fd, &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    return got == sizeof reason ? reason : 0;
}

bool os_process_start(Process *process, char *const argv[], const char *dir, ProcessErrors errors,
                      Message *error)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, report[2] = {-1, -1};
    *process = (Process){0};
    if (!argv[0] || !argv[0][0])
        return message_set(error, "no command to start");
    pid_t parent = getpid(), pid = -1;
    int reason = 0;
    if (!pipe_open(in) || !pipe_open(out) || !pipe_open(report) || (pid = fork()) < 0)
        reason = errno;
    if (pid == 0)
        child_run(argv, dir, errors, in[0], out[1], report[1], parent);
    if (pid > 0) {
        setpgid(pid, pid); // the child does it too: whoever comes first, the group exists from here on
        close(report[1]);
        report[1] = -1;
        reason = child_report(report[0]);
        if (reason)
            while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
                ;
    }
    pipe_close(report);
    if (reason) {
        pipe_close(in);
        pipe_close(out);
        return message_set(error, "cannot start '%s'%s%s: %s", argv[0], dir ? " in " : "", dir ? dir : "",
                           said(strerror(reason)));
    }
    close(in[0]);
    close(out[1]);
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    *process = (Process){.pid = pid, .to = in[1], .from = out[0]};
    return true;
}

bool os_process_parent(Process *parent, Message *error)
{
    int from = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), to = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3),
        null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (from < 0 || to < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0)
        return message_set(error, "standard input and output are no pipes: %s", said(strerror(errno)));
    close(null);
    fcntl(from, F_SETFL, O_NONBLOCK);
    fcntl(to, F_SETFL, O_NONBLOCK);
    *parent = (Process){.pid = getppid(), .to = to, .from = from};
    return true;
}

// ---- talk ---------------------------------------------------------------------------------------
// Waits until fd is ready for `events`, failed or was closed; false when the time is over.
static bool fd_wait(int fd, short events, i64 until_us)
{
    for (;;) {
        i64 left_us = until_us - os_now_us();
        struct pollfd p = {.fd = fd, .events = events};
        int ready = poll(&p, 1, (int)(left_us <= 0 ? 0 : (left_us + 999) / 1000));
        if (ready > 0)
            return true;
        if (ready == 0 || errno != EINTR)
            return false;
    }
}

// A write that fails with EPIPE instead of raising SIGPIPE, without touching what the rest of the program
// does with that signal.
static ssize_t write_quietly(int fd, const char *bytes, size_t size)
{
    sigset_t pipe_only, before, pending;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    ssize_t put = write(fd, bytes, size);
    int reason = errno;
    if (put < 0 && reason == EPIPE && !was_pending) {
        struct timespec now = {0};
        while (sigtimedwait(&pipe_only, NULL, &now) < 0 && errno == EINTR)
            ;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return put;
}

bool os_process_write(Process *process, const char *bytes, size_t size, int timeout_ms)
{
    i64 until_us = os_now_us() + (i64)timeout_ms * 1000;
    if (process->pid == 0 || process->to < 0)
        return false;
    while (size) {
        ssize_t put = write_quietly(process->to, bytes, size);
        if (put > 0) {
            bytes += put;
            size -= (size_t)put;
        } else if (put < 0 && errno != EAGAIN && errno != EINTR) {
            return false;
        } else if (!fd_wait(process->to, POLLOUT, until_us)) {
            return false;
        }
    }
    return true;
}

int os_process_read(Process *process, char *buffer, size_t size, int timeout_ms)
{
    i64 until_us = os_now_us() + (i64)timeout_ms * 1000;
    if (process->pid == 0 || process->from < 0)
        return -1;
    for (;;) {
        if (!fd_wait(process->from, POLLIN, until_us))
            return 0;
        ssize_t got = read(process->from, buffer, size);
        if (got > 0)
            return (int)got;
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            return -1;
    }
}

// ---- end ----------------------------------------------------------------------------------------
bool os_process_alive(Process *process, int *status)
{
    siginfo_t info = {0};
    if (process->pid == 0)
        return false;
    if (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
        return false;
    if (info.si_pid == 0)
        return true;
    if (status)
        *status = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
    return false;
}

// Waits for the end without letting a child that still has much to say block on a full pipe.
static void end_wait(Process *process, int grace_ms)
{
    i64 until_us = os_now_us() + (i64)grace_ms * 1000;
    char drain[4096];
    while (os_process_alive(process, NULL) && os_now_us() < until_us)
        if (os_process_read(process, drain, sizeof drain, 1) < 0)
            os_sleep_ms(1);
}

void os_process_kill(Process *process)
{
    if (process->pid == 0)
        return;
    kill(-process->pid, SIGKILL); // the group: a wrapper's children too
    kill(process->pid, SIGKILL);  // and itself, should it have left the group
}

void os_process_end(Process *process, int grace_ms)
{
    if (process->pid == 0)
        return;
    close(process->to);
    process->to = -1;
    end_wait(process, grace_ms);
    os_process_kill(process);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    close(process->from);
    *process = (Process){0};
}
