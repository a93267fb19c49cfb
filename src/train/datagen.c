// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play inside the process: each thread has an engine of its own and plays whole games, one search after
// the other. Game number g of a run depends on the seed, g and the settings alone, so any number of threads
// makes the same games and an interrupted run is continued by playing the numbers that are missing. A
// finished game is written at once.
#include "train/datagen.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/progress.h"
#include "search/search.h"
#include "train/train.h"

PlaySettings play_settings_default(void)
{
    return (PlaySettings){.nodes = 1500,
                          .hard_nodes = 15000,
                          .random_plies = 8,
                          .even_score = 300,
                          .even_nodes = 1000,
                          .win_score = 1500,
                          .win_plies = 6,
                          .draw_score = 10,
                          .draw_plies = 12,
                          .draw_after = 80,
                          .max_plies = 400,
                          .whole_games = 5,
                          .hash_mb = 4};
}

// ---- one game -----------------------------------------------------------------------------------

typedef struct Shared Shared;

// One thread's player.
typedef struct Player {
    Shared *shared;
    Engine *engine;
    Thread thread;
    Position pos;
    KeyHistory keys;
    Limits limits;
    SearchResult found;
    GameDraft draft;
    u64 nodes; // of the game in play
} Player;

static bool must_stop(const Shared *shared);
static const DatagenJob *job_of(const Shared *shared);

typedef enum Played { PLAYED_WHOLE, PLAYED_STOPPED, PLAYED_FAILED } Played;

static void make_move(Player *player, Move move)
{
    Undo undo;
    keys_push(&player->keys, &player->pos);
    pos_make(&player->pos, move, &undo, NULL);
}

static bool think(Player *player, i64 nodes, i64 hard_nodes, Message *message)
{
    player->limits.soft_nodes = (u64)nodes;
    player->limits.nodes = (u64)hard_nodes;
    if (!search_to_limits(player->engine, &player->pos, &player->keys, &player->limits, NULL, &player->found,
                          message))
        return false;
    player->nodes += player->found.nodes;
    return true;
}

// Plays random moves from the start position; false when the game was over before it began.
static bool play_random_moves(Player *player, int plies, Rng *rng)
{
    Rules rules = rules_default();
    Message ignored;
    pos_set(&player->pos, span_of(GAME_START), &rules, &ignored);
    player->keys.count = 0;
    for (int i = 0; i < plies; i++) {
        Move list[MAX_MOVES];
        int nb = (int)(gen_all(&player->pos, list) - list);
        if (nb == 0)
            return false;
        make_move(player, list[rng_below(rng, (u32)nb)]);
    }
    // The record begins here: what came before does not count for repetitions.
    player->keys.count = 0;
    return game_outcome(&player->pos, &player->keys).outcome == OUTCOME_NONE &&
           pos_pack(&player->pos, player->draft.start);
}

static Played find_opening(Player *player, const PlaySettings *settings, Rng *rng, Message *message)
{
    while (!must_stop(player->shared)) {
        int plies = (int)settings->random_plies + (int)rng_below(rng, 2);
        if (!play_random_moves(player, plies, rng))
            continue;
        // Unpacked from what the record will hold, so that a replay starts from the very same position.
        Rules rules = rules_default();
        if (!pos_unpack(&player->pos, player->draft.start, &rules))
            continue;
        if (!think(player, settings->even_nodes, settings->even_nodes * 10, message))
            return PLAYED_FAILED;
        bool plays = player->found.best != MOVE_NONE && player->found.best != MOVE_WIN;
        if (plays && abs(player->found.score) <= settings->even_score)
            return PLAYED_WHOLE;
    }
    return PLAYED_STOPPED;
}

// Won endings are learned by winning them: no score ends a game that is to be played whole.
static Adjudication adjudication_of(const PlaySettings *settings, bool is_whole)
{
    return (Adjudication){.win_score = (int)settings->win_score,
                          .win_plies = is_whole ? 0 : (int)settings->win_plies,
                          .draw_score = (int)settings->draw_score,
                          .draw_plies = is_whole ? 0 : (int)settings->draw_plies,
                          .draw_from_ply = (int)(settings->draw_after + 2 - settings->draw_plies),
                          .max_plies = (int)settings->max_plies,
                          .scores_first = true};
}

static Played play_game(Player *player, u64 number, GameResult *result, EndKind *end, Message *message)
{
    const DatagenJob *job = job_of(player->shared);
    const PlaySettings *settings = &job->settings;
    Rng rng = {hash_mix(job->seed ^ hash_mix(number + 1))};
    Adjudication rule = adjudication_of(settings, rng_below(&rng, 100) < (u32)settings->whole_games);
    Streak streak = {0};
    player->nodes = 0;
    player->draft.move_nb = 0;
    engine_new_game(player->engine);
    Played opening = find_opening(player, settings, &rng, message);
    if (opening != PLAYED_WHOLE)
        return opening;
    for (int ply = 0;; ply++) {
        if (must_stop(player->shared))
            return PLAYED_STOPPED;
        int side = pos_side(&player->pos);
        Verdict verdict = game_outcome(&player->pos, &player->keys);
        *end = END_RULES;
        if (verdict.outcome != OUTCOME_NONE) {
            *result = result_of_outcome(verdict.outcome, side);
            return PLAYED_WHOLE;
        }
        if (!think(player, settings->nodes, settings->hard_nodes, message))
            return PLAYED_FAILED;
        const SearchResult *found = &player->found;
        if (found->best == MOVE_WIN || found->best == MOVE_NONE) {
            *result = result_of_outcome(
                found->best == MOVE_WIN ? OUTCOME_WIN : pos_no_move_outcome(&player->pos), side);
            return PLAYED_WHOLE;
        }
        player->draft.move[ply] = found->best;
        player->draft.score[ply] = (i16)found->score;
        player->draft.move_nb = ply + 1;
        *end = adjudicate(&streak, &rule, side, found->score, ply + 1, result);
        if (*end != END_NONE)
            return PLAYED_WHOLE;
        make_move(player, found->best);
    }
}

// ---- the run ------------------------------------------------------------------------------------

struct Shared {
    const DatagenJob *job;
    FILE *stream;
    Mutex mutex; // guards all below
    Cond changed;
    u8 *is_done; // by game number: already in the file
    u64 done_capacity, next_number;
    i64 games, positions, results[RESULT_NB]; // in the file
    i64 new_positions;
    u64 new_nodes;
    int playing; // threads at work
    bool stop, failed;
    Message reason; // when failed
};

static const DatagenJob *job_of(const Shared *shared) { return shared->job; }

// Read without the lock: a stale answer costs one move.
static bool must_stop(const Shared *shared)
{
    return __atomic_load_n(&shared->stop, __ATOMIC_RELAXED) || os_interrupted();
}

static bool mark_done(Shared *shared, u64 number)
{
    if (number >= shared->done_capacity) {
        u64 capacity = number * 2 + 1024;
        u8 *grown = realloc(shared->is_done, capacity);
        if (!grown)
            return false;
        memset(grown + shared->done_capacity, 0, capacity - shared->done_capacity);
        shared->is_done = grown;
        shared->done_capacity = capacity;
    }
    shared->is_done[number] = 1;
    return true;
}

// The next number that is not in the file, or false when enough is asked for. Called with the lock held.
static bool take_number(Shared *shared, u64 *number)
{
    while (shared->next_number < shared->done_capacity && shared->is_done[shared->next_number])
        shared->next_number++;
    const DatagenJob *job = shared->job;
    if (must_stop(shared) || (job->games && shared->next_number >= (u64)job->games) ||
        (job->positions && shared->positions >= job->positions))
        return false;
    *number = shared->next_number++;
    return true;
}

static void fail(Shared *shared, const Message *reason)
{
    if (!shared->failed)
        shared->reason = *reason;
    shared->failed = true;
    __atomic_store_n(&shared->stop, true, __ATOMIC_RELAXED);
}

static void finish_game(Shared *shared, const Player *player, u64 number, GameResult result, EndKind end)
{
    Message reason;
    if (!packed_write(shared->stream, &player->draft, number, result, end)) {
        message_set(&reason, "cannot write '%s': %s", shared->job->path, strerror(errno));
        fail(shared, &reason);
        return;
    }
    shared->games++;
    shared->results[result]++;
    shared->positions += player->draft.move_nb;
    shared->new_positions += player->draft.move_nb;
    shared->new_nodes += player->nodes;
}

static void *player_loop(void *argument)
{
    Player *player = argument;
    Shared *shared = player->shared;
    u64 number;
    pthread_mutex_lock(&shared->mutex);
    while (take_number(shared, &number)) {
        pthread_mutex_unlock(&shared->mutex);
        GameResult result;
        EndKind end;
        Message message = {""};
        Played played = play_game(player, number, &result, &end, &message);
        pthread_mutex_lock(&shared->mutex);
        if (played == PLAYED_FAILED)
            fail(shared, &message);
        if (played != PLAYED_WHOLE)
            break;
        finish_game(shared, player, number, result, end);
    }
    shared->playing--;
    pthread_cond_signal(&shared->changed);
    pthread_mutex_unlock(&shared->mutex);
    return NULL;
}

// The positions that are still to be made.
static double positions_left(const Shared *shared)
{
    const DatagenJob *job = shared->job;
    double per_game = (double)shared->positions / (double)max_i64(shared->games, 1);
    double by_positions = (double)(job->positions - shared->positions);
    double by_games = (double)(job->games - shared->games) * per_game;
    return !job->games ? by_positions : !job->positions || by_games < by_positions ? by_games : by_positions;
}

static void show_progress(const Shared *shared, Progress *progress)
{
    ProgressLine line = {0};
    double seconds = (double)(os_now_us() - progress->start_us) / 1e6;
    double share = 100.0 / (double)max_i64(shared->games, 1);
    i64 left_s = progress_left_s(progress, (double)shared->new_positions, positions_left(shared));
    progress_part(&line, 0, "%" PRId64 " games, %" PRId64 " positions", shared->games, shared->positions);
    progress_part(&line, 1, ", %.0f positions/s", (double)shared->new_positions / seconds);
    progress_part(&line, 3, ", %.0f knps a thread",
                  (double)shared->new_nodes / seconds / 1000 / shared->job->threads);
    progress_part(
        &line, 2, ", won %.1f%% drawn %.1f%% lost %.1f%%", share * (double)shared->results[RESULT_FIRST_WINS],
        share * (double)shared->results[RESULT_DRAW], share * (double)shared->results[RESULT_SECOND_WINS]);
    if (left_s >= 0) {
        char left[DURATION_MAX];
        duration_print(left_s, left);
        progress_part(&line, 0, ", %s left", left);
    }
    progress_show(progress, &line);
}

// Waits until all players have stopped, telling how it goes.
static void watch(Shared *shared)
{
    Progress progress;
    progress_start(&progress, shared->job->quiet ? NULL : stdout, os_is_terminal(1), shared->job->report_ms);
    i64 synced_us = os_now_us();
    pthread_mutex_lock(&shared->mutex);
    while (shared->playing > 0) {
        os_cond_wait_until(&shared->changed, &shared->mutex, os_now_us() + 200000);
        if (progress_is_due(&progress))
            show_progress(shared, &progress);
        if (os_now_us() - synced_us >= 30000000) {
            os_sync(shared->stream);
            synced_us = os_now_us();
        }
    }
    show_progress(shared, &progress);
    progress_end(&progress);
    pthread_mutex_unlock(&shared->mutex);
}

static void player_free(Player *player)
{
    if (!player)
        return;
    engine_free(player->engine);
    keys_free(&player->keys);
    free(player);
}

static Player *player_new(Shared *shared, Message *message)
{
    const DatagenJob *job = shared->job;
    Player *player = calloc(1, sizeof *player);
    if (player)
        player->engine = engine_new((int)job->settings.hash_mb);
    if (!player || !player->engine ||
        !keys_reserve(&player->keys, (int)(job->settings.max_plies + job->settings.random_plies) + 2)) {
        message_set(message, "no memory for an engine");
        player_free(player);
        return NULL;
    }
    player->shared = shared;
    engine_set_net(player->engine, job->net);
    return player;
}

static bool play_all(Shared *shared, Message *message)
{
    const DatagenJob *job = shared->job;
    Player **players = calloc((size_t)job->threads, sizeof *players);
    int started = 0;
    bool ok = players != NULL;
    for (int i = 0; ok && i < job->threads; i++)
        ok = (players[i] = player_new(shared, message)) != NULL;
    for (; ok && started < job->threads; started++) {
        pthread_mutex_lock(&shared->mutex);
        ok = os_thread_start(&players[started]->thread, player_loop, players[started]) ||
             message_set(message, "the system gives no more threads");
        shared->playing += ok;
        pthread_mutex_unlock(&shared->mutex);
        if (!ok)
            break;
    }
    if (!ok)
        __atomic_store_n(&shared->stop, true, __ATOMIC_RELAXED);
    watch(shared);
    for (int i = 0; i < started; i++)
        os_thread_join(players[i]->thread);
    for (int i = 0; players && i < job->threads; i++)
        player_free(players[i]);
    free(players);
    if (ok && shared->failed)
        *message = shared->reason;
    return ok && !shared->failed;
}

// ---- the file -----------------------------------------------------------------------------------

static RunId run_of(const DatagenJob *job)
{
    u64 sum = 0, words[sizeof(PlaySettings) / 8];
    memcpy(words, &job->settings, sizeof words);
    for (size_t i = 0; i < sizeof words / 8; i++)
        sum = hash_mix(sum ^ words[i]);
    const i16 *weights = job->net ? job->net->feature_weight[0] : NULL;
    for (size_t i = 0; weights && i < (size_t)NET_ROWS * NET_HIDDEN; i++)
        sum = (sum ^ (u16)weights[i]) * 0x100000001B3ULL;
    RunId run = {.seed = job->seed, .settings = hash_mix(sum)};
    if (job->player)
        memcpy(run.player, job->player, min_i64((i64)strlen(job->player), PLAYER_NAME_MAX));
    return run;
}

// Notes the games that are there. A last game that was cut off is left out: *size is where it began.
static bool take_stock(Shared *shared, const FileMap *map, size_t *size, Message *message)
{
    GameReader reader = {0};
    RunId run = {0}, want = run_of(shared->job);
    PackedGame game;
    if (!packed_open(&reader, map->data, map->size, &run, message))
        return false;
    if (run.seed != want.seed || run.settings != want.settings)
        return message_set(
            message, "it was made with another seed, network or other settings; give those or another file");
    while (packed_next(&reader, &game)) {
        if (!mark_done(shared, game.number))
            return message_set(message, "no memory");
        shared->games++;
        shared->positions += game.move_nb;
        shared->results[game.result]++;
    }
    *size = reader.good_end;
    return true;
}

static bool open_file(Shared *shared, Message *message)
{
    const DatagenJob *job = shared->job;
    FileMap map = {0};
    Message reason = {""};
    FILE *probe = fopen(job->path, "rb");
    bool is_new = !probe || fgetc(probe) == EOF;
    if (probe)
        fclose(probe);
    size_t size = 0;
    if (!is_new) {
        if (!os_map_file(&map, job->path, message))
            return false;
        bool ok = take_stock(shared, &map, &size, &reason);
        size_t old_size = map.size;
        os_unmap_file(&map);
        if (!ok)
            return message_set(message, "%s: %s", job->path, reason.text);
        if (size < old_size && !os_truncate(job->path, (i64)size, message))
            return false;
    }
    shared->stream = fopen(job->path, is_new ? "wb" : "ab");
    if (!shared->stream || (is_new && !packed_write_header(shared->stream, run_of(job))))
        return message_set(message, "cannot write '%s': %s", job->path, strerror(errno));
    return true;
}

bool datagen_run(const DatagenJob *job, Message *message)
{
    Shared shared = {.job = job};
    pthread_mutex_init(&shared.mutex, NULL);
    os_cond_init(&shared.changed);
    bool ok = open_file(&shared, message);
    if (ok && !job->quiet && shared.games)
        printf("%s: continuing after %" PRId64 " games, %" PRId64 " positions\n", job->path, shared.games,
               shared.positions);
    ok = ok && play_all(&shared, message);
    if (shared.stream) {
        bool is_safe = os_sync(shared.stream);
        is_safe &= fclose(shared.stream) == 0;
        if (ok && !is_safe)
            ok = message_set(message, "cannot write '%s': %s", job->path, strerror(errno));
    }
    free(shared.is_done);
    pthread_mutex_destroy(&shared.mutex);
    pthread_cond_destroy(&shared.changed);
    return ok;
}

// ---- the command --------------------------------------------------------------------------------

typedef struct DatagenLine {
    DatagenJob job;
    const char *net_path;
    i64 report_s;
} DatagenLine;

static const CliOption OPTIONS[] = {
    {"out", 0, CLI_TEXT, offsetof(DatagenLine, job.path), 0, 0, "FILE",
     "file of packed games; an existing one is continued", NULL},
    {"games", 0, CLI_I64, offsetof(DatagenLine, job.games), 0, 1e12, "N",
     "games the file shall hold; 0: any number", NULL},
    {"positions", 0, CLI_I64, offsetof(DatagenLine, job.positions), 0, 1e12, "N",
     "positions the file shall hold; 0: any number", NULL},
    {"seed", 0, CLI_I64, offsetof(DatagenLine, job.seed), 0, 9e15, "N",
     "the same seed and settings give the same games", NULL},
    {"threads", 0, CLI_INT, offsetof(DatagenLine, job.threads), 1, 1024, "N",
     "players at work at the same time", NULL},
    {"nodes", 0, CLI_I64, offsetof(DatagenLine, job.settings.nodes), 1, 1e12, "N",
     "nodes a move: the iteration that passes this is the last", NULL},
    {"hard-nodes", 0, CLI_I64, offsetof(DatagenLine, job.settings.hard_nodes), 1, 1e12, "N",
     "nodes a move at most", NULL},
    {"net", 0, CLI_TEXT, offsetof(DatagenLine, net_path), 0, 0, "FILE",
     "network file, or 'none' for material alone; without this the built-in one", NULL},
    {"random-plies", 0, CLI_I64, offsetof(DatagenLine, job.settings.random_plies), 0, 200, "N",
     "random moves at the start; half of the games have one more", NULL},
    {"even", 0, CLI_I64, offsetof(DatagenLine, job.settings.even_score), 0, 30000, "N",
     "openings with a larger score are not played", NULL},
    {"even-nodes", 0, CLI_I64, offsetof(DatagenLine, job.settings.even_nodes), 1, 1e12, "N",
     "nodes of the search that judges the opening", NULL},
    {"win-score", 0, CLI_I64, offsetof(DatagenLine, job.settings.win_score), 1, 40000, "N",
     "a side this far ahead..", NULL},
    {"win-plies", 0, CLI_I64, offsetof(DatagenLine, job.settings.win_plies), 1, 10000, "N",
     "..for so many plies has won", NULL},
    {"draw-score", 0, CLI_I64, offsetof(DatagenLine, job.settings.draw_score), -1, 30000, "N",
     "a score this near to zero.. (-1: never)", NULL},
    {"draw-plies", 0, CLI_I64, offsetof(DatagenLine, job.settings.draw_plies), 1, 10000, "N",
     "..for so many plies..", NULL},
    {"draw-after", 0, CLI_I64, offsetof(DatagenLine, job.settings.draw_after), 0, 10000, "N",
     "..after so many is a draw", NULL},
    {"max-plies", 0, CLI_I64, offsetof(DatagenLine, job.settings.max_plies), 1, GAME_MOVES_MAX, "N",
     "a longer game is a draw", NULL},
    {"whole-games", 0, CLI_I64, offsetof(DatagenLine, job.settings.whole_games), 0, 100, "N",
     "games of a hundred that no score ends, only the rules", NULL},
    {"hash", 0, CLI_I64, offsetof(DatagenLine, job.settings.hash_mb), 1, 65536, "MB",
     "table of each player in MB", NULL},
    {"player", 0, CLI_TEXT, offsetof(DatagenLine, job.player), 0, 0, "NAME",
     "which sources play, such as a commit: up to 8 characters for the head of a new file", NULL},
    {"report", 0, CLI_I64, offsetof(DatagenLine, report_s), 1, 86400, "SECONDS",
     "seconds between two lines of progress in a log", NULL},
};
static const CliCommand COMMAND = {
    .name = "twofold-" GAME_NAME " datagen",
    .about = "Usage: twofold-" GAME_NAME " datagen --out FILE --games N [OPTIONS]\n"
             "Self-play games for training. Killed at any moment it loses at most the games in play.",
    .table = &(const CliTable){OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0]},
    .table_nb = 1,
};

static int run_command(const DatagenJob *job)
{
    Message message = {""};
    os_catch_interrupts();
    printf("datagen " GAME_NAME ": %s, seed %" PRIu64 ", %" PRId64 " nodes a move, %d thread%s\n",
           job->net ? job->net->name : "material alone", job->seed, job->settings.nodes, job->threads,
           job->threads > 1 ? "s" : "");
    if (!datagen_run(job, &message))
        return cli_failed(&COMMAND, message.text);
    if (os_interrupted())
        printf("interrupted; the same command continues\n");
    return os_interrupted() ? 128 + os_interrupted() : EXIT_DONE;
}

int train_datagen_main(int argc, char **argv)
{
    DatagenLine line = {.job = {.settings = play_settings_default(), .seed = 1, .threads = 1},
                        .report_s = 30};
    DatagenJob *job = &line.job;
    int code;
    if (!cli_read(&COMMAND, argc, argv, &line, NULL, &code))
        return code;
    if (!job->path || (!job->games && !job->positions))
        return cli_misused(&COMMAND, "--out FILE and --games N or --positions N are needed");
    if (job->player && strlen(job->player) > PLAYER_NAME_MAX)
        return cli_misused(&COMMAND, "--player takes up to 8 characters");
    job->report_ms = line.report_s * 1000;
    bool is_material = line.net_path && strcmp(line.net_path, "none") == 0;
    job->net = is_material ? NULL : net_embedded();
    if (!line.net_path || is_material)
        return run_command(job);
    Message message = {"no memory for a network"};
    Net *loaded = os_alloc_big(sizeof *loaded);
    job->net = loaded;
    code = loaded && net_load(loaded, line.net_path, &message) ? run_command(job)
                                                               : cli_failed(&COMMAND, message.text);
    if (loaded)
        os_free_big(loaded, sizeof *loaded);
    return code;
}
