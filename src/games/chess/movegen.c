// SPDX-License-Identifier: GPL-3.0-or-later
// Legal moves, generated from the masks of check and pin: no move is made to be tested, but for the rare en
// passant. One generator, inlined for each side, each choice of moves and for counting, so that all of them
// are the same rules. Noisy: captures and promotions to a queen. Quiet: all the rest, promotions to a lesser
// piece among them. The second half answers questions about one move: is it (pseudo-)legal, does it give
// check?
#include "bitboard.h"

#define INLINE static inline __attribute__((always_inline))

typedef enum Want { WANT_ALL, WANT_NOISY, WANT_QUIET } Want;

// Where moves go: onto a list, or (list NULL, known when compiling) into a count.
typedef struct Sink {
    Move *list;
    int count;
} Sink;

INLINE void sink_targets(Sink *sink, bool counting, int from, u64 targets)
{
    if (counting)
        sink->count += bits_count(targets);
    else
        while (targets)
            *sink->list++ = move_make(from, bits_pop(&targets));
}

INLINE void sink_move(Sink *sink, bool counting, Move move)
{
    if (counting)
        sink->count++;
    else
        *sink->list++ = move;
}

// ---- pawns --------------------------------------------------------------------------------------
INLINE u64 shift_bits(u64 bits, int by) { return by > 0 ? bits << by : bits >> -by; }

// Pawn moves by their targets: each came from `to - step`.
INLINE void sink_pawns(Sink *sink, bool counting, u64 targets, int step)
{
    if (counting)
        sink->count += bits_count(targets);
    else
        while (targets) {
            int to = bits_pop(&targets);
            *sink->list++ = move_make(to - step, to);
        }
}

INLINE void sink_promotions(Sink *sink, bool counting, u64 targets, int step, int lowest, int highest)
{
    if (counting)
        sink->count += bits_count(targets) * (highest - lowest + 1);
    else
        while (targets) {
            int to = bits_pop(&targets);
            for (int kind = highest; kind >= lowest; kind--)
                *sink->list++ = move_make_promotion(to - step, to, kind);
        }
}

// The steps of these pawns, one square and two, onto `targets`. Returns the promotions among them.
INLINE u64 gen_pawn_steps(const Position *pos, int us, u64 pawns, u64 targets, bool counting, Sink *sink)
{
    int up = us == WHITE ? 8 : -8;
    u64 empty = pos->by_kind[NO_KIND], third = rank_bits(us == WHITE ? 2 : 5),
        last = us == WHITE ? RANK_8 : RANK_1;
    u64 one = shift_bits(pawns, up) & empty;
    u64 two = shift_bits(one & third, up) & empty & targets;
    one &= targets;
    sink_pawns(sink, counting, one & ~last, up);
    sink_pawns(sink, counting, two, 2 * up);
    return one & last;
}

INLINE void gen_pawns(const Position *pos, int us, int king, u64 check_mask, Want want, bool counting,
                      Sink *sink)
{
    int up = us == WHITE ? 8 : -8;
    u64 last = us == WHITE ? RANK_8 : RANK_1;
    u64 pawns = pos_pieces(pos, us, PAWN), free = pawns & ~pos->pinned;

    // A pinned pawn may step only along the king's file.
    u64 steppers = free | (pawns & file_bits(sq_file(king)));
    u64 promotions;
    if (want == WANT_NOISY) {
        promotions = shift_bits(steppers, up) & pos->by_kind[NO_KIND] & last & check_mask;
        if (promotions)
            sink_promotions(sink, counting, promotions, up, QUEEN, QUEEN);
    } else {
        promotions = gen_pawn_steps(pos, us, steppers, check_mask, counting, sink);
        if (promotions)
            sink_promotions(sink, counting, promotions, up, KNIGHT, want == WANT_QUIET ? ROOK : QUEEN);
    }
    if (want == WANT_QUIET)
        return;

    // And capture only along the king's diagonal.
    u64 rising = free | (pawns & boards.diagonal[king]), falling = free | (pawns & boards.antidiagonal[king]);
    u64 enemy = pos->by_side[!us] & check_mask;
    int east = up + 1, west = up - 1;
    u64 to_east = shift_bits((us == WHITE ? rising : falling) & ~FILE_H, east) & enemy;
    u64 to_west = shift_bits((us == WHITE ? falling : rising) & ~FILE_A, west) & enemy;
    sink_pawns(sink, counting, to_east & ~last, east);
    sink_pawns(sink, counting, to_west & ~last, west);
    if ((to_east | to_west) & last) {
        sink_promotions(sink, counting, to_east & last, east, KNIGHT, QUEEN);
        sink_promotions(sink, counting, to_west & last, west, KNIGHT, QUEEN);
    }
    if (pos->en_passant != SQUARE_NB) {
        u64 candidates = attacks_pawn(!us, pos->en_passant) & pawns;
        while (candidates) {
            int from = bits_pop(&candidates);
            if (pos_en_passant_is_legal(pos, from, pos->en_passant))
                sink_move(sink, counting, move_make_typed(from, pos->en_passant, MOVE_EN_PASSANT));
        }
    }
}

// ---- pieces -------------------------------------------------------------------------------------
// Knights and sliders. Queens move twice: once among the bishops, once among the rooks.
INLINE void gen_pieces(const Position *pos, int us, int king, u64 targets, bool counting, Sink *sink)
{
    u64 own = pos->by_side[us], occupied = pos_occupied(pos), pinned = pos->pinned;
    u64 diagonal = pos_diagonal_sliders(pos) & own, straight = pos_straight_sliders(pos) & own;

    for (u64 rest = pos->by_kind[KNIGHT] & own & ~pinned; rest;) {
        int from = bits_pop(&rest);
        sink_targets(sink, counting, from, attacks_knight(from) & targets);
    }
    for (u64 rest = diagonal & ~pinned; rest;) {
        int from = bits_pop(&rest);
        sink_targets(sink, counting, from, attacks_bishop(from, occupied) & targets);
    }
    for (u64 rest = straight & ~pinned; rest;) {
        int from = bits_pop(&rest);
        sink_targets(sink, counting, from, attacks_rook(from, occupied) & targets);
    }
    for (u64 rest = diagonal & pinned & boards.lines[0][king]; rest;) {
        int from = bits_pop(&rest);
        sink_targets(sink, counting, from,
                     attacks_bishop(from, occupied) & targets & line_through(king, from));
    }
    for (u64 rest = straight & pinned & boards.lines[1][king]; rest;) {
        int from = bits_pop(&rest);
        sink_targets(sink, counting, from, attacks_rook(from, occupied) & targets & line_through(king, from));
    }
}

// ---- the king -----------------------------------------------------------------------------------
// The squares of `targets` where the king would not stand in check.
INLINE u64 king_safe(const Position *pos, int us, int king, u64 targets)
{
    u64 enemy = pos->by_side[!us];
    u64 seen_through =
        pos_occupied(pos) ^ sq_bit(king); // a slider checks through the square the king has left
    u64 diagonal = pos_diagonal_sliders(pos) & enemy, straight = pos_straight_sliders(pos) & enemy;
    u64 knights = pos->by_kind[KNIGHT] & enemy;
    targets &= ~pawns_attack(!us, pos->by_kind[PAWN] & enemy) & ~attacks_king(pos_king(pos, !us));
    u64 safe = 0;
    while (targets) {
        int to = bits_pop(&targets);
        bool attacked = (attacks_knight(to) & knights) || (attacks_bishop(to, seen_through) & diagonal) ||
                        (attacks_rook(to, seen_through) & straight);
        safe |= (u64)!attacked << to;
    }
    return safe;
}

// Nothing stands in the way of king and rook.
INLINE bool castle_path_is_free(const Position *pos, int us, bool is_long)
{
    int king = pos_king(pos, us), rook = pos->castle_rook[castle_index(us, is_long)];
    int king_to = castle_king_to(us, is_long), rook_to = castle_rook_to(us, is_long);
    u64 path =
        squares_between(king, king_to) | sq_bit(king_to) | squares_between(rook, rook_to) | sq_bit(rook_to);
    return !(path & pos_occupied(pos) & ~sq_bit(king) & ~sq_bit(rook));
}

// The king passes no attacked square, and the rook does not uncover him by leaving.
static bool castle_is_safe(const Position *pos, int us, bool is_long)
{
    int king = pos_king(pos, us), rook = pos->castle_rook[castle_index(us, is_long)];
    int king_to = castle_king_to(us, is_long), rook_to = castle_rook_to(us, is_long);
    u64 path = squares_between(king, king_to) | sq_bit(king_to);
    u64 after = (pos_occupied(pos) & ~sq_bit(king) & ~sq_bit(rook)) | sq_bit(king_to) | sq_bit(rook_to);
    if (attacks_rook(king_to, after) & pos_straight_sliders(pos) & pos->by_side[!us])
        return false;
    return king_safe(pos, us, king, path) == path;
}

INLINE void gen_castling(const Position *pos, int us, bool counting, Sink *sink)
{
    for (int is_long = 0; is_long < 2; is_long++) {
        int index = castle_index(us, is_long);
        if (pos->castling >> index & 1 && castle_path_is_free(pos, us, is_long) &&
            castle_is_safe(pos, us, is_long))
            sink_move(sink, counting,
                      move_make_typed(pos_king(pos, us), pos->castle_rook[index], MOVE_CASTLING));
    }
}

// ---- generators ---------------------------------------------------------------------------------
// Where a piece other than the king may go to, as far as checks are concerned.
INLINE u64 check_mask_of(const Position *pos, int king)
{
    return pos->checkers ? squares_between(king, bits_first(pos->checkers)) | pos->checkers : ~0ULL;
}

INLINE void generate(const Position *pos, int us, Want want, bool counting, Sink *sink)
{
    int king = pos_king(pos, us);
    u64 targets = want == WANT_NOISY   ? pos->by_side[!us]
                  : want == WANT_QUIET ? pos->by_kind[NO_KIND]
                                       : ~pos->by_side[us];
    if (!bits_many(pos->checkers)) {
        u64 check_mask = check_mask_of(pos, king);
        gen_pawns(pos, us, king, check_mask, want, counting, sink);
        gen_pieces(pos, us, king, targets & check_mask, counting, sink);
        if (want != WANT_NOISY && pos->castling && !pos->checkers)
            gen_castling(pos, us, counting, sink);
    }
    sink_targets(sink, counting, king, king_safe(pos, us, king, attacks_king(king) & targets));
}

INLINE Move *generate_list(const Position *pos, Want want, Move *list)
{
    Sink sink = {list, 0};
    if (pos->side == WHITE)
        generate(pos, WHITE, want, false, &sink);
    else
        generate(pos, BLACK, want, false, &sink);
    assert(sink.list - list <= MAX_MOVES);
    return sink.list;
}

Move *gen_noisy(const Position *pos, Move *list) { return generate_list(pos, WANT_NOISY, list); }

Move *gen_quiet(const Position *pos, Move *list) { return generate_list(pos, WANT_QUIET, list); }

Move *gen_all(const Position *pos, Move *list) { return generate_list(pos, WANT_ALL, list); }

Move *gen_evasions(const Position *pos, Move *list)
{
    assert(pos->checkers);
    return gen_all(pos, list);
}

int gen_count(const Position *pos)
{
    Sink sink = {NULL, 0};
    if (pos->side == WHITE)
        generate(pos, WHITE, WANT_ALL, true, &sink);
    else
        generate(pos, BLACK, WANT_ALL, true, &sink);
    return sink.count;
}

// ---- quiet checks -------------------------------------------------------------------------------
// Pieces of `us` that alone stand between one of its sliders and the enemy king: moving off the line gives
// check.
static u64 find_discoverers(const Position *pos, int us, int enemy_king)
{
    u64 own = pos->by_side[us], discoverers = 0;
    u64 snipers = ((boards.lines[0][enemy_king] & pos_diagonal_sliders(pos)) |
                   (boards.lines[1][enemy_king] & pos_straight_sliders(pos))) &
                  own;
    while (snipers) {
        u64 shield = squares_between(enemy_king, bits_pop(&snipers)) & pos_occupied(pos);
        if (!bits_many(shield))
            discoverers |= shield & own;
    }
    return discoverers;
}

INLINE void gen_pawn_checks(const Position *pos, int us, int king, int enemy_king, u64 discoverers,
                            u64 check_mask, Sink *sink)
{
    u64 pawns = pos_pieces(pos, us, PAWN);
    u64 steppers = pawns & (~pos->pinned | file_bits(sq_file(king)));
    u64 uncover = steppers & discoverers & ~file_bits(sq_file(enemy_king));
    u64 promotions = gen_pawn_steps(pos, us, uncover, check_mask, false, sink);
    u64 last = us == WHITE ? RANK_8 : RANK_1;
    promotions |= gen_pawn_steps(pos, us, steppers & ~uncover,
                                 check_mask & (attacks_pawn(!us, enemy_king) | last), false, sink);
    while (promotions) {
        int to = bits_pop(&promotions);
        for (int kind = ROOK; kind >= KNIGHT; kind--) {
            Move move = move_make_promotion(to - (us == WHITE ? 8 : -8), to, kind);
            if (move_gives_check(pos, move))
                *sink->list++ = move;
        }
    }
}

// A piece checks from the squares its kind attacks the enemy king from; a discoverer, wherever it leaves the
// line.
INLINE void gen_piece_checks(const Position *pos, int us, int king, int enemy_king, u64 discoverers,
                             u64 check_mask, Sink *sink)
{
    u64 occupied = pos_occupied(pos), targets = pos->by_kind[NO_KIND] & check_mask;
    u64 diagonal = attacks_bishop(enemy_king, occupied), straight = attacks_rook(enemy_king, occupied);
    const u64 from_where[KIND_NB] = {[KNIGHT] = attacks_knight(enemy_king),
                                     [BISHOP] = diagonal,
                                     [ROOK] = straight,
                                     [QUEEN] = diagonal | straight};
    for (u64 rest = pos->by_side[us] & ~pos->by_kind[PAWN] & ~pos->by_kind[KING]; rest;) {
        int from = bits_pop(&rest), kind = piece_kind(pos->board[from]);
        u64 wanted = from_where[kind];
        if (discoverers & sq_bit(from))
            wanted |= ~line_through(enemy_king, from);
        if (pos->pinned & sq_bit(from))
            wanted &= line_through(king, from);
        wanted &= targets;
        if (wanted)
            sink_targets(sink, false, from, attacks_of(us, kind, from, occupied) & wanted);
    }
}

INLINE void generate_checks(const Position *pos, int us, Sink *sink)
{
    int king = pos_king(pos, us), enemy_king = pos_king(pos, !us);
    u64 discoverers = find_discoverers(pos, us, enemy_king);
    if (!bits_many(pos->checkers)) {
        u64 check_mask = check_mask_of(pos, king);
        gen_pawn_checks(pos, us, king, enemy_king, discoverers, check_mask, sink);
        gen_piece_checks(pos, us, king, enemy_king, discoverers, check_mask, sink);
        if (pos->castling && !pos->checkers) {
            Sink castling = *sink;
            gen_castling(pos, us, false, &castling);
            for (Move *move = sink->list, *end = castling.list; move < end; move++)
                if (move_gives_check(pos, *move))
                    *sink->list++ = *move;
        }
    }
    if (discoverers & sq_bit(king)) {
        u64 targets = attacks_king(king) & pos->by_kind[NO_KIND] & ~line_through(enemy_king, king);
        sink_targets(sink, false, king, king_safe(pos, us, king, targets));
    }
}

Move *gen_checks(const Position *pos, Move *list)
{
    Sink sink = {list, 0};
    if (pos->side == WHITE)
        generate_checks(pos, WHITE, &sink);
    else
        generate_checks(pos, BLACK, &sink);
    return sink.list;
}

// ---- one move -----------------------------------------------------------------------------------
bool move_is_noisy(const Position *pos, Move move)
{
    switch (move_type(move)) {
    case MOVE_CASTLING: return false;
    case MOVE_EN_PASSANT: return true;
    case MOVE_PROMOTION: return pos->board[move_to(move)] || move_promotion_kind(move) == QUEEN;
    default: return pos->board[move_to(move)];
    }
}

static bool castling_is_pseudo_legal(const Position *pos, int from, int to)
{
    int us = pos->side;
    bool is_long = to < from;
    int index = castle_index(us, is_long);
    return !pos->checkers && from == pos_king(pos, us) && pos->castling >> index & 1 &&
           to == pos->castle_rook[index] && castle_path_is_free(pos, us, is_long);
}

// A pawn's capture, or its step of one or two squares.
static bool pawn_is_pseudo_legal(const Position *pos, int from, int to)
{
    int us = pos->side, up = us == WHITE ? 8 : -8;
    if (attacks_pawn(us, from) & sq_bit(to))
        return pos->by_side[!us] & sq_bit(to);
    if (to == from + up)
        return !pos->board[to];
    return to == from + 2 * up && sq_relative_rank(us, from) == 1 && !pos->board[to] &&
           !pos->board[from + up];
}

bool move_is_pseudo_legal(const Position *pos, Move move)
{
    int us = pos->side, from = move_from(move), to = move_to(move), type = move_type(move);
    int piece = pos->board[from], kind = piece_kind(piece);
    if (!(pos->by_side[us] & sq_bit(from)) || (type != MOVE_PROMOTION && move_promotion_kind(move) != KNIGHT))
        return false;
    if (type == MOVE_CASTLING)
        return castling_is_pseudo_legal(pos, from, to);
    if (pos->by_side[us] & sq_bit(to))
        return false;
    if (type == MOVE_EN_PASSANT)
        return kind == PAWN && to == pos->en_passant && attacks_pawn(us, from) & sq_bit(to);
    if (kind != PAWN)
        return type == MOVE_NORMAL && attacks_of(us, kind, from, pos_occupied(pos)) & sq_bit(to);
    return (type == MOVE_PROMOTION) == (sq_relative_rank(us, to) == 7) && pawn_is_pseudo_legal(pos, from, to);
}

bool move_is_legal(const Position *pos, Move move)
{
    int us = pos->side, from = move_from(move), to = move_to(move), king = pos_king(pos, us);
    if (move_type(move) == MOVE_CASTLING)
        return castle_is_safe(pos, us, to < from);
    if (move_type(move) == MOVE_EN_PASSANT)
        return pos_en_passant_is_legal(pos, from, to);
    if (from == king)
        return king_safe(pos, us, king, sq_bit(to));
    if (pos->checkers && (bits_many(pos->checkers) || !(check_mask_of(pos, king) & sq_bit(to))))
        return false;
    return !(pos->pinned & sq_bit(from)) || line_through(king, from) & sq_bit(to);
}

// En passant and castling empty or fill more than two squares: look at all lines to the king.
static bool special_gives_check(const Position *pos, Move move, int enemy_king)
{
    int us = pos->side, from = move_from(move), to = move_to(move);
    u64 own = pos->by_side[us], straight = pos_straight_sliders(pos) & own, occupied = pos_occupied(pos);
    if (move_type(move) == MOVE_EN_PASSANT) {
        occupied ^= sq_bit(from) ^ sq_bit(to) ^ sq_bit(to ^ 8);
        return (attacks_pawn(us, to) & sq_bit(enemy_king)) ||
               (attacks_bishop(enemy_king, occupied) & pos_diagonal_sliders(pos) & own) ||
               (attacks_rook(enemy_king, occupied) & straight);
    }
    bool is_long = to < from;
    u64 rook_to = sq_bit(castle_rook_to(us, is_long)), king_to = sq_bit(castle_king_to(us, is_long));
    occupied = (occupied & ~sq_bit(from) & ~sq_bit(to)) | rook_to | king_to;
    straight = (straight & ~sq_bit(to)) | rook_to;
    return attacks_rook(enemy_king, occupied) &
           straight; // on the back rank only lines along rank and file can open
}

bool move_gives_check(const Position *pos, Move move)
{
    int us = pos->side, from = move_from(move), to = move_to(move), type = move_type(move);
    int enemy_king = pos_king(pos, !us);
    if (type == MOVE_EN_PASSANT || type == MOVE_CASTLING)
        return special_gives_check(pos, move, enemy_king);
    int kind = type == MOVE_PROMOTION ? move_promotion_kind(move) : piece_kind(pos->board[from]);
    u64 occupied = pos_occupied(pos) & ~sq_bit(from), to_bit = sq_bit(to), own = pos->by_side[us];

    u64 from_where = kind == PAWN     ? attacks_pawn(!us, enemy_king)
                     : kind == KNIGHT ? attacks_knight(enemy_king)
                     : kind == BISHOP ? boards.lines[0][enemy_king]
                     : kind == ROOK   ? boards.lines[1][enemy_king]
                     : kind == QUEEN  ? boards.lines[0][enemy_king] | boards.lines[1][enemy_king]
                                      : 0;
    if (from_where & to_bit && !(squares_between(enemy_king, to) & occupied))
        return true;
    u64 line = line_through(enemy_king, from);
    if (!line || line & to_bit)
        return false;
    u64 uncovered = boards.lines[0][enemy_king] & sq_bit(from)
                        ? attacks_bishop(enemy_king, occupied | to_bit) & pos_diagonal_sliders(pos)
                        : attacks_rook(enemy_king, occupied | to_bit) & pos_straight_sliders(pos);
    return uncovered & line & own;
}
