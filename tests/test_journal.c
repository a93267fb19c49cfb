// SPDX-License-Identifier: GPL-3.0-or-later
// Journals: what was added is read again, whatever happens to the end of the file; damaged lines are left
// out; a file of something else is neither read nor touched. And the checksum under it.
#include "helpers.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/journal.h"

static const JournalHead HEAD = {"test 1", "seed 7"};

typedef struct Lines {
    int nb;
    char text[16][64];
} Lines;

static void found(void *context, Span line)
{
    Lines *lines = context;
    if (lines->nb < 16)
        span_copy(line, lines->text[lines->nb], sizeof lines->text[0]);
    lines->nb++;
}

static JournalFound read_again(const char *path, JournalHead head, Lines *lines, Message *message)
{
    *lines = (Lines){0};
    *message = (Message){{0}};
    return journal_read(path, head, found, lines, message);
}

// Adds lines "FIRST", "FIRST + 1", ... to the file.
static void add_lines(const char *path, int first, int nb)
{
    Journal journal = {0};
    Message message = {{0}};
    CHECK_THAT(journal_open(&journal, path, HEAD, &message), "%s", message.text);
    for (int i = first; i < first + nb && journal.file; i++) {
        char text[32];
        snprintf(text, sizeof text, "line\t%d", i);
        CHECK(journal_add(&journal, span_of(text)));
    }
    journal_close(&journal);
    journal_close(&journal);
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static void test_life(const char *path)
{
    Lines lines;
    Message message;
    CASE("journal: new, added to, read, added to again");
    CHECK_INT(read_again(path, HEAD, &lines, &message), JOURNAL_NEW);
    add_lines(path, 0, 3);
    CHECK_INT(read_again(path, HEAD, &lines, &message), JOURNAL_READ);
    CHECK_INT(lines.nb, 3);
    CHECK_TEXT(lines.text[2], "line\t2");
    add_lines(path, 3, 2);
    CHECK_INT(read_again(path, HEAD, &lines, &message), JOURNAL_READ);
    CHECK_INT(lines.nb, 5);
    CHECK_TEXT(lines.text[4], "line\t4");
    CASE("journal: opened without a word it stays as it is");
    Text before = {0}, after = {0};
    CHECK(text_read_file(&before, path, 1 << 20, &message));
    add_lines(path, 5, 0);
    CHECK(text_read_file(&after, path, 1 << 20, &message));
    CHECK_TEXT(after.ptr, before.ptr);
    text_free(&after);
    CASE("journal: other conditions, other kinds and other files are told apart");
    CHECK_INT(read_again(path, (JournalHead){"test 1", "seed 8"}, &lines, &message), JOURNAL_OTHER);
    CHECK(strstr(message.text, "other conditions") && lines.nb == 0);
    CHECK_INT(read_again(path, (JournalHead){"test 2", "seed 7"}, &lines, &message), JOURNAL_FOREIGN);
    CHECK(strstr(message.text, "was not written by this version") && lines.nb == 0);
    CHECK_INT(read_again(path, (JournalHead){"test 1", ""}, &lines, &message), JOURNAL_OTHER);
    CHECK_INT(read_again("/dev/zero", HEAD, &lines, &message), JOURNAL_FOREIGN);
    CHECK_INT(read_again("/dev/null", HEAD, &lines, &message), JOURNAL_NEW);
    write_bytes(path, "my diary", 8);
    CHECK_INT(read_again(path, HEAD, &lines, &message), JOURNAL_FOREIGN);
    write_bytes(path, "twofold progress 1 chess\n0123456789abcdef 1 2 3 4 0 0123456789abcdef\n", 69);
    CHECK_INT(read_again(path, HEAD, &lines, &message), JOURNAL_FOREIGN);
    CHECK_INT(lines.nb, 0);
    text_free(&before);
    unlink(path);
}

// Cut at every byte: what is left whole is read, and lines added afterwards are whole.
static void test_cut(const char *path)
{
    Text whole = {0};
    Message message;
    Lines lines;
    add_lines(path, 0, 4);
    CHECK(text_read_file(&whole, path, 1 << 20, &message));
    CASE("journal: cut at every byte");
    for (size_t len = 0; len <= whole.len; len++) {
        int ends = 0;
        for (size_t i = 0; i < len; i++)
            ends += whole.ptr[i] == '\n';
        bool only_end_is_gone = len < whole.len && whole.ptr[len] == '\n';
        int sound = ends ? ends - 1 + only_end_is_gone : 0;
        write_bytes(path, whole.ptr, len);
        JournalFound result = read_again(path, HEAD, &lines, &message);
        CHECK_THAT(result == (ends || only_end_is_gone ? JOURNAL_READ : JOURNAL_NEW), "%zu bytes: %d", len,
                   (int)result);
        CHECK_INT(lines.nb, sound);
        add_lines(path, 10, 1);
        CHECK_INT(read_again(path, HEAD, &lines, &message), JOURNAL_READ);
        CHECK_INT(lines.nb, sound + 1);
        CHECK_TEXT(lines.text[sound], "line\t10");
    }
    CASE("journal: a changed byte costs its line and no other");
    for (size_t at = 0; at < whole.len; at++) {
        char old = whole.ptr[at];
        whole.ptr[at] = (char)(old ^ 4);
        write_bytes(path, whole.ptr, whole.len);
        JournalFound result = read_again(path, HEAD, &lines, &message);
        bool is_head = memchr(whole.ptr, '\n', at) == NULL;
        if (is_head)
            CHECK_THAT(result == JOURNAL_FOREIGN || result == JOURNAL_OTHER, "byte %zu: %d", at, (int)result);
        else
            CHECK_THAT(result == JOURNAL_READ && (lines.nb == 3 || (old == '\n' && lines.nb == 2)),
                       "byte %zu: %d lines", at, lines.nb);
        whole.ptr[at] = old;
    }
    text_free(&whole);
    unlink(path);
}

static void test_trouble(const char *path)
{
    Journal journal = {0};
    Message message = {{0}};
    Lines lines;
    CASE("journal: what can't be opened or written is told with the system's reason");
    CHECK(!journal_open(&journal, "/nonexistent/file", HEAD, &message) && !journal.file);
    CHECK(strstr(message.text, strerror(ENOENT)) != NULL);
    CHECK(!journal_open(&journal, "/dev/full", HEAD, &message) &&
          !journal.file); // endless zeros are not ours
    CHECK(strstr(message.text, "another purpose") != NULL);
    CHECK(!journal_open(&journal, "/tmp", HEAD, &message) && !journal.file);
#ifndef _WIN32 // where a folder can't be opened at all
    CHECK_INT(read_again("/tmp", HEAD, &lines, &message), JOURNAL_NEW); // which journal_open then refuses
#endif
    journal.file = fopen("/dev/full", "wb");
    CHECK(!journal_add(&journal, span_of("x")) && errno == ENOSPC);
    journal_close(&journal);
    CASE("journal: empty lines and long ones");
    char *big = malloc(300001);
    memset(big, 'x', 300000);
    big[300000] = '\0';
    CHECK(journal_open(&journal, path, HEAD, &message));
    CHECK(journal_add(&journal, (Span){"", 0}) && journal_add(&journal, span_of(big)) &&
          journal_add(&journal, span_of("end")));
    journal_close(&journal);
    CHECK_INT(read_again(path, HEAD, &lines, &message), JOURNAL_READ);
    CHECK_INT(lines.nb, 3);
    CHECK_TEXT(lines.text[0], "");
    CHECK_TEXT(lines.text[2], "end");
    free(big);
    unlink(path);
}

static void test_sum(void)
{
    CASE("checksum: every bit, the length and the pieces count");
    u8 bytes[67];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (u8)(i * 37);
    u64 sum = checksum_add(0, bytes, sizeof bytes);
    CHECK(sum == checksum_add(0, bytes, sizeof bytes));
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (u8)(1 << bit % 8);
        CHECK(checksum_add(0, bytes, sizeof bytes) != sum);
        bytes[bit / 8] ^= (u8)(1 << bit % 8);
    }
    u8 zeros[64] = {0};
    for (size_t a = 0; a <= sizeof zeros; a++)
        for (size_t b = 0; b < a; b++)
            CHECK(checksum_add(0, zeros, a) != checksum_add(0, zeros, b));
    CHECK(checksum_add(checksum_add(0, "ab", 2), "c", 1) != checksum_add(checksum_add(0, "a", 1), "bc", 2));
    CHECK(checksum_add(1, "abc", 3) != checksum_add(0, "abc", 3));
}

static void test_join(const char *path)
{
    char second[PATH_BYTES], other[PATH_BYTES], joined[PATH_BYTES];
    Journal journal = {0};
    Message message;
    Lines lines;
    i64 line_nb;
    scratch_path("journal-second", second);
    scratch_path("journal-other", other);
    scratch_path("journal-joined", joined);
    add_lines(path, 0, 3);
    add_lines(second, 3, 2);
    CASE("journal: several as one, without what was cut off");
    FILE *torn = fopen(path, "ab");
    CHECK(torn && fputs("line\t9\t0123", torn) >= 0 && fclose(torn) == 0);
    FILE *stream = fopen(joined, "wb");
    CHECK(journal_join(stream, (const char *const[]){path, second}, 2, &line_nb, &message));
    CHECK(fclose(stream) == 0);
    CHECK_INT(line_nb, 5);
    CHECK_INT(read_again(joined, HEAD, &lines, &message), JOURNAL_READ);
    CHECK_INT(lines.nb, 5);
    CHECK_TEXT(lines.text[0], "line\t0");
    CHECK_TEXT(lines.text[4], "line\t4");
    CASE("journal: those of other conditions do not go together");
    CHECK(journal_open(&journal, other, (JournalHead){"test 1", "seed 8"}, &message));
    journal_close(&journal);
    stream = fopen(joined, "wb");
    CHECK(!journal_join(stream, (const char *const[]){path, other}, 2, &line_nb, &message));
    CHECK_THAT(strstr(message.text, other) != NULL, "%s", message.text);
    CHECK(!journal_join(stream, (const char *const[]){"/dev/null", path}, 2, &line_nb, &message));
    CHECK(!journal_join(stream, (const char *const[]){"/no/such/file"}, 1, &line_nb, &message));
    CHECK(fclose(stream) == 0);
    unlink(path), unlink(second), unlink(other), unlink(joined);
}

void test_journal(void)
{
    char path[PATH_BYTES];
    scratch_path("journal", path);
    unlink(path); // of a run that broke off: numbers of processes come again, under wine soon
    test_life(path);
    test_cut(path);
    test_trouble(path);
    test_join(path);
    test_sum();
}
