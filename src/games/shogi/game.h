// SPDX-License-Identifier: GPL-3.0-or-later
// Shogi, as the shared code sees it: constants, the structures of the contract and, through rules.h, its
// functions. Squares: file * 9 + rank, file 1 and rank a being 0: 1a = 0, 1b = 1 .. 9i = 80. Side 0 is Black,
// who moves towards rank a. Pieces: kind 1..14, piece = kind + 16 * side; 0 is empty. A kind that promotes
// becomes kind + 8. Invariant: a Position is the current state and nothing else; assigning it copies it. A
// side may lack its king (mate problems): king[side] is then SQUARE_NB, for which every table has an empty
// entry.
#ifndef TWOFOLD_GAME_H
#define TWOFOLD_GAME_H

#include "games/types.h"

#define GAME_NAME "shogi"
#define GAME_START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
#define SIDE_NAMES       \
    {                    \
        "Black", "White" \
    }
#define COUNTS_HALF_MOVES 1
#define MOVE_LIMIT_WORDS "the move limit"

enum {
    SQUARE_NB = 81,
    PIECE_NB = 32,
    FROM_NB = 88,
    MAX_MOVES = 600, // 593 is the most any position has
    SUBKEY_NB = 5, // pawns; Black's and White's other pieces; kings and generals; big pieces with both hands
    PACKED_BYTES = 38,
    BOOK_NOTE_BYTES = PACKED_BYTES,
    MOVE_TEXT_MAX = 12,
    TEXT_MAX = 256,
    GEN_IS_LEGAL = 0,
    PARAM_COLUMN = 1,
    FEATURE_NB = 4612, // 14 kinds x 2 sides x 81 squares, 38 hand pieces x 2 sides, and 14 x 2 x 81 places
                       // around the king
    FEATURE_ACTIVE_MAX = 79,
    DELTA_MAX = 2,
    FEATURE_CHANGED_MAX = 2 * DELTA_MAX,
    PERSPECTIVE_BUCKET_NB = 1,
    PERSPECTIVE_NB = 82, // where the own king stands, or nowhere
    BUCKET_NB = 8,
    KEY_ENTRY_MAX_BYTES = 16,
    HAS_DECLARATION = 1,
    GAME_NET_HIDDEN = 128,
};

enum { BLACK, WHITE };
// The kinds up to GOLD can be in a hand. GOLDS is no piece but the set of all that move as a gold does.
enum {
    NO_KIND,
    PAWN,
    LANCE,
    KNIGHT,
    SILVER,
    BISHOP,
    ROOK,
    GOLD,
    KING,
    TOKIN,
    PROMOTED_LANCE,
    PROMOTED_KNIGHT,
    PROMOTED_SILVER,
    HORSE,
    DRAGON,
    KIND_NB,
    GOLDS = KIND_NB,
    PROMOTED = 8,
    HAND_KIND_NB = GOLD + 1,
};

static inline int piece_make(int side, int kind) { return kind + 16 * side; }
static inline int piece_kind(int piece) { return piece & 15; }
static inline int piece_side(int piece) { return piece >> 4; }
static inline bool kind_promotes(int kind) { return kind >= PAWN && kind <= ROOK; }
// The kind it is in a hand.
static inline int kind_raw(int kind) { return kind > KING ? kind - PROMOTED : kind; }

// 81 bits in two words, 63 + 18, so that no file is split. Bits 63 and 64 + 18 .. 127 are always 0.
typedef u64 Bitboard __attribute__((vector_size(16)));

// A move: to (7 bits), from (7; SQUARE_NB - 1 + kind for a drop), promotion (1).
enum { MOVE_PROMOTE = 1 << 14, DROP_BASE = SQUARE_NB - 1 };

static inline Move move_make(int from, int to) { return (Move)(to | from << 7); }
static inline Move move_make_drop(int kind, int to) { return (Move)(to | (DROP_BASE + kind) << 7); }
static inline int move_to(Move move) { return move & 127; }
// The square it comes from; SQUARE_NB and above is a drop.
static inline int move_from(Move move) { return move >> 7 & 127; }
static inline int move_from_index(Move move) { return move_from(move); }
static inline bool move_is_drop(Move move) { return move_from(move) >= SQUARE_NB; }
static inline int move_drop_kind(Move move) { return move_from(move) - DROP_BASE; }
static inline bool move_is_promotion(Move move) { return (move & MOVE_PROMOTE) != 0; }

// Which rule lets a player whose king has entered the far camp claim the game.
typedef enum EnteringKing {
    ENTERING_KING_NONE,
    ENTERING_KING_CSA24,  // 31 points win
    ENTERING_KING_CSA24H, // the same; what a handicap took off the board is taken off White's duty
    ENTERING_KING_CSA27,  // 28 points win for Black, 27 for White
    ENTERING_KING_CSA27H,
    ENTERING_KING_TRY, // the king wins by stepping to the square the enemy king started from
    ENTERING_KING_NB,
} EnteringKing;

typedef struct Rules {
    EnteringKing entering_king;
    int max_moves_to_draw; // the game is drawn after so many plies; 0: never
    bool generate_all;     // also play non-promotions that are as good as never better
} Rules;

// A hand: the count of each kind in a field of its own, a zero bit above each field (see hand_contains).
typedef u32 Hand;

// The men on the board as sets. by_kind[NO_KIND] is all of them, by_kind[GOLDS] those that move as a gold.
typedef struct Boards {
    Bitboard by_kind[KIND_NB + 1];
    Bitboard by_side[SIDE_NB];
} Boards;

// Lines through the king of the side that is not to move: what a bishop and a rook on its square would
// attack.
enum { LINE_DIAGONAL, LINE_STRAIGHT, LINE_NB };

// What a move destroys: saved whole in Undo.
typedef struct PosState {
    Bitboard checkers;           // enemy pieces giving check
    Bitboard blockers[SIDE_NB];  // pieces of either side that alone stand between that side's king and an
                                 // enemy slider
    Bitboard pinners[SIDE_NB];   // sliders of that side that pin a piece to the other side's king
    Bitboard king_line[LINE_NB]; // with the king's steps: from where a piece of the side to move would check
    u64 board_key;               // the men on the board and the side to move
    u64 hand_key;
    u64 subkey[SUBKEY_NB];
    i32 material;               // Black's view, centipawns, hands included
    u16 check_run[SIDE_NB];     // plies over which every move of that side has been a check: 2 for each
    u16 null_ply;               // plies since a null move or the set-up
    bool king_stepped[SIDE_NB]; // since the set-up: a try is a step, not a king that was put on the square
} PosState;

typedef struct Position {
    Boards boards;
    PosState state;
    Hand hand[SIDE_NB];
    u8 board[SQUARE_NB];
    u8 king[SIDE_NB];
    u8 side;
    u16 game_ply;
    Rules rules;
} Position;

typedef struct Undo {
    PosState state;
    u8 captured; // piece, 0 when none
} Undo;

// What a move changed: pieces that left squares and pieces that came to squares. sq - SQUARE_NB = n >= 0 is a
// hand: the piece's n + 1st of its kind in its side's hand.
typedef struct Delta {
    u8 removed_nb, added_nb;
    struct {
        u8 piece, sq;
    } removed[DELTA_MAX], added[DELTA_MAX];
} Delta;

// One side's hand is enough: what is neither on the board nor in it is in the other.
typedef struct KeyEntry {
    u64 board_key;
    Hand hand; // of the side to move
} KeyEntry;

static inline int pos_side(const Position *pos) { return pos->side; }
static inline u64 pos_key(const Position *pos) { return pos->state.board_key ^ pos->state.hand_key; }
static inline u64 pos_subkey(const Position *pos, int index)
{
    return pos->state.subkey[index] ^ (index == SUBKEY_NB - 1 ? pos->state.hand_key : 0);
}
static inline bool pos_in_check(const Position *pos)
{
    return (pos->state.checkers[0] | pos->state.checkers[1]) != 0;
}
static inline int pos_game_ply(const Position *pos) { return pos->game_ply; }
static inline int move_piece(const Position *pos, Move move)
{
    return move_is_drop(move) ? piece_make(pos->side, move_drop_kind(move)) : pos->board[move_from(move)];
}

// ---- hands --------------------------------------------------------------------------------------
static inline int hand_shift(int kind)
{
    static const u8 SHIFT[HAND_KIND_NB] = {0, 0, 6, 10, 14, 18, 21, 24};
    return SHIFT[kind];
}
static inline Hand hand_one(int kind) { return (Hand)1 << hand_shift(kind); }
static inline int hand_count(Hand hand, int kind)
{
    static const u8 MASK[HAND_KIND_NB] = {0, 31, 7, 7, 7, 3, 3, 7};
    return (int)(hand >> hand_shift(kind)) & MASK[kind];
}
// At least as many of every kind: a field that would fall below zero borrows its guard bit.
static inline bool hand_contains(Hand hand, Hand other) { return ((hand - other) & 0x08922220u) == 0; }

// clang-format off
#include "games/rules.h"
#include "games/heuristics.h"
#include "games/features.h"
// clang-format on

// ---- more of shogi, for its own texts and for its mate solver -----------------------------------
// Every legal move that checks, full list (no dominated move left out), in check or not.
Move *gen_all_checks(const Position *pos, Move *list);
// A legal move that mates at once; MOVE_NONE when none is seen. What it finds is a mate; not asked in check.
Move pos_mate_in_one(const Position *pos);

#endif
