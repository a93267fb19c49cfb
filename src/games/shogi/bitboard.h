// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of the shogi rules: sets of squares, attacks, and how the files of this folder build and read a
// Position. Private to games/shogi. The tables are filled once by game_init and only read afterwards; each
// has an empty entry for SQUARE_NB, the square of a king that is not there.
//
// Sliders go by subtraction: for a ray on which squares only grow, occupied ^ (occupied - 1) is everything up
// to the first piece. Rays on which squares fall are the same in the board with its bytes reversed (no two
// squares of such a ray share a byte), so one vector holds a ray and its opposite. A file lies within one
// word and needs no carry.
#ifndef TWOFOLD_SHOGI_BITBOARD_H
#define TWOFOLD_SHOGI_BITBOARD_H

#include "game.h"

#ifdef __SSE4_1__
#include <immintrin.h>
#endif

enum {
    SQUARE_TABLE_NB = SQUARE_NB + 1,
    WORD_SPLIT = 63, // the first square of the second word
};

static inline int sq_file(int sq) { return sq / 9; }
static inline int sq_rank(int sq) { return sq % 9; }
static inline int sq_make(int file, int rank) { return file * 9 + rank; }
// The square and its rank as `side` sees them: rank 0 is the far one.
static inline int sq_relative(int side, int sq) { return side == BLACK ? sq : SQUARE_NB - 1 - sq; }
static inline int sq_relative_rank(int side, int sq) { return sq_rank(sq_relative(side, sq)); }
static inline int sq_mirror(int sq) { return sq_make(8 - sq_file(sq), sq_rank(sq)); }
// Steps a king needs from one to the other.
static inline int sq_distance(int a, int b)
{
    int files = sq_file(a) - sq_file(b), ranks = sq_rank(a) - sq_rank(b);
    return max_int(files < 0 ? -files : files, ranks < 0 ? -ranks : ranks);
}

// ---- sets of squares ----------------------------------------------------------------------------
#define BB_NONE ((Bitboard){0, 0})
#define BB_ALL ((Bitboard){0x7FFFFFFFFFFFFFFFULL, 0x3FFFFULL})

static inline bool bb_any(Bitboard b)
{
#ifdef __SSE4_1__
    return !_mm_testz_si128((__m128i)b, (__m128i)b);
#else
    return (b[0] | b[1]) != 0;
#endif
}
// Do they share a square?
static inline bool bb_meet(Bitboard a, Bitboard b)
{
#ifdef __SSE4_1__
    return !_mm_testz_si128((__m128i)a, (__m128i)b);
#else
    return bb_any(a & b);
#endif
}
// Is there a square of a that b does not have?
static inline bool bb_exceeds(Bitboard a, Bitboard b)
{
#ifdef __SSE4_1__
    return !_mm_testc_si128((__m128i)b, (__m128i)a);
#else
    return bb_any(a & ~b);
#endif
}
static inline bool bb_equal(Bitboard a, Bitboard b) { return !bb_any(a ^ b); }
static inline int bb_count(Bitboard b) { return bits_count(b[0]) + bits_count(b[1]); }
static inline bool bb_many(Bitboard b) { return b[0] && b[1] ? true : bits_many(b[0] | b[1]); }
static inline int bb_first(Bitboard b) { return b[0] ? bits_first(b[0]) : WORD_SPLIT + bits_first(b[1]); }

// Walks over a set: for (Squares s = squares_of(b); squares_left(s);) { int sq = squares_next(&s); ... }
typedef struct Squares {
    u64 low, high;
} Squares;

static inline Squares squares_of(Bitboard b) { return (Squares){b[0], b[1]}; }
static inline bool squares_left(Squares s) { return (s.low | s.high) != 0; }
static inline int squares_next(Squares *s)
{
    return s->low ? bits_pop(&s->low) : WORD_SPLIT + bits_pop(&s->high);
}

// ---- tables -------------------------------------------------------------------------------------
// A direction and its opposite differ in the last bit. NO_DIRECTION and its opposite have empty rays.
enum {
    UP,
    DOWN,
    LEFT,
    RIGHT,
    LEFT_UP,
    RIGHT_DOWN,
    LEFT_DOWN,
    RIGHT_UP,
    NO_DIRECTION,
    DIRECTION_NB = NO_DIRECTION + 2,
};

// Masks of a growing ray (element 0) and of its opposite, byte-reversed (element 1): their low words, their
// high words.
typedef struct RayPair {
    Bitboard low, high;
} RayPair;
// Two such pairs, in the order a 256-bit register wants them.
typedef struct RayQuad {
    _Alignas(32) Bitboard low[2];
    Bitboard high[2];
} RayQuad;

typedef struct Lookup {
    Bitboard square[SQUARE_TABLE_NB];
    Bitboard pawn[SIDE_NB][SQUARE_TABLE_NB]; // where a piece of that side and kind steps to
    Bitboard knight[SIDE_NB][SQUARE_TABLE_NB];
    Bitboard silver[SIDE_NB][SQUARE_TABLE_NB];
    Bitboard gold[SIDE_NB][SQUARE_TABLE_NB];
    Bitboard king[SQUARE_TABLE_NB];
    Bitboard diagonal[SQUARE_TABLE_NB]; // bishop's and rook's lines on an empty board
    Bitboard straight[SQUARE_TABLE_NB];
    Bitboard ray[DIRECTION_NB][SQUARE_TABLE_NB];
    RayPair rank_pair[SQUARE_TABLE_NB];
    RayQuad diagonal_quad[SQUARE_TABLE_NB];
    Bitboard near[SIDE_NB]
                 [SQUARE_TABLE_NB]; // from where enemies of that side can step to the square or next to it
    // From where a lance, knight, silver or (for all that move as one) gold of that side can, on an empty
    // board, move or promote into a check to a king on the square.
    Bitboard check_from[SIDE_NB][HAND_KIND_NB][SQUARE_TABLE_NB];
    u8 direction[SQUARE_TABLE_NB][SQUARE_TABLE_NB]; // of the second seen from the first
    u64 piece_key[PIECE_NB][SQUARE_NB];
    u64 hand_key[SIDE_NB][HAND_KIND_NB][20];
    u64 side_key;
} Lookup;
extern Lookup lookup;

// Fills `lookup`. Called by game_init.
void bitboard_init(void);

static inline Bitboard bb_of(int sq) { return lookup.square[sq]; }
static inline bool bb_has(Bitboard b, int sq) { return bb_meet(b, bb_of(sq)); }

// Ranks by distance from the far edge of `side`: its last rank, its last two, its promotion zone.
static inline Bitboard rank_rows(u64 rows)
{
    u64 two = rows | rows << 9, four = two | two << 18;
    return (Bitboard){four | two << 36 | rows << 54, two};
}
static inline Bitboard last_rank(int side) { return side == BLACK ? rank_rows(1) : rank_rows(1 << 8); }
static inline Bitboard last_two_ranks(int side) { return side == BLACK ? rank_rows(3) : rank_rows(3 << 7); }
static inline Bitboard zone_of(int side) { return side == BLACK ? rank_rows(7) : rank_rows(7 << 6); }
static inline bool in_zone(int side, int sq) { return sq_relative_rank(side, sq) < 3; }

// All pawns of a side one step on. No pawn stands on its last rank, so none leaves its file.
static inline Bitboard pawns_step(int side, Bitboard pawns)
{
    return side == BLACK ? pawns >> 1 : pawns << 1;
}

// The files on which none of these pawns (at most one to a file) stands. In each file, the top bit minus the
// pawn's bit keeps the top bit only where there is no pawn.
static inline Bitboard files_without(Bitboard pawns)
{
    Bitboard top = rank_rows(1 << 8);
    Bitboard is_free = (top - pawns) & top;
    return is_free | (is_free - (is_free >> 8));
}

static inline int direction_of(int from, int to) { return lookup.direction[from][to]; }
// Strictly between two squares in line; empty when they are not.
static inline Bitboard squares_between(int a, int b)
{
    int direction = direction_of(a, b);
    return lookup.ray[direction][a] & lookup.ray[direction ^ 1][b];
}

// ---- attacks ------------------------------------------------------------------------------------
Bitboard bishop_attacks_plain(int sq, Bitboard occupied);
Bitboard rook_attacks_plain(int sq, Bitboard occupied);

static inline Bitboard lance_attacks(int side, int sq, Bitboard occupied)
{
    if (side == WHITE) {
        Bitboard mask = lookup.ray[DOWN][sq], met = occupied & mask;
        return mask & (met ^ (met - 1));
    }
    Bitboard mask = lookup.ray[UP][sq], met = occupied & mask;
    met |= met >> 1;
    met |= met >> 2;
    met |= met >> 4;
    return mask & ~(met >> 1);
}
static inline Bitboard file_attacks(int sq, Bitboard occupied)
{
    return lance_attacks(BLACK, sq, occupied) | lance_attacks(WHITE, sq, occupied);
}

#ifdef __SSE4_1__
typedef u8 Bytes16 __attribute__((vector_size(16)));

static inline Bitboard bb_reverse_bytes(Bitboard b)
{
    Bytes16 v = (Bytes16)b;
    return (Bitboard)__builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}
static inline Bitboard bb_low_words(Bitboard a, Bitboard b) { return __builtin_shufflevector(a, b, 0, 2); }
static inline Bitboard bb_high_words(Bitboard a, Bitboard b) { return __builtin_shufflevector(a, b, 1, 3); }

static inline Bitboard bishop_attacks(int sq, Bitboard occupied)
{
    Bitboard reversed = bb_reverse_bytes(occupied);
    Bitboard low = bb_low_words(occupied, reversed), high = bb_high_words(occupied, reversed);
    const RayQuad *quad = &lookup.diagonal_quad[sq];
#ifdef __AVX2__
    __m256i mask_low = _mm256_load_si256((const __m256i *)quad->low);
    __m256i mask_high = _mm256_load_si256((const __m256i *)quad->high);
    __m256i met_low = _mm256_and_si256(_mm256_broadcastsi128_si256((__m128i)low), mask_low);
    __m256i met_high = _mm256_and_si256(_mm256_broadcastsi128_si256((__m128i)high), mask_high);
    __m256i borrow = _mm256_cmpeq_epi64(met_low, _mm256_setzero_si256());
    __m256i less_low = _mm256_add_epi64(met_low, _mm256_set1_epi64x(-1));
    __m256i less_high = _mm256_add_epi64(met_high, borrow);
    __m256i seen_low = _mm256_and_si256(_mm256_xor_si256(met_low, less_low), mask_low);
    __m256i seen_high = _mm256_and_si256(_mm256_xor_si256(met_high, less_high), mask_high);
    low = (Bitboard)_mm_or_si128(_mm256_castsi256_si128(seen_low), _mm256_extracti128_si256(seen_low, 1));
    high = (Bitboard)_mm_or_si128(_mm256_castsi256_si128(seen_high), _mm256_extracti128_si256(seen_high, 1));
#else
    Bitboard seen_low = BB_NONE, seen_high = BB_NONE;
    for (int i = 0; i < 2; i++) {
        Bitboard met_low = low & quad->low[i], met_high = high & quad->high[i];
        seen_low |= (met_low ^ (met_low - 1)) & quad->low[i];
        seen_high |= (met_high ^ (met_high + (Bitboard)(met_low == 0))) & quad->high[i];
    }
    low = seen_low;
    high = seen_high;
#endif
    return bb_low_words(low, high) | bb_reverse_bytes(bb_high_words(low, high));
}
static inline Bitboard rank_attacks(int sq, Bitboard occupied)
{
    Bitboard reversed = bb_reverse_bytes(occupied);
    const RayPair *pair = &lookup.rank_pair[sq];
    Bitboard low = bb_low_words(occupied, reversed) & pair->low,
             high = bb_high_words(occupied, reversed) & pair->high;
    Bitboard seen_low = (low ^ (low - 1)) & pair->low;
    Bitboard seen_high = (high ^ (high + (Bitboard)(low == 0))) & pair->high;
    return bb_low_words(seen_low, seen_high) | bb_reverse_bytes(bb_high_words(seen_low, seen_high));
}
static inline Bitboard rook_attacks(int sq, Bitboard occupied)
{
    return rank_attacks(sq, occupied) | file_attacks(sq, occupied);
}
#else
static inline Bitboard bishop_attacks(int sq, Bitboard occupied)
{
    return bishop_attacks_plain(sq, occupied);
}
static inline Bitboard rook_attacks(int sq, Bitboard occupied) { return rook_attacks_plain(sq, occupied); }
#endif

// What a piece of this kind and side attacks from the square.
Bitboard attacks_of(int side, int kind, int sq, Bitboard occupied);
// Pieces of that side that attack the square, given these occupied squares.
Bitboard attackers_to(const Boards *boards, int side, int sq, Bitboard occupied);
bool is_attacked(const Boards *boards, int side, int sq, Bitboard occupied);
// Which of `squares`, all next to the square `centre`, that side attacks, given these occupied squares.
Bitboard attacked_among(const Boards *boards, int side, int centre, Bitboard squares, Bitboard occupied);

static inline Bitboard bishops_of(const Boards *boards)
{
    return boards->by_kind[BISHOP] | boards->by_kind[HORSE];
}
static inline Bitboard rooks_of(const Boards *boards)
{
    return boards->by_kind[ROOK] | boards->by_kind[DRAGON];
}

// Adds the piece to the sets, or takes it away: the same operation.
static inline void boards_toggle(Boards *boards, int piece, Bitboard square)
{
    int kind = piece_kind(piece);
    boards->by_kind[NO_KIND] ^= square;
    boards->by_side[piece_side(piece)] ^= square;
    boards->by_kind[kind] ^= square;
    if (kind == GOLD || (kind > KING && kind < HORSE))
        boards->by_kind[GOLDS] ^= square;
}

// Which pieces alone shield that side's king from an enemy slider, which sliders they hold off, and
// (returned) which sliders attack it.
static inline Bitboard find_blockers(const Boards *boards, int side, int king, Bitboard *blockers,
                                     Bitboard *pinners)
{
    Bitboard snipers = (bishops_of(boards) & lookup.diagonal[king]) |
                       (rooks_of(boards) & lookup.straight[king]) |
                       (boards->by_kind[LANCE] & lookup.ray[side == BLACK ? UP : DOWN][king]);
    Bitboard checkers = BB_NONE, shields = BB_NONE, pinning = BB_NONE;
    for (Squares s = squares_of(snipers & boards->by_side[!side]); squares_left(s);) {
        int sq = squares_next(&s);
        Bitboard between = squares_between(king, sq) & boards->by_kind[NO_KIND];
        if (!bb_any(between)) {
            checkers |= bb_of(sq);
        } else if (!bb_many(between)) {
            shields |= between;
            if (bb_meet(between, boards->by_side[side]))
                pinning |= bb_of(sq);
        }
    }
    *blockers = shields;
    *pinners = pinning;
    return checkers;
}

// ---- the position, from inside ------------------------------------------------------------------
static inline Bitboard pos_occupied(const Position *pos) { return pos->boards.by_kind[NO_KIND]; }
static inline Bitboard pos_pieces(const Position *pos, int side, int kind)
{
    return pos->boards.by_side[side] & pos->boards.by_kind[kind];
}
static inline bool pos_has_king(const Position *pos, int side) { return pos->king[side] < SQUARE_NB; }

// From where a piece of that kind of the side to move would check.
static inline Bitboard pos_check_squares(const Position *pos, int kind)
{
    int them = !pos->side, king = pos->king[them];
    const Bitboard *line = pos->state.king_line;
    switch (kind) {
    case PAWN: return lookup.pawn[them][king];
    case LANCE: return line[LINE_STRAIGHT] & lookup.ray[them == BLACK ? UP : DOWN][king];
    case KNIGHT: return lookup.knight[them][king];
    case SILVER: return lookup.silver[them][king];
    case BISHOP: return line[LINE_DIAGONAL];
    case ROOK: return line[LINE_STRAIGHT];
    case HORSE: return line[LINE_DIAGONAL] | lookup.king[king];
    case DRAGON: return line[LINE_STRAIGHT] | lookup.king[king];
    case KING: return BB_NONE;
    default: return lookup.gold[them][king];
    }
}

// Every pseudo-legal move that checks, dominated ones too, but no drops. Not asked in check.
Move *gen_pseudo_checks(const Position *pos, Move *list);
// Where the side may drop a piece of the kind, as far as the board's edge and its own pawns tell.
static inline Bitboard drop_squares(const Boards *boards, int side, int kind)
{
    switch (kind) {
    case PAWN: return files_without(boards->by_side[side] & boards->by_kind[PAWN]) & ~last_rank(side);
    case LANCE: return ~last_rank(side);
    case KNIGHT: return ~last_two_ranks(side);
    default: return BB_ALL;
    }
}
// Would the pawn dropped on `sq`, where it checks, be mate? That is forbidden.
bool pos_drop_pawn_mates(const Position *pos, int sq);

// Fills the filter behind pos_can_repeat. Called by game_init, after the keys.
void repeat_filter_init(void);

// Setting up: pos_clear makes an empty board with empty hands; pos_put places a piece on an empty square;
// then hands, side, game_ply and rules are assigned; and pos_refresh computes all the rest.
void pos_clear(Position *pos);
void pos_put(Position *pos, int piece, int sq);
void pos_refresh(Position *pos);
// Is this a position that can stand on a board: no more pieces than the set has, a king, no dead piece, no
// two pawns of a side on a file, the side that has moved not in check? Needs all of it but the state. False
// with a message.
bool pos_check_set_up(const Position *pos, Message *message);

// How many of each raw kind a set has, kings included (2).
static inline int kind_set_count(int raw)
{
    static const u8 COUNT[KING + 1] = {0, 18, 4, 4, 4, 2, 2, 4, 2};
    return COUNT[raw];
}

// Centipawns on the board; in a hand a piece is worth what it is unpromoted.
static inline int kind_value(int kind)
{
    static const i16 VALUE[KIND_NB] = {0, 90, 315, 405, 495, 855, 990, 540, 0, 540, 540, 540, 540, 945, 1395};
    return VALUE[kind];
}
// What changes hands when it is taken: lost on the board, won in the hand.
static inline int kind_exchange_value(int kind) { return kind_value(kind) + kind_value(kind_raw(kind)); }

#endif
