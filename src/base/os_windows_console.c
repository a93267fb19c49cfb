// SPDX-License-Identifier: GPL-3.0-or-later
// Standard input and output, the console and Ctrl-C on Windows. A console has characters, the C library has
// bytes: read as bytes what is typed loses all but ASCII, and written byte by byte, as the library prints to
// a console, a character of several bytes is none. So threads of our own turn one into the other on pipes,
// which everybody reads and writes as any other.
// Invariant: the console's handles are ours, opened by name. Those that the program was started with are
// closed and replaced as soon as their descriptors are.
#ifdef _WIN32
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/os_windows.h"

// ---- the console --------------------------------------------------------------------------------
static bool is_console[3]; // what the standard streams were at the start
static HANDLE console_in, console_out;
static Thread printer;
static HANDLE printed; // the pipe it reads from

static HANDLE open_console(const wchar_t *name)
{
    return CreateFileW(name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                       OPEN_EXISTING, 0, NULL);
}

// How many of the bytes are whole characters: the end of the last one may still be on its way.
static DWORD whole_chars(const char *bytes, DWORD size)
{
    for (DWORD back = 1; back <= 3 && back <= size; back++) {
        u8 c = (u8)bytes[size - back];
        DWORD len = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
        if (len > 1)
            return len > back ? size - back : size;
        if (c < 0x80)
            break;
    }
    return size;
}

// Shows what comes through the pipe, until it is closed.
static void *print(void *unused)
{
    (void)unused;
    enum { BYTES = 4096 };
    char bytes[BYTES];
    wchar_t units[BYTES];
    DWORD got, kept = 0, put;
    while (ReadFile(printed, bytes + kept, BYTES - kept, &got, NULL)) {
        const DWORD size = whole_chars(bytes, got + kept);
        const DWORD nb = (DWORD)MultiByteToWideChar(CP_UTF8, 0, bytes, (int)size, units, BYTES);
        for (DWORD at = 0; at < nb; at += put)
            if (!WriteConsoleW(console_out, units + at, nb - at, &put, NULL) || put == 0)
                break;
        kept += got - size;
        memmove(bytes, bytes + size, kept);
    }
    return NULL;
}

// All that was printed is shown before the program ends.
static void console_end(void)
{
    fflush(NULL);
    for (int fd = 1; fd <= 2; fd++)
        if (is_console[fd])
            _close(fd);
    os_thread_join(printer);
}

// From now on what is printed goes through a pipe. Nothing is kept back in the C library.
static void start_printer(void)
{
    HANDLE to = NULL;
    DWORD mode;
    console_out = open_console(L"CONOUT$");
    if (!GetConsoleMode(console_out, &mode) || !CreatePipe(&printed, &to, NULL, 0))
        return;
    SetConsoleMode(console_out, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    const int pipe = _open_osfhandle((intptr_t)to, _O_BINARY);
    if (pipe >= 0 && os_thread_start(&printer, print, NULL)) {
        for (int fd = 1; fd <= 2; fd++)
            if (is_console[fd])
                _dup2(pipe, fd);
        setvbuf(stdout, NULL, _IONBF, 0);
        atexit(console_end);
    }
    if (pipe >= 0)
        _close(pipe);
}

void windows_console_start(void)
{
    static const DWORD NUMBERS[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    DWORD mode;
    for (int fd = 0; fd < 3; fd++) // a device that is no console (NUL) is no terminal
        is_console[fd] = GetConsoleMode(GetStdHandle(NUMBERS[fd]), &mode) != 0;
    if (is_console[0])
        console_in = open_console(L"CONIN$");
    if (is_console[1] || is_console[2])
        start_printer();
}

HANDLE windows_errors(void) { return is_console[2] ? console_out : GetStdHandle(STD_ERROR_HANDLE); }

bool os_is_terminal(int fd) { return fd >= 0 && fd < 3 && is_console[fd]; }

bool os_terminal_is_utf8(void) { return is_console[1]; }

// Consoles before Windows 10 refuse escape sequences; some take the mode and do not know them: they show
// what is meant for them, and the cursor moves. It is put back.
bool os_terminal_draws(void)
{
    static const wchar_t NOTHING[] = L"\x1b[m";
    enum { SIZE = sizeof NOTHING / sizeof *NOTHING - 1 };
    CONSOLE_SCREEN_BUFFER_INFO before, after;
    DWORD mode, put;
    if (!is_console[1] || !GetConsoleMode(console_out, &mode) ||
        !(mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) || !GetConsoleScreenBufferInfo(console_out, &before) ||
        !WriteConsoleW(console_out, NOTHING, SIZE, &put, NULL) ||
        !GetConsoleScreenBufferInfo(console_out, &after))
        return false;
    if (before.dwCursorPosition.X == after.dwCursorPosition.X)
        return true;
    FillConsoleOutputCharacterW(console_out, L' ', SIZE, before.dwCursorPosition, &put);
    SetConsoleCursorPosition(console_out, before.dwCursorPosition);
    return false;
}

int os_terminal_width(void)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (console_out && GetConsoleScreenBufferInfo(console_out, &info) &&
        info.srWindow.Right > info.srWindow.Left)
        return info.srWindow.Right - info.srWindow.Left + 1;
    return 80;
}

// ---- input --------------------------------------------------------------------------------------
static HANDLE wanted; // an event: somebody waits for what is typed

// What was printed before a line is asked for is shown before it is typed.
static void wait_for_printer(void)
{
    enum { AGAIN_MS = 5 }; // in which the printer shows what it has taken
    DWORD left;
    do {
        Sleep(AGAIN_MS);
    } while (printed && PeekNamedPipe(printed, NULL, 0, NULL, &left, NULL) && left);
}

// Reads what is typed and writes it as UTF-8, until the pipe is closed. Ctrl-Z at the beginning of a line is
// the end of it, as everywhere here.
static void *pump(void *pipe)
{
    enum { UNITS = 1024 };
    wchar_t units[UNITS];
    DWORD got, kept = 0, put;
    for (;;) {
        WaitForSingleObject(wanted, INFINITE);
        wait_for_printer();
        SetLastError(0);
        if (!ReadConsoleW(console_in, units + kept, UNITS - kept, &got, NULL))
            break;
        bool is_aborted =
            got == 0 && GetLastError() == ERROR_OPERATION_ABORTED; // Ctrl-C, which is told otherwise
        if (!is_aborted && (got == 0 || units[0] == 26))
            break;
        got += kept;
        kept = got && units[got - 1] >= 0xD800 &&
               units[got - 1] < 0xDC00; // half a character waits for the other
        char bytes[3 * UNITS];
        int size = WideCharToMultiByte(CP_UTF8, 0, units, (int)(got - kept), bytes, sizeof bytes, NULL, NULL);
        if (got == 0 || units[got - 1] != L'\n') // the line goes on
            SetEvent(wanted);
        units[0] = got ? units[got - 1] : 0;
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
    wanted = CreateEventW(NULL, FALSE, FALSE, NULL);
    int fd = _open_osfhandle((intptr_t)from, _O_RDONLY | _O_BINARY);
    if (fd >= 0 && wanted && os_thread_start(&thread, pump, to))
        pthread_detach(thread), _dup2(fd, 0);
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

void os_input_wanted(void)
{
    if (wanted)
        SetEvent(wanted);
}

int os_read_input(char *buffer, size_t size)
{
    start_pump();
    os_input_wanted();
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
