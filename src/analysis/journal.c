// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of the progress file: key, score, second score, depth, nodes, the best line, and a checksum of all
// that.
#include "analysis/journal.h"

#include <errno.h>
#include <inttypes.h>

static const char HEADER[] = "twofold progress 1 " GAME_NAME;
enum { JOURNAL_MAX = 1 << 30, NOT_SEARCHED = SCORE_NONE };

u64 journal_hash(u64 hash, const void *bytes, size_t size)
{
    const u8 *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = hash_mix(hash ^ at[i]);
    return hash;
}

static bool take_hex(Span word, u64 *out)
{
    if (word.len == 0 || word.len > 16)
        return false;
    u64 value = 0;
    for (size_t i = 0; i < word.len; i++) {
        const char *digits = "0123456789abcdef", *digit = strchr(digits, word.ptr[i]);
        if (!digit || !word.ptr[i])
            return false;
        value = value << 4 | (u64)(digit - digits);
    }
    *out = value;
    return true;
}

static bool read_line(Span line, u64 *key, PositionResult *finding)
{
    Span rest = line;
    u64 move, sum;
    i64 score, second, depth, nodes, line_nb;
    if (!take_hex(span_word(&rest), key) ||
        !span_int(span_word(&rest), -SCORE_INFINITE, SCORE_INFINITE, &score) ||
        !span_int(span_word(&rest), -SCORE_INFINITE, NOT_SEARCHED, &second) ||
        !span_int(span_word(&rest), 0, 1000, &depth) || !span_int(span_word(&rest), 0, INT64_MAX, &nodes) ||
        !span_int(span_word(&rest), 0, FINDING_LINE_MAX, &line_nb))
        return false;
    *finding = (PositionResult){.score = (int)score,
                                .second = (int)second,
                                .depth = (int)depth,
                                .nodes = (u64)nodes,
                                .line_nb = (int)line_nb};
    for (int i = 0; i < finding->line_nb; i++) {
        if (!take_hex(span_word(&rest), &move) || move > 0xFFFF)
            return false;
        finding->line[i] = (Move)move;
    }
    Span check = span_word(&rest);
    return take_hex(check, &sum) && check.len == 16 &&
           sum == journal_hash(0, line.ptr, (size_t)(check.ptr - line.ptr));
}

bool journal_read(const char *path, void (*found)(void *context, u64 key, const PositionResult *finding),
                  void *context, Message *message)
{
    FILE *probe = fopen(path, "rb");
    if (!probe)
        return errno == ENOENT || message_set(message, "cannot open '%s': %s", path, strerror(errno));
    char head[sizeof HEADER];
    size_t got = fread(head, 1, sizeof head, probe);
    fclose(probe);
    if (got == 0)
        return true;
    if (got < sizeof head || memcmp(head, HEADER, sizeof head - 1) != 0 || head[sizeof head - 1] != '\n')
        return message_set(message, "'%s' is no progress file of this program: name another one with --state",
                           path);
    Text text = {0};
    bool ok = text_read_file(&text, path, JOURNAL_MAX, message);
    Span rest = text_span(&text), line;
    ok = ok && span_line(&rest, &line);
    while (ok && span_line(&rest, &line)) {
        u64 key;
        PositionResult finding;
        if (read_line(line, &key, &finding))
            found(context, key, &finding);
    }
    text_free(&text);
    return ok;
}

bool journal_open(Journal *journal, const char *path, Message *message)
{
    journal->file = fopen(path, "ab+");
    if (!journal->file)
        return message_set(message, "cannot write '%s': %s", path, strerror(errno));
    // After a line that was cut short a new one must begin.
    bool is_new = fseek(journal->file, 0, SEEK_END) == 0 && ftell(journal->file) == 0;
    bool is_cut = !is_new && fseek(journal->file, -1, SEEK_END) == 0 && fgetc(journal->file) != '\n';
    fseek(journal->file, 0, SEEK_END);
    if (is_new)
        fprintf(journal->file, "%s\n", HEADER);
    else if (is_cut)
        fputc('\n', journal->file);
    if (fflush(journal->file) == 0)
        return true;
    message_set(message, "cannot write '%s': %s", path, strerror(errno));
    journal_close(journal);
    return false;
}

bool journal_add(Journal *journal, u64 key, const PositionResult *finding)
{
    char line[512];
    int used = snprintf(line, sizeof line, "%016" PRIx64 " %d %d %d %" PRIu64 " %d ", key, finding->score,
                        finding->second, finding->depth, finding->nodes, finding->line_nb);
    for (int i = 0; i < finding->line_nb; i++)
        used += snprintf(line + used, sizeof line - (size_t)used, "%04x ", finding->line[i]);
    fprintf(journal->file, "%s%016" PRIx64 "\n", line, journal_hash(0, line, (size_t)used));
    return fflush(journal->file) == 0;
}

void journal_close(Journal *journal)
{
    if (journal->file)
        fclose(journal->file);
    journal->file = NULL;
}
