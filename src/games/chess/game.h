// SPDX-License-Identifier: GPL-3.0-or-later
// Chess, as the shared code sees it: constants, the structures of the contract and, through promises.h, its functions.
// Squares: a1 = 0, b1 = 1 .. h8 = 63. Pieces: kind 1..6 (pawn .. king), piece = kind + 8 * side; 0 is empty.
// Invariant: a Position is the current state and nothing else; assigning it copies it.
#ifndef TWOFOLD_GAME_H
#define TWOFOLD_GAME_H

#include "games/contract.h"

#define GAME_NAME "chess"
#define GAME_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define SIDE_NAMES {"White", "Black"}

enum {
    SQUARE_NB = 64,
    PIECE_NB = 16,
    FROM_NB = 64,
    MAX_MOVES = 256,
    SUBKEY_NB = 5, // pawns; White's and Black's other pieces; minor pieces; major pieces
    PACKED_BYTES = 32,
    MOVE_TEXT_MAX = 12,
    TEXT_MAX = 128,
    GEN_IS_LEGAL = 1,
    PARAM_COLUMN = 0,
    FEATURE_NB = 768,
    FEATURE_ACTIVE_MAX = 32,
    DELTA_MAX = 3,
    VIEW_BUCKET_NB = 1,
    VIEW_NB = 2 * VIEW_BUCKET_NB,
    BUCKET_NB = 8,
    TRAIL_ENTRY_MAX_BYTES = 16,
    GAME_NET_HIDDEN = 128,
};

enum { WHITE, BLACK };
enum { NO_KIND, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, KIND_NB };

static inline int piece_make(int side, int kind) { return kind + 8 * side; }
static inline int piece_kind(int piece) { return piece & 7; }
static inline int piece_side(int piece) { return piece >> 3; }

// A move: to (6 bits), from (6), promotion kind - KNIGHT (2), type (2). Castling is always king takes own rook.
enum { MOVE_NORMAL = 0, MOVE_PROMOTION = 1 << 14, MOVE_EN_PASSANT = 2 << 14, MOVE_CASTLING = 3 << 14, MOVE_TYPE = 3 << 14 };

static inline Move move_make(int from, int to) { return (Move)(to | from << 6); }
static inline int move_from(Move move) { return move >> 6 & 63; }
static inline int move_type(Move move) { return move & MOVE_TYPE; }
static inline int move_promotion_kind(Move move) { return (move >> 12 & 3) + KNIGHT; }
static inline int move_to(Move move) { return move & 63; }
static inline int move_from_index(Move move) { return move_from(move); }
static inline bool move_is_promotion(Move move) { return move_type(move) == MOVE_PROMOTION; }

typedef struct Rules {
    bool chess960; // how castling is written; either spelling is read in either mode
} Rules;

enum { CASTLE_WHITE_SHORT = 1, CASTLE_WHITE_LONG = 2, CASTLE_BLACK_SHORT = 4, CASTLE_BLACK_LONG = 8 };

typedef struct Position {
    u64 by_kind[KIND_NB]; // [NO_KIND] is all pieces
    u64 by_side[SIDE_NB];
    u8 board[SQUARE_NB];
    u64 key;              // en passant counts only where the capture is legal
    u64 subkey[SUBKEY_NB];
    u64 checkers;         // enemy pieces giving check
    u64 blockers[SIDE_NB];     // pieces of either side that alone stand between that side's king and an enemy slider
    u64 pinners[SIDE_NB];      // sliders of that side that pin a piece to the other side's king
    u64 check_squares[KIND_NB]; // from where a piece of the side to move would check
    i16 material;         // White's view, centipawns
    u16 fullmove;
    u16 rule50;
    u16 null_ply;         // plies since a null move or the set-up: how far back a repetition can lie
    u8 side;
    u8 castling;          // CASTLE_ bits
    u8 en_passant;        // target square, or SQUARE_NB
    u8 castle_rook[4];    // the rook's square for each right, in the order of the bits
    u8 king[SIDE_NB];
    Rules rules;
} Position;

typedef struct Undo {
    u64 key;
    u64 subkey[SUBKEY_NB];
    u64 checkers;
    u64 blockers[SIDE_NB], pinners[SIDE_NB];
    u64 check_squares[KIND_NB];
    i16 material;
    u16 rule50, null_ply;
    u8 castling, en_passant, captured;
} Undo;

// What a move changed: pieces that left squares and pieces that came to squares.
typedef struct Delta {
    u8 removed_nb, added_nb;
    struct {
        u8 piece, sq;
    } removed[DELTA_MAX], added[DELTA_MAX];
} Delta;

typedef struct TrailEntry {
    u64 key;
} TrailEntry;

static inline int pos_side(const Position *pos) { return pos->side; }
static inline u64 pos_key(const Position *pos) { return pos->key; }
static inline u64 pos_subkey(const Position *pos, int index) { return pos->subkey[index]; }
static inline bool pos_in_check(const Position *pos) { return pos->checkers != 0; }
static inline int move_piece(const Position *pos, Move move) { return pos->board[move_from(move)]; }

#include "games/promises.h"

#endif
