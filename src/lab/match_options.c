// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of match: one row per option. Options of engines hold for all engines when they stand before the first --engine,
// and for the engine named last when they stand after it.
#include "lab/match.h"

#include <stdlib.h>

#include "lab/flags.h"

static PlayerSpec *current(MatchOptions *options)
{
    return options->engine_nb ? &options->engine[options->engine_nb - 1] : &options->each;
}

// ---- engines and limits ---------------------------------------------------------------------------------------------
static bool set_engine(void *context, const Span *value, Message *error)
{
    MatchOptions *options = context;
    if (options->engine_nb == ENGINES_MAX)
        return message_set(error, "more than %d engines", ENGINES_MAX);
    PlayerSpec *spec = &options->engine[options->engine_nb++];
    *spec = options->each;
    return player_spec_command(spec, value[0], error);
}

static bool set_name(void *context, const Span *value, Message *error)
{
    MatchOptions *options = context;
    if (options->engine_nb == 0)
        return message_set(error, "comes after an --engine");
    if (value[0].len == 0 || !span_copy(value[0], current(options)->name, PLAYER_NAME_MAX))
        return message_set(error, "a name has 1 to %d characters", PLAYER_NAME_MAX - 1);
    return true;
}

static bool set_arg(void *context, const Span *value, Message *error)
{
    MatchOptions *options = context;
    PlayerSpec *spec = current(options);
    if (options->engine_nb == 0)
        return message_set(error, "comes after an --engine");
    if (spec->argv_nb == PLAYER_ARGS_MAX)
        return message_set(error, "more than %d words", PLAYER_ARGS_MAX);
    spec->argv[spec->argv_nb++] = (char *)value[0].ptr; // an argument of ours: ends in NUL and lives as long as we do
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
    PlayerSpec *spec = current(context);
    if (spec->setting_nb == PLAYER_SETTINGS_MAX)
        return message_set(error, "more than %d options", PLAYER_SETTINGS_MAX);
    return split_setting(value[0], &spec->setting[spec->setting_nb], error) && (spec->setting_nb++, true);
}

static bool set_tc(void *context, const Span *value, Message *error)
{
    return time_control_parse(&current(context)->control, value[0], error);
}

static bool set_byoyomi(void *context, const Span *value, Message *error)
{
    TimeControl *control = &current(context)->control;
    if (!DIALECT.byoyomi)
        return message_set(error, "%s has no byoyomi", DIALECT.protocol);
    control->has_clock = true;
    return flag_time_ms(value[0], &control->byoyomi_ms, error);
}

static bool set_st(void *context, const Span *value, Message *error)
{
    return flag_time_ms(value[0], &current(context)->control.move_time_ms, error);
}

static bool set_nodes(void *context, const Span *value, Message *error)
{
    i64 nodes;
    if (!flag_int(value[0], 1, INT64_MAX, &nodes, error))
        return false;
    current(context)->control.nodes = (u64)nodes;
    return true;
}

static bool set_depth(void *context, const Span *value, Message *error)
{
    i64 depth;
    if (!flag_int(value[0], 1, 1000, &depth, error))
        return false;
    current(context)->control.depth = (int)depth;
    return true;
}

// ---- games ----------------------------------------------------------------------------------------------------------
#define NUMBER_SETTER(name, field, type, lo, hi)                                                                       \
    static bool name(void *context, const Span *value, Message *error)                                                 \
    {                                                                                                                  \
        i64 number;                                                                                                    \
        if (!flag_int(value[0], lo, hi, &number, error))                                                               \
            return false;                                                                                              \
        ((MatchOptions *)context)->field = (type)number;                                                               \
        return true;                                                                                                   \
    }
#define TEXT_SETTER(name, field)                                                                                       \
    static bool name(void *context, const Span *value, Message *error)                                                 \
    {                                                                                                                  \
        (void)error;                                                                                                   \
        ((MatchOptions *)context)->field = value[0].ptr;                                                               \
        return true;                                                                                                   \
    }
#define SWITCH_SETTER(name, field)                                                                                     \
    static bool name(void *context, const Span *value, Message *error)                                                 \
    {                                                                                                                  \
        (void)value, (void)error;                                                                                      \
        ((MatchOptions *)context)->field = true;                                                                       \
        return true;                                                                                                   \
    }
#define TIME_SETTER(name, field)                                                                                       \
    static bool name(void *context, const Span *value, Message *error)                                                 \
    {                                                                                                                  \
        return flag_time_ms(value[0], &((MatchOptions *)context)->field, error);                                       \
    }

NUMBER_SETTER(set_games, games, i64, 1, GAMES_MAX)
NUMBER_SETTER(set_concurrency, concurrency, int, 1, CONCURRENCY_MAX)
NUMBER_SETTER(set_opening_plies, openings.plies, int, 0, OPENING_PLIES_MAX)
NUMBER_SETTER(set_random_plies, openings.random_plies, int, 0, OPENING_PLIES_MAX)
NUMBER_SETTER(set_even, openings.even_cp, int, 0, 30000)
NUMBER_SETTER(set_even_nodes, openings.even_nodes, u64, 1, 1000000000)
NUMBER_SETTER(set_seed, openings.seed, u64, 0, INT64_MAX)
NUMBER_SETTER(set_max_plies, adjudication.max_plies, int, 0, 100000)
NUMBER_SETTER(set_margin, common.margin_ms, i64, 0, 3600000)
TEXT_SETTER(set_openings, openings.file)
TEXT_SETTER(set_games_file, games_file)
TEXT_SETTER(set_log, log_file)
TEXT_SETTER(set_json, json_file)
TEXT_SETTER(set_record, record_file)
TEXT_SETTER(set_format, format)
TEXT_SETTER(set_event, event)
SWITCH_SETTER(set_resume, resume)
SWITCH_SETTER(set_restart, restart)
SWITCH_SETTER(set_quiet, quiet)
SWITCH_SETTER(set_help, help)
TIME_SETTER(set_init_timeout, common.init_timeout_ms)
TIME_SETTER(set_hang_timeout, common.hang_timeout_ms)
TIME_SETTER(set_progress, progress_ms)

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
        return *out || span_is_nocase(value, "false") || message_set(error, "%s is true or false", rule->name);
    }
    if (rule->type == OPTION_SPIN)
        return flag_int(value, rule->min, rule->max, out, error);
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
    PlayerCommon *common = &options->common;
    Setting setting;
    if (!split_setting(value[0], &setting, error))
        return false;
    for (int i = 0; i < DIALECT.rule_option_nb; i++) {
        const RuleOption *rule = &DIALECT.rule_option[i];
        i64 number;
        if (!span_is_nocase(setting.name, rule->name))
            continue;
        if (common->rule_nb == PLAYER_SETTINGS_MAX || !rule_value(rule, setting.value, &number, error))
            return false;
        rule->apply(&options->rules, number);
        common->rule[common->rule_nb++] = (Setting){span_of(rule->name), setting.value};
        return true;
    }
    return message_set(error, "%s has no rule '%.*s'", GAME_NAME, (int)setting.name.len, setting.name.ptr);
}

static bool set_chess960(void *context, const Span *value, Message *error)
{
    (void)value;
    Span rule = span_of("UCI_Chess960=true");
    return set_rule(context, &rule, error);
}

static bool set_win(void *context, const Span *value, Message *error)
{
    Adjudication *a = &((MatchOptions *)context)->adjudication;
    i64 cp, moves;
    if (!flag_int(value[0], 1, 30000, &cp, error) || !flag_int(value[1], 1, 1000, &moves, error))
        return false;
    a->win_cp = (int)cp;
    a->win_moves = (int)moves;
    return true;
}

static bool set_draw(void *context, const Span *value, Message *error)
{
    Adjudication *a = &((MatchOptions *)context)->adjudication;
    i64 cp, moves, from;
    if (!flag_int(value[0], 0, 30000, &cp, error) || !flag_int(value[1], 1, 1000, &moves, error) ||
        !flag_int(value[2], 0, 10000, &from, error))
        return false;
    a->draw_cp = (int)cp;
    a->draw_moves = (int)moves;
    a->draw_from_ply = (int)from;
    return true;
}

static bool set_sprt(void *context, const Span *value, Message *error)
{
    MatchOptions *options = context;
    Sprt *sprt = &options->sprt;
    options->has_sprt = true;
    return flag_real(value[0], -SPRT_ELO_MAX, SPRT_ELO_MAX, &sprt->elo0, error) &&
           flag_real(value[1], -SPRT_ELO_MAX, SPRT_ELO_MAX, &sprt->elo1, error) && flag_real(value[2], 0, 1, &sprt->alpha, error) &&
           flag_real(value[3], 0, 1, &sprt->beta, error) && sprt_is_ok(sprt, error);
}

static bool set_sprt_model(void *context, const Span *value, Message *error)
{
    Sprt *sprt = &((MatchOptions *)context)->sprt;
    sprt->logistic = span_is(value[0], "logistic");
    return sprt->logistic || span_is(value[0], "normalised") || span_is(value[0], "normalized") ||
           message_set(error, "'%.*s' is neither normalised nor logistic", (int)value[0].len, value[0].ptr);
}

// ---- the table ------------------------------------------------------------------------------------------------------
static const Flag FLAGS[] = {
    {NULL, 0, NULL, "Engines (options and limits before the first --engine hold for all, after it for the engine named last):", NULL},
    {"--engine", 1, "COMMAND", "a program with its arguments; two or more: the first plays against each of the others", set_engine},
    {"--name", 1, "NAME", "what reports call it (default: the program's name)", set_name},
    {"--arg", 1, "ARG", "one more argument for it", set_arg},
    {"--dir", 1, "FOLDER", "the folder it runs in", set_dir},
    {"--option", 1, "NAME=VALUE", "an option to set; NAME alone presses a button", set_option},
    {NULL, 0, NULL, "Limits (times in seconds, or with a unit: 500ms, 2s, 1m):", NULL},
    {"--tc", 1, "[MOVES/]TIME[+INC]", "a clock: 8+0.08, 40/60, 1+0.01", set_tc},
    {"--byoyomi", 1, "TIME", "for every move when the clock is used up (where the protocol has it)", set_byoyomi},
    {"--st", 1, "TIME", "this time for every move", set_st},
    {"--nodes", 1, "N", "nodes for every move", set_nodes},
    {"--depth", 1, "N", "depth for every move", set_depth},
    {NULL, 0, NULL, "Games:", NULL},
    {"--games", 1, "N", "against each opponent, rounded up to pairs (default 100; with --sprt as many as it takes)", set_games},
    {"--concurrency", 1, "N", "games at once (default 1)", set_concurrency},
    {"--openings", 1, "FILE", "positions, one a line, or recorded games; each is played twice with colours changed", set_openings},
    {"--order", 1, "random|sequential", "of the file (default random, by the seed)", set_order},
    {"--opening-plies", 1, "N", "at most so many plies of a recorded game (default 16)", set_opening_plies},
    {"--random-plies", 1, "N", "without a file: random legal plies from the start position (default 8)", set_random_plies},
    {"--even", 1, "CP", "random openings must be within this for a short search (default 150; 0: any)", set_even},
    {"--even-nodes", 1, "N", "nodes of that search (default 4000)", set_even_nodes},
    {"--seed", 1, "N", "of everything random (default 1)", set_seed},
    {"--rule", 1, "NAME=VALUE", "an option of the rules, for us and for both engines", set_rule},
    {"--chess960", 0, "", "the same as --rule UCI_Chess960=true; for --openings of Chess960 or double Chess960", set_chess960},
    {"--restart", 0, "", "start the engines anew for every game", set_restart},
    {NULL, 0, NULL, "Adjudication (off unless asked for):", NULL},
    {"--adjudicate-win", 2, "CP MOVES", "a win when both see at least CP for it, MOVES moves each in a row", set_win},
    {"--adjudicate-draw", 3, "CP MOVES PLY", "a draw when both see at most CP, MOVES moves each in a row, from PLY on", set_draw},
    {"--max-plies", 1, "N", "a draw after N plies", set_max_plies},
    {NULL, 0, NULL, "Patience:", NULL},
    {"--margin-ms", 1, "MS", "an answer may be so late before it loses (default 10)", set_margin},
    {"--init-timeout", 1, "TIME", "for starting and for new games (default 20)", set_init_timeout},
    {"--hang-timeout", 1, "TIME", "for a move without a clock (default 60)", set_hang_timeout},
    {NULL, 0, NULL, "Statistics:", NULL},
    {"--sprt", 4, "ELO0 ELO1 ALPHA BETA", "stop when pairs accept H1 (ELO1) or H0 (ELO0); two engines only", set_sprt},
    {"--sprt-model", 1, "normalised|logistic", "what ELO0 and ELO1 are (default normalised)", set_sprt_model},
    {NULL, 0, NULL, "Files and output:", NULL},
    {"--games-file", 1, "FILE", "a line for each game, appended as games end", set_games_file},
    {"--resume", 0, "", "go on from the games file", set_resume},
    {"--record", 1, "FILE", "append the games in the game's usual format, with score, depth and time of each move", set_record},
    {"--pgn", 1, "FILE", "the same as --record", set_record},
    {"--format", 1, "NAME", "another format for --record", set_format},
    {"--event", 1, "TEXT", "the event's name in the records", set_event},
    {"--log", 1, "FILE", "append both sides' protocol text of every game that ended abnormally", set_log},
    {"--json", 1, "FILE", "the result as JSON at the end", set_json},
    {"--progress", 1, "TIME", "between progress lines when not on a terminal (default 30)", set_progress},
    {"--quiet", 0, "", "no progress, only the final report", set_quiet},
    {"--help", 0, "", "this text", set_help},
};
enum { FLAG_NB = sizeof FLAGS / sizeof FLAGS[0] };

void match_help(Text *out)
{
    text_add(out,
             "twofold-%s match [options] --engine COMMAND [options] --engine COMMAND [options] ...\n"
             "Plays %s programs against each other, under the rules of this program.\n"
             "  twofold-%s match --tc 8+0.08 --engine ./new --engine ./old --sprt 0 5 0.05 0.05 --concurrency 2\n",
             GAME_NAME, DIALECT.protocol, GAME_NAME);
    flags_help(FLAGS, FLAG_NB, out);
    text_add(out, "\nExit code: 0 the games were played, or H1 was accepted; 1 H0 was accepted; 2 ended without a decision; 3 error.\n"
                  "A program that crashes, hangs, moves illegally, is late or writes garbage loses that game, is started anew and is\n"
                  "counted in the report. Ctrl-C ends the match with a report; --games-file and --resume go on later.\n");
}

// ---- reading and checking -------------------------------------------------------------------------------------------
void match_options_init(MatchOptions *options)
{
    *options = (MatchOptions){0};
    options->games = 0;
    options->concurrency = 1;
    options->rules = rules_default();
    options->common = (PlayerCommon){.init_timeout_ms = 20000, .margin_ms = 10, .hang_timeout_ms = 60000, .stop_grace_ms = 1000};
    options->openings = (OpeningOptions){.plies = 16, .random_plies = 8, .even_cp = 150, .even_nodes = 4000, .seed = 1};
    options->event = "twofold match";
    options->progress_ms = 30000;
}

void match_options_free(MatchOptions *options)
{
    for (int i = 0; i < options->engine_nb; i++)
        free(options->engine[i].words);
}

static bool has_limit(const TimeControl *control)
{
    return control->has_clock || control->move_time_ms || control->nodes || control->depth;
}

// Engines of the same name get numbers, so that reports and records tell them apart.
static void number_names(MatchOptions *options)
{
    for (int i = 1; i < options->engine_nb; i++) {
        int same = 1;
        for (int j = 0; j < i; j++)
            same += strcmp(options->engine[j].name, options->engine[i].name) == 0;
        char name[PLAYER_NAME_MAX];
        if (same > 1 && snprintf(name, sizeof name, "%.50s-%d", options->engine[i].name, same) > 0)
            memcpy(options->engine[i].name, name, sizeof name);
    }
}

bool match_options_read(MatchOptions *options, int argc, char **argv, Message *error)
{
    if (!flags_read(FLAGS, FLAG_NB, argc, argv, options, error))
        return false;
    if (options->help)
        return true;
    if (options->engine_nb < 2)
        return message_set(error, "a match needs two engines or more: --engine COMMAND twice");
    for (int i = 0; i < options->engine_nb; i++)
        if (!has_limit(&options->engine[i].control))
            return message_set(error, "%s has no limit: give --tc, --byoyomi, --st, --nodes or --depth", options->engine[i].name);
    if (options->has_sprt && options->engine_nb != 2)
        return message_set(error, "--sprt is for two engines");
    if (options->resume && !options->games_file)
        return message_set(error, "--resume needs --games-file");
    options->openings.rules = options->rules;
    if (options->games == 0)
        options->games = options->has_sprt ? 1000000 : 100;
    options->games += options->games & 1;
    number_names(options);
    return true;
}

static u64 hash_text(u64 hash, Span text)
{
    for (size_t i = 0; i < text.len; i++)
        hash = hash_mix(hash ^ (u8)text.ptr[i]);
    return hash_mix(hash ^ text.len);
}

u64 match_fingerprint(const MatchOptions *options)
{
    Text text = {0};
    for (int i = 0; i < options->engine_nb; i++) {
        const PlayerSpec *spec = &options->engine[i];
        char control[128];
        time_control_print(&spec->control, control, sizeof control);
        text_add(&text, "engine %s %s\n", spec->name, control);
        for (int a = 0; a < spec->argv_nb; a++)
            text_add(&text, " %s\n", spec->argv[a]);
        for (int s = 0; s < spec->setting_nb; s++)
            text_add(&text, " %.*s=%.*s\n", (int)spec->setting[s].name.len, spec->setting[s].name.ptr,
                     (int)spec->setting[s].value.len, spec->setting[s].value.ptr ? spec->setting[s].value.ptr : "");
    }
    for (int i = 0; i < options->common.rule_nb; i++)
        text_add(&text, "rule %.*s=%.*s\n", (int)options->common.rule[i].name.len, options->common.rule[i].name.ptr,
                 (int)options->common.rule[i].value.len, options->common.rule[i].value.ptr);
    const OpeningOptions *o = &options->openings;
    text_add(&text, "openings %s %d %d %d %d %llu %llu\n", o->file ? o->file : "", o->sequential, o->plies, o->random_plies, o->even_cp,
             (unsigned long long)o->even_nodes, (unsigned long long)o->seed);
    const Adjudication *a = &options->adjudication;
    text_add(&text, "adjudication %d %d %d %d %d %d\n", a->win_cp, a->win_moves, a->draw_cp, a->draw_moves, a->draw_from_ply,
             a->max_plies);
    u64 hash = hash_text(1, text_span(&text));
    text_free(&text);
    return hash;
}
