// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the games of several files: maps each file, walks its blocks, and keeps where every whole one lies.
// Bytes that belong to no block are counted as damage and skipped. Training and the tools read through this.
#include "train/archive.h"

#include <stdlib.h>

void archive_close(Archive *archive)
{
    for (int i = 0; i < archive->map_nb; i++)
        os_unmap_file(&archive->map[i]);
    free(archive->map);
    free(archive->game);
    text_free(&archive->players);
    *archive = (Archive){0};
}

static bool add_game(Archive *archive, const PackedGame *game)
{
    if (archive->nb == archive->capacity) {
        i64 capacity = archive->capacity * 2 + 1024;
        PackedGame *grown = realloc(archive->game, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        archive->game = grown;
        archive->capacity = capacity;
    }
    archive->game[archive->nb++] = *game;
    return true;
}

// Heads may be damaged: what is no plain name is left out.
static void note_player(Archive *archive, const RunId *run)
{
    char name[PLAYER_NAME_MAX + 3] = " ";
    memcpy(name + 1, run->player, PLAYER_NAME_MAX);
    size_t length = strlen(name);
    for (size_t i = 1; i < length; i++)
        if (name[i] <= ' ' || name[i] > '~')
            return;
    strcat(name, " ");
    if (length > 1 && (!archive->players.ptr || !strstr(archive->players.ptr, name)))
        text_add(&archive->players, "%s%s", archive->players.len ? "" : " ", name + 1);
}

static bool read_file(Archive *archive, const char *path, Message *message)
{
    FileMap *map = &archive->map[archive->map_nb];
    GameReader reader = {0};
    PackedGame game;
    RunId run = {0};
    Message reason;
    if (!os_map_file(map, path, message))
        return false;
    archive->map_nb++;
    if (!packed_open(&reader, map->data, map->size, &run, &reason))
        return message_set(message, "%s: %s", path, reason.text);
    note_player(archive, &run);
    if (archive->map_nb == 1)
        archive->run = run;
    if (!archive->other_file && (run.seed != archive->run.seed || run.settings != archive->run.settings))
        archive->other_file = archive->map_nb - 1;
    while (packed_next(&reader, &game))
        if (!add_game(archive, &game))
            return message_set(message, "no memory for an index of the games");
    archive->damaged_places += reader.damaged_places;
    archive->damaged_bytes += reader.damaged_bytes;
    return true;
}

bool archive_open(Archive *archive, const CliFiles *files, Message *message)
{
    *archive = (Archive){.map = calloc((size_t)files->nb + 1, sizeof(FileMap))};
    bool ok = archive->map || message_set(message, "no memory");
    for (int i = 0; ok && i < files->nb; i++)
        ok = read_file(archive, files->path[i], message);
    if (!ok)
        archive_close(archive);
    return ok;
}
