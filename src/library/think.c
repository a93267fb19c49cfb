// SPDX-License-Identifier: GPL-3.0-or-later
// Searches of the library: the caller's limits become the search's, its lines the caller's. See library.h.
#include "library/library.h"

static const i64 TIME_MAX_MS = 1000000000000; // beyond any use, and far from an overflow
// The structs as the first version of the interface had them: none is smaller.
enum {
    LIMITS_LEAST = offsetof(twofold_limits, except_moves) + sizeof(const char *),
    RESULT_LEAST = offsetof(twofold_result, time_ms) + sizeof(int64_t),
};

// What is heard during one search.
typedef struct Hearing {
    HANDLE *engine;
    twofold_info_callback callback; // may be NULL
    void *context;
    Text moves;
    twofold_result result;
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
        .size = sizeof info,
        .depth = line->depth,
        .selective_depth = line->seldepth,
        .line = line->multi_pv,
        .score_cp = library_shown(hearing->engine, line->score, &game->pos),
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
    Hearing *hearing = context;
    const SearchResult *from = &answer->result;
    twofold_result *to = &hearing->result;
    Wdl wdl = score_wdl(from->score, &game->pos);
    Text line = {0};
    if (answer->kind != ANSWER_NO_MOVE)
        answer_print(game, answer, to->best);
    answer_print_ponder(game, answer, to->ponder);
    line_print(game, from->pv, from->pv_nb, (LineStyle){.max_bytes = sizeof to->line - 1}, &line);
    span_copy(text_span(&line), to->line, sizeof to->line);
    text_free(&line);
    to->score_cp = library_shown(hearing->engine, from->score, &game->pos);
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
            library_fail(engine, TWOFOLD_BAD_MOVE, "'%.*s' is not legal here",
                         (int)(word.len < WORD_SHOWN ? word.len : WORD_SHOWN), word.ptr);
            return false;
        }
        out[(*nb)++] = move;
    }
    return true;
}

int library_limits(HANDLE *engine, const twofold_limits *given, Limits *to)
{
    twofold_limits from;
    if (!library_read_struct(engine, "twofold_limits", given, &from, sizeof from, LIMITS_LEAST))
        return TWOFOLD_BAD_ARGUMENT;
    bool has_clock = from.time_ms[0] > 0 || from.time_ms[1] > 0 || from.byoyomi_ms > 0;
    if (from.depth < 0 || from.mate < 0 || from.move_time_ms < 0 || from.moves_to_go < 0 ||
        from.byoyomi_ms < 0)
        return library_fail(engine, TWOFOLD_BAD_ARGUMENT, "a limit is negative");
    if (!from.nodes && !from.depth && !from.mate && !from.move_time_ms && !has_clock && !from.infinite)
        return library_fail(engine, TWOFOLD_BAD_ARGUMENT, "the search has no limit: set one, or infinite");
    *to = (Limits){
        .nodes = from.nodes < INT64_MAX ? from.nodes : INT64_MAX,
        .depth = min_int(from.depth, MAX_PLY - 1),
        .mate = from.mate ? min_int(from.mate, MAX_PLY / 2) * 2 : 0,
        .move_time_ms = min_i64(from.move_time_ms, TIME_MAX_MS),
        .clocks.moves_to_go = from.moves_to_go,
        .clocks.byoyomi_ms = min_i64(from.byoyomi_ms, TIME_MAX_MS),
        .infinite = from.infinite != 0,
    };
    for (int side = 0; has_clock && side < SIDE_NB; side++) {
        to->clocks.has_clock[side] = true;
        to->clocks.time_ms[side] = clamp_i64(from.time_ms[side], 0, TIME_MAX_MS);
        to->clocks.inc_ms[side] = clamp_i64(from.inc_ms[side], 0, TIME_MAX_MS);
    }
    return take_moves(engine, from.only_moves, to->only, &to->only_nb) &&
                   take_moves(engine, from.except_moves, to->except, &to->except_nb)
               ? TWOFOLD_OK
               : TWOFOLD_BAD_MOVE;
}

_Static_assert((int)TWOFOLD_MOVE_MAX >= (int)MOVE_TEXT_MAX, "a move fits into the result");

// The next search begins: a stop that came before it counts only when it was armed for.
void library_open_gate(HANDLE *engine, const Limits *limits)
{
    pthread_mutex_lock(&engine->gate);
    if (!engine->is_armed)
        control_forget(&engine->control);
    control_renew(&engine->control, limits);
    engine->is_searching = true;
    engine->is_armed = false;
    pthread_mutex_unlock(&engine->gate);
}

void library_close_gate(HANDLE *engine)
{
    pthread_mutex_lock(&engine->gate);
    engine->is_searching = false;
    pthread_mutex_unlock(&engine->gate);
}

static int search(HANDLE *engine, const twofold_limits *limits, twofold_info_callback callback, void *context,
                  twofold_result *result)
{
    GoRequest request = {.has_limit = true};
    Hearing hearing = {.engine = engine, .callback = callback, .context = context};
    if (!limits || !result)
        return library_fail(engine, TWOFOLD_BAD_ARGUMENT, "a search needs limits and a result");
    if (!library_check_struct(engine, "twofold_result", result, sizeof *result, RESULT_LEAST))
        return TWOFOLD_BAD_ARGUMENT;
    int status = library_limits(engine, limits, &request.limits);
    if (status != TWOFOLD_OK)
        return status;
    engine->session.events =
        (SessionEvents){.context = &hearing, .line = on_line, .answer = on_answer, .note = on_note};
    library_open_gate(engine, &request.limits);
    if (!session_go(&engine->session, &request, &engine->control))
        status = library_fail(engine, TWOFOLD_NO_MEMORY, "%s", hearing.note.text);
    library_close_gate(engine);
    engine->session.events = (SessionEvents){0};
    library_fill_struct(result, &hearing.result, sizeof hearing.result);
    text_free(&hearing.moves);
    return status;
}

int API(search)(HANDLE *engine, const twofold_limits *limits, twofold_info_callback callback, void *context,
                twofold_result *result)
{
    int status = library_take(engine);
    return status == TWOFOLD_OK ? library_give(engine, search(engine, limits, callback, context, result))
                                : status;
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
