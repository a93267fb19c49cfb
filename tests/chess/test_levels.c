// SPDX-License-Identifier: GPL-3.0-or-later
// The weakest level still wins what is won: it mates with a queen, or two rooks, against the best defence it can find itself.
#include "search/search.h"
#include "test.h"

static bool mates(const char *fen, int max_plies)
{
    Engine *engine = engine_new(4);
    Position pos;
    Rules rules = rules_default();
    Message message;
    Trail trail = {0};
    CHECK(pos_set(&pos, span_of(fen), &rules, &message) == SET_OK);
    CHECK(trail_reserve(&trail, max_plies + 1));
    int strong = pos_side(&pos);
    Verdict verdict = {0};
    for (int ply = 0; ply < max_plies && verdict.outcome == OUTCOME_NONE; ply++) {
        Result result;
        Undo undo;
        engine_options(engine)->elo = pos_side(&pos) == strong ? level_range().min_elo : 0;
        Limits limits = {.nodes = pos_side(&pos) == strong ? 100000 : 3000};
        CHECK(search_run(engine, &pos, &trail, &limits, NULL, &result, &message));
        trail_push(&trail, &pos);
        pos_make(&pos, result.best, &undo, NULL);
        verdict = game_outcome(&pos, &trail);
    }
    trail_free(&trail);
    engine_free(engine);
    return verdict.outcome == OUTCOME_LOSS && verdict.reason == REASON_MATE;
}

void test_levels(void)
{
    CASE("the weakest level mates with a queen");
    CHECK(mates("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", 99));
    CASE("the weakest level mates with two rooks and pawns on the board");
    CHECK(mates("8/5p2/4k3/8/8/1P6/8/R3K2R w - - 0 1", 150));
}
