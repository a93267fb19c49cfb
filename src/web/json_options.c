// SPDX-License-Identifier: GPL-3.0-or-later
// See json_options.h. The list of options is kept as text: take answers with it at once, whatever the session
// does meanwhile. Options of the rules are set by take, so that positions which come next are read by them;
// the session follows in its turn.
#include "web/json_options.h"

#include "games/words.h"
#include "session/levels.h"
#include "session/options.h"
#include "web/json_go.h"
#include "web/json_handlers.h"
#include "web/json_record.h"

// ---- the list -----------------------------------------------------------------------------------
static const char *type_word(OptionType type)
{
    switch (type) {
    case OPTION_CHECK: return "check";
    case OPTION_SPIN: return "spin";
    case OPTION_COMBO: return "combo";
    case OPTION_BUTTON: return "button";
    case OPTION_FILE: return "file";
    default: return "string";
    }
}

static bool is_hash(const OptionInfo *info)
{
    return strcmp(info->name, PROTOCOL_WORDS.option[ROLE_HASH].name) == 0;
}
static bool is_threads(const OptionInfo *info) { return strcmp(info->name, "Threads") == 0; }

static bool is_file(const OptionInfo *info)
{
    const char *tables = PROTOCOL_WORDS.option[ROLE_TB_PATH].name;
    return info->type == OPTION_FILE || (tables && strcmp(info->name, tables) == 0);
}

// The most that the owner lets it be.
static i64 most_of(const JsonLines *lines, const OptionInfo *info)
{
    const JsonOwner *owner = &lines->owner;
    if (is_hash(info) && owner->hash_max_mb)
        return min_i64(info->max, owner->hash_max_mb);
    if (is_threads(info) && owner->threads_max)
        return min_i64(info->max, owner->threads_max);
    return info->max;
}

// The default, or the value that `text` has.
static void put_value(JsonWriter *json, const char *name, OptionType type, Span text)
{
    if (type == OPTION_CHECK || type == OPTION_SPIN)
        json_put_json(json, name, text);
    else
        json_put_string(json, name, text);
}

static void put_option(const JsonLines *lines, int index, const OptionInfo *info, JsonWriter *json)
{
    Text value = {0};
    option_print(&lines->session, index, &value);
    json_open_object(json, NULL);
    json_put_text(json, "name", info->name);
    json_put_text(json, "type", type_word(info->type));
    if (info->type == OPTION_CHECK)
        json_put_bool(json, "default", info->def);
    else if (info->type == OPTION_SPIN)
        json_put_int(json, "default", info->def);
    else if (info->type == OPTION_COMBO)
        json_put_text(json, "default", info->choice[info->def]);
    else if (info->type != OPTION_BUTTON)
        json_put_text(json, "default", info->text);
    if (value.len || info->type == OPTION_STRING || info->type == OPTION_FILE)
        put_value(json, "value", info->type, text_span(&value));
    if (info->type == OPTION_SPIN) {
        json_put_int(json, "min", info->min);
        json_put_int(json, "max", most_of(lines, info));
    }
    if (info->type == OPTION_COMBO) {
        json_open_array(json, "values");
        for (int i = 0; info->choice[i]; i++)
            json_put_text(json, NULL, info->choice[i]);
        json_close_array(json);
    }
    json_close_object(json);
    text_free(&value);
}

void options_list(JsonLines *lines)
{
    Text list = {0};
    JsonWriter json = {.out = &list};
    OptionInfo info;
    json_open_array(&json, NULL);
    for (int i = 0; option_at(i, &info); i++)
        if (info.is_listed && (lines->owner.allows_files || !is_file(&info)))
            put_option(lines, i, &info, &json);
    json_close_array(&json);
    pthread_mutex_lock(&lines->options_mutex);
    Text old = lines->options;
    lines->options = list;
    pthread_mutex_unlock(&lines->options_mutex);
    text_free(&old);
}

static void put_options(JsonLines *lines, JsonWriter *json)
{
    pthread_mutex_lock(&lines->options_mutex);
    json_put_json(json, "options", lines->options.len ? text_span(&lines->options) : span_of("[]"));
    pthread_mutex_unlock(&lines->options_mutex);
}

void run_options(Request *request)
{
    Reply reply;
    reply_begin(&reply, request, NULL);
    put_options(request->lines, &reply.json);
    request_send_answer(request, &reply);
}

// ---- hello --------------------------------------------------------------------------------------
static void put_levels(JsonWriter *json)
{
    enum { ELO_STEP = 50 };
    const SkillRange range = skill_range();
    json_open_object(json, "levels");
    json_put_int(json, "min", range.min_elo);
    json_put_int(json, "max", range.max_elo);
    json_put_int(json, "step", ELO_STEP);
    json_open_array(json, "named");
    for (int i = 0; i < levels_count(); i++) {
        const Level level = levels_at(i);
        json_open_object(json, NULL);
        json_put_text(json, "name", level.name);
        if (level.elo == LEVEL_FULL)
            json_put_null(json, "elo");
        else
            json_put_int(json, "elo", level.elo);
        json_close_object(json);
    }
    json_close_array(json);
    json_close_object(json);
}

void run_hello(Request *request)
{
    enum { PROTOCOL_NUMBER = 1 };
    JsonLines *lines = request->lines;
    Reply reply;
    JsonWriter *json = &reply.json;
    OptionInfo info;
    int width = 1;
    while (width * width < SQUARE_NB)
        width++;
    reply_begin(&reply, request, NULL);
    json_put_text(json, "game", GAME_NAME);
    json_put_text(json, "name", "Twofold");
    json_put_text(json, "version", TWOFOLD_VERSION);
    json_put_int(json, "protocol", PROTOCOL_NUMBER);
    json_put_text(json, "start", GAME_START);
    json_put_int(json, "files", width);
    json_put_int(json, "ranks", SQUARE_NB / width);
    json_put_bool(json, "has_hands", PROTOCOL_WORDS.hand_count != NULL);
    json_put_bool(json, "has_threads", !lines->owner.has_no_thread);
    json_open_array(json, "sides");
    for (int side = 0; side < SIDE_NB; side++)
        json_put_text(json, NULL, ((const char *const[SIDE_NB])SIDE_NAMES)[side]);
    json_close_array(json);
    if (option_at(option_find(span_of("Threads")), &info))
        json_put_int(json, "threads_max",
                     lines->owner.has_no_thread ? 1 : min_i64(most_of(lines, &info), os_core_count()));
    if (option_at(option_find(span_of("Hash")), &info))
        json_put_int(json, "hash_max", most_of(lines, &info));
    put_requests(json);
    put_levels(json);
    put_starts(json);
    put_formats(json);
    put_options(lines, json);
    request_send_answer(request, &reply);
}

// ---- set ----------------------------------------------------------------------------------------
// The value as text, whatever it is in JSON.
static bool value_of(Request *request, Span *text)
{
    const JsonValue *value = request_field(request, "value");
    *text = span_of("");
    if (value && value->type == JSON_BOOL)
        *text = span_of(value->truth ? "true" : "false");
    else if (value && (value->type == JSON_STRING || value->type == JSON_NUMBER))
        *text = value->text;
    else if (value)
        return request_fail(request, "bad_value", "value: expected a string, a number, true or false, not %s",
                            json_type_name(value->type));
    return true;
}

static bool refuse_name(Request *request, Span name)
{
    Suggestions near = {0};
    OptionInfo info;
    for (int i = 0; option_at(i, &info); i++)
        suggest(&near, name, span_of(info.name));
    return request_fail_near(request, "bad_value", "there is no option", name, &near);
}

// Options of the rules hold for the games that come: at once.
static bool set_rules(Request *request, Span name, Span value)
{
    JsonLines *lines = request->lines;
    Rules rules = lines->rules;
    Message message = {0};
    OptionResult set = option_set_rule(&rules, name, value, &message);
    if (set == OPTION_UNKNOWN)
        return true;
    if (set != OPTION_DONE || !game_change_rules(&lines->game, &rules, &message))
        return request_fail(request, "bad_value", "%.*s: %s", (int)min_i64((i64)name.len, 64), name.ptr,
                            message.text);
    lines->rules = rules;
    return true;
}

bool read_set(Request *request)
{
    const JsonLines *lines = request->lines;
    Span name = {0}, value;
    OptionInfo info;
    i64 number;
    if (!request_string(request, "name", &name) || !value_of(request, &value))
        return false;
    if (!name.ptr)
        return request_fail(request, "bad_request", "name: the name of an option is missing");
    if (!option_at(option_find(name), &info))
        return refuse_name(request, name);
    if (is_file(&info) && !lines->owner.allows_files && value.len && !span_is(value, "none"))
        return request_fail(request, "bad_value", "%s: files can't be named here", info.name);
    if (info.type == OPTION_BUTTON && request_field(request, "value"))
        return request_fail(request, "bad_value", "%s: a button takes no value", info.name);
    i64 most = most_of(lines, &info);
    if (info.type == OPTION_SPIN && most < info.max && span_int(value, most + 1, INT64_MAX, &number))
        return request_fail(request, "bad_value", "%s: expected a number from %lld to %lld, not %lld",
                            info.name, (long long)info.min, (long long)most, (long long)number);
    return set_rules(request, name, value);
}

// Asks the owner whether the session may have so much.
static bool is_granted(const JsonLines *lines, const OptionInfo *info, Span value, Message *message)
{
    const JsonOwner *owner = &lines->owner;
    const Settings *settings = &lines->session.settings;
    i64 number;
    if (!owner->grant || (!is_hash(info) && !is_threads(info)) ||
        !span_int(value, info->min, info->max, &number))
        return true; // a value that does not fit is refused by the option itself
    return owner->grant(owner->context, is_hash(info) ? (int)number : settings->hash_mb,
                        is_threads(info) ? (int)number : settings->threads, message);
}

// What was granted could not be had: it is as before.
static void give_back(const JsonLines *lines, const OptionInfo *info)
{
    const JsonOwner *owner = &lines->owner;
    Message ignored;
    if (owner->grant && (is_hash(info) || is_threads(info)))
        owner->grant(owner->context, lines->session.settings.hash_mb, lines->session.settings.threads,
                     &ignored);
}

void run_set(Request *request)
{
    JsonLines *lines = request->lines;
    Session *session = &lines->session;
    Span name = {0}, value;
    Message message = {0};
    OptionInfo info = {0};
    Reply reply;
    Text now = {0};
    request_string(request, "name", &name);
    value_of(request, &value);
    int index = option_find(name);
    option_at(index, &info);
    if (!is_granted(lines, &info, value, &message)) {
        request_fail(request, "bad_value", "%s: %s", info.name, message.text);
        return;
    }
    OptionResult set = option_set(session, name, value, &message);
    if (set != OPTION_DONE) {
        give_back(lines, &info);
        request_fail(request, set == OPTION_NO_MEMORY ? "failed" : "bad_value", "%s: %s", info.name,
                     message.text);
        return;
    }
    options_list(lines);
    option_print(session, index, &now);
    reply_begin(&reply, request, NULL);
    json_put_text(&reply.json, "name", info.name);
    if (info.type == OPTION_BUTTON)
        json_put_null(&reply.json, "value");
    else if (now.len || info.type == OPTION_STRING || info.type == OPTION_FILE)
        put_value(&reply.json, "value", info.type, text_span(&now));
    else
        json_put_string(&reply.json, "value", value);
    request_send_answer(request, &reply);
    text_free(&now);
}

// ---- new game -----------------------------------------------------------------------------------
bool read_new(Request *request)
{
    JsonLines *lines = request->lines;
    return game_set(&lines->game, span_of(GAME_START), &lines->rules, NULL) != SET_REJECTED ||
           request_fail(request, "failed", "no memory for a game");
}

void run_new(Request *request)
{
    session_new_game(&request->lines->session);
    request_done(request);
}

// ---- eval ---------------------------------------------------------------------------------------
// What a piece is worth to the network, in centipawns for the first side.
static void put_piece(JsonWriter *json, const Net *net, const Position *pos, int whole, int sq)
{
    char piece[4], name[4];
    u16 features[FEATURE_ACTIVE_MAX];
    int side = pos_side(pos);
    PROTOCOL_WORDS.piece_print(pos, sq, piece);
    if (!piece[0] || features_of_square(pos, side, features_perspective(pos, side), sq, features) <= 0)
        return;
    int worth = whole - nnue_evaluate_without(net, pos, sq);
    PROTOCOL_WORDS.square_print(sq, name);
    json_open_object(json, NULL);
    json_put_text(json, "square", name);
    json_put_text(json, "piece", piece);
    json_put_int(json, "worth", side ? -worth : worth);
    json_close_object(json);
}

void run_eval(Request *request)
{
    Engine *engine = request->lines->session.engine;
    const Net *net = engine_net(engine);
    const Position *pos = &request_game(request)->pos;
    const int score = engine_evaluate(engine, pos);
    const Wdl wdl = score_wdl(score, pos);
    Reply reply;
    JsonWriter *json = &reply.json;
    reply_begin(&reply, request, NULL);
    put_score(json, "score", score, BOUND_EXACT, pos);
    json_open_array(json, "wdl");
    json_put_int(json, NULL, wdl.win);
    json_put_int(json, NULL, wdl.draw);
    json_put_int(json, NULL, wdl.loss);
    json_close_array(json);
    put_expectation(json, "expect", score, pos);
    json_put_bool(json, "check", pos_in_check(pos));
    json_put_text(json, "network", net ? net->name : NULL);
    json_open_array(json, "pieces");
    const int whole = net ? nnue_evaluate_scalar(net, pos) : 0;
    for (int sq = 0; net && sq < SQUARE_NB; sq++)
        put_piece(json, net, pos, whole, sq);
    json_close_array(json);
    request_send_answer(request, &reply);
}
