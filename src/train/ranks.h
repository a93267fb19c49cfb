// SPDX-License-Identifier: GPL-3.0-or-later
// Private to src/train: sums over the ranks of a run. A batch has a fixed number of parts, each rank has a
// stretch of them, and what the parts have found is added in the order of the parts: a sum goes up from rank
// to rank, each adding its own, and the total comes down the same way. It is therefore the same to the bit
// for any number of ranks, one included.
#ifndef TWOFOLD_TRAIN_RANKS_H
#define TWOFOLD_TRAIN_RANKS_H

#include "base/transport.h"

enum { BATCH_PARTS = 16 }; // no more ranks than these take part

typedef struct Ranks {
    const Transport *transport;
    int rank, nb;       // of those that take part; a rank beyond them has nothing to do
    int part, part_end; // this rank's parts
} Ranks;

Ranks ranks_of(const Transport *transport);
// Adds this rank's own to the bytes from `from` to `end` of what is summed.
typedef void (*RanksAdd)(void *context, size_t from, size_t end);
// The whole sum at *bytes, which is cut into pieces that end at end[0..nb), so that one rank adds while
// another sends: everyone has the total when it returns. Those who have nothing to add pass NULL; what they
// have at *bytes is replaced, but for rank 0, whose bytes are where it begins. All ranks call it together.
// False with a message when a rank is gone.
bool ranks_sum(const Ranks *ranks, void *bytes, const size_t *end, int nb, RanksAdd add, void *context,
               Message *message);
// The same of one piece that only rank 0 has.
bool ranks_share(const Ranks *ranks, void *bytes, size_t size, Message *message);
// Is all well on every rank, and are they doing the same? `state` is what must be equal. False with the
// message of the first rank that has one.
bool ranks_agree(const Ranks *ranks, bool ok, u64 state, Message *message);
// The last call. A rank above 0 stays until rank 0 has ended: for the others it would be gone.
void ranks_leave(const Ranks *ranks);

#endif
