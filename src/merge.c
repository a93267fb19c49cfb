// SPDX-License-Identifier: GPL-3.0-or-later
// merge: joins what machines made of the shares of a job (--shard I/N). The kind of the parts is seen from
// what is in them, and must be one. Nothing is overwritten: neither a part nor a file that was there.
#include "merge.h"

#include <errno.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "base/cli.h"
#include "base/journal.h"
#include "base/language.h"
#include "game.h"
#include "train/train.h"

enum { LOOK_BYTES = 4096, COPY_BYTES = 1 << 16 };

typedef enum PartKind {
    PART_EMPTY,
    PART_GAMES,   // packed games of datagen
    PART_JOURNAL, // games of a match, progress of an analysis
    PART_JSON,    // report of an analysis
    PART_RECORDS, // games with comments
    PART_OTHER,
} PartKind;

static const char *const KIND_NAMES[] = {"empty",
                                         "a file of packed games",
                                         "a games file of match or a progress file of analyse",
                                         "a report in JSON",
                                         "a file of games",
                                         "no part of anything that is joined"};

static const CliCommand COMMAND = {
    .name = "twofold-" GAME_NAME " merge",
    .about =
        "Usage: twofold-" GAME_NAME " merge OUT PART...\n"
        "Joins what machines made of the shares of a job (--shard of analyse, datagen and match), in the "
        "order of the parts.",
    .more =
        "Parts are all of one kind: packed games of datagen, games files of match, or of analyse progress\n"
        "files (--state), reports in JSON or games with comments. OUT must not be there before.",
    .operand_max = CLI_FILES_MAX,
    .speaks = true,
};

// ---- what the parts are -------------------------------------------------------------------------
static PartKind kind_of(const char *path, Span bytes)
{
    const Span start = span_trim(bytes);
    if (train_is_games(bytes))
        return PART_GAMES;
    if (journal_is_begun(bytes))
        return PART_JOURNAL;
    if (bytes.len == 0)
        return PART_EMPTY;
    if (start.len && *start.ptr == '{')
        return PART_JSON;
    return report_is_annotated(path) ? PART_RECORDS : PART_OTHER;
}

static bool look(const char *path, PartKind *kind, Message *message)
{
    char bytes[LOOK_BYTES];
    FILE *file = os_fopen(path, "rb");
    if (!file)
        return message_set(message, "cannot open '%s': %s", path, said(strerror(errno)));
    const size_t got = fread(bytes, 1, sizeof bytes, file);
    const bool ok =
        !ferror(file) || message_set(message, "cannot read '%s': %s", path, said(strerror(errno)));
    fclose(file);
    *kind = kind_of(path, (Span){bytes, got});
    return ok;
}

// The kind that all parts have; empty ones, of shares without a game, go with any.
static bool find_kind(const CliFiles *parts, PartKind *kind, Message *message)
{
    const char *first = parts->path[0];
    *kind = PART_EMPTY;
    for (int i = 0; i < parts->nb; i++) {
        PartKind its;
        if (!look(parts->path[i], &its, message))
            return false;
        if (its == PART_OTHER)
            return message_set(message, "'%s' is %s", parts->path[i], said(KIND_NAMES[its]));
        if (its != PART_EMPTY && *kind != PART_EMPTY && its != *kind)
            return message_set(message, "'%s' is %s, '%s' is %s: parts are of one kind", first,
                               said(KIND_NAMES[*kind]), parts->path[i], said(KIND_NAMES[its]));
        if (its != PART_EMPTY && *kind == PART_EMPTY) {
            *kind = its;
            first = parts->path[i];
        }
    }
    return true;
}

// ---- joining ------------------------------------------------------------------------------------
static bool copy_file(const char *path, FILE *stream, Message *message)
{
    char bytes[COPY_BYTES];
    FILE *file = os_fopen(path, "rb");
    bool ok = file || message_set(message, "cannot open '%s': %s", path, said(strerror(errno)));
    for (size_t got; ok && (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        ok = fwrite(bytes, 1, got, stream) == got ||
             message_set(message, "cannot write: %s", said(strerror(errno)));
    if (ok && ferror(file))
        ok = message_set(message, "cannot read '%s': %s", path, said(strerror(errno)));
    if (file)
        fclose(file);
    return ok;
}

static bool join_streams(PartKind kind, const CliFiles *parts, FILE *stream, Text *told, Message *message)
{
    i64 line_nb;
    bool ok = true;
    if (kind == PART_JOURNAL) {
        ok = journal_join(stream, parts->path, parts->nb, &line_nb, message);
        text_add(told, said("%lld lines"), (long long)line_nb);
    } else if (kind == PART_JSON) {
        ok = report_json_join(stream, parts->path, parts->nb, message);
    } else {
        for (int i = 0; ok && i < parts->nb; i++)
            ok = copy_file(parts->path[i], stream, message);
    }
    return ok;
}

static bool join(PartKind kind, const char *out, const CliFiles *parts, Text *told, Message *message)
{
    OutFile file;
    if (kind == PART_GAMES)
        return train_join(out, parts, told, message);
    if (!os_out_open(&file, out, message))
        return false;
    const bool ok = join_streams(kind, parts, file.stream, told, message);
    return os_out_close(&file, ok, ok ? message : &(Message){0}) && ok;
}

static bool drop_empty(CliFiles *parts, Message *message)
{
    int nb = 0;
    for (int i = 0; i < parts->nb; i++) {
        PartKind kind;
        if (!look(parts->path[i], &kind, message))
            return false;
        if (kind != PART_EMPTY)
            parts->path[nb++] = parts->path[i];
    }
    parts->nb = nb;
    return true;
}

int merge_main(int argc, char **argv)
{
    CliFiles parts;
    PartKind kind;
    Text told = {0};
    Message message = {0};
    int code;
    if (!cli_read(&COMMAND, argc, argv, NULL, &parts, &code))
        return code;
    if (parts.nb < 2)
        return cli_misused(&COMMAND, "the name of the file to write and those of its parts are missing");
    const char *out = parts.path[0];
    memmove(parts.path, parts.path + 1, (size_t)--parts.nb * sizeof parts.path[0]);
    for (int i = 0; i < parts.nb; i++)
        if (os_same_file(out, parts.path[i])) {
            message_set(&message, "'%s' is both a part and the file to write", out);
            return cli_misused(&COMMAND, message.text);
        }
    PartKind there = PART_EMPTY;
    if (os_has_file(out) && (!look(out, &there, &message) || there != PART_EMPTY)) {
        message_set(&message, "'%s' is there already: remove it, or name another file to write", out);
        return cli_failed(&COMMAND, message.text);
    }
    bool ok = find_kind(&parts, &kind, &message) && drop_empty(&parts, &message) &&
              join(kind, out, &parts, &told, &message);
    if (ok && told.len)
        printf(said("%s: %d parts, %.*s\n"), message_of(out).text, parts.nb, (int)told.len, told.ptr);
    else if (ok)
        printf(said("%s: %d parts\n"), message_of(out).text, parts.nb);
    text_free(&told);
    return ok ? EXIT_DONE : cli_failed(&COMMAND, message.text);
}
