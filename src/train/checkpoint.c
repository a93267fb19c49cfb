// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint file: a header with a checksum of the rest, the weights, both moments of the optimiser, the
// average, and the losses of the epochs so far. It is written whole and then takes the place of the one
// before, so a kill leaves one or the other.
#include "train/checkpoint.h"

#include "base/checksum.h"

enum { PATH_MAX_BYTES = 1024, WEIGHTS_NB = 4, PARTS_NB = WEIGHTS_NB + 2 };

typedef struct CheckpointHeader {
    char magic[8];
    u64 settings, step, averaged, bytes;
    i64 epoch;
    u64 checksum; // of what follows
} CheckpointHeader;
static const char CHECKPOINT_MAGIC[8] = {'T', 'W', 'O', 'F', 'C', 'K', 'P', '4'};

static void file_in(const char *folder, const char *name, char path[PATH_MAX_BYTES])
{
    snprintf(path, PATH_MAX_BYTES, "%s/%s", folder, name);
}

bool checkpoint_save(const Checkpoint *checkpoint, int epoch, Message *message)
{
    const Model *model = checkpoint->model;
    const void *parts[PARTS_NB] = {NULL,           model->params,  model->moment1,
                                   model->moment2, model->average, checkpoint->points};
    const size_t sizes[PARTS_NB] = {sizeof(CheckpointHeader), sizeof(Weights),
                                    sizeof(Weights),          sizeof(Weights),
                                    sizeof(Weights),          (size_t)epoch * sizeof(LossPoint)};
    CheckpointHeader header = {
        .settings = checkpoint->settings, .step = model->step, .averaged = model->averaged, .epoch = epoch};
    memcpy(header.magic, CHECKPOINT_MAGIC, sizeof header.magic);
    for (int i = 1; i < PARTS_NB; i++) {
        header.bytes += sizes[i];
        header.checksum = checksum_add(header.checksum, parts[i], sizes[i]);
    }
    parts[0] = &header;
    char path[PATH_MAX_BYTES];
    file_in(checkpoint->folder, "state.checkpoint", path);
    return os_write_parts(path, parts, sizes, PARTS_NB, message);
}

// Of the parts, as they were summed when they were written.
static u64 checksum_of(const FileMap *map, size_t points_bytes)
{
    const u8 *at = map->data + sizeof(CheckpointHeader);
    u64 sum = 0;
    for (int i = 0; i < WEIGHTS_NB; i++, at += sizeof(Weights))
        sum = checksum_add(sum, at, sizeof(Weights));
    return checksum_add(sum, at, points_bytes);
}

static bool take(const Checkpoint *checkpoint, const FileMap *map, int *epoch, Message *message)
{
    Model *model = checkpoint->model;
    CheckpointHeader header;
    if (map->size < sizeof header || memcmp(map->data, CHECKPOINT_MAGIC, sizeof CHECKPOINT_MAGIC) != 0)
        return message_set(message, "this is no checkpoint of this version of the program");
    memcpy(&header, map->data, sizeof header);
    if (header.settings != checkpoint->settings)
        return message_set(message,
                           "it belongs to a run with other data or settings, or from another network: "
                           "choose another folder, or remove it");
    size_t points_bytes = map->size - sizeof header - WEIGHTS_NB * sizeof(Weights);
    if (header.bytes != map->size - sizeof header || header.epoch < 0 || header.epoch > checkpoint->epochs ||
        points_bytes != (size_t)header.epoch * sizeof(LossPoint) ||
        checksum_of(map, points_bytes) != header.checksum)
        return message_set(message, "the checkpoint is damaged");
    const u8 *at = map->data + sizeof header;
    Weights *const parts[WEIGHTS_NB] = {model->params, model->moment1, model->moment2, model->average};
    for (int i = 0; i < WEIGHTS_NB; i++, at += sizeof(Weights))
        memcpy(parts[i], at, sizeof(Weights));
    memcpy(checkpoint->points, at, points_bytes);
    model->step = header.step;
    model->averaged = header.averaged;
    *epoch = (int)header.epoch;
    model_sync(model);
    return true;
}

bool checkpoint_load(const Checkpoint *checkpoint, int *epoch, Message *message)
{
    char path[PATH_MAX_BYTES];
    FileMap map = {0};
    Message reason = {""};
    if (!os_make_folder(checkpoint->folder, message))
        return false;
    file_in(checkpoint->folder, "state.checkpoint", path);
    if (!os_exists(path))
        return true;
    if (!os_map_file(&map, path, message))
        return false;
    bool ok = take(checkpoint, &map, epoch, &reason);
    os_unmap_file(&map);
    return ok || message_set(message, "%s: %s", path, reason.text);
}

bool checkpoint_write_text(const char *folder, const char *name, Text *text, Message *message)
{
    char path[PATH_MAX_BYTES];
    file_in(folder, name, path);
    bool ok = !text->failed && os_write_file(path, text->ptr, text->len, message);
    text_free(text);
    return ok;
}
