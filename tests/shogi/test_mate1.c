// SPDX-License-Identifier: GPL-3.0-or-later
// Mate in one, held against making every move and counting the replies: nothing it says is wrong, and it
// finds all but the rare mates whose last defence is a forbidden pawn drop.
#include "helpers.h"

static bool is_mate(const Position *pos, Move move)
{
    Position after = *pos;
    play_move(&after, move);
    return pos_in_check(&after) && gen_count(&after) == 0;
}

static int count_mates(const Position *pos)
{
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    int count = 0;
    for (Move *move = list; move < end; move++)
        count += is_mate(pos, *move);
    return count;
}

typedef struct Tally {
    int position_nb, mate_nb, found_nb;
} Tally;

static void check_position(const Position *pos, Tally *tally)
{
    Move move = pos_mate_in_one(pos);
    if (move != MOVE_NONE) {
        bool legal = move_is_pseudo_legal(pos, move) && move_is_legal(pos, move);
        CHECK_THAT(legal && is_mate(pos, move), "%04x is no mate: %s", move, text_of(pos));
    }
    tally->position_nb++;
    tally->mate_nb += count_mates(pos) > 0;
    tally->found_nb += move != MOVE_NONE;
}

// Random games, in which checks and captures are favoured so that kings get into trouble.
static void play(const Position *start, Rng *rng, int plies, Tally *tally)
{
    Position pos = *start;
    for (int ply = 0; ply < plies; ply++) {
        if (!pos_in_check(&pos))
            check_position(&pos, tally);
        Move move = random_move(&pos, rng);
        if (move == MOVE_NONE)
            return;
        for (int try = 0; try < 3 && !move_is_noisy(&pos, move) && !move_gives_check(&pos, move); try++)
            move = random_move(&pos, rng);
        play_move(&pos, move);
    }
}

static void test_random_games(void)
{
    CASE("mate in one: random games against brute force");
    Rng rng = {77};
    Tally tally = {0};
    Position pos = position_of(GAME_START);
    for (int game = 0; game < (test_is_light() ? 4 : 500); game++)
        play(&pos, &rng, 200, &tally);
    CHECK_THAT(tally.found_nb * 1000 >= tally.mate_nb * 998, "%d of %d mates found", tally.found_nb,
               tally.mate_nb);
    CHECK_THAT(tally.mate_nb > (test_is_light() ? 3 : 1000), "only %d mates were met", tally.mate_nb);
}

static void expect(const char *sfen, const char *usi)
{
    CASE("mate in one: %s", sfen);
    Position pos = position_of(sfen);
    CHECK_TEXT(move_text(&pos, pos_mate_in_one(&pos)), usi);
}

void test_mate1(void)
{
    test_random_games();
    // a capture on the far side of the board; a drop at a distance
    expect("3k1+S1+Ln/P2gg1+B2/2spppp1s/g+r4npp/6K2/4PPP1P/6GPN/5+b3/3+lr3L w SN2Pl4p 140", "8d4d");
    expect("3g3+B1/l1+R1s4/sppp4+B/p5pp1/1P1P2k1p/PSPKG3P/L1N3G1N/2G1P3L/7NS b RNl5p 147", "R*4e");
    // a dropped pawn never mates; a pushed one does
    expect("3lkl3/3p1p3/4G4/9/9/9/9/9/4K4 b P 1", "none");
    expect("3lkl3/3p1p3/3GP4/9/9/9/9/9/4K4 b - 1", "5c5b+");
    // the same without the king of the attacker
    expect("3lkl3/3p1p3/3GP4/9/9/9/9/9/9 b - 1", "5c5b+");
    // a head gold
    expect("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b");
    // smothered by a knight
    expect("7nk/7np/9/9/9/9/9/9/K8 b N 1", "N*2c");
    // nothing to hunt
    expect("9/9/9/9/9/9/9/9/4K4 b RG 1", "none");
}
