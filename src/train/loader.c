// SPDX-License-Identifier: GPL-3.0-or-later
// A pool of samples: filled from games in the epoch's random order, shuffled, handed out batch by batch, and
// filled again when too few are left for a batch. Samples that are left stay in the pool and are shuffled
// again with the new ones.
#include "train/loader.h"

#include <stdlib.h>

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
