// SPDX-License-Identifier: GPL-3.0-or-later
// See session.h. The life of a session, its position, and how a request is answered: without a move, from the
// book, by the mate solver or by a search.
#include "session/session.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "games/words.h"
#include "session/opponent.h"
#include "session/options.h"
#include "session/report.h"

void session_note(const Session *session, const char *format, ...)
{
    char text[1024];
    va_list args;
    if (!session->events.note)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    session->events.note(session->events.context, text);
}

// ---- life ---------------------------------------------------------------------------------------
bool session_init(Session *session)
{
    // Two that begin in the same microsecond still differ in where they are.
    *session = (Session){.rules = rules_default(), .rng = {hash_mix((u64)os_now_us()) ^ (uintptr_t)session}};
    session->engine = engine_new((int)PROTOCOL_WORDS.option[ROLE_HASH].def);
    if (!session->engine)
        return false;
    options_init(session);
    opponent_begin(session);
    return game_set(&session->game, span_of(GAME_START), &session->rules, NULL) != SET_REJECTED;
}

void session_free(Session *session)
{
    engine_free(session->engine);
    game_free(&session->game);
    book_close(session->book);
    tb_close(session->tablebase);
    os_free_big(session->net, sizeof *session->net);
    text_free(&session->settings.eval_file);
    text_free(&session->settings.book_file);
    text_free(&session->settings.tb_path);
    text_free(&session->excluded);
}

PositionStatus session_set_position(Session *session, Span text, Span moves, Message *message)
{
    Game game = {0};
    Message why = {0};
    SetResult set = game_set(&game, text, &session->rules, message);
    if (set == SET_REJECTED)
        return POSITION_REFUSED;
    PlayResult played = game_play_text(&game, moves, &why);
    if (played != PLAY_DONE) {
        *message = why;
        game_free(&game);
        return played == PLAY_ILLEGAL ? POSITION_BAD_MOVE : POSITION_NO_MEMORY;
    }
    game_free(&session->game);
    session->game = game;
    return set == SET_REPAIRED ? POSITION_REPAIRED : POSITION_SET;
}

static void note_of_peers(void *session, const char *text) { session_note(session, "%s", text); }

void session_set_peers(Session *session, const Peers *peers)
{
    session->peers = peers;
    engine_set_peers(session->engine, peers);
    if (peers)
        peers->listen(peers->self, note_of_peers, session);
}

bool session_prepare(Session *session, Message *message)
{
    const Peers *peers = session->peers;
    const bool ok = engine_prepare(session->engine, message);
    if (peers)
        peers->prepare(peers->self);
    return ok;
}

void session_new_game(Session *session)
{
    if (session->peers)
        session->peers->new_game(session->peers->self);
    engine_new_game(session->engine);
    text_clear(&session->excluded);
    opponent_begin(session);
}

void session_set_level(Session *session, int elo)
{
    session->settings.limit_strength = elo != 0;
    if (elo)
        session->settings.elo = elo;
}

int session_level(const Session *session)
{
    return session->settings.limit_strength ? session->settings.elo : 0;
}

void session_set_seed(Session *session, i64 seed)
{
    session->settings.seed = seed;
    opponent_begin(session);
}

Engine *session_new_engine(const Session *session, int hash_mb, Message *message)
{
    Engine *engine = engine_new(hash_mb);
    if (!engine) {
        message_set(message, "not enough memory for an engine");
        return NULL;
    }
    *engine_options(engine) = *engine_options(session->engine);
    engine_evaluate_as(engine, session->engine);
    for (int i = 0; i < param_count(); i++)
        param_set(engine, i, param_get(session->engine, i)); // does nothing where parameters are constants
    if (engine_set_threads(engine, session->settings.threads, message))
        return engine;
    engine_free(engine);
    return NULL;
}

// ---- the limits of a request --------------------------------------------------------------------
static bool is_excluded(const Limits *limits, Move move)
{
    for (int i = 0; i < limits->except_nb; i++)
        if (limits->except[i] == move)
            return true;
    return false;
}

static bool are_all_excluded(const Limits *limits, const Move *list, int nb)
{
    for (int i = 0; i < nb; i++)
        if (!is_excluded(limits, list[i]))
            return false;
    return true;
}

static void add_exclusions(const Session *session, Limits *limits)
{
    const Position *pos = &session->game.pos;
    Span rest = text_span(&session->excluded);
    for (Span word; (word = span_word(&rest)).len;) {
        Move move = move_parse(pos, word);
        if (move != MOVE_NONE && limits->except_nb < MAX_MOVES)
            limits->except[limits->except_nb++] = move;
    }
    if (limits->except_nb && limits->only_nb && are_all_excluded(limits, limits->only, limits->only_nb))
        session_note(session,
                     "exclude: every move of searchmoves is excluded; they are searched all the same");
    Move list[MAX_MOVES];
    if (limits->except_nb && are_all_excluded(limits, list, (int)(gen_all(pos, list) - list))) {
        limits->except_nb = 0;
        session_note(session, "exclude: no move is left, so all are searched");
    }
}

void session_limits(const Session *session, const Position *pos, Limits *limits)
{
    const Settings *settings = &session->settings;
    if (!limits->infinite && settings->depth_limit)
        limits->depth = limits->depth ? min_int(limits->depth, settings->depth_limit) : settings->depth_limit;
    if (!limits->infinite && settings->nodes_limit)
        limits->nodes = limits->nodes ? (u64)min_i64((i64)limits->nodes, settings->nodes_limit)
                                      : (u64)settings->nodes_limit;
    if (session->node_cap)
        limits->nodes =
            limits->nodes && limits->nodes < session->node_cap ? limits->nodes : session->node_cap;
    for (int side = 0; side < SIDE_NB; side++)
        limits->draw_score[side] = score_of_shown(settings->draw_value[side], pos);
}

// ---- answers ------------------------------------------------------------------------------------
void answer_print(const Game *game, const Answer *made, char out[MOVE_TEXT_MAX])
{
    const char *word = made->kind == ANSWER_NO_MOVE  ? PROTOCOL_WORDS.no_move
                       : made->kind == ANSWER_RESIGN ? PROTOCOL_WORDS.resign
                       : made->kind == ANSWER_WIN    ? PROTOCOL_WORDS.win
                                                     : NULL;
    if (word)
        span_copy(span_of(word), out, MOVE_TEXT_MAX);
    else
        move_print(&game->pos, made->move, out);
}

bool answer_print_ponder(const Game *game, const Answer *made, char out[MOVE_TEXT_MAX])
{
    if (made->ponder == MOVE_NONE)
        return false;
    Position after = pos_after(&game->pos, made->move);
    move_print(&after, made->ponder, out);
    return true;
}

const char *answer_mate_word(MateAnswer mate)
{
    switch (mate) {
    case MATE_FOUND: return "mate";
    case MATE_NONE: return "nomate";
    case MATE_UNKNOWN: return "timeout";
    default: return "notimplemented";
    }
}

static void answer(const Session *session, const Answer *answer)
{
    const SessionEvents *events = &session->events;
    if (events->answer)
        events->answer(events->context, &session->game, answer);
}

static void tell_known(const Session *session, KnownLine line)
{
    const SessionEvents *events = &session->events;
    if (events->known)
        events->known(events->context, &session->game, &line);
}

// A move that no search found, as if one had.
static Answer answer_of(Move move, int depth, int score)
{
    Answer made = {.kind = ANSWER_MOVE, .move = move, .ponder = MOVE_NONE};
    made.result = (SearchResult){.best = move, .ponder = MOVE_NONE, .score = score, .depth = depth};
    made.result.pv[0] = move;
    made.result.pv_nb = 1;
    return made;
}

static bool answer_no_move(const Session *session, SearchControl *control)
{
    const Position *pos = &session->game.pos;
    if (gen_count(pos) > 0)
        return false;
    bool is_lost = pos_in_check(pos) || pos_no_move_outcome(pos) == OUTCOME_LOSS;
    tell_known(session, (KnownLine){.is_mated = is_lost, .move = MOVE_NONE});
    control_wait_release(control);
    Answer made = {.kind = ANSWER_NO_MOVE, .move = MOVE_NONE, .ponder = MOVE_NONE};
    made.result = (SearchResult){.best = MOVE_NONE,
                                 .ponder = MOVE_NONE,
                                 .score = is_lost ? -SCORE_MATE : SCORE_DRAW,
                                 .time_ms = (os_now_us() - control->start_us) / 1000,
                                 .reason = STOP_NO_MOVE};
    answer(session, &made);
    return true;
}

// The reply, if the game goes on after the move.
static Move ponder_of(const Game *game, Move best, Move reply)
{
    KeyHistory keys = {0};
    if (reply == MOVE_NONE || !keys_copy(&keys, &game->keys, 1))
        return MOVE_NONE;
    keys_push(&keys, &game->pos);
    Position after = pos_after(&game->pos, best);
    bool goes_on = game_outcome(&after, &keys).outcome == OUTCOME_NONE;
    keys_free(&keys);
    return goes_on ? reply : MOVE_NONE;
}

// ---- the book -----------------------------------------------------------------------------------
// Chooses by weight; variety flattens or sharpens: 0 always plays the heaviest, 100 plays by weight.
static bool book_choose(Session *session, BookMove *chosen)
{
    BookMove moves[BOOK_MOVES_MAX];
    int count = book_probe(session->book, &session->game.pos, moves), pick = 0;
    if (count == 0)
        return false;
    double share[BOOK_MOVES_MAX], sum = 0, variety = session->settings.book_variety / 100.0;
    for (int i = 0; i < count; i++) {
        double weight = moves[0].weight ? (double)moves[i].weight / moves[0].weight : 1.0;
        share[i] = variety > 0 && weight > 0 ? pow(weight, 1.0 / variety) : 0.0;
        sum += share[i];
    }
    double at = rng_unit(&session->rng) * sum;
    if (sum > 0)
        while (pick + 1 < count && (at -= share[pick]) >= 0)
            pick++;
    *chosen = moves[pick];
    return true;
}

// The reply the book expects, or would give itself, to be thought about while the opponent thinks.
static Move book_reply(const Session *session, const BookMove *chosen)
{
    BookMove moves[BOOK_MOVES_MAX];
    if (chosen->reply != MOVE_NONE)
        return chosen->reply;
    Position after = pos_after(&session->game.pos, chosen->move);
    return book_probe(session->book, &after, moves) ? moves[0].move : MOVE_NONE;
}

// Is any good move an answer, of all there are and at once?
static bool is_free_choice(const Session *session, const GoRequest *request, SearchControl *control)
{
    const Limits *limits = &control->limits;
    bool has_limit = request->has_limit || control_has_clock(control);
    return !session->settings.analyse && has_limit && !limits->infinite &&
           !atomic_load(&control->pondering) && !limits->only_nb && !limits->except_nb && !limits->mate;
}

static bool is_book_asked(const Session *session, const GoRequest *request, SearchControl *control)
{
    const Settings *settings = &session->settings;
    int ply = pos_game_ply(&session->game.pos);
    int move_number = PROTOCOL_WORDS.mate_in_plies ? ply : ply / 2; // as the game counts moves
    return settings->own_book && session->book && is_free_choice(session, request, control) &&
           move_number < settings->book_depth;
}

static bool answer_from_book(Session *session, const GoRequest *request, SearchControl *control)
{
    BookMove chosen;
    if (!is_book_asked(session, request, control) || !book_choose(session, &chosen))
        return false;
    const Game *game = &session->game;
    KnownLine line = {.depth = chosen.depth > 0 ? chosen.depth : 1,
                      .centipawns = chosen.has_score ? chosen.score : 0,
                      .move = chosen.move};
    session_note(session, "book move");
    tell_known(session, line);
    Answer made = answer_of(chosen.move, line.depth, score_of_shown(line.centipawns, &game->pos));
    made.is_book = true;
    made.ponder = ponder_of(game, chosen.move, book_reply(session, &chosen));
    answer(session, &made);
    return true;
}

// ---- openings that levels play ------------------------------------------------------------------
static bool answer_from_opening(Session *session, const GoRequest *request, SearchControl *control)
{
    Move move;
    if (!session->settings.limit_strength || !is_free_choice(session, request, control) ||
        !opponent_opening(session, &control->limits, &move))
        return false;
    tell_known(session, (KnownLine){.depth = 1, .move = move});
    Answer made = answer_of(move, 1, SCORE_DRAW);
    answer(session, &made);
    return true;
}

// ---- the mate solver ----------------------------------------------------------------------------
static bool is_stopped(void *context) { return control_is_stopped(context); }

static void answer_mate(const Session *session, const GoRequest *request, SearchControl *control)
{
    const Game *game = &session->game;
    MateLimits limits = {.nodes = session->node_cap,
                         .stop = is_stopped,
                         .context = control,
                         .memory_mb = engine_hash_mb(session->engine)};
    limits.until_us = request->mate_ms ? control->start_us + request->mate_ms * 1000 : 0;
    MateResult *result = calloc(1, sizeof *result);
    Answer made = {.kind = ANSWER_MATE, .move = MOVE_NONE, .ponder = MOVE_NONE, .mate = MATE_UNKNOWN};
    if (result)
        made.mate = mate_solve(&game->pos, &game->keys, &limits, result);
    if (made.mate == MATE_FOUND) {
        made.mate_line = result->line;
        made.mate_line_nb = result->line_nb;
    }
    answer(session, &made);
    free(result);
}

// ---- the search ---------------------------------------------------------------------------------
// What came of the exchange with other ranks.
static void note_exchange(const Session *session)
{
    PeerCounts all;
    if (search_peer_counts(session->engine, &all))
        session_note(session,
                     "%d ranks: %" PRIu64 " nodes, entries sent %" PRIu64 " taken %" PRIu64 " used %" PRIu64,
                     session->peers->size, all.nodes, all.sent, all.taken, all.used);
}

bool session_search(Session *session, const Game *game, SearchControl *control, SearchResult *result)
{
    Report report;
    Message message = {0};
    report_init(&report, session, game, control);
    SearchEvents events = report_events(&report);
    session_limits(session, &game->pos, &control->limits);
    if (pos_can_declare(&game->pos)) // known at once, and to be seen also while the answer must wait
        report_close(&report, &(SearchResult){.best = MOVE_WIN});
    bool ok = search_run(session->engine, game, control, &events, result, &message);
    if (ok) {
        report_close(&report, result);
        session->counters = *search_counters(session->engine);
        note_exchange(session);
    } else {
        session_note(session, "%s", message.text);
    }
    report_free(&report);
    if (tb_tell_lost(session->tablebase, &message))
        session_note(session, "%s", message.text);
    return ok;
}

// Any legal move, for when there is no memory left to think with.
static void answer_any_move(const Session *session)
{
    Move list[MAX_MOVES];
    gen_all(&session->game.pos, list);
    tell_known(session, (KnownLine){.depth = 1, .move = list[0]});
    Answer made = answer_of(list[0], 1, SCORE_DRAW);
    answer(session, &made);
}

static bool answer_search(Session *session, SearchControl *control)
{
    const Game *game = &session->game;
    const Settings *settings = &session->settings;
    const bool is_weak = settings->limit_strength && !settings->analyse && !control->limits.infinite;
    Answer made = {.kind = ANSWER_MOVE, .ponder = MOVE_NONE};
    SearchResult *result = &made.result;
    control->limits.elo = is_weak ? settings->elo : 0;
    if (!session_search(session, game, control, result)) {
        answer_any_move(session);
        return false;
    }
    int shown = score_is_mate(result->score) ? result->score : score_shown(result->score, &game->pos);
    made.move = result->best;
    if (result->best == MOVE_WIN)
        made.kind = ANSWER_WIN;
    else if (PROTOCOL_WORDS.resign && !control->limits.infinite && shown <= -settings->resign_score)
        made.kind = ANSWER_RESIGN;
    else
        made.ponder = ponder_of(game, result->best, result->ponder);
    answer(session, &made);
    return true;
}

bool session_go(Session *session, const GoRequest *request, SearchControl *control)
{
    if (request->solve_mate) {
        answer_mate(session, request, control);
        return true;
    }
    add_exclusions(session, &control->limits);
    opponent_draw(session, &control->limits);
    return answer_no_move(session, control) || answer_from_book(session, request, control) ||
           answer_from_opening(session, request, control) || answer_search(session, control);
}
