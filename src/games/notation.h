// SPDX-License-Identifier: GPL-3.0-or-later
// The contract, for whoever speaks with people: boards as pictures, moves and lines of moves as people write
// them, the names of openings and castles, positions set up by hand, start positions by name or by lot.
#ifndef TWOFOLD_GAMES_NOTATION_H
#define TWOFOLD_GAMES_NOTATION_H

#include "base/language.h"
#include "base/suggest.h"
#include "games/game_state.h"

typedef struct BoardStyle {
    bool colour, unicode, flip;
    int columns; // of the screen, for text; 0: as many as it takes
    Move last;
} BoardStyle;
// What the player of that side is called in the language that is spoken: "White"; 先手, or 下手 where the men
// of a handicap are missing. The position may be NULL: not known.
const char *side_words(const Position *pos, int side);
// The same in a language of the caller's choice.
const char *side_words_in(const Position *pos, int side, Language in);
// What a person may call a side ("White", "first", "sente", "先手"): true with the side.
bool side_named(Span name, int *side);
void board_draw(const Position *pos, BoardStyle style, Text *out);
// The same board as an SVG element, `size` pixels wide.
void board_draw_svg(const Position *pos, BoardStyle style, int size, Text *out);
// The usual human notation (SAN; western shogi notation) and back; parsing takes either notation and the
// protocol's.
void move_print_human(const Position *pos, Move move, char *out);
// The same in a language, at most MOVE_WORDS_MAX bytes with the NUL: in Japanese a move of shogi is ▲７六歩
// or △同銀. `last` is the move before, as for move_parse_reply.
enum { MOVE_WORDS_MAX = 64 };
void move_print_words(const Position *pos, Move last, Move move, Language in, char *out);
// A legal move, or MOVE_NONE; a pass is none. `last` is the move before, whose square a text may mean by "the
// same" (Japanese notation does); MOVE_NONE where it is not known.
Move move_parse_reply(const Position *pos, Move last, Span text);
// The same for a position without a past.
Move move_parse_human(const Position *pos, Span text);

// ---- moves as they are typed (typed.c) ----------------------------------------------------------
// The move that a person means by the text, in any spelling of the game, with or without its number.
// MOVE_NONE with a sentence on what was wrong, and on what may have been meant.
Move move_parse_typed(const Game *game, Span text, Message *message);
// Offers every legal move, in both spellings, for "did you mean".
void move_suggest(const Position *pos, Span typed, Suggestions *near);
// "such as Nf3 or g1f3": what could be typed; nothing when there is no legal move.
void move_print_examples(const Position *pos, Text *out);
// The beginning of what was typed, made safe for a terminal.
void typed_print(Span typed, Text *out);

// ---- lines of moves (line.c) --------------------------------------------------------------------
typedef struct LineStyle {
    bool is_human;    // the notation of people, else the protocol's
    bool is_spoken;   // the notation of people in the language that is spoken
    bool is_japanese; // the notation of people in Japanese, where the game has one
    bool is_numbered; // "12. Nf3 Nc6 13. d4"
    bool is_json;     // in quotes, with commas between
    Move last; // the move before the line, for moves in the language that is spoken; MOVE_NONE: not known
    size_t max_bytes; // as many whole moves as fit; 0: all
} LineStyle;
static const LineStyle LINE_SPOKEN = {.is_spoken = true, .is_numbered = true};
static const LineStyle LINE_NUMBERED = {.is_human = true, .is_numbered = true};
// Adds the line from the game's position on, up to a move that is not legal or to where the game would end.
void line_print(const Game *game, const Move *line, int nb, LineStyle style, Text *out);
// The same where the game before is unknown: the line does not stop where a rule would end the game.
void line_print_from(const Position *pos, const Move *line, int nb, LineStyle style, Text *out);
// The number of the move to come: each stands for a move of the first side and the answer of the second.
int pos_move_number(const Position *pos);
// "12. " or "12... " for the move to come: the number, then dots for the side that moves second.
void move_number_print(const Position *pos, char *out, size_t size);
// The same in the language that is spoken: "12手目 " where the game counts half-moves.
void move_number_words(const Position *pos, char *out, size_t size);
// Does that language count half-moves in this game?
bool moves_are_half_moves(void);
// "12. Nf3" and "12.Nf3" are taken as "Nf3", "12." as nothing: people copy moves from books.
Span move_number_skip(Span text);

// ---- start positions ----------------------------------------------------------------------------
// A start position drawn by lot, as text, of a kind the game knows by name ("chess960", "dfrc"); sets the
// rules that go with it. False when the game has no such kind.
bool start_random(const char *kind, Rng *rng, Rules *rules, char *out);
// A start position that has a name: a handicap, a number of Chess960.
typedef struct StartName {
    const char *key;            // what start_by_name takes: "handicap:2", "chess960:"
    const char *name, *name_ja; // for people; name_ja NULL: it has none
    int number_nb;              // not 0: the key goes on with a number, from 0 to below this
} StartName;
// The names the game has, by index from 0; NULL beyond the last.
const StartName *start_name_at(int index);
// The text of the start position of that name (a key, or a name for people, in either language), at most
// TEXT_MAX bytes; sets the rules that go with it. False with a message, the rules being unchanged, when there
// is none.
bool start_by_name(Span name, Rules *rules, char *out, Message *message);

// Balanced openings for matches: moves from the start of the game, as words of the protocol; ends with NULL.
// Defined by each game in its opening_lines.c.
extern const char *const OPENING_LINES[];

// ---- positions set up by hand (setup.c) ---------------------------------------------------------
typedef struct SetupVerdict {
    bool is_legal;
    char text[TEXT_MAX]; // when legal: the position as pos_print has it
    Message note;        // not legal: what is wrong; legal: what was mended or is odd, or empty. A sentence
} SetupVerdict;
// What the rules say of a position that may be anything.
SetupVerdict setup_judge(Span text, const Rules *rules);

// ---- names of openings (opening.c) --------------------------------------------------------------
enum { OPENING_NAME_MAX = 128 };
typedef struct Opening {
    char code[4];                   // "C50"; empty where the game has no codes
    char name[OPENING_NAME_MAX];    // in English
    char name_ja[OPENING_NAME_MAX]; // in Japanese; empty where the table has none
    int ply;                        // so many half-moves led to it
} Opening;
// The last position with a name on the way of the game; false when there is none. Transpositions are found;
// starts such as those of Chess960, and handicaps, have no names.
bool opening_name(const Game *game, Opening *opening);
// The same for `nb` moves from a start, each `stride` bytes behind the one before.
bool opening_of_moves(const Position *start, const Move *first, size_t stride, int nb, Opening *opening);
// A move by which lines of named openings go on, and how many of them do.
typedef struct OpeningMove {
    Move move;
    int line_nb;
} OpeningMove;
// All such moves of the position, at most MAX_MOVES; how many, 0 where no line comes by.
int opening_moves(const Position *pos, OpeningMove *out);
// "C50 Italian Game", or "Bishop Exchange (角換わり)": what the opening has, in a line.
void opening_print(const Opening *opening, Text *out);

// How the king of that side is housed, where the game has names for that (Mino, Fortress); false when it has
// not. The code and the ply are empty.
bool castle_name(const Position *pos, int side, Opening *name);

#endif
