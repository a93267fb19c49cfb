// SPDX-License-Identifier: GPL-3.0-or-later
// A search with an evaluation that the caller gives: it is asked, and nothing else is; its scores stay below
// those of mates and tables; without it the network is back. The cases carry the row of docs/features.md that
// they show.
#include <limits.h>
#include <stdatomic.h>

#include "search_helpers.h"

typedef struct Opinion {
    atomic_int calls;
    int constant; // what it says of every position; 0: the sum of the places
} Opinion;

// Every man and square has a weight of its own, so that no two moves come to the same sum by design.
static int places(const Position *pos)
{
    int sum = 0;
    for (int sq = 0; sq < SQUARE_NB; sq++)
        sum += pos->board[sq] ? (pos->board[sq] * 131 + sq * 37) % 89 : 0;
    return pos_side(pos) == 0 ? sum : -sum;
}

static int judge(void *context, const Position *pos)
{
    Opinion *opinion = context;
    atomic_fetch_add(&opinion->calls, 1);
    return opinion->constant ? opinion->constant : places(pos);
}

// The best that one move can make of it, where nothing can be taken after any of them.
static int best_in_one(const Engine *engine, const Position *pos)
{
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    int best = -SCORE_INFINITE;
    for (Move *m = list; m < end; m++) {
        Position after = *pos;
        play_move(&after, *m);
        best = max_int(best, -engine_evaluate((Engine *)engine, &after));
    }
    return best;
}

static void check_asked(Engine *engine, const Position *start)
{
    Opinion opinion = {0};
    CASE("row 47: a search asks the evaluation that the caller gives, and nothing else");
    engine_set_evaluate(engine, judge, &opinion);
    CHECK_INT(engine_evaluate(engine, start), pos_damp(start, places(start)));
    CHECK_INT(atomic_load(&opinion.calls), 1);
    SearchResult result = run(engine, start, (Limits){.depth = 1}, NULL);
    CHECK_INT(result.score, best_in_one(engine, start));
    Position after = *start;
    play_move(&after, result.best);
    CHECK_INT(-engine_evaluate(engine, &after), result.score);
    atomic_store(&opinion.calls, 0);
    run(engine, start, (Limits){.nodes = 5000}, NULL);
    CHECK_INT((i64)search_counters(engine)->evaluations, atomic_load(&opinion.calls));
    CHECK(atomic_load(&opinion.calls) > 500);
    engine_set_evaluate(engine, NULL, NULL);
}

static void check_clamped(Engine *engine, const Position *start)
{
    static const int EXTREMES[] = {INT_MAX, INT_MIN, SCORE_MATE, -SCORE_MATE, SCORE_TB_WIN, -SCORE_TB_WIN};
    Rng rng = {5};
    Position mate;
    do
        before_mate(&rng, 1, &mate);
    while (pos_in_check(&mate));
    CASE("row 47: whatever it says is no mate and no table win, and mates are found all the same");
    for (int i = 0; i < (int)(sizeof EXTREMES / sizeof EXTREMES[0]); i++) {
        Opinion opinion = {.constant = EXTREMES[i]};
        engine_set_evaluate(engine, judge, &opinion);
        const int score = run(engine, start, (Limits){.depth = 4}, NULL).score;
        CHECK_THAT(score > -SCORE_TB_MIN && score < SCORE_TB_MIN, "%d", score);
        CHECK(score != 0 && engine_evaluate(engine, start) != 0);
        CHECK_INT(run(engine, &mate, (Limits){.depth = 3}, NULL).score, SCORE_MATE - 1);
    }
    engine_set_evaluate(engine, NULL, NULL);
}

static void check_taken_back(Engine *engine, const Position *start)
{
    Opinion opinion = {0};
    Engine *other = engine_new(2);
    Message message = {0};
    CASE("row 47: without it the network is back, and a new network does not take its place");
    engine_new_game(engine);
    const SearchResult before = run(engine, start, (Limits){.depth = 7}, NULL);
    engine_set_evaluate(engine, judge, &opinion);
    const SearchResult with = run(engine, start, (Limits){.depth = 7}, NULL);
    CHECK(with.nodes != before.nodes && with.score != before.score);
    atomic_store(&opinion.calls, 0);
    engine_set_net(engine, net_embedded());
    CHECK(engine_net(engine) == net_embedded());
    const SearchResult again = run(engine, start, (Limits){.depth = 7}, NULL);
    CHECK(again.nodes == with.nodes && atomic_load(&opinion.calls) > 0);
    CHECK(!engine_hash_save(engine, test_scratch("caller.hash"), &message) && message.text[0]);
    CHECK(!engine_hash_load(engine, test_scratch("caller.hash"), &message) && message.text[0]);
    engine_evaluate_as(other, engine);
    CHECK_INT((i64)run(other, start, (Limits){.depth = 7}, NULL).nodes, (i64)with.nodes);
    engine_set_evaluate(engine, NULL, NULL);
    const int calls = atomic_load(&opinion.calls);
    const SearchResult after = run(engine, start, (Limits){.depth = 7}, NULL);
    CHECK_INT((i64)after.nodes, (i64)before.nodes);
    CHECK_INT(after.score, before.score);
    CHECK_INT(atomic_load(&opinion.calls), calls);
    engine_free(other);
}

// What an engine remembers of a network's sums goes with it, though the next one lies at the same address.
static void check_same_address(const Position *start)
{
    CASE("a network in the place of another is taken for itself");
    if (!net_embedded()) {
        test_skip("there is no network");
        return;
    }
    Net *net = os_alloc_big(sizeof *net);
    Engine *engine = engine_new(2), *fresh = engine_new(2);
    *net = *net_embedded();
    engine_set_net(engine, net);
    const SearchResult before = run(engine, start, (Limits){.depth = 6}, NULL);
    memset(net->feature_weight, 0, sizeof net->feature_weight);
    for (int i = 0; i < NET_HIDDEN; i++)
        for (int row = 0; row < NET_ROWS; row += 7)
            net->feature_weight[row][i] = net_embedded()->feature_weight[row][i];
    engine_set_net(engine, net);
    engine_set_net(fresh, net);
    const SearchResult after = run(engine, start, (Limits){.depth = 6}, NULL);
    const SearchResult wanted = run(fresh, start, (Limits){.depth = 6}, NULL);
    CHECK(after.nodes != before.nodes);
    CHECK_INT((i64)after.nodes, (i64)wanted.nodes);
    CHECK_INT(after.score, wanted.score);
    engine_free(engine);
    engine_free(fresh);
    os_free_big(net, sizeof *net);
}

static void check_threads(Engine *engine, const Position *start)
{
    Message message = {0};
    CASE("row 47: every thread asks it");
    if (!os_can(OS_THREADS)) {
        test_skip("there is only one thread here");
        return;
    }
    CHECK(engine_set_threads(engine, 2, &message));
    // A busy machine may give the second thread no time before a short search has ended.
    for (u64 nodes = 20000; nodes <= 20000 << 10; nodes *= 4) {
        Opinion opinion = {0};
        engine_set_evaluate(engine, judge, &opinion);
        run(engine, start, (Limits){.nodes = nodes}, NULL);
        CHECK_INT((i64)search_counters(engine)->evaluations, atomic_load(&opinion.calls));
        if (engine->worker[1]->counters.evaluations > 0)
            break;
    }
    CHECK(engine->worker[1]->counters.evaluations > 0);
    engine_set_evaluate(engine, NULL, NULL);
}

void test_evaluate(void)
{
    Engine *engine = engine_new(2);
    const Position start = position_of(GAME_START);
    check_asked(engine, &start);
    check_clamped(engine, &start);
    check_taken_back(engine, &start);
    check_threads(engine, &start);
    check_same_address(&start);
    engine_free(engine);
}
