// SPDX-License-Identifier: GPL-3.0-or-later
// Searching the positions of an analysis: each is a job (base/jobs.h). Every position is looked at once;
// those before and after a move that would get a mark, or where the game seems to turn, are looked at again
// with more nodes and lines, and what is still in doubt once more (judge.c says which). Invariant: a result
// is counted as done, and written to the progress file, only when its search ended by its own limits.
#include "analysis/evaluate.h"

#include <stdlib.h>

#include "analysis/judge.h"
#include "base/checksum.h"

enum { PLAIN_MS = 2000 };

// ---- jobs ---------------------------------------------------------------------------------------
// All that a result depends on besides the game: limits, options, program and network.
static u64 settings_hash(const Session *session, const EvaluateOptions *options)
{
    const Net *net = engine_net(session->engine);
    i64 numbers[] = {(i64)options->nodes, options->time_ms, options->depth, options->multi_pv};
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

int evaluator_slot(const Evaluator *evaluator, u64 key)
{
    int at = (int)(key & (u64)(evaluator->slot_nb - 1));
    while (evaluator->slot[at] && evaluator->job[evaluator->slot[at] - 1].key != key)
        at = (at + 1) & (evaluator->slot_nb - 1);
    return at;
}

static bool grow(Evaluator *evaluator)
{
    int capacity = evaluator->job_capacity ? 2 * evaluator->job_capacity : 256;
    EvaluateJob *job = realloc(evaluator->job, (size_t)capacity * sizeof *job);
    if (!job)
        return false;
    evaluator->job = job;
    int *slot = calloc((size_t)capacity * 2, sizeof *slot);
    if (!slot)
        return false;
    free(evaluator->slot);
    evaluator->slot = slot;
    evaluator->slot_nb = capacity * 2;
    evaluator->job_capacity = capacity;
    for (int i = 0; i < evaluator->job_nb; i++)
        evaluator->slot[evaluator_slot(evaluator, evaluator->job[i].key)] = i + 1;
    return true;
}

// The job for a position; the same position after the same moves, in another game, is the same job. -1 when
// there is no memory.
static int add_job(Evaluator *evaluator, EvaluateJob job)
{
    if (evaluator->job_nb == evaluator->job_capacity && !grow(evaluator))
        return -1;
    int at = evaluator_slot(evaluator, job.key);
    if (!evaluator->slot[at]) {
        evaluator->job[evaluator->job_nb] = job;
        evaluator->slot[at] = ++evaluator->job_nb;
    }
    return evaluator->slot[at] - 1;
}

static bool add_game(Evaluator *evaluator, int index)
{
    AnalysedGame *game = &evaluator->analysis->game[index];
    const Record *record = &game->record;
    char text[TEXT_MAX];
    pos_print(&record->start, text);
    u64 past = checksum_add(evaluator->settings, text, strlen(text));
    game->result_index = calloc((size_t)record->move_nb + 1, sizeof *game->result_index);
    game->verdict = calloc((size_t)record->move_nb + 1, sizeof *game->verdict);
    if (!game->result_index || !game->verdict)
        return false;
    for (int ply = 0; ply <= record->move_nb; ply++) {
        // The move played is part of the key: the second search leaves it out.
        Move next = ply < record->move_nb ? record->move[ply].move : MOVE_NONE;
        game->result_index[ply] = -1;
        if (ply >= game->first_ply) {
            int job = add_job(evaluator, (EvaluateJob){.key = hash_mix(past ^ hash_mix(next)),
                                                       .game = index,
                                                       .ply = ply,
                                                       .result = evaluator->job_nb});
            if (job < 0)
                return false;
            game->result_index[ply] = evaluator->job[job].result;
        }
        past = hash_mix(past + next);
    }
    return true;
}

static bool collect_jobs(Evaluator *evaluator, Analysis *analysis)
{
    evaluator->analysis = analysis;
    evaluator->job_nb = evaluator->first_job = 0;
    if (evaluator->slot_nb)
        memset(evaluator->slot, 0, (size_t)evaluator->slot_nb * sizeof *evaluator->slot);
    for (int i = 0; i < analysis->game_nb; i++)
        if (!analysis->game[i].is_skipped && !add_game(evaluator, i))
            return false;
    analysis->result_nb = analysis->search_nb = evaluator->job_nb;
    free(analysis->result);
    analysis->result = calloc((size_t)evaluator->job_nb + 1, sizeof *analysis->result);
    return analysis->result != NULL;
}

// A further look at what is in doubt, as jobs behind those of the looks before.
static bool collect_deep_jobs(Evaluator *evaluator, int look)
{
    enum { DEEP = 0x9d };
    Analysis *analysis = evaluator->analysis;
    evaluator->first_job = evaluator->job_nb;
    for (int i = 0; i < analysis->game_nb; i++) {
        const AnalysedGame *game = &analysis->game[i];
        if (game->is_skipped || game->is_position)
            continue;
        bool *is_wanted = calloc((size_t)game->record.move_nb + 1, sizeof *is_wanted);
        if (!is_wanted)
            return false;
        judge_doubts(analysis, game, look, is_wanted);
        for (int ply = game->first_ply; ply <= game->record.move_nb; ply++) {
            const int result = game->result_index[ply];
            if (is_wanted[ply] &&
                add_job(evaluator,
                        (EvaluateJob){.key = hash_mix(evaluator->job[result].key + (u64)(look * DEEP)),
                                      .game = i,
                                      .ply = ply,
                                      .result = result,
                                      .look = look}) < 0) {
                free(is_wanted);
                return false;
            }
        }
        free(is_wanted);
    }
    analysis->search_nb = evaluator->job_nb;
    evaluator->total_nb += evaluator->job_nb - evaluator->first_job;
    return true;
}

// ---- results ------------------------------------------------------------------------------------
void evaluator_note(Evaluator *evaluator, const char *text)
{
    progress_end(&evaluator->progress);
    if (evaluator->options->progress)
        fprintf(evaluator->options->progress, said("note: %s\n"), text);
}

// A look that asked for fewer lines leaves those of the look before.
static void keep_lines(const PositionResult *earlier, PositionResult *result)
{
    const int found_nb = result->other_nb;
    for (int i = 0; i < earlier->other_nb && !found_nb; i++)
        if (earlier->other[i].move[0] != result->line[0])
            result->other[result->other_nb++] = earlier->other[i];
}

void evaluator_settle(Evaluator *evaluator, EvaluateJob *job, const PositionResult *result)
{
    PositionResult *place = &evaluator->analysis->result[job->result];
    const PositionResult earlier = *place;
    if (job->ply < CACHED_PLIES)
        evaluator->cache[job->key % CACHE_NB] = (KeptResult){job->key, *result};
    *place = *result;
    if (job->look) {
        place->earlier = earlier.score;
        keep_lines(&earlier, place);
    }
    job->is_done = true;
    evaluator->done_nb++;
    if (evaluator->options->found)
        evaluator->options->found(evaluator->options->watcher, job->result);
}

static void take_cached(Evaluator *evaluator)
{
    for (int i = evaluator->first_job; i < evaluator->job_nb; i++) {
        EvaluateJob *job = &evaluator->job[i];
        const KeptResult *kept = &evaluator->cache[job->key % CACHE_NB];
        const PositionResult result = kept->result;
        if (!job->is_done && kept->key == job->key)
            evaluator_settle(evaluator, job, &result);
    }
}

// ---- the functions of the queue -----------------------------------------------------------------
static bool is_done(void *context, i64 index)
{
    const Evaluator *evaluator = context;
    return evaluator->job[evaluator->first_job + index].is_done;
}

static bool take_result(void *context, i64 index, Span result, Message *message)
{
    Evaluator *evaluator = context;
    EvaluateJob *job = &evaluator->job[evaluator->first_job + index];
    PositionResult found;
    (void)message;
    assert(result.len == sizeof found);
    memcpy(&found, result.ptr, sizeof found);
    evaluator_settle(evaluator, job, &found);
    journal_keep(evaluator, job, &found);
    return true;
}

static bool is_cancelled(void *context)
{
    const EvaluateOptions *options = ((const Evaluator *)context)->options;
    return options->is_stopped && options->is_stopped(options->watcher);
}

static bool is_enough(void *context)
{
    const Evaluator *evaluator = context;
    int stop_after = evaluator->options->stop_after;
    return stop_after && evaluator->done_nb - evaluator->resumed_nb >= stop_after;
}

static void show_progress(void *context, const JobProgress *jobs)
{
    Evaluator *evaluator = context;
    Progress *progress = &evaluator->progress;
    const i64 done = evaluator->done_nb, total = max_i64(evaluator->total_nb, done);
    // A log gets a last line when all is done, and none before it.
    const bool is_last =
        jobs->is_last && evaluator->is_last_pass && done == total && !evaluator->is_shown_last;
    if (!is_last && (jobs->is_last || done == total || !progress_is_due(progress)))
        return;
    evaluator->is_shown_last = is_last;
    ProgressLine line = {0};
    i64 left_s = progress_left_s(progress, (double)(done - evaluator->resumed_nb), (double)(total - done));
    progress_bar(&line, done, total);
    progress_part(&line, 0, "%lld of %lld", (long long)done, (long long)total);
    progress_part(&line, 1, " positions");
    progress_part(&line, 0, ", %d%%", (int)(done * 100 / max_i64(total, 1)));
    if (left_s >= 0) {
        char left[DURATION_MAX];
        duration_print(left_s, left);
        progress_part(&line, 0, progress->redraws ? "  %s" : ", %s", left);
        progress_part(&line, 1, " left");
    }
    progress_show(progress, &line);
}

// ---- all of it ----------------------------------------------------------------------------------
static JobSet job_set(Evaluator *evaluator, i64 job_nb)
{
    return (JobSet){.context = evaluator,
                    .threads = evaluator->options->threads,
                    .settings = evaluator->settings,
                    .job_nb = job_nb,
                    .is_done = is_done,
                    .give = searcher_give,
                    .take = take_result,
                    .is_enough = is_enough,
                    .tick = show_progress,
                    .is_cancelled = is_cancelled,
                    .cancel = searcher_cancel,
                    .open = searcher_open,
                    .run = searcher_run,
                    .close = searcher_close};
}

static const Transport *transport_to_use(const Evaluator *evaluator)
{
    const Transport *transport = evaluator->options->transport;
    return transport ? transport : transport_local();
}

// The jobs from first_job on.
static JobsEnd run_jobs(Evaluator *evaluator, Message *message)
{
    take_cached(evaluator);
    journal_resume(evaluator);
    const JobSet set = job_set(evaluator, evaluator->job_nb - evaluator->first_job);
    bool is_open = false;
    for (int i = evaluator->first_job; i < evaluator->job_nb && !is_open; i++)
        is_open = !evaluator->job[i].is_done;
    if (!is_open)
        return JOBS_DONE;
    JobsEnd end = jobs_run(&set, transport_to_use(evaluator), message);
    for (int i = evaluator->first_job; i < evaluator->job_nb && end == JOBS_ENOUGH; i++)
        if (!evaluator->job[i].is_done)
            end = JOBS_INTERRUPTED;
    return end == JOBS_ENOUGH ? JOBS_DONE : end;
}

bool evaluator_serve(Evaluator *evaluator, Message *message)
{
    const JobSet set = job_set(evaluator, -1);
    return jobs_run(&set, transport_to_use(evaluator), message) != JOBS_FAILED;
}

JobsEnd evaluator_run(Evaluator *evaluator, Analysis *analysis, Message *message)
{
    JobsEnd end = JOBS_FAILED;
    if (!collect_jobs(evaluator, analysis)) {
        message_set(message, "not enough memory for the positions");
        return end;
    }
    // What occurs twice in the batch is searched once.
    i64 position_nb = 0;
    for (int i = 0; i < analysis->game_nb; i++)
        if (!analysis->game[i].is_skipped)
            position_nb += analysis->game[i].record.move_nb + 1 - analysis->game[i].first_ply;
    evaluator->total_nb -= position_nb - evaluator->job_nb;
    for (int look = 0; look < LOOK_NB && (look == 0 || end == JOBS_DONE); look++) {
        evaluator->is_last_pass = look == LOOK_NB - 1;
        if (look > 0 && !collect_deep_jobs(evaluator, look)) {
            end = JOBS_FAILED;
            message_set(message, "not enough memory for the positions");
        } else {
            end = run_jobs(evaluator, message);
        }
    }
    if (end == JOBS_DONE)
        show_progress(evaluator, &(JobProgress){.is_last = true});
    evaluator->is_last_pass = false;
    progress_end(&evaluator->progress);
    if (end == JOBS_INTERRUPTED)
        message_set(message, "interrupted after %lld of %lld positions%s", (long long)evaluator->done_nb,
                    (long long)evaluator->total_nb,
                    evaluator->is_journaling ? ": run the same command again to go on" : "");
    return end;
}

Evaluator *evaluator_new(const Session *session, const EvaluateOptions *options, i64 position_nb,
                         Message *message)
{
    Evaluator *evaluator = calloc(1, sizeof *evaluator);
    KeptResult *cache = evaluator ? calloc(CACHE_NB, sizeof *cache) : NULL;
    if (!cache) {
        free(evaluator);
        message_set(message, "not enough memory for the positions");
        return NULL;
    }
    evaluator->session = session;
    evaluator->options = options;
    evaluator->cache = cache;
    evaluator->total_nb = position_nb;
    evaluator->settings = settings_hash(session, options);
    progress_start(&evaluator->progress, options->progress, options->progress_bar, PLAIN_MS);
    if (journal_prepare(evaluator, message))
        return evaluator;
    evaluator_free(evaluator);
    return NULL;
}

void evaluator_free(Evaluator *evaluator)
{
    if (!evaluator)
        return;
    journal_end(&evaluator->reader);
    journal_close(&evaluator->journal);
    free(evaluator->job);
    free(evaluator->slot);
    free(evaluator->cache);
    free(evaluator->ahead);
    free(evaluator);
}

JobsEnd evaluate_run(Analysis *analysis, const Session *session, const EvaluateOptions *options,
                     Message *message)
{
    i64 position_nb = 0;
    for (int i = 0; i < analysis->game_nb; i++)
        position_nb += analysis->game[i].record.move_nb + 1;
    Evaluator *evaluator = evaluator_new(session, options, position_nb, message);
    JobsEnd end = evaluator ? evaluator_run(evaluator, analysis, message) : JOBS_FAILED;
    evaluator_free(evaluator);
    return end;
}

// The session's engine with one thread and its share of the hash, while several of its kind search. False
// with a message when that can't be had.
static bool share_session(Session *session, int threads, int hash_mb, Message *message)
{
    return option_set_number(session, "Threads", threads, message) &&
           option_set_number(session, "Hash", hash_mb, message);
}

JobsEnd evaluate_shared(Analysis *analysis, Session *session, const EvaluateOptions *options,
                        Message *message, Message *note)
{
    const int threads = session->settings.threads, hash_mb = session->settings.hash_mb;
    JobsEnd end = JOBS_FAILED;
    if (share_session(session, 1, max_int(hash_mb / threads, 1), message))
        end = evaluate_run(analysis, session, options, message);
    share_session(session, threads, hash_mb, note);
    engine_new_game(session->engine);
    return end;
}
