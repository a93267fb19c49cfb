// SPDX-License-Identifier: GPL-3.0-or-later
// How a game of shogi ends other than by mate: repetition (with perpetual check), the entering-king
// declaration and the move limit. A position comes back when board, hands and side to move are the same;
// captures do not rule that out, for men return to the board. While men are only exchanged between board and
// hands, equal boards and one equal hand are enough. Entries an even number of plies back have the same side
// to move.
#include "bitboard.h"

enum {
    REPEAT_WINDOW = 16, // plies a search looks back; whole games would cost more than they find
    REPEAT_MIN = 4,     // nothing can come back sooner
    ROOT_PLIES = 2,     // so near the root the whole game is looked at
    REPEAT_FILTER_BITS = 18,
};

// ---- repetition ---------------------------------------------------------------------------------
void keys_push(KeyHistory *keys, const Position *pos)
{
    assert(keys->count < keys->capacity);
    keys->entry[keys->count++] = (KeyEntry){pos->state.board_key, pos->hand[pos->side]};
}

// Who has checked with every move since the position stood on the board `distance` plies ago loses.
static Outcome repetition_outcome(const Position *pos, int distance)
{
    bool ours = pos->state.check_run[pos->side] >= distance,
         theirs = pos->state.check_run[!pos->side] >= distance;
    return ours == theirs ? OUTCOME_DRAW : ours ? OUTCOME_LOSS : OUTCOME_WIN;
}

static const KeyEntry *entry_before(const KeyHistory *keys, int distance)
{
    return &keys->entry[keys->count - distance];
}

// How far back, within `reach` plies, the third earlier occurrence lies: this is the fourth. 0 when there are
// fewer.
static int fourth_occurrence(const Position *pos, const KeyHistory *keys, int reach)
{
    int seen = 0;
    for (int distance = REPEAT_MIN; distance <= reach; distance += 2) {
        const KeyEntry *entry = entry_before(keys, distance);
        if (entry->board_key == pos->state.board_key && entry->hand == pos->hand[pos->side] && ++seen == 3)
            return distance;
    }
    return 0;
}

// Inside the tree the first return counts as if it were the fourth, and the same board with more or less in
// hand is as good as decided. What came back from before the root counts only when it is the fourth time
// indeed.
static Outcome tree_repetition(const Position *pos, const KeyHistory *keys, int ply)
{
    int reach = min_int(keys->count, pos->state.null_ply);
    Hand hand = pos->hand[pos->side];
    bool old = ply <= ROOT_PLIES;
    for (int distance = REPEAT_MIN; distance <= min_int(reach, REPEAT_WINDOW); distance += 2) {
        const KeyEntry *entry = entry_before(keys, distance);
        if (entry->board_key != pos->state.board_key)
            continue;
        if (entry->hand == hand) {
            if (distance <= ply)
                return repetition_outcome(pos, distance);
            old = true;
        } else if (distance <= ply) {
            if (hand_contains(hand, entry->hand))
                return OUTCOME_SUPERIOR;
            if (hand_contains(entry->hand, hand))
                return OUTCOME_INFERIOR;
        }
    }
    int distance = old ? fourth_occurrence(pos, keys, reach) : 0;
    return distance ? repetition_outcome(pos, distance) : OUTCOME_NONE;
}

// ---- the end of the game ------------------------------------------------------------------------
// The square on which that side's king wins under the try rule: 5a for Black, 5i for White.
static int try_square(int side) { return sq_make(4, side == BLACK ? 0 : 8); }

// The side that has just moved has won by its king's arrival.
static bool try_is_done(const Position *pos)
{
    int side = !pos->side;
    return pos->rules.entering_king == ENTERING_KING_TRY && pos->king[side] == try_square(side) &&
           pos->state.king_stepped[side];
}

static bool limit_is_reached(const Position *pos)
{
    return pos->rules.max_moves_to_draw > 0 && pos->game_ply >= pos->rules.max_moves_to_draw;
}

Outcome pos_outcome(const Position *pos, const KeyHistory *keys, int ply)
{
    if (try_is_done(pos))
        return OUTCOME_LOSS;
    Outcome outcome = tree_repetition(pos, keys, ply);
    if (outcome == OUTCOME_NONE && limit_is_reached(pos) && gen_count(pos) > 0)
        return OUTCOME_DRAW;
    return outcome;
}

Outcome pos_no_move_outcome(const Position *pos)
{
    (void)pos;
    return OUTCOME_LOSS;
}

// What is taken comes back into play: nobody is ever left without means.
bool pos_can_win(const Position *pos, int side)
{
    (void)pos, (void)side;
    return true;
}

Verdict game_outcome(const Position *pos, const KeyHistory *keys)
{
    if (try_is_done(pos))
        return (Verdict){OUTCOME_LOSS, REASON_DECLARATION};
    int distance = fourth_occurrence(pos, keys, keys->count);
    if (distance) {
        Outcome outcome = repetition_outcome(pos, distance);
        return (Verdict){outcome, outcome == OUTCOME_DRAW ? REASON_REPETITION : REASON_PERPETUAL_CHECK};
    }
    if (gen_count(pos) == 0)
        return (Verdict){OUTCOME_LOSS, pos_in_check(pos) ? REASON_MATE : REASON_NO_MOVE};
    if (limit_is_reached(pos))
        return (Verdict){OUTCOME_DRAW, REASON_MOVE_LIMIT};
    return (Verdict){OUTCOME_NONE, REASON_NONE};
}

// ---- declaration --------------------------------------------------------------------------------
// Big pieces count five points, all others one, kings none.
static int points_on_board(const Boards *boards, Bitboard men)
{
    Bitboard big = bishops_of(boards) | rooks_of(boards);
    return bb_count(men & ~boards->by_kind[KING]) + 4 * bb_count(men & big);
}

static int points_in_hand(Hand hand)
{
    int points = 0;
    for (int kind = PAWN; kind < HAND_KIND_NB; kind++)
        points += hand_count(hand, kind) * (kind == BISHOP || kind == ROOK ? 5 : 1);
    return points;
}

// The points a declaration takes. A handicap lowers White's by what it took off the board.
static int points_needed(const Position *pos)
{
    enum { POINTS_OF_SET = 54 };
    EnteringKing rule = pos->rules.entering_king;
    bool is_csa24 = rule == ENTERING_KING_CSA24 || rule == ENTERING_KING_CSA24H;
    int needed = is_csa24 ? 31 : pos->side == BLACK ? 28 : 27;
    if (pos->side == WHITE && (rule == ENTERING_KING_CSA24H || rule == ENTERING_KING_CSA27H))
        needed -= POINTS_OF_SET - points_on_board(&pos->boards, pos_occupied(pos)) -
                  points_in_hand(pos->hand[BLACK]) - points_in_hand(pos->hand[WHITE]);
    return needed;
}

bool pos_can_declare(const Position *pos)
{
    enum { MEN_NEEDED = 10 };
    int us = pos->side;
    EnteringKing rule = pos->rules.entering_king;
    if (rule == ENTERING_KING_NONE || rule == ENTERING_KING_TRY || limit_is_reached(pos))
        return false;
    Bitboard men = pos->boards.by_side[us] & zone_of(us);
    if (!bb_meet(men, pos->boards.by_kind[KING]) || bb_count(men) < MEN_NEEDED + 1 || pos_in_check(pos))
        return false;
    return points_on_board(&pos->boards, men) + points_in_hand(pos->hand[us]) >= points_needed(pos);
}

bool pos_instant_win(const Position *pos, Move *how)
{
    // A try is a move like any other; pos_outcome sees after it that the game is won.
    *how = pos_can_declare(pos) ? MOVE_WIN : pos_mate_in_one(pos);
    return *how != MOVE_NONE;
}

// ---- a draw within reach ------------------------------------------------------------------------
// One bit for each key difference that a move without capture, drop or promotion can make (folded to the
// filter's size): a quick no for nearly all differences.
static u64 repeat_filter[1 << (REPEAT_FILTER_BITS - 6)];

static u64 filter_index(u64 difference) { return difference >> (64 - REPEAT_FILTER_BITS); }

void repeat_filter_init(void)
{
    for (int side = 0; side < SIDE_NB; side++)
        for (int kind = SILVER; kind < KIND_NB; kind++) // pawns, lances and knights never come back
            for (int from = 0; from < SQUARE_NB; from++)
                for (Squares s = squares_of(attacks_of(side, kind, from, BB_NONE)); squares_left(s);) {
                    const u64 *key = lookup.piece_key[piece_make(side, kind)];
                    u64 index = filter_index(key[from] ^ key[squares_next(&s)]);
                    repeat_filter[index >> 6] |= 1ULL << (index & 63);
                }
}

// The quiet legal move of the side to move that changes the board's key by this, if there is one.
static Move move_with_difference(const Position *pos, u64 difference)
{
    u64 index = filter_index(difference);
    if (!(repeat_filter[index >> 6] >> (index & 63) & 1))
        return MOVE_NONE;
    Bitboard empty = BB_ALL & ~pos_occupied(pos);
    for (Squares s = squares_of(pos->boards.by_side[pos->side]); squares_left(s);) {
        int from = squares_next(&s), piece = pos->board[from];
        Bitboard targets = empty & attacks_of(pos->side, piece_kind(piece), from, pos_occupied(pos));
        for (Squares t = squares_of(targets); squares_left(t);) {
            int to = squares_next(&t);
            Move move = move_make(from, to);
            if ((lookup.piece_key[piece][from] ^ lookup.piece_key[piece][to]) == difference)
                return move_is_pseudo_legal(pos, move) && move_is_legal(pos, move) ? move : MOVE_NONE;
        }
    }
    return MOVE_NONE;
}

// How often a position stands in the key history up to `distance` plies back: that one, and the same before
// it.
static int occurrences(const KeyHistory *keys, int distance, int reach)
{
    const KeyEntry *wanted = entry_before(keys, distance);
    int seen = 0;
    for (; distance <= reach; distance += 2) {
        const KeyEntry *entry = entry_before(keys, distance);
        seen += entry->board_key == wanted->board_key && entry->hand == wanted->hand;
    }
    return seen;
}

// Only quiet moves on the board are looked for. Captures and drops can complete a repetition too, for men
// wander between board and hands; pos_outcome sees those when they have been made, so nothing is missed, only
// seen one ply later.
bool pos_can_repeat(const Position *pos, const KeyHistory *keys, int ply)
{
    int reach = min_int(keys->count, pos->state.null_ply);
    for (int distance = REPEAT_MIN - 1; distance <= min_int(reach, REPEAT_WINDOW - 1); distance += 2) {
        // The entry has the other side to move and so holds the other hand: a quiet move changes none.
        const KeyEntry *entry = entry_before(keys, distance);
        if (entry->hand != pos->hand[!pos->side])
            continue;
        Move move = move_with_difference(pos, pos->state.board_key ^ entry->board_key ^ lookup.side_key);
        if (move == MOVE_NONE || (distance > ply && occurrences(keys, distance, reach) < 3))
            continue;
        // With nothing but checks it would be lost, not drawn.
        if (!move_gives_check(pos, move) || pos->state.check_run[pos->side] + 2 < distance + 1)
            return true;
    }
    return false;
}

// ---- the move limit -----------------------------------------------------------------------------
// Plies left until the game is drawn; large when there is no limit.
static int plies_left(const Position *pos)
{
    int limit = pos->rules.max_moves_to_draw;
    return limit > 0 ? max_int(limit - pos->game_ply, 0) : INT32_MAX;
}

int pos_damp(const Position *pos, int score)
{
    enum { FADE_PLIES = 40 };
    int left = plies_left(pos);
    return left >= FADE_PLIES ? score : (int)((i64)score * left / FADE_PLIES);
}

bool pos_tt_trust(const Position *pos)
{
    enum { TRUST_PLIES = 16 };
    return plies_left(pos) > TRUST_PLIES;
}

bool pos_null_ok(const Position *pos)
{
    (void)pos; // a piece in hand or a spare step: nobody is ever glad to pass
    return true;
}
