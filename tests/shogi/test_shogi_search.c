// SPDX-License-Identifier: GPL-3.0-or-later
// The shared search at shogi: short mates at the depth of their length, with and without the solver's help at
// the root; a declaration at once; perpetual check never claimed; quiescence options live, and all of them
// off still sound.
#include <math.h>
#include <stdlib.h>

#include "search/worker.h"
#include "test.h"

static Position position_of(const char *text)
{
    Position pos;
    Rules rules = rules_default();
    Message message;
    CHECK_THAT(pos_set(&pos, span_of(text), &rules, &message) != SET_REJECTED, "%s: %s", text, message.text);
    return pos;
}

static SearchResult run(Engine *engine, const Position *pos, Limits limits)
{
    KeyHistory keys = {0};
    SearchResult result = {0};
    Message message = {0};
    engine_new_game(engine);
    CHECK_THAT(search_run(engine, pos, &keys, &limits, NULL, &result, &message), "%s", message.text);
    return result;
}

static void all_off(SearchOptions *o)
{
    o->q_delta = o->q_futility = o->q_extensions = o->q_threats = o->q_tt = false;
    o->q_check_plies = 0;
    o->q_see = -500;
    o->q_max_depth = 64;
}

static void check_mates(Engine *engine)
{
    Text file = {0};
    Message message;
    CHECK_THAT(text_read_file(&file, test_data("shogi/tsume.txt"), 1 << 20, &message), "%s", message.text);
    Span rest = text_span(&file), line;
    int tried = 0;
    while (span_line(&rest, &line)) {
        char text[512], move_text[MOVE_TEXT_MAX];
        if (!span_copy(line, text, sizeof text) || text[0] == '#')
            continue;
        int plies = atoi(text);
        char *sfen = strchr(text, '|'), *best = sfen ? strchr(sfen + 1, '|') : NULL;
        if (!best || plies < 1 || plies > 3)
            continue;
        *best++ = '\0';
        Position pos = position_of(sfen + 1);
        Span rest_of_best = span_of(best);
        Span wanted = span_word(&rest_of_best);
        SearchResult result = run(engine, &pos, (Limits){.depth = plies});
        move_print(&pos, result.best, move_text);
        CHECK_THAT(span_is(wanted, move_text), "%s: %s", sfen + 1, move_text);
        CHECK_INT(result.score, SCORE_MATE - plies);
        CHECK_INT(result.pv_nb, plies);
        tried++;
    }
    CHECK(tried >= 4);
    text_free(&file);
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

void test_shogi_search(void)
{
    Engine *engine = engine_new(8);
    CASE("mates of one and three plies at their depth");
    check_mates(engine);
    CASE("the same with every option of quiescence off");
    all_off(engine_options(engine));
    check_mates(engine);
    *engine_options(engine) = search_options_default();

    CASE("a declaration is played at once");
    Position pos = position_of("+P+P+P+P+P4/+P+P+P+P+P4/4K4/9/9/9/9/9/4k4 b RB8Prb4g4s4n4l 1");
    CHECK_INT(run(engine, &pos, (Limits){.depth = 5}).best, MOVE_WIN);
    pos = position_of("+P+P+P+P+P4/+P+P+P+P+P4/4K4/9/9/9/9/9/4k4 b RB7Prb4g4s4n4lp 1");
    CHECK(run(engine, &pos, (Limits){.nodes = 2000}).best != MOVE_WIN);

    CASE("a shown score is 600 times the logarithm of the odds");
    for (int shown = -1200; shown <= 1200; shown += 300) {
        Position start = position_of(GAME_START);
        Wdl wdl = score_wdl(score_of_shown(shown, &start), &start);
        double rate = wdl.win + wdl.draw / 2.0, expected = 1000 / (1 + exp(-shown / 600.0));
        CHECK_THAT(fabs(rate - expected) <= 10, "%d: %.0f of 1000, expected %.0f", shown, rate, expected);
    }

    CASE("the mate solver's part of a search");
    check_solver_budget(engine);

    CASE("no legal move is a loss");
    pos = position_of("+R+N+SGKG+S+N+R/+B+N+SG+LG+S+N+B/P+LPP+LPP+LP/1P2P2P1/9/9/9/9/4k4 b 9P 200");
    SearchResult result = run(engine, &pos, (Limits){.depth = 3});
    CHECK(result.best == MOVE_NONE && result.score == -SCORE_MATE);

    CASE("checks in quiescence end by themselves");
    engine_options(engine)->q_check_plies = 4;
    engine_options(engine)->q_max_ext = 8;
    pos = position_of("k8/9/9/9/9/9/9/1R7/8K b 2G2Sr2b2g2s4n4l18p 1");
    result = run(engine, &pos, (Limits){.depth = 4, .nodes = 300000});
    CHECK(result.best != MOVE_NONE);
    engine_free(engine);
}
