// SPDX-License-Identifier: GPL-3.0-or-later
// A search over ranks without any transport: what the table gives and takes, the rings, two engines that hand
// each other their entries, and the vote in which other ranks have a voice.
#include "cluster/ring.h"
#include "search/ranks.h"
#include "search/root.h"
#include "search/threads.h"
#include "search_helpers.h"

static void test_words(void)
{
    CASE("peers: a word of one table is taken by another of another size, and known again");
    Params params = params_default();
    Tt *from = tt_new(1, &params), *to = tt_new(3, &params);
    const u64 key = 0x123456789ABCDEFULL;
    CHECK(from && to);
    CHECK(tt_word(from, key) == 0 && !tt_is_taken(to, key));
    tt_store(from, key, 5, 77, SCORE_MATE - 11, 30, 9, BOUND_LOWER, true);
    const u64 word = tt_word(from, key);
    CHECK(word != 0 && tt_take(to, key, word) && tt_is_taken(to, key));
    const TtEntry a = tt_probe(from, key, 3), b = tt_probe(to, key, 3);
    CHECK(b.hit && a.move == b.move && a.score == b.score && a.depth == b.depth && a.bound == b.bound);
    CHECK_INT(b.score, SCORE_MATE - 9);
    CASE("peers: what is known as well is not taken, what is known better is");
    CHECK(!tt_take(to, key, word));
    tt_store(from, key, 5, 78, 40, 30, 12, BOUND_EXACT, false);
    CHECK(tt_take(to, key, tt_word(from, key)) && tt_probe(to, key, 0).move == 78);
    CASE("peers: a result of its own is no longer another's");
    tt_store(to, key, 0, 79, 41, 30, 13, BOUND_EXACT, false);
    CHECK(!tt_is_taken(to, key));
    CASE("peers: words that no search could have stored are refused");
    tt_store(from, key + 1, 0, 1, SCORE_NONE, 30, TT_DEPTH_EVAL, BOUND_NONE, false);
    CHECK(tt_word(from, key + 1) == 0);
    Rng rng = {5};
    for (int i = 0; i < 20000; i++) {
        const u64 other = rng_next(&rng);
        if (!tt_take(to, other, rng_next(&rng)))
            continue;
        const TtEntry entry = tt_probe(to, other, 0);
        CHECK(abs(entry.score) <= SCORE_MATE && entry.depth >= 1 && entry.depth <= MAX_PLY);
    }
    CHECK(!tt_take(to, key, 0));
    tt_free(from);
    tt_free(to);
}

static void test_ring(void)
{
    CASE("peers: a ring gives what it was given, in order, and drops what does not fit");
    Ring ring;
    PeerEntry got[8];
    u64 in = 0, out = 0;
    CHECK(ring_init(&ring, 8));
    Rng rng = {3};
    for (int i = 0; i < 1000; i++) {
        while (rng_below(&rng, 4) && ring_put(&ring, (PeerEntry){.key = in, .word = ~in}))
            in++;
        CHECK(in - out <= 8);
        const int nb = ring_take(&ring, got, (int)rng_below(&rng, 8));
        for (int k = 0; k < nb; k++, out++)
            CHECK(got[k].key == out && got[k].word == ~out);
    }
    while (ring_put(&ring, (PeerEntry){0}))
        in++;
    CHECK_INT(in - out, 8);
    CHECK(in > 500);
    ring_free(&ring);
}

// ---- ranks in one process -----------------------------------------------------------------------
enum { STORE_MAX = 1 << 16 };
// Peers that keep what is offered, and give what they were filled with.
typedef struct Store {
    Peers peers;
    PeerEntry offered[STORE_MAX], given[STORE_MAX];
    int offered_nb, given_nb, given_at;
    PeerVote own, voted;
    PeerCounts counted;
    int begun, ended;
    bool refuses;
} Store;

static bool store_begin(void *self, const Game *game, const Limits *limits, u64 network, int workers)
{
    Store *store = self;
    CHECK(game->move_nb == 0 && limits && network != 0 && workers >= 1);
    store->begun++;
    return !store->refuses;
}
static void store_offer(void *self, int worker, PeerEntry entry)
{
    Store *store = self;
    if (worker == 0 && store->offered_nb < STORE_MAX)
        store->offered[store->offered_nb++] = entry;
}
static int store_collect(void *self, PeerEntry *out, int max)
{
    Store *store = self;
    int nb = 0;
    while (nb < max && store->given_at < store->given_nb)
        out[nb++] = store->given[store->given_at++];
    return nb;
}
static void store_count(void *self, const PeerCounts *own) { ((Store *)self)->counted = *own; }
static void store_vote(void *self, const PeerVote *vote) { ((Store *)self)->own = *vote; }
static PeerCounts store_others(void *self)
{
    (void)self;
    return (PeerCounts){.nodes = 1000, .tb_hits = 3, .sent = 11};
}
static void store_end(void *self) { ((Store *)self)->ended++; }
static const PeerVote *store_voted(void *self, int rank)
{
    Store *store = self;
    return rank == 1 && store->voted.pv_nb ? &store->voted : NULL;
}

static Store *store_new(int rank)
{
    Store *store = calloc(1, sizeof *store);
    store->peers = (Peers){.self = store,
                           .rank = rank,
                           .size = 2,
                           .begin = store_begin,
                           .offer = store_offer,
                           .collect = store_collect,
                           .count = store_count,
                           .vote = store_vote,
                           .others = store_others,
                           .end = store_end,
                           .voted = store_voted};
    return store;
}

static void test_entries_of_others(void)
{
    const Position start = position_of(GAME_START);
    Store *store = store_new(0);
    Engine *first = engine_new(4), *second = engine_new(4), *alone = engine_new(4);
    engine_set_peers(first, &store->peers);
    CASE("peers: a search offers its deep nodes, votes, and counts the others' nodes");
    SearchResult result = run(first, &start, (Limits){.depth = 11}, NULL);
    CHECK(store->begun == 1 && store->ended == 1 && store->offered_nb > 10);
    CHECK(store->own.depth == 11 && store->own.pv[0] == result.best && store->own.score == result.score);
    CHECK_INT(result.nodes, store->counted.nodes + 1000);
    PeerCounts all;
    CHECK(search_peer_counts(first, &all) && all.nodes == result.nodes && all.sent == 11 && all.taken == 0);
    for (int i = 0; i < store->offered_nb; i++) {
        const u64 depth = (store->offered[i].word >> 48 & 0xFF) - 3;
        CHECK_THAT(depth >= PARAM_PeerDepth && depth <= 12, "depth %d", (int)depth);
    }
    CASE("peers: entries of another rank are stored, and counted where they answer a node");
    const SearchResult by_itself = run(alone, &start, (Limits){.depth = 11}, NULL);
    CHECK_INT(by_itself.nodes, result.nodes - 1000); // the offering itself changes nothing
    store->given_nb = store->offered_nb;
    memcpy(store->given, store->offered, sizeof store->given);
    engine_set_peers(second, &store->peers);
    run(second, &start, (Limits){.depth = 11}, NULL);
    CHECK(store->counted.taken > 0 && store->counted.used > 0);
    CHECK(store->counted.taken <= (u64)store->given_nb);
    CHECK_INT(store->given_at, store->given_nb);
    CASE("peers: a search that they refuse, or of a level, is one alone");
    engine_new_game(first);
    store->refuses = true;
    CHECK_INT(run(first, &start, (Limits){.depth = 11}, NULL).nodes, by_itself.nodes);
    CHECK(!search_peer_counts(first, &all) && store->ended == 2);
    store->refuses = false;
    const int begun = store->begun;
    run(first, &start, (Limits){.depth = 5, .elo = 1200}, NULL);
    CHECK_INT(store->begun, begun);
    engine_free(first);
    engine_free(second);
    engine_free(alone);
    free(store);
}

static void test_votes(void)
{
    const Position start = position_of(GAME_START);
    Store *store = store_new(0);
    Engine *engine = engine_new(4);
    Move list[MAX_MOVES];
    const int nb = (int)(gen_all(&start, list) - list);
    engine_set_peers(engine, &store->peers);
    const Limits limits = {.nodes = 3000};
    const Move own = run(engine, &start, limits, NULL).best;
    Move other = list[0] == own ? list[1] : list[0];
    CHECK(nb > 1);
    store->voted = (PeerVote){.score = 500, .depth = 30, .seldepth = 33, .pv_nb = 1, .pv = {other}};
    CASE("peers: the deeper and better opinion of another rank is the answer");
    SearchResult result = run(engine, &start, limits, NULL);
    CHECK(result.best == other && result.score == 500 && result.depth == 30);
    CASE("peers: an opinion that is none is not heard");
    const PeerVote bad[] = {{.score = 500, .depth = 30, .pv_nb = 1, .pv = {MOVE_NONE}},
                            {.score = 500, .depth = 30, .pv_nb = 2, .pv = {other, other}},
                            {.score = SCORE_INFINITE, .depth = 30, .pv_nb = 1, .pv = {other}},
                            {.score = 500, .depth = 0, .pv_nb = 1, .pv = {other}},
                            {.score = 500, .depth = 9999, .pv_nb = 1, .pv = {other}},
                            {.score = 500, .depth = 30, .pv_nb = 9999, .pv = {other}}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        engine_new_game(engine);
        store->voted = bad[i];
        CHECK_INT(run(engine, &start, limits, NULL).best, own);
    }
    CASE("peers: neither is one about a move that was not asked for, nor any in a search of several lines");
    store->voted = (PeerVote){.score = 500, .depth = 30, .pv_nb = 1, .pv = {other}};
    engine_new_game(engine);
    CHECK(run(engine, &start, (Limits){.nodes = 3000, .except = {other}, .except_nb = 1}, NULL).best !=
          other);
    engine_options(engine)->multi_pv = 2;
    engine_new_game(engine);
    CHECK(run(engine, &start, limits, NULL).score != 500);
    engine_free(engine);
    free(store);
}

void test_peers(void)
{
    test_words();
    test_ring();
    test_entries_of_others();
    test_votes();
}
