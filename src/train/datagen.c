// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play inside the process: each thread has an engine of its own and plays whole games, one search after
// the other. Game number g of a run depends on the seed, g and the settings alone, so any number of threads
// makes the same games and an interrupted run is continued by playing the numbers that are missing. A
// finished game is written at once, in whatever order games end; when all are there, the file is put into the
// order of their numbers, so that it is the same to the byte however many threads and machines played.
#include "train/datagen.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/jobs.h"
#include "base/language.h"
#include "base/progress.h"
#include "train/packed_join.h"
#include "train/train.h"

enum { SYNC_US = 30000000 }; // between two times that the file is made sure to be on the disk
// Of numbers this high there are none: more games than 10^12 can't be asked for.
static const u64 NUMBER_MAX = (u64)1 << 40;

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
// What one thread plays with: the same engine for both sides.
typedef struct Selfplayer {
    const DatagenJob *job;
    SeatEngine seat;
    Game game;
    GameDraft draft;
    u64 nodes; // of the game in play
} Selfplayer;

// The iteration that passes `nodes` is the last, and so is the node with number `hard_nodes`.
static void limit_search(Selfplayer *player, i64 nodes, i64 hard_nodes)
{
    player->seat.limits.soft_nodes = (u64)nodes;
    player->seat.limits.nodes = (u64)hard_nodes;
}

// Plays random moves from the start position; false when the game was over before it began.
static bool play_random_moves(Selfplayer *player, int plies, Rng *rng)
{
    Game *game = &player->game;
    Rules rules = rules_default();
    Position start;
    Message ignored;
    game_set(game, span_of(GAME_START), &rules, &ignored);
    if (!opening_random(game, plies, rng))
        return false;
    // The record begins here: what came before does not count for repetitions.
    game_cut_keys(game);
    if (game_verdict(game).outcome != OUTCOME_NONE || !pos_pack(&game->pos, player->draft.start))
        return false;
    // Unpacked from what the record will hold, so that a replay starts from the very same position.
    if (!pos_unpack(&start, player->draft.start, &rules))
        return false;
    game_start(game, &start);
    return true;
}

// Draws openings until one is even. What the engine learns of it stays in its table for the game.
static bool find_opening(Selfplayer *player, Rng *rng, Message *message)
{
    const PlaySettings *settings = &player->job->settings;
    Seat judge = seat_of_engine(&player->seat);
    Thought thought;
    limit_search(player, settings->even_nodes, settings->even_nodes * 10);
    while (!seat_engine_is_stopped(&player->seat)) {
        int plies = (int)settings->random_plies + (int)rng_below(rng, 2);
        if (!play_random_moves(player, plies, rng))
            continue;
        if (!judge.think(judge.self, &player->game, NULL, &thought, message))
            return false;
        player->nodes += thought.nodes;
        bool plays = thought.move != MOVE_NONE && thought.move != MOVE_WIN;
        if (plays && abs(thought.score) <= settings->even_score)
            return true;
    }
    return false;
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

static bool note_thought(void *context, const Game *game, const Thought *thought)
{
    Selfplayer *player = context;
    GameDraft *draft = &player->draft;
    player->nodes += thought->nodes;
    if (thought->move == MOVE_WIN || thought->move == MOVE_NONE)
        return true;
    assert(game->move_nb == draft->move_nb && draft->move_nb < GAME_MOVES_MAX);
    (void)game;
    draft->move[draft->move_nb] = thought->move;
    draft->score[draft->move_nb++] = (i16)thought->score;
    return true;
}

// What is handed over of a finished game; its block of the file follows.
typedef struct GameNews {
    GameResult result;
    int move_nb;
    u64 nodes;
} GameNews;

static bool play_number(void *context, void *state, i64 number, Span task, Text *result, Message *message)
{
    Selfplayer *player = state;
    const DatagenJob *job = player->job;
    Rng rng = {hash_mix(job->seed ^ hash_mix((u64)number + 1))};
    bool is_whole = rng_below(&rng, 100) < (u32)job->settings.whole_games;
    Adjudication rule = adjudication_of(&job->settings, is_whole);
    PlayHooks hooks = {.context = player, .thought = note_thought};
    GameEnd end;
    (void)context;
    (void)task;
    player->nodes = 0;
    player->draft.move_nb = 0;
    engine_new_game(player->seat.engine);
    if (!find_opening(player, &rng, message))
        return false;
    limit_search(player, job->settings.nodes, job->settings.hard_nodes);
    Seat seat = seat_of_engine(&player->seat);
    seat.new_game = NULL; // it keeps what it learned of the opening
    if (!play_game(&player->game, (Seat[SIDE_NB]){seat, seat}, NULL, &rule, &hooks, &end, message) ||
        end.kind == END_ABANDONED)
        return false;
    GameNews news = {.result = end.result, .move_nb = player->draft.move_nb, .nodes = player->nodes};
    text_add_bytes(result, (const char *)&news, sizeof news);
    packed_add(result, &player->draft, (u64)number, end.result, end.kind);
    return true;
}

static void close_player(void *state)
{
    Selfplayer *player = state;
    seat_engine_free(&player->seat);
    game_free(&player->game);
    free(player);
}

static void cancel_player(void *state) { seat_engine_stop(&((Selfplayer *)state)->seat); }

// ---- the run ------------------------------------------------------------------------------------
typedef struct Datagen {
    const DatagenJob *job;
    FILE *stream;
    u16 *length; // by game number: 1 + the moves of a game that is in the file, 0 when it is not
    u64 length_nb;
    u64 front;           // all games before it are in the file
    i64 front_positions; // and have so many positions
    u64 next_in_file;    // no game of the file has this number or a higher one
    bool is_mixed;       // the file is not in the order of the numbers
    u64 front_at_start;
    i64 games, positions, results[RESULT_NB]; // in the file
    i64 new_positions;
    u64 new_nodes;
    Progress progress;
    i64 synced_us;
} Datagen;

static void *open_player(void *context, Message *message)
{
    const DatagenJob *job = ((const Datagen *)context)->job;
    Selfplayer *player = calloc(1, sizeof *player);
    if (!player)
        return NULL;
    player->job = job;
    seat_engine_init(&player->seat, engine_new((int)job->settings.hash_mb));
    if (player->seat.engine) {
        engine_set_net(player->seat.engine, job->net);
        return player;
    }
    close_player(player);
    message_set(message, "no memory for an engine");
    return NULL;
}

// Notes a game that is in the file, behind all that were noted before it.
static bool note_game(Datagen *run, u64 number, int move_nb)
{
    if (number >= run->length_nb) {
        u64 capacity = number * 2 + 1024;
        u16 *grown = number < NUMBER_MAX ? realloc(run->length, capacity * sizeof *grown) : NULL;
        if (!grown)
            return false;
        memset(grown + run->length_nb, 0, (capacity - run->length_nb) * sizeof *grown);
        run->length = grown;
        run->length_nb = capacity;
    }
    run->is_mixed |= number < run->next_in_file;
    run->next_in_file = number + 1 > run->next_in_file ? number + 1 : run->next_in_file;
    run->length[number] = (u16)(move_nb + 1);
    run->games++;
    run->positions += move_nb;
    return true;
}

static bool has_enough(void *context)
{
    Datagen *run = context;
    const i64 wanted = run->job->positions;
    while (run->front < run->length_nb && run->length[run->front] &&
           !(wanted && run->front_positions >= wanted))
        run->front_positions += run->length[run->front++] - 1;
    return wanted && run->front_positions >= wanted;
}

static bool is_left_out(void *context, i64 number)
{
    const Datagen *run = context;
    return !shard_has(&run->job->shard, number) || ((u64)number < run->length_nb && run->length[number]);
}

static bool write_game(void *context, i64 number, Span result, Message *message)
{
    Datagen *run = context;
    GameNews news;
    memcpy(&news, result.ptr, sizeof news);
    if (fwrite(result.ptr + sizeof news, result.len - sizeof news, 1, run->stream) != 1 ||
        fflush(run->stream) != 0)
        return message_set(message, "cannot write '%s': %s", run->job->path, said(strerror(errno)));
    if (!note_game(run, (u64)number, news.move_nb))
        return message_set(message, "no memory");
    run->results[news.result]++;
    run->new_positions += news.move_nb;
    run->new_nodes += news.nodes;
    return true;
}

// The positions that are still to be made.
static double positions_left(const Datagen *run)
{
    const DatagenJob *job = run->job;
    double per_game = (double)run->positions / (double)max_i64(run->games, 1);
    double by_positions = (double)(job->positions - run->positions);
    double by_games = (double)(shard_count(&job->shard, job->games) - run->games) * per_game;
    return !job->games ? by_positions : !job->positions || by_games < by_positions ? by_games : by_positions;
}

static void show_progress(Datagen *run, int threads)
{
    Progress *progress = &run->progress;
    ProgressLine line = {0};
    double seconds = (double)(os_now_us() - progress->start_us) / 1e6;
    double share = 100.0 / (double)max_i64(run->games, 1);
    i64 left_s = progress_left_s(progress, (double)run->new_positions, positions_left(run));
    progress_part(&line, 0, "%lld games, %lld positions", (long long)run->games, (long long)run->positions);
    progress_part(&line, 1, ", %.0f positions/s", (double)run->new_positions / seconds);
    progress_part(&line, 3, ", %.0f knps a thread", (double)run->new_nodes / seconds / 1000 / threads);
    progress_part(&line, 2, ", won %.1f%% drawn %.1f%% lost %.1f%%",
                  share * (double)run->results[RESULT_FIRST_WINS], share * (double)run->results[RESULT_DRAW],
                  share * (double)run->results[RESULT_SECOND_WINS]);
    if (left_s >= 0) {
        char left[DURATION_MAX];
        duration_print(left_s, left);
        progress_part(&line, 0, ", %s left", left);
    }
    progress_show(progress, &line);
}

static void look_around(void *context, const JobProgress *jobs)
{
    Datagen *run = context;
    if (jobs->is_last || progress_is_due(&run->progress))
        show_progress(run, jobs->threads);
    if (os_now_us() - run->synced_us >= SYNC_US) {
        os_sync(run->stream);
        run->synced_us = os_now_us();
    }
}

static u64 settings_sum(const PlaySettings *settings)
{
    u64 sum = 0, words[sizeof *settings / 8];
    memcpy(words, settings, sizeof words);
    for (size_t i = 0; i < sizeof words / 8; i++)
        sum = hash_mix(sum ^ words[i]);
    return sum;
}

// What the games of a run depend on besides the seed: the settings and the whole network.
static u64 fingerprint(const DatagenJob *job)
{
    return hash_mix(settings_sum(&job->settings) ^ net_checksum(job->net));
}

static JobsEnd play_all(Datagen *run, Message *message)
{
    const DatagenJob *job = run->job;
    const JobSet set = {.context = run,
                        .threads = job->threads,
                        .job_nb = job->games ? job->games : -1,
                        .settings = hash_mix(job->seed ^ fingerprint(job)),
                        .is_done = is_left_out,
                        .take = write_game,
                        .is_enough = has_enough,
                        .tick = look_around,
                        .cancel = cancel_player,
                        .open = open_player,
                        .run = play_number,
                        .close = close_player};
    progress_start(&run->progress, job->quiet ? NULL : stdout, os_is_terminal(1), job->report_ms);
    run->synced_us = os_now_us();
    JobsEnd end = jobs_run(&set, transport_of_run(), message);
    progress_end(&run->progress);
    return end;
}

// ---- the file -----------------------------------------------------------------------------------
// The same as earlier versions noted it: of the network they saw the feature weights alone.
static u64 earlier_fingerprint(const DatagenJob *job)
{
    u64 sum = settings_sum(&job->settings);
    const i16 *weights = job->net ? job->net->feature_weight[0] : NULL;
    for (size_t i = 0; weights && i < (size_t)NET_ROWS * NET_HIDDEN; i++)
        sum = (sum ^ (u16)weights[i]) * 0x100000001B3ULL;
    return hash_mix(sum);
}

static RunId run_of(const DatagenJob *job)
{
    RunId run = {.seed = job->seed, .settings = fingerprint(job)};
    if (job->player)
        memcpy(run.player, job->player, min_i64((i64)strlen(job->player), PLAYER_NAME_MAX));
    return run;
}

// May the file that was begun like this be continued? One of an earlier version may, when what it noted fits:
// nothing speaks against it, and refusing it would waste its games.
static bool may_continue(const DatagenJob *job, const RunId *begun, Message *message)
{
    if (begun->seed == job->seed && begun->settings == fingerprint(job))
        return true;
    if (begun->seed != job->seed || begun->settings != earlier_fingerprint(job))
        return message_set(
            message, "it was made with another seed, network or other settings; give those or another file");
    if (!job->quiet)
        printf(
            said("%s: begun by an earlier version, which noted only a part of its network: continued as if "
                 "it were this one\n"),
            message_of(job->path).text);
    return true;
}

// Notes the games that are there. A last game that was cut off is left out: *size is where it began.
static bool take_stock(Datagen *run, const FileMap *map, size_t *size, Message *message)
{
    GameReader reader = {0};
    RunId found = {0};
    PackedGame game;
    if (!packed_open(&reader, map->data, map->size, &found, message) ||
        !may_continue(run->job, &found, message))
        return false;
    while (packed_next(&reader, &game)) {
        if (!note_game(run, game.number, game.move_nb))
            return message_set(message, "no memory for a game with number %llu",
                               (unsigned long long)game.number);
        run->results[game.result]++;
    }
    *size = reader.good_end;
    return true;
}

static bool open_file(Datagen *run, Message *message)
{
    const DatagenJob *job = run->job;
    FileMap map = {0};
    Message reason = {""};
    FILE *probe = os_fopen(job->path, "rb");
    bool is_new = !probe || fgetc(probe) == EOF;
    if (probe)
        fclose(probe);
    size_t size = 0;
    if (!is_new) {
        if (!os_map_file(&map, job->path, message))
            return false;
        bool ok = take_stock(run, &map, &size, &reason);
        size_t old_size = map.size;
        os_unmap_file(&map);
        if (!ok)
            return message_set(message, "%s: %s", job->path, reason.text);
        if (size < old_size && !os_truncate(job->path, (i64)size, message))
            return false;
    }
    run->stream = os_fopen(job->path, is_new ? "wb" : "ab");
    if (run->stream && (!is_new || packed_write_header(run->stream, run_of(job))))
        return true;
    return message_set(message, "cannot write '%s': %s", job->path, said(strerror(errno)));
}

// Games are in the file in the order in which they ended, and of those that were played for --positions some
// are more than was asked for. What was there before this run is never left out.
static bool put_in_order(Datagen *run, Message *message)
{
    const DatagenJob *job = run->job;
    PackedJoin joined;
    has_enough(run);
    const u64 end = !job->positions ? UINT64_MAX : (u64)max_i64((i64)run->front, (i64)run->front_at_start);
    if (!run->is_mixed && run->next_in_file <= end)
        return true;
    CliFiles file = {.nb = 1};
    file.path[0] = job->path;
    return packed_join(job->path, &file, end, &joined, message);
}

bool datagen_run(const DatagenJob *job, Message *message)
{
    Datagen run = {.job = job};
    if (transport_of_run()->rank > 0)
        return play_all(&run, message) != JOBS_FAILED;
    bool ok = open_file(&run, message);
    JobsEnd end = JOBS_FAILED;
    if (ok && !job->quiet && run.games)
        printf(said("%s: continuing after %lld games, %lld positions\n"), message_of(job->path).text,
               (long long)run.games, (long long)run.positions);
    while (run.front_at_start < run.length_nb && run.length[run.front_at_start])
        run.front_at_start++;
    if (ok)
        end = play_all(&run, message);
    ok = end != JOBS_FAILED;
    if (run.stream) {
        bool is_safe = os_sync(run.stream);
        is_safe &= fclose(run.stream) == 0;
        if (ok && !is_safe)
            ok = message_set(message, "cannot write '%s': %s", job->path, said(strerror(errno)));
    }
    if (ok && end != JOBS_INTERRUPTED)
        ok = put_in_order(&run, message);
    free(run.length);
    return ok;
}

// ---- the command --------------------------------------------------------------------------------

typedef struct DatagenLine {
    DatagenJob job;
    const char *net_path;
    i64 report_s;
} DatagenLine;

static bool set_shard(void *options, const Span *value, Message *message)
{
    return shard_read(*value, &((DatagenLine *)options)->job.shard, message);
}

static const CliOption OPTIONS[] = {
    {"out", 0, CLI_TEXT, offsetof(DatagenLine, job.path), 0, 0, "FILE",
     "file of packed games; an existing one is continued", NULL},
    {"games", 0, CLI_I64, offsetof(DatagenLine, job.games), 0, 1e12, "N",
     "games the file shall hold; 0: any number", NULL},
    {"positions", 0, CLI_I64, offsetof(DatagenLine, job.positions), 0, 1e12, "N",
     "positions the file shall hold; 0: any number", NULL},
    {"seed", 0, CLI_I64, offsetof(DatagenLine, job.seed), 0, 9e15, "N",
     "the same seed and settings give the same games", NULL},
    {"shard", 0, CLI_CALL, 0, 0, 0, "I/N",
     "of the numbers of --games only every Nth, from the Ith on: `merge` joins the files", set_shard},
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
    .speaks = true,
};

static int run_command(const DatagenJob *job)
{
    Message message = {""};
    os_catch_interrupts();
    if (transport_of_run()->rank > 0)
        return datagen_run(job, &message) ? EXIT_DONE : cli_failed(&COMMAND, message.text);
    printf(said("datagen " GAME_NAME ": %s, seed %llu, %lld nodes a move, %d thread%s\n"),
           job->net ? job->net->name : said("material alone"), (unsigned long long)job->seed,
           (long long)job->settings.nodes, job->threads, job->threads > 1 ? "s" : "");
    if (!datagen_run(job, &message))
        return cli_failed(&COMMAND, message.text);
    if (os_interrupted())
        printf("%s", said("interrupted; the same command continues\n"));
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
    if (job->shard.nb && (!job->games || job->positions))
        return cli_misused(&COMMAND, "--shard goes with --games alone: positions are counted over all games");
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
