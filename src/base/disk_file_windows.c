// SPDX-License-Identifier: GPL-3.0-or-later
// Files that stay open for as long as a program runs and are read in places, on Windows. A file that is
// mapped can't be cut short or replaced here, so it is mapped always, in a library too, and never lost: the
// system does what disk_file_posix.c has to guard against.
#ifdef _WIN32
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/os_windows.h"

struct DiskFile {
    FileMap map;
};

void disk_use_maps(bool use) { (void)use; }

DiskFile *disk_open(const char *path, Message *error)
{
    DiskFile *file = calloc(1, sizeof *file);
    if (!file)
        message_set(error, "no memory for '%s'", path);
    else if (!os_map_file(&file->map, path, error))
        disk_close(file), file = NULL;
    return file;
}

void disk_close(DiskFile *file)
{
    if (file)
        os_unmap_file(&file->map);
    free(file);
}

u8 *disk_read_whole(const char *path, size_t *size, Message *error)
{
    FileMap map;
    if (!os_map_file(&map, path, error))
        return NULL;
    u8 *bytes = malloc(map.size);
    if (bytes)
        memcpy(bytes, map.data, map.size);
    else
        message_set(error, "no memory for '%s'", path);
    *size = map.size;
    os_unmap_file(&map);
    return bytes;
}

size_t disk_size(const DiskFile *file) { return file->map.size; }

bool disk_is_lost(const DiskFile *file)
{
    (void)file;
    return false;
}

bool disk_check(DiskFile *file) { return !disk_is_lost(file); }

void disk_view_begin(DiskView *view, DiskFile *file)
{
    view->file = file;
    view->data = file->map.data;
    view->fd = -1;
    view->is_sound = true;
}

bool disk_view_end(DiskView *view) { return view->is_sound; }

void disk_view_copy(DiskView *view, size_t at, size_t size, u8 *out)
{
    assert(size <= view->file->map.size && at <= view->file->map.size - size);
    memcpy(out, view->data + at, size);
}

const u8 *disk_view_read(DiskView *view, size_t at, size_t size)
{
    (void)size;
    return view->data + at;
}
#endif
