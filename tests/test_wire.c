// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol as a program at the other end of two pipes hears it: the whole loop with its threads, in a
// process of its own. The cases carry the rows of docs/features.md that they show.
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helpers.h"
#include "protocol/protocol.h"

typedef struct Wire {
    pid_t pid;
    int to, from;
    char heard[1 << 16]; // what has come and was not asked for yet
    size_t heard_nb;
} Wire;

static void wire_open(Wire *wire)
{
    int to[2], from[2];
    wire->heard_nb = 0;
    CHECK(pipe(to) == 0 && pipe(from) == 0);
    fflush(stdout);
    wire->pid = fork();
    if (wire->pid == 0) {
        char *argv[] = {(char *)"twofold", NULL};
        alarm(120); // never outlives the test by much
        if (dup2(to[0], 0) < 0 || dup2(from[1], 1) < 0)
            _exit(99);
        close(to[1]);
        close(from[0]);
        int code = protocol_main(1, argv, NULL);
        fflush(stdout);
        _exit(code);
    }
    close(to[0]);
    close(from[1]);
    wire->to = to[1];
    wire->from = from[0];
}

static void wire_say(const Wire *wire, const char *line)
{
    char text[512];
    int nb = snprintf(text, sizeof text, "%s\n", line);
    CHECK(write(wire->to, text, (size_t)nb) == nb);
}

// Takes lines until one begins with `start`, which is copied to `line`; false when none comes in time.
static bool wire_hear(Wire *wire, const char *start, char *line, size_t size, int timeout_ms)
{
    const i64 until = os_now_ms() + timeout_ms;
    for (;;) {
        char *end;
        while ((end = memchr(wire->heard, '\n', wire->heard_nb)) != NULL) {
            *end = '\0';
            const bool is_it = strncmp(wire->heard, start, strlen(start)) == 0;
            if (is_it && line)
                snprintf(line, size, "%.*s", (int)size - 1, wire->heard);
            wire->heard_nb -= (size_t)(end + 1 - wire->heard);
            memmove(wire->heard, end + 1, wire->heard_nb);
            if (is_it)
                return true;
        }
        const i64 left = until - os_now_ms();
        struct pollfd poll_fd = {.fd = wire->from, .events = POLLIN};
        if (left <= 0 || poll(&poll_fd, 1, (int)left) <= 0)
            return false;
        ssize_t nb = read(wire->from, wire->heard + wire->heard_nb, sizeof wire->heard - 1 - wire->heard_nb);
        if (nb <= 0)
            return false;
        wire->heard_nb += (size_t)nb;
    }
}

static void wire_close(Wire *wire)
{
    int status = 0;
    wire_say(wire, "quit");
    close(wire->to);
    while (waitpid(wire->pid, &status, 0) < 0)
        ;
    close(wire->from);
    CHECK_INT(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
}

// How long something may take on a busy machine, under a sanitizer and with asserts.
static int patience(void) { return test_is_slow() ? 30000 : 8000; }

static void check_dialect(Wire *wire)
{
    const bool is_chess = strcmp(GAME_NAME, "chess") == 0;
    char line[512];
    CASE("row 46: the same loop speaks the protocol of its game");
    wire_say(wire, is_chess ? "uci" : "usi");
    CHECK(wire_hear(wire, "id name Twofold", line, sizeof line, patience()));
    CHECK(wire_hear(wire, is_chess ? "option name Hash type spin" : "option name USI_Hash type spin", line,
                    sizeof line, patience()));
    CHECK(wire_hear(wire, is_chess ? "uciok" : "usiok", line, sizeof line, patience()));
    wire_say(wire, "isready");
    CHECK(wire_hear(wire, "readyok", line, sizeof line, patience()));
    wire_say(wire, is_chess ? "ucinewgame" : "usinewgame");
    wire_say(wire, is_chess ? "position startpos moves e2e4 e7e5" : "position startpos moves 7g7f 3c3d");
    wire_say(wire, is_chess ? "go searchmoves f1c4 depth 2" : "go searchmoves 8h2b+ depth 2");
    CHECK(wire_hear(wire, "bestmove", line, sizeof line, patience()));
    check_has(line, is_chess ? "f1c4" : "8h2b+");
}

static void check_loop(Wire *wire)
{
    char line[512];
    CASE("row 41: what is no command or no move is refused and changes nothing");
    wire_say(wire, "position startpos moves nonsense");
    CHECK(wire_hear(wire, "info string", line, sizeof line, patience()));
    check_has(line, "nonsense");
    wire_say(wire, "nonsense");
    CHECK(wire_hear(wire, "info string", line, sizeof line, patience()));
    check_has(line, "nonsense");
    wire_say(wire, strcmp(GAME_NAME, "chess") == 0 ? "go searchmoves f1c4 depth 1" // of the position before
                                                   : "go searchmoves 8h2b+ depth 1");
    CHECK(wire_hear(wire, "bestmove", line, sizeof line, patience()));
    check_has(line, strcmp(GAME_NAME, "chess") == 0 ? "f1c4" : "8h2b+");
    CASE("row 41: a search runs beside the loop: it tells its progress, others are answered, a stop ends it");
    wire_say(wire, "position startpos");
    wire_say(wire, "go infinite");
    for (int depth = 1; depth <= 3; depth++) {
        char start[32];
        snprintf(start, sizeof start, "info depth %d ", depth);
        CHECK(wire_hear(wire, start, line, sizeof line, patience()));
    }
    wire_say(wire, "isready");
    CHECK(wire_hear(wire, "readyok", line, sizeof line, patience()));
    CHECK(!wire_hear(wire, "bestmove", line, sizeof line, 100));
    wire_say(wire, "stop");
    CHECK(wire_hear(wire, "bestmove", line, sizeof line, patience()));
    CHECK(!wire_hear(wire, "bestmove", line, sizeof line, 50)); // one answer
}

// The number after a word of the line; -1 when there is none.
static i64 number_after(const char *line, const char *word)
{
    const char *at = strstr(line, word);
    return at ? strtoll(at + strlen(word), NULL, 10) : -1;
}

static void check_info(Wire *wire)
{
    char line[2048];
    CASE("row 42: a line has depth, selective depth, score, nodes, speed, time, table, tables and moves");
    wire_say(wire, "position startpos");
    wire_say(wire, "go depth 7");
    CHECK(wire_hear(wire, "info depth 7 ", line, sizeof line, patience()));
    CHECK(number_after(line, " seldepth ") >= 7);
    CHECK(number_after(line, " multipv ") == 1);
    check_has(line, " score cp ");
    const i64 nodes = number_after(line, " nodes "), ms = number_after(line, " time ");
    CHECK(nodes > 100 && ms >= 0);
    CHECK_INT(number_after(line, " nps "), nodes * 1000 / max_i64(ms, 1));
    CHECK(number_after(line, " hashfull ") >= 0 && number_after(line, " tbhits ") >= 0);
    const char *pv = strstr(line, " pv ");
    CHECK(pv && count_of(pv + 4, " ") >= 1);
    CHECK(wire_hear(wire, "bestmove", line, sizeof line, patience()));
}

void test_wire(void)
{
    static Wire wire;
    CASE("a program behind two pipes");
    os_ignore_broken_pipes();
    wire_open(&wire);
    check_dialect(&wire);
    check_loop(&wire);
    check_info(&wire);
    CASE("it ends when it is told to");
    wire_close(&wire);
}
