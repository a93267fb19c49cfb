// SPDX-License-Identifier: GPL-3.0-or-later
// The command `analyse`: reads a file of games or positions, searches every position, and writes what was
// found as text, JSON lines, annotated games or an HTML page. It checks that every output can be written
// before the search begins, and deletes the progress file only after every report is written.
#include <stdlib.h>

#include "analysis/evaluate.h"
#include "analysis/reports.h"
#include "analysis/source.h"
#include "base/cli.h"

enum { DEFAULT_NODES = 100000, DEFAULT_HASH_MB = 16 };
// Games that are in memory at a time: as many as have so many positions, to keep all threads busy; for so
// many ranks at most.
enum { BATCH_GAMES = 256, BATCH_POSITIONS = 4096, BATCH_RANKS = 64 };

AnalyseOptions analyse_options_default(void) { return (AnalyseOptions){.hash_mb = DEFAULT_HASH_MB}; }

static bool is_standard(const char *path) { return strcmp(path, "-") == 0; }

static bool try_output(const char *path, Message *message)
{
    return !path || is_standard(path) || folder_is_named(path) || os_can_write(path, message);
}

// ---- before the search --------------------------------------------------------------------------
typedef struct NamedFile {
    const char *what, *path;
} NamedFile;

static bool is_file(const NamedFile *file) { return file->path && !is_standard(file->path); }

// No report may overwrite an input, the progress file or another report.
static bool check_outputs(const char *const *inputs, int input_nb, const char *state,
                          const AnalyseOptions *options, Message *message)
{
    const NamedFile out[] = {{"the progress file", state},
                             {"the output of --output", options->annotated_path},
                             {"the output of --json", options->json_path},
                             {"the output of --html", options->html_path},
                             {"the output of --puzzles", options->puzzles_path}};
    enum { OUT_NB = sizeof out / sizeof out[0] };
    for (int i = 0; i < OUT_NB; i++) {
        for (int k = -input_nb; is_file(&out[i]) && k < i; k++) {
            const NamedFile input = {"the file to analyse",
                                     k < 0 ? is_standard(inputs[-k - 1]) ? "/dev/stdin" : inputs[-k - 1]
                                           : NULL};
            const NamedFile *other = k < 0 ? &input : &out[k];
            if (is_file(other) && os_same_file(out[i].path, other->path))
                return message_set(message, "'%s' is both %s and %s: name another file", out[i].path,
                                   said(other->what), said(out[i].what));
        }
    }
    for (int i = 1; i < OUT_NB; i++)
        if (!try_output(out[i].path, message))
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

static bool check_encoding(const char *encoding, Message *message)
{
    return !encoding || record_encoding_named(span_of(encoding)) ||
           message_set(message, "'%.60s' is no encoding of game files: expected %s", encoding,
                       record_encoding_named(span_of("sjis")) ? said("UTF-8 or Shift_JIS") : "UTF-8");
}

static int fail(FILE *err, const char *text)
{
    fprintf(err, "twofold-" GAME_NAME " analyse: %s\n", text);
    return EXIT_FAILED;
}

static void tell_note(void *context, const char *text) { fprintf(context, said("note: %s\n"), text); }

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
        .multi_pv = options->multi_pv,
        .threads = options->threads ? options->threads : cores,
        .state_path = options->state_path,
        .progress = options->quiet ? NULL : err,
        .progress_bar = options->progress_bar,
        .transport = transport_of_run(),
        .stop_after = options->stop_after,
    };
}

// ---- batches ------------------------------------------------------------------------------------
// Reads the next games into memory.
static bool load_batch(Source *source, int first, const AnalyseOptions *options, Analysis *analysis,
                       Message *message)
{
    const int ranks = min_int(transport_of_run()->size, BATCH_RANKS);
    const int most = options->batch ? options->batch : BATCH_GAMES * ranks;
    int position_nb = 0;
    *analysis = (Analysis){.line_nb = options->multi_pv, .before_nb = first, .total_nb = source->place_nb};
    analysis->game = calloc((size_t)most, sizeof *analysis->game);
    if (!analysis->game)
        return message_set(message, "not enough memory for %d games", most);
    while (first + analysis->game_nb < source->end_place && analysis->game_nb < most &&
           position_nb < BATCH_POSITIONS * ranks) {
        AnalysedGame *game = &analysis->game[analysis->game_nb];
        if (!source_read(source, first + analysis->game_nb, game, message))
            return false;
        analysis->game_nb++;
        position_nb += game->record.move_nb + 1;
    }
    return true;
}

static int interrupted(void) { return 128 + (os_interrupted() ? os_interrupted() : 2); }

// Searches and writes batch after batch; the exit code, a failure being in the message.
static int run_batches(Source *source, Evaluator *evaluator, Reports *reports, Message *message)
{
    for (int first = source->first_place; first < source->end_place;) {
        Analysis analysis = {0};
        JobsEnd end = JOBS_FAILED;
        bool is_written = false;
        if (load_batch(source, first, reports->options, &analysis, message))
            end = evaluator_run(evaluator, &analysis, message);
        if (end == JOBS_DONE) {
            analysis_judge(&analysis);
            is_written = reports_add(reports, &analysis, message);
        }
        first += analysis.game_nb;
        analysis_free(&analysis);
        if (end == JOBS_INTERRUPTED || (end == JOBS_DONE && !is_written && os_interrupted()))
            return interrupted();
        if (!is_written)
            return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int run(Source *source, const Session *session, const AnalyseOptions *options,
               const EvaluateOptions *evaluate, FILE *out, FILE *err)
{
    Message message = {0}, why = {0};
    Reports reports;
    Evaluator *evaluator = evaluator_new(session, evaluate, source->position_nb, &message);
    if (!evaluator)
        return fail(err, message.text);
    int code = EXIT_FAILED;
    if (reports_open(&reports, options, source->kept_nb, out, err, &message))
        code = run_batches(source, evaluator, &reports, &message);
    if (!reports_close(&reports, code == EXIT_DONE, &why) && code == EXIT_DONE) {
        message = why;
        code = os_interrupted() ? interrupted() : EXIT_FAILED;
    }
    evaluator_free(evaluator);
    if (code != EXIT_DONE)
        fail(err, message.text);
    else if (!options->shard.nb || !options->state_path) // that of a share may be a part for `merge`
        evaluate_forget(evaluate);
    return code;
}

// The progress file stands beside the first file, each share having its own; what is no file has none.
static const char *state_beside(const Source *source, const char *const *inputs, const Shard *shard,
                                Text *path)
{
    for (int i = 0; i < source->file_nb; i++)
        if (source->file[i].stream) {
            text_add(path, "%s.", inputs[i]);
            if (shard->nb)
                text_add(path, "%d-%d.", shard->index + 1, shard->nb);
            text_add(path, "twofold-progress");
            return path->ptr;
        }
    return NULL;
}

// A rank above 0 searches what it is sent; files are rank 0's.
static int serve(const Session *session, const EvaluateOptions *options, FILE *err)
{
    EvaluateOptions quiet = *options;
    Message message = {0};
    quiet.state_path = NULL;
    quiet.progress = NULL;
    Evaluator *evaluator = evaluator_new(session, &quiet, 0, &message);
    bool ok = evaluator && evaluator_serve(evaluator, &message);
    evaluator_free(evaluator);
    return ok ? EXIT_DONE : fail(err, message.text);
}

int analyse_run(const char *const *inputs, int input_nb, const AnalyseOptions *options, FILE *out, FILE *err)
{
    Session session;
    Message message = {0};
    Text state = {0};
    int code = open_session(&session, options, err);
    Source source = {.rules = session.rules, .player = options->player, .from_move = options->from_move};
    if (code == EXIT_DONE && transport_of_run()->rank > 0) {
        EvaluateOptions evaluate = evaluate_options(&session, options, err);
        code = serve(&session, &evaluate, err);
    } else if (code == EXIT_DONE) {
        EvaluateOptions evaluate = evaluate_options(&session, options, err);
        bool ok = check_format(options->format, &message) && check_encoding(options->encoding, &message) &&
                  source_open(&source, inputs, input_nb, err, &message);
        if (ok && !evaluate.state_path)
            evaluate.state_path = state_beside(&source, inputs, &options->shard, &state);
        if (ok)
            source_choose_share(&source, &options->shard);
        ok = ok && check_outputs(inputs, input_nb, evaluate.state_path, options, &message);
        code = ok ? run(&source, &session, options, &evaluate, out, err) : fail(err, message.text);
    }
    source_free(&source);
    text_free(&state);
    session_free(&session);
    return code;
}

// ---- the command line ---------------------------------------------------------------------------
static bool add_option(void *options, const Span *value, Message *message)
{
    return option_list_add(&((AnalyseOptions *)options)->engine, *value, message);
}

static bool set_shard(void *options, const Span *value, Message *message)
{
    return shard_read(*value, &((AnalyseOptions *)options)->shard, message);
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
    {"multipv", 'm', CLI_INT, offsetof(AnalyseOptions, multi_pv), 1, RESULT_OTHERS_MAX + 1, "N",
     "lines for each position, in every report (default 1)", NULL},
    {"from-move", 0, CLI_INT, offsetof(AnalyseOptions, from_move), 1, 9999, "N",
     "do not look at the moves before this one", NULL},
    {"player", 0, CLI_TEXT, offsetof(AnalyseOptions, player), 0, 0, "NAME",
     "only the games of players whose name has this in it", NULL},
    {"hash", 0, CLI_INT, offsetof(AnalyseOptions, hash_mb), 1, HASH_MB_MAX, "MB", "memory for each of them",
     NULL},
    {"option", 0, CLI_CALL, 0, 0, 0, "NAME=VALUE",
     "an option of the engine, as its protocol lists them; may be given again", add_option},
    {"output", 'o', CLI_TEXT, offsetof(AnalyseOptions, annotated_path), 0, 0, "FILE",
     "write the games with marks and comments", NULL},
    {"format", 'f', CLI_TEXT, offsetof(AnalyseOptions, format), 0, 0, "NAME",
     "in this format, whatever the ending of the file's name", NULL},
    {"encoding", 0, CLI_TEXT, offsetof(AnalyseOptions, encoding), 0, 0, "NAME",
     "in this encoding instead of that of the ending, or of the file that is read", NULL},
    {"json", 0, CLI_TEXT, offsetof(AnalyseOptions, json_path), 0, 0, "FILE", "write JSON, one object a line",
     NULL},
    {"html", 0, CLI_TEXT, offsetof(AnalyseOptions, html_path), 0, 0, "FILE",
     "write a page to play through, in one file; of many games, or for a folder, an index and a page for "
     "each",
     NULL},
    {"puzzles", 0, CLI_TEXT, offsetof(AnalyseOptions, puzzles_path), 0, 0, "FILE",
     "write the positions where somebody missed something clear, for play --puzzles", NULL},
    {"title", 0, CLI_TEXT, offsetof(AnalyseOptions, title), 0, 0, "TEXT", "the title of that page", NULL},
    {"state", 0, CLI_TEXT, offsetof(AnalyseOptions, state_path), 0, 0, "FILE",
     "the progress file (default FILE.twofold-progress)", NULL},
    {"shard", 0, CLI_CALL, 0, 0, 0, "I/N",
     "of the games only the Ith of N equal shares: `merge` joins what comes of them", set_shard},
    {"quiet", 'q', CLI_SWITCH, offsetof(AnalyseOptions, quiet), 0, 0, NULL,
     "no progress, and no text on standard output", NULL},
};
static const CliCommand COMMAND = {
    .name = "twofold-" GAME_NAME " analyse",
    .about =
        "Usage: twofold-" GAME_NAME " analyse FILE... [OPTIONS]\n"
        "Analyses every move of the games, or every position, of files (- is standard input), or a position "
        "given as words.\n"
        "The kind of file is recognised. What would get a mark is looked at again, with 8 times the "
        "nodes, and with 32 where that leaves a doubt.\n"
        "The same file gives the same report, unless --time is given. An interrupted run goes on where it "
        "stopped.",
    .more =
        "FILE may be - for standard output. Unless it is, or -q is given, the report goes there as text,\n"
        "whatever else is written. No output may be the file that is read, or the same as another.\n"
        "Marks: ?? a fifth of a win lost, ? a tenth, ?! a twentieth; ! the only good move.",
    .table = &(const CliTable){OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0]},
    .table_nb = 1,
    .operand_max = CLI_FILES_MAX,
    .speaks = true,
};

int analysis_main(int argc, char **argv)
{
    AnalyseOptions options = analyse_options_default();
    CliFiles operands;
    const char *inputs[CLI_FILES_MAX];
    Text joined = {0};
    int code;
    if (!cli_read(&COMMAND, argc, argv, &options, &operands, &code))
        return code;
    if (operands.nb == 0)
        return cli_misused(&COMMAND, "the name of a file with games or positions is missing");
    options.progress_bar = os_is_terminal(2);
    os_catch_interrupts();
    const int input_nb = source_join(operands.path, operands.nb, inputs, &joined);
    code = input_nb ? analyse_run(inputs, input_nb, &options, stdout, stderr)
                    : cli_failed(&COMMAND, "not enough memory");
    text_free(&joined);
    return code;
}
