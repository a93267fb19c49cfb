// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of play: its options, and what the terminal can show.
#include <stdlib.h>

#include "base/cli.h"
#include "console/console.h"
#include "console/puzzles.h"
#include "games/notation.h"
#include "session/levels.h"
#include "session/phrases.h"

// What the command line says beyond the game itself.
typedef struct PlayLine {
    PlayOptions play;
    bool ascii, plain, chess960, dfrc, keeps_nothing;
} PlayLine;

// A time as people write it: "10m", "90s", "1h"; a bare number has the unit given. False when it is none.
static bool parse_time(Span text, double unit_s, double *seconds)
{
    static const char UNITS[] = "smh";
    const char *unit = text.len ? memchr(UNITS, text.ptr[text.len - 1], 3) : NULL;
    double value;
    if (unit) {
        text.len--;
        unit_s = *unit == 's' ? 1 : *unit == 'm' ? 60 : 3600;
    }
    if (!span_real(text, 0, 36000, &value) || value * unit_s > 36000)
        return false;
    *seconds = value * unit_s;
    return true;
}

// "5+3": minutes, and seconds added for each move; units may be named. A clock of seconds a move alone begins
// with those of one move.
static bool set_clock(void *line, const Span *value, Message *message)
{
    PlayOptions *options = &((PlayLine *)line)->play;
    const char *plus = memchr(value->ptr, '+', value->len);
    Span minutes = {value->ptr, plus ? (size_t)(plus - value->ptr) : value->len};
    Span seconds = plus ? span_of(plus + 1) : span_of("0");
    double base, inc;
    if (!parse_time(minutes, 60, &base) || !parse_time(seconds, 1, &inc) || inc > 600 ||
        (base < 0.6 && base > 0) || (base == 0 && inc < 0.01))
        return message_set(message,
                           "expected minutes and seconds a move, such as 5+3, or a time such as 10m, not "
                           "'%.40s'",
                           value->ptr);
    options->inc_ms = (i64)(inc * 1000);
    options->clock_ms = base > 0 ? (i64)(base * 1000 + 0.5) : options->inc_ms;
    return true;
}

static bool set_byoyomi(void *line, const Span *value, Message *message)
{
    double seconds;
    if (!parse_time(*value, 1, &seconds) || seconds < 0.1 || seconds > 3600)
        return message_set(message, "expected seconds, such as 30, not '%.40s'", value->ptr);
    ((PlayLine *)line)->play.byoyomi_ms = (i64)(seconds * 1000 + 0.5);
    return true;
}

static bool take_start(PlayLine *line, const char *prefix, Span name, Message *message)
{
    Rules rules = rules_default();
    char start[TEXT_MAX], *out = line->play.start_name;
    const size_t room = sizeof line->play.start_name, len = strlen(prefix);
    memcpy(out, prefix, len + 1);
    if (!span_copy(name, out + len, room - len))
        return message_set(message, "no start has such a long name");
    return start_by_name(span_of(out), &rules, start, message);
}

static bool set_start(void *line, const Span *value, Message *message)
{
    return take_start(line, "", *value, message);
}

static bool set_handicap(void *line, const Span *value, Message *message)
{
    return take_start(line, "handicap:", *value, message);
}

static bool set_side(void *line, const Span *value, Message *message)
{
    PlayOptions *options = &((PlayLine *)line)->play;
    Span side = *value;
    int named = -1;
    side_named(side, &named);
    bool first = named == 0, second = named == 1;
    bool both = span_is_nocase(side, "both"), none = span_is_nocase(side, "none");
    if (span_is_nocase(side, "random")) {
        Rng rng = {(u64)os_now_us()};
        first = rng_next(&rng) >> 63;
        second = !first;
    }
    if (!first && !second && !both && !none)
        return message_set(message, "expected %s, %s, random, both or none, not '%.40s'", side_words(NULL, 0),
                           side_words(NULL, 1), side.ptr);
    options->human[0] = first || both;
    options->human[1] = second || both;
    return true;
}

static bool add_option(void *line, const Span *value, Message *message)
{
    return option_list_add(&((PlayLine *)line)->play.engine, *value, message);
}

static bool set_level(void *line, const Span *value, Message *message)
{
    return levels_parse(*value, &((PlayLine *)line)->play.elo, message);
}

static const CliOption OPTIONS[] = {
    {"side", 's', CLI_CALL, 0, 0, 0, "SIDE",
     "which side you play: first, second, random, both, none, or its name", set_side},
    {"level", 'l', CLI_CALL, 0, 0, 0, "LEVEL", "how strong the engine plays: a name below, or an Elo number",
     set_level},
    {"elo", 'e', CLI_CALL, 0, 0, 0, "N", "the same, as a number", set_level},
    {"clock", 'c', CLI_CALL, 0, 0, 0, "M+S",
     "a clock for both: M minutes, and S seconds a move; or a time such as 10m", set_clock},
    {"byoyomi", 'b', CLI_CALL, 0, 0, 0, "S", "S seconds for each move once the clock has run out",
     set_byoyomi},
    {"time", 't', CLI_I64, offsetof(PlayLine, play.move_time_ms), 1, 3600000, "MS",
     "how long the engine thinks about a move", NULL},
    {"nodes", 'n', CLI_I64, offsetof(PlayLine, play.nodes), 1, 4e18, "N",
     "how many positions it looks at instead: at full strength the same game every time", NULL},
    {"seed", 0, CLI_I64, offsetof(PlayLine, play.level_seed), 0, SEED_MAX, "N",
     "what decides what a level plays, and random starts: the same game again (0: by time)", NULL},
    {"fen", 'f', CLI_TEXT, offsetof(PlayLine, play.position), 0, 0, "POSITION", "start from this position",
     NULL},
    {"sfen", 0, CLI_TEXT, offsetof(PlayLine, play.position), 0, 0, "POSITION", "the same", NULL},
    {"start", 0, CLI_CALL, 0, 0, 0, "NAME", "start from a position by its name, as the manual lists them",
     set_start},
    {"puzzles", 0, CLI_TEXT, offsetof(PlayLine, play.puzzles_path), 0, 0, "FILE",
     "ask the puzzles of a file, as analyse --puzzles writes them", NULL},
    {"no-keep", 0, CLI_SWITCH, offsetof(PlayLine, keeps_nothing), 0, 0, NULL,
     "keep nothing of the games in your data folder", NULL},
    {"hash", 0, CLI_INT, offsetof(PlayLine, play.hash_mb), 1, HASH_MB_MAX, "MB", "memory of the engine",
     NULL},
    {"threads", 0, CLI_INT, offsetof(PlayLine, play.threads), 1, THREADS_MAX, "N", "threads of the engine",
     NULL},
    {"option", 0, CLI_CALL, 0, 0, 0, "NAME=VALUE",
     "an option of the engine, as its protocol lists them; may be given again", add_option},
    {"ascii", 'a', CLI_SWITCH, offsetof(PlayLine, ascii), 0, 0, NULL,
     "letters for the pieces, even on a terminal that can do better", NULL},
    {"no-colour", 0, CLI_SWITCH, offsetof(PlayLine, plain), 0, 0, NULL,
     "no colours (also when NO_COLOR is set)", NULL},
};
// Where the game has them:
static const CliOption STARTS[] = {
    {"chess960", 0, CLI_SWITCH, offsetof(PlayLine, chess960), 0, 0, NULL,
     "Chess960: a start position by lot, or that of --fen", NULL},
    {"dfrc", 0, CLI_SWITCH, offsetof(PlayLine, dfrc), 0, 0, NULL,
     "double Chess960: each side's pieces drawn by themselves", NULL},
};

static const CliOption HANDICAPS[] = {
    {"handicap", 0, CLI_CALL, 0, 0, 0, "NAME",
     "the engine, or the second player, gives this: 2 to 8 or 10 pieces, lance, bishop, rook, ...",
     set_handicap},
};

static void print_levels(Text *out)
{
    text_add(out, "%s", said("Levels:"));
    for (int i = 0; i < levels_count(); i++) {
        Level level = levels_at(i);
        text_add(out, said(level.elo == LEVEL_FULL ? " %s" : " %s (%d),"), level_word(level), level.elo);
    }
}

bool console_has_colours(void)
{
    const char *no_color = getenv("NO_COLOR");
    return os_terminal_draws() && !(no_color && no_color[0]);
}

bool console_has_figures(void)
{
    // Japanese has no other signs for the men.
    return language() == LANGUAGE_JAPANESE || (os_terminal_draws() && os_terminal_is_utf8());
}

// What the terminal can show, and what is wanted of it.
static void choose_screen(PlayLine *line)
{
    const bool can_draw = os_terminal_draws();
    line->play.on_screen = os_is_terminal(1);
    line->play.prompt = os_is_terminal(0) && os_is_terminal(1);
    line->play.edits = line->play.prompt && can_draw;
    line->play.colour = !line->plain && console_has_colours();
    line->play.unicode = !line->ascii && console_has_figures();
}

bool play_read(int argc, char **argv, PlayOptions *options, FILE *out, FILE *err, int *code)
{
    CliTable tables[3] = {{OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0]}};
    int table_nb = 1;
    Rules rules = rules_default();
    char start[TEXT_MAX];
    if (start_random("chess960", &(Rng){1}, &rules, start))
        tables[table_nb++] = (CliTable){STARTS, sizeof STARTS / sizeof STARTS[0]};
    if (start_by_name(span_of("handicap:2"), &rules, start, NULL))
        tables[table_nb++] = (CliTable){HANDICAPS, sizeof HANDICAPS / sizeof HANDICAPS[0]};
    Text levels = {0};
    cli_choose_language(argc, argv);
    print_levels(&levels);
    const CliCommand command = {
        .name = "twofold-" GAME_NAME " play",
        .about = "Usage: twofold-" GAME_NAME " play [OPTIONS]\n"
                 "A game in the terminal. Type moves, or help for the commands.",
        .more = levels.ptr,
        .table = tables,
        .table_nb = table_nb,
        .out = out,
        .err = err,
        .speaks = true,
    };
    PlayLine line = {.play = play_options_default()};
    bool ok = cli_read(&command, argc, argv, &line, NULL, code);
    text_free(&levels);
    if (!ok)
        return false;
    choose_screen(&line);
    line.play.start = line.dfrc ? "dfrc" : line.chess960 ? "chess960" : NULL;
    line.play.seed = line.play.level_seed ? (u64)line.play.level_seed : (u64)os_now_us();
    line.play.keeps = !line.keeps_nothing;
    *options = line.play;
    return true;
}

int console_play_main(int argc, char **argv)
{
    PlayOptions options;
    int code;
    if (!play_read(argc, argv, &options, stdout, stderr, &code))
        return code;
    char folder[1024];
    const size_t room = sizeof folder - sizeof "/twofold";
    if (options.keeps && os_data_folder(folder, room)) {
        strcat(folder, "/twofold");
        options.folder = folder;
    }
    if (options.edits || !options.prompt) // else the console edits lines, and has its own way with Ctrl-C
        os_catch_interrupts();
    if (!options.puzzles_path)
        return play_run(os_input(), stdout, &options);
    code = puzzles_run(os_input(), stdout, stderr, &options);
    return os_interrupted() ? 128 + os_interrupted() : code;
}
