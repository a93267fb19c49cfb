// SPDX-License-Identifier: GPL-3.0-or-later
// Streams in memory for the tests on Windows (tests/on_windows.h): files that are read when they are closed.
#ifdef _WIN32
#include "base/base.h"
#undef fclose
#undef remove
#include <fcntl.h>
#include <io.h>
#include <pthread.h>
#include <unistd.h>
#include <windows.h>

typedef struct MemoryStream {
    FILE *file;
    char **text; // NULL: it is only read
    size_t *size;
    char path[128];
} MemoryStream;
enum { STREAMS_MAX = 64 };
static MemoryStream streams[STREAMS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static FILE *open_one(char **text, size_t *size, const char *mode)
{
    static int number;
    MemoryStream *stream = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < STREAMS_MAX && !stream; i++)
        stream = streams[i].file ? NULL : &streams[i];
    if (stream) {
        *stream = (MemoryStream){.text = text, .size = size};
        snprintf(stream->path, sizeof stream->path, "/tmp/twofold-stream-%d-%d", (int)getpid(), number++);
        stream->file = os_fopen(stream->path, mode);
    }
    pthread_mutex_unlock(&lock);
    return stream ? stream->file : NULL;
}

FILE *open_memstream(char **text, size_t *size)
{
    *text = NULL;
    return open_one(text, size, "wb+");
}

FILE *fmemopen(void *bytes, size_t size, const char *mode)
{
    (void)mode; // they are read
    FILE *file = open_one(NULL, NULL, "wb+");
    if (file) {
        fwrite(bytes, 1, size, file);
        rewind(file);
    }
    return file;
}

int memory_fclose(FILE *file)
{
    int code = 0;
    pthread_mutex_lock(&lock);
    MemoryStream *stream = NULL;
    for (int i = 0; i < STREAMS_MAX && !stream; i++)
        stream = streams[i].file == file ? &streams[i] : NULL;
    if (stream && stream->text) {
        fflush(file);
        long size = ftell(file);
        rewind(file);
        *stream->text = calloc(1, (size_t)size + 1);
        *stream->size = fread(*stream->text, 1, (size_t)size, file);
    }
    code = fclose(file);
    if (stream) {
        os_remove(stream->path);
        stream->file = NULL;
    }
    pthread_mutex_unlock(&lock);
    return code;
}

int pipe(int ends[2]) { return _pipe(ends, 4096, _O_BINARY); }

int setenv(const char *name, const char *value, int replace)
{
    return !replace && getenv(name) ? 0 : _putenv_s(name, value);
}

int unsetenv(const char *name) { return _putenv_s(name, ""); }

void *memmem(const void *bytes, size_t size, const void *part, size_t part_size)
{
    for (size_t at = 0; part_size <= size && at <= size - part_size; at++)
        if (memcmp((const char *)bytes + at, part, part_size) == 0)
            return (char *)bytes + at;
    return NULL;
}

int remove_any(const char *path) { return remove(path) == 0 ? 0 : rmdir(path); }

ssize_t readlink(const char *self, char *path, size_t size)
{
    (void)self;
    DWORD len = GetModuleFileNameA(NULL, path, (DWORD)size);
    for (DWORD i = 0; i < len; i++)
        if (path[i] == '\\')
            path[i] = '/';
    return (ssize_t)len;
}
#endif
