// SPDX-License-Identifier: GPL-3.0-or-later
// The contract, for the search and those who set it up: knowledge from outside, that is endgame tables,
// opening books and the mate solver. A game without one of them answers that there is none.
#ifndef TWOFOLD_GAMES_KNOWLEDGE_H
#define TWOFOLD_GAMES_KNOWLEDGE_H

#include "game.h"

// ---- endgame tables and books -------------------------------------------------------------------
typedef struct Tablebase Tablebase;
// Opens a folder list (":" between) of endgame tables; NULL with a message when there is none to be had.
// Damaged files are left out and named in the message.
Tablebase *tb_open(const char *path, Message *message);
void tb_close(Tablebase *tables);
// Most men of any table; 0 when tables is NULL.
int tb_men(const Tablebase *tables);
// How many tables are lost: their files have been cut short or replaced since they were opened. They are
// asked no more, and what they said last may be wrong: whoever keeps such scores drops them when this has
// grown. Thread-safe; 0 when tables is NULL.
int tb_lost(const Tablebase *tables);
// Asks the file system about the tables used since the last call. A cut within the last page of a file is
// only seen this way; any other is noticed by the lookup that meets it.
void tb_check_files(const Tablebase *tables);
// Names the tables lost since the last call; false when there is none.
bool tb_tell_lost(Tablebase *tables, Message *message);
// Thread-safe. TB_NONE when not covered (castling rights, too many men, a damaged file). Counted from a
// fresh move-count clock.
TbResult tb_probe(const Tablebase *tables, const Position *pos);
// Inside a search: is the clock as fresh as the tables assume? A win they promise may be none when it has
// been running.
bool tb_hold_here(const Position *pos);
// Ranks root moves: higher is better, equal ranks equally good; false when not covered. *result is the
// position's value. With `count_limit` the move-count rule is respected.
bool tb_rank_root(const Tablebase *tables, const Position *pos, const KeyHistory *keys, bool count_limit,
                  const Move *moves, int move_nb, int *ranks, TbResult *result);

typedef struct Book Book;
Book *book_open(const char *path, Message *message);
void book_close(Book *book);
typedef struct BookMove {
    Move move, reply; // the reply it expects, when it says so: else MOVE_NONE
    u32 weight;
    i32 score; // centipawns for the side to move, when has_score
    bool has_score;
    i32 depth;
} BookMove;
enum { BOOK_MOVES_MAX = 64 };
// All legal book moves of the position, best weight first; how many.
int book_probe(const Book *book, const Position *pos, BookMove out[BOOK_MOVES_MAX]);

// ---- mate search --------------------------------------------------------------------------------
// A solver that proves or disproves a mate by checks alone, apart from the ordinary search. A game whose
// ordinary search serves for that answers MATE_UNSUPPORTED, and nothing else of the result is filled.
typedef enum MateAnswer {
    MATE_UNKNOWN, // the limits came first
    MATE_FOUND,   // the side to move mates, whatever the defence
    MATE_NONE,    // there is no mate by checks: every try was refuted
    MATE_UNSUPPORTED,
} MateAnswer;
typedef struct MateLimits {
    u64 nodes;                   // 0: no limit
    i64 until_us;                // as os_now_us tells it; 0: no limit
    bool (*stop)(void *context); // asked now and then; NULL: never stopped
    void *context;
    int memory_mb;   // for the solver's table; 0: a modest default
    bool any_length; // the first mate found will do; else it is made as short as the limits allow
    bool strict; // the limits bind to the end; else a mate that was found gets a little more, for its line
} MateLimits;
enum { MATE_LINE_MAX = 1024 };
typedef struct MateResult {
    MateAnswer answer;
    bool is_shortest; // no shorter mate exists, every legal defence counted
    int line_nb; // MATE_FOUND: the moves to the mate, the defender holding out as long as it can; fewer when
                 // the limits came first
    Move line[MATE_LINE_MAX];
    u64 nodes;
} MateResult;
// The game before pos (key history, may be NULL) matters where a repetition would spoil the mate.
MateAnswer mate_solve(const Position *pos, const KeyHistory *keys, const MateLimits *limits,
                      MateResult *result);

#endif
