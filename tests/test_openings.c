// SPDX-License-Identifier: GPL-3.0-or-later
// Where the games of a match begin: lines and recorded games of a file, their order, and chance.
#include <stdlib.h>
#include <unistd.h>

#include "arena/openings.h"
#include "games/record.h"
#include "games/words.h"
#include "helpers.h"

static OpeningOptions opening_options(const char *file)
{
    return (OpeningOptions){.file = file,
                            .plies = 16,
                            .random_plies = 8,
                            .even_cp = 150,
                            .even_nodes = 500,
                            .seed = 7,
                            .rules = rules_default()};
}

static void check_opening_files(void)
{
    CASE("openings: from lines");
    char path[PATH_BYTES], text[TEXT_MAX * 2 + 256], first[MOVE_TEXT_MAX];
    scratch_path("openings", path);
    Position start = position_of(GAME_START);
    Game opening = {0};
    Move list[MAX_MOVES];
    gen_all(&start, list);
    move_print(&start, list[0], first);
    snprintf(text, sizeof text,
             "# a comment\n%s\nstartpos moves %s\r\n\nthis is no position\n%s moves %s\nstartpos moves "
             "1a1a\nstartpos moves %s\n",
             GAME_START, first, GAME_START, first, PROTOCOL_WORDS.pass);
    write_text(path, text);
    Openings openings;
    Message error = {{0}};
    OpeningOptions options = opening_options(path);
    CHECK_THAT(openings_load(&openings, &options, &error), "%s", error.text);
    CHECK_INT(openings.count, 3);
    CHECK_INT(openings.refused_nb, 3);
    CHECK_THAT(strstr(openings.refused.text, "line 5") == openings.refused.text, "%s", openings.refused.text);
    int plies = 0;
    for (int pair = 0; pair < 3; pair++) { // all of them, in whatever order
        CHECK(openings_get(&openings, pair, NULL, &opening, &error));
        plies += opening.move_nb;
    }
    CHECK_INT(plies, 2);
    openings_free(&openings);
    options.sequential = true;
    CHECK(openings_load(&openings, &options, &error));
    CHECK(openings_get(&openings, 3, NULL, &opening, &error) && opening.move_nb == 0); // begins again
    CHECK(openings_get(&openings, 4, NULL, &opening, &error) && opening.move_nb == 1);
    openings_free(&openings);
    write_text(path, "nothing here\n");
    CHECK(!openings_load(&openings, &options, &error));
    options.file = "/no/such/file";
    CHECK(!openings_load(&openings, &options, &error));
    game_free(&opening);
    unlink(path);
}

static void check_opening_records(void)
{
    CASE("openings: from recorded games");
    char path[PATH_BYTES];
    scratch_path("openings", path);
    Position start = position_of(GAME_START), pos = start;
    Record record = {.start = start};
    Game opening = {0};
    Openings openings;
    OpeningOptions options = opening_options(path);
    Message error = {{0}};
    Move list[MAX_MOVES];
    for (int i = 0; i < 20; i++) {
        gen_all(&pos, list);
        CHECK(record_add_move(&record, list[0], NULL));
        play_move(&pos, list[0]);
    }
    Text games = {0};
    CHECK(record_write(&record, NULL, &games));
    CHECK(record_write(&record, NULL, &games));
    write_text(path, games.ptr);
    CHECK_THAT(openings_load(&openings, &options, &error), "%s", error.text);
    CHECK_INT(openings.count, 2);
    CHECK(openings_get(&openings, 1, NULL, &opening, &error));
    CHECK_INT(opening.move_nb, 16);
    for (int i = 0; i < opening.move_nb; i++)
        CHECK_INT(opening.move[i], record.move[i].move);
    game_free(&opening);
    openings_free(&openings);
    text_free(&games);
    record_free(&record);
    unlink(path);
}

static void check_opening_order(void)
{
    CASE("openings: every opening once before any comes again");
    char path[PATH_BYTES];
    enum { NB = 37 };
    scratch_path("order", path);
    Text text = {0};
    for (int i = 0; i < NB; i++) { // told apart by the number of moves to go back and forth
        text_add(&text, "startpos%s", i ? " moves" : "");
        Position pos = position_of(GAME_START);
        for (int ply = 0; ply < i; ply++) {
            Move list[MAX_MOVES];
            char move[MOVE_TEXT_MAX];
            int nb = (int)(gen_all(&pos, list) - list);
            Move chosen = list[(ply * 7 + 3) % nb];
            move_print(&pos, chosen, move);
            text_add(&text, " %s", move);
            play_move(&pos, chosen);
        }
        text_add(&text, "\n");
    }
    write_text(path, text.ptr);
    Openings openings;
    Game opening = {0};
    Message error = {{0}};
    OpeningOptions options = opening_options(path);
    CHECK_THAT(openings_load(&openings, &options, &error), "%s", error.text);
    int order[2][NB], moved = 0;
    for (int pass = 0; pass < 2; pass++) {
        bool seen[NB] = {0};
        for (int i = 0; i < openings.count; i++) {
            CHECK(openings_get(&openings, pass * openings.count + i, NULL, &opening, &error));
            CHECK_THAT(!seen[opening.move_nb], "opening %d comes twice", opening.move_nb);
            seen[opening.move_nb] = true;
            order[pass][i] = opening.move_nb;
            moved += pass == 0 && opening.move_nb != i;
        }
    }
    CHECK(moved > NB / 2);
    CHECK(memcmp(order[0], order[1], sizeof order[0]) != 0);
    game_free(&opening);
    openings_free(&openings);
    text_free(&text);
    unlink(path);
}

static void check_random_openings(void)
{
    CASE("openings: random ones follow from seed and pair");
    Openings openings;
    Game a = {0}, b = {0};
    Message error = {{0}};
    OpeningOptions options = opening_options(NULL);
    CHECK(openings_load(&openings, &options, &error));
    Engine *judge = engine_new(1);
    CHECK(openings_get(&openings, 3, judge, &a, &error));
    CHECK(openings_get(&openings, 4, judge, &b, &error));
    CHECK(a.move_nb == 8 && b.move_nb == 8 && memcmp(a.move, b.move, 8 * sizeof a.move[0]) != 0);
    CHECK(openings_get(&openings, 3, judge, &b, &error)); // whatever was judged before
    CHECK(memcmp(a.move, b.move, 8 * sizeof a.move[0]) == 0);
    engine_new_game(judge);
    SearchResult result = search_of(judge, &a.pos, (Limits){.nodes = 500}, NULL);
    CHECK_THAT(abs(result.score) <= 150, "%d", result.score);
    game_free(&a);
    game_free(&b);
    engine_free(judge);
    openings_free(&openings);
}

// The balanced openings in the program: what scripts/openings.py promises of each.
static void check_own_openings(void)
{
    enum { NODES = 5000, EVEN = 250, LEAST = 200, SHARE = 8 };
    OpeningOptions options = {.is_own = true, .sequential = true, .seed = 1, .rules = rules_default()};
    Openings openings;
    Message error = {{0}};
    Engine *judge = engine_new(1);
    Game game = {0};
    CASE("openings: our own are many, legal, different and even");
    CHECK_THAT(openings_load(&openings, &options, &error), "%s", error.text);
    CHECK_INT(openings.refused_nb, 0);
    CHECK_THAT(openings.count >= LEAST, "%d", openings.count);
    u64 *key = calloc((size_t)openings.count + 1, sizeof *key);
    CHECK(key != NULL);
    int to_move[SIDE_NB] = {0};
    for (int i = 0; key && i < openings.count; i++) {
        CHECK_THAT(openings_get(&openings, i, NULL, &game, &error), "%d: %s", i, error.text);
        CHECK_THAT(game.move_nb >= 8 && game.move_nb <= 12, "%s", OPENING_LINES[i]);
        key[i] = pos_key(&game.pos);
        for (int j = 0; j < i; j++)
            CHECK_THAT(key[j] != key[i], "%s and %s", OPENING_LINES[j], OPENING_LINES[i]);
        to_move[pos_side(&game.pos)]++;
        if (test_is_light() && i % SHARE)
            continue;
        CHECK_THAT(opening_is_even(&game, judge, NODES, EVEN), "%s", OPENING_LINES[i]);
    }
    CHECK(to_move[0] > openings.count / 5 && to_move[1] > openings.count / 5);
    free(key);
    game_free(&game);
    engine_free(judge);
    openings_free(&openings);
}

void test_openings(void)
{
    check_own_openings();
    check_opening_files();
    check_opening_records();
    check_opening_order();
    check_random_openings();
}
