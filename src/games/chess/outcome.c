// SPDX-License-Identifier: GPL-3.0-or-later
// How a game ends without mate: repetition, the fifty-move rule, positions nobody can win. Inside a search
// one repetition of a position at or after the root is a draw already, since what was best once is best
// again; positions before the root must come a third time, as the rules say.
#include "bitboard.h"

// ---- cuckoo table -------------------------------------------------------------------------------
// Every reversible move by the change it makes to the key, in a hash table with two places for each: one
// lookup tells whether two positions, an odd number of plies apart, are one move from each other.
enum { CUCKOO_NB = 8192, CUCKOO_MOVES = 3668 };

static struct Cuckoo {
    u64 key[CUCKOO_NB];
    u8 a[CUCKOO_NB], b[CUCKOO_NB]; // the move goes between these squares, either way
} cuckoo;

static inline int cuckoo_place(u64 key, int which) { return (int)(key >> 16 * which & (CUCKOO_NB - 1)); }

static void cuckoo_insert(u64 key, int a, int b)
{
    int place = cuckoo_place(key, 0);
    while (key) {
        u64 old_key = cuckoo.key[place];
        int old_a = cuckoo.a[place], old_b = cuckoo.b[place];
        cuckoo.key[place] = key;
        cuckoo.a[place] = (u8)a;
        cuckoo.b[place] = (u8)b;
        key = old_key;
        a = old_a;
        b = old_b;
        place ^= cuckoo_place(key, 0) ^ cuckoo_place(key, 1); // the other place of the one driven out
    }
}

void cuckoo_init(void)
{
    int count = 0;
    for (int side = 0; side < SIDE_NB; side++)
        for (int kind = KNIGHT; kind <= KING; kind++)
            for (int a = 0; a < SQUARE_NB; a++)
                for (int b = a + 1; b < SQUARE_NB; b++) {
                    if (!(attacks_of(side, kind, a, 0) & sq_bit(b)))
                        continue;
                    const u64 *key = zobrist.piece[piece_make(side, kind)];
                    cuckoo_insert(key[a] ^ key[b] ^ zobrist.side, a, b);
                    count++;
                }
    assert(count == CUCKOO_MOVES);
    (void)count;
}

// ---- repetition ---------------------------------------------------------------------------------
void keys_push(KeyHistory *keys, const Position *pos)
{
    assert(keys->count < keys->capacity);
    keys->entry[keys->count++].key = pos->key;
}

// How many plies back a position equal to this one may lie.
static int reach_back(const Position *pos, const KeyHistory *keys)
{
    return min_int(min_int(pos->rule50, pos->null_ply), keys->count);
}

// The position `distance` plies before the current one.
static u64 key_before(const KeyHistory *keys, int distance)
{
    return keys->entry[keys->count - distance].key;
}

// How often the key stood on the board `from` or more plies back, in steps of two; stops at `enough`.
static int count_occurrences(const KeyHistory *keys, u64 key, int from, int reach, int enough)
{
    int count = 0;
    for (int distance = from; distance <= reach && count < enough; distance += 2)
        count += key_before(keys, distance) == key;
    return count;
}

static bool is_repeated_in_search(const Position *pos, const KeyHistory *keys, int ply)
{
    int reach = reach_back(pos, keys), earlier = 0;
    for (int distance = 4; distance <= reach; distance += 2)
        if (key_before(keys, distance) == pos->key && (distance <= ply || ++earlier == 2))
            return true;
    return false;
}

bool pos_can_repeat(const Position *pos, const KeyHistory *keys, int ply)
{
    int reach = reach_back(pos, keys);
    if (reach < 3)
        return false;
    // What the opponent's moves have changed since: unless they cancel out, no one move of ours leads back.
    u64 theirs = pos->key ^ key_before(keys, 1) ^ zobrist.side;
    for (int distance = 3; distance <= reach; distance += 2) {
        u64 there = key_before(keys, distance), change = pos->key ^ there;
        theirs ^= key_before(keys, distance - 1) ^ there ^ zobrist.side;
        if (theirs)
            continue;
        int place = cuckoo_place(change, 0);
        if (cuckoo.key[place] != change) {
            place = cuckoo_place(change, 1);
            if (cuckoo.key[place] != change)
                continue;
        }
        int a = cuckoo.a[place], b = cuckoo.b[place];
        if (squares_between(a, b) & pos_occupied(pos))
            continue;
        // The piece that stands on one of the two squares may be the opponent's: then it was he who left.
        if (!(pos->by_side[pos->side] & (sq_bit(a) | sq_bit(b))))
            continue;
        if (distance <= ply || count_occurrences(keys, there, distance + 2, reach, 1))
            return true;
    }
    return false;
}

// ---- the fifty-move rule and dead positions -----------------------------------------------------
// Nobody can mate by any sequence of moves, as far as material alone tells: bare kings, one minor piece, or
// bishops that all stand on squares of one colour.
static bool is_dead(const Position *pos)
{
    if (pos->by_kind[PAWN] | pos->by_kind[ROOK] | pos->by_kind[QUEEN])
        return false;
    u64 bishops = pos->by_kind[BISHOP], knights = pos->by_kind[KNIGHT];
    if (!bits_many(bishops | knights))
        return true;
    return !knights && (!(bishops & DARK_SQUARES) || !(bishops & ~DARK_SQUARES));
}

// Only a bare king is sure to mate nobody: against men in the wrong places any other piece can.
bool pos_can_win(const Position *pos, int side) { return bits_many(pos->by_side[side]); }

static bool is_mated(const Position *pos) { return pos->checkers && gen_count(pos) == 0; }

Outcome pos_outcome(const Position *pos, const KeyHistory *keys, int ply)
{
    // A mate on the hundredth half-move is a mate: the search will see that there is no move.
    if (pos->rule50 >= 100 && !is_mated(pos))
        return OUTCOME_DRAW;
    if (is_dead(pos) || is_repeated_in_search(pos, keys, ply))
        return OUTCOME_DRAW;
    return OUTCOME_NONE;
}

Outcome pos_no_move_outcome(const Position *pos) { return pos->checkers ? OUTCOME_LOSS : OUTCOME_DRAW; }

Verdict game_outcome(const Position *pos, const KeyHistory *keys)
{
    if (gen_count(pos) == 0)
        return (Verdict){pos_no_move_outcome(pos), pos->checkers ? REASON_MATE : REASON_NO_MOVE};
    if (is_dead(pos))
        return (Verdict){OUTCOME_DRAW, REASON_DEAD_POSITION};
    if (count_occurrences(keys, pos->key, 2, reach_back(pos, keys), 2) == 2)
        return (Verdict){OUTCOME_DRAW, REASON_REPETITION};
    if (pos->rule50 >= 100)
        return (Verdict){OUTCOME_DRAW, REASON_MOVE_LIMIT};
    return (Verdict){OUTCOME_NONE, REASON_NONE};
}

// ---- what the search asks -----------------------------------------------------------------------
bool pos_instant_win(const Position *pos, Move *how)
{
    (void)pos;
    (void)how;
    return false;
}

bool pos_can_declare(const Position *pos)
{
    (void)pos;
    return false;
}

// With nothing but king and pawns, to be obliged to move is often what loses.
bool pos_null_ok(const Position *pos)
{
    return pos->by_side[pos->side] & ~pos->by_kind[PAWN] & ~pos->by_kind[KING];
}

// A stored score knows nothing of the clock of the game at hand.
enum { TRUST_RULE50_MAX = 90 };

bool pos_tt_trust(const Position *pos) { return pos->rule50 < TRUST_RULE50_MAX; }

// By how much the score of the side ahead is to be divided: without pawns, a piece ahead is rarely enough to
// win, and a single piece or two knights never are.
static int pawnless_divisor(const Position *pos, int ahead)
{
    static const int POWER[KIND_NB] = {[KNIGHT] = 3, [BISHOP] = 3, [ROOK] = 5, [QUEEN] = 9};
    if (pos->by_side[ahead] & pos->by_kind[PAWN])
        return 1;
    int power[SIDE_NB] = {0};
    for (int side = 0; side < SIDE_NB; side++)
        for (int kind = KNIGHT; kind <= QUEEN; kind++)
            power[side] += POWER[kind] * bits_count(pos->by_side[side] & pos->by_kind[kind]);
    u64 men = pos->by_side[ahead] & ~pos->by_kind[KING];
    if (power[ahead] <= 3 || (power[ahead] == 6 && !(men & ~pos->by_kind[KNIGHT])))
        return 16;
    return power[ahead] - power[!ahead] <= 3 ? 4 : 1;
}

// At most half of the score fades on the way to the move limit, so that a won game is worth pawn moves and
// captures, but never its sign.
int pos_damp(const Position *pos, int score)
{
    score -= score * min_int(pos->rule50, 100) / 200;
    return score / pawnless_divisor(pos, score > 0 ? pos->side : !pos->side);
}
