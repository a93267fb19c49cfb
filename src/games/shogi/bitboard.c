// SPDX-License-Identifier: GPL-3.0-or-later
// The tables behind bitboard.h, the plain form of the sliders, and the questions about attacks that are too
// long to inline. Nothing here knows of a whole Position.
#include "bitboard.h"

Lookup lookup;

// ---- tables -------------------------------------------------------------------------------------
typedef struct Step {
    i8 file, rank;
} Step;

static const Step DIRECTION_STEP[NO_DIRECTION] = {
    [UP] = {0, -1},      [DOWN] = {0, 1},        [LEFT] = {1, 0},      [RIGHT] = {-1, 0},
    [LEFT_UP] = {1, -1}, [RIGHT_DOWN] = {-1, 1}, [LEFT_DOWN] = {1, 1}, [RIGHT_UP] = {-1, -1},
};

// The square one step (as Black sees it) away for that side, or SQUARE_NB beyond the edge.
static int step_from(int side, int sq, Step step)
{
    int sign = side == BLACK ? 1 : -1;
    int file = sq_file(sq) + sign * step.file, rank = sq_rank(sq) + sign * step.rank;
    return file < 0 || file > 8 || rank < 0 || rank > 8 ? SQUARE_NB : sq_make(file, rank);
}

static Bitboard steps_from(int side, int sq, const Step *steps, int step_nb)
{
    Bitboard b = BB_NONE;
    for (int i = 0; i < step_nb; i++)
        b |= bb_of(step_from(side, sq, steps[i]));
    return b;
}

static void init_steps(void)
{
    static const Step PAWN_STEPS[] = {{0, -1}};
    static const Step KNIGHT_STEPS[] = {{-1, -2}, {1, -2}};
    static const Step SILVER_STEPS[] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 1}, {1, 1}};
    static const Step GOLD_STEPS[] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {0, 1}};
    for (int sq = 0; sq < SQUARE_NB; sq++)
        lookup.square[sq] =
            sq < WORD_SPLIT ? (Bitboard){1ULL << sq, 0} : (Bitboard){0, 1ULL << (sq - WORD_SPLIT)};
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        for (int side = 0; side < SIDE_NB; side++) {
            lookup.pawn[side][sq] = steps_from(side, sq, PAWN_STEPS, 1);
            lookup.knight[side][sq] = steps_from(side, sq, KNIGHT_STEPS, 2);
            lookup.silver[side][sq] = steps_from(side, sq, SILVER_STEPS, 5);
            lookup.gold[side][sq] = steps_from(side, sq, GOLD_STEPS, 6);
        }
        lookup.king[sq] = lookup.silver[BLACK][sq] | lookup.gold[BLACK][sq];
    }
    for (int side = 0; side < SIDE_NB; side++)
        for (int centre = 0; centre < SQUARE_NB; centre++)
            for (Squares s = squares_of(lookup.king[centre] | bb_of(centre)); squares_left(s);) {
                int sq = squares_next(&s);
                lookup.near[side][centre] |= lookup.king[sq] | lookup.knight[side][sq];
            }
}

static void init_rays(void)
{
    for (int a = 0; a < SQUARE_TABLE_NB; a++)
        for (int b = 0; b < SQUARE_TABLE_NB; b++)
            lookup.direction[a][b] = NO_DIRECTION;
    for (int direction = 0; direction < NO_DIRECTION; direction++)
        for (int from = 0; from < SQUARE_NB; from++)
            for (int to = from; (to = step_from(BLACK, to, DIRECTION_STEP[direction])) < SQUARE_NB;) {
                lookup.ray[direction][from] |= bb_of(to);
                lookup.direction[from][to] = (u8)direction;
            }
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        for (int direction = UP; direction <= RIGHT; direction++)
            lookup.straight[sq] |= lookup.ray[direction][sq];
        for (int direction = LEFT_UP; direction <= RIGHT_UP; direction++)
            lookup.diagonal[sq] |= lookup.ray[direction][sq];
    }
}

// Can the piece get from the one square to the other and check there, promoted or not?
static bool checks_from(int side, int kind, int from, int to, int king)
{
    bool promotes = kind != GOLD && (in_zone(side, from) || in_zone(side, to));
    return bb_has(attacks_of(side, kind, to, BB_NONE), king) ||
           (promotes && bb_has(lookup.gold[side][to], king));
}

static void init_checks(void)
{
    static const u8 KINDS[] = {LANCE, KNIGHT, SILVER, GOLD};
    for (int side = 0; side < SIDE_NB; side++)
        for (size_t i = 0; i < sizeof KINDS; i++)
            for (int from = 0; from < SQUARE_NB; from++)
                for (Squares s = squares_of(attacks_of(side, KINDS[i], from, BB_NONE)); squares_left(s);) {
                    int to = squares_next(&s);
                    for (int king = 0; king < SQUARE_NB; king++)
                        if (checks_from(side, KINDS[i], from, to, king))
                            lookup.check_from[side][KINDS[i]][king] |= bb_of(from);
                }
}

static RayPair ray_pair(int growing, int sq)
{
    Bitboard up = lookup.ray[growing][sq], down = lookup.ray[growing ^ 1][sq];
    return (RayPair){{up[0], __builtin_bswap64(down[1])}, {up[1], __builtin_bswap64(down[0])}};
}

static void init_ray_pairs(void)
{
    for (int sq = 0; sq < SQUARE_NB; sq++) {
        lookup.rank_pair[sq] = ray_pair(LEFT, sq);
        RayPair first = ray_pair(LEFT_UP, sq), second = ray_pair(LEFT_DOWN, sq);
        lookup.diagonal_quad[sq] = (RayQuad){{first.low, second.low}, {first.high, second.high}};
    }
}

static void init_keys(void)
{
    Rng rng = {0x54776F666F6C6453ULL};
    for (int side = 0; side < SIDE_NB; side++) {
        for (int kind = PAWN; kind < KIND_NB; kind++)
            for (int sq = 0; sq < SQUARE_NB; sq++)
                lookup.piece_key[piece_make(side, kind)][sq] = rng_next(&rng);
        for (int kind = PAWN; kind < HAND_KIND_NB; kind++)
            for (int count = 1; count <= kind_set_count(kind); count++)
                lookup.hand_key[side][kind][count] = rng_next(&rng);
    }
    lookup.side_key = rng_next(&rng);
}

void bitboard_init(void)
{
    init_steps();
    init_rays();
    init_ray_pairs();
    init_checks();
    init_keys();
}

// ---- sliders without vectors --------------------------------------------------------------------
// The ray up to and with the first piece on it; `low` and `high` are the words of a ray on which squares
// grow.
static Bitboard ray_growing(Bitboard mask, Bitboard occupied)
{
    u64 low = occupied[0] & mask[0], high = occupied[1] & mask[1];
    u64 seen_low = (low ^ (low - 1)) & mask[0];
    u64 seen_high = (high ^ (high - (low == 0))) & mask[1];
    return (Bitboard){seen_low, seen_high};
}

static Bitboard reversed(Bitboard b) { return (Bitboard){__builtin_bswap64(b[1]), __builtin_bswap64(b[0])}; }

static Bitboard line_attacks(int growing, int sq, Bitboard occupied)
{
    Bitboard falling = ray_growing(reversed(lookup.ray[growing ^ 1][sq]), reversed(occupied));
    return ray_growing(lookup.ray[growing][sq], occupied) | reversed(falling);
}

Bitboard bishop_attacks_plain(int sq, Bitboard occupied)
{
    return line_attacks(LEFT_UP, sq, occupied) | line_attacks(LEFT_DOWN, sq, occupied);
}

Bitboard rook_attacks_plain(int sq, Bitboard occupied)
{
    return line_attacks(LEFT, sq, occupied) | file_attacks(sq, occupied);
}

// ---- attacks ------------------------------------------------------------------------------------
Bitboard attacks_of(int side, int kind, int sq, Bitboard occupied)
{
    switch (kind) {
    case PAWN: return lookup.pawn[side][sq];
    case LANCE: return lance_attacks(side, sq, occupied);
    case KNIGHT: return lookup.knight[side][sq];
    case SILVER: return lookup.silver[side][sq];
    case BISHOP: return bishop_attacks(sq, occupied);
    case ROOK: return rook_attacks(sq, occupied);
    case KING: return lookup.king[sq];
    case HORSE: return bishop_attacks(sq, occupied) | lookup.king[sq];
    case DRAGON: return rook_attacks(sq, occupied) | lookup.king[sq];
    case NO_KIND: return BB_NONE;
    default: return lookup.gold[side][sq];
    }
}

// Step by step backwards: an enemy of `side` on the square would step to where pieces of `side` step to it
// from.
static inline Bitboard steppers_to(const Boards *boards, int side, int sq)
{
    const Bitboard *kind = boards->by_kind;
    return boards->by_side[side] &
           ((lookup.pawn[!side][sq] & kind[PAWN]) | (lookup.knight[!side][sq] & kind[KNIGHT]) |
            (lookup.silver[!side][sq] & kind[SILVER]) | (lookup.gold[!side][sq] & kind[GOLDS]) |
            (lookup.king[sq] & (kind[KING] | kind[HORSE] | kind[DRAGON])));
}

Bitboard attackers_to(const Boards *boards, int side, int sq, Bitboard occupied)
{
    Bitboard own = boards->by_side[side];
    Bitboard attackers = steppers_to(boards, side, sq);
    Bitboard bishops = bishops_of(boards) & own & lookup.diagonal[sq];
    Bitboard rooks = rooks_of(boards) & own & lookup.straight[sq];
    Bitboard lances = boards->by_kind[LANCE] & own & lookup.ray[side == BLACK ? DOWN : UP][sq];
    if (bb_any(bishops))
        attackers |= bishops & bishop_attacks(sq, occupied);
    if (bb_any(rooks))
        attackers |= rooks & rook_attacks(sq, occupied);
    if (bb_any(lances))
        attackers |= lances & lance_attacks(!side, sq, occupied);
    return attackers;
}

bool is_attacked(const Boards *boards, int side, int sq, Bitboard occupied)
{
    return bb_any(attackers_to(boards, side, sq, occupied));
}

Bitboard attacked_among(const Boards *boards, int side, int centre, Bitboard squares, Bitboard occupied)
{
    const Bitboard *kind = boards->by_kind;
    Bitboard own = boards->by_side[side], close = own & lookup.near[!side][centre];
    Bitboard attacked = BB_NONE;
    if (bb_any(close)) {
        attacked = pawns_step(side, close & kind[PAWN]);
        for (Squares s = squares_of(close & kind[KNIGHT]); squares_left(s);)
            attacked |= lookup.knight[side][squares_next(&s)];
        for (Squares s = squares_of(close & kind[SILVER]); squares_left(s);)
            attacked |= lookup.silver[side][squares_next(&s)];
        for (Squares s = squares_of(close & kind[GOLDS]); squares_left(s);)
            attacked |= lookup.gold[side][squares_next(&s)];
        for (Squares s = squares_of(close & (kind[KING] | kind[HORSE] | kind[DRAGON])); squares_left(s);)
            attacked |= lookup.king[squares_next(&s)];
    }
    for (Squares s = squares_of(own & bishops_of(boards)); squares_left(s);) {
        int sq = squares_next(&s);
        if (bb_meet(lookup.diagonal[sq], squares))
            attacked |= bishop_attacks(sq, occupied);
    }
    for (Squares s = squares_of(own & rooks_of(boards)); squares_left(s);) {
        int sq = squares_next(&s);
        if (bb_meet(lookup.straight[sq], squares))
            attacked |= rook_attacks(sq, occupied);
    }
    for (Squares s = squares_of(own & kind[LANCE]); squares_left(s);) {
        int sq = squares_next(&s);
        if (bb_meet(lookup.ray[side == BLACK ? UP : DOWN][sq], squares))
            attacked |= lance_attacks(side, sq, occupied);
    }
    return attacked & squares;
}
