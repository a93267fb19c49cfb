// SPDX-License-Identifier: GPL-3.0-or-later
// Positions that a search must understand, from data of each game: horizons, endgames, sacrifices
// (suites.txt) and tactics (tactics.txt). Each line says which move or score is right. TWOFOLD_MOVETIME, in
// milliseconds, has all tactics searched for that long and tells how many were found (a figure of `make
// test-long`); TWOFOLD_TACTICS_LEAST is how many it takes. The cases carry the row of docs/features.md that
// they show.
#include <stdlib.h>

#include "search_helpers.h"

static Engine *engine;
static const char *wanted_suite;
static int suite_nb;

typedef struct Line {
    char name[80], text[TEXT_MAX], expected[60];
    Position pos;
    Limits limits;
} Line;

// A line of suites.txt, when it is of the wanted suite.
static bool read_line(Span line, Line *out)
{
    char limit[40];
    i64 number = 0;
    *out = (Line){0};
    if (!span_is(take_field(&line, '|'), wanted_suite))
        return false;
    CHECK(span_copy(take_field(&line, '|'), out->name, sizeof out->name));
    CHECK(span_copy(take_field(&line, '|'), out->text, sizeof out->text));
    CHECK(span_copy(take_field(&line, '|'), limit, sizeof limit));
    CHECK(span_copy(take_field(&line, '|'), out->expected, sizeof out->expected));
    Span rest = span_of(limit), kind = span_word(&rest);
    CHECK(span_int(span_word(&rest), 1, 1000000, &number));
    CHECK(span_is(kind, "depth") || span_is(kind, "nodes"));
    if (span_is(kind, "depth"))
        out->limits.depth = (int)number;
    else
        out->limits.nodes = (u64)number;
    out->pos = position_of(out->text);
    suite_nb++;
    return true;
}

static SearchResult fresh(const Position *pos, Limits limits)
{
    engine_new_game(engine);
    return run(engine, pos, limits, NULL);
}

// ---- horizons -----------------------------------------------------------------------------------
static void check_horizon(Span text)
{
    enum { MAN = 250, LITTLE = 60 };
    SearchOptions *o = engine_options(engine);
    Line line;
    if (!read_line(text, &line))
        return;
    CASE("row 35: horizon: %s", line.name);
    const Move blunder = move_of(&line.pos, line.expected);
    Limits only = line.limits;
    only.only[only.only_nb++] = blunder;
    const int stands = engine_evaluate(engine, &line.pos);
    o->q_max_depth = 0; // the static evaluation, wherever the search ends
    const int blind = fresh(&line.pos, only).score;
    Position after = line.pos;
    play_move(&after, blunder);
    if (line.limits.depth == 1)
        CHECK_INT(blind, -engine_evaluate(engine, &after));
    CHECK_THAT(blind > stands - LITTLE, "%d after %d", blind, stands);
    const Move played = fresh(&line.pos, line.limits).best;
    CHECK_THAT(played == blunder, "without quiescence it plays %s", move_text(&line.pos, played));
    *o = search_options_default();
    const int seen = fresh(&line.pos, only).score;
    CHECK_THAT(seen < blind - MAN, "%d with quiescence, %d without", seen, blind);
    const SearchResult with = fresh(&line.pos, line.limits);
    CHECK(with.best != blunder);
    CHECK_THAT(with.score > stands - MAN, "%d with quiescence, after %d", with.score, stands);
}

// ---- endgames and sacrifices --------------------------------------------------------------------
static void check_expected(const Line *line, const SearchResult *result)
{
    Span rest = span_of(line->expected), kind = span_word(&rest), word;
    i64 number;
    if (span_is(kind, "best")) {
        bool found = false;
        while ((word = span_word(&rest)).len)
            found |= span_is(word, move_text(&line->pos, result->best));
        CHECK_THAT(found, "%s: %s, score %d", line->text, move_text(&line->pos, result->best), result->score);
        return;
    }
    CHECK(span_int(span_word(&rest), -SCORE_MATE, SCORE_MATE, &number));
    if (span_is(kind, "mate")) {
        CHECK_INT(result->score, SCORE_MATE - number);
        CHECK_INT(result->pv_nb, number); // the line is as long as the mate says
        return;
    }
    CHECK(span_is(kind, "above"));
    CHECK_THAT(result->score > number, "%s: %d", line->text, result->score);
}

static void check_line_of_suite(Span text)
{
    Line line;
    if (!read_line(text, &line))
        return;
    CASE("row 35: %s: %s", wanted_suite, line.name);
    const SearchResult result = fresh(&line.pos, line.limits);
    check_expected(&line, &result);
    if (strcmp(wanted_suite, "sacrifice") == 0) // more is given than is taken
        CHECK(!see_ge(&line.pos, result.best, 1));
}

static void check_suite(const char *suite, void (*check)(Span))
{
    wanted_suite = suite;
    suite_nb = 0;
    each_line(GAME_NAME "/suites.txt", check);
    CASE("row 35: the suite of %ss is there", suite);
    CHECK_THAT(suite_nb >= 3, "%d lines", suite_nb);
}

// ---- tactics ------------------------------------------------------------------------------------
static struct {
    Limits limits;
    int every; // of so many lines one is asked
    int line_nb, asked, found;
} tactics;

static void skip_line(Span line) { (void)line; }

static void check_tactic(Span line)
{
    char text[TEXT_MAX];
    Span moves = take_field(&line, '|'), word;
    CHECK(span_copy(take_field(&line, '|'), text, sizeof text));
    if (tactics.line_nb++ % tactics.every)
        return;
    const Position pos = position_of(text);
    const Move best = fresh(&pos, tactics.limits).best;
    bool found = false;
    while ((word = span_word(&moves)).len) {
        char name[MOVE_TEXT_MAX];
        const bool avoid = word.ptr[0] == '!';
        CHECK(span_copy(avoid ? (Span){word.ptr + 1, word.len - 1} : word, name, sizeof name));
        found |= (best == move_of(&pos, name)) != avoid;
    }
    tactics.asked++;
    tactics.found += found;
}

static void check_tactics(void)
{
    const char *time_text = getenv("TWOFOLD_MOVETIME"), *least_text = getenv("TWOFOLD_TACTICS_LEAST");
    CASE("row 35: tactics: the right move is found in most");
    tactics.limits = (Limits){.nodes = 30000};
    if (time_text)
        tactics.limits = (Limits){.move_time_ms = strtol(time_text, NULL, 10)};
    // Of a long list a part is enough, unless each has its time.
    const int lines_nb = each_line(GAME_NAME "/tactics.txt", skip_line);
    tactics.every = time_text || lines_nb < 50 ? 1 : test_is_light() ? 30 : 7;
    const int all = each_line(GAME_NAME "/tactics.txt", check_tactic);
    CHECK(all == tactics.line_nb && tactics.asked > 0);
    const int percent = tactics.every == 1 ? 85 : 55; // the short list is the easier one
    const int least = least_text ? (int)strtol(least_text, NULL, 10) : tactics.asked * percent / 100;
    CHECK_THAT(tactics.found >= least, "%d of %d", tactics.found, tactics.asked);
    if (time_text)
        printf("tactics: %d of %d found in %s ms each\n", tactics.found, tactics.asked, time_text);
}

void test_suites(void)
{
    engine = engine_new(16);
    engine_options(engine)->move_overhead_ms = 0;
    if (!getenv("TWOFOLD_MOVETIME")) {
        check_suite("horizon", check_horizon);
        check_suite("endgame", check_line_of_suite);
        check_suite("sacrifice", check_line_of_suite);
    }
    check_tactics();
    engine_free(engine);
}
