// SPDX-License-Identifier: GPL-3.0-or-later
// The mate solver: known problems with their exact lengths, positions without a mate, and thousands of random
// positions held against a plain search of all checks and replies.
#include <stdlib.h>

#include "games/knowledge.h"
#include "helpers.h"

static MateResult result;

static MateAnswer solve_nodes(const char *sfen, u64 nodes)
{
    const Position pos = position_of(sfen);
    const MateLimits limits = {.nodes = nodes, .memory_mb = 16};
    return mate_solve(&pos, NULL, &limits, &result);
}

static bool is_mated(const Position *pos) { return pos_in_check(pos) && gen_count(pos) == 0; }

// The line of the result is legal, all its attacks are checks, and it ends in mate.
static bool line_mates(const Position *root)
{
    Position pos = *root;
    for (int i = 0; i < result.line_nb; i++) {
        Move move = result.line[i];
        if (!move_is_pseudo_legal(&pos, move) || !move_is_legal(&pos, move))
            return false;
        play_move(&pos, move);
        if (i % 2 == 0 && !pos_in_check(&pos))
            return false;
    }
    return result.line_nb % 2 == 1 && is_mated(&pos);
}

// ---- known positions ----------------------------------------------------------------------------
static void check_problem(Span line)
{
    i64 plies = 0;
    char sfen[TEXT_MAX];
    CHECK(span_int(take_field(&line, '|'), 1, 99, &plies));
    CHECK(span_copy(take_field(&line, '|'), sfen, sizeof sfen));
    const Span first = take_field(&line, '|');
    Position pos = position_of(sfen);
    MateLimits limits = {.until_us = os_now_us() + 5000000, .memory_mb = 64};
    CHECK_INT(mate_solve(&pos, NULL, &limits, &result), MATE_FOUND);
    CHECK_INT(result.line_nb, plies);
    CHECK(result.is_shortest);
    CHECK(line_mates(&pos));
    const char *found = move_text(&pos, result.line_nb ? result.line[0] : MOVE_NONE);
    CHECK_THAT(span_is(first, found), "%s: %s", sfen, found);
    // With little memory and no care for length it is a mate all the same.
    limits.memory_mb = 1;
    limits.any_length = true;
    CHECK_INT(mate_solve(&pos, NULL, &limits, &result), MATE_FOUND);
    CHECK(line_mates(&pos) && result.line_nb >= plies);
}

static void test_problems(void)
{
    CASE("problems with known lengths");
    CHECK(each_line("shogi/tsume.txt", check_problem) >= 14);
}

static void test_no_mate(void)
{
    CASE("no mate");
    // Only a dropped pawn would mate; or nothing checks; or there is nobody to mate.
    static const char *const NONE[] = {
        "3lkl3/3p1p3/4G4/9/9/9/9/9/4K4 b P 1",
        "7lk/9/8S/9/9/9/9/7L1/8K b P 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "4k4/9/9/9/9/9/9/9/9 b P 1",
        "9/9/9/9/9/9/9/9/4K4 b RB 1",
        "4k4/9/9/9/9/9/9/9/4K4 b R 1",
        "k8/9/9/9/9/9/9/1R7/8K b - 1", // checks for ever: a loop, not a mate
        "4k4/9/9/9/9/9/4r4/9/4K4 b G 1",
    };
    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++) {
        MateAnswer answer = solve_nodes(NONE[i], 2000000);
        CHECK_THAT(answer == MATE_NONE, "%s: answer %d after %llu nodes", NONE[i], answer,
                   (unsigned long long)result.nodes);
        CHECK_INT(result.line_nb, 0);
    }

    CASE("a pushed pawn mates, and so does a drop of something else; without an attacking king too");
    CHECK_INT(solve_nodes("3lkl3/3p1p3/3GP4/9/9/9/9/9/4K4 b - 1", 100000), MATE_FOUND);
    CHECK_INT(result.line_nb, 1);
    CHECK_INT(solve_nodes("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 100000), MATE_FOUND);
    CHECK_INT(result.line_nb, 1);

    CASE("the attacker is in check");
    // The rook has to be taken with check; passing it by is not allowed.
    CHECK_INT(solve_nodes("4k4/4r4/3GP4/9/9/9/9/9/4K4 b G 1", 100000), MATE_FOUND);
    CHECK_INT(result.line_nb, 1);
    CHECK_INT(solve_nodes("3nk4/9/4P4/9/9/9/9/4r4/4K4 b GG 1", 100000), MATE_NONE);
}

static bool always(void *context) { return ++*(int *)context > 0; }

static void test_limits(void)
{
    CASE("limits");
    const char *hard = "ln7/1ks3+R1+R/p1ps4p/1p2LG1p1/3Pp1S2/2P6/PP1K3+bP/5G3/LN2+bSG1L b GN7Pn 127";
    Position pos = position_of(hard);
    MateLimits limits = {.nodes = 100};
    CHECK_INT(mate_solve(&pos, NULL, &limits, &result), MATE_UNKNOWN);
    CHECK(result.nodes <= 200);
    limits = (MateLimits){.until_us = os_now_us() - 1};
    CHECK_INT(mate_solve(&pos, NULL, &limits, &result), MATE_UNKNOWN);
    int asked = 0;
    limits = (MateLimits){.stop = always, .context = &asked};
    CHECK_INT(mate_solve(&pos, NULL, &limits, &result), MATE_UNKNOWN);
    CHECK(asked > 0);

    CASE("strict limits bind while the line is built too");
    pos = position_of("ln4+Bng/2kgp1+R2/1p1pSp1pl/p1p3G1p/6pP1/2P1B1P2/PP1P2N1P/2GKsS1R1/LN6L b SPp 85");
    limits = (MateLimits){.nodes = 10000, .memory_mb = 8, .strict = true};
    CHECK_INT(mate_solve(&pos, NULL, &limits, &result), MATE_FOUND);
    CHECK_THAT(result.nodes <= 51000, "%llu nodes", (unsigned long long)result.nodes);

    CASE("the game's move limit comes before the mate");
    pos = position_of(hard);
    pos.rules.max_moves_to_draw = pos_game_ply(&pos) + 12;
    limits = (MateLimits){.nodes = 3000000};
    CHECK(mate_solve(&pos, NULL, &limits, &result) != MATE_FOUND);
    pos.rules.max_moves_to_draw = pos_game_ply(&pos) + 13;
    CHECK_INT(mate_solve(&pos, NULL, &limits, &result), MATE_FOUND);
    CHECK_INT(result.line_nb, 13);

    CASE("a check into a position that was there three times before is none");
    pos = position_of("4k4/9/4P4/9/9/9/9/9/8K b G 1");
    Move mate = move_of(&pos, "G*5b");
    CHECK_INT(mate_solve(&pos, NULL, &limits, &result), MATE_FOUND);
    CHECK_INT(result.line[0], mate);
    KeyHistory keys = {0};
    Position after = pos;
    play_move(&after, mate);
    CHECK(keys_reserve(&keys, 8));
    for (int times = 1; times <= 4; times++) {
        keys_push(&keys, &pos);
        keys_push(&keys, &after);
        CHECK_INT(mate_solve(&pos, &keys, &limits, &result), times < 3 ? MATE_FOUND : MATE_NONE);
    }
    keys_free(&keys);
}

// ---- random positions ---------------------------------------------------------------------------
static bool defender_is_lost(Position *pos, int plies);

// Is there a mate within so many plies? Every check against every reply, nothing remembered.
static bool attacker_mates(Position *pos, int plies)
{
    Move list[MAX_MOVES];
    const Move *end = gen_all(pos, list);
    for (const Move *m = list; m < end && plies >= 1; m++) {
        Undo undo;
        pos_make(pos, *m, &undo, NULL);
        bool mates = pos_in_check(pos) && defender_is_lost(pos, plies - 1);
        pos_unmake(pos, *m, &undo);
        if (mates)
            return true;
    }
    return false;
}

static bool defender_is_lost(Position *pos, int plies)
{
    Move list[MAX_MOVES];
    const Move *end = gen_all(pos, list);
    if (end == list || plies < 2)
        return end == list;
    for (const Move *m = list; m < end; m++) {
        Undo undo;
        pos_make(pos, *m, &undo, NULL);
        bool lost = attacker_mates(pos, plies - 1);
        pos_unmake(pos, *m, &undo);
        if (!lost)
            return false;
    }
    return true;
}

// A king in a corner region with a few pieces of both sides around it and the rest in the hands. False: not a
// position.
static bool random_problem(Rng *rng, Position *pos)
{
    static const char KINDS[] = "PLNSGBR";
    static const u8 TOTAL[] = {18, 4, 4, 4, 4, 2, 2};
    char board[9][9][3] = {{{0}}};
    int left[7];
    for (int i = 0; i < 7; i++)
        left[i] = TOTAL[i];
    int king_rank = (int)rng_below(rng, 3), king_file = (int)rng_below(rng, 4);
    strcpy(board[king_rank][king_file], "k");
    if (rng_below(rng, 2))
        strcpy(board[8][4 + rng_below(rng, 5)], "K");
    for (u32 n = 3 + rng_below(rng, 8); n > 0; n--) {
        int rank = (int)rng_below(rng, 5), file = (int)rng_below(rng, 7), kind = (int)rng_below(rng, 7);
        if (board[rank][file][0] || left[kind] == 0)
            continue;
        left[kind]--;
        bool promoted = KINDS[kind] != 'G' && rng_below(rng, 4) == 0, white = rng_below(rng, 2);
        snprintf(board[rank][file], 3, "%s%c", promoted ? "+" : "", KINDS[kind] + (white ? 'a' - 'A' : 0));
    }
    Text text = {0};
    for (int rank = 0; rank < 9; rank++)
        for (int file = 8; file >= 0; file--)
            text_add(&text, "%s%s", board[rank][file][0] ? board[rank][file] : "1",
                     file       ? ""
                     : rank < 8 ? "/"
                                : " b ");
    for (int i = 0; i < 7; i++)
        for (int side = 0; side < 2; side++) {
            // The attacker has little, the defender what happens to be left: sometimes all, sometimes
            // nothing.
            u32 count = side                ? (rng_below(rng, 3) ? (u32)left[i] : 0)
                        : rng_below(rng, 4) ? 0
                                            : 1 + rng_below(rng, 2);
            count = count < (u32)left[i] ? count : (u32)left[i];
            left[i] -= (int)count;
            if (count)
                text_add(&text, "%u%c", count, KINDS[i] + (side ? 'a' - 'A' : 0));
        }
    if (text.ptr[text.len - 1] == ' ')
        text_add(&text, "-");
    Rules rules = rules_default();
    Message message;
    bool ok = !text.failed && pos_set(pos, text_span(&text), &rules, &message) == SET_OK;
    text_free(&text);
    return ok;
}

static void test_random(void)
{
    CASE("random positions agree with a plain search");
    Rng rng = {77};
    int rounds = test_is_light() ? 60 : 400, mates[8] = {0}, none_nb = 0;
    for (int round = 0; round < rounds; round++) {
        Position pos;
        char sfen[TEXT_MAX];
        while (!random_problem(&rng, &pos))
            ;
        pos_print(&pos, sfen);
        int depth = round % 8 == 0 ? 5 : 3, shortest = 0;
        for (int plies = 1; plies <= depth && !shortest; plies += 2)
            shortest = attacker_mates(&pos, plies) ? plies : 0;
        MateLimits limits = {.nodes = 8000, .memory_mb = 1 + round % 3};
        MateAnswer answer = mate_solve(&pos, NULL, &limits, &result);
        CHECK_THAT(pos_is_ok(&pos), "%s", sfen);
        if (answer == MATE_NONE)
            CHECK_THAT(!shortest, "%s: none, but there is a mate in %d", sfen, shortest);
        if (answer == MATE_FOUND) {
            CHECK_THAT(line_mates(&pos), "%s: the line is wrong", sfen);
            CHECK_THAT(shortest || result.line_nb > depth, "%s: a mate in %d that is none", sfen,
                       result.line_nb);
            CHECK_THAT(!shortest || !result.is_shortest || result.line_nb == shortest, "%s: %d plies, not %d",
                       sfen, result.line_nb, shortest);
        }
        if (shortest)
            CHECK_THAT(answer == MATE_FOUND, "%s: the mate in %d is not found", sfen, shortest);
        mates[shortest]++;
        none_nb += answer == MATE_NONE;
    }
    // The positions are of every sort.
    CHECK_THAT(mates[1] > rounds / 100 && mates[3] > rounds / 100 && none_nb > rounds / 10, "%d %d %d %d",
               mates[1], mates[3], mates[5], none_nb);
}

void test_dfpn(void)
{
    test_problems();
    test_no_mate();
    test_limits();
    test_random();
}
