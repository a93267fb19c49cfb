// SPDX-License-Identifier: GPL-3.0-or-later
// The contract, for whoever keeps games: records in the files of the game (PGN, FEN, EPD; KIF, CSA, USI;
// lists of moves), and books made from them.
#ifndef TWOFOLD_GAMES_RECORD_H
#define TWOFOLD_GAMES_RECORD_H

#include "games/notation.h"

// A game as people keep it. Owned by the caller; zero-initialised is empty. games/record.c holds what all
// games share: record_free, record_tag, record_add_tag, record_set_tag and record_add_move.
enum { RECORD_GLYPH_MAX = 8 };
typedef struct RecordMove {
    Move move; // in variations also MOVE_NULL, a pass
    u8 mark;   // 0, or how the move is judged: 1 "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6 "?!" (the first
               // annotation glyphs of PGN)
    u8 glyph[RECORD_GLYPH_MAX]; // further glyphs of PGN in order (7 and above are on the position; a second
                                // one of the first six is here too); 0: no more
    i32 time_ms;                // spent on it; 0 when the file does not say
    i32 clock_ms;               // left on the mover's clock after it; 0 when the file does not say
    char *comment;              // NULL when there is none; freed with the record
    char *bookmark;             // the name that a file gives the position after it; NULL when it has none
    int line;                   // the first variation in its place: index + 1 in Record.line; 0: none
} RecordMove;
// A variation: moves that were not played in the place of those that were. All variations of a record are in
// one list, in the order in which they were added; a parent stands before its children. See record_tree.c.
typedef struct RecordLine {
    int parent;    // the line it leaves: an index in Record.line, or RECORD_MAIN
    int ply;       // the move of that line which its first move replaces; the number of its moves: it goes on
                   // where that line ends
    int next;      // the next variation in the same place: index + 1; 0: none
    int last;      // of the first in its place: the last one there, index + 1
    int tail;      // the first variation that goes on where this one ends: index + 1; 0: none
    int depth;     // 1 for a variation of the main line
    char *comment; // before its first move; NULL when there is none
    char *ending;  // the file's word behind its last move; NULL when there is none
    RecordMove *move;
    int move_nb;
} RecordLine;
enum { RECORD_MAIN = -1, RECORD_DEPTH_MAX = 100 };
typedef struct RecordTag {
    char *name, *value;
} RecordTag;
typedef struct Record {
    RecordTag *tag;
    int tag_nb;
    Position start;
    char *comment;    // before the first move; NULL when there is none
    char *bookmark;   // of the start; NULL when it has none
    RecordMove *move; // the main line
    int move_nb;
    RecordLine *line; // the variations
    int line_nb;
    int tail;             // the first variation that goes on where the main line ends: index + 1; 0: none
    GameResult result;    // as the file tells it
    Reason reason;        // REASON_NONE when it does not say
    char result_word[24]; // the file's own word
    i32 end_ms;           // that passed from the last move to it; 0: the file does not say
    const char *format;   // as record_format_at names it
    const char *encoding; // "ASCII", "UTF-8", "Latin-1", "Shift_JIS", "EUC-JP"
    Message error;   // an illegal or unreadable move: which, where; the moves before it are kept. Empty when
                     // all is well
    size_t error_at; // how far into the text that was read the error stands, in bytes
    Message note;   // what was mended, such as the start position, or is odd and was kept; empty when nothing
    size_t note_at; // how far into the text it stands, in bytes; 0: about the game as a whole
} Record;
void record_free(Record *record);
const char *record_tag(const Record *record, const char *name);
// Sets the tag, adding it where it is missing; record_add_tag adds without looking. False when there is no
// memory.
bool record_set_tag(Record *record, const char *name, const char *value);
bool record_add_tag(Record *record, const char *name, const char *value);
bool record_add_move(Record *record, Move move, const char *comment);

// ---- variations (record_tree.c) -----------------------------------------------------------------
// Adds an empty variation in the place of move `ply` of the line (RECORD_MAIN or an index), behind those that
// are there; its index, or -1 when there is no memory or it would stand deeper than RECORD_DEPTH_MAX.
int record_add_line(Record *record, int parent, int ply);
// Adds a move to a line, the main one included. False when there is no memory.
bool record_add_line_move(Record *record, int line, Move move, const char *comment);
// The moves of a line, the main one included.
static inline const RecordMove *record_line_moves(const Record *record, int line, int *move_nb)
{
    *move_nb = line == RECORD_MAIN ? record->move_nb : record->line[line].move_nb;
    return line == RECORD_MAIN ? record->move : record->line[line].move;
}
// The last move of a line, NULL when it has none; and the comment before its first move. For readers.
RecordMove *record_last_move(Record *record, int line);
char **record_line_comment(Record *record, int line);
// The first variation in the place of move `ply` of a line (the number of its moves: behind its end): its
// index, or -1. RecordLine.next leads on, as index + 1.
int record_first_line(const Record *record, int line, int ply);
// The position before move `ply` of a line.
Position record_line_position(const Record *record, int line, int ply);
// Takes the variations whose flag is set (one for each line), and all that leave them, out of the tree. The
// indices of the others change. False, with the tree as it was, when there is no memory.
bool record_remove_lines(Record *record, const bool *is_out);
// A copy of the record, variations and all; false when there is no memory. What `to` held before is freed.
bool record_copy(Record *to, const Record *from);
// Adds the glyph (1 to 255) unless the move has it; false when there is no room. And takes it away.
bool record_add_glyph(RecordMove *move, int glyph);
void record_remove_glyph(RecordMove *move, int glyph);

// Reads the next game off the front of *rest, in any format of the game; false at the end. A game with an
// error is a game. What the record held before is freed.
bool record_read(Span *rest, const Rules *rules, Record *record);
// Writes the game in the game's usual format (format NULL), or in the named one, behind the games that are in
// the text already; false if there is no such format.
bool record_write(const Record *record, const char *format, Text *out);
// The formats of the game, by index from 0, the usual one first; NULL beyond the last.
typedef struct RecordFormat {
    const char *name;   // "pgn"
    const char *ending; // of a file's name, as it is written here: then it is UTF-8
    bool is_read, is_written;
    const char *old_ending, *old_encoding; // of the files of older programs; NULL: there are none
} RecordFormat;
const RecordFormat *record_format_at(int index);
// The language in which a program's remarks stand in this game's files, whatever is spoken.
Language record_language(void);
// The format and the encoding ("UTF-8", "Shift_JIS") that a file of this name has by its ending; NULL where
// the ending leaves it open.
typedef struct RecordStyle {
    const char *format, *encoding;
} RecordStyle;
RecordStyle record_style_of(const char *path);
// The encoding of this name as it is written here ("sjis" is "Shift_JIS"); NULL when files of the game have
// no such encoding.
const char *record_encoding_named(Span name);
// Turns a text of games that record_write has made into the encoding (NULL: as it is). What the encoding has
// no sign for is written as 〓, and told in the note, which is empty when nothing was lost. False when there
// is no memory.
bool record_encode(Text *text, const char *encoding, Message *note);
// Adds what a search of the position found besides its score, as commands of a comment, where programs for
// the game read them; behind [%eval].
void record_add_search(const Position *pos, int depth, const Move *line, int nb, Text *out);
// For the writers: the position after the last move, as a line.
void record_write_position(const Record *record, Text *out);
// For the readers: the times that the move's comment has as commands ([%clk 0:05:03], [%emt 0:00:02]) become
// the move's. And for the writers: the commands for those times that the comment has not.
void record_take_clocks(RecordMove *move);
void record_add_clocks(const RecordMove *move, Text *out);
// The moves of a game as a record, without tags or a result; false when there is no memory, or the game has a
// pass. What the record held before is freed.
bool record_of_game(Record *record, const Game *game);
// Adds the comment without its commands, such as [%clk 0:05:00], which are for programs.
void record_add_plain(const char *comment, Text *out);
// The opening that the moves of the record make; see opening_name.
bool record_opening(const Record *record, Opening *opening);

// ---- texts of games (record_text.c) -------------------------------------------------------------
typedef struct RecordNote {
    int line; // from 1
    char *text;
} RecordNote;
enum { RECORD_NOTES_MAX = 1000 };
// What a text of games holds, and one of them. Zero-initialised is empty.
typedef struct RecordText {
    Record record; // the game that was asked for
    const char *format, *encoding;
    int game_nb;
    RecordNote *game;    // where each begins and what it is, in a few words: the first RECORD_NOTES_MAX
    RecordNote *warning; // what could not be read, or was mended: the first RECORD_NOTES_MAX
    int warning_nb;
} RecordText;
// Reads game `number` (from 1) of a text in any format and encoding of the game: a file, or what somebody has
// pasted. `name` is the file's, or NULL. False with a message when the text has no game to show, or not that
// many. What *out held before is freed.
bool record_open(Span text, const char *name, int number, const Rules *rules, RecordText *out,
                 Message *message);
void record_close(RecordText *text);

// Writes a book in the game's format from the moves of records: a builder fed with one game at a time.
typedef struct BookMaker BookMaker;
BookMaker *book_maker_new(void);
void book_maker_add(BookMaker *maker, const Record *record, int max_ply);
// Writes and frees it. min_games: moves played less often are left out.
bool book_maker_finish(BookMaker *maker, const char *path, int min_games, Message *message);

#endif
