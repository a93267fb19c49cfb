// SPDX-License-Identifier: GPL-3.0-or-later
// See json_go.h. What is asked becomes a GoRequest when it is read, as in the protocol loop; what the session
// tells becomes events and, as its last word, the answer.
#include "web/json_go.h"

#include "games/words.h"
#include "session/levels.h"
#include "session/phrases.h"
#include "web/json_game.h"

enum { THREAT_MS = 1000 };
static const i64 TIME_MAX_MS = 1000000000;

// ---- what is told -------------------------------------------------------------------------------
void put_score(JsonWriter *json, const char *name, int score, Bound bound, const Position *pos)
{
    json_open_object(json, name);
    if (score_is_mate(score))
        json_put_int(json, "mate", words_mate_shown(score_mate_plies(score)));
    else
        json_put_int(json, "cp", score_shown(score, pos));
    if (bound == BOUND_LOWER || bound == BOUND_UPPER)
        json_put_text(json, "bound", bound == BOUND_LOWER ? "lower" : "upper");
    json_close_object(json);
}

void put_expectation(JsonWriter *json, const char *name, int score, const Position *pos)
{
    json_put_real(json, name, phrase_expectation(score, pos) / 1000.0, 3);
}

// The moves of a line in both spellings, as arrays.
static void put_line_moves(const Request *request, JsonWriter *json, const Game *game, const Move *line,
                           int nb)
{
    static const char *const NAMES[] = {"pv", "text"};
    for (int is_human = 0; is_human < 2; is_human++) {
        Text moves = {0};
        json_open_array(json, NAMES[is_human]);
        line_print(game, line, nb, line_style(request, is_human, last_move(game)), &moves);
        json_put_json(json, NULL, text_span(&moves));
        json_close_array(json);
        text_free(&moves);
    }
}

// The members of a LINE.
static void put_line(const Request *request, JsonWriter *json, const Game *game, const SearchLine *line)
{
    Wdl wdl = score_wdl(line->score, &game->pos);
    i64 time_ms = max_i64(line->time_ms, 0);
    json_put_int(json, "multipv", line->multi_pv);
    json_put_int(json, "depth", line->depth);
    json_put_int(json, "seldepth", line->seldepth);
    put_score(json, "score", line->score, line->bound, &game->pos);
    json_open_array(json, "wdl");
    json_put_int(json, NULL, wdl.win);
    json_put_int(json, NULL, wdl.draw);
    json_put_int(json, NULL, wdl.loss);
    json_close_array(json);
    put_expectation(json, "expect", line->score, &game->pos);
    json_put_u64(json, "nodes", line->nodes);
    json_put_u64(json, "nps", line->nodes * 1000 / (u64)max_i64(time_ms, 1));
    json_put_int(json, "time_ms", time_ms);
    json_put_int(json, "hashfull", line->hash_permille);
    json_put_u64(json, "tbhits", line->tb_hits);
    put_line_moves(request, json, game, line->pv, line->pv_nb);
}

// The next move of a game, in both spellings.
static void put_move(const Request *request, JsonWriter *json, const Game *game, Move move)
{
    put_move_names(request, json, "move", "text", &game->pos, last_move(game), move);
}

static void on_line(void *context, const Game *game, const SearchLine *line)
{
    JsonLines *lines = context;
    Request *request = lines->running;
    Reply reply;
    if (!request)
        return;
    reply_begin(&reply, request, "line");
    put_line(request, &reply.json, game, line);
    request_send_event(request, &reply);
    // A win that was proven as the search ended stays a bound.
    const bool is_win = line->bound == BOUND_LOWER && line->score >= SCORE_TB_MIN;
    if (line->multi_pv > 1 || (line->bound != BOUND_EXACT && !is_win))
        return;
    text_clear(&request->last_line); // the answer repeats it
    JsonWriter json = {.out = &request->last_line};
    json_open_object(&json, NULL);
    put_line(request, &json, game, line);
    json_close_object(&json);
}

static void on_root_move(void *context, const Game *game, int depth, Move move, int number)
{
    const JsonLines *lines = context;
    Reply reply;
    if (!lines->running)
        return;
    reply_begin(&reply, lines->running, "root_move");
    json_put_int(&reply.json, "depth", depth);
    put_move(lines->running, &reply.json, game, move);
    json_put_int(&reply.json, "number", number);
    request_send_event(lines->running, &reply);
}

static void on_known(void *context, const Game *game, const KnownLine *line)
{
    const JsonLines *lines = context;
    Reply reply;
    JsonWriter *json = &reply.json;
    if (!lines->running)
        return;
    reply_begin(&reply, lines->running, "known");
    json_put_int(json, "depth", line->depth);
    json_open_object(json, "score");
    json_put_int(json, line->is_mated ? "mate" : "cp", line->is_mated ? 0 : line->centipawns);
    json_close_object(json);
    if (line->move == MOVE_NONE)
        json_put_null(json, "move");
    else
        put_move(lines->running, json, game, line->move);
    request_send_event(lines->running, &reply);
}

// ---- the answer ---------------------------------------------------------------------------------
static const char *kind_word(AnswerKind kind)
{
    switch (kind) {
    case ANSWER_MOVE: return "move";
    case ANSWER_RESIGN: return "resign";
    case ANSWER_WIN: return "win";
    case ANSWER_MATE: return "mate";
    default: return "none";
    }
}

// The last main line of the search, which begins with the move that is answered; null without a search.
static void put_last_line(JsonWriter *json, const Request *request)
{
    const Text *line = &request->last_line;
    json_put_json(json, "line", line->len && !line->failed ? text_span(line) : span_of("null"));
}

// What the mate solver found.
static void put_mate(const Request *request, JsonWriter *json, const Game *game, const Answer *answer)
{
    json_put_text(json, "mate", answer_mate_word(answer->mate));
    put_line_moves(request, json, game, answer->mate_line, answer->mate_line_nb);
}

static void on_answer(void *context, const Game *game, const Answer *answer)
{
    JsonLines *lines = context;
    Request *request = lines->running;
    Reply reply;
    JsonWriter *json = &reply.json;
    if (!request)
        return;
    const bool has_move = answer->kind == ANSWER_MOVE || answer->kind == ANSWER_RESIGN;
    reply_begin(&reply, request, NULL);
    json_put_text(json, "kind", kind_word(answer->kind));
    if (answer->kind == ANSWER_MATE) {
        put_mate(request, json, game, answer);
        request_send_answer(request, &reply);
        return;
    }
    put_move(request, json, game, has_move ? answer->move : MOVE_NONE);
    char ponder[MOVE_TEXT_MAX];
    json_put_text(json, "ponder", answer_print_ponder(game, answer, ponder) ? ponder : NULL);
    json_put_bool(json, "book", answer->is_book);
    put_last_line(json, request);
    request_send_answer(request, &reply);
}

static void on_note(void *context, const char *text)
{
    const JsonLines *lines = context;
    if (lines->running)
        request_note(lines->running, text);
}

SessionEvents go_events(JsonLines *lines)
{
    return (SessionEvents){.context = lines,
                           .line = on_line,
                           .root_move = on_root_move,
                           .known = on_known,
                           .answer = on_answer,
                           .note = on_note};
}

// ---- what is asked ------------------------------------------------------------------------------
// A pair of numbers for both sides, or one for both.
static bool read_pair(Request *request, const JsonValue *clock, const char *name, i64 out[SIDE_NB],
                      bool *found)
{
    const JsonValue *value = json_member(&request->json, clock, name);
    *found = value && value->type != JSON_NULL;
    if (!*found)
        return true;
    const JsonValue *item = value->type == JSON_ARRAY ? json_first(&request->json, value) : value;
    bool ok = value->type != JSON_ARRAY || value->nb == SIDE_NB;
    for (int side = 0; ok && side < SIDE_NB; side++) {
        ok = json_int(item, 0, TIME_MAX_MS, &out[side]);
        item = value->type == JSON_ARRAY ? json_next(&request->json, item) : item;
    }
    return ok || request_fail(request, "bad_value",
                              "%s: expected two whole numbers of milliseconds, or one for both sides", name);
}

// False: refused. *found: there is a clock.
static bool read_clock(Request *request, Clocks *clocks, bool *found)
{
    static const char *const NAMES[] = {"time_ms", "inc_ms", "byoyomi_ms", "moves_to_go", NULL};
    const JsonValue *clock = request_field(request, "clock");
    i64 moves_to_go = 0;
    bool has_time = false, has_inc = false;
    *clocks = (Clocks){0};
    *found = clock != NULL;
    if (!clock)
        return true;
    if (clock->type != JSON_OBJECT)
        return request_fail(request, "bad_value", "clock: expected an object, not %s",
                            json_type_name(clock->type));
    if (!request_check_members(request, clock, NAMES) ||
        !read_pair(request, clock, "time_ms", clocks->time_ms, &has_time) ||
        !read_pair(request, clock, "inc_ms", clocks->inc_ms, &has_inc) ||
        !request_int_of(request, clock, "byoyomi_ms", 0, TIME_MAX_MS, &clocks->byoyomi_ms) ||
        !request_int_of(request, clock, "moves_to_go", 0, 1000, &moves_to_go))
        return false;
    clocks->moves_to_go = (int)moves_to_go;
    if (!has_time && !has_inc && !clocks->byoyomi_ms)
        return request_fail(request, "bad_value", "clock: expected time_ms, inc_ms or byoyomi_ms");
    clocks->has_clock[0] = clocks->has_clock[1] = true;
    return true;
}

static bool read_moves(Request *request, Limits *limits)
{
    const Position *pos = &request->lines->game.pos;
    const JsonValue *list = request_field(request, "searchmoves");
    if (list && list->type != JSON_ARRAY)
        return request_fail(request, "bad_value", "searchmoves: expected an array of moves, not %s",
                            json_type_name(list->type));
    for (const JsonValue *word = json_first(&request->json, list); word;
         word = json_next(&request->json, word)) {
        Move move = word->type == JSON_STRING ? move_parse(pos, word->text) : MOVE_NONE;
        if (move == MOVE_NONE)
            return request_fail(request, "illegal", "searchmoves: '%.*s' is not a legal move here",
                                (int)min_i64((i64)word->text.len, 32), word->text.ptr ? word->text.ptr : "");
        bool is_new = true;
        for (int i = 0; i < limits->only_nb; i++)
            is_new &= limits->only[i] != move;
        if (is_new && limits->only_nb < MAX_MOVES)
            limits->only[limits->only_nb++] = move;
    }
    return true;
}

// The level of this search: an Elo number, or the name of a level; full strength is -1.
static bool read_level(Request *request)
{
    const JsonValue *level = request_field(request, "level");
    Message message = {0};
    int elo = 0;
    i64 number;
    if (!level)
        return true;
    char digits[24];
    Span text = level->text;
    if (level->type == JSON_NUMBER && json_int(level, 0, INT32_MAX, &number)) { // also 1100.0
        snprintf(digits, sizeof digits, "%lld", (long long)number);
        text = span_of(digits);
    }
    if ((level->type != JSON_STRING && level->type != JSON_NUMBER) || !levels_parse(text, &elo, &message))
        return request_fail(request, "bad_value", "level: %s",
                            message.text[0] ? message.text : "expected a number or the name of a level");
    request->level = elo == LEVEL_FULL ? -1 : elo;
    return true;
}

static bool read_limits(Request *request)
{
    GoRequest *go = &request->go;
    i64 depth = 0, nodes = 0, mate = -1;
    if (!request_int(request, "depth", 1, MAX_PLY - 1, &depth) ||
        !request_int(request, "nodes", 1, INT64_MAX, &nodes) ||
        !request_int(request, "movetime_ms", 1, TIME_MAX_MS, &go->limits.move_time_ms) ||
        !request_int(request, "mate", PROTOCOL_WORDS.mate_is_solver ? 0 : 1, TIME_MAX_MS, &mate))
        return false;
    go->limits.depth = (int)depth;
    go->limits.nodes = (u64)nodes;
    go->has_limit = depth || nodes || go->limits.move_time_ms;
    if (mate >= 0)
        go_set_mate(go, mate);
    return true;
}

// Where nothing can be heard of while a search runs, none may wait for a stop or a ponderhit.
static bool check_endless(Request *request)
{
    const JsonOwner *owner = &request->lines->owner;
    const Limits *limits = &request->go.limits;
    return !owner->has_no_thread || owner->poll || (!limits->infinite && !limits->ponder) ||
           request_fail(request, "bad_value",
                        "a search without an end is not possible here: give it a limit");
}

bool read_go(Request *request)
{
    GoRequest *go = &request->go;
    Limits *limits = &go->limits;
    Clocks clocks;
    i64 multi_pv = 0, seed = 0;
    if (!read_limits(request) || !request_bool(request, "infinite", &limits->infinite) ||
        !request_bool(request, "ponder", &limits->ponder) || !read_clock(request, &clocks, &go->has_clock) ||
        !read_moves(request, limits) || !request_int(request, "multipv", 1, MAX_MOVES, &multi_pv) ||
        !read_level(request) || !request_int(request, "seed", 0, INT64_MAX, &seed))
        return false;
    if (go->has_clock) {
        limits->clocks = clocks;
        go->has_limit = true;
    }
    request->multi_pv = (int)multi_pv;
    request->has_seed = request_field(request, "seed") != NULL;
    request->seed = (u64)seed;
    if (!go->has_limit && !limits->ponder && !go->solve_mate)
        limits->infinite = true;
    if (go->solve_mate) { // it answers when it is done, or its time is over
        limits->infinite = go->mate_ms == 0;
        limits->ponder = false;
    }
    if (request->lines->session.node_cap)
        limits->infinite = limits->ponder = false;
    return check_endless(request);
}

// ---- thinking -----------------------------------------------------------------------------------
// The session's game becomes the request's.
static bool lend_game(Request *request)
{
    return game_copy(&request->lines->session.game, &request->game) ||
           request_fail(request, "failed", "no memory for the game");
}

void run_go(Request *request)
{
    Session *session = &request->lines->session;
    SearchOptions *options = engine_options(session->engine);
    const int multi_pv = options->multi_pv;
    const bool limit_strength = session->settings.limit_strength;
    const int elo = session->settings.elo;
    const i64 seed = session->settings.seed;
    const u64 game_seed = session->game_seed;
    if (!lend_game(request))
        return;
    if (request->multi_pv)
        options->multi_pv = request->multi_pv;
    if (request->level)
        session_set_level(session, request->level < 0 ? 0 : request->level);
    if (request->has_seed) {
        session_set_seed(session, (i64)request->seed);
        session->rng = (Rng){request->seed};
    }
    session_go(session, &request->go, &request->control);
    options->multi_pv = multi_pv;
    session->settings.limit_strength = limit_strength;
    session->settings.elo = elo;
    session->settings.seed = seed;
    session->game_seed = game_seed;
}

bool read_threat(Request *request)
{
    Limits *limits = &request->go.limits;
    if (pos_in_check(&request->lines->game.pos))
        return request_fail(request, "illegal", "the side to move is in check and can't pass");
    if (!read_limits(request))
        return false;
    if (!request->go.has_limit)
        limits->move_time_ms = THREAT_MS;
    return true;
}

// The side to move passes, and the opponent is searched for: at full strength, whatever level is played.
void run_threat(Request *request)
{
    Session *session = &request->lines->session;
    Game *game = &request->game;
    SearchResult result = {.best = MOVE_NONE};
    Reply reply;
    if (!game_play(game, MOVE_NULL)) {
        request_fail(request, "failed", "no memory for the game");
        return;
    }
    const bool has_move = gen_count(&game->pos) > 0;
    if (has_move && !session_search(session, game, &request->control, &result)) {
        request_fail(request, "failed", "no memory to think with");
        return;
    }
    reply_begin(&reply, request, NULL);
    put_move(request, &reply.json, game, has_move && result.best != MOVE_WIN ? result.best : MOVE_NONE);
    put_last_line(&reply.json, request);
    request_send_answer(request, &reply);
}

// ---- stop and ponderhit -------------------------------------------------------------------------
typedef struct StopTarget {
    Span id; // as JSON; empty: all
    int stopped_nb;
} StopTarget;

static void stop_target(void *context, QueueJob *job)
{
    StopTarget *target = context;
    const Text *id = &((const Request *)job)->id;
    if (!(job->flags & JOB_LONG))
        return;
    if (target->id.len && (id->len != target->id.len || memcmp(id->ptr, target->id.ptr, id->len) != 0))
        return;
    control_stop(job->control, STOP_COMMAND);
    target->stopped_nb++;
}

void run_stop(Request *request)
{
    const JsonValue *wanted = request_field(request, "target");
    Text id = {0};
    Reply reply;
    if (wanted && wanted->type != JSON_NUMBER && wanted->type != JSON_STRING) {
        request_fail(request, "bad_value", "target: expected the id of a request");
        return;
    }
    if (wanted && wanted->type == JSON_STRING)
        text_add_json(&id, wanted->text);
    else if (wanted)
        text_add_bytes(&id, wanted->text.ptr, wanted->text.len);
    StopTarget target = {.id = wanted ? text_span(&id) : (Span){0}};
    queue_each(&request->lines->queue, stop_target, &target);
    text_free(&id);
    reply_begin(&reply, request, NULL);
    json_put_int(&reply.json, "stopped", target.stopped_nb);
    request_send_answer(request, &reply);
}

void run_ponderhit(Request *request)
{
    Clocks clocks;
    bool has_clock;
    Reply reply;
    if (!read_clock(request, &clocks, &has_clock))
        return;
    bool hit = queue_ponderhit(&request->lines->queue, has_clock ? &clocks : NULL);
    reply_begin(&reply, request, NULL);
    json_put_bool(&reply.json, "hit", hit);
    request_send_answer(request, &reply);
}
