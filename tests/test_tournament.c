// SPDX-License-Identifier: GPL-3.0-or-later
// Matches of several engines and of several machines: pairings, tables and ratings, each against each, games
// files that are merged, and the page.
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "arena/match_html.h"
#include "arena/match_table.h"
#include "match_helpers.h"

static const char COMMON[] = "--nodes 10 --max-plies 30 --quiet --concurrency 2";
#define PLAY(...) end_of_match(start_match("match " __VA_ARGS__))

static MatchOptions *options_of(int engine_nb, bool round_robin, i64 games)
{
    MatchOptions *options = calloc(1, sizeof *options);
    match_options_init(options);
    options->engine_nb = engine_nb;
    options->round_robin = round_robin;
    options->games = games;
    for (int i = 0; i < engine_nb; i++)
        snprintf(options->engine[i].name, sizeof options->engine[i].name, "E%d", i);
    return options;
}

static void add_game(MatchState *state, const MatchOptions *options, int pairing, i64 game, int points)
{
    GameEntry entry = {
        .pairing = pairing, .game = game, .points = points, .word = "mate", .fault_engine = -1};
    match_state_add(state, options, &entry);
}

// ---- pairings and tables ------------------------------------------------------------------------
static void check_pairings(void)
{
    CASE("tournament: each pair of engines is one pairing");
    for (int nb = 2; nb <= ENGINES_MAX; nb += nb < 8 ? 1 : 28) {
        MatchOptions *options = options_of(nb, true, 2);
        bool met[ENGINES_MAX][ENGINES_MAX] = {{false}};
        CHECK_INT(match_pairing_nb(options), nb * (nb - 1) / 2);
        for (int p = 1; p <= match_pairing_nb(options); p++) {
            int first, second;
            match_pairing(options, p, &first, &second);
            CHECK(first >= 0 && first < second && second < nb && !met[first][second]);
            met[first][second] = true;
        }
        options->round_robin = false;
        int first, second;
        match_pairing(options, nb - 1, &first, &second);
        CHECK(match_pairing_nb(options) == nb - 1 && first == 0 && second == nb - 1);
        free(options);
    }
}

static void check_ratings(void)
{
    CASE("tournament: ratings follow from all results, and the table from both views");
    MatchOptions *options = options_of(3, true, 40);
    MatchState *state = calloc(1, sizeof *state);
    Message error = {{0}};
    Standing standing[ENGINES_MAX];
    Tally tally;
    CHECK(match_state_init(state, options, &error));
    // E0 makes three quarters against E1 and E1 against E2, and nine tenths against E2: nearly what Elo
    // expects.
    for (int game = 0; game < 40; game++) {
        add_game(state, options, 1, game, game % 4 ? 2 : 0);  // E0 against E1
        add_game(state, options, 2, game, game % 10 ? 2 : 0); // E0 against E2
        add_game(state, options, 3, game, game % 4 ? 2 : 0);  // E1 against E2
    }
    CHECK_INT(match_standings(options, state, standing), 3);
    for (int i = 0; i < 3; i++)
        CHECK_INT(standing[i].engine, i);
    CHECK_THAT(fabs(standing[0].elo - standing[1].elo - 191) < 20, "%f", standing[0].elo - standing[1].elo);
    CHECK_THAT(fabs(standing[1].elo) < 10 && fabs(standing[0].elo + standing[2].elo) < 10, "%f",
               standing[1].elo);
    CHECK(match_between(options, state, 2, 0, &tally) && tally.win == 4 && tally.loss == 36);
    CHECK(match_between(options, state, 0, 2, &tally) && tally.win == 36 && tally_pairs(&tally) == 20);
    CHECK_INT(tally_games(&state->total[1]), 80);
    CHECK_THAT(state->total[1].win == 10 + 30, "%d", (int)state->total[1].win);
    CHECK(!match_between(options, state, 1, 1, &tally));
    match_state_free(state);
    free(state);
    free(options);
}

// ---- the page -----------------------------------------------------------------------------------
static void check_page(void)
{
    CASE("tournament: the page has tables and curves, and takes no name for markup");
    for (int nb = 2; nb <= 12; nb += 5) {
        MatchOptions *options = options_of(nb, nb > 2, 20);
        MatchState *state = calloc(1, sizeof *state);
        Message error = {{0}};
        Text page = {0};
        strcpy(options->engine[1].name, "<script>&");
        options->has_sprt = nb == 2;
        options->sprt = (Sprt){.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05};
        CHECK(match_state_init(state, options, &error));
        match_html(options, state, "interrupted", &page); // before the first game too
        CHECK(page.len && strstr(page.ptr, "</html>") && !strstr(page.ptr, "nan"));
        for (int p = 1; p <= match_pairing_nb(options); p++)
            for (int game = 0; game < 20; game++)
                add_game(state, options, p, game, (game * 7 + p) % 3);
        text_clear(&page);
        match_html(options, state, "finished", &page);
        CHECK(strstr(page.ptr, "&lt;script&gt;&amp;") && !strstr(page.ptr, "<script"));
        CHECK(strstr(page.ptr, "prefers-color-scheme:dark") && !strstr(page.ptr, "http"));
        CHECK(!strstr(page.ptr, "nan") && !strstr(page.ptr, ">inf"));
        CHECK_INT(strstr(page.ptr, "Cross table") != NULL, nb > 2);
        CHECK_INT(strstr(page.ptr, "The sequential test") != NULL, nb == 2);
        CHECK(count_of(page.ptr, "class=\"line\"") >= 1);
        text_free(&page);
        match_state_free(state);
        free(state);
        free(options);
    }
}

// ---- played -------------------------------------------------------------------------------------
static void check_round_robin(void)
{
    char json[PATH_BYTES], games[PATH_BYTES], html[PATH_BYTES];
    scratch_path("json", json);
    scratch_path("games", games);
    scratch_path("html", html);
    CASE("tournament: three engines, each against each, and again from its games file");
    for (int run = 0; run < 2; run++) {
        CHECK_INT(PLAY("%s --round-robin --engine '%s well' --name A --engine '%s illegal' --name B --engine "
                       "'%s well' --name C "
                       "--games 4 --json %s --html %s --games-file %s %s",
                       COMMON, behaves(), behaves(), behaves(), json, html, games, run ? "--resume" : ""),
                  0);
        CHECK(file_says(json, "\"first\":\"A\",\"opponent\":\"B\",\"games\":4,\"wins\":4"));
        CHECK(file_says(
            json, "\"first\":\"B\",\"opponent\":\"C\",\"games\":4,\"wins\":0,\"draws\":0,\"losses\":4"));
        CHECK(file_says(json, "\"illegal move\":8"));
        CHECK(file_says(json, "\"openings\":\"own\""));
        CHECK(file_says(html, "Cross table") && file_says(html, "illegal move 8"));
    }
    unlink(json);
    unlink(games);
    unlink(html);
}

// The games file without the lines that `keep` says no to.
static void write_part(const char *from, const char *to, int part)
{
    Text text = read_whole(from), out = {0};
    Span rest = text_span(&text), line;
    for (int i = 0; span_line(&rest, &line); i++)
        if (i == 0 || i % 2 == part)
            text_add(&out, "%.*s\n", (int)line.len, line.ptr);
    write_text(to, out.ptr);
    text_free(&text);
    text_free(&out);
}

static void check_merging(void)
{
    char whole[PATH_BYTES], part[2][PATH_BYTES], first[PATH_BYTES], second[PATH_BYTES];
    char engines[4096];
    scratch_path("whole", whole);
    scratch_path("part0", part[0]);
    scratch_path("part1", part[1]);
    scratch_path("first", first);
    scratch_path("second", second);
    snprintf(engines, sizeof engines, "--engine '%s well' --name A --engine '%s illegal' --name B --games 8",
             behaves(), behaves());
    CASE("tournament: the games files of two machines make one match");
    CHECK_INT(PLAY("%s %s --games-file %s --json %s", COMMON, engines, whole, first), 0);
    write_part(whole, part[0], 0);
    write_part(whole, part[1], 1);
    CHECK_INT(PLAY("%s %s --merge %s --merge %s --report-only --json %s", COMMON, engines, part[0], part[1],
                   second),
              0);
    CHECK(file_says(second, "\"games\":8,\"wins\":8") && file_says(second, "\"end\":\"finished\""));
    CASE("tournament: a part is told as a part, a game in two files counts once, and the rest can be played");
    CHECK_INT(PLAY("%s %s --merge %s --report-only --json %s", COMMON, engines, part[0], second), 0);
    CHECK(file_says(second, "\"games\":4,") && file_says(second, "\"end\":\"reported\""));
    CHECK_INT(
        PLAY("%s %s --merge %s --merge %s --report-only --json %s", COMMON, engines, part[0], whole, second),
        0);
    CHECK(file_says(second, "\"games\":8,"));
    CHECK_INT(PLAY("%s %s --games-file %s --resume --merge %s --json %s", COMMON, engines, part[1], part[0],
                   second),
              0);
    CHECK(file_says(second, "\"games\":8,"));
    CASE("tournament: a file of another match, and one that is not there, are refused");
    CHECK_INT(PLAY("%s %s --seed 2 --merge %s --report-only", COMMON, engines, whole), 1);
    CHECK_INT(PLAY("%s %s --merge /no/such/file --report-only", COMMON, engines), 1);
    CHECK_INT(PLAY("%s %s --report-only", COMMON, engines), 2);
    CHECK_INT(PLAY("%s %s --games-file %s --merge %s", COMMON, engines, whole, whole), 2);
    unlink(whole);
    unlink(part[0]);
    unlink(part[1]);
    unlink(first);
    unlink(second);
}

void test_tournament(void)
{
    check_pairings();
    check_ratings();
    check_page();
    check_round_robin();
    check_merging();
}
