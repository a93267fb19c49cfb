// SPDX-License-Identifier: GPL-3.0-or-later
// Moves as people type them, and what they are told when a text is none.
#include "games/notation.h"
#include "helpers.h"

static void check_typed(const Game *game, const char *typed, const char *move)
{
    Message message = {""};
    Move got = move_parse_typed(game, span_of(typed), &message);
    char text[MOVE_TEXT_MAX];
    move_print(&game->pos, got, text);
    CHECK_THAT(got != MOVE_NONE && strcmp(text, move) == 0, "'%s' is %s, not %s: %s", typed, text, move,
               message.text);
}

static void check_refused(const Game *game, const char *typed, const char *words)
{
    Message message = {""};
    CHECK_THAT(move_parse_typed(game, span_of(typed), &message) == MOVE_NONE, "'%s' is taken", typed);
    check_has(message.text, words);
    CHECK(move_parse_typed(game, span_of(typed), NULL) == MOVE_NONE);
}

static void test_chess(void)
{
    CASE("spellings of chess");
    Game game = game_from("r3k2r/pPp2ppp/8/3pP3/8/8/PPP2PPP/R3K2R w KQkq d6 0 10", NULL);
    check_typed(&game, "O-O", "e1g1");
    check_typed(&game, "0-0", "e1g1");
    check_typed(&game, "oo", "e1g1");
    check_typed(&game, "o-o-o", "e1c1");
    check_typed(&game, "O-O-O", "e1c1");
    check_typed(&game, "e1g1", "e1g1");
    check_typed(&game, "e1h1", "e1g1");
    check_typed(&game, "exd6", "e5d6");
    check_typed(&game, "exd6 e.p.", "e5d6");
    check_typed(&game, "e5d6", "e5d6");
    check_typed(&game, "bxa8=Q", "b7a8q");
    check_typed(&game, "bxa8N", "b7a8n");
    check_typed(&game, "b8=R+", "b7b8r");
    check_typed(&game, "b7b8q", "b7b8q");
    check_typed(&game, "10. Rd1", "a1d1");
    check_typed(&game, "  10.Rd1!? ", "a1d1");
    check_typed(&game,
                "\xE2\x99\x96"
                "d1",
                "a1d1");
    CASE("what is no move, and what may have been meant");
    check_refused(&game, "Rd9", "Did you mean");
    check_refused(&game, "Rd9", "Rd1");
    check_refused(&game, "Nf3", "'Nf3' is no move here.");
    check_refused(&game, "", "Expected a move, such as");
    check_refused(&game, "hello world, this is nothing at all", "Expected a move, such as");
    check_refused(&game, "a\x01\x1B[31m", "'a??[31m' is no move here.");
    check_refused(&game, "同銀", "'同銀' is no move here.");
    game_free(&game);

    CASE("in check, and when the game is over");
    game = game_from("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", NULL);
    check_refused(&game, "Kd1xd9", "The king is in check.");
    game_free(&game);
    game = game_from("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", NULL);
    check_refused(&game, "Kg8", "There is no legal move: the game is over.");
    game_free(&game);
}

static void test_shogi(void)
{
    CASE("spellings of shogi");
    Game game = game_from(GAME_START, NULL);
    check_typed(&game, "7g7f", "7g7f");
    check_typed(&game, "P-7f", "7g7f");
    check_typed(&game, "P7f", "7g7f");
    check_typed(&game, "1. P-76", "7g7f");
    check_typed(&game, "７六歩", "7g7f");
    check_typed(&game, "▲７六歩", "7g7f");
    check_typed(&game, "☗７六歩", "7g7f");
    check_typed(&game, "76歩", "7g7f");
    check_typed(&game, "七六歩", "7g7f");
    check_typed(&game, "7六歩(77)", "7g7f");
    check_refused(&game, "△７六歩", "is no move here");
    check_refused(&game, "同歩", "is no move here");
    check_refused(&game, "５八金", "is no move here"); // either gold
    check_typed(&game, "５八金右", "4i5h");
    check_typed(&game, "５八金左", "6i5h");
    game_free(&game);
}

static void test_same(void)
{
    CASE("the same square is that of the move before");
    Game game = game_from(GAME_START, NULL);
    play_text(&game, "7g7f 3c3d 8h2b+");
    check_typed(&game, "同銀", "3a2b");
    check_typed(&game, "△同　飛", "8b2b");
    check_typed(&game, "同飛(82)", "8b2b");
    check_refused(&game, "同金", "is no move here");
    check_refused(&game, "S-7", "Did you mean");
    play_text(&game, "3a2b");
    check_typed(&game, "５五角打", "B*5e");
    check_typed(&game, "５五角", "B*5e");
    check_typed(&game, "B*55", "B*5e");
    check_typed(&game, "B'5e", "B*5e");
    game_free(&game);
}

// Which of several men: each row is a position, a text and the move.
static void test_disambiguation(void)
{
    static const char *const ROWS[][3] = {
        // three golds that go up, one straight
        {"4k4/9/9/9/9/9/9/3GGG3/4K4 b - 1", "５七金直", "5h5g"},
        {"4k4/9/9/9/9/9/9/3GGG3/4K4 b - 1", "５七金右", "4h5g"},
        {"4k4/9/9/9/9/9/9/3GGG3/4K4 b - 1", "５七金左", "6h5g"},
        // up, sideways, back
        {"4k4/9/9/9/9/5S3/9/3S5/4K4 b - 1", "５七銀", ""},
        {"4k4/9/9/9/9/5S3/9/3S5/4K4 b - 1", "５七銀上", "6h5g"},
        {"4k4/9/9/9/9/5S3/9/3S5/4K4 b - 1", "５七銀引", "4f5g"},
        {"4k4/9/9/9/9/9/3G5/4G4/4K4 b - 1", "５七金寄", "6g5g"},
        {"4k4/9/9/9/9/9/3G5/4G4/4K4 b - 1", "５七金上", "5h5g"},
        {"4k4/9/9/9/9/9/3G5/4G4/4K4 b - 1", "５七金直", "5h5g"},
        // two of the same motion and side need both signs
        {"4k4/9/9/9/3S1S3/9/3S1S3/9/4K4 b - 1", "５六銀右上", "4g5f"},
        {"4k4/9/9/9/3S1S3/9/3S1S3/9/4K4 b - 1", "５六銀左引", "6e5f"},
        {"4k4/9/9/9/3S1S3/9/3S1S3/9/4K4 b - 1", "５六銀右", ""},
        {"4k4/9/9/9/3S1S3/9/3S1S3/9/4K4 b - 1", "５六銀上", ""},
        // dragons: right and left of each other, also when one goes straight
        {"3k5/9/9/9/9/9/9/3K4+R/4+R4 b - 1", "５八竜右", "1h5h"},
        {"3k5/9/9/9/9/9/9/3K4+R/4+R4 b - 1", "５八龍左", "5i5h"},
        // White sees the board from the other side
        {"4k4/3g1g3/9/9/9/9/9/9/4K4 w - 1", "△５三金右", "6b5c"},
        {"4k4/3g1g3/9/9/9/9/9/9/4K4 w - 1", "△５三金左", "4b5c"},
        {"4k4/3g5/5g3/9/9/9/9/9/4K4 w - 1", "５三金寄", "4c5c"},
        {"4k4/3g5/5g3/9/9/9/9/9/4K4 w - 1", "５三金上", "6b5c"},
        // promotions: said, refused, of what can and what cannot
        {"4k4/9/9/2P6/9/9/9/9/4K4 b - 1", "７三歩成", "7d7c+"},
        {"4k4/9/9/2P6/9/9/9/9/4K4 b - 1", "７三歩不成", "7d7c"},
        {"4k4/9/9/2P6/9/9/9/9/4K4 b - 1", "７三歩", "7d7c"},
        {"4k4/9/9/9/9/2+S6/9/9/4K4 b - 1", "７五成銀", "7f7e"},
        {"4k4/9/9/9/9/2+S6/9/9/4K4 b - 1", "７五全", "7f7e"},
        {"4k4/9/9/9/9/2+N6/9/9/4K4 b - 1", "７五圭", "7f7e"},
        {"4k4/9/9/9/9/2+L6/9/9/4K4 b - 1", "７五杏", "7f7e"},
        {"4k4/9/9/9/9/2+P6/9/9/4K4 b - 1", "７五と", "7f7e"},
        {"4k4/9/9/9/9/2+B6/9/9/4K4 b - 1", "７五馬", "7f7e"},
        {"4k4/9/9/9/9/9/9/9/4K4 b - 1", "４九王", "5i4i"},
        {"4k4/9/9/9/9/9/9/9/4K4 b - 1", "４九玉", "5i4i"},
        // a drop where a man could go as well
        {"4k4/9/9/9/9/9/9/4G4/4K4 b G 1", "５七金打", "G*5g"},
        {"4k4/9/9/9/9/9/9/4G4/4K4 b G 1", "５七金", "5h5g"},
        {"4k4/9/9/9/9/9/9/4G4/4K4 b G 1", "５五金", "G*5e"},
        {"4k4/9/9/9/9/9/9/4G4/4K4 b G 1", "５五金上", ""},
    };
    CASE("which of several men is meant");
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        Game game = game_from(ROWS[i][0], NULL);
        if (ROWS[i][2][0])
            check_typed(&game, ROWS[i][1], ROWS[i][2]);
        else
            check_refused(&game, ROWS[i][1], "is no move here");
        game_free(&game);
    }
}

void test_typed(void)
{
    if (strcmp(GAME_NAME, "chess") == 0) {
        test_chess();
        return;
    }
    test_shogi();
    test_same();
    test_disambiguation();
}
