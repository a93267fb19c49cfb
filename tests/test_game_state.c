// SPDX-License-Identifier: GPL-3.0-or-later
// A game played, taken back, copied and continued under other rules, and lines of moves as text.
#include "games/game_state.h"

#include "games/notation.h"
#include "games/words.h"
#include "helpers.h"

// What differs between the games: moves that come back to where they began, and texts of a line.
static const struct {
    const char *name;
    const char *circle; // four plies, after which the position has come back
    int circles_to_end; // after so many it has come back often enough to end the game
    const char *check;  // a position whose side to move is in check
    const char *opening, *human, *numbered, *numbered_second; // a line of three plies; from its second ply on
} GAMES[] = {
    {"chess", "g1f3 g8f6 f3g1 f6g8", 2, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e2e4 e7e5 g1f3", "e4 e5 Nf3",
     "1. e4 e5 2. Nf3", "1... e5 2. Nf3"},
    {"shogi", "2h3h 8b7b 3h2h 7b8b", 3, "4k4/9/9/9/9/9/9/4r4/4K4 b - 1", "7g7f 3c3d 2g2f", "P-7f P-3d P-2f",
     "1. P-7f P-3d 2. P-2f", "1... P-3d 2. P-2f"},
};

static int this_game(void) { return strcmp(GAMES[0].name, GAME_NAME) == 0 ? 0 : 1; }

static void check_same(const Game *a, const Game *b)
{
    char text_a[TEXT_MAX], text_b[TEXT_MAX];
    pos_print(&a->pos, text_a);
    pos_print(&b->pos, text_b);
    CHECK_TEXT(text_a, text_b);
    CHECK(pos_key(&a->pos) == pos_key(&b->pos) && pos_is_ok(&a->pos));
    CHECK_INT(a->move_nb, b->move_nb);
    CHECK_INT(a->keys.count, b->keys.count);
    CHECK(a->move_nb == 0 || memcmp(a->move, b->move, (size_t)a->move_nb * sizeof *a->move) == 0);
    Verdict verdict_a = game_verdict(a), verdict_b = game_verdict(b);
    CHECK(verdict_a.outcome == verdict_b.outcome && verdict_a.reason == verdict_b.reason);
}

static void start_game(Game *game)
{
    Rules rules = rules_default();
    CHECK_INT(game_set(game, span_of("startpos"), &rules, NULL), SET_OK);
}

static bool play_random_move(Game *game, Rng *rng)
{
    Move move = random_move(&game->pos, rng);
    return move != MOVE_NONE && game_play(game, move);
}

static void test_walks(void)
{
    CASE("moves played and taken back");
    Rng rng = {11};
    for (int round = 0; round < 20; round++) {
        Game game = {0}, half = {0};
        start_game(&game);
        for (int ply = 0; ply < 60 && play_random_move(&game, &rng); ply++)
            if (ply == 29)
                CHECK(game_copy(&half, &game));
        CHECK_INT(game.keys.count, game.move_nb);
        if (half.move_nb) {
            game_undo(&game, game.move_nb - half.move_nb);
            check_same(&game, &half);
        }
        game_undo(&game, 1000);
        CHECK(game.move_nb == 0 && game.keys.count == 0 && pos_key(&game.pos) == pos_key(&game.start));
        game_free(&game);
        game_free(&half);
    }
    CASE("pos_after leaves the position alone");
    Game game = {0};
    start_game(&game);
    u64 key = pos_key(&game.pos);
    Move list[MAX_MOVES];
    gen_all(&game.pos, list);
    Position after = pos_after(&game.pos, list[0]), passed = pos_after(&game.pos, MOVE_NULL);
    CHECK(pos_key(&game.pos) == key && pos_key(&after) != key && pos_key(&passed) != key);
    CHECK(pos_side(&after) == 1 && pos_side(&passed) == 1 && pos_is_ok(&after) && pos_is_ok(&passed));
    game_free(&game);
}

static void test_texts(void)
{
    const char *circle = GAMES[this_game()].circle;
    Game game = {0}, same = {0};
    Message message = {0};
    CASE("moves as text: all or none");
    start_game(&game);
    CHECK(game_play_text(&game, span_of(circle), &message) == PLAY_DONE);
    CHECK_INT(game.move_nb, 4);
    CHECK(game_copy(&same, &game));
    Text bad = {0};
    text_add(&bad, "%s xyzzy", circle);
    CHECK(game_play_text(&game, text_span(&bad), &message) == PLAY_ILLEGAL);
    CHECK_TEXT(message.text, "move 9, 'xyzzy', is not legal there");
    check_same(&game, &same);
    text_free(&bad);

    CASE("a pass, and none in check");
    CHECK(game_play_text(&game, span_of(PROTOCOL_WORDS.pass), &message) == PLAY_DONE);
    CHECK(game.move[4] == MOVE_NULL && pos_side(&game.pos) == 1);
    game_undo(&game, 1);
    check_same(&game, &same);
    Rules rules = rules_default();
    CHECK(game_set(&game, span_of(GAMES[this_game()].check), &rules, &message) != SET_REJECTED);
    CHECK(game_play_text(&game, span_of(PROTOCOL_WORDS.pass), &message) == PLAY_ILLEGAL);
    CHECK(strstr(message.text, "check") && strstr(message.text, "move 1"));
    CHECK_INT(game.move_nb, 0);

    CASE("a text that is no position changes nothing");
    start_game(&game);
    CHECK(game_play_text(&game, span_of(circle), &message) == PLAY_DONE);
    CHECK_INT(game_set(&game, span_of("nonsense"), &rules, &message), SET_REJECTED);
    CHECK(message.text[0] != '\0');
    check_same(&game, &same);

    CASE("the same game under other rules");
    CHECK(game_play_text(&game, span_of(PROTOCOL_WORDS.pass), &message) == PLAY_DONE);
    CHECK(game_copy(&same, &game));
    CHECK(game_change_rules(&game, &rules, &message));
    check_same(&game, &same);
    game_free(&game);
    game_free(&same);
}

static void test_repetitions(void)
{
    const char *circle = GAMES[this_game()].circle;
    int circles = GAMES[this_game()].circles_to_end;
    Game game = {0};
    Message message = {0};
    CASE("a repetition ends the game when the position has come back often enough");
    start_game(&game);
    for (int i = 0; i < circles; i++) {
        CHECK_INT(game_verdict(&game).outcome, OUTCOME_NONE);
        CHECK(game_play_text(&game, span_of(circle), &message) == PLAY_DONE);
    }
    CHECK_INT(game_verdict(&game).outcome, OUTCOME_DRAW);
    CHECK_INT(game_verdict(&game).reason, REASON_REPETITION);

    CASE("not when the keys were cut on the way");
    start_game(&game);
    CHECK(game_play_text(&game, span_of(circle), &message) == PLAY_DONE);
    game_cut_keys(&game);
    CHECK_INT(game.keys.count, 0);
    for (int i = 1; i < circles; i++)
        CHECK(game_play_text(&game, span_of(circle), &message) == PLAY_DONE);
    CHECK_INT(game_verdict(&game).outcome, OUTCOME_NONE);
    game_undo(&game, 1);
    CHECK_INT(game.keys.count, 4 * (circles - 1) - 1);
    CHECK(game_change_rules(&game, &game.pos.rules, &message));
    CHECK_INT(game.keys.count, 4 * (circles - 1) - 1);
    game_undo(&game, 1000);
    CHECK(game.keys.count == 0 && game.move_nb == 0);
    game_free(&game);
}

static void check_line(const Game *game, bool has_past, const Move *line, int nb, LineStyle style,
                       const char *expected)
{
    Text text = {0};
    if (has_past)
        line_print(game, line, nb, style, &text);
    else
        line_print_from(&game->pos, line, nb, style, &text);
    CHECK_TEXT(text.len ? text.ptr : "", expected);
    text_free(&text);
}

static void test_lines(void)
{
    int index = this_game();
    const char *opening = GAMES[index].opening, *human = GAMES[index].human;
    Game game = {0};
    Message message = {0};
    Move line[8];
    start_game(&game);
    CHECK(game_play_text(&game, span_of(opening), &message) == PLAY_DONE);
    memcpy(line, game.move, 3 * sizeof line[0]);
    game_undo(&game, 3);
    CASE("a line in every style");
    check_line(&game, true, line, 3, (LineStyle){0}, opening);
    check_line(&game, false, line, 3, (LineStyle){0}, opening);
    check_line(&game, true, line, 3, (LineStyle){.is_human = true}, human);
    check_line(&game, true, line, 3, (LineStyle){.is_human = true, .is_numbered = true},
               GAMES[index].numbered);
    check_line(&game, true, line, 0, (LineStyle){0}, "");
    Text json = {0};
    Span rest = span_of(opening);
    for (Span word; (word = span_word(&rest)).len;)
        text_add(&json, "%s\"%.*s\"", json.len ? "," : "", (int)word.len, word.ptr);
    check_line(&game, true, line, 3, (LineStyle){.is_json = true}, json.ptr);
    text_free(&json);
    CHECK(game_play(&game, line[0]));
    check_line(&game, true, line + 1, 2, (LineStyle){.is_human = true, .is_numbered = true},
               GAMES[index].numbered_second);
    game_undo(&game, 1);

    CASE("no more bytes than there is room for, and whole words");
    char shorter[64] = "";
    span_copy((Span){opening, strlen(opening) - 5}, shorter, sizeof shorter); // without the last move
    check_line(&game, true, line, 3, (LineStyle){.max_bytes = strlen(opening)}, opening);
    check_line(&game, true, line, 3, (LineStyle){.max_bytes = strlen(opening) - 1}, shorter);
    check_line(&game, true, line, 3, (LineStyle){.max_bytes = 1}, "");

    CASE("a line ends before what is no move");
    check_line(&game, true, (Move[]){line[0], line[1], line[1], line[2]}, 4, (LineStyle){0}, shorter);
    check_line(&game, false, (Move[]){line[0], line[1], MOVE_NONE}, 3, (LineStyle){0}, shorter);
    check_line(&game, false, (Move[]){line[0], line[1], MOVE_WIN}, 3, (LineStyle){0}, shorter);
    check_line(&game, true, (Move[]){MOVE_NULL}, 1, (LineStyle){0}, "");
    game_free(&game);
}

static void test_line_end(void)
{
    const char *circle = GAMES[this_game()].circle;
    int circles = GAMES[this_game()].circles_to_end;
    Game game = {0};
    Message message = {0};
    Move line[8];
    Text twice = {0};
    CASE("a line ends where the game would");
    start_game(&game);
    for (int i = 0; i < circles; i++)
        CHECK(game_play_text(&game, span_of(circle), &message) == PLAY_DONE);
    memcpy(line, game.move, 4 * sizeof line[0]);
    memcpy(line + 4, line, 4 * sizeof line[0]);
    game_undo(&game, 4);
    text_add(&twice, "%s %s", circle, circle);
    int keys = game.keys.count;
    check_line(&game, true, line, 8, (LineStyle){0}, circle);
    CHECK_INT(game.keys.count, keys);
    CASE("and goes on where the game before is not known");
    check_line(&game, false, line, 8, (LineStyle){0}, twice.ptr);
    text_free(&twice);
    game_free(&game);
}

static void test_numbers(void)
{
    static const char *const NUMBERS[][2] = {
        {"12. Nf3", "Nf3"}, {"12.Nf3", "Nf3"}, {"12...Nf6", "Nf6"}, {"12.", ""}, {"12", "12"},
        {"Nf3", "Nf3"},     {"", ""}};
    CASE("move numbers before what people type");
    for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++) {
        char out[16];
        CHECK(span_copy(move_number_skip(span_of(NUMBERS[i][0])), out, sizeof out));
        CHECK_TEXT(out, NUMBERS[i][1]);
    }
}

void test_game_state(void)
{
    test_walks();
    test_texts();
    test_repetitions();
    test_lines();
    test_line_end();
    test_numbers();
}
