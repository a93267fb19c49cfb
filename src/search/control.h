// SPDX-License-Identifier: GPL-3.0-or-later
// One request for a search: what it asks for (Limits), and everything that can happen to it from outside:
// stop, ponderhit, the clock. It belongs to whoever made the request and exists before the search begins and
// after it has ended, so that a stop or a ponderhit always finds it: waiting in a queue, running, or done.
// Whatever else is to be stopped (a count, a mate solver) asks the same object. Invariant: the first reason
// to stop stays; nothing is forgotten but by control_renew and control_forget.
#ifndef TWOFOLD_CONTROL_H
#define TWOFOLD_CONTROL_H

#include <stdatomic.h>

#include "game.h"

// ---- what is asked for --------------------------------------------------------------------------
typedef struct Clocks {
    i64 time_ms[SIDE_NB], inc_ms[SIDE_NB]; // negative times are as good as none
    bool has_clock[SIDE_NB];
    i64 byoyomi_ms;
    int moves_to_go; // 0: the rest of the game
} Clocks;

typedef struct Limits {
    Clocks clocks;
    i64 move_time_ms;        // 0: none
    int depth;               // 0: none
    u64 nodes;               // exact on one thread; 0: none
    u64 soft_nodes;          // stop after the iteration that passes it; 0: none
    int mate;                // stop when a mate in this many plies (for or against) is proven; 0: none
    bool infinite, ponder;   // never ends alone before stop / ponderhit
    int elo;                 // how strong it is to play; 0: full strength
    u64 game_seed;           // of such a level: its tastes, the same throughout a game
    u64 move_seed;           // and what it overlooks at this move of it
    int draw_score[SIDE_NB]; // what a draw is worth to the side that is to move at the root, by its colour
    Move only[MAX_MOVES];    // search these root moves alone; none left means all
    int only_nb;
    Move except[MAX_MOVES]; // leave these out; if nothing remains they count again
    int except_nb;
} Limits;

typedef enum StopReason {
    STOP_NONE,
    STOP_DEPTH,
    STOP_NODES,
    STOP_TIME,
    STOP_MATE,
    STOP_COMMAND,
    STOP_ONE_MOVE,
    STOP_NO_MOVE,
    STOP_DECLARED,
    STOP_TB_LOST, // an endgame table it went by is gone: it begins again
} StopReason;

// How long to think, as timeman.c has planned it from the clocks.
typedef struct TimePlan {
    bool limited; // false: no clock in the limits
    bool fixed;   // an exact time for this move: no early end
    bool use_up;  // what is not used is lost: the soft limit is not scaled
    i64 soft_ms;  // begin no new iteration after this (scaled by time_factor)
    i64 hard_ms;  // stop at once
} TimePlan;

// What the plan is made of besides the clocks: of the engine that searches, and of its root.
typedef struct TimeFrame {
    const struct SearchOptions *options; // NULL: no search is running
    const struct Params *params;
    int side, game_ply;
} TimeFrame;

// ---- the request --------------------------------------------------------------------------------
typedef struct SearchControl {
    atomic_bool stop;      // read in the tree: every level returns at once
    atomic_bool pondering; // the move it thinks about has not been played yet
    atomic_int reason;     // StopReason, the first one; STOP_NONE: nobody has asked for an end
    Limits limits;         // its owner's; not changed while the search runs
    i64 start_us;          // when the request came, as os_now_us tells it
    Mutex mutex;           // guards what follows
    Cond changed;
    bool is_released;     // a stop came: even an infinite search may answer
    bool has_looked;      // at moves: before that a stop from outside would leave the choice to chance
    StopReason satisfied; // while pondering: why a ponderhit would end it; STOP_NONE: it would not
    Clocks clocks;        // the limits', or the fresh ones of the ponderhit
    TimePlan plan;
    TimeFrame frame;
    i64 hit_ms; // when the clock began to bind, on the search's clock; HIT_NEXT_LOOK: at the next look
    void (*poll)(void *context); // set by control_set_poll
    void *poll_context;
} SearchControl;

// A request that came at arrived_us (0: now). To be freed when nobody can stop it any more.
void control_init(SearchControl *control, const Limits *limits, i64 arrived_us);
void control_free(SearchControl *control);
// The same for another search, begun now: a stop that came from outside stays in force.
void control_renew(SearchControl *control, const Limits *limits);
// Where no other thread can bring a signal: whoever looks at the request, or waits for its release, calls
// this now and then in the thread that searches, and it may call control_stop and control_ponderhit.
void control_set_poll(SearchControl *control, void (*poll)(void *context), void *context);
// Forgets a stop that came from outside.
void control_forget(SearchControl *control);

// Any thread, any time. STOP_COMMAND is the stop from outside, which also releases what waits.
void control_stop(SearchControl *control, StopReason reason);
// The move pondered on was played: the clock binds from now on. Fresh clocks replace those of the limits
// (NULL: keep). Nothing happens when it does not ponder.
void control_ponderhit(SearchControl *control, const Clocks *fresh);
// Has anyone asked for an end?
bool control_is_stopped(const SearchControl *control);
// Is there a clock, from the limits or from a ponderhit?
bool control_has_clock(SearchControl *control);
// Does it go on until a stop or a ponderhit comes, whatever its limits say?
bool control_is_endless(SearchControl *control);
// The only wait: until an infinite request was stopped, and one that ponders stopped or hit. True when it had
// to wait.
bool control_wait_release(SearchControl *control);

// ---- for the search that runs -------------------------------------------------------------------
struct TimeSigns;
// A search begins: the plan is made. Until control_end a ponderhit may make another.
void control_begin(SearchControl *control, TimeFrame frame);
void control_end(SearchControl *control);
TimePlan control_plan(SearchControl *control);
// Has this share of the hard limit passed?
bool control_is_late(SearchControl *control, i64 elapsed_ms, int percent);
// The first thread has looked at moves: from now on a stop from outside counts at once, as does the end of
// time.
void control_look(SearchControl *control, i64 elapsed_ms);
// The first iteration is finished: the same, but the clock is left alone.
void control_allow_stop(SearchControl *control);
// An iteration is finished: is it enough?
void control_iteration(SearchControl *control, const struct TimeSigns *signs, i64 elapsed_ms);
// A mate was proven before the first iteration: on a clock there is nothing more to think about.
void control_proven(SearchControl *control);
// The greatest depth is reached: a reason, if there is none yet, but no stop.
void control_exhausted(SearchControl *control);
// After STOP_TB_LOST: the same request goes on with another search. False when it stopped for another reason.
bool control_restart(SearchControl *control);
// All threads return, whatever the reason.
void control_finish(SearchControl *control);

#endif
