/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Twofold as a library: chess (libtwofold-chess) and shogi (libtwofold-shogi), one header, any number of
 * engines in one process.
 *
 * Every function exists twice, as twofold_chess_NAME and as twofold_shogi_NAME; below, "engine" is a
 * twofold_chess * or a twofold_shogi *. The library prints nothing, never ends the process, starts no thread
 * outside a search, and reports every failure as a return value; twofold_chess_error tells what was wrong in
 * one sentence.
 *
 * Threads: different engines may be used by different threads at the same time. One engine is used by one
 * thread at a time, but for twofold_chess_stop, which any thread may call at any time while the engine
 * exists.
 *
 * A first program:
 *
 *     twofold_chess *engine = twofold_chess_new();
 *     twofold_chess_set_position(engine, NULL, "e2e4 e7e5");
 *     twofold_limits limits = {.nodes = 100000};
 *     twofold_result result;
 *     if (twofold_chess_search(engine, &limits, NULL, NULL, &result) == TWOFOLD_OK)
 *         puts(result.best);
 *     twofold_chess_free(engine);
 *
 * Link with -ltwofold-chess -lm -pthread. examples/analyse.c is a whole program.
 */
#ifndef TWOFOLD_H
#define TWOFOLD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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
} twofold_status;

/* How the game stands, from the view of the side to move. */
typedef enum twofold_outcome {
    TWOFOLD_GOES_ON = 0,
    TWOFOLD_DRAWN = 1,
    TWOFOLD_WON = 2,
    TWOFOLD_LOST = 3,
} twofold_outcome;

enum { TWOFOLD_MOVE_MAX = 16, TWOFOLD_LINE_MAX = 2048 };

/* When a search ends: by whichever comes first. Zero means no such limit; at least one must be set. Side 0
 * moves first.
 */
typedef struct twofold_limits {
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
} twofold_limits;

/* One line of thought, while a search runs. Scores are the side to move's. */
typedef struct twofold_info {
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

typedef struct twofold_result {
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
 * outcome       how the game stands by its rules, repetitions counted.
 * evaluate      the evaluation without search, in centipawns for the side to move.
 * search        thinks, calls the callback (may be NULL) for each line, and fills the result. It uses the stack of the
 *               thread that calls it: a megabyte is enough.
 * arm           from here on a stop is meant for the next search, even when it comes before that has begun.
 * stop          ends the search that runs; nothing happens when none does and none is armed.
 */
/* clang-format on */
#define TWOFOLD_DECLARE(game)                                                                     \
    typedef struct twofold_##game twofold_##game;                                                 \
    TWOFOLD_API const char *twofold_##game##_version(void);                                       \
    TWOFOLD_API twofold_##game *twofold_##game##_new(void);                                       \
    TWOFOLD_API void twofold_##game##_free(twofold_##game *engine);                               \
    TWOFOLD_API const char *twofold_##game##_error(const twofold_##game *engine);                 \
    TWOFOLD_API int twofold_##game##_set_option(twofold_##game *engine, const char *name,         \
                                                const char *value);                               \
    TWOFOLD_API const char *twofold_##game##_option_name(int index);                              \
    TWOFOLD_API int twofold_##game##_new_game(twofold_##game *engine);                            \
    TWOFOLD_API int twofold_##game##_set_position(twofold_##game *engine, const char *position,   \
                                                  const char *moves);                             \
    TWOFOLD_API int twofold_##game##_play(twofold_##game *engine, const char *move);              \
    TWOFOLD_API int twofold_##game##_position(twofold_##game *engine, char *out, size_t size);    \
    TWOFOLD_API int twofold_##game##_legal_moves(twofold_##game *engine, char *out, size_t size); \
    TWOFOLD_API int twofold_##game##_outcome(twofold_##game *engine, twofold_outcome *outcome);   \
    TWOFOLD_API int twofold_##game##_evaluate(twofold_##game *engine, int *centipawns);           \
    TWOFOLD_API int twofold_##game##_search(twofold_##game *engine, const twofold_limits *limits, \
                                            twofold_info_callback callback, void *context,        \
                                            twofold_result *result);                              \
    TWOFOLD_API void twofold_##game##_arm(twofold_##game *engine);                                \
    TWOFOLD_API void twofold_##game##_stop(twofold_##game *engine);

TWOFOLD_DECLARE(chess)
TWOFOLD_DECLARE(shogi)

#ifdef __cplusplus
}
#endif

#endif
