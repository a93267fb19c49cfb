// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of games inside the process: two engines for each thread. The rules end games as everywhere; scores
// on which both sides agree end them earlier.
#include "arena/selfplay.h"

#include <stdlib.h>

#include "base/checksum.h"

enum { JUDGE_HASH_MB = 1 };

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
    {"threads", 0, CLI_INT, offsetof(SelfplayOptions, threads), 1, GAMES_AT_ONCE_MAX, "N", "games at once",
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

// ---- a pair -------------------------------------------------------------------------------------
bool engine_pair_play(EnginePair *engines, i64 pair, int *points, Message *message)
{
    const Selfplay *selfplay = engines->selfplay;
    *points = 0;
    if (!openings_get(&selfplay->openings, pair, engines->judge, &engines->game, message))
        return false;
    int opening_plies = engines->game.move_nb;
    for (int first_side = 0; first_side < SIDE_NB; first_side++) {
        Seat by_side[SIDE_NB];
        GameEnd end;
        by_side[first_side] = seat_of_engine(&engines->seat[0]);
        by_side[!first_side] = seat_of_engine(&engines->seat[1]);
        game_undo(&engines->game, engines->game.move_nb - opening_plies);
        if (!play_game(&engines->game, by_side, NULL, &selfplay->options->adjudication, NULL, &end,
                       message) ||
            end.kind == END_ABANDONED)
            return false;
        *points += result_points(end.result, first_side);
    }
    return true;
}

// ---- threads ------------------------------------------------------------------------------------
static void close_engines(void *state)
{
    EnginePair *engines = state;
    seat_engine_free(&engines->seat[0]);
    seat_engine_free(&engines->seat[1]);
    engine_free(engines->judge);
    game_free(&engines->game);
    free(engines);
}

static void *open_engines(void *context, Message *message)
{
    const Selfplay *selfplay = context;
    const SelfplayOptions *options = selfplay->options;
    EnginePair *engines = calloc(1, sizeof *engines);
    if (!engines)
        return NULL;
    engines->selfplay = selfplay;
    engines->judge = engine_new(JUDGE_HASH_MB);
    bool ok = engines->judge != NULL;
    for (int i = 0; i < 2; i++) {
        SeatEngine *seat = &engines->seat[i];
        seat_engine_init(seat, engine_new(options->hash_mb));
        seat->limits.nodes = options->nodes;
        seat->limits.move_time_ms = options->nodes ? 0 : options->move_time_ms;
        ok = ok && seat->engine;
        // Nothing lies between the search and us: the time for a move is all for thinking.
        if (seat->engine)
            engine_options(seat->engine)->move_overhead_ms = 0;
    }
    if (ok)
        return engines;
    close_engines(engines);
    message_set(message, "out of memory for the engines");
    return NULL;
}

static void cancel_engines(void *state)
{
    EnginePair *engines = state;
    seat_engine_stop(&engines->seat[0]);
    seat_engine_stop(&engines->seat[1]);
}

// What a pair depends on besides what the caller has put in: other ranks must have the same.
static u64 selfplay_settings(const Selfplay *selfplay, u64 sum)
{
    const SelfplayOptions *options = selfplay->options;
    const OpeningOptions *openings = &options->openings;
    const Net *net = net_embedded();
    const i64 numbers[] = {(i64)options->nodes, options->move_time_ms,
                           options->hash_mb,    selfplay->openings.count,
                           openings->plies,     openings->random_plies,
                           openings->even_cp,   (i64)openings->even_nodes,
                           (i64)openings->seed, (i64)(net ? net_checksum(net) : 0)};
    sum = checksum_add(sum, text_span(&selfplay->openings.text).ptr, selfplay->openings.text.len);
    return checksum_add(sum, numbers, sizeof numbers);
}

JobsEnd selfplay_run(Selfplay *selfplay, JobSet set, Message *message)
{
    if (!openings_load(&selfplay->openings, &selfplay->options->openings, message))
        return JOBS_FAILED;
    set.threads = selfplay->options->threads;
    set.open = open_engines;
    set.close = close_engines;
    set.cancel = cancel_engines;
    set.settings = selfplay_settings(selfplay, set.settings);
    JobsEnd end = jobs_run(&set, transport_of_run(), message);
    openings_free(&selfplay->openings);
    return end;
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
