// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of shogi that are easy to get wrong: drop-pawn mate, repetition and perpetual check, hands that
// dominate, the entering king, the move limit, and what a side without a king may do.
#include "bitboard.h"
#include "helpers.h"

static bool is_legal(const char *sfen, const char *move)
{
    const Position pos = position_of(sfen);
    return move_parse(&pos, span_of(move)) != MOVE_NONE;
}

// ---- moves --------------------------------------------------------------------------------------
static void expect_drop(const char *sfen, const char *move, bool legal, int move_nb)
{
    CASE("drop-pawn mate: %s %s", sfen, move);
    Game game = game_from(sfen, NULL);
    CHECK_INT(is_legal(sfen, move), legal);
    CHECK_INT(gen_count(&game.pos), move_nb);
}

static void test_drop_pawn_mate(void)
{
    expect_drop("3lkl3/3p1p3/4G4/9/9/9/9/9/4K4 b P 1", "P*5b", false, 78);
    expect_drop("3lkl3/3p3r1/4G4/9/9/9/9/9/4K4 b P 1", "P*5b", true, 77);  // the rook can take it
    expect_drop("3lkl3/3p1p3/3GP4/9/9/9/9/9/4K4 b - 1", "5c5b", true, 12); // pushed, not dropped
    expect_drop("4k4/3r4K/2B1NG3/9/9/9/9/9/9 b P 1", "P*5b", false,
                12); // it blocks a check, and its taker is pinned
    expect_drop("3lkl3/R8/9/9/9/9/9/9/4K4 b P 1", "P*5b", true, 103); // it blocks the own rook: 4b is free
    expect_drop("3lkl3/R8/6G2/9/9/9/9/9/4K4 b P 1", "P*5b", false, 107);
    // The same seen by White.
    expect_drop("4k4/9/9/9/9/9/4g4/3P1P3/3LKL3 w p 1", "P*5h", false, 78);
    // A taker that is pinned along the file of the pawn: the pawn itself unpins it.
    CASE("drop-pawn mate: pinned in line");
    CHECK(is_legal("3lkl3/3p1p3/6N2/4r4/4R4/9/9/9/K8 b P 1", "P*5b"));
    // Dropped pieces of other kinds may mate, and a checking pawn that does not mate is lawful.
    CASE("drop-pawn mate: other kinds");
    CHECK(is_legal("3lkl3/3p1p3/4G4/9/9/9/9/9/4K4 b G 1", "G*5b"));
    CHECK(is_legal("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5b"));
}

// The position after a drop, lawful or not, set up piece by piece.
static Position after_drop(const Position *pos, Move move)
{
    Position after = *pos;
    int kind = move_drop_kind(move);
    pos_put(&after, piece_make(pos->side, kind), move_to(move));
    after.hand[pos->side] -= hand_one(kind);
    after.side ^= 1;
    pos_refresh(&after);
    return after;
}

// Every pawn drop that checks, in games where checks are favoured: forbidden exactly when there is no reply.
static void test_drop_pawn_mate_slowly(void)
{
    CASE("drop-pawn mate: random games against counting the replies");
    Rng rng = {1234};
    int check_nb = 0, mate_nb = 0;
    for (int game = 0; game < (test_is_light() ? 20 : 3000); game++) {
        Position pos =
            position_of(game % 2 ? "8k/6G2/7B1/9/9/9/9/9/K7r b P 1"
                                 : "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1");
        for (int ply = 0; ply < 60; ply++) {
            Bitboard drops = pos_check_squares(&pos, PAWN);
            for (Squares s = squares_of(drops); squares_left(s);) {
                Move move = move_make_drop(PAWN, squares_next(&s));
                if (!move_is_pseudo_legal(&pos, move))
                    continue;
                Position after = after_drop(&pos, move);
                bool mates = gen_count(&after) == 0;
                CHECK(move_is_legal(&pos, move) == !mates);
                check_nb++;
                mate_nb += mates;
            }
            Move move = random_move(&pos, &rng);
            if (move == MOVE_NONE)
                break;
            for (int try = 0; try < 2 && !move_gives_check(&pos, move); try++)
                move = random_move(&pos, &rng);
            play_move(&pos, move);
        }
    }
    CHECK_THAT(check_nb > (test_is_light() ? 20 : 1000) && mate_nb > (test_is_light() ? 0 : 20),
               "only %d checks and %d mates were met", check_nb, mate_nb);
}

static void test_moves(void)
{
    CASE("row 37: two pawns on a file; a tokin does not count");
    CHECK(!is_legal("4k4/9/9/9/9/9/P8/9/4K4 b P 1", "P*9e"));
    CHECK(is_legal("4k4/9/9/9/9/9/+P8/9/4K4 b P 1", "P*9e"));
    CHECK(is_legal("4k4/9/9/9/9/9/p8/9/4K4 b P 1", "P*9e"));
    CASE("row 37: dead squares");
    CHECK(!is_legal("4k4/9/9/9/9/9/9/9/4K4 b PLN 1", "P*9a") &&
          !is_legal("4k4/9/9/9/9/9/9/9/4K4 b PLN 1", "L*9a"));
    CHECK(!is_legal("4k4/9/9/9/9/9/9/9/4K4 b PLN 1", "N*9b") &&
          is_legal("4k4/9/9/9/9/9/9/9/4K4 b PLN 1", "N*9c"));
    CHECK(!is_legal("4k4/9/9/9/9/9/9/9/4K4 w pln 1", "N*9h") &&
          is_legal("4k4/9/9/9/9/9/9/9/4K4 w pln 1", "N*9g"));
    CHECK(!is_legal("4k4/9/9/9/9/9/9/9/4K4 w pln 1", "P*9i") &&
          is_legal("4k4/9/9/9/9/9/9/9/4K4 w pln 1", "P*9a"));
    CASE("row 37: promotion: forced, by entering, by leaving, never for gold and king");
    CHECK(!is_legal("k8/4P4/9/9/9/9/9/9/4K4 b - 1", "5b5a") &&
          is_legal("k8/4P4/9/9/9/9/9/9/4K4 b - 1", "5b5a+"));
    CHECK(!is_legal("k8/9/9/4N4/9/9/9/9/4K4 b - 1", "5d4b") &&
          is_legal("k8/9/9/4N4/9/9/9/9/4K4 b - 1", "5d4b+"));
    CHECK(is_legal("k8/9/4S4/9/9/9/9/9/4K4 b - 1", "5c4d+") &&
          is_legal("k8/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c+"));
    CHECK(!is_legal("k8/9/9/9/4S4/9/9/9/4K4 b - 1", "5e5d+") &&
          !is_legal("k8/9/9/4G4/9/9/9/9/4K4 b - 1", "5d5c+"));
    CHECK(!is_legal("k8/9/9/4K4/9/9/9/9/9 b - 1", "5d5c+") &&
          !is_legal("k8/9/9/4+S4/9/9/9/9/4K4 b - 1", "5d5c+"));
    CASE("check: drops must block, nothing but the king helps against two");
    CHECK(is_legal("4r3k/9/9/9/9/9/9/9/4K4 b G 1", "G*5e") &&
          !is_legal("4r3k/9/9/9/9/9/9/9/4K4 b G 1", "G*4e"));
    CHECK(!is_legal("4r3k/9/9/9/9/9/9/3b5/4K4 b G 1", "G*5e") &&
          is_legal("4r3k/9/9/9/9/9/9/3b5/4K4 b G 1", "5i6h"));
    CASE("kings keep apart");
    CHECK(!is_legal("9/9/9/9/4k4/9/4K4/9/9 b - 1", "5g5f"));
    CASE("a side without a king moves as it likes");
    CHECK(is_legal("4k4/4r4/9/9/9/9/4G4/9/9 b - 1", "5g4g"));
}

static void test_no_move(void)
{
    CASE("no legal move is lost");
    Game game = game_from("+R+N+SGKG+S+N+R/+B+N+SG+LG+S+N+B/P+LPP+LPP+LP/1P2P2P1/9/9/9/9/4k4 b 9P 200", NULL);
    CHECK_INT(gen_count(&game.pos), 0);
    Verdict verdict = game_verdict(&game);
    CHECK(verdict.outcome == OUTCOME_LOSS && verdict.reason == REASON_NO_MOVE);
    CHECK_INT(pos_no_move_outcome(&game.pos), OUTCOME_LOSS);
    CASE("mate is lost");
    game_free(&game);
    game = game_from("3lkl3/3p1p3/3GP4/9/9/9/9/9/4K4 b - 1", NULL);
    play_text(&game, "5c5b");
    verdict = game_verdict(&game);
    CHECK(verdict.outcome == OUTCOME_LOSS && verdict.reason == REASON_MATE);
    game_free(&game);
}

// ---- repetition ---------------------------------------------------------------------------------
static void expect_end(const char *name, const char *sfen, const char *moves, Outcome outcome, Reason reason)
{
    CASE("repetition: %s", name);
    Game game = game_from(sfen, NULL);
    Span rest = span_of(moves), word;
    int ply = 0;
    while ((word = span_word(&rest)).len) {
        Verdict before = game_verdict(&game);
        CHECK_THAT(before.outcome == OUTCOME_NONE, "over after %d plies", ply);
        char text[MOVE_TEXT_MAX];
        CHECK(span_copy(word, text, sizeof text));
        play_text(&game, text);
        ply++;
    }
    Verdict verdict = game_verdict(&game);
    CHECK_INT(verdict.outcome, outcome);
    CHECK_INT(verdict.reason, reason);
    game_free(&game);
}

#define KING_LOOP "5i5h 5a5b 5h5i 5b5a "
#define CHECK_LOOP "8h9h 9a8a 9h8h 8a9a "
#define CHECKED_LOOP "9a8a 9h8h 8a9a 8h9h "
#define QUIET_LOOP "1i2i 9a9b 2i1i 9b9a "
#define CHECKER "k8/9/9/9/9/9/9/1R7/8K b - 1"
#define LONG_LOOP "5i4h 5a4b 4h3h 4b3b 3h2h 3b2b 2h2g 2b2c 2g3g 2c3c 3g4g 3c4c 4g5g 4c5c 5g5h 5c5b 5h5i 5b5a "

static void test_game_repetition(void)
{
    expect_end("four times", GAME_START, KING_LOOP KING_LOOP KING_LOOP, OUTCOME_DRAW, REASON_REPETITION);
    expect_end("three times", GAME_START, KING_LOOP KING_LOOP, OUTCOME_NONE, REASON_NONE);
    expect_end("checks all along", CHECKER, CHECK_LOOP CHECK_LOOP CHECK_LOOP, OUTCOME_LOSS,
               REASON_PERPETUAL_CHECK);
    expect_end("checks, seen by the checked side", "k8/9/9/9/9/9/9/R8/8K w - 1",
               CHECKED_LOOP CHECKED_LOOP CHECKED_LOOP, OUTCOME_WIN, REASON_PERPETUAL_CHECK);
    expect_end("a loop without check between", CHECKER, CHECK_LOOP QUIET_LOOP CHECK_LOOP, OUTCOME_DRAW,
               REASON_REPETITION);
    expect_end("checks only at the end", CHECKER, QUIET_LOOP QUIET_LOOP CHECK_LOOP, OUTCOME_DRAW,
               REASON_REPETITION);
    expect_end("a loop of 18 plies", "4k4/9/9/9/9/9/9/9/4K4 b - 1", LONG_LOOP LONG_LOOP LONG_LOOP,
               OUTCOME_DRAW, REASON_REPETITION);
    // Pawns go round, dropped and taken: board and hands return although men are captured.
#define PAWN_LOOP "P*1c 1b1c 9h8h P*8g 8h8g 1c2b 8g9h 2b1b "
    expect_end("through captures and drops", "9/8k/9/9/9/9/9/K8/9 b Pp 1", PAWN_LOOP PAWN_LOOP PAWN_LOOP,
               OUTCOME_DRAW, REASON_REPETITION);
}

static void expect_in_tree(const char *name, const char *sfen, const char *game_moves, const char *tree_moves,
                           Outcome outcome)
{
    CASE("repetition in a search: %s", name);
    Game game = game_from(sfen, NULL);
    play_text(&game, game_moves);
    int before = game.keys.count;
    play_text(&game, tree_moves);
    CHECK_INT(pos_outcome(&game.pos, &game.keys, game.keys.count - before), outcome);
    game_free(&game);
}

static void test_tree_repetition(void)
{
    expect_in_tree("once is enough", GAME_START, "", KING_LOOP, OUTCOME_DRAW);
    expect_in_tree("by the check runs", CHECKER, "", CHECK_LOOP, OUTCOME_LOSS);
    expect_in_tree("by the other side's checks", CHECKER, "8h9h", "9a8a 9h8h 8a9a 8h9h", OUTCOME_WIN);
    expect_in_tree("from before the root, twice", GAME_START, "5i5h 5a5b 5h5i", "5b5a", OUTCOME_NONE);
    expect_in_tree("from before the root, four times", GAME_START, KING_LOOP KING_LOOP "5i5h 5a5b 5h5i",
                   "5b5a", OUTCOME_DRAW);
    expect_in_tree("four times, a long loop", "4k4/9/9/9/9/9/9/9/4K4 b - 1",
                   LONG_LOOP LONG_LOOP
                   "5i4h 5a4b 4h3h 4b3b 3h2h 3b2b 2h2g 2b2c 2g3g 2c3c 3g4g 3c4c 4g5g 4c5c 5g5h 5c5b 5h5i",
                   "5b5a", OUTCOME_DRAW);
    expect_in_tree("the checked side ends it", CHECKER, CHECK_LOOP CHECK_LOOP "8h9h 9a8a 9h8h", "8a9a",
                   OUTCOME_LOSS);
#define PAWN_LOST "P*9g 9h9g 5a4a 9g9h 4a4b 3i2i 4b5a 2i3i"
    expect_in_tree("a pawn less", "4k4/9/9/9/9/9/9/R8/6K2 w 2p 1", "", PAWN_LOST, OUTCOME_INFERIOR);
    expect_in_tree("a pawn more", "4k4/9/9/9/9/9/9/R8/6K2 w 2p 1", "P*9g",
                   "9h9g 5a4a 9g9h 4a4b 3i2i 4b5a 2i3i P*9g", OUTCOME_SUPERIOR);
    expect_in_tree("a pawn less since before the root", "4k4/9/9/9/9/9/9/R8/6K2 w 2p 1", "P*9g 9h9g",
                   "5a4a 9g9h 4a4b 3i2i 4b5a 2i3i", OUTCOME_NONE);
}

static void test_can_repeat(void)
{
    CASE("a draw within reach");
    Game game = game_from(GAME_START, NULL);
    play_text(&game, "5i5h 5a5b 5h5i");
    CHECK(pos_can_repeat(&game.pos, &game.keys, 3));
    CHECK(!pos_can_repeat(&game.pos, &game.keys, 2)); // before the root it would be the second time only
    play_text(&game, "5b5a 2g2f");
    CHECK(!pos_can_repeat(&game.pos, &game.keys, 5));
    game_free(&game);
    CASE("a lost repetition is no draw within reach");
    game = game_from(CHECKER, NULL);
    play_text(&game, "8h9h 9a8a 9h8h 8a9a");
    CHECK(!pos_can_repeat(&game.pos, &game.keys, 4));
    game_free(&game);
}

// What a search would find by making the moves: does a quiet one of them lead to a repetition that is not
// lost?
static bool can_repeat_slowly(Game *game, int ply)
{
    Move list[MAX_MOVES], *end = gen_all(&game->pos, list);
    bool found = false;
    for (Move *move = list; move < end && !found; move++) {
        if (move_is_drop(*move) || move_is_noisy(&game->pos, *move))
            continue;
        Undo undo;
        keys_push(&game->keys, &game->pos);
        pos_make(&game->pos, *move, &undo, NULL);
        Outcome outcome = pos_outcome(&game->pos, &game->keys, ply + 1);
        found = outcome == OUTCOME_DRAW || outcome == OUTCOME_LOSS;
        pos_unmake(&game->pos, *move, &undo);
        keys_pop(&game->keys);
    }
    return found;
}

static void test_can_repeat_slowly(void)
{
    CASE("a draw within reach: random games against making the moves");
    static const char *const STARTS[] = {"4k4/9/9/9/9/9/9/9/4K4 b - 1", "3gk4/9/9/9/9/9/9/9/R3K4 b - 1",
                                         "k8/1p7/9/9/9/9/7P1/9/1B6K b - 1"};
    enum { PLIES = 60 };
    Rng rng = {321};
    int found_nb = 0;
    for (int round = 0; round < (test_is_light() ? 30 : 900); round++) {
        Game game = game_from(STARTS[round % 3], NULL);
        CHECK(keys_reserve(&game.keys, PLIES + 1));
        int root = (int)rng_below(&rng, PLIES);
        for (int ply = 0; ply < PLIES; ply++) {
            if (ply > root + 2) { // nearer the root a search looks at the whole game
                bool can = pos_can_repeat(&game.pos, &game.keys, ply - root);
                CHECK(can == can_repeat_slowly(&game, ply - root));
                found_nb += can;
            }
            Move move = random_move(&game.pos, &rng);
            if (move == MOVE_NONE)
                break;
            CHECK(game_play(&game, move));
        }
        game_free(&game);
    }
    CHECK_THAT(found_nb > (test_is_light() ? 10 : 500), "met only %d times", found_nb);
}

static void test_null_move(void)
{
    CASE("a null move ends the reach of repetitions");
    Game game = game_from("4k4/9/9/9/9/9/9/9/4K4 b - 1", NULL);
    play_text(&game, "5i5h 5a5b 5h5i");
    CHECK(game_play(&game, MOVE_NULL));
    play_text(&game, "5i5h 5b5a 5h5i");
    CHECK_INT(pos_outcome(&game.pos, &game.keys, game.keys.count), OUTCOME_NONE);
    game_free(&game);
}

// ---- entering king ------------------------------------------------------------------------------
static void expect_declaration(const char *sfen, EnteringKing rule, bool can)
{
    CASE("declaration: %s under rule %d", sfen, (int)rule);
    Rules rules = rules_default();
    rules.entering_king = rule;
    Game game = game_from(sfen, &rules);
    CHECK_INT(pos_can_declare(&game.pos), can);
    Move how = MOVE_NONE;
    if (!pos_in_check(&game.pos))
        CHECK((pos_instant_win(&game.pos, &how) && how == MOVE_WIN) == can);
}

static void test_declaration(void)
{
#define TEN "+P+P+P+P+P4/+P+P+P+P+P4/4K4/9/9/9/9/9/4k4 b "
    expect_declaration(TEN "RB8Prb4g4s4n4l 1", ENTERING_KING_CSA27, true); // 28 points
    expect_declaration(TEN "RB8Prb4g4s4n4l 1", ENTERING_KING_CSA24, false);
    expect_declaration(TEN "RB8Prb4g4s4n4l 1", ENTERING_KING_NONE, false);
    expect_declaration(TEN "RB8Prb4g4s4n4l 1", ENTERING_KING_TRY, false);
    expect_declaration(TEN "RB7Prb4g4s4n4lp 1", ENTERING_KING_CSA27, false); // 27
#define TEN_WHITE "4K4/9/9/9/9/9/4k4/4+p+p+p+p+p/4+p+p+p+p+p w "
    expect_declaration(TEN_WHITE "RB4G4S4N4LPrb7p 1", ENTERING_KING_CSA27, true); // 27 are enough for White
    expect_declaration(TEN_WHITE "RB4G4S4N4L2Prb6p 1", ENTERING_KING_CSA27, false);
    expect_declaration("+P+P+P+P+P4/+P+P+P+P+P4/4K4/9/2b6/9/9/9/4k4 b RB8Pr4g4s4n4l 1", ENTERING_KING_CSA27,
                       false); // in check
    expect_declaration("+P+P+P+P+P4/+P+P+P+P5/4K4/9/9/9/9/9/4k4 b RB9Prb4g4s4n4l 1", ENTERING_KING_CSA27,
                       false); // nine men
    expect_declaration("+P+P+P+P+P4/+P+P+P+P+P4/9/4K4/9/9/9/9/4k4 b RB8Prb4g4s4n4l 1", ENTERING_KING_CSA27,
                       false); // king outside
    expect_declaration("+P+P+P+P+P4/+P+P+P+P+R4/4K4/9/9/9/9/9/4k4 b B9Prb4g4s4n4l 1", ENTERING_KING_CSA27,
                       true);                                               // a dragon counts 5
    expect_declaration(TEN "RB8P3Lrb4g4s4nl 1", ENTERING_KING_CSA24, true); // 31
    // Men outside the zone count for nothing.
    expect_declaration("+P+P+P+P+P4/+P+P+P+P+P4/4K4/RB7/9/9/9/9/4k4 b 8Prb4g4s4n4l 1", ENTERING_KING_CSA27,
                       false);
}

static void test_handicap_declaration(void)
{
    // Two pieces (10 points) are missing: White needs 17 under the one rule, 21 under the other; Black as
    // ever.
#define TWO_PIECES "4K4/9/9/9/9/9/4k4/4+p+p+p+p+p/4+p+p+p+p+p w RB4G4S4N4L"
    expect_declaration(TWO_PIECES "P7p 1", ENTERING_KING_CSA27H, true);
    expect_declaration(TWO_PIECES "2P6p 1", ENTERING_KING_CSA27H, false);
    expect_declaration(TWO_PIECES "P7p 1", ENTERING_KING_CSA27, false);
    expect_declaration("4K4/9/9/9/9/9/4k4/4+p+p+p+p+p/4+p+p+p+p+p w RB3G3S3N4L4Pgsn4p 1",
                       ENTERING_KING_CSA24H,
                       false); // 17
    expect_declaration("4K4/9/9/9/9/9/4k4/4+p+p+p+p+p/4+p+p+p+p+p w RB3G3S3N3LPgsnl7p 1",
                       ENTERING_KING_CSA24H, true);
    expect_declaration("4K4/9/9/9/9/9/4k4/4+p+p+p+p+p/4+p+p+p+p+p w RB3G3S3N4LPgsn7p 1", ENTERING_KING_CSA24H,
                       false);
    expect_declaration(TEN "RB7P4g4s4n4lp 1", ENTERING_KING_CSA27H, false);
}

static void expect_try(const char *sfen, const char *move, bool wins)
{
    CASE("try rule: %s %s", sfen, move);
    Rules rules = rules_default();
    rules.entering_king = ENTERING_KING_TRY;
    Game game = game_from(sfen, &rules);
    CHECK_INT(pos_outcome(&game.pos, &game.keys, 0), OUTCOME_NONE);
    play_text(&game, move);
    Verdict verdict = game_verdict(&game);
    CHECK_INT(pos_outcome(&game.pos, &game.keys, 1), wins ? OUTCOME_LOSS : OUTCOME_NONE);
    CHECK_INT(verdict.outcome, wins ? OUTCOME_LOSS : OUTCOME_NONE);
    CHECK_INT(verdict.reason, wins ? REASON_DECLARATION : REASON_NONE);
    game_free(&game);
}

static void test_try(void)
{
    expect_try("9/4K4/9/9/9/9/9/9/k8 b - 1", "5b5a", true);
    expect_try("9/4K4/9/9/9/9/9/9/k8 b - 1", "5b4a", false);
    expect_try("K8/9/9/9/9/9/9/4k4/9 w - 1", "5h5i", true);
    expect_try("K8/9/9/9/4G4/9/9/4k4/9 b - 1", "5e5d", false);
    expect_try("4K4/9/9/9/9/9/9/9/k8 b P 1", "P*1b", false); // put there, not stepped there
    expect_try("4K4/9/9/9/9/9/9/9/k8 b - 1", "5a5b 9i9h 5b5a", true);
    CASE("try rule: an attacked or occupied square is none to step to");
    CHECK(!is_legal("3r5/4K4/9/9/9/9/9/9/k8 b - 1", "5b5a") &&
          !is_legal("4G4/4K4/9/9/9/9/9/9/k8 b - 1", "5b5a"));
    CASE("try rule: the square means nothing under the other rules");
    Game game = game_from("9/4K4/9/9/9/9/9/9/k8 b - 1", NULL);
    play_text(&game, "5b5a");
    CHECK_INT(game_verdict(&game).outcome, OUTCOME_NONE);
    game_free(&game);
}

// ---- the move limit -----------------------------------------------------------------------------
static void test_move_limit(void)
{
    CASE("move limit");
    Rules rules = rules_default();
    rules.max_moves_to_draw = 256;
    Game game = game_from("4k4/9/4P4/9/9/9/9/9/4K4 b G 256", &rules);
    CHECK_INT(pos_outcome(&game.pos, &game.keys, 0), OUTCOME_NONE); // move 256 is still played
    play_text(&game, "G*5b");
    CHECK_INT(pos_outcome(&game.pos, &game.keys, 1), OUTCOME_NONE); // it mates, and that counts
    CHECK_INT(game_verdict(&game).reason, REASON_MATE);
    game_free(&game);
    game = game_from("4k4/9/4P4/9/9/9/9/9/4K4 b G 256", &rules);
    play_text(&game, "G*4b");
    CHECK_INT(pos_outcome(&game.pos, &game.keys, 1), OUTCOME_DRAW);
    CHECK_INT(game_verdict(&game).reason, REASON_MOVE_LIMIT);
    game_free(&game);
    CASE("move limit: repetition goes first");
    rules.max_moves_to_draw = 12;
    game = game_from(CHECKER, &rules);
    play_text(&game, CHECK_LOOP CHECK_LOOP CHECK_LOOP);
    CHECK_INT(game_verdict(&game).reason, REASON_PERPETUAL_CHECK);
    game_free(&game);
    CASE("move limit: scores fade");
    rules.max_moves_to_draw = 100;
    game = game_from("4k4/9/9/9/9/9/9/9/4K4 b R 91", &rules);
    CHECK(pos_damp(&game.pos, 1000) > 0 && pos_damp(&game.pos, 1000) < 1000 &&
          pos_damp(&game.pos, -1000) < 0);
    CHECK(!pos_tt_trust(&game.pos));
    rules.max_moves_to_draw = 0;
    game_free(&game);
    game = game_from("4k4/9/9/9/9/9/9/9/4K4 b R 91", &rules);
    CHECK(pos_damp(&game.pos, 1000) == 1000 && pos_tt_trust(&game.pos));
}

// ---- what is left out in play -------------------------------------------------------------------
static void test_generate_all(void)
{
    CASE("dominated non-promotions");
    static const struct {
        const char *sfen, *move;
        bool left_out;
    } TABLE[] = {
        {"k8/9/9/4P4/9/9/9/9/4K4 b - 1", "5d5c", true},  {"k8/9/9/9/9/9/9/4R4/4K4 b - 1", "5h5c", true},
        {"k8/9/9/9/8B/9/9/9/4K4 b - 1", "1e3c", true},   {"k8/9/9/4L4/9/9/9/9/4K4 b - 1", "5d5b", true},
        {"k8/9/9/4L4/9/9/9/9/4K4 b - 1", "5d5c", false}, {"k8/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c", false},
        {"k8/9/9/9/4N4/9/9/9/4K4 b - 1", "5e4c", false}, {"k8/9/4R4/9/9/9/9/9/4K4 b - 1", "5c5e", true},
        {"k8/9/9/9/9/9/9/4R4/4K4 b - 1", "5h5d", false},
    };
    for (size_t i = 0; i < sizeof TABLE / sizeof TABLE[0]; i++)
        for (int all = 0; all <= 1; all++) {
            Rules rules = rules_default();
            rules.generate_all = all;
            const Position pos = position_under(TABLE[i].sfen, &rules);
            Move wanted = move_of(&pos, TABLE[i].move);
            Move list[MAX_MOVES], *end = gen_quiet(&pos, list);
            bool found = false;
            for (Move *move = list; move < end; move++)
                found |= *move == wanted;
            CHECK_THAT(found == (all || !TABLE[i].left_out), "%s, all %d: %s", TABLE[i].move, all,
                       TABLE[i].sfen);
        }
}

void test_outcome(void)
{
    test_drop_pawn_mate();
    test_drop_pawn_mate_slowly();
    test_moves();
    test_no_move();
    test_game_repetition();
    test_tree_repetition();
    test_can_repeat();
    test_can_repeat_slowly();
    test_null_move();
    test_declaration();
    test_handicap_declaration();
    test_try();
    test_move_limit();
    test_generate_all();
}
