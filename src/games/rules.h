// SPDX-License-Identifier: GPL-3.0-or-later
// The contract, for everyone: the rules of a game. Included at the end of each game's game.h, after the game
// has defined
//   constants  SQUARE_NB PIECE_NB FROM_NB MAX_MOVES SUBKEY_NB PACKED_BYTES BOOK_NOTE_BYTES MOVE_TEXT_MAX
//              TEXT_MAX GEN_IS_LEGAL PARAM_COLUMN FEATURE_NB FEATURE_ACTIVE_MAX DELTA_MAX FEATURE_CHANGED_MAX
//              PERSPECTIVE_NB PERSPECTIVE_BUCKET_NB BUCKET_NB KEY_ENTRY_MAX_BYTES GAME_NET_HIDDEN
//              HAS_DECLARATION, and as macros GAME_NAME GAME_START SIDE_NAMES MOVE_LIMIT_WORDS
//              COUNTS_HALF_MOVES
//   structures Rules Position Undo Delta KeyEntry
// A game may define any of these functions as static inline before including this file: a declaration after
// an inline definition is harmless. Readers take const pointers; nothing here prints or keeps state, and only
// the key history allocates.
#ifndef TWOFOLD_GAMES_RULES_H
#define TWOFOLD_GAMES_RULES_H

// ---- the past -----------------------------------------------------------------------------------
// The positions before the current one, oldest first. Owned by a game or a worker; zero-initialised is empty.
typedef struct KeyHistory {
    KeyEntry *entry;
    int count, capacity;
} KeyHistory;

// Makes room for `extra` more entries; false when there is no memory, the key history being unchanged.
bool keys_reserve(KeyHistory *keys, int extra);
bool keys_copy(KeyHistory *to, const KeyHistory *from, int extra);
void keys_free(KeyHistory *keys);
// Remembers the position about to be left by a move or a null move; the room must have been reserved. Pop
// forgets it.
void keys_push(KeyHistory *keys, const Position *pos);
static inline void keys_pop(KeyHistory *keys)
{
    assert(keys->count > 0);
    keys->count--;
}

// ---- set up -------------------------------------------------------------------------------------
// Fills the game's tables. Idempotent and thread-safe; must have been called before anything else here.
void game_init(void);
Rules rules_default(void);
// Sets the position from its text (FEN, SFEN; trailing fields may be missing). On SET_REJECTED nothing
// changes.
SetResult pos_set(Position *pos, Span text, const Rules *rules, Message *message);
// The full text of the position, at most TEXT_MAX bytes with the NUL.
void pos_print(const Position *pos, char *out);
// A legal move from its protocol text, in any spelling users send; MOVE_NONE if it is none.
Move move_parse(const Position *pos, Span text);
// Protocol text, at most MOVE_TEXT_MAX bytes with the NUL. MOVE_NONE, MOVE_NULL and MOVE_WIN have texts too.
void move_print(const Position *pos, Move move, char *out);
// Exactly PACKED_BYTES bytes; false for a position that can't be held. Unpack answers false on bytes no pack
// has made.
bool pos_pack(const Position *pos, u8 *out);
bool pos_unpack(Position *pos, const u8 *in, const Rules *rules);

// ---- ask ----------------------------------------------------------------------------------------
int pos_side(const Position *pos);
u64 pos_key(const Position *pos);
// Part keys for correction and structure histories, index < SUBKEY_NB; 0 is the pawn structure, 1 and 2 the
// pieces of side 0 and 1.
u64 pos_subkey(const Position *pos, int index);
bool pos_in_check(const Position *pos);
// Half-moves since the start of the game, as the text's move number tells it.
int pos_game_ply(const Position *pos);
// The pieces of both sides together, kings included.
int pos_men(const Position *pos);

int move_to(Move move);
// Where it comes from, or which kind is dropped: index < FROM_NB, for butterfly histories.
int move_from_index(Move move);
// The piece that moves (as it stands before the move), index < PIECE_NB, side included; for piece-to
// histories.
int move_piece(const Position *pos, Move move);
// The kind of piece taken, 0 when none; index < PIECE_NB; for capture histories.
int move_captured(const Position *pos, Move move);
// Agrees exactly with gen_noisy: a capture or a promotion worth looking at in quiescence.
bool move_is_noisy(const Position *pos, Move move);
bool move_is_promotion(Move move);
bool move_gives_check(const Position *pos, Move move);
// For all 65 536 values: pseudo-legal and legal together are membership of gen_all. move_is_legal may be
// asked only of pseudo-legal moves.
bool move_is_pseudo_legal(const Position *pos, Move move);
bool move_is_legal(const Position *pos, Move move);
// Every invariant of the structure, recomputed. For asserts and tests.
bool pos_is_ok(const Position *pos);
// Colours (and sides) exchanged: the same position seen from the other side. For tests.
void pos_flip(const Position *pos, Position *out);
// Left and right exchanged; false where the rules or the position (castling rights) do not allow it.
bool pos_mirror(const Position *pos, Position *out);

// ---- judge --------------------------------------------------------------------------------------
// The rules inside a search, `ply` plies below its root: repetitions, move-count rules (mate goes first),
// dead positions.
Outcome pos_outcome(const Position *pos, const KeyHistory *keys, int ply);
// True when the side to move has a move that repeats a position of the search (or one that will count): it
// can have a draw.
bool pos_can_repeat(const Position *pos, const KeyHistory *keys, int ply);
// What it means to have no legal move: LOSS or DRAW.
Outcome pos_no_move_outcome(const Position *pos);
// The side to move wins at once: by declaration (*how = MOVE_WIN) or by a mate in one that can be seen
// statically. Not asked in check.
bool pos_instant_win(const Position *pos, Move *how);
// The side to move wins at once by declaration alone: the cheap half of the above, also right in check
// (false).
bool pos_can_declare(const Position *pos);
// Has the side something to win with, were the other to play as badly as it can? When not, a flag that falls
// costs the other only a draw.
bool pos_can_win(const Position *pos, int side);
// The exact rule with the whole game, for adjudication.
Verdict game_outcome(const Position *pos, const KeyHistory *keys);

// ---- do -----------------------------------------------------------------------------------------
// Each writes moves at `list` (room for MAX_MOVES) and returns the end. Out of check: noisy and quiet are
// disjoint and together all moves worth playing; checks are the quiet moves that check. In check only
// evasions are used. gen_all is every legal move. If GEN_IS_LEGAL the others are legal too; else
// pseudo-legal.
Move *gen_noisy(const Position *pos, Move *list);
Move *gen_quiet(const Position *pos, Move *list);
Move *gen_checks(const Position *pos, Move *list);
Move *gen_evasions(const Position *pos, Move *list);
Move *gen_all(const Position *pos, Move *list);
// gen_all without writing: how many legal moves there are. For bulk perft.
int gen_count(const Position *pos);
// The number of leaves of the move tree, in games/perft.c for every game; `bulk` counts the last ply with
// gen_count.
u64 perft(Position *pos, int depth, bool bulk);
// Makes a legal move: fills *undo with what it destroys and *delta (may be NULL) with what changes for the
// network.
void pos_make(Position *pos, Move move, Undo *undo, Delta *delta);
void pos_unmake(Position *pos, Move move, const Undo *undo);
void pos_make_null(Position *pos, Undo *undo);
void pos_unmake_null(Position *pos, const Undo *undo);
// The position after a legal move or MOVE_NULL, for whoever has no need to take it back; in game_state.c.
Position pos_after(const Position *pos, Move move);

#endif
