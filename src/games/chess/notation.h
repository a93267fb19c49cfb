// SPDX-License-Identifier: GPL-3.0-or-later
// What the readers and writers of chess texts share among themselves: which positions are possible at all,
// and how squares and pieces are spelled. Private to games/chess.
#ifndef TWOFOLD_CHESS_NOTATION_H
#define TWOFOLD_CHESS_NOTATION_H

#include "game.h"

// The letter of each piece, upper case for White; '.' where there is none.
extern const char PIECE_LETTERS[PIECE_NB];
// The piece a FEN letter means, 0 for any other character.
int piece_from_letter(char letter);
// The square that two characters name (the file in either case), -1 when they name none.
int square_parse(const char *text);
// Writes two characters and returns the end.
char *square_print(int sq, char *out);

// Is this board one that a game can reach, as far as counting tells: kings, pawns, promotions, checks? Needs
// the board, the bitboards and the side to move. False with a message.
bool pos_check_board(const Position *pos, Message *message);
// Can the side to move capture en passant on this square, by the rules and without leaving its king in check?
bool en_passant_is_legal(const Position *pos, int target);

// King and rook on the squares of standard chess: only then can the king's arrival not be mistaken for a
// plain king move.
static inline bool castle_is_standard(int king, int rook)
{
    return (king & 7) == 4 && ((rook & 7) == 0 || (rook & 7) == 7);
}

#endif
