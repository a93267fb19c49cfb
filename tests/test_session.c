// SPDX-License-Identifier: GPL-3.0-or-later
// A session without any front end: each request has exactly one answer, its last event, whatever it asks for
// and however it is stopped; the lines before it; positions that are refused; engines for the same options.
#include "session/session.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "games/words.h"
#include "helpers.h"
#include "session/options.h"

// ---- what is heard ------------------------------------------------------------------------------
enum { LATE_MS = 90 };
typedef struct Heard {
    int line_nb, known_nb, answer_nb, note_nb;
    int after_nb; // events behind the answer
    Move last_first;
    int last_group; // lines since the last main line
    int late_nb;    // lines of a search that has gone on for LATE_MS
    Answer answer;
} Heard;

static void on_line(void *context, const Game *game, const SearchLine *line)
{
    Heard *heard = context;
    heard->line_nb++;
    heard->late_nb += line->time_ms >= LATE_MS;
    heard->after_nb += heard->answer_nb > 0;
    heard->last_group = line->multi_pv <= 1 ? 1 : heard->last_group + 1;
    if (line->multi_pv <= 1)
        heard->last_first = line->pv_nb ? line->pv[0] : MOVE_NONE;
    CHECK(game && line->pv_nb <= MAX_PLY);
}

static void on_known(void *context, const Game *game, const KnownLine *line)
{
    Heard *heard = context;
    (void)game;
    heard->known_nb++;
    heard->after_nb += heard->answer_nb > 0;
    heard->last_first = line->move;
}

static void on_answer(void *context, const Game *game, const Answer *answer)
{
    Heard *heard = context;
    (void)game;
    heard->answer_nb++;
    heard->answer = *answer;
}

static void on_note(void *context, const char *text)
{
    Heard *heard = context;
    heard->note_nb += text[0] != '\0';
    heard->after_nb += heard->answer_nb > 0;
}

static void listen(Session *session, Heard *heard)
{
    *heard = (Heard){.last_first = MOVE_NONE};
    session->events = (SessionEvents){
        .context = heard, .line = on_line, .known = on_known, .answer = on_answer, .note = on_note};
}

// ---- requests -----------------------------------------------------------------------------------
// What someone else does to the request while it is answered.
typedef struct Disturbance {
    SearchControl *control;
    bool stops, hits;
    int after_us;
} Disturbance;

static void *disturb(void *argument)
{
    const Disturbance *disturbance = argument;
    i64 until_us = os_now_us() + disturbance->after_us;
    while (os_now_us() < until_us)
        os_sleep_ms(1);
    if (disturbance->hits)
        control_ponderhit(disturbance->control, NULL);
    if (disturbance->stops)
        control_stop(disturbance->control, STOP_COMMAND);
    return NULL;
}

// The words of a go, answered; disturbed from another thread when there is something to do.
static void go(Session *session, const char *words, Disturbance disturbance, Heard *heard)
{
    GoRequest request;
    SearchControl control;
    Message complaint;
    Thread thread;
    listen(session, heard);
    go_parse(span_of(words), &request, &complaint);
    CHECK_TEXT(complaint.text, "");
    control_init(&control, &request.limits, 0);
    go_take_moves(&request, &session->game.pos, &control.limits, &complaint);
    disturbance.control = &control;
    bool is_disturbed = disturbance.stops || disturbance.hits;
    if (is_disturbed)
        CHECK(os_thread_start(&thread, disturb, &disturbance));
    CHECK(session_go(session, &request, &control));
    if (is_disturbed)
        os_thread_join(thread);
    control_free(&control);
    go_free(&request);
    CHECK_THAT(heard->answer_nb == 1, "go %s: %d answers", words, heard->answer_nb);
    CHECK_THAT(heard->after_nb == 0, "go %s: %d events behind the answer", words, heard->after_nb);
    if (heard->answer.kind == ANSWER_MOVE) {
        CHECK(is_listed(&session->game.pos, heard->answer.move));
        CHECK_THAT(heard->last_first == heard->answer.move, "go %s: the last line begins with another move",
                   words);
    }
}

static void test_answers(Session *session)
{
    Heard heard;
    CASE("session: a search has lines and one answer, with the reply it expects");
    go(session, "depth 6", (Disturbance){0}, &heard);
    CHECK(heard.line_nb >= 6 && heard.known_nb == 0 && !heard.answer.is_book);
    CHECK(heard.answer.result.nodes > 0 && heard.answer.ponder != MOVE_NONE);
    CASE("session: go infinite waits for its stop, go ponder for its hit");
    i64 start_us = os_now_us();
    go(session, "infinite depth 2", (Disturbance){.stops = true, .after_us = 60000}, &heard);
    CHECK(os_now_us() - start_us >= 60000);
    start_us = os_now_us();
    go(session, "ponder depth 2", (Disturbance){.hits = true, .after_us = 60000}, &heard);
    CHECK(os_now_us() - start_us >= 60000);
    CASE("session: when every move is excluded all are searched, and that is said");
    Move list[MAX_MOVES];
    for (const Move *move = list, *end = gen_all(&session->game.pos, list); move < end; move++)
        text_add(&session->excluded, "%s ", move_text(&session->game.pos, *move));
    go(session, "depth 2", (Disturbance){0}, &heard);
    CHECK_INT(heard.note_nb, 1);
    session_new_game(session);
    go(session, "depth 2", (Disturbance){0}, &heard);
    CHECK_INT(heard.note_nb, 0);
    CASE("session: the mate solver has one answer too");
    GoRequest request = {.solve_mate = true, .mate_ms = 20};
    SearchControl control;
    control_init(&control, &request.limits, 0);
    listen(session, &heard);
    CHECK(session_go(session, &request, &control));
    control_free(&control);
    CHECK(heard.answer_nb == 1 && heard.line_nb == 0 && heard.answer.kind == ANSWER_MATE);
}

// Positions without a legal move; each is of one game, and refused by the others.
static void test_no_move(Session *session)
{
    static const char *const TEXTS[] = {"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"};
    int set_nb = 0;
    Heard heard;
    Message message = {0};
    CASE("session: without a legal move the answer is none, and infinite still waits");
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        if (session_set_position(session, span_of(TEXTS[i]), (Span){0}, &message) != POSITION_SET)
            continue;
        set_nb++;
        i64 start_us = os_now_us();
        go(session, "infinite", (Disturbance){.stops = true, .after_us = 50000}, &heard);
        CHECK(heard.answer.kind == ANSWER_NO_MOVE && heard.known_nb == 1 && heard.line_nb == 0);
        CHECK(score_is_mate(heard.answer.result.score) && os_now_us() - start_us >= 50000);
    }
    CHECK_INT(set_nb, 1);
    CHECK_INT(session_set_position(session, span_of("startpos"), (Span){0}, &message), POSITION_SET);
}

static void test_interval(Session *session)
{
    Heard all, few;
    CASE("session: lines that come too fast are kept back, and the last group is told whole");
    engine_options(session->engine)->multi_pv = 3;
    session_new_game(session);
    go(session, "depth 7", (Disturbance){0}, &all);
    session->settings.pv_interval_ms = 100000;
    session_new_game(session);
    go(session, "depth 7", (Disturbance){0}, &few);
    CHECK(all.line_nb >= 21 && few.line_nb <= 6);
    CHECK_INT(few.last_group, 3);
    CHECK_INT(few.answer.move, all.answer.move);
    session->settings.pv_interval_ms = 0;
    engine_options(session->engine)->multi_pv = 1;
}

static void test_waiting_level(Session *session)
{
    int waited_nb = 0;
    Heard heard;
    CASE("session: a level that had to wait tells its last line once");
    session_set_level(session, skill_range().min_elo + 300);
    for (int i = 0; i < 8; i++) {
        go(session, "ponder", (Disturbance){.hits = true, .after_us = (LATE_MS + 20) * 1000}, &heard);
        if (heard.answer.result.waited) {
            CHECK_INT(heard.late_nb, 1);
            waited_nb++;
        }
        CHECK(game_play(&session->game, heard.answer.move));
    }
    CHECK_THAT(waited_nb > 4, "only %d of 8 had to wait", waited_nb);
    game_undo(&session->game, session->game.move_nb);
    session_set_level(session, 0);
}

static void test_random_requests(Session *session)
{
    static const char *const WORDS[] = {"depth 3", "nodes 500",          "movetime 5",   "infinite",
                                        "ponder",  "infinite nodes 100", "ponder mate 1"};
    Rng rng = {31};
    Heard heard;
    CASE("session: random requests, stopped and hit at random, have one answer each");
    for (int i = 0, nb = test_is_light() ? 20 : 100; i < nb; i++) {
        const char *words = WORDS[rng_below(&rng, PROTOCOL_WORDS.mate_is_solver ? 6 : 7)];
        Disturbance disturbance = {.stops = true, .after_us = (int)rng_below(&rng, 6000)};
        disturbance.hits = rng_below(&rng, 2);
        go(session, words, disturbance, &heard);
        if (heard.answer.kind != ANSWER_MOVE || !game_play(&session->game, heard.answer.move))
            game_undo(&session->game, session->game.move_nb);
    }
    game_undo(&session->game, session->game.move_nb);
}

static void test_resigning(Session *session)
{
    Heard heard;
    CASE("session: it gives up only where the protocol has a word for it");
    session->settings.resign_score = -20000;
    go(session, "depth 2", (Disturbance){0}, &heard);
    CHECK_INT(heard.answer.kind, PROTOCOL_WORDS.resign ? ANSWER_RESIGN : ANSWER_MOVE);
    session->settings.resign_score = INT32_MAX;
}

// ---- the rest -----------------------------------------------------------------------------------
static void test_positions(Session *session)
{
    Message message = {0};
    Position before = session->game.pos;
    CASE("session: a position or a move that is none changes nothing");
    CHECK_INT(session_set_position(session, span_of("nonsense"), (Span){0}, &message), POSITION_REFUSED);
    CHECK(message.text[0] != '\0');
    CHECK_INT(session_set_position(session, span_of("startpos"), span_of("xyzzy"), &message),
              POSITION_BAD_MOVE);
    check_has(message.text, "xyzzy");
    CHECK(pos_key(&before) == pos_key(&session->game.pos) && session->game.move_nb == 0);
}

// Is an address space of a few megabytes more than now too small for this program? Sanitizers need more.
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_SANITIZED 1
#endif

// The megabytes of addresses in use; 0 where the system does not tell.
static long address_mb(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;
    if (file && fscanf(file, "%ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024) / 1024;
}

// Takes what earlier cases gave back to the heap, which no limit of addresses counts, and leaves a few
// megabytes.
static void take_all_room(void)
{
    enum { BLOCKS = 1 << 14, LEFT = 8 };
    static void *block[BLOCKS];
    int nb = 0;
    while (nb < BLOCKS && (block[nb] = malloc(1 << 20)))
        nb++;
    for (int i = 0; i < LEFT && nb > 0; i++)
        free(block[--nb]);
}

// With room for a few megabytes, in a process of its own; 0 when all is as it should be.
static int set_without_room(Session *session, Span moves)
{
    const rlim_t most = (rlim_t)(address_mb() + 16) << 20;
    const struct rlimit room = {most, most};
    Message message = {0};
    if (setrlimit(RLIMIT_AS, &room) != 0)
        return 1;
    take_all_room();
    if (session_set_position(session, span_of("startpos"), moves, &message) != POSITION_NO_MEMORY)
        return 2;
    return strstr(message.text, "no memory for move ") && session->game.move_nb == 0 ? 0 : 3;
}

static void test_no_memory(Session *session)
{
    CASE("session: moves that find no memory are no bad moves");
#ifdef IS_SANITIZED
    (void)session, (void)set_without_room, (void)address_mb, (void)take_all_room;
    test_skip("a sanitizer does not run in little memory");
#else
    enum { MOVES = 4 << 20 };
    Text moves = {0};
    int status = -1;
    if (address_mb() == 0) {
        test_skip("the system does not tell how much memory is in use");
        return;
    }
    const char *pass = PROTOCOL_WORDS.pass;
    for (int i = 0; i < MOVES; i++) {
        text_add_bytes(&moves, pass, strlen(pass));
        text_add_bytes(&moves, " ", 1);
    }
    CHECK(!moves.failed);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        _exit(set_without_room(session, text_span(&moves)));
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK_INT(status, 0);
    text_free(&moves);
#endif
}

static void test_other_engine(Session *session)
{
    Message message = {0};
    CASE("session: another engine has the same options and finds the same");
    CHECK_INT(option_set(session, span_of("QSearchMaxDepth"), span_of("3"), &message), OPTION_DONE);
    CHECK_INT(option_set(session, span_of("MultiPV"), span_of("2"), &message), OPTION_DONE);
    Engine *engine = session_new_engine(session, engine_hash_mb(session->engine), &message);
    CHECK(engine != NULL);
    session_new_game(session);
    SearchResult first = search_of(session->engine, &session->game.pos, (Limits){.nodes = 5000}, NULL);
    SearchResult second = search_of(engine, &session->game.pos, (Limits){.nodes = 5000}, NULL);
    CHECK(first.best == second.best && first.score == second.score && first.depth == second.depth);
    CHECK_INT(engine_options(engine)->multi_pv, 2);
    CHECK(engine_net(engine) == engine_net(session->engine));
    engine_free(engine);
}

void test_session(void)
{
    Session session;
    CASE("session: begins at the start of a game");
    CHECK(session_init(&session));
    CHECK(session.game.move_nb == 0 && gen_count(&session.game.pos) > 0);
    test_answers(&session);
    test_no_move(&session);
    test_interval(&session);
    test_waiting_level(&session);
    test_random_requests(&session);
    test_resigning(&session);
    test_positions(&session);
    test_no_memory(&session);
    test_other_engine(&session);
    session_free(&session);
}
