// SPDX-License-Identifier: GPL-3.0-or-later
// The library: include/twofold.h for the game this is compiled for. A thin coat over the search: texts in,
// texts out, every failure a status and a sentence. Invariant: while `busy` is set, only arm and stop touch
// the handle, and of it nothing but the control.
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../../include/twofold.h"
#include "games/notation.h"
#include "search/search.h"

// The build says which game the names are for: API(new) is twofold_chess_new.
#define JOIN_AGAIN(a, b) a##b
#define JOIN(a, b) JOIN_AGAIN(a, b)
#define HANDLE JOIN(twofold_, TWOFOLD_GAME)
#define API(name) JOIN(HANDLE, _##name)

enum { DEFAULT_HASH_MB = 16 };
static const i64 TIME_MAX_MS = 1000000000000; // beyond any use, and far from an overflow

struct HANDLE {
    Engine *engine;
    Game game;
    Net *net; // loaded by EvalFile; NULL: the built-in one
    Tablebase *tables;
    Message error;
    int elo; // 0: full strength
    atomic_bool busy;
    SearchControl control;
    Mutex gate; // of the two below: a stop belongs to the search that runs, or to the one that was armed for
    bool is_searching, is_armed;
};

static int fail(HANDLE *engine, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int fail(HANDLE *engine, int status, const char *format, ...)
{
    char text[MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    message_set(&engine->error, "%s", text);
    return status;
}

// Takes the engine for a call; every function but error, arm and stop begins with this.
static int take(HANDLE *engine)
{
    if (!engine)
        return TWOFOLD_BAD_ARGUMENT;
    return atomic_exchange(&engine->busy, true) ? TWOFOLD_BUSY : TWOFOLD_OK;
}

static int give(HANDLE *engine, int status)
{
    atomic_store(&engine->busy, false);
    return status;
}

// ---- life ---------------------------------------------------------------------------------------
const char *API(version)(void) { return TWOFOLD_VERSION; }

static bool set_start(Position *start)
{
    Rules rules = rules_default();
    return pos_set(start, span_of(GAME_START), &rules, NULL) != SET_REJECTED;
}

HANDLE *API(new)(void)
{
    game_init();
    HANDLE *engine = calloc(1, sizeof *engine);
    Position start;
    if (!engine)
        return NULL;
    control_init(&engine->control, &(Limits){0}, 0);
    pthread_mutex_init(&engine->gate, NULL);
    engine->engine = engine_new(DEFAULT_HASH_MB);
    if (!engine->engine || !set_start(&start)) {
        API(free)(engine);
        return NULL;
    }
    game_start(&engine->game, &start);
    return engine;
}

void API(free)(HANDLE *engine)
{
    if (!engine)
        return;
    if (engine->engine)
        engine_free(engine->engine);
    game_free(&engine->game);
    os_free_big(engine->net, sizeof *engine->net);
    if (engine->tables)
        tb_close(engine->tables);
    pthread_mutex_destroy(&engine->gate);
    control_free(&engine->control);
    free(engine);
}

const char *API(error)(const HANDLE *engine) { return engine ? engine->error.text : "there is no engine"; }

// ---- options ------------------------------------------------------------------------------------
static int set_hash(HANDLE *engine, i64 number, const char *text)
{
    (void)text;
    return engine_set_hash(engine->engine, (int)number, &engine->error) ? TWOFOLD_OK : TWOFOLD_NO_MEMORY;
}

static int set_threads(HANDLE *engine, i64 number, const char *text)
{
    (void)text;
    return engine_set_threads(engine->engine, (int)number, &engine->error) ? TWOFOLD_OK : TWOFOLD_NO_MEMORY;
}

static int set_multi_pv(HANDLE *engine, i64 number, const char *text)
{
    (void)text;
    engine_options(engine->engine)->multi_pv = (int)number;
    return TWOFOLD_OK;
}

static int set_elo(HANDLE *engine, i64 number, const char *text)
{
    (void)text;
    SkillRange range = skill_range();
    if (number != 0 && (number < range.min_elo || number > range.max_elo))
        return fail(engine, TWOFOLD_BAD_OPTION, "Elo takes 0 or a number from %d to %d", range.min_elo,
                    range.max_elo);
    engine->elo = (int)number;
    return TWOFOLD_OK;
}

static int set_overhead(HANDLE *engine, i64 number, const char *text)
{
    (void)text;
    engine_options(engine->engine)->move_overhead_ms = (int)number;
    return TWOFOLD_OK;
}

static int set_net(HANDLE *engine, i64 number, const char *text)
{
    (void)number;
    Net *net = NULL;
    if (text[0]) {
        net = os_alloc_big(sizeof *net);
        if (!net)
            return fail(engine, TWOFOLD_NO_MEMORY, "not enough memory for a network");
        if (!net_load(net, text, &engine->error)) {
            os_free_big(net, sizeof *net);
            return TWOFOLD_BAD_OPTION;
        }
    }
    engine_set_net(engine->engine, net ? net : net_embedded());
    os_free_big(engine->net, sizeof *engine->net);
    engine->net = net;
    return TWOFOLD_OK;
}

static int set_tables(HANDLE *engine, i64 number, const char *text)
{
    (void)number;
    Tablebase *tables = NULL;
    if (text[0]) {
        tables = tb_open(text, &engine->error);
        if (!tables)
            return TWOFOLD_BAD_OPTION;
    }
    engine_options(engine->engine)->tablebase = tables;
    if (engine->tables)
        tb_close(engine->tables);
    engine->tables = tables;
    return TWOFOLD_OK;
}

static const struct {
    const char *name;
    bool is_number;
    i64 lo, hi;
    int (*set)(HANDLE *engine, i64 number, const char *text);
} OPTIONS[] = {
    {"Hash", true, 1, 1 << 20, set_hash},          {"Threads", true, 1, 1024, set_threads},
    {"MultiPV", true, 1, 256, set_multi_pv},       {"Elo", true, 0, 10000, set_elo},
    {"MoveOverhead", true, 0, 5000, set_overhead}, {"EvalFile", false, 0, 0, set_net},
    {"Tables", false, 0, 0, set_tables},
};
enum { OPTION_NB = sizeof OPTIONS / sizeof OPTIONS[0] };

static int set_option(HANDLE *engine, const char *name, const char *value)
{
    if (!name || !value)
        return fail(engine, TWOFOLD_BAD_ARGUMENT, "an option needs a name and a value");
    for (int i = 0; i < OPTION_NB; i++) {
        i64 number = 0;
        if (!span_is_nocase(span_of(name), OPTIONS[i].name))
            continue;
        if (OPTIONS[i].is_number && !span_int(span_of(value), OPTIONS[i].lo, OPTIONS[i].hi, &number))
            return fail(engine, TWOFOLD_BAD_OPTION, "%s takes a number from %lld to %lld, not '%.60s'",
                        OPTIONS[i].name, (long long)OPTIONS[i].lo, (long long)OPTIONS[i].hi, value);
        return OPTIONS[i].set(engine, number, value);
    }
    return fail(engine, TWOFOLD_BAD_OPTION, "there is no option '%.60s'", name);
}

int API(set_option)(HANDLE *engine, const char *name, const char *value)
{
    int status = take(engine);
    return status == TWOFOLD_OK ? give(engine, set_option(engine, name, value)) : status;
}

const char *API(option_name)(int index)
{
    return index >= 0 && index < OPTION_NB ? OPTIONS[index].name : NULL;
}

// ---- the position -------------------------------------------------------------------------------
int API(new_game)(HANDLE *engine)
{
    int status = take(engine);
    if (status != TWOFOLD_OK)
        return status;
    engine_new_game(engine->engine);
    return give(engine, TWOFOLD_OK);
}

static int play(HANDLE *engine, Game *game, Span word)
{
    Move move = move_parse(&game->pos, word);
    if (move == MOVE_NONE || move == MOVE_WIN)
        return fail(engine, TWOFOLD_BAD_MOVE, "'%.*s' (move %d) is not legal",
                    (int)(word.len < 40 ? word.len : 40), word.ptr, game->move_nb + 1);
    return game_play(game, move) ? TWOFOLD_OK
                                 : fail(engine, TWOFOLD_NO_MEMORY, "not enough memory for the game");
}

static int set_position(HANDLE *engine, const char *position, const char *moves)
{
    Rules rules = rules_default();
    Message why = {0};
    Game game = {0};
    Span text = span_of(position ? position : GAME_START), rest = span_of(moves ? moves : "");
    if (game_set(&game, text, &rules, &why) == SET_REJECTED)
        return fail(engine, TWOFOLD_BAD_POSITION, "%s", why.text);
    int status = TWOFOLD_OK;
    for (Span word = span_word(&rest); word.len && status == TWOFOLD_OK; word = span_word(&rest))
        status = play(engine, &game, word);
    if (status != TWOFOLD_OK) {
        game_free(&game);
        return status;
    }
    game_free(&engine->game);
    engine->game = game;
    return TWOFOLD_OK;
}

int API(set_position)(HANDLE *engine, const char *position, const char *moves)
{
    int status = take(engine);
    return status == TWOFOLD_OK ? give(engine, set_position(engine, position, moves)) : status;
}

int API(play)(HANDLE *engine, const char *move)
{
    int status = take(engine);
    if (status != TWOFOLD_OK)
        return status;
    if (!move)
        return give(engine, fail(engine, TWOFOLD_BAD_ARGUMENT, "there is no move to play"));
    return give(engine, play(engine, &engine->game, span_of(move)));
}

static int hand_out(HANDLE *engine, Span text, char *out, size_t size)
{
    if (!out || size <= text.len)
        return fail(engine, TWOFOLD_BAD_ARGUMENT, "the buffer is too small: %zu bytes are needed",
                    text.len + 1);
    span_copy(text, out, size);
    return TWOFOLD_OK;
}

int API(position)(HANDLE *engine, char *out, size_t size)
{
    char text[TEXT_MAX];
    int status = take(engine);
    if (status != TWOFOLD_OK)
        return status;
    pos_print(&engine->game.pos, text);
    return give(engine, hand_out(engine, span_of(text), out, size));
}

int API(legal_moves)(HANDLE *engine, char *out, size_t size)
{
    int status = take(engine);
    if (status != TWOFOLD_OK)
        return status;
    Text text = {0};
    Move list[MAX_MOVES];
    const Move *end = gen_all(&engine->game.pos, list);
    for (const Move *move = list; move < end; move++) {
        char word[MOVE_TEXT_MAX];
        move_print(&engine->game.pos, *move, word);
        text_add(&text, "%s%s", move == list ? "" : " ", word);
    }
    status = text.failed ? fail(engine, TWOFOLD_NO_MEMORY, "not enough memory for the moves")
                         : hand_out(engine, text_span(&text), out, size);
    text_free(&text);
    return give(engine, status);
}

int API(outcome)(HANDLE *engine, twofold_outcome *outcome)
{
    int status = take(engine);
    if (status != TWOFOLD_OK)
        return status;
    if (!outcome)
        return give(engine, fail(engine, TWOFOLD_BAD_ARGUMENT, "there is nowhere to put the outcome"));
    switch (game_verdict(&engine->game).outcome) {
    case OUTCOME_DRAW: *outcome = TWOFOLD_DRAWN; break;
    case OUTCOME_WIN: *outcome = TWOFOLD_WON; break;
    case OUTCOME_LOSS: *outcome = TWOFOLD_LOST; break;
    default: *outcome = TWOFOLD_GOES_ON; break;
    }
    return give(engine, TWOFOLD_OK);
}

int API(evaluate)(HANDLE *engine, int *centipawns)
{
    int status = take(engine);
    if (status != TWOFOLD_OK)
        return status;
    if (!centipawns)
        return give(engine, fail(engine, TWOFOLD_BAD_ARGUMENT, "there is nowhere to put the evaluation"));
    *centipawns = score_shown(engine_evaluate(engine->engine, &engine->game.pos), &engine->game.pos);
    return give(engine, TWOFOLD_OK);
}

// ---- searching ----------------------------------------------------------------------------------
typedef struct Hearing {
    HANDLE *engine;
    twofold_info_callback callback;
    void *context;
    Text moves;
} Hearing;

static int mate_moves(int score)
{
    if (!score_is_mate(score))
        return 0;
    int plies = score_mate_plies(score);
    return (plies + (plies > 0 ? 1 : -1)) / 2;
}

static void hear(void *context, const SearchLine *line)
{
    Hearing *hearing = context;
    const Game *game = &hearing->engine->game;
    const Position *pos = &game->pos;
    Wdl wdl = score_wdl(line->score, pos);
    text_clear(&hearing->moves);
    line_print(game, line->pv, line->pv_nb, (LineStyle){0}, &hearing->moves);
    twofold_info info = {
        .depth = line->depth,
        .selective_depth = line->seldepth,
        .line = line->multi_pv,
        .score_cp = score_shown(line->score, pos),
        .mate = mate_moves(line->score),
        .bound = line->bound == BOUND_LOWER   ? 1
                 : line->bound == BOUND_UPPER ? -1
                                              : 0,
        .win = wdl.win,
        .draw = wdl.draw,
        .loss = wdl.loss,
        .nodes = line->nodes,
        .time_ms = line->time_ms,
        .moves = hearing->moves.len ? hearing->moves.ptr : "",
    };
    if (hearing->callback(hearing->context, &info) != 0)
        control_stop(&hearing->engine->control, STOP_COMMAND);
}

// The moves of a list of texts; false when one is not legal.
static bool take_moves(HANDLE *engine, const char *text, Move *out, int *nb)
{
    Span rest = span_of(text ? text : "");
    for (Span word = span_word(&rest); word.len && *nb < MAX_MOVES; word = span_word(&rest)) {
        Move move = move_parse(&engine->game.pos, word);
        if (move == MOVE_NONE) {
            fail(engine, TWOFOLD_BAD_MOVE, "'%.*s' is not legal here", (int)(word.len < 40 ? word.len : 40),
                 word.ptr);
            return false;
        }
        out[(*nb)++] = move;
    }
    return true;
}

static int translate_limits(HANDLE *engine, const twofold_limits *from, Limits *to)
{
    bool clock = from->time_ms[0] > 0 || from->time_ms[1] > 0;
    if (from->depth < 0 || from->mate < 0 || from->move_time_ms < 0 || from->moves_to_go < 0)
        return fail(engine, TWOFOLD_BAD_ARGUMENT, "a limit is negative");
    if (!from->nodes && !from->depth && !from->mate && !from->move_time_ms && !clock && !from->infinite)
        return fail(engine, TWOFOLD_BAD_ARGUMENT, "the search has no limit: set one, or infinite");
    *to = (Limits){
        .nodes = from->nodes < INT64_MAX ? from->nodes : INT64_MAX,
        .depth = min_int(from->depth, MAX_PLY - 1),
        .mate = from->mate ? min_int(from->mate, MAX_PLY / 2) * 2 : 0,
        .move_time_ms = min_i64(from->move_time_ms, TIME_MAX_MS),
        .clocks.moves_to_go = from->moves_to_go,
        .infinite = from->infinite != 0,
        .elo = engine->elo,
    };
    for (int side = 0; clock && side < SIDE_NB; side++) {
        to->clocks.has_clock[side] = true;
        to->clocks.time_ms[side] = clamp_i64(from->time_ms[side], 0, TIME_MAX_MS);
        to->clocks.inc_ms[side] = clamp_i64(from->inc_ms[side], 0, TIME_MAX_MS);
    }
    return take_moves(engine, from->only_moves, to->only, &to->only_nb) &&
                   take_moves(engine, from->except_moves, to->except, &to->except_nb)
               ? TWOFOLD_OK
               : TWOFOLD_BAD_MOVE;
}

static void fill_result(const HANDLE *engine, const SearchResult *from, twofold_result *to)
{
    const Position *pos = &engine->game.pos;
    Wdl wdl = score_wdl(from->score, pos);
    Text line = {0};
    memset(to, 0, sizeof *to);
    if (from->best != MOVE_NONE)
        move_print(pos, from->best, to->best);
    if (from->ponder != MOVE_NONE && from->best != MOVE_WIN) {
        Position after = pos_after(pos, from->best);
        move_print(&after, from->ponder, to->ponder);
    }
    line_print(&engine->game, from->pv, from->pv_nb, (LineStyle){.max_bytes = sizeof to->line - 1}, &line);
    span_copy(text_span(&line), to->line, sizeof to->line);
    text_free(&line);
    to->score_cp = score_shown(from->score, pos);
    to->mate = mate_moves(from->score);
    to->win = wdl.win;
    to->draw = wdl.draw;
    to->loss = wdl.loss;
    to->depth = from->depth;
    to->nodes = from->nodes;
    to->time_ms = from->time_ms;
}

_Static_assert((int)TWOFOLD_MOVE_MAX >= (int)MOVE_TEXT_MAX, "a move fits into the result");

// The next search begins: a stop that came before it counts only when it was armed for.
static void open_gate(HANDLE *engine, const Limits *limits)
{
    pthread_mutex_lock(&engine->gate);
    if (!engine->is_armed)
        control_forget(&engine->control);
    control_renew(&engine->control, limits);
    engine->is_searching = true;
    engine->is_armed = false;
    pthread_mutex_unlock(&engine->gate);
}

static void close_gate(HANDLE *engine)
{
    pthread_mutex_lock(&engine->gate);
    engine->is_searching = false;
    pthread_mutex_unlock(&engine->gate);
}

int API(search)(HANDLE *engine, const twofold_limits *limits, twofold_info_callback callback, void *context,
                twofold_result *result)
{
    Limits translated;
    SearchResult found;
    Hearing hearing = {.engine = engine, .callback = callback, .context = context};
    SearchEvents events = {.context = &hearing, .line = hear};
    int status = take(engine);
    if (status != TWOFOLD_OK)
        return status;
    if (!limits || !result)
        return give(engine, fail(engine, TWOFOLD_BAD_ARGUMENT, "a search needs limits and a result"));
    status = translate_limits(engine, limits, &translated);
    if (status != TWOFOLD_OK)
        return give(engine, status);
    open_gate(engine, &translated);
    if (!search_run(engine->engine, &engine->game.pos, &engine->game.keys, &engine->control,
                    callback ? &events : NULL, &found, &engine->error))
        status = TWOFOLD_NO_MEMORY;
    else
        fill_result(engine, &found, result);
    close_gate(engine);
    text_free(&hearing.moves);
    return give(engine, status);
}

void API(arm)(HANDLE *engine)
{
    if (!engine)
        return;
    pthread_mutex_lock(&engine->gate);
    if (!engine->is_searching) {
        control_forget(&engine->control);
        engine->is_armed = true;
    }
    pthread_mutex_unlock(&engine->gate);
}

void API(stop)(HANDLE *engine)
{
    if (engine)
        control_stop(&engine->control, STOP_COMMAND);
}
