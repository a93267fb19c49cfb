// SPDX-License-Identifier: GPL-3.0-or-later
// Static exchange: cases worked out by hand, and a slow reference that looks for the attackers anew after
// each capture.
#include "bitboard.h"
#include "helpers.h"

// ---- by hand ------------------------------------------------------------------------------------
static void expect(const char *sfen, const char *usi, int value)
{
    CASE("row 21: exchange: %s %s", sfen, usi);
    Position pos = position_of(sfen);
    Move move = move_of(&pos, usi);
    if (move == MOVE_NONE)
        return;
    CHECK(see_ge(&pos, move, value));
    CHECK(!see_ge(&pos, move, value + 1));
}

static void test_by_hand(void)
{
    // Board and hand: P 180, L 630, S 990, G 1080, B 1710, R 1980, tokin 630, dragon 2385.
    expect("4k4/9/9/9/4s4/4P4/9/9/4K4 b - 1", "5f5e", 990);
    expect("4k4/9/9/4p4/4s4/4P4/9/9/4K4 b - 1", "5f5e", 990 - 180);
    expect("4k4/9/9/4l4/4p4/4P4/9/9/4K4 b - 1", "5f5e", 0);
    expect("4k4/9/9/4l4/4p4/9/4R4/9/4K4 b - 1", "5g5e", 180 - 1980);
    // a lance behind the rook joins, and one of White's behind the first
    expect("k8/9/9/4l4/4p4/9/4R4/4L4/K8 b - 1", "5g5e", 180 - 1980 + 630);
    expect("k8/9/4l4/4l4/4p4/9/4R4/4L4/K8 b - 1", "5g5e", 180 - 1980);
    // promotion: the gain, and what is then lost
    expect("k8/9/9/4P4/9/9/9/9/K8 b - 1", "5d5c+", 450);
    expect("k8/9/4g4/4P4/9/9/9/9/K8 b - 1", "5d5c+", 450 + 1080);
    expect("k8/4g4/9/4P4/9/9/9/9/K8 b - 1", "5d5c+", 450 - 630);
    expect("k8/4g4/9/4P4/4L4/9/9/9/K8 b - 1", "5d5c+", 450); // the lance would take the gold back
    // drops
    expect("k8/9/9/4p4/9/9/9/9/K8 b G 1", "G*5e", -1080);
    expect("k8/9/9/4p4/9/5N3/4S4/9/K8 b G 1", "G*5e", -1080);
    expect("k8/9/9/4p4/9/4S4/9/9/K8 b G 1", "G*5e", -1080 + 180);
    expect("k8/9/9/9/9/9/9/9/K8 b G 1", "G*5e", 0);
    // the king takes what is not defended, and nothing else
    expect("9/9/9/9/4k4/4p4/9/4R4/K8 b - 1", "5h5f", 180 - 1980);
    expect("9/9/9/9/4k4/4p4/4R4/4L4/K8 b - 1", "5g5f", 180);
    // a pinned defender stays where it is, but takes along its pin
    expect("4k4/4s4/3p5/4P4/9/9/9/4R4/K8 b B 1", "5d5c", 0);
    expect("4k4/3gs4/9/3pP4/9/B8/9/9/K8 b - 1", "5d5c+", 450 - 630);
    expect("4k4/4g4/5s3/4P4/9/9/9/4L4/K8 b - 1", "5d5c+", 450);
    expect("4k4/5g3/5p3/5P3/8B/9/9/9/K8 b - 1", "4d4c", 180); // the gold would open the bishop's line
}

// ---- by the reference ---------------------------------------------------------------------------
static bool attacks(const Position *pos, int from, int to, Bitboard occupied)
{
    int piece = pos->board[from];
    return bb_has(attacks_of(piece_side(piece), piece_kind(piece), from, occupied), to);
}

static bool is_held(const Position *pos, int from, int to, Bitboard occupied)
{
    int side = piece_side(pos->board[from]), king = pos->king[side];
    return bb_has(pos->state.blockers[side], from) && bb_meet(pos->state.pinners[!side], occupied) &&
           direction_of(king, from) != direction_of(king, to);
}

// The square of the cheapest piece of the side that can take, SQUARE_NB when there is none.
static int next_taker(const Position *pos, int side, int to, Bitboard occupied)
{
    int best = SQUARE_NB, best_value = INT32_MAX;
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        int piece = pos->board[sq];
        if (!piece || piece_side(piece) != side || sq == to || !bb_has(occupied, sq) ||
            !attacks(pos, sq, to, occupied) || is_held(pos, sq, to, occupied))
            continue;
        int value = piece_kind(piece) == KING ? INT32_MAX - 1 : kind_exchange_value(piece_kind(piece));
        if (value < best_value)
            best = sq, best_value = value;
    }
    return best;
}

// What the side wins by taking a piece of this worth on the square, or by leaving it.
static int exchange(const Position *pos, int side, int to, int worth, Bitboard occupied)
{
    int taker = next_taker(pos, side, to, occupied);
    if (taker == SQUARE_NB)
        return 0;
    occupied &= ~bb_of(taker);
    int kind = piece_kind(pos->board[taker]);
    if (kind == KING)
        return next_taker(pos, !side, to, occupied) == SQUARE_NB ? worth : 0;
    return max_int(0, worth - exchange(pos, !side, to, kind_exchange_value(kind), occupied));
}

static int exchange_of(const Position *pos, Move move)
{
    int kind = piece_kind(move_piece(pos, move)) + (move_is_promotion(move) ? PROMOTED : 0);
    Bitboard occupied = pos_occupied(pos) | bb_of(move_to(move));
    if (!move_is_drop(move))
        occupied &= ~bb_of(move_from(move));
    return move_gain(pos, move) -
           exchange(pos, !pos->side, move_to(move), kind_exchange_value(kind), occupied);
}

static void check_position(const Position *pos)
{
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    for (Move *move = list; move < end; move++) {
        if (piece_kind(move_piece(pos, *move)) == KING)
            continue; // lawful, so nothing takes it back but what a pin holds
        int value = exchange_of(pos, *move);
        CHECK_THAT(see_ge(pos, *move, value) && !see_ge(pos, *move, value + 1), "%04x is worth %d: %s", *move,
                   value, text_of(pos));
    }
}

void test_see(void)
{
    test_by_hand();
    CASE("row 21: exchange: random games against the reference");
    Rng rng = {31};
    for (int game = 0; game < (test_is_light() ? 2 : 60); game++) {
        Position pos = position_of(GAME_START);
        for (int ply = 0; ply < 200; ply++) {
            if (ply % 8 == 7)
                check_position(&pos);
            if (!play_random(&pos, &rng))
                break;
        }
    }
}
