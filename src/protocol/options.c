// SPDX-License-Identifier: GPL-3.0-or-later
// The option table: one row per option, whose apply function puts a checked value to use. A row that differs
// between the protocols takes its name and default from the dialect; a plain field of SearchOptions needs no
// function of its own. Invariant: a value that can't be applied changes nothing, and the message says why.
#include <stdlib.h>

#include "protocol/loop.h"

// A value that fits its option: the number (check: 0 or 1), or the text.
typedef struct Value {
    i64 number;
    Span text;
} Value;

typedef enum Field { FIELD_NONE, FIELD_INT, FIELD_BOOL, FIELD_I64 } Field;

typedef struct Option {
    OptionRole role; // ROLE_NONE: the same in every protocol, under `name`
    const char *name;
    OptionType type;
    i64 def, min, max;
    bool (*apply)(Protocol *protocol, Value value, Message *message);
    Field
        field; // FIELD_NONE: apply; else what it is in SearchOptions (which tell the default too) or Settings
    bool is_setting;
    size_t offset;
} Option;

// ---- apply functions ----------------------------------------------------------------------------
static bool apply_hash(Protocol *protocol, Value value, Message *message)
{
    // Some programs send every option again before a search: that must not cost the table.
    return value.number == engine_hash_mb(protocol->engine) ||
           engine_set_hash(protocol->engine, (int)value.number, message);
}

static bool apply_clear_hash(Protocol *protocol, Value value, Message *message)
{
    (void)value, (void)message;
    engine_clear_hash(protocol->engine);
    return true;
}

static bool apply_threads(Protocol *protocol, Value value, Message *message)
{
    return engine_set_threads(protocol->engine, (int)value.number, message);
}

// A path as the system wants it; NULL (with a message) when it is none. The caller frees it.
static char *path_of(Span text, Message *message)
{
    char *path = memchr(text.ptr, '\0', text.len) ? NULL : malloc(text.len + 1);
    if (!path) {
        message_set(message, "not a path");
        return NULL;
    }
    memcpy(path, text.ptr, text.len);
    path[text.len] = '\0';
    return path;
}

// Empty is the built-in network; "none" is material alone, which is what networks are measured against in the
// beginning.
static bool apply_eval_file(Protocol *protocol, Value value, Message *message)
{
    Net *net = NULL;
    bool material = span_is(value.text, "none");
    if (value.text.len && !material) {
        char *path = path_of(value.text, message);
        if (!path)
            return false;
        net = os_alloc_big(sizeof *net);
        bool ok = net ? net_load(net, path, message) : message_set(message, "no memory for a network");
        free(path);
        if (!ok) {
            if (net)
                os_free_big(net, sizeof *net);
            return false;
        }
    }
    engine_set_net(protocol->engine, material ? NULL : net ? net : net_embedded());
    if (protocol->net)
        os_free_big(protocol->net, sizeof *protocol->net);
    protocol->net = net;
    return true;
}

static bool apply_book_file(Protocol *protocol, Value value, Message *message)
{
    Book *book = NULL;
    if (value.text.len) {
        char *path = path_of(value.text, message);
        if (!path)
            return false;
        book = book_open(path, message);
        free(path);
        if (!book)
            return false;
    }
    book_close(protocol->book);
    protocol->book = book;
    return true;
}

static bool apply_tb_path(Protocol *protocol, Value value, Message *message)
{
    Tablebase *tables = NULL;
    if (value.text.len) {
        char *path = path_of(value.text, message);
        if (!path)
            return false;
        Message note = {0};
        tables = tb_open(path, &note);
        free(path);
        if (!tables)
            return message_set(message, "%s", note.text);
        if (note.text[0])
            say_info(&protocol->out, "%s", note.text);
        say_info(&protocol->out, "endgame tables of up to %d men", tb_men(tables));
    }
    engine_options(protocol->engine)->tablebase = tables;
    tb_close(protocol->tables);
    protocol->tables = tables;
    return true;
}

// ---- the table ----------------------------------------------------------------------------------
#define SEARCH(kind, member) .field = FIELD_##kind, .offset = offsetof(SearchOptions, member)
#define SETTING(kind, member) .field = FIELD_##kind, .is_setting = true, .offset = offsetof(Settings, member)
static const Option OPTIONS[] = {
    {ROLE_HASH, NULL, OPTION_SPIN, 0, 1, 33554432, .apply = apply_hash},
    {ROLE_CLEAR_HASH, NULL, OPTION_BUTTON, 0, 0, 0, .apply = apply_clear_hash},
    {ROLE_NONE, "Threads", OPTION_SPIN, 1, 1, 512, .apply = apply_threads},
    {ROLE_NONE, "MultiPV", OPTION_SPIN, 1, 1, MAX_MOVES, SEARCH(INT, multi_pv)},
    {ROLE_PONDER, NULL, OPTION_CHECK, 0, 0, 1, SEARCH(BOOL, ponder)},
    {ROLE_OVERHEAD, NULL, OPTION_SPIN, 0, 0, 10000, SEARCH(INT, move_overhead_ms)},
    {ROLE_OVERHEAD_MAX, NULL, OPTION_SPIN, 0, 0, 10000, SEARCH(INT, move_overhead_max_ms)},
    {ROLE_MIN_THINK, NULL, OPTION_SPIN, 0, 0, 100000, SEARCH(INT, min_think_ms)},
    {ROLE_ROUND_SECOND, NULL, OPTION_CHECK, 0, 0, 1, SEARCH(BOOL, round_to_second)},
    {ROLE_NODE_TIME, NULL, OPTION_SPIN, 0, 0, 100000, SEARCH(I64, node_time)},
    {ROLE_NONE, "MaxNPS", OPTION_SPIN, 0, 0, 1000000000, SEARCH(I64, max_nps)},
    {ROLE_ANALYSE, NULL, OPTION_CHECK, 0, 0, 1, SETTING(BOOL, analyse)},
    {ROLE_SHOW_WDL, NULL, OPTION_CHECK, 0, 0, 1, SETTING(BOOL, show_wdl)},
    {ROLE_LIMIT_STRENGTH, NULL, OPTION_CHECK, 0, 0, 1, SETTING(BOOL, limit_strength)},
    {ROLE_ELO, NULL, OPTION_SPIN, 0, 0, 0, SETTING(INT, elo)}, // default and range are the search's
    {ROLE_NONE, "EvalFile", OPTION_FILE, 0, 0, 0, .apply = apply_eval_file},
    {ROLE_OWN_BOOK, NULL, OPTION_CHECK, 0, 0, 1, SETTING(BOOL, own_book)},
    {ROLE_BOOK_FILE, NULL, OPTION_FILE, 0, 0, 0, .apply = apply_book_file},
    {ROLE_BOOK_DEPTH, NULL, OPTION_SPIN, 0, 0, 1000, SETTING(INT, book_depth)},
    {ROLE_BOOK_VARIETY, NULL, OPTION_SPIN, 0, 0, 1000, SETTING(INT, book_variety)},
    {ROLE_TB_PATH, NULL, OPTION_STRING, 0, 0, 0, .apply = apply_tb_path},
    {ROLE_TB_DEPTH, NULL, OPTION_SPIN, 0, 1, 100, SEARCH(INT, tb_depth)},
    {ROLE_TB_MEN, NULL, OPTION_SPIN, 0, 0, 7, SEARCH(INT, tb_men)},
    {ROLE_TB_COUNT_LIMIT, NULL, OPTION_CHECK, 0, 0, 1, SEARCH(BOOL, tb_count_limit)},
    {ROLE_RESIGN, NULL, OPTION_SPIN, 0, 0, 99999, SETTING(INT, resign_score)},
    {ROLE_DRAW_FIRST, NULL, OPTION_SPIN, 0, -30000, 30000, SETTING(INT, draw_value[0])},
    {ROLE_DRAW_SECOND, NULL, OPTION_SPIN, 0, -30000, 30000, SETTING(INT, draw_value[1])},
    {ROLE_PV_INTERVAL, NULL, OPTION_SPIN, 0, 0, 100000, SETTING(INT, pv_interval_ms)},
    {ROLE_DEPTH_LIMIT, NULL, OPTION_SPIN, 0, 0, MAX_PLY - 1, SETTING(INT, depth_limit)},
    {ROLE_NODES_LIMIT, NULL, OPTION_SPIN, 0, 0, INT64_MAX, SETTING(I64, nodes_limit)},
    {ROLE_NONE, "QSearchMaxDepth", OPTION_SPIN, 0, 1, 64, SEARCH(INT, q_max_depth)},
    {ROLE_NONE, "QSearchDelta", OPTION_CHECK, 0, 0, 1, SEARCH(BOOL, q_delta)},
    {ROLE_NONE, "QSearchDeltaMargin", OPTION_SPIN, 0, 0, 2000, SEARCH(INT, q_delta_margin)},
    {ROLE_NONE, "QSearchFutility", OPTION_CHECK, 0, 0, 1, SEARCH(BOOL, q_futility)},
    {ROLE_NONE, "QSearchFutilityMargin", OPTION_SPIN, 0, 0, 2000, SEARCH(INT, q_futility_margin)},
    {ROLE_NONE, "QSearchExtensions", OPTION_CHECK, 0, 0, 1, SEARCH(BOOL, q_extensions)},
    {ROLE_NONE, "QSearchMaxExt", OPTION_SPIN, 0, 0, 8, SEARCH(INT, q_max_ext)},
    {ROLE_NONE, "QSearchTT", OPTION_CHECK, 0, 0, 1, SEARCH(BOOL, q_tt)},
    {ROLE_NONE, "QSearchCheckPlies", OPTION_SPIN, 0, 0, 4, SEARCH(INT, q_check_plies)},
    {ROLE_NONE, "QSearchThreats", OPTION_CHECK, 0, 0, 1, SEARCH(BOOL, q_threats)},
    {ROLE_NONE, "QSearchHighValue", OPTION_SPIN, 0, 0, 2000, SEARCH(INT, q_high_value)},
    {ROLE_NONE, "QSearchSEE", OPTION_SPIN, 0, -500, 0, SEARCH(INT, q_see)},
};
#undef SEARCH
#undef SETTING
enum { OPTION_NB = sizeof OPTIONS / sizeof OPTIONS[0] };

// ---- what a row is in this protocol -------------------------------------------------------------
static const char *option_name(const Option *option)
{
    return option->role == ROLE_NONE ? option->name : PROTOCOL_WORDS.option[option->role].name;
}

static i64 field_get(const Option *option, const void *record)
{
    const char *at = (const char *)record + option->offset;
    switch (option->field) {
    case FIELD_INT: return *(const int *)at;
    case FIELD_BOOL: return *(const bool *)at;
    case FIELD_I64: return *(const i64 *)at;
    default: return 0;
    }
}

static void field_put(const Option *option, Protocol *protocol, i64 value)
{
    void *record = option->is_setting ? (void *)&protocol->settings : engine_options(protocol->engine);
    char *at = (char *)record + option->offset;
    switch (option->field) {
    case FIELD_INT: *(int *)at = (int)value; break;
    case FIELD_BOOL: *(bool *)at = value != 0; break;
    case FIELD_I64: *(i64 *)at = value; break;
    default: break;
    }
}

static void option_range(const Option *option, i64 *def, i64 *min, i64 *max)
{
    *def = option->def, *min = option->min, *max = option->max;
    if (option->role == ROLE_ELO) {
        SkillRange range = skill_range();
        *min = range.min_elo, *def = *max = range.max_elo;
    } else if (option->role != ROLE_NONE) {
        *def = PROTOCOL_WORDS.option[option->role].def;
    } else if (option->field != FIELD_NONE && !option->is_setting) {
        SearchOptions defaults = search_options_default();
        *def = field_get(option, &defaults);
    }
}

static void print_row(Text *out, const char *name, OptionType type, i64 def, i64 min, i64 max,
                      const char *const *choice)
{
    text_add(out, "option name %s type ", name);
    switch (type) {
    case OPTION_CHECK: text_add(out, "check default %s", def ? "true" : "false"); break;
    case OPTION_SPIN:
        text_add(out, "spin default %lld min %lld max %lld", (long long)def, (long long)min, (long long)max);
        break;
    case OPTION_COMBO:
        text_add(out, "combo default %s", choice[def]);
        for (int i = 0; choice[i]; i++)
            text_add(out, " var %s", choice[i]);
        break;
    case OPTION_BUTTON: text_add(out, "button"); break;
    case OPTION_STRING: text_add(out, "string default <empty>"); break;
    case OPTION_FILE: text_add(out, "%s default <empty>", PROTOCOL_WORDS.file_type); break;
    }
    text_add(out, "\n");
}

#ifdef TUNE
enum { PARAMS_ARE_OPTIONS = true };
#else
enum { PARAMS_ARE_OPTIONS = false };
#endif

void options_print(const Protocol *protocol, Text *out)
{
    (void)protocol;
    for (int i = 0; i < OPTION_NB; i++) {
        i64 def, min, max;
        option_range(&OPTIONS[i], &def, &min, &max);
        if (option_name(&OPTIONS[i]))
            print_row(out, option_name(&OPTIONS[i]), OPTIONS[i].type, def, min, max, NULL);
    }
    for (int i = 0; i < PROTOCOL_WORDS.rule_option_nb; i++) {
        const RuleOption *option = &PROTOCOL_WORDS.rule_option[i];
        print_row(out, option->name, option->type, option->def, option->min, option->max, option->choice);
    }
    if (PROTOCOL_WORDS.option[ROLE_ABOUT].name)
        text_add(out,
                 "option name %s type string default Twofold " TWOFOLD_VERSION
                 ", one search for chess and shogi, GPL-3.0-or-later\n",
                 PROTOCOL_WORDS.option[ROLE_ABOUT].name);
    for (int i = 0; PARAMS_ARE_OPTIONS && i < param_count(); i++) {
        int def, min, max;
        param_range(i, &def, &min, &max);
        print_row(out, param_name(i), OPTION_SPIN, def, min, max, NULL);
    }
}

void options_init(Protocol *protocol)
{
    for (int i = 0; i < OPTION_NB; i++) {
        const Option *option = &OPTIONS[i];
        i64 def, min, max;
        option_range(option, &def, &min, &max);
        // Options with an apply function start out as the engine does.
        if (option_name(option) && option->field != FIELD_NONE)
            field_put(option, protocol, def);
    }
    if (!PROTOCOL_WORDS.option[ROLE_RESIGN].name)
        protocol->settings.resign_score = INT32_MAX;
}

// ---- setting ------------------------------------------------------------------------------------
static bool refuse_choice(const char *const *choice, Span text, Message *message)
{
    Text names = {0};
    for (int i = 0; choice[i]; i++)
        text_add(&names, "%s%s", i == 0 ? "" : choice[i + 1] ? ", " : " or ", choice[i]);
    message_set(message, "expected %s, not '%.*s'", names.ptr ? names.ptr : "",
                text.len > 64 ? 64 : (int)text.len, text.ptr);
    text_free(&names);
    return false;
}

// Checks the text against type and range. False, with a message, when it does not fit.
static bool parse_value(OptionType type, i64 min, i64 max, const char *const *choice, Span text, Value *value,
                        Message *message)
{
    int shown = text.len > 64 ? 64 : (int)text.len;
    value->text = span_is(text, "<empty>") ? (Span){"", 0} : text;
    switch (type) {
    case OPTION_CHECK:
        value->number = span_is_nocase(text, "true");
        return value->number || span_is_nocase(text, "false") ||
               message_set(message, "expected true or false, not '%.*s'", shown, text.ptr);
    case OPTION_SPIN:
        return span_int(text, min, max, &value->number) ||
               message_set(message, "expected a number from %lld to %lld, not '%.*s'", (long long)min,
                           (long long)max, shown, text.ptr);
    case OPTION_COMBO:
        for (int i = 0; choice[i]; i++) {
            if (span_is_nocase(text, choice[i])) {
                value->number = i;
                return true;
            }
        }
        return refuse_choice(choice, text, message);
    default: return true;
    }
}

static bool set_rule(Protocol *protocol, const RuleOption *option, Span text, Message *message)
{
    Value value = {0};
    if (!parse_value(option->type, option->min, option->max, option->choice, text, &value, message))
        return false;
    Rules rules = protocol->rules;
    option->apply(&rules, value.number);
    if (!game_change_rules(&protocol->game, &rules, message))
        return false;
    protocol->rules = rules;
    return true;
}

static bool set_param(Protocol *protocol, Span name, Span text, bool *found, Message *message)
{
    for (int i = 0; PARAMS_ARE_OPTIONS && i < param_count(); i++) {
        if (!span_is_nocase(name, param_name(i)))
            continue;
        int def, min, max;
        Value value = {0};
        *found = true;
        param_range(i, &def, &min, &max);
        return parse_value(OPTION_SPIN, min, max, NULL, text, &value, message) &&
               (param_set(protocol->engine, i, (int)value.number) || message_set(message, "it can't be set"));
    }
    return true;
}

static bool is_named(const Option *option, Span name)
{
    const char *main_name = option_name(option), *alias = NULL;
    if (option->role != ROLE_NONE)
        alias = PROTOCOL_WORDS.option[option->role].alias;
    else if (strcmp(main_name, "MultiPV") == 0)
        alias = PROTOCOL_WORDS.multi_pv_alias;
    return main_name && (span_is_nocase(name, main_name) || (alias && span_is_nocase(name, alias)));
}

bool options_set(Protocol *protocol, Span name, Span text, Message *message)
{
    for (int i = 0; i < OPTION_NB; i++) {
        const Option *option = &OPTIONS[i];
        if (!is_named(option, name))
            continue;
        i64 def, min, max;
        Value value = {0};
        option_range(option, &def, &min, &max);
        if (!parse_value(option->type, min, max, NULL, text, &value, message))
            return false;
        if (option->field == FIELD_NONE)
            return option->apply(protocol, value, message);
        field_put(option, protocol, value.number);
        return true;
    }
    for (int i = 0; i < PROTOCOL_WORDS.rule_option_nb; i++)
        if (span_is_nocase(name, PROTOCOL_WORDS.rule_option[i].name))
            return set_rule(protocol, &PROTOCOL_WORDS.rule_option[i], text, message);
    const char *about = PROTOCOL_WORDS.option[ROLE_ABOUT].name;
    if (about && span_is_nocase(name, about)) // read-only by its nature
        return true;
    bool found = false;
    bool ok = set_param(protocol, name, text, &found, message);
    return found ? ok : message_set(message, "there is no such option");
}

// Words with single blanks between; the text of a name. False when it does not fit.
static bool join_words(Span text, char *out, size_t size)
{
    size_t len = 0;
    for (Span word; (word = span_word(&text)).len;) {
        if (len + word.len + 2 > size)
            return false;
        if (len)
            out[len++] = ' ';
        memcpy(out + len, word.ptr, word.len);
        len += word.len;
    }
    out[len] = '\0';
    return len > 0;
}

void command_setoption(Protocol *protocol, Job *job, Span arguments)
{
    (void)job;
    Span rest = arguments, word = span_word(&rest);
    if (!span_is(word, "name")) {
        refuse(&protocol->out, "setoption: expected name NAME [value VALUE]");
        return;
    }
    Span begin = rest, text = {"", 0};
    size_t name_len = begin.len;
    while ((word = span_word(&rest)).len) {
        if (span_is(word, "value")) {
            name_len = (size_t)(word.ptr - begin.ptr);
            text = span_trim(rest);
            break;
        }
    }
    char name[128];
    Message message = {0};
    Span raw = span_trim((Span){begin.ptr, name_len});
    if (!join_words(raw, name, sizeof name))
        refuse(&protocol->out, "setoption: '%.*s' is not the name of an option",
               raw.len > 64 ? 64 : (int)raw.len, raw.ptr);
    else if (!options_set(protocol, span_of(name), text, &message))
        refuse(&protocol->out, "setoption: %s: %s; nothing is changed", name, message.text);
}
