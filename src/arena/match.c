// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a match: games are jobs of base/jobs.h, played by several threads, each with a pair of running
// programs (match_slot.h). Everything that counts, writes and decides is here and happens in the calling
// thread.
#include <errno.h>
#include <stdlib.h>

#include "arena/arena.h"
#include "arena/match_html.h"
#include "arena/match_report.h"
#include "arena/match_slot.h"
#include "base/jobs.h"
#include "base/language.h"

enum { FAILED_STARTS_MAX = 3, LOAD_MS = 400 };
static const double LOAD_MIN = 0.2; // cores: less is not told

typedef struct Match {
    MatchOptions options;
    Openings openings;
    MatchState state;
    Journal games;
    FILE *records, *log;
    bool has_records; // the file has a game to part the next one from
    Progress progress;
    i64 twice_nb;  // games that several files have
    Message error; // why the match can't go on; empty when it can
} Match;

// ---- a finished game ----------------------------------------------------------------------------
// Appends and lets it reach the file at once: what was told is kept even if we are killed next.
static bool append(FILE *file, Span text, const char *what, Message *message)
{
    return !file || (fwrite(text.ptr, 1, text.len, file) == text.len && fflush(file) == 0) ||
           message_set(message, "cannot write %s: %s", said(what), said(strerror(errno)));
}

static bool write_entry(Match *match, const GameEntry *entry, Message *message)
{
    Text line = {0};
    match_entry_print(entry, &line);
    bool ok = !match->games.file || (!line.failed && journal_add(&match->games, text_span(&line))) ||
              message_set(message, "cannot write the games file: %s", said(strerror(errno)));
    text_free(&line);
    return ok;
}

static bool write_record(Match *match, const PlayedGame *played, Message *message)
{
    size_t skip = match->has_records ? 0 : played->separator;
    match->has_records = true;
    return append(match->records, (Span){played->record.ptr + skip, played->record.len - skip}, "the records",
                  message);
}

static bool write_log(const Match *match, const PlayedGame *played, Message *message)
{
    Text text = {0};
    if (played->entry.fault_engine < 0 || !match->log)
        return true;
    int first, second;
    match_pairing(&match->options, played->entry.pairing, &first, &second);
    text_add(&text, "==== game %lld", (long long)played->entry.game + 1);
    if (match->options.round_robin)
        text_add(&text, " of %s", match->options.engine[first].name);
    text_add(&text, " against %s: %s\n", match->options.engine[second].name, played->entry.reason);
    text_add_bytes(&text, played->log.ptr, played->log.len);
    text_add(&text, "\n");
    bool ok = text.failed ? message_set(message, "out of memory")
                          : append(match->log, text_span(&text), "the log", message);
    text_free(&text);
    return ok;
}

// An engine that never comes to life would lose every game: after a few in a row the match is not worth going
// on with.
static bool watch_starts(Match *match, const PlayedGame *played, Message *message)
{
    int pair[2];
    match_pairing(&match->options, played->entry.pairing, &pair[0], &pair[1]);
    for (int i = 0; i < 2; i++) {
        const SeatNews *news = &played->seat[i];
        const int engine = pair[i];
        EngineTotals *totals = &match->state.engine[engine];
        memcpy(totals->id, news->id, sizeof totals->id);
        memcpy(totals->unknown, news->unknown, sizeof totals->unknown);
        totals->failed_starts = news->failed_start ? totals->failed_starts + 1 : 0;
        if (news->failed_start && (news->cannot_start || totals->failed_starts >= FAILED_STARTS_MAX))
            return message_set(message, "%s does not start: %.400s", match->options.engine[engine].name,
                               news->about.text);
    }
    return true;
}

// ---- the jobs -----------------------------------------------------------------------------------
// Of a gauntlet one opponent comes after the other; of a round robin a pair of games of each pairing, then
// the next pair.
static int pairing_of(const Match *match, i64 index)
{
    if (match->options.round_robin)
        return 1 + (int)(index / 2 % match_pairing_nb(&match->options));
    return 1 + (int)(index / match->state.games);
}

static i64 game_of(const Match *match, i64 index)
{
    if (match->options.round_robin)
        return 2 * (index / 2 / match_pairing_nb(&match->options)) + (index & 1);
    return index % match->state.games;
}

static bool is_played(void *context, i64 index)
{
    const Match *match = context;
    const i64 game = game_of(match, index);
    return !shard_has(&match->options.shard, game / 2) ||
           match->state.result[pairing_of(match, index)][game] >= 0;
}

static bool take_game(void *context, i64 index, Span result, Message *message)
{
    Match *match = context;
    PlayedGame played;
    (void)index;
    match_slot_read(result, &played);
    // When a program itself can't be run there was no game.
    if (!played.seat[0].cannot_start && !played.seat[1].cannot_start) {
        match_state_add(&match->state, &match->options, &played.entry);
        match->state.played++;
        if (!write_entry(match, &played.entry, message) || !write_record(match, &played, message) ||
            !write_log(match, &played, message))
            return false;
    }
    return watch_starts(match, &played, message);
}

static bool is_decided(void *context)
{
    const Match *match = context;
    return match->state.verdict != SPRT_GOES_ON;
}

static void show_progress(void *context, const JobProgress *jobs)
{
    Match *match = context;
    if (jobs->is_last || progress_is_due(&match->progress)) {
        ProgressLine line = {0};
        match_progress(&match->options, &match->state, &line);
        progress_show(&match->progress, &line);
    }
}

static void *open_slot(void *context, Message *message)
{
    const Match *match = context;
    (void)message;
    return match_slot_new(&match->options, &match->openings);
}

static bool play_game_of(void *context, void *slot, i64 index, Span task, Text *result, Message *message)
{
    const Match *match = context;
    (void)task;
    return match_slot_play(slot, pairing_of(match, index), game_of(match, index), result, message);
}

static void cancel_slot(void *slot) { match_slot_cancel(slot); }
static void close_slot(void *slot) { match_slot_free(slot); }

static void play_games(Match *match)
{
    const MatchOptions *options = &match->options;
    const JobSet set = {.context = match,
                        .threads = options->concurrency,
                        .settings = match_fingerprint(options),
                        .job_nb = match->state.games * match_pairing_nb(options),
                        .is_done = is_played,
                        .take = take_game,
                        .is_enough = is_decided,
                        .tick = show_progress,
                        .cancel = cancel_slot,
                        .open = open_slot,
                        .run = play_game_of,
                        .close = close_slot};
    progress_start(&match->progress, options->quiet ? NULL : stdout, os_is_terminal(1), options->progress_ms);
    jobs_run(&set, transport_of_run(), &match->error);
    progress_end(&match->progress);
}

// ---- files --------------------------------------------------------------------------------------
static bool open_append(FILE **file, const char *path, Message *error)
{
    if (!path)
        return true;
    *file = os_fopen(path, "ab");
    return *file || message_set(error, "cannot write '%s': %s", path, said(strerror(errno)));
}

// Whether a file that is written at the end can be written at all: better told now than after a night of
// games.
static bool can_write(const char *path, Message *error)
{
    FILE *old = path ? os_fopen(path, "rb") : NULL, *file = NULL;
    bool ok = open_append(&file, path, error);
    if (file)
        fclose(file);
    if (file && !old)
        os_remove(path);
    if (old)
        fclose(old);
    return ok;
}

static bool file_has_bytes(const char *path)
{
    FILE *file = os_fopen(path, "rb");
    bool any = file && fgetc(file) != EOF;
    if (file)
        fclose(file);
    return any;
}

// Asked before any file is touched: a mistake in the command leaves nothing behind.
static bool format_is_known(const MatchOptions *options, Message *error)
{
    if (!options->record_file)
        return true;
    Text probe = {0};
    Record empty = {0};
    Message ignored;
    bool ok = pos_set(&empty.start, span_of(GAME_START), &options->rules, &ignored) != SET_REJECTED &&
              record_write(&empty, options->format, &probe);
    text_free(&probe);
    return ok || message_set(error, "--format: no such format of records as '%s'",
                             options->format ? options->format : "");
}

// Adds the games of other machines.
static bool merge_files(Match *match, Message *error)
{
    for (int i = 0; i < match->options.merged_nb; i++)
        if (!match_journal_merge(match->options.merged[i], &match->options, &match->state, &match->twice_nb,
                                 error))
            return false;
    return true;
}

static bool match_open(Match *match, Message *error)
{
    const MatchOptions *options = &match->options;
    if (transport_of_run()->rank > 0) // files are rank 0's
        return match_state_init(&match->state, options, error) &&
               openings_load(&match->openings, &options->openings, error);
    match->has_records = options->record_file && file_has_bytes(options->record_file);
    return match_state_init(&match->state, options, error) && format_is_known(options, error) &&
           can_write(options->json_file, error) && can_write(options->table_file, error) &&
           can_write(options->html_file, error) &&
           openings_load(&match->openings, &options->openings, error) &&
           (!options->games_file || match_journal_open(&match->games, options, &match->state, error)) &&
           merge_files(match, error) && open_append(&match->records, options->record_file, error) &&
           open_append(&match->log, options->log_file, error);
}

static void match_close(Match *match)
{
    FILE *files[] = {match->records, match->log};
    journal_close(&match->games);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i])
            fclose(files[i]);
    openings_free(&match->openings);
    match_state_free(&match->state);
}

// Games with clocks measure the machine too. A session that is nice only within itself takes its full share
// of the cores from ours, and is therefore told like any other.
static void warn_of_load(const MatchOptions *options)
{
    OtherLoad load;
    bool is_timed = false;
    for (int i = 0; i < options->engine_nb; i++)
        is_timed |= options->engine[i].control.has_clock || options->engine[i].control.move_time_ms;
    if (!is_timed || !os_other_load(LOAD_MS, &load) || load.cores < LOAD_MIN)
        return;
    if (load.pid)
        printf(said("warning: other work keeps %.1f of %d cores busy, most of it process %d (%s); games with "
                    "clocks count only on a quiet machine\n"),
               load.cores, os_core_count(), load.pid, load.name);
    else
        printf(
            said("warning: other work keeps %.1f of %d cores busy; games with clocks count only on a quiet "
                 "machine\n"),
            load.cores, os_core_count());
}

static void announce_openings(const Match *match)
{
    const OpeningOptions *options = &match->options.openings;
    const unsigned long long seed = options->seed;
    if (options->is_own)
        printf(said("%d balanced openings of our own, seed %llu\n"), match->openings.count, seed);
    else if (match->openings.count)
        printf(said("%d openings of %s, seed %llu\n"), match->openings.count, options->file, seed);
    else if (options->start)
        printf(said("%s positions, %d random plies, seed %llu\n"), options->start, options->random_plies,
               seed);
    else
        printf(said("%d random plies, seed %llu\n"), options->random_plies, seed);
    if (match->openings.refused_nb)
        printf(said("left out: %d openings; %s\n"), match->openings.refused_nb, match->openings.refused.text);
}

static void announce(const Match *match)
{
    const MatchOptions *options = &match->options;
    for (int i = 0; i < options->engine_nb; i++) {
        char control[128];
        time_control_say(&options->engine[i].control, control, sizeof control);
        const char *between = i == 1 && !options->round_robin ? said(" against ") : ", ";
        printf("%s%s (%s)", i ? between : "", options->engine[i].name, control);
    }
    printf("%s", options->round_robin ? said(", each against each\n") : "\n");
    announce_openings(match);
    if (match_games_done(&match->state))
        printf(said(options->report_only ? "the files have %lld games\n" : "going on after %lld games\n"),
               (long long)match_games_done(&match->state));
    if (match->twice_nb)
        printf(said("%lld games are in several files, and count once\n"), (long long)match->twice_nb);
    if (options->concurrency > os_core_count())
        printf(said("warning: %d games at once on %d cores\n"), options->concurrency, os_core_count());
    warn_of_load(options);
    fflush(stdout);
}

// The files that are written once, at the end.
static bool write_results(const Match *match, const char *end, Message *error)
{
    const MatchOptions *options = &match->options;
    Text text = {0};
    bool ok = true;
    if (options->json_file) {
        match_json(options, &match->state, end, &text);
        ok = os_write_file(options->json_file, text.ptr, text.len, error);
    }
    if (ok && options->html_file) {
        text_clear(&text);
        match_html(options, &match->state, end, &text);
        ok = os_write_file(options->html_file, text.ptr, text.len, error);
    }
    if (ok && options->table_file) {
        FILE *file = NULL;
        text_clear(&text);
        match_rows(options, &match->state, &text);
        ok = open_append(&file, options->table_file, error);
        if (ok && fwrite(text.ptr ? text.ptr : "", 1, text.len, file) != text.len)
            ok = message_set(error, "cannot write '%s'", options->table_file);
        if (file && fclose(file) != 0 && ok)
            ok = message_set(error, "cannot write '%s'", options->table_file);
    }
    text_free(&text);
    return ok;
}

static int match_end(Match *match)
{
    const MatchOptions *options = &match->options;
    const MatchState *state = &match->state;
    bool all = match_games_done(state) >= match_games_wanted(options);
    bool failed = match->error.text[0] != '\0';
    const char *end = failed                           ? "stopped by an error"
                      : state->verdict != SPRT_GOES_ON ? "decided"
                      : all                            ? "finished"
                      : options->report_only           ? "reported"
                                                       : "interrupted";
    Text text = {0};
    Message error;
    match_report(options, state, end, &text);
    fputs(text.ptr ? text.ptr : "", stdout);
    if (!write_results(match, end, &error)) {
        cli_failed(&MATCH_COMMAND, error.text);
        failed = true;
    }
    text_free(&text);
    fflush(stdout);
    if (match->error.text[0])
        cli_failed(&MATCH_COMMAND, match->error.text);
    if (failed)
        return EXIT_FAILED;
    if (os_interrupted() && !all && state->verdict == SPRT_GOES_ON)
        return 128 + os_interrupted();
    if (options->has_sprt)
        return state->verdict == SPRT_H1   ? EXIT_DONE
               : state->verdict == SPRT_H0 ? EXIT_SPRT_H0
                                           : EXIT_UNDECIDED;
    return all || options->report_only ? EXIT_DONE : EXIT_FAILED;
}

// A rank above 0 plays what it is sent, and that is all.
static int play_for_others(Match *match)
{
    match->options.quiet = true;
    play_games(match);
    return match->error.text[0] ? cli_failed(&MATCH_COMMAND, match->error.text) : EXIT_DONE;
}

int arena_match_main(int argc, char **argv)
{
    Match *match = calloc(1, sizeof *match);
    Message error = {"out of memory"};
    int code;
    if (!match)
        return cli_failed(&MATCH_COMMAND, error.text);
    match_options_init(&match->options);
    bool is_read = match_options_read(&match->options, argc, argv, &code);
    if (is_read && match_open(match, &error)) {
        const bool is_first = transport_of_run()->rank == 0;
        os_catch_interrupts();
        if (is_first)
            announce(match);
        match->state.start_us = os_now_us();
        match->options.common.stalls = stalls_watch();
        if (is_first && match->state.verdict == SPRT_GOES_ON && !match->options.report_only)
            play_games(match);
        code = is_first ? match_end(match) : play_for_others(match);
    } else if (is_read) {
        code = cli_failed(&MATCH_COMMAND, error.text);
    }
    stalls_end(match->options.common.stalls);
    match_close(match);
    match_options_free(&match->options);
    free(match);
    return code;
}
