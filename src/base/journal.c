// SPDX-License-Identifier: GPL-3.0-or-later
// A line is its text, a tab and the checksum of the text in sixteen hexadecimal digits. The first line's text
// is the mark, the kind and the conditions, with tabs between.
#include "base/journal.h"

#include <errno.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/language.h"

static const char MARK[] = "# twofold journal 1";
enum { SUM_DIGITS = 16 };

static void add_line(Text *out, Span line)
{
    text_add_bytes(out, line.ptr, line.len);
    text_add(out, "\t%016llx\n", (unsigned long long)checksum_add(0, line.ptr, line.len));
}

static void add_head(Text *out, JournalHead head)
{
    Text line = {0};
    text_add(&line, "%s\t%s\t%s", MARK, head.kind, head.conditions);
    for (size_t i = strlen(MARK) + strlen(head.kind) + 2; i < line.len; i++)
        if ((u8)line.ptr[i] < ' ') // the name of a file may have anything
            line.ptr[i] = '?';
    add_line(out, text_span(&line));
    out->failed |= line.failed;
    text_free(&line);
}

// Takes the checksum off the end of a line; false when it is not there or does not fit.
static bool check_line(Span *line)
{
    char sum[SUM_DIGITS + 1];
    if (line->len <= SUM_DIGITS || line->ptr[line->len - SUM_DIGITS - 1] != '\t')
        return false;
    line->len -= SUM_DIGITS + 1;
    snprintf(sum, sizeof sum, "%016llx", (unsigned long long)checksum_add(0, line->ptr, line->len));
    return memcmp(line->ptr + line->len + 1, sum, SUM_DIGITS) == 0;
}

// What the beginning of the file tells; `line` gets the first line. No more is read than it takes to see that
// the file is something else.
static JournalFound read_head(FILE *file, JournalHead head, Text *line)
{
    Text whole = {0}, kind = {0}, rest = {0};
    char start[512];
    add_head(&whole, head);
    text_add(&kind, "%s\t%s\t", MARK, head.kind);
    assert(kind.len < sizeof start);
    size_t got = fread(start, 1, kind.len, file);
    JournalFound result = JOURNAL_FOREIGN;
    if (whole.failed || kind.failed)
        result = JOURNAL_FAILED;
    else if (got < kind.len && memcmp(start, whole.ptr, got) == 0)
        result = JOURNAL_NEW; // nothing, or as far as it came before the program died
    else if (memcmp(start, kind.ptr, got) == 0 && (text_read_line(&rest, file) || !ferror(file))) {
        text_add_bytes(line, start, got);
        text_add_bytes(line, rest.ptr, rest.len);
        Span span = text_span(line);
        bool is_torn = feof(file) && line->len < whole.len && memcmp(line->ptr, whole.ptr, line->len) == 0;
        bool is_sound = check_line(&span);
        bool is_same = line->len + 1 == whole.len && memcmp(line->ptr, whole.ptr, line->len) == 0;
        result = is_same ? JOURNAL_READ : is_torn ? JOURNAL_NEW : is_sound ? JOURNAL_OTHER : JOURNAL_FOREIGN;
    }
    text_free(&whole);
    text_free(&kind);
    text_free(&rest);
    return result;
}

JournalFound journal_begin(JournalReader *reader, const char *path, JournalHead head, Message *message)
{
    *reader = (JournalReader){.file = os_fopen(path, "rb")};
    if (!reader->file && errno == ENOENT)
        return JOURNAL_NEW;
    if (!reader->file) {
        message_set(message, "cannot open '%s': %s", path, said(strerror(errno)));
        return JOURNAL_FAILED;
    }
    errno = 0;
    JournalFound result = read_head(reader->file, head, &reader->line);
    if (result == JOURNAL_FAILED || (result == JOURNAL_READ && ferror(reader->file))) {
        message_set(message, "cannot read '%s': %s", path,
                    said(strerror(ferror(reader->file) ? errno : ENOMEM)));
        result = JOURNAL_FAILED;
    } else if (result == JOURNAL_FOREIGN) {
        message_set(message,
                    "'%s' was not written by this version of the program for this purpose: name another file",
                    path);
    } else if (result == JOURNAL_OTHER) {
        message_set(message, "'%s' was written under other conditions: name another file", path);
    }
    if (result != JOURNAL_READ)
        journal_end(reader);
    return result;
}

bool journal_next(JournalReader *reader, Span *line)
{
    while (reader->file && text_read_line(&reader->line, reader->file) && !reader->line.failed) {
        *line = text_span(&reader->line);
        // A line without its end may be whole by its checksum: then it counts.
        if (check_line(line))
            return true;
    }
    return false;
}

void journal_end(JournalReader *reader)
{
    if (reader->file)
        fclose(reader->file);
    text_free(&reader->line);
    *reader = (JournalReader){0};
}

JournalFound journal_read(const char *path, JournalHead head, void (*found)(void *context, Span line),
                          void *context, Message *message)
{
    JournalReader reader;
    Span line;
    JournalFound result = journal_begin(&reader, path, head, message);
    while (result == JOURNAL_READ && journal_next(&reader, &line))
        found(context, line);
    if (result == JOURNAL_READ && (reader.line.failed || ferror(reader.file))) {
        message_set(message, "cannot read '%s': %s", path,
                    said(strerror(reader.line.failed ? ENOMEM : errno)));
        result = JOURNAL_FAILED;
    }
    journal_end(&reader);
    return result;
}

// What must be written before the first new line: the head of a new file, or the end of a line that was cut
// short. False when the file does not begin as ours do.
static bool prepare(FILE *file, JournalHead head, const char *path, Text *start, Message *message)
{
    Text whole = {0};
    add_head(&whole, head);
    rewind(file); // where a file opened to add to is read first is up to the C library
    char *begin = whole.failed ? NULL : calloc(whole.len, 1);
    size_t got = begin ? fread(begin, 1, whole.len, file) : 0;
    bool is_alike = begin && memcmp(begin, whole.ptr, got) == 0, ok = is_alike;
    if (!is_alike)
        message_set(message,
                    begin ? "'%s' is of another purpose: name another file" : "out of memory for '%s'", path);
    else if (got < whole.len) // nothing, or half a first line
        ok = (got == 0 || os_truncate(path, 0, message)) &&
             (text_add_bytes(start, whole.ptr, whole.len), true);
    else if (fseek(file, -1, SEEK_END) == 0 && fgetc(file) != '\n')
        text_add(start, "\n");
    text_free(&whole);
    free(begin);
    return ok;
}

bool journal_open(Journal *journal, const char *path, JournalHead head, Message *message)
{
    Text start = {0};
    journal->file = os_fopen(path, "ab+");
    if (!journal->file)
        return message_set(message, "cannot write '%s': %s", path, said(strerror(errno)));
    bool ok = prepare(journal->file, head, path, &start, message);
    if (ok && (start.failed || fseek(journal->file, 0, SEEK_END) != 0 ||
               (start.len && fwrite(start.ptr, 1, start.len, journal->file) != start.len) ||
               fflush(journal->file) != 0))
        ok = message_set(message, "cannot write '%s': %s", path,
                         said(strerror(start.failed ? ENOMEM : errno)));
    text_free(&start);
    if (!ok)
        journal_close(journal);
    return ok;
}

bool journal_add(Journal *journal, Span line)
{
    assert(line.len == 0 || !memchr(line.ptr, '\n', line.len));
    Text text = {0};
    add_line(&text, line);
    bool ok = !text.failed && fwrite(text.ptr, 1, text.len, journal->file) == text.len &&
              fflush(journal->file) == 0;
    text_free(&text);
    return ok;
}

void journal_close(Journal *journal)
{
    if (journal->file)
        fclose(journal->file);
    journal->file = NULL;
}

// ---- several as one -----------------------------------------------------------------------------
bool journal_is_begun(Span bytes) { return span_starts(bytes, MARK); }

// Copies the lines of a file; the head only into `head`, when that is empty. False when its head is another
// one or none.
static bool copy_lines(FILE *file, FILE *stream, Text *head, i64 *line_nb)
{
    Text line = {0};
    bool ok = text_read_line(&line, file);
    Span span = text_span(&line);
    ok = ok && check_line(&span);
    if (ok && !head->len) {
        text_add_bytes(head, line.ptr, line.len);
        ok = fwrite(line.ptr, 1, line.len, stream) == line.len && fputc('\n', stream) != EOF;
    }
    ok = ok && line.len == head->len && memcmp(line.ptr, head->ptr, head->len) == 0;
    while (ok && text_read_line(&line, file)) {
        span = text_span(&line);
        if (!check_line(&span))
            continue;
        ok = fwrite(line.ptr, 1, line.len, stream) == line.len && fputc('\n', stream) != EOF;
        ++*line_nb;
    }
    text_free(&line);
    return ok;
}

bool journal_join(void *stream, const char *const *paths, int path_nb, i64 *line_nb, Message *message)
{
    Text head = {0};
    bool ok = true;
    *line_nb = 0;
    for (int i = 0; ok && i < path_nb; i++) {
        FILE *file = os_fopen(paths[i], "rb");
        if (!file) {
            ok = message_set(message, "cannot open '%s': %s", paths[i], strerror(errno));
            break;
        }
        ok = copy_lines(file, stream, &head, line_nb);
        if (!ok && ferror((FILE *)stream))
            message_set(message, "cannot write: %s", strerror(errno));
        else if (!ok)
            message_set(message, "'%s' is of another purpose or other conditions than '%s'", paths[i],
                        paths[0]);
        fclose(file);
    }
    text_free(&head);
    return ok;
}
