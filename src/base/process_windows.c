// SPDX-License-Identifier: GPL-3.0-or-later
// Child processes on Windows. Each child is in a job of its own that the system ends with its last handle,
// which is ours: neither the child nor what it starts outlives us, however we end. It is a process group of
// its own, so that Ctrl-C is ours alone. Our ends of the pipes are overlapped, since nothing else here can
// wait with a time limit. Invariant: at most one read is under way, into the buffer that lives as long as the
// child's record.
#ifdef _WIN32
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/language.h"
#include "base/os_windows.h"

enum { PIPE_BYTES = 1 << 16, READ_BYTES = 4096 };

struct ProcessSystem {
    HANDLE process, job, to, from;
    OVERLAPPED reading;
    bool is_reading, is_ended; // a read is under way; there is nothing more to read
    DWORD at, len;             // bytes of `bytes` that were read and not taken yet
    char bytes[READ_BYTES];
};

// ---- pipes --------------------------------------------------------------------------------------
// A pipe whose end that we keep is overlapped; the child's end, and it alone, can be inherited.
static bool pipe_open(bool child_writes, HANDLE *ours, HANDLE *childs)
{
    static atomic_uint number;
    wchar_t name[80];
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    _snwprintf(name, 80, L"\\\\.\\pipe\\twofold-%lu-%u", GetCurrentProcessId(), atomic_fetch_add(&number, 1));
    *ours = CreateNamedPipeW(name,
                             (child_writes ? PIPE_ACCESS_INBOUND : PIPE_ACCESS_OUTBOUND) |
                                 FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                             PIPE_TYPE_BYTE | PIPE_WAIT, 1, PIPE_BYTES, PIPE_BYTES, 0, NULL);
    *childs = *ours == INVALID_HANDLE_VALUE ? INVALID_HANDLE_VALUE
                                            : CreateFileW(name, child_writes ? GENERIC_WRITE : GENERIC_READ,
                                                          0, &inherited, OPEN_EXISTING, 0, NULL);
    return *childs != INVALID_HANDLE_VALUE;
}

static void close_handle(HANDLE *handle)
{
    if (*handle && *handle != INVALID_HANDLE_VALUE)
        CloseHandle(*handle);
    *handle = NULL;
}

// ---- the command line ---------------------------------------------------------------------------
// One word so that the child's C library reads it back as it was: a backslash is itself unless a quote
// follows.
static void add_word(Text *line, const char *word)
{
    size_t slashes = 0;
    text_add_bytes(line, "\"", 1);
    for (; *word; word++) {
        for (size_t i = 0; *word == '"' && i <= slashes; i++)
            text_add_bytes(line, "\\", 1);
        slashes = *word == '\\' ? slashes + 1 : 0;
        text_add_bytes(line, word, 1);
    }
    for (; slashes; slashes--)
        text_add_bytes(line, "\\", 1);
    text_add_bytes(line, "\" ", 2);
}

// The program's own name is read otherwise: no quote can be in it, and a path that is not whole is meant from
// the folder the child runs in.
static wchar_t *command_line(char *const argv[], const char *dir)
{
    Text line = {0};
    const char *name = argv[0];
    bool has_folder = strpbrk(name, "/\\") != NULL,
         is_whole = name[0] == '/' || name[0] == '\\' || name[1] == ':';
    text_add(&line, dir && has_folder && !is_whole ? "\"%s/" : "\"", dir);
    text_add(&line, "%s\" ", name);
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] == '/')
            line.ptr[i] = '\\';
    for (int i = 1; argv[i]; i++)
        add_word(&line, argv[i]);
    text_add_bytes(&line, "", 1);
    wchar_t *wide = line.failed ? NULL : windows_wide(line.ptr);
    text_free(&line);
    return wide;
}

// ---- start --------------------------------------------------------------------------------------
static HANDLE job_new(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
        .BasicLimitInformation = {.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE}};
    HANDLE job = CreateJobObjectW(NULL, NULL);
    if (job)
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

// The child's standard error: a handle that it may inherit.
static HANDLE errors_of(ProcessErrors errors, HANDLE out)
{
    HANDLE copy = NULL, ours = GetCurrentProcess();
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    if (errors == ERRORS_HIDDEN)
        return CreateFileW(L"NUL", GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                           OPEN_EXISTING, 0, NULL);
    HANDLE from = errors == ERRORS_JOINED ? out : windows_errors();
    return DuplicateHandle(ours, from, ours, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) ? copy : NULL;
}

// Starts it with these three handles, and no other that happens to be open: another thread may be starting a
// child just now. It runs when it is in its job.
static bool run(struct ProcessSystem *system, wchar_t *line, const wchar_t *dir, HANDLE streams[3],
                DWORD *pid)
{
    STARTUPINFOEXW start = {.StartupInfo = {.cb = sizeof start,
                                            .dwFlags = STARTF_USESTDHANDLES,
                                            .hStdInput = streams[0],
                                            .hStdOutput = streams[1],
                                            .hStdError = streams[2]}};
    PROCESS_INFORMATION info;
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    LPPROC_THREAD_ATTRIBUTE_LIST list = start.lpAttributeList = malloc(size);
    if (!list || !InitializeProcThreadAttributeList(list, 1, 0, &size)) {
        free(list);
        SetLastError(ERROR_NOT_ENOUGH_MEMORY);
        return false;
    }
    bool ok = UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, streams,
                                        (streams[2] ? 3 : 2) * sizeof streams[0], NULL, NULL) &&
              CreateProcessW(NULL, line, NULL, NULL, TRUE,
                             CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP | EXTENDED_STARTUPINFO_PRESENT, NULL,
                             dir, &start.StartupInfo, &info);
    DWORD reason = GetLastError();
    DeleteProcThreadAttributeList(list);
    free(list);
    SetLastError(reason);
    if (!ok)
        return false;
    AssignProcessToJobObject(system->job, info.hProcess);
    ResumeThread(info.hThread);
    CloseHandle(info.hThread);
    system->process = info.hProcess;
    *pid = info.dwProcessId;
    return true;
}

static void system_free(struct ProcessSystem *system)
{
    if (!system)
        return;
    if (system->is_reading) {
        DWORD got;
        CancelIoEx(system->from, &system->reading);
        GetOverlappedResult(system->from, &system->reading, &got, TRUE);
    }
    close_handle(&system->to);
    close_handle(&system->from);
    close_handle(&system->job); // ends whoever is left in it
    close_handle(&system->process);
    close_handle(&system->reading.hEvent);
    free(system);
}

bool os_process_start(Process *process, char *const argv[], const char *dir, ProcessErrors errors,
                      Message *error)
{
    *process = (Process){0};
    if (!argv[0] || !argv[0][0])
        return message_set(error, "no command to start");
    HANDLE streams[3] = {NULL, NULL, NULL};
    DWORD pid = 0;
    struct ProcessSystem *system = calloc(1, sizeof *system);
    wchar_t *line = command_line(argv, dir), *folder = dir ? windows_wide(dir) : NULL;
    bool ok = system && line && (!dir || folder);
    int reason = ok ? 0 : ENOMEM;
    if (ok) {
        ok = (system->job = job_new()) && (system->reading.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL)) &&
             pipe_open(false, &system->to, &streams[0]) && pipe_open(true, &system->from, &streams[1]);
        streams[2] = ok ? errors_of(errors, streams[1]) : NULL;
        ok = ok && run(system, line, folder, streams, &pid);
        reason = ok ? 0 : windows_errno();
    }
    for (int i = 0; i < 3; i++)
        close_handle(&streams[i]);
    free(line);
    free(folder);
    if (!ok) {
        system_free(system);
        return message_set(error, "cannot start '%s'%s%s: %s", argv[0], dir ? " in " : "", dir ? dir : "",
                           said(strerror(reason)));
    }
    *process = (Process){.pid = (int)pid, .to = -1, .from = -1, .system = system};
    return true;
}

bool os_process_parent(Process *parent, Message *error)
{
    *parent = (Process){0};
    return message_set(error, "this system has no processes that are ranks of one run");
}

// ---- talk ---------------------------------------------------------------------------------------
bool os_process_write(Process *process, const char *bytes, size_t size, int timeout_ms)
{
    struct ProcessSystem *system = process->system;
    i64 until_us = os_now_us() + (i64)timeout_ms * 1000;
    if (process->pid == 0 || !system->to)
        return false;
    HANDLE event = CreateEventW(NULL, TRUE, FALSE, NULL);
    bool ok = event != NULL;
    while (ok && size) {
        OVERLAPPED writing = {.hEvent = event};
        DWORD put = 0;
        ok = WriteFile(system->to, bytes, (DWORD)min_i64((i64)size, 1 << 20), NULL, &writing) ||
             GetLastError() == ERROR_IO_PENDING;
        if (!ok)
            break;
        i64 left_ms = max_i64(until_us - os_now_us() + 999, 0) / 1000;
        bool is_late = WaitForSingleObject(event, (DWORD)left_ms) != WAIT_OBJECT_0;
        if (is_late)
            CancelIoEx(system->to, &writing);
        ok = GetOverlappedResult(system->to, &writing, &put, TRUE) && !is_late;
        bytes += put;
        size -= put;
    }
    close_handle(&event);
    return ok;
}

// Sees to it that a read is under way or has brought something; false at the end.
static bool read_on(struct ProcessSystem *system)
{
    if (system->is_reading || system->len > 0)
        return true;
    if (system->is_ended)
        return false;
    ResetEvent(system->reading.hEvent);
    system->is_reading = ReadFile(system->from, system->bytes, READ_BYTES, NULL, &system->reading) ||
                         GetLastError() == ERROR_IO_PENDING;
    system->is_ended = !system->is_reading;
    return system->is_reading;
}

int os_process_read(Process *process, char *buffer, size_t size, int timeout_ms)
{
    struct ProcessSystem *system = process->system;
    i64 until_us = os_now_us() + (i64)timeout_ms * 1000;
    if (process->pid == 0)
        return -1;
    while (system->len == 0) {
        if (!read_on(system))
            return -1;
        i64 left_ms = max_i64(until_us - os_now_us() + 999, 0) / 1000;
        if (WaitForSingleObject(system->reading.hEvent, (DWORD)left_ms) != WAIT_OBJECT_0)
            return 0;
        system->is_reading = false;
        system->at = system->len = 0;
        if (!GetOverlappedResult(system->from, &system->reading, &system->len, TRUE))
            system->is_ended = true, system->len = 0;
    }
    DWORD nb = (DWORD)min_i64((i64)size, system->len);
    memcpy(buffer, system->bytes + system->at, nb);
    system->at += nb;
    system->len -= nb;
    return (int)nb;
}

// ---- end ----------------------------------------------------------------------------------------
bool os_process_alive(Process *process, int *status)
{
    DWORD code = 0;
    if (process->pid == 0)
        return false;
    if (WaitForSingleObject(process->system->process, 0) == WAIT_TIMEOUT)
        return true;
    if (status && GetExitCodeProcess(process->system->process, &code))
        *status = (int)code;
    return false;
}

void os_process_kill(Process *process)
{
    if (process->pid != 0)
        TerminateJobObject(process->system->job, 137);
}

void os_process_end(Process *process, int grace_ms)
{
    if (process->pid == 0)
        return;
    i64 until_us = os_now_us() + (i64)grace_ms * 1000;
    char drain[READ_BYTES]; // a child that still has much to say must not wait for a reader
    close_handle(&process->system->to);
    while (os_process_alive(process, NULL) && os_now_us() < until_us)
        if (os_process_read(process, drain, sizeof drain, 1) < 0)
            os_sleep_ms(1);
    os_process_kill(process);
    WaitForSingleObject(process->system->process, INFINITE);
    system_free(process->system);
    *process = (Process){0};
}

// ---- the browser --------------------------------------------------------------------------------
bool os_open_address(const char *address, const char **opener, Message *error)
{
    wchar_t *wide = windows_wide(address);
    INT_PTR code = wide ? (INT_PTR)ShellExecuteW(NULL, L"open", wide, NULL, NULL, SW_SHOWNORMAL) : 0;
    free(wide);
    *opener = "the system";
    return code > 32 || message_set(error, "the system knows no program that opens '%s'", address);
}
#endif
