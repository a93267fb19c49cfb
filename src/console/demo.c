// SPDX-License-Identifier: GPL-3.0-or-later
// The demo: the engine thinks for a few seconds about one position and shows a person what it sees, a line
// per depth, and at the end what it would play, why it stopped, and how to use it with a graphical program.
#include <stdlib.h>

#include "base/cli.h"
#include "console/console.h"
#include "games/notation.h"
#include "games/words.h"

typedef struct Demo {
    Game game;
    bool is_terminal;
    int shown_depth;
} Demo;

// The line in the notation people use, at most `width` characters.
static void print_line(const Position *pos, const Move *moves, int move_nb, int width)
{
    Text line = {0};
    line_print_from(pos, moves, move_nb, (LineStyle){.is_human = true, .max_bytes = (size_t)width - 1},
                    &line);
    if (line.len)
        printf(" %s", line.ptr);
    text_free(&line);
}

static void print_score(int score, const Position *pos, char *out, size_t size)
{
    if (score_is_mate(score))
        snprintf(out, size, "%s%d", score > 0 ? "#" : "#-", abs(words_mate_shown(score_mate_plies(score))));
    else
        snprintf(out, size, "%+.2f", score_shown(score, pos) / 100.0);
}

static void on_line(void *context, const SearchLine *line)
{
    Demo *demo = context;
    if (line->bound != BOUND_EXACT || line->depth <= demo->shown_depth)
        return;
    demo->shown_depth = line->depth;
    char score[32];
    print_score(line->score, &demo->game.pos, score, sizeof score);
    double seconds = (double)line->time_ms / 1000.0,
           speed = (double)line->nodes / (double)max_i64(line->time_ms, 1);
    printf("%5d %8s %11llu %6.1fs %8.0fk/s ", line->depth, score, (unsigned long long)line->nodes, seconds,
           speed);
    print_line(&demo->game.pos, line->pv, line->pv_nb, max_int(os_terminal_width() - 46, 24));
    printf("\n");
    fflush(stdout);
}

static const char *reason_text(StopReason reason)
{
    switch (reason) {
    case STOP_TIME: return "its time was used up";
    case STOP_DEPTH: return "it had reached the greatest depth";
    case STOP_NODES: return "it had searched as many positions as it was allowed";
    case STOP_MATE: return "it had proved a mate";
    case STOP_ONE_MOVE: return "there is only one legal move";
    case STOP_DECLARED: return "it can declare the win";
    default: return "it was told to";
    }
}

static void print_end(const Demo *demo, const SearchResult *result)
{
    static const char *const SIDES[SIDE_NB] = SIDE_NAMES;
    char score[32], move[32];
    print_score(result->score, &demo->game.pos, score, sizeof score);
    move_print_human(&demo->game.pos, result->best, move);
    printf("\n%s should play %s (%s): ", SIDES[pos_side(&demo->game.pos)], move, score);
    print_line(&demo->game.pos, result->pv, result->pv_nb, 70);
    printf("\nIt stopped after %.1f seconds and %llu positions because %s.\n",
           (double)result->time_ms / 1000.0, (unsigned long long)result->nodes, reason_text(result->reason));
    printf("\nTo play against it, give a %s program (%s)\nthe file ./twofold-" GAME_NAME
           " as a new %s engine. ",
           PROTOCOL_WORDS.protocol, PROTOCOL_WORDS.guis, PROTOCOL_WORDS.protocol);
    printf("Or type ./twofold-" GAME_NAME " and then help.\n\n");
}

static int run_demo(const CliCommand *command, i64 ms)
{
    enum { DEMO_HASH_MB = 64 };
    Demo demo = {.is_terminal = os_is_terminal(1)};
    Rules rules = rules_default();
    Message message = {0};
    Text board = {0};
    SearchResult result = {0};
    Engine *engine = engine_new(DEMO_HASH_MB);
    bool ok = engine ? game_set(&demo.game, span_of(PROTOCOL_WORDS.demo), &rules, &message) != SET_REJECTED
                     : message_set(&message, "no memory");
    if (ok) {
        board_draw(&demo.game.pos, (BoardStyle){.colour = demo.is_terminal, .unicode = demo.is_terminal},
                   &board);
        printf("\ntwofold-" GAME_NAME ": %s\n\n%s\n", PROTOCOL_WORDS.demo_about, board.ptr ? board.ptr : "");
        printf("%5s %8s %11s %7s %11s  %s\n", "depth", "score", "positions", "time", "speed", "best line");
        Limits limits = {.move_time_ms = ms};
        SearchEvents listener = {.context = &demo, .line = on_line};
        ok = search_to_limits(engine, &demo.game, &limits, &listener, &result, &message);
    }
    if (ok)
        print_end(&demo, &result);
    engine_free(engine);
    game_free(&demo.game);
    text_free(&board);
    return ok ? EXIT_DONE : cli_failed(command, message.text);
}

int console_demo_main(int argc, char **argv)
{
    static const CliCommand COMMAND = {
        .name = "twofold-" GAME_NAME " demo",
        .about = "Usage: twofold-" GAME_NAME " demo [SECONDS]\n"
                 "Thinks about a position for a few seconds (4), for a person to watch.",
        .operand_max = 1,
    };
    double seconds = 4;
    CliFiles operands;
    int code;
    if (!cli_read(&COMMAND, argc, argv, NULL, &operands, &code))
        return code;
    if (operands.nb && !span_real(span_of(operands.path[0]), 0.01, 3600, &seconds)) {
        Message message;
        message_set(&message, "expected seconds from 0.01 to 3600, not '%.40s'", operands.path[0]);
        return cli_misused(&COMMAND, message.text);
    }
    return run_demo(&COMMAND, (i64)(seconds * 1000));
}
