// SPDX-License-Identifier: GPL-3.0-or-later
// Searching the positions of an analysis: each is a job (base/jobs.h). Each thread has an engine of its own,
// with the options of the session, and forgets everything before each position: what is found depends on the
// position and the settings alone, never on the order or the number of threads (unless the engines have more
// than one thread themselves). Invariant: a result is counted as done, and
// written to the progress file, only when its search ended by its own limits.
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/checksum.h"
#include "base/journal.h"
#include "base/progress.h"
#include "games/game_state.h"

enum { PLAIN_MS = 2000, SECOND_SHARE = 4 };

typedef struct Job {
    u64 key;
    int game, ply; // where it first occurs
    bool done;
} Job;

typedef struct Evaluation {
    Analysis *analysis;
    const Session *session;
    const EvaluateOptions *options;
    Job *job; // one for each result
    int job_nb, capacity;
    int *slot;   // job index + 1 by key, open addressing
    int slot_nb; // a power of two
    int done_nb, resumed_nb;
    int foreign_nb;      // lines of the progress file that are of other games or settings
    atomic_bool is_lent; // one of the threads works with the session's own engine
    Journal journal;
    bool journaling;
    Progress progress;
} Evaluation;

// What a thread works with.
typedef struct Searcher {
    const Evaluation *evaluation;
    Engine *engine;
    Game game;             // the moves of `record` up to the position searched last
    const Record *record;  // NULL at first
    SearchControl control; // a stop stays in force for all searches that follow
} Searcher;

// ---- jobs ---------------------------------------------------------------------------------------
// All that a result depends on besides the game: limits, options, program and network.
static u64 settings_hash(const Session *session, const EvaluateOptions *options)
{
    const Net *net = engine_net(session->engine);
    i64 numbers[] = {(i64)options->nodes, options->time_ms, options->depth};
    Text values = {0};
    OptionInfo info;
    for (int i = 0; option_at(i, &info); i++) {
        text_add(&values, "%s=", info.name);
        option_print(session, i, &values);
        text_add(&values, "\n");
    }
    u64 hash = checksum_add(0, numbers, sizeof numbers);
    hash = checksum_add(hash, TWOFOLD_VERSION, strlen(TWOFOLD_VERSION));
    hash = checksum_add(hash, text_span(&values).ptr, values.len);
    text_free(&values);
    return net ? checksum_add(hash, net, sizeof *net) : hash;
}

// The slot that holds the key, or the free one where it belongs.
static int find_slot(const Evaluation *evaluation, u64 key)
{
    int at = (int)(key & (u64)(evaluation->slot_nb - 1));
    while (evaluation->slot[at] && evaluation->job[evaluation->slot[at] - 1].key != key)
        at = (at + 1) & (evaluation->slot_nb - 1);
    return at;
}

static bool grow(Evaluation *evaluation)
{
    int capacity = evaluation->capacity ? 2 * evaluation->capacity : 256;
    Job *job = realloc(evaluation->job, (size_t)capacity * sizeof *job);
    if (!job)
        return false;
    evaluation->job = job;
    int *slot = calloc((size_t)capacity * 2, sizeof *slot);
    if (!slot)
        return false;
    free(evaluation->slot);
    evaluation->slot = slot;
    evaluation->slot_nb = capacity * 2;
    evaluation->capacity = capacity;
    for (int i = 0; i < evaluation->job_nb; i++)
        evaluation->slot[find_slot(evaluation, evaluation->job[i].key)] = i + 1;
    return true;
}

// The job for a position; the same position after the same moves, in another game, is the same job. -1 when
// there is no memory.
static int add_job(Evaluation *evaluation, u64 key, int game, int ply)
{
    if (evaluation->job_nb == evaluation->capacity && !grow(evaluation))
        return -1;
    int at = find_slot(evaluation, key);
    if (!evaluation->slot[at]) {
        evaluation->job[evaluation->job_nb] = (Job){key, game, ply, false};
        evaluation->slot[at] = ++evaluation->job_nb;
    }
    return evaluation->slot[at] - 1;
}

static bool add_game(Evaluation *evaluation, int index, u64 settings)
{
    AnalysedGame *game = &evaluation->analysis->game[index];
    const Record *record = &game->record;
    char text[TEXT_MAX];
    pos_print(&record->start, text);
    u64 past = checksum_add(settings, text, strlen(text));
    game->result_index = calloc((size_t)record->move_nb + 1, sizeof *game->result_index);
    game->verdict = calloc((size_t)record->move_nb + 1, sizeof *game->verdict);
    if (!game->result_index || !game->verdict)
        return false;
    for (int ply = 0; ply <= record->move_nb; ply++) {
        // The move played is part of the key: the second search leaves it out.
        Move next = ply < record->move_nb ? record->move[ply].move : MOVE_NONE;
        int job = add_job(evaluation, hash_mix(past ^ hash_mix(next)), index, ply);
        if (job < 0)
            return false;
        game->result_index[ply] = job;
        past = hash_mix(past + next);
    }
    return true;
}

static bool collect_jobs(Evaluation *evaluation)
{
    Analysis *analysis = evaluation->analysis;
    u64 settings = settings_hash(evaluation->session, evaluation->options);
    for (int i = 0; i < analysis->game_nb; i++)
        if (!analysis->game[i].is_skipped && !add_game(evaluation, i, settings))
            return false;
    analysis->result_nb = evaluation->job_nb;
    analysis->result = calloc((size_t)evaluation->job_nb + 1, sizeof *analysis->result);
    return analysis->result != NULL;
}

// ---- the progress file --------------------------------------------------------------------------
// A line: key, score, second score, depth, nodes, how many moves the best line has, and its moves.
static const JournalHead HEAD = {"twofold-" GAME_NAME " analyse 2", ""};

static bool parse_line(Span rest, u64 *key, PositionResult *result)
{
    u64 move;
    i64 score, second, depth, nodes, line_nb;
    if (!span_hex(span_word(&rest), key) ||
        !span_int(span_word(&rest), -SCORE_INFINITE, SCORE_INFINITE, &score) ||
        !span_int(span_word(&rest), -SCORE_INFINITE, SCORE_NONE, &second) ||
        !span_int(span_word(&rest), 0, 1000, &depth) || !span_int(span_word(&rest), 0, INT64_MAX, &nodes) ||
        !span_int(span_word(&rest), 0, RESULT_LINE_MAX, &line_nb))
        return false;
    *result = (PositionResult){.score = (int)score,
                               .second = (int)second,
                               .depth = (int)depth,
                               .nodes = (u64)nodes,
                               .line_nb = (int)line_nb};
    for (int i = 0; i < result->line_nb; i++) {
        if (!span_hex(span_word(&rest), &move) || move > 0xFFFF)
            return false;
        result->line[i] = (Move)move;
    }
    return span_word(&rest).len == 0;
}

static void print_line(u64 key, const PositionResult *result, Text *out)
{
    text_add(out, "%016" PRIx64 " %d %d %d %" PRIu64 " %d", key, result->score, result->second, result->depth,
             result->nodes, result->line_nb);
    for (int i = 0; i < result->line_nb; i++)
        text_add(out, " %04x", result->line[i]);
}

static void resume_job(void *context, Span line)
{
    Evaluation *evaluation = context;
    u64 key;
    PositionResult result;
    if (!parse_line(line, &key, &result))
        return;
    int at = evaluation->slot_nb ? evaluation->slot[find_slot(evaluation, key)] : 0;
    evaluation->foreign_nb += !at;
    if (!at || evaluation->job[at - 1].done)
        return;
    evaluation->analysis->result[at - 1] = result;
    evaluation->job[at - 1].done = true;
    evaluation->done_nb++;
    evaluation->resumed_nb++;
}

static void note(Evaluation *evaluation, const char *text)
{
    progress_end(&evaluation->progress);
    if (evaluation->options->progress)
        fprintf(evaluation->options->progress, "note: %s\n", text);
}

// Reads what an earlier run has left, and opens the file to add to it.
static bool open_progress_file(Evaluation *evaluation, Message *message)
{
    const EvaluateOptions *options = evaluation->options;
    Message why = {0};
    if (!options->state_path)
        return true;
    JournalFound found = journal_read(options->state_path, HEAD, resume_job, evaluation, message);
    if (found == JOURNAL_FOREIGN || found == JOURNAL_OTHER)
        return message_set(message,
                           "'%s' is no progress file of this version of the program: name another one with "
                           "--state, or remove it",
                           options->state_path);
    if (found == JOURNAL_FAILED)
        return false;
    if (evaluation->resumed_nb && options->progress)
        fprintf(options->progress, "going on: %d of %d positions were searched before\n",
                evaluation->resumed_nb, evaluation->job_nb);
    if (!evaluation->resumed_nb && evaluation->foreign_nb) {
        message_set(&why, "'%s' is of other settings or other games: starting over", options->state_path);
        note(evaluation, why.text);
    }
    if (evaluation->done_nb == evaluation->job_nb)
        return true;
    evaluation->journaling = journal_open(&evaluation->journal, options->state_path, HEAD, message);
    if (!evaluation->journaling) {
        message_set(&why, "%.300s; an interrupted run will have to start again", message->text);
        note(evaluation, why.text);
    }
    return true;
}

// ---- one position -------------------------------------------------------------------------------
// Brings the thread's game to a position of a record. Jobs come in the order of the games, so that a thread
// goes through each game once: it starts again only for another game.
static bool walk_to(Searcher *searcher, const Record *record, int ply)
{
    Game *game = &searcher->game;
    if (searcher->record != record || game->move_nb > ply) {
        game_start(game, &record->start);
        searcher->record = record;
    }
    while (game->move_nb < ply)
        if (!game_play(game, record->move[game->move_nb].move))
            return false;
    return true;
}

// When the game is over by the rules, its last position needs no search.
static bool is_decided(const Game *game, PositionResult *result)
{
    Verdict verdict = game_verdict(game);
    if (verdict.outcome == OUTCOME_NONE)
        return false;
    *result = (PositionResult){.second = SCORE_NONE};
    const bool is_mate = verdict.reason == REASON_MATE || verdict.reason == REASON_NO_MOVE;
    const int won = is_mate ? SCORE_MATE : SCORE_TB_WIN; // other rules win without a mate
    result->score = verdict.outcome == OUTCOME_DRAW  ? SCORE_DRAW
                    : verdict.outcome == OUTCOME_WIN ? won
                                                     : -won;
    return true;
}

// Without threads, a search is where one hears of a stop.
static bool on_poll(void *context)
{
    const EvaluateOptions *options = context;
    return options->is_stopped && options->is_stopped(options->watcher);
}

static bool search(Searcher *searcher, const Limits *limits, SearchResult *result, Message *message)
{
    Limits asked = *limits;
    session_limits(searcher->evaluation->session, &searcher->game.pos, &asked);
    control_renew(&searcher->control, &asked);
    const EvaluateOptions *options = searcher->evaluation->options;
    const SearchEvents events = {.context = (void *)options, .poll = options->threads ? NULL : on_poll};
    return search_run(searcher->engine, &searcher->game, &searcher->control, &events, result, message) &&
           result->reason != STOP_COMMAND;
}

static bool find(Searcher *searcher, Move played, PositionResult *found, Message *message)
{
    const EvaluateOptions *options = searcher->evaluation->options;
    Limits limits = {.nodes = options->nodes, .move_time_ms = options->time_ms, .depth = options->depth};
    SearchResult result;
    if (played == MOVE_NONE && is_decided(&searcher->game, found))
        return true;
    engine_new_game(searcher->engine);
    if (!search(searcher, &limits, &result, message))
        return false;
    *found = (PositionResult){
        .score = result.score, .second = SCORE_NONE, .depth = result.depth, .nodes = result.nodes};
    found->line_nb = min_int(result.pv_nb, RESULT_LINE_MAX);
    memcpy(found->line, result.pv, (size_t)found->line_nb * sizeof(Move));
    if (found->line_nb == 0 && result.best != MOVE_NONE && result.best != MOVE_WIN)
        found->line[found->line_nb++] = result.best;
    // The best move was played. Search again without it: was it the only good move, or one of several?
    if (played == MOVE_NONE || !found->line_nb || found->line[0] != played ||
        gen_count(&searcher->game.pos) < 2)
        return true;
    limits.except[0] = played;
    limits.except_nb = 1;
    limits.nodes = options->nodes ? max_i64((i64)options->nodes / SECOND_SHARE, 1) : 0;
    limits.move_time_ms = options->time_ms ? max_i64(options->time_ms / SECOND_SHARE, 1) : 0;
    if (!search(searcher, &limits, &result, message))
        return false;
    found->second = result.score;
    return true;
}

// ---- the functions of the queue -----------------------------------------------------------------
static void close_searcher(void *state)
{
    Searcher *searcher = state;
    if (searcher->engine != searcher->evaluation->session->engine)
        engine_free(searcher->engine);
    game_free(&searcher->game);
    control_free(&searcher->control);
    free(searcher);
}

static void *open_searcher(void *context, Message *message)
{
    Evaluation *evaluation = context;
    const Session *session = evaluation->session;
    Searcher *searcher = calloc(1, sizeof *searcher);
    Message why;
    if (searcher) {
        bool is_lent = atomic_exchange(&evaluation->is_lent, true);
        searcher->evaluation = evaluation;
        searcher->engine =
            is_lent ? session_new_engine(session, session->settings.hash_mb, &why) : session->engine;
    }
    if (searcher && searcher->engine) {
        control_init(&searcher->control, &(Limits){0}, 0);
        return searcher;
    }
    free(searcher);
    message_set(message, "not enough memory for the engines: try fewer --threads or a smaller --hash");
    return NULL;
}

static void cancel_searcher(void *state)
{
    Searcher *searcher = state;
    control_stop(&searcher->control, STOP_COMMAND);
}

static bool is_done(void *context, i64 index) { return ((const Evaluation *)context)->job[index].done; }

static bool run_job(void *context, void *state, i64 index, Span task, Text *result, Message *message)
{
    const Evaluation *evaluation = context;
    Searcher *searcher = state;
    const Job *job = &evaluation->job[index];
    const Record *record = &evaluation->analysis->game[job->game].record;
    PositionResult found;
    (void)task;
    if (!walk_to(searcher, record, job->ply))
        return message_set(message, "not enough memory for a game");
    if (!find(searcher, job->ply < record->move_nb ? record->move[job->ply].move : MOVE_NONE, &found,
              message))
        return false;
    text_add_bytes(result, &found, sizeof found);
    return true;
}

static bool take_result(void *context, i64 index, Span result, Message *message)
{
    Evaluation *evaluation = context;
    PositionResult *found = &evaluation->analysis->result[index];
    Text line = {0};
    (void)message;
    assert(result.len == sizeof *found);
    memcpy(found, result.ptr, sizeof *found);
    evaluation->done_nb++;
    if (evaluation->options->found)
        evaluation->options->found(evaluation->options->watcher, (int)index);
    print_line(evaluation->job[index].key, found, &line);
    if (evaluation->journaling && (line.failed || !journal_add(&evaluation->journal, text_span(&line)))) {
        evaluation->journaling = false;
        note(evaluation, "the progress file cannot be written any more; going on without it");
    }
    text_free(&line);
    return true;
}

static bool is_cancelled(void *context)
{
    const EvaluateOptions *options = ((const Evaluation *)context)->options;
    return options->is_stopped && options->is_stopped(options->watcher);
}

static bool is_enough(void *context)
{
    const Evaluation *evaluation = context;
    int stop_after = evaluation->options->stop_after;
    return stop_after && evaluation->done_nb - evaluation->resumed_nb >= stop_after;
}

static void show_progress(void *context, const JobProgress *jobs)
{
    Evaluation *evaluation = context;
    Progress *progress = &evaluation->progress;
    const int done = evaluation->done_nb, total = evaluation->job_nb;
    // A log gets a last line when all is done; a terminal always.
    if (jobs->is_last ? !progress->redraws && done < total : !progress_is_due(progress))
        return;
    ProgressLine line = {0};
    i64 left_s = progress_left_s(progress, done - evaluation->resumed_nb, total - done);
    progress_bar(&line, done, total);
    progress_part(&line, 0, "%d of %d", done, total);
    progress_part(&line, 1, " positions");
    progress_part(&line, 0, ", %d%%", (int)((i64)done * 100 / total));
    if (left_s >= 0) {
        char left[DURATION_MAX];
        duration_print(left_s, left);
        progress_part(&line, 0, "%s%s", progress->redraws ? "  " : ", ", left);
        progress_part(&line, 1, " left");
    }
    progress_show(progress, &line);
}

// ---- all of it ----------------------------------------------------------------------------------
static JobsEnd search_all(Evaluation *evaluation, Message *message)
{
    const EvaluateOptions *options = evaluation->options;
    const JobSet set = {.context = evaluation,
                        .threads = options->threads,
                        .job_nb = evaluation->job_nb,
                        .is_done = is_done,
                        .take = take_result,
                        .is_enough = is_enough,
                        .tick = show_progress,
                        .is_cancelled = is_cancelled,
                        .cancel = cancel_searcher,
                        .open = open_searcher,
                        .run = run_job,
                        .close = close_searcher};
    progress_start(&evaluation->progress, options->progress, options->progress_bar, PLAIN_MS);
    JobsEnd end = jobs_run(&set, transport_local(), message);
    progress_end(&evaluation->progress);
    if (end == JOBS_ENOUGH)
        end = evaluation->done_nb < evaluation->job_nb ? JOBS_INTERRUPTED : JOBS_DONE;
    if (end == JOBS_INTERRUPTED)
        message_set(message, "interrupted after %d of %d positions%s", evaluation->done_nb,
                    evaluation->job_nb,
                    evaluation->journaling ? ": run the same command again to go on" : "");
    return end;
}

JobsEnd evaluate_run(Analysis *analysis, const Session *session, const EvaluateOptions *options,
                     Message *message)
{
    Evaluation evaluation = {.analysis = analysis, .session = session, .options = options};
    JobsEnd end = JOBS_FAILED;
    if (!collect_jobs(&evaluation))
        message_set(message, "not enough memory for the positions");
    else if (open_progress_file(&evaluation, message))
        end = evaluation.done_nb == evaluation.job_nb ? JOBS_DONE : search_all(&evaluation, message);
    journal_close(&evaluation.journal);
    free(evaluation.job);
    free(evaluation.slot);
    return end;
}

void evaluate_forget(const EvaluateOptions *options)
{
    if (options->state_path && os_has_file(options->state_path)) // remove would also delete a device
        remove(options->state_path);
}
