// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/shard.h"

bool shard_read(Span text, Shard *shard, Message *message)
{
    const char *slash = text.len ? memchr(text.ptr, '/', text.len) : NULL;
    const size_t before = slash ? (size_t)(slash - text.ptr) : 0;
    i64 index, nb;
    if (!slash || !span_int((Span){slash + 1, text.len - before - 1}, 1, SHARDS_MAX, &nb) ||
        !span_int((Span){text.ptr, before}, 1, nb, &index))
        return message_set(message, "expected I/N with 1 <= I <= N <= %d, not '%.*s'", SHARDS_MAX,
                           (int)min_i64((i64)text.len, 40), text.ptr);
    *shard = (Shard){.index = (int)index - 1, .nb = (int)nb};
    return true;
}

bool shard_has(const Shard *shard, i64 number) { return !shard->nb || number % shard->nb == shard->index; }

i64 shard_count(const Shard *shard, i64 nb)
{
    return shard->nb ? (nb - shard->index + shard->nb - 1) / shard->nb : nb;
}
