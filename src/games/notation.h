// SPDX-License-Identifier: GPL-3.0-or-later
// The contract, for whoever speaks with people: boards as pictures, moves as people write them, start
// positions drawn by lot.
#ifndef TWOFOLD_GAMES_NOTATION_H
#define TWOFOLD_GAMES_NOTATION_H

#include "game.h"

typedef struct BoardStyle {
    bool colour, unicode, flip;
    int columns; // of the screen, for text; 0: as many as it takes
    Move last;
} BoardStyle;
void board_draw(const Position *pos, BoardStyle style, Text *out);
// The same board as an SVG element, `size` pixels wide.
void board_draw_svg(const Position *pos, BoardStyle style, int size, Text *out);
// The usual human notation (SAN; western shogi notation) and back; parsing takes either notation and the
// protocol's.
void move_print_human(const Position *pos, Move move, char *out);
// A legal move, or MOVE_NONE; a pass is none.
Move move_parse_human(const Position *pos, Span text);

// A start position drawn by lot, as text, of a kind the game knows by name ("chess960", "dfrc"); sets the
// rules that go with it. False when the game has no such kind.
bool start_random(const char *kind, Rng *rng, Rules *rules, char *out);

#endif
