// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are cut short while they are open: mapped (as programs have them) and read in pieces (as the
// library does), they cost what was read last and never the program.
#include <stdio.h>

#include "helpers.h"

enum { PAGE = 4096, PAGES = 8, SIZE = PAGES * PAGE + 100 };

static u8 byte_at(size_t at) { return (u8)(at * 7 + at / 256 + 1); }

// A file of known bytes, opened.
static DiskFile *open_scratch(char path[PATH_BYTES])
{
    u8 bytes[SIZE];
    Message message = {0};
    scratch_path("disk", path);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = byte_at(i);
    CHECK(os_write_file(path, bytes, SIZE, &message));
    DiskFile *file = disk_open(path, &message);
    CHECK_THAT(file != NULL, "%s", message.text);
    return file;
}

// Reads one piece in a view of its own, also when nobody wants the bytes; true when it is told to be the
// file's.
static bool read_piece(DiskFile *file, size_t at, size_t size, u8 *out)
{
    DiskView view;
    disk_view_begin(&view, file);
    const volatile u8 *bytes = disk_view_at(&view, at, size);
    for (size_t i = 0; i < size; i++)
        out[i] = bytes[i];
    return disk_view_end(&view);
}

static void test_whole(void)
{
    char path[PATH_BYTES];
    DiskFile *file = open_scratch(path);
    u8 piece[DISK_PIECE_MAX], copy[SIZE];
    Rng rng = {5};
    DiskView view;
    CHECK_INT(disk_size(file), SIZE);
    disk_view_begin(&view, file);
    for (int i = 0; i < 2000; i++) {
        size_t size = 1 + rng_below(&rng, DISK_PIECE_MAX), at = rng_below(&rng, (u32)(SIZE - size + 1));
        memcpy(piece, disk_view_at(&view, at, size), size);
        for (size_t j = 0; j < size; j++)
            if (piece[j] != byte_at(at + j)) {
                CHECK_THAT(false, "byte %zu is %d", at + j, piece[j]);
                break;
            }
    }
    disk_view_copy(&view, 0, SIZE, copy);
    CHECK(copy[0] == byte_at(0) && copy[SIZE - 1] == byte_at(SIZE - 1));
    CHECK(disk_view_end(&view) && disk_check(file) && !disk_is_lost(file));
    disk_close(file);
    remove(path);
}

static void test_cut(bool is_mapped)
{
    char path[PATH_BYTES];
    Message message = {0};
    DiskFile *file = open_scratch(path), *other;
    u8 piece[8];
    CHECK(read_piece(file, 6 * PAGE, 8, piece));
    CHECK(os_truncate(path, 2 * PAGE, &message));
    if (is_mapped) // what is still there may be read until somebody meets the end
        CHECK(read_piece(file, PAGE, 8, piece) && piece[0] == byte_at(PAGE));
    CHECK(!read_piece(file, 6 * PAGE, 8, piece));
    CHECK(disk_is_lost(file) && !disk_check(file));
    CHECK(!read_piece(file, 0, 8, piece)); // a file that is lost stays lost
    // Another file is not touched by it, also when it takes the same place in memory.
    disk_close(file);
    other = open_scratch(path);
    CHECK(read_piece(other, 6 * PAGE, 8, piece) && piece[0] == byte_at(6 * PAGE) && !disk_is_lost(other));
    disk_close(other);
    remove(path);
}

// Less than a page is gone: nothing faults, and the bytes read as zeros; asking the file system tells.
static void test_cut_within_page(bool is_mapped)
{
    char path[PATH_BYTES];
    Message message = {0};
    DiskFile *file = open_scratch(path);
    u8 piece[8];
    CHECK(os_truncate(path, SIZE - 50, &message));
    bool is_sound = read_piece(file, SIZE - 20, 8, piece);
    CHECK(is_sound == is_mapped); // pieces are only read from the file that was opened
    CHECK(!disk_check(file) && disk_is_lost(file));
    CHECK(!read_piece(file, 0, 8, piece));
    disk_close(file);
    remove(path);
}

static void test_replaced(bool is_mapped)
{
    char path[PATH_BYTES];
    DiskFile *file = open_scratch(path);
    u8 piece[8];
    write_text(
        path,
        "another file under the same name"); // written anew: the old bytes live on where they are mapped
    CHECK_INT(read_piece(file, PAGE, 8, piece), is_mapped);
    CHECK(disk_check(file) == is_mapped && (!is_mapped || piece[0] == byte_at(PAGE)));
    remove(path);
    CHECK_INT(read_piece(file, PAGE, 8, piece), is_mapped);
    disk_close(file);
}

void test_disk_file(void)
{
    for (int is_mapped = 0; is_mapped < 2; is_mapped++) {
        const char *way = is_mapped ? "mapped" : "in pieces";
        disk_use_maps(is_mapped);
        CASE("a whole file, %s", way);
        test_whole();
        CASE("a file cut short, %s", way);
        test_cut(is_mapped);
        CASE("a file cut short within its last page, %s", way);
        test_cut_within_page(is_mapped);
        CASE("a file replaced under its name, %s", way);
        test_replaced(is_mapped);
    }
    CASE("what is no file");
    Message message = {0};
    CHECK(!disk_open("/nonexistent/file", &message) && strstr(message.text, "/nonexistent/file"));
    CHECK(!disk_open("/tmp", &message) && message.text[0]);
    disk_use_maps(false);
}
