// SPDX-License-Identifier: GPL-3.0-or-later
// Files that stay open for as long as a program runs and are read in places, while somebody else may cut them
// short. A mapped page that is gone would end the program with SIGBUS. So a program handles that signal: the
// handler marks the file as lost, maps zeros over the rest of it and lets the reader go on; whoever read then
// asks whether the file is lost and throws away what it got. Where the signal is not ours to handle (in a
// library) nothing is mapped: each look at the file opens it, makes sure that it is still the same, and reads
// the pieces it needs. Invariant: a file is marked as lost before anybody can read from a page that is gone.
// A cut within a page is another matter: behind it that page reads as zeros without a signal, and it takes
// disk_check, which asks for the size, to see it. What was read since the last disk_check may be wrong then.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"
#include "base/language.h"

// A guard tells the handler of one mapping. It is found without a lock, so it is never freed, only used
// again.
typedef struct Guard {
    struct Guard *next;
    atomic_uintptr_t begin; // 0: not in use
    atomic_size_t size;
    atomic_bool is_lost;
} Guard;

struct DiskFile {
    const u8 *data; // the mapping; NULL: pieces are read
    size_t size;
    Guard *guard; // of the mapping
    char *path;   // with what tells that it is the same file
    dev_t device;
    ino_t inode;
    atomic_bool was_read; // since disk_check looked at it
    atomic_bool is_lost;  // seen by other means than the handler
};

static _Atomic(Guard *) guards;
static atomic_bool uses_maps;
static uintptr_t page_bytes;
static struct sigaction action_before;

// ---- the handler --------------------------------------------------------------------------------
// Puts zeros in the place of pages while other threads may be reading them; what those get they will not use,
// since the mark is set. The system is called directly: the wrappers of the C library and of sanitizers are
// not made for signal handlers, and a thread sanitizer takes this for a write that readers must wait for.
static bool map_zeros(uintptr_t page, size_t size)
{
    const long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
#ifdef SYS_mmap
    return syscall(SYS_mmap, page, size, (long)PROT_READ, flags, -1L, 0L) != -1;
#else
    return mmap((void *)page, size, PROT_READ, (int)flags, -1, 0) != MAP_FAILED;
#endif
}

static void on_lost_page(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    int saved_errno = errno;
    uintptr_t at = (uintptr_t)info->si_addr;
    for (Guard *guard = atomic_load(&guards); guard; guard = guard->next) {
        uintptr_t begin = atomic_load(&guard->begin), size = atomic_load(&guard->size);
        if (!begin || at < begin || at - begin >= size)
            continue;
        atomic_store(&guard->is_lost, true);
        uintptr_t page = at & ~(page_bytes - 1);
        bool is_mapped = map_zeros(page, begin + size - page);
        errno = saved_errno;
        if (is_mapped)
            return;
    }
    sigaction(SIGBUS, &action_before, NULL); // not ours: the access is made again, and goes the usual way
}

void disk_use_maps(bool use)
{
    struct sigaction action = {.sa_sigaction = on_lost_page, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    if (use && page_bytes == 0) {
        page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
        use = sigaction(SIGBUS, &action, &action_before) == 0;
    }
    atomic_store(&uses_maps, use);
}

static Guard *guard_new(const u8 *data, size_t size)
{
    Guard *guard = atomic_load(&guards);
    uintptr_t none = 0, begin = (uintptr_t)data;
    for (; guard; guard = guard->next, none = 0)
        if (atomic_compare_exchange_strong(&guard->begin, &none,
                                           UINTPTR_MAX)) // taken, and no address is in it yet
            break;
    bool is_new = !guard;
    if (is_new && !(guard = calloc(1, sizeof *guard)))
        return NULL;
    atomic_store(&guard->is_lost, false);
    atomic_store(&guard->size, size);
    atomic_store(&guard->begin, begin);
    if (is_new) {
        guard->next = atomic_load(&guards);
        while (!atomic_compare_exchange_weak(&guards, &guard->next, guard))
            ;
    }
    return guard;
}

// ---- files --------------------------------------------------------------------------------------
// Reads up to `size` bytes; how many there were.
static size_t read_at(int fd, size_t at, size_t size, u8 *out)
{
    size_t got = 0;
    while (got < size) {
        ssize_t more = pread(fd, out + got, size - got, (off_t)(at + got));
        if (more > 0)
            got += (size_t)more;
        else if (more == 0 || errno != EINTR)
            break;
    }
    return got;
}

static bool map_whole(DiskFile *file, int fd, const char *path, Message *error)
{
    void *data = mmap(NULL, file->size, PROT_READ, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED)
        return message_set(error, "cannot map '%s': %s", path, said(strerror(errno)));
    file->data = data;
    file->guard = guard_new(data, file->size);
    return file->guard || message_set(error, "no memory for '%s'", path);
}

// Opens a regular file that is not empty; -1 with the reason. A named pipe is refused, not waited for.
static int open_regular(const char *path, struct stat *st, Message *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        message_set(error, "cannot open '%s': %s", path, said(strerror(errno)));
        return -1;
    }
    bool is_regular = fstat(fd, st) == 0 && S_ISREG(st->st_mode);
    if (is_regular && st->st_size > 0)
        return fd;
    message_set(error, is_regular ? "'%s' is empty" : "'%s' is not a regular file", path);
    close(fd);
    return -1;
}

static bool open_file(DiskFile *file, const char *path, Message *error)
{
    struct stat st;
    int fd = open_regular(path, &st, error);
    if (fd < 0)
        return false;
    file->size = (size_t)st.st_size;
    file->device = st.st_dev;
    file->inode = st.st_ino;
    bool ok = !atomic_load(&uses_maps) || map_whole(file, fd, path, error);
    close(fd);
    if (ok && !(file->path = realpath(path, NULL))) // the working folder may change
        ok = message_set(error, "cannot find '%s': %s", path, said(strerror(errno)));
    return ok;
}

DiskFile *disk_open(const char *path, Message *error)
{
    DiskFile *file = calloc(1, sizeof *file);
    if (!file)
        message_set(error, "no memory for '%s'", path);
    else if (!open_file(file, path, error))
        disk_close(file), file = NULL;
    return file;
}

void disk_close(DiskFile *file)
{
    if (!file)
        return;
    if (file->guard) // first: as soon as the addresses are free, they may be those of another file
        atomic_store(&file->guard->begin, 0);
    if (file->data)
        munmap((void *)file->data, file->size);
    free(file->path);
    free(file);
}

u8 *disk_read_whole(const char *path, size_t *size, Message *error)
{
    struct stat st;
    int fd = open_regular(path, &st, error);
    if (fd < 0)
        return NULL;
    *size = (size_t)st.st_size;
    u8 *bytes = malloc(*size);
    if (!bytes) {
        message_set(error, "no memory for '%s'", path);
    } else if (read_at(fd, 0, *size, bytes) != *size) {
        message_set(error, "'%s' was cut short while it was read", path);
        free(bytes);
        bytes = NULL;
    }
    close(fd);
    return bytes;
}

size_t disk_size(const DiskFile *file) { return file->size; }

bool disk_is_lost(const DiskFile *file)
{
    return atomic_load(&file->is_lost) || (file->guard && atomic_load(&file->guard->is_lost));
}

bool disk_check(DiskFile *file)
{
    struct stat st;
    if (!atomic_load_explicit(&file->was_read, memory_order_relaxed) ||
        !atomic_exchange(&file->was_read, false) || disk_is_lost(file))
        return !disk_is_lost(file);
    // A file that was removed or replaced under its name keeps its old bytes as long as it is mapped.
    bool is_there = stat(file->path, &st) == 0 && st.st_dev == file->device && st.st_ino == file->inode;
    if (is_there ? (size_t)st.st_size < file->size : !file->data)
        atomic_store(&file->is_lost, true);
    return !disk_is_lost(file);
}

// ---- views --------------------------------------------------------------------------------------
void disk_view_begin(DiskView *view, DiskFile *file)
{
    view->file = file;
    view->data = file->data;
    view->fd = -1;
    view->at = view->len = 0;
    view->is_sound = !disk_is_lost(file);
    if (!atomic_load_explicit(&file->was_read, memory_order_relaxed))
        atomic_store_explicit(&file->was_read, true, memory_order_relaxed);
}

// Reads all of it; a file that is no longer what it was is lost.
static void read_piece(DiskView *view, size_t at, size_t size, u8 *out)
{
    DiskFile *file = view->file;
    size_t got = 0;
    if (view->is_sound && view->fd < 0) {
        struct stat st;
        view->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        view->is_sound = view->fd >= 0 && fstat(view->fd, &st) == 0 && st.st_dev == file->device &&
                         st.st_ino == file->inode && (size_t)st.st_size == file->size;
    }
    if (view->is_sound)
        got = read_at(view->fd, at, size, out);
    view->is_sound &= got == size;
    if (!view->is_sound) {
        atomic_store(&file->is_lost, true);
        memset(out + got, 0, size - got);
    }
}

const u8 *disk_view_read(DiskView *view, size_t at, size_t size)
{
    assert(size <= DISK_PIECE_MAX && size <= view->file->size && at <= view->file->size - size);
    if (at < view->at || at + size > view->at + view->len) {
        // Whole units around it: the next piece is mostly near by, before it or behind it.
        view->at = at & ~(size_t)(DISK_PIECE_MAX - 1);
        view->len = view->file->size - view->at;
        view->len = view->len < sizeof view->bytes ? view->len : sizeof view->bytes;
        read_piece(view, view->at, view->len, view->bytes);
    }
    return view->bytes + (at - view->at);
}

void disk_view_copy(DiskView *view, size_t at, size_t size, u8 *out)
{
    assert(size <= view->file->size && at <= view->file->size - size);
    if (view->data)
        memcpy(out, view->data + at, size);
    else
        read_piece(view, at, size, out);
}

bool disk_view_end(DiskView *view)
{
    if (view->fd >= 0)
        close(view->fd);
    view->fd = -1;
    atomic_thread_fence(memory_order_acquire); // the bytes were read before the mark is
    return view->is_sound && !disk_is_lost(view->file);
}
