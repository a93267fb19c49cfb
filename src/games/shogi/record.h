// SPDX-License-Identifier: GPL-3.0-or-later
// What the readers and writers of shogi's game files share: lines in one encoding, the names of pieces in
// each format, a position taken down piece by piece, a record under construction, and the ways a game can
// end. Private to games/shogi.
#ifndef TWOFOLD_SHOGI_RECORD_H
#define TWOFOLD_SHOGI_RECORD_H

#include "games/record.h"
#include "japanese.h"
#include "notation.h"

// ---- text ---------------------------------------------------------------------------------------
// Adds the text, read as Shift_JIS, to `out` as UTF-8; what is no character becomes U+FFFD.
void shift_jis_decode(Span in, Text *out);
// The same for text in EUC-JP, the encoding of old Unix programs. is_euc_jp: can the line be nothing else?
void euc_jp_decode(Span in, Text *out);
bool is_euc_jp(Span line);
// The way back: what Shift_JIS has no sign for becomes 〓 and is counted. False when there is no memory.
typedef struct ShiftJisLoss {
    int nb;
    int line;      // of the first, from 1
    char first[8]; // UTF-8
} ShiftJisLoss;
bool shift_jis_encode(Span in, Text *out, ShiftJisLoss *loss);

// Lines of a file, always UTF-8 whatever the file is. Which it is shows in the first line of a game that is
// not ASCII.
typedef enum Encoding { ENCODING_ASCII, ENCODING_UTF8, ENCODING_SHIFT_JIS, ENCODING_EUC_JP } Encoding;
typedef struct Lines {
    Span rest; // after the current line
    Span line; // the current line
    Span raw;  // the file from the current line on
    bool has_line;
    Encoding encoding;
    Text decoded; // holds the current line when it had to be converted
    // The first line that is not wholly in the encoding of the file: what is wrong (NULL: nothing), and
    // where.
    const char *damage, *damage_at;
} Lines;
void lines_start(Lines *lines, Span text);
void lines_next(Lines *lines);
void lines_end(Lines *lines);

// ---- names --------------------------------------------------------------------------------------
typedef struct PieceName {
    const char *csa;     // FU
    const char *kanji;   // the one sign of diagrams
    const char *written; // as moves are written: two signs for promoted lance, knight and silver
} PieceName;
extern const PieceName PIECE_NAMES[KIND_NB];

// Tags, named as in every other game file here, and the words for them in CSA and KIF.
typedef struct TagName {
    const char *tag, *csa, *kif, *kif_other;
} TagName;
enum { TAG_NAME_NB = 13 };
extern const TagName TAG_NAMES[TAG_NAME_NB];

// How a game ends, seen by the side to move.
typedef struct Ending {
    const char *csa, *kif, *usi;
    Outcome outcome;
    Reason reason;
} Ending;
// The ending with this word in any of the three formats; NULL when there is none.
const Ending *ending_named(Span word);
// The ending of a record, from its own word or else from its result; NULL when it just stops.
const Ending *ending_of(const Record *record, int side);

// ---- positions ----------------------------------------------------------------------------------
// A position being taken down: nothing about it need be possible until setup_finish.
typedef struct Setup {
    u8 board[SQUARE_NB];
    int hand[SIDE_NB][HAND_KIND_NB];
    int side;
    int number; // of the next move
} Setup;
static inline int square_make(int file, int rank) { return (file - 1) * 9 + rank - 1; }
static inline int square_file(int sq) { return sq / 9 + 1; }
static inline int square_rank(int sq) { return sq % 9 + 1; }
// All forty pieces where they start; false leaves the setup of a text that is no position untouched.
bool setup_from(Setup *setup, const char *sfen);
bool setup_finish(const Setup *setup, const Rules *rules, Position *pos, Message *message);

// ---- records ------------------------------------------------------------------------------------
typedef struct Builder {
    Record *record;
    const Rules *rules;
    const Lines *lines; // that are read
    const char *begin;  // of the text they are from
    int line;           // that is read: RECORD_MAIN, or a variation
    Position pos;       // after the moves of it so far
    bool is_over;       // an ending or an error: later moves are not of this game, or not of the variation
    i64 first_number;   // that the file gives the first move of the record
    bool is_refused;    // a variation, of which a move could not be read, or which has no place in the game
} Builder;
void builder_start(Builder *builder, Record *record, const Rules *rules, const Lines *lines,
                   const char *begin);
void builder_set_position(Builder *builder, const Position *pos);
// The first error of the record, in the current line; no more moves are taken.
void builder_note(Builder *builder, const Message *error);
// Adds the move when it is legal; else notes `text` as the error of the record.
bool builder_add(Builder *builder, Move move, Span text);
void builder_fail(Builder *builder, Span text, const char *what);
// The same for what stands before the first move.
void builder_refuse(Builder *builder, Span text, const char *what);
// What is odd but costs no move: told once for the record, the first of it.
void builder_warn(Builder *builder, Span text, const char *what);
// The name of the position reached so far.
void builder_bookmark(Builder *builder, Span name);
// The game begins from this position; one that cannot be is noted as the error of the record.
void builder_settle(Builder *builder, const Setup *setup);
// A variation begins with the move of this number, as KIF and KI2 count them ("変化：12手"): it leaves the
// line read last, or the nearest one before it, that has such a move. Moves, comments and an ending that
// follow are the variation's. One that leaves no line, and what cannot be read of one, becomes a comment, and
// is noted.
void builder_variation(Builder *builder, i64 number, Span text);
// The square that the last move went to, or -1: what "same" means.
int builder_last_to(const Builder *builder);
// Adds a line to the comment of the last move, or to that of the line when there is none yet.
void builder_comment(Builder *builder, Span line);
// "!", "?!": how a mark is written, in a comment line of its own and in brackets.
const char *record_mark_text(int mark);
// The time of the last move, or of the ending once there is one.
void builder_time(Builder *builder, i64 time_ms);
void builder_end(Builder *builder, const Ending *ending, Span word);
void builder_tag(Builder *builder, Span name, Span value);
bool move_is_possible(const Position *pos, Move move);

// Adds the text with blanks for line ends, so that it stays one line.
void write_in_line(const char *text, Text *out);
// The value of a tag, in a line, as the formats of shogi have it.
void write_tag_value(const RecordTag *tag, Text *out);
// Each line of the comment with the format's sign before it.
void write_comment(const char *sign, const char *comment, Text *out);

// ---- findings of programs (analysis_comment.c) --------------------------------------------------
// A comment on the position, its commands as lines that other programs read; last_to as for japanese_take.
void write_analysed(const char *sign, const char *comment, const Position *pos, int last_to, Text *out);
// Turns such lines of our own into commands again, in all comments of the record.
void read_analysed(Record *record);

// ---- formats ------------------------------------------------------------------------------------
// Does a game of this format begin with such a line? Each reader takes one game off the lines.
bool csa_begins(Span line);
void csa_read(Lines *lines, Builder *builder);
void csa_write(const Record *record, Text *out);
enum { KIF_HEADER_MAX = 48 }; // bytes of the name of a header
bool starts_with_any(Span line, const char *const *words);
bool kif_begins(Span line);
void kif_read(Lines *lines, Builder *builder);
void kif_write(const Record *record, Text *out);
void ki2_write(const Record *record, Text *out);
bool jkf_begins(Span line);
void jkf_read(Lines *lines, Builder *builder);
bool usi_begins(Span line);
void usi_read(Lines *lines, Builder *builder);
void usi_write(const Record *record, Text *out);
bool list_begins(Span line);
void list_read(Lines *lines, Builder *builder);

#endif
