// SPDX-License-Identifier: GPL-3.0-or-later
// Files on Windows. Every file is opened so that others may rename and delete it meanwhile, which is how
// files behave elsewhere; a file that is mapped can't be cut short or replaced there.
#ifdef _WIN32
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/language.h"
#include "base/os_windows.h"

// ---- names --------------------------------------------------------------------------------------
bool windows_path(const char *path, wchar_t wide[WIDE_PATH])
{
    static const wchar_t LONG[] = L"\\\\?\\";
    enum { OLD_LIMIT = 240, LONG_LEN = 4 }; // a folder's limit is lower than a file's 260
    int len = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, WIDE_PATH);
    errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : ENOENT;
    if (len <= 1) // an empty name is none
        return false;
    if (len <= OLD_LIMIT || wcsncmp(wide, LONG, LONG_LEN) == 0 || wcsncmp(wide, L"\\\\", 2) == 0)
        return true;
    wchar_t whole[WIDE_PATH];
    DWORD got = GetFullPathNameW(wide, WIDE_PATH - LONG_LEN, whole, NULL);
    errno = ENAMETOOLONG;
    if (got == 0 || got >= WIDE_PATH - LONG_LEN)
        return false;
    memcpy(wide, LONG, LONG_LEN * sizeof *wide);
    memcpy(wide + LONG_LEN, whole, (got + 1) * sizeof *wide);
    return true;
}

static DWORD attributes(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return windows_path(path, wide) ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
}

static bool is_folder(const char *path)
{
    DWORD what = attributes(path);
    return what != INVALID_FILE_ATTRIBUTES && (what & FILE_ATTRIBUTE_DIRECTORY);
}

HANDLE windows_open(const char *path, DWORD access, DWORD disposition)
{
    wchar_t wide[WIDE_PATH];
    if (!windows_path(path, wide))
        return INVALID_HANDLE_VALUE;
    HANDLE file = CreateFileW(wide, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              disposition, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        windows_errno();
        if (errno == EACCES && is_folder(path))
            errno = EISDIR;
    }
    return file;
}

// ---- opening ------------------------------------------------------------------------------------
static FILE *stream_of(HANDLE file, int flags, const char *mode)
{
    int fd = file == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)file, flags | _O_BINARY);
    FILE *stream = fd >= 0 ? _fdopen(fd, mode) : NULL;
    if (!stream && fd >= 0)
        _close(fd);
    else if (!stream && file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return stream;
}

void *os_fopen(const char *path, const char *mode)
{
    bool is_read = mode[0] == 'r', is_append = mode[0] == 'a', is_both = strchr(mode, '+') != NULL;
    if (strcmp(path, "/dev/stdin") == 0 && is_read) { // the one name of elsewhere that the commands use
        int fd = _dup(0);
        return fd >= 0 ? _fdopen(fd, "rb") : NULL;
    }
    DWORD access = is_both ? GENERIC_READ | GENERIC_WRITE : is_read ? GENERIC_READ : GENERIC_WRITE;
    HANDLE file = windows_open(path, access,
                               is_read     ? OPEN_EXISTING
                               : is_append ? OPEN_ALWAYS
                                           : CREATE_ALWAYS);
    return stream_of(file, is_append ? _O_APPEND : 0, mode);
}

bool os_remove(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return windows_path(path, wide) && (DeleteFileW(wide) || (windows_errno(), false));
}

bool os_map_file(FileMap *map, const char *path, Message *error)
{
    HANDLE file = windows_open(path, GENERIC_READ, OPEN_EXISTING);
    LARGE_INTEGER size = {.QuadPart = 0};
    *map = (FileMap){0};
    if (file == INVALID_HANDLE_VALUE)
        return errno == EISDIR ? message_set(error, "'%s' is not a regular file", path)
                               : message_set(error, "cannot open '%s': %s", path, said(strerror(errno)));
    bool is_regular = GetFileType(file) == FILE_TYPE_DISK && GetFileSizeEx(file, &size);
    HANDLE view =
        is_regular && size.QuadPart > 0 ? CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL) : NULL;
    const u8 *data = view ? MapViewOfFile(view, FILE_MAP_READ, 0, 0, 0) : NULL;
    int reason = data ? 0 : windows_errno();
    if (view)
        CloseHandle(view);
    CloseHandle(file);
    if (!is_regular)
        return message_set(error, "'%s' is not a regular file", path);
    if (size.QuadPart == 0)
        return message_set(error, "'%s' is empty", path);
    if (!data)
        return message_set(error, "cannot map '%s': %s", path, said(strerror(reason)));
    *map = (FileMap){data, (size_t)size.QuadPart};
    return true;
}

void os_unmap_file(FileMap *map)
{
    if (map->data)
        UnmapViewOfFile(map->data);
    *map = (FileMap){0};
}

// ---- replacing ----------------------------------------------------------------------------------
// A temporary file is nobody else's as long as it is open: it is shared with nobody. One that a killed
// program left is taken over; one that is in use is waited for, for a moment.
static HANDLE open_temporary(const char *path)
{
    enum { WAIT_MS = 500, AGAIN_MS = 5 };
    wchar_t wide[WIDE_PATH];
    if (!windows_path(path, wide))
        return INVALID_HANDLE_VALUE;
    for (int waited_ms = 0;; waited_ms += AGAIN_MS) {
        HANDLE file = CreateFileW(wide, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
        if (file != INVALID_HANDLE_VALUE || windows_errno() != EBUSY || waited_ms >= WAIT_MS)
            return file;
        os_sleep_ms(AGAIN_MS);
    }
}

bool os_out_open(OutFile *out, const char *path, Message *error)
{
    wchar_t wide[WIDE_PATH];
    HANDLE there = windows_open(path, 0, OPEN_EXISTING);
    out->is_replaced = there == INVALID_HANDLE_VALUE || GetFileType(there) == FILE_TYPE_DISK;
    if (there != INVALID_HANDLE_VALUE)
        CloseHandle(there);
    out->name = path;
    out->stream = NULL;
    if (snprintf(out->path, sizeof out->path, "%s", path) >= (int)sizeof out->path ||
        snprintf(out->temporary, sizeof out->temporary, out->is_replaced ? "%s.twofold-tmp" : "%s", path) >=
            (int)sizeof out->temporary ||
        (!windows_path(out->temporary, wide) && errno == ENAMETOOLONG))
        return message_set(error, "the path '%.80s...' is too long", path);
    HANDLE file = INVALID_HANDLE_VALUE;
    DWORD what = attributes(path);
    if (what != INVALID_FILE_ATTRIBUTES && (what & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_READONLY)))
        errno = what & FILE_ATTRIBUTE_DIRECTORY ? EISDIR : EACCES;
    else
        file = out->is_replaced ? open_temporary(out->temporary)
                                : windows_open(path, GENERIC_WRITE, OPEN_EXISTING);
    out->stream = stream_of(file, 0, "wb");
    if (out->stream)
        return true;
    return message_set(error, "cannot write '%s': %s", path,
                       said(errno == EBUSY ? "another program is writing it" : strerror(errno)));
}

// Somebody may just be reading the file that is to be replaced: a virus scanner, or we.
static bool replace(const char *from, const char *to)
{
    enum { WAIT_MS = 1000, AGAIN_MS = 10 };
    wchar_t wide_from[WIDE_PATH], wide_to[WIDE_PATH];
    if (!windows_path(from, wide_from) || !windows_path(to, wide_to))
        return false;
    for (int waited_ms = 0;
         !MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
         waited_ms += AGAIN_MS) {
        int reason = windows_errno();
        if ((reason != EACCES && reason != EBUSY) || waited_ms >= WAIT_MS || is_folder(to))
            return false;
        os_sleep_ms(AGAIN_MS);
    }
    return true;
}

// The stream is closed before the rename: an open file that is shared with nobody can't be renamed.
bool os_out_close(OutFile *out, bool ok, Message *error)
{
    ok = ok && fflush(out->stream) == 0 && os_sync(out->stream);
    int write_error = errno;
    if (fclose(out->stream) != 0 && ok) {
        write_error = errno;
        ok = false;
    }
    if (ok && out->is_replaced && !replace(out->temporary, out->path)) {
        write_error = errno;
        ok = false;
    }
    if (!ok && out->is_replaced)
        os_remove(out->temporary);
    return ok || message_set(error, "cannot write '%s': %s", out->name, said(strerror(write_error)));
}

bool os_can_write(const char *path, Message *error)
{
    OutFile out;
    if (!os_out_open(&out, path, error))
        return false;
    fclose(out.stream);
    if (out.is_replaced)
        os_remove(out.temporary);
    return true;
}

// ---- asking -------------------------------------------------------------------------------------
static bool identify(const char *path, BY_HANDLE_FILE_INFORMATION *about)
{
    HANDLE file = windows_open(path, 0, OPEN_EXISTING);
    bool ok = file != INVALID_HANDLE_VALUE && GetFileType(file) == FILE_TYPE_DISK &&
              GetFileInformationByHandle(file, about);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return ok;
}

bool os_same_file(const char *a, const char *b)
{
    BY_HANDLE_FILE_INFORMATION about_a, about_b;
    bool has_a = identify(a, &about_a), has_b = identify(b, &about_b);
    if (has_a && has_b)
        return about_a.dwVolumeSerialNumber == about_b.dwVolumeSerialNumber &&
               about_a.nFileIndexHigh == about_b.nFileIndexHigh &&
               about_a.nFileIndexLow == about_b.nFileIndexLow;
    wchar_t wide_a[WIDE_PATH], wide_b[WIDE_PATH], whole_a[WIDE_PATH], whole_b[WIDE_PATH];
    if (has_a || has_b || os_exists(a) || os_exists(b) || !windows_path(a, wide_a) ||
        !windows_path(b, wide_b))
        return false;
    DWORD len_a = GetFullPathNameW(wide_a, WIDE_PATH, whole_a, NULL),
          len_b = GetFullPathNameW(wide_b, WIDE_PATH, whole_b, NULL);
    return len_a && len_b && len_a < WIDE_PATH && len_b < WIDE_PATH && _wcsicmp(whole_a, whole_b) == 0;
}

bool os_sync(void *stream)
{
    int fd = _fileno((FILE *)stream);
    HANDLE file = (HANDLE)_get_osfhandle(fd);
    return GetFileType(file) != FILE_TYPE_DISK || FlushFileBuffers(file) || (windows_errno(), false);
}

bool os_truncate(const char *path, i64 size, Message *error)
{
    HANDLE file = windows_open(path, GENERIC_WRITE, OPEN_EXISTING);
    LARGE_INTEGER at = {.QuadPart = size};
    bool ok = file != INVALID_HANDLE_VALUE;
    if (ok && !(SetFilePointerEx(file, at, NULL, FILE_BEGIN) && SetEndOfFile(file)))
        ok = (windows_errno(), false);
    int reason = errno;
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return ok || message_set(error, "cannot cut '%s': %s", path, said(strerror(reason)));
}

bool os_make_folder(const char *path, Message *error)
{
    wchar_t wide[WIDE_PATH];
    if (windows_path(path, wide) &&
        (CreateDirectoryW(wide, NULL) || (windows_errno() == EEXIST && is_folder(path))))
        return true;
    return message_set(error, "cannot make the folder '%s': %s", path, said(strerror(errno)));
}

bool os_has_file(const char *path)
{
    BY_HANDLE_FILE_INFORMATION about;
    return identify(path, &about) && !(about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY);
}

bool os_exists(const char *path) { return attributes(path) != INVALID_FILE_ATTRIBUTES; }

char os_list_separator(void) { return ';'; } // the colon is part of a name here

bool os_parts_folders(char c) { return c == '/' || c == '\\'; }
#endif
