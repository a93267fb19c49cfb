// SPDX-License-Identifier: GPL-3.0-or-later
// Names of chess openings: other orders of moves, what comes after the last name, and starts without names.
#include "games/notation.h"
#include "helpers.h"

static void check_name(const char *start, const Rules *rules, const char *moves, const char *code,
                       const char *name, int ply)
{
    Game game = game_from(start, rules);
    Opening opening = {0};
    play_text(&game, moves);
    bool has_name = opening_name(&game, &opening);
    CHECK_THAT(has_name == (name[0] != '\0'), "%s: %s", moves, opening.name);
    CHECK_TEXT(opening.name, name);
    CHECK_TEXT(opening.code, code);
    CHECK_INT(opening.ply, ply);
    game_free(&game);
}

void test_chess_names(void)
{
    CASE("the usual order, and others that lead to the same position");
    check_name(GAME_START, NULL, "e2e4 e7e5 g1f3 b8c6 f1c4", "C50", "Italian Game", 5);
    check_name(GAME_START, NULL, "g1f3 b8c6 e2e4 e7e5 f1c4", "C50", "Italian Game", 5);
    check_name(GAME_START, NULL, "d2d4 d7d5 c2c4", "D06", "Queen's Gambit", 3);
    check_name(GAME_START, NULL, "c2c4 d7d5 d2d4", "D06", "Queen's Gambit", 3);

    CASE("the last name stays when the game goes on without one");
    check_name(GAME_START, NULL, "e2e4 e7e5 g1f3 b8c6 f1c4 h7h5 h2h4 a7a5 a2a4", "C50", "Italian Game", 5);

    CASE("a position from the middle of an opening has its name, and goes on");
    check_name("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", NULL, "f1c4", "C50",
               "Italian Game", 1);
    check_name("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", NULL, "", "C50",
               "Italian Game", 0);

    CASE("castling rights and whose move it is belong to the position");
    check_name("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b kq - 3 3", NULL, "", "", "", 0);
    check_name("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 3 3", NULL, "", "", "", 0);

    CASE("Chess960 has no names, but for the start of ordinary chess");
    Rules free_rules = {.chess960 = true};
    check_name("bqnrkbnr/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBNR w HDhd - 0 1", &free_rules, "e2e4 e7e5", "", "",
               0);
    check_name("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w HAha - 2 3", &free_rules, "f1c4", "",
               "", 0);
    check_name(GAME_START, &free_rules, "e2e4 e7e5 g1f3 b8c6 f1c4", "C50", "Italian Game", 5);

    CASE("a pass is no move of an opening");
    check_name(GAME_START, NULL, "e2e4 0000", "B00", "King's Pawn Game", 1);

    CASE("names that are not ASCII are whole");
    check_name(GAME_START, NULL, "h2h4", "A00", "Kádas Opening", 1);

    CASE("there are no castles of this kind in chess");
    Opening castle = {.name = "old"};
    Position pos = position_of(GAME_START);
    CHECK(!castle_name(&pos, 0, &castle));
    CHECK_TEXT(castle.name, "");
}
