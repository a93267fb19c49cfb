// SPDX-License-Identifier: GPL-3.0-or-later
// Standard input and output, the console and Ctrl-C on Windows. A console takes UTF-8 once it is told so;
// what is typed at it comes as UTF-16 alone (read as bytes it loses all but ASCII), so a thread of its own
// turns it into UTF-8 on a pipe, from which everybody reads as from any other.
#ifdef _WIN32
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/os_windows.h"

static HANDLE handle_of(int fd)
{
    static const DWORD NUMBERS[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    return fd >= 0 && fd <= 2 ? GetStdHandle(NUMBERS[fd]) : INVALID_HANDLE_VALUE;
}

// ---- the console --------------------------------------------------------------------------------
static UINT page_before; // 0: the console was not touched

static void console_end(void)
{
    if (page_before)
        SetConsoleOutputCP(page_before);
}

void windows_console_start(void)
{
    for (int fd = 1; fd <= 2; fd++) {
        DWORD mode;
        if (!GetConsoleMode(handle_of(fd), &mode))
            continue;
        SetConsoleMode(handle_of(fd), mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
        if (page_before)
            continue;
        page_before = GetConsoleOutputCP();
        SetConsoleOutputCP(CP_UTF8);
        atexit(console_end);
    }
}

// A device that is no console (NUL) is no terminal.
bool os_is_terminal(int fd)
{
    DWORD mode;
    return GetConsoleMode(handle_of(fd), &mode) != 0;
}

bool os_terminal_is_utf8(void) { return GetConsoleOutputCP() == CP_UTF8; }

int os_terminal_width(void)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    for (int fd = 1; fd <= 2; fd++)
        if (GetConsoleScreenBufferInfo(handle_of(fd), &info) && info.srWindow.Right > info.srWindow.Left)
            return info.srWindow.Right - info.srWindow.Left + 1;
    return 80;
}

// ---- input --------------------------------------------------------------------------------------
// Reads what is typed and writes it as UTF-8, until the pipe is closed. Ctrl-Z at the beginning of a line is
// the end of it, as everywhere here.
static void *pump(void *context)
{
    enum { UNITS = 1024 };
    HANDLE pipe = context, console = handle_of(0);
    wchar_t units[UNITS];
    DWORD got, kept = 0, put;
    for (;;) {
        SetLastError(0);
        if (!ReadConsoleW(console, units + kept, UNITS - kept, &got, NULL))
            break;
        if (got == 0 && GetLastError() == ERROR_OPERATION_ABORTED) // Ctrl-C, which is told otherwise
            continue;
        if (got == 0 || units[0] == 26)
            break;
        got += kept;
        kept = units[got - 1] >= 0xD800 && units[got - 1] < 0xDC00; // half a character waits for the other
        char bytes[3 * UNITS];
        int size = WideCharToMultiByte(CP_UTF8, 0, units, (int)(got - kept), bytes, sizeof bytes, NULL, NULL);
        units[0] = units[got - 1];
        if (size > 0 && !WriteFile(pipe, bytes, (DWORD)size, &put, NULL))
            break;
    }
    CloseHandle(pipe);
    return NULL;
}

static atomic_bool is_pumped;

// From the first reader on standard input is a pipe.
static void start_pump(void)
{
    HANDLE from, to;
    Thread thread;
    if (!os_is_terminal(0) || atomic_exchange(&is_pumped, true) || !CreatePipe(&from, &to, NULL, 0))
        return;
    int fd = _open_osfhandle((intptr_t)from, _O_RDONLY | _O_BINARY);
    if (fd >= 0 && os_thread_start(&thread, pump, to))
        pthread_detach(thread), _dup2(fd, 0); // the console stays what GetStdHandle tells
    else
        CloseHandle(to);
    if (fd >= 0)
        _close(fd);
}

void *os_input(void)
{
    start_pump();
    return stdin;
}

int os_read_input(char *buffer, size_t size)
{
    start_pump();
    int got = _read(0, buffer, (unsigned)size);
    return got < 0 ? 0 : got;
}

bool os_write_output(const char *bytes, size_t size)
{
    while (size > 0) {
        int put = _write(1, bytes, (unsigned)min_i64((i64)size, 1 << 14)); // a console takes no more at once
        if (put <= 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

void os_ignore_broken_pipes(void) {} // there is no such signal

// The C library has no number for a pipe whose reader has closed it, and calls it a wrong argument.
bool os_is_reader_gone(void)
{
    unsigned long reason = _doserrno;
    return errno == EPIPE ||
           (errno == EINVAL && (reason == ERROR_NO_DATA || reason == ERROR_PIPE_NOT_CONNECTED));
}

// ---- interruption -------------------------------------------------------------------------------
static atomic_int interrupted;

// Called in a thread of its own. When a console closes, its programs end as soon as this returns: it waits,
// and the program ends before.
static BOOL WINAPI note_interrupt(DWORD event)
{
    enum { CLOSE_MS = 4500 };
    bool is_end = event == CTRL_CLOSE_EVENT || event == CTRL_LOGOFF_EVENT || event == CTRL_SHUTDOWN_EVENT;
    int none = 0;
    if (!atomic_compare_exchange_strong(&interrupted, &none, is_end ? SIGTERM : SIGINT))
        return FALSE; // the second one ends the program
    if (is_end)
        Sleep(CLOSE_MS);
    return TRUE;
}

void os_catch_interrupts(void)
{
    SetConsoleCtrlHandler(NULL, FALSE); // whoever started us may have had it ignored
    SetConsoleCtrlHandler(note_interrupt, TRUE);
}

int os_interrupted(void) { return atomic_load(&interrupted); }

void os_forget_interrupt(void) { atomic_store(&interrupted, 0); }

// ---- keys ---------------------------------------------------------------------------------------
// The console edits lines by itself, with a history.
bool os_keys_begin(void) { return false; }

void os_keys_end(void) {}

int os_key_read(int timeout_ms)
{
    (void)timeout_ms;
    return KEY_END;
}

bool os_data_folder(char *out, size_t size)
{
    const wchar_t *wide = _wgetenv(L"LOCALAPPDATA");
    char *data = wide ? windows_narrow(wide) : NULL;
    const bool ok = data && data[0] && span_copy(span_of(data), out, size);
    free(data);
    return ok;
}
#endif
