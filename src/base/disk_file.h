// SPDX-License-Identifier: GPL-3.0-or-later
// Files that others may cut short while we read them: books and endgame tables. Part of base.h.
#ifndef TWOFOLD_DISK_FILE_H
#define TWOFOLD_DISK_FILE_H

#include "base/base.h"

typedef struct Message Message;

// A file that is read in places for as long as a program runs: its size is what it was when it was opened.
typedef struct DiskFile DiskFile;
// With true, files opened from now on are mapped, and a page that is gone reads as zeros and marks its file
// as lost instead of ending the program: for programs only, before their threads start, since SIGBUS is
// handled for the whole process. Without it (in a library) every look at a file opens it and reads the pieces
// it needs.
void disk_use_maps(bool use);
DiskFile *disk_open(const char *path, Message *error);
void disk_close(DiskFile *file);
size_t disk_size(const DiskFile *file);
// Has it turned out to be no longer the file that was opened? What was read last may be wrong then.
bool disk_is_lost(const DiskFile *file);
// Asks the file system, if the file was read since the last call; false when the file is lost.
bool disk_check(DiskFile *file);

// The bytes of a whole file, to be freed; NULL with the reason when it cannot be read, is empty or no regular
// file.
u8 *disk_read_whole(const char *path, size_t *size, Message *error);

// One look at a file, by one thread.
enum { DISK_PIECE_MAX = 512 };
typedef struct DiskView {
    DiskFile *file;
    const u8 *data; // the mapping; NULL: pieces are read
    int fd;
    bool is_sound;
    size_t at, len; // the bytes that are here
    u8 bytes[2 * DISK_PIECE_MAX];
} DiskView;
void disk_view_begin(DiskView *view, DiskFile *file);
// True when all that was read since view_begin are bytes of the file.
bool disk_view_end(DiskView *view);
void disk_view_copy(DiskView *view, size_t at, size_t size, u8 *out);
// The way of disk_view_at when nothing is mapped.
const u8 *disk_view_read(DiskView *view, size_t at, size_t size);
// At most DISK_PIECE_MAX bytes within the file, valid until the next call.
static inline const u8 *disk_view_at(DiskView *view, size_t at, size_t size)
{
    return view->data ? view->data + at : disk_view_read(view, at, size);
}

#endif
