/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Twofold as a library: chess (libtwofold-chess) and shogi (libtwofold-shogi), one header, any number of
 * engines in one process.
 *
 * Every function exists twice, as twofold_chess_NAME and as twofold_shogi_NAME; below, "engine" is a
 * twofold_chess * or a twofold_shogi *. The library prints nothing, never ends the process, starts no thread
 * outside a search or an analysis, and reports every failure as a return value; twofold_chess_error tells
 * what was wrong in one sentence.
 *
 * Versions: a struct begins with its size, which the caller sets. A program that was made for an older
 * library of the same interface runs with a newer one: what its struct lacks counts as zero. One that is
 * newer than the library runs too, as long as it leaves at zero what the library does not know, and finds
 * zeros where the library has nothing to tell. The interface has the number TWOFOLD_INTERFACE, which is also
 * that of the shared library's name; a program that loads the library itself asks twofold_chess_check first.
 *
 * Threads: different engines may be used by different threads at the same time. One engine is used by one
 * thread at a time, but for twofold_chess_stop, which any thread may call at any time while the engine
 * exists.
 *
 * A first program:
 *
 *     twofold_chess *engine = twofold_chess_new();
 *     twofold_chess_set_position(engine, NULL, "e2e4 e7e5");
 *     twofold_limits limits = {.size = sizeof limits, .nodes = 100000};
 *     twofold_result result = {.size = sizeof result};
 *     if (twofold_chess_search(engine, &limits, NULL, NULL, &result) == TWOFOLD_OK)
 *         puts(result.best);
 *     twofold_chess_free(engine);
 *
 * Build it with `cc first.c $(pkg-config --cflags --libs twofold-chess)`. examples/ has whole programs, and
 * bindings/python/twofold.py is the same for Python.
 */
#ifndef TWOFOLD_H
#define TWOFOLD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TWOFOLD_INTERFACE 1

/* What a function answers. Everything but TWOFOLD_OK is negative, and leaves the engine as it was. */
typedef enum twofold_status {
    TWOFOLD_OK = 0,
    TWOFOLD_BAD_ARGUMENT =
        -1, /* a NULL where something is needed, a buffer too small, a search without a limit */
    TWOFOLD_BAD_POSITION = -2, /* the text is no position */
    TWOFOLD_BAD_MOVE = -3,     /* a move is not legal */
    TWOFOLD_BAD_OPTION = -4,   /* no such option, or no such value */
    TWOFOLD_NO_MEMORY = -5,
    TWOFOLD_BUSY =
        -6, /* a search is running on this engine; twofold_chess_error still tells of the failure before */
    TWOFOLD_BAD_RECORD = -7, /* the text has a game that can't be read to its end */
    TWOFOLD_NO_RECORD = -8,  /* the text has no game, or no further one */
    TWOFOLD_STOPPED = -9,    /* an analysis was ended by stop, or by its callback */
} twofold_status;

/* How the game stands, from the view of the side to move. */
typedef enum twofold_outcome {
    TWOFOLD_GOES_ON = 0,
    TWOFOLD_DRAWN = 1,
    TWOFOLD_WON = 2,
    TWOFOLD_LOST = 3,
} twofold_outcome;

/* How moves are written. They are read in any of these. */
typedef enum twofold_notation {
    TWOFOLD_PROTOCOL = 0, /* e2e4, 7g7f */
    TWOFOLD_HUMAN = 1,    /* SAN: Nf3; in shogi P-7f */
    TWOFOLD_JAPANESE = 2, /* as in KIF files, in UTF-8: ▲７六歩; in chess as before */
} twofold_notation;

enum { TWOFOLD_MOVE_MAX = 16, TWOFOLD_LINE_MAX = 2048 };

/* When a search ends: by whichever comes first. Zero means no such limit; at least one must be set. Side 0
 * moves first.
 */
typedef struct twofold_limits {
    size_t size;    /* sizeof(twofold_limits) */
    uint64_t nodes; /* positions looked at; exact with one thread, so that a search can be repeated */
    int depth;
    int mate; /* moves: ends when a mate in so many is proven */
    int64_t move_time_ms;
    int64_t time_ms[2]; /* clocks; the engine decides how much of its own to use */
    int64_t inc_ms[2];
    int moves_to_go;
    int infinite;             /* not 0: until twofold_chess_stop */
    const char *only_moves;   /* think about these root moves alone; NULL: all */
    const char *except_moves; /* leave these out; NULL: none */
    int64_t byoyomi_ms;       /* for each move when the clock is used up */
} twofold_limits;

/* One line of thought, while a search runs. Scores are the side to move's. */
typedef struct twofold_info {
    size_t size; /* of the library's; what lies beyond yours is new */
    int depth, selective_depth;
    int line;     /* from 1: the best line, the second best ... */
    int score_cp; /* centipawns */
    int mate; /* moves to mate: positive when the side to move mates, negative when it is mated, 0 for no mate
               */
    int bound;           /* 0: exact; 1: at least; -1: at most */
    int win, draw, loss; /* expected, in permille */
    uint64_t nodes;
    int64_t time_ms;
    const char *moves; /* the line as text, blanks between the moves; valid during the call */
} twofold_info;

/* Called from the thread that called search. Not 0 ends the search. */
typedef int (*twofold_info_callback)(void *context, const twofold_info *info);

/* Called after each position of an analysis; the total grows where a move is looked at twice. Not 0 ends it.
 */
typedef int (*twofold_progress_callback)(void *context, int done, int total);

/*
 * A position that an evaluation of your own is asked about; it is valid during the call. twofold_chess_man
 * and its like read it.
 */
typedef struct twofold_position twofold_position;

/*
 * Judges a position in centipawns for the side to move. Called from every thread of a search, often, and
 * several times at once: it must be quick, must not call the engine, and the same position must always have
 * the same score. Beyond TWOFOLD_SCORE_MAX scores mean no more than that; none of them is taken for a mate.
 */
typedef int (*twofold_evaluate)(void *context, const twofold_position *position);

enum { TWOFOLD_PROMOTED = 256, TWOFOLD_SCORE_MAX = 20000 };

typedef struct twofold_result {
    size_t size;                   /* sizeof(twofold_result) */
    char best[TWOFOLD_MOVE_MAX];   /* empty when there is no legal move; in shogi "win" for a declaration, and
                                      "resign" when the option ResignValue asks for it */
    char ponder[TWOFOLD_MOVE_MAX]; /* the answer expected; empty when unknown */
    char line[TWOFOLD_LINE_MAX];   /* the best line; cut after a whole move when it is longer */
    int score_cp, mate;
    int win, draw, loss;
    int depth;
    uint64_t nodes;
    int64_t time_ms;
} twofold_result;

#if defined(__GNUC__)
#define TWOFOLD_API __attribute__((visibility("default")))
#else
#define TWOFOLD_API
#endif

/* clang-format off */
/*
 * The functions. Texts given are read during the call only; texts returned belong to the engine until its next call.
 *
 * version       the version of the library.
 * check         NULL when this library has the interface of that number (TWOFOLD_INTERFACE); else a sentence on what to do.
 * new           an engine at the start of a game, with one thread and 16 MB for its table; NULL: no memory.
 * free          stops nothing: end the search first. NULL is allowed.
 * error         what the last failure was; "" before the first one.
 * set_option    sets an option by name (case does not matter). The options are those that the game's program lists in
 *               answer to `uci` or `usi`, under the same names and with the same limits. These are the same in both games:
 *                 Hash          1..33554432 (MB)
 *                 Threads       1..1024
 *                 MultiPV       how many lines, from 1 on
 *                 Elo           0: full strength; else how strong it plays (a search without end is always at full strength)
 *                 MoveOverhead  0..10000 (ms), taken off every clock
 *                 EvalFile      a network; "": the built-in one; "none": material alone
 *                 BookFile      an opening book; "": none
 *                 OwnBook       true or false: whether it plays from the book
 *               and in chess Tables is another name of SyzygyPath: folders of endgame tables, ":" between; "": none.
 * option_name   the names, from index 0 on; NULL at the end.
 * new_game      forgets what earlier searches learned: the same search then gives the same answer again.
 * set_position  a position (FEN or SFEN; NULL or "startpos": the start of the game) and the moves played from it
 *               (blanks between; NULL: none). Both are taken or none.
 * play          plays one more move.
 * position      the current position as text, at most size bytes with the NUL.
 * legal_moves   the legal moves with blanks between, the same way.
 * convert       moves from the current position on, in any notation, written in the one that is asked for. None is played.
 * outcome       how the game stands by its rules, repetitions counted.
 * evaluate      the evaluation without search, in centipawns for the side to move.
 * set_evaluate  searches with an evaluation of your own from now on, whatever EvalFile says; NULL: with the network again.
 *               Forgets what earlier searches learned. Scores are told in its own units then; win, draw and loss are those
 *               of a network's score of the same size.
 * man           what stands on a square: 0 for nothing, else the letter of FEN or SFEN, a capital for the side that moves
 *               first, plus TWOFOLD_PROMOTED for a promoted man of shogi. Squares of chess: a1 = 0, b1 = 1 .. h8 = 63; of
 *               shogi: 1a = 0, 1b = 1 .. 9i = 80. 0 for a square that is none.
 * hand          how many men of a letter (either case) a side has in hand; 0 in chess, for a side or letter that is none.
 * side_to_move  0 for the side that moves first, else 1.
 * search        thinks, calls the callback (may be NULL) for each line, and fills the result. It uses the stack of the
 *               thread that calls it: a megabyte is enough. The line of a mate leads to it; it is shorter only where
 *               the search was ended as it found the mate.
 * read_record   reads a game (PGN, EPD; KIF, KI2, CSA, USI; lists of moves) that begins at text[*at], plays it through, and
 *               moves *at behind it, also behind one that can't be read (at may be NULL: the first game). Tags, comments and
 *               variations are kept as long as the game only goes on by play.
 * tag, set_tag  a tag of the game, "" when it has none ("White", "Event"; in shogi "Black" is the side that moves first).
 * write_record  the game so far as a text: "pgn", "fen", "uci"; "kif", "csa", "usi", "sfen"; "json"; NULL: the usual format.
 * analyse       searches every position of the game so far and judges every move. The limits (nodes, depth or move_time_ms)
 *               are for each position; NULL: 100000 nodes. The report is "json" (the lines of `twofold-chess analyse
 *               --json`; also NULL), "html", "text" or a format of games, annotated. Threads search one position each.
 * arm           from here on a stop is meant for the next search, even when it comes before that has begun.
 * stop          ends the search that runs; nothing happens when none does and none is armed.
 */
/* clang-format on */
#define TWOFOLD_DECLARE(game)                                                                              \
    typedef struct twofold_##game twofold_##game;                                                          \
    TWOFOLD_API const char *twofold_##game##_version(void);                                                \
    TWOFOLD_API const char *twofold_##game##_check(int interface);                                         \
    TWOFOLD_API twofold_##game *twofold_##game##_new(void);                                                \
    TWOFOLD_API void twofold_##game##_free(twofold_##game *engine);                                        \
    TWOFOLD_API const char *twofold_##game##_error(const twofold_##game *engine);                          \
    TWOFOLD_API int twofold_##game##_set_option(twofold_##game *engine, const char *name,                  \
                                                const char *value);                                        \
    TWOFOLD_API const char *twofold_##game##_option_name(int index);                                       \
    TWOFOLD_API int twofold_##game##_new_game(twofold_##game *engine);                                     \
    TWOFOLD_API int twofold_##game##_set_position(twofold_##game *engine, const char *position,            \
                                                  const char *moves);                                      \
    TWOFOLD_API int twofold_##game##_play(twofold_##game *engine, const char *move);                       \
    TWOFOLD_API int twofold_##game##_position(twofold_##game *engine, char *out, size_t size);             \
    TWOFOLD_API int twofold_##game##_legal_moves(twofold_##game *engine, char *out, size_t size);          \
    TWOFOLD_API int twofold_##game##_outcome(twofold_##game *engine, twofold_outcome *outcome);            \
    TWOFOLD_API int twofold_##game##_evaluate(twofold_##game *engine, int *centipawns);                    \
    TWOFOLD_API int twofold_##game##_set_evaluate(twofold_##game *engine, twofold_evaluate ask,            \
                                                  void *context);                                          \
    TWOFOLD_API int twofold_##game##_man(const twofold_position *position, int square);                    \
    TWOFOLD_API int twofold_##game##_hand(const twofold_position *position, int side, int man);            \
    TWOFOLD_API int twofold_##game##_side_to_move(const twofold_position *position);                       \
    TWOFOLD_API int twofold_##game##_search(twofold_##game *engine, const twofold_limits *limits,          \
                                            twofold_info_callback callback, void *context,                 \
                                            twofold_result *result);                                       \
    TWOFOLD_API int twofold_##game##_convert(twofold_##game *engine, const char *moves, int notation,      \
                                             const char **text);                                           \
    TWOFOLD_API int twofold_##game##_read_record(twofold_##game *engine, const char *text, size_t size,    \
                                                 size_t *at);                                              \
    TWOFOLD_API int twofold_##game##_tag(twofold_##game *engine, const char *name, const char **value);    \
    TWOFOLD_API int twofold_##game##_set_tag(twofold_##game *engine, const char *name, const char *value); \
    TWOFOLD_API int twofold_##game##_write_record(twofold_##game *engine, const char *format,              \
                                                  const char **text);                                      \
    TWOFOLD_API int twofold_##game##_analyse(twofold_##game *engine, const twofold_limits *limits,         \
                                             twofold_progress_callback callback, void *context,            \
                                             const char *format, const char **report);                     \
    TWOFOLD_API void twofold_##game##_arm(twofold_##game *engine);                                         \
    TWOFOLD_API void twofold_##game##_stop(twofold_##game *engine);

TWOFOLD_DECLARE(chess)
TWOFOLD_DECLARE(shogi)

#ifdef __cplusplus
}
#endif

#endif
