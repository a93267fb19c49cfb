// SPDX-License-Identifier: GPL-3.0-or-later
// The library: include/twofold.h for the game this is compiled for. A thin coat over a session: texts in,
// texts out, every failure a status and a sentence. Invariant: while `busy` is set, only arm and stop touch
// the handle, and of it nothing but the control.
#include <stdatomic.h>
#include <stdlib.h>

#include "../../include/twofold.h"
#include "games/notation.h"
#include "session/options.h"

// The build says which game the names are for: API(new) is twofold_chess_new.
#define JOIN_AGAIN(a, b) a##b
#define JOIN(a, b) JOIN_AGAIN(a, b)
#define HANDLE JOIN(twofold_, TWOFOLD_GAME)
#define API(name) JOIN(HANDLE, _##name)

enum { WORD_SHOWN = 40 };
static const i64 TIME_MAX_MS = 1000000000000; // beyond any use, and far from an overflow

struct HANDLE {
    Session session;
    Message error;
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

HANDLE *API(new)(void)
{
    game_init();
    HANDLE *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    control_init(&engine->control, &(Limits){0}, 0);
    pthread_mutex_init(&engine->gate, NULL);
    if (session_init(&engine->session))
        return engine;
    API(free)(engine);
    return NULL;
}

void API(free)(HANDLE *engine)
{
    if (!engine)
        return;
    session_free(&engine->session);
    pthread_mutex_destroy(&engine->gate);
    control_free(&engine->control);
    free(engine);
}

const char *API(error)(const HANDLE *engine) { return engine ? engine->error.text : "there is no engine"; }

// ---- options ------------------------------------------------------------------------------------
static int set_option(HANDLE *engine, const char *name, const char *value)
{
    Message why = {0};
    if (!name || !value)
        return fail(engine, TWOFOLD_BAD_ARGUMENT, "an option needs a name and a value");
    switch (option_set(&engine->session, span_of(name), span_of(value), &why)) {
    case OPTION_DONE: return TWOFOLD_OK;
    case OPTION_UNKNOWN: return fail(engine, TWOFOLD_BAD_OPTION, "there is no option '%.60s'", name);
    case OPTION_NO_MEMORY: return fail(engine, TWOFOLD_NO_MEMORY, "%.60s: %s", name, why.text);
    default: return fail(engine, TWOFOLD_BAD_OPTION, "%.60s: %s", name, why.text);
    }
}

int API(set_option)(HANDLE *engine, const char *name, const char *value)
{
    int status = take(engine);
    return status == TWOFOLD_OK ? give(engine, set_option(engine, name, value)) : status;
}

const char *API(option_name)(int index)
{
    OptionInfo info;
    return option_at(index, &info) ? info.name : NULL;
}

// ---- the position -------------------------------------------------------------------------------
int API(new_game)(HANDLE *engine)
{
    int status = take(engine);
    if (status != TWOFOLD_OK)
        return status;
    session_new_game(&engine->session);
    return give(engine, TWOFOLD_OK);
}

static int bad_move(HANDLE *engine, Span word, int number)
{
    return fail(engine, TWOFOLD_BAD_MOVE, "'%.*s' (move %d) is not legal",
                (int)(word.len < WORD_SHOWN ? word.len : WORD_SHOWN), word.ptr, number);
}

static int play(HANDLE *engine, Span word)
{
    Game *game = &engine->session.game;
    Move move = move_parse(&game->pos, word);
    if (move == MOVE_NONE || move == MOVE_WIN)
        return bad_move(engine, word, game->move_nb + 1);
    return game_play(game, move) ? TWOFOLD_OK
                                 : fail(engine, TWOFOLD_NO_MEMORY, "not enough memory for the game");
}

static int set_position(HANDLE *engine, const char *position, const char *moves)
{
    Message why = {0};
    Span text = span_of(position ? position : GAME_START), rest = span_of(moves ? moves : "");
    int number = 1;
    for (Span words = rest, word; (word = span_word(&words)).len; number++)
        if (words_is_pass(word)) // a session takes it, but it is no move of the game
            return bad_move(engine, word, number);
    switch (session_set_position(&engine->session, text, rest, &why)) {
    case POSITION_REFUSED: return fail(engine, TWOFOLD_BAD_POSITION, "%s", why.text);
    case POSITION_BAD_MOVE: return fail(engine, TWOFOLD_BAD_MOVE, "%s", why.text);
    case POSITION_NO_MEMORY: return fail(engine, TWOFOLD_NO_MEMORY, "%s", why.text);
    case POSITION_SET:
    case POSITION_REPAIRED: break;
    }
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
    return give(engine, play(engine, span_of(move)));
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
    pos_print(&engine->session.game.pos, text);
    return give(engine, hand_out(engine, span_of(text), out, size));
}

int API(legal_moves)(HANDLE *engine, char *out, size_t size)
{
    int status = take(engine);
    if (status != TWOFOLD_OK)
        return status;
    Text text = {0};
    Move list[MAX_MOVES];
    const Move *end = gen_all(&engine->session.game.pos, list);
    for (const Move *move = list; move < end; move++) {
        char word[MOVE_TEXT_MAX];
        move_print(&engine->session.game.pos, *move, word);
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
    switch (game_verdict(&engine->session.game).outcome) {
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
    const Position *pos = &engine->session.game.pos;
    *centipawns = score_shown(engine_evaluate(engine->session.engine, pos), pos);
    return give(engine, TWOFOLD_OK);
}

// ---- searching ----------------------------------------------------------------------------------
// What is heard during one search.
typedef struct Hearing {
    HANDLE *engine;
    twofold_info_callback callback; // may be NULL
    void *context;
    Text moves;
    twofold_result *result;
    Message note; // the last one
} Hearing;

static int mate_moves(int score)
{
    if (!score_is_mate(score))
        return 0;
    int plies = score_mate_plies(score);
    return (plies + (plies > 0 ? 1 : -1)) / 2;
}

static void on_line(void *context, const Game *game, const SearchLine *line)
{
    Hearing *hearing = context;
    if (!hearing->callback)
        return;
    Wdl wdl = score_wdl(line->score, &game->pos);
    text_clear(&hearing->moves);
    line_print(game, line->pv, line->pv_nb, (LineStyle){0}, &hearing->moves);
    twofold_info info = {
        .depth = line->depth,
        .selective_depth = line->seldepth,
        .line = line->multi_pv,
        .score_cp = score_shown(line->score, &game->pos),
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

static void on_answer(void *context, const Game *game, const Answer *answer)
{
    const Hearing *hearing = context;
    const SearchResult *from = &answer->result;
    twofold_result *to = hearing->result;
    Wdl wdl = score_wdl(from->score, &game->pos);
    Text line = {0};
    memset(to, 0, sizeof *to);
    if (answer->kind != ANSWER_NO_MOVE)
        answer_print(game, answer, to->best);
    answer_print_ponder(game, answer, to->ponder);
    line_print(game, from->pv, from->pv_nb, (LineStyle){.max_bytes = sizeof to->line - 1}, &line);
    span_copy(text_span(&line), to->line, sizeof to->line);
    text_free(&line);
    to->score_cp = score_shown(from->score, &game->pos);
    to->mate = mate_moves(from->score);
    to->win = wdl.win;
    to->draw = wdl.draw;
    to->loss = wdl.loss;
    to->depth = from->depth;
    to->nodes = from->nodes;
    to->time_ms = from->time_ms;
}

static void on_note(void *context, const char *text)
{
    Hearing *hearing = context;
    message_set(&hearing->note, "%s", text);
}

// The moves of a list of texts; false when one is not legal.
static bool take_moves(HANDLE *engine, const char *text, Move *out, int *nb)
{
    Span rest = span_of(text ? text : "");
    for (Span word = span_word(&rest); word.len && *nb < MAX_MOVES; word = span_word(&rest)) {
        Move move = move_parse(&engine->session.game.pos, word);
        if (move == MOVE_NONE) {
            fail(engine, TWOFOLD_BAD_MOVE, "'%.*s' is not legal here",
                 (int)(word.len < WORD_SHOWN ? word.len : WORD_SHOWN), word.ptr);
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
    GoRequest request = {.has_limit = true};
    Hearing hearing = {.engine = engine, .callback = callback, .context = context, .result = result};
    int status = take(engine);
    if (status != TWOFOLD_OK)
        return status;
    if (!limits || !result)
        return give(engine, fail(engine, TWOFOLD_BAD_ARGUMENT, "a search needs limits and a result"));
    status = translate_limits(engine, limits, &request.limits);
    if (status != TWOFOLD_OK)
        return give(engine, status);
    engine->session.events =
        (SessionEvents){.context = &hearing, .line = on_line, .answer = on_answer, .note = on_note};
    open_gate(engine, &request.limits);
    if (!session_go(&engine->session, &request, &engine->control))
        status = fail(engine, TWOFOLD_NO_MEMORY, "%s", hearing.note.text);
    close_gate(engine);
    engine->session.events = (SessionEvents){0};
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
