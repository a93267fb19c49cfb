// SPDX-License-Identifier: GPL-3.0-or-later
// The position: setting it up, making and unmaking moves, and keeping what the rest reads of it (keys,
// material, checks and pins) right at every step. Invariant: pos_is_ok, which recomputes all of it.
#include "bitboard.h"
#include "games/notation.h"
#include "notation.h"

#include <pthread.h>

// ---- set up -------------------------------------------------------------------------------------
static pthread_once_t init_once = PTHREAD_ONCE_INIT;

static void init_tables(void)
{
    bitboard_init();
    repeat_filter_init();
}

void game_init(void) { pthread_once(&init_once, init_tables); }

Rules rules_default(void)
{
    return (Rules){.entering_king = ENTERING_KING_CSA27, .max_moves_to_draw = 0, .generate_all = false};
}

void pos_clear(Position *pos)
{
    memset(pos, 0, sizeof *pos);
    pos->king[BLACK] = pos->king[WHITE] = SQUARE_NB;
    pos->rules = rules_default();
}

void pos_put(Position *pos, int piece, int sq)
{
    assert(!pos->board[sq]);
    boards_toggle(&pos->boards, piece, bb_of(sq));
    pos->board[sq] = (u8)piece;
    if (piece_kind(piece) == KING)
        pos->king[piece_side(piece)] = (u8)sq;
}

// ---- what is kept beside the pieces -------------------------------------------------------------
// The part keys a piece belongs to, as bits.
static inline int subkeys_of(int piece)
{
    static const u8 PARTS[KIND_NB] = {0,     1,     2,     2,     2 | 8, 2 | 16, 2 | 16, 2 | 8,
                                      2 | 8, 2 | 8, 2 | 8, 2 | 8, 2 | 8, 2 | 16, 2 | 16};
    int parts = PARTS[piece_kind(piece)];
    return piece_side(piece) == WHITE && parts & 2 ? (parts ^ 2) | 4 : parts;
}

static inline void keys_toggle(PosState *state, int piece, int sq)
{
    u64 key = lookup.piece_key[piece][sq];
    int parts = subkeys_of(piece);
    state->board_key ^= key;
    for (int i = 0; i < SUBKEY_NB; i++)
        state->subkey[i] ^= parts >> i & 1 ? key : 0;
}

static inline int side_sign(int side) { return side == BLACK ? 1 : -1; }

// Blockers and lines of both kings; returns the sliders that give check. Steps are the caller's.
static inline Bitboard update_lines(Position *pos)
{
    PosState *state = &pos->state;
    int us = pos->side, them = !us;
    Bitboard checkers =
        find_blockers(&pos->boards, us, pos->king[us], &state->blockers[us], &state->pinners[them]);
    find_blockers(&pos->boards, them, pos->king[them], &state->blockers[them], &state->pinners[us]);
    state->king_line[LINE_DIAGONAL] = bishop_attacks(pos->king[them], pos_occupied(pos));
    state->king_line[LINE_STRAIGHT] = rook_attacks(pos->king[them], pos_occupied(pos));
    return checkers;
}

void pos_refresh(Position *pos)
{
    PosState *state = &pos->state;
    memset(state, 0, sizeof *state);
    if (pos->side == WHITE)
        state->board_key = lookup.side_key;
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        int piece = pos->board[sq];
        if (!piece)
            continue;
        keys_toggle(state, piece, sq);
        state->material += side_sign(piece_side(piece)) * kind_value(piece_kind(piece));
    }
    for (int side = 0; side < SIDE_NB; side++)
        for (int kind = PAWN; kind < HAND_KIND_NB; kind++) {
            int count = hand_count(pos->hand[side], kind);
            state->hand_key ^= lookup.hand_key[side][kind][count];
            state->material += side_sign(side) * count * kind_value(kind);
        }
    update_lines(pos);
    state->checkers = attackers_to(&pos->boards, !pos->side, pos->king[pos->side], pos_occupied(pos));
}

// ---- make and unmake ----------------------------------------------------------------------------
static inline void hand_change(Position *pos, int side, int kind, int change)
{
    int count = hand_count(pos->hand[side], kind);
    pos->state.hand_key ^= lookup.hand_key[side][kind][count] ^ lookup.hand_key[side][kind][count + change];
    pos->hand[side] += change > 0 ? hand_one(kind) : -hand_one(kind);
}

static inline void delta_add(Delta *delta, int piece, int sq)
{
    assert(delta->added_nb < DELTA_MAX);
    delta->added[delta->added_nb].piece = (u8)piece;
    delta->added[delta->added_nb++].sq = (u8)sq;
}

static inline void delta_remove(Delta *delta, int piece, int sq)
{
    assert(delta->removed_nb < DELTA_MAX);
    delta->removed[delta->removed_nb].piece = (u8)piece;
    delta->removed[delta->removed_nb++].sq = (u8)sq;
}

// Takes the dropped piece off the hand and returns it.
static inline int make_drop(Position *pos, Move move, Delta *delta)
{
    int kind = move_drop_kind(move), piece = piece_make(pos->side, kind);
    if (delta)
        delta_remove(delta, piece, SQUARE_NB - 1 + hand_count(pos->hand[pos->side], kind));
    hand_change(pos, pos->side, kind, -1);
    return piece;
}

// Takes the captured piece off the board into the hand.
static inline void make_capture(Position *pos, int captured, int sq, Delta *delta)
{
    int us = pos->side, raw = kind_raw(piece_kind(captured));
    boards_toggle(&pos->boards, captured, bb_of(sq));
    keys_toggle(&pos->state, captured, sq);
    if (delta) {
        delta_remove(delta, captured, sq);
        delta_add(delta, piece_make(us, raw), SQUARE_NB + hand_count(pos->hand[us], raw));
    }
    hand_change(pos, us, raw, 1);
    pos->state.material += side_sign(us) * kind_exchange_value(piece_kind(captured));
}

// Lifts the moving piece off its square, with what it captures, and returns the piece that arrives.
static inline int make_lift(Position *pos, Move move, Undo *undo, Delta *delta)
{
    int from = move_from(move), to = move_to(move), piece = pos->board[from], captured = pos->board[to];
    undo->captured = (u8)captured;
    if (captured)
        make_capture(pos, captured, to, delta);
    boards_toggle(&pos->boards, piece, bb_of(from));
    keys_toggle(&pos->state, piece, from);
    pos->board[from] = 0;
    if (delta)
        delta_remove(delta, piece, from);
    if (move_is_promotion(move)) {
        pos->state.material +=
            side_sign(pos->side) * (kind_value(piece_kind(piece) + PROMOTED) - kind_value(piece_kind(piece)));
        piece += PROMOTED;
    }
    if (piece_kind(piece) == KING) {
        pos->king[pos->side] = (u8)to;
        pos->state.king_stepped[pos->side] = true;
    }
    return piece;
}

// What a piece attacks by a step. Of the sliders, update_lines sees the checks.
static inline Bitboard step_attacks(int side, int kind, int sq)
{
    switch (kind) {
    case PAWN: return lookup.pawn[side][sq];
    case KNIGHT: return lookup.knight[side][sq];
    case SILVER: return lookup.silver[side][sq];
    case LANCE:
    case BISHOP:
    case ROOK:
    case KING: return BB_NONE;
    case HORSE:
    case DRAGON: return lookup.king[sq];
    default: return lookup.gold[side][sq];
    }
}

void pos_make(Position *pos, Move move, Undo *undo, Delta *delta)
{
    assert(move_is_pseudo_legal(pos, move) && move_is_legal(pos, move));
    int us = pos->side, to = move_to(move);
    PosState *state = &pos->state;
    undo->state = *state;
    undo->captured = 0;
    if (delta)
        delta->added_nb = delta->removed_nb = 0;

    int piece = move_is_drop(move) ? make_drop(pos, move, delta) : make_lift(pos, move, undo, delta);
    boards_toggle(&pos->boards, piece, bb_of(to));
    keys_toggle(state, piece, to);
    pos->board[to] = (u8)piece;
    if (delta)
        delta_add(delta, piece, to);

    pos->side ^= 1;
    state->board_key ^= lookup.side_key;
    pos->game_ply++;
    state->null_ply++;
    state->checkers = update_lines(pos);
    // Whatever checks by a step has just arrived.
    if (bb_has(step_attacks(us, piece_kind(piece), to), pos->king[!us]))
        state->checkers |= bb_of(to);
    state->check_run[us] =
        bb_any(state->checkers) ? (u16)min_int(state->check_run[us] + 2, UINT16_MAX - 1) : 0;
    assert(pos_is_ok(pos));
}

void pos_unmake(Position *pos, Move move, const Undo *undo)
{
    int us = !pos->side, to = move_to(move), piece = pos->board[to];
    boards_toggle(&pos->boards, piece, bb_of(to));
    pos->board[to] = undo->captured;
    if (move_is_drop(move)) {
        pos->hand[us] += hand_one(move_drop_kind(move));
    } else {
        int from = move_from(move);
        if (move_is_promotion(move))
            piece -= PROMOTED;
        if (piece_kind(piece) == KING)
            pos->king[us] = (u8)from;
        boards_toggle(&pos->boards, piece, bb_of(from));
        pos->board[from] = (u8)piece;
        if (undo->captured) {
            boards_toggle(&pos->boards, undo->captured, bb_of(to));
            pos->hand[us] -= hand_one(kind_raw(piece_kind(undo->captured)));
        }
    }
    pos->side = (u8)us;
    pos->game_ply--;
    pos->state = undo->state;
    assert(pos_is_ok(pos));
}

void pos_make_null(Position *pos, Undo *undo)
{
    assert(!pos_in_check(pos));
    undo->state = pos->state;
    undo->captured = 0;
    pos->state.check_run[pos->side] = 0;
    pos->side ^= 1;
    pos->state.board_key ^= lookup.side_key;
    pos->game_ply++;
    pos->state.null_ply = 0;
    pos->state.king_line[LINE_DIAGONAL] = bishop_attacks(pos->king[!pos->side], pos_occupied(pos));
    pos->state.king_line[LINE_STRAIGHT] = rook_attacks(pos->king[!pos->side], pos_occupied(pos));
    assert(pos_is_ok(pos));
}

void pos_unmake_null(Position *pos, const Undo *undo)
{
    pos->side ^= 1;
    pos->game_ply--;
    pos->state = undo->state;
}

// ---- ask ----------------------------------------------------------------------------------------
int pos_material(const Position *pos) { return side_sign(pos->side) * pos->state.material; }

int pos_men(const Position *pos) { return bb_count(pos_occupied(pos)); }

bool pos_check_set_up(const Position *pos, Message *message)
{
    static const char NAMES[][8] = {"", "pawns", "lances", "knights", "silvers", "bishops", "rooks", "golds"};
    if (!pos_has_king(pos, BLACK) && !pos_has_king(pos, WHITE))
        return message_set(message, "there is no king on the board");
    int count[KING + 1] = {0};
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        int piece = pos->board[sq], kind = piece_kind(piece), side = piece_side(piece),
            rank = sq_relative_rank(side, sq);
        if (!piece)
            continue;
        count[kind_raw(kind)]++;
        if ((rank < 1 && (kind == PAWN || kind == LANCE)) || (rank < 2 && kind == KNIGHT))
            return message_set(message, "the %s on %s could never move again",
                               said(kind == PAWN    ? "pawn"
                                    : kind == LANCE ? "lance"
                                                    : "knight"),
                               square_words(sq).text);
    }
    for (int kind = PAWN; kind < HAND_KIND_NB; kind++) {
        count[kind] += hand_count(pos->hand[BLACK], kind) + hand_count(pos->hand[WHITE], kind);
        if (count[kind] > kind_set_count(kind))
            return message_set(message, "there are %d %s, a set has %d", count[kind], said(NAMES[kind]),
                               kind_set_count(kind));
    }
    for (int side = 0; side < SIDE_NB; side++)
        for (int file = 0; file < 9; file++) {
            Bitboard pawns =
                pos_pieces(pos, side, PAWN) & (lookup.ray[DOWN][sq_make(file, 0)] | bb_of(sq_make(file, 0)));
            if (bb_many(pawns))
                return message_set(message, "%s has two pawns on file %d", side_words(pos, side), file + 1);
        }
    if (is_attacked(&pos->boards, pos->side, pos->king[!pos->side], pos_occupied(pos)))
        return message_set(message, "%s is to move but could take the king on %s", side_words(pos, pos->side),
                           square_words(pos->king[!pos->side]).text);
    return true;
}

// Equal in everything that follows from the pieces, the hands and the side to move.
static bool state_equal(const PosState *a, const PosState *b)
{
    bool equal = bb_equal(a->checkers, b->checkers) && a->board_key == b->board_key &&
                 a->hand_key == b->hand_key && a->material == b->material;
    for (int i = 0; i < SIDE_NB; i++)
        equal = equal && bb_equal(a->blockers[i], b->blockers[i]) && bb_equal(a->pinners[i], b->pinners[i]);
    for (int i = 0; i < LINE_NB; i++)
        equal = equal && bb_equal(a->king_line[i], b->king_line[i]);
    for (int i = 0; i < SUBKEY_NB; i++)
        equal = equal && a->subkey[i] == b->subkey[i];
    return equal;
}

bool pos_is_ok(const Position *pos)
{
    if (pos->side > WHITE)
        return false;
    Position again;
    pos_clear(&again);
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        int piece = pos->board[sq];
        if (piece >= PIECE_NB || (piece && (piece_kind(piece) == NO_KIND || piece_kind(piece) >= KIND_NB)))
            return false;
        if (piece)
            pos_put(&again, piece, sq);
    }
    memcpy(again.hand, pos->hand, sizeof again.hand);
    again.side = pos->side;
    pos_refresh(&again);
    for (int i = 0; i <= KIND_NB; i++)
        if (!bb_equal(again.boards.by_kind[i], pos->boards.by_kind[i]))
            return false;
    return bb_equal(again.boards.by_side[BLACK], pos->boards.by_side[BLACK]) &&
           bb_equal(again.boards.by_side[WHITE], pos->boards.by_side[WHITE]) &&
           again.king[BLACK] == pos->king[BLACK] && again.king[WHITE] == pos->king[WHITE] &&
           state_equal(&again.state, &pos->state) && pos_check_set_up(&again, NULL);
}

// The position with every piece on another square and, perhaps, of the other side.
static void transform(const Position *pos, bool swap_sides, int (*square)(int sq), Position *out)
{
    Position result;
    pos_clear(&result);
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        int piece = pos->board[sq];
        if (piece)
            pos_put(&result, swap_sides ? piece ^ piece_make(WHITE, NO_KIND) : piece, square(sq));
    }
    for (int side = 0; side < SIDE_NB; side++)
        result.hand[swap_sides ? !side : side] = pos->hand[side];
    result.side = swap_sides ? !pos->side : pos->side;
    result.game_ply = pos->game_ply;
    result.rules = pos->rules;
    pos_refresh(&result);
    for (int side = 0; side < SIDE_NB; side++) {
        result.state.check_run[swap_sides ? !side : side] = pos->state.check_run[side];
        result.state.king_stepped[swap_sides ? !side : side] = pos->state.king_stepped[side];
    }
    result.state.null_ply = pos->state.null_ply;
    *out = result;
}

static int square_turned(int sq) { return SQUARE_NB - 1 - sq; }

static int square_mirrored(int sq) { return sq_mirror(sq); }

void pos_flip(const Position *pos, Position *out) { transform(pos, true, square_turned, out); }

bool pos_mirror(const Position *pos, Position *out)
{
    transform(pos, false, square_mirrored, out);
    return true;
}
