// SPDX-License-Identifier: GPL-3.0-or-later
// The shared search at shogi: short mates at the depth of their length, with quiescence as it is and without
// any of its options; a declaration at once; a perpetual check is not walked into; checks in quiescence end.
#include <math.h>
#include <stdlib.h>

#include "games/game_state.h"
#include "helpers.h"
#include "search/worker.h"

static SearchResult run(Engine *engine, const Position *pos, Limits limits)
{
    engine_new_game(engine);
    return search_of(engine, pos, limits, NULL);
}

static void all_off(SearchOptions *o)
{
    o->q_delta = o->q_futility = o->q_extensions = o->q_threats = o->q_tt = false;
    o->q_check_plies = 0;
    o->q_see = -500;
    o->q_max_depth = 64;
}

static Engine *solver; // the engine that check_problem asks
static int tried;

// One line of tsume.txt: plies | sfen | first move. Only those of one and three plies are asked for.
static void check_problem(Span line)
{
    i64 plies = 0;
    char sfen[TEXT_MAX];
    CHECK(span_int(take_field(&line, '|'), 1, 99, &plies));
    CHECK(span_copy(take_field(&line, '|'), sfen, sizeof sfen));
    if (plies > 3)
        return;
    const Position pos = position_of(sfen);
    const SearchResult result = run(solver, &pos, (Limits){.depth = (int)plies});
    const char *best = move_text(&pos, result.best);
    CHECK_THAT(span_is(take_field(&line, '|'), best), "%s: %s", sfen, best);
    CHECK_INT(result.score, SCORE_MATE - plies);
    CHECK_INT(result.pv_nb, plies);
    tried++;
}

static void check_mates(Engine *engine)
{
    solver = engine;
    tried = 0;
    each_line("shogi/tsume.txt", check_problem);
    CHECK(tried >= 4);
}

// Every problem by a search of so many nodes: a mate that is told has a line of that length which ends in it,
// and none is shorter than the truth.
static u64 tsume_nodes;
static int tsume_found, tsume_shortest;

static void see_mate_line(void *context, const SearchLine *line)
{
    Position pos = *(const Position *)context;
    if (!score_is_mate(line->score) || line->bound != BOUND_EXACT)
        return;
    for (int i = 0; i < line->pv_nb; i++) {
        CHECK(move_is_pseudo_legal(&pos, line->pv[i]) && move_is_legal(&pos, line->pv[i]));
        play_move(&pos, line->pv[i]);
    }
    CHECK_INT(line->pv_nb, abs(score_mate_plies(line->score)));
    CHECK(pos_in_check(&pos) && gen_count(&pos) == 0);
}

static void check_tsume(Span line)
{
    i64 plies = 0;
    char sfen[TEXT_MAX];
    CHECK(span_int(take_field(&line, '|'), 1, 99, &plies));
    CHECK(span_copy(take_field(&line, '|'), sfen, sizeof sfen));
    Position pos = position_of(sfen);
    engine_new_game(solver);
    const SearchEvents events = {.context = &pos, .line = see_mate_line};
    const SearchResult result =
        search_of(solver, &pos, (Limits){.nodes = tsume_nodes, .mate = (int)plies}, &events);
    const bool found = result.score >= SCORE_MATE_MIN;
    CHECK_THAT(!found || score_mate_plies(result.score) >= plies, "%s: %d plies", sfen,
               SCORE_MATE - result.score);
    tried++;
    tsume_found += found;
    tsume_shortest += found && score_mate_plies(result.score) == plies;
}

// A mate that is found shortly before the end of the nodes: first as a bound, whose line is a move long.
static void check_cut_short(Engine *engine)
{
    Position pos = position_of("7nl/7k1/6p2/6S1p/9/9/9/9/9 b GS2r2b3g2s3n3l16p 1");
    int mates = 0;
    for (u64 nodes = 2500; nodes < 7000; nodes += 500) {
        const SearchResult result = run(engine, &pos, (Limits){.nodes = nodes});
        CHECK(result.bound == BOUND_EXACT || (result.bound == BOUND_LOWER && score_is_mate(result.score)));
        see_mate_line(
            &pos, &(SearchLine){
                      .score = result.score, .bound = result.bound, .pv = result.pv, .pv_nb = result.pv_nb});
        mates += score_is_mate(result.score) && result.bound == BOUND_EXACT;
    }
    CHECK_THAT(mates > 3, "%d", mates);
}

// TWOFOLD_TSUME_NODES: a figure of `make test-long`.
static void check_all_tsume(Engine *engine)
{
    const char *text = getenv("TWOFOLD_TSUME_NODES");
    solver = engine;
    tried = tsume_found = tsume_shortest = 0;
    tsume_nodes = text ? strtoull(text, NULL, 10) : 20000;
    each_line("shogi/tsume.txt", check_tsume);
    CHECK_THAT(tsume_found >= (text ? tried : tried - 2), "%d of %d", tsume_found, tried);
    if (text)
        printf("tsume: %d problems, %d with a mate, %d with the shortest\n", tried, tsume_found,
               tsume_shortest);
}

// The solver takes its part of a search and no more: none of a few milliseconds, a share of the nodes on the
// line.
static void check_solver_budget(Engine *engine)
{
    static const char *const POSITIONS[] = {
        "ln5nl/1s3kgs1/p3pp2p/3ps1R2/9/P1+r1BPP2/LP1PGK2P/1p2G1S2/1N1b1G1NL b 3P3p 73",
        "5+R1nk/1+S3g1sl/2ngp2pp/1K3pp2/7P1/2PP1PP1P/1PN1P1N2/2S2+b2L/9 b S3Prb2g2l2p 117",
        "l2r5/2+R3+N2/5+S3/pkPp2pp1/9/PP+bPP4/5P1PB/2K1G4/LN3GP2 w 2NL5P2g3slp 200",
    };
    u64 whole = 0;
    const u64 at_most = 5 * 400; // one position's, and four times that for the line of a mate
    for (size_t i = 0; i < sizeof POSITIONS / sizeof *POSITIONS; i++) {
        Position pos = position_of(POSITIONS[i]);
        for (int depth = 1; depth <= 7; depth += 2) {
            SearchResult result = run(engine, &pos, (Limits){.depth = depth});
            u64 spent = search_counters(engine)->solver_line;
            CHECK_THAT(spent <= result.nodes / 32 + at_most,
                       "%s, depth %d: %llu nodes of the solver in a search of %llu", POSITIONS[i], depth,
                       (unsigned long long)spent, (unsigned long long)result.nodes);
        }
        whole += search_counters(engine)->solver_root;
        run(engine, &pos, (Limits){.move_time_ms = 60});
        u64 brief = search_counters(engine)->solver_root;
        CHECK_THAT(brief <= 5 * 60 * 12, "%s: %llu nodes at the root in 60 ms", POSITIONS[i],
                   (unsigned long long)brief);
    }
    CHECK_THAT(whole > 10000, "%llu nodes at the roots: these positions ask too little",
               (unsigned long long)whole);
}

// Checks round and round lose by the rules at the fourth time: the last of them is not given.
static void check_perpetual(Engine *engine)
{
    static const char LOOP[] = "8h9h 9a8a 9h8h 8a9a";
    Game game = game_from("k8/9/9/9/9/9/9/1R7/8K b r2b4g4s4n4l18p 1", NULL);
    SearchResult result;
    Message message = {""};
    for (int times = 0; times < 2; times++)
        play_text(&game, LOOP);
    play_text(&game, "8h9h 9a8a");
    const Limits only = {.depth = 4, .only = {move_of(&game.pos, "9h8h")}, .only_nb = 1};
    engine_new_game(engine);
    CHECK(search_to_limits(engine, &game, &only, NULL, &result, &message));
    CHECK_THAT(result.score < -SCORE_TB_MIN, "the check that loses is worth %d", result.score);
    CHECK(search_to_limits(engine, &game, &(Limits){.depth = 4}, NULL, &result, &message));
    CHECK(result.best != only.only[0]);
    game_free(&game);
}

// Kings without shelter and men in hand to check with: a quiescence that went on while there are checks, or
// extended its lines without end, would search many times these nodes.
static void check_checks_end(Engine *engine)
{
    enum { MOST = 500000 };
    SearchOptions *o = engine_options(engine);
    o->q_check_plies = 4;
    o->q_max_ext = 8;
    const Position pos = position_of("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1");
    const SearchResult result = run(engine, &pos, (Limits){.depth = 8, .nodes = MOST});
    CHECK_INT(result.reason, STOP_DEPTH);
    CHECK_INT(result.depth, 8);
    const Counters *counters = search_counters(engine);
    CHECK_THAT(counters->q_checks > 1000 && counters->q_extensions > 1000,
               "%llu checks and %llu extensions: too few", (unsigned long long)counters->q_checks,
               (unsigned long long)counters->q_extensions);
    *o = search_options_default();
}

static void check_scale(void)
{
    const Position start = position_of(GAME_START);
    for (int shown = -1200; shown <= 1200; shown += 300) {
        Wdl wdl = score_wdl(score_of_shown(shown, &start), &start);
        double rate = wdl.win + wdl.draw / 2.0, expected = 1000 / (1 + exp(-shown / 600.0));
        CHECK_THAT(fabs(rate - expected) <= 10, "%d: %.0f of 1000, expected %.0f", shown, rate, expected);
    }
}

void test_shogi_search(void)
{
    Engine *engine = engine_new(8);
    CASE("checks in quiescence end by themselves"); // first: where they do not, nothing below ends either
    check_checks_end(engine);
    CASE("mates of one and three plies at their depth");
    check_mates(engine);
    CASE("the same with every option of quiescence off");
    all_off(engine_options(engine));
    check_mates(engine);
    *engine_options(engine) = search_options_default();

    CASE("the line of a mate is as long as the mate says and ends in it");
    check_all_tsume(engine);
    CASE("a mate found by a search that is cut short has all of its line, or is told as a bound");
    check_cut_short(engine);

    CASE("a declaration is played at once");
    Position pos = position_of("+P+P+P+P+P4/+P+P+P+P+P4/4K4/9/9/9/9/9/4k4 b RB8Prb4g4s4n4l 1");
    CHECK_INT(run(engine, &pos, (Limits){.depth = 5}).best, MOVE_WIN);
    pos = position_of("+P+P+P+P+P4/+P+P+P+P+P4/4K4/9/9/9/9/9/4k4 b RB7Prb4g4s4n4lp 1");
    CHECK(run(engine, &pos, (Limits){.nodes = 2000}).best != MOVE_WIN);

    CASE("a shown score is 600 times the logarithm of the odds");
    check_scale();
    CASE("the mate solver's part of a search");
    check_solver_budget(engine);
    CASE("no legal move is a loss");
    pos = position_of("+R+N+SGKG+S+N+R/+B+N+SG+LG+S+N+B/P+LPP+LPP+LP/1P2P2P1/9/9/9/9/4k4 b 9P 200");
    SearchResult result = run(engine, &pos, (Limits){.depth = 3});
    CHECK(result.best == MOVE_NONE && result.score == -SCORE_MATE);
    CASE("a perpetual check is not walked into");
    check_perpetual(engine);
    engine_free(engine);
}
