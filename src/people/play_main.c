// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of play: its options, and what the terminal can show.
#include <stdlib.h>

#include "people/arguments.h"
#include "people/levels.h"
#include "people/people.h"
#include "people/words.h"

// "5+3": minutes, and seconds added for each move.
static bool parse_clock(const char *text, PlayOptions *options, Message *message)
{
    Span whole = span_of(text);
    const char *plus = memchr(whole.ptr, '+', whole.len);
    Span minutes = {whole.ptr, plus ? (size_t)(plus - whole.ptr) : whole.len};
    Span seconds = plus ? span_of(plus + 1) : span_of("0");
    double base, inc;
    if (!span_real(minutes, 0.01, 600, &base) || !span_real(seconds, 0, 600, &inc))
        return message_set(message, "--clock takes minutes and seconds a move, such as 5+3, not '%.40s'",
                           text);
    options->clock_ms = (i64)(base * 60000);
    options->inc_ms = (i64)(inc * 1000);
    return true;
}

static bool parse_side(const char *text, PlayOptions *options, Message *message)
{
    Span side = span_of(text);
    bool first = span_is_nocase(side, words_side(0)) || span_is_nocase(side, "first");
    bool second = span_is_nocase(side, words_side(1)) || span_is_nocase(side, "second");
    bool both = span_is_nocase(side, "both"), none = span_is_nocase(side, "none");
    if (span_is_nocase(side, "random")) {
        Rng rng = {(u64)os_now_us()};
        first = rng_next(&rng) >> 63;
        second = !first;
    }
    if (!first && !second && !both && !none)
        return message_set(message, "--side takes %s, %s, random, both or none, not '%.40s'", words_side(0),
                           words_side(1), text);
    options->human[0] = first || both;
    options->human[1] = second || both;
    return true;
}

static bool locale_is_utf8(void)
{
    static const char *const NAMES[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(NAMES[i]);
        if (value && value[0])
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8") ||
                   strstr(value, "UTF8");
    }
    return false;
}

static void print_help(const Argument *table, int table_nb)
{
    Text text = {0};
    text_add(&text, "Usage: twofold-" GAME_NAME " play [OPTIONS]\n"
                    "A game in the terminal. Type moves, or help for the commands.\n\n"
                    "Options:\n");
    arguments_help(table, table_nb, &text);
    text_add(&text, "\nLevels:");
    for (int i = 0; i < levels_count(); i++) {
        Level level = levels_at(i);
        text_add(&text, level.elo == LEVEL_FULL ? " %s" : " %s (%d),", level.name, level.elo);
    }
    fwrite(text.ptr, 1, text.len, stdout);
    fputc('\n', stdout);
    text_free(&text);
}

int people_play_main(int argc, char **argv)
{
    PlayOptions options = play_options_default();
    const char *side = NULL, *level = NULL, *elo = NULL, *clock = NULL;
    bool ascii = false, plain = false, help = false, chess960 = false, dfrc = false;
    i64 nodes = 0, time_ms = options.move_time_ms, hash_mb = options.hash_mb, threads = options.threads;
    const Argument table[] = {
        {"side", 's', ARGUMENT_TEXT, &side, "SIDE",
         "which side you play: first, second, random, both, none, or its name", 0, 0},
        {"level", 'l', ARGUMENT_TEXT, &level, "LEVEL",
         "how strong the engine plays: a name below, or an Elo number", 0, 0},
        {"elo", 'e', ARGUMENT_TEXT, &elo, "N", "the same, as a number", 0, 0},
        {"clock", 'c', ARGUMENT_TEXT, &clock, "M+S", "a clock for both: M minutes, and S seconds a move", 0,
         0},
        {"time", 't', ARGUMENT_INT, &time_ms, "MS", "how long the engine thinks about a move (1000)", 1,
         3600000},
        {"nodes", 'n', ARGUMENT_INT, &nodes, "N",
         "how many positions it looks at instead: the same game every time", 1, INT64_MAX / 2},
        {"fen", 'f', ARGUMENT_TEXT, &options.position, "POSITION", "start from this position", 0, 0},
        {"sfen", 0, ARGUMENT_TEXT, &options.position, "POSITION", "the same", 0, 0},
        {"hash", 0, ARGUMENT_INT, &hash_mb, "MB", "memory of the engine (64)", 1, 1 << 20},
        {"threads", 0, ARGUMENT_INT, &threads, "N", "threads of the engine (1)", 1, 1024},
        {"ascii", 'a', ARGUMENT_FLAG, &ascii, NULL,
         "letters for the pieces, even on a terminal that can do better", 0, 0},
        {"no-colour", 0, ARGUMENT_FLAG, &plain, NULL, "no colours (also when NO_COLOR is set)", 0, 0},
        {"help", 'h', ARGUMENT_FLAG, &help, NULL, "this text", 0, 0},
        // Where the game has them:
        {"chess960", 0, ARGUMENT_FLAG, &chess960, NULL, "Chess960: a start position by lot, or that of --fen",
         0, 0},
        {"dfrc", 0, ARGUMENT_FLAG, &dfrc, NULL, "double Chess960: each side's pieces drawn by themselves", 0,
         0},
    };
    Rules rules;
    char start[TEXT_MAX];
    bool has_starts = start_random("chess960", &(Rng){1}, &rules, start);
    const int table_nb = (int)(sizeof table / sizeof table[0]) - (has_starts ? 0 : 2);
    Message message = {0};
    int operand_nb;
    bool ok = arguments_read(table, table_nb, argc, argv, NULL, 0, &operand_nb, &message);
    if (ok && help) {
        print_help(table, table_nb);
        return 0;
    }
    ok = ok && (!side || parse_side(side, &options, &message)) &&
         (!clock || parse_clock(clock, &options, &message));
    ok = ok && (!level || levels_parse(span_of(level), &options.elo, &message));
    ok = ok && (!elo || levels_parse(span_of(elo), &options.elo, &message));
    if (!ok) {
        fprintf(stderr, "twofold-" GAME_NAME " play: %s\nTry --help.\n", message.text);
        return 2;
    }
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool can_draw = os_is_terminal(1) && !(terminal && strcmp(terminal, "dumb") == 0);
    options.on_screen = os_is_terminal(1);
    options.prompt = os_is_terminal(0) && os_is_terminal(1);
    options.colour = can_draw && !plain && !(no_color && no_color[0]);
    options.unicode = can_draw && !ascii && locale_is_utf8();
    options.start = dfrc ? "dfrc" : chess960 ? "chess960" : NULL;
    options.seed = (u64)os_now_us();
    options.nodes = (u64)nodes;
    options.move_time_ms = time_ms;
    options.hash_mb = (int)hash_mb;
    options.threads = (int)threads;
    return play_run(stdin, stdout, &options);
}
