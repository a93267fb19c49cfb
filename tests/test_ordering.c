// SPDX-License-Identifier: GPL-3.0-or-later
// In which order moves come, and how the search learns it: the picker's stages and the choice within them,
// killers, counter moves and histories, the moves of the root. The cases carry the rows of docs/features.md
// that they show.
#include "node_helpers.h"
#include "search/movepick.h"
#include "search/root.h"

// Legal moves of one sort; how many.
static int moves_of(const Position *pos, bool noisy, Move *out)
{
    Move list[MAX_MOVES], *end = noisy ? gen_noisy(pos, list) : gen_quiet(pos, list);
    int nb = 0;
    for (Move *m = list; m < end; m++)
        if (move_is_legal(pos, *m))
            out[nb++] = *m;
    return nb;
}

// Histories as after a long search: something about every quiet move and capture.
static void learn_at_random(NodeBench *b, Rng *rng)
{
    Move list[MAX_MOVES];
    const MoveList none = {0};
    for (int noisy = 0; noisy < 2; noisy++) {
        int nb = moves_of(&b->w->pos, noisy, list);
        for (int i = 0; i < nb; i++)
            history_update(b->w, b->node, list[i], 1 + (int)rng_below(rng, 14), &none, &none);
    }
    b->node->killer[0] = b->node->killer[1] = MOVE_NONE;
}

// ---- the picker ---------------------------------------------------------------------------------
enum { RANK_TABLE, RANK_GOOD, RANK_KILLER_1, RANK_KILLER_2, RANK_COUNTER, RANK_QUIET, RANK_BAD, RANK_NB };

static int noisy_score(NodeBench *b, Move move)
{
    return P(b->w, GainWeight) * move_gain(&b->w->pos, move) + history_noisy(b->w, move);
}

static int quiet_score(NodeBench *b, Move move)
{
    const Position *pos = &b->w->pos;
    const bool checks = move_gives_check(pos, move) && see_ge(pos, move, -P(b->w, OrderCheckSee));
    return history_order(b->w, b->node, move) + (checks ? P(b->w, OrderCheckBonus) : 0);
}

static int rank_of(NodeBench *b, const Picker *picker, Move table, Move move)
{
    const Position *pos = &b->w->pos;
    if (move == table)
        return RANK_TABLE;
    if (move_is_noisy(pos, move))
        return see_ge(pos, move, -noisy_score(b, move) / P(b->w, GoodNoisySee)) ? RANK_GOOD : RANK_BAD;
    return move == picker->killer[0]   ? RANK_KILLER_1
           : move == picker->killer[1] ? RANK_KILLER_2
           : move == picker->counter   ? RANK_COUNTER
                                       : RANK_QUIET;
}

static void check_stages(NodeBench *b)
{
    static Picker picker;
    Rng rng = {3};
    int seen[RANK_NB] = {0};
    CASE("row 15: table move, good captures, killers, counter move, quiet moves, bad captures");
    for (int i = 0; i < 200; i++) {
        const Position pos = random_node(&rng, false);
        node_place(b, &pos, 6);
        learn_at_random(b, &rng);
        Move quiet[MAX_MOVES], all[MAX_MOVES];
        const int quiet_nb = moves_of(&pos, false, quiet), all_nb = (int)(gen_all(&pos, all) - all);
        if (quiet_nb < 4)
            continue;
        // The move before has an answer of its own.
        b->node[-1].move = (Move)1;
        b->node[-1].piece_to = 5;
        history_update(b->w, b->node, quiet[2], 3, &(MoveList){0}, &(MoveList){0});
        b->node->killer[0] = quiet[0];
        b->node->killer[1] = quiet[1];
        const Move table = all[rng_below(&rng, (u32)all_nb)];
        picker_init(&picker, b->w, b->node, table);
        int rank = RANK_TABLE;
        for (Move m; (m = picker_next(&picker)) != MOVE_NONE;) {
            const int now = rank_of(b, &picker, table, m);
            CHECK_THAT(now >= rank, "%d after %d: %s", now, rank, text_of(&pos));
            seen[rank = now]++;
        }
    }
    for (int rank = 0; rank < RANK_NB; rank++)
        CHECK_THAT(seen[rank] > 0, "none of sort %d", rank);
}

static void check_pick_best(NodeBench *b)
{
    static Picker picker;
    Rng rng = {7};
    int unsorted = 0;
    CASE("row 16: of each group the best comes next, and the rest is not sorted before it is asked for");
    for (int i = 0; i < 60; i++) {
        const Position pos = random_node(&rng, false);
        node_place(b, &pos, 6);
        learn_at_random(b, &rng);
        picker_init(&picker, b->w, b->node, MOVE_NONE);
        int last[2] = {INT32_MAX, INT32_MAX};
        bool is_first = true;
        for (Move m; (m = picker_next(&picker)) != MOVE_NONE;) {
            if (picker.stage > STAGE_QUIET)
                break;
            const bool quiet = !move_is_noisy(&pos, m);
            const int score = quiet ? quiet_score(b, m) : noisy_score(b, m);
            CHECK_THAT(score <= last[quiet], "%d after %d: %s", score, last[quiet], text_of(&pos));
            last[quiet] = score;
            if (!quiet || !is_first)
                continue;
            is_first = false;
            for (int k = picker.next + 1; k < picker.end; k++)
                unsorted += picker.score[k] > picker.score[k - 1];
        }
    }
    CHECK(unsorted > 0);
}

static void check_staged_generation(NodeBench *b)
{
    static Picker picker;
    Rng rng = {11};
    CASE("row 23: a group is generated when it is reached: nothing for the table move, captures without "
         "quiets");
    for (int i = 0; i < 100; i++) {
        const Position pos = random_node(&rng, false);
        Move quiet[MAX_MOVES];
        node_place(b, &pos, 6);
        if (moves_of(&pos, false, quiet) == 0)
            continue;
        picker_init(&picker, b->w, b->node, quiet[0]);
        CHECK_INT(picker_next(&picker), quiet[0]);
        CHECK_INT(picker.end, 0);
        for (Move m; (m = picker_next(&picker)) != MOVE_NONE && picker.stage <= STAGE_GOOD_NOISY;)
            for (int k = 0; k < picker.end; k++)
                CHECK(move_is_noisy(&pos, picker.move[k]));
        picker_init_quiescence(&picker, b->w, b->node, MOVE_NONE, false);
        CHECK_INT(picker.end, 0);
        while (picker_next(&picker) != MOVE_NONE)
            for (int k = 0; k < picker.end; k++)
                CHECK(move_is_noisy(&pos, picker.move[k]));
    }
    CASE("row 23: the root generates every move");
    for (int i = 0; i < 20; i++) {
        const Position pos = random_node(&rng, i % 2);
        run(b->engine, &pos, (Limits){.depth = 1}, NULL);
        CHECK_INT(b->w->root_nb, gen_count(&pos));
    }
}

// ---- what is learned ----------------------------------------------------------------------------
static void check_killers(NodeBench *b)
{
    const Position start = position_of(GAME_START);
    Move quiet[MAX_MOVES];
    const MoveList none = {0};
    node_place(b, &start, 4);
    moves_of(&start, false, quiet);
    CASE("row 17: two killers a ply, the most recent first, and a capture is none");
    history_update(b->w, b->node, quiet[0], 4, &none, &none);
    CHECK(b->node->killer[0] == quiet[0] && b->node->killer[1] == MOVE_NONE);
    history_update(b->w, b->node, quiet[1], 4, &none, &none);
    CHECK(b->node->killer[0] == quiet[1] && b->node->killer[1] == quiet[0]);
    history_update(b->w, b->node, quiet[1], 4, &none, &none);
    CHECK(b->node->killer[0] == quiet[1] && b->node->killer[1] == quiet[0]);
    Rng rng = {13};
    Move noisy[MAX_MOVES];
    Position pos;
    do
        pos = random_node(&rng, false);
    while (moves_of(&pos, true, noisy) == 0);
    node_place(b, &pos, 4);
    history_update(b->w, b->node, noisy[0], 4, &none, &none);
    CHECK_INT(b->node->killer[0], MOVE_NONE);
    CASE("row 17: they come before the other quiet moves");
    static Picker picker;
    node_place(b, &start, 4);
    b->node->killer[0] = quiet[5];
    b->node->killer[1] = quiet[7];
    picker_init(&picker, b->w, b->node, MOVE_NONE);
    CHECK_INT(picker_next(&picker), quiet[5]);
    CHECK_INT(picker_next(&picker), quiet[7]);
}

static void check_counter_moves(NodeBench *b)
{
    const Position start = position_of(GAME_START);
    Move quiet[MAX_MOVES];
    const MoveList none = {0};
    node_place(b, &start, 4);
    moves_of(&start, false, quiet);
    Stack *before = b->node - 1;
    CASE("row 18: the answer to a move is remembered by its piece and target, and comes after the killers");
    before->move = (Move)1;
    before->piece_to = 2 * SQUARE_NB + 7;
    CHECK_INT(history_counter(b->w, b->node), MOVE_NONE);
    history_update(b->w, b->node, quiet[3], 4, &none, &none);
    CHECK_INT(history_counter(b->w, b->node), quiet[3]);
    before->move = (Move)2; // from elsewhere, the same piece to the same square
    CHECK_INT(history_counter(b->w, b->node), quiet[3]);
    before->piece_to = 2 * SQUARE_NB + 8;
    CHECK_INT(history_counter(b->w, b->node), MOVE_NONE);
    before->piece_to = 3 * SQUARE_NB + 7;
    CHECK_INT(history_counter(b->w, b->node), MOVE_NONE);
    before->piece_to = 2 * SQUARE_NB + 7;
    before->move = MOVE_NULL;
    CHECK_INT(history_counter(b->w, b->node), MOVE_NONE);
    static Picker picker;
    before->move = (Move)1;
    b->node->killer[0] = quiet[5];
    b->node->killer[1] = MOVE_NONE;
    picker_init(&picker, b->w, b->node, MOVE_NONE);
    CHECK_INT(picker_next(&picker), quiet[5]);
    CHECK_INT(picker_next(&picker), quiet[3]);
}

static void check_histories(NodeBench *b)
{
    const Position start = position_of(GAME_START);
    Move quiet[MAX_MOVES];
    const MoveList none = {0};
    moves_of(&start, false, quiet);
    CASE("row 19: the best move rises, the more the deeper, and those tried before it sink");
    int last = 0;
    for (int depth = 2; depth <= 8; depth += 3) {
        node_place(b, &start, 20);
        MoveList tried = {.move = {quiet[1], quiet[2]}, .nb = 2};
        history_update(b->w, b->node, quiet[0], depth, &tried, &none);
        CHECK(history_quiet(b->w, b->node, quiet[0]) > last);
        last = history_quiet(b->w, b->node, quiet[0]);
        CHECK(history_quiet(b->w, b->node, quiet[1]) < 0 && history_quiet(b->w, b->node, quiet[2]) < 0);
        CHECK_INT(history_quiet(b->w, b->node, quiet[3]), 0);
    }
    CASE("row 19: nothing grows without bound, and what is new counts more than what is old");
    for (int i = 0; i < 500; i++)
        history_update(b->w, b->node, quiet[0], 20, &none, &none);
    const int most = history_quiet(b->w, b->node, quiet[0]);
    history_update(b->w, b->node, quiet[0], 20, &none, &none);
    CHECK(most > last && history_quiet(b->w, b->node, quiet[0]) - most < most / 100);
    MoveList failed = {.move = {quiet[0]}, .nb = 1};
    history_update(b->w, b->node, quiet[4], 20, &failed, &none);
    CHECK(most - history_quiet(b->w, b->node, quiet[0]) > most / 10);
    CASE("row 19: histories fade between searches and are empty in a new game");
    const int before = history_quiet(b->w, b->node, quiet[0]);
    history_age(b->w);
    const int after = history_quiet(b->w, b->node, quiet[0]);
    CHECK(after > 0 && after < before);
    b->w->has_learned = true;
    engine_new_game(b->engine);
    CHECK_INT(history_quiet(b->w, b->node, quiet[0]), 0);
}

// ---- the root -----------------------------------------------------------------------------------
static void check_root_order(NodeBench *b)
{
    CASE("row 24: at the root the best comes first, then the others by the nodes they took");
    const Position start = position_of(GAME_START);
    run(b->engine, &start, (Limits){.depth = 1}, NULL);
    control_forget(&b->control);
    Worker *w = b->w;
    w->control = &b->control;
    static const u64 NODES[] = {500, 10, 900, 40, 70};
    for (int i = 0; i < 5; i++) {
        w->root[i].score = i == 3 ? 25 : -SCORE_INFINITE;
        w->root[i].tb_rank = 0;
        w->root[i].previous_score = 0;
        w->root[i].nodes = NODES[i];
    }
    root_sort(w, 0, 5);
    static const u64 WANTED[] = {40, 900, 500, 70, 10};
    for (int i = 0; i < 5; i++)
        CHECK_INT((i64)w->root[i].nodes, (i64)WANTED[i]);
}

void test_ordering(void)
{
    NodeBench b;
    CASE("one node by itself");
    node_open(&b);
    check_stages(&b);
    check_pick_best(&b);
    check_staged_generation(&b);
    check_killers(&b);
    check_counter_moves(&b);
    check_histories(&b);
    check_root_order(&b);
    node_close(&b);
}
