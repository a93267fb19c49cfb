// SPDX-License-Identifier: GPL-3.0-or-later
// See ranks.h and peers.h. Entries from other ranks are stored by worker 0 when it looks at the clock, so
// that nothing comes into the table but from a thread of the search.
#include "search/ranks.h"

#include <stdlib.h>

#include "search/mate.h"
#include "search/root.h"

static bool has_peers(const Engine *engine) { return engine->peer_depth < PEER_DEPTH_NONE; }

int peers_size(const Engine *engine) { return has_peers(engine) ? engine->peers->size : 0; }

void peers_begin(Engine *engine, const Game *game)
{
    const Peers *peers = engine->peers;
    engine->peer_depth = PEER_DEPTH_NONE;
    engine->peer_taken = 0;
    for (int i = 0; i < engine->worker_nb; i++)
        atomic_store(&engine->worker[i]->peer_used, 0);
    // A level plays alone, and what the caller evaluates nobody else can.
    if (peers && !engine->skill.active && !engine->evaluate &&
        peers->begin(peers->self, game, &engine->control->limits, engine_network(engine), engine->worker_nb))
        engine->peer_depth = P(engine, PeerDepth);
}

void peers_end(Engine *engine)
{
    if (!has_peers(engine))
        return;
    peers_look(engine->worker[0]);
    engine->peers->end(engine->peers->self);
}

void peers_offer(Worker *w)
{
    const Peers *peers = w->engine->peers;
    const u64 key = pos_key(&w->pos), word = tt_word(w->engine->tt, key);
    if (word != 0)
        peers->offer(peers->self, w->id, (PeerEntry){.key = key, .word = word});
}

void peers_note_answer(Worker *w)
{
    if (tt_is_taken(w->engine->tt, pos_key(&w->pos)))
        atomic_store_explicit(&w->peer_used, atomic_load_explicit(&w->peer_used, memory_order_relaxed) + 1,
                              memory_order_relaxed);
}

PeerCounts peers_own_counts(const Engine *engine)
{
    PeerCounts own = {.taken = engine->peer_taken};
    for (int i = 0; i < engine->worker_nb; i++) {
        const Worker *w = engine->worker[i];
        own.nodes += atomic_load_explicit(&w->nodes, memory_order_relaxed);
        own.tb_hits += atomic_load_explicit(&w->tb_hits, memory_order_relaxed);
        own.used += atomic_load_explicit(&w->peer_used, memory_order_relaxed);
    }
    return own;
}

void peers_look(Worker *w)
{
    enum { AT_ONCE = 64 };
    Engine *engine = w->engine;
    const Peers *peers = engine->peers;
    PeerEntry entry[AT_ONCE];
    if (!has_peers(engine))
        return;
    const int nb = peers->collect(peers->self, entry, AT_ONCE);
    for (int i = 0; i < nb; i++)
        engine->peer_taken += tt_take(engine->tt, entry[i].key, entry[i].word);
    const PeerCounts own = peers_own_counts(engine);
    peers->count(peers->self, &own);
}

void peers_vote(Worker *w)
{
    const RootMove *best = &w->root[0];
    if (!has_peers(w->engine) || best->bound != BOUND_EXACT)
        return;
    PeerVote vote = {
        .score = best->score, .depth = w->completed_depth, .seldepth = best->seldepth, .pv_nb = best->pv_nb};
    memcpy(vote.pv, best->pv, (size_t)best->pv_nb * sizeof(Move));
    w->engine->peers->vote(w->engine->peers->self, &vote);
}

PeerCounts peers_counts(const Engine *engine)
{
    return has_peers(engine) ? engine->peers->others(engine->peers->self) : (PeerCounts){0};
}

const PeerVote *peers_voted(const Engine *engine, int rank)
{
    const Worker *w = engine->worker[0];
    const PeerVote *vote = has_peers(engine) ? engine->peers->voted(engine->peers->self, rank) : NULL;
    Position end;
    if (!vote || vote->pv_nb < 1 || vote->pv_nb > MAX_PLY || vote->depth < 1 || vote->depth >= MAX_PLY ||
        abs(vote->score) > SCORE_MATE || !replay_line(w, vote->pv, vote->pv_nb, &end))
        return NULL;
    for (int i = 0; i < w->root_nb; i++)
        if (w->root[i].move == vote->pv[0])
            return vote;
    return NULL;
}

void peers_follow(Engine *engine, const PeerVote *vote)
{
    Worker *w = engine->worker[0];
    for (int i = 0; i < w->root_nb; i++) {
        if (w->root[i].move != vote->pv[0])
            continue;
        RootMove best = w->root[i];
        best.score = vote->score;
        best.bound = BOUND_EXACT;
        best.seldepth = vote->seldepth;
        best.pv_nb = vote->pv_nb;
        memcpy(best.pv, vote->pv, (size_t)vote->pv_nb * sizeof(Move));
        root_put_first(w, &best);
        break;
    }
    w->completed_depth = vote->depth;
    engine->reported = false; // its line has not been told
}
