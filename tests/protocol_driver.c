// SPDX-License-Identifier: GPL-3.0-or-later
// Plays transcripts against a program: protocol_driver PROGRAM FILE... Each `case` of a file starts the
// program anew.
//
//   case NAME              begins a case
//   > TEXT                 sends the line; escapes \t \r \0 \xHH are understood
//   >> TEXT                the same without the end of line
//   repeat N TEXT          sends TEXT (with a blank) N times, without an end of line; with escapes too
//   < PATTERN              waits for a line that matches; * stands for anything, \* for itself (others pass)
//   next PATTERN           the very next line must match
//   within MS              how long each later < waits (default 10000)
//   quiet MS [PATTERN]     for so long no line (that matches) comes
//   absent PATTERN         no line since the case began, or since the last `forget`, has matched
//   forget                 starts the memory of absent and count anew
//   count N PATTERN        exactly N lines have matched since
//   await N PATTERN        waits until so many have matched since, in any order with other lines
//   sleep MS
//   close                  closes the program's input
//   deaf                   closes the program's output
//   exit CODE              the program ends by itself with this code, within the time
//   idle MS                the program uses nearly no processor time for so long
//   memory MB              its resident memory is less
//
// At all times it checks what must always hold: before a bestmove an info line with a score, whose first move
// is the best move; integers where integers belong; and at the end of a case as many bestmoves as searches
// were asked for. DRIVER_PATIENCE=N multiplies every wait and the memory, for programs
// under a sanitizer.
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"

enum { DEFAULT_WAIT_MS = 10000 };

// A wait, or a limit of memory, for the program at hand.
static int with_patience(int limit)
{
    const char *text = getenv("DRIVER_PATIENCE");
    i64 factor = 1;
    if (text)
        span_int(span_of(text), 1, 1000, &factor);
    return (int)(limit * factor);
}

typedef struct Driver {
    char *program;
    Process process;
    Text input;                // what came and is not yet a whole line
    Text log;                  // all lines of the case
    size_t read_at, memory_at; // where < goes on; where absent and count begin
    int wait_ms;
    int go_nb, bestmove_nb;
    bool has_score, failed, is_open;
    char last_pv[16], name[200], reason[400];
    const char *file;
    int line_number;
    int passed_nb, failed_nb;
} Driver;

static void fail(Driver *driver, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(Driver *driver, const char *format, ...)
{
    if (driver->failed)
        return;
    driver->failed = true;
    va_list args;
    va_start(args, format);
    vsnprintf(driver->reason, sizeof driver->reason, format, args);
    va_end(args);
    printf("FAILED: %s:%d: %s: %s\n", driver->file, driver->line_number, driver->name, driver->reason);
}

static bool matches(const char *text, size_t len, const char *pattern)
{
    if (*pattern == '*') {
        for (size_t skip = 0; skip <= len; skip++)
            if (matches(text + skip, len - skip, pattern + 1))
                return true;
        return false;
    }
    if (*pattern == '\0')
        return len == 0;
    if (*pattern == '\\' && pattern[1])
        pattern++;
    return len > 0 && *text == *pattern && matches(text + 1, len - 1, pattern + 1);
}

// ---- what must always hold ----------------------------------------------------------------------
static void check_integer(Driver *driver, Span word, Span value)
{
    static const char *const INTEGERS[] = {"depth",    "seldepth", "time",    "nodes", "nps",
                                           "hashfull", "tbhits",   "multipv", "cp",    "mate"};
    i64 ignored;
    for (size_t i = 0; i < sizeof INTEGERS / sizeof INTEGERS[0]; i++)
        if (span_is(word, INTEGERS[i]) && !span_int(value, INT64_MIN, INT64_MAX, &ignored))
            fail(driver, "'%s' without an integer: '%.*s'", INTEGERS[i], (int)value.len, value.ptr);
}

static void watch_line(Driver *driver, Span line)
{
    Span rest = line, word = span_word(&rest);
    if (span_is(word, "info")) {
        bool is_first = true;
        for (Span next; (word = span_word(&rest)).len;) {
            if (span_is(word, "string"))
                return;
            next = rest;
            Span value = span_word(&next);
            check_integer(driver, word, value);
            driver->has_score |= span_is(word, "score");
            if (span_is(word, "multipv"))
                is_first = span_is(value, "1");
            if (span_is(word, "pv")) {
                if (is_first)
                    span_copy(value, driver->last_pv, sizeof driver->last_pv);
                return;
            }
        }
    } else if (span_is(word, "bestmove")) {
        Span move = span_word(&rest);
        driver->bestmove_nb++;
        if (!driver->has_score)
            fail(driver, "a bestmove without a score before it");
        bool is_word = span_is(move, "(none)") || span_is(move, "resign") || span_is(move, "win");
        if (!is_word && !span_is(move, driver->last_pv))
            fail(driver, "bestmove %.*s, but the last line begins with '%s'", (int)move.len, move.ptr,
                 driver->last_pv);
        driver->has_score = false;
        driver->last_pv[0] = '\0';
    }
}

static void watch_sent(Driver *driver, Span line)
{
    Span rest = line, word;
    while ((word = span_word(&rest)).len)
        if (span_is(word, "go")) {
            Span arguments = rest;
            for (Span w; (w = span_word(&arguments)).len;)
                if (span_is(w, "perft") || (span_is(w, "mate") && strstr(driver->program, "shogi")))
                    return;
            driver->go_nb++;
            return;
        }
}

// ---- reading ------------------------------------------------------------------------------------
// Reads what comes within the time into the log: bytes read, 0 when nothing came, -1 at the end of output.
static int read_some(Driver *driver, int timeout_ms)
{
    char chunk[8192];
    int got = os_process_read(&driver->process, chunk, sizeof chunk, timeout_ms);
    if (got <= 0)
        return got;
    text_add_bytes(&driver->input, chunk, (size_t)got);
    size_t begin = 0;
    for (size_t i = 0; i < driver->input.len; i++) {
        if (driver->input.ptr[i] != '\n')
            continue;
        Span line = {driver->input.ptr + begin, i - begin};
        text_add_bytes(&driver->log, driver->input.ptr + begin, i - begin + 1);
        watch_line(driver, line);
        begin = i + 1;
    }
    memmove(driver->input.ptr, driver->input.ptr + begin, driver->input.len - begin);
    driver->input.len -= begin;
    return got;
}

// The next line of the log that has not been passed; false when there is none yet.
static bool next_line(Driver *driver, Span *line)
{
    Span rest = {driver->log.ptr + driver->read_at, driver->log.len - driver->read_at};
    if (!driver->log.ptr || !span_line(&rest, line))
        return false;
    driver->read_at = driver->log.len - rest.len;
    return true;
}

static void expect(Driver *driver, const char *pattern, bool is_next)
{
    i64 until_us = os_now_us() + driver->wait_ms * 1000LL;
    Span line;
    while (!driver->failed) {
        while (next_line(driver, &line)) {
            if (matches(line.ptr, line.len, pattern))
                return;
            if (is_next) {
                fail(driver, "expected '%s', not '%.*s'", pattern, (int)min_i64((i64)line.len, 200),
                     line.ptr);
                return;
            }
        }
        i64 left_ms = (until_us - os_now_us()) / 1000;
        if (left_ms <= 0)
            fail(driver, "'%s' did not come in %d ms", pattern, driver->wait_ms);
        else if (read_some(driver, (int)left_ms) < 0)
            fail(driver, "'%s' did not come before the end", pattern);
    }
}

static int count_matches(Driver *driver, const char *pattern)
{
    int count = 0;
    Span rest = {driver->log.ptr + driver->memory_at, driver->log.len - driver->memory_at}, line;
    while (driver->log.ptr && span_line(&rest, &line))
        count += matches(line.ptr, line.len, pattern);
    return count;
}

static void await_matches(Driver *driver, i64 wanted, const char *pattern)
{
    i64 until_us = os_now_us() + driver->wait_ms * 1000LL;
    while (count_matches(driver, pattern) < wanted) {
        i64 left_ms = (until_us - os_now_us()) / 1000;
        if (left_ms <= 0 || read_some(driver, (int)left_ms) < 0) {
            fail(driver, "'%s' came %d times, not %lld", pattern, count_matches(driver, pattern),
                 (long long)wanted);
            return;
        }
    }
}

// ---- directives ---------------------------------------------------------------------------------
static void send_bytes(Driver *driver, const char *bytes, size_t size)
{
    // Answers are taken while sending, so that neither side waits for the other.
    while (size && !driver->failed) {
        size_t part = size < 16384 ? size : 16384;
        if (!os_process_write(&driver->process, bytes, part, driver->wait_ms))
            fail(driver, "the program does not take its input");
        bytes += part;
        size -= part;
        while (size && read_some(driver, 0) > 0)
            ;
    }
}

static void unescape(const char *text, Text *out)
{
    for (; *text; text++) {
        char byte = *text;
        if (byte == '\\' && text[1]) {
            char hex[3] = {0};
            switch (*++text) {
            case 't': byte = '\t'; break;
            case 'r': byte = '\r'; break;
            case '0': byte = '\0'; break;
            case 'x':
                if (text[1] && text[2]) {
                    hex[0] = text[1], hex[1] = text[2];
                    byte = (char)strtol(hex, NULL, 16);
                    text += 2;
                }
                break;
            default: byte = *text;
            }
        }
        text_add_bytes(out, &byte, 1);
    }
}

static void send_line(Driver *driver, const char *text, bool with_end)
{
    Text bytes = {0};
    unescape(text, &bytes);
    watch_sent(driver, text_span(&bytes));
    if (with_end)
        text_add_bytes(&bytes, "\n", 1);
    send_bytes(driver, bytes.ptr, bytes.len);
    text_free(&bytes);
}

static void send_repeated(Driver *driver, Span arguments)
{
    i64 times = 0;
    Text bytes = {0};
    span_int(span_word(&arguments), 1, 10000000, &times);
    Text words = {0}, once = {0};
    Span text = span_trim(arguments);
    text_add_bytes(&words, text.ptr, text.len);
    unescape(words.ptr, &once);
    for (i64 i = 0; i < times; i++) {
        text_add_bytes(&bytes, once.ptr, once.len);
        text_add_bytes(&bytes, " ", 1);
    }
    send_bytes(driver, bytes.ptr, bytes.len);
    text_free(&words);
    text_free(&once);
    text_free(&bytes);
}

static void pass_time(Driver *driver, i64 ms)
{
    i64 until_us = os_now_us() + ms * 1000;
    for (i64 left; (left = until_us - os_now_us()) > 0;)
        if (read_some(driver, (int)(left / 1000 + 1)) < 0)
            os_sleep_ms(1);
}

static void expect_exit(Driver *driver, i64 code)
{
    i64 until_us = os_now_us() + driver->wait_ms * 1000LL;
    int status = -1;
    while (os_process_alive(&driver->process, &status) && os_now_us() < until_us)
        if (read_some(driver, 5) < 0)
            os_sleep_ms(1);
    while (read_some(driver, 0) > 0)
        ;
    if (status < 0)
        fail(driver, "the program did not end");
    else if (status != code)
        fail(driver, "the program ended with %d, not %lld", status, (long long)code);
    if (driver->bestmove_nb != driver->go_nb && driver->process.from >= 0)
        fail(driver, "%d searches were asked for and %d bestmoves came", driver->go_nb, driver->bestmove_nb);
}

// Clock ticks of processor time the program has used, or resident kilobytes, as Linux tells; -1 elsewhere.
static long proc_ticks(int pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[got] = '\0';
    char *after = strrchr(text, ')');
    unsigned long user, system;
    if (!after ||
        sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        return -1;
    return (long)(user + system);
}

static void expect_idle(Driver *driver, i64 ms)
{
    long before = proc_ticks(driver->process.pid);
    pass_time(driver, ms);
    long after = proc_ticks(driver->process.pid);
    long used_ms = (after - before) * 1000 / sysconf(_SC_CLK_TCK);
    if (before >= 0 && used_ms * 5 > ms)
        fail(driver, "used %ld ms of processor time in %lld ms of waiting", used_ms, (long long)ms);
}

static void expect_memory(Driver *driver, i64 mb)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/statm", driver->process.pid);
    FILE *file = fopen(path, "r");
    long size = 0, resident = -1;
    if (file && fscanf(file, "%ld %ld", &size, &resident) != 2)
        resident = -1;
    if (file)
        fclose(file);
    long used_mb = resident * (sysconf(_SC_PAGESIZE) / 1024) / 1024;
    if (resident >= 0 && used_mb >= mb)
        fail(driver, "%ld MB resident, not less than %lld", used_mb, (long long)mb);
}

static void end_case(Driver *driver)
{
    if (!driver->is_open)
        return;
    if (!driver->failed && driver->process.to >= 0 && driver->process.from >= 0) {
        int status = -1;
        if (os_process_alive(&driver->process, &status)) {
            send_bytes(driver, "quit\n", 5);
            expect_exit(driver, 0);
        }
    }
    if (driver->failed) {
        Span log = text_span(&driver->log);
        size_t from = log.len > 1500 ? log.len - 1500 : 0;
        printf("---- the last of what it said ----\n%.*s----\n", (int)(log.len - from), log.ptr + from);
    }
    driver->failed ? driver->failed_nb++ : driver->passed_nb++;
    os_process_end(&driver->process, 100);
    driver->is_open = false;
}

static void begin_case(Driver *driver, Span name)
{
    end_case(driver);
    Message error = {0};
    char *argv[] = {driver->program, NULL};
    text_clear(&driver->input);
    text_clear(&driver->log);
    driver->read_at = driver->memory_at = 0;
    driver->wait_ms = with_patience(DEFAULT_WAIT_MS);
    driver->go_nb = driver->bestmove_nb = 0;
    driver->has_score = driver->failed = false;
    driver->last_pv[0] = '\0';
    driver->is_open = true;
    span_copy(name, driver->name, sizeof driver->name);
    if (!os_process_start(&driver->process, argv, NULL, ERRORS_SHOWN, &error))
        fail(driver, "%s", error.text);
}

static void run_directive(Driver *driver, Span line)
{
    Span rest = line, word = span_word(&rest);
    char text[4096];
    i64 number = 0;
    if (word.len == 0 || word.ptr[0] == '#')
        return;
    if (span_is(word, "case")) {
        begin_case(driver, span_trim(rest));
        return;
    }
    // One blank separates; what follows is the text as it stands.
    if (rest.len && rest.ptr[0] == ' ')
        rest.ptr++, rest.len--;
    if (!driver->is_open || driver->failed)
        return;
    span_copy(rest, text, sizeof text);
    Span after = rest;
    bool has_number = span_int(span_word(&after), 0, 100000000, &number);
    span_copy(span_trim(after), text + sizeof text / 2, sizeof text / 2);
    const char *after_number = text + sizeof text / 2;
    if (span_is(word, ">") || span_is(word, ">>"))
        send_line(driver, text, span_is(word, ">"));
    else if (span_is(word, "<") || span_is(word, "next"))
        expect(driver, text, span_is(word, "next"));
    else if (span_is(word, "repeat"))
        send_repeated(driver, rest);
    else if (span_is(word, "within") && has_number)
        driver->wait_ms = with_patience((int)number);
    else if (span_is(word, "sleep") && has_number)
        pass_time(driver, number);
    else if (span_is(word, "quiet") && has_number) {
        int before = count_matches(driver, *after_number ? after_number : "*");
        pass_time(driver, number);
        if (count_matches(driver, *after_number ? after_number : "*") != before)
            fail(driver, "something came where it should be quiet");
    } else if (span_is(word, "absent")) {
        if (count_matches(driver, text))
            fail(driver, "'%s' came", text);
    } else if (span_is(word, "count") && has_number) {
        int count = count_matches(driver, after_number);
        if (count != number)
            fail(driver, "'%s' came %d times, not %lld", after_number, count, (long long)number);
    } else if (span_is(word, "await") && has_number)
        await_matches(driver, number, after_number);
    else if (span_is(word, "forget"))
        driver->memory_at = driver->log.len;
    else if (span_is(word, "close")) {
        close(driver->process.to);
        driver->process.to = -1;
    } else if (span_is(word, "deaf")) {
        close(driver->process.from);
        driver->process.from = -1;
    } else if (span_is(word, "exit") && has_number)
        expect_exit(driver, number);
    else if (span_is(word, "idle") && has_number)
        expect_idle(driver, number);
    else if (span_is(word, "memory") && has_number)
        expect_memory(driver, with_patience((int)number));
    else
        fail(driver, "not a directive: '%.*s'", (int)line.len, line.ptr);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        printf("usage: protocol_driver PROGRAM FILE...\n");
        return 2;
    }
    Driver *driver = calloc(1, sizeof *driver);
    if (!driver)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    driver->program = argv[1];
    for (int i = 2; i < argc; i++) {
        Text text = {0};
        Message error = {0};
        driver->file = argv[i];
        driver->line_number = 0;
        if (!text_read_file(&text, argv[i], 16 << 20, &error)) {
            printf("FAILED: %s\n", error.text);
            driver->failed_nb++;
            continue;
        }
        Span rest = text_span(&text), line;
        while (span_line(&rest, &line)) {
            driver->line_number++;
            run_directive(driver, line);
        }
        end_case(driver);
        text_free(&text);
    }
    printf("transcripts of %s: %d passed, %d failed, 0 skipped\n", argv[1], driver->passed_nb,
           driver->failed_nb);
    int code = driver->failed_nb != 0;
    text_free(&driver->input);
    text_free(&driver->log);
    free(driver);
    return code;
}
