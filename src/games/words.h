// SPDX-License-Identifier: GPL-3.0-or-later
// What a dialect is: the words, clock fields, option names and habits in which the protocols of the games
// (UCI, USI) differ. A game fills one constant table, PROTOCOL_WORDS, in its words.c; the protocol loop
// speaks from it and the match runner speaks to other programs with it. What the protocols share (go, stop,
// isready, info ... pv) is not listed.
//
// To play with a program of this dialect: send `hello`, wait for `hello_ok`; `isready` / `readyok`;
// `new_game`; then for each move `position startpos|<position> TEXT [moves M...]` and `go` with either
// <time[0]> <time[1]>
// [<inc[0]> <inc[1]>] [byoyomi MS] [movestogo N], or movetime MS, nodes N, depth N. It answers `info` lines
// with `score cp N` or `score mate N`, and one `bestmove M [ponder M2]`, where M may also be `no_move` or
// `win`.
#ifndef TWOFOLD_GAMES_WORDS_H
#define TWOFOLD_GAMES_WORDS_H

#include "game.h"

// The options whose name or default differs between protocols, or which only one of them has.
typedef enum OptionRole {
    ROLE_NONE,
    ROLE_HASH,
    ROLE_CLEAR_HASH,
    ROLE_PONDER,
    ROLE_OVERHEAD,     // taken off every clock
    ROLE_OVERHEAD_MAX, // the longest delay to be feared: taken off what must never be overstepped
    ROLE_MIN_THINK,
    ROLE_ROUND_SECOND,
    ROLE_NODE_TIME,
    ROLE_ANALYSE,
    ROLE_SHOW_WDL,
    ROLE_LIMIT_STRENGTH,
    ROLE_ELO,
    ROLE_ABOUT,
    ROLE_OWN_BOOK,
    ROLE_BOOK_FILE,
    ROLE_BOOK_DEPTH,
    ROLE_BOOK_VARIETY,
    ROLE_TB_PATH,
    ROLE_TB_DEPTH,
    ROLE_TB_MEN,
    ROLE_TB_COUNT_LIMIT,
    ROLE_RESIGN,
    ROLE_DRAW_FIRST, // what a draw is worth when side 0 is to move at the root
    ROLE_DRAW_SECOND,
    ROLE_PV_INTERVAL,
    ROLE_DEPTH_LIMIT,
    ROLE_NODES_LIMIT,
    ROLE_NB,
} OptionRole;

typedef struct OptionName {
    const char *name;  // NULL: this protocol has no such option
    const char *alias; // also understood; NULL: none
    i64 def;           // the default, where it differs between protocols
} OptionName;

typedef enum OptionType {
    OPTION_CHECK,
    OPTION_SPIN,
    OPTION_COMBO,
    OPTION_BUTTON,
    OPTION_STRING,
    OPTION_FILE
} OptionType;

// An option that changes the rules. The value is the number, the truth, or the index of the choice.
typedef struct RuleOption {
    const char *name;
    OptionType type;
    i64 def, min, max;
    const char *const *choice; // for a combo; ends with NULL
    void (*apply)(Rules *rules, i64 value);
    i64 (*read)(const Rules *rules); // the present value
} RuleOption;

typedef struct ProtocolWords {
    const char *protocol;         // "UCI"
    const char *hello, *hello_ok; // uci, uciok
    const char *new_game;
    bool ready_before_new_game; // isready comes before new_game and not again until the next game; else after
                                // it
    const char *game_over;      // tells the end of a game; NULL: no such word
    const char *position;       // stands before a position's text: fen
    const char *position_title; // the same for people
    const char *time[SIDE_NB];  // clock fields of go, by side: side 0 moves first from the start position
    const char *inc[SIDE_NB];
    const char *byoyomi;         // NULL: the protocol has none
    const char *move_time_alias; // movetime under its other name; NULL: none
    const char *pass;            // a null move in a move list
    const char *pass_alias;      // also understood; NULL: none
    const char *no_move;         // bestmove when there is none
    const char *resign;          // bestmove of one who gives up; NULL: never
    const char *win;             // bestmove of a declaration; NULL: never
    const char *mated;           // score of a root that is lost already, after the word score
    const char *file_type;       // what an option that names a file is
    const char *multi_pv_alias;  // MultiPV under its other name; NULL: none
    bool mate_in_plies;          // score mate N counts plies, not moves
    bool mate_is_solver; // go mate MS asks the mate solver and is answered by checkmate; else it means moves
    OptionName option[ROLE_NB];
    const RuleOption *rule_option;
    int rule_option_nb;
    int (*square_at)(int row, int column); // the board as it is drawn: row 0 on top, column 0 on the left
    void (*square_print)(int sq, char out[4]);
    bool (*is_checker)(const Position *pos, int sq); // does the piece there give check?
    void (*piece_print)(const Position *pos, int sq,
                        char out[4]); // as the position's text writes it; empty for none
    // How many pieces of the kind `index` the side has in hand, and the kind's letter; -1 behind the last
    // kind. NULL: the game has no pieces in hand.
    int (*hand_count)(const Position *pos, int side, int index, char out[4]);
    const char *const *bench; // positions for bench; ends with NULL
    int bench_depth;          // a few seconds' worth
    const char *demo;         // a position worth watching, and what it is
    const char *demo_about;
    const char *guis; // programs that can use this engine, for people
} ProtocolWords;

// Defined by each game in its words.c.
extern const ProtocolWords PROTOCOL_WORDS;

// Does the word stand for a pass?
static inline bool words_is_pass(Span word)
{
    return span_is(word, PROTOCOL_WORDS.pass) ||
           (PROTOCOL_WORDS.pass_alias && span_is(word, PROTOCOL_WORDS.pass_alias));
}

// A mate score as the dialect counts it, from plies (positive: the side to move mates), and back.
static inline int words_mate_shown(int plies)
{
    if (PROTOCOL_WORDS.mate_in_plies)
        return plies;
    return plies > 0 ? (plies + 1) / 2 : plies / 2;
}
static inline int words_mate_plies(int shown)
{
    if (PROTOCOL_WORDS.mate_in_plies)
        return shown;
    return shown > 0 ? 2 * shown - 1 : 2 * shown;
}

#endif
