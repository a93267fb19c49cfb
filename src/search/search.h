// SPDX-License-Identifier: GPL-3.0-or-later
// One alpha-beta search for every game. An Engine owns the table, the workers, the options and the network in
// use; many can live in one process. search_run blocks and reports through callbacks: nothing here prints.
// What is asked for, and stop and ponderhit, are in control.h: one SearchControl for each request. Its
// signals may come from any thread at any time; everything else is called only while no search runs on that
// engine.
#ifndef TWOFOLD_SEARCH_H
#define TWOFOLD_SEARCH_H

#include "games/game_state.h"
#include "games/knowledge.h"
#include "nnue/nnue.h"
#include "search/control.h"

// ---- scores -------------------------------------------------------------------------------------
enum {
    MAX_PLY = 246,
    SCORE_DRAW = 0,
    SCORE_MATE = 32000,                    // mated at the root
    SCORE_MATE_MIN = SCORE_MATE - MAX_PLY, // the longest mate a search can see
    SCORE_TB_WIN = SCORE_MATE_MIN - 1,     // won by an endgame table (less the ply)
    SCORE_TB_MIN = SCORE_TB_WIN - MAX_PLY,
    SCORE_EVAL_MAX = SCORE_TB_MIN - 1, // an evaluation never leaves [-this, this]
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002,
};
typedef enum Bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

// A proven mate for either side; SCORE_INFINITE and SCORE_NONE are none.
static inline bool score_is_mate(int score)
{
    int size = score < 0 ? -score : score;
    return size >= SCORE_MATE_MIN && size <= SCORE_MATE;
}
// Plies to mate: positive when the side to move mates, negative when it is mated.
static inline int score_mate_plies(int score) { return score > 0 ? SCORE_MATE - score : -SCORE_MATE - score; }

// Win, draw and loss in permille for the side to move, fitted on self-play; and the score in the centipawns
// people are shown.
typedef struct Wdl {
    int win, draw, loss;
} Wdl;
Wdl score_wdl(int score, const Position *pos);
int score_shown(int score, const Position *pos);
// What people may expect of the score, in permille of a win for the side to move: by a curve as servers use,
// fitted to games of people, who lose won games more often than programs do.
int score_people(int score, const Position *pos);
// The way back, for values that a person gives.
int score_of_shown(int centipawns, const Position *pos);

// ---- what to do ---------------------------------------------------------------------------------
// Options of the engine. Plain data: change a field of engine_options() between searches. Hash, threads and
// network have functions.
typedef struct SearchOptions {
    int multi_pv;
    int move_overhead_ms;     // taken off every clock
    int move_overhead_max_ms; // the longest delay to fear, where overstepping loses; less than the overhead
                              // counts as that
    int min_think_ms;         // at least this long on a clock
    bool round_to_second;     // used time is counted in whole seconds: use them up
    bool ponder;              // time plans count on thinking on the opponent's time
    i64 node_time;            // nodes per millisecond that stand for the clock; 0: the real clock
    i64 max_nps;              // 0: no cap
    // quiescence
    int q_max_depth;
    bool q_delta;
    int q_delta_margin;
    bool q_futility;
    int q_futility_margin;
    bool q_extensions;
    int q_max_ext;
    bool q_tt;
    int q_check_plies;
    bool q_threats;
    int q_high_value;
    int q_see;
    bool q_own_order; // checks, captures by victim and attacker, promotions; else as everywhere
    // outside knowledge
    const Tablebase *tablebase; // not owned; NULL: none
    int tb_depth;               // least depth for a probe inside the tree
    int tb_men;                 // most men for a probe
    bool tb_count_limit;        // respect the move-count rule
} SearchOptions;
SearchOptions search_options_default(void);

// ---- what comes back ----------------------------------------------------------------------------
typedef struct SearchLine {
    int depth, seldepth, multi_pv; // multi_pv counts from 1
    int score;
    Bound bound; // EXACT, or LOWER/UPPER inside an aspiration window
    u64 nodes, tb_hits;
    i64 time_ms;
    int hash_permille;
    const Move *pv; // valid during the call
    int pv_nb;
} SearchLine;

typedef struct SearchResult {
    Move best;   // MOVE_NONE when there is no legal move, MOVE_WIN for a declaration
    Move ponder; // MOVE_NONE when the PV has none
    int score, depth, seldepth;
    Bound bound; // BOUND_LOWER: a win that was proven at least, by a search that was cut short there
    u64 nodes, tb_hits;
    i64 time_ms;
    Move pv[MAX_PLY];
    int pv_nb;
    StopReason reason;
    bool waited; // it was done before it was released
} SearchResult;

// All callbacks are made from the thread that called search_run; any may be NULL.
typedef struct SearchEvents {
    void *context;
    void (*line)(void *context, const SearchLine *line);
    void (*root_move)(void *context, int depth, Move move, int number); // searched now; in long searches only
    bool (*poll)(void *context);    // asked every few hundred nodes; true ends the search as a stop would
    void (*settled)(void *context); // all is searched and the answer is due, or waits to be released
} SearchEvents;

// Counters that tell how well it prunes, summed over the workers of the last search.
// clang-format off
#define SEARCH_COUNTERS(X) \
    X(nodes) X(q_nodes) X(tt_probes) X(tt_hits) X(tt_cutoffs) X(beta_cutoffs) X(beta_cutoffs_first) \
    X(null_tries) X(null_cutoffs) X(null_verifications) X(reverse_futility) X(razoring) X(probcut_tries) \
    X(probcut_cutoffs) X(late_moves) X(futility) X(history_pruned) X(see_pruned) X(lmr) \
    X(lmr_researches) X(singular_tries) X(singular_extensions) X(multi_cuts) X(check_extensions) X(iir) \
    X(see_calls) X(see_saved) X(evaluations) X(instant_wins) X(repetitions) X(q_stand_pat) X(q_delta) X(q_futility) \
    X(q_see) X(q_checks) X(q_threats) X(q_extensions) X(q_tt_cutoffs) X(q_evasions) X(q_depth_limit) \
    X(q_late) X(solver_root) X(solver_line)
// clang-format on
typedef struct Counters {
#define COUNTER_FIELD(name) u64 name;
    SEARCH_COUNTERS(COUNTER_FIELD)
#undef COUNTER_FIELD
} Counters;

// ---- the engine ---------------------------------------------------------------------------------
typedef struct Engine Engine;
// A new engine with one thread, a table of hash_mb and the built-in network; NULL when there is no memory.
// Big memory is taken only when first needed.
Engine *engine_new(int hash_mb);
void engine_free(Engine *engine);
SearchOptions *engine_options(Engine *engine);
// Any size in MB and any number of threads; false with a message when it can't be had, the old ones staying.
bool engine_set_hash(Engine *engine, int mb, Message *message);
int engine_hash_mb(const Engine *engine);
bool engine_set_threads(Engine *engine, int nb, Message *message);
// NULL: material alone. The network must outlive the engine's use of it.
void engine_set_net(Engine *engine, const Net *net);
const Net *engine_net(const Engine *engine);
// An evaluation of the caller's own, in centipawns for the side to move; every thread of a search asks it. It
// takes the place of the network until it is NULL again, and what it says is clamped to what an evaluation
// may be. Forgets what was learned from the other one.
typedef int (*EvaluateFunction)(void *context, const Position *pos);
void engine_set_evaluate(Engine *engine, EvaluateFunction evaluate, void *context);
// The network and the evaluation of another engine.
void engine_evaluate_as(Engine *engine, const Engine *other);
// Takes what memory is still to be taken (for isready). A new game: table and histories forgotten, so that
// the same search repeats exactly.
bool engine_prepare(Engine *engine, Message *message);
void engine_new_game(Engine *engine);
// The table alone.
void engine_clear_hash(Engine *engine);
int engine_hash_permille(const Engine *engine);
// The table to a file and back, checksummed; a file that does not fit is refused with a reason.
bool engine_hash_save(const Engine *engine, const char *path, Message *message);
bool engine_hash_load(Engine *engine, const char *path, Message *message);

// Thinks about where the game stands, as the control asks, and fills *result when it is done and released.
// Returns false only when memory ran out (message set).
bool search_run(Engine *engine, const Game *game, SearchControl *control, const SearchEvents *events,
                SearchResult *result, Message *message);
// The same for a request that nobody stops or hits: it begins now and ends by its limits.
bool search_to_limits(Engine *engine, const Game *game, const Limits *limits, const SearchEvents *events,
                      SearchResult *result, Message *message);
const Counters *search_counters(const Engine *engine);
// The static evaluation of the position, side to move's view, as the search would see it (without
// corrections).
int engine_evaluate(Engine *engine, const Position *pos);

// ---- parameters (a build with TUNE: fields that can be set; else constants that can be read) ----
int param_count(void);
const char *param_name(int index);
void param_range(int index, int *def, int *min, int *max);
int param_get(const Engine *engine, int index);
bool param_set(Engine *engine, int index, int value);

// ---- levels -------------------------------------------------------------------------------------
typedef struct SkillRange {
    int min_elo, max_elo; // max_elo: full strength
} SkillRange;
SkillRange skill_range(void);

#endif
