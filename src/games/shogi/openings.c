// SPDX-License-Identifier: GPL-3.0-or-later
// The names of shogi's openings and castles. Openings that are a sequence of moves are rows of the table;
// those that are a way to stand, and all castles, are shapes: the men of one side and where they stand, as
// Black sees them. A shape is looked for on either side of the board, so White's is the same turned round.
#include "bitboard.h"
#include "games/opening_table.h"
#include "lines_table.h"
#include "notation.h"

// clang-format off
static const char ROWS[] =
    "0 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2f||0 Double Wing Attack|相掛かり\n"
    "0 5g5f 8c8d 7g7f 8d8e 8h7g 5c5d 2h5h||0 Central Rook|中飛車\n"
    "0 7g7f 3c3d 2g2f 4a3b 6i7h 2b8h+ 7i8h||0 One-Turn-Loss Bishop Exchange|一手損角換わり\n"
    "3 4c4d 2f2e 2b3c 3i4h 8b2b||0 Opposing Rook|向かい飛車\n"
    "4 3i4h 8b3b||0 Third File Rook|三間飛車\n"
    "5 8b4b||0 Fourth File Rook|四間飛車\n"
    "3 5c5d 2f2e 8b5b||0 Cheerful Central Rook|ゴキゲン中飛車\n"
    "3 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d||0 Side Pawn Capture|横歩取り\n"
    "2 6g6f 8c8d 2h6h||0 Fourth File Rook|四間飛車\n"
    "4 2h7h||0 Third File Rook|三間飛車\n"
    "2 7f7e 8c8d 2h7h||0 Quick Ishida|早石田\n"
    "2 8h2b+ 3a2b B*4e||0 Wrong Diagonal Bishop|筋違い角\n"
    "2 8i7g 8c8d 7g6e||0 Demon Slayer|鬼殺し\n"
    "1 8c8d 2g2f 4a3b 6i7h 8d8e 8h7g 3c3d 7i6h 2b7g+ 6h7g||0 Bishop Exchange|角換わり\n"
    "2 7i6h 3c3d 6h7g||0 Fortress|矢倉\n"
    "0 7i6h||0 Ureshino Style|嬉野流\n";

// A shape is a list of men: a letter (small: of the other side), then where it may stand, with strokes
// between; a file alone means any of its squares, and 0 the hand. The first shape that fits gives the name;
// general ones stand last.
typedef struct Shape {
    const char *men, *name, *name_ja;
    bool is_general; // says less than any other name: only for games that have none yet
} Shape;

static const Shape OPENING_SHAPES[] = {
    {"R5/6/7/8 K1/2/3/4 r2/3/4/5 k6/7/8/9", "Double Ranging Rook", "相振り飛車", false},
    {"R2 P2f/2e/2d S2g/2f/2e/2d K5/6/7/8/9", "Climbing Silver", "棒銀", false},
    {"B0 b0 S7g S5f R2 P4f/4e K4/5/6/7/8", "Bishop Exchange, Reclining Silver", "角換わり腰掛け銀", false},
    {"R4h S4g/5f P4f/4e K6/7/8/9", "Right Fourth File Rook", "右四間飛車", false},
    {"R3h P3f/3e K5/6/7/8", "Sleeve Rook", "袖飛車", true},
    {"R7f P7e N7g", "Ishida", "石田流", false},
    {"K3h/4h N3g S4g R2i", "Right King", "右玉", false},
    {"B0 b0 R6h K1h/2h/3h/4h/3i/2i/1i", "Bishop Exchange Fourth File Rook", "角交換四間飛車", true},
    {"R8h K1h/2h/3h/4h/3i/2i/1i", "Opposing Rook", "向かい飛車", true},
    {"R7h K1h/2h/3h/4h/3i/2i/1i", "Third File Rook", "三間飛車", true},
    {"R6h K1h/2h/3h/4h/3i/2i/1i", "Fourth File Rook", "四間飛車", true},
    {"R5h K1h/2h/3h/4h/3i/2i/1i", "Central Rook", "中飛車", true},
    {"B0 b0 S7g s3c R2", "Bishop Exchange", "角換わり", true},
    {"G7h S6g P6f K5i/6i/4h/6h/5h R2 B7g/8h", "Snowroof", "雁木", true},
    {"G7h S7g P7f P6f R2 B8h/7i/6h", "Fortress", "矢倉", true},
};

static const Shape CASTLES[] = {
    {"K9i L9h S8g", "Silver Crown Bear-in-the-Hole", "銀冠穴熊", false},
    {"K9i L9h S8h R1/2/3/4", "Static Rook Bear-in-the-Hole", "居飛車穴熊", false},
    {"K1i L1h S2h R5/6/7/8/9", "Ranging Rook Bear-in-the-Hole", "振り飛車穴熊", false},
    {"K9i L9h S8h", "Bear-in-the-Hole", "穴熊", false},
    {"K1i L1h S2h", "Bear-in-the-Hole", "穴熊", false},
    {"K9i L9h G7h G6g S7g", "Fortress Bear-in-the-Hole", "矢倉穴熊", false},
    {"K8i S8h G7h G6g N7g", "Chrysanthemum Fortress", "菊水矢倉", false},
    {"K8i N7g", "Millennium", "ミレニアム囲い", false},
    {"K8h G7h G6g S7g", "Gold Fortress", "金矢倉", false},
    {"K8h G7h S6g S7g", "Silver Fortress", "銀矢倉", false},
    {"K7h G6h G6g S7g", "Half Fortress", "片矢倉", false},
    {"K2h S2g G3h G4g", "Silver Crown", "銀冠", false},
    {"K2h G3h S4g G5h", "Kimura Mino", "木村美濃", false},
    {"K2h S3h S4g G4i G5h", "Diamond Mino", "ダイヤモンド美濃", false},
    {"K2h S3h G4i G4g", "High Mino", "高美濃囲い", false},
    {"K2h S3h G4i G5h", "Mino", "美濃囲い", false},
    {"K2h S3h G4i", "Half Mino", "片美濃囲い", false},
    {"K8h S7h G6i G5h", "Left Mino", "左美濃", false},
    {"K8g S7h G6i G5h", "Castle Tower Mino", "天守閣美濃", false},
    {"K7h S7i G6i G5h B8h", "Boat", "舟囲い", false},
    {"K7h S6h G7i", "Elmo", "エルモ囲い", false},
    {"K3h G4h G5h S2h", "Gold Pair", "金無双", false},
    {"K6i G7h G5i S4h", "Nakahara", "中原囲い", false},
    {"K6i G7h G5h S6h", "Crab", "カニ囲い", false},
    {"G7h S6g P6f K5i/6i/4h S5g/4g/4h", "Snowroof", "雁木囲い", false},
    {"K3h/4h N3g S4g R2i", "Right King", "右玉", false},
    {"K5h G7h G3h", "Central House", "中住まい", false},
    {"K5h G7h S3h G4i", "Central House", "中住まい", false},
};
// clang-format on
enum {
    OPENING_SHAPE_NB = sizeof OPENING_SHAPES / sizeof OPENING_SHAPES[0],
    CASTLE_NB = sizeof CASTLES / sizeof CASTLES[0],
    OPENING_PLY_MAX = 40, // later a shape is part of the middle game
};

// ---- shapes -------------------------------------------------------------------------------------
// Does the piece stand on this square, or on any of this file? As `side` sees the board.
static bool stands_on(const Position *pos, int side, int piece, Span place)
{
    int file = place.ptr[0] - '1', rank = place.len > 1 ? place.ptr[1] - 'a' : -1;
    if (file < 0)
        return hand_count(pos->hand[piece_side(piece)], piece_kind(piece)) > 0;
    for (int r = rank < 0 ? 0 : rank; r <= (rank < 0 ? 8 : rank); r++) {
        int sq = sq_make(file, r);
        if (pos->board[side == BLACK ? sq : SQUARE_NB - 1 - sq] == piece)
            return true;
    }
    return false;
}

static bool man_fits(const Position *pos, int side, Span man)
{
    char letter = man.ptr[0];
    bool is_other = letter >= 'a';
    int kind = kind_from_letter(is_other ? (char)(letter - 'a' + 'A') : letter);
    int piece = piece_make(is_other ? !side : side, kind);
    for (size_t i = 1; i < man.len;) {
        Span place = {man.ptr + i, 0};
        while (i + place.len < man.len && place.ptr[place.len] != '/')
            place.len++;
        if (stands_on(pos, side, piece, place))
            return true;
        i += place.len + 1;
    }
    return false;
}

static bool shape_fits(const Position *pos, int side, const Shape *shape)
{
    Span rest = span_of(shape->men);
    for (Span man; (man = span_word(&rest)).len;)
        if (!man_fits(pos, side, man))
            return false;
    return true;
}

static void print_shape(const Shape *shape, Opening *out)
{
    *out = (Opening){0};
    span_copy(span_of(shape->name), out->name, sizeof out->name);
    span_copy(span_of(shape->name_ja), out->name_ja, sizeof out->name_ja);
}

// A shape stays on the board for many moves: only the first of them is news.
static bool by_shape(const Position *pos, Opening *opening)
{
    for (int i = 0; i < OPENING_SHAPE_NB && pos_game_ply(pos) <= OPENING_PLY_MAX; i++) {
        const Shape *shape = &OPENING_SHAPES[i];
        if (shape->is_general && opening->name[0])
            return false;
        if (!shape_fits(pos, BLACK, shape) && !shape_fits(pos, WHITE, shape))
            continue;
        if (strcmp(shape->name, opening->name) == 0)
            return false;
        print_shape(shape, opening);
        return true;
    }
    return false;
}

bool castle_name(const Position *pos, int side, Opening *name)
{
    *name = (Opening){0};
    for (int i = 0; i < CASTLE_NB; i++)
        if (shape_fits(pos, side, &CASTLES[i])) {
            print_shape(&CASTLES[i], name);
            return true;
        }
    return false;
}

// ---- which games have names ---------------------------------------------------------------------
// Those with all forty men: a handicap is an opening of its own.
static bool fits(const Position *start)
{
    int men = pos_men(start);
    for (int side = 0; side < SIDE_NB; side++)
        for (int kind = PAWN; kind <= GOLD; kind++)
            men += hand_count(start->hand[side], kind);
    return men == 40;
}

const OpeningTable OPENING_TABLE = {.rows = ROWS, .played = PLAYED, .fits = fits, .by_shape = by_shape};
