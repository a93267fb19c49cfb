// SPDX-License-Identifier: GPL-3.0-or-later
// ablate: what each technique is worth. For every switch among the parameters (range 0 to 1), the search as it is plays
// pairs against itself with that one switch the other way. Finished pairs go to an append-only file, so it can be
// stopped and gone on with.
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lab/lab.h"
#include "lab/selfplay.h"
#include "lab/stats.h"

enum { EXIT_DONE, EXIT_OPEN = 2, EXIT_ERROR };
enum { SWITCHES_MAX = 256 };

typedef struct AblateOptions {
    SelfplayOptions selfplay;
    const char *params, *state_file, *table_file;
    i64 games;
    bool help, quiet;
} AblateOptions;

typedef struct Switch {
    int param, def;
    Tally tally; // of the search as it is
    i8 *points;  // by pair; -1 when not played
} Switch;

typedef struct Ablate {
    AblateOptions options;
    i64 pairs;
    int switch_nb;
    Mutex mutex; // guards what follows
    Switch list[SWITCHES_MAX];
    FILE *state;
    i64 done, start_done, start_us, shown_us;
} Ablate;

static const Flag FLAGS[] = {
    {"--params", "LIST",
     "switches: names, with * at their end for all that begin so, and commas between (default: all)", FLAG_TEXT,
     offsetof(AblateOptions, params), 0, 0, NULL},
    {"--games", "N", "for each switch (default 400)", FLAG_LONG, offsetof(AblateOptions, games), 2, 1e7, NULL},
    {"--state", "FILE", "remembers finished pairs, and goes on from them", FLAG_TEXT,
     offsetof(AblateOptions, state_file), 0, 0, NULL},
    {"--table", "FILE", "writes the table there too (Markdown)", FLAG_TEXT, offsetof(AblateOptions, table_file), 0, 0,
     NULL},
    {"--nodes", "N", "a move (default 5000)", FLAG_LONG, offsetof(AblateOptions, selfplay.nodes), 0, 1e9, NULL},
    {"--st", "TIME", "a move, with --nodes 0", FLAG_TIME, offsetof(AblateOptions, selfplay.move_time_ms), 0, 0, NULL},
    {"--threads", "N", "games at once (default 1)", FLAG_INT, offsetof(AblateOptions, selfplay.threads), 1,
     CONCURRENCY_MAX, NULL},
    {"--hash", "MB", "of each engine (default 4)", FLAG_INT, offsetof(AblateOptions, selfplay.hash_mb), 1, 65536, NULL},
    {"--openings", "FILE", "as for match; without it random ones", FLAG_TEXT,
     offsetof(AblateOptions, selfplay.openings.file), 0, 0, NULL},
    {"--random-plies", "N", "(default 8)", FLAG_INT, offsetof(AblateOptions, selfplay.openings.random_plies), 0,
     OPENING_PLIES_MAX, NULL},
    {"--seed", "N", "of the openings (default 1)", FLAG_LONG, offsetof(AblateOptions, selfplay.openings.seed), 0, 9e18,
     NULL},
    {"--quiet", NULL, "no progress", FLAG_SWITCH, offsetof(AblateOptions, quiet), 0, 0, NULL},
    {"--help", NULL, "this text", FLAG_SWITCH, offsetof(AblateOptions, help), 0, 0, NULL},
};
enum { FLAG_NB = sizeof FLAGS / sizeof FLAGS[0] };

static void count_pair(Ablate *ablate, Switch *which, i64 pair, int points)
{
    which->points[pair] = (i8)points;
    which->tally.pair[points]++;
    ablate->done++;
}

// ---- the state file -------------------------------------------------------------------------------------------------
static void print_head(const AblateOptions *options, Text *out)
{
    const OpeningOptions *o = &options->selfplay.openings;
    text_add(out, "# twofold-%s ablate: nodes %llu, %lld ms a move, hash %d, openings %s, plies %d, seed %llu\n",
             GAME_NAME, (unsigned long long)options->selfplay.nodes, (long long)options->selfplay.move_time_ms,
             options->selfplay.hash_mb, o->file ? o->file : "random", o->random_plies, (unsigned long long)o->seed);
}

static void load_line(Ablate *ablate, Span line)
{
    Span name = span_word(&line);
    int param = param_find(name);
    i64 pair, points;
    if (!span_int(span_word(&line), 0, ablate->pairs - 1, &pair) ||
        !span_int(span_word(&line), 0, PAIR_NB - 1, &points))
        return;
    for (int i = 0; i < ablate->switch_nb; i++)
        if (ablate->list[i].param == param && ablate->list[i].points[pair] < 0)
            count_pair(ablate, &ablate->list[i], pair, (int)points);
}

// Lines without their end were being written when the program died: those pairs are played again.
static bool open_state(Ablate *ablate, Message *error)
{
    const char *path = ablate->options.state_file;
    Text text = {0}, head = {0};
    bool ok = true, has_tail = false;
    if (!path)
        return true;
    print_head(&ablate->options, &head);
    FILE *old = fopen(path, "rb");
    if (old) {
        fclose(old);
        ok = text_read_file(&text, path, (size_t)1 << 30, error);
        if (ok && text.len && !span_starts(text_span(&text), head.ptr))
            ok = message_set(error, "'%s' was played under other conditions", path);
        Span rest = text_span(&text), line;
        while (ok && span_line(&rest, &line))
            if (line.ptr + line.len < text.ptr + text.len)
                load_line(ablate, line);
        has_tail = text.len && text.ptr[text.len - 1] != '\n';
    }
    if (ok && !(ablate->state = fopen(path, "ab")))
        ok = message_set(error, "cannot write '%s': %s", path, strerror(errno));
    if (ok)
        fputs(text.len == 0 ? head.ptr : has_tail ? "\n" : "", ablate->state);
    text_free(&text);
    text_free(&head);
    return ok;
}

// ---- the games ------------------------------------------------------------------------------------------------------
static bool play_one(void *context, Duel *duel, i64 index, Message *error)
{
    // Pair by pair through all switches, so that an interrupted run knows something about each.
    Ablate *ablate = context;
    Switch *which = &ablate->list[index % ablate->switch_nb];
    i64 pair = index / ablate->switch_nb;
    pthread_mutex_lock(&ablate->mutex);
    bool is_done = which->points[pair] >= 0;
    pthread_mutex_unlock(&ablate->mutex);
    if (is_done)
        return true;
    if (!param_set(duel->engine[1], which->param, !which->def))
        return message_set(error, "cannot set %s", param_name(which->param));
    int points = duel_pair(duel, pair, error);
    param_set(duel->engine[1], which->param, which->def);
    if (points < 0)
        return false;
    pthread_mutex_lock(&ablate->mutex);
    count_pair(ablate, which, pair, points);
    bool ok = !ablate->state ||
              (fprintf(ablate->state, "%s %lld %d\n", param_name(which->param), (long long)pair, points) > 0 &&
               fflush(ablate->state) == 0);
    pthread_mutex_unlock(&ablate->mutex);
    return ok || message_set(error, "cannot write '%s': %s", ablate->options.state_file, strerror(errno));
}

static void show_progress(void *context)
{
    Ablate *ablate = context;
    bool redraw = os_is_terminal(1);
    if (ablate->options.quiet || os_now_us() - ablate->shown_us < (redraw ? 250000 : 30000000))
        return;
    pthread_mutex_lock(&ablate->mutex);
    i64 all = ablate->pairs * ablate->switch_nb;
    double seconds = (double)(os_now_us() - ablate->start_us) / 1e6,
           rate = (double)(ablate->done - ablate->start_done) / (seconds + 1e-9);
    i64 left_s = rate > 0 ? (i64)((double)(all - ablate->done) / rate) : 0;
    printf("%s%lld/%lld pairs of %d switches  %.1f pairs/s  ETA %lld:%02lld:%02lld%s", redraw ? "\r\033[K" : "",
           (long long)ablate->done, (long long)all, ablate->switch_nb, rate, (long long)(left_s / 3600),
           (long long)(left_s / 60 % 60), (long long)(left_s % 60), redraw ? "" : "\n");
    fflush(stdout);
    pthread_mutex_unlock(&ablate->mutex);
    ablate->shown_us = os_now_us();
}

// ---- the table ------------------------------------------------------------------------------------------------------
static int by_worth(const void *a, const void *b)
{
    double x = estimate_pairs(&((const Switch *)a)->tally).elo, y = estimate_pairs(&((const Switch *)b)->tally).elo;
    return x < y ? 1 : x > y ? -1 : ((const Switch *)a)->param - ((const Switch *)b)->param;
}

static void print_table(Ablate *ablate, Text *out)
{
    const SelfplayOptions *selfplay = &ablate->options.selfplay;
    qsort(ablate->list, (size_t)ablate->switch_nb, sizeof ablate->list[0], by_worth);
    text_add(
        out,
        "Worth of each technique in %s: Elo of the search as it is over the same with this switch the other way, at ",
        GAME_NAME);
    if (selfplay->nodes)
        text_add(out, "%llu nodes a move\n\n", (unsigned long long)selfplay->nodes);
    else
        text_add(out, "%lld ms a move\n\n", (long long)selfplay->move_time_ms);
    text_add(out, "| switch | default | games | Elo | +- | pairs 0 to 2 points |\n|---|---|---|---|---|---|\n");
    for (int i = 0; i < ablate->switch_nb; i++) {
        const Switch *which = &ablate->list[i];
        const i64 *p = which->tally.pair;
        Estimate e = estimate_pairs(&which->tally);
        text_add(out, "| %s | %s | %lld | ", param_name(which->param), which->def ? "on" : "off",
                 (long long)(2 * tally_pairs(&which->tally)));
        text_add(out, isfinite(e.elo) ? "%+.1f | " : "%+f | ", e.elo);
        text_add(out, isfinite(e.elo_error) ? "%.1f | " : "%f | ", e.elo_error);
        text_add(out, "%lld %lld %lld %lld %lld |\n", (long long)p[0], (long long)p[1], (long long)p[2],
                 (long long)p[3], (long long)p[4]);
    }
}

// ---- the whole ------------------------------------------------------------------------------------------------------
static bool ablate_open(Ablate *ablate, Message *error)
{
    const AblateOptions *options = &ablate->options;
    ablate->pairs = (options->games + 1) / 2;
    if (!options->selfplay.nodes && !options->selfplay.move_time_ms)
        return message_set(error, "give --nodes or --st");
    if (!params_can_change(error))
        return false;
    for (int i = 0; i < param_count() && ablate->switch_nb < SWITCHES_MAX; i++) {
        int def, min, max;
        param_range(i, &def, &min, &max);
        if (min != 0 || max != 1 || !param_matches(param_name(i), options->params, false))
            continue;
        Switch *which = &ablate->list[ablate->switch_nb++];
        *which = (Switch){.param = i, .def = def, .points = malloc((size_t)ablate->pairs)};
        if (!which->points)
            return message_set(error, "out of memory");
        memset(which->points, -1, (size_t)ablate->pairs);
    }
    if (ablate->switch_nb == 0)
        return message_set(error, "no switch is called '%s'", options->params);
    return open_state(ablate, error);
}

static int ablate_run(Ablate *ablate)
{
    Message error = {{0}};
    os_catch_interrupts();
    ablate->start_us = ablate->shown_us = os_now_us();
    ablate->start_done = ablate->done;
    bool ok = selfplay_run(&ablate->options.selfplay, ablate->pairs * ablate->switch_nb, ablate, play_one,
                           show_progress, &error);
    if (os_is_terminal(1) && !ablate->options.quiet)
        printf("\n");
    Text table = {0};
    print_table(ablate, &table);
    fputs(table.ptr ? table.ptr : "", stdout);
    if (ok && ablate->options.table_file)
        ok = os_write_file(ablate->options.table_file, table.ptr, table.len, &error);
    text_free(&table);
    if (!ok)
        fprintf(stderr, "ablate: %s\n", error.text);
    return !ok ? EXIT_ERROR : ablate->done < ablate->pairs * ablate->switch_nb ? EXIT_OPEN : EXIT_DONE;
}

static int print_help(void)
{
    Text help = {0};
    text_add(&help,
             "twofold-%s ablate [options]\nMeasures what each technique of the search is worth, by games inside the "
             "process.\n"
             "Needs a build with `make TUNE=1`.\n\n",
             GAME_NAME);
    flags_help(FLAGS, FLAG_NB, &help);
    text_add(&help, "\nExit code: 0 done; 2 interrupted; 3 error.\n");
    fputs(help.ptr ? help.ptr : "", stdout);
    text_free(&help);
    return EXIT_DONE;
}

int lab_ablate_main(int argc, char **argv)
{
    Ablate *ablate = calloc(1, sizeof *ablate);
    Message error = {"out of memory"};
    int code = EXIT_ERROR;
    if (!ablate) {
        fprintf(stderr, "ablate: %s\n", error.text);
        return code;
    }
    ablate->options = (AblateOptions){.selfplay = selfplay_options_default(), .params = "*", .games = 400};
    pthread_mutex_init(&ablate->mutex, NULL);
    bool ok = flags_read(FLAGS, FLAG_NB, argc, argv, &ablate->options, &error);
    if (ok && ablate->options.help)
        code = print_help();
    else if (ok && ablate_open(ablate, &error))
        code = ablate_run(ablate);
    else
        fprintf(stderr, "ablate: %s\n", error.text);
    for (int i = 0; i < ablate->switch_nb; i++)
        free(ablate->list[i].points);
    if (ablate->state)
        fclose(ablate->state);
    pthread_mutex_destroy(&ablate->mutex);
    free(ablate);
    return code;
}
