// SPDX-License-Identifier: GPL-3.0-or-later
// The conversation with a playing program. Every wait is cut into slices, so that an abandoned match ends
// soon; every read has a bound in time and bytes, so that silence, floods and nonsense all end in a fault
// with words for the report.
#include "arena/seat_process.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/language.h"

enum {
    TRICKLE_MS = 100, // past its time, a line that keeps growing is waited for so long
    SLICE_MS = 50,    // how often a wait looks up
    WRITE_TIMEOUT_MS = 5000,
    QUIT_GRACE_MS = 500,
    DRAIN_MAX_MS = 1000,
    DRAIN_MAX_BYTES = 8 << 20, // what may lie unread when it is asked for a move
    LOG_MAX_BYTES = 4 << 20,
};

// ---- what was asked for -------------------------------------------------------------------------
// Blanks in the name of a file part nothing: many programs are in a folder "Program Files".
static bool is_name_of_file(SeatSpec *spec, Span command)
{
    memcpy(spec->words, command.ptr, command.len);
    spec->words[command.len] = '\0';
    spec->argv[0] = spec->words;
    return command.len > 0 && os_has_file(spec->words);
}

static bool cut_into_words(SeatSpec *spec, Span command, Message *error)
{
    char *out = spec->words, quote = 0;
    bool in_word = false;
    for (size_t i = 0; i < command.len; i++) {
        char c = command.ptr[i];
        if (!quote && isspace((unsigned char)c)) {
            if (in_word)
                *out++ = '\0';
            in_word = false;
            continue;
        }
        if (!in_word) {
            if (spec->argv_nb == SEAT_ARGS_MAX)
                return message_set(error, "more than %d words", SEAT_ARGS_MAX);
            spec->argv[spec->argv_nb++] = out;
            in_word = true;
        }
        if (c == '\\' && !os_parts_folders(c) && quote != '\'' && i + 1 < command.len)
            *out++ = command.ptr[++i];
        else if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? 0 : c;
        else
            *out++ = c;
    }
    *out = '\0';
    if (quote)
        return message_set(error, "a quote is not closed in '%.*s'", (int)command.len, command.ptr);
    return spec->argv_nb > 0 || message_set(error, "an empty command");
}

bool seat_spec_command(SeatSpec *spec, Span command, Message *error)
{
    free(spec->words);
    spec->argv_nb = 0;
    spec->words = malloc(command.len + 1);
    if (!spec->words)
        return message_set(error, "out of memory");
    if (is_name_of_file(spec, command))
        spec->argv_nb = 1;
    else if (!cut_into_words(spec, command, error))
        return false;
    spec->argv[spec->argv_nb] = NULL;
    const char *name = spec->argv[0];
    for (const char *c = name; *c; c++)
        if (os_parts_folders(*c))
            name = c + 1;
    span_copy(span_of(name), spec->name, sizeof spec->name);
    return true;
}

// ---- the log and the blame ----------------------------------------------------------------------
static void note_line(SeatProcess *seat, const char *arrow, Span line)
{
    Text *log = seat->log;
    if (!log)
        return;
    // A flood keeps its latest part: that is where the end of the game is.
    if (log->len > LOG_MAX_BYTES) {
        size_t half = log->len / 2;
        memmove(log->ptr, log->ptr + half, log->len - half);
        log->len -= half;
        log->ptr[log->len] = '\0';
    }
    text_add(log, "%10.3f %s %s: ", (double)(os_now_us() - seat->log_start_us) / 1e6, arrow,
             seat->spec->name);
    text_add_bytes(log, line.ptr, line.len);
    text_add(log, "\n");
}

static bool blame(SeatProcess *seat, Fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Declares it at fault. Returns false.
static bool blame(SeatProcess *seat, Fault fault, const char *format, ...)
{
    va_list args, again;
    char text[MESSAGE_MAX], told[MESSAGE_MAX];
    va_start(args, format);
    va_copy(again, args);
    vsnprintf(text, sizeof text, format, args);
    vsnprintf(told, sizeof told, said(format), again);
    va_end(again);
    va_end(args);
    seat->fault = fault;
    message_set(&seat->about, "%s", text);
    message_set(&seat->spoken, "%s", told);
    note_line(seat, "!!", span_of(seat->about.text));
    return false;
}

// What the end of its output means.
static bool blame_end(SeatProcess *seat)
{
    int status = 0;
    // It may close its output a moment before it can be seen to have ended.
    for (int i = 0; i < 20 && os_process_alive(&seat->process, NULL); i++)
        os_sleep_ms(1);
    if (os_process_alive(&seat->process, &status))
        return blame(seat, FAULT_CRASH, "closed its output");
    if (status > 128)
        return blame(seat, FAULT_CRASH, "died of signal %d", status - 128);
    return blame(seat, FAULT_CRASH, "ended with exit code %d", status);
}

// ---- lines --------------------------------------------------------------------------------------
typedef enum LineResult { LINE_GOT, LINE_LATE, LINE_ENDED, LINE_TOO_LONG, LINE_ABANDONED } LineResult;

// Takes a whole line out of the buffer; false when there is none.
static bool buffered_line(SeatProcess *seat, Span *line)
{
    char *start = seat->buffer + seat->begin;
    char *end = memchr(start, '\n', seat->end - seat->begin);
    if (!end)
        return false;
    *line = (Span){start, (size_t)(end - start)};
    seat->begin += line->len + 1;
    if (line->len && line->ptr[line->len - 1] == '\r')
        line->len--;
    note_line(seat, "<-", *line);
    return true;
}

static bool is_abandoned(const SeatProcess *seat)
{
    return seat->abandon && atomic_load_explicit(seat->abandon, memory_order_relaxed);
}

// The next line, waiting for it until a time. The line is valid until the next call.
static LineResult next_line(SeatProcess *seat, i64 until_us, Span *line)
{
    for (;;) {
        if (buffered_line(seat, line))
            return LINE_GOT;
        if (seat->begin > 0) {
            memmove(seat->buffer, seat->buffer + seat->begin, seat->end - seat->begin);
            seat->end -= seat->begin;
            seat->begin = 0;
        }
        if (seat->end == sizeof seat->buffer)
            return LINE_TOO_LONG;
        i64 left_us = until_us - os_now_us();
        int wait_ms = left_us <= 0 ? 0 : (int)min_i64((left_us + 999) / 1000, SLICE_MS);
        int got = os_process_read(&seat->process, seat->buffer + seat->end, sizeof seat->buffer - seat->end,
                                  wait_ms);
        seat->read_us = os_now_us();
        if (got < 0)
            return LINE_ENDED;
        if (got == 0 && is_abandoned(seat))
            return LINE_ABANDONED;
        if (left_us <= (got == 0 ? 0 : -TRICKLE_MS * 1000))
            return LINE_LATE;
        seat->end += (size_t)got;
    }
}

static bool send_text(SeatProcess *seat, Span text)
{
    Span rest = text, line;
    if (seat->log)
        while (span_line(&rest, &line))
            note_line(seat, "->", line);
    if (os_process_write(&seat->process, text.ptr, text.len, WRITE_TIMEOUT_MS))
        return true;
    int status;
    if (!os_process_alive(&seat->process, &status))
        return blame_end(seat);
    return blame(seat, FAULT_HANG, "does not read its input");
}

static bool send_line(SeatProcess *seat, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool send_line(SeatProcess *seat, const char *format, ...)
{
    Text text = {0};
    va_list args;
    char part[4096];
    va_start(args, format);
    vsnprintf(part, sizeof part, format, args);
    va_end(args);
    text_add(&text, "%s\n", part);
    bool ok = send_text(seat, text_span(&text));
    text_free(&text);
    return ok;
}

// ---- the beginning ------------------------------------------------------------------------------
// Reads on until a line begins with `word`, telling each line on the way to `see` (may be NULL).
static bool wait_for(SeatProcess *seat, const char *word,
                     void (*see)(SeatProcess *seat, Span first, Span rest))
{
    i64 until_us = os_now_us() + seat->common->init_timeout_ms * 1000;
    for (;;) {
        Span line;
        LineResult result = next_line(seat, until_us, &line);
        if (result == LINE_GOT) {
            Span rest = line, first = span_word(&rest);
            if (span_is(first, word))
                return true;
            if (see)
                see(seat, first, rest);
        }
        if (result == LINE_ENDED)
            return blame_end(seat);
        if (result == LINE_TOO_LONG)
            return blame(seat, FAULT_GARBAGE, "wrote a line of more than %d bytes instead of %s",
                         SEAT_LINE_MAX, word);
        if (result == LINE_ABANDONED) {
            seat->fault = FAULT_NONE;
            return false;
        }
        if (result == LINE_LATE || os_now_us() > until_us)
            return blame(seat, FAULT_HANG, "no %s within %g s", word,
                         (double)seat->common->init_timeout_ms / 1000);
    }
}

static void see_introduction(SeatProcess *seat, Span first, Span rest)
{
    Span word = span_word(&rest);
    if (span_is(first, "id") && span_is(word, "name"))
        span_copy(span_trim(rest), seat->id, sizeof seat->id);
    if (!span_is(first, "option") || !span_is(word, "name"))
        return;
    // The name may contain blanks: it goes on to the word `type`.
    Span name = span_trim(rest), scan = name;
    for (Span w = span_word(&scan); w.len; w = span_word(&scan))
        if (span_is(w, "type")) {
            name.len = (size_t)(w.ptr - name.ptr);
            break;
        }
    name = span_trim(name);
    text_add(&seat->options, "%.*s\n", (int)name.len, name.ptr);
}

static bool knows_option(const SeatProcess *seat, Span name)
{
    Span rest = text_span(&seat->options), line;
    char wanted[256];
    if (!span_copy(name, wanted, sizeof wanted))
        return false;
    while (span_line(&rest, &line))
        if (span_is_nocase(line, wanted))
            return true;
    return false;
}

static bool send_setting(SeatProcess *seat, const Setting *setting)
{
    if (setting->value.ptr == NULL) // a button
        return send_line(seat, "setoption name %.*s", (int)setting->name.len, setting->name.ptr);
    return send_line(seat, "setoption name %.*s value %.*s", (int)setting->name.len, setting->name.ptr,
                     (int)setting->value.len, setting->value.ptr);
}

static bool send_settings(SeatProcess *seat)
{
    Text unknown = {0};
    bool ok = true;
    for (int i = 0; i < seat->common->rule_nb && ok; i++)
        if (knows_option(seat, seat->common->rule[i].name))
            ok = send_setting(seat, &seat->common->rule[i]);
        else
            text_add(&unknown, " %.*s", (int)seat->common->rule[i].name.len, seat->common->rule[i].name.ptr);
    for (int i = 0; i < seat->spec->setting_nb && ok; i++) {
        // What it does not offer is sent all the same: some programs hide options.
        if (!knows_option(seat, seat->spec->setting[i].name))
            text_add(&unknown, " %.*s", (int)seat->spec->setting[i].name.len,
                     seat->spec->setting[i].name.ptr);
        ok = send_setting(seat, &seat->spec->setting[i]);
    }
    span_copy(span_trim(text_span(&unknown)), seat->unknown, sizeof seat->unknown);
    text_free(&unknown);
    return ok;
}

static bool start_program(SeatProcess *seat)
{
    Message error;
    seat->begin = seat->end = 0;
    seat->is_starting = true;
    text_clear(&seat->options);
    seat->cannot_start =
        !os_process_start(&seat->process, seat->spec->argv, seat->spec->dir, ERRORS_HIDDEN, &error);
    if (seat->cannot_start)
        return blame(seat, FAULT_CRASH, "%s", error.text);
    if (!send_line(seat, "%s", PROTOCOL_WORDS.hello) ||
        !wait_for(seat, PROTOCOL_WORDS.hello_ok, see_introduction) || !send_settings(seat))
        return false;
    if (!send_line(seat, "isready") || !wait_for(seat, "readyok", NULL))
        return false;
    seat->is_starting = false;
    return true;
}

SeatProcess *seat_process_new(const SeatSpec *spec, const SeatCommon *common, const atomic_bool *abandon)
{
    SeatProcess *seat = calloc(1, sizeof *seat);
    if (seat) {
        seat->spec = spec;
        seat->common = common;
        seat->abandon = abandon;
    }
    return seat;
}

void seat_process_free(SeatProcess *seat)
{
    if (!seat)
        return;
    seat_process_end(seat);
    text_free(&seat->options);
    text_free(&seat->position);
    text_free(&seat->request);
    free(seat);
}

// Starts it if it does not run, and tells it that a new game begins.
static bool begin_game(SeatProcess *seat)
{
    bool is_fresh = seat->process.pid == 0;
    if (is_fresh && !start_program(seat))
        return false;
    if (PROTOCOL_WORDS.ready_before_new_game) {
        // A fresh process has just said that it is ready, and a second isready can cost seconds (tables
        // cleared again).
        if (!is_fresh && (!send_line(seat, "isready") || !wait_for(seat, "readyok", NULL)))
            return false;
        return send_line(seat, "%s", PROTOCOL_WORDS.new_game);
    }
    return send_line(seat, "%s", PROTOCOL_WORDS.new_game) && send_line(seat, "isready") &&
           wait_for(seat, "readyok", NULL);
}

// ---- a move -------------------------------------------------------------------------------------
static void see_info(SeatAnswer *answer, Span rest)
{
    SeatAnswer seen = *answer;
    i64 value;
    for (Span word = span_word(&rest); word.len; word = span_word(&rest)) {
        if (span_is(word, "string") || span_is(word, "pv"))
            break;
        if (span_is(word, "multipv")) {
            if (span_int(span_word(&rest), 1, 1000, &value) && value != 1)
                return;
        } else if (span_is(word, "depth")) {
            if (span_int(span_word(&rest), 0, 1000, &value))
                seen.depth = (int)value;
        } else if (span_is(word, "nodes")) {
            if (span_int(span_word(&rest), 0, INT64_MAX, &value))
                seen.nodes = (u64)value;
        } else if (span_is(word, "score")) {
            Span kind = span_word(&rest);
            bool is_mate = span_is(kind, "mate");
            if ((is_mate || span_is(kind, "cp")) && span_int(span_word(&rest), -1000000, 1000000, &value)) {
                seen.has_score = true;
                seen.is_mate = is_mate;
                seen.score = is_mate ? words_mate_plies((int)value) : (int)value;
            }
        }
    }
    *answer = seen;
}

static bool is_text(Span line)
{
    for (size_t i = 0; i < line.len; i++) {
        unsigned char c = (unsigned char)line.ptr[i];
        if ((c < 32 && c != '\t' && c != '\r' && c != 27) || c == 127)
            return false;
    }
    return true;
}

static bool is_protocol_word(Span word)
{
    static const char *const WORDS[] = {"info",   "bestmove",       "readyok",     "id",
                                        "option", "copyprotection", "registration"};
    if (word.len == 0 || span_is(word, PROTOCOL_WORDS.hello_ok))
        return true;
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (span_is(word, WORDS[i]))
            return true;
    return false;
}

// What lies unread before it is asked: chatter is fine, a move nobody asked for is not, and neither is a
// flood without end.
static bool drain(SeatProcess *seat)
{
    size_t bytes = 0;
    i64 until_us = os_now_us();
    for (;;) {
        Span line;
        LineResult result = next_line(seat, until_us, &line);
        if (result == LINE_LATE || result == LINE_ABANDONED)
            return true;
        if (result == LINE_ENDED)
            return blame_end(seat);
        if (result == LINE_TOO_LONG)
            return blame(seat, FAULT_GARBAGE, "wrote a line of more than %d bytes", SEAT_LINE_MAX);
        bytes += line.len + 1;
        Span rest = line;
        if (span_is(span_word(&rest), "bestmove"))
            return blame(seat, FAULT_GARBAGE, "sent a bestmove nobody asked for: '%.*s'",
                         (int)min_i64((i64)line.len, 80), line.ptr);
        if (bytes > DRAIN_MAX_BYTES || seat->read_us - until_us > DRAIN_MAX_MS * 1000)
            return blame(seat, FAULT_GARBAGE, "floods its output while it is not its move");
    }
}

// Reads lines until bestmove: 1 when it came, 0 when the time is over, -1 when it is at fault or abandoned.
static int read_answer(SeatProcess *seat, i64 until_us, SeatAnswer *answer)
{
    for (;;) {
        Span line;
        switch (next_line(seat, until_us, &line)) {
        case LINE_LATE: return 0;
        case LINE_ENDED: blame_end(seat); return -1;
        case LINE_TOO_LONG:
            blame(seat, FAULT_GARBAGE, "wrote a line of more than %d bytes", SEAT_LINE_MAX);
            return -1;
        case LINE_ABANDONED: seat->fault = FAULT_NONE; return -1;
        case LINE_GOT: break;
        }
        if (!is_text(line)) {
            blame(seat, FAULT_GARBAGE, "wrote bytes that are no text");
            return -1;
        }
        Span rest = line, word = span_word(&rest);
        if (span_is(word, "bestmove")) {
            span_copy(span_word(&rest), answer->move, sizeof answer->move);
            return 1;
        }
        if (span_is(word, "info"))
            see_info(answer, rest);
        else if (!is_protocol_word(word))
            seat->odd_lines++;
        // A flood never lets the read run dry: the clock must be looked at here too.
        if (seat->read_us > until_us)
            return 0;
    }
}

// It is late. Does it answer at all? The difference between a time loss and a hang.
static bool wait_for_late(SeatProcess *seat, i64 start_us, i64 allowed_ms, SeatAnswer *answer)
{
    bool has_clock = allowed_ms >= 0;
    if (!send_line(seat, "stop"))
        return false;
    int result = read_answer(seat, os_now_us() + seat->common->stop_grace_ms * 1000, answer);
    answer->elapsed_us = seat->read_us - start_us;
    if (result < 0)
        return false;
    if (result == 1 && has_clock)
        return blame(seat, FAULT_TIME, "took %.1f ms of %lld ms", (double)answer->elapsed_us / 1000,
                     (long long)allowed_ms);
    if (seat->odd_lines)
        return blame(seat, FAULT_GARBAGE, "wrote %d lines that are no %s, and no bestmove in %.1f s",
                     seat->odd_lines, PROTOCOL_WORDS.protocol, (double)answer->elapsed_us / 1e6);
    if (result == 1)
        return blame(seat, FAULT_HANG, "no bestmove within %g s, only after stop",
                     (double)seat->common->hang_timeout_ms / 1000);
    return blame(seat, FAULT_HANG, "no bestmove in %.1f s, nor after stop", (double)answer->elapsed_us / 1e6);
}

// Late by no more than the machine stood still: that part of the time is taken off the answer's.
static bool is_forgiven(SeatProcess *seat, i64 start_us, i64 limit_us, SeatAnswer *answer)
{
    char text[96];
    i64 stood_us = stalls_within(seat->common->stalls, start_us, seat->read_us);
    if (answer->elapsed_us > limit_us + stood_us)
        return false;
    snprintf(text, sizeof text, "took %.1f ms, in which the machine stood still for %.1f ms",
             (double)answer->elapsed_us / 1000, (double)stood_us / 1000);
    note_line(seat, "..", span_of(text));
    answer->elapsed_us -= stood_us;
    stalls_excuse(seat->common->stalls);
    return true;
}

// Sends `text` (position and go) and waits for the move. allowed_ms: what its clock holds, -1: no clock.
// False: it lost by seat->fault.
static bool ask(SeatProcess *seat, Span text, i64 allowed_ms, SeatAnswer *answer)
{
    // Here too: engines that answer at once never let a wait run dry.
    if (is_abandoned(seat) || !drain(seat))
        return false;
    seat->odd_lines = 0;
    if (!send_text(seat, text))
        return false;
    // The clock starts when all of it is in the pipe: what delays us before that is not the engine's fault.
    i64 start_us = os_now_us();
    i64 limit_us =
        1000 * (allowed_ms < 0 ? seat->common->hang_timeout_ms : allowed_ms + seat->common->margin_ms);
    Stalls *stalls = seat->common->stalls;
    int result = read_answer(seat, start_us + limit_us, answer);
    // The time in which the machine stood still is nobody's.
    for (i64 stood_us = 0, all_us;
         result == 0 && (all_us = stalls_within(stalls, start_us, os_now_us())) > stood_us; stood_us = all_us)
        result = read_answer(seat, start_us + limit_us + all_us, answer);
    if (result < 0)
        return false;
    if (result == 0)
        return wait_for_late(seat, start_us, allowed_ms, answer);
    answer->elapsed_us = seat->read_us - start_us;
    if (allowed_ms >= 0 && answer->elapsed_us > limit_us && !is_forgiven(seat, start_us, limit_us, answer))
        return blame(seat, FAULT_TIME, "took %.1f ms of %lld ms", (double)answer->elapsed_us / 1000,
                     (long long)allowed_ms);
    if (answer->move[0] == '\0')
        return blame(seat, FAULT_GARBAGE, "sent bestmove without a move");
    // A second answer in the same breath would be taken for the next one.
    Span line, rest;
    while (buffered_line(seat, &line)) {
        rest = line;
        if (span_is(span_word(&rest), "bestmove"))
            return blame(seat, FAULT_GARBAGE, "sent bestmove twice");
    }
    return true;
}

// ---- the game, as it is told --------------------------------------------------------------------
static void tell_start(SeatProcess *seat, const Game *game)
{
    char text[TEXT_MAX];
    pos_print(&game->start, text);
    text_clear(&seat->position);
    if (strcmp(text, GAME_START) == 0)
        text_add(&seat->position, "position startpos");
    else
        text_add(&seat->position, "position %s %s", PROTOCOL_WORDS.position, text);
    seat->told = game->start;
    seat->told_nb = 0;
}

// Adds the moves made since the last time.
static void tell_moves(SeatProcess *seat, const Game *game)
{
    for (; seat->told_nb < game->move_nb; seat->told_nb++) {
        char text[MOVE_TEXT_MAX];
        Move move = game->move[seat->told_nb];
        move_print(&seat->told, move, text);
        text_add(&seat->position, "%s %s", seat->told_nb ? "" : " moves", text);
        seat->told = pos_after(&seat->told, move);
    }
}

// `both`: the clocks of the two sides.
static void add_go(const Clock *both, int side, Text *out)
{
    const Clock *clock = &both[side];
    const TimeControl *control = clock->control;
    text_add(out, "go");
    if (control->has_clock) {
        for (int s = 0; s < SIDE_NB; s++) {
            // The other may play without a clock: then it has as much as this one. And no clock ever shows
            // zero, which some programs take for "no clock", unless byoyomi says what it means.
            const Clock *shown = both[s].control->has_clock ? &both[s] : clock;
            i64 ms = shown->left_us / 1000;
            text_add(out, " %s %lld", PROTOCOL_WORDS.time[s],
                     (long long)(ms < 1 && !control->byoyomi_ms ? 1 : ms));
        }
        for (int s = 0; s < SIDE_NB && (both[0].control->inc_ms || both[1].control->inc_ms); s++)
            text_add(out, " %s %lld", PROTOCOL_WORDS.inc[s], (long long)both[s].control->inc_ms);
        if (control->byoyomi_ms && PROTOCOL_WORDS.byoyomi)
            text_add(out, " %s %lld", PROTOCOL_WORDS.byoyomi, (long long)control->byoyomi_ms);
        if (clock->moves_to_go)
            text_add(out, " movestogo %d", clock->moves_to_go);
    }
    if (control->move_time_ms)
        text_add(out, " movetime %lld", (long long)control->move_time_ms);
    if (control->nodes)
        text_add(out, " nodes %llu", (unsigned long long)control->nodes);
    if (control->depth)
        text_add(out, " depth %d", control->depth);
    text_add(out, "\n");
}

// ---- the seat -----------------------------------------------------------------------------------
static bool new_game(void *self, const Game *game, Fault *fault, Message *message)
{
    SeatProcess *seat = self;
    (void)message;
    tell_start(seat, game);
    seat->fault = FAULT_NONE;
    bool ok = begin_game(seat);
    *fault = seat->fault;
    return ok || seat->fault != FAULT_NONE;
}

// The move it answered; FAULT_ILLEGAL when it is none.
static Move answered_move(SeatProcess *seat, const Game *game)
{
    const char *text = seat->answer.move;
    if (PROTOCOL_WORDS.resign && strcmp(text, PROTOCOL_WORDS.resign) == 0)
        return MOVE_NONE;
    if (PROTOCOL_WORDS.win && strcmp(text, PROTOCOL_WORDS.win) == 0) {
        if (!pos_can_declare(&game->pos))
            blame(seat, FAULT_ILLEGAL, "declared a win that is none");
        return MOVE_WIN;
    }
    Move move = move_parse(&game->pos, span_of(text));
    if (move == MOVE_NONE)
        blame(seat, FAULT_ILLEGAL, "'%s' after %d plies", text, game->move_nb);
    return move;
}

static int score_of(const SeatAnswer *answer)
{
    if (!answer->has_score)
        return SCORE_NONE;
    if (answer->is_mate)
        return answer->score > 0 ? SCORE_MATE : -SCORE_MATE;
    return clamp_int(answer->score, -SCORE_MATE, SCORE_MATE);
}

static bool think(void *self, const Game *game, const Clock *clock, Thought *thought, Message *message)
{
    SeatProcess *seat = self;
    int side = pos_side(&game->pos);
    seat->answer = (SeatAnswer){0};
    seat->fault = FAULT_NONE;
    tell_moves(seat, game);
    text_clear(&seat->request);
    text_add(&seat->request, "%.*s\n", (int)seat->position.len, seat->position.ptr);
    add_go(clock, side, &seat->request);
    if (seat->position.failed || seat->request.failed)
        return message_set(message, "out of memory");
    bool ok = ask(seat, text_span(&seat->request), clock_allowed_ms(&clock[side]), &seat->answer);
    if (!ok && seat->fault == FAULT_NONE)
        return false;
    *thought = (Thought){.move = ok ? answered_move(seat, game) : MOVE_NONE,
                         .score = score_of(&seat->answer),
                         .depth = seat->answer.depth,
                         .nodes = seat->answer.nodes,
                         .elapsed_us = seat->answer.elapsed_us};
    thought->fault = seat->fault;
    return true;
}

static void game_over(void *self, int side, const GameEnd *end)
{
    static const char *const WORDS[POINTS_NB] = {"lose", "draw", "win"};
    SeatProcess *seat = self;
    // A program that was at fault, or may still be thinking, is not to be trusted with another game.
    if (end->kind == END_ABANDONED || end->fault_side == side)
        seat_process_end(seat);
    else if (PROTOCOL_WORDS.game_over && seat->process.pid)
        send_line(seat, "%s %s", PROTOCOL_WORDS.game_over, WORDS[result_points(end->result, side)]);
}

Seat seat_of_process(SeatProcess *seat)
{
    return (Seat){.self = seat, .new_game = new_game, .think = think, .game_over = game_over};
}

// ---- the end ------------------------------------------------------------------------------------
void seat_process_end(SeatProcess *seat)
{
    if (seat->process.pid == 0)
        return;
    os_process_write(&seat->process, "quit\n", 5, 0);
    os_process_end(&seat->process, seat->fault == FAULT_NONE ? QUIT_GRACE_MS : 0);
}
