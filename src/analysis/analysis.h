// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis of games and positions, in steps: source.c finds them in files, load.c reads one, evaluate.c
// searches every position and looks again at what would get a mark, judge.c judges every move, and the
// report_*.c write what was found. analyse.c is the command that does all of it, a batch of games at a time:
// what it needs of memory and time for a game does not depend on how many there are. Invariant: a game that
// is not skipped has a result for each of its positions from first_ply on once evaluate_run is done, and a
// verdict for each of its moves once analysis_judge is done.
#ifndef TWOFOLD_ANALYSIS_H
#define TWOFOLD_ANALYSIS_H

#include "base/jobs.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/shard.h"
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
    int multi_pv;               // lines for each position; 0: one
    int from_move;              // moves of a smaller number are not looked at; 0: all are
    const char *player;         // only games of those whose name has this in it; NULL: all
    int hash_mb;                // for each position searched at a time
    int threads;                // how many at a time; 0: as many as there are cores for
    OptionList engine;          // further options of the engine
    const char *annotated_path; // the outputs; NULL: not wanted, "-": standard output
    const char *json_path, *html_path, *puzzles_path;
    const char *format, *title; // of the annotated games: NULL: as the ending of the path has it
    const char *encoding;       // of the annotated games; NULL: by the ending, else as the file that is read
    const char *state_path;     // the progress file; NULL: beside the input
    Shard shard;                // only this share of the games, which stand one after the other
    bool quiet, progress_bar;
    int stop_after; // for tests: as if interrupted after so many positions; 0: never
    int batch;      // for tests: games that are in memory at a time; 0: a good number
} AnalyseOptions;
AnalyseOptions analyse_options_default(void);
// Reads the files (or positions given as text), searches and writes; the exit code. `out` is what "-" stands
// for.
int analyse_run(const char *const *inputs, int input_nb, const AnalyseOptions *options, FILE *out, FILE *err);

// ---- the data -----------------------------------------------------------------------------------
enum { RESULT_LINE_MAX = 12, RESULT_OTHERS_MAX = 7, TURNING_MAX = 6 };

// A line that is not the best.
typedef struct OtherLine {
    int score, move_nb;
    Move move[RESULT_LINE_MAX];
} OtherLine;

// What the search found in one position. Plain data, kept in the progress file.
typedef struct PositionResult {
    int score;   // the side to move's
    int second;  // of the best move but the one played; SCORE_NONE when not searched
    int earlier; // the score at the look before this one; SCORE_NONE: there was one alone
    int depth;
    u64 nodes;
    int line_nb;                // 0 when the game is over
    Move line[RESULT_LINE_MAX]; // the best move first
    int other_nb;
    OtherLine other[RESULT_OTHERS_MAX]; // the next best moves, where several lines were searched
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

typedef enum GamePhase { PHASE_OPENING, PHASE_MIDDLE, PHASE_END, PHASE_NB } GamePhase;

typedef struct MoveVerdict {
    int before, after; // side 0's expected score before and after the move, in permille of a win
    int loss;          // how much of it the mover gave away
    int people_loss;   // the same by the curve for people (score_people)
    int clear_loss[2]; // the same by the judge's own curve, after the last look and after the one before
    int cp_loss;       // in centipawns as shown, scores being cut at ten pawns
    double accuracy;   // percent
    GamePhase phase;
    Mark mark;
    bool is_best;
    bool is_book;   // the move leads to a position that has a name
    bool is_judged; // else all of the above but the phase is nothing: the move was not to be looked at
} MoveVerdict;

typedef struct PhaseSummary {
    int move_nb;
    double accuracy; // percent; of no moves: 0
    double cp_loss;  // on average
    double loss;     // of a win, all moves together
} PhaseSummary;

typedef struct PlayerSummary {
    int move_nb;     // that were judged
    double accuracy; // percent
    double cp_loss;  // on average
    int mark_nb[MARK_NB];
    PhaseSummary phase[PHASE_NB];
} PlayerSummary;

// A game, or a position of a list (a game without moves).
typedef struct AnalysedGame {
    Record record;
    int number;                // in the input, from 1
    int line;                  // of the file, from 1
    int error_line, note_line; // where record.error and record.note have their causes
    const char *file;          // its name, the source's; NULL: there is none
    Text raw;                  // what stands in the file, of what cannot be read
    bool is_position;
    bool has_old_remarks;    // it may have remarks of ours by an earlier version, without a mark
    bool is_skipped;         // nothing in it can be analysed: record.error says why
    int first_ply;           // moves before it are not looked at
    bool is_of[SIDE_NB];     // of the player that was asked for; all when none was
    Opening opening;         // ply 0: it has no name
    Opening castle[SIDE_NB]; // the last one that each king had, with its ply; ply 0: none
    int *result_index;       // move_nb + 1 indices into Analysis.result; -1 before first_ply
    MoveVerdict *verdict;    // move_nb of them
    PlayerSummary player[SIDE_NB];
    int turning[TURNING_MAX]; // plies where the game turned, in order
    int turning_nb;
    bool has_task, is_solved; // positions: best moves or moves to avoid are given
    Message task_error;       // what is wrong with a task that is not counted
} AnalysedGame;

// Games that are in memory together.
typedef struct Analysis {
    AnalysedGame *game;
    int game_nb;
    PositionResult *result;
    int result_nb;
    int line_nb;             // lines that were asked for; 0: one
    int search_nb;           // searches that are known to be needed: grows when another look is
    Progress *progress;      // while the reports are written; NULL: nobody watches
    const char *output;      // the one that is being written
    int before_nb, total_nb; // games before this batch, and of all batches; 0: this is all
} Analysis;

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
// Adds the totals of the games.
void analysis_totals(const Analysis *analysis, AnalysisTotals *totals);

static inline const PositionResult *analysis_result(const Analysis *analysis, const AnalysedGame *game,
                                                    int ply)
{
    assert(game->result_index[ply] >= 0);
    return &analysis->result[game->result_index[ply]];
}

// ---- searching ----------------------------------------------------------------------------------
typedef struct EvaluateOptions {
    u64 nodes;
    i64 time_ms;
    int depth;
    int multi_pv;               // lines for each position; 0: one
    int threads;                // how many positions at a time; 0: one, in the calling thread
    const char *state_path;     // the progress file; NULL: none
    FILE *progress;             // NULL: quiet
    bool progress_bar;          // a bar that is redrawn, or plain lines
    const Transport *transport; // to other ranks; NULL: there are none
    int stop_after;             // for tests: behave as if interrupted after this many positions; 0: never
    // For whoever watches from within the program; each may be NULL. Called in the calling thread.
    void *watcher;
    void (*found)(void *watcher, int result); // there is a result more, or one of a further look
    bool (*is_stopped)(void *watcher);        // asked many times a second: is it to be given up?
} EvaluateOptions;
// Searches every position of the analysis with the session's options, over the cores, going on from the
// progress file if there is one.
// JOBS_DONE, JOBS_INTERRUPTED or JOBS_FAILED, the last two with a message.
JobsEnd evaluate_run(Analysis *analysis, const Session *session, const EvaluateOptions *options,
                     Message *message);
// The same for a session with several threads and one hash: each thread searches positions of its own with
// its share of the hash. The session is as before when it returns, or the note says what could not be had
// again.
JobsEnd evaluate_shared(Analysis *analysis, Session *session, const EvaluateOptions *options,
                        Message *message, Message *note);

// ---- reports ------------------------------------------------------------------------------------
// The writers call this before each game: it shows their progress when they take long. False when the run was
// interrupted: the rest need not be written.
bool analysis_goes_on(const Analysis *analysis, int game);
void report_text(const Analysis *analysis, Text *out);
void report_json(const Analysis *analysis, Text *out);
// The same in parts, for a run of several batches.
void report_text_games(const Analysis *analysis, Text *out);
void report_text_end(const AnalysisTotals *totals, Text *out);
void report_json_games(const Analysis *analysis, Text *out);
// Is the file, by the ending of its name, one of games in a format they are written in?
bool report_is_annotated(const char *path);
// Writes the reports of several shares of an analysis to a stream (a FILE) as the one of the whole.
bool report_json_join(void *stream, const char *const *paths, int path_nb, Message *message);
void report_json_end(const AnalysisTotals *totals, Text *out);
// The games with marks and comments, in the game's usual format (NULL) or a named one; false if there is no
// such format.
bool report_annotated(const Analysis *analysis, const char *format, Text *out);
void report_html(const Analysis *analysis, const char *title, Text *out);
// Positions in which a player missed something clear, as tasks, one a line.
void report_puzzles(const Analysis *analysis, Text *out);
// Is there a report of that format (html, text, json, or a format of games)? The ending of its file. And the
// report: the format is one that was found.
bool report_find(Span format, const char **ending);
void report_write(const Analysis *analysis, Span format, const char *title, Text *out);

// ---- games as JSON (record_json.c) --------------------------------------------------------------
// The words of JSON for why a game ended (NULL: no reason) and for its result ("1-0").
const char *record_reason_key(Reason reason);
const char *record_result_key(GameResult result);
// The game as a member of that name, or as an element or whole text (NULL); and as a text of its own.
// Moves are also told as people write them in the language.
void record_put_json(JsonWriter *json, const char *name, const Record *record, Language in);
void record_json(const Record *record, Text *out);

#endif
