// SPDX-License-Identifier: GPL-3.0-or-later
// The life of an engine between searches: its options, its table, its threads with what they have learned,
// its network. What a caller asks for and can't have leaves everything as it was.
#include <stdlib.h>

#include "search/eval.h"
#include "search/worker.h"

SearchOptions search_options_default(void)
{
    return (SearchOptions){
        .multi_pv = 1,
        .move_overhead_ms = 10,
        .q_max_depth = 8,
        .q_delta = true,
        .q_delta_margin = PARAM_QDeltaMargin,
        .q_futility = true,
        .q_futility_margin = PARAM_QFutilityMargin,
        .q_extensions = true,
        .q_max_ext = 2,
        .q_tt = true,
        .q_check_plies = PARAM_QCheckPlies,
        .q_high_value = 500,
        .q_see = -70,
        .tb_depth = 1,
        .tb_men = 7,
        .tb_count_limit = true,
    };
}

Engine *engine_new(int hash_mb)
{
    Engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    engine->options = search_options_default();
    engine->param_values = params_default();
    engine->params = &engine->param_values;
    engine->net = engine->chosen_net = net_embedded();
    engine->hash_mb = hash_mb;
    engine->worker_nb = 1;
    engine->peer_depth = PEER_DEPTH_NONE;
    return engine;
}

static void worker_free(Worker *w)
{
    if (!w)
        return;
    keys_free(&w->keys);
    accumulators_free(w->acc);
    os_free_big(w->history, sizeof *w->history);
    free(w->root);
    free(w);
}

static Worker *worker_new(Engine *engine, int id)
{
    Worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->engine = engine;
    w->params = engine->params;
    w->id = id;
    w->acc = accumulators_new();
    w->history = os_alloc_big(sizeof *w->history);
    w->root = calloc(MAX_MOVES, sizeof *w->root);
    if (w->acc && w->history && w->root) {
        w->deepest = MAX_PLY; // all of it is zero, and becomes real memory when it is first used
        return w;
    }
    worker_free(w);
    return NULL;
}

void engine_free(Engine *engine)
{
    if (!engine)
        return;
    for (int i = 0; engine->worker && i < engine->worker_nb; i++)
        worker_free(engine->worker[i]);
    free(engine->worker);
    tt_free(engine->tt);
    tt_free(engine->level_tt);
    free(engine);
}

SearchOptions *engine_options(Engine *engine) { return &engine->options; }

bool engine_set_hash(Engine *engine, int mb, Message *message)
{
    // The old table's memory counts as free, where the system tells anything at all.
    i64 available_mb = os_memory_available_mb();
    if (available_mb > 0 && engine->tt)
        available_mb += engine->hash_mb;
    if (mb < 1 || (available_mb > 0 && mb > available_mb))
        return message_set(message,
                           "a hash table of %d MB can't be had (%lld MB of memory are free); keeping %d MB",
                           mb, (long long)available_mb, engine->hash_mb);
    Tt *tt = tt_new(mb, engine->params);
    if (!tt)
        return message_set(message, "a hash table of %d MB can't be had; keeping %d MB", mb, engine->hash_mb);
    tt_free(engine->tt);
    engine->tt = tt;
    engine->hash_mb = mb;
    tt_clear(tt, engine->worker_nb);
    return true;
}

int engine_hash_mb(const Engine *engine) { return engine->hash_mb; }

static bool set_workers(Engine *engine, int nb, Message *message)
{
    const i64 worker_bytes = sizeof(Worker) + sizeof(Histories) + MAX_MOVES * sizeof(RootMove);
    const i64 available_mb = os_memory_available_mb();
    int old_nb = engine->worker ? engine->worker_nb : 0, made = min_int(old_nb, nb);
    if (available_mb > 0 && (nb - made) * worker_bytes >> 20 > available_mb)
        return message_set(message, "%d threads need %lld MB more (%lld MB of memory are free); keeping %d",
                           nb, (long long)((nb - made) * worker_bytes >> 20), (long long)available_mb,
                           max_int(old_nb, 1));
    Worker **list = calloc((size_t)nb, sizeof *list);
    for (int i = 0; list && i < made; i++)
        list[i] = engine->worker[i];
    while (list && made < nb && (list[made] = worker_new(engine, made)))
        made++;
    if (!list || made < nb) {
        for (int i = old_nb; list && i < made; i++)
            worker_free(list[i]);
        free(list);
        return message_set(message, "not enough memory for %d threads; keeping %d", nb, max_int(old_nb, 1));
    }
    for (int i = nb; i < old_nb; i++)
        worker_free(engine->worker[i]);
    free(engine->worker);
    engine->worker = list;
    engine->worker_nb = nb;
    return true;
}

bool engine_set_threads(Engine *engine, int nb, Message *message)
{
    if (nb < 1)
        return message_set(message, "at least one thread is needed");
    if (nb > 1 && !os_can(OS_THREADS))
        return message_set(message, "there is only one thread here");
    return set_workers(engine, nb, message);
}

void engine_set_net(Engine *engine, const Net *net)
{
    engine->chosen_net = net;
    engine->net = engine->evaluate ? NULL : net;
    engine->network = 0;
    for (int i = 0; engine->worker && i < engine->worker_nb; i++)
        engine->worker[i]->cached_net = NULL; // another network may lie where the old one did
    engine_new_game(engine); // evaluations and corrections of the old network mean nothing now
}

const Net *engine_net(const Engine *engine) { return engine->chosen_net; }

void engine_set_evaluate(Engine *engine, EvaluateFunction evaluate, void *context)
{
    engine->evaluate = evaluate;
    engine->evaluate_context = context;
    engine_set_net(engine, engine->chosen_net);
}

void engine_evaluate_as(Engine *engine, const Engine *other)
{
    engine->chosen_net = other->chosen_net;
    engine_set_evaluate(engine, other->evaluate, other->evaluate_context);
}

bool engine_prepare(Engine *engine, Message *message)
{
    if (!engine->tt) {
        if (!(engine->tt = tt_new(engine->hash_mb, engine->params)))
            return message_set(message, "a hash table of %d MB can't be had", engine->hash_mb);
        tt_clear(engine->tt, engine->worker_nb); // touched here, not while a clock runs
    }
    return engine->worker || set_workers(engine, engine->worker_nb, message);
}

static void forget_histories(Engine *engine)
{
    for (int i = 0; engine->worker && i < engine->worker_nb; i++) {
        Worker *w = engine->worker[i];
        if (w->has_learned) // memory that nobody has touched costs nothing as long as it stays so
            history_clear(w->history);
        w->has_learned = false;
    }
}

void engine_new_game(Engine *engine)
{
    engine_clear_hash(engine);
    forget_histories(engine);
}

void engine_clear_hash(Engine *engine)
{
    if (engine->tt)
        tt_clear(engine->tt, engine->worker_nb);
}

int engine_hash_permille(const Engine *engine) { return engine->tt ? tt_permille(engine->tt) : 0; }

bool engine_hash_save(const Engine *engine, const char *path, Message *message)
{
    if (!engine->tt)
        return message_set(message, "the hash table is still empty");
    if (engine->evaluate)
        return message_set(message, "the hash table holds the scores of an evaluation that no file can name");
    if (engine->learned_elo)
        return message_set(
            message,
            "the hash table is empty, for a weaker level played last: search at full strength first");
    return tt_save(engine->tt, net_checksum(engine->net), path, message);
}

bool engine_hash_load(Engine *engine, const char *path, Message *message)
{
    if (engine->evaluate)
        return message_set(message,
                           "a hash table that was saved holds the scores of a network, which is not in use");
    if (!engine_prepare(engine, message) || !tt_load(engine->tt, net_checksum(engine->net), path, message))
        return false;
    // The next search must not empty the table for the sake of a level that played before.
    if (engine->learned_elo)
        forget_histories(engine);
    engine->learned_elo = 0;
    return true;
}

int engine_evaluate(Engine *engine, const Position *pos)
{
    int score = engine->net ? nnue_evaluate_scalar(engine->net, pos) : evaluate_without_net(engine, pos);
    return clamp_int(pos_damp(pos, score), -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}

const Counters *search_counters(const Engine *engine) { return &engine->counters; }
