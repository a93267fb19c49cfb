// SPDX-License-Identifier: GPL-3.0-or-later
// Repetition inside a search and in the game, the fifty-move rule with mate going first, dead positions,
// stalemate; and the table of upcoming repetitions against trying every move.
#include "helpers.h"

static void line_set(Game *line, const char *fen)
{
    const Position start = position_of(fen);
    game_start(line, &start);
}

static void check_game(Game *line, Outcome outcome, Reason reason)
{
    Verdict verdict = game_verdict(line);
    CHECK_INT(verdict.outcome, outcome);
    CHECK_INT(verdict.reason, reason);
}

// ---- repetition ---------------------------------------------------------------------------------
static const char SHUFFLE[] = "g1f3 g8f6 f3g1 f6g8";

static void test_repetition(Game *line)
{
    CASE("draws: two-fold inside the search, three-fold with the game");
    line_set(line, GAME_START);
    play_text(line, SHUFFLE);
    check_game(line, OUTCOME_NONE, REASON_NONE);
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 0), OUTCOME_NONE); // the root: once before, in the game
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 3), OUTCOME_NONE); // the first time was before the root
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 4), OUTCOME_DRAW); // the root itself comes back
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 9), OUTCOME_DRAW);
    play_text(line, SHUFFLE);
    check_game(line, OUTCOME_DRAW, REASON_REPETITION);
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 1),
              OUTCOME_DRAW); // a third time, both earlier ones in the game

    CASE("draws: the third time is seen below a root inside the shuffle");
    line_set(line, GAME_START);
    play_text(line, SHUFFLE);
    play_text(line, "g1f3 g8f6"); // the root
    check_game(line, OUTCOME_NONE, REASON_NONE);
    play_text(line, "f3g1 f6g8");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 2), OUTCOME_DRAW);

    CASE("draws: an en passant right makes another position");
    line_set(line, "rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    play_text(line, "d2d4 g8f6 g1f3 f6g8 f3g1");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 5), OUTCOME_NONE);
    play_text(line, "g8f6 g1f3 f6g8 f3g1");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 0), OUTCOME_NONE);
    check_game(line, OUTCOME_NONE, REASON_NONE);
    play_text(line, "g8f6 g1f3 f6g8 f3g1");
    check_game(line, OUTCOME_DRAW, REASON_REPETITION);

    CASE("draws: an en passant square without a legal capture makes none");
    line_set(line, "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1");
    play_text(line, "d2d4 e8e7 e1e2 e7e8 e2e1");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 5), OUTCOME_DRAW);

    CASE("draws: a lost castling right makes another position");
    line_set(line, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play_text(line, "h1g1 h8g8 g1h1 g8h8");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 4), OUTCOME_NONE);
    play_text(line, "h1g1 h8g8 g1h1 g8h8");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 4), OUTCOME_DRAW);

    CASE("draws: a null move hides what was before it");
    line_set(line, GAME_START);
    play_text(line, "g1f3 g8f6 f3g1");
    CHECK(game_play(line, MOVE_NULL));
    play_text(line, "g1f3 f6g8 f3g1");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 7), OUTCOME_NONE);

    CASE("draws: a very long shuffle");
    line_set(line, GAME_START);
    for (int i = 0; i < 160; i++)
        play_text(line, SHUFFLE);
    check_game(line, OUTCOME_DRAW, REASON_REPETITION);
    CHECK_INT(gen_count(&line->pos), 20);
}

// ---- upcoming repetition ------------------------------------------------------------------------
// Some move leads to a position that pos_outcome calls drawn by repetition.
static bool some_move_repeats(Game *line, int ply)
{
    Move list[MAX_MOVES], *end = gen_all(&line->pos, list);
    bool found = false;
    CHECK(keys_reserve(&line->keys, 1));
    keys_push(&line->keys, &line->pos);
    for (Move *move = list; move < end && !found; move++) {
        if (move_is_noisy(&line->pos, *move)) // may leave a dead position, which is a draw of another kind
            continue;
        Undo undo;
        pos_make(&line->pos, *move, &undo, NULL);
        found = pos_outcome(&line->pos, &line->keys, ply + 1) == OUTCOME_DRAW;
        pos_unmake(&line->pos, *move, &undo);
    }
    keys_pop(&line->keys);
    return found;
}

static void test_upcoming(Game *line)
{
    static const char *const STARTS[] = {
        GAME_START,
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1",
        "2b1k3/8/3n4/8/8/4N3/8/2B1K3 w - - 0 1",
        "q3k3/8/8/8/8/8/8/Q3K3 b - - 0 1",
        "k7/8/1p6/pPp5/P1P5/8/8/3K4 w - - 0 1",
    };
    Rng rng = {7};
    int found = 0, games = test_is_light() ? 5 : 300;
    for (size_t start = 0; start < sizeof STARTS / sizeof STARTS[0]; start++) {
        CASE("draws: upcoming repetition, %s", STARTS[start]);
        for (int game = 0; game < games; game++) {
            line_set(line, STARTS[start]);
            int root = (int)rng_below(&rng, 12);
            for (int move_nb = 0; move_nb < 30; move_nb++) {
                if (game_verdict(line).reason == REASON_DEAD_POSITION)
                    break;
                int ply = max_int(0, move_nb - root);
                bool can = pos_can_repeat(&line->pos, &line->keys, ply);
                CHECK_INT(can, some_move_repeats(line, ply));
                found += can;
                Move list[MAX_MOVES], *end = gen_all(&line->pos, list);
                if (list == end)
                    break;
                CHECK(game_play(line, list[rng_below(&rng, (u32)min_int(6, (int)(end - list)))]));
            }
        }
    }
    CASE("draws: upcoming repetitions do occur in these games");
    CHECK(found > 0);
}

// ---- fifty moves, dead positions, no move -------------------------------------------------------
static void test_fifty_moves(Game *line)
{
    CASE("draws: the hundredth half-move");
    line_set(line, "7k/8/5K2/8/8/8/8/R7 w - - 99 120");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 0), OUTCOME_NONE);
    play_text(line, "a1a2");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 1), OUTCOME_DRAW);
    check_game(line, OUTCOME_DRAW, REASON_MOVE_LIMIT);

    CASE("draws: a mate on the hundredth half-move is a mate");
    line_set(line, "7k/8/6K1/8/8/8/8/R7 w - - 99 120");
    play_text(line, "a1a8");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 1), OUTCOME_NONE);
    CHECK_INT(pos_no_move_outcome(&line->pos), OUTCOME_LOSS);
    check_game(line, OUTCOME_LOSS, REASON_MATE);

    CASE("draws: a check on the hundredth half-move is not");
    line_set(line, "7k/8/5K2/8/8/8/8/R7 w - - 99 120");
    play_text(line, "a1h1");
    CHECK(pos_in_check(&line->pos));
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 1), OUTCOME_DRAW);

    CASE("draws: a pawn move or a capture starts the count again");
    line_set(line, "7k/8/5K2/8/8/8/P7/R7 w - - 99 120");
    play_text(line, "a2a3");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 1), OUTCOME_NONE);
    line_set(line, "7k/8/5K2/8/8/8/P7/Rn6 w - - 99 120");
    play_text(line, "a1b1");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 1), OUTCOME_NONE);

    CASE("draws: beyond a hundred, and the score near it");
    line_set(line, "8/8/8/8/8/4k3/4p3/4K2R w - - 150 220");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 0), OUTCOME_DRAW);
    CHECK(pos_damp(&line->pos, 100) < 100 && pos_damp(&line->pos, 100) > 0 && pos_damp(&line->pos, -100) < 0);
    CHECK(!pos_tt_trust(&line->pos));
    line_set(line, GAME_START);
    CHECK(pos_damp(&line->pos, 100) == 100 && pos_tt_trust(&line->pos));
}

static void test_dead_positions(Game *line)
{
    static const struct {
        const char *fen;
        bool dead;
    } CASES[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", true},
        {"4k3/8/8/8/8/8/8/3BK3 w - - 0 1", true},
        {"4k3/8/8/8/8/8/8/3NK3 b - - 0 1", true},
        {"4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true},    // both on dark squares
        {"4k1b1/8/8/8/8/8/8/2B1K3 w - - 0 1", false},  // one on each colour
        {"4k3/8/8/8/1B6/B7/8/2B1K3 w - - 0 1", true},  // three, all on dark squares
        {"2b1k3/8/b7/8/8/8/6B1/4KB2 b - - 0 1", true}, // four, all on light squares
        {"4k3/8/8/8/8/8/8/1BB1K3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/2NNK3 w - - 0 1", false}, // no forced mate, but a mate exists
        {"4k1n1/8/8/8/8/8/8/3NK3 w - - 0 1", false},
        {"4k1n1/8/8/8/8/8/8/3BK3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/4KR2 w - - 0 1", false},
        {"4kq2/8/8/8/8/8/8/4K3 w - - 0 1", false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        CASE("draws: dead or not, %s", CASES[i].fen);
        line_set(line, CASES[i].fen);
        CHECK_INT(pos_outcome(&line->pos, &line->keys, 1), CASES[i].dead ? OUTCOME_DRAW : OUTCOME_NONE);
        check_game(line, CASES[i].dead ? OUTCOME_DRAW : OUTCOME_NONE,
                   CASES[i].dead ? REASON_DEAD_POSITION : REASON_NONE);
    }
    CASE("draws: a pawn that falls leaves a dead position");
    line_set(line, "8/8/8/8/4k3/8/7p/5b1K w - - 0 1");
    check_game(line, OUTCOME_NONE, REASON_NONE);
    play_text(line, "h1h2");
    CHECK_INT(pos_outcome(&line->pos, &line->keys, 1), OUTCOME_DRAW);
    check_game(line, OUTCOME_DRAW, REASON_DEAD_POSITION);
}

// What a lead of 400 for the side to move is worth after pos_damp.
static int damped(Game *line, const char *fen)
{
    line_set(line, fen);
    return pos_damp(&line->pos, 400);
}

static void test_hard_to_win(Game *line)
{
    CASE("a lead that cannot win is worth little, one that wins all");
    CHECK_INT(damped(line, "4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1"), 25); // two knights
    CHECK_INT(damped(line, "4k3/4p3/8/8/8/8/8/2B1K3 w - - 0 1"), 25); // a bishop against a pawn
    CHECK_INT(damped(line, "2b1k3/8/8/8/8/8/8/R3K3 w - - 0 1"), 100); // rook against bishop
    CHECK_INT(damped(line, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), 400);
    CHECK_INT(damped(line, "4k3/8/8/8/8/8/8/2B1K1N1 w - - 0 1"), 400);
    CHECK_INT(damped(line, "2r1k3/8/8/8/8/8/8/Q3K3 w - - 0 1"), 400);
    CHECK_INT(damped(line, "4k3/8/8/8/8/8/P7/2B1K3 w - - 0 1"), 400);
}

static void test_no_move(Game *line)
{
    CASE("draws: stalemate and mate");
    line_set(line, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    play_text(line, "f1f7");
    CHECK_INT(gen_count(&line->pos), 0);
    CHECK_INT(pos_no_move_outcome(&line->pos), OUTCOME_DRAW);
    check_game(line, OUTCOME_DRAW, REASON_NO_MOVE);
    line_set(line, GAME_START);
    play_text(line, "f2f3 e7e5 g2g4 d8h4");
    CHECK_INT(pos_no_move_outcome(&line->pos), OUTCOME_LOSS);
    check_game(line, OUTCOME_LOSS, REASON_MATE);

    CASE("draws: passing is a fair guess only with a piece");
    line_set(line, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    CHECK(!pos_null_ok(&line->pos));
    line_set(line, "4k3/8/8/8/8/8/4P3/4KN2 w - - 0 1");
    CHECK(pos_null_ok(&line->pos));
    line_set(line, "4k3/8/8/8/8/8/4P3/4KN2 b - - 0 1");
    CHECK(!pos_null_ok(&line->pos));
    Move how = MOVE_NONE;
    CHECK(!pos_instant_win(&line->pos, &how) && !pos_can_declare(&line->pos));
}

void test_outcome(void)
{
    Game line = {0};
    test_repetition(&line);
    test_upcoming(&line);
    test_fifty_moves(&line);
    test_dead_positions(&line);
    test_hard_to_win(&line);
    test_no_move(&line);
    game_free(&line);
}
