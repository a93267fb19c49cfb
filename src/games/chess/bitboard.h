// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of the chess rules: sets of squares, attack tables, and how the files of this folder build and
// read a Position. Private to games/chess. The tables are filled once by game_init and only read afterwards.
// A set of squares is a u64 with bit 0 = a1, bit 7 = h1, bit 63 = h8.
#ifndef TWOFOLD_CHESS_BITBOARD_H
#define TWOFOLD_CHESS_BITBOARD_H

#include "game.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

#define FILE_A 0x0101010101010101ULL
#define FILE_H (FILE_A << 7)
#define RANK_1 0xFFULL
#define RANK_8 (RANK_1 << 56)
#define DARK_SQUARES 0xAA55AA55AA55AA55ULL

static inline int sq_file(int sq) { return sq & 7; }
static inline int sq_rank(int sq) { return sq >> 3; }
static inline int sq_make(int file, int rank) { return file + 8 * rank; }
static inline u64 sq_bit(int sq) { return 1ULL << sq; }
// The square (or its rank) as `side` sees it: rank 0 is its own back rank.
static inline int sq_relative(int side, int sq) { return sq ^ (side ? 56 : 0); }
static inline int sq_relative_rank(int side, int sq) { return sq_rank(sq_relative(side, sq)); }
static inline u64 rank_bits(int rank) { return RANK_1 << 8 * rank; }
static inline u64 file_bits(int file) { return FILE_A << file; }

// ---- tables -------------------------------------------------------------------------------------
// One slider on one square: the squares whose occupation matters, and where its attacks start in the common
// table.
typedef struct Slider {
    u64 mask;
    const u64 *attacks;
#ifndef __BMI2__
    u64 magic;
    int shift;
#endif
} Slider;

enum { SLIDER_ATTACKS_NB = 102400 + 5248 }; // all occupations of all rook and all bishop masks

typedef struct Boards {
    u64 pawn[SIDE_NB][SQUARE_NB]; // where a pawn of that side captures to
    u64 knight[SQUARE_NB];
    u64 king[SQUARE_NB];
    u64 lines[2][SQUARE_NB]; // bishop's and rook's attacks on an empty board
    u64 diagonal[SQUARE_NB],
        antidiagonal[SQUARE_NB]; // in the direction of a1-h8, of h1-a8; with the square itself
    Slider bishop[SQUARE_NB], rook[SQUARE_NB];
    u64 between[SQUARE_NB][SQUARE_NB]; // strictly between two squares in line, else empty
    u64 through[SQUARE_NB][SQUARE_NB]; // the whole line through both, from edge to edge, else empty
    u64 slider_attacks[SLIDER_ATTACKS_NB];
} Boards;
extern Boards boards;

typedef struct Zobrist {
    u64 piece[PIECE_NB][SQUARE_NB]; // piece 0 and 8 (nothing) are all zero
    u64 castling[16];
    u64 en_passant[SQUARE_NB + 1]; // by target square; SQUARE_NB (none) is zero
    u64 side;                      // Black to move
} Zobrist;
extern Zobrist zobrist;

// Fills `boards`. Called by game_init.
void boards_init(void);
// Attacks of a slider found by walking the board: the reference that the tables are built from.
u64 attacks_walk(bool rook, int sq, u64 occupied);

// ---- attacks ------------------------------------------------------------------------------------
static inline size_t slider_index(const Slider *slider, u64 occupied)
{
#ifdef __BMI2__
    return _pext_u64(occupied, slider->mask);
#else
    return ((occupied & slider->mask) * slider->magic) >> slider->shift;
#endif
}
static inline u64 slider_lookup(const Slider *slider, u64 occupied)
{
    return slider->attacks[slider_index(slider, occupied)];
}
static inline u64 attacks_bishop(int sq, u64 occupied) { return slider_lookup(&boards.bishop[sq], occupied); }
static inline u64 attacks_rook(int sq, u64 occupied) { return slider_lookup(&boards.rook[sq], occupied); }
static inline u64 attacks_queen(int sq, u64 occupied)
{
    return attacks_bishop(sq, occupied) | attacks_rook(sq, occupied);
}
static inline u64 attacks_knight(int sq) { return boards.knight[sq]; }
static inline u64 attacks_king(int sq) { return boards.king[sq]; }
static inline u64 attacks_pawn(int side, int sq) { return boards.pawn[side][sq]; }
static inline u64 squares_between(int a, int b) { return boards.between[a][b]; }
static inline u64 line_through(int a, int b) { return boards.through[a][b]; }
// What a piece of this kind and side attacks from the square.
u64 attacks_of(int side, int kind, int sq, u64 occupied);

// All captures of all pawns of a side at once.
static inline u64 pawns_attack(int side, u64 pawns)
{
    u64 west = pawns & ~FILE_A, east = pawns & ~FILE_H;
    return side == WHITE ? west << 7 | east << 9 : west >> 9 | east >> 7;
}

// ---- the position, from inside ------------------------------------------------------------------
static inline u64 pos_occupied(const Position *pos) { return pos->by_side[WHITE] | pos->by_side[BLACK]; }
static inline u64 pos_pieces(const Position *pos, int side, int kind)
{
    return pos->by_side[side] & pos->by_kind[kind];
}
static inline int pos_king(const Position *pos, int side) { return bits_first(pos_pieces(pos, side, KING)); }
static inline u64 pos_diagonal_sliders(const Position *pos)
{
    return pos->by_kind[BISHOP] | pos->by_kind[QUEEN];
}
static inline u64 pos_straight_sliders(const Position *pos)
{
    return pos->by_kind[ROOK] | pos->by_kind[QUEEN];
}

// Fills the tables that outcome.c needs. Called by game_init.
void cuckoo_init(void);

// Setting up: pos_clear makes an empty board (White to move, no rights, no en passant, clocks 0 and move
// number 1); pos_put places a piece on an empty square; then side, castling, castle_rook, en_passant, clocks
// and rules are assigned; and pos_refresh computes all the rest: keys, material, castle_zone, checkers, pins.
// It drops an en passant square where no legal capture exists, so the caller can see by comparing. Both kings
// must be on the board.
void pos_clear(Position *pos);
void pos_put(Position *pos, int piece, int sq);
void pos_refresh(Position *pos);

// Pieces of both sides that attack the square, given these occupied squares.
u64 pos_attackers(const Position *pos, int sq, u64 occupied);
// Is the square attacked by a piece of that side?
bool pos_attacked_by(const Position *pos, int sq, int side, u64 occupied);
// Would the pawn on `from`, of the side to move, leave its king attacked by capturing en passant on `target`?
bool pos_en_passant_is_legal(const Position *pos, int from, int target);

// Castling right as an index 0..3 into castle_rook, in the order of the CASTLE_ bits.
static inline int castle_index(int side, bool is_long) { return 2 * side + is_long; }
// Where the king and the rook stand after castling.
static inline int castle_king_to(int side, bool is_long) { return sq_relative(side, is_long ? 2 : 6); }
static inline int castle_rook_to(int side, bool is_long) { return sq_relative(side, is_long ? 3 : 5); }

static inline Move move_make_promotion(int from, int to, int kind)
{
    return (Move)(to | from << 6 | (kind - KNIGHT) << 12 | MOVE_PROMOTION);
}
static inline Move move_make_typed(int from, int to, int type) { return (Move)(to | from << 6 | type); }

static inline int kind_value(int kind)
{
    static const i16 VALUES[8] = {0, VALUE_PAWN, VALUE_KNIGHT, VALUE_BISHOP, VALUE_ROOK, VALUE_QUEEN, 0, 0};
    return VALUES[kind];
}

#endif
