// SPDX-License-Identifier: GPL-3.0-or-later
// Games between programs. Those that do everything wrong (tests/engines/behaves.c) must end their games the
// right way and with the right words; the others are told what the rules and the clocks say, and played
// fairly.
#include <stdlib.h>
#include <time.h>

#include "games/words.h"
#include "match_helpers.h"

static const TimeControl BY_TIME = {.move_time_ms = 100}, BY_NODES = {.nodes = 100};
static const Adjudication NOT_LONG = {.max_plies = 400};

// ---- commands -----------------------------------------------------------------------------------
// What a command is cut into: its words with a bar behind each, and the name; or what is wrong.
static const char *cut(const char *command)
{
    static char text[4 * PATH_BYTES];
    SeatSpec spec = {0};
    Message error = {{0}};
    size_t len = 0;
    text[0] = '\0';
    bool ok = seat_spec_command(&spec, span_of(command), &error);
    for (int i = 0; ok && i < spec.argv_nb; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s|", spec.argv[i]);
    snprintf(text + len, sizeof text - len, "%s", ok ? spec.name : error.text);
    free(spec.words);
    return text;
}

static void check_commands(void)
{
    CASE("match: a command is cut into words");
    CHECK_TEXT(cut("a/b -x  1"), "a/b|-x|1|b");
    CHECK_TEXT(cut(" \"a b/c d\" 'e \"f' g\"h i\""), "a b/c d|e \"f|gh i|c d");
    CHECK_TEXT(cut("\"\" x"), "|x|");
    CHECK_TEXT(cut("a \"b"), "a quote is not closed in 'a \"b'");
    CHECK_TEXT(cut(" \t"), "an empty command");
    CASE("match: a backslash is an escape where it parts no folders");
    if (os_parts_folders('\\')) {
        CHECK_TEXT(cut("C:\\dir\\b.exe -x"), "C:\\dir\\b.exe|-x|b.exe");
        CHECK_TEXT(cut("\"C:\\a b\\\" '\\\\c\\d'"), "C:\\a b\\|\\\\c\\d|");
    } else {
        CHECK_TEXT(cut("a\\ b/c\\\\d -\\\"x \"y\\\"z\" 'u\\v'"), "a b/c\\d|-\"x|y\"z|u\\v|c\\d");
    }
    CASE("match: the name of a file is one word, with its blanks");
    char path[PATH_BYTES], command[PATH_BYTES + 8];
    scratch_path("a program 'of two", path);
    write_text(path, "x");
    const char *words = cut(path);
    CHECK_THAT(strncmp(words, path, strlen(path)) == 0 && strstr(words, "|") == words + strlen(path), "%s",
               words);
    CHECK_THAT(strstr(words, "a program 'of two") && !strpbrk(words + strlen(path), "/\\"), "%s", words);
    snprintf(command, sizeof command, "%s -x", path);
    CHECK(strstr(cut(command), "a quote is not closed") != NULL);
    remove(path);
}

// ---- programs at fault --------------------------------------------------------------------------
#ifdef _WIN32 // it has no signals, and its pipes may give one line at a time
#define DIED "ended with exit code 3"
#define TWICE "bestmove"
#else
#define DIED "died of signal 9"
#define TWICE "bestmove twice"
#endif

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
        pairing_play(&pairing, &NOT_LONG, &report);
        CHECK_THAT(os_now_ms() - start_ms < 20000, "took %lld ms", (long long)(os_now_ms() - start_ms));
        CHECK_THAT(report.end.kind == END_FAULT && report.end.fault == fault && report.end.fault_side == side,
                   "ended by '%s'", report.reason);
        CHECK_INT(result_points(report.end.result, side), 0);
        CHECK_INT(result_points(report.end.result, !side), 2);
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

static void check_faults(void)
{
    check_fault("mute", &BY_NODES, 150, FAULT_HANG, PROTOCOL_WORDS.hello_ok);
    check_fault("unready", &BY_NODES, 2000, FAULT_HANG, "no readyok");
    check_fault("dies", &BY_NODES, 20000, FAULT_CRASH, "ended with exit code 3");
    check_fault("signal", &BY_NODES, 20000, FAULT_CRASH, DIED);
    check_fault("closes", &BY_NODES, 20000, FAULT_CRASH, "closed its output");
    check_fault("illegal", &BY_NODES, 20000, FAULT_ILLEGAL, "'1a1a' after ");
    if (!PROTOCOL_WORDS.resign ||
        strcmp(PROTOCOL_WORDS.no_move, PROTOCOL_WORDS.resign) != 0) // else it gives up, which it may
        check_fault("none", &BY_NODES, 20000, FAULT_ILLEGAL, "after ");
    check_fault("passes", &BY_NODES, 20000, FAULT_ILLEGAL, "' after ");
    check_fault("empty", &BY_NODES, 20000, FAULT_GARBAGE, "bestmove without a move");
    check_fault("twice", &BY_NODES, 20000, FAULT_GARBAGE, TWICE);
    check_fault("again", &BY_NODES, 20000, FAULT_GARBAGE, "bestmove nobody asked for");
    check_fault("bytes", &BY_NODES, 20000, FAULT_GARBAGE, "bytes that are no text");
    const TimeControl patient = {.move_time_ms = 20000}; // a busy machine writes a long line slowly
    check_fault("endless", &patient, 20000, FAULT_GARBAGE, "a line of more than");
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
    pairing_play(&pairing, &brief, &report);
    CHECK_INT(report.end.kind, END_LENGTH);
    record_free(&report.record);
    pairing_play(&pairing, &brief, &report);
    CHECK_THAT(report.end.kind == END_FAULT && report.end.fault == FAULT_CRASH, "%s", report.reason);
    record_free(&report.record);
    pairing_play(&pairing, &brief, &report); // started anew
    CHECK_INT(report.end.kind, END_LENGTH);
    record_free(&report.record);
    part(&pairing);

    CASE("match: resigning is no fault where the protocol has it");
    pair_up(&pairing, "resigns", "well", &BY_NODES);
    pairing_play(&pairing, &brief, &report);
    if (PROTOCOL_WORDS.resign) {
        CHECK_INT(report.end.kind, END_RESIGNED);
        CHECK_INT(report.end.result, RESULT_SECOND_WINS);
        CHECK_TEXT(report.word, "resignation");
    } else {
        CHECK_INT(report.end.fault, FAULT_ILLEGAL);
    }
    record_free(&report.record);
    part(&pairing);

    CASE("match: a program that is not there");
    pair_up(&pairing, "well", "well", &BY_NODES);
    pairing.spec[1].argv[0] = "/no/such/program";
    pairing_play(&pairing, &brief, &report);
    CHECK(report.end.fault == FAULT_CRASH && report.end.fault_side == 1 && pairing.seat[1]->cannot_start);
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
    pairing_play(&pairing, &NOT_LONG, &report);
    CHECK_INT(result_points(report.end.result, 0) + result_points(report.end.result, 1), 2);
    CHECK_INT(report.end.fault, FAULT_NONE);
    CHECK_INT(report.side[0].moves + report.side[1].moves, report.plies);
    CHECK(report.plies > 10 && report.record.move_nb == report.plies);
    CHECK_INT(report.side[0].depth_sum, 3 * report.side[0].moves);
    Game game = {0};
    game_start(&game, &report.record.start);
    for (int i = 0; i < report.record.move_nb; i++) {
        Move move = report.record.move[i].move;
        CHECK(move_is_pseudo_legal(&game.pos, move) && move_is_legal(&game.pos, move));
        CHECK_INT(game_verdict(&game).outcome, OUTCOME_NONE); // nobody is asked after the end
        CHECK(game_play(&game, move));
    }
    CHECK(report.end.kind == END_LENGTH || game_verdict(&game).outcome != OUTCOME_NONE);
    CHECK(strstr(report.record.move[0].comment, "+0.12/3 ") == report.record.move[0].comment);
    game_free(&game);
    record_free(&report.record);
    part(&pairing);
}

static void check_adjudication(void)
{
    CASE("match: adjudication");
    Pairing pairing;
    GameReport report;
    pair_up(&pairing, "well", "well", &BY_NODES);
    Adjudication draw = {.draw_score = 20, .draw_plies = 6, .draw_from_ply = 8};
    pairing_play(&pairing, &draw, &report);
    CHECK_THAT(report.end.kind == END_DRAW_SCORE && report.plies == 13 && report.end.result == RESULT_DRAW,
               "%d plies: %s", report.plies, report.reason);
    record_free(&report.record);
    part(&pairing);
    Adjudication win = {.win_score = 800, .win_plies = 8};
    pair_up(&pairing, "losing", "winning", &BY_NODES);
    pairing_play(&pairing, &win, &report);
    CHECK_THAT(report.end.kind == END_WIN_SCORE && report.plies == 8 &&
                   report.end.result == RESULT_SECOND_WINS,
               "%d plies: %s", report.plies, report.reason);
    record_free(&report.record);
    part(&pairing);
    pair_up(&pairing, "winning", "winning", &BY_NODES); // no agreement, no verdict
    Adjudication both = {.win_score = 800, .win_plies = 8, .max_plies = 20};
    pairing_play(&pairing, &both, &report);
    CHECK_THAT(report.plies == 20 && report.end.result == RESULT_DRAW, "%d plies: %s", report.plies,
               report.reason);
    record_free(&report.record);
    part(&pairing);
}

static void check_clocks(void)
{
    // Each move takes 40 ms and gains 10; after three moves comes another second. Read off what the engine
    // was told.
    CASE("match: the clock the engines are told");
    Pairing pairing;
    GameReport report;
    TimeControl clock = {.has_clock = true, .base_ms = 1000, .inc_ms = 10, .moves = 3};
    Adjudication brief = {.max_plies = 8};
    pair_up(&pairing, "slow", "well", &clock);
    pairing_play(&pairing, &brief, &report);
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
    pairing_play(&pairing, &brief, &report);
    CHECK_THAT(report.end.kind == END_LENGTH && report.plies == 8, "%d plies: %s", report.plies,
               report.reason);
    record_free(&report.record);
    part(&pairing);
}

// ---- a machine that stands still ----------------------------------------------------------------
static void check_stall_sums(void)
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
    stalls_end(stalls);
}

static void check_stall_mercy(void)
{
    CASE("match: an answer is not late by the time the machine stood still");
    Stalls *stalls = stalls_new(2);
    Pairing pairing;
    GameReport report;
    const Adjudication brief = {.max_plies = 20};
    pair_up(&pairing, "late", "well", &BY_TIME);
    pairing.common.stalls = stalls;
    stalls_note(stalls, 0, os_now_us(), os_now_us() + 60000000);
    pairing_play(&pairing, &brief, &report);
    CHECK_THAT(report.end.kind != END_FAULT, "ended by '%s'", report.reason);
    CHECK_THAT(strstr(pairing.log.ptr, "the machine stood still") != NULL, "%s", report.reason);
    CHECK_THAT(stalls_count(stalls).excused > 0, "no answer was excused");
    record_free(&report.record);
    part(&pairing);
    stalls_end(stalls);
}

static void check_stall_watch(void)
{
    CASE("match: the watch begins and ends");
    Stalls *stalls = stalls_watch();
    os_sleep_ms(20);
    CHECK(stalls != NULL);
    CHECK_INT(stalls_within(stalls, 0, 1), 0); // long before the watch
    stalls_end(stalls);
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
        pairing_play(&pairing, &NOT_LONG, &report);
        if (game > 0) { // the first one starts the programs
            used += clock() - start;
            moves += report.plies;
        }
        record_free(&report.record);
    }
    part(&pairing);
    CHECK(moves > 50);
    double us = (double)used * 1e6 / CLOCKS_PER_SEC / max_int(moves, 1);
    CHECK_THAT(test_is_slow() || us < 200, "%.0f us a move", us);
}

void test_seat_process(void)
{
    check_commands();
    check_good_games();
    check_adjudication();
    check_clocks();
    check_faults();
    check_between_games();
    check_stall_sums();
    check_stall_mercy();
    check_stall_watch();
    check_overhead();
}
