// SPDX-License-Identifier: GPL-3.0-or-later
// The search's private structures: Engine (all of it), Worker (one thread's state), Stack (one ply's),
// RootMove. Invariant: a worker's position, key history and accumulators change only in make_move/make_null
// and their undoing, always together.
#ifndef TWOFOLD_WORKER_H
#define TWOFOLD_WORKER_H

#include <stdatomic.h>

#include "search/history.h"
#include "search/params.h"
#include "search/peers.h"
#include "search/search.h"
#include "search/skill.h"
#include "search/timeman.h"
#include "search/tt.h"

enum { STACK_BEFORE = 7, PEER_DEPTH_NONE = MAX_PLY + 1 };

typedef struct Stack {
    Move move;     // being searched from here
    Move excluded; // singular search: not this one
    Move killer[2];
    PieceTo *continuation; // where the history of answers to `move` is
    u16 piece_to;          // piece and target of `move` as one number, for the continuation correction
    int ply;
    int eval; // static, corrected; SCORE_NONE in check
    int stat_score;
    int reduction;    // in plies, of the search below, while it runs
    int cutoff_nb;    // beta cutoffs at this ply since the node two plies up was entered
    int extension_nb; // plies added along the line
    bool in_check;
    int raw_eval;       // static, as the network gave it
    u8 danger;          // of `move`, for the histories
    bool arrived_noisy; // the move that led here was noisy
    bool was_pv;        // table says so, or is
    int move_nb;
    Undo undo;
    Delta delta;
} Stack;

typedef struct RootMove {
    Move move;
    int score, previous_score, average_score;
    Bound bound;
    bool is_of_last; // the score is the last iteration's, this one having been cut short
    int seldepth;
    u64 nodes; // of the last iteration
    int tb_rank;
    TbResult tb_result; // TB_NONE: the tables know nothing of it
    Move pv[MAX_PLY];
    int pv_nb;
} RootMove;

typedef struct Worker {
    Engine *engine;
    SearchControl *control; // of the running search
    const Params *params;
    int id;
    Position pos;
    KeyHistory keys;
    Accumulators *acc;
    const Net *cached_net; // whose sums the refresh cache of acc has; NULL: none's
    _Atomic u64 nodes, tb_hits;
    _Atomic u64 peer_used; // nodes that an entry of another rank has answered
    int clock_countdown;
    int root_depth, completed_depth, seldepth;
    int root_side, draw_score; // what a draw is worth to root_side
    int null_min_ply;          // no null move before this ply: verification runs
    int blind_plies;           // so near the root a level overlooks moves; 0 at full strength
    RootMove *root;
    bool root_is_partial;           // moves were left out by request: the score is not the position's
    int root_nb, pv_index, pv_last; // pv_last: end of the moves of the same table rank
    int score_spread;               // how much the score has been moving, in centipawns
    u64 root_best_nodes;
    RootMove proven_mate,
        last_complete; // the shortest mate proven so far; the best of the last finished iteration
    bool has_proven_mate;
    bool cut_short; // the last iteration was not finished: what it did not reach has its score in
                    // previous_score
    Histories *history;
    bool has_learned; // since the histories were last empty
    Counters counters;
    int deepest; // the highest ply whose node was used since the stack was last clean
    Stack stack[MAX_PLY + STACK_BEFORE + 4];
    Move pv[MAX_PLY + 2][MAX_PLY + 2];
    int pv_nb[MAX_PLY + 2];
    Thread thread;
} Worker;

struct Engine {
    SearchOptions options;
    Params param_values;
    const Params *params;
    const Net *net;            // in use; NULL: none, and `evaluate` says what stands in for it
    const Net *chosen_net;     // the one that is in use unless the caller evaluates
    EvaluateFunction evaluate; // the caller's; NULL: the network, or material without one
    void *evaluate_context;
    u64 network;        // engine_network's; 0: not known yet
    const Peers *peers; // NULL: none
    Tt *tt;
    int hash_mb;
    Worker **worker;
    int worker_nb;
    Tt *level_tt;    // in the table's place while a level thinks: it remembers for one move only
    int learned_elo; // of the level that the histories come from
    int tb_lost;     // how many endgame tables were lost when it was emptied last
    // of the running search
    SearchControl *control;
    const SearchEvents *events;
    int depth_limit; // 0: none
    u64 node_limit;  // 0: none
    SkillPlan skill;
    int peer_depth; // entries this deep are exchanged (ranks.h); beyond every depth without peers
    u64 peer_taken; // entries of other ranks that were stored
    bool reported;  // a line was sent, the last of them for last_best
    Move last_best;
    Counters counters;
};

#endif
