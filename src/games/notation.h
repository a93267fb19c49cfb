// SPDX-License-Identifier: GPL-3.0-or-later
// The contract, for whoever speaks with people: boards as pictures, moves and lines of moves as people write
// them, start positions drawn by lot.
#ifndef TWOFOLD_GAMES_NOTATION_H
#define TWOFOLD_GAMES_NOTATION_H

#include "games/game_state.h"

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

// ---- lines of moves (line.c) --------------------------------------------------------------------
typedef struct LineStyle {
    bool is_human;    // the notation of people, else the protocol's
    bool is_numbered; // "12. Nf3 Nc6 13. d4"
    bool is_json;     // in quotes, with commas between
    size_t max_bytes; // as many whole moves as fit; 0: all
} LineStyle;
static const LineStyle LINE_NUMBERED = {.is_human = true, .is_numbered = true};
// Adds the line from the game's position on, up to a move that is not legal or to where the game would end.
void line_print(const Game *game, const Move *line, int nb, LineStyle style, Text *out);
// The same where the game before is unknown: the line does not stop where a rule would end the game.
void line_print_from(const Position *pos, const Move *line, int nb, LineStyle style, Text *out);
// The number of the move to come: each stands for a move of the first side and the answer of the second.
int pos_move_number(const Position *pos);
// "12. " or "12... " for the move to come: the number, then dots for the side that moves second.
void move_number_print(const Position *pos, char *out, size_t size);
// "12. Nf3" and "12.Nf3" are taken as "Nf3", "12." as nothing: people copy moves from books.
Span move_number_skip(Span text);

// ---- start positions ----------------------------------------------------------------------------
// A start position drawn by lot, as text, of a kind the game knows by name ("chess960", "dfrc"); sets the
// rules that go with it. False when the game has no such kind.
bool start_random(const char *kind, Rng *rng, Rules *rules, char *out);

#endif
