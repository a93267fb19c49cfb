// SPDX-License-Identifier: GPL-3.0-or-later
// Start positions drawn by lot: all of them come, each of them legal, with the rights to castle on both
// sides.
#include <stdlib.h>

#include "arena/match_options.h"
#include "games/notation.h"
#include "play.h"

static void check_drawn(const char *kind, bool sides_differ)
{
    CASE("starts: %s", kind);
    enum { DRAWS = 20000 };
    Rng rng = {5};
    static u8 seen[1 << 16];
    memset(seen, 0, sizeof seen);
    int rank_nb = 0, equal_nb = 0;
    for (int i = 0; i < DRAWS; i++) {
        char text[TEXT_MAX], again[TEXT_MAX];
        Rules rules = rules_default();
        Position pos;
        Message message = {{0}};
        CHECK(start_random(kind, &rng, &rules, text));
        CHECK(rules.chess960);
        CHECK_THAT(pos_set(&pos, span_of(text), &rules, &message) == SET_OK, "%s: %s", text, message.text);
        CHECK_INT(pos.castling, 15);
        pos_print(&pos, again);
        CHECK_TEXT(again, text);
        const char *white = strrchr(text, '/') + 1;
        u64 hash = 0;
        bool equal = true;
        for (int file = 0; file < 8; file++) {
            hash = hash_mix(hash ^ (u64)white[file]);
            equal &= text[file] == white[file] + 'a' - 'A';
        }
        equal_nb += equal;
        rank_nb += !seen[hash & 0xFFFF];
        seen[hash & 0xFFFF] = 1;
        // Bishops on squares of both colours, the king between the rooks.
        const char *bishop = strchr(white, 'B'), *king = strchr(white, 'K'), *rook = strchr(white, 'R');
        CHECK((strchr(bishop + 1, 'B') - bishop) % 2 == 1);
        CHECK(rook < king && strchr(rook + 1, 'R') > king);
    }
    // Of 960 ranks all come in so many draws; a few share a place of the small table.
    CHECK_THAT(rank_nb > 930 && rank_nb <= 960, "%d ranks", rank_nb);
    CHECK_THAT(sides_differ ? equal_nb < DRAWS / 100 : equal_nb == DRAWS, "%d with equal sides", equal_nb);
}

static void check_openings(void)
{
    CASE("starts: of the pairs of a match");
    Openings openings;
    Game opening = {0}, same = {0};
    Message error = {{0}};
    OpeningOptions options = {
        .start = "dfrc", .seed = 3, .rules = rules_default(), .even_cp = 60, .even_nodes = 300};
    Engine *judge = engine_new(1);
    CHECK(judge && openings_load(&openings, &options, &error));
    for (i64 pair = 0; pair < 5; pair++) {
        CHECK_THAT(openings_get(&openings, pair, judge, &opening, &error), "%s", error.text);
        CHECK(openings_get(&openings, pair, judge, &same, &error));
        CHECK(opening.start.rules.chess960 && opening.move_nb == 0);
        CHECK(pos_key(&opening.start) == pos_key(&same.start));
    }
    game_free(&opening);
    game_free(&same);
    openings_free(&openings);
    engine_free(judge);
    char *words[] = {"match", "--dfrc", "--nodes", "5", "--engine", "a", "--engine", "b", NULL};
    MatchOptions match;
    match_options_init(&match);
    int code;
    CHECK(match_options_read(&match, 8, words, &code));
    CHECK_TEXT(match.openings.start, "dfrc");
    CHECK_INT(match.openings.random_plies, 0);
    CHECK(match.rules.chess960 && match.openings.rules.chess960);
    CHECK_INT(match.common.rule_nb, 1); // which tells the engines
    u64 fingerprint = match_fingerprint(&match);
    match.openings.start = "chess960";
    CHECK(match_fingerprint(&match) != fingerprint);
    match_options_free(&match);
}

static void check_play(void)
{
    CASE("starts: in play");
    int code = -1;
    PlayOptions options = play_options_default();
    options.human[1] = true;
    options.seed = 4;
    options.start = "chess960";
    char *said = run("game\nnew\ngame\n", &options, &code);
    const char *first = strstr(said, "Position: "), *second = first ? strstr(first + 1, "Position: ") : NULL;
    CHECK_THAT(second && strncmp(first, second, 60) != 0, "%s", said); // new draws again
    CHECK_INT(code, 0);
    free(said);
    // The same king's step is a castling here only by the rules of Chess960.
    options.position = "4k3/8/8/8/8/8/8/R4KR1 w GA - 0 1";
    said = run("O-O\ngame\n", &options, &code);
    CHECK_THAT(strstr(said, "Position: 4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"), "%s", said);
    free(said);
}

void test_chess960(void)
{
    check_drawn("chess960", false);
    check_drawn("dfrc", true);
    CASE("starts: a kind that is none");
    Rng rng = {1};
    Rules rules = rules_default();
    char text[TEXT_MAX];
    CHECK(!start_random("nonsense", &rng, &rules, text) && !rules.chess960);
    check_openings();
    check_play();
}
