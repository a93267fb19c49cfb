// SPDX-License-Identifier: GPL-3.0-or-later
// Looking after files of packed games: what is in them, whether they are whole, putting them together in
// order or at random, their positions as text, and the fit of the win/draw/loss curve.
#include <stdlib.h>

#include "base/cli.h"
#include "base/language.h"
#include "train/archive.h"
#include "train/train.h"
#include "train/wdlfit.h"

typedef struct DataJob {
    CliFiles files;
    const char *out;
    i64 seed, limit;
} DataJob;

// ---- files in -----------------------------------------------------------------------------------

static const CliCommand COMMAND;

// On failure says why.
static bool open_files(Archive *archive, const CliFiles *files)
{
    Message message = {""};
    if (archive_open(archive, files, &message))
        return true;
    cli_failed(&COMMAND, message.text);
    return false;
}

static int compare_checksums(const void *a, const void *b)
{
    u64 x = ((const PackedGame *)a)->checksum, y = ((const PackedGame *)b)->checksum;
    return (x > y) - (x < y);
}

static i64 count_copies(const Archive *archive)
{
    PackedGame *sorted = malloc((size_t)(archive->nb + 1) * sizeof *sorted);
    i64 copies = 0;
    if (!sorted)
        return 0;
    memcpy(sorted, archive->game, (size_t)archive->nb * sizeof *sorted);
    qsort(sorted, (size_t)archive->nb, sizeof *sorted, compare_checksums);
    for (i64 i = 1; i < archive->nb; i++)
        copies += sorted[i].checksum == sorted[i - 1].checksum;
    free(sorted);
    return copies;
}

// ---- info and check -----------------------------------------------------------------------------

enum { HISTOGRAM_STEP = 100, HISTOGRAM_BARS = 21 }; // -1000 and less .. 1000 and more

typedef struct DataSummary {
    i64 games, positions, samples, illegal, results[RESULT_NB], ends[PACKED_END_NB], skipped[4],
        bars[HISTOGRAM_BARS], plies;
} DataSummary;

static void summarise(DataSummary *sum, const PackedGame *game, const SampleFilter *filter)
{
    Replay replay;
    sum->games++;
    sum->results[game->result]++;
    sum->ends[game->end]++;
    if (!replay_check(game) || !replay_start(&replay, game)) {
        sum->illegal++;
        return;
    }
    sum->positions += game->move_nb;
    for (; replay.index < game->move_nb; replay_step(&replay)) {
        unsigned skip = replay_skip(&replay, filter);
        sum->samples += skip == 0;
        for (int i = 0; i < 4; i++)
            sum->skipped[i] += skip >> i & 1;
        int score = clamp_int(packed_score(game, replay.index), -1000, 1000);
        sum->bars[(score + 1000 + HISTOGRAM_STEP / 2) / HISTOGRAM_STEP]++;
    }
}

static double percent(i64 part, i64 whole) { return 100.0 * (double)part / (double)max_i64(whole, 1); }

static void print_histogram(const DataSummary *sum)
{
    i64 most = 1;
    for (int i = 0; i < HISTOGRAM_BARS; i++)
        most = max_i64(most, sum->bars[i]);
    printf("%s", said("scores, side to move's view:\n"));
    for (int i = 0; i < HISTOGRAM_BARS; i++) {
        printf("%s%6d %10lld ",
               i == 0                    ? "<="
               : i == HISTOGRAM_BARS - 1 ? ">="
                                         : "  ",
               (i - HISTOGRAM_BARS / 2) * HISTOGRAM_STEP, (long long)sum->bars[i]);
        for (i64 bar = 0; bar < 50 * sum->bars[i] / most; bar++)
            putchar('#');
        printf("\n");
    }
}

static int data_info(const DataJob *job)
{
    Archive archive = {0};
    DataSummary sum = {0};
    SampleFilter filter = sample_filter_default();
    bool ok = open_files(&archive, &job->files);
    for (i64 i = 0; ok && i < archive.nb; i++)
        summarise(&sum, &archive.game[i], &filter);
    if (ok) {
        printf(said("%lld games, %lld positions, %.1f plies a game, %lld games are copies of others\n"),
               (long long)sum.games, (long long)sum.positions,
               (double)sum.positions / (double)max_i64(sum.games, 1), (long long)count_copies(&archive));
        printf(said("first side won %.1f%%, drawn %.1f%%, lost %.1f%%\n"),
               percent(sum.results[RESULT_FIRST_WINS], sum.games),
               percent(sum.results[RESULT_DRAW], sum.games),
               percent(sum.results[RESULT_SECOND_WINS], sum.games));
        printf(
            said("ended by the rules %.1f%%, by a winning score %.1f%%, by a level score %.1f%%, by length "
                 "%.1f%%\n"),
            percent(sum.ends[END_RULES], sum.games), percent(sum.ends[END_WIN_SCORE], sum.games),
            percent(sum.ends[END_DRAW_SCORE], sum.games), percent(sum.ends[END_LENGTH], sum.games));
        printf(said("%lld positions to train on (%.1f%%); left out: %lld in check, %lld with a noisy move, "
                    "%lld by score\n"),
               (long long)sum.samples, percent(sum.samples, sum.positions), (long long)sum.skipped[0],
               (long long)sum.skipped[1], (long long)sum.skipped[2]);
        printf(said("damaged: %lld places, %llu bytes; %lld games with illegal moves\n"),
               (long long)archive.damaged_places, (unsigned long long)archive.damaged_bytes,
               (long long)sum.illegal);
        if (archive.players.len)
            printf(said("players:%.*s\n"), (int)archive.players.len - 1, archive.players.ptr);
        print_histogram(&sum);
    }
    archive_close(&archive);
    return ok ? EXIT_DONE : EXIT_FAILED;
}

static bool check_file(const char *path)
{
    Archive archive = {0};
    CliFiles one = {.path = {path}, .nb = 1};
    i64 illegal = 0, positions = 0;
    bool ok = open_files(&archive, &one);
    for (i64 i = 0; ok && i < archive.nb; i++) {
        bool legal = replay_check(&archive.game[i]);
        illegal += !legal;
        positions += legal ? archive.game[i].move_nb : 0;
    }
    if (ok)
        printf(said("%s: %s: %lld games, %lld positions, %lld damaged places (%llu bytes), %lld games with "
                    "illegal moves\n"),
               message_of(path).text, said(archive.damaged_places || illegal ? "DAMAGED" : "ok"),
               (long long)(archive.nb - illegal), (long long)positions, (long long)archive.damaged_places,
               (unsigned long long)archive.damaged_bytes, (long long)illegal);
    ok = ok && !archive.damaged_places && !illegal;
    archive_close(&archive);
    return ok;
}

static int data_check(const DataJob *job)
{
    bool ok = true;
    for (int i = 0; i < job->files.nb; i++)
        ok &= check_file(job->files.path[i]);
    return ok ? EXIT_DONE : EXIT_FAILED;
}

// ---- files out ----------------------------------------------------------------------------------

// Writes the archive's whole games in their present order, numbered anew, and closes it. The files read may
// be among those written, but not everywhere while they are read.
static bool archive_write(Archive *archive, const char *path, Message *message)
{
    OutFile out;
    if (!os_out_open(&out, path, message))
        return false;
    bool ok = packed_write_header(out.stream, (RunId){0});
    u64 number = 0;
    for (i64 i = 0; ok && i < archive->nb; i++)
        if (replay_check(&archive->game[i]))
            ok = packed_copy(out.stream, &archive->game[i], number++);
    archive_close(archive);
    if (!os_out_close(&out, ok, message))
        return false;
    printf(said("%s: %llu games\n"), message_of(path).text, (unsigned long long)number);
    return true;
}

static void shuffle_games(Archive *archive, u64 seed)
{
    Rng rng = {hash_mix(seed)};
    for (i64 i = archive->nb - 1; i > 0; i--) {
        i64 j = rng_below(&rng, (u32)(i + 1));
        PackedGame other = archive->game[j];
        archive->game[j] = archive->game[i];
        archive->game[i] = other;
    }
}

static int data_rewrite(const DataJob *job, bool shuffled)
{
    Archive archive = {0};
    Message message = {""};
    bool ok = open_files(&archive, &job->files);
    if (ok && shuffled)
        shuffle_games(&archive, (u64)job->seed);
    if (ok && !archive_write(&archive, job->out, &message)) {
        fprintf(stderr, "%s\n", message.text);
        ok = false;
    }
    archive_close(&archive);
    return ok ? EXIT_DONE : EXIT_FAILED;
}

static int data_shuffle(const DataJob *job) { return data_rewrite(job, true); }
static int data_merge(const DataJob *job) { return data_rewrite(job, false); }

// ---- text and curve -----------------------------------------------------------------------------

// One line a position to train on: position | score | result, both from the first side's view.
static int data_text(const DataJob *job)
{
    Archive archive = {0};
    SampleFilter filter = sample_filter_default();
    i64 printed = 0;
    bool ok = open_files(&archive, &job->files);
    for (i64 i = 0; ok && i < archive.nb; i++) {
        Replay replay;
        if (!replay_check(&archive.game[i]) || !replay_start(&replay, &archive.game[i]))
            continue;
        for (; replay.index < replay.game.move_nb && (!job->limit || printed < job->limit);
             replay_step(&replay)) {
            if (replay_skip(&replay, &filter) != 0)
                continue;
            char text[TEXT_MAX];
            int score = packed_score(&replay.game, replay.index);
            pos_print(&replay.pos, text);
            printf("%s | %d | %.1f\n", text, pos_side(&replay.pos) == 0 ? score : -score,
                   result_points(replay.game.result, 0) / 2.0);
            printed++;
        }
    }
    archive_close(&archive);
    return ok ? EXIT_DONE : EXIT_FAILED;
}

static void print_fit(const WdlCounts *counts, const WdlFit *fit)
{
    printf(said("%lld positions, mean negative log likelihood %.5f\n"), (long long)counts->total, fit->loss);
    printf(said("centre at phase 0 and 256, width at phase 0 and 256:\n{{%.1f, %.1f}, {%.1f, %.1f}}\n"),
           fit->centre[0], fit->centre[1], fit->width[0], fit->width[1]);
    printf("%s", said("phase  score  counted  won  drawn  lost   model: won  drawn  lost (percent)\n"));
    for (int phase = 2; phase < WDL_PHASES; phase += 6)
        for (int score = -300; score <= 300; score += 100) {
            const i64 *count = counts->count[phase][(score + WDL_SCORE_MAX + WDL_STEP / 2) / WDL_STEP];
            i64 all = count[0] + count[1] + count[2];
            double chance[POINTS_NB];
            wdl_chances(fit, score, phase * 16, chance);
            if (all)
                printf("%5d %6d %8lld %5.1f %5.1f %5.1f        %5.1f %5.1f %5.1f\n", phase * 16, score,
                       (long long)all, percent(count[POINTS_WIN], all), percent(count[POINTS_DRAW], all),
                       percent(count[POINTS_LOSS], all), 100 * chance[POINTS_WIN], 100 * chance[POINTS_DRAW],
                       100 * chance[POINTS_LOSS]);
        }
}

static int data_wdl(const DataJob *job)
{
    Archive archive = {0};
    WdlCounts *counts = calloc(1, sizeof *counts);
    bool ok = counts && open_files(&archive, &job->files);
    for (i64 i = 0; ok && i < archive.nb; i++)
        wdl_count_game(counts, &archive.game[i]);
    if (ok) {
        WdlFit fit = wdl_fit(counts);
        print_fit(counts, &fit);
    }
    archive_close(&archive);
    free(counts);
    return ok ? EXIT_DONE : EXIT_FAILED;
}

// ---- the command --------------------------------------------------------------------------------

static const CliOption OPTIONS[] = {
    {"out", 0, CLI_TEXT, offsetof(DataJob, out), 0, 0, "FILE", "file to write", NULL},
    {"seed", 0, CLI_I64, offsetof(DataJob, seed), 0, 9e15, "N", "of the random order", NULL},
    {"limit", 0, CLI_I64, offsetof(DataJob, limit), 0, 1e15, "N", "lines of text at most; 0: all", NULL},
};
static const CliCommand COMMAND = {
    .name = "twofold-" GAME_NAME " data",
    .about = "Usage: twofold-" GAME_NAME " data COMMAND [OPTIONS] FILE..\n"
             "Looks after files of packed games. Damaged and illegal games are left out of what is written.\n"
             "  info FILE..                 games, positions, results, scores, what training leaves out\n"
             "  check FILE..                checksums and a replay of every move; exit code 1 when something "
             "is wrong\n"
             "  shuffle --out FILE FILE..   all games in random order\n"
             "  merge --out FILE FILE..     all games, one file after the other\n"
             "  text FILE..                 positions to train on as text: position | score | result\n"
             "  wdl FILE..                  fit of the win/draw/loss curve",
    .table = &(const CliTable){OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0]},
    .table_nb = 1,
    .operand_max = CLI_FILES_MAX,
    .speaks = true,
};

int train_data_main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(const DataJob *job);
        bool writes;
    } TOOLS[] = {{"info", data_info, false},  {"check", data_check, false}, {"shuffle", data_shuffle, true},
                 {"merge", data_merge, true}, {"text", data_text, false},   {"wdl", data_wdl, false}};
    DataJob job = {.seed = 1};
    int tool = -1, code;
    for (int i = 0; argc > 1 && i < (int)(sizeof TOOLS / sizeof TOOLS[0]); i++)
        if (strcmp(argv[1], TOOLS[i].name) == 0)
            tool = i;
    bool is_named = tool >= 0;
    if (!cli_read(&COMMAND, argc - is_named, argv + is_named, &job, &job.files, &code))
        return code;
    if (!is_named)
        return cli_misused(&COMMAND, "expected one of info, check, shuffle, merge, text and wdl first");
    if (job.files.nb == 0)
        return cli_misused(&COMMAND, "the files to read are missing");
    if (TOOLS[tool].writes && !job.out)
        return cli_misused(&COMMAND, "the file to write is missing: --out FILE");
    return TOOLS[tool].run(&job);
}
