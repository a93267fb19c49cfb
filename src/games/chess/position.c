// SPDX-License-Identifier: GPL-3.0-or-later
// The position as a structure: setting it up, making moves, and checking itself. Everything that is derived
// from the board (keys, material, checkers, pins) is always right between two calls: pos_is_ok recomputes and
// compares it all.
#include <pthread.h>

#include "bitboard.h"

Zobrist zobrist;

// Which part of the keys a piece belongs to. Nothing (0 and 8) has zero keys, so its part does not matter.
static const u8 PART_OF[PIECE_NB] = {
    [PAWN] = PART_PAWN,
    [KNIGHT] = PART_WHITE_MINOR,
    [BISHOP] = PART_WHITE_MINOR,
    [ROOK] = PART_WHITE_MAJOR,
    [QUEEN] = PART_WHITE_MAJOR,
    [KING] = PART_WHITE_MAJOR,
    [8 + PAWN] = PART_PAWN,
    [8 + KNIGHT] = PART_BLACK_MINOR,
    [8 + BISHOP] = PART_BLACK_MINOR,
    [8 + ROOK] = PART_BLACK_MAJOR,
    [8 + QUEEN] = PART_BLACK_MAJOR,
    [8 + KING] = PART_BLACK_MAJOR,
};

// Exchange values with White's sign.
static const i16 MATERIAL_OF[PIECE_NB] = {
    [PAWN] = VALUE_PAWN,          [KNIGHT] = VALUE_KNIGHT,      [BISHOP] = VALUE_BISHOP,
    [ROOK] = VALUE_ROOK,          [QUEEN] = VALUE_QUEEN,        [8 + PAWN] = -VALUE_PAWN,
    [8 + KNIGHT] = -VALUE_KNIGHT, [8 + BISHOP] = -VALUE_BISHOP, [8 + ROOK] = -VALUE_ROOK,
    [8 + QUEEN] = -VALUE_QUEEN,
};

// ---- start --------------------------------------------------------------------------------------
static void zobrist_init(void)
{
    Rng rng = {0x54776F666F6C64}; // any number will do, as long as it stays: keys end up in test data
    for (int piece = 0; piece < PIECE_NB; piece++)
        for (int sq = 0; sq < SQUARE_NB; sq++)
            if (piece_kind(piece) >= PAWN && piece_kind(piece) <= KING)
                zobrist.piece[piece][sq] = rng_next(&rng);
    u64 right[4];
    for (int i = 0; i < 4; i++)
        right[i] = rng_next(&rng);
    for (int castling = 0; castling < 16; castling++)
        for (int i = 0; i < 4; i++)
            zobrist.castling[castling] ^= castling >> i & 1 ? right[i] : 0;
    for (int sq = 0; sq < SQUARE_NB; sq++)
        zobrist.en_passant[sq] = rng_next(&rng);
    zobrist.side = rng_next(&rng);
}

static void init_once(void)
{
    boards_init();
    zobrist_init();
    cuckoo_init();
}

void game_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_once);
}

// ---- attacks on a square ------------------------------------------------------------------------
u64 pos_attackers(const Position *pos, int sq, u64 occupied)
{
    return (attacks_pawn(BLACK, sq) & pos_pieces(pos, WHITE, PAWN)) |
           (attacks_pawn(WHITE, sq) & pos_pieces(pos, BLACK, PAWN)) |
           (attacks_knight(sq) & pos->by_kind[KNIGHT]) | (attacks_king(sq) & pos->by_kind[KING]) |
           (attacks_bishop(sq, occupied) & pos_diagonal_sliders(pos)) |
           (attacks_rook(sq, occupied) & pos_straight_sliders(pos));
}

bool pos_attacked_by(const Position *pos, int sq, int side, u64 occupied)
{
    return pos_attackers(pos, sq, occupied) & pos->by_side[side];
}

bool pos_en_passant_is_legal(const Position *pos, int from, int target)
{
    int us = pos->side;
    u64 captured = sq_bit(target ^ 8);
    u64 occupied = pos_occupied(pos) ^ sq_bit(from) ^ captured ^ sq_bit(target);
    return !(pos_attackers(pos, pos_king(pos, us), occupied) & pos->by_side[!us] & ~captured);
}

static bool en_passant_exists(const Position *pos, int target)
{
    u64 candidates = attacks_pawn(!pos->side, target) & pos_pieces(pos, pos->side, PAWN);
    while (candidates)
        if (pos_en_passant_is_legal(pos, bits_pop(&candidates), target))
            return true;
    return false;
}

// Finds who checks the side to move and which of its pieces are pinned, in one pass over the sliders that
// look at the king along a line.
static inline void find_checks_and_pins(Position *pos)
{
    int us = pos->side, king = pos_king(pos, us);
    u64 own = pos->by_side[us], enemy = pos->by_side[!us], occupied = own | enemy;
    u64 checkers =
        ((attacks_pawn(us, king) & pos->by_kind[PAWN]) | (attacks_knight(king) & pos->by_kind[KNIGHT])) &
        enemy;
    u64 pinned = 0;
    u64 snipers = ((boards.lines[0][king] & pos_diagonal_sliders(pos)) |
                   (boards.lines[1][king] & pos_straight_sliders(pos))) &
                  enemy;
    while (snipers) {
        int sniper = bits_pop(&snipers);
        u64 shield = squares_between(king, sniper) & occupied;
        if (!shield)
            checkers |= sq_bit(sniper);
        else if (!bits_many(shield))
            pinned |= shield & own;
    }
    pos->checkers = checkers;
    pos->pinned = pinned;
}

// ---- set up -------------------------------------------------------------------------------------
void pos_clear(Position *pos)
{
    memset(pos, 0, sizeof *pos);
    pos->by_kind[NO_KIND] = ~0ULL;
    pos->en_passant = SQUARE_NB;
    pos->fullmove = 1;
}

void pos_put(Position *pos, int piece, int sq)
{
    assert(pos->board[sq] == 0 && piece_kind(piece) >= PAWN && piece_kind(piece) <= KING);
    pos->board[sq] = (u8)piece;
    pos->by_kind[NO_KIND] ^= sq_bit(sq);
    pos->by_kind[piece_kind(piece)] ^= sq_bit(sq);
    pos->by_side[piece_side(piece)] ^= sq_bit(sq);
}

static u64 castle_zone_of(const Position *pos)
{
    u64 zone = 0;
    for (int i = 0; i < 4; i++)
        if (pos->castling >> i & 1)
            zone |= sq_bit(pos->castle_rook[i]) | sq_bit(pos_king(pos, i / 2));
    return zone;
}

void pos_refresh(Position *pos)
{
    memset(pos->part_key, 0, sizeof pos->part_key);
    pos->material = 0;
    for (u64 rest = pos_occupied(pos); rest;) {
        int sq = bits_pop(&rest), piece = pos->board[sq];
        pos->part_key[PART_OF[piece]] ^= zobrist.piece[piece][sq];
        pos->material += MATERIAL_OF[piece];
    }
    for (int i = 0; i < 4; i++)
        if (!(pos->castling >> i & 1))
            pos->castle_rook[i] = 0;
    pos->castle_zone = castle_zone_of(pos);
    find_checks_and_pins(pos);
    if (pos->en_passant != SQUARE_NB && !en_passant_exists(pos, pos->en_passant))
        pos->en_passant = SQUARE_NB;
    pos->key = zobrist.castling[pos->castling] ^ zobrist.en_passant[pos->en_passant];
    pos->key ^= pos->side == BLACK ? zobrist.side : 0;
    for (int part = 0; part < PART_NB; part++)
        pos->key ^= pos->part_key[part];
}

// ---- make ---------------------------------------------------------------------------------------
// Rights end when their king or rook leaves its square or is taken there.
static void lose_castling(Position *pos, u64 touched)
{
    int before = pos->castling;
    for (int i = 0; i < 4; i++)
        if (before >> i & 1 && (touched & (sq_bit(pos->castle_rook[i]) | sq_bit(pos_king(pos, i / 2))))) {
            pos->castling &= ~(1 << i);
            pos->castle_rook[i] = 0;
        }
    pos->castle_zone = castle_zone_of(pos);
    pos->key ^= zobrist.castling[before] ^ zobrist.castling[pos->castling];
}

// What every move does, whatever it moves: the clocks, the side, the end of an en passant right.
static inline void pass_turn(Position *pos)
{
    pos->key ^= zobrist.en_passant[pos->en_passant] ^ zobrist.side;
    pos->en_passant = SQUARE_NB;
    pos->fullmove += pos->side;
    pos->side ^= 1;
}

static void move_piece_on_board(Position *pos, int piece, u64 from, u64 to)
{
    pos->by_kind[piece_kind(piece)] ^= from ^ to;
    pos->by_side[piece_side(piece)] ^= from ^ to;
    pos->by_kind[NO_KIND] ^= from ^ to;
}

static void make_castling(Position *pos, Move move, Delta *delta)
{
    int us = pos->side, from = move_from(move), rook_from = move_to(move);
    bool is_long = rook_from < from;
    int to = castle_king_to(us, is_long), rook_to = castle_rook_to(us, is_long);
    int king = piece_make(us, KING), rook = piece_make(us, ROOK);
    lose_castling(pos, sq_bit(from));
    // The two may exchange or share squares: both leave before either arrives.
    move_piece_on_board(pos, king, sq_bit(from), sq_bit(to));
    move_piece_on_board(pos, rook, sq_bit(rook_from), sq_bit(rook_to));
    pos->board[from] = pos->board[rook_from] = 0;
    pos->board[to] = (u8)king;
    pos->board[rook_to] = (u8)rook;
    u64 change = zobrist.piece[king][from] ^ zobrist.piece[king][to] ^ zobrist.piece[rook][rook_from] ^
                 zobrist.piece[rook][rook_to];
    pos->key ^= change;
    pos->part_key[PART_OF[king]] ^= change;
    pos->rule50++;
    if (delta)
        *delta = (Delta){.removed_nb = 2,
                         .added_nb = 2,
                         .removed = {{(u8)king, (u8)from}, {(u8)rook, (u8)rook_from}},
                         .added = {{(u8)king, (u8)to}, {(u8)rook, (u8)rook_to}}};
}

static inline void make_ordinary(Position *pos, Move move, Delta *delta)
{
    int us = pos->side, from = move_from(move), to = move_to(move);
    int piece = pos->board[from];
    int placed = move_is_promotion(move) ? piece_make(us, move_promotion_kind(move)) : piece;
    int taken_sq = move_type(move) == MOVE_EN_PASSANT ? to ^ 8 : to;
    int taken = pos->board[taken_sq];
    u64 from_bit = sq_bit(from), to_bit = sq_bit(to), taken_bit = sq_bit(taken_sq);

    if (pos->castle_zone & (from_bit | to_bit))
        lose_castling(pos, from_bit | to_bit);
    // A quiet move takes its target square from the empty ones: by_kind[NO_KIND].
    pos->by_kind[piece_kind(taken)] ^= taken_bit;
    pos->by_kind[NO_KIND] ^= from_bit ^ to_bit ^ taken_bit;
    pos->by_side[!us] &= ~taken_bit;
    pos->by_kind[piece_kind(piece)] ^= from_bit;
    pos->by_kind[piece_kind(placed)] ^= to_bit;
    pos->by_side[us] ^= from_bit ^ to_bit;
    pos->board[taken_sq] = 0;
    pos->board[from] = 0;
    pos->board[to] = (u8)placed;

    u64 leave = zobrist.piece[piece][from], arrive = zobrist.piece[placed][to],
        lost = zobrist.piece[taken][taken_sq];
    pos->key ^= leave ^ arrive ^ lost;
    pos->part_key[PART_OF[taken]] ^= lost;
    pos->part_key[PART_OF[piece]] ^= leave;
    pos->part_key[PART_OF[placed]] ^= arrive;
    pos->material += (i16)(MATERIAL_OF[placed] - MATERIAL_OF[piece] - MATERIAL_OF[taken]);
    pos->rule50 = taken || piece_kind(piece) == PAWN ? 0 : (u16)(pos->rule50 + 1);
    if (delta) {
        *delta = (Delta){.removed_nb = 1,
                         .added_nb = 1,
                         .removed = {{(u8)piece, (u8)from}},
                         .added = {{(u8)placed, (u8)to}}};
        if (taken) {
            delta->removed[1].piece = (u8)taken;
            delta->removed[1].sq = (u8)taken_sq;
            delta->removed_nb = 2;
        }
    }
}

void pos_make(Position *pos, Move move, Undo *undo, Delta *delta)
{
    assert(move_is_pseudo_legal(pos, move) && move_is_legal(pos, move));
    undo->before = *pos;
    int from = move_from(move), to = move_to(move);
    bool double_step = piece_kind(pos->board[from]) == PAWN && (from ^ to) == 16;
    if (move_type(move) == MOVE_CASTLING)
        make_castling(pos, move, delta);
    else
        make_ordinary(pos, move, delta);
    pos->null_ply++;
    pass_turn(pos);
    find_checks_and_pins(pos);
    if (double_step && en_passant_exists(pos, (from + to) / 2)) {
        pos->en_passant = (u8)((from + to) / 2);
        pos->key ^= zobrist.en_passant[pos->en_passant];
    }
    assert(pos_is_ok(pos));
}

void pos_unmake(Position *pos, Move move, const Undo *undo)
{
    (void)move;
    *pos = undo->before;
    assert(pos_is_ok(pos));
}

void pos_make_null(Position *pos, Undo *undo)
{
    assert(!pos->checkers);
    undo->before = *pos;
    pos->rule50++;
    pos->null_ply = 0;
    pass_turn(pos);
    find_checks_and_pins(pos);
    assert(pos_is_ok(pos));
}

void pos_unmake_null(Position *pos, const Undo *undo)
{
    *pos = undo->before;
    assert(pos_is_ok(pos));
}

// ---- the whole position -------------------------------------------------------------------------
int pos_game_ply(const Position *pos) { return 2 * max_int(pos->fullmove - 1, 0) + pos->side; }

// A position built anew from what a text tells: `board` with squares exchanged by XOR, sides exchanged or
// not.
static void rebuild(const Position *pos, int sq_xor, int side_xor, Position *out)
{
    pos_clear(out);
    for (int sq = 0; sq < SQUARE_NB; sq++)
        if (pos->board[sq])
            pos_put(out, pos->board[sq] ^ side_xor << 3, sq ^ sq_xor);
    out->side = (u8)(pos->side ^ side_xor);
    for (int i = 0; i < 4; i++)
        if (pos->castling >> i & 1) {
            int j = i ^ side_xor << 1;
            out->castling |= (u8)(1 << j);
            out->castle_rook[j] = (u8)(pos->castle_rook[i] ^ sq_xor);
        }
    out->en_passant = pos->en_passant == SQUARE_NB ? SQUARE_NB : (u8)(pos->en_passant ^ sq_xor);
    out->fullmove = pos->fullmove;
    out->rule50 = pos->rule50;
    out->null_ply = pos->null_ply;
    out->rules = pos->rules;
    pos_refresh(out);
}

void pos_flip(const Position *pos, Position *out)
{
    Position copy = *pos; // `out` may be `pos`
    rebuild(&copy, 56, 1, out);
}

bool pos_mirror(const Position *pos, Position *out)
{
    if (pos->castling)
        return false;
    Position copy = *pos;
    rebuild(&copy, 7, 0, out);
    return true;
}

// Each right has its king and its rook on the back rank, the rook on the right side of the king.
static bool castling_is_ok(const Position *pos)
{
    for (int i = 0; i < 4; i++) {
        if (!(pos->castling >> i & 1))
            continue;
        int side = i / 2, rook = pos->castle_rook[i], king = pos_king(pos, side);
        if (pos->board[rook] != piece_make(side, ROOK) || sq_relative_rank(side, rook) != 0 ||
            sq_relative_rank(side, king) != 0 || (rook < king) != (i & 1))
            return false;
    }
    return true;
}

bool pos_is_ok(const Position *pos)
{
    if (bits_count(pos_pieces(pos, WHITE, KING)) != 1 || bits_count(pos_pieces(pos, BLACK, KING)) != 1)
        return false;
    if (pos->by_kind[PAWN] & (RANK_1 | RANK_8) || pos->side > BLACK || pos->castling > 15 ||
        !castling_is_ok(pos))
        return false;
    if (pos_attacked_by(pos, pos_king(pos, !pos->side), pos->side, pos_occupied(pos)))
        return false;
    Position again;
    rebuild(pos, 0, 0, &again);
    return memcmp(pos, &again, sizeof again) == 0;
}
