// SPDX-License-Identifier: GPL-3.0-or-later
// What an engine's owner sees of its peers.
#include "search/peers.h"

#include "nnue/nnue.h"
#include "search/ranks.h"

void engine_set_peers(Engine *engine, const Peers *peers) { engine->peers = peers; }

u64 engine_network(Engine *engine)
{
    if (engine->network == 0 && engine->net)
        engine->network = net_checksum(engine->net);
    return engine->network;
}

bool search_peer_counts(const Engine *engine, PeerCounts *all)
{
    const PeerCounts others = peers_counts(engine);
    *all = peers_own_counts(engine);
    all->nodes += others.nodes;
    all->tb_hits += others.tb_hits;
    all->sent = others.sent;
    all->taken += others.taken;
    all->used += others.used;
    return peers_size(engine) > 0;
}
