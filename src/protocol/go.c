// SPDX-License-Identifier: GPL-3.0-or-later
// go: from its words to limits, to a search, a book move, a mate solver or a count, to exactly one answer.
// A go never fails: what can't be understood is left out and said, and there is always an answer.
#include <math.h>
#include <stdlib.h>

#include "protocol/loop.h"

// ---- the words of go ----------------------------------------------------------------------------
typedef enum GoField {
    GO_NONE,
    GO_TIME_0,
    GO_TIME_1,
    GO_INC_0,
    GO_INC_1,
    GO_BYOYOMI,
    GO_MOVES_TO_GO,
    GO_DEPTH,
    GO_NODES,
    GO_MOVE_TIME,
    GO_MATE,
    GO_PERFT,
    GO_INFINITE,
    GO_PONDER,
    GO_SEARCH_MOVES,
} GoField;

static GoField go_field(Span word)
{
    const struct {
        const char *name;
        GoField field;
    } FIELDS[] = {
        {PROTOCOL_WORDS.time[0], GO_TIME_0},
        {PROTOCOL_WORDS.time[1], GO_TIME_1},
        {PROTOCOL_WORDS.inc[0], GO_INC_0},
        {PROTOCOL_WORDS.inc[1], GO_INC_1},
        {PROTOCOL_WORDS.byoyomi, GO_BYOYOMI},
        {"movestogo", GO_MOVES_TO_GO},
        {"depth", GO_DEPTH},
        {"nodes", GO_NODES},
        {"movetime", GO_MOVE_TIME},
        {"mate", GO_MATE},
        {"perft", GO_PERFT},
        {"infinite", GO_INFINITE},
        {"ponder", GO_PONDER},
        {"searchmoves", GO_SEARCH_MOVES},
        {PROTOCOL_WORDS.move_time_alias, GO_MOVE_TIME},
    };
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++)
        if (FIELDS[i].name && span_is(word, FIELDS[i].name))
            return FIELDS[i].field;
    return GO_NONE;
}

// Numbers beyond any use are cut to these.
enum { TIME_MAX_MS = 1000000000, PERFT_MAX = 100 };

static void set_mate(GoRequest *request, i64 value)
{
    if (PROTOCOL_WORDS.mate_is_solver) {
        request->solve_mate = true;
        request->mate_ms = clamp_i64(value, 1, TIME_MAX_MS);
    } else {
        // A mate in n moves takes 2n - 1 plies; being mated in n, 2n.
        request->limits.mate = 2 * (int)max_i64(1, min_i64(value, MAX_PLY / 2));
        request->has_limit = true;
    }
}

static void set_field(GoRequest *request, GoField field, i64 value)
{
    Limits *limits = &request->limits;
    i64 ms = clamp_i64(value, -TIME_MAX_MS, TIME_MAX_MS);
    switch (field) {
    case GO_TIME_0:
    case GO_TIME_1:
        limits->clocks.time_ms[field - GO_TIME_0] = max_i64(ms, 0);
        limits->clocks.has_clock[field - GO_TIME_0] = true;
        break;
    case GO_INC_0:
    case GO_INC_1: limits->clocks.inc_ms[field - GO_INC_0] = max_i64(ms, 0); break;
    case GO_BYOYOMI:
        limits->clocks.byoyomi_ms = max_i64(ms, 0);
        request->has_clock = true;
        break;
    case GO_MOVES_TO_GO: limits->clocks.moves_to_go = (int)min_i64(max_i64(value, 0), 1000); break;
    case GO_DEPTH: limits->depth = (int)min_i64(max_i64(value, 1), MAX_PLY - 1); break;
    case GO_NODES: limits->nodes = (u64)max_i64(value, 1); break;
    case GO_MOVE_TIME: limits->move_time_ms = max_i64(ms, 1); break;
    case GO_MATE: set_mate(request, value); return;
    case GO_PERFT:
        request->perft_depth = (int)min_i64(max_i64(value, 0), PERFT_MAX);
        request->is_perft = true;
        break;
    default: break;
    }
    request->has_limit |= field == GO_DEPTH || field == GO_NODES || field == GO_MOVE_TIME;
}

// The clock of the side to move, as far as it was told: one that came alone is taken for both.
static void finish_clocks(GoRequest *request)
{
    Limits *limits = &request->limits;
    bool any = request->has_clock;
    for (int side = 0; side < SIDE_NB; side++)
        any |= limits->clocks.has_clock[side] || limits->clocks.inc_ms[side] > 0;
    if (!any)
        return;
    for (int side = 0; side < SIDE_NB; side++) {
        if (!limits->clocks.has_clock[side])
            limits->clocks.time_ms[side] =
                limits->clocks.has_clock[!side] ? limits->clocks.time_ms[!side] : 0;
    }
    limits->clocks.has_clock[0] = limits->clocks.has_clock[1] = true;
    request->has_clock = request->has_limit = true;
}

void go_parse(Span arguments, GoRequest *request, Message *complaint)
{
    *request = (GoRequest){0};
    complaint->text[0] = '\0';
    Limits *limits = &request->limits;
    bool in_moves = false, malformed = false;
    for (Span word; (word = span_word(&arguments)).len;) {
        GoField field = go_field(word);
        int shown = word.len > 32 ? 32 : (int)word.len;
        if (field == GO_INFINITE || field == GO_PONDER || field == GO_SEARCH_MOVES) {
            limits->infinite |= field == GO_INFINITE;
            limits->ponder |= field == GO_PONDER;
            in_moves = field == GO_SEARCH_MOVES;
            continue;
        }
        if (field == GO_NONE && in_moves) {
            text_add(&request->move_words, "%.*s ", (int)word.len, word.ptr);
            continue;
        }
        if (field == GO_NONE) {
            message_set(complaint, "go: '%.*s' is not understood and is left out", shown, word.ptr);
            continue;
        }
        in_moves = false;
        Span rest = arguments, number = span_word(&rest);
        i64 value;
        if (field == GO_MATE && span_is(number, "infinite")) {
            request->solve_mate = PROTOCOL_WORDS.mate_is_solver;
            limits->infinite |= !PROTOCOL_WORDS.mate_is_solver;
            arguments = rest;
        } else if (field == GO_MATE && PROTOCOL_WORDS.mate_is_solver &&
                   (number.len == 0 || go_field(number) != GO_NONE)) {
            request->solve_mate = true; // a mate without a number has no limit
        } else if (span_int(number, INT64_MIN, INT64_MAX, &value)) {
            set_field(request, field, value);
            arguments = rest;
        } else {
            malformed = true;
            if (field == GO_MATE && PROTOCOL_WORDS.mate_is_solver) // the answer is owed in the solver's words
                set_mate(request, 1);
            message_set(complaint, "go: '%.*s' needs a number, not '%.*s'; it is left out", shown, word.ptr,
                        number.len > 32 ? 32 : (int)number.len, number.ptr ? number.ptr : "");
            if (number.len && go_field(number) == GO_NONE)
                arguments = rest;
        }
    }
    finish_clocks(request);
    // A limit was meant but can't be understood: better a quick answer (after a ponderhit, too) than none.
    if (malformed && !request->has_limit && !limits->infinite && !request->is_perft && !request->solve_mate) {
        limits->depth = 1;
        request->has_limit = true;
    }
}

void go_take_moves(const GoRequest *request, const Position *pos, Limits *limits, Message *complaint)
{
    Span rest = text_span(&request->move_words);
    complaint->text[0] = '\0';
    for (Span word; (word = span_word(&rest)).len;) {
        Move move = move_parse(pos, word);
        if (move == MOVE_NONE)
            message_set(complaint, "go: '%.*s' is not a legal move here and is left out",
                        word.len > 32 ? 32 : (int)word.len, word.ptr);
        else if (limits->only_nb < MAX_MOVES)
            limits->only[limits->only_nb++] = move;
    }
}

void go_free(GoRequest *request) { text_free(&request->move_words); }

// ---- answers that need no search ----------------------------------------------------------------
static bool answer_no_move(Protocol *protocol, Job *job, const Position *pos)
{
    if (gen_count(pos) > 0)
        return false;
    bool is_loss = pos_in_check(pos) || pos_no_move_outcome(pos) == OUTCOME_LOSS;
    report_simple(protocol, 0, is_loss ? PROTOCOL_WORDS.mated : "cp 0", NULL);
    control_wait_release(&job->control);
    say_bestmove(protocol, PROTOCOL_WORDS.no_move, NULL);
    return true;
}

// Chooses by weight; variety flattens or sharpens: 0 always plays the heaviest, 100 plays by weight.
static Move book_choose(Protocol *protocol, const Position *pos, BookMove *chosen)
{
    BookMove moves[BOOK_MOVES_MAX];
    int count = book_probe(protocol->book, pos, moves);
    if (count == 0)
        return MOVE_NONE;
    int pick = 0;
    double share[BOOK_MOVES_MAX], sum = 0, variety = protocol->settings.book_variety / 100.0;
    for (int i = 0; i < count; i++) {
        double weight = moves[0].weight ? (double)moves[i].weight / moves[0].weight : 1.0;
        share[i] = variety > 0 && weight > 0 ? pow(weight, 1.0 / variety) : 0.0;
        sum += share[i];
    }
    double at = rng_unit(&protocol->rng) * sum;
    if (sum > 0)
        while (pick + 1 < count && (at -= share[pick]) >= 0)
            pick++;
    *chosen = moves[pick];
    return moves[pick].move;
}

// The text of the reply to think about, in `text`; false when there is none, or when the best move ends the
// game.
static bool ponder_print(const Game *game, Move best, Move reply, char *text)
{
    Game after = {0};
    bool goes_on = reply != MOVE_NONE && game_copy(&after, game) && game_play(&after, best) &&
                   game_verdict(&after).outcome == OUTCOME_NONE;
    if (goes_on)
        move_print(&after.pos, reply, text);
    game_free(&after);
    return goes_on;
}

// The reply the book expects, or would give itself, to be thought about while the opponent thinks.
static Move book_reply(const Protocol *protocol, const Position *pos, const BookMove *chosen)
{
    BookMove moves[BOOK_MOVES_MAX];
    if (chosen->reply != MOVE_NONE)
        return chosen->reply;
    Position after = pos_after(pos, chosen->move);
    return book_probe(protocol->book, &after, moves) ? moves[0].move : MOVE_NONE;
}

static bool answer_from_book(Protocol *protocol, Job *job, const Position *pos)
{
    const Settings *settings = &protocol->settings;
    const Limits *limits = &job->control.limits;
    bool has_limit = job->request.has_limit || control_has_clock(&job->control);
    int move_number =
        PROTOCOL_WORDS.mate_in_plies ? pos_game_ply(pos) : pos_game_ply(pos) / 2; // as the game counts moves
    if (!settings->own_book || !protocol->book || settings->analyse || limits->infinite ||
        atomic_load(&job->control.pondering) || limits->only_nb || limits->except_nb || limits->mate ||
        !has_limit || move_number >= settings->book_depth)
        return false;
    BookMove chosen;
    if (book_choose(protocol, pos, &chosen) == MOVE_NONE)
        return false;
    char move[MOVE_TEXT_MAX], ponder[MOVE_TEXT_MAX], score[32];
    move_print(pos, chosen.move, move);
    snprintf(score, sizeof score, "cp %d", chosen.has_score ? chosen.score : 0);
    say_info(&protocol->out, "book move");
    report_simple(protocol, chosen.depth > 0 ? chosen.depth : 1, score, move);
    bool has_reply = ponder_print(&protocol->game, chosen.move, book_reply(protocol, pos, &chosen), ponder);
    say_bestmove(protocol, move, has_reply ? ponder : NULL);
    return true;
}

// ---- the mate solver ----------------------------------------------------------------------------
static bool is_stopped(void *context) { return control_is_stopped(context); }

static void answer_mate(Protocol *protocol, Job *job)
{
    const Game *game = &protocol->game;
    MateLimits limits = {.nodes = protocol->node_cap,
                         .stop = is_stopped,
                         .context = &job->control,
                         .memory_mb = engine_hash_mb(protocol->engine)};
    i64 ms = job->request.mate_ms;
    limits.until_us = ms ? job->control.start_us + ms * 1000 : 0;
    MateResult *result = calloc(1, sizeof *result);
    MateAnswer answer = result ? mate_solve(&game->pos, &game->keys, &limits, result) : MATE_UNKNOWN;
    const char *word = answer == MATE_NONE ? "nomate" : answer == MATE_UNKNOWN ? "timeout" : "notimplemented";
    if (answer == MATE_FOUND)
        say_checkmate(protocol, &game->pos, result->line, result->line_nb, NULL);
    else
        say_checkmate(protocol, &game->pos, NULL, 0, word);
    free(result);
}

// ---- the search ---------------------------------------------------------------------------------
static bool is_any_left(const Position *pos, const Limits *limits)
{
    Move list[MAX_MOVES];
    for (const Move *move = list, *end = gen_all(pos, list); move < end; move++) {
        int i = 0;
        while (i < limits->except_nb && limits->except[i] != *move)
            i++;
        if (i == limits->except_nb)
            return true;
    }
    return false;
}

static void add_exclusions(Protocol *protocol, const Position *pos, Limits *limits)
{
    Span rest = text_span(&protocol->excluded);
    for (Span word; (word = span_word(&rest)).len;) {
        Move move = move_parse(pos, word);
        if (move != MOVE_NONE && limits->except_nb < MAX_MOVES)
            limits->except[limits->except_nb++] = move;
    }
    if (limits->except_nb && !is_any_left(pos, limits)) {
        limits->except_nb = 0;
        say_info(&protocol->out, "exclude: no move is left, so all are searched");
    }
}

static void apply_settings(const Protocol *protocol, Limits *limits)
{
    const Settings *settings = &protocol->settings;
    if (!limits->infinite && settings->depth_limit)
        limits->depth = limits->depth ? min_int(limits->depth, settings->depth_limit) : settings->depth_limit;
    if (!limits->infinite && settings->nodes_limit)
        limits->nodes = limits->nodes ? (u64)min_i64((i64)limits->nodes, settings->nodes_limit)
                                      : (u64)settings->nodes_limit;
    if (protocol->node_cap)
        limits->nodes =
            limits->nodes && limits->nodes < protocol->node_cap ? limits->nodes : protocol->node_cap;
    bool weak = settings->limit_strength && !settings->analyse && !limits->infinite;
    limits->elo = weak ? settings->elo : 0;
    for (int side = 0; side < SIDE_NB; side++)
        limits->draw_score[side] = score_of_shown(settings->draw_value[side], &protocol->game.pos);
}

// Runs the search until its answer may be given. False when it could not run at all (said already).
static bool search(Protocol *protocol, Job *job, const Game *game, SearchResult *result)
{
    SearchControl *control = &job->control;
    Report report;
    Message message = {0};
    report_init(&report, protocol, game, control->start_us, control->limits.infinite);
    SearchEvents events = report_events(&report);
    if (pos_can_declare(&game->pos)) // known at once, and to be seen also while the answer must wait
        report_close(&report, &(SearchResult){.best = MOVE_WIN});
    bool ok = search_run(protocol->engine, &game->pos, &game->keys, control, &events, result, &message);
    if (ok) {
        report_close(&report, result);
        protocol->counters = *search_counters(protocol->engine);
    }
    report_free(&report);
    if (!ok)
        say_info(&protocol->out, "%s", message.text);
    return ok;
}

// Any legal move, for when there is no memory left to think with.
static void answer_any_move(Protocol *protocol, const Position *pos)
{
    Move list[MAX_MOVES];
    char move[MOVE_TEXT_MAX];
    gen_all(pos, list);
    move_print(pos, list[0], move);
    report_simple(protocol, 1, "cp 0", move);
    say_bestmove(protocol, move, NULL);
}

static void show_counters(Protocol *protocol)
{
    if (!atomic_load(&protocol->settings.debug))
        return;
    Text text = {0};
    counters_print(&protocol->counters, &text);
    Span rest = text_span(&text), line;
    while (span_line(&rest, &line))
        say_info(&protocol->out, "%.*s", (int)line.len, line.ptr);
    text_free(&text);
}

static void answer_search(Protocol *protocol, Job *job)
{
    const Position *pos = &protocol->game.pos;
    const Settings *settings = &protocol->settings;
    SearchResult result = {0};
    if (!search(protocol, job, &protocol->game, &result)) {
        answer_any_move(protocol, pos);
        return;
    }
    show_counters(protocol);
    char best[MOVE_TEXT_MAX], ponder[MOVE_TEXT_MAX];
    int shown = score_is_mate(result.score) ? result.score : score_shown(result.score, pos);
    bool gives_up =
        PROTOCOL_WORDS.resign && !job->control.limits.infinite && shown <= -settings->resign_score;
    if (result.best == MOVE_WIN && PROTOCOL_WORDS.win) {
        say_bestmove(protocol, PROTOCOL_WORDS.win, NULL);
    } else if (gives_up) {
        say_bestmove(protocol, PROTOCOL_WORDS.resign, NULL);
    } else {
        move_print(pos, result.best, best);
        say_bestmove(protocol, best,
                     ponder_print(&protocol->game, result.best, result.ponder, ponder) ? ponder : NULL);
    }
}

// What is not understood is said; on a command line that is the end of it.
static bool is_refused(Protocol *protocol, const Message *complaint)
{
    if (complaint->text[0])
        refuse(&protocol->out, "%s", complaint->text);
    return complaint->text[0] && protocol->out.is_command_line;
}

void command_go(Protocol *protocol, Job *job, Span arguments)
{
    (void)arguments; // were read when they came
    const Position *pos = &protocol->game.pos;
    const GoRequest *request = &job->request;
    Limits *limits = &job->control.limits;
    Message complaint;
    go_take_moves(request, pos, limits, &complaint);
    if (is_refused(protocol, &job->complaint) || is_refused(protocol, &complaint))
        return;
    if (request->is_perft) {
        perft_print(protocol, job, pos, request->perft_depth);
        return;
    }
    if (request->solve_mate) {
        answer_mate(protocol, job);
        return;
    }
    add_exclusions(protocol, pos, limits);
    apply_settings(protocol, limits);
    if (!answer_no_move(protocol, job, pos) && !answer_from_book(protocol, job, pos))
        answer_search(protocol, job);
}

// ---- threat -------------------------------------------------------------------------------------
void command_threat(Protocol *protocol, Job *job, Span arguments)
{
    (void)arguments;
    enum { THREAT_MS = 1000 };
    if (pos_in_check(&protocol->game.pos)) {
        refuse(&protocol->out, "threat: the side to move is in check and can't pass");
        return;
    }
    Game game = {0};
    if (!game_copy(&game, &protocol->game) || !game_play(&game, MOVE_NULL)) {
        refuse(&protocol->out, "threat: no memory");
        game_free(&game);
        return;
    }
    Limits *limits = &job->control.limits;
    Message complaint;
    go_take_moves(&job->request, &game.pos, limits, &complaint);
    is_refused(protocol, &job->complaint);
    is_refused(protocol, &complaint);
    if (!limits->depth && !limits->nodes && !limits->move_time_ms && !job->request.has_clock)
        limits->move_time_ms = THREAT_MS; // a mate may not be there
    apply_settings(protocol, limits);
    limits->elo = 0; // full strength: who asks wants to know, whatever level he plays against
    SearchResult result = {0};
    if (gen_count(&game.pos) == 0)
        say_threat(protocol, &game.pos, MOVE_NONE, 0);
    else if (search(protocol, job, &game, &result))
        say_threat(protocol, &game.pos, result.best, result.score);
    game_free(&game);
}
