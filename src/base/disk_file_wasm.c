// SPDX-License-Identifier: GPL-3.0-or-later
// Where there is no disk (WebAssembly in a browser) no file is ever opened: every opening is refused with a
// sentence, so that nothing below it can be reached. Books, endgame tables and networks from files are what
// such a build does without.
#ifdef __EMSCRIPTEN__
#include "base/base.h"

static const char NO_FILES[] = "there are no files in a browser";

void disk_use_maps(bool use) { (void)use; }

DiskFile *disk_open(const char *path, Message *error)
{
    message_set(error, "cannot open '%s': %s", path, NO_FILES);
    return NULL;
}

void disk_close(DiskFile *file)
{
    (void)file;
    assert(!file);
}

u8 *disk_read_whole(const char *path, size_t *size, Message *error)
{
    *size = 0;
    message_set(error, "cannot open '%s': %s", path, NO_FILES);
    return NULL;
}

size_t disk_size(const DiskFile *file)
{
    (void)file;
    return 0;
}

bool disk_is_lost(const DiskFile *file)
{
    (void)file;
    return true;
}

bool disk_check(DiskFile *file)
{
    (void)file;
    return false;
}

void disk_view_begin(DiskView *view, DiskFile *file) { *view = (DiskView){.file = file, .fd = -1}; }

bool disk_view_end(DiskView *view)
{
    (void)view;
    return false;
}

void disk_view_copy(DiskView *view, size_t at, size_t size, u8 *out)
{
    (void)view, (void)at;
    memset(out, 0, size);
}

const u8 *disk_view_read(DiskView *view, size_t at, size_t size)
{
    (void)at, (void)size;
    return view->bytes;
}
#endif
