// SPDX-License-Identifier: GPL-3.0-or-later
// What many suites need: positions and moves from texts, random play, searches, data files line by line,
// scratch files, and commands run in a process of their own. Each function checks what it is given, so that a
// mistake in a test fails its case instead of passing in silence.
#ifndef TWOFOLD_TEST_HELPERS_H
#define TWOFOLD_TEST_HELPERS_H

#include "games/game_state.h"
#include "search/search.h"
#include "test.h"

enum { PATH_BYTES = 512 };

// ---- positions and moves ------------------------------------------------------------------------
// The position of a text under the usual rules, or under others. A text that is refused fails the case and
// gives the start position.
Position position_of(const char *text);
Position position_under(const char *text, const Rules *rules);
// The text of a position; valid until the next call.
const char *text_of(const Position *pos);
// The legal move of a text. What is no legal move fails the case and gives MOVE_NONE.
Move move_of(const Position *pos, const char *text);
// The text of a move; valid until the next call.
const char *move_text(const Position *pos, Move move);
// Plays the move and forgets how to take it back.
void play_move(Position *pos, Move move);
// Is the move on the list of legal moves?
bool is_listed(const Position *pos, Move move);
// A game that begins at the position of a text, to be freed with game_free; rules NULL: the usual ones.
Game game_from(const char *text, const Rules *rules);
// Plays moves in the protocol's text; an illegal one fails the case, and none is played.
void play_text(Game *game, const char *moves);
// Any legal move, or MOVE_NONE when there is none.
Move random_move(const Position *pos, Rng *rng);
// Plays one random legal move; false when there is none.
bool play_random(Position *pos, Rng *rng);
// Plays that many random legal moves from the start; false when the game ended before or there.
bool random_position(Rng *rng, int plies, Position *pos);

// ---- searches -----------------------------------------------------------------------------------
// Searches a position without a past; the listener may be NULL.
SearchResult search_of(Engine *engine, const Position *pos, Limits limits, const SearchEvents *listener);

// The endgame tables of a folder; ones that cannot be opened, or not all of them, fail the case.
Tablebase *open_tables(const char *folder);

// ---- files --------------------------------------------------------------------------------------
// The path of a scratch file of this run.
void scratch_path(const char *name, char path[PATH_BYTES]);
void write_text(const char *path, const char *text);
// All of a file, to be freed; a file that cannot be read fails the case.
Text read_whole(const char *path);
// Does the file hold these words? One that cannot be read does not.
bool file_says(const char *path, const char *words);
// Calls `check` with each line of a file in tests/data that is neither empty nor a # comment; how many there
// were. A file that cannot be read fails the case.
int each_line(const char *name, void (*check)(Span line));
// Takes the text up to the next separator (or the end) off the front of *line, without blanks around it.
Span take_field(Span *line, char separator);
// How often the part is in the text.
int count_of(const char *text, const char *part);
// Fails the case unless the part is in the text.
void check_has(const char *text, const char *part);

// ---- commands -----------------------------------------------------------------------------------
// Runs a subcommand in a process of its own, without its output; its exit code, or -1 when a signal ended it.
int run_command(int (*command)(int argc, char **argv), char **argv);

#endif
