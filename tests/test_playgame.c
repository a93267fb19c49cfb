// SPDX-License-Identifier: GPL-3.0-or-later
// The game loop with seats that follow a script: who is asked, when it ends, what the ends are called, and
// that both seats hear of it.
#include "arena/seat_engine.h"
#include "helpers.h"

// A seat that plays random moves and, at a certain one, does what the script says.
typedef struct Scripted {
    Rng rng;
    int moves;            // made so far
    int at;               // at which of its moves the script begins; -1: never
    Thought then;         // what it answers from there on; FAULT_NONE with MOVE_NULL: goes on playing
    int score;            // what it tells with each move
    Fault at_start;       // blames itself when the game begins
    bool fails, gives_up; // `at` is where it fails with a message, or without one
    int begun, over, over_side;
    GameEnd end;
} Scripted;

static bool script_begin(void *self, const Game *game, Fault *fault, Message *message)
{
    Scripted *seat = self;
    (void)game;
    (void)message;
    seat->begun++;
    *fault = seat->at_start;
    return true;
}

static bool script_think(void *self, const Game *game, const Clock *clock, Thought *thought, Message *message)
{
    Scripted *seat = self;
    (void)clock;
    bool is_there = seat->at >= 0 && seat->moves >= seat->at;
    if (is_there && seat->fails)
        return message_set(message, "it broke");
    if (is_there && seat->gives_up)
        return false;
    *thought =
        (Thought){.move = random_move(&game->pos, &seat->rng), .score = seat->score, .elapsed_us = 1000};
    if (is_there && seat->then.move != MOVE_NULL)
        *thought = seat->then;
    seat->moves++;
    return true;
}

static void script_over(void *self, int side, const GameEnd *end)
{
    Scripted *seat = self;
    seat->over++;
    seat->over_side = side;
    seat->end = *end;
}

typedef struct Played {
    GameEnd end;
    bool ok;
    Message message;
    int plies;
} Played;

static Played play_script(Scripted seats[SIDE_NB], Clock *clock, const Adjudication *rule,
                          const PlayHooks *hooks)
{
    Played played;
    Game game = {0};
    Position start = position_of(GAME_START);
    Seat seat[SIDE_NB];
    game_start(&game, &start);
    for (int s = 0; s < SIDE_NB; s++) {
        seats[s].rng = (Rng){(u64)s + 5};
        seat[s] = (Seat){&seats[s], script_begin, script_think, script_over};
    }
    played.ok = play_game(&game, seat, clock, rule, hooks, &played.end, &played.message);
    played.plies = game.move_nb;
    game_free(&game);
    for (int s = 0; s < SIDE_NB; s++) {
        CHECK_INT(seats[s].over, 1);
        CHECK_INT(seats[s].over_side, s);
        CHECK_INT(seats[s].end.kind, played.end.kind);
    }
    return played;
}

enum { NEVER = -1 };
static const Adjudication NO_RULE = {0};
static Scripted plain(int score) { return (Scripted){.at = NEVER, .score = score}; }

// ---- what a seat does ---------------------------------------------------------------------------
static void check_answers(void)
{
    static const struct {
        const char *title;
        Thought then;
        EndKind kind;
        Reason reason;
        bool wins; // the side that did it
    } CASES[] = {
        {"resigns", {.move = MOVE_NONE}, END_RESIGNED, REASON_NONE, false},
        {"declares a win", {.move = MOVE_WIN}, END_RULES, REASON_DECLARATION, true},
        {"is too slow", {.fault = FAULT_TIME}, END_FAULT, REASON_TIME, false},
        {"crashes", {.fault = FAULT_CRASH}, END_FAULT, REASON_NONE, false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        for (int side = 0; side < SIDE_NB; side++) {
            CASE("play_game: side %d %s", side, CASES[i].title);
            Scripted seats[SIDE_NB] = {plain(0), plain(0)};
            seats[side].at = 3;
            seats[side].then = CASES[i].then;
            Played played = play_script(seats, NULL, &NO_RULE, NULL);
            CHECK(played.ok);
            CHECK_INT(played.plies, 6 + side);
            CHECK_INT(played.end.kind, CASES[i].kind);
            CHECK_INT(played.end.reason, CASES[i].reason);
            CHECK_INT(result_winner(played.end.result), CASES[i].wins ? side : !side);
            CHECK_INT(played.end.fault, CASES[i].then.fault);
            CHECK_INT(played.end.fault_side, CASES[i].kind == END_FAULT ? side : -1);
        }
}

static void check_start(void)
{
    CASE("play_game: a seat at fault when the game begins loses, and nobody is asked");
    Scripted seats[SIDE_NB] = {plain(0), plain(0)};
    seats[1].at_start = FAULT_HANG;
    Played played = play_script(seats, NULL, &NO_RULE, NULL);
    CHECK(played.ok && played.end.kind == END_FAULT && played.end.fault == FAULT_HANG);
    CHECK_INT(result_winner(played.end.result), 0);
    CHECK_INT(seats[0].moves + seats[1].moves, 0);
    CHECK_INT(seats[0].begun + seats[1].begun, 2);
}

static void check_failures(void)
{
    CASE("play_game: a seat that fails fails the game");
    Scripted seats[SIDE_NB] = {plain(0), plain(0)};
    seats[0].at = 2;
    seats[0].fails = true;
    Played played = play_script(seats, NULL, &NO_RULE, NULL);
    CHECK(!played.ok && played.end.kind == END_ABANDONED);
    CHECK_TEXT(played.message.text, "it broke");

    CASE("play_game: a seat that gives up ends it without a result");
    seats[0] = seats[1] = plain(0);
    seats[1].at = 2;
    seats[1].gives_up = true;
    played = play_script(seats, NULL, &NO_RULE, NULL);
    CHECK(played.ok && played.end.kind == END_ABANDONED && played.end.result == RESULT_NONE);
    CHECK_INT(played.plies, 5);
}

// ---- what the caller sees -----------------------------------------------------------------------
typedef struct Watcher {
    int thoughts;
    bool no_memory;
} Watcher;

static bool watch_thought(void *context, const Game *game, const Thought *thought)
{
    Watcher *watcher = context;
    CHECK_INT(game->move_nb, watcher->thoughts); // before it is played
    CHECK(thought->fault != FAULT_NONE || is_listed(&game->pos, thought->move));
    watcher->thoughts++;
    return !watcher->no_memory;
}

static void check_hooks(void)
{
    CASE("play_game: each answer is shown before it is played, a fault too");
    Watcher watcher = {0};
    const PlayHooks hooks = {&watcher, watch_thought};
    Scripted seats[SIDE_NB] = {plain(0), plain(0)};
    seats[1].at = 4;
    seats[1].then.fault = FAULT_GARBAGE;
    Played played = play_script(seats, NULL, &NO_RULE, &hooks);
    CHECK(played.ok && played.end.kind == END_FAULT);
    CHECK_INT(watcher.thoughts, 10);

    CASE("play_game: no memory for what is noted fails the game");
    watcher = (Watcher){.no_memory = true};
    seats[0] = seats[1] = plain(0);
    played = play_script(seats, NULL, &NO_RULE, &hooks);
    CHECK(!played.ok && played.message.text[0]);
}

static void check_clocks(void)
{
    CASE("play_game: each side's clock runs by what it used");
    const TimeControl control = {.has_clock = true, .base_ms = 1000};
    Clock clock[SIDE_NB];
    for (int s = 0; s < SIDE_NB; s++)
        clock_start(&clock[s], &control);
    Scripted seats[SIDE_NB] = {plain(0), plain(0)};
    play_script(seats, clock, &(Adjudication){.max_plies = 9}, NULL);
    CHECK_INT(clock[0].left_us, 1000000 - 5 * 1000);
    CHECK_INT(clock[1].left_us, 1000000 - 4 * 1000);
}

// ---- scores and rules ---------------------------------------------------------------------------
static void check_scores(void)
{
    CASE("play_game: scores end it");
    Scripted seats[SIDE_NB] = {plain(900), plain(-900)};
    Adjudication rule = {.win_score = 800, .win_plies = 6, .max_plies = 100};
    Played played = play_script(seats, NULL, &rule, NULL);
    CHECK_INT(played.end.kind, END_WIN_SCORE);
    CHECK_INT(played.end.result, RESULT_FIRST_WINS);
    CHECK_INT(played.plies, 6);
    seats[0] = plain(SCORE_NONE);
    seats[1] = plain(-900);
    rule.max_plies = 12;
    played = play_script(seats, NULL, &rule, NULL);
    CHECK_INT(played.end.kind, END_LENGTH);
    CHECK_INT(played.plies, 12);
}

// Random play ends by the rules sooner or later; when the ply that does it is also the last that is allowed,
// the adjudication says which of the two counts.
static void check_order(void)
{
    CASE("play_game: rules before scores, or scores before rules");
    Scripted seats[SIDE_NB] = {plain(SCORE_NONE), plain(SCORE_NONE)};
    Played whole = play_script(seats, NULL, &NO_RULE, NULL);
    CHECK_INT(whole.end.kind, END_RULES);
    CHECK(whole.end.reason != REASON_NONE && whole.plies > 20);
    Adjudication rule = {.max_plies = whole.plies};
    seats[0] = seats[1] = plain(SCORE_NONE);
    Played played = play_script(seats, NULL, &rule, NULL);
    CHECK_INT(played.plies, whole.plies);
    CHECK_INT(played.end.kind, END_RULES);
    CHECK_INT(played.end.result, whole.end.result);
    rule.scores_first = true;
    seats[0] = seats[1] = plain(SCORE_NONE);
    played = play_script(seats, NULL, &rule, NULL);
    CHECK_INT(played.plies, whole.plies);
    CHECK_INT(played.end.kind, END_LENGTH);
    CHECK_INT(played.end.result, RESULT_DRAW);
}

// ---- engines ------------------------------------------------------------------------------------
static void check_engines(void)
{
    CASE("play_game: an engine in both seats plays the same game again");
    SeatEngine player;
    seat_engine_init(&player, engine_new(1));
    player.limits.nodes = 200;
    const Adjudication rule = {.max_plies = 20};
    Position start = position_of(GAME_START);
    Move first[20];
    for (int run = 0; run < 2; run++) {
        Game game = {0};
        Seat seat = seat_of_engine(&player);
        GameEnd end;
        Message message;
        game_start(&game, &start);
        CHECK_THAT(play_game(&game, (Seat[SIDE_NB]){seat, seat}, NULL, &rule, NULL, &end, &message), "%s",
                   message.text);
        CHECK_INT(end.kind, END_LENGTH);
        CHECK_INT(game.move_nb, 20);
        if (run == 0)
            memcpy(first, game.move, sizeof first);
        CHECK(memcmp(first, game.move, sizeof first) == 0);
        game_free(&game);
    }
    seat_engine_free(&player);
}

static void *stop_soon(void *seat)
{
    os_sleep_ms(50);
    seat_engine_stop(seat);
    return NULL;
}

static void check_stop(void)
{
    CASE("play_game: an engine that thinks without end is stopped, and the game given up");
    SeatEngine player;
    seat_engine_init(&player, engine_new(1));
    player.limits.infinite = true;
    Seat seat = seat_of_engine(&player);
    Position start = position_of(GAME_START);
    Thread thread;
    for (int run = 0; run < 2; run++) { // and stays stopped
        Game game = {0};
        GameEnd end;
        Message message;
        game_start(&game, &start);
        CHECK(run > 0 || os_thread_start(&thread, stop_soon, &player));
        CHECK(play_game(&game, (Seat[SIDE_NB]){seat, seat}, NULL, &NO_RULE, NULL, &end, &message));
        CHECK_INT(end.kind, END_ABANDONED);
        CHECK_INT(game.move_nb, 0);
        game_free(&game);
    }
    os_thread_join(thread);
    CHECK(seat_engine_is_stopped(&player));
    seat_engine_free(&player);
}

void test_playgame(void)
{
    check_answers();
    check_start();
    check_failures();
    check_hooks();
    check_clocks();
    check_scores();
    check_order();
    check_engines();
    check_stop();
}
