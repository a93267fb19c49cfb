// SPDX-License-Identifier: GPL-3.0-or-later
// One search from its beginning to its result: the workers are set up, the helpers started, the best of them
// chosen. The calling thread is worker 0, which alone reads the clock and reports; the others only search and
// share what they find through the table.
#include "search/threads.h"

#include <stdlib.h>

#include "search/history.h"
#include "search/iterate.h"
#include "search/mate.h"
#include "search/ranks.h"
#include "search/report.h"
#include "search/root.h"
#include "search/worker.h"

// ---- nodes and the clock ------------------------------------------------------------------------
static u64 own_nodes(const Engine *engine)
{
    u64 sum = 0;
    for (int i = 0; i < engine->worker_nb; i++)
        sum += atomic_load_explicit(&engine->worker[i]->nodes, memory_order_relaxed);
    return sum;
}

u64 engine_nodes(const Engine *engine) { return own_nodes(engine) + peers_counts(engine).nodes; }

i64 engine_real_ms(const Engine *engine) { return (os_now_us() - engine->control->start_us) / 1000; }

i64 engine_elapsed_ms(const Engine *engine)
{
    return engine->options.node_time > 0 ? (i64)engine_nodes(engine) / engine->options.node_time
                                         : engine_real_ms(engine);
}

// Sleeps off what is too fast for the cap on speed.
static void throttle(Engine *engine)
{
    SearchControl *control = engine->control;
    i64 due_us = (i64)(own_nodes(engine) * 1000000 / (u64)engine->options.max_nps);
    while (!control_is_stopped(control)) {
        i64 ahead_us = due_us - (os_now_us() - control->start_us);
        if (ahead_us < 1000)
            break;
        os_sleep_ms(clamp_i64(ahead_us / 1000, 1, 10));
        if (control_is_late(control, engine_elapsed_ms(engine), 100))
            break;
    }
}

void worker_check_clock(Worker *w)
{
    Engine *engine = w->engine;
    const SearchEvents *events = engine->events;
    const u64 limit = engine->node_limit;
    w->clock_countdown = P(w, ClockNodes);
    if (engine->options.max_nps > 0) {
        throttle(engine);
        w->clock_countdown = (int)clamp_i64(engine->options.max_nps / 100, 1, P(w, ClockNodes));
    }
    if (limit > 0) {
        u64 nodes = engine_nodes(engine);
        if (nodes >= limit) {
            control_stop(w->control, STOP_NODES);
            return;
        }
        i64 share = max_i64((i64)(limit - nodes) / engine->worker_nb, 1); // the others take theirs meanwhile
        w->clock_countdown = (int)min_i64(share, w->clock_countdown);
    }
    // At the first node no move has been looked at yet: however late it is, the nodes to the next look are
    // worth it.
    if (w->id != 0 || w->counters.nodes <= 1)
        return;
    peers_look(w);
    control_look(w->control, engine_elapsed_ms(engine));
    if (tb_lost(engine->options.tablebase) > engine->tb_lost)
        control_stop(w->control, STOP_TB_LOST);
    if (events && events->poll && events->poll(events->context))
        control_stop(w->control, STOP_COMMAND);
}

// ---- set up -------------------------------------------------------------------------------------
// What the caller's thread does for each worker.
static bool set_up(Worker *w, const Position *pos, const KeyHistory *keys)
{
    if (!keys_copy(&w->keys, keys, MAX_PLY + 8))
        return false;
    w->control = w->engine->control;
    w->pos = *pos;
    w->root_side = pos_side(pos);
    w->draw_score = w->control->limits.draw_score[w->root_side];
    atomic_store(&w->nodes, 0);
    atomic_store(&w->tb_hits, 0);
    w->clock_countdown = 0;
    w->blind_plies = w->engine->skill.active ? SKILL_BLIND_PLIES : 0;
    w->completed_depth = w->root_depth = w->seldepth = w->null_min_ply = 0;
    w->has_proven_mate = false;
    w->score_spread = 0;
    w->root_best_nodes = 0;
    w->counters = (Counters){0};
    return true;
}

// What touches much memory: each worker does it in its own thread.
static void warm_up(Worker *w)
{
    // Only the nodes the last search touched need cleaning: short searches are many.
    int used = min_int(w->deepest + STACK_BEFORE + 6, (int)(sizeof w->stack / sizeof w->stack[0]));
    memset(w->stack, 0, (size_t)used * sizeof w->stack[0]);
    w->deepest = 0;
    for (int i = 0; i < used; i++) {
        w->stack[i].ply = i - STACK_BEFORE;
        w->stack[i].continuation = history_no_continuation(w->history);
        w->stack[i].eval = w->stack[i].raw_eval = SCORE_NONE;
    }
    if (w->engine->net) {
        (w->cached_net == w->engine->net ? nnue_begin : nnue_reset)(w->acc, &w->pos);
        w->cached_net = w->engine->net;
    }
    history_age(w);
    w->has_learned = true;
}

// ---- the vote of the threads --------------------------------------------------------------------
// A bound from an iteration cut short is no opinion: it has neither a voice in the vote nor a chance to win
// it.
static bool can_vote(const Worker *w)
{
    return w->completed_depth > 0 && w->root[0].score != -SCORE_INFINITE && w->root[0].bound == BOUND_EXACT;
}

// What is proven goes before what is thought, a proven win before all, and the shortest proof first: it was
// or will be told, and nothing longer may follow it. 0: nothing is proven.
static int proof_rank(int score)
{
    if (!score_is_mate(score))
        return 0;
    return score > 0 ? 2 * MAX_PLY - score_mate_plies(score) : MAX_PLY + score_mate_plies(score);
}

// What a thread, or another rank, has to say.
typedef struct Ballot {
    Worker *worker;       // NULL: it is another rank's
    const PeerVote *vote; // then this
    Move move;
    int score, depth;
} Ballot;

static int collect_ballots(const Engine *engine, Ballot *ballots)
{
    int nb = 0;
    for (int i = 0; i < engine->worker_nb; i++) {
        Worker *w = engine->worker[i];
        if (can_vote(w))
            ballots[nb++] = (Ballot){
                .worker = w, .move = w->root[0].move, .score = w->root[0].score, .depth = w->completed_depth};
    }
    for (int rank = 0; rank < peers_size(engine); rank++) {
        const PeerVote *vote = peers_voted(engine, rank);
        if (vote)
            ballots[nb++] =
                (Ballot){.vote = vote, .move = vote->pv[0], .score = vote->score, .depth = vote->depth};
    }
    return nb;
}

static i64 votes_for(const Engine *engine, const Ballot *ballots, int nb, Move move, int lowest)
{
    i64 votes = 0;
    for (int i = 0; i < nb; i++)
        if (ballots[i].move == move)
            votes += (i64)(ballots[i].score - lowest + P(engine, VoteBase)) * ballots[i].depth;
    return votes;
}

// The ballot that is believed most: by proof, else by score and depth. NULL: there is none.
static const Ballot *count_ballots(const Engine *engine, const Ballot *ballots, int nb)
{
    const Ballot *best = NULL;
    int lowest = SCORE_INFINITE, best_rank = 0;
    i64 best_votes = -1;
    for (int i = 0; i < nb; i++)
        lowest = min_int(lowest, ballots[i].score);
    for (int i = 0; i < nb; i++) {
        i64 votes = votes_for(engine, ballots, nb, ballots[i].move, lowest);
        int rank = proof_rank(ballots[i].score);
        if (best_votes < 0 || rank > best_rank || (rank == best_rank && votes > best_votes)) {
            best = &ballots[i];
            best_votes = votes;
            best_rank = rank;
        }
    }
    return best;
}

Worker *engine_best_worker(Engine *engine)
{
    Worker *best = engine->worker[0];
    const int voters = engine->worker_nb + peers_size(engine);
    if (voters == 1 || engine->options.multi_pv > 1 || engine->depth_limit > 0 || engine->skill.active)
        return best;
    Ballot *ballots = malloc((size_t)voters * sizeof *ballots);
    const Ballot *elected = ballots ? count_ballots(engine, ballots, collect_ballots(engine, ballots)) : NULL;
    if (elected && elected->vote)
        peers_follow(engine, elected->vote);
    else if (elected)
        best = elected->worker;
    free(ballots);
    return best;
}

// ---- the result ---------------------------------------------------------------------------------
static void fill_result(Engine *engine, Worker *w, SearchResult *result)
{
    const RootMove *rm = &w->root[0];
    int pick = engine->skill.active ? skill_pick(w) : 0;
    rm = &w->root[pick];
    result->best = rm->move;
    // Of a search cut short, a bound is no score: but for a win, what the last iteration knew is.
    const bool is_score =
        rm->score != -SCORE_INFINITE && (rm->bound == BOUND_EXACT || rm->previous_score == -SCORE_INFINITE ||
                                         (rm->bound == BOUND_LOWER && rm->score >= SCORE_TB_MIN));
    result->score = is_score ? rm->score : rm->previous_score;
    result->bound = is_score ? rm->bound : BOUND_EXACT;
    if (result->score == -SCORE_INFINITE)
        result->score = engine_evaluate(engine, &w->pos);
    result->score = reported_score(w, rm, result->score);
    result->depth = max_int(w->completed_depth, 1);
    result->seldepth = rm->seldepth;
    result->pv_nb = rm->pv_nb;
    memcpy(result->pv, rm->pv, (size_t)rm->pv_nb * sizeof(Move));
    result->ponder = rm->pv_nb > 1 ? rm->pv[1] : MOVE_NONE;
    Position after;
    if (result->ponder == MOVE_NONE && replay_line(w, rm->pv, 1, &after)) {
        TtEntry tt = tt_probe(engine->tt, pos_key(&after), 0);
        if (tt.move != MOVE_NONE && move_is_pseudo_legal(&after, tt.move) && move_is_legal(&after, tt.move))
            result->ponder = tt.move;
    }
    // The last line a listener saw must be the move that is played.
    if (!engine->reported || w->id != 0 || engine->last_best != rm->move || pick != 0) {
        RootMove line = *rm;
        line.score = result->score;
        report_line(w, &line, 1, result->depth, result->score, result->bound);
    }
}

static void sum_counters(Engine *engine)
{
    engine->counters = (Counters){0};
    for (int i = 0; i < engine->worker_nb; i++) {
#define ADD(name) engine->counters.name += engine->worker[i]->counters.name;
        SEARCH_COUNTERS(ADD)
#undef ADD
    }
}

// ---- one search ---------------------------------------------------------------------------------
static void *iterate_thread(void *argument)
{
    warm_up(argument);
    iterate(argument);
    return NULL;
}

// The solver has a mate: it is held from the start, and on a clock there is nothing more to think about.
static void begin_with_mate(Worker *w)
{
    int best = 0;
    while (!score_is_mate(w->root[best].score))
        best++;
    RootMove found = w->root[best];
    root_put_first(w, &found);
    w->proven_mate = w->last_complete = w->root[0];
    w->has_proven_mate = true;
    report_line(w, &w->root[0], 1, 1, w->root[0].score, BOUND_EXACT);
    control_proven(w->control);
}

// True when it was done before it was released.
static bool run_workers(Engine *engine)
{
    Worker *main_worker = engine->worker[0];
    const SearchEvents *events = engine->events;
    // A level plays alone: with helpers the same position would not get the same move.
    int started = 1, worker_nb = engine->skill.active ? 1 : engine->worker_nb;
    for (int i = 1; i < worker_nb; i++) {
        Worker *w = engine->worker[i];
        w->root_nb = main_worker->root_nb;
        w->root_is_partial = main_worker->root_is_partial;
        memcpy(w->root, main_worker->root, (size_t)w->root_nb * sizeof *w->root);
        if (!os_thread_start(&w->thread, iterate_thread, w))
            break;
        started++;
    }
    iterate(main_worker);
    bool waited = false;
    if (atomic_load(&engine->control->reason) != STOP_TB_LOST) {
        if (events && events->settled)
            events->settled(events->context);
        waited = control_wait_release(engine->control);
    }
    control_finish(engine->control);
    for (int i = 1; i < started; i++)
        os_thread_join(engine->worker[i]->thread);
    return waited;
}

// A position in which there is nothing to search: no legal move, or a win that is declared.
static void fill_finished(Engine *engine, const Position *pos, bool can_declare, SearchResult *result)
{
    const bool is_lost = pos_in_check(pos) || pos_no_move_outcome(pos) == OUTCOME_LOSS;
    result->waited = control_wait_release(engine->control);
    result->best = can_declare ? MOVE_WIN : MOVE_NONE;
    result->reason = can_declare ? STOP_DECLARED : STOP_NO_MOVE;
    result->score = can_declare ? SCORE_TB_WIN : is_lost ? -SCORE_MATE : SCORE_DRAW;
    result->time_ms = engine_real_ms(engine);
}

static void set_up_skill(Engine *engine, const Game *game, const Limits *limits)
{
    SkillPlan *skill = &engine->skill;
    *skill = skill_plan(limits);
    engine->depth_limit = limits->depth;
    engine->node_limit = limits->nodes;
    if (skill->active) {
        skill_look(skill, game, max_int(engine_evaluate(engine, &game->pos), pos_material(&game->pos)));
        if (limits->nodes == 0 || limits->nodes > skill->nodes)
            engine->node_limit = skill->nodes;
    }
    // What a search with errors has learned is of no use to one without, or with others.
    const int elo = skill->active ? limits->elo : 0;
    if (elo != engine->learned_elo)
        engine_new_game(engine);
    engine->learned_elo = elo;
}

// A level sees other moves at each move of the game: what it knew of the positions does not hold any more.
// True when its own, empty table has taken the place of the engine's.
static bool swap_level_tt(Engine *engine)
{
    enum { LEVEL_TT_MB = 2 };
    if (!engine->level_tt && !(engine->level_tt = tt_new(LEVEL_TT_MB, engine->params)))
        return false;
    Tt *tt = engine->tt;
    engine->tt = engine->level_tt;
    engine->level_tt = tt;
    return true;
}

// Scores from a table whose file has been cut short since may be wrong: none of them is kept.
static void drop_lost_scores(Engine *engine)
{
    tb_check_files(engine->options.tablebase);
    int lost = tb_lost(engine->options.tablebase);
    if (lost > engine->tb_lost)
        engine_new_game(engine);
    engine->tb_lost = lost;
}

// The search between control_begin and control_end.
static bool think(Engine *engine, const Game *game, SearchResult *result, Message *message)
{
    const Position *pos = &game->pos;
    drop_lost_scores(engine);
    tt_age(engine->tt);
    for (int i = 0; i < engine->worker_nb; i++)
        if (!set_up(engine->worker[i], pos, &game->keys))
            return message_set(message, "not enough memory for the game's history");
    Worker *w = engine->worker[0];
    root_set_moves(w, &engine->control->limits);
    if (engine->skill.active)
        skill_choose_root(w);
    if (w->root_nb == 0 || pos_can_declare(pos)) {
        fill_finished(engine, pos, w->root_nb > 0, result);
        return true;
    }
    warm_up(w);
    root_order_first(w);
    root_rank_by_tb(w);
    root_sort(w, 0, w->root_nb); // several lines are searched rank by rank
    if (solver_try_root(w))
        begin_with_mate(w);
    peers_begin(engine, game);
    result->waited = run_workers(engine);
    peers_end(engine);
    if (control_restart(engine->control)) {
        engine->reported = false;
        return think(engine, game, result, message); // as often as tables get lost
    }
    sum_counters(engine);
    fill_result(engine, engine_best_worker(engine), result);
    result->nodes = engine_nodes(engine);
    result->tb_hits = engine_tb_hits(engine);
    result->time_ms = engine_real_ms(engine);
    result->reason = (StopReason)atomic_load(&engine->control->reason);
    return true;
}

bool search_run(Engine *engine, const Game *game, SearchControl *control, const SearchEvents *events,
                SearchResult *result, Message *message)
{
    *result = (SearchResult){0};
    if (!engine_prepare(engine, message))
        return false;
    set_up_skill(engine, game, &control->limits);
    const bool is_level = engine->skill.active;
    if (is_level && !swap_level_tt(engine))
        return message_set(message, "not enough memory for a level's table");
    engine->control = control;
    engine->events = events;
    engine->reported = false;
    engine->last_best = MOVE_NONE;
    control_begin(control, (TimeFrame){.options = &engine->options,
                                       .params = engine->params,
                                       .side = pos_side(&game->pos),
                                       .game_ply = pos_game_ply(&game->pos)});
    if (is_level)
        tt_clear(engine->tt, 1);
    bool ok = think(engine, game, result, message);
    if (is_level)
        swap_level_tt(engine);
    control_end(control);
    engine->control = NULL;
    engine->events = NULL;
    return ok;
}

bool search_to_limits(Engine *engine, const Game *game, const Limits *limits, const SearchEvents *events,
                      SearchResult *result, Message *message)
{
    SearchControl control;
    control_init(&control, limits, 0);
    bool ok = search_run(engine, game, &control, events, result, message);
    control_free(&control);
    return ok;
}
