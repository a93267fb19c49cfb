// SPDX-License-Identifier: GPL-3.0-or-later
// In-process games: a pair of engines per thread, jobs handed out one by one. The rules end games as
// everywhere; scores on which both sides agree end them earlier.
#include "arena/selfplay.h"

#include <stdlib.h>

enum { JUDGE_HASH_MB = 1, TICK_MS = 250 };

SelfplayOptions selfplay_options_default(void)
{
    return (SelfplayOptions){
        .nodes = 5000,
        .hash_mb = 4,
        .threads = 1,
        .adjudication = {.win_score = 1000,
                         .win_plies = 6,
                         .draw_score = 8,
                         .draw_plies = 16,
                         .draw_from_ply = 80,
                         .max_plies = 400,
                         .scores_first = true},
        .openings = {.plies = 16,
                     .random_plies = 8,
                     .even_cp = 150,
                     .even_nodes = 2000,
                     .seed = 1,
                     .rules = rules_default()},
    };
}

// ---- the command line ---------------------------------------------------------------------------
static const CliOption OPTIONS[] = {
    {"nodes", 0, CLI_I64, offsetof(SelfplayOptions, nodes), 0, 1e9, "N", "nodes a move", NULL},
    {"st", 0, CLI_TIME_MS, offsetof(SelfplayOptions, move_time_ms), 0, 0, "TIME",
     "time a move, with --nodes 0", NULL},
    {"threads", 0, CLI_INT, offsetof(SelfplayOptions, threads), 1, CONCURRENCY_MAX, "N", "games at once",
     NULL},
    {"hash", 0, CLI_INT, offsetof(SelfplayOptions, hash_mb), 1, 65536, "MB", "memory of each engine", NULL},
    {"openings", 0, CLI_TEXT, offsetof(SelfplayOptions, openings.file), 0, 0, "FILE",
     "as for match; without it random ones", NULL},
    {"random-plies", 0, CLI_INT, offsetof(SelfplayOptions, openings.random_plies), 0, OPENING_PLIES_MAX, "N",
     "random legal plies at the start of a game", NULL},
    {"seed", 0, CLI_I64, offsetof(SelfplayOptions, openings.seed), 0, 9e18, "N", "of everything random",
     NULL},
    {"quiet", 0, CLI_SWITCH, offsetof(SelfplayOptions, quiet), 0, 0, NULL, "no progress", NULL},
};

CliTable selfplay_table(void) { return (CliTable){OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0]}; }

bool selfplay_read(const CliCommand *command, int argc, char **argv, void *context, int *code)
{
    const SelfplayOptions *options = context;
    bool ok = cli_read(command, argc, argv, context, NULL, code);
    if (ok && !options->nodes && !options->move_time_ms) {
        ok = false;
        *code = cli_misused(command, "give --nodes or --st");
    }
    return ok;
}

void selfplay_progress(Progress *progress, i64 before, i64 done, i64 all, const char *what)
{
    if (!progress_is_due(progress))
        return;
    ProgressLine line = {0};
    double seconds = (double)(os_now_us() - progress->start_us) / 1e6;
    i64 left_s = progress_left_s(progress, (double)(done - before), (double)(all - done));
    char left[DURATION_MAX];
    progress_part(&line, 0, "%lld/%lld pairs", (long long)done, (long long)all);
    progress_part(&line, 1, "%s", what);
    progress_part(&line, 2, "  %.1f pairs/s", (double)(done - before) / (seconds + 1e-9));
    if (left_s >= 0) {
        duration_print(left_s, left);
        progress_part(&line, 0, "  %s left", left);
    }
    progress_show(progress, &line);
}

// ---- a game -------------------------------------------------------------------------------------
static bool is_abandoned(const Duel *duel)
{
    return atomic_load_explicit(duel->abandon, memory_order_relaxed);
}

// Half points of side 0; -1 when it was abandoned or failed.
static int duel_game(Duel *duel, Engine *const by_side[SIDE_NB], const Opening *opening, Message *error)
{
    const SelfplayOptions *options = duel->options;
    Limits limits = {.nodes = options->nodes, .move_time_ms = options->nodes ? 0 : options->move_time_ms};
    Streak streak = {0};
    Position pos;
    SearchResult result;
    if (!opening_set_up(opening, &pos, &duel->keys))
        return message_set(error, "out of memory"), -1;
    for (int s = 0; s < SIDE_NB; s++)
        engine_new_game(by_side[s]);
    for (int ply = opening->move_nb;;) {
        int side = pos_side(&pos);
        Verdict verdict = game_outcome(&pos, &duel->keys);
        if (verdict.outcome != OUTCOME_NONE)
            return result_points(result_of_outcome(verdict.outcome, side), 0);
        if (is_abandoned(duel))
            return -1;
        if (!search_to_limits(by_side[side], &pos, &duel->keys, &limits, NULL, &result, error))
            return -1;
        if (result.best == MOVE_WIN)
            return result_points(result_of_winner(side), 0);
        if (!keys_reserve(&duel->keys, 1))
            return message_set(error, "out of memory"), -1;
        Undo undo;
        keys_push(&duel->keys, &pos);
        pos_make(&pos, result.best, &undo, NULL);
        GameResult ended;
        if (adjudicate(&streak, &options->adjudication, side, result.score, ++ply, &ended) != END_NONE)
            return result_points(ended, 0);
    }
}

int duel_pair(Duel *duel, i64 pair, Message *error)
{
    Opening opening;
    int sum = 0;
    if (!openings_get(duel->openings, pair, duel->judge, &opening, error))
        return -1;
    for (int first_side = 0; first_side < SIDE_NB; first_side++) {
        Engine *by_side[SIDE_NB];
        by_side[first_side] = duel->engine[0];
        by_side[!first_side] = duel->engine[1];
        int points = duel_game(duel, by_side, &opening, error);
        if (points < 0)
            return -1;
        sum += first_side == 0 ? points : 2 - points;
    }
    return sum;
}

// ---- threads ------------------------------------------------------------------------------------
typedef struct Crew {
    const SelfplayOptions *options;
    const Openings *openings;
    void *context;
    bool (*job)(void *context, Duel *duel, i64 index, Message *error);
    i64 job_nb;
    Mutex mutex; // guards what follows
    Cond changed;
    i64 next;
    int running;
    bool failed;
    Message error;
    atomic_bool abandon;
} Crew;

static bool duel_open(Duel *duel, Crew *crew)
{
    *duel = (Duel){.options = crew->options, .openings = crew->openings, .abandon = &crew->abandon};
    duel->engine[0] = engine_new(crew->options->hash_mb);
    duel->engine[1] = engine_new(crew->options->hash_mb);
    duel->judge = engine_new(JUDGE_HASH_MB);
    // Nothing lies between the search and us: the time for a move is all for thinking.
    for (int i = 0; i < 2 && duel->engine[i]; i++)
        engine_options(duel->engine[i])->move_overhead_ms = 0;
    return duel->engine[0] && duel->engine[1] && duel->judge;
}

static void duel_close(Duel *duel)
{
    engine_free(duel->engine[0]);
    engine_free(duel->engine[1]);
    engine_free(duel->judge);
    keys_free(&duel->keys);
}

static bool take_index(Crew *crew, i64 *index)
{
    pthread_mutex_lock(&crew->mutex);
    bool any = crew->next < crew->job_nb && !atomic_load(&crew->abandon);
    *index = any ? crew->next++ : -1;
    pthread_mutex_unlock(&crew->mutex);
    return any;
}

static void *crew_member(void *argument)
{
    Crew *crew = argument;
    Duel duel;
    Message error = {"out of memory"};
    i64 index;
    bool ok = duel_open(&duel, crew);
    while (ok && take_index(crew, &index))
        ok = crew->job(crew->context, &duel, index, &error);
    duel_close(&duel);
    pthread_mutex_lock(&crew->mutex);
    if (!ok && !atomic_load(&crew->abandon)) {
        crew->failed = true;
        crew->error = error;
        atomic_store(&crew->abandon, true);
    }
    crew->running--;
    pthread_cond_signal(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

static void crew_watch(Crew *crew, void (*tick)(void *context))
{
    pthread_mutex_lock(&crew->mutex);
    while (crew->running > 0) {
        os_cond_wait_until(&crew->changed, &crew->mutex, os_now_us() + TICK_MS * 1000);
        if (os_interrupted())
            atomic_store(&crew->abandon, true);
        pthread_mutex_unlock(&crew->mutex);
        tick(crew->context);
        pthread_mutex_lock(&crew->mutex);
    }
    pthread_mutex_unlock(&crew->mutex);
}

bool selfplay_run(const SelfplayOptions *options, i64 job_nb, void *context,
                  bool (*job)(void *context, Duel *duel, i64 index, Message *error),
                  void (*tick)(void *context), Message *error)
{
    Openings openings;
    Thread thread[CONCURRENCY_MAX];
    int nb = 0;
    if (!openings_load(&openings, &options->openings, error))
        return false;
    Crew crew = {.options = options, .openings = &openings, .context = context, .job = job, .job_nb = job_nb};
    pthread_mutex_init(&crew.mutex, NULL);
    os_cond_init(&crew.changed);
    pthread_mutex_lock(&crew.mutex);
    for (; nb < min_int(options->threads, CONCURRENCY_MAX); nb++, crew.running++)
        if (!os_thread_start(&thread[nb], crew_member, &crew)) {
            message_set(&crew.error, "the system gives no more threads");
            crew.failed = true;
            atomic_store(&crew.abandon, true);
            break;
        }
    pthread_mutex_unlock(&crew.mutex);
    crew_watch(&crew, tick);
    for (int i = 0; i < nb; i++)
        os_thread_join(thread[i]);
    pthread_cond_destroy(&crew.changed);
    pthread_mutex_destroy(&crew.mutex);
    openings_free(&openings);
    if (crew.failed)
        *error = crew.error;
    return !crew.failed;
}

// ---- parameters ---------------------------------------------------------------------------------
int param_find(Span name)
{
    for (int i = 0; i < param_count(); i++)
        if (span_is(name, param_name(i)))
            return i;
    return -1;
}

bool param_matches(const char *name, const char *patterns, bool whole)
{
    while (*patterns) {
        size_t len = strcspn(patterns, ",");
        bool is_prefix = len > 0 && patterns[len - 1] == '*';
        if (is_prefix ? !whole && strncmp(name, patterns, len - 1) == 0
                      : strlen(name) == len && strncmp(name, patterns, len) == 0)
            return true;
        patterns += len + (patterns[len] == ',');
    }
    return false;
}

bool params_can_change(Message *error)
{
    Engine *engine = engine_new(1);
    bool can = engine && param_count() > 0 && param_set(engine, 0, param_get(engine, 0));
    engine_free(engine);
    return can || message_set(error, "the parameters of this build are constants: build with `make TUNE=1`");
}
