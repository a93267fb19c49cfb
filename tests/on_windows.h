// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests use of POSIX and Windows lacks: streams in memory, and the like. The build puts it before
// every test it compiles for Windows (`make CC=x86_64-w64-mingw32-gcc-posix`); nothing includes it by name.
#ifndef TWOFOLD_TEST_ON_WINDOWS_H
#define TWOFOLD_TEST_ON_WINDOWS_H
#include <stdio.h>
#include <stdlib.h>

// As POSIX has them; the text of a memory stream is there when it is closed.
FILE *open_memstream(char **text, size_t *size);
FILE *fmemopen(void *bytes, size_t size, const char *mode);
int memory_fclose(FILE *stream);
#define fclose memory_fclose
int pipe(int ends[2]);
int setenv(const char *name, const char *value, int replace);
int unsetenv(const char *name);
void *memmem(const void *bytes, size_t size, const void *part, size_t part_size);

// A folder can be removed like a file.
int remove_any(const char *path);
#define remove remove_any

// The path of the running program.
ssize_t readlink(const char *self, char *path, size_t size);
#endif
