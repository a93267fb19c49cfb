// SPDX-License-Identifier: GPL-3.0-or-later
// ablate: what each technique is worth. For every switch among the parameters (range 0 to 1), the search as
// it is plays pairs against itself with that one switch the other way. Finished pairs go to a journal, so
// that it can be stopped and continued.
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "arena/arena.h"
#include "arena/selfplay.h"
#include "arena/sprt.h"
#include "base/checksum.h"
#include "base/journal.h"
#include "base/language.h"

enum { SWITCHES_MAX = 256 };

typedef struct AblateOptions {
    SelfplayOptions selfplay; // first: selfplay_read fills both
    const char *params, *state_file, *table_file;
    i64 games;
    Sprt sprt; // of the switch the other way; in use when has_sprt
    bool has_sprt;
} AblateOptions;

typedef struct Switch {
    int param, def;
    Tally tally; // of the search as it is
    i8 *points;  // by pair; -1 when not played
} Switch;

typedef struct Ablate {
    Selfplay selfplay; // first: the context of its jobs
    AblateOptions options;
    i64 pairs;
    int switch_nb;
    Switch list[SWITCHES_MAX];
    Journal state;
    i64 done, start_done; // pairs in all; before this run
    Progress progress;
} Ablate;

static bool set_sprt(void *context, const Span *value, Message *error)
{
    AblateOptions *options = context;
    options->has_sprt = options->sprt.logistic = true;
    return sprt_read(value, &options->sprt, error);
}

static const CliOption OPTIONS[] = {
    {"params", 0, CLI_TEXT, offsetof(AblateOptions, params), 0, 0, "LIST",
     "switches: names, with * at their end for all that begin so, and commas between", NULL},
    {"games", 0, CLI_I64, offsetof(AblateOptions, games), 2, 1e7, "N", "for each switch", NULL},
    {"sprt", 0, CLI_CALL, 0, 0, 0, "ELO0 ELO1 ALPHA BETA",
     "a switch is done when its pairs accept that the other way is worth ELO1, or ELO0 (logistic)", set_sprt},
    {"state", 0, CLI_TEXT, offsetof(AblateOptions, state_file), 0, 0, "FILE",
     "remembers finished pairs, and goes on from them", NULL},
    {"table", 0, CLI_TEXT, offsetof(AblateOptions, table_file), 0, 0, "FILE",
     "writes the table there too (Markdown)", NULL},
};

static void count_pair(Ablate *ablate, Switch *which, i64 pair, int points)
{
    which->points[pair] = (i8)points;
    which->tally.pair[points]++;
    ablate->done++;
}

// ---- the state file -----------------------------------------------------------------------------
static void print_conditions(const AblateOptions *options, Text *out)
{
    const OpeningOptions *o = &options->selfplay.openings;
    text_add(out, "nodes %llu, %lld ms a move, hash %d, openings %s, plies %d, seed %llu",
             (unsigned long long)options->selfplay.nodes, (long long)options->selfplay.move_time_ms,
             options->selfplay.hash_mb, o->file ? o->file : "random", o->random_plies,
             (unsigned long long)o->seed);
}

static void load_line(void *context, Span line)
{
    Ablate *ablate = context;
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

static bool open_state(Ablate *ablate, Message *error)
{
    const char *path = ablate->options.state_file;
    Text conditions = {0};
    if (!path)
        return true;
    print_conditions(&ablate->options, &conditions);
    JournalHead head = {"twofold-" GAME_NAME " ablate 2", conditions.ptr ? conditions.ptr : ""};
    JournalFound found = journal_read(path, head, load_line, ablate, error);
    bool ok =
        (found == JOURNAL_NEW || found == JOURNAL_READ) && journal_open(&ablate->state, path, head, error);
    if (found == JOURNAL_OTHER)
        message_set(error, "'%s' was played under other conditions", path);
    text_free(&conditions);
    return ok;
}

// ---- the sequential test ------------------------------------------------------------------------
static double llr_of(const Ablate *ablate, const Switch *which)
{
    i64 other_way[PAIR_NB];
    for (int i = 0; i < PAIR_NB; i++)
        other_way[i] = which->tally.pair[PAIR_NB - 1 - i];
    return sprt_llr(&ablate->options.sprt, other_way);
}

static SprtVerdict verdict_of(const Ablate *ablate, const Switch *which)
{
    return ablate->options.has_sprt ? sprt_verdict(&ablate->options.sprt, llr_of(ablate, which))
                                    : SPRT_GOES_ON;
}

// ---- the games ----------------------------------------------------------------------------------
// Pair by pair through all switches, so that an interrupted run knows something about each.
static Switch *switch_of(Ablate *ablate, i64 index, i64 *pair)
{
    *pair = index / ablate->switch_nb;
    return &ablate->list[index % ablate->switch_nb];
}

static bool is_played(void *context, i64 index)
{
    i64 pair;
    const Switch *which = switch_of(context, index, &pair);
    return which->points[pair] >= 0 || verdict_of(context, which) != SPRT_GOES_ON;
}

static bool play_pair(void *context, void *state, i64 index, Span task, Text *result, Message *message)
{
    EnginePair *engines = state;
    i64 pair;
    const Switch *which = switch_of(context, index, &pair);
    int points;
    (void)task;
    if (!param_set(engines->seat[1].engine, which->param, !which->def))
        return message_set(message, "cannot set %s", param_name(which->param));
    bool ok = engine_pair_play(engines, pair, &points, message);
    param_set(engines->seat[1].engine, which->param, which->def);
    if (ok)
        text_add_bytes(result, (const char *)&points, sizeof points);
    return ok;
}

static bool take_pair(void *context, i64 index, Span result, Message *message)
{
    Ablate *ablate = context;
    i64 pair;
    Switch *which = switch_of(ablate, index, &pair);
    int points;
    char line[128];
    assert(result.len == sizeof points);
    memcpy(&points, result.ptr, sizeof points);
    count_pair(ablate, which, pair, points);
    snprintf(line, sizeof line, "%s %lld %d", param_name(which->param), (long long)pair, points);
    return !ablate->state.file || journal_add(&ablate->state, span_of(line)) ||
           message_set(message, "cannot write '%s': %s", ablate->options.state_file, said(strerror(errno)));
}

static void show_progress(void *context, const JobProgress *jobs)
{
    Ablate *ablate = context;
    char what[80];
    (void)jobs;
    snprintf(what, sizeof what, said(" of %d switches"), ablate->switch_nb);
    selfplay_progress(&ablate->progress, ablate->start_done, ablate->done, ablate->pairs * ablate->switch_nb,
                      what);
}

// ---- the table ----------------------------------------------------------------------------------
static int by_worth(const void *a, const void *b)
{
    double x = estimate_pairs(&((const Switch *)a)->tally).elo,
           y = estimate_pairs(&((const Switch *)b)->tally).elo;
    return x < y ? 1 : x > y ? -1 : ((const Switch *)a)->param - ((const Switch *)b)->param;
}

static const char *const VERDICTS[] = {
    [SPRT_GOES_ON] = "undecided", [SPRT_H0] = "H0: no gain", [SPRT_H1] = "H1: a gain"};

// In the language of whoever reads it: a file has it in English.
static void print_table(Ablate *ablate, Language in, Text *out)
{
    const SelfplayOptions *selfplay = &ablate->options.selfplay;
    qsort(ablate->list, (size_t)ablate->switch_nb, sizeof ablate->list[0], by_worth);
    if (selfplay->nodes)
        text_add(out,
                 said_in(in, "Worth of each technique in " GAME_NAME ": Elo of the search as it is over the "
                             "same with this switch the other way, at %llu nodes a move\n\n"),
                 (unsigned long long)selfplay->nodes);
    else
        text_add(out,
                 said_in(in, "Worth of each technique in " GAME_NAME ": Elo of the search as it is over the "
                             "same with this switch the other way, at %lld ms a move\n\n"),
                 (long long)selfplay->move_time_ms);
    const bool tested = ablate->options.has_sprt;
    text_add(out, "%s%s\n|---|---|---|---|---|---|%s\n",
             said_in(in, "| switch | default | games | Elo | +- | pairs 0 to 2 points |"),
             tested ? said_in(in, " the other way |") : "", tested ? "---|" : "");
    for (int i = 0; i < ablate->switch_nb; i++) {
        const Switch *which = &ablate->list[i];
        const i64 *p = which->tally.pair;
        Estimate e = estimate_pairs(&which->tally);
        text_add(out, "| %s | %s | %lld | ", param_name(which->param), said_in(in, which->def ? "on" : "off"),
                 (long long)(2 * tally_pairs(&which->tally)));
        text_add(out, isfinite(e.elo) ? "%+.1f | " : "%+f | ", e.elo);
        text_add(out, isfinite(e.elo_error) ? "%.1f | " : "%f | ", e.elo_error);
        text_add(out, "%lld %lld %lld %lld %lld |", (long long)p[0], (long long)p[1], (long long)p[2],
                 (long long)p[3], (long long)p[4]);
        if (tested)
            text_add(out, " %s, LLR %.2f |", said_in(in, VERDICTS[verdict_of(ablate, which)]),
                     llr_of(ablate, which));
        text_add(out, "\n");
    }
}

// ---- the whole ----------------------------------------------------------------------------------
static bool ablate_open(Ablate *ablate, Message *error)
{
    const AblateOptions *options = &ablate->options;
    ablate->pairs = (options->games + 1) / 2;
    const char *const files[] = {options->selfplay.openings.file, options->state_file, options->table_file};
    if (!params_can_change(error) || !cli_files_differ(files, sizeof files / sizeof files[0], error) ||
        (options->table_file && !os_can_write(options->table_file, error)))
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
    return transport_of_run()->rank > 0 || open_state(ablate, error);
}

static int ablate_run(Ablate *ablate, const CliCommand *command)
{
    Message error = {{0}};
    os_catch_interrupts();
    ablate->start_done = ablate->done;
    progress_start(&ablate->progress, ablate->options.selfplay.quiet ? NULL : stdout, os_is_terminal(1),
                   PROGRESS_MS);
    const JobSet set = {.context = ablate,
                        .settings = checksum_add(0, ablate->options.params, strlen(ablate->options.params)),
                        .job_nb = ablate->pairs * ablate->switch_nb,
                        .is_done = is_played,
                        .run = play_pair,
                        .take = take_pair,
                        .tick = show_progress};
    const JobsEnd end = selfplay_run(&ablate->selfplay, set, &error);
    bool ok = end != JOBS_FAILED;
    progress_end(&ablate->progress);
    if (transport_of_run()->rank > 0)
        return ok ? EXIT_DONE : cli_failed(command, error.text);
    Text table = {0};
    print_table(ablate, language(), &table);
    fputs(table.ptr ? table.ptr : "", stdout);
    if (ok && ablate->options.table_file) {
        text_clear(&table);
        print_table(ablate, LANGUAGE_ENGLISH, &table);
        ok = os_write_file(ablate->options.table_file, table.ptr, table.len, &error);
    }
    text_free(&table);
    if (!ok)
        return cli_failed(command, error.text);
    return end == JOBS_INTERRUPTED ? 128 + os_interrupted() : EXIT_DONE;
}

static void ablate_free(Ablate *ablate)
{
    if (!ablate)
        return;
    for (int i = 0; i < ablate->switch_nb; i++)
        free(ablate->list[i].points);
    journal_close(&ablate->state);
    free(ablate);
}

int arena_ablate_main(int argc, char **argv)
{
    const CliTable tables[] = {{OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0]}, selfplay_table()};
    const CliCommand command = {
        .name = "twofold-" GAME_NAME " ablate",
        .about = "Usage: twofold-" GAME_NAME " ablate [OPTIONS]\n"
                 "Measures what each technique of the search is worth, by games inside the process.\n"
                 "Needs a build with `make TUNE=1`.",
        .more =
            "Exit code: 0 done; 1 failed; 2 a wrong call; 128 and the signal: interrupted, to be continued.",
        .table = tables,
        .table_nb = 2,
        .speaks = true,
    };
    AblateOptions options = {.selfplay = selfplay_options_default(), .params = "*", .games = 400};
    Message error = {"out of memory"};
    int code;
    if (!selfplay_read(&command, argc, argv, &options, &code))
        return code;
    Ablate *ablate = calloc(1, sizeof *ablate);
    if (ablate) {
        ablate->options = options;
        ablate->selfplay.options = &ablate->options.selfplay;
    }
    if (ablate && ablate_open(ablate, &error))
        code = ablate_run(ablate, &command);
    else
        code = cli_failed(&command, error.text);
    ablate_free(ablate);
    return code;
}
