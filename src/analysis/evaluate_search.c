// SPDX-License-Identifier: GPL-3.0-or-later
// The search of one position. Each thread has an engine of its own, with the options of the session, and
// forgets everything before each position: what is found depends on the position and the settings alone,
// never on the order or the number of threads (unless the engines have more than one thread themselves).
#include <stdlib.h>

#include "analysis/evaluate.h"
#include "games/game_state.h"

enum { SECOND_SHARE = 4 };

// What a thread works with.
typedef struct Searcher {
    const Evaluator *evaluator;
    Engine *engine;
    Game game;                             // that of the position searched last
    SearchControl control;                 // a stop stays in force for all searches that follow
    OtherLine line[RESULT_OTHERS_MAX + 1]; // the last whole lines of the search, by rank
    int line_depth[RESULT_OTHERS_MAX + 1];
} Searcher;

// What a task begins with; the moves before the position follow.
typedef struct TaskHead {
    Position start;
    int move_nb;
    Move played; // in the position; MOVE_NONE: none
    int look;
} TaskHead;

bool searcher_give(void *context, i64 index, Text *task, Message *message)
{
    const Evaluator *evaluator = context;
    const EvaluateJob *job = &evaluator->job[evaluator->first_job + index];
    const Record *record = &evaluator->analysis->game[job->game].record;
    TaskHead head;
    memset(&head, 0, sizeof head); // the gaps too: it goes to other machines
    head.start = record->start;
    head.move_nb = job->ply;
    head.played = job->ply < record->move_nb ? record->move[job->ply].move : MOVE_NONE;
    head.look = job->look;
    text_add_bytes(task, &head, sizeof head);
    for (int i = 0; i < job->ply; i++)
        text_add_bytes(task, &record->move[i].move, sizeof record->move[i].move);
    (void)message;
    return true;
}

// Brings the thread's game to the position of a task. Jobs come in the order of the games, so that a thread
// goes through each game once: only what differs is taken back and played.
static bool walk_to(Searcher *searcher, const TaskHead *head, Span moves)
{
    Game *game = &searcher->game;
    int same = 0;
    if (memcmp(&game->start, &head->start, sizeof head->start) != 0)
        game_start(game, &head->start);
    for (Move move; same < game->move_nb && same < head->move_nb; same++) {
        memcpy(&move, moves.ptr + (size_t)same * sizeof move, sizeof move);
        if (move != game->move[same])
            break;
    }
    game_undo(game, game->move_nb - same);
    for (Move move; same < head->move_nb; same++) {
        memcpy(&move, moves.ptr + (size_t)same * sizeof move, sizeof move);
        if (!game_play(game, move))
            return false;
    }
    return true;
}

// When the game is over by the rules, its last position needs no search.
static bool is_decided(const Game *game, PositionResult *result)
{
    Verdict verdict = game_verdict(game);
    if (verdict.outcome == OUTCOME_NONE)
        return false;
    *result = (PositionResult){.second = SCORE_NONE, .earlier = SCORE_NONE};
    const bool is_mate = verdict.reason == REASON_MATE || verdict.reason == REASON_NO_MOVE;
    const int won = is_mate ? SCORE_MATE : SCORE_TB_WIN; // other rules win without a mate
    result->score = verdict.outcome == OUTCOME_DRAW  ? SCORE_DRAW
                    : verdict.outcome == OUTCOME_WIN ? won
                                                     : -won;
    return true;
}

// ---- a search -----------------------------------------------------------------------------------
// Without threads, a search is where one hears of a stop.
static bool on_poll(void *context)
{
    const EvaluateOptions *options = ((const Searcher *)context)->evaluator->options;
    return options->is_stopped && options->is_stopped(options->watcher);
}

static void on_line(void *context, const SearchLine *line)
{
    Searcher *searcher = context;
    const int rank = line->multi_pv - 1;
    if (line->bound != BOUND_EXACT || rank < 0 || rank > RESULT_OTHERS_MAX)
        return;
    OtherLine *kept = &searcher->line[rank];
    kept->score = line->score;
    kept->move_nb = min_int(line->pv_nb, RESULT_LINE_MAX);
    memcpy(kept->move, line->pv, (size_t)kept->move_nb * sizeof(Move));
    searcher->line_depth[rank] = line->depth;
}

static bool search(Searcher *searcher, const Limits *limits, int line_nb, SearchResult *result,
                   Message *message)
{
    Limits asked = *limits;
    const EvaluateOptions *options = searcher->evaluator->options;
    const SearchEvents events = {
        .context = searcher, .line = on_line, .poll = options->threads ? NULL : on_poll};
    session_limits(searcher->evaluator->session, &searcher->game.pos, &asked);
    control_renew(&searcher->control, &asked);
    memset(searcher->line_depth, 0, sizeof searcher->line_depth);
    SearchOptions *engine = engine_options(searcher->engine);
    const int usual = engine->multi_pv;
    engine->multi_pv = line_nb;
    bool ok = search_run(searcher->engine, &searcher->game, &searcher->control, &events, result, message);
    engine->multi_pv = usual;
    return ok && result->reason != STOP_COMMAND;
}

static Limits limits_of(const EvaluateOptions *options, int look)
{
    Limits limits = {.nodes = options->nodes, .move_time_ms = options->time_ms, .depth = options->depth};
    const int factor = look == 0 ? 1 : look == 1 ? SECOND_FACTOR : THIRD_FACTOR;
    limits.nodes *= (u64)factor;
    limits.move_time_ms *= factor;
    limits.depth = limits.depth ? min_int(limits.depth + look * DEEP_DEPTH, MAX_PLY - 1) : 0;
    return limits;
}

// The lines behind the best one. One that was not finished at the last depth is as the depth before left it,
// and may be the best move's own by now.
static void keep_others(const Searcher *searcher, PositionResult *found)
{
    for (int rank = 0; rank <= RESULT_OTHERS_MAX; rank++) {
        const OtherLine *line = &searcher->line[rank];
        bool is_known = !searcher->line_depth[rank] || !line->move_nb ||
                        (found->line_nb && line->move[0] == found->line[0]);
        for (int i = 0; i < found->other_nb && !is_known; i++)
            is_known = found->other[i].move[0] == line->move[0];
        if (!is_known && found->other_nb < RESULT_OTHERS_MAX)
            found->other[found->other_nb++] = *line;
    }
}

// The best move was played. Was it the only good move, or one of several?
static bool find_second(Searcher *searcher, Move played, Limits limits, PositionResult *found,
                        Message *message)
{
    SearchResult result;
    if (found->other_nb) {
        found->second = found->other[0].score;
        return true;
    }
    limits.except[0] = played;
    limits.except_nb = 1;
    limits.nodes = limits.nodes ? (u64)max_i64((i64)limits.nodes / SECOND_SHARE, 1) : 0;
    limits.move_time_ms = limits.move_time_ms ? max_i64(limits.move_time_ms / SECOND_SHARE, 1) : 0;
    if (!search(searcher, &limits, 1, &result, message))
        return false;
    found->second = result.score;
    return true;
}

static bool find(Searcher *searcher, Move played, int look, PositionResult *found, Message *message)
{
    const EvaluateOptions *options = searcher->evaluator->options;
    const Limits limits = limits_of(options, look);
    const int asked = max_int(options->multi_pv, 1), line_nb = look == 1 ? max_int(asked, DEEP_LINES) : asked;
    SearchResult result;
    if (played == MOVE_NONE && is_decided(&searcher->game, found))
        return true;
    engine_new_game(searcher->engine);
    if (!search(searcher, &limits, min_int(line_nb, RESULT_OTHERS_MAX + 1), &result, message))
        return false;
    *found = (PositionResult){.score = result.score,
                              .second = SCORE_NONE,
                              .earlier = SCORE_NONE,
                              .depth = result.depth,
                              .nodes = result.nodes};
    found->line_nb = min_int(result.pv_nb, RESULT_LINE_MAX);
    memcpy(found->line, result.pv, (size_t)found->line_nb * sizeof(Move));
    if (found->line_nb == 0 && result.best != MOVE_NONE && result.best != MOVE_WIN)
        found->line[found->line_nb++] = result.best;
    if (line_nb > 1)
        keep_others(searcher, found);
    if (played == MOVE_NONE || !found->line_nb || found->line[0] != played ||
        gen_count(&searcher->game.pos) < 2)
        return true;
    return find_second(searcher, played, limits, found, message);
}

// ---- the functions of the queue -----------------------------------------------------------------
void searcher_close(void *state)
{
    Searcher *searcher = state;
    if (searcher->engine != searcher->evaluator->session->engine)
        engine_free(searcher->engine);
    game_free(&searcher->game);
    control_free(&searcher->control);
    free(searcher);
}

void *searcher_open(void *context, Message *message)
{
    Evaluator *evaluator = context;
    const Session *session = evaluator->session;
    Searcher *searcher = calloc(1, sizeof *searcher);
    Message why;
    if (searcher) {
        // The engine of the session is the model of all others, which may still be made while the first ones
        // search: it is lent to one that is alone.
        const bool is_alone = evaluator->options->threads <= 1;
        searcher->evaluator = evaluator;
        searcher->engine =
            is_alone ? session->engine : session_new_engine(session, session->settings.hash_mb, &why);
    }
    if (searcher && searcher->engine) {
        control_init(&searcher->control, &(Limits){0}, 0);
        return searcher;
    }
    free(searcher);
    message_set(message, "not enough memory for the engines: try fewer --threads or a smaller --hash");
    return NULL;
}

void searcher_cancel(void *state)
{
    Searcher *searcher = state;
    control_stop(&searcher->control, STOP_COMMAND);
}

bool searcher_run(void *context, void *state, i64 index, Span task, Text *result, Message *message)
{
    Searcher *searcher = state;
    TaskHead head;
    PositionResult found;
    (void)context, (void)index;
    assert(task.len >= sizeof head);
    memcpy(&head, task.ptr, sizeof head);
    if (!walk_to(searcher, &head, (Span){task.ptr + sizeof head, task.len - sizeof head}))
        return message_set(message, "not enough memory for a game");
    memset(&found, 0, sizeof found);
    if (!find(searcher, head.played, head.look, &found, message))
        return false;
    text_add_bytes(result, &found, sizeof found);
    return true;
}
