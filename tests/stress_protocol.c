// SPDX-License-Identifier: GPL-3.0-or-later
// Random sessions against a running program: stress_protocol PROGRAM [SESSIONS [SEED]]. A session sends some
// hundred commands (go of every kind, stop, ponderhit, position, setoption, isready ...) with random pauses
// between them and checks what must hold whatever the order and the timing:
//   every go has exactly one answer, of its own kind, in the order in which they were sent;
//   a go with one searchmoves answers with that move; before a bestmove stands a line that begins with it;
//   every isready has its readyok; nothing hangs; after quit the program has answered everything and ends
//   with code 0.
// What is sent depends on the seed alone. The last line is `stress of PROGRAM: P passed, F failed, 0
// skipped`.
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"

enum {
    COMMANDS = 400,    // of one session
    POSITIONS = 8,     // to choose from in a session
    PENDING_MAX = 256, // answers that may be owed at a time
    MOVES_MAX = 600,
    FIRST_SEED = 20240,
};

// What is owed for a command, by the first word of the answer.
typedef enum Kind { KIND_BESTMOVE, KIND_CHECKMATE, KIND_PERFT, KIND_BENCH, KIND_THREAT } Kind;

typedef struct Owed {
    Kind kind;
    char only[16]; // the one move that may be answered; "": any
} Owed;

typedef struct Place {
    char text[2048];
    char move[MOVES_MAX][8];
    int move_nb;
} Place;

typedef struct Session {
    const char *program;
    u64 seed;
    Rng rng;
    Process process;
    bool is_shogi, failed;
    Text input, log;
    Place place[POSITIONS];
    int now; // the place set by the last position command
    Owed owed[PENDING_MAX];
    int owed_nb, ready_nb, answer_nb;
    bool needs_stop;        // something was sent that only a stop or a ponderhit ends
    bool ponders, hit_ends; // the last go ponders; a ponderhit would make it end by itself
    bool got_hello;
    char last_pv[16];
    int patience_ms;
} Session;

// ---- failures
// ---------------------------------------------------------------------------------------------------------
static void fail(Session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(Session *s, const char *format, ...)
{
    enum { SHOWN = 4000 };
    if (s->failed)
        return;
    s->failed = true;
    char reason[400];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    Span log = text_span(&s->log);
    size_t from = log.len > SHOWN ? log.len - SHOWN : 0;
    printf("FAILED: stress of %s, seed %llu: %s\n---- the last of the session ----\n%.*s----\n", s->program,
           (unsigned long long)s->seed, reason, (int)(log.len - from), log.ptr + from);
}

static int pick(Session *s, int nb) { return (int)rng_below(&s->rng, (u32)nb); }

// ---- what comes
// -------------------------------------------------------------------------------------------------------
static void take_answer(Session *s, Kind kind, Span move)
{
    if (s->owed_nb == 0) {
        fail(s, "an answer that nobody asked for");
        return;
    }
    Owed owed = s->owed[0];
    memmove(s->owed, s->owed + 1, (size_t)--s->owed_nb * sizeof s->owed[0]);
    s->answer_nb++;
    if (kind != owed.kind)
        fail(s, "an answer of kind %d where kind %d was owed", kind, owed.kind);
    if (kind != KIND_BESTMOVE || span_is(move, "resign") || span_is(move, "win") || span_is(move, "(none)"))
        return;
    if (owed.only[0] && !span_is(move, owed.only))
        fail(s, "searchmoves %s is answered by %.*s", owed.only, (int)move.len, move.ptr);
    if (!span_is(move, s->last_pv))
        fail(s, "bestmove %.*s after a line that begins with %s", (int)move.len, move.ptr, s->last_pv);
    s->last_pv[0] = '\0';
}

static void take_info(Session *s, Span rest)
{
    bool is_first = true;
    for (Span word; (word = span_word(&rest)).len;) {
        if (span_is(word, "string")) {
            if (span_is(span_word(&rest), "threat:")) // a side in check can't pass
                take_answer(s, KIND_THREAT, word);
            return;
        }
        if (span_is(word, "multipv"))
            is_first = span_is(span_word(&rest), "1");
        else if (span_is(word, "pv") && is_first)
            span_copy(span_word(&rest), s->last_pv, sizeof s->last_pv);
    }
}

// `20 legal moves: a2a3 ...` belongs to the place being set up.
static void take_moves(Session *s, Span rest)
{
    Place *place = &s->place[s->now];
    place->move_nb = 0;
    for (Span word; (word = span_word(&rest)).len && place->move_nb < MOVES_MAX;)
        span_copy(word, place->move[place->move_nb++], sizeof place->move[0]);
    s->ready_nb--;
}

static void take_line(Session *s, Span line)
{
    text_add(&s->log, "< %.*s\n", line.len > 70 ? 70 : (int)line.len, line.ptr);
    Span rest = line, first = span_word(&rest), second = span_word(&rest);
    if (span_is(first, "bestmove"))
        take_answer(s, KIND_BESTMOVE, second);
    else if (span_is(first, "checkmate"))
        take_answer(s, KIND_CHECKMATE, second);
    else if (span_is(first, "threat"))
        take_answer(s, KIND_THREAT, second);
    else if (span_is(first, "Nodes") && span_is(second, "searched:"))
        take_answer(s, KIND_PERFT, second);
    else if (span_is(second, "nodes") && span_word(&rest).len && span_is(span_word(&rest), "nps"))
        take_answer(s, KIND_BENCH, second);
    else if (span_is(first, "info"))
        take_info(s, (Span){second.ptr, (size_t)(line.ptr + line.len - second.ptr)});
    else if (span_is(first, "readyok") && --s->ready_nb < 0)
        fail(s, "a readyok that nobody asked for");
    else if (span_is(second, "legal") && span_is(span_word(&rest), "moves:"))
        take_moves(s, rest);
    else if (span_is(first, "uciok") || span_is(first, "usiok"))
        s->got_hello = true;
}

// Reads for up to `ms`; false at the end of the output.
static bool read_some(Session *s, int ms)
{
    char chunk[16384];
    int got = os_process_read(&s->process, chunk, sizeof chunk, ms);
    if (got <= 0)
        return got == 0;
    text_add_bytes(&s->input, chunk, (size_t)got);
    Span rest = text_span(&s->input);
    size_t used = 0;
    for (size_t i = 0; i < rest.len; i++)
        if (rest.ptr[i] == '\n') {
            take_line(s, (Span){rest.ptr + used, i - used});
            used = i + 1;
        }
    memmove(s->input.ptr, s->input.ptr + used, rest.len - used);
    s->input.len -= used;
    return true;
}

// ---- what goes
// --------------------------------------------------------------------------------------------------------
static void put(Session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Session *s, const char *format, ...)
{
    char line[4096];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (s->failed)
        return;
    text_add(&s->log, "> %s\n", line);
    line[len++] = '\n';
    if (!os_process_write(&s->process, line, (size_t)len, s->patience_ms))
        fail(s, "the program does not take its input");
}

static void owe(Session *s, Kind kind, const char *only)
{
    if (s->owed_nb == PENDING_MAX) {
        fail(s, "too many answers are owed");
        return;
    }
    s->owed[s->owed_nb] = (Owed){.kind = kind};
    snprintf(s->owed[s->owed_nb++].only, sizeof s->owed[0].only, "%s", only);
}

// Most often at once, else after a few milliseconds, now and then after many.
static void pause_a_while(Session *s)
{
    int kind = pick(s, 10), ms = kind < 6 ? 0 : kind < 9 ? pick(s, 4) : pick(s, 40);
    i64 until_us = os_now_us() + ms * 1000LL;
    do {
        i64 left_ms = (until_us - os_now_us()) / 1000;
        if (!read_some(s, left_ms > 0 ? (int)left_ms : 0))
            fail(s, "the program has gone");
    } while (!s->failed && os_now_us() < until_us);
}

// Waits until nothing is owed any more, which after what was sent must come by itself.
static void await_all(Session *s)
{
    i64 until_us = os_now_us() + s->patience_ms * 1000LL;
    while (!s->failed && (s->owed_nb > 0 || s->ready_nb > 0)) {
        if (os_now_us() > until_us)
            fail(s, "no answer in %d ms: %d answers and %d readyok are owed", s->patience_ms, s->owed_nb,
                 s->ready_nb);
        if (!read_some(s, 100))
            fail(s, "the program has gone");
    }
    if (s->owed_nb == 0)
        s->needs_stop = s->ponders = false;
}

static void add_clocks(Session *s, Text *line)
{
    static const char *const TIMES[2][2] = {{"wtime", "btime"}, {"btime", "wtime"}};
    static const char *const INCS[2][2] = {{"winc", "binc"}, {"binc", "winc"}};
    int ms = 20 + pick(s, 300);
    text_add(line, " %s %d %s %d", TIMES[s->is_shogi][0], ms, TIMES[s->is_shogi][1], ms);
    switch (pick(s, 3)) {
    case 0:
        text_add(line, " %s %d %s %d", INCS[s->is_shogi][0], pick(s, 20), INCS[s->is_shogi][1], pick(s, 20));
        break;
    case 1: text_add(line, s->is_shogi ? " byoyomi %d" : " movestogo %d", 1 + pick(s, 40)); break;
    default: break;
    }
}

// A limit that ends the search soon.
static void add_limit(Session *s, Text *line)
{
    switch (pick(s, 5)) {
    case 0: text_add(line, " nodes %d", 1 + pick(s, pick(s, 2) ? 20 : 20000)); break;
    case 1: text_add(line, " depth %d", 1 + pick(s, 7)); break;
    case 2: text_add(line, " movetime %d", 1 + pick(s, 30)); break;
    case 3: add_clocks(s, line); break;
    default: text_add(line, " depth x"); break; // not understood: a quick answer
    }
}

static void send_count(Session *s)
{
    switch (pick(s, 4)) {
    case 0: put(s, "go perft %d", 1 + pick(s, 3)), owe(s, KIND_PERFT, ""); break;
    case 1: put(s, "perft %d", 1 + pick(s, 3)), owe(s, KIND_PERFT, ""); break;
    case 2: put(s, "bench %d", 1 + pick(s, 3)), owe(s, KIND_BENCH, ""); break;
    default: put(s, "threat nodes %d", 1 + pick(s, 5000)), owe(s, KIND_THREAT, ""); break;
    }
}

static void send_mate(Session *s)
{
    if (s->is_shogi) {
        bool endless = pick(s, 3) == 0;
        endless ? put(s, "go mate infinite") : put(s, "go mate %d", 1 + pick(s, 60));
        s->needs_stop |= endless;
        owe(s, KIND_CHECKMATE, "");
    } else {
        put(s, "go mate %d", 1 + pick(s, 4));
        s->needs_stop = true; // a mate that may not be there
        owe(s, KIND_BESTMOVE, "");
    }
}

static void send_go(Session *s)
{
    Text line = {0};
    const Place *place = &s->place[s->now];
    char only[16] = "";
    int form = pick(s, 10);
    s->ponders = s->hit_ends = false;
    text_add(&line, "go");
    if (form < 2) {
        text_add(&line, form ? " infinite" : "");
        s->needs_stop = true;
    } else if (form < 5) {
        text_add(&line, " ponder");
        s->needs_stop = s->ponders = true;
        s->hit_ends = pick(s, 4) > 0;
        if (s->hit_ends)
            add_limit(s, &line);
    } else {
        add_limit(s, &line);
    }
    if (pick(s, 4) == 0 && place->move_nb > 0) {
        snprintf(only, sizeof only, "%s", place->move[pick(s, place->move_nb)]);
        text_add(&line, " searchmoves %s", only);
    }
    put(s, "%s", line.ptr);
    owe(s, KIND_BESTMOVE, only);
    text_free(&line);
}

static void send_hit(Session *s)
{
    Text line = {0};
    text_add(&line, "ponderhit");
    bool with_clocks = pick(s, 2);
    if (with_clocks)
        add_clocks(s, &line);
    put(s, "%s", line.ptr);
    text_free(&line);
    // Of the searches that are owed only the last can still run on: the ones before it were ended by it.
    if (s->ponders && (s->hit_ends || with_clocks))
        s->needs_stop = false;
    s->ponders = false;
}

static void send_option(Session *s)
{
    const char *strength = s->is_shogi ? "USI" : "UCI";
    switch (pick(s, 8)) {
    case 0: put(s, "setoption name Threads value %d", 1 + pick(s, 4)); break;
    case 1: put(s, "setoption name %s value %d", s->is_shogi ? "USI_Hash" : "Hash", 1 + pick(s, 4)); break;
    case 2: put(s, "setoption name MultiPV value %d", pick(s, 2) ? 1 : 1 + pick(s, 6)); break;
    case 3:
        put(s, "setoption name %s_LimitStrength value %s", strength, pick(s, 2) ? "true" : "false");
        break;
    case 4: put(s, "setoption name %s_Elo value %d", strength, 600 + pick(s, 2000)); break;
    case 5:
        put(s, "setoption name %s value %s", s->is_shogi ? "USI_Ponder" : "Ponder",
            pick(s, 2) ? "true" : "false");
        break;
    case 6: put(s, "setoption name MaxNPS value %d", pick(s, 2) ? 0 : 500000); break;
    default: put(s, "setoption name QSearchTT value %s", pick(s, 2) ? "true" : "false"); break;
    }
}

// Ends what runs in one of the ways there are, and waits for all answers.
static void settle(Session *s)
{
    if (s->needs_stop && s->ponders && s->hit_ends && pick(s, 2))
        send_hit(s);
    if (s->needs_stop || pick(s, 3) == 0)
        put(s, s->is_shogi && pick(s, 3) == 0 ? "gameover win" : "stop");
    await_all(s);
}

static void send_something(Session *s)
{
    int choice = pick(s, 100);
    if (s->owed_nb > PENDING_MAX / 2)
        settle(s);
    if (choice < 34)
        send_go(s);
    else if (choice < 38)
        send_mate(s);
    else if (choice < 42)
        send_count(s);
    else if (choice < 54)
        put(s, "stop"), s->needs_stop = false, s->ponders = false;
    else if (choice < 66)
        send_hit(s);
    else if (choice < 76)
        s->now = pick(s, POSITIONS), put(s, "position %s", s->place[s->now].text);
    else if (choice < 83)
        send_option(s);
    else if (choice < 88)
        put(s, "isready"), s->ready_nb++;
    else if (choice < 90)
        put(s, s->is_shogi ? "usinewgame" : "ucinewgame");
    else if (choice < 92)
        put(s, "debug %s", pick(s, 2) ? "on" : "off");
    else
        settle(s);
}

// ---- a session
// --------------------------------------------------------------------------------------------------------
// Finished games, single moves and mates are where a search ends by itself in its own ways.
static const char *const SPECIAL[2][4] = {
    {"fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
     "fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "fen k7/8/1K6/8/8/8/8/6Q1 w - - 0 1"},
    {"sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1",
     "sfen 8k/7s1/9/6N2/9/9/9/9/K8 b G 1", "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1"},
};

static void ask_moves(Session *s)
{
    put(s, "position %s", s->place[s->now].text);
    put(s, "moves");
    s->ready_nb++;
    await_all(s);
}

static void set_places(Session *s)
{
    for (s->now = 0; s->now < POSITIONS && !s->failed; s->now++) {
        Place *place = &s->place[s->now];
        size_t len = (size_t)snprintf(place->text, sizeof place->text, "%s",
                                      s->now < 4 ? SPECIAL[s->is_shogi][s->now] : "startpos");
        ask_moves(s);
        int plies = s->now < 4 ? 0 : pick(s, 30);
        for (int ply = 0; ply < plies && place->move_nb > 0 && !s->failed; ply++) {
            char move[8];
            memcpy(move, place->move[pick(s, place->move_nb)], sizeof move);
            len += (size_t)snprintf(place->text + len, sizeof place->text - len, "%s %s", ply ? "" : " moves",
                                    move);
            ask_moves(s);
        }
    }
    s->now = POSITIONS - 1;
}

static void say_hello(Session *s)
{
    i64 until_us = os_now_us() + s->patience_ms * 1000LL;
    put(s, s->is_shogi ? "usi" : "uci");
    while (!s->failed && !s->got_hello)
        if (!read_some(s, 100) || os_now_us() > until_us)
            fail(s, "no answer to the first word");
    put(s, "setoption name Threads value %d", 1 + pick(s, 4));
    put(s, "setoption name %s value 2", s->is_shogi ? "USI_Hash" : "Hash");
}

// quit, whatever is under way: all answers still come, and the program ends.
static void leave(Session *s)
{
    i64 until_us = os_now_us() + s->patience_ms * 1000LL;
    int status = -1;
    put(s, "quit");
    while (read_some(s, 100) && os_now_us() < until_us)
        ;
    while (os_process_alive(&s->process, &status) && os_now_us() < until_us)
        os_sleep_ms(1);
    if (status != 0)
        fail(s, "after quit: %s (%d)", status < 0 ? "it does not end" : "a bad end", status);
    if (s->owed_nb > 0 || s->ready_nb > 0)
        fail(s, "after quit %d answers and %d readyok are still owed", s->owed_nb, s->ready_nb);
}

// True when all held. Adds the answers to *answer_nb.
static bool run_session(const char *program, bool is_shogi, u64 seed, int *answer_nb)
{
    static Session session;
    const char *patience = getenv("STRESS_PATIENCE_MS");
    i64 patience_ms = 30000;
    if (patience)
        span_int(span_of(patience), 1000, 3600000, &patience_ms);
    Session *s = &session;
    *s = (Session){.program = program,
                   .seed = seed,
                   .rng = {seed},
                   .is_shogi = is_shogi,
                   .patience_ms = (int)patience_ms};
    Message error = {0};
    char *argv[] = {(char *)program, NULL};
    if (!os_process_start(&s->process, argv, NULL, ERRORS_SHOWN, &error))
        fail(s, "%s", error.text);
    if (!s->failed)
        say_hello(s);
    set_places(s);
    for (int i = 0; i < COMMANDS && !s->failed; i++) {
        send_something(s);
        pause_a_while(s);
    }
    if (!s->failed)
        leave(s);
    os_process_end(&s->process, 100);
    *answer_nb += s->answer_nb;
    text_free(&s->input);
    text_free(&s->log);
    return !s->failed;
}

int main(int argc, char **argv)
{
    i64 sessions = 4, seed = FIRST_SEED;
    if (argc < 2 || (argc > 2 && !span_int(span_of(argv[2]), 1, 1000000, &sessions)) ||
        (argc > 3 && !span_int(span_of(argv[3]), 0, INT64_MAX / 2, &seed))) {
        printf("usage: stress_protocol PROGRAM [SESSIONS [SEED]]\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    os_ignore_broken_pipes();
    int passed = 0, answer_nb = 0;
    for (i64 i = 0; i < sessions; i++)
        passed += run_session(argv[1], strstr(argv[1], "shogi") != NULL, (u64)(seed + i), &answer_nb);
    printf("%d answers in %lld sessions\n", answer_nb, (long long)sessions);
    printf("stress of %s: %d passed, %lld failed, 0 skipped\n", argv[1], passed,
           (long long)sessions - passed);
    return passed != sessions;
}
