// SPDX-License-Identifier: GPL-3.0-or-later
// The command `analyse`: reads a file of games or positions, searches every position, and writes what was
// found as text, JSON lines, annotated games or an HTML page. It checks that every output can be written
// before the search begins, and deletes the progress file only after every report is written.
#include <errno.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/cli.h"

enum { FILE_MAX = 1 << 30, DEFAULT_NODES = 100000, DEFAULT_HASH_MB = 16, REPORT_MS = 2000 };

AnalyseOptions analyse_options_default(void) { return (AnalyseOptions){.hash_mb = DEFAULT_HASH_MB}; }

static bool is_standard(const char *path) { return strcmp(path, "-") == 0; }

static bool try_output(const char *path, Message *message)
{
    return !path || is_standard(path) || os_can_write(path, message);
}

// No report may overwrite the input, the progress file or another report.
static bool check_outputs(const char *input, const char *state, const AnalyseOptions *options,
                          Message *message)
{
    const struct {
        const char *what, *path;
    } file[] = {{"the file to analyse", is_standard(input) ? "/dev/stdin" : input},
                {"the progress file", state},
                {"the output of --output", options->annotated_path},
                {"the output of --json", options->json_path},
                {"the output of --html", options->html_path}};
    enum { FILE_NB = sizeof file / sizeof file[0] };
    for (int i = 1; i < FILE_NB; i++)
        for (int k = 0; file[i].path && !is_standard(file[i].path) && k < i; k++)
            if (file[k].path && !is_standard(file[k].path) && os_same_file(file[i].path, file[k].path))
                return message_set(message, "'%s' is both %s and %s: name another file", file[i].path,
                                   file[k].what, file[i].what);
    return try_output(options->annotated_path, message) && try_output(options->json_path, message) &&
           try_output(options->html_path, message);
}

bool analysis_goes_on(const Analysis *analysis, int game)
{
    Progress *progress = analysis->progress;
    if (progress && progress_is_due(progress)) {
        ProgressLine line = {0};
        progress_part(&line, 0, "writing %.60s",
                      is_standard(analysis->output) ? "the report" : analysis->output);
        progress_part(&line, 0, ": game %d of %d", game + 1, analysis->game_nb);
        text_disarm(line.part[0].text, strlen(line.part[0].text), '?');
        progress_show(progress, &line);
    }
    return !os_interrupted();
}

// Writes a report that was made, unless an interrupt came meanwhile: then it is not whole.
static bool write_output(const Analysis *analysis, const Text *text, FILE *out, Message *message)
{
    const char *path = analysis->output;
    if (os_interrupted())
        return message_set(message,
                           "interrupted before all reports were written: run the same command again");
    if (text->failed)
        return message_set(message, "not enough memory to write '%s'", path);
    if (!is_standard(path))
        return os_write_file(path, text->ptr ? text->ptr : "", text->len, message);
    progress_end(analysis->progress);
    bool ok = fwrite(text->ptr ? text->ptr : "", 1, text->len, out) == text->len && fflush(out) == 0;
    return ok || message_set(message, "cannot write to standard output: %s", strerror(errno));
}

static bool write_reports(Analysis *analysis, const AnalyseOptions *options, FILE *out, Message *message)
{
    const char *const paths[] = {options->annotated_path, options->json_path, options->html_path, "-"};
    enum { ANNOTATED, JSON, HTML, TEXT, REPORT_NB };
    Text text = {0};
    bool ok = true, taken = options->quiet; // is standard output in use by a report, or not wanted?
    for (int i = 0; ok && i < REPORT_NB; i++) {
        if (!paths[i] || (i == TEXT && taken))
            continue;
        taken |= is_standard(paths[i]);
        analysis->output = paths[i];
        text_clear(&text);
        if (i == ANNOTATED)
            ok = report_annotated(analysis, options->format, &text) ||
                 message_set(message, "not enough memory to write '%s'", paths[i]);
        else if (i == JSON)
            report_json(analysis, &text);
        else if (i == HTML)
            report_html(analysis, options->title, &text);
        else
            report_text(analysis, &text);
        ok = ok && write_output(analysis, &text, out, message);
    }
    text_free(&text);
    return ok;
}

// Lists what could not be read, with its place in the file. The rest is analysed.
static void tell_errors(const Analysis *analysis, const char *path, FILE *err)
{
    Message name;
    message_set(&name, "%s", path); // a file name may contain escape codes for the terminal
    for (int i = 0; i < analysis->game_nb; i++) {
        const AnalysedGame *game = &analysis->game[i];
        if (game->record.error.text[0])
            fprintf(err, "%s: %s %d (line %d): %s%s\n", name.text, game->is_position ? "position" : "game",
                    game->number, game->line, game->record.error.text,
                    game->is_skipped ? "; left out" : "; the moves before it are analysed");
        if (game->task_error.text[0])
            fprintf(err, "%s: position %d (line %d): %s; the task is not counted\n", name.text, game->number,
                    game->line, game->task_error.text);
    }
}

static bool load(Analysis *analysis, const char *path, const Rules *rules, Message *message)
{
    Text text = {0};
    Message why = {0};
    bool ok = text_read_file(&text, is_standard(path) ? "/dev/stdin" : path, FILE_MAX, message);
    if (ok && !analysis_load(analysis, text_span(&text), rules, &why))
        ok = message_set(message, "'%s': %s", path, why.text);
    text_free(&text);
    return ok;
}

static bool nothing_left(const Analysis *analysis)
{
    for (int i = 0; i < analysis->game_nb; i++)
        if (!analysis->game[i].is_skipped)
            return false;
    return true;
}

// Tries the format on an empty game, before the search begins.
static bool check_format(const char *format, Message *message)
{
    Record record = {0};
    Rules rules = rules_default();
    Text text = {0};
    pos_set(&record.start, span_of(GAME_START), &rules, NULL);
    bool ok = !format || record_write(&record, format, &text);
    text_free(&text);
    return ok || message_set(message, "'%.60s' is no format to write games in", format);
}

static int fail(FILE *err, const char *text)
{
    fprintf(err, "twofold-" GAME_NAME " analyse: %s\n", text);
    return EXIT_FAILED;
}

static void tell_note(void *context, const char *text) { fprintf(context, "note: %s\n", text); }

// The session whose options the engines will have; the exit code, a failure being told.
static int open_session(Session *session, const AnalyseOptions *options, FILE *err)
{
    Message message = {0};
    if (!session_init(session))
        return fail(err, "not enough memory");
    if (!options->quiet)
        session->events = (SessionEvents){.context = err, .note = tell_note};
    if (!option_set_number(session, "Hash", options->hash_mb, &message))
        return fail(err, message.text);
    if (!option_list_set(session, &options->engine, &message)) {
        fail(err, message.text);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

static EvaluateOptions evaluate_options(const Session *session, const AnalyseOptions *options, FILE *err)
{
    const bool has_limit = options->nodes || options->time_ms || options->depth;
    const int cores = max_int(os_core_count() / session->settings.threads, 1);
    return (EvaluateOptions){
        .nodes = has_limit ? options->nodes : DEFAULT_NODES,
        .time_ms = options->time_ms,
        .depth = options->depth,
        .threads = options->threads ? options->threads : cores,
        .state_path = options->state_path,
        .progress = options->quiet ? NULL : err,
        .progress_bar = options->progress_bar,
        .stop_after = options->stop_after,
    };
}

static int write_all(Analysis *analysis, const AnalyseOptions *options, FILE *out, FILE *err)
{
    Progress progress;
    Message message = {0};
    progress_start(&progress, options->quiet ? NULL : err, options->progress_bar, REPORT_MS);
    analysis->progress = &progress;
    analysis_judge(analysis);
    bool is_written = write_reports(analysis, options, out, &message);
    progress_end(&progress);
    if (is_written)
        return EXIT_DONE;
    fail(err, message.text);
    return os_interrupted() ? 128 + os_interrupted() : EXIT_FAILED;
}

static int run(Session *session, const char *path, const AnalyseOptions *options, FILE *out, FILE *err)
{
    Analysis analysis = {0};
    Message message = {0};
    Text state = {0};
    int code = EXIT_DONE;
    EvaluateOptions evaluate = evaluate_options(session, options, err);
    if (!evaluate.state_path && !is_standard(path)) {
        text_add(&state, "%s.twofold-progress", path);
        evaluate.state_path = state.ptr;
    }
    if (!check_format(options->format, &message) || !load(&analysis, path, &session->rules, &message) ||
        !check_outputs(path, evaluate.state_path, options, &message)) {
        code = fail(err, message.text);
        goto done;
    }
    tell_errors(&analysis, path, err);
    if (nothing_left(&analysis)) {
        code = fail(err, "nothing in the file can be analysed");
        goto done;
    }
    JobsEnd result = evaluate_run(&analysis, session, &evaluate, &message);
    if (result != JOBS_DONE) {
        code = fail(err, message.text);
        if (result == JOBS_INTERRUPTED)
            code = 128 + (os_interrupted() ? os_interrupted() : 2);
        goto done;
    }
    code = write_all(&analysis, options, out, err);
    if (code == EXIT_DONE)
        evaluate_forget(&evaluate);
done:
    analysis_free(&analysis);
    text_free(&state);
    return code;
}

int analyse_run(const char *path, const AnalyseOptions *options, FILE *out, FILE *err)
{
    Session session;
    int code = open_session(&session, options, err);
    if (code == EXIT_DONE)
        code = run(&session, path, options, out, err);
    session_free(&session);
    return code;
}

// ---- the command line ---------------------------------------------------------------------------
static bool add_option(void *options, const Span *value, Message *message)
{
    return option_list_add(&((AnalyseOptions *)options)->engine, *value, message);
}

static const CliOption OPTIONS[] = {
    {"nodes", 'n', CLI_I64, offsetof(AnalyseOptions, nodes), 1, 4e18, "N",
     "positions to look at for each move (default 100000)", NULL},
    {"time", 't', CLI_I64, offsetof(AnalyseOptions, time_ms), 1, 86400000, "MS",
     "milliseconds for each position instead", NULL},
    {"depth", 'd', CLI_INT, offsetof(AnalyseOptions, depth), 1, MAX_PLY - 1, "N",
     "depth for each position instead", NULL},
    {"threads", 'j', CLI_INT, offsetof(AnalyseOptions, threads), 1, THREADS_MAX, "N",
     "positions searched at the same time (default: all cores)", NULL},
    {"hash", 0, CLI_INT, offsetof(AnalyseOptions, hash_mb), 1, HASH_MB_MAX, "MB", "memory for each of them",
     NULL},
    {"option", 0, CLI_CALL, 0, 0, 0, "NAME=VALUE",
     "an option of the engine, as its protocol lists them; may be given again", add_option},
    {"output", 'o', CLI_TEXT, offsetof(AnalyseOptions, annotated_path), 0, 0, "FILE",
     "write the games with marks and comments", NULL},
    {"format", 'f', CLI_TEXT, offsetof(AnalyseOptions, format), 0, 0, "NAME",
     "in this format instead of the usual one", NULL},
    {"json", 0, CLI_TEXT, offsetof(AnalyseOptions, json_path), 0, 0, "FILE", "write JSON, one object a line",
     NULL},
    {"html", 0, CLI_TEXT, offsetof(AnalyseOptions, html_path), 0, 0, "FILE",
     "write a page with graphs and diagrams, in one file", NULL},
    {"title", 0, CLI_TEXT, offsetof(AnalyseOptions, title), 0, 0, "TEXT", "the title of that page", NULL},
    {"state", 0, CLI_TEXT, offsetof(AnalyseOptions, state_path), 0, 0, "FILE",
     "the progress file (default FILE.twofold-progress)", NULL},
    {"quiet", 'q', CLI_SWITCH, offsetof(AnalyseOptions, quiet), 0, 0, NULL,
     "no progress, and no text on standard output", NULL},
};
static const CliCommand COMMAND = {
    .name = "twofold-" GAME_NAME " analyse",
    .about =
        "Usage: twofold-" GAME_NAME " analyse FILE [OPTIONS]\n"
        "Analyses every move of the games, or every position, of a file (- is standard input). The kind of "
        "file is recognised.\n"
        "The same file gives the same report, unless --time is given. An interrupted run goes on where it "
        "stopped.",
    .more =
        "FILE may be - for standard output. Unless it is, or -q is given, the report goes there as text,\n"
        "whatever else is written. No output may be the file that is read, or the same as another.\n"
        "Marks: ?? a fifth of a win lost, ? a tenth, ?! a twentieth; ! the only good move.",
    .table = &(const CliTable){OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0]},
    .table_nb = 1,
    .operand_max = 1,
};

int analysis_main(int argc, char **argv)
{
    AnalyseOptions options = analyse_options_default();
    CliFiles operands;
    int code;
    if (!cli_read(&COMMAND, argc, argv, &options, &operands, &code))
        return code;
    if (operands.nb == 0)
        return cli_misused(&COMMAND, "the name of a file with games or positions is missing");
    options.progress_bar = os_is_terminal(2);
    os_catch_interrupts();
    return analyse_run(operands.path[0], &options, stdout, stderr);
}
