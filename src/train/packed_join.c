// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/packed_join.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/language.h"
#include "train/train.h"

static int by_number(const void *a, const void *b)
{
    const PackedGame *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->checksum < y->checksum ? -1 : x->checksum > y->checksum;
}

// The run and the number make the game: two that differ are not of the same program, or of another machine's
// arithmetic.
static bool check_numbers(const Archive *archive, Message *message)
{
    for (i64 i = 1; i < archive->nb; i++) {
        const PackedGame *a = &archive->game[i - 1], *b = &archive->game[i];
        if (a->number == b->number && a->checksum != b->checksum)
            return message_set(message, "there are two different games with number %llu",
                               (unsigned long long)a->number);
    }
    return true;
}

static bool write_games(const Archive *archive, FILE *stream, u64 end, PackedJoin *result)
{
    bool ok = packed_write_header(stream, archive->run);
    for (i64 i = 0; ok && i < archive->nb && archive->game[i].number < end; i++) {
        const PackedGame *game = &archive->game[i];
        const bool is_twice = i > 0 && game->number == game[-1].number;
        ok = is_twice || packed_copy(stream, game, game->number);
        result->twice_nb += is_twice;
        result->game_nb += !is_twice;
    }
    return ok;
}

// Closes the archive before its file may be replaced: not every system lets that happen to a file that is
// read.
static bool write_file(Archive *archive, const char *out, u64 end, PackedJoin *result, Message *message)
{
    OutFile file;
    if (!os_out_open(&file, out, message))
        return false;
    bool ok = write_games(archive, file.stream, end, result) ||
              message_set(message, "cannot write '%s': %s", out, said(strerror(errno)));
    archive_close(archive);
    return os_out_close(&file, ok, ok ? message : &(Message){0}) && ok;
}

bool packed_join(const char *out, const CliFiles *files, u64 end, PackedJoin *result, Message *message)
{
    Archive archive = {0};
    *result = (PackedJoin){0};
    if (!archive_open(&archive, files, message))
        return false;
    result->damaged_bytes = archive.damaged_bytes;
    if (archive.nb)
        qsort(archive.game, (size_t)archive.nb, sizeof *archive.game, by_number);
    bool ok = !archive.other_file ||
              message_set(message, "%s: it was made with another seed, network or other settings than %s",
                          files->path[archive.other_file], files->path[0]);
    ok = ok && check_numbers(&archive, message) && write_file(&archive, out, end, result, message);
    archive_close(&archive);
    return ok;
}

bool train_is_games(Span bytes)
{
    GameReader reader;
    Message ignored;
    return packed_open(&reader, (const u8 *)bytes.ptr, bytes.len, NULL, &ignored);
}

bool train_join(const char *out, const CliFiles *parts, Text *told, Message *message)
{
    PackedJoin result;
    if (!packed_join(out, parts, UINT64_MAX, &result, message))
        return false;
    text_add(told, said("%lld games"), (long long)result.game_nb);
    if (result.twice_nb)
        text_add(told, said("; %lld were in several parts"), (long long)result.twice_nb);
    if (result.damaged_bytes)
        text_add(told, said("; %lld damaged bytes were left out"), (long long)result.damaged_bytes);
    return true;
}
