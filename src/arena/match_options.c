// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of match: one row per option. Options of engines hold for all engines when they stand
// before the first --engine, and for the engine named last when they stand after it.
#include "arena/match_options.h"

#include <stdlib.h>

#include "base/checksum.h"
#include "base/cli.h"

static SeatSpec *current(MatchOptions *options)
{
    return options->engine_nb ? &options->engine[options->engine_nb - 1] : &options->each;
}

// ---- engines and limits -------------------------------------------------------------------------
static bool set_engine(void *context, const Span *value, Message *error)
{
    MatchOptions *options = context;
    if (options->engine_nb == ENGINES_MAX)
        return message_set(error, "more than %d engines", ENGINES_MAX);
    SeatSpec *spec = &options->engine[options->engine_nb++];
    *spec = options->each;
    return seat_spec_command(spec, value[0], error);
}

static bool set_name(void *context, const Span *value, Message *error)
{
    MatchOptions *options = context;
    if (options->engine_nb == 0)
        return message_set(error, "comes after an --engine");
    if (value[0].len == 0 || !span_copy(value[0], current(options)->name, SEAT_NAME_MAX))
        return message_set(error, "a name has 1 to %d characters", SEAT_NAME_MAX - 1);
    return true;
}

static bool set_arg(void *context, const Span *value, Message *error)
{
    MatchOptions *options = context;
    SeatSpec *spec = current(options);
    if (options->engine_nb == 0)
        return message_set(error, "comes after an --engine");
    if (spec->argv_nb == SEAT_ARGS_MAX)
        return message_set(error, "more than %d words", SEAT_ARGS_MAX);
    spec->argv[spec->argv_nb++] =
        (char *)value[0].ptr; // an argument of ours: ends in NUL and lives as long as we do
    spec->argv[spec->argv_nb] = NULL;
    return true;
}

static bool set_dir(void *context, const Span *value, Message *error)
{
    (void)error;
    current(context)->dir = value[0].ptr;
    return true;
}

// NAME=VALUE; NAME alone presses a button.
static bool split_setting(Span text, Setting *setting, Message *error)
{
    const char *equals = memchr(text.ptr, '=', text.len);
    setting->name = span_trim((Span){text.ptr, equals ? (size_t)(equals - text.ptr) : text.len});
    setting->value = equals ? (Span){equals + 1, text.len - (size_t)(equals + 1 - text.ptr)} : (Span){0};
    return setting->name.len > 0 || message_set(error, "'%.*s' has no name", (int)text.len, text.ptr);
}

static bool set_option(void *context, const Span *value, Message *error)
{
    SeatSpec *spec = current(context);
    if (spec->setting_nb == SEAT_SETTINGS_MAX)
        return message_set(error, "more than %d options", SEAT_SETTINGS_MAX);
    return split_setting(value[0], &spec->setting[spec->setting_nb], error) && (spec->setting_nb++, true);
}

static bool set_tc(void *context, const Span *value, Message *error)
{
    return time_control_parse(&current(context)->control, value[0], error);
}

static bool set_byoyomi(void *context, const Span *value, Message *error)
{
    TimeControl *control = &current(context)->control;
    if (!PROTOCOL_WORDS.byoyomi)
        return message_set(error, "%s has no byoyomi", PROTOCOL_WORDS.protocol);
    control->has_clock = true;
    return cli_time_ms(value[0], &control->byoyomi_ms, error);
}

static bool set_st(void *context, const Span *value, Message *error)
{
    return cli_time_ms(value[0], &current(context)->control.move_time_ms, error);
}

static bool set_nodes(void *context, const Span *value, Message *error)
{
    i64 nodes = 0;
    if (!cli_int(value[0], 1, INT64_MAX, &nodes, error))
        return false;
    current(context)->control.nodes = (u64)nodes;
    return true;
}

static bool set_depth(void *context, const Span *value, Message *error)
{
    i64 depth = 0;
    if (!cli_int(value[0], 1, 1000, &depth, error))
        return false;
    current(context)->control.depth = (int)depth;
    return true;
}

// ---- games --------------------------------------------------------------------------------------
static bool set_order(void *context, const Span *value, Message *error)
{
    MatchOptions *options = context;
    options->openings.sequential = span_is(value[0], "sequential");
    return options->openings.sequential || span_is(value[0], "random") ||
           message_set(error, "'%.*s' is neither random nor sequential", (int)value[0].len, value[0].ptr);
}

// The value of an option of the rules as its number.
static bool rule_value(const RuleOption *rule, Span value, i64 *out, Message *error)
{
    if (rule->type == OPTION_CHECK) {
        *out = span_is_nocase(value, "true");
        return *out || span_is_nocase(value, "false") ||
               message_set(error, "%s is true or false", rule->name);
    }
    if (rule->type == OPTION_SPIN)
        return cli_int(value, rule->min, rule->max, out, error);
    for (int i = 0; rule->type == OPTION_COMBO && rule->choice[i]; i++)
        if (span_is_nocase(value, rule->choice[i])) {
            *out = i;
            return true;
        }
    return message_set(error, "%s does not take '%.*s'", rule->name, (int)value.len, value.ptr);
}

static bool set_rule(void *context, const Span *value, Message *error)
{
    MatchOptions *options = context;
    SeatCommon *common = &options->common;
    Setting setting;
    if (!split_setting(value[0], &setting, error))
        return false;
    for (int i = 0; i < PROTOCOL_WORDS.rule_option_nb; i++) {
        const RuleOption *rule = &PROTOCOL_WORDS.rule_option[i];
        i64 number;
        if (!span_is_nocase(setting.name, rule->name))
            continue;
        if (common->rule_nb == SEAT_SETTINGS_MAX || !rule_value(rule, setting.value, &number, error))
            return false;
        rule->apply(&options->rules, number);
        common->rule[common->rule_nb++] = (Setting){span_of(rule->name), setting.value};
        return true;
    }
    return message_set(error, "%s has no rule '%.*s'", GAME_NAME, (int)setting.name.len, setting.name.ptr);
}

static bool set_start(MatchOptions *options, const char *kind, Message *error)
{
    Span rule = span_of("UCI_Chess960=true");
    options->openings.start = kind;
    return set_rule(options, &rule, error); // which a game without it refuses
}

static bool set_chess960(void *context, const Span *value, Message *error)
{
    (void)value;
    return set_start(context, "chess960", error);
}

static bool set_dfrc(void *context, const Span *value, Message *error)
{
    (void)value;
    return set_start(context, "dfrc", error);
}

static bool set_win(void *context, const Span *value, Message *error)
{
    Adjudication *a = &((MatchOptions *)context)->adjudication;
    i64 cp = 0, moves = 0;
    if (!cli_int(value[0], 1, 30000, &cp, error) || !cli_int(value[1], 1, 1000, &moves, error))
        return false;
    a->win_score = (int)cp;
    a->win_plies = 2 * (int)moves;
    return true;
}

static bool set_draw(void *context, const Span *value, Message *error)
{
    Adjudication *a = &((MatchOptions *)context)->adjudication;
    i64 cp, moves, from;
    if (!cli_int(value[0], 0, 30000, &cp, error) || !cli_int(value[1], 1, 1000, &moves, error) ||
        !cli_int(value[2], 0, 10000, &from, error))
        return false;
    a->draw_score = (int)cp;
    a->draw_plies = 2 * (int)moves;
    a->draw_from_ply = (int)from;
    return true;
}

static bool set_sprt(void *context, const Span *value, Message *error)
{
    MatchOptions *options = context;
    options->has_sprt = true;
    return sprt_read(value, &options->sprt, error);
}

static bool set_merge(void *context, const Span *value, Message *error)
{
    MatchOptions *options = context;
    if (options->merged_nb == MERGED_MAX)
        return message_set(error, "more than %d files to merge", MERGED_MAX);
    options->merged[options->merged_nb++] = value[0].ptr;
    return true;
}

static bool set_shard(void *context, const Span *value, Message *error)
{
    return shard_read(value[0], &((MatchOptions *)context)->shard, error);
}

static bool set_sprt_model(void *context, const Span *value, Message *error)
{
    Sprt *sprt = &((MatchOptions *)context)->sprt;
    sprt->logistic = span_is(value[0], "logistic");
    return sprt->logistic || span_is(value[0], "normalised") || span_is(value[0], "normalized") ||
           message_set(error, "'%.*s' is neither normalised nor logistic", (int)value[0].len, value[0].ptr);
}

// ---- the table ----------------------------------------------------------------------------------
static const CliOption OPTIONS[] = {
    {NULL, 0, CLI_HEADING, 0, 0, 0, NULL,
     "Engines (options and limits before the first --engine hold for all, after it for the engine named "
     "last):",
     NULL},
    {"engine", 0, CLI_CALL, 0, 0, 0, "COMMAND",
     "a program with its arguments; two or more: the first plays against each of the others", set_engine},
    {"name", 0, CLI_CALL, 0, 0, 0, "NAME", "what reports call it (default: the program's name)", set_name},
    {"arg", 0, CLI_CALL, 0, 0, 0, "ARG", "one more argument for it", set_arg},
    {"dir", 0, CLI_CALL, 0, 0, 0, "FOLDER", "the folder it runs in", set_dir},
    {"option", 0, CLI_CALL, 0, 0, 0, "NAME=VALUE", "an option to set; NAME alone presses a button",
     set_option},
    {NULL, 0, CLI_HEADING, 0, 0, 0, NULL, "Limits (times in seconds, or with a unit: 500ms, 2s, 1m):", NULL},
    {"tc", 0, CLI_CALL, 0, 0, 0, "[MOVES/]TIME[+INC]", "a clock: 8+0.08, 40/60, 1+0.01", set_tc},
    {"byoyomi", 0, CLI_CALL, 0, 0, 0, "TIME",
     "for every move when the clock is used up (where the protocol has it)", set_byoyomi},
    {"st", 0, CLI_CALL, 0, 0, 0, "TIME", "this time for every move", set_st},
    {"nodes", 0, CLI_CALL, 0, 0, 0, "N", "nodes for every move", set_nodes},
    {"depth", 0, CLI_CALL, 0, 0, 0, "N", "depth for every move", set_depth},
    {NULL, 0, CLI_HEADING, 0, 0, 0, NULL, "Games:", NULL},
    {"round-robin", 0, CLI_SWITCH, offsetof(MatchOptions, round_robin), 0, 0, NULL,
     "each engine plays against each of the others", NULL},
    {"games", 0, CLI_I64, offsetof(MatchOptions, games), 1, GAMES_MAX, "N",
     "against each opponent, rounded up to pairs (default 100; with --sprt as many as it takes)", NULL},
    {"concurrency", 0, CLI_INT, offsetof(MatchOptions, concurrency), 1, GAMES_AT_ONCE_MAX, "N",
     "games at once", NULL},
    {"openings", 0, CLI_TEXT, offsetof(MatchOptions, openings.file), 0, 0, "FILE",
     "positions, one a line, or recorded games; each is played twice with colours changed (default: some "
     "hundred "
     "even openings of this program)",
     NULL},
    {"order", 0, CLI_CALL, 0, 0, 0, "random|sequential", "of the file (default random, by the seed)",
     set_order},
    {"opening-plies", 0, CLI_INT, offsetof(MatchOptions, openings.plies), 0, OPENING_PLIES_MAX, "N",
     "at most so many plies of a recorded game", NULL},
    {"random-plies", 0, CLI_INT, offsetof(MatchOptions, openings.random_plies), 0, OPENING_PLIES_MAX, "N",
     "random legal plies from the start position instead (Chess960: 0)", NULL},
    {"even", 0, CLI_INT, offsetof(MatchOptions, openings.even_cp), 0, 30000, "CP",
     "random openings must be within this for a short search (0: any)", NULL},
    {"even-nodes", 0, CLI_I64, offsetof(MatchOptions, openings.even_nodes), 1, 1000000000, "N",
     "nodes of that search", NULL},
    {"seed", 0, CLI_I64, offsetof(MatchOptions, openings.seed), 0, 9e18, "N", "of everything random", NULL},
    {"rule", 0, CLI_CALL, 0, 0, 0, "NAME=VALUE", "an option of the rules, for us and for both engines",
     set_rule},
    {"chess960", 0, CLI_CALL, 0, 0, 0, NULL,
     "in chess: Chess960, from start positions drawn by lot or from --openings", set_chess960},
    {"dfrc", 0, CLI_CALL, 0, 0, 0, NULL,
     "the same with each side's pieces drawn by themselves (double Chess960)", set_dfrc},
    {"restart", 0, CLI_SWITCH, offsetof(MatchOptions, restart), 0, 0, NULL,
     "start the engines anew for every game", NULL},
    {NULL, 0, CLI_HEADING, 0, 0, 0, NULL, "Adjudication (off unless asked for):", NULL},
    {"adjudicate-win", 0, CLI_CALL, 0, 0, 0, "CP MOVES",
     "a win when both see at least CP for it, MOVES moves each in a row", set_win},
    {"adjudicate-draw", 0, CLI_CALL, 0, 0, 0, "CP MOVES PLY",
     "a draw when both see at most CP, MOVES moves each in a row, from PLY on", set_draw},
    {"max-plies", 0, CLI_INT, offsetof(MatchOptions, adjudication.max_plies), 0, 100000, "N",
     "a draw after N plies", NULL},
    {NULL, 0, CLI_HEADING, 0, 0, 0, NULL, "Patience:", NULL},
    {"margin-ms", 0, CLI_I64, offsetof(MatchOptions, common.margin_ms), 0, 3600000, "MS",
     "an answer may be so late before it loses", NULL},
    {"init-timeout", 0, CLI_TIME_MS, offsetof(MatchOptions, common.init_timeout_ms), 0, 0, "TIME",
     "for starting and for new games", NULL},
    {"hang-timeout", 0, CLI_TIME_MS, offsetof(MatchOptions, common.hang_timeout_ms), 0, 0, "TIME",
     "for a move without a clock", NULL},
    {NULL, 0, CLI_HEADING, 0, 0, 0, NULL, "Statistics:", NULL},
    {"sprt", 0, CLI_CALL, 0, 0, 0, "ELO0 ELO1 ALPHA BETA",
     "stop when pairs accept H1 (ELO1) or H0 (ELO0); two engines only", set_sprt},
    {"sprt-model", 0, CLI_CALL, 0, 0, 0, "normalised|logistic", "what ELO0 and ELO1 are (default normalised)",
     set_sprt_model},
    {NULL, 0, CLI_HEADING, 0, 0, 0, NULL, "Files and output:", NULL},
    {"games-file", 0, CLI_TEXT, offsetof(MatchOptions, games_file), 0, 0, "FILE",
     "a line for each game, appended as games end", NULL},
    {"resume", 0, CLI_SWITCH, offsetof(MatchOptions, resume), 0, 0, NULL, "go on from the games file", NULL},
    {"merge", 0, CLI_CALL, 0, 0, 0, "FILE",
     "count the games of this games file too: of the same match on another machine; may be given again",
     set_merge},
    {"shard", 0, CLI_CALL, 0, 0, 0, "I/N",
     "play every Nth pair of games, from the Ith on: `merge` joins the games files", set_shard},
    {"report-only", 0, CLI_SWITCH, offsetof(MatchOptions, report_only), 0, 0, NULL,
     "play nothing: report on what the files have", NULL},
    {"record", 0, CLI_TEXT, offsetof(MatchOptions, record_file), 0, 0, "FILE",
     "append the games in the game's usual format, with score, depth and time of each move", NULL},
    {"pgn", 0, CLI_TEXT, offsetof(MatchOptions, record_file), 0, 0, "FILE", "the same as --record", NULL},
    {"format", 0, CLI_TEXT, offsetof(MatchOptions, format), 0, 0, "NAME", "another format for --record",
     NULL},
    {"event", 0, CLI_TEXT, offsetof(MatchOptions, event), 0, 0, "TEXT", "the event's name in the records",
     NULL},
    {"log", 0, CLI_TEXT, offsetof(MatchOptions, log_file), 0, 0, "FILE",
     "append both sides' protocol text of every game that ended abnormally", NULL},
    {"json", 0, CLI_TEXT, offsetof(MatchOptions, json_file), 0, 0, "FILE", "the result as JSON at the end",
     NULL},
    {"table", 0, CLI_TEXT, offsetof(MatchOptions, table_file), 0, 0, "FILE",
     "append a row of a Markdown table for each opponent at the end", NULL},
    {"label", 0, CLI_TEXT, offsetof(MatchOptions, label), 0, 0, "TEXT", "what those rows call this build",
     NULL},
    {"html", 0, CLI_TEXT, offsetof(MatchOptions, html_file), 0, 0, "FILE",
     "the result as a page of its own at the end: table, cross table, curves", NULL},
    {"progress", 0, CLI_TIME_MS, offsetof(MatchOptions, progress_ms), 0, 0, "TIME",
     "between progress lines when not on a terminal", NULL},
    {"quiet", 0, CLI_SWITCH, offsetof(MatchOptions, quiet), 0, 0, NULL, "no progress, only the final report",
     NULL},
};
const CliCommand MATCH_COMMAND = {
    .name = "twofold-" GAME_NAME " match",
    .about = "Usage: twofold-" GAME_NAME
             " match [OPTIONS] --engine COMMAND [OPTIONS] --engine COMMAND [OPTIONS] ...\n"
             "Plays programs of the game's protocol against each other, under the rules of this program.\n"
             "  twofold-" GAME_NAME
             " match --tc 8+0.08 --engine ./new --engine ./old --sprt 0 5 0.05 0.05 --concurrency 2",
    .more = "Exit code: 0 the games were played, or H1 was accepted; 1 failed; 2 a wrong call; 3 H0 was "
            "accepted;\n"
            "4 the test ended without a decision; 128 and the signal: interrupted, to be continued.\n"
            "A program that crashes, hangs, moves illegally, is late or writes garbage loses that game, is "
            "started\n"
            "anew and is counted in the report. Ctrl-C ends the match with a report; --games-file and "
            "--resume go\n"
            "on later.",
    .table = &(const CliTable){OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0]},
    .table_nb = 1,
    .speaks = true,
};

// ---- reading and checking -----------------------------------------------------------------------
void match_options_init(MatchOptions *options)
{
    *options = (MatchOptions){0};
    options->games = 0;
    options->concurrency = 1;
    options->rules = rules_default();
    options->common = (SeatCommon){
        .init_timeout_ms = 20000, .margin_ms = 10, .hang_timeout_ms = 60000, .stop_grace_ms = 1000};
    options->openings =
        (OpeningOptions){.plies = 16, .random_plies = -1, .even_cp = 150, .even_nodes = 4000, .seed = 1};
    options->event = "twofold match";
    options->label = "";
    options->progress_ms = 30000;
}

void match_options_free(MatchOptions *options)
{
    for (int i = 0; i < options->engine_nb; i++)
        free(options->engine[i].words);
}

static bool has_limit(const TimeControl *control)
{
    bool has_time = control->base_ms || control->inc_ms || control->byoyomi_ms;
    return control->has_clock ? has_time : control->move_time_ms || control->nodes || control->depth;
}

static bool name_is_taken(const MatchOptions *options, const char *name, int before)
{
    for (int i = 0; i < before; i++)
        if (strcmp(options->engine[i].name, name) == 0)
            return true;
    return false;
}

// Engines of the same name get numbers, so that reports and records tell them apart.
static void number_names(MatchOptions *options)
{
    for (int i = 0; i < options->engine_nb; i++) {
        char name[SEAT_NAME_MAX];
        text_disarm_line(options->engine[i].name);
        memcpy(name, options->engine[i].name, sizeof name);
        for (int number = 2; name_is_taken(options, name, i); number++)
            snprintf(name, sizeof name, "%.50s-%d", options->engine[i].name, number);
        memcpy(options->engine[i].name, name, sizeof name);
    }
}

// What the table can't see.
static bool check(const MatchOptions *options, Message *error)
{
    if (options->engine_nb < 2)
        return message_set(error, "a match needs two engines or more: --engine COMMAND twice");
    for (int i = 0; i < options->engine_nb; i++)
        if (!has_limit(&options->engine[i].control))
            return message_set(
                error,
                "%s has no limit, or no time on its clock: give --tc, --byoyomi, --st, --nodes or --depth",
                options->engine[i].name);
    if (options->has_sprt && options->engine_nb != 2)
        return message_set(error, "--sprt is for two engines");
    if (options->has_sprt && options->shard.nb)
        return message_set(error, "--sprt looks at all games, --shard plays a part of them");
    if (options->resume && !options->games_file)
        return message_set(error, "--resume needs --games-file");
    if (options->report_only && !options->games_file && !options->merged_nb)
        return message_set(error, "--report-only needs --games-file or --merge");
    const char *const files[] = {options->openings.file, options->games_file, options->record_file,
                                 options->log_file,      options->json_file,  options->table_file,
                                 options->html_file};
    if (!cli_files_differ(files, sizeof files / sizeof files[0], error))
        return false;
    for (int i = 0; i < options->merged_nb; i++) { // each by itself: they are only read, and may be many
        const char *const pair[] = {options->merged[i], options->games_file, options->record_file,
                                    options->log_file,  options->json_file,  options->table_file,
                                    options->html_file};
        if (!cli_files_differ(pair, sizeof pair / sizeof pair[0], error))
            return false;
    }
    return true;
}

bool match_options_read(MatchOptions *options, int argc, char **argv, int *code)
{
    Message error;
    if (!cli_read(&MATCH_COMMAND, argc, argv, options, NULL, code))
        return false;
    if (!check(options, &error)) {
        *code = cli_misused(&MATCH_COMMAND, error.text);
        return false;
    }
    options->openings.rules = options->rules;
    options->openings.is_own =
        !options->openings.file && !options->openings.start && options->openings.random_plies < 0;
    if (options->openings.random_plies < 0)
        options->openings.random_plies = 0;
    if (options->games == 0)
        options->games = options->has_sprt ? 1000000 : 100;
    options->games += options->games & 1;
    number_names(options);
    return true;
}

int match_pairing_nb(const MatchOptions *options)
{
    const int nb = options->engine_nb;
    return options->round_robin ? nb * (nb - 1) / 2 : nb - 1;
}

void match_pairing(const MatchOptions *options, int number, int *first, int *second)
{
    assert(number >= 1 && number <= match_pairing_nb(options));
    *first = 0;
    *second = number;
    if (!options->round_robin)
        return;
    // The pairings with the second engine come first, then those with the third, and so on.
    for (*second = 1; number > *second; number -= (*second)++)
        ;
    *first = number - 1;
}

i64 match_games_wanted(const MatchOptions *options)
{
    const i64 pair_nb = (options->games + 1) / 2, last = pair_nb - 1;
    i64 games = 2 * shard_count(&options->shard, pair_nb);
    if (options->games % 2 && shard_has(&options->shard, last))
        games--;
    return games * match_pairing_nb(options);
}

u64 match_fingerprint(const MatchOptions *options)
{
    Text text = {0};
    for (int i = 0; i < options->engine_nb; i++) {
        const SeatSpec *spec = &options->engine[i];
        char control[128];
        time_control_print(&spec->control, control, sizeof control);
        text_add(&text, "engine %s %s\n", spec->name, control);
        if (spec->dir)
            text_add(&text, " in %s\n", spec->dir);
        for (int a = 0; a < spec->argv_nb; a++)
            text_add(&text, " %s\n", spec->argv[a]);
        for (int s = 0; s < spec->setting_nb; s++)
            text_add(&text, " %.*s=%.*s\n", (int)spec->setting[s].name.len, spec->setting[s].name.ptr,
                     (int)spec->setting[s].value.len,
                     spec->setting[s].value.ptr ? spec->setting[s].value.ptr : "");
    }
    for (int i = 0; i < options->common.rule_nb; i++)
        text_add(&text, "rule %.*s=%.*s\n", (int)options->common.rule[i].name.len,
                 options->common.rule[i].name.ptr, (int)options->common.rule[i].value.len,
                 options->common.rule[i].value.ptr);
    if (options->round_robin)
        text_add(&text, "round robin\n");
    const OpeningOptions *o = &options->openings;
    text_add(&text, "openings %s %s %d %d %d %d %llu %llu\n",
             o->file     ? o->file
             : o->is_own ? "own"
                         : "",
             o->start ? o->start : "", o->sequential, o->plies, o->random_plies, o->even_cp,
             (unsigned long long)o->even_nodes, (unsigned long long)o->seed);
    const Adjudication *a = &options->adjudication;
    text_add(&text, "adjudication %d %d %d %d %d %d\n", a->win_score, a->win_plies / 2, a->draw_score,
             a->draw_plies / 2, a->draw_from_ply, a->max_plies);
    u64 hash = checksum_add(0, text.ptr, text.len);
    text_free(&text);
    return hash;
}
