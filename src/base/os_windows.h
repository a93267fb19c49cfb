// SPDX-License-Identifier: GPL-3.0-or-later
// What the Windows halves of os.h share: names in the system's UTF-16 and its reasons as numbers of errno.
// Included by *_windows.c alone.
#ifndef TWOFOLD_OS_WINDOWS_H
#define TWOFOLD_OS_WINDOWS_H
#ifdef _WIN32
#include <wchar.h>
#include <windows.h>

#include "base/base.h"

enum { WIDE_PATH = 4096 };
// A path in the system's own form; one too long for its old calls in the form that has no limit. False, with
// errno set, when the bytes are no UTF-8 or do not fit.
bool windows_path(const char *path, wchar_t wide[WIDE_PATH]);
// Text as UTF-16, to be freed; NULL without memory or when it is no UTF-8.
wchar_t *windows_wide(const char *text);
// Text as UTF-8, to be freed; NULL without memory.
char *windows_narrow(const wchar_t *wide);
// errno as the last call's failure would have set it elsewhere; that number.
int windows_errno(void);
// Opens a file that others may rename and delete meanwhile, as they may elsewhere.
HANDLE windows_open(const char *path, DWORD access, DWORD disposition);
// From now on what is printed to the console is UTF-8, with colours where it knows them.
void windows_console_start(void);
// Where a child's standard error goes when it is ours: the console itself, not what leads to it.
HANDLE windows_errors(void);
#endif
#endif
