// SPDX-License-Identifier: GPL-3.0-or-later
// See ranks.h. A message is a piece of the sum: from the rank below it is what the ranks up to there have
// added, from the rank above the total. Both come in the order of the pieces, so none says which it is.
#include "train/ranks.h"

enum { WAIT_MS = 1000, SHARE_PIECE = 1 << 16 };
enum { TAG_PIECE = TRANSPORT_TRAINING };

Ranks ranks_of(const Transport *transport)
{
    const int nb = min_int(transport->size, BATCH_PARTS), rank = transport->rank;
    return (Ranks){.transport = transport,
                   .rank = rank,
                   .nb = nb,
                   .part = min_int(BATCH_PARTS * rank / nb, BATCH_PARTS),
                   .part_end = min_int(BATCH_PARTS * (rank + 1) / nb, BATCH_PARTS)};
}

typedef struct Sum {
    const Ranks *ranks;
    char *bytes;
    const size_t *end;
    int nb;
    int up, down; // pieces that have gone up from here, and those whose total is known
    RanksAdd add;
    void *context;
} Sum;

static size_t piece_from(const Sum *sum, int piece) { return piece ? sum->end[piece - 1] : 0; }

static bool send_piece(const Sum *sum, int to, int piece, Message *message)
{
    const Transport *transport = sum->ranks->transport;
    const size_t from = piece_from(sum, piece);
    return transport->send(transport->self, to, TAG_PIECE, sum->bytes + from, sum->end[piece] - from) ||
           message_set(message, "rank %d is gone", to);
}

// The next piece, in which what the ranks below have added stands, goes up; from the last one it comes back.
static bool pass_up(Sum *sum, Message *message)
{
    const int piece = sum->up++, rank = sum->ranks->rank;
    if (sum->add)
        sum->add(sum->context, piece_from(sum, piece), sum->end[piece]);
    if (rank + 1 < sum->ranks->nb)
        return send_piece(sum, rank + 1, piece, message);
    sum->down++;
    return rank == 0 || send_piece(sum, rank - 1, piece, message);
}

static bool pass_down(Sum *sum, Message *message)
{
    const int piece = sum->down++, rank = sum->ranks->rank;
    return rank == 0 || send_piece(sum, rank - 1, piece, message);
}

// Nobody else can know of it: it is told as if this rank were gone, with the reason.
static bool refuse_piece(const Sum *sum, int from, Message *message)
{
    const Transport *transport = sum->ranks->transport;
    message_set(message, "rank %d is doing something else: do all have the same program?", from);
    transport->send(transport->self, 0, TRANSPORT_LOST, message->text, strlen(message->text));
    return false;
}

static bool take_piece(Sum *sum, int from, const Text *bytes, Message *message)
{
    const bool is_up = from == sum->ranks->rank - 1;
    const int piece = is_up ? sum->up : sum->down;
    if ((!is_up && from != sum->ranks->rank + 1) || piece >= sum->nb ||
        bytes->len != sum->end[piece] - piece_from(sum, piece))
        return refuse_piece(sum, from, message);
    memcpy(sum->bytes + piece_from(sum, piece), bytes->ptr, bytes->len);
    return is_up ? pass_up(sum, message) : pass_down(sum, message);
}

static bool take_message(Sum *sum, Text *bytes, Message *message)
{
    const Transport *transport = sum->ranks->transport;
    int from, tag;
    if (!transport->receive(transport->self, &from, &tag, bytes, WAIT_MS))
        return true;
    if (tag == TAG_PIECE)
        return take_piece(sum, from, bytes, message);
    if (tag == TRANSPORT_LOST && from < sum->ranks->nb)
        return message_set(message, "rank %d is gone%s%.*s", from, bytes->len ? ": " : "", (int)bytes->len,
                           bytes->len ? bytes->ptr : "");
    return tag != TRANSPORT_END || message_set(message, "rank 0 has ended");
}

bool ranks_sum(const Ranks *ranks, void *bytes, const size_t *end, int nb, RanksAdd add, void *context,
               Message *message)
{
    Sum sum = {.ranks = ranks, .bytes = bytes, .end = end, .nb = nb, .add = add, .context = context};
    Text received = {0};
    bool ok = true;
    while (ok && ranks->rank == 0 && sum.up < nb)
        ok = pass_up(&sum, message);
    while (ok && sum.down < nb)
        ok = take_message(&sum, &received, message);
    text_free(&received);
    return ok;
}

bool ranks_share(const Ranks *ranks, void *bytes, size_t size, Message *message)
{
    for (size_t from = 0; from < size; from += SHARE_PIECE) {
        const size_t end = size - from < SHARE_PIECE ? size - from : SHARE_PIECE;
        if (!ranks_sum(ranks, (char *)bytes + from, &end, 1, NULL, NULL, message))
            return false;
    }
    return true;
}

// ---- agreeing -----------------------------------------------------------------------------------
typedef struct Say {
    u64 state;
    bool ok;
    Message message;
} Say;
typedef struct Talk {
    Say said[BATCH_PARTS];
    Say own;
    int rank;
} Talk;

static void add_say(void *context, size_t from, size_t end)
{
    Talk *talk = context;
    (void)from, (void)end;
    talk->said[talk->rank] = talk->own;
}

bool ranks_agree(const Ranks *ranks, bool ok, u64 state, Message *message)
{
    static const size_t END = sizeof((Talk *)0)->said;
    if (ranks->nb == 1)
        return ok;
    Talk talk = {.own = {.state = state, .ok = ok}, .rank = ranks->rank};
    if (!ok)
        talk.own.message = *message;
    if (!ranks_sum(ranks, talk.said, &END, 1, add_say, &talk, message))
        return false;
    for (int i = 0; i < ranks->nb; i++)
        if (!talk.said[i].ok) {
            talk.said[i].message.text[sizeof talk.said[i].message.text - 1] = '\0';
            return i == ranks->rank ? false
                                    : message_set(message, "rank %d: %s", i, talk.said[i].message.text);
        }
    for (int i = 1; i < ranks->nb; i++)
        if (talk.said[i].state != talk.said[0].state)
            return message_set(
                message, "rank %d has other games, other settings, or a processor that rounds otherwise", i);
    return true;
}

void ranks_leave(const Ranks *ranks)
{
    const Transport *transport = ranks->transport;
    Text bytes = {0};
    int from, tag = TAG_PIECE;
    while (ranks->rank > 0 && tag != TRANSPORT_END && !(tag == TRANSPORT_LOST && from == 0)) {
        if (!transport->receive(transport->self, &from, &tag, &bytes, WAIT_MS))
            tag = TAG_PIECE;
    }
    text_free(&bytes);
}
