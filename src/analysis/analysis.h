// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis of a file of games or positions, in steps: load.c reads it, evaluate.c searches every
// position, judge.c judges every move, and the report_*.c write what was found. analyse.c is the command that
// does all of it. Invariant: a game that is not skipped has a result for each of its positions once
// evaluate_run is done, and a verdict for each of its moves once analysis_judge is done.
#ifndef TWOFOLD_ANALYSIS_H
#define TWOFOLD_ANALYSIS_H

#include "base/jobs.h"
#include "base/progress.h"
#include "games/record.h"
#include "session/options.h"

// ---- the command --------------------------------------------------------------------------------
// `analyse`: argv[0] is its name; returns the exit code: 0, 1 for a failure, 2 for a command line that can't
// be read.
int analysis_main(int argc, char **argv);

typedef struct AnalyseOptions {
    u64 nodes; // for each position; 0 here, in time and in depth: a default number of nodes
    i64 time_ms;
    int depth;
    int hash_mb;                // for each position searched at a time
    int threads;                // how many at a time; 0: as many as there are cores for
    OptionList engine;          // further options of the engine
    const char *annotated_path; // the outputs; NULL: not wanted, "-": standard output
    const char *json_path, *html_path;
    const char *format, *title;
    const char *state_path; // the progress file; NULL: beside the input
    bool quiet, progress_bar;
    int stop_after; // for tests: as if interrupted after so many positions; 0: never
} AnalyseOptions;
AnalyseOptions analyse_options_default(void);
// Reads, searches and writes; the exit code. `out` is what "-" stands for.
int analyse_run(const char *path, const AnalyseOptions *options, FILE *out, FILE *err);

// ---- the data -----------------------------------------------------------------------------------

// What the search found in one position. Plain data, kept in the progress file.
enum { RESULT_LINE_MAX = 12, TURNING_MAX = 6 };
typedef struct PositionResult {
    int score;  // the side to move's
    int second; // of the best move but the one played; SCORE_NONE when not searched
    int depth;
    u64 nodes;
    int line_nb;                // 0 when the game is over
    Move line[RESULT_LINE_MAX]; // the best move first
} PositionResult;

// How a move is judged. The numbers are those of PGN ($1, $2 ...), as in RecordMove.mark.
typedef enum Mark {
    MARK_NONE = 0,
    MARK_GOOD = 1,
    MARK_MISTAKE = 2,
    MARK_BLUNDER = 4,
    MARK_DUBIOUS = 6,
    MARK_NB = 7
} Mark;

typedef struct MoveVerdict {
    int before, after; // side 0's expected score before and after the move, in permille of a win
    int loss;          // how much of it the mover gave away
    Mark mark;
    bool is_best;
} MoveVerdict;

typedef struct PlayerSummary {
    int move_nb;
    double accuracy; // percent
    int mark_nb[MARK_NB];
} PlayerSummary;

// A game, or a position of a list (a game without moves).
typedef struct AnalysedGame {
    Record record;
    int number; // in the file, from 1
    int line;   // of the file, from 1
    bool is_position;
    bool has_old_remarks; // it may have remarks of ours by an earlier version, without a mark
    bool is_skipped;      // nothing in it can be analysed: record.error says why
    int *result_index;    // move_nb + 1 indices into Analysis.result
    MoveVerdict *verdict; // move_nb of them
    PlayerSummary player[SIDE_NB];
    int turning[TURNING_MAX]; // plies where the game turned, in order
    int turning_nb;
    bool has_task, is_solved; // positions: best moves or moves to avoid are given
    Message task_error;       // what is wrong with a task that is not counted
} AnalysedGame;

typedef struct Analysis {
    AnalysedGame *game;
    int game_nb;
    PositionResult *result;
    int result_nb;
    Progress *progress; // while the reports are written; NULL: nobody watches
    const char *output; // the one that is being written
} Analysis;

// Reads all games and positions. False with a message when there is nothing to read; games with errors are
// kept.
bool analysis_load(Analysis *analysis, Span text, const Rules *rules, Message *message);
void analysis_free(Analysis *analysis);
// The verdict on one move, once the positions before and after it have their results; `pos` is the one
// before.
MoveVerdict analysis_judge_move(const Analysis *analysis, const AnalysedGame *game, const Position *pos,
                                int ply);
// Fills in the verdicts on the moves and what follows from them, from the results of the search.
void analysis_judge(Analysis *analysis);

typedef struct AnalysisTotals {
    int game_nb, position_nb, left_out_nb; // what was analysed, and what could not be read
    int task_nb, solved_nb;
} AnalysisTotals;
AnalysisTotals analysis_totals(const Analysis *analysis);

static inline const PositionResult *analysis_result(const Analysis *analysis, const AnalysedGame *game,
                                                    int ply)
{
    return &analysis->result[game->result_index[ply]];
}

// ---- searching ----------------------------------------------------------------------------------
typedef struct EvaluateOptions {
    u64 nodes;
    i64 time_ms;
    int depth;
    int threads;            // how many positions at a time; 0: one, in the calling thread
    const char *state_path; // the progress file; NULL: none
    FILE *progress;         // NULL: quiet
    bool progress_bar;      // a bar that is redrawn, or plain lines
    int stop_after;         // for tests: behave as if interrupted after this many positions; 0: never
    // For whoever watches from within the program; each may be NULL. Called in the calling thread.
    void *watcher;
    void (*found)(void *watcher, int result); // there is a result more
    bool (*is_stopped)(void *watcher);        // asked many times a second: is it to be given up?
} EvaluateOptions;
// Searches every position of the analysis with the session's options, over the cores, going on from the
// progress file if there is one.
// JOBS_DONE, JOBS_INTERRUPTED or JOBS_FAILED, the last two with a message.
JobsEnd evaluate_run(Analysis *analysis, const Session *session, const EvaluateOptions *options,
                     Message *message);
// Deletes the progress file: the reports are written.
void evaluate_forget(const EvaluateOptions *options);

// ---- reports ------------------------------------------------------------------------------------
// The writers call this before each game: it shows their progress when they take long. False when the run was
// interrupted: the rest need not be written.
bool analysis_goes_on(const Analysis *analysis, int game);
void report_text(const Analysis *analysis, Text *out);
void report_json(const Analysis *analysis, Text *out);
// The games with marks and comments, in the game's usual format (NULL) or a named one; false if there is no
// such format.
bool report_annotated(const Analysis *analysis, const char *format, Text *out);
void report_html(const Analysis *analysis, const char *title, Text *out);

#endif
