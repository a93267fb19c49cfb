// SPDX-License-Identifier: GPL-3.0-or-later
// The demo: the engine thinks for a few seconds about one position and shows a person what it sees, a line
// per depth, and at the end what it would play, why it stopped, and how to use it with a graphical program.
#include <stdlib.h>

#include "base/cli.h"
#include "console/console.h"
#include "games/notation.h"
#include "games/words.h"
#include "session/phrases.h"

typedef struct Demo {
    Game game;
    bool is_terminal;
    int shown_depth;
} Demo;

// The line in the notation people use, at most `width` columns: a kanji has three bytes and takes two.
static void print_line(const Position *pos, const Move *moves, int move_nb, int width)
{
    Text line = {0};
    LineStyle style = language() == LANGUAGE_JAPANESE ? LINE_SPOKEN : (LineStyle){.is_human = true};
    style.max_bytes = language() == LANGUAGE_JAPANESE ? (size_t)width * 3 / 2 : (size_t)width - 1;
    line_print_from(pos, moves, move_nb, style, &line);
    if (line.len)
        printf(" %s", line.ptr);
    text_free(&line);
}

static void print_score(int score, const Position *pos, char *out, size_t size)
{
    if (language() == LANGUAGE_JAPANESE) {
        phrase_score_words(score, pos, out);
    } else if (score_is_mate(score))
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
    printf("%5d %*s%s %11llu %6.1fs %8.0fk/s ", line->depth, 8 - span_width(span_of(score)), "", score,
           (unsigned long long)line->nodes, seconds, speed);
    print_line(&demo->game.pos, line->pv, line->pv_nb, max_int(os_terminal_width() - 46, 24));
    printf("\n");
    fflush(stdout);
}

static void print_heads(void)
{
    static const struct {
        const char *word;
        int columns;
    } HEADS[] = {{"depth", 5}, {"score", 9}, {"positions", 12}, {"seconds", 8}, {"speed", 12}};
    for (size_t i = 0; i < sizeof HEADS / sizeof HEADS[0]; i++)
        printf("%*s%s", HEADS[i].columns - span_width(span_of(said(HEADS[i].word))), "", said(HEADS[i].word));
    printf("  %s\n", said("best line"));
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
    const Position *pos = &demo->game.pos;
    char score[PHRASE_MAX], move[MOVE_WORDS_MAX];
    print_score(result->score, pos, score, sizeof score);
    move_print_words(pos, MOVE_NONE, result->best, language(), move);
    printf(said("\n%s should play %s (%s): "), side_words(pos, pos_side(pos)), move, score);
    print_line(pos, result->pv, result->pv_nb, 70);
    printf(said("\nIt stopped after %.1f seconds and %llu positions because %s.\n"),
           (double)result->time_ms / 1000.0, (unsigned long long)result->nodes,
           said(reason_text(result->reason)));
    printf(said("\nTo play against it:        ./twofold-%s play\n"), GAME_NAME);
    printf(said("the same in your browser:  ./twofold-%s serve --open\n"), GAME_NAME);
    printf(said("to have a game judged:     ./twofold-%s analyse FILE\n"), GAME_NAME);
    printf(said("Or give a %s program (%s) the file\n./twofold-%s as a new engine.\n\n"),
           PROTOCOL_WORDS.protocol, said(PROTOCOL_WORDS.guis), GAME_NAME);
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
        board_draw(&demo.game.pos,
                   (BoardStyle){.colour = console_has_colours(), .unicode = console_has_figures()}, &board);
        printf("\ntwofold-" GAME_NAME ": %s\n\n%s\n", said(PROTOCOL_WORDS.demo_about),
               board.ptr ? board.ptr : "");
        print_heads();
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
        .speaks = true,
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
