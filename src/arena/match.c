// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a match: several slots, each a thread with a pair of running engines, take one game after the other;
// the main thread tells how it goes. All that slots share is behind one mutex; a game in play touches nothing
// of it. Children belong to the slot's thread, and a slot ends them before it ends, so nothing is left
// however the match ends.
#include "arena/match.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "arena/arena.h"

enum { FAILED_STARTS_MAX = 3, JUDGE_HASH_MB = 1, WATCH_MS = 50, LOAD_MS = 400 };
static const double LOAD_MIN = 0.2; // cores: less is not told

typedef struct Match {
    MatchOptions options;
    Openings openings;
    Mutex mutex; // guards all that follows
    Cond changed;
    MatchState state;
    i64 next_job;
    int running; // slots
    Journal games;
    FILE *records, *log;
    bool has_records; // the file has a game to part the next one from
    Message error;    // why the match can't go on; empty when it can
    atomic_bool abandon;
} Match;

typedef struct Slot {
    Match *match;
    Thread thread;
    SeatProcess *seat[2]; // the first engine, the opponent
    int opponent;
    Engine *judge; // of random openings; made when first needed
    Text log;
} Slot;

typedef struct Job {
    int opponent;
    i64 game;
} Job;

// ---- what slots share ---------------------------------------------------------------------------
// With the mutex held: the match can't go on.
static void fail(Match *match, const char *text)
{
    if (!match->error.text[0])
        message_set(&match->error, "%s", text);
    atomic_store(&match->abandon, true);
}

static bool take_job(Match *match, Job *job)
{
    MatchState *state = &match->state;
    bool found = false;
    pthread_mutex_lock(&match->mutex);
    i64 jobs = state->games * (match->options.engine_nb - 1);
    while (!found && match->next_job < jobs && !atomic_load(&match->abandon)) {
        *job = (Job){1 + (int)(match->next_job / state->games), match->next_job % state->games};
        found = state->result[job->opponent][job->game] < 0;
        match->next_job++;
    }
    pthread_mutex_unlock(&match->mutex);
    return found;
}

static void fail_writing(Match *match, const char *what)
{
    Message message;
    message_set(&message, "cannot write %s: %s", what, strerror(errno));
    fail(match, message.text);
}

// Appends and lets it reach the file at once: what was told is kept even if we are killed next.
static void append(Match *match, FILE *file, const Text *text, const char *what)
{
    if (file && (text->failed || fwrite(text->ptr, 1, text->len, file) != text->len || fflush(file) != 0))
        fail_writing(match, what);
}

static void write_record(Match *match, Record *record)
{
    Text text = {0};
    if (match->has_records)
        text_add(&text,
                 "\n"); // stands for the games before this one, so that a format that parts games does so
    size_t skip = text.len;
    if (!record_write(record, match->options.format, &text))
        fail(match, "the games cannot be written in that format");
    else
        append(match, match->records, &(Text){text.ptr + skip, text.len - skip, 0, text.failed},
               "the records");
    match->has_records = true;
    text_free(&text);
}

static void write_log(Match *match, const Job *job, const GameReport *report, const Text *log)
{
    Text text = {0};
    text_add(&text, "==== game %lld against %s: %s\n", (long long)job->game + 1,
             match->options.engine[job->opponent].name, report->reason);
    text_add_bytes(&text, log->ptr ? log->ptr : "", log->len);
    text_add(&text, "\n");
    append(match, match->log, &text, "the log");
    text_free(&text);
}

// An engine that never comes to life would lose every game: after a few in a row the match is not worth going
// on with.
static void watch_starts(Match *match, const Slot *slot)
{
    for (int i = 0; i < 2; i++) {
        const SeatProcess *seat = slot->seat[i];
        EngineTotals *totals = &match->state.engine[i ? slot->opponent : 0];
        bool failed = seat->fault != FAULT_NONE && seat->is_starting;
        totals->failed_starts = failed ? totals->failed_starts + 1 : 0;
        if (failed && (seat->cannot_start || totals->failed_starts >= FAILED_STARTS_MAX)) {
            Message message;
            message_set(&message, "%s does not start: %.400s", seat->spec->name, seat->about.text);
            fail(match, message.text);
        }
        memcpy(totals->id, seat->id, sizeof totals->id);
        memcpy(totals->unknown, seat->unknown, sizeof totals->unknown);
    }
}

static void finish_job(Slot *slot, const Job *job, GameReport *report)
{
    Match *match = slot->match;
    int first_side = (int)(job->game & 1);
    GameEntry entry = {.opponent = job->opponent,
                       .game = job->game,
                       .points = report->points[first_side],
                       .fault = report->fault};
    entry.fault_engine = report->end != END_FAULT ? -1 : report->fault_side == first_side ? 0 : job->opponent;
    for (int i = 0; i < 2; i++)
        entry.side[i] = report->side[i ? !first_side : first_side];
    memcpy(entry.word, report->word, sizeof entry.word);
    memcpy(entry.reason, report->reason, sizeof entry.reason);

    pthread_mutex_lock(&match->mutex);
    watch_starts(match, slot);
    // When the program itself can't be run, or the match was given up meanwhile, there was no game.
    bool counts =
        report->end != END_ABANDONED && !slot->seat[0]->cannot_start && !slot->seat[1]->cannot_start;
    if (counts && match->state.verdict == SPRT_GOES_ON) {
        Text line = {0};
        match_entry_print(&entry, &line);
        if (match->games.file && (line.failed || !journal_add(&match->games, text_span(&line))))
            fail_writing(match, "the games file");
        text_free(&line);
        if (match->records)
            write_record(match, &report->record);
        if (report->end == END_FAULT)
            write_log(match, job, report, &slot->log);
        match_state_add(&match->state, &match->options, &entry);
        match->state.played++;
        if (match->state.verdict != SPRT_GOES_ON)
            atomic_store(&match->abandon, true);
    }
    pthread_cond_signal(&match->changed);
    pthread_mutex_unlock(&match->mutex);
}

// ---- a slot -------------------------------------------------------------------------------------
static bool fill_seats(Slot *slot, int opponent)
{
    const MatchOptions *options = &slot->match->options;
    if (slot->opponent != opponent || !slot->seat[1]) {
        seat_process_free(slot->seat[1]);
        slot->seat[1] = seat_process_new(&options->engine[opponent], &options->common);
        slot->opponent = opponent;
    }
    if (!slot->seat[0])
        slot->seat[0] = seat_process_new(&options->engine[0], &options->common);
    text_clear(&slot->log);
    for (int i = 0; i < 2; i++) {
        if (!slot->seat[i])
            return false;
        slot->seat[i]->log = options->log_file ? &slot->log : NULL;
        slot->seat[i]->log_start_us = os_now_us();
        if (options->restart)
            seat_process_end(slot->seat[i]);
    }
    return true;
}

static bool find_opening(Slot *slot, const Job *job, Opening *opening, Message *error)
{
    Match *match = slot->match;
    if (!slot->judge && !match->openings.count && match->options.openings.even_cp)
        slot->judge = engine_new(JUDGE_HASH_MB);
    if (!slot->judge && !match->openings.count && match->options.openings.even_cp)
        return message_set(error, "out of memory");
    return openings_get(&match->openings, job->game / 2, slot->judge, opening, error);
}

static void tag_record(const MatchOptions *options, const Job *job, const GameReport *report, Record *record)
{
    static const char *const SIDES[SIDE_NB] = SIDE_NAMES;
    static const char *const TERMINATION[] = {
        [END_RULES] = "normal",        [END_WIN_SCORE] = "adjudication", [END_DRAW_SCORE] = "adjudication",
        [END_LENGTH] = "adjudication", [END_RESIGNED] = "normal",        [END_FAULT] = "rules infraction",
        [END_ABANDONED] = "abandoned",
    };
    int first_side = (int)(job->game & 1);
    char text[128];
    time_t now = time(NULL);
    struct tm local;
    record_set_tag(record, "Event", options->event);
    if (localtime_r(&now, &local) && strftime(text, sizeof text, "%Y.%m.%d", &local))
        record_set_tag(record, "Date", text);
    snprintf(text, sizeof text, "%lld.%d", (long long)(job->game / 2 + 1), first_side + 1);
    record_set_tag(record, "Round", text);
    for (int s = 0; s < SIDE_NB; s++) {
        const SeatSpec *spec = &options->engine[s == first_side ? 0 : job->opponent];
        char name[32];
        record_set_tag(record, SIDES[s], spec->name);
        snprintf(name, sizeof name, "%sTimeControl", SIDES[s]);
        time_control_print(&spec->control, text, sizeof text);
        record_set_tag(record, name, text);
    }
    record_set_tag(record, "Termination",
                   report->fault == FAULT_TIME ? "time forfeit" : TERMINATION[report->end]);
    record_set_tag(record, "EndReason", report->reason);
}

static void play_job(Slot *slot, const Job *job)
{
    Match *match = slot->match;
    Opening opening;
    Message error = {"out of memory"};
    if (!fill_seats(slot, job->opponent) || !find_opening(slot, job, &opening, &error)) {
        pthread_mutex_lock(&match->mutex);
        fail(match, error.text);
        pthread_mutex_unlock(&match->mutex);
        return;
    }
    int first_side = (int)(job->game & 1);
    SeatProcess *by_side[SIDE_NB];
    by_side[first_side] = slot->seat[0];
    by_side[!first_side] = slot->seat[1];
    GameReport report;
    referee_play(by_side, &opening, &match->options.adjudication, &report);
    if (match->records)
        tag_record(&match->options, job, &report, &report.record);
    finish_job(slot, job, &report);
    record_free(&report.record);
}

static void *slot_run(void *argument)
{
    Slot *slot = argument;
    Match *match = slot->match;
    Job job;
    while (take_job(match, &job))
        play_job(slot, &job);
    seat_process_free(slot->seat[0]);
    seat_process_free(slot->seat[1]);
    engine_free(slot->judge);
    text_free(&slot->log);
    pthread_mutex_lock(&match->mutex);
    match->running--;
    pthread_cond_signal(&match->changed);
    pthread_mutex_unlock(&match->mutex);
    return NULL;
}

// ---- the main thread ----------------------------------------------------------------------------
// With the mutex held.
static void show_progress(Match *match, Progress *progress)
{
    ProgressLine line = {0};
    match_progress(&match->options, &match->state, &line);
    progress_show(progress, &line);
}

// Waits for the slots, telling how it goes, and turns an interruption into an order to give up.
static void watch(Match *match)
{
    const MatchOptions *options = &match->options;
    Progress progress;
    progress_start(&progress, options->quiet ? NULL : stdout, os_is_terminal(1), options->progress_ms);
    pthread_mutex_lock(&match->mutex);
    while (match->running > 0) {
        os_cond_wait_until(&match->changed, &match->mutex, os_now_us() + WATCH_MS * 1000);
        if (os_interrupted())
            atomic_store(&match->abandon, true);
        if (progress_is_due(&progress))
            show_progress(match, &progress);
    }
    show_progress(match, &progress);
    progress_end(&progress);
    pthread_mutex_unlock(&match->mutex);
}

static bool run_slots(Match *match)
{
    Slot *slot = calloc((size_t)match->options.concurrency, sizeof *slot);
    int nb = 0;
    if (!slot)
        return message_set(&match->error, "out of memory");
    for (; nb < match->options.concurrency; nb++) {
        slot[nb].match = match;
        pthread_mutex_lock(&match->mutex);
        match->running++;
        pthread_mutex_unlock(&match->mutex);
        if (!os_thread_start(&slot[nb].thread, slot_run, &slot[nb])) {
            pthread_mutex_lock(&match->mutex);
            match->running--;
            fail(match, "the system gives no more threads");
            pthread_mutex_unlock(&match->mutex);
            break;
        }
    }
    watch(match);
    for (int i = 0; i < nb; i++)
        os_thread_join(slot[i].thread);
    free(slot);
    return match->error.text[0] == '\0';
}

static bool open_append(FILE **file, const char *path, Message *error)
{
    if (!path)
        return true;
    *file = fopen(path, "ab");
    return *file || message_set(error, "cannot write '%s': %s", path, strerror(errno));
}

// Whether a file that is written at the end can be written at all: better told now than after a night of
// games.
static bool can_write(const char *path, Message *error)
{
    FILE *old = path ? fopen(path, "rb") : NULL, *file = NULL;
    bool ok = open_append(&file, path, error);
    if (file)
        fclose(file);
    if (file && !old)
        remove(path);
    if (old)
        fclose(old);
    return ok;
}

static bool file_has_bytes(const char *path)
{
    FILE *file = fopen(path, "rb");
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

static bool match_open(Match *match, Message *error)
{
    const MatchOptions *options = &match->options;
    match->has_records = options->record_file && file_has_bytes(options->record_file);
    return match_state_init(&match->state, options, error) && format_is_known(options, error) &&
           can_write(options->json_file, error) && can_write(options->table_file, error) &&
           openings_load(&match->openings, &options->openings, error) &&
           (!options->games_file || match_journal_open(&match->games, options, &match->state, error)) &&
           open_append(&match->records, options->record_file, error) &&
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
    printf("warning: other work keeps %.1f of %d cores busy", load.cores, os_core_count());
    if (load.pid)
        printf(", most of it process %d (%s)", load.pid, load.name);
    printf("; games with clocks count only on a quiet machine\n");
}

static void announce(const Match *match)
{
    const MatchOptions *options = &match->options;
    for (int i = 0; i < options->engine_nb; i++) {
        char control[128];
        time_control_print(&options->engine[i].control, control, sizeof control);
        printf("%s%s (%s)", i ? i == 1 ? " against " : ", " : "", options->engine[i].name, control);
    }
    printf("\n");
    if (match->openings.count)
        printf("%d openings of %s, seed %llu\n", match->openings.count, options->openings.file,
               (unsigned long long)options->openings.seed);
    else
        printf("%s%s%d random plies, seed %llu\n", options->openings.start ? options->openings.start : "",
               options->openings.start ? " positions, " : "", options->openings.random_plies,
               (unsigned long long)options->openings.seed);
    if (match->openings.refused_nb)
        printf("left out: %d openings; %s\n", match->openings.refused_nb, match->openings.refused.text);
    if (match_games_done(&match->state))
        printf("going on after %lld games\n", (long long)match_games_done(&match->state));
    if (options->concurrency > os_core_count())
        printf("warning: %d games at once on %d cores\n", options->concurrency, os_core_count());
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
    bool all = match_games_done(state) == state->games * (options->engine_nb - 1);
    bool failed = match->error.text[0] != '\0';
    const char *end = failed                           ? "stopped by an error"
                      : state->verdict != SPRT_GOES_ON ? "decided"
                      : all                            ? "finished"
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
    return all ? EXIT_DONE : EXIT_FAILED;
}

int arena_match_main(int argc, char **argv)
{
    Match *match = calloc(1, sizeof *match);
    Message error = {"out of memory"};
    int code;
    if (!match)
        return cli_failed(&MATCH_COMMAND, error.text);
    pthread_mutex_init(&match->mutex, NULL);
    os_cond_init(&match->changed);
    match_options_init(&match->options);
    match->options.common.abandon = &match->abandon;
    bool is_read = match_options_read(&match->options, argc, argv, &code);
    if (is_read && match_open(match, &error)) {
        os_catch_interrupts();
        announce(match);
        match->state.start_us = os_now_us();
        match->options.common.stalls = stalls_watch();
        if (match->state.verdict == SPRT_GOES_ON)
            run_slots(match);
        code = match_end(match);
    } else if (is_read) {
        code = cli_failed(&MATCH_COMMAND, error.text);
    }
    stalls_end(match->options.common.stalls);
    match_close(match);
    match_options_free(&match->options);
    pthread_cond_destroy(&match->changed);
    pthread_mutex_destroy(&match->mutex);
    free(match);
    return code;
}
