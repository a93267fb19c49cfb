// SPDX-License-Identifier: GPL-3.0-or-later
// What is hard to see in chess, what people like in the opening, and that levels from 1000 on do not
// stalemate what they win.
#include "helpers.h"
#include "search_helpers.h"

static int obscurity(const char *fen, const char *move)
{
    const Position pos = position_of(fen);
    return move_obscurity(&pos, move_parse(&pos, span_of(move)));
}

static int manner(const char *fen, const char *move)
{
    const Position pos = position_of(fen);
    return move_manner(&pos, move_parse(&pos, span_of(move)), 1);
}

static void check_obscurity(void)
{
    CASE(
        "chess: backward, long, forking and discovering moves are harder to see; captures and checks easier");
    static const char OPEN[] = "4k3/8/2n5/8/3B4/8/5N2/R3K2R w KQ - 0 1";
    CHECK(obscurity(OPEN, "f2d1") > obscurity(OPEN, "f2g4"));
    CHECK(obscurity(OPEN, "d4h8") > obscurity(OPEN, "d4e5"));
    CHECK(obscurity(OPEN, "a1a8") < obscurity(OPEN, "a1a7"));
    CHECK(obscurity(OPEN, "e1g1") < obscurity(OPEN, "e1e2"));
    static const char FORK[] = "r3q3/8/8/1N6/8/8/8/k6K w - - 0 1";
    CHECK(obscurity(FORK, "b5c7") > obscurity(FORK, "b5d6"));
    static const char HIDDEN[] = "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1";
    CHECK(obscurity(HIDDEN, "e4c5") > obscurity("4k3/8/8/8/4N3/8/8/3R1K2 w - - 0 1", "e4c5"));
    static const char TAKES[] = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    CHECK(obscurity(TAKES, "e4d5") < obscurity(TAKES, "e4e5"));
    CHECK(obscurity("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6") > obscurity(TAKES, "e4d5"));
}

static void check_manners(void)
{
    CASE("chess: men come out, the king castles and does not walk; later manners say nothing");
    static const char DEVELOPED[] = "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4";
    CHECK(manner(DEVELOPED, "e1g1") > manner(DEVELOPED, "b1c3"));
    CHECK(manner(DEVELOPED, "b1c3") > 0 && manner(DEVELOPED, "f3g1") < 0);
    CHECK(manner(DEVELOPED, "e1e2") < 0 && manner(DEVELOPED, "a2a4") < 0 && manner(DEVELOPED, "d2d4") > 0);
    CHECK_INT(manner(DEVELOPED, "f3e5"), 0);
    CHECK_INT(manner("rnbqkbnr/pppp1ppp/8/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 40", "b1c3"), 0);
}

static void check_no_stalemate(void)
{
    CASE("chess: no level from 1000 on stalemates what it wins");
    static const char *const WON[] = {"7k/8/1p6/pPp5/P1P5/6Q1/8/R5K1 w - - 0 1",
                                      "7k/5p1p/5P1P/8/8/6Q1/1PPP4/1K6 w - - 0 1",
                                      "k7/2Q5/8/1K6/8/8/8/7R w - - 0 1"};
    Engine *engine = engine_new(1);
    for (u64 seed = 0; seed < (test_is_light() ? 6 : 60); seed++) {
        const Position pos = position_of(WON[seed % 3]);
        engine_new_game(engine);
        const Limits limits = {
            .nodes = 1000, .elo = 1000 + 100 * (int)(seed % 8), .game_seed = seed, .move_seed = seed};
        const Position after = pos_after(&pos, run(engine, &pos, limits, NULL).best);
        CHECK_THAT(gen_count(&after) > 0 || pos_in_check(&after), "%s, seed %d: stalemate", WON[seed % 3],
                   (int)seed);
    }
    engine_free(engine);
}

void test_manners(void)
{
    check_obscurity();
    check_manners();
    check_no_stalemate();
}
