// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on positions set up by hand: each fault has its sentence, and what is allowed comes back in the
// usual form.
#include "games/notation.h"
#include "helpers.h"

// `text` is the position that comes back; NULL when it is not legal. `note` is part of the sentence; "" for
// none.
typedef struct Row {
    const char *given, *text, *note;
} Row;

static const Row CHESS[] = {
    {GAME_START, GAME_START, ""},
    {"8/8/8/8/8/8/8/K1k5 w", "8/8/8/8/8/8/8/K1k5 w - - 0 1", "By the rules the game is over here."},
    {"4k3/8/8/8/8/8/4P3/4K3 w", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ""},
    {"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Castling right Q dropped"},
    {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Black has no legal move"},
    {"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "Black is mated"},
    {"4k3/8/8/8/8/8/8/4KK2 w - - 0 1", NULL, "White has 2 kings."},
    {"4k3/8/8/8/8/8/8/8 w - - 0 1", NULL, "White has 0 kings."},
    {"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", NULL, "Black is in check, but it is White to move."},
    {"4k2P/8/8/8/8/8/8/4K3 w - - 0 1", NULL, "White has a pawn on the first or the last rank."},
    {"4k3/8/8/8/8/8/8/p3K3 w - - 0 1", NULL, "Black has a pawn on the first or the last rank."},
    {"4k3/8/8/8/8/PPPPPPPP/P7/4K3 w - - 0 1", NULL, "White has 9 pawns."},
    {"4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1", NULL, "more pieces than promotions allow"},
    {"8/8/8/8/8/8/4k3/4K3 w - - 0 1", NULL, "The kings stand next to each other."},
    {"4k3/8/8/8/8/3n1n2/8/r3K3 w - - 0 1", NULL, "in check from 3 pieces at once"},
    {"4k3/8/8/8/8/8/4K3 w - - 0 1", NULL, "7 ranks, not 8."},
    {"4k4/8/8/8/8/8/8/4K3 w - - 0 1", NULL, "Rank 8 has"},
    {"4k3/8/8/8/8/8/8/4K3 x - - 0 1", NULL, "Side to move: 'x' is neither w nor b."},
    {"4k3/8/8/8/8/8/8/4K3", NULL, "No side to move"},
    {"", NULL, "Empty."},
    {"hello", NULL, "No side to move"},
};

static const Row SHOGI[] = {
    {GAME_START, GAME_START, ""},
    {"4k4/9/9/9/9/9/9/9/4K4 b", "4k4/9/9/9/9/9/9/9/4K4 b - 1", ""},
    {"4k4/9/9/9/9/9/9/9/4K4 w 2p3P 1", "4k4/9/9/9/9/9/9/9/4K4 w 3P2p 1", ""},
    {"4k4/9/4P4/9/9/9/9/9/9 b G2r 1", "4k4/9/4P4/9/9/9/9/9/9 b G2r 1", "Black has no king"},
    {"4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "White is mated"},
    {"9/9/9/9/9/9/9/9/9 b - 1", NULL, "There is no king on the board."},
    {"4k4/9/9/9/9/9/9/9/3KK4 b - 1", NULL, "Black has a second king in rank i."},
    {"4k4/9/9/9/9/4P4/4P4/9/4K4 b - 1", NULL, "Black has two pawns on file 5."},
    {"P3k4/9/9/9/9/9/9/9/4K4 b - 1", NULL, "The pawn on 9a could never move again."},
    {"4k4/9/9/9/9/9/9/9/l3K4 b - 1", NULL, "The lance on 9i could never move again."},
    {"4k4/N8/9/9/9/9/9/9/4K4 b - 1", NULL, "The knight on 9b could never move again."},
    {"4k4/9/9/9/9/9/9/9/4K4 b 19P 1", NULL, "19 of 'P', a set has 18."},
    {"4k4/rrr6/9/9/9/9/9/9/4K4 b - 1", NULL, "There are 3 rooks, a set has 2."},
    {"4k4/4G4/9/9/9/9/9/9/4K4 b - 1", NULL, "Black is to move but could take the king on 5a."},
    {"4k4/9/9/9/9/9/9/9/4K4 x - 1", NULL, "Side to move: 'x' is neither b nor w."},
    {"4k4/9/9/9/9/9/9/4K4 b - 1", NULL, "8 ranks, not 9."},
    {"4k4/9/9/9/9/9/9/9/4K4 b K 1", NULL, "'K' can't be in a hand."},
    {"", NULL, "No board."},
};

void test_setup(void)
{
    bool is_chess = strcmp(GAME_NAME, "chess") == 0;
    const Row *row = is_chess ? CHESS : SHOGI;
    size_t nb = is_chess ? sizeof CHESS / sizeof CHESS[0] : sizeof SHOGI / sizeof SHOGI[0];
    Rules rules = rules_default();
    CASE("positions set up by hand");
    for (size_t i = 0; i < nb; i++) {
        SetupVerdict verdict = setup_judge(span_of(row[i].given), &rules);
        CHECK_THAT(verdict.is_legal == (row[i].text != NULL), "'%s': %s", row[i].given, verdict.note.text);
        CHECK_TEXT(verdict.text, row[i].text ? row[i].text : "");
        if (row[i].note[0])
            CHECK_THAT(strstr(verdict.note.text, row[i].note) != NULL, "'%s': '%s', not '%s'", row[i].given,
                       verdict.note.text, row[i].note);
        else
            CHECK_TEXT(verdict.note.text, "");
        size_t len = strlen(verdict.note.text);
        CHECK(len == 0 || verdict.note.text[len - 1] == '.');
        CHECK(strstr(verdict.note.text, "FEN") == NULL);
    }
    CASE("what comes back is taken as it is");
    Rng rng = {9};
    for (int i = 0; i < 50; i++) {
        Position pos;
        if (!random_position(&rng, i, &pos))
            continue;
        char text[TEXT_MAX];
        pos_print(&pos, text);
        SetupVerdict verdict = setup_judge(span_of(text), &rules);
        CHECK(verdict.is_legal);
        CHECK_TEXT(verdict.text, text);
    }
}
