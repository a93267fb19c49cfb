// SPDX-License-Identifier: GPL-3.0-or-later
// The system as WebAssembly has it: a clock, memory, and threads in a build with -pthread. There is no disk,
// no terminal and no other process: what needs them is refused with a sentence, and os_can says so before.
// Without threads the locks of the C library do nothing and a thread can't be started; a search is then
// reached through SearchControl's poll. Two functions come from the script around us: see src/web/worker.js.
#ifdef __EMSCRIPTEN__
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/base.h"
#ifdef __EMSCRIPTEN_PTHREADS__
#include <emscripten/threading.h>
enum { HAS_THREADS = 1 };
#else
enum { HAS_THREADS = 0 };
// Waits; a script that cannot wait returns at once.
__attribute__((import_module("env"), import_name("twofold_sleep"))) void twofold_sleep(double ms);
#endif

static const char NO_FILES[] = "there are no files in a browser";

bool os_can(OsAbility what) { return what == OS_THREADS && HAS_THREADS; }

void os_start(int *argc, char ***argv) { (void)argc, (void)argv; }

bool os_is_double_clicked(void) { return false; }

// ---- clock and machine --------------------------------------------------------------------------
void os_sleep_ms(i64 ms)
{
#ifdef __EMSCRIPTEN_PTHREADS__
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    while (nanosleep(&t, &t) != 0 && errno == EINTR)
        ;
#else
    twofold_sleep((double)ms);
#endif
}

int os_core_count(void)
{
#ifdef __EMSCRIPTEN_PTHREADS__
    return max_int(emscripten_num_logical_cores(), 1);
#else
    return 1;
#endif
}

int os_cores(int *list, int max)
{
    (void)list, (void)max;
    return 0;
}

i64 os_memory_available_mb(void) { return 0; }

void *os_alloc_big(size_t bytes)
{
    size_t size = (bytes + 63) & ~(size_t)63;
    void *memory = bytes > 0 && size >= bytes ? aligned_alloc(64, size) : NULL;
    return memory ? memset(memory, 0, bytes) : NULL;
}

void os_free_big(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

// ---- threads ------------------------------------------------------------------------------------
void os_thread_pin(int core) { (void)core; }

bool os_cond_wait_until(Cond *cond, Mutex *mutex, i64 until_us)
{
    struct timespec t = {.tv_sec = until_us / 1000000, .tv_nsec = until_us % 1000000 * 1000};
    if (HAS_THREADS)
        return pthread_cond_timedwait(cond, mutex, &t) == 0;
    os_sleep_ms(max_i64(until_us - os_now_us(), 0) / 1000); // nobody could signal it
    return false;
}

// ---- files --------------------------------------------------------------------------------------
void *os_fopen(const char *path, const char *mode)
{
    (void)path, (void)mode;
    errno = ENOENT;
    return NULL;
}

bool os_remove(const char *path)
{
    (void)path;
    errno = ENOENT;
    return false;
}

bool os_map_file(FileMap *map, const char *path, Message *error)
{
    *map = (FileMap){0};
    return message_set(error, "cannot open '%s': %s", path, NO_FILES);
}

void os_unmap_file(FileMap *map) { *map = (FileMap){0}; }

static bool refuse_to_write(const char *path, Message *error)
{
    return message_set(error, "cannot write '%s': %s", path, NO_FILES);
}

bool os_out_open(OutFile *out, const char *path, Message *error)
{
    out->stream = NULL;
    return refuse_to_write(path, error);
}

bool os_out_close(OutFile *out, bool ok, Message *error)
{
    (void)ok;
    return refuse_to_write(out->name, error);
}

bool os_can_write(const char *path, Message *error) { return refuse_to_write(path, error); }

bool os_same_file(const char *a, const char *b)
{
    (void)a, (void)b;
    return false;
}

bool os_sync(void *stream)
{
    (void)stream;
    return false;
}

bool os_truncate(const char *path, i64 size, Message *error)
{
    (void)size;
    return refuse_to_write(path, error);
}

bool os_make_folder(const char *path, Message *error) { return refuse_to_write(path, error); }

bool os_has_file(const char *path)
{
    (void)path;
    return false;
}

bool os_exists(const char *path)
{
    (void)path;
    return false;
}

char os_list_separator(void) { return ':'; }

bool os_parts_folders(char c) { return c == '/'; }

// ---- terminal, standard input and output --------------------------------------------------------
bool os_is_terminal(int fd)
{
    (void)fd;
    return false;
}

bool os_terminal_is_utf8(void) { return false; }

bool os_terminal_draws(void) { return false; }

void *os_input(void) { return stdin; }

void os_input_wanted(void) {}

int os_terminal_width(void) { return 80; }

int os_read_input(char *buffer, size_t size)
{
    (void)buffer, (void)size;
    return 0;
}

bool os_write_output(const char *bytes, size_t size) { return fwrite(bytes, 1, size, stdout) == size; }

void os_ignore_broken_pipes(void) {}

bool os_is_reader_gone(void) { return false; }

// ---- processes ----------------------------------------------------------------------------------
bool os_process_start(Process *process, char *const argv[], const char *dir, ProcessErrors errors,
                      Message *error)
{
    (void)dir, (void)errors;
    *process = (Process){0};
    return message_set(error, "cannot start '%s': a browser starts no programs", argv[0]);
}

bool os_process_parent(Process *parent, Message *error)
{
    *parent = (Process){0};
    return message_set(error, "a browser starts no programs");
}

bool os_process_write(Process *process, const char *bytes, size_t size, int timeout_ms)
{
    (void)process, (void)bytes, (void)size, (void)timeout_ms;
    return false;
}

int os_process_read(Process *process, char *buffer, size_t size, int timeout_ms)
{
    (void)process, (void)buffer, (void)size, (void)timeout_ms;
    return -1;
}

bool os_process_alive(Process *process, int *status)
{
    (void)process, (void)status;
    return false;
}

void os_process_kill(Process *process) { (void)process; }

void os_process_end(Process *process, int grace_ms)
{
    (void)grace_ms;
    *process = (Process){0};
}

void os_catch_interrupts(void) {}

int os_interrupted(void) { return 0; }
#endif
