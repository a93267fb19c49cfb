// SPDX-License-Identifier: GPL-3.0-or-later
// From files to samples. Games are split into training and validation, replayed once with every move checked,
// and from then on decoded whenever their samples are needed, by all threads together. Where a game's samples
// go follows from the counts of the games before it, so the order never depends on the threads.
#include "train/dataset.h"

#include <math.h>
#include <stdlib.h>

// ---- the index ----------------------------------------------------------------------------------

static bool is_validation(const PackedGame *game, double share)
{
    return (double)(hash_mix(game->checksum) >> 11) * 0x1p-53 < share;
}

// Which games are for training and which for validation.
static bool split_games(Dataset *data, double valid_share)
{
    const Archive *archive = &data->archive;
    GameList *lists[] = {&data->train, &data->valid};
    for (i64 i = 0; i < archive->nb; i++)
        lists[is_validation(&archive->game[i], valid_share)]->nb++;
    for (int l = 0; l < 2; l++) {
        lists[l]->ref = calloc((size_t)lists[l]->nb + 1, sizeof *lists[l]->ref);
        if (!lists[l]->ref)
            return false;
        lists[l]->nb = 0;
    }
    for (i64 i = 0; i < archive->nb; i++) {
        GameList *list = lists[is_validation(&archive->game[i], valid_share)];
        list->ref[list->nb++].game = &archive->game[i];
        data->identity += hash_mix(archive->game[i].checksum);
    }
    return true;
}

typedef struct Counting {
    GameList *list;
    const SampleFilter *filter;
    i64 (*skipped)[4]; // one row for each part
} Counting;

// The one replay that checks every move; later ones rely on it.
static int count_samples(const PackedGame *game, const SampleFilter *filter, i64 *skipped)
{
    Replay replay;
    if (!replay_check(game) || !replay_start(&replay, game))
        return -1;
    int nb = 0;
    for (; replay.index < game->move_nb; replay_step(&replay)) {
        unsigned skip = replay_skip(&replay, filter);
        nb += skip == 0;
        for (int i = 0; i < 4; i++)
            skipped[i] += skip >> i & 1;
    }
    return nb;
}

static void count_part(void *context, int part, int part_nb)
{
    Counting *counting = context;
    for (i64 i = part; i < counting->list->nb; i += part_nb) {
        GameRef *ref = &counting->list->ref[i];
        ref->sample_nb = count_samples(ref->game, counting->filter, counting->skipped[part]);
    }
}

// Drops games that are not legal to their end and adds up the rest.
static void settle(Dataset *data, GameList *list)
{
    i64 kept = 0;
    for (i64 i = 0; i < list->nb; i++) {
        data->illegal_games += list->ref[i].sample_nb < 0;
        if (list->ref[i].sample_nb < 0)
            continue;
        data->positions += list->ref[i].game->move_nb;
        list->samples += list->ref[i].sample_nb;
        list->ref[kept++] = list->ref[i];
    }
    list->nb = kept;
}

bool dataset_open(Dataset *data, const CliFiles *files, const SampleFilter *filter, double valid_share,
                  Parallel *team, Message *message)
{
    *data = (Dataset){.filter = *filter, .wdl_share = 0, .score_k = NET_SCALE};
    if (!archive_open(&data->archive, files, message))
        return false;
    i64(*skipped)[4] = calloc((size_t)parallel_size(team), sizeof *skipped);
    if (!skipped || !split_games(data, valid_share)) {
        free(skipped);
        dataset_close(data);
        return message_set(message, "no memory for an index of the games");
    }
    GameList *lists[] = {&data->train, &data->valid};
    for (int l = 0; l < 2; l++) {
        Counting counting = {.list = lists[l], .filter = filter, .skipped = skipped};
        parallel_run(team, count_part, &counting);
        settle(data, lists[l]);
    }
    for (int part = 0; part < parallel_size(team); part++)
        for (int i = 0; i < 4; i++)
            data->skipped[i] += skipped[part][i];
    free(skipped);
    return true;
}

static int compare_checksums(const void *a, const void *b)
{
    const u64 first = *(const u64 *)a, second = *(const u64 *)b;
    return (first > second) - (first < second);
}

bool dataset_leave_out(Dataset *data, const Dataset *other, Message *message)
{
    const GameList *apart = &other->valid;
    u64 *checksum = malloc((size_t)(apart->nb + 1) * sizeof *checksum);
    if (!checksum)
        return message_set(message, "no memory for an index of the games");
    for (i64 i = 0; i < apart->nb; i++)
        checksum[i] = apart->ref[i].game->checksum;
    qsort(checksum, (size_t)apart->nb, sizeof *checksum, compare_checksums);
    GameList *list = &data->train;
    i64 kept = 0;
    for (i64 i = 0; i < list->nb; i++) {
        const GameRef *ref = &list->ref[i];
        const u64 own = ref->game->checksum;
        if (!bsearch(&own, checksum, (size_t)apart->nb, sizeof own, compare_checksums)) {
            list->ref[kept++] = *ref;
            continue;
        }
        list->samples -= ref->sample_nb;
        data->positions -= ref->game->move_nb;
    }
    list->nb = kept;
    free(checksum);
    return true;
}

void dataset_close(Dataset *data)
{
    archive_close(&data->archive);
    free(data->train.ref);
    free(data->valid.ref);
    *data = (Dataset){0};
}

// ---- decoding -----------------------------------------------------------------------------------

float dataset_target(const Dataset *data, int score, int result)
{
    double expected = 1 / (1 + exp(-score / data->score_k));
    return (float)((1 - data->wdl_share) * expected + data->wdl_share * result / 2);
}

static void decode_game(const Dataset *data, const GameRef *ref, Sample *out)
{
    Replay replay;
    Sample *end = out + ref->sample_nb;
    if (!replay_start(&replay, ref->game))
        return;
    for (; out < end; replay_step(&replay))
        if (replay_skip(&replay, &data->filter) == 0)
            sample_from_position(
                out++, &replay.pos,
                dataset_target(data, packed_score(&replay.game, replay.index), replay_result(&replay)));
}

// The same with targets that look ahead: the search of the next position knew more, and the one after it
// still more, so each target takes a share of the one behind it, turned round. A noisy move cuts the chain:
// what an exchange changes is not to be learned in the quiet position before it.
static void decode_game_blended(const Dataset *data, const GameRef *ref, Sample *out)
{
    Replay replay;
    int ply[GAME_MOVES_MAX], nb = 0, move_nb = ref->game->move_nb;
    u8 cuts[GAME_MOVES_MAX];
    float target[GAME_MOVES_MAX];
    if (!replay_start(&replay, ref->game))
        return;
    for (; replay.index < move_nb; replay_step(&replay)) {
        int at = replay.index;
        cuts[at] = move_is_noisy(&replay.pos, packed_move(&replay.game, at));
        target[at] = dataset_target(data, packed_score(&replay.game, at), replay_result(&replay));
        if (replay_skip(&replay, &data->filter) != 0)
            continue;
        sample_from_position(&out[nb], &replay.pos, 0);
        ply[nb++] = at;
    }
    const float share = (float)data->blend;
    for (int at = move_nb - 2; at >= 0; at--)
        if (!cuts[at])
            target[at] += share * (1 - target[at + 1] - target[at]);
    for (int i = 0; i < nb; i++)
        out[i].target = target[ply[i]];
}

typedef struct Decoding {
    const Dataset *data;
    const GameList *list;
    const u32 *order;
    i64 nb;
    Sample *out;
} Decoding;

static inline const GameRef *decoding_ref(const Decoding *decoding, i64 i)
{
    return &decoding->list->ref[decoding->order ? decoding->order[i] : i];
}

// Each part takes a stretch of games; where its samples go follows from the counts of the games before.
static void decode_part(void *context, int part, int part_nb)
{
    const Decoding *decoding = context;
    i64 from = decoding->nb * part / part_nb, to = decoding->nb * (part + 1) / part_nb;
    Sample *out = decoding->out;
    for (i64 i = 0; i < to; i++) {
        const GameRef *ref = decoding_ref(decoding, i);
        if (i >= from)
            (decoding->data->blend > 0 ? decode_game_blended : decode_game)(decoding->data, ref, out);
        out += ref->sample_nb;
    }
}

void dataset_decode(const Dataset *data, const GameList *list, const u32 *order, i64 nb, Parallel *team,
                    Sample *out)
{
    Decoding decoding = {.data = data, .list = list, .order = order, .nb = nb, .out = out};
    if (team)
        parallel_run(team, decode_part, &decoding);
    else
        decode_part(&decoding, 0, 1);
}
