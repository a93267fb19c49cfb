// SPDX-License-Identifier: GPL-3.0-or-later
// A pool of samples: filled from the games of a stretch in their order, shuffled, handed out piece by piece,
// and filled again when too few are left. Samples that are left stay in the pool and are shuffled again with
// the new ones.
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

void loader_deal(const Dataset *data, u64 seed, int epoch, u32 *order, Stretch *stretches, int stretch_nb)
{
    const GameList *list = &data->train;
    Rng rng = {hash_mix(seed ^ hash_mix((u64)epoch + 1))};
    for (i64 i = 0; i < list->nb; i++)
        order[i] = (u32)i;
    shuffle(order, list->nb, &rng);
    i64 game = 0, samples = 0;
    for (int s = 0; s < stretch_nb; s++) {
        const i64 first = game, before = samples, until = list->samples * (s + 1) / stretch_nb;
        while (game < list->nb && (samples < until || s + 1 == stretch_nb))
            samples += list->ref[order[game++]].sample_nb;
        stretches[s] = (Stretch){.game = order + first, .game_nb = game - first, .samples = samples - before};
    }
}

bool loader_new(Loader *loader, const Dataset *data, i64 buffer, i64 want_max, Message *message)
{
    // Room for the pool, one game more, and what was left of the pool before.
    i64 capacity = min_i64(max_i64(buffer, want_max), data->train.samples) + GAME_MOVES_MAX;
    *loader = (Loader){.data = data, .capacity = capacity};
    loader->pool = malloc((size_t)capacity * sizeof *loader->pool);
    loader->order = malloc((size_t)capacity * sizeof *loader->order);
    loader->is_kept = malloc((size_t)capacity);
    if (loader->pool && loader->order && loader->is_kept)
        return true;
    loader_free(loader);
    return message_set(message, "no memory for a pool of %lld samples of %zu bytes", (long long)capacity,
                       sizeof(Sample));
}

void loader_free(Loader *loader)
{
    free(loader->pool);
    free(loader->order);
    free(loader->is_kept);
    *loader = (Loader){0};
}

void loader_begin(Loader *loader, const Stretch *stretch, u64 seed)
{
    loader->stretch = *stretch;
    loader->rng = (Rng){hash_mix(seed)};
    loader->nb = loader->at = loader->next_game = 0;
}

// Moves the samples not yet handed out to the front: those that lie there and are spent make room for those
// behind.
static void keep_rest(Loader *loader)
{
    i64 rest = loader->nb - loader->at, hole = 0;
    u32 *kept = loader->order + loader->at;
    memset(loader->is_kept, 0, (size_t)rest);
    for (i64 i = 0; i < rest; i++)
        if (kept[i] < rest)
            loader->is_kept[kept[i]] = 1;
    for (i64 i = 0; i < rest; i++) {
        if (kept[i] < rest)
            continue;
        while (loader->is_kept[hole])
            hole++;
        loader->pool[hole++] = loader->pool[kept[i]];
    }
    loader->nb = rest;
    loader->at = 0;
}

static void refill(Loader *loader)
{
    keep_rest(loader);
    const Stretch *stretch = &loader->stretch;
    const GameList *list = &loader->data->train;
    i64 first = loader->next_game, nb = loader->nb;
    while (loader->next_game < stretch->game_nb) {
        i64 more = list->ref[stretch->game[loader->next_game]].sample_nb;
        if (nb + more > loader->capacity)
            break;
        nb += more;
        loader->next_game++;
    }
    dataset_decode(loader->data, list, stretch->game + first, loader->next_game - first, NULL,
                   loader->pool + loader->nb);
    loader->nb = nb;
    for (i64 i = 0; i < nb; i++)
        loader->order[i] = (u32)i;
    shuffle(loader->order, nb, &loader->rng);
}

const u32 *loader_next(Loader *loader, i64 want)
{
    if (loader->nb - loader->at < want)
        refill(loader);
    assert(loader->nb - loader->at >= want);
    loader->at += want;
    return loader->order + loader->at - want;
}
