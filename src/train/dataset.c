// SPDX-License-Identifier: GPL-3.0-or-later
// From files to batches: an index of games, a parallel replay, a pool that is shuffled.
#include "train/dataset.h"

#include <math.h>
#include <stdlib.h>

// ---- the index ----------------------------------------------------------------------------------

static bool list_add(GameList *list, const PackedGame *game)
{
    if (list->nb == list->capacity) {
        i64 capacity = list->capacity * 2 + 1024;
        GameRef *grown = realloc(list->ref, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        list->ref = grown;
        list->capacity = capacity;
    }
    list->ref[list->nb++] = (GameRef){.game = *game};
    return true;
}

static bool is_validation(const PackedGame *game, double share)
{
    return (double)(hash_mix(game->checksum) >> 11) * 0x1p-53 < share;
}

static bool read_file(Dataset *data, const char *path, double valid_share, Message *message)
{
    FileMap *map = &data->map[data->map_nb];
    Message reason;
    GameReader reader = {0};
    PackedGame game;
    if (!os_map_file(map, path, message))
        return false;
    data->map_nb++;
    if (!packed_open(&reader, map->data, map->size, NULL, &reason))
        return message_set(message, "%s: %s", path, reason.text);
    while (packed_next(&reader, &game)) {
        data->identity += hash_mix(game.checksum);
        if (!list_add(is_validation(&game, valid_share) ? &data->valid : &data->train, &game))
            return message_set(message, "no memory for an index of the games");
    }
    data->damaged_places += reader.damaged_places;
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
        ref->sample_nb = count_samples(&ref->game, counting->filter, counting->skipped[part]);
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
        data->positions += list->ref[i].game.move_nb;
        list->samples += list->ref[i].sample_nb;
        list->ref[kept++] = list->ref[i];
    }
    list->nb = kept;
}

bool dataset_open(Dataset *data, const CliFiles *files, const SampleFilter *filter, double valid_share,
                  Parallel *team, Message *message)
{
    *data = (Dataset){.filter = *filter, .wdl_share = 0, .score_k = NET_SCALE};
    for (int i = 0; i < files->nb; i++)
        if (!read_file(data, files->path[i], valid_share, message)) {
            dataset_close(data);
            return false;
        }
    i64(*skipped)[4] = calloc((size_t)parallel_size(team), sizeof *skipped);
    if (!skipped) {
        dataset_close(data);
        return message_set(message, "no memory");
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

void dataset_close(Dataset *data)
{
    for (int i = 0; i < data->map_nb; i++)
        os_unmap_file(&data->map[i]);
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
    if (!replay_start(&replay, &ref->game))
        return;
    for (; out < end; replay_step(&replay))
        if (replay_skip(&replay, &data->filter) == 0)
            sample_from_position(
                out++, &replay.pos,
                dataset_target(data, packed_score(&replay.game, replay.index), replay_result(&replay)));
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
            decode_game(decoding->data, ref, out);
        out += ref->sample_nb;
    }
}

void dataset_decode(const Dataset *data, const GameList *list, const u32 *order, i64 nb, Parallel *team,
                    Sample *out)
{
    Decoding decoding = {.data = data, .list = list, .order = order, .nb = nb, .out = out};
    parallel_run(team, decode_part, &decoding);
}

// ---- the pool -----------------------------------------------------------------------------------

static void shuffle(u32 *order, i64 nb, Rng *rng)
{
    for (i64 i = nb - 1; i > 0; i--) {
        i64 j = rng_below(rng, (u32)(i + 1));
        u32 other = order[j];
        order[j] = order[i];
        order[i] = other;
    }
}

bool loader_new(Loader *loader, const Dataset *data, i64 buffer, Parallel *team, Message *message)
{
    // Room for the pool, one game more, and what was left of the pool before.
    i64 capacity = min_i64(buffer, data->train.samples) + GAME_MOVES_MAX;
    *loader = (Loader){.data = data, .team = team, .capacity = capacity};
    loader->pool = malloc((size_t)capacity * sizeof *loader->pool);
    loader->order = malloc((size_t)capacity * sizeof *loader->order);
    loader->game_order = malloc((size_t)(data->train.nb + 1) * sizeof *loader->game_order);
    if (loader->pool && loader->order && loader->game_order)
        return true;
    loader_free(loader);
    return message_set(message, "no memory for a pool of %lld samples of %zu bytes", (long long)capacity,
                       sizeof(Sample));
}

void loader_free(Loader *loader)
{
    free(loader->pool);
    free(loader->order);
    free(loader->game_order);
    *loader = (Loader){0};
}

void loader_begin(Loader *loader, u64 seed, int epoch)
{
    loader->rng = (Rng){hash_mix(seed ^ hash_mix((u64)epoch + 1))};
    loader->nb = loader->at = loader->next_game = 0;
    for (i64 i = 0; i < loader->data->train.nb; i++)
        loader->game_order[i] = (u32)i;
    shuffle(loader->game_order, loader->data->train.nb, &loader->rng);
}

// Moves the samples not yet handed out to the front: those that lie there and are spent make room for those
// behind.
static void keep_rest(Loader *loader)
{
    i64 rest = loader->nb - loader->at, hole = 0;
    u32 *kept = loader->order + loader->at;
    u8 *is_kept = calloc((size_t)rest + 1, 1);
    for (i64 i = 0; is_kept && i < rest; i++)
        if (kept[i] < rest)
            is_kept[kept[i]] = 1;
    for (i64 i = 0; is_kept && i < rest; i++) {
        if (kept[i] < rest)
            continue;
        while (is_kept[hole])
            hole++;
        loader->pool[hole++] = loader->pool[kept[i]];
    }
    // Without memory for the marks the rest of this pool is skipped: a few samples of one epoch.
    loader->nb = is_kept ? rest : 0;
    loader->at = 0;
    free(is_kept);
}

static void refill(Loader *loader)
{
    keep_rest(loader);
    const GameList *list = &loader->data->train;
    i64 first = loader->next_game, nb = loader->nb;
    while (loader->next_game < list->nb) {
        i64 more = list->ref[loader->game_order[loader->next_game]].sample_nb;
        if (nb + more > loader->capacity)
            break;
        nb += more;
        loader->next_game++;
    }
    dataset_decode(loader->data, list, loader->game_order + first, loader->next_game - first, loader->team,
                   loader->pool + loader->nb);
    loader->nb = nb;
    for (i64 i = 0; i < nb; i++)
        loader->order[i] = (u32)i;
    shuffle(loader->order, nb, &loader->rng);
}

int loader_next(Loader *loader, int want, const u32 **index)
{
    if (loader->nb - loader->at < want && loader->next_game < loader->data->train.nb)
        refill(loader);
    int nb = (int)min_i64(want, loader->nb - loader->at);
    *index = loader->order + loader->at;
    loader->at += nb;
    return nb;
}
