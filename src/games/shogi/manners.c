// SPDX-License-Identifier: GPL-3.0-or-later
// What a person sees of a move at a glance, and likes about it: for levels that play below full strength.
#include "bitboard.h"
#include "notation.h"

// ---- what is seen -------------------------------------------------------------------------------
// The check of a man that does not move: its line is opened.
static bool discovers_check(const Position *pos, Move move, int kind)
{
    const int us = pos->side, to = move_to(move), king = pos->king[!us];
    if (move_is_drop(move) || king == SQUARE_NB || !move_gives_check(pos, move))
        return false;
    const Bitboard occupied = (pos_occupied(pos) & ~bb_of(move_from(move))) | bb_of(to);
    return !bb_has(attacks_of(us, kind, to, occupied), king);
}

int move_obscurity(const Position *pos, Move move)
{
    enum {
        TAKES = 12,
        QUIET = 34,
        DROP = 28,
        DROP_STEP = 4,
        BACKWARD = 22,
        LONG_DIAGONAL = 18,
        LONG_LINE = 8,
        LONG = 4,
        KNIGHT_MOVE = 8,
        CHECK = -12,
        DISCOVERS = 35,
        PROMOTES = -8
    };
    const int us = pos->side, to = move_to(move), from = move_from(move);
    int kind = piece_kind(move_piece(pos, move)), obscurity = move_captured(pos, move) ? TAKES : QUIET;
    if (move_is_drop(move)) {
        const int king = pos->king[!us];
        obscurity = DROP + (king == SQUARE_NB ? 0 : DROP_STEP * sq_distance(to, king));
    } else {
        if (kind == KNIGHT)
            obscurity += KNIGHT_MOVE;
        if (sq_distance(from, to) >= LONG)
            obscurity +=
                sq_file(from) == sq_file(to) || sq_rank(from) == sq_rank(to) ? LONG_LINE : LONG_DIAGONAL;
        if (sq_relative_rank(us, to) > sq_relative_rank(us, from))
            obscurity += BACKWARD;
    }
    if (move_is_promotion(move)) {
        obscurity += PROMOTES;
        kind += PROMOTED;
    }
    if (move_gives_check(pos, move))
        obscurity += discovers_check(pos, move, kind) ? DISCOVERS : CHECK;
    return clamp_int(obscurity, 3, 100);
}

// ---- what is liked ------------------------------------------------------------------------------
// Castles as 先手 builds them: with the rook at home the king goes to the left, else to the right. The king
// first.
static const char *const TO_THE_LEFT[] = {"K8h G7h G6g S7g", "K7h G5h G6i S7i", "K8h S7h G6i G5h",
                                          "K7h S6h G7i G5h"};
static const char *const TO_THE_RIGHT[] = {"K2h S3h G4i G5h", "K2h S3h G4i G4g", "K2h S2g G3h G4g",
                                           "K1i S2h G3i G3h"};
enum { CASTLE_CHOICES = 4 };

// Where the nearest place of that kind in the castle is that no like man has taken yet; SQUARE_NB: there is
// none.
static int place_for(const Position *pos, const char *castle, int kind, int from)
{
    const int us = pos->side;
    int nearest = SQUARE_NB;
    Span rest = span_of(castle);
    for (Span man; (man = span_word(&rest)).len;) {
        const int place = sq_relative(us, sq_make(man.ptr[1] - '1', man.ptr[2] - 'a'));
        const bool is_taken = place != from && pos->board[place] == piece_make(us, kind);
        if (kind_from_letter(man.ptr[0]) != kind || is_taken)
            continue;
        if (nearest == SQUARE_NB || sq_distance(from, place) < sq_distance(from, nearest))
            nearest = place;
    }
    return nearest;
}

int move_manner(const Position *pos, Move move, u64 lot)
{
    enum { OPENING_PLIES = 50, STEP = 14, KING_STEP = 20, EDGE_PAWN = -10, HOME_FILE = 4 };
    const int us = pos->side, kind = piece_kind(move_piece(pos, move)), from = move_from(move);
    if (pos_game_ply(pos) > OPENING_PLIES || move_is_noisy(pos, move) || move_is_drop(move) ||
        pos->king[us] == SQUARE_NB)
        return 0;
    const int file = sq_file(sq_relative(us, from));
    if (kind == PAWN || kind == LANCE)
        return file == 0 || file == 8 ? EDGE_PAWN : 0;
    if (kind != KING && kind != GOLD && kind != SILVER)
        return 0;
    bool is_home = true; // the rook
    for (Squares s = squares_of(pos->boards.by_side[us] & pos->boards.by_kind[ROOK]); squares_left(s);)
        is_home = sq_file(sq_relative(us, squares_next(&s))) < HOME_FILE;
    const char *castle = (is_home ? TO_THE_LEFT : TO_THE_RIGHT)[lot % CASTLE_CHOICES];
    const int place = place_for(pos, castle, kind, from);
    if (place == SQUARE_NB)
        return 0;
    return (kind == KING ? KING_STEP : STEP) * (sq_distance(from, place) - sq_distance(move_to(move), place));
}
