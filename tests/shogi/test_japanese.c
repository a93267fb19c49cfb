// SPDX-License-Identifier: GPL-3.0-or-later
// Moves as Japanese write them: which of several men is meant, by the official rule; every spelling that
// people type; and that whatever is written is read back. tests/japanese.sh compares with another program.
#include "games/notation.h"
#include "helpers.h"
#include "test.h"

// ---- writing ------------------------------------------------------------------------------------
static void expect_words(const char *sfen, const char *last, const char *usi, const char *words)
{
    CASE("%s: %s", words, usi);
    char text[MOVE_WORDS_MAX];
    Position before = position_of(sfen);
    Move last_move = last ? move_of(&before, last) : MOVE_NONE;
    const Position pos = last ? pos_after(&before, last_move) : before;
    Move move = move_of(&pos, usi);
    language_set(LANGUAGE_JAPANESE);
    move_print_words(&pos, last_move, move, language(), text);
    language_set(LANGUAGE_ENGLISH);
    CHECK_TEXT(text, words);
    CHECK_INT(move_parse_reply(&pos, last_move, span_of(text)), move);
}

// The cases of the rule: two men, then three and more, for each kind of man and for both sides.
static void test_rule(void)
{
    static const char TWO_GOLDS[] = "9/2G1G4/9/9/9/9/9/9/K8 b - 1",
                      SILVERS[] = "9/9/9/9/9/9/K8/2S1S4/9 b - 1", FOUR[] = "9/9/9/9/9/3S1S3/9/3S1S3/K8 b - 1",
                      UPWARD[] = "9/9/9/9/9/3S5/9/3SSS3/K8 b - 1",
                      TOKINS[] = "9/9/9/9/9/9/3+P1+P3/3+P+P+P3/K8 b - 1",
                      DRAGONS[] = "9/9/9/9/9/9/9/+R7+R/K8 b - 1", HORSES[] = "9/9/9/9/9/9/9/7+B+B/K8 b - 1",
                      TURNED[] = "8k/3g1g3/9/9/9/9/9/9/9 w - 1", HAND[] = "4k4/9/9/9/9/9/9/4G4/4K4 b GS 1";
    expect_words(TWO_GOLDS, NULL, "7b6a", "▲６一金左");
    expect_words(TWO_GOLDS, NULL, "5b6a", "▲６一金右");
    expect_words(TWO_GOLDS, NULL, "5b6b", "▲６二金右");
    expect_words(SILVERS, NULL, "7h6g", "▲６七銀左");
    expect_words(UPWARD, NULL, "5h5g", "▲５七銀直");
    expect_words(FOUR, NULL, "6h5g", "▲５七銀左上");
    expect_words(FOUR, NULL, "4h5g", "▲５七銀右上");
    expect_words(FOUR, NULL, "6f5g", "▲５七銀左引");
    expect_words(FOUR, NULL, "4f5g", "▲５七銀右引");
    expect_words(TOKINS, NULL, "6g5g", "▲５七と左寄");
    expect_words(TOKINS, NULL, "5h5g", "▲５七と直");
    expect_words(TOKINS, NULL, "4h5g", "▲５七と右上");
    expect_words(DRAGONS, NULL, "9h5h", "▲５八竜左");
    expect_words(HORSES, NULL, "1h1g", "▲１七馬右");
    expect_words(HORSES, NULL, "2h1g", "▲１七馬左");
    expect_words(TURNED, NULL, "6b5b", "△５二金右"); // as White sees it
    expect_words(TURNED, NULL, "4b5c", "△５三金左");
    expect_words(HAND, NULL, "G*5g", "▲５七金打");
    expect_words(HAND, NULL, "5h5g", "▲５七金");
    expect_words(HAND, NULL, "S*5g", "▲５七銀"); // no silver on the board
}

static void test_promotions(void)
{
    static const char FILE_2[] = "4k4/7r1/9/9/9/9/9/7R1/4K4 b - 1",
                      EXCHANGE[] = "4k2s1/7b1/9/9/9/9/9/1B7/4K4 b - 1";
    expect_words(FILE_2, NULL, "2h2b+", "▲２二飛成");
    expect_words(FILE_2, NULL, "2h2b", "▲２二飛不成");
    expect_words(FILE_2, NULL, "2h2d", "▲２四飛");
    expect_words(EXCHANGE, "8h2b+", "2a2b", "△同銀");
    expect_words(GAME_START, "7g7f", "3c3d", "△３四歩");
}

// ---- reading ------------------------------------------------------------------------------------
static void expect_typed(const char *sfen, const char *text, const char *usi)
{
    CASE("typed: %s", text);
    const Position pos = position_of(sfen);
    CHECK_INT(move_parse_human(&pos, span_of(text)), usi ? move_of(&pos, usi) : MOVE_NONE);
}

static void test_spellings(void)
{
    static const char *const SAME[] = {
        "▲７六歩", "７六歩",     "76歩",        "7六歩",          "七六歩",      "☗７６歩", "▲ 76歩",
        "▼７六歩", "先手７六歩", "▲７六歩(77)", "７六歩（７七）", " ７六　歩　", "7六歩兵"};
    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++)
        expect_typed(GAME_START, SAME[i], "7g7f");
    expect_typed(GAME_START, "△７六歩", NULL);
    expect_typed(GAME_START, "☖７六歩", NULL);
    expect_typed(GAME_START, "７六歩成", NULL);
    expect_typed(GAME_START, "７六歩(78)", NULL);
    expect_typed(GAME_START, "７六歩(7", NULL);
    expect_typed(GAME_START, "７六", NULL);
    expect_typed(GAME_START, "同歩", NULL);   // there is no move before
    expect_typed(GAME_START, "５八金", NULL); // two of them
    expect_typed(GAME_START, "５八金右", "4i5h");
    expect_typed(GAME_START, "５八王", "5i5h");
    expect_typed(GAME_START, "５八玉将", "5i5h");
    static const char MEN[] = "k8/2+L1+N1+S2/9/9/7+R+B/9/9/9/K8 b - 1";
    expect_typed(MEN, "７一杏", "7b7a");
    expect_typed(MEN, "７一成香", "7b7a");
    expect_typed(MEN, "５一圭", "5b5a");
    expect_typed(MEN, "３一全", "3b3a");
    expect_typed(MEN, "２一竜", "2e2a");
    expect_typed(MEN, "２一龍", "2e2a");
    expect_typed(MEN, "２一龍王", "2e2a");
    expect_typed(MEN, "１四馬", "1e1d");
    expect_typed("9/9/9/9/9/3S5/9/3S1S3/K8 b - 1", "５七銀上左", "6h5g"); // either order
    expect_typed("4k4/7r1/9/9/9/9/9/7R1/4K4 b - 1", "２二飛生", "2h2b");
    expect_typed("4k4/7r1/9/9/9/9/9/7R1/4K4 b - 1", "２二飛成らず", "2h2b");
    expect_typed("4k4/7r1/9/9/9/9/9/7R1/4K4 b - 1", "２二飛成り", "2h2b+");
    expect_typed("4k4/9/9/9/9/9/9/4G4/4K4 b G 1", "５七金打", "G*5g");
    expect_typed("4k4/9/9/9/9/9/9/4G4/4K4 b G 1", "４二金", "G*4b");
}

// ---- round trips --------------------------------------------------------------------------------
static void test_all_moves(void)
{
    CASE("whatever is written is read back");
    Rng rng = {21};
    language_set(LANGUAGE_JAPANESE);
    for (int game = 0; game < (test_is_light() ? 2 : 40); game++) {
        Position pos = position_of(GAME_START);
        Move last = MOVE_NONE, list[MAX_MOVES];
        for (int ply = 0; ply < 200; ply++) {
            int nb = (int)(gen_all(&pos, list) - list);
            for (int i = 0; i < nb && ply % 8 == 0; i++) {
                char words[MOVE_WORDS_MAX];
                move_print_words(&pos, last, list[i], language(), words);
                CHECK_THAT(move_parse_reply(&pos, last, span_of(words)) == list[i], "%s", words);
            }
            if (nb == 0)
                break;
            last = list[rng_below(&rng, (u32)nb)];
            pos = pos_after(&pos, last);
        }
    }
    language_set(LANGUAGE_ENGLISH);
}

static void test_lines(void)
{
    CASE("lines of moves");
    const Position pos = position_of(GAME_START);
    Position now = pos;
    static const char *const USI[] = {"7g7f", "3c3d", "8h2b+", "3a2b"};
    Move line[4];
    for (int i = 0; i < 4; i++) {
        line[i] = move_of(&now, USI[i]);
        now = pos_after(&now, line[i]);
    }
    Text text = {0};
    language_set(LANGUAGE_JAPANESE);
    line_print_from(&pos, line, 4, LINE_SPOKEN, &text);
    CHECK_TEXT(text.ptr, "▲７六歩 △３四歩 ▲２二角成 △同銀");
    text_clear(&text);
    line_print_from(&pos, line, 2, LINE_NUMBERED, &text);
    CHECK_TEXT(text.ptr, "1. P-7f P-3d");
    text_clear(&text);
    language_set(LANGUAGE_ENGLISH);
    line_print_from(&pos, line, 2, LINE_SPOKEN, &text);
    CHECK_TEXT(text.ptr, "1. P-7f P-3d");
    text_free(&text);
}

void test_japanese(void)
{
    test_rule();
    test_promotions();
    test_spellings();
    test_all_moves();
    test_lines();
}
