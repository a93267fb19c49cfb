// SPDX-License-Identifier: GPL-3.0-or-later
// Whole matches, as the command plays them: files, statistics, resuming, the sequential test, mistakes,
// interruption, and nothing left behind. The programs are tests/engines/behaves.c.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "arena/match_report.h"
#include "match_helpers.h"

// What every match here has: short games, all openings allowed.
static const char COMMON[] = "--nodes 10 --even 0 --max-plies 30 --quiet --concurrency 2";

// Plays it; the exit code.
#define PLAY(...) end_of_match(start_match("match " __VA_ARGS__))

// Two engines of which the second loses every game.
static const char *unequal(void)
{
    static char engines[4096];
    snprintf(engines, sizeof engines, "--engine '%s well' --name A --engine '%s illegal' --name B", behaves(),
             behaves());
    return engines;
}

// ---- files --------------------------------------------------------------------------------------
static void check_gauntlet(void)
{
    CASE("match: a gauntlet with a bad engine, and its files");
    char json[PATH_BYTES], log[PATH_BYTES], records[PATH_BYTES];
    scratch_path("json", json);
    scratch_path("log", log);
    scratch_path("records", records);
    CHECK_INT(PLAY("%s --engine '%s well' --name A --engine '%s well' --name B --engine '%s dies' --name C "
                   "--games 4 --json %s --log %s --record %s",
                   COMMON, behaves(), behaves(), behaves(), json, log, records),
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

    CASE("match: engines of the same name are told apart");
    CHECK_INT(PLAY("%s --engine '%s well' --engine '%s well' --engine '%s well' --games 2 --json %s", COMMON,
                   behaves(), behaves(), behaves(), json),
              0);
    CHECK(file_says(json, "\"opponent\":\"behaves-2\"") && file_says(json, "\"opponent\":\"behaves-3\""));
    unlink(json);
}

// How games are parted depends on the format: by a line of its own, by an empty one, or by how they begin.
static void check_records(void)
{
    static const struct {
        const char *protocol, *format, *begins, *parted;
    } FORMATS[] = {{"USI", "csa", "V2.2\n", "\n/\nV2.2\n"}, {"UCI", "pgn", "[Event ", "\n\n[Event "}};
    char records[PATH_BYTES];
    scratch_path("records", records);
    for (size_t i = 0; i < sizeof FORMATS / sizeof FORMATS[0]; i++) {
        if (strcmp(PROTOCOL_WORDS.protocol, FORMATS[i].protocol) != 0)
            continue;
        CASE("match: games in a %s file are parted, those of a second run too", FORMATS[i].format);
        for (int run = 0; run < 2; run++)
            CHECK_INT(PLAY("%s --engine '%s well' --engine '%s well' --games 1 --record %s --format %s",
                           COMMON, behaves(), behaves(), records, FORMATS[i].format),
                      0);
        Text text = read_whole(records);
        CHECK(span_starts(text_span(&text), FORMATS[i].begins));
        CHECK_INT(count_of(text.ptr, FORMATS[i].parted), 3); // two runs of a pair each
        text_free(&text);
        unlink(records);
    }
}

static void check_unwritable(void)
{
    char games[PATH_BYTES], log[PATH_BYTES], records[PATH_BYTES];
    scratch_path("games", games);
    scratch_path("log", log);
    scratch_path("records", records);
    CASE("match: files that can't be written at the end are told before the first game");
    CHECK_INT(PLAY("%s %s --games 1000000 --json /no/such/json", COMMON, unequal()), 1);
    CHECK_INT(PLAY("%s %s --games 1000000 --table /no/such/table", COMMON, unequal()), 1);

    CASE("match: an unknown format of records is told before any file exists");
    CHECK_INT(PLAY("%s %s --format nosuch --games-file %s --record %s --log %s", COMMON, unequal(), games,
                   records, log),
              1);
    CHECK(!os_exists(games) && !os_exists(records) && !os_exists(log));

    CASE("match: a file that is full ends the match with the system's reason");
    CHECK_INT(PLAY("%s %s --games 2 --record /dev/full", COMMON, unequal()), 1);
    CHECK_INT(PLAY("%s %s --games 2 --log /dev/full", COMMON, unequal()), 1);
}

// ---- the line that tells how it goes ------------------------------------------------------------
// As it is in a log.
static void check_line(const Tally *tally, i64 games, const char *expected)
{
    MatchOptions options = {.engine_nb = 2};
    MatchState state = {.games = games, .tally = {*tally}};
    ProgressLine line = {0};
    Text text = {0};
    match_progress(&options, &state, &line);
    progress_print(&line, 0, &text);
    CHECK_TEXT(text.ptr, expected);
    text_free(&text);
}

static void check_progress(void)
{
    CASE("match: an interval of Elo with an end on one side says which");
    check_line(&(Tally){.win = 197, .loss = 3, .pair = {0, 0, 3, 0, 97}}, 200,
               "200/200 games  +197 =0 -3  98.5 %  Elo +726.9 (> +593.9)");
    check_line(&(Tally){.win = 1, .loss = 1, .pair = {0, 0, 1, 0, 0}}, 2,
               "2/2 games  +1 =0 -1  50.0 %  Elo +0.0 +- inf");
    CASE("match: the Elo of an odd number of games is that of the score beside it");
    check_line(&(Tally){.win = 3, .loss = 2, .pair = {0, 0, 2, 0, 0}}, 10,
               "5/10 games  +3 =0 -2  60.0 %  Elo +70.4 +- inf");
    check_line(&(Tally){.win = 3, .draw = 1, .loss = 1, .pair = {0, 1, 0, 0, 1}}, 10,
               "5/10 games  +3 =1 -1  70.0 %  Elo +147.2 (> -204.9)");
}

// ---- resuming -----------------------------------------------------------------------------------
// What is said of the file as the games file of a match with this seed; NULL: nothing, it is taken.
static void check_games_file(const char *path, u64 seed, bool resume, const char *said)
{
    MatchOptions options = {.engine_nb = 2, .games = 2, .games_file = path, .resume = resume};
    MatchState state;
    Journal journal = {0};
    Message error = {{0}};
    options.openings.seed = seed;
    CHECK(match_state_init(&state, &options, &error));
    bool is_taken = match_journal_open(&journal, &options, &state, &error);
    if (said)
        CHECK_THAT(!is_taken && strstr(error.text, said), "'%s' and not '%s'", error.text, said);
    else
        CHECK_THAT(is_taken, "%s", error.text);
    journal_close(&journal);
    match_state_free(&state);
}

static void check_refusals(void)
{
    CASE("match: of a games file only what is true is said, with --resume and without");
    char path[PATH_BYTES];
    scratch_path("refused", path);
    check_games_file(path, 1, false, NULL);
    check_games_file(path, 1, true, NULL);
    check_games_file(path, 1, false, "--resume goes on with it");
    for (int resume = 0; resume < 2; resume++) {
        check_games_file(path, 2, resume, "other engines, limits, openings or rules");
        write_text(path, "my diary\n");
        check_games_file(path, 1, resume, "was not written by this version");
        CHECK(file_says(path, "my diary\n"));
        unlink(path);
        check_games_file(path, 1, false, NULL);
    }
    unlink(path);
}

static void check_resume(void)
{
    CASE("match: resume gives what one run gives, after half a line too");
    char json[PATH_BYTES], whole[PATH_BYTES], games[PATH_BYTES];
    Message error;
    scratch_path("json", json);
    scratch_path("whole", whole);
    scratch_path("games", games);
    CHECK_INT(PLAY("%s %s --games 12 --json %s", COMMON, unequal(), whole), 0);
    CHECK_INT(PLAY("%s %s --games 6 --games-file %s", COMMON, unequal(), games), 0);
    CHECK_INT(PLAY("%s %s --games 12 --games-file %s", COMMON, unequal(), games), 1);         // exists
    CHECK_INT(PLAY("%s %s --games 6 --games-file %s --resume", COMMON, unequal(), games), 0); // nothing to do
    Text text = read_whole(games);
    CHECK(os_write_file(games, text.ptr, text.len - 15, &error));
    text_free(&text);
    CHECK_INT(PLAY("%s %s --games 12 --games-file %s --resume --json %s", COMMON, unequal(), games, json), 0);
    text = read_whole(json);
    const char *results = strstr(text.ptr, "\"results\"");
    CHECK(results && file_says(whole, results));
    text_free(&text);
    CHECK_INT(PLAY("%s --seed 2 %s --games 12 --games-file %s --resume", COMMON, unequal(), games),
              1); // another match
    CHECK_INT(PLAY("%s --dir / %s --games 12 --games-file %s --resume", COMMON, unequal(), games),
              1); // the same words may name another program there
    unlink(json);
    unlink(whole);

    CASE("match: the games file of an earlier version is refused and stays as it is");
    const char *earlier = "# twofold-" GAME_NAME " match: one line a game; match 0123456789abcdef\n";
    write_text(games, earlier);
    CHECK_INT(PLAY("%s %s --games 2 --games-file %s --resume", COMMON, unequal(), games), 1);
    text = read_whole(games);
    CHECK_TEXT(text.ptr, earlier);
    text_free(&text);
    unlink(games);
}

// ---- exit codes ---------------------------------------------------------------------------------
static void check_sprt(void)
{
    CASE("match: the sequential test stops and tells which way");
    const char *sprt = "--sprt 0 100 0.1 0.1 --sprt-model logistic";
    CHECK_INT(PLAY("%s %s %s", COMMON, unequal(), sprt), 0);
    CHECK_INT(PLAY("%s --engine '%s illegal' --engine '%s well' %s", COMMON, behaves(), behaves(), sprt), 3);
    CHECK_INT(PLAY("%s %s %s --games 2", COMMON, unequal(), sprt), 4);
}

static void check_mistakes(void)
{
    CASE("match: mistakes of the command line");
    char games[PATH_BYTES], log[PATH_BYTES];
    scratch_path("games", games);
    scratch_path("log", log);
    CHECK_INT(PLAY("%s", COMMON), 2);
    CHECK_INT(PLAY("%s --engine x --engine y --no-such-option", COMMON), 2);
    CHECK_INT(PLAY("%s %s --games 0", COMMON, unequal()), 2);
    CHECK_INT(PLAY("%s --tc 0 %s --games 2", COMMON, unequal()), 2);
    CHECK_INT(PLAY("%s %s --sprt 5 0 0.05 0.05", COMMON, unequal()), 2);
    CHECK_INT(PLAY("%s %s --openings /no/such/file", COMMON, unequal()), 1);
    write_text(games, "startpos\n");
    CHECK_INT(PLAY("%s %s --games 2 --openings %s --json %s", COMMON, unequal(), games, games), 2);
    CHECK(file_says(games, "startpos\n"));
    unlink(games);
    CHECK_INT(PLAY("%s %s --games 2 --log %s --record %s", COMMON, unequal(), log, log), 2);
    CHECK(!os_exists(log));

    CASE("match: engines that do not start end it");
    CHECK_INT(PLAY("%s --engine '%s well' --engine /no/such/program", COMMON, behaves()), 1);
    CHECK_INT(
        PLAY("%s --engine '%s well' --engine '%s mute' --init-timeout 50ms", COMMON, behaves(), behaves()),
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
    char pids[PATH_BYTES];
    int nb = 0;
    scratch_path("pids", pids);
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
    CHECK_INT(end_of_match(pid), expected);
    bool gone = false;
    for (int i = 0; i < 300 && !gone; i++) {
        gone = all_gone(pids, &nb);
        os_sleep_ms(10);
    }
    CHECK(gone);
    CHECK_THAT(os_now_ms() - start_ms < 8000, "took %lld ms", (long long)(os_now_ms() - start_ms));
    unlink(pids);
}

void test_match(void)
{
    check_gauntlet();
    check_records();
    check_unwritable();
    check_progress();
    check_refusals();
    check_resume();
    check_sprt();
    check_mistakes();
    check_interruption(SIGINT, 128 + SIGINT);
    check_interruption(SIGKILL, 128 + SIGKILL);
}
