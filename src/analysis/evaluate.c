// SPDX-License-Identifier: GPL-3.0-or-later
// Searching the positions of a study over the cores. Each worker has an engine of its own with one thread,
// and forgets everything before each position: what is found depends on the position and the settings alone,
// never on the order or the number of workers. Invariant: a finding is counted as done, and written to the
// progress file, only when its search ended by its own limits.
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/journal.h"
#include "games/game_state.h"

enum { TICK_US = 100000, PLAIN_US = 2000000, BAR_MIN = 4, BAR_MAX = 28, BAR_REST = 52, SECOND_SHARE = 4 };

typedef struct Job {
    u64 key;
    int game, ply; // where it first occurs
    bool done;
} Job;

typedef struct Pool {
    Analysis *analysis;
    const PoolOptions *options;
    Job *job; // one for each finding
    int job_nb, capacity;
    int *slot;       // job index + 1 by key, open addressing
    int slot_nb;     // a power of two
    atomic_int next; // the next job to look at
    atomic_bool stop;
    int done_nb, resumed_nb;
    int foreign_nb; // lines of the progress file that are of other games or settings
    int running;    // workers that have not ended
    bool failed;
    Message message;
    Journal journal;
    bool journaling;
    Engine **engine;
    Mutex mutex; // of done_nb, running, failed, message and the journal
    Cond changed;
} Pool;

typedef struct PoolWorker {
    Pool *pool;
    Engine *engine;
    Thread thread;
    bool started;
} PoolWorker;

// ---- jobs ---------------------------------------------------------------------------------------
// All that a finding depends on besides the game: limits, memory, program and network.
static u64 settings_hash(const PoolOptions *options)
{
    const Net *net = net_embedded();
    i64 numbers[] = {(i64)options->nodes, options->time_ms, options->depth, options->hash_mb};
    u64 hash = journal_hash(0, numbers, sizeof numbers);
    hash = journal_hash(hash, TWOFOLD_VERSION, strlen(TWOFOLD_VERSION));
    return net ? journal_hash(hash, net, sizeof *net) : hash;
}

// The slot where the key is or belongs.
static int find_slot(const Pool *pool, u64 key)
{
    int at = (int)(key & (u64)(pool->slot_nb - 1));
    while (pool->slot[at] && pool->job[pool->slot[at] - 1].key != key)
        at = (at + 1) & (pool->slot_nb - 1);
    return at;
}

static bool grow(Pool *pool)
{
    int capacity = pool->capacity ? 2 * pool->capacity : 256;
    Job *job = realloc(pool->job, (size_t)capacity * sizeof *job);
    if (!job)
        return false;
    pool->job = job;
    int *slot = calloc((size_t)capacity * 2, sizeof *slot);
    if (!slot)
        return false;
    free(pool->slot);
    pool->slot = slot;
    pool->slot_nb = capacity * 2;
    pool->capacity = capacity;
    for (int i = 0; i < pool->job_nb; i++)
        pool->slot[find_slot(pool, pool->job[i].key)] = i + 1;
    return true;
}

// The job for a position; the same position after the same moves, in another game, is the same job. -1 when
// there is no memory.
static int add_job(Pool *pool, u64 key, int game, int ply)
{
    if (pool->job_nb == pool->capacity && !grow(pool))
        return -1;
    int at = find_slot(pool, key);
    if (!pool->slot[at]) {
        pool->job[pool->job_nb] = (Job){key, game, ply, false};
        pool->slot[at] = ++pool->job_nb;
    }
    return pool->slot[at] - 1;
}

static bool add_game(Pool *pool, int index, u64 settings)
{
    AnalysedGame *game = &pool->analysis->game[index];
    const Record *record = &game->record;
    char text[TEXT_MAX];
    pos_print(&record->start, text);
    u64 past = journal_hash(settings, text, strlen(text));
    game->finding = calloc((size_t)record->move_nb + 1, sizeof *game->finding);
    game->judgement = calloc((size_t)record->move_nb + 1, sizeof *game->judgement);
    if (!game->finding || !game->judgement)
        return false;
    for (int ply = 0; ply <= record->move_nb; ply++) {
        // The move played is part of the question: the second search depends on it.
        Move next = ply < record->move_nb ? record->move[ply].move : MOVE_NONE;
        int job = add_job(pool, hash_mix(past ^ hash_mix(next)), index, ply);
        if (job < 0)
            return false;
        game->finding[ply] = job;
        past = hash_mix(past + next);
    }
    return true;
}

static bool collect_jobs(Pool *pool)
{
    Analysis *analysis = pool->analysis;
    u64 settings = settings_hash(pool->options);
    for (int i = 0; i < analysis->game_nb; i++)
        if (!analysis->game[i].is_skipped && !add_game(pool, i, settings))
            return false;
    analysis->finding_nb = pool->job_nb;
    analysis->finding = calloc((size_t)pool->job_nb + 1, sizeof *analysis->finding);
    return analysis->finding != NULL;
}

static void resume_job(void *context, u64 key, const PositionResult *finding)
{
    Pool *pool = context;
    int at = pool->slot_nb ? pool->slot[find_slot(pool, key)] : 0;
    pool->foreign_nb += !at;
    if (!at || pool->job[at - 1].done)
        return;
    pool->analysis->finding[at - 1] = *finding;
    pool->job[at - 1].done = true;
    pool->done_nb++;
    pool->resumed_nb++;
}

// ---- one position -------------------------------------------------------------------------------
static bool walk_to(Game *game, const Record *record, int ply)
{
    game_start(game, &record->start);
    for (int i = 0; i < ply; i++)
        if (!game_play(game, record->move[i].move))
            return false;
    return true;
}

// The position a game ended in needs no search when the rules have spoken.
static bool is_decided(const Game *game, PositionResult *finding)
{
    Verdict verdict = game_verdict(game);
    if (verdict.outcome == OUTCOME_NONE)
        return false;
    *finding = (PositionResult){.second = SCORE_NONE};
    const bool is_mate = verdict.reason == REASON_MATE || verdict.reason == REASON_NO_MOVE;
    const int won = is_mate ? SCORE_MATE : SCORE_TB_WIN; // no other rule is a mate
    finding->score = verdict.outcome == OUTCOME_DRAW  ? SCORE_DRAW
                     : verdict.outcome == OUTCOME_WIN ? won
                                                      : -won;
    return true;
}

static bool search(PoolWorker *worker, const Game *game, const Limits *limits, SearchResult *result,
                   Message *message)
{
    // Armed before looking at the flag: a stop that comes in between is not lost.
    search_arm(worker->engine);
    if (atomic_load(&worker->pool->stop))
        return false;
    return search_run(worker->engine, &game->pos, &game->keys, limits, NULL, result, message) &&
           !atomic_load(&worker->pool->stop);
}

static bool find(PoolWorker *worker, const Game *game, Move played, PositionResult *finding, Message *message)
{
    const PoolOptions *options = worker->pool->options;
    Limits limits = {.nodes = options->nodes, .move_time_ms = options->time_ms, .depth = options->depth};
    SearchResult result;
    if (played == MOVE_NONE && is_decided(game, finding))
        return true;
    engine_new_game(worker->engine);
    if (!search(worker, game, &limits, &result, message))
        return false;
    *finding = (PositionResult){
        .score = result.score, .second = SCORE_NONE, .depth = result.depth, .nodes = result.nodes};
    finding->line_nb = min_int(result.pv_nb, FINDING_LINE_MAX);
    memcpy(finding->line, result.pv, (size_t)finding->line_nb * sizeof(Move));
    if (finding->line_nb == 0 && result.best != MOVE_NONE && result.best != MOVE_WIN)
        finding->line[finding->line_nb++] = result.best;
    // When the best move was played: would another have done as well? That tells the only good move from the
    // easy one.
    if (played == MOVE_NONE || !finding->line_nb || finding->line[0] != played || gen_count(&game->pos) < 2)
        return true;
    limits.except[0] = played;
    limits.except_nb = 1;
    limits.nodes = options->nodes ? max_i64((i64)options->nodes / SECOND_SHARE, 1) : 0;
    limits.move_time_ms = options->time_ms ? max_i64(options->time_ms / SECOND_SHARE, 1) : 0;
    if (!search(worker, game, &limits, &result, message))
        return false;
    finding->second = result.score;
    return true;
}

// ---- workers ------------------------------------------------------------------------------------
static void finish_job(Pool *pool, int index, const PositionResult *finding)
{
    pthread_mutex_lock(&pool->mutex);
    pool->analysis->finding[index] = *finding;
    pool->job[index].done = true;
    pool->done_nb++;
    if (pool->journaling && !journal_add(&pool->journal, pool->job[index].key, finding)) {
        pool->journaling = false;
        if (pool->options->progress)
            fprintf(pool->options->progress,
                    "note: the progress file cannot be written any more; going on without it\n");
    }
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
}

static void fail(Pool *pool, const char *text)
{
    pthread_mutex_lock(&pool->mutex);
    if (!pool->failed)
        message_set(&pool->message, "%s", text);
    pool->failed = true;
    pthread_mutex_unlock(&pool->mutex);
    atomic_store(&pool->stop, true);
}

static void *work(void *argument)
{
    PoolWorker *worker = argument;
    Pool *pool = worker->pool;
    Game game = {0};
    for (int i; !atomic_load(&pool->stop) && (i = atomic_fetch_add(&pool->next, 1)) < pool->job_nb;) {
        const Job *job = &pool->job[i];
        const Record *record = &pool->analysis->game[job->game].record;
        if (job->done)
            continue;
        Message message = {0};
        PositionResult finding;
        Move played = job->ply < record->move_nb ? record->move[job->ply].move : MOVE_NONE;
        if (!walk_to(&game, record, job->ply))
            fail(pool, "not enough memory for a game");
        else if (find(worker, &game, played, &finding, &message))
            finish_job(pool, i, &finding);
        else if (message.text[0])
            fail(pool, message.text);
    }
    game_free(&game);
    pthread_mutex_lock(&pool->mutex);
    pool->running--;
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

// ---- progress -----------------------------------------------------------------------------------
static void print_left(i64 seconds, char *out, size_t size)
{
    if (seconds < 60)
        snprintf(out, size, "%" PRId64 " s", seconds);
    else if (seconds < 3600)
        snprintf(out, size, "%" PRId64 " min %" PRId64 " s", seconds / 60, seconds % 60);
    else
        snprintf(out, size, "%" PRId64 " h %" PRId64 " min", seconds / 3600, seconds / 60 % 60);
}

// What was shown last, and when.
typedef struct Shown {
    i64 us;
    int done_nb;
} Shown;

// A bar is drawn over and over; plain lines come every few seconds and once at the end.
static void show_progress(const Pool *pool, int done_nb, i64 elapsed_us, Shown *shown)
{
    FILE *out = pool->options->progress;
    int total = pool->job_nb, fresh = done_nb - pool->resumed_nb;
    char left[64] = "";
    if (!out || total == 0)
        return;
    if (fresh > 0 && done_nb < total)
        print_left(elapsed_us / 1000 * (total - done_nb) / fresh / 1000 + 1, left, sizeof left);
    if (pool->options->progress_bar) {
        char bar[BAR_MAX + 1], line[256];
        int columns = os_terminal_width(), width = clamp_int(columns - BAR_REST, BAR_MIN, BAR_MAX);
        bool is_wide = columns >= BAR_REST + BAR_MIN; // else only what matters is said
        for (int i = 0; i < width; i++)
            bar[i] = (i64)i * total < (i64)done_nb * width ? '#' : '.';
        bar[width] = '\0';
        snprintf(line, sizeof line, "[%s] %d of %d%s, %d%%  %s%-20s", bar, done_nb, total,
                 is_wide ? " positions" : "", (int)((i64)done_nb * 100 / total), left,
                 left[0] && is_wide ? " left" : "");
        fprintf(out, "\r%.*s", columns - 1, line); // a line that wrapped could not be drawn over
    } else {
        if (done_nb == total ? shown->done_nb == total : elapsed_us - shown->us < PLAIN_US)
            return;
        *shown = (Shown){elapsed_us, done_nb};
        fprintf(out, "%d of %d positions, %d%%%s%s%s\n", done_nb, total, (int)((i64)done_nb * 100 / total),
                left[0] ? ", " : "", left, left[0] ? " left" : "");
    }
    fflush(out);
}

// Until every worker has ended: shows how far they are, and hands on an interruption.
static bool watch(Pool *pool, int worker_nb)
{
    i64 start_us = os_now_us();
    Shown shown = {0};
    bool interrupted = false;
    pthread_mutex_lock(&pool->mutex);
    while (pool->running > 0) {
        os_cond_wait_until(&pool->changed, &pool->mutex, os_now_us() + TICK_US);
        int done_nb = pool->done_nb;
        pthread_mutex_unlock(&pool->mutex);
        interrupted |= os_interrupted() ||
                       (pool->options->stop_after && done_nb - pool->resumed_nb >= pool->options->stop_after);
        if (interrupted || atomic_load(&pool->stop)) {
            atomic_store(&pool->stop, true);
            for (int i = 0; i < worker_nb; i++)
                search_stop(pool->engine[i]);
        }
        show_progress(pool, done_nb, os_now_us() - start_us, &shown);
        pthread_mutex_lock(&pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    show_progress(pool, pool->done_nb, os_now_us() - start_us, &shown);
    if (pool->options->progress && pool->options->progress_bar)
        fputc('\n', pool->options->progress);
    return interrupted && pool->done_nb < pool->job_nb;
}

static PoolResult run_workers(Pool *pool, int worker_nb)
{
    PoolWorker *worker = calloc((size_t)worker_nb, sizeof *worker);
    pool->engine = calloc((size_t)worker_nb, sizeof *pool->engine);
    bool ok = worker && pool->engine, interrupted = false;
    for (int i = 0; ok && i < worker_nb; i++) {
        pool->engine[i] = engine_new(pool->options->hash_mb);
        worker[i] = (PoolWorker){.pool = pool, .engine = pool->engine[i]};
        ok = pool->engine[i] != NULL;
    }
    if (!ok)
        fail(pool, "not enough memory for the engines: try fewer --threads or a smaller --hash");
    pool->running = ok ? worker_nb : 0;
    for (int i = 0; ok && i < worker_nb; i++) {
        worker[i].started = os_thread_start(&worker[i].thread, work, &worker[i]);
        if (!worker[i].started) {
            fail(pool, "the system gives no more threads: try fewer --threads");
            pthread_mutex_lock(&pool->mutex);
            pool->running--;
            pthread_mutex_unlock(&pool->mutex);
        }
    }
    if (ok)
        interrupted = watch(pool, worker_nb);
    for (int i = 0; worker && i < worker_nb; i++)
        if (worker[i].started)
            os_thread_join(worker[i].thread);
    for (int i = 0; pool->engine && i < worker_nb; i++)
        if (pool->engine[i])
            engine_free(pool->engine[i]);
    free(pool->engine);
    free(worker);
    return pool->failed ? POOL_FAILED : interrupted ? POOL_INTERRUPTED : POOL_DONE;
}

// ---- all of it ----------------------------------------------------------------------------------
static PoolResult search_all(Pool *pool, Message *message)
{
    const PoolOptions *options = pool->options;
    Message note = {0};
    if (!collect_jobs(pool)) {
        message_set(message, "not enough memory for the positions");
        return POOL_FAILED;
    }
    if (options->state_path && !journal_read(options->state_path, resume_job, pool, message))
        return POOL_FAILED;
    if (pool->resumed_nb && options->progress)
        fprintf(options->progress, "going on: %d of %d positions were searched before\n", pool->resumed_nb,
                pool->job_nb);
    if (!pool->resumed_nb && pool->foreign_nb && options->progress)
        fprintf(options->progress, "note: '%s' is of other settings or other games: starting over\n",
                options->state_path);
    if (pool->done_nb == pool->job_nb)
        return POOL_DONE;
    pool->journaling = options->state_path && journal_open(&pool->journal, options->state_path, &note);
    if (note.text[0] && options->progress)
        fprintf(options->progress, "note: %s; an interrupted run will have to start again\n", note.text);
    PoolResult result = run_workers(pool, clamp_int(options->threads, 1, pool->job_nb - pool->done_nb));
    journal_close(&pool->journal);
    if (result == POOL_FAILED)
        *message = pool->message;
    else if (result == POOL_INTERRUPTED)
        message_set(message, "interrupted after %d of %d positions%s", pool->done_nb, pool->job_nb,
                    pool->journaling ? ": run the same command again to go on" : "");
    return result;
}

PoolResult evaluate_run(Analysis *analysis, const PoolOptions *options, Message *message)
{
    Pool pool = {.analysis = analysis, .options = options};
    pthread_mutex_init(&pool.mutex, NULL);
    os_cond_init(&pool.changed);
    PoolResult result = search_all(&pool, message);
    pthread_cond_destroy(&pool.changed);
    pthread_mutex_destroy(&pool.mutex);
    free(pool.job);
    free(pool.slot);
    return result;
}

void evaluate_forget(const PoolOptions *options)
{
    if (options->state_path && os_has_file(options->state_path)) // no device and no folder, whoever runs this
        remove(options->state_path);
}
