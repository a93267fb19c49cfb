// SPDX-License-Identifier: GPL-3.0-or-later
// tune: SPSA over the search's parameters by pairs of games played inside the process. Three files grow
// beside each other: the state (rewritten whole, so that killing the program loses at most the pairs in
// play), the history (a line now and then) and the plot.
#include "arena/spsa.h"

#include <errno.h>
#include <stdlib.h>

#include "arena/arena.h"
#include "arena/selfplay.h"
#include "arena/sprt.h"
#include "base/checksum.h"
#include "base/language.h"

enum { HISTORY_LINES = 1000, SAVE_MS = 2000, PATH_SIZE = 4096 };

typedef struct TuneOptions {
    SelfplayOptions selfplay; // first: selfplay_read fills both
    const char *params, *out;
    i64 iterations;
    double reach, rate;
} TuneOptions;

typedef struct Tune {
    Selfplay selfplay; // first: the context of its jobs
    TuneOptions options;
    char state_path[PATH_SIZE], history_path[PATH_SIZE], plot_path[PATH_SIZE];
    Spsa spsa;
    Tunable tunable[TUNABLES_MAX];
    i64 done, start_done; // pairs in all; before this run
    i64 win, draw, loss;
    FILE *history;
    Message trouble; // a file could not be written
    i64 saved_us;
    Progress progress;
} Tune;

static const CliOption OPTIONS[] = {
    {"params", 0, CLI_TEXT, offsetof(TuneOptions, params), 0, 0, "LIST",
     "names, with * at their end for all that begin so, and commas between", NULL},
    {"iterations", 0, CLI_I64, offsetof(TuneOptions, iterations), 1, 1e9, "N",
     "pairs of games to play in all", NULL},
    {"out", 0, CLI_TEXT, offsetof(TuneOptions, out), 0, 0, "NAME",
     "writes NAME.state, NAME.history and NAME.svg, and goes on from NAME.state", NULL},
    {"reach", 0, CLI_REAL, offsetof(TuneOptions, reach), 1e-4, 0.5, "SHARE",
     "how far parameters are moved, at the end, as a share of their range", NULL},
    {"rate", 0, CLI_REAL, offsetof(TuneOptions, rate), 1e-7, 1, "R", "size of the last step", NULL},
};

// ---- the state file -----------------------------------------------------------------------------
static void save_state(Tune *tune)
{
    Text text = {0};
    text_add(&text, "# twofold-%s tune: state\niterations %lld\nresults %lld %lld %lld\n", GAME_NAME,
             (long long)tune->done, (long long)tune->win, (long long)tune->draw, (long long)tune->loss);
    for (int i = 0; i < tune->spsa.tunable_nb; i++)
        text_add(&text, "%s %.9g\n", tune->tunable[i].name, tune->tunable[i].value);
    if (text.failed || !os_write_file(tune->state_path, text.ptr, text.len, &tune->trouble))
        fprintf(stderr, "tune: %s\n", tune->trouble.text);
    text_free(&text);
    tune->saved_us = os_now_us();
}

static bool read_results(Span rest, Tune *tune)
{
    return span_int(span_word(&rest), 0, INT64_MAX, &tune->win) &&
           span_int(span_word(&rest), 0, INT64_MAX, &tune->draw) &&
           span_int(span_word(&rest), 0, INT64_MAX, &tune->loss);
}

// The state must name exactly the parameters being tuned.
static bool load_state(Tune *tune, Message *error)
{
    Text text = {0};
    Span line;
    int known = 0;
    FILE *file = os_fopen(tune->state_path, "rb");
    if (!file)
        return true; // a fresh start
    fclose(file);
    bool ok = text_read_file(&text, tune->state_path, 1 << 20, error);
    Span rest = text_span(&text);
    while (ok && span_line(&rest, &line)) {
        Span words = line, name = span_word(&words), value = span_word(&words);
        if (span_is(name, "#") || name.len == 0)
            continue;
        if (span_is(name, "iterations")) {
            ok = span_int(value, 0, INT64_MAX, &tune->done);
        } else if (span_is(name, "results")) {
            words = line;
            span_word(&words);
            ok = read_results(words, tune);
        } else {
            Tunable *tunable = NULL;
            for (int i = 0; i < tune->spsa.tunable_nb; i++)
                if (span_is(name, tune->tunable[i].name))
                    tunable = &tune->tunable[i];
            ok = tunable && span_real(value, tunable->min, tunable->max, &tunable->value);
            known++;
        }
        if (!ok)
            message_set(error, "'%s': the line '%.*s' does not fit these parameters", tune->state_path,
                        (int)min_i64((i64)line.len, 100), line.ptr);
    }
    if (ok && known != tune->spsa.tunable_nb)
        ok = message_set(error, "'%s' belongs to a run that tunes other parameters", tune->state_path);
    text_free(&text);
    return ok;
}

// ---- the history and its picture ----------------------------------------------------------------
static void write_history(Tune *tune)
{
    fprintf(tune->history, "%lld", (long long)tune->done);
    for (int i = 0; i < tune->spsa.tunable_nb; i++)
        fprintf(tune->history, "\t%.6g", tune->tunable[i].value);
    fprintf(tune->history, "\n");
    fflush(tune->history);
}

static bool open_history(Tune *tune, Message *error)
{
    tune->history = os_fopen(tune->history_path, "ab");
    if (!tune->history)
        return message_set(error, "cannot write '%s': %s", tune->history_path, said(strerror(errno)));
    if (tune->done == 0) {
        fprintf(tune->history, "iteration");
        for (int i = 0; i < tune->spsa.tunable_nb; i++)
            fprintf(tune->history, "\t%s", tune->tunable[i].name);
        fprintf(tune->history, "\n");
        write_history(tune);
    }
    return true;
}

typedef struct Path {
    double *x, *y; // y[point * tunable_nb + tunable]
    int nb;
} Path;

static bool read_history(const Tune *tune, Path *path, Text *text, Message *error)
{
    int tunable_nb = tune->spsa.tunable_nb, lines = 0;
    if (!text_read_file(text, tune->history_path, (size_t)1 << 30, error))
        return false;
    for (size_t i = 0; i < text->len; i++)
        lines += text->ptr[i] == '\n';
    path->x = calloc((size_t)lines + 1, sizeof *path->x);
    path->y = calloc((size_t)(lines + 1) * (size_t)tunable_nb, sizeof *path->y);
    if (!path->x || !path->y)
        return message_set(error, "out of memory");
    Span rest = text_span(text), line;
    while (path->nb < lines && span_line(&rest, &line)) {
        bool ok = span_real(span_word(&line), 0, 1e18, &path->x[path->nb]);
        for (int i = 0; i < tunable_nb && ok; i++)
            ok = span_real(span_word(&line), -1e9, 1e9, &path->y[path->nb * tunable_nb + i]);
        path->nb += ok; // the heading is no point
    }
    return true;
}

enum { CHART_WIDTH = 320, CHART_HEIGHT = 150, CHART_COLUMNS = 3, CHART_TOP = 34, CHART_LEFT = 10 };

// One parameter's path: its own range of values from bottom to top, the value it started from as a dashed
// line.
static void draw_chart(const Tune *tune, const Path *path, int index, Text *out)
{
    const Tunable *tunable = &tune->tunable[index];
    double low = tunable->def, high = tunable->def, last = path->nb ? path->x[path->nb - 1] : 1;
    for (int i = 0; i < path->nb; i++) {
        double y = path->y[i * tune->spsa.tunable_nb + index];
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    double pad = (high - low) * 0.08 + 1e-9, width = CHART_WIDTH - 2 * CHART_LEFT,
           height = CHART_HEIGHT - CHART_TOP - 10;
    low -= pad;
    high += pad;
    int left = index % CHART_COLUMNS * CHART_WIDTH, top = 20 + index / CHART_COLUMNS * CHART_HEIGHT;
    double def_y = CHART_TOP + height * (high - tunable->def) / (high - low);
    text_add(out, "<g transform=\"translate(%d %d)\"><text x=\"%d\" y=\"14\" font-weight=\"bold\">", left,
             top, CHART_LEFT);
    text_add_html(out, span_of(tunable->name));
    text_add(out, "</text><text x=\"%d\" y=\"28\">%d &#8594; %.1f (%.1f to %.1f)</text>", CHART_LEFT,
             tunable->def, tunable->value, low + pad, high - pad);
    text_add(out, "<rect x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%.0f\" fill=\"none\" stroke=\"#ccc\"/>",
             CHART_LEFT, CHART_TOP, width, height);
    text_add(out,
             "<line x1=\"%d\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#999\" stroke-dasharray=\"4 3\"/>",
             CHART_LEFT, CHART_LEFT + width, def_y, def_y);
    text_add(out, "<polyline fill=\"none\" stroke=\"#06c\" stroke-width=\"1.3\" points=\"");
    for (int i = 0; i < path->nb; i++)
        text_add(out, "%.1f,%.1f ", CHART_LEFT + width * path->x[i] / (last > 0 ? last : 1),
                 CHART_TOP + height * (high - path->y[i * tune->spsa.tunable_nb + index]) / (high - low));
    text_add(out, "\"/></g>\n");
}

static void write_plot(Tune *tune)
{
    Text history = {0}, out = {0};
    Path path = {0};
    Message error;
    int rows = (tune->spsa.tunable_nb + CHART_COLUMNS - 1) / CHART_COLUMNS,
        columns = min_int(tune->spsa.tunable_nb, CHART_COLUMNS);
    bool ok = read_history(tune, &path, &history, &error);
    text_add(
        &out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/><text x=\"%d\" y=\"14\">twofold-%s: %lld "
        "pairs of "
        "games</text>\n",
        max_int(columns, 1) * CHART_WIDTH, 30 + rows * CHART_HEIGHT, CHART_LEFT, GAME_NAME,
        (long long)tune->done);
    for (int i = 0; i < tune->spsa.tunable_nb && ok; i++)
        draw_chart(tune, &path, i, &out);
    text_add(&out, "</svg>\n");
    ok = ok && !out.failed && os_write_file(tune->plot_path, out.ptr, out.len, &error);
    if (!ok)
        fprintf(stderr, "tune: %s\n", error.text);
    free(path.x);
    free(path.y);
    text_free(&history);
    text_free(&out);
}

// ---- the games ----------------------------------------------------------------------------------
// What a pair of games compares depends on what the pairs before it taught.
static bool give_trial(void *context, i64 index, Text *task, Message *message)
{
    const Tune *tune = context;
    SpsaTrial trial;
    (void)message;
    spsa_trial(&tune->spsa, tune->start_done + index, &trial);
    text_add_bytes(task, (const char *)&trial, sizeof trial);
    return true;
}

typedef struct TrialResult {
    SpsaTrial trial;
    int points;
} TrialResult;

static bool play_trial(void *context, void *state, i64 index, Span task, Text *result, Message *message)
{
    const Tune *tune = context;
    EnginePair *engines = state;
    TrialResult played;
    (void)index;
    assert(task.len == sizeof played.trial);
    memcpy(&played.trial, task.ptr, sizeof played.trial);
    for (int i = 0; i < tune->spsa.tunable_nb; i++)
        if (!param_set(engines->seat[0].engine, tune->tunable[i].param, played.trial.plus[i]) ||
            !param_set(engines->seat[1].engine, tune->tunable[i].param, played.trial.minus[i]))
            return message_set(message, "cannot set %s", tune->tunable[i].name);
    if (!engine_pair_play(engines, played.trial.k, &played.points, message))
        return false;
    text_add_bytes(result, (const char *)&played, sizeof played);
    return true;
}

static bool learn_trial(void *context, i64 index, Span result, Message *message)
{
    Tune *tune = context;
    TrialResult played;
    (void)index;
    (void)message;
    assert(result.len == sizeof played);
    memcpy(&played, result.ptr, sizeof played);
    spsa_learn(&tune->spsa, &played.trial, played.points - 2);
    tune->done++;
    tune->win += played.points > 2;
    tune->draw += played.points == 2;
    tune->loss += played.points < 2;
    i64 every = max_i64(tune->options.iterations / HISTORY_LINES, 1);
    if (tune->done % every == 0)
        write_history(tune);
    if (os_now_us() - tune->saved_us > SAVE_MS * 1000)
        save_state(tune);
    return true;
}

static void show_progress(void *context, const JobProgress *jobs)
{
    Tune *tune = context;
    char what[80];
    (void)jobs;
    snprintf(what, sizeof what, "  +%lld =%lld -%lld", (long long)tune->win, (long long)tune->draw,
             (long long)tune->loss);
    selfplay_progress(&tune->progress, tune->start_done, tune->done, tune->options.iterations, what);
}

// ---- the whole ----------------------------------------------------------------------------------
// The parameters asked for; switches (0 or 1) only by their full names, since halfway between off and on is
// nothing.
static bool choose_tunables(Tune *tune, Message *error)
{
    const TuneOptions *options = &tune->options;
    for (int i = 0; i < param_count(); i++) {
        int def, min, max;
        param_range(i, &def, &min, &max);
        bool is_switch = min == 0 && max == 1;
        if (!param_matches(param_name(i), options->params, is_switch))
            continue;
        if (tune->spsa.tunable_nb == TUNABLES_MAX)
            return message_set(error, "more than %d parameters", TUNABLES_MAX);
        Tunable *tunable = &tune->tunable[tune->spsa.tunable_nb++];
        double reach = options->reach * (max - min);
        *tunable = (Tunable){
            .param = i, .def = def, .min = min, .max = max, .value = def, .reach = reach > 0.5 ? reach : 0.5};
        span_copy(span_of(param_name(i)), tunable->name, sizeof tunable->name);
    }
    return tune->spsa.tunable_nb > 0 || message_set(error, "no parameter is called '%s'", options->params);
}

static bool tune_open(Tune *tune, Message *error)
{
    const TuneOptions *options = &tune->options;
    struct {
        char *path;
        const char *ending;
    } files[] = {{tune->state_path, "state"}, {tune->history_path, "history"}, {tune->plot_path, "svg"}};
    for (int i = 0; i < 3; i++)
        if (snprintf(files[i].path, PATH_SIZE, "%s.%s", options->out, files[i].ending) >= PATH_SIZE)
            return message_set(error, "--out is too long");
    tune->spsa = (Spsa){.tunable = tune->tunable,
                        .iterations = options->iterations,
                        .rate = options->rate,
                        .seed = options->selfplay.openings.seed};
    // Files are rank 0's; what the others need of them comes with each pair.
    return params_can_change(error) && choose_tunables(tune, error) &&
           (transport_of_run()->rank > 0 || (load_state(tune, error) && open_history(tune, error)));
}

static void print_values(const Tune *tune)
{
    Text head = {0};
    text_add_padded(&head, said("parameter"), 28);
    const char *const words[] = {"was", "is", "exactly"};
    for (int i = 0; i < 3; i++)
        text_add_right(&head, said(words[i]), i < 2 ? 9 : 10);
    printf("%s\n", head.ptr ? head.ptr : "");
    text_free(&head);
    for (int i = 0; i < tune->spsa.tunable_nb; i++) {
        const Tunable *tunable = &tune->tunable[i];
        printf("%-28s %8d %8d %9.2f%s\n", tunable->name, tunable->def, tunable_rounded(tunable),
               tunable->value, tunable_rounded(tunable) != tunable->def ? "  *" : "");
    }
    printf(said(PARAM_COLUMN == 0 ? "%lld of %lld pairs; values to commit marked with *, in "
                                    "src/search/params.h, first column\n"
                                  : "%lld of %lld pairs; values to commit marked with *, in "
                                    "src/search/params.h, second column\n"),
           (long long)tune->done, (long long)tune->options.iterations);
}

static int tune_run(Tune *tune, const CliCommand *command)
{
    Message error = {{0}};
    os_catch_interrupts();
    tune->saved_us = os_now_us();
    tune->start_done = tune->done;
    progress_start(&tune->progress, tune->options.selfplay.quiet ? NULL : stdout, os_is_terminal(1),
                   PROGRESS_MS);
    const JobSet set = {.context = tune,
                        .settings = checksum_add(0, tune->options.params, strlen(tune->options.params)),
                        .job_nb = max_i64(tune->options.iterations - tune->done, 0),
                        .give = give_trial,
                        .run = play_trial,
                        .take = learn_trial,
                        .tick = show_progress};
    JobsEnd end = selfplay_run(&tune->selfplay, set, &error);
    progress_end(&tune->progress);
    if (transport_of_run()->rank > 0)
        return end == JOBS_FAILED ? cli_failed(command, error.text) : EXIT_DONE;
    save_state(tune);
    write_history(tune);
    write_plot(tune);
    print_values(tune);
    if (end == JOBS_FAILED)
        return cli_failed(command, error.text);
    return tune->done < tune->options.iterations ? 128 + os_interrupted() : EXIT_DONE;
}

int arena_tune_main(int argc, char **argv)
{
    const CliTable tables[] = {{OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0]}, selfplay_table()};
    const CliCommand command = {
        .name = "twofold-" GAME_NAME " tune",
        .about = "Usage: twofold-" GAME_NAME " tune [OPTIONS]\n"
                 "Tunes parameters of the search by pairs of games against itself (SPSA).\n"
                 "Run again with the same --out to go on. Needs a build with `make TUNE=1`.",
        .more =
            "Exit code: 0 done; 1 failed; 2 a wrong call; 128 and the signal: interrupted, to be continued.",
        .table = tables,
        .table_nb = 2,
        .speaks = true,
    };
    TuneOptions options = {.selfplay = selfplay_options_default(),
                           .params = "*",
                           .out = "tune",
                           .iterations = 10000,
                           .reach = 0.05,
                           .rate = 0.002};
    Message error = {"out of memory"};
    int code;
    if (!selfplay_read(&command, argc, argv, &options, &code))
        return code;
    Tune *tune = calloc(1, sizeof *tune);
    if (tune) {
        tune->options = options;
        tune->selfplay.options = &tune->options.selfplay;
    }
    if (tune && tune_open(tune, &error))
        code = tune_run(tune, &command);
    else
        code = cli_failed(&command, error.text);
    if (tune && tune->history)
        fclose(tune->history);
    free(tune);
    return code;
}
