// SPDX-License-Identifier: GPL-3.0-or-later
// Clock, big memory, threads and files on POSIX systems (Linux first). What WebAssembly has too is in
// os_threads.c, child processes are in process_posix.c.
#define _GNU_SOURCE // sched_setaffinity
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "base/language.h"

bool os_can(OsAbility what)
{
    (void)what;
    return true;
}

void os_start(int *argc, char ***argv) { (void)argc, (void)argv; }

bool os_is_double_clicked(void) { return false; }

// ---- clock and machine --------------------------------------------------------------------------
void os_sleep_ms(i64 ms)
{
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    while (nanosleep(&t, &t) != 0 && errno == EINTR)
        ;
}

int os_core_count(void)
{
    long nb = sysconf(_SC_NPROCESSORS_ONLN);
    return nb > 0 ? (int)nb : 1;
}

int os_cores(int *list, int max)
{
    cpu_set_t set;
    int nb = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 0;
    for (int core = 0; core < CPU_SETSIZE && nb < max; core++)
        if (CPU_ISSET(core, &set))
            list[nb++] = core;
    return nb;
}

i64 os_memory_available_mb(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    long long kb = 0;
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lld kB", &kb) == 1)
            break;
    fclose(file);
    return kb / 1024;
}

// ---- big memory ---------------------------------------------------------------------------------
enum { HUGE_PAGE = 2 << 20 };

static size_t big_size(size_t bytes)
{
    return bytes < HUGE_PAGE ? (bytes + 4095) & ~(size_t)4095
                             : (bytes + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
}

void *os_alloc_big(size_t bytes)
{
    // Over-map by one huge page and give the ends back, so that the block starts on a huge page.
    size_t size = big_size(bytes), slack = size >= HUGE_PAGE ? HUGE_PAGE : 0;
    if (bytes == 0 || size < bytes)
        return NULL;
    u8 *raw = mmap(NULL, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED)
        return NULL;
    size_t lead = slack ? (size_t)(-(uintptr_t)raw & (HUGE_PAGE - 1)) : 0;
    if (lead)
        munmap(raw, lead);
    if (slack - lead)
        munmap(raw + lead + size, slack - lead);
#ifdef MADV_HUGEPAGE
    if (slack)
        madvise(raw + lead, size, MADV_HUGEPAGE);
#endif
    return raw + lead;
}

void os_free_big(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, big_size(bytes));
}

// ---- threads ------------------------------------------------------------------------------------
void os_thread_pin(int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    sched_setaffinity(0, sizeof set, &set);
}

bool os_cond_wait_until(Cond *cond, Mutex *mutex, i64 until_us)
{
    struct timespec t = {.tv_sec = until_us / 1000000, .tv_nsec = until_us % 1000000 * 1000};
    return pthread_cond_timedwait(cond, mutex, &t) == 0;
}

// ---- files --------------------------------------------------------------------------------------
void *os_fopen(const char *path, const char *mode) { return fopen(path, mode); }

bool os_remove(const char *path) { return remove(path) == 0; }

bool os_map_file(FileMap *map, const char *path, Message *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a named pipe is refused below, not waited for
    if (fd < 0)
        return message_set(error, "cannot open '%s': %s", path, said(strerror(errno)));
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return message_set(error, "'%s' is not a regular file", path);
    }
    if (st.st_size == 0) {
        close(fd);
        return message_set(error, "'%s' is empty", path);
    }
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    int map_error = errno;
    close(fd);
    if (data == MAP_FAILED)
        return message_set(error, "cannot map '%s': %s", path, said(strerror(map_error)));
    *map = (FileMap){data, (size_t)st.st_size};
    return true;
}

void os_unmap_file(FileMap *map)
{
    if (map->data)
        munmap((void *)map->data, map->size);
    *map = (FileMap){0};
}

// Opens the temporary file that is going to take the place of another, empty and locked. One without a lock
// was left behind by a program that was killed, and is taken over; one with a lock is waited for, for a
// moment.
static int open_temporary(const char *path)
{
    enum { WAIT_MS = 500, AGAIN_MS = 5 };
    for (int waited_ms = 0;;) {
        struct stat ours, named;
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0)
            return -1;
        bool is_busy =
            flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; // else there may be no locks here
        // Without the name it is the other file already: whoever had it has finished in between.
        bool is_named = !is_busy && fstat(fd, &ours) == 0 && stat(path, &named) == 0 &&
                        ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
        if (is_named && ftruncate(fd, 0) == 0)
            return fd;
        int why = is_busy ? EBUSY : errno;
        close(fd);
        errno = why;
        if (is_named || waited_ms >= WAIT_MS)
            return -1;
        if (is_busy) {
            os_sleep_ms(AGAIN_MS);
            waited_ms += AGAIN_MS;
        }
    }
}

// A link is followed, so that it stays one. A device or a pipe is written through, never replaced: a rename
// over /dev/null would be the end of it.
bool os_out_open(OutFile *out, const char *path, Message *error)
{
    struct stat st;
    char real[PATH_MAX];
    const char *target = realpath(path, real) ? real : path;
    out->is_replaced = lstat(target, &st) != 0 || S_ISREG(st.st_mode);
    out->name = path;
    if (snprintf(out->path, sizeof out->path, "%s", target) >= (int)sizeof out->path ||
        snprintf(out->temporary, sizeof out->temporary, out->is_replaced ? "%s.twofold-tmp" : "%s", target) >=
            (int)sizeof out->temporary)
        return message_set(error, "the path '%.80s...' is too long", path);
    int fd = out->is_replaced ? open_temporary(out->temporary) : open(target, O_WRONLY | O_TRUNC | O_CLOEXEC);
    out->stream = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (out->stream)
        return true;
    int why = errno;
    if (fd >= 0)
        close(fd);
    return message_set(
        error, "cannot write '%s': %s", path,
        said(why == EBUSY && out->is_replaced ? "another program is writing it" : strerror(why)));
}

bool os_out_close(OutFile *out, bool ok, Message *error)
{
    ok = ok && fflush(out->stream) == 0 && os_sync(out->stream);
    int write_error = errno;
    if (ok && out->is_replaced && rename(out->temporary, out->path) != 0) {
        write_error = errno;
        ok = false;
    }
    if (!ok && out->is_replaced)
        unlink(out->temporary); // with the lock still held: it is ours
    if (fclose(out->stream) != 0 && ok) {
        write_error = errno;
        ok = false;
    }
    if (ok)
        return true;
    return message_set(error, "cannot write '%s': %s", out->name, said(strerror(write_error)));
}

bool os_can_write(const char *path, Message *error)
{
    OutFile out;
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) &&
        !S_ISDIR(st.st_mode)) // opening a pipe would wait for its reader
        return access(path, W_OK) == 0 ||
               message_set(error, "cannot write '%s': %s", path, said(strerror(errno)));
    if (!os_out_open(&out, path, error))
        return false;
    if (out.is_replaced)
        unlink(out.temporary);
    fclose(out.stream);
    return true;
}

// The folder a path is in.
static bool stat_folder(const char *path, struct stat *st)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    if (!slash)
        return stat(".", st) == 0;
    return span_copy((Span){path, (size_t)(slash - path) + 1}, folder, sizeof folder) &&
           stat(folder, st) == 0;
}

bool os_same_file(const char *a, const char *b)
{
    struct stat st_a, st_b;
    bool has_a = stat(a, &st_a) == 0, has_b = stat(b, &st_b) == 0;
    if (has_a != has_b)
        return false;
    if (!has_a) {
        const char *name_a = strrchr(a, '/') ? strrchr(a, '/') + 1 : a,
                   *name_b = strrchr(b, '/') ? strrchr(b, '/') + 1 : b;
        if (strcmp(name_a, name_b) != 0 || !stat_folder(a, &st_a) || !stat_folder(b, &st_b))
            return false;
    } else if (!S_ISREG(st_a.st_mode)) {
        return false; // a device or a pipe takes from several
    }
    return st_a.st_dev == st_b.st_dev && st_a.st_ino == st_b.st_ino;
}

bool os_sync(void *stream)
{
    // A pipe or a device can't be synced and need not be.
    return fsync(fileno((FILE *)stream)) == 0 || errno == EINVAL || errno == ENOTSUP;
}

bool os_truncate(const char *path, i64 size, Message *error)
{
    return truncate(path, size) == 0 ||
           message_set(error, "cannot cut '%s': %s", path, said(strerror(errno)));
}

bool os_make_folder(const char *path, Message *error)
{
    struct stat st;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
        return true;
    return message_set(error, "cannot make the folder '%s': %s", path, said(strerror(errno)));
}

bool os_has_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool os_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

char os_list_separator(void) { return ':'; }

bool os_parts_folders(char c) { return c == '/'; }

bool os_is_terminal(int fd) { return isatty(fd) == 1; }

bool os_terminal_is_utf8(void)
{
    static const char *const NAMES[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(NAMES[i]);
        if (value && value[0])
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8") ||
                   strstr(value, "UTF8");
    }
    return false;
}

bool os_terminal_draws(void)
{
    const char *terminal = getenv("TERM");
    return os_is_terminal(1) && !(terminal && strcmp(terminal, "dumb") == 0);
}

int os_terminal_width(void)
{
    static const int STREAMS[] = {STDOUT_FILENO,
                                  STDERR_FILENO}; // reports are often sent to a file, progress is not
    struct winsize size;
    for (int i = 0; i < 2; i++)
        if (ioctl(STREAMS[i], TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
            return size.ws_col;
    return 80;
}

// ---- standard input and output ------------------------------------------------------------------
void *os_input(void) { return stdin; }

void os_input_wanted(void) {}

int os_read_input(char *buffer, size_t size)
{
    for (;;) {
        // With no event asked for, poll still tells of errors: a pipe whose reader is gone.
        struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = STDOUT_FILENO}};
        if (poll(fds, 2, -1) < 0) {
            if (errno == EINTR)
                continue;
            return 0;
        }
        if (fds[1].revents) // POLLERR, POLLHUP or POLLNVAL
            return -1;
        if (!fds[0].revents)
            continue;
        ssize_t got = read(STDIN_FILENO, buffer, size);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        return got < 0 ? 0 : (int)got;
    }
}

bool os_write_output(const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t put = write(STDOUT_FILENO, bytes, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0 && errno == EAGAIN) {
            struct pollfd fd = {.fd = STDOUT_FILENO, .events = POLLOUT};
            poll(&fd, 1, -1);
            continue;
        }
        if (put < 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

void os_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

bool os_is_reader_gone(void) { return errno == EPIPE; }

// ---- interruption -------------------------------------------------------------------------------
// A signal handler has no other way to tell: the one writable static here.
static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number) { interrupted = signal_number; }

void os_catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND}, old;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN) // nohup means it
        sigaction(SIGHUP, &action, NULL);
}

int os_interrupted(void) { return interrupted; }

void os_forget_interrupt(void)
{
    interrupted = 0;
    os_catch_interrupts(); // each handler was good for one signal
}
