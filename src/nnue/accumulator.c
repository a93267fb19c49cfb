// SPDX-License-Identifier: GPL-3.0-or-later
// One worker's hidden layers along the line being searched. A push only notes what the move changed; the sums
// are made when a score is asked for: forward from the last layer that is known, or, when a king has changed
// a side's view, out of the refresh cache. The cache keeps for each (side, view) the last hidden layer made
// there and a bit set of its features, so that a refresh costs the difference between two positions and not a
// whole board. Invariant: a layer marked `known` is what the features of its position give, whatever order
// the sums were made in.
#include <stdlib.h>

#include "nnue/forward.h"
#include "nnue/layers.h"
#include "nnue/simd.h"

enum { FEATURE_WORDS = (FEATURE_NB + 63) / 64 };

typedef struct Layer {
    _Alignas(64) i16 hidden[SIDE_NB][NET_HIDDEN];
    Delta delta; // from the layer below; undefined in layer 0
    u16 perspective[SIDE_NB];
    bool known[SIDE_NB];
} Layer;

typedef struct Remembered {
    _Alignas(64) i16 hidden[NET_HIDDEN];
    u64 active[FEATURE_WORDS];
    bool filled;
} Remembered;

struct Accumulators {
    Layer layer[NET_STACK];
    Remembered cache[SIDE_NB][PERSPECTIVE_NB];
    int top;
};

Accumulators *accumulators_new(void) { return os_alloc_big(sizeof(Accumulators)); }

void accumulators_free(Accumulators *acc)
{
    if (acc)
        os_free_big(acc, sizeof *acc);
}

static void note_perspectives(Layer *layer, const Position *pos)
{
    for (int side = 0; side < SIDE_NB; side++) {
        layer->perspective[side] = (u16)features_perspective(pos, side);
        layer->known[side] = false;
    }
}

void nnue_reset(Accumulators *acc, const Position *pos)
{
    for (int side = 0; side < SIDE_NB; side++)
        for (int perspective = 0; perspective < PERSPECTIVE_NB; perspective++)
            acc->cache[side][perspective].filled = false;
    nnue_begin(acc, pos);
}

void nnue_begin(Accumulators *acc, const Position *pos)
{
    acc->top = 0;
    note_perspectives(&acc->layer[0], pos);
}

void nnue_push(Accumulators *acc, const Delta *delta, const Position *pos)
{
    assert(acc->top + 1 < NET_STACK);
    Layer *layer = &acc->layer[++acc->top];
    layer->delta = *delta;
    note_perspectives(layer, pos);
}

void nnue_pop(Accumulators *acc)
{
    assert(acc->top > 0);
    acc->top--;
}

int nnue_waiting(const Accumulators *acc)
{
    int waiting = 0;
    for (int i = acc->top; i >= 0 && !(acc->layer[i].known[0] && acc->layer[i].known[1]); i--)
        waiting++;
    return waiting;
}

// ---- sums ---------------------------------------------------------------------------------------

// to = from + the added rows - the removed rows. Inlined with constant counts, the inner loops disappear.
static inline __attribute__((always_inline)) void sum_rows(i16 *to, const i16 *from, const i16 *const *added,
                                                           int added_nb, const i16 *const *removed,
                                                           int removed_nb)
{
    for (int i = 0; i < NET_HIDDEN; i += VEC_LANES) {
        Vec v = VEC_LOAD(from + i);
        for (int a = 0; a < added_nb; a++)
            v = VEC_ADD(v, VEC_LOAD(added[a] + i));
        for (int r = 0; r < removed_nb; r++)
            v = VEC_SUB(v, VEC_LOAD(removed[r] + i));
        VEC_STORE(to + i, v);
    }
}

// Any number of rows: what moves change in one pass, more of them four rows at a time before.
static void apply(i16 *to, const i16 *from, const i16 *const *added, int added_nb, const i16 *const *removed,
                  int removed_nb)
{
    for (; added_nb > 4; added += 4, added_nb -= 4, from = to)
        sum_rows(to, from, added, 4, removed, 0);
    for (; removed_nb > 4; removed += 4, removed_nb -= 4, from = to)
        sum_rows(to, from, added, 0, removed, 4);
    switch (added_nb * 8 + removed_nb) { // in octal: how many are added, how many removed
    case 011: sum_rows(to, from, added, 1, removed, 1); break;
    case 012: sum_rows(to, from, added, 1, removed, 2); break;
    case 013: sum_rows(to, from, added, 1, removed, 3); break;
    case 021: sum_rows(to, from, added, 2, removed, 1); break;
    case 022: sum_rows(to, from, added, 2, removed, 2); break;
    case 023: sum_rows(to, from, added, 2, removed, 3); break;
    case 024: sum_rows(to, from, added, 2, removed, 4); break;
    default:
        if (added_nb || removed_nb || to != from)
            sum_rows(to, from, added, added_nb, removed, removed_nb);
    }
}

static int rows_of(const Net *net, int perspective, const u16 *features, int nb, const i16 **rows)
{
    for (int i = 0; i < nb; i++)
        rows[i] = net_row(net, perspective, features[i]);
    return nb;
}

// Brings `to` up to date from the layer below it, which is known and seen the same way.
static void step(const Net *net, Layer *to, const Layer *below, int side)
{
    u16 added[FEATURE_CHANGED_MAX], removed[FEATURE_CHANGED_MAX];
    const i16 *added_row[FEATURE_CHANGED_MAX], *removed_row[FEATURE_CHANGED_MAX];
    int added_nb, removed_nb, perspective = to->perspective[side];
    features_changed(&to->delta, side, perspective, added, &added_nb, removed, &removed_nb);
    assert(added_nb <= FEATURE_CHANGED_MAX && removed_nb <= FEATURE_CHANGED_MAX);
    apply(to->hidden[side], below->hidden[side], added_row,
          rows_of(net, perspective, added, added_nb, added_row), removed_row,
          rows_of(net, perspective, removed, removed_nb, removed_row));
    to->known[side] = true;
}

static void refresh(Accumulators *acc, const Net *net, const Position *pos, Layer *layer, int side)
{
    int perspective = layer->perspective[side];
    Remembered *memory = &acc->cache[side][perspective];
    if (!memory->filled) {
        memcpy(memory->hidden, net->feature_bias, sizeof memory->hidden);
        memset(memory->active, 0, sizeof memory->active);
        memory->filled = true;
    }
    u16 active[FEATURE_ACTIVE_MAX];
    int active_nb = features_active(pos, side, perspective, active);
    assert(active_nb <= FEATURE_ACTIVE_MAX);
    u64 now[FEATURE_WORDS] = {0};
    for (int i = 0; i < active_nb; i++)
        now[active[i] / 64] |= 1ULL << active[i] % 64;
    const i16 *added[FEATURE_ACTIVE_MAX], *removed[FEATURE_ACTIVE_MAX];
    int added_nb = 0, removed_nb = 0;
    for (int w = 0; w < FEATURE_WORDS; w++) {
        for (u64 b = now[w] & ~memory->active[w]; b;)
            added[added_nb++] = net_row(net, perspective, w * 64 + bits_pop(&b));
        for (u64 b = memory->active[w] & ~now[w]; b;)
            removed[removed_nb++] = net_row(net, perspective, w * 64 + bits_pop(&b));
    }
    apply(memory->hidden, memory->hidden, added, added_nb, removed, removed_nb);
    memcpy(memory->active, now, sizeof now);
    memcpy(layer->hidden[side], memory->hidden, sizeof memory->hidden);
    layer->known[side] = true;
}

static void bring_up_to_date(Accumulators *acc, const Net *net, const Position *pos, int side)
{
    int perspective = acc->layer[acc->top].perspective[side], from = acc->top;
    while (from > 0 && !acc->layer[from].known[side] && acc->layer[from - 1].perspective[side] == perspective)
        from--;
    if (!acc->layer[from].known[side]) {
        refresh(acc, net, pos, &acc->layer[acc->top], side);
        return;
    }
    for (; from < acc->top; from++)
        step(net, &acc->layer[from + 1], &acc->layer[from], side);
}

int nnue_evaluate(Accumulators *acc, const Net *net, const Position *pos)
{
    for (int side = 0; side < SIDE_NB; side++)
        if (!acc->layer[acc->top].known[side])
            bring_up_to_date(acc, net, pos, side);
    int own = pos_side(pos);
    const Layer *layer = &acc->layer[acc->top];
    return net_forward(net, features_bucket(pos), layer->hidden[own], layer->hidden[!own]);
}
