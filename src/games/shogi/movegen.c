// SPDX-License-Identifier: GPL-3.0-or-later
// Move generation and legality. gen_all is exact and complete; the generators of the search are pseudo-legal
// (a piece may leave its pin, the king may step into an attack, a dropped pawn may mate) and leave out the
// non-promotions that are as good as never better, unless the rules say generate_all: of pawn, bishop and
// rook all, of the lance those on the last two ranks. Noisy is: takes something or promotes.
#include "bitboard.h"

// ---- writing moves ------------------------------------------------------------------------------
static inline Move *add_moves(Move *list, int from, Bitboard targets, int flags)
{
    Move base = (Move)(from << 7 | flags);
    for (u64 low = targets[0]; low;)
        *list++ = (Move)(base + bits_pop(&low));
    for (u64 high = targets[1]; high;)
        *list++ = (Move)(base + WORD_SPLIT + bits_pop(&high));
    return list;
}

// Steps of pawns by where they arrive.
static inline Move *add_pawn_moves(Move *list, int side, Bitboard targets, int flags)
{
    int back = side == BLACK ? 1 : -1;
    for (Squares s = squares_of(targets); squares_left(s);) {
        int to = squares_next(&s);
        *list++ = (Move)(move_make(to + back, to) | flags);
    }
    return list;
}

// What a generator asks for: where a move may promote to, where it may go without, and whether dominated
// moves count.
typedef struct Wanted {
    Bitboard promote, plain;
    bool all;
} Wanted;

// Squares on which a piece that starts outside or inside the zone can promote.
static inline Bitboard promotion_squares(int side, int from)
{
    return in_zone(side, from) ? BB_ALL : zone_of(side);
}

// Where it is allowed, and worth it, to arrive unpromoted.
static inline Bitboard plain_squares(int side, int kind, int from, bool all)
{
    switch (kind) {
    case PAWN: return all ? ~last_rank(side) : ~zone_of(side);
    case LANCE: return all ? ~last_rank(side) : ~last_two_ranks(side);
    case KNIGHT: return ~last_two_ranks(side);
    case BISHOP:
    case ROOK: return all ? BB_ALL : ~promotion_squares(side, from);
    default: return BB_ALL;
    }
}

static inline Move *add_piece_moves(Move *list, int side, int kind, int from, Bitboard attacks, Wanted wanted)
{
    if (kind_promotes(kind))
        list = add_moves(list, from, attacks & wanted.promote & promotion_squares(side, from), MOVE_PROMOTE);
    return add_moves(list, from, attacks & wanted.plain & plain_squares(side, kind, from, wanted.all), 0);
}

// ---- pieces and drops ---------------------------------------------------------------------------
// Moves of everything but the king, without a look at pins.
static inline Move *gen_pieces(const Position *pos, Move *list, Wanted wanted)
{
    int us = pos->side;
    Bitboard own = pos->boards.by_side[us], occupied = pos_occupied(pos);
    const Bitboard *kind = pos->boards.by_kind;

    Bitboard steps = pawns_step(us, own & kind[PAWN]);
    list = add_pawn_moves(list, us, steps & wanted.promote & zone_of(us), MOVE_PROMOTE);
    list = add_pawn_moves(list, us, steps & wanted.plain & plain_squares(us, PAWN, 0, wanted.all), 0);
    for (Squares s = squares_of(own & kind[LANCE]); squares_left(s);) {
        int from = squares_next(&s);
        list = add_piece_moves(list, us, LANCE, from, lance_attacks(us, from, occupied), wanted);
    }
    for (Squares s = squares_of(own & kind[KNIGHT]); squares_left(s);) {
        int from = squares_next(&s);
        list = add_piece_moves(list, us, KNIGHT, from, lookup.knight[us][from], wanted);
    }
    for (Squares s = squares_of(own & kind[SILVER]); squares_left(s);) {
        int from = squares_next(&s);
        list = add_piece_moves(list, us, SILVER, from, lookup.silver[us][from], wanted);
    }
    for (Squares s = squares_of(own & kind[GOLDS]); squares_left(s);) {
        int from = squares_next(&s);
        list = add_moves(list, from, lookup.gold[us][from] & wanted.plain, 0);
    }
    for (Squares s = squares_of(own & kind[BISHOP]); squares_left(s);) {
        int from = squares_next(&s);
        list = add_piece_moves(list, us, BISHOP, from, bishop_attacks(from, occupied), wanted);
    }
    for (Squares s = squares_of(own & kind[ROOK]); squares_left(s);) {
        int from = squares_next(&s);
        list = add_piece_moves(list, us, ROOK, from, rook_attacks(from, occupied), wanted);
    }
    for (Squares s = squares_of(own & kind[HORSE]); squares_left(s);) {
        int from = squares_next(&s);
        list = add_moves(list, from, (bishop_attacks(from, occupied) | lookup.king[from]) & wanted.plain, 0);
    }
    for (Squares s = squares_of(own & kind[DRAGON]); squares_left(s);) {
        int from = squares_next(&s);
        list = add_moves(list, from, (rook_attacks(from, occupied) | lookup.king[from]) & wanted.plain, 0);
    }
    return list;
}

static inline Move *gen_king(const Position *pos, Move *list, Bitboard targets)
{
    int king = pos->king[pos->side];
    return add_moves(list, king, lookup.king[king] & targets, 0);
}

// `targets` are empty squares.
static inline Move *gen_drops(const Position *pos, Move *list, Bitboard targets)
{
    int us = pos->side;
    if (!pos->hand[us] || !bb_any(targets))
        return list;
    for (int kind = PAWN; kind < HAND_KIND_NB; kind++)
        if (hand_count(pos->hand[us], kind))
            list = add_moves(list, DROP_BASE + kind, targets & drop_squares(&pos->boards, us, kind), 0);
    return list;
}

// ---- the generators -----------------------------------------------------------------------------
Move *gen_noisy(const Position *pos, Move *list)
{
    Bitboard enemies = pos->boards.by_side[!pos->side], targets = BB_ALL & ~pos->boards.by_side[pos->side];
    list = gen_pieces(pos, list, (Wanted){targets, enemies, pos->rules.generate_all});
    return gen_king(pos, list, enemies);
}

Move *gen_quiet(const Position *pos, Move *list)
{
    Bitboard empty = BB_ALL & ~pos_occupied(pos);
    list = gen_pieces(pos, list, (Wanted){BB_NONE, empty, pos->rules.generate_all});
    list = gen_king(pos, list, empty);
    return gen_drops(pos, list, empty);
}

// Where a move other than the king's ends a single check; nowhere in a double one.
static inline Bitboard evasion_squares(const Position *pos)
{
    if (bb_many(pos->state.checkers))
        return BB_NONE;
    return pos->state.checkers | squares_between(pos->king[pos->side], bb_first(pos->state.checkers));
}

static inline Move *gen_evasions_of(const Position *pos, Move *list, bool all)
{
    Bitboard targets = evasion_squares(pos);
    list = gen_king(pos, list, BB_ALL & ~pos->boards.by_side[pos->side]);
    if (!bb_any(targets))
        return list;
    list = gen_pieces(pos, list, (Wanted){targets, targets, all});
    return gen_drops(pos, list, targets & ~pos->state.checkers);
}

Move *gen_evasions(const Position *pos, Move *list)
{
    assert(pos_in_check(pos));
    return gen_evasions_of(pos, list, pos->rules.generate_all);
}

// Keeps the legal moves of a list.
static Move *filter_legal(const Position *pos, Move *list, Move *end)
{
    Move *kept = list;
    for (; list < end; list++)
        if (move_is_legal(pos, *list))
            *kept++ = *list;
    return kept;
}

Move *gen_all(const Position *pos, Move *list)
{
    Move *start = list;
    if (pos_in_check(pos)) {
        list = gen_evasions_of(pos, list, true);
    } else {
        Bitboard targets = BB_ALL & ~pos->boards.by_side[pos->side];
        list = gen_pieces(pos, list, (Wanted){targets, targets, true});
        list = gen_king(pos, list, targets);
        list = gen_drops(pos, list, BB_ALL & ~pos_occupied(pos));
    }
    return filter_legal(pos, start, list);
}

// ---- checks -------------------------------------------------------------------------------------
// Moves of a man that alone blocks a line to the king: off the line anywhere, on it only to a check of its
// own.
static Move *gen_discovered(const Position *pos, Move *list, int from, Wanted wanted)
{
    int us = pos->side, king = pos->king[!us], kind = piece_kind(pos->board[from]);
    Bitboard off_line = BB_ALL & ~lookup.ray[direction_of(king, from)][king];
    Wanted checking = {BB_NONE, wanted.plain & (off_line | pos_check_squares(pos, kind)), wanted.all};
    if (kind_promotes(kind))
        checking.promote = wanted.promote & (off_line | pos_check_squares(pos, kind + PROMOTED));
    return add_piece_moves(list, us, kind, from, attacks_of(us, kind, from, pos_occupied(pos)), checking);
}

// Checks by the arriving piece itself, of those men of one kind that can come near enough.
static inline Move *gen_direct(const Position *pos, Move *list, int kind, Bitboard movers, Wanted wanted)
{
    int us = pos->side;
    movers &= pos->boards.by_kind[kind];
    if (!bb_any(movers))
        return list;
    wanted.plain &= pos_check_squares(pos, kind);
    if (kind_promotes(kind))
        wanted.promote &= pos_check_squares(pos, kind + PROMOTED);
    for (Squares s = squares_of(movers); squares_left(s);) {
        int from = squares_next(&s);
        list = add_piece_moves(list, us, kind, from, attacks_of(us, kind, from, pos_occupied(pos)), wanted);
    }
    return list;
}

static Move *gen_move_checks(const Position *pos, Move *list, Wanted wanted)
{
    int us = pos->side, king = pos->king[!us];
    Bitboard own = pos->boards.by_side[us], discoverers = own & pos->state.blockers[!us],
             others = own & ~discoverers;
    for (Squares s = squares_of(discoverers); squares_left(s);)
        list = gen_discovered(pos, list, squares_next(&s), wanted);

    Bitboard steps = pawns_step(us, others & pos->boards.by_kind[PAWN]);
    list = add_pawn_moves(list, us, steps & wanted.promote & zone_of(us) & pos_check_squares(pos, TOKIN),
                          MOVE_PROMOTE);
    list = add_pawn_moves(
        list, us,
        steps & wanted.plain & plain_squares(us, PAWN, 0, wanted.all) & pos_check_squares(pos, PAWN), 0);
    list = gen_direct(pos, list, LANCE, others & lookup.check_from[us][LANCE][king], wanted);
    list = gen_direct(pos, list, KNIGHT, others & lookup.check_from[us][KNIGHT][king], wanted);
    list = gen_direct(pos, list, SILVER, others & lookup.check_from[us][SILVER][king], wanted);
    list = gen_direct(pos, list, GOLDS, others & lookup.check_from[us][GOLD][king], wanted);
    list = gen_direct(pos, list, BISHOP, others, wanted);
    list = gen_direct(pos, list, ROOK, others, wanted);
    list = gen_direct(pos, list, HORSE, others, wanted);
    return gen_direct(pos, list, DRAGON, others, wanted);
}

static Move *gen_drop_checks(const Position *pos, Move *list)
{
    int us = pos->side;
    Bitboard empty = BB_ALL & ~pos_occupied(pos);
    for (int kind = PAWN; pos->hand[us] && kind < HAND_KIND_NB; kind++)
        if (hand_count(pos->hand[us], kind))
            list = add_moves(list, DROP_BASE + kind,
                             empty & pos_check_squares(pos, kind) & drop_squares(&pos->boards, us, kind), 0);
    return list;
}

Move *gen_checks(const Position *pos, Move *list)
{
    Bitboard empty = BB_ALL & ~pos_occupied(pos);
    list = gen_move_checks(pos, list, (Wanted){BB_NONE, empty, pos->rules.generate_all});
    return gen_drop_checks(pos, list);
}

Move *gen_pseudo_checks(const Position *pos, Move *list)
{
    Bitboard targets = BB_ALL & ~pos->boards.by_side[pos->side];
    return gen_move_checks(pos, list, (Wanted){targets, targets, true});
}

Move *gen_all_checks(const Position *pos, Move *list)
{
    Move *start = list;
    if (pos_in_check(pos)) {
        Move *end = gen_evasions_of(pos, list, true);
        for (Move *move = start; move < end; move++)
            if (move_gives_check(pos, *move))
                *list++ = *move;
    } else {
        list = gen_drop_checks(pos, gen_pseudo_checks(pos, list));
    }
    return filter_legal(pos, start, list);
}

// ---- counting -----------------------------------------------------------------------------------
// Moves of one kind of piece to these squares, promotions counted beside non-promotions.
static inline int count_piece(int side, int kind, int from, Bitboard targets)
{
    int count = 0;
    if (kind_promotes(kind))
        count = bb_count(targets & promotion_squares(side, from));
    return count + bb_count(targets & plain_squares(side, kind, from, true));
}

static inline int count_kind(const Position *pos, int kind, Bitboard movers, Bitboard targets)
{
    int us = pos->side, count = 0;
    Bitboard occupied = pos_occupied(pos);
    for (Squares s = squares_of(movers & pos->boards.by_kind[kind]); squares_left(s);) {
        int from = squares_next(&s);
        Bitboard attacks = kind == LANCE    ? lance_attacks(us, from, occupied)
                           : kind == KNIGHT ? lookup.knight[us][from]
                           : kind == SILVER ? lookup.silver[us][from]
                           : kind == BISHOP ? bishop_attacks(from, occupied)
                           : kind == ROOK   ? rook_attacks(from, occupied)
                           : kind == HORSE  ? bishop_attacks(from, occupied) | lookup.king[from]
                           : kind == DRAGON ? rook_attacks(from, occupied) | lookup.king[from]
                                            : lookup.gold[us][from];
        count += count_piece(us, kind, from, attacks & targets);
    }
    return count;
}

static int count_pinned(const Position *pos, Bitboard pinned, Bitboard targets)
{
    int us = pos->side, king = pos->king[us], count = 0;
    for (Squares s = squares_of(pinned); squares_left(s);) {
        int from = squares_next(&s), kind = piece_kind(pos->board[from]);
        Bitboard line = lookup.ray[direction_of(king, from)][king];
        count += count_piece(us, kind, from, attacks_of(us, kind, from, pos_occupied(pos)) & targets & line);
    }
    return count;
}

static inline int count_drops(const Position *pos)
{
    int us = pos->side, count = 0;
    Hand hand = pos->hand[us];
    if (!hand)
        return 0;
    Bitboard empty = BB_ALL & ~pos_occupied(pos);
    int others = !!hand_count(hand, SILVER) + !!hand_count(hand, GOLD) + !!hand_count(hand, BISHOP) +
                 !!hand_count(hand, ROOK);
    if (others)
        count += others * bb_count(empty);
    if (hand_count(hand, KNIGHT))
        count += bb_count(empty & ~last_two_ranks(us));
    if (hand_count(hand, LANCE))
        count += bb_count(empty & ~last_rank(us));
    if (hand_count(hand, PAWN)) {
        Bitboard squares = empty & drop_squares(&pos->boards, us, PAWN),
                 checking = squares & pos_check_squares(pos, PAWN);
        count += bb_count(squares);
        if (bb_any(checking) && pos_drop_pawn_mates(pos, bb_first(checking)))
            count--;
    }
    return count;
}

int gen_count(const Position *pos)
{
    if (pos_in_check(pos)) {
        Move list[MAX_MOVES];
        return (int)(gen_all(pos, list) - list);
    }
    int us = pos->side, king = pos->king[us];
    Bitboard own = pos->boards.by_side[us], targets = BB_ALL & ~own;
    Bitboard pinned = own & pos->state.blockers[us], movers = own & ~pinned;

    Bitboard steps = pawns_step(us, movers & pos->boards.by_kind[PAWN]) & targets;
    int count = bb_count(steps) + bb_count(steps & zone_of(us) & ~last_rank(us));
    count += count_kind(pos, LANCE, movers, targets);
    count += count_kind(pos, KNIGHT, movers, targets);
    count += count_kind(pos, SILVER, movers, targets);
    count += count_kind(pos, GOLDS, movers, targets);
    count += count_kind(pos, BISHOP, movers, targets);
    count += count_kind(pos, ROOK, movers, targets);
    count += count_kind(pos, HORSE, movers, targets);
    count += count_kind(pos, DRAGON, movers, targets);
    if (bb_any(pinned))
        count += count_pinned(pos, pinned, targets);

    Bitboard king_to = lookup.king[king] & targets;
    count += bb_count(king_to &
                      ~attacked_among(&pos->boards, !us, king, king_to, pos_occupied(pos) ^ bb_of(king)));
    return count + count_drops(pos);
}

// ---- legality -----------------------------------------------------------------------------------
bool pos_drop_pawn_mates(const Position *pos, int sq)
{
    int us = pos->side, them = !us, king = pos->king[them];
    Bitboard occupied = pos_occupied(pos) | bb_of(sq);
    // A pinned piece can take the pawn only along its pin.
    Bitboard takers = attackers_to(&pos->boards, them, sq, occupied) & ~bb_of(king);
    for (Squares s = squares_of(takers); squares_left(s);) {
        int taker = squares_next(&s);
        if (!bb_has(pos->state.blockers[them], taker) || direction_of(king, taker) == direction_of(king, sq))
            return false;
    }
    Bitboard flights = lookup.king[king] & ~pos->boards.by_side[them];
    return !bb_exceeds(flights, attacked_among(&pos->boards, us, king, flights, occupied ^ bb_of(king)));
}

static bool drop_is_pseudo_legal(const Position *pos, Move move)
{
    int kind = move_drop_kind(move), to = move_to(move);
    return !move_is_promotion(move) && hand_count(pos->hand[pos->side], kind) && !pos->board[to] &&
           bb_has(drop_squares(&pos->boards, pos->side, kind), to);
}

static bool board_move_is_pseudo_legal(const Position *pos, Move move)
{
    int us = pos->side, from = move_from(move), to = move_to(move), piece = pos->board[from],
        kind = piece_kind(piece);
    if (!piece || piece_side(piece) != us || bb_has(pos->boards.by_side[us], to))
        return false;
    if (!bb_has(attacks_of(us, kind, from, pos_occupied(pos)), to))
        return false;
    if (move_is_promotion(move))
        return kind_promotes(kind) && (in_zone(us, from) || in_zone(us, to));
    return bb_has(plain_squares(us, kind, from, true), to);
}

bool move_is_pseudo_legal(const Position *pos, Move move)
{
    int from = move_from(move), to = move_to(move);
    if (move & 0x8000 || to >= SQUARE_NB || from >= FROM_NB)
        return false;
    if (!(move_is_drop(move) ? drop_is_pseudo_legal(pos, move) : board_move_is_pseudo_legal(pos, move)))
        return false;
    return !pos_in_check(pos) || from == pos->king[pos->side] || bb_has(evasion_squares(pos), to);
}

bool move_is_legal(const Position *pos, Move move)
{
    int us = pos->side, king = pos->king[us], from = move_from(move), to = move_to(move);
    if (move_is_drop(move))
        return move_drop_kind(move) != PAWN || !bb_has(pos_check_squares(pos, PAWN), to) ||
               !pos_drop_pawn_mates(pos, to);
    if (from == king)
        return !is_attacked(&pos->boards, !us, to, pos_occupied(pos) ^ bb_of(king));
    return !bb_has(pos->state.blockers[us], from) || direction_of(king, from) == direction_of(king, to);
}

bool move_gives_check(const Position *pos, Move move)
{
    int them = !pos->side, king = pos->king[them], from = move_from(move), to = move_to(move);
    int kind = piece_kind(move_piece(pos, move)) + (move_is_promotion(move) ? PROMOTED : 0);
    if (bb_has(pos_check_squares(pos, kind), to))
        return true;
    return !move_is_drop(move) && bb_has(pos->state.blockers[them], from) &&
           direction_of(king, from) != direction_of(king, to);
}

int move_captured(const Position *pos, Move move)
{
    return move_is_drop(move) ? NO_KIND : piece_kind(pos->board[move_to(move)]);
}

bool move_is_noisy(const Position *pos, Move move)
{
    return move_is_promotion(move) || (!move_is_drop(move) && pos->board[move_to(move)]);
}
