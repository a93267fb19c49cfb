// SPDX-License-Identifier: GPL-3.0-or-later
// Clock, memory, threads and the start of the program on Windows. Text is UTF-8 everywhere above this file
// and UTF-16 below it; standard streams are bytes, as elsewhere: no line end is rewritten. Threads are those
// of winpthreads (os_threads.c). Files are in os_windows_files.c, the console in os_windows_console.c.
#ifdef _WIN32
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/os_windows.h"

bool os_can(OsAbility what) { return what != OS_RANKS; }

// ---- text ---------------------------------------------------------------------------------------
wchar_t *windows_wide(const char *text)
{
    int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = size > 0 ? malloc((size_t)size * sizeof *wide) : NULL;
    if (wide)
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, size);
    return wide;
}

char *windows_narrow(const wchar_t *wide)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = size > 0 ? malloc((size_t)size) : NULL;
    if (text)
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}

int windows_errno(void)
{
    static const struct {
        DWORD reason;
        int number;
    } REASONS[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EBUSY},
        {ERROR_LOCK_VIOLATION, EBUSY},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_USER_MAPPED_FILE, EBUSY},
        {ERROR_BAD_EXE_FORMAT, ENOEXEC},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    };
    DWORD reason = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof REASONS / sizeof REASONS[0]; i++)
        if (REASONS[i].reason == reason)
            errno = REASONS[i].number;
    return errno;
}

// ---- start --------------------------------------------------------------------------------------
// The words of the command line, which the C library has in a code page that lacks most characters.
static void read_words(int *argc, char ***argv)
{
    int nb = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &nb);
    char **words = wide ? calloc((size_t)nb + 1, sizeof *words) : NULL;
    bool ok = words != NULL;
    for (int i = 0; ok && i < nb; i++)
        ok = (words[i] = windows_narrow(wide[i])) != NULL;
    if (ok) { // kept for as long as the program runs
        *argc = nb;
        *argv = words;
    }
    LocalFree(wide);
}

void os_start(int *argc, char ***argv)
{
    read_words(argc, argv);
    _fmode = _O_BINARY; // of streams opened by the C library itself
    for (int fd = 0; fd < 3; fd++)
        _setmode(fd, _O_BINARY);
    setvbuf(stderr, NULL, _IONBF, 0);
    windows_console_start();
}

// Alone at a console of its own: nobody typed the command, so it was started from a desktop.
bool os_is_double_clicked(void)
{
    DWORD processes[2];
    return os_is_terminal(0) && os_is_terminal(1) && GetConsoleProcessList(processes, 2) == 1;
}

// ---- clock and machine --------------------------------------------------------------------------
void os_sleep_ms(i64 ms) { Sleep((DWORD)clamp_i64(ms, 0, 1 << 30)); }

int os_core_count(void)
{
    DWORD nb = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return nb > 0 ? (int)nb : 1;
}

// The cores of our own group: a mask has no room for others.
int os_cores(int *list, int max)
{
    DWORD_PTR ours = 0, system = 0;
    int nb = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &ours, &system))
        return 0;
    for (int core = 0; core < 64 && nb < max; core++)
        if (ours >> core & 1)
            list[nb++] = core;
    return nb;
}

i64 os_memory_available_mb(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? (i64)(status.ullAvailPhys >> 20) : 0;
}

// ---- big memory ---------------------------------------------------------------------------------
// Large pages would need a right that nobody has by default.
void *os_alloc_big(size_t bytes)
{
    return bytes ? VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE) : NULL;
}

void os_free_big(void *memory, size_t bytes)
{
    (void)bytes;
    if (memory)
        VirtualFree(memory, 0, MEM_RELEASE);
}

// ---- threads ------------------------------------------------------------------------------------
void os_thread_pin(int core)
{
    if (core >= 0 && core < 64)
        SetThreadAffinityMask(GetCurrentThread(), (DWORD_PTR)1 << core);
}

// The threads here wait by the clock on the wall; the time left is measured by the other.
bool os_cond_wait_until(Cond *cond, Mutex *mutex, i64 until_us)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    i64 wall_us = (i64)now.tv_sec * 1000000 + now.tv_nsec / 1000 + max_i64(until_us - os_now_us(), 0);
    struct timespec t = {.tv_sec = (time_t)(wall_us / 1000000), .tv_nsec = (long)(wall_us % 1000000 * 1000)};
    return pthread_cond_timedwait(cond, mutex, &t) == 0;
}
#endif
