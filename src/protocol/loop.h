// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of the protocol folder. Two threads share a Protocol: the reader takes lines, answers what must
// be answered at once and queues the rest as jobs; the player takes the jobs in order and is the only one to
// touch the game, the options and the engine. What ends a job from outside is the job's own SearchControl.
// Invariant: every job that is a `go` prints exactly one bestmove (or checkmate answer) before the next job
// begins.
#ifndef TWOFOLD_LOOP_H
#define TWOFOLD_LOOP_H

#include <stdatomic.h>

#include "games/game_state.h"
#include "games/words.h"
#include "search/search.h"

typedef struct Protocol Protocol;
typedef struct Job Job;

// ---- output: the one place that prints (output.c) -----------------------------------------------
typedef struct Output {
    Mutex mutex;
    // Gets whole lines, ends of line included; false when nobody listens any more. NULL: standard output.
    bool (*write)(void *context, const char *bytes, size_t size);
    void *context;
    atomic_bool broken;
    atomic_bool json;
    bool is_command_line; // one command, given as arguments: refusals are for the person who typed it
    bool has_refused;     // then: one was said
} Output;

// Prints one line, or several that end in \n; whole, at once.
void say(Output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say_text(Output *out, const Text *text);
// One `info string`, on one line whatever is in it.
void say_info(Output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same for what can't be done as asked; on a command line it goes to standard error and decides the exit
// code.
void refuse(Output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// What one search shows: lines as they come, throttled, and what is needed to close it properly.
typedef struct Report {
    Protocol *protocol;
    const Game *game;                   // that is searched
    i64 start_us, group_us, current_us; // of the search, the last group of lines, the last current move shown
    int interval_ms;                    // least time between groups of lines; 0: show all
    bool is_held;                       // the current group is kept back
    int shown_nb;                       // lines with a score so far
    Move last_first;                    // the first move of the last main line shown
    Text held;                          // the latest group, kept back by the interval
    Move held_first;
} Report;
void report_init(Report *report, Protocol *protocol, const Game *game, i64 start_us, bool is_infinite);
void report_free(Report *report);
SearchEvents report_events(Report *report);
// Shows what is still owed before a bestmove: a group kept back, or a first or changed main line.
void report_close(Report *report, const SearchResult *result);
// A line of the protocol that is no search's: a root without moves, a book move.
void report_simple(Protocol *protocol, int depth, const char *score, const char *move);
// bestmove, or what stands for it; ponder may be NULL.
void say_bestmove(Protocol *protocol, const char *move, const char *ponder);
// What threat found: a move of the side that is to move in pos, or MOVE_NONE.
void say_threat(Protocol *protocol, const Position *pos, Move move, int score);
// The mate solver's answer: the moves, or the word that stands for none.
void say_checkmate(Protocol *protocol, const Position *pos, const Move *moves, int move_nb, const char *word);
void counters_add(Counters *sum, const Counters *more);
void counters_print(const Counters *counters, Text *out);
void counters_print_quiescence(const Counters *counters, Text *out);

// ---- settings that are not the engine's ---------------------------------------------------------
typedef struct Settings {
    bool show_wdl, analyse, limit_strength, own_book;
    int elo;
    int book_depth, book_variety;
    int draw_value[SIDE_NB]; // centipawns as shown, for the side that is to move at the root
    int resign_score;        // centipawns below zero at which it gives up
    int pv_interval_ms;
    int depth_limit; // 0: none
    i64 nodes_limit;
    atomic_bool debug;
} Settings;

struct Protocol {
    Engine *engine;
    Game game;
    Rules rules;
    Settings settings;
    Output out;
    Book *book;
    Tablebase *tables;
    Net *net;          // loaded from a file; NULL: the built-in one is in use
    Rng rng;           // chooses among book moves
    Text excluded;     // words of moves to leave out, until cleared
    Counters counters; // of the last search
    u64 node_cap;      // for tests that feed random commands: no search goes further; 0: none

    // The seam between the two threads: everything below is guarded by the mutex.
    Mutex mutex;
    Cond changed;
    Job *first, *last; // waiting, oldest first
    Job *running;
    bool is_ending; // no more jobs will come
};

bool protocol_init(Protocol *protocol);
void protocol_free(Protocol *protocol);

// ---- the words of go (go.c) ---------------------------------------------------------------------
typedef struct GoRequest {
    Limits limits;   // all but the moves, which are text until the position is known
    Text move_words; // behind searchmoves; freed by go_free
    bool is_perft;   // count instead of searching
    int perft_depth;
    bool solve_mate; // the dialect's mate solver, for at most mate_ms (0: until stopped)
    i64 mate_ms;
    bool has_clock; // a clock or byoyomi was given
    bool has_limit; // something that ends the search was given
} GoRequest;
// Never fails: what can't be understood is left out, and *complaint (empty when all is well) says so.
void go_parse(Span arguments, GoRequest *request, Message *complaint);
// The moves behind searchmoves become moves of the position; *complaint names the last one that is none.
void go_take_moves(const GoRequest *request, const Position *pos, Limits *limits, Message *complaint);
void go_free(GoRequest *request);

// ---- jobs and commands (protocol.c) -------------------------------------------------------------
enum {
    COMMAND_STANDARD = 1, // of the protocol: looked for behind unknown words
    COMMAND_NOW = 2,      // run by the reader as soon as it arrives
    COMMAND_ANSWERED = 4, // run by the reader while something long runs or waits to run; else in its turn
    COMMAND_LONG = 8,     // may take long; ended by stop
    COMMAND_SEARCH = 16,  // is a search of the protocol: ended by quit, end of input and another search too
};

typedef struct Command {
    const char *name;
    void (*run)(Protocol *protocol, Job *job, Span arguments);
    int flags;
    const char *usage, *help; // usage NULL: not listed
} Command;

struct Job {
    Job *next;
    const Command *command;
    int flags; // the command's, as far as they hold for this line; guarded by the protocol's mutex
    Text line;
    Span arguments; // within the line
    SearchControl control;
    GoRequest request; // of go and threat
    Message complaint; // about their words
};

// Takes one line as it came from outside. False after quit.
bool protocol_take(Protocol *protocol, Span line);
// Runs one line to its end on this thread, without the queue.
void protocol_run_line(Protocol *protocol, Span line);
const Command *command_table(int *count);
const char *command_name(int row);
// To be called before the answer is printed: from then on nothing is under way, and what comes next waits its
// turn.
void job_answers(Protocol *protocol);
// Applies to the running or the last waiting search.
void protocol_ponder_hit(Protocol *protocol, Span clocks);

// ---- go (go.c) ----------------------------------------------------------------------------------
void command_go(Protocol *protocol, Job *job, Span arguments);
void command_threat(Protocol *protocol, Job *job, Span arguments);

// ---- options (options.c) ------------------------------------------------------------------------
void options_print(const Protocol *protocol, Text *out);
// Brings the protocol's settings to the defaults of the dialect.
void options_init(Protocol *protocol);
bool options_set(Protocol *protocol, Span name, Span text, Message *message);
void command_setoption(Protocol *protocol, Job *job, Span arguments);

// ---- the rest -----------------------------------------------------------------------------------
void command_bench(Protocol *protocol, Job *job, Span arguments);
void command_perft(Protocol *protocol, Job *job, Span arguments);
// `MOVE: COUNT` for each root move, then the total.
void perft_print(Protocol *protocol, Job *job, const Position *pos, int depth);
u64 perft_count(Position *pos, int depth, const SearchControl *control);
void command_show(Protocol *protocol, Job *job, Span arguments);
void command_eval(Protocol *protocol, Job *job, Span arguments);
void command_moves(Protocol *protocol, Job *job, Span arguments);
void command_flip(Protocol *protocol, Job *job, Span arguments);
void command_version(Protocol *protocol, Job *job, Span arguments);
void command_help(Protocol *protocol, Job *job, Span arguments);

#endif
