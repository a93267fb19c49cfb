// SPDX-License-Identifier: GPL-3.0-or-later
// The contract, for whoever keeps games: records in the files of the game (PGN, EPD; KIF, CSA, USI), and
// books made from them.
#ifndef TWOFOLD_GAMES_RECORD_H
#define TWOFOLD_GAMES_RECORD_H

#include "game.h"

// A game as people keep it. Owned by the caller; zero-initialised is empty. games/record.c holds what all
// games share: record_free, record_tag, record_add_tag, record_set_tag and record_add_move.
typedef struct RecordMove {
    Move move;
    char *comment; // NULL when there is none; freed with the record
    u8 mark;       // 0, or how the move is judged: 1 "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6 "?!" (the first
                   // annotation glyphs of PGN)
    i32 time_ms;   // spent on it; 0 when the file does not say
} RecordMove;
typedef struct RecordTag {
    char *name, *value;
} RecordTag;
typedef struct Record {
    RecordTag *tag;
    int tag_nb;
    Position start;
    char *comment; // before the first move; NULL when there is none
    RecordMove *move;
    int move_nb;
    GameResult result;    // as the file tells it
    Reason reason;        // REASON_NONE when it does not say
    char result_word[24]; // the file's own word
    Message error; // an illegal or unreadable move: which, where; the moves before it are kept. Empty when
                   // all is well
} Record;
void record_free(Record *record);
const char *record_tag(const Record *record, const char *name);
// Sets the tag, adding it where it is missing; record_add_tag adds without looking. False when there is no
// memory.
bool record_set_tag(Record *record, const char *name, const char *value);
bool record_add_tag(Record *record, const char *name, const char *value);
bool record_add_move(Record *record, Move move, const char *comment);
// Reads the next game off the front of *rest, in any format of the game; false at the end. A game with an
// error is a game. What the record held before is freed.
bool record_read(Span *rest, const Rules *rules, Record *record);
// Writes the game in the game's usual format (format NULL), or in the named one, behind the games that are in
// the text already; false if there is no such format.
bool record_write(const Record *record, const char *format, Text *out);

// Writes a book in the game's format from the moves of records: a builder fed with one game at a time.
typedef struct BookMaker BookMaker;
BookMaker *book_maker_new(void);
void book_maker_add(BookMaker *maker, const Record *record, int max_ply);
// Writes and frees it. min_games: moves played less often are left out.
bool book_maker_finish(BookMaker *maker, const char *path, int min_games, Message *message);

#endif
