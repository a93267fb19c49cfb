// SPDX-License-Identifier: GPL-3.0-or-later
// The option table: one row per option, with its limits, where its value is kept, and a function where there
// is more to do. A row that differs between the protocols takes its name and default from the game's words.
// Invariant: a value that can't be applied changes nothing, and the message says why.
#include "session/options.h"

#include <stdlib.h>

#include "base/suggest.h"

// A value that fits its option: the number (check: 0 or 1), or the text.
typedef struct OptionValue {
    i64 number;
    Span text;
} OptionValue;

// What the value is in its structure. KEPT_TEXT is a Text of Settings.
typedef enum Kept { KEPT_NOWHERE, KEPT_INT, KEPT_BOOL, KEPT_I64, KEPT_TEXT } Kept;

typedef struct Option {
    OptionRole role;  // ROLE_NONE: the same in every protocol, under `name`
    const char *name; // under which every game knows it; NULL: the protocol's name alone
    OptionType type;
    i64 def, min, max;
    OptionResult (*apply)(Session *session, OptionValue value,
                          Message *message); // before it is kept; may be NULL
    Kept kept;
    bool is_search; // in SearchOptions, which tell the default too; else in Settings
    size_t offset;
    bool is_unlisted;
} Option;

// ---- what is more than a number -----------------------------------------------------------------
static OptionResult apply_hash(Session *session, OptionValue value, Message *message)
{
    // Some programs send every option again before a search: that must not cost the table.
    bool ok = value.number == engine_hash_mb(session->engine) ||
              engine_set_hash(session->engine, (int)value.number, message);
    return ok ? OPTION_DONE : OPTION_NO_MEMORY;
}

static OptionResult apply_clear_hash(Session *session, OptionValue value, Message *message)
{
    (void)value, (void)message;
    engine_clear_hash(session->engine);
    return OPTION_DONE;
}

static OptionResult apply_threads(Session *session, OptionValue value, Message *message)
{
    return engine_set_threads(session->engine, (int)value.number, message) ? OPTION_DONE : OPTION_NO_MEMORY;
}

// Playing strength as one number, for those who have no switch beside it.
static OptionResult apply_elo(Session *session, OptionValue value, Message *message)
{
    SkillRange range = skill_range();
    if (value.number != 0 && value.number < range.min_elo) {
        message_set(message, "expected 0 for full strength, or a number from %d to %d", range.min_elo,
                    range.max_elo);
        return OPTION_REFUSED;
    }
    session_set_level(session, (int)value.number);
    return OPTION_DONE;
}

static OptionResult apply_seed(Session *session, OptionValue value, Message *message)
{
    (void)message;
    session_set_seed(session, value.number);
    return OPTION_DONE;
}

// A path as a string that the system takes; NULL with a message when that can't be made. The caller frees it.
static char *path_of(Span text, Message *message)
{
    if (memchr(text.ptr, '\0', text.len)) {
        message_set(message, "the path has a NUL byte in it");
        return NULL;
    }
    char *path = malloc(text.len + 1);
    if (!path) {
        message_set(message, "not enough memory for the path");
        return NULL;
    }
    memcpy(path, text.ptr, text.len);
    path[text.len] = '\0';
    return path;
}

static OptionResult load_net(Net **net, Span text, Message *message)
{
    char *path = path_of(text, message);
    if (!path)
        return OPTION_REFUSED;
    OptionResult result = OPTION_DONE;
    *net = os_alloc_big(sizeof **net);
    if (!*net) {
        message_set(message, "no memory for a network");
        result = OPTION_NO_MEMORY;
    } else if (!net_load(*net, path, message)) {
        os_free_big(*net, sizeof **net);
        result = OPTION_REFUSED;
    }
    free(path);
    return result;
}

// Empty is the built-in network; "none" is material alone, which is what networks are measured against in the
// beginning.
static OptionResult apply_eval_file(Session *session, OptionValue value, Message *message)
{
    Net *net = NULL;
    bool material = span_is(value.text, "none");
    OptionResult result = value.text.len && !material ? load_net(&net, value.text, message) : OPTION_DONE;
    if (result != OPTION_DONE)
        return result;
    engine_set_net(session->engine, material ? NULL : net ? net : net_embedded());
    os_free_big(session->net, sizeof *session->net);
    session->net = net;
    return OPTION_DONE;
}

static OptionResult apply_book_file(Session *session, OptionValue value, Message *message)
{
    Book *book = NULL;
    if (value.text.len) {
        char *path = path_of(value.text, message);
        book = path ? book_open(path, message) : NULL;
        free(path);
        if (!book)
            return OPTION_REFUSED;
    }
    book_close(session->book);
    session->book = book;
    return OPTION_DONE;
}

static OptionResult apply_tb_path(Session *session, OptionValue value, Message *message)
{
    Tablebase *tablebase = NULL;
    if (value.text.len) {
        Message note = {0};
        char *path = path_of(value.text, &note);
        tablebase = path ? tb_open(path, &note) : NULL;
        free(path);
        if (!tablebase) {
            *message = note;
            return OPTION_REFUSED;
        }
        if (note.text[0])
            session_note(session, "%s", note.text);
        session_note(session, "endgame tables of up to %d men", tb_men(tablebase));
    }
    engine_options(session->engine)->tablebase = tablebase;
    tb_close(session->tablebase);
    session->tablebase = tablebase;
    return OPTION_DONE;
}

// ---- the table ----------------------------------------------------------------------------------
#define SEARCH(kind, member) .kept = KEPT_##kind, .is_search = true, .offset = offsetof(SearchOptions, member)
#define SETTING(kind, member) .kept = KEPT_##kind, .offset = offsetof(Settings, member)
static const Option OPTIONS[] = {
    {ROLE_HASH, "Hash", OPTION_SPIN, 0, 1, HASH_MB_MAX, apply_hash, SETTING(INT, hash_mb)},
    {ROLE_CLEAR_HASH, NULL, OPTION_BUTTON, 0, 0, 0, apply_clear_hash, .kept = KEPT_NOWHERE},
    {ROLE_NONE, "Threads", OPTION_SPIN, 1, 1, THREADS_MAX, apply_threads, SETTING(INT, threads)},
    {ROLE_NONE, "MultiPV", OPTION_SPIN, 1, 1, MAX_MOVES, NULL, SEARCH(INT, multi_pv)},
    {ROLE_PONDER, NULL, OPTION_CHECK, 0, 0, 1, NULL, SEARCH(BOOL, ponder)},
    {ROLE_OVERHEAD, "MoveOverhead", OPTION_SPIN, 0, 0, 10000, NULL, SEARCH(INT, move_overhead_ms)},
    {ROLE_OVERHEAD_MAX, NULL, OPTION_SPIN, 0, 0, 10000, NULL, SEARCH(INT, move_overhead_max_ms)},
    {ROLE_MIN_THINK, NULL, OPTION_SPIN, 0, 0, 100000, NULL, SEARCH(INT, min_think_ms)},
    {ROLE_ROUND_SECOND, NULL, OPTION_CHECK, 0, 0, 1, NULL, SEARCH(BOOL, round_to_second)},
    {ROLE_NODE_TIME, NULL, OPTION_SPIN, 0, 0, 100000, NULL, SEARCH(I64, node_time)},
    {ROLE_NONE, "MaxNPS", OPTION_SPIN, 0, 0, 1000000000, NULL, SEARCH(I64, max_nps)},
    {ROLE_ANALYSE, NULL, OPTION_CHECK, 0, 0, 1, NULL, SETTING(BOOL, analyse)},
    {ROLE_SHOW_WDL, NULL, OPTION_CHECK, 0, 0, 1, NULL, SETTING(BOOL, show_wdl)},
    {ROLE_LIMIT_STRENGTH, NULL, OPTION_CHECK, 0, 0, 1, NULL, SETTING(BOOL, limit_strength)},
    {ROLE_ELO, NULL, OPTION_SPIN, 0, 0, 0, NULL, SETTING(INT, elo)}, // default and range are the search's
    {ROLE_NONE, "Seed", OPTION_SPIN, 0, 0, SEED_MAX, apply_seed, SETTING(I64, seed)},
    {ROLE_NONE, "EvalFile", OPTION_FILE, 0, 0, 0, apply_eval_file, SETTING(TEXT, eval_file)},
    {ROLE_OWN_BOOK, "OwnBook", OPTION_CHECK, 0, 0, 1, NULL, SETTING(BOOL, own_book)},
    {ROLE_BOOK_FILE, "BookFile", OPTION_FILE, 0, 0, 0, apply_book_file, SETTING(TEXT, book_file)},
    {ROLE_BOOK_DEPTH, NULL, OPTION_SPIN, 0, 0, 1000, NULL, SETTING(INT, book_depth)},
    {ROLE_BOOK_VARIETY, NULL, OPTION_SPIN, 0, 0, 1000, NULL, SETTING(INT, book_variety)},
    {ROLE_TB_PATH, "Tables", OPTION_STRING, 0, 0, 0, apply_tb_path, SETTING(TEXT, tb_path)},
    {ROLE_TB_DEPTH, NULL, OPTION_SPIN, 0, 1, 100, NULL, SEARCH(INT, tb_depth)},
    {ROLE_TB_MEN, NULL, OPTION_SPIN, 0, 0, 7, NULL, SEARCH(INT, tb_men)},
    {ROLE_TB_COUNT_LIMIT, NULL, OPTION_CHECK, 0, 0, 1, NULL, SEARCH(BOOL, tb_count_limit)},
    {ROLE_RESIGN, NULL, OPTION_SPIN, 0, 0, 99999, NULL, SETTING(INT, resign_score)},
    {ROLE_DRAW_FIRST, NULL, OPTION_SPIN, 0, -30000, 30000, NULL, SETTING(INT, draw_value[0])},
    {ROLE_DRAW_SECOND, NULL, OPTION_SPIN, 0, -30000, 30000, NULL, SETTING(INT, draw_value[1])},
    {ROLE_PV_INTERVAL, NULL, OPTION_SPIN, 0, 0, 100000, NULL, SETTING(INT, pv_interval_ms)},
    {ROLE_DEPTH_LIMIT, NULL, OPTION_SPIN, 0, 0, MAX_PLY - 1, NULL, SETTING(INT, depth_limit)},
    {ROLE_NODES_LIMIT, NULL, OPTION_SPIN, 0, 0, INT64_MAX, NULL, SETTING(I64, nodes_limit)},
    {ROLE_NONE, "QSearchMaxDepth", OPTION_SPIN, 0, 0, 64, NULL, SEARCH(INT, q_max_depth)},
    {ROLE_NONE, "QSearchDelta", OPTION_CHECK, 0, 0, 1, NULL, SEARCH(BOOL, q_delta)},
    {ROLE_NONE, "QSearchDeltaMargin", OPTION_SPIN, 0, 0, 2000, NULL, SEARCH(INT, q_delta_margin)},
    {ROLE_NONE, "QSearchFutility", OPTION_CHECK, 0, 0, 1, NULL, SEARCH(BOOL, q_futility)},
    {ROLE_NONE, "QSearchFutilityMargin", OPTION_SPIN, 0, 0, 2000, NULL, SEARCH(INT, q_futility_margin)},
    {ROLE_NONE, "QSearchExtensions", OPTION_CHECK, 0, 0, 1, NULL, SEARCH(BOOL, q_extensions)},
    {ROLE_NONE, "QSearchMaxExt", OPTION_SPIN, 0, 0, 8, NULL, SEARCH(INT, q_max_ext)},
    {ROLE_NONE, "QSearchTT", OPTION_CHECK, 0, 0, 1, NULL, SEARCH(BOOL, q_tt)},
    {ROLE_NONE, "QSearchCheckPlies", OPTION_SPIN, 0, 0, 4, NULL, SEARCH(INT, q_check_plies)},
    {ROLE_NONE, "QSearchThreats", OPTION_CHECK, 0, 0, 1, NULL, SEARCH(BOOL, q_threats)},
    {ROLE_NONE, "QSearchHighValue", OPTION_SPIN, 0, 0, 2000, NULL, SEARCH(INT, q_high_value)},
    {ROLE_NONE, "QSearchSEE", OPTION_SPIN, 0, -500, 0, NULL, SEARCH(INT, q_see)},
    {ROLE_NONE, "QSearchOwnOrder", OPTION_CHECK, 0, 0, 1, NULL, SEARCH(BOOL, q_own_order)},
};
#undef SEARCH
#undef SETTING
// Behind the rules' options in every list.
static const Option LAST_OPTIONS[] = {
    {ROLE_ABOUT, NULL, OPTION_STRING, 0, 0, 0, NULL, .kept = KEPT_NOWHERE}, // read-only by its nature
    {ROLE_NONE, "Elo", OPTION_SPIN, 0, 0, 0, apply_elo, .is_unlisted = true},
};
#define ABOUT "Twofold " TWOFOLD_VERSION ", one search for chess and shogi, GPL-3.0-or-later"

#ifdef TUNE
enum { PARAMS_ARE_OPTIONS = true };
#else
enum { PARAMS_ARE_OPTIONS = false };
#endif

// ---- the options of this game, as one list ------------------------------------------------------
// One of three: a row of the tables above, an option of the rules, a parameter of the search.
typedef struct Row {
    const Option *option;
    const RuleOption *rule;
    int param;
} Row;

static const char *option_name(const Option *option)
{
    return option->role == ROLE_NONE ? option->name : PROTOCOL_WORDS.option[option->role].name;
}

// The rows in order, those this protocol does not have among them; false behind the last.
static bool row_at(int index, Row *row)
{
    enum {
        FIRST_NB = sizeof OPTIONS / sizeof OPTIONS[0],
        LAST_NB = sizeof LAST_OPTIONS / sizeof LAST_OPTIONS[0]
    };
    const int rule_nb = PROTOCOL_WORDS.rule_option_nb;
    *row = (Row){.param = index - FIRST_NB - rule_nb - LAST_NB};
    if (index < FIRST_NB)
        row->option = &OPTIONS[index];
    else if (index < FIRST_NB + rule_nb)
        row->rule = &PROTOCOL_WORDS.rule_option[index - FIRST_NB];
    else if (row->param < 0)
        row->option = &LAST_OPTIONS[row->param + LAST_NB];
    return row->param < (PARAMS_ARE_OPTIONS ? param_count() : 0);
}

// NULL: this protocol has no such option.
static const char *row_name(const Row *row)
{
    if (row->option)
        return option_name(row->option);
    return row->rule ? row->rule->name : param_name(row->param);
}

static bool row_is_named(const Row *row, Span name)
{
    const char *main_name = row_name(row), *alias = NULL;
    if (!main_name)
        return false;
    if (span_is_nocase(name, main_name) || !row->option)
        return span_is_nocase(name, main_name);
    const Option *option = row->option;
    if (option->role != ROLE_NONE)
        alias = PROTOCOL_WORDS.option[option->role].alias;
    else if (strcmp(main_name, "MultiPV") == 0)
        alias = PROTOCOL_WORDS.multi_pv_alias;
    return (alias && span_is_nocase(name, alias)) || (option->name && span_is_nocase(name, option->name));
}

static const char *field_of(const Option *option, const SearchOptions *search, const Settings *settings)
{
    return (option->is_search ? (const char *)search : (const char *)settings) + option->offset;
}

static i64 number_at(Kept kept, const char *at)
{
    switch (kept) {
    case KEPT_INT: return *(const int *)at;
    case KEPT_BOOL: return *(const bool *)at;
    case KEPT_I64: return *(const i64 *)at;
    default: return 0;
    }
}

static OptionInfo info_of_option(const Option *option)
{
    OptionInfo info = {.name = option_name(option),
                       .type = option->type,
                       .def = option->def,
                       .min = option->min,
                       .max = option->max,
                       .text = option->role == ROLE_ABOUT ? ABOUT : "",
                       .is_listed = !option->is_unlisted};
    SkillRange range = skill_range();
    if (option->apply == apply_elo)
        info.max = range.max_elo;
    else if (option->role == ROLE_ELO)
        info.min = range.min_elo, info.def = info.max = range.max_elo;
    else if (option->role != ROLE_NONE)
        info.def = PROTOCOL_WORDS.option[option->role].def;
    else if (option->is_search) {
        SearchOptions defaults = search_options_default();
        info.def = number_at(option->kept, field_of(option, &defaults, NULL));
    }
    return info;
}

static OptionInfo row_info(const Row *row)
{
    if (row->option)
        return info_of_option(row->option);
    OptionInfo info = {.name = row_name(row), .type = OPTION_SPIN, .text = "", .is_listed = true};
    if (row->rule) {
        info.type = row->rule->type, info.choice = row->rule->choice;
        info.def = row->rule->def, info.min = row->rule->min, info.max = row->rule->max;
    } else {
        int def, min, max;
        param_range(row->param, &def, &min, &max);
        info.def = def, info.min = min, info.max = max;
    }
    return info;
}

// The index among those that this protocol has.
static bool find_row(int index, Row *row)
{
    for (int i = 0; index >= 0 && row_at(i, row); i++)
        if (row_name(row) && index-- == 0)
            return true;
    return false;
}

bool option_at(int index, OptionInfo *info)
{
    Row row;
    bool found = find_row(index, &row);
    if (found)
        *info = row_info(&row);
    return found;
}

// ---- setting ------------------------------------------------------------------------------------
static OptionResult refuse_choice(const char *const *choice, Span text, Message *message)
{
    Text names = {0};
    for (int i = 0; choice[i]; i++)
        text_add(&names, "%s%s", i == 0 ? "" : choice[i + 1] ? ", " : " or ", choice[i]);
    message_set(message, "expected %s, not '%.*s'", names.ptr ? names.ptr : "",
                text.len > 64 ? 64 : (int)text.len, text.ptr);
    text_free(&names);
    return OPTION_REFUSED;
}

// Checks the text against type and range.
static OptionResult parse_value(const OptionInfo *info, Span text, OptionValue *value, Message *message)
{
    int shown = text.len > 64 ? 64 : (int)text.len;
    bool ok = true;
    value->text = span_is(text, "<empty>") ? (Span){"", 0} : text;
    switch (info->type) {
    case OPTION_CHECK:
        value->number = span_is_nocase(text, "true");
        ok = value->number || span_is_nocase(text, "false") ||
             message_set(message, "expected true or false, not '%.*s'", shown, text.ptr);
        break;
    case OPTION_SPIN:
        ok = span_int(text, info->min, info->max, &value->number) ||
             message_set(message, "expected a number from %lld to %lld, not '%.*s'", (long long)info->min,
                         (long long)info->max, shown, text.ptr);
        break;
    case OPTION_COMBO:
        value->number = 0;
        while (info->choice[value->number] && !span_is_nocase(text, info->choice[value->number]))
            value->number++;
        if (!info->choice[value->number])
            return refuse_choice(info->choice, text, message);
        break;
    default: break;
    }
    return ok ? OPTION_DONE : OPTION_REFUSED;
}

static void keep(const Option *option, Session *session, OptionValue value)
{
    char *at = (char *)field_of(option, engine_options(session->engine), &session->settings);
    switch (option->kept) {
    case KEPT_INT: *(int *)at = (int)value.number; break;
    case KEPT_BOOL: *(bool *)at = value.number != 0; break;
    case KEPT_I64: *(i64 *)at = value.number; break;
    case KEPT_TEXT:
        text_clear((Text *)at);
        text_add_bytes((Text *)at, value.text.ptr, value.text.len);
        break;
    default: break;
    }
}

static OptionResult set_rule(Session *session, const RuleOption *rule, i64 value, Message *message)
{
    Rules rules = session->rules;
    rule->apply(&rules, value);
    if (!game_change_rules(&session->game, &rules, message))
        return OPTION_REFUSED;
    session->rules = rules;
    return OPTION_DONE;
}

static OptionResult set_row(Session *session, const Row *row, Span text, Message *message)
{
    const OptionInfo info = row_info(row);
    const Option *option = row->option;
    OptionValue value = {0};
    OptionResult result = parse_value(&info, text, &value, message);
    if (result != OPTION_DONE)
        return result;
    if (row->rule)
        return set_rule(session, row->rule, value.number, message);
    if (!option) {
        bool ok = param_set(session->engine, row->param, (int)value.number) ||
                  message_set(message, "it is a constant of this build");
        return ok ? OPTION_DONE : OPTION_REFUSED;
    }
    if (option->apply)
        result = option->apply(session, value, message);
    if (result == OPTION_DONE)
        keep(option, session, value);
    return result;
}

OptionResult option_set(Session *session, Span name, Span value, Message *message)
{
    Row row;
    for (int i = 0; row_at(i, &row); i++) {
        if (!row_is_named(&row, name))
            continue;
        const OptionResult result = set_row(session, &row, value, message);
        if (result == OPTION_DONE && session->peers)
            session->peers->option(session->peers->self, name, value);
        return result;
    }
    message_set(message, "there is no such option");
    return OPTION_UNKNOWN;
}

int option_find(Span name)
{
    Row row;
    for (int i = 0; find_row(i, &row); i++)
        if (row_is_named(&row, name))
            return i;
    return -1;
}

OptionResult option_set_rule(Rules *rules, Span name, Span value, Message *message)
{
    Row row;
    OptionValue parsed = {0};
    if (!find_row(option_find(name), &row) || !row.rule) {
        message_set(message, "there is no such option of the rules");
        return OPTION_UNKNOWN;
    }
    const OptionInfo info = row_info(&row);
    OptionResult result = parse_value(&info, value, &parsed, message);
    if (result == OPTION_DONE)
        row.rule->apply(rules, parsed.number);
    return result;
}

bool option_rule(const Rules *rules, Span name, i64 *value)
{
    Row row;
    if (!find_row(option_find(name), &row) || !row.rule)
        return false;
    *value = row.rule->read(rules);
    return true;
}

bool option_set_pair(Session *session, Span pair, Message *message)
{
    enum { SHOWN = 64 };
    const char *equals = pair.len ? memchr(pair.ptr, '=', pair.len) : NULL;
    if (!equals)
        return message_set(message, "expected NAME=VALUE, not '%.*s'", (int)min_i64((i64)pair.len, SHOWN),
                           pair.ptr);
    Span name = span_trim((Span){pair.ptr, (size_t)(equals - pair.ptr)});
    Span value = span_trim((Span){equals + 1, pair.len - (size_t)(equals + 1 - pair.ptr)});
    int shown = (int)min_i64((i64)name.len, SHOWN);
    Message why = {0};
    OptionResult result = option_set(session, name, value, &why);
    if (result == OPTION_DONE)
        return true;
    if (result != OPTION_UNKNOWN)
        return message_set(message, "%.*s: %s", shown, name.ptr, why.text);
    Suggestions near = {0};
    Text text = {0};
    OptionInfo info;
    for (int i = 0; option_at(i, &info); i++)
        suggest(&near, name, span_of(info.name));
    suggest_print(&near, &text);
    message_set(message, "there is no option '%.*s'%s%s%s", shown, name.ptr,
                text.len ? " (did you mean " : "", text.len ? text.ptr : "", text.len ? "?)" : "");
    text_free(&text);
    return false;
}

bool option_list_add(OptionList *list, Span pair, Message *message)
{
    if (list->nb == OPTION_LIST_MAX)
        return message_set(message, "at most %d options can be given", OPTION_LIST_MAX);
    list->pair[list->nb++] = pair;
    return true;
}

bool option_list_set(Session *session, const OptionList *list, Message *message)
{
    for (int i = 0; i < list->nb; i++)
        if (!option_set_pair(session, list->pair[i], message))
            return false;
    return true;
}

bool option_set_number(Session *session, const char *name, i64 value, Message *message)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return option_set(session, span_of(name), span_of(text), message) == OPTION_DONE;
}

// ---- the rest -----------------------------------------------------------------------------------
static i64 row_number(const Row *row, const Session *session)
{
    if (row->rule)
        return row->rule->read(&session->rules);
    if (!row->option)
        return param_get(session->engine, row->param);
    return number_at(row->option->kept,
                     field_of(row->option, engine_options(session->engine), &session->settings));
}

void option_print(const Session *session, int index, Text *out)
{
    Row row;
    if (!find_row(index, &row) || (row.option && row.option->kept == KEPT_NOWHERE))
        return;
    const OptionInfo info = row_info(&row);
    if (info.type == OPTION_STRING || info.type == OPTION_FILE) {
        const Text *text = (const Text *)field_of(row.option, NULL, &session->settings);
        text_add_bytes(out, text->ptr, text->len);
        return;
    }
    i64 number = row_number(&row, session);
    if (info.type == OPTION_CHECK)
        text_add(out, "%s", number ? "true" : "false");
    else if (info.type == OPTION_COMBO)
        text_add(out, "%s", info.choice[number]);
    else
        text_add(out, "%lld", (long long)number);
}

void options_init(Session *session)
{
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0]; i++)
        if (option_name(&OPTIONS[i]))
            keep(&OPTIONS[i], session,
                 (OptionValue){.number = info_of_option(&OPTIONS[i]).def, .text = {"", 0}});
    if (!PROTOCOL_WORDS.option[ROLE_RESIGN].name)
        session->settings.resign_score = INT32_MAX;
}
