// SPDX-License-Identifier: GPL-3.0-or-later
// Chess, as the shared code sees it: constants, the structures of the contract and, through rules.h, its
// functions. Squares: a1 = 0, b1 = 1 .. h8 = 63. Pieces: kind 1..6 (pawn .. king), piece = kind + 8 * side; 0
// is empty. Invariant: a Position is the current state and nothing else; assigning it copies it.
#ifndef TWOFOLD_GAME_H
#define TWOFOLD_GAME_H

#include "games/types.h"

#define GAME_NAME "chess"
#define GAME_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define SIDE_NAMES       \
    {                    \
        "White", "Black" \
    }
#define COUNTS_HALF_MOVES 0
#define MOVE_LIMIT_WORDS "fifty moves without a capture or a pawn move"

enum {
    SQUARE_NB = 64,
    PIECE_NB = 16,
    FROM_NB = 64,
    MAX_MOVES = 256,
    SUBKEY_NB = 5, // pawns; White's and Black's other pieces; minor pieces; major pieces
    PACKED_BYTES = 32,
    BOOK_NOTE_BYTES = 0,
    MOVE_TEXT_MAX = 12,
    TEXT_MAX = 128,
    GEN_IS_LEGAL = 1,
    PARAM_COLUMN = 0,
    FEATURE_NB = 768,
    FEATURE_ACTIVE_MAX = 32,
    DELTA_MAX = 3,
    FEATURE_CHANGED_MAX = DELTA_MAX,
    PERSPECTIVE_BUCKET_NB = 1,
    PERSPECTIVE_NB = 2 * PERSPECTIVE_BUCKET_NB,
    BUCKET_NB = 8,
    KEY_ENTRY_MAX_BYTES = 16,
    HAS_DECLARATION = 0,
    GAME_NET_HIDDEN = 128,
};

enum { WHITE, BLACK };
enum { NO_KIND, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, KIND_NB };

static inline int piece_make(int side, int kind) { return kind + 8 * side; }
static inline int piece_kind(int piece) { return piece & 7; }
static inline int piece_side(int piece) { return piece >> 3; }

// A move: to (6 bits), from (6), promotion kind - KNIGHT (2), type (2). Castling is always king takes own
// rook.
enum {
    MOVE_NORMAL = 0,
    MOVE_PROMOTION = 1 << 14,
    MOVE_EN_PASSANT = 2 << 14,
    MOVE_CASTLING = 3 << 14,
    MOVE_TYPE = 3 << 14
};

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

// Exchange values in centipawns: for material, static exchange and gains.
enum { VALUE_PAWN = 100, VALUE_KNIGHT = 350, VALUE_BISHOP = 350, VALUE_ROOK = 525, VALUE_QUEEN = 1000 };

enum { CASTLE_WHITE_SHORT = 1, CASTLE_WHITE_LONG = 2, CASTLE_BLACK_SHORT = 4, CASTLE_BLACK_LONG = 8 };

// Every square is in exactly one set of by_kind, the empty ones in by_kind[NO_KIND]: a capture needs no
// branch to say what it takes. The keys are kept by part, each piece in one of them, and pos_subkey adds up
// what the histories ask for.
enum {
    PART_PAWN,
    PART_WHITE_MINOR,
    PART_BLACK_MINOR,
    PART_WHITE_MAJOR,
    PART_BLACK_MAJOR,
    PART_NB
}; // kings count as major

typedef struct Position {
    u64 by_kind[KIND_NB];
    u64 by_side[SIDE_NB];
    u8 board[SQUARE_NB];
    u64 key; // en passant counts only where the capture is legal
    u64 part_key[PART_NB];
    u64 checkers;    // enemy pieces giving check to the side to move
    u64 pinned;      // pieces of the side to move that may only move in line with their king
    u64 castle_zone; // kings and rooks that have a castling right
    i16 material;    // White's view, centipawns
    u16 fullmove;
    u16 rule50;
    u16 null_ply; // plies since a null move or the set-up: how far back a repetition can lie
    u8 side;
    u8 castling;       // CASTLE_ bits
    u8 en_passant;     // target square if some pawn can legally capture there, or SQUARE_NB
    u8 castle_rook[4]; // the rook's square for each right, in the order of the bits; 0 where there is none
    Rules rules;
} Position;

// The whole position: 224 bytes copied without a branch are cheaper than taking a move back piece by piece.
typedef struct Undo {
    Position before;
} Undo;

// What a move changed: pieces that left squares and pieces that came to squares.
typedef struct Delta {
    u8 removed_nb, added_nb;
    struct {
        u8 piece, sq;
    } removed[DELTA_MAX], added[DELTA_MAX];
} Delta;

typedef struct KeyEntry {
    u64 key;
} KeyEntry;

static inline int pos_side(const Position *pos) { return pos->side; }
static inline u64 pos_key(const Position *pos) { return pos->key; }
static inline u64 pos_subkey(const Position *pos, int index)
{
    const u64 *part = pos->part_key;
    switch (index) {
    case 0: return part[PART_PAWN];
    case 1: return part[PART_WHITE_MINOR] ^ part[PART_WHITE_MAJOR];
    case 2: return part[PART_BLACK_MINOR] ^ part[PART_BLACK_MAJOR];
    case 3: return part[PART_WHITE_MINOR] ^ part[PART_BLACK_MINOR];
    default: return part[PART_WHITE_MAJOR] ^ part[PART_BLACK_MAJOR];
    }
}
static inline bool pos_in_check(const Position *pos) { return pos->checkers != 0; }
static inline int move_piece(const Position *pos, Move move) { return pos->board[move_from(move)]; }

// clang-format off
#include "games/rules.h"
#include "games/heuristics.h"
#include "games/features.h"
// clang-format on

#endif
