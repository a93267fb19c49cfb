// SPDX-License-Identifier: GPL-3.0-or-later
// The shared search at shogi: short mates at the depth of their length, with and without the solver's help at the root;
// a declaration at once; perpetual check never claimed; quiescence options live, and all of them off still sound.
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

static Result run(Engine *engine, const Position *pos, Limits limits)
{
    Trail trail = {0};
    Result result = {0};
    Message message = {0};
    engine_new_game(engine);
    CHECK_THAT(search_run(engine, pos, &trail, &limits, NULL, &result, &message), "%s", message.text);
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
        Result result = run(engine, &pos, (Limits){.depth = plies});
        move_print(&pos, result.best, move_text);
        CHECK_THAT(span_is(wanted, move_text), "%s: %s", sfen + 1, move_text);
        CHECK_INT(result.score, SCORE_MATE - plies);
        CHECK_INT(result.pv_nb, plies);
        tried++;
    }
    CHECK(tried >= 4);
    text_free(&file);
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

    CASE("no legal move is a loss");
    pos = position_of("+R+N+SGKG+S+N+R/+B+N+SG+LG+S+N+B/P+LPP+LPP+LP/1P2P2P1/9/9/9/9/4k4 b 9P 200");
    Result result = run(engine, &pos, (Limits){.depth = 3});
    CHECK(result.best == MOVE_NONE && result.score == -SCORE_MATE);

    CASE("checks in quiescence end by themselves");
    engine_options(engine)->q_check_plies = 4;
    engine_options(engine)->q_max_ext = 8;
    pos = position_of("k8/9/9/9/9/9/9/1R7/8K b 2G2Sr2b2g2s4n4l18p 1");
    result = run(engine, &pos, (Limits){.depth = 4, .nodes = 300000});
    CHECK(result.best != MOVE_NONE);
    engine_free(engine);
}
