// SPDX-License-Identifier: GPL-3.0-or-later
// The match runner against programs that do everything wrong (tests/engines/behaves.c): each must end its
// game the right way and with the right words. Then whole matches: statistics, resuming, the sequential test,
// interruption, and nothing left behind.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arena/arena.h"
#include "arena/match.h"
#include "test.h"

// ---- games between seats ----------------------------------------------------------------------
// The program stands beside the tests' own.
static const char *behaves(void)
{
    static char path[1024];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 16);
    while (len > 0 && path[len - 1] != '/')
        len--;
    strcpy(path + (len > 0 ? len : 0), "behaves");
    return path;
}

typedef struct Pairing {
    SeatSpec spec[SIDE_NB];
    SeatCommon common;
    SeatProcess *seat[SIDE_NB];
    Text log;
} Pairing;

static void pair_up(Pairing *pairing, const char *first, const char *second, const TimeControl *control)
{
    const char *modes[SIDE_NB] = {first, second};
    *pairing = (Pairing){
        .common = {.init_timeout_ms = 20000, .margin_ms = 20, .hang_timeout_ms = 300, .stop_grace_ms = 200}};
    for (int s = 0; s < SIDE_NB; s++) {
        char command[1200];
        Message error;
        snprintf(command, sizeof command, "'%s' %s", behaves(), modes[s]);
        CHECK(seat_spec_command(&pairing->spec[s], span_of(command), &error));
        snprintf(pairing->spec[s].name, sizeof pairing->spec[s].name, "%s", modes[s]);
        pairing->spec[s].control = *control;
        pairing->seat[s] = seat_process_new(&pairing->spec[s], &pairing->common);
        pairing->seat[s]->log = &pairing->log;
    }
}

static void part(Pairing *pairing)
{
    for (int s = 0; s < SIDE_NB; s++) {
        seat_process_free(pairing->seat[s]);
        free(pairing->spec[s].words);
    }
    text_free(&pairing->log);
}

static Opening start_position(void)
{
    Opening opening = {0};
    Rules rules = rules_default();
    Message error;
    CHECK(pos_set(&opening.start, span_of(GAME_START), &rules, &error) != SET_REJECTED);
    return opening;
}

static void play(Pairing *pairing, const Adjudication *adjudication, GameReport *report)
{
    Opening opening = start_position();
    text_clear(&pairing->log);
    referee_play(pairing->seat, &opening, adjudication, report);
}

static const TimeControl BY_TIME = {.move_time_ms = 100}, BY_NODES = {.nodes = 100};
static const Adjudication NOT_LONG = {.max_plies = 400};

// The one at fault loses, whichever side it has, and its opponent can play on at once.
static void check_fault(const char *mode, const TimeControl *control, i64 init_timeout_ms, Fault fault,
                        const char *words)
{
    CASE("match: an engine in mode '%s'", mode);
    for (int side = 0; side < SIDE_NB; side++) {
        Pairing pairing;
        GameReport report;
        const char *other = strcmp(mode, "again") == 0 ? "slow" : "well";
        pair_up(&pairing, side ? other : mode, side ? mode : other, control);
        pairing.common.init_timeout_ms = init_timeout_ms;
        i64 start_ms = os_now_ms();
        play(&pairing, &NOT_LONG, &report);
        CHECK_THAT(os_now_ms() - start_ms < 20000, "took %lld ms", (long long)(os_now_ms() - start_ms));
        CHECK_THAT(report.end == END_FAULT && report.fault == fault && report.fault_side == side,
                   "ended by '%s'", report.reason);
        CHECK_INT(report.points[side], 0);
        CHECK_INT(report.points[!side], 2);
        CHECK_THAT(strstr(report.reason, words) != NULL, "'%s' does not say '%s'", report.reason, words);
        CHECK_THAT(strstr(report.reason, mode) == report.reason, "'%s' does not name '%s'", report.reason,
                   mode);
        CHECK_TEXT(report.word, fault_name(fault));
        CHECK_INT(report.record.reason, fault == FAULT_TIME ? REASON_TIME : REASON_NONE);
        CHECK_INT(pairing.seat[side]->process.pid, 0); // ended, to be started anew
        CHECK(pairing.log.len > 0);
        record_free(&report.record);
        part(&pairing);
        if (test_is_light() || fault == FAULT_HANG) // patience takes its time
            break;
    }
}

static void check_stalls(void)
{
    enum { MS = 1000 };
    CASE("match: what the machine stood still is summed by core, within the time asked for");
    Stalls *stalls = stalls_new(2);
    stalls_note(stalls, 0, 100 * MS, 150 * MS);
    stalls_note(stalls, 0, 200 * MS, 260 * MS);
    stalls_note(stalls, 1, 90 * MS, 170 * MS);
    CHECK_INT(stalls_within(stalls, 0, 1000 * MS), 110 * MS);
    CHECK_INT(stalls_within(stalls, 0, 180 * MS), 80 * MS);
    CHECK_INT(stalls_within(stalls, 120 * MS, 130 * MS), 10 * MS);
    CHECK_INT(stalls_within(stalls, 300 * MS, 400 * MS), 0);
    CHECK_INT(stalls_within(NULL, 0, 1000 * MS), 0);
    CHECK_INT(stalls_count(stalls).nb, 3);
    CHECK_INT(stalls_count(stalls).longest_us, 80 * MS);
    CHECK_INT(stalls_count(stalls).excused, 0);
    CHECK_INT(stalls_count(NULL).nb, 0);
    CASE("match: an answer is not late by the time the machine stood still");
    Pairing pairing;
    GameReport report;
    const Adjudication brief = {.max_plies = 20};
    pair_up(&pairing, "late", "well", &BY_TIME);
    pairing.common.stalls = stalls;
    stalls_note(stalls, 0, os_now_us(), os_now_us() + 60000 * MS);
    play(&pairing, &brief, &report);
    CHECK_THAT(report.end != END_FAULT, "ended by '%s'", report.reason);
    CHECK_THAT(strstr(pairing.log.ptr, "the machine stood still") != NULL, "%s", report.reason);
    CHECK_THAT(stalls_count(stalls).excused > 0, "no answer was excused");
    record_free(&report.record);
    part(&pairing);
    stalls_end(stalls);
    CASE("match: the watch begins and ends");
    stalls = stalls_watch();
    os_sleep_ms(20);
    CHECK(stalls != NULL);
    CHECK_INT(stalls_within(stalls, 0, 1), 0); // long before the watch
    stalls_end(stalls);
}

static void check_faults(void)
{
    check_fault("mute", &BY_NODES, 150, FAULT_HANG, PROTOCOL_WORDS.hello_ok);
    check_fault("unready", &BY_NODES, 2000, FAULT_HANG, "no readyok");
    check_fault("dies", &BY_NODES, 20000, FAULT_CRASH, "ended with exit code 3");
    check_fault("signal", &BY_NODES, 20000, FAULT_CRASH, "died of signal 9");
    check_fault("closes", &BY_NODES, 20000, FAULT_CRASH, "closed its output");
    check_fault("illegal", &BY_NODES, 20000, FAULT_ILLEGAL, "'1a1a' after ");
    if (!PROTOCOL_WORDS.resign ||
        strcmp(PROTOCOL_WORDS.no_move, PROTOCOL_WORDS.resign) != 0) // else it gives up, which it may
        check_fault("none", &BY_NODES, 20000, FAULT_ILLEGAL, "after ");
    check_fault("passes", &BY_NODES, 20000, FAULT_ILLEGAL, "' after ");
    check_fault("empty", &BY_NODES, 20000, FAULT_GARBAGE, "bestmove without a move");
    check_fault("twice", &BY_NODES, 20000, FAULT_GARBAGE, "bestmove twice");
    check_fault("again", &BY_NODES, 20000, FAULT_GARBAGE, "bestmove nobody asked for");
    check_fault("bytes", &BY_NODES, 20000, FAULT_GARBAGE, "bytes that are no text");
    check_fault("endless", &BY_NODES, 20000, FAULT_GARBAGE, "a line of more than");
    check_fault("babble", &BY_TIME, 20000, FAULT_GARBAGE, "lines that are no");
    check_fault("drips", &BY_TIME, 20000, FAULT_HANG, "no bestmove in");
    check_fault("flood", &BY_TIME, 20000, FAULT_HANG, "no bestmove in");
    check_fault("deaf", &BY_TIME, 20000, FAULT_HANG, "nor after stop");
    check_fault("deaf", &BY_NODES, 20000, FAULT_HANG,
                "nor after stop"); // no clock: patience ends all the same
    check_fault("late", &BY_TIME, 20000, FAULT_TIME, "ms of 100 ms");
    check_fault("declares", &BY_NODES, 20000, FAULT_ILLEGAL,
                PROTOCOL_WORDS.win ? "declared a win that is none" : "'win' after ");
}

static void check_between_games(void)
{
    CASE("match: an engine that ends between games");
    Pairing pairing;
    GameReport report;
    Adjudication brief = {.max_plies = 10};
    pair_up(&pairing, "once", "well", &BY_NODES);
    play(&pairing, &brief, &report);
    CHECK_INT(report.end, END_LENGTH);
    record_free(&report.record);
    play(&pairing, &brief, &report);
    CHECK_THAT(report.end == END_FAULT && report.fault == FAULT_CRASH, "%s", report.reason);
    record_free(&report.record);
    play(&pairing, &brief, &report); // started anew
    CHECK_INT(report.end, END_LENGTH);
    record_free(&report.record);
    part(&pairing);

    CASE("match: resigning is no fault where the protocol has it");
    pair_up(&pairing, "resigns", "well", &BY_NODES);
    play(&pairing, &brief, &report);
    if (PROTOCOL_WORDS.resign) {
        CHECK_INT(report.end, END_RESIGNED);
        CHECK_INT(report.points[1], 2);
        CHECK_TEXT(report.word, "resignation");
    } else {
        CHECK_INT(report.fault, FAULT_ILLEGAL);
    }
    record_free(&report.record);
    part(&pairing);

    CASE("match: a program that is not there");
    pair_up(&pairing, "well", "well", &BY_NODES);
    pairing.spec[1].argv[0] = "/no/such/program";
    play(&pairing, &brief, &report);
    CHECK(report.fault == FAULT_CRASH && report.fault_side == 1 && pairing.seat[1]->cannot_start);
    CHECK(strstr(report.reason, "/no/such/program") != NULL);
    record_free(&report.record);
    part(&pairing);
}

// ---- games that go well -------------------------------------------------------------------------
static void check_good_games(void)
{
    CASE("match: a game of two that behave is legal and ends by the rules");
    Pairing pairing;
    GameReport report;
    TimeControl clock = {.has_clock = true, .base_ms = 60000, .inc_ms = 100};
    pair_up(&pairing, "well", "well", &clock);
    play(&pairing, &NOT_LONG, &report);
    CHECK_INT(report.points[0] + report.points[1], 2);
    CHECK_INT(report.fault, FAULT_NONE);
    CHECK_INT(report.side[0].moves + report.side[1].moves, report.plies);
    CHECK(report.plies > 10 && report.record.move_nb == report.plies);
    CHECK_INT(report.side[0].depth_sum, 3 * report.side[0].moves);
    Position pos = report.record.start;
    KeyHistory keys = {0};
    for (int i = 0; i < report.record.move_nb; i++) {
        Undo undo;
        CHECK(move_is_pseudo_legal(&pos, report.record.move[i].move) &&
              move_is_legal(&pos, report.record.move[i].move));
        CHECK_INT(game_outcome(&pos, &keys).outcome, OUTCOME_NONE); // nobody is asked after the end
        CHECK(keys_reserve(&keys, 1));
        keys_push(&keys, &pos);
        pos_make(&pos, report.record.move[i].move, &undo, NULL);
    }
    CHECK(report.end == END_LENGTH || game_outcome(&pos, &keys).outcome != OUTCOME_NONE);
    CHECK(strstr(report.record.move[0].comment, "+0.12/3 ") == report.record.move[0].comment);
    keys_free(&keys);
    record_free(&report.record);

    CASE("match: adjudication");
    Adjudication draw = {.draw_score = 20, .draw_plies = 6, .draw_from_ply = 8};
    play(&pairing, &draw, &report);
    CHECK_THAT(report.end == END_DRAW_SCORE && report.plies == 13 && report.points[0] == 1, "%d plies: %s",
               report.plies, report.reason);
    record_free(&report.record);
    part(&pairing);
    Adjudication win = {.win_score = 800, .win_plies = 8};
    pair_up(&pairing, "losing", "winning", &BY_NODES);
    play(&pairing, &win, &report);
    CHECK_THAT(report.end == END_WIN_SCORE && report.plies == 8 && report.points[1] == 2, "%d plies: %s",
               report.plies, report.reason);
    record_free(&report.record);
    part(&pairing);
    pair_up(&pairing, "winning", "winning", &BY_NODES); // no agreement, no verdict
    Adjudication both = {.win_score = 800, .win_plies = 8, .max_plies = 20};
    play(&pairing, &both, &report);
    CHECK_THAT(report.plies == 20 && report.points[0] == 1, "%d plies: %s", report.plies, report.reason);
    record_free(&report.record);
    part(&pairing);
}

static void check_time_controls(void)
{
    CASE("match: time controls are read and shown");
    static const struct {
        const char *text;
        bool ok;
        int moves;
        i64 base_ms, inc_ms;
    } CASES[] = {
        {"8+0.08", true, 0, 8000, 80},  {"40/60", true, 40, 60000, 0}, {"40/60+0.6", true, 40, 60000, 600},
        {"0.1+0.001", true, 0, 100, 1}, {"5", true, 0, 5000, 0},       {"", false, 0, 0, 0},
        {"8+", false, 0, 0, 0},         {"/8", false, 0, 0, 0},        {"x", false, 0, 0, 0},
        {"-1+1", false, 0, 0, 0},       {"8+0.08s", false, 0, 0, 0},   {"0/8", false, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        TimeControl control = {0};
        Message error;
        bool ok = time_control_parse(&control, span_of(CASES[i].text), &error);
        CHECK_THAT(ok == CASES[i].ok, "'%s'", CASES[i].text);
        if (ok && CASES[i].ok) {
            CHECK_INT(control.moves, CASES[i].moves);
            CHECK_INT(control.base_ms, CASES[i].base_ms);
            CHECK_INT(control.inc_ms, CASES[i].inc_ms);
        }
    }
    char shown[128];
    time_control_print(&(TimeControl){.has_clock = true, .base_ms = 8000, .inc_ms = 80, .moves = 40}, shown,
                       sizeof shown);
    CHECK_TEXT(shown, "40/8+0.08");
    time_control_print(&(TimeControl){.has_clock = true, .byoyomi_ms = 500}, shown, sizeof shown);
    CHECK_TEXT(shown, "byoyomi 500 ms");

    // Each move takes 40 ms and gains 10; after three moves comes another second. Read off what the engine
    // was told.
    CASE("match: the clock the engines are told");
    Pairing pairing;
    GameReport report;
    TimeControl clock = {.has_clock = true, .base_ms = 1000, .inc_ms = 10, .moves = 3};
    Adjudication brief = {.max_plies = 8};
    pair_up(&pairing, "slow", "well", &clock);
    play(&pairing, &brief, &report);
    static const int MOST[4] = {1000, 970, 940, 1910}, TO_GO[4] = {3, 2, 1, 3};
    Span rest = text_span(&pairing.log), line;
    for (int move = 0; move < 4 && span_line(&rest, &line);) {
        char text[256], wanted[64];
        span_copy(line, text, sizeof text);
        const char *go = strstr(text, "-> slow: go ");
        if (!go)
            continue;
        i64 told = -1;
        snprintf(wanted, sizeof wanted, " %s ", PROTOCOL_WORDS.time[0]);
        const char *field = strstr(go, wanted);
        Span number = field ? span_of(field + strlen(wanted)) : span_of("");
        CHECK_THAT(span_int(span_word(&number), 0, 100000, &told) && told <= MOST[move] &&
                       told > MOST[move] - 400,
                   "%s", go);
        snprintf(wanted, sizeof wanted, " movestogo %d", TO_GO[move]);
        CHECK_THAT(strstr(go, wanted) != NULL, "%s", go);
        move++;
    }
    CHECK_INT(report.plies, 8);
    record_free(&report.record);
    part(&pairing);

    CASE("match: a clock of nothing but increments begins with one");
    clock = (TimeControl){.has_clock = true, .inc_ms = 2000};
    pair_up(&pairing, "slow", "slow", &clock); // 40 ms a move, twice what may be late
    play(&pairing, &brief, &report);
    CHECK_THAT(report.end == END_LENGTH && report.plies == 8, "%d plies: %s", report.plies, report.reason);
    record_free(&report.record);
    part(&pairing);
}

// ---- openings -----------------------------------------------------------------------------------
static bool write_text(const char *path, const char *text)
{
    Message error;
    return os_write_file(path, text, strlen(text), &error);
}

static OpeningOptions opening_options(const char *file)
{
    return (OpeningOptions){.file = file,
                            .plies = 16,
                            .random_plies = 8,
                            .even_cp = 150,
                            .even_nodes = 500,
                            .seed = 7,
                            .rules = rules_default()};
}

static void check_opening_files(void)
{
    CASE("match: openings from lines");
    char path[512], text[TEXT_MAX * 2 + 256], first[MOVE_TEXT_MAX];
    snprintf(path, sizeof path, "%s", test_scratch("openings"));
    Opening start = start_position(), opening;
    Move list[MAX_MOVES];
    gen_all(&start.start, list);
    move_print(&start.start, list[0], first);
    snprintf(text, sizeof text,
             "# a comment\n%s\nstartpos moves %s\r\n\nthis is no position\n%s moves %s\nstartpos moves "
             "1a1a\nstartpos moves %s\n",
             GAME_START, first, GAME_START, first, PROTOCOL_WORDS.pass);
    CHECK(write_text(path, text));
    Openings openings;
    Message error = {{0}};
    OpeningOptions options = opening_options(path);
    CHECK_THAT(openings_load(&openings, &options, &error), "%s", error.text);
    CHECK_INT(openings.count, 3);
    CHECK_INT(openings.refused_nb, 3);
    CHECK_THAT(strstr(openings.refused.text, "line 5") == openings.refused.text, "%s", openings.refused.text);
    int plies = 0;
    for (int pair = 0; pair < 3; pair++) { // all of them, in whatever order
        CHECK(openings_get(&openings, pair, NULL, &opening, &error));
        plies += opening.move_nb;
    }
    CHECK_INT(plies, 2);
    openings_free(&openings);
    options.sequential = true;
    CHECK(openings_load(&openings, &options, &error));
    CHECK(openings_get(&openings, 3, NULL, &opening, &error) && opening.move_nb == 0); // begins again
    CHECK(openings_get(&openings, 4, NULL, &opening, &error) && opening.move_nb == 1);
    openings_free(&openings);
    CHECK(write_text(path, "nothing here\n"));
    CHECK(!openings_load(&openings, &options, &error));
    options.file = "/no/such/file";
    CHECK(!openings_load(&openings, &options, &error));

    CASE("match: openings from recorded games");
    Record record = {.start = start.start};
    Position pos = start.start;
    for (int i = 0; i < 20; i++) {
        Undo undo;
        gen_all(&pos, list);
        CHECK(record_add_move(&record, list[0], NULL));
        pos_make(&pos, list[0], &undo, NULL);
    }
    Text games = {0};
    CHECK(record_write(&record, NULL, &games));
    CHECK(record_write(&record, NULL, &games));
    CHECK(write_text(path, games.ptr));
    options = opening_options(path);
    CHECK_THAT(openings_load(&openings, &options, &error), "%s", error.text);
    CHECK_INT(openings.count, 2);
    CHECK(openings_get(&openings, 1, NULL, &opening, &error));
    CHECK_INT(opening.move_nb, 16);
    for (int i = 0; i < opening.move_nb; i++)
        CHECK_INT(opening.move[i], record.move[i].move);
    openings_free(&openings);
    text_free(&games);
    record_free(&record);
    unlink(path);
}

static void check_opening_order(void)
{
    CASE("match: every opening once before any comes again");
    char path[512];
    enum { NB = 37 };
    snprintf(path, sizeof path, "%s", test_scratch("order"));
    Text text = {0};
    for (int i = 0; i < NB; i++) { // told apart by the number of moves to go back and forth
        text_add(&text, "startpos%s", i ? " moves" : "");
        Position pos = start_position().start;
        for (int ply = 0; ply < i; ply++) {
            Move list[MAX_MOVES];
            char move[MOVE_TEXT_MAX];
            Undo undo;
            int nb = (int)(gen_all(&pos, list) - list);
            Move chosen = list[(ply * 7 + 3) % nb];
            move_print(&pos, chosen, move);
            text_add(&text, " %s", move);
            pos_make(&pos, chosen, &undo, NULL);
        }
        text_add(&text, "\n");
    }
    CHECK(write_text(path, text.ptr));
    Openings openings;
    Opening opening;
    Message error = {{0}};
    OpeningOptions options = opening_options(path);
    CHECK_THAT(openings_load(&openings, &options, &error), "%s", error.text);
    int order[2][NB], moved = 0;
    for (int pass = 0; pass < 2; pass++) {
        bool seen[NB] = {0};
        for (int i = 0; i < openings.count; i++) {
            CHECK(openings_get(&openings, pass * openings.count + i, NULL, &opening, &error));
            CHECK_THAT(!seen[opening.move_nb], "opening %d comes twice", opening.move_nb);
            seen[opening.move_nb] = true;
            order[pass][i] = opening.move_nb;
            moved += pass == 0 && opening.move_nb != i;
        }
    }
    CHECK(moved > NB / 2);
    CHECK(memcmp(order[0], order[1], sizeof order[0]) != 0);
    openings_free(&openings);
    text_free(&text);
    unlink(path);
}

static void check_random_openings(void)
{
    CASE("match: random openings follow from seed and pair");
    Openings openings;
    Opening a, b;
    Message error = {{0}};
    OpeningOptions options = opening_options(NULL);
    CHECK(openings_load(&openings, &options, &error));
    Engine *judge = engine_new(1);
    CHECK(openings_get(&openings, 3, judge, &a, &error));
    CHECK(openings_get(&openings, 4, judge, &b, &error));
    CHECK(a.move_nb == 8 && b.move_nb == 8 && memcmp(a.move, b.move, 8 * sizeof a.move[0]) != 0);
    CHECK(openings_get(&openings, 3, judge, &b, &error)); // whatever was judged before
    CHECK(memcmp(a.move, b.move, 8 * sizeof a.move[0]) == 0);
    Position pos;
    KeyHistory keys = {0};
    SearchResult result;
    Limits limits = {.nodes = 500};
    CHECK(opening_set_up(&a, &pos, &keys) && keys.count == 8);
    engine_new_game(judge);
    CHECK(search_to_limits(judge, &pos, &keys, &limits, NULL, &result, &error) && abs(result.score) <= 150);
    keys_free(&keys);
    engine_free(judge);
    openings_free(&openings);
}

// The line that tells how a match goes, in a log.
static void check_progress(const MatchOptions *options, const MatchState *state, const char *expected)
{
    ProgressLine line = {0};
    Text text = {0};
    match_progress(options, state, &line);
    progress_print(&line, 0, &text);
    CHECK_TEXT(text.ptr, expected);
    text_free(&text);
}

// ---- whole matches ------------------------------------------------------------------------------
// Runs `match` with the words of `format` (split as a command) in a process of its own, without its output;
// the process.
static pid_t start_match(const char *format, ...) __attribute__((format(printf, 1, 2)));
static pid_t start_match(const char *format, ...)
{
    char text[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(stdout);
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    SeatSpec words = {0};
    Message error;
    int null = open("/dev/null", O_WRONLY);
    if (null < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 ||
        !seat_spec_command(&words, span_of(text), &error))
        _exit(99);
    _exit(arena_match_main(words.argv_nb, words.argv));
}

static int end_of(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool file_says(const char *path, const char *words)
{
    Text text = {0};
    Message error;
    bool says = text_read_file(&text, path, 1 << 24, &error) && text.ptr && strstr(text.ptr, words) != NULL;
    text_free(&text);
    return says;
}

static void check_whole(void)
{
    char json[512], games[512], log[512], records[512];
    snprintf(json, sizeof json, "%s", test_scratch("json"));
    snprintf(games, sizeof games, "%s", test_scratch("games"));
    snprintf(log, sizeof log, "%s", test_scratch("log"));
    snprintf(records, sizeof records, "%s", test_scratch("records"));
    const char *common = "--nodes 10 --even 0 --max-plies 30 --quiet --concurrency 2";

    CASE("match: a gauntlet with a bad engine, and its files");
    CHECK_INT(
        end_of(start_match(
            "match %s --engine '%s well' --name A --engine '%s well' --name B --engine '%s dies' --name C "
            "--games 4 --json %s --log %s --record %s",
            common, behaves(), behaves(), behaves(), json, log, records)),
        0);
    CHECK(file_says(json, "\"opponent\":\"B\",\"games\":4,"));
    CHECK(file_says(
        json, "\"opponent\":\"C\",\"games\":4,\"wins\":4,\"draws\":0,\"losses\":0,\"pairs\":[0,0,0,0,2]"));
    CHECK(file_says(json, "\"faults\":{\"crash\":4,\"hang\":0"));
    CHECK(file_says(json, "\"end\":\"finished\""));
    CHECK(file_says(log, "against C: C: crash: ended with exit code 3"));
    CHECK(file_says(log, "-> C: go nodes 10") && file_says(log, "<- A: bestmove "));
    CHECK(!file_says(log, "against B"));
    CHECK(file_says(records, "A") && file_says(records, "+0.12/3 "));
    unlink(json);
    unlink(log);
    unlink(records);

    if (strcmp(PROTOCOL_WORDS.protocol, "USI") == 0) {
        CASE("match: games in a CSA file are parted, those of a second run too");
        for (int run = 0; run < 2; run++)
            CHECK_INT(end_of(start_match(
                          "match %s --engine '%s well' --engine '%s well' --games 1 --record %s --format csa",
                          common, behaves(), behaves(), records)),
                      0);
        Text text = {0};
        Message error;
        CHECK(text_read_file(&text, records, 1 << 20, &error) && span_starts(span_of(text.ptr), "V2.2\n"));
        int parted = 0;
        for (const char *at = text.ptr; (at = strstr(at, "\n/\nV2.2\n")); at++)
            parted++;
        CHECK_INT(parted, 3); // two runs of a pair each
        text_free(&text);
        unlink(records);
    }

    CASE("match: an interval of Elo with an end on one side says which");
    MatchOptions options = {.engine_nb = 2};
    MatchState state = {.games = 200, .tally = {{.win = 197, .loss = 3, .pair = {0, 0, 3, 0, 97}}}};
    check_progress(&options, &state, "200/200 games  +197 =0 -3  98.5 %  Elo +726.9 (> +593.9)");
    state = (MatchState){.games = 2, .tally = {{.win = 1, .loss = 1, .pair = {0, 0, 1, 0, 0}}}};
    check_progress(&options, &state, "2/2 games  +1 =0 -1  50.0 %  Elo +0.0 +- inf");
    CASE("match: the Elo of an odd number of games is that of the score beside it");
    state = (MatchState){.games = 10, .tally = {{.win = 3, .loss = 2, .pair = {0, 0, 2, 0, 0}}}};
    check_progress(&options, &state, "5/10 games  +3 =0 -2  60.0 %  Elo +70.4 +- inf");
    state.tally[0] = (Tally){.win = 3, .draw = 1, .loss = 1, .pair = {0, 1, 0, 0, 1}};
    check_progress(&options, &state, "5/10 games  +3 =1 -1  70.0 %  Elo +147.2 (> -204.9)");

    CASE("match: engines of the same name are told apart");
    CHECK_INT(end_of(start_match(
                  "match %s --engine '%s well' --engine '%s well' --engine '%s well' --games 2 --json %s",
                  common, behaves(), behaves(), behaves(), json)),
              0);
    CHECK(file_says(json, "\"opponent\":\"behaves-2\"") && file_says(json, "\"opponent\":\"behaves-3\""));
    unlink(json);

    CASE("match: files that can't be written at the end are told before the first game");
    CHECK_INT(end_of(start_match(
                  "match %s --engine '%s well' --engine '%s well' --games 1000000 --json /no/such/json",
                  common, behaves(), behaves())),
              1);
    CHECK_INT(end_of(start_match(
                  "match %s --engine '%s well' --engine '%s well' --games 1000000 --table /no/such/table",
                  common, behaves(), behaves())),
              1);

    CASE("match: an unknown format of records is told before any file exists");
    CHECK_INT(end_of(start_match("match %s --engine '%s well' --engine '%s well' --format nosuch "
                                 "--games-file %s --record %s --log %s",
                                 common, behaves(), behaves(), games, records, log)),
              1);
    CHECK(access(games, F_OK) != 0 && access(records, F_OK) != 0 && access(log, F_OK) != 0);

    CASE("match: resume gives what one run gives, after half a line too");
    const char *two = "--engine '%s well' --name A --engine '%s illegal' --name B";
    char engines[4096], whole[512];
    snprintf(engines, sizeof engines, two, behaves(), behaves());
    snprintf(whole, sizeof whole, "%s", test_scratch("whole"));
    CHECK_INT(end_of(start_match("match %s %s --games 12 --json %s", common, engines, whole)), 0);
    CHECK_INT(end_of(start_match("match %s %s --games 6 --games-file %s", common, engines, games)), 0);
    CHECK_INT(end_of(start_match("match %s %s --games 12 --games-file %s", common, engines, games)),
              1); // exists
    Text text = {0};
    Message error;
    CHECK(text_read_file(&text, games, 1 << 20, &error));
    CHECK(os_write_file(games, text.ptr, text.len - 15, &error));
    CHECK_INT(end_of(start_match("match %s %s --games 12 --games-file %s --resume --json %s", common, engines,
                                 games, json)),
              0);
    text_clear(&text);
    CHECK(text_read_file(&text, json, 1 << 20, &error));
    const char *results = strstr(text.ptr, "\"results\"");
    CHECK(results && file_says(whole, results));
    text_free(&text);
    CHECK_INT(end_of(start_match("match %s --seed 2 %s --games 12 --games-file %s --resume", common, engines,
                                 games)),
              1); // another match
    CHECK_INT(end_of(start_match("match %s --dir / %s --games 12 --games-file %s --resume", common, engines,
                                 games)),
              1); // the same words may name another program there
    unlink(json);
    unlink(whole);

    CASE("match: the games file of an earlier version is refused and stays as it is");
    const char *earlier = "# twofold-" GAME_NAME " match: one line a game; match 0123456789abcdef\n";
    CHECK(write_text(games, earlier));
    CHECK_INT(end_of(start_match("match %s %s --games 2 --games-file %s --resume", common, engines, games)),
              1);
    CHECK(text_read_file(&text, games, 1 << 20, &error));
    CHECK_TEXT(text.ptr, earlier);
    text_free(&text);
    unlink(games);

    CASE("match: the sequential test stops and tells which way");
    const char *sprt = "--sprt 0 100 0.1 0.1 --sprt-model logistic";
    CHECK_INT(end_of(start_match("match %s %s %s", common, engines, sprt)), 0);
    CHECK_INT(end_of(start_match("match %s --engine '%s illegal' --engine '%s well' %s", common, behaves(),
                                 behaves(), sprt)),
              3);
    CHECK_INT(end_of(start_match("match %s %s %s --games 2", common, engines, sprt)), 4);

    CASE("match: mistakes of the command line, and engines that do not start");
    CHECK_INT(end_of(start_match("match %s", common)), 2);
    CHECK_INT(end_of(start_match("match %s --engine x --engine y --no-such-option", common)), 2);
    CHECK_INT(end_of(start_match("match %s %s --games 0", common, engines)), 2);
    CHECK_INT(end_of(start_match("match %s --tc 0 %s --games 2", common, engines)), 2);
    CHECK_INT(end_of(start_match("match %s %s --sprt 5 0 0.05 0.05", common, engines)), 2);
    CHECK_INT(end_of(start_match("match %s %s --openings /no/such/file", common, engines)), 1);
    CHECK(write_text(games, "startpos\n"));
    CHECK_INT(
        end_of(start_match("match %s %s --games 2 --openings %s --json %s", common, engines, games, games)),
        2);
    CHECK(file_says(games, "startpos\n"));
    unlink(games);
    CHECK_INT(end_of(start_match("match %s %s --games 2 --log %s --record %s", common, engines, log, log)),
              2);
    CHECK(access(log, F_OK) != 0);
    CHECK_INT(end_of(start_match("match %s --engine '%s well' --engine /no/such/program", common, behaves())),
              1);
    CHECK_INT(end_of(start_match("match %s --engine '%s well' --engine '%s mute' --init-timeout 50ms", common,
                                 behaves(), behaves())),
              1);
}

// ---- the end of a match -------------------------------------------------------------------------
// True when none of the processes noted in the file runs any more (one that nobody has reaped yet does not
// run).
static bool all_gone(const char *pid_file, int *nb)
{
    Text text = {0};
    Message error;
    bool gone = true;
    *nb = 0;
    if (!text_read_file(&text, pid_file, 1 << 16, &error))
        return true;
    Span rest = text_span(&text), line;
    while (span_line(&rest, &line)) {
        char path[64], state[256] = "";
        i64 pid;
        if (!span_int(line, 1, INT32_MAX, &pid))
            continue;
        ++*nb;
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        FILE *file = fopen(path, "r");
        if (file && fgets(state, sizeof state, file) && !strstr(state, ") Z"))
            gone = false;
        if (file)
            fclose(file);
    }
    text_free(&text);
    return gone;
}

static void check_interruption(int signal_number, int expected)
{
    CASE("match: nothing is left behind after signal %d", signal_number);
    char pids[512];
    int nb = 0;
    snprintf(pids, sizeof pids, "%s", test_scratch("pids"));
    unlink(pids);
    pid_t pid =
        start_match("match --nodes 10 --even 0 --quiet --concurrency 2 --engine '%s slow %s' --engine '%s "
                    "stubborn %s' --games 100000",
                    behaves(), pids, behaves(), pids);
    for (int i = 0; i < 2000 && (all_gone(pids, &nb), nb < 4); i++)
        os_sleep_ms(10);
    CHECK_INT(nb, 4);
    CHECK(!all_gone(pids, &nb));
    os_sleep_ms(100);
    i64 start_ms = os_now_ms();
    kill(pid, signal_number);
    CHECK_INT(end_of(pid), expected);
    bool gone = false;
    for (int i = 0; i < 300 && !gone; i++) {
        gone = all_gone(pids, &nb);
        os_sleep_ms(10);
    }
    CHECK(gone);
    CHECK_THAT(os_now_ms() - start_ms < 8000, "took %lld ms", (long long)(os_now_ms() - start_ms));
    unlink(pids);
}

// The runner's own share of a move, against programs that answer at once: its processor time, which a busy
// machine does not change much. On an idle one the whole move, with both switches of process and the
// program's own work, takes less than that.
static void check_overhead(void)
{
    CASE("match: overhead");
    Pairing pairing;
    GameReport report;
    int moves = 0;
    pair_up(&pairing, "well", "well", &BY_NODES);
    clock_t used = 0;
    for (int game = 0; game < 5; game++) {
        clock_t start = clock();
        play(&pairing, &NOT_LONG, &report);
        if (game > 0) { // the first one starts the programs
            used += clock() - start;
            moves += report.plies;
        }
        record_free(&report.record);
    }
    part(&pairing);
    CHECK(moves > 50);
    double us = (double)used * 1e6 / CLOCKS_PER_SEC / max_int(moves, 1);
    CHECK_THAT(test_is_light() || us < 200, "%.0f us a move", us);
}

void test_match(void)
{
    check_time_controls();
    check_good_games();
    check_faults();
    check_stalls();
    check_between_games();
    check_opening_files();
    check_opening_order();
    check_random_openings();
    check_whole();
    check_interruption(SIGINT, 128 + SIGINT);
    check_interruption(SIGKILL, 128 + SIGKILL);
    check_overhead();
}
