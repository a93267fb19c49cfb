// SPDX-License-Identifier: GPL-3.0-or-later
// A playing program for the tests of the match runner: `behaves MODE [PIDFILE]`. In mode `well` it answers at
// once with some legal move; every other mode does one thing wrong, from its third move on where it concerns
// moves. With a PIDFILE it notes its process there.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "games/words.h"

#ifdef _WIN32 // the nearest it has
#define SIGKILL SIGABRT
#define SIGHUP SIGTERM
#define pause() os_sleep_ms(1000)
#endif

typedef struct Behaviour {
    Position pos;
    int moves; // answered so far
    i64 time_ms;
    const char *mode;
} Behaviour;

enum { GOOD_MOVES = 2 };

static bool is_mode(const Behaviour *state, const char *mode) { return strcmp(state->mode, mode) == 0; }

static void say(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

// ---- the position -------------------------------------------------------------------------------
static void see_position(Behaviour *state, Span rest)
{
    Rules rules = rules_default();
    Message error;
    Span word = span_word(&rest), text = span_of(GAME_START);
    if (span_is(word, PROTOCOL_WORDS.position)) {
        rest = span_trim(rest);
        text = rest;
        while (span_trim(rest).len && !span_starts(span_trim(rest), "moves"))
            span_word(&rest);
        text.len -= rest.len;
    }
    if (pos_set(&state->pos, span_trim(text), &rules, &error) == SET_REJECTED)
        exit(10);
    span_word(&rest);
    for (word = span_word(&rest); word.len; word = span_word(&rest)) {
        Move move = move_parse(&state->pos, word);
        Undo undo;
        if (move == MOVE_NONE)
            exit(11);
        pos_make(&state->pos, move, &undo, NULL);
    }
}

static void print_legal(Behaviour *state)
{
    Move list[MAX_MOVES];
    char text[MOVE_TEXT_MAX];
    int nb = (int)(gen_all(&state->pos, list) - list);
    Move move = nb ? list[hash_mix(pos_key(&state->pos)) % (u64)nb] : MOVE_NONE;
    move_print(&state->pos, move, text);
    int score = is_mode(state, "winning") ? 900 : is_mode(state, "losing") ? -900 : 12;
    printf("info depth 3 seldepth 4 score cp %d nodes 345 nps 1000 time 1 pv %s\nbestmove %s\n", score, text,
           text);
}

// ---- going wrong --------------------------------------------------------------------------------
static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

static void flood(void)
{
    for (;;)
        if (printf("info depth 1 score cp 1 nodes 1 string and so on and so on and so on\n") < 0)
            exit(12);
}

// True when the mode answered in its own way.
static bool misbehave(Behaviour *state)
{
    if (is_mode(state, "dies"))
        exit(3);
    if (is_mode(state, "signal"))
        raise(SIGKILL);
    if (is_mode(state, "illegal"))
        return printf("bestmove 1a1a\n"), true;
    if (is_mode(state, "none"))
        return printf("bestmove %s\n", PROTOCOL_WORDS.no_move), true;
    if (is_mode(state, "passes"))
        return printf("bestmove %s\n", PROTOCOL_WORDS.pass), true;
    if (is_mode(state, "empty"))
        return printf("bestmove\n"), true;
    if (is_mode(state, "flood"))
        flood();
    if (is_mode(state, "deaf"))
        sleep_for_ever();
    if (is_mode(state, "late"))
        os_sleep_ms(state->time_ms + 50);
    if (is_mode(state, "closes")) {
        fclose(stdout);
        sleep_for_ever();
    }
    if (is_mode(state, "bytes"))
        return fwrite("\1\2\3\0\377\n", 1, 6, stdout) == 6;
    if (is_mode(state, "babble"))
        return printf("I think, therefore\nI am\n") > 0;
    if (is_mode(state, "endless"))
        for (;;)
            say("no line ever ends here ");
    if (is_mode(state, "drips"))
        for (;;) {
            say("x");
            os_sleep_ms(1);
        }
    if (is_mode(state, "resigns"))
        return printf("bestmove resign\n"), true;
    if (is_mode(state, "declares"))
        return printf("bestmove win\n"), true;
    if (is_mode(state, "twice")) {
        print_legal(state);
        print_legal(state);
        return true;
    }
    if (is_mode(state, "again")) {
        print_legal(state);
        fflush(stdout);
        os_sleep_ms(20);
        return printf("bestmove %s\n", PROTOCOL_WORDS.no_move), true;
    }
    return false;
}

static void see_go(Behaviour *state, Span rest)
{
    state->time_ms = 0;
    for (Span word = span_word(&rest); word.len; word = span_word(&rest)) {
        i64 value;
        bool is_own = span_is(word, "movetime") || span_is(word, PROTOCOL_WORDS.time[pos_side(&state->pos)]);
        if (is_own && span_int(span_word(&rest), 0, INT32_MAX, &value))
            state->time_ms = value;
    }
    if (is_mode(state, "slow"))
        os_sleep_ms(40);
    if (state->moves++ < GOOD_MOVES || !misbehave(state))
        print_legal(state);
}

// ---- the conversation ---------------------------------------------------------------------------
static bool see_line(Behaviour *state, Span line)
{
    Span word = span_word(&line);
    if (span_is(word, PROTOCOL_WORDS.hello)) {
        if (is_mode(state, "mute"))
            sleep_for_ever();
        printf(
            "id name Behaves %s\nid author the tests\noption name %s type spin default 1 min 1 max 9\n%s\n",
            state->mode, PROTOCOL_WORDS.option[ROLE_HASH].name, PROTOCOL_WORDS.hello_ok);
    } else if (span_is(word, "isready")) {
        if (is_mode(state, "unready"))
            sleep_for_ever();
        printf("readyok\n");
    } else if (span_is(word, PROTOCOL_WORDS.new_game)) {
        // Ends before its second game: between games, where nobody is waiting for a move.
        if (is_mode(state, "once") && state->moves)
            exit(4);
    } else if (span_is(word, "position")) {
        see_position(state, line);
    } else if (span_is(word, "go")) {
        see_go(state, line);
    } else if (span_is(word, "quit") && !is_mode(state, "stubborn")) {
        return false;
    }
    fflush(stdout);
    return true;
}

int main(int argc, char **argv)
{
    Behaviour state = {.mode = argc > 1 ? argv[1] : "well"};
    Text line = {0};
    game_init();
    if (argc > 2) {
        FILE *file = fopen(argv[2], "a");
        if (file) {
            fprintf(file, "%d\n", (int)getpid());
            fclose(file);
        }
    }
    if (is_mode(&state, "stubborn")) {
        signal(SIGTERM, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
    }
    while (text_read_line(&line, stdin) && see_line(&state, text_span(&line)))
        ;
    if (is_mode(&state, "stubborn"))
        sleep_for_ever();
    text_free(&line);
    return 0;
}
