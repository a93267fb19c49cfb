// SPDX-License-Identifier: GPL-3.0-or-later
// The program: every init call in order, then one subcommand. Without one, or with a command of the protocol,
// the protocol loop. The only place that ends the program, by returning.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "arena/arena.h"
#include "console/console.h"
#include "game.h"
#include "protocol/protocol.h"
#include "train/train.h"
#include "web/web.h"

typedef struct Subcommand {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} Subcommand;

static const Subcommand SUBCOMMANDS[] = {
    {"play", console_play_main, "a game in the terminal"},
    {"serve", web_serve_main, "a board in the browser: play, analyse, review"},
    {"analyse", analysis_main, "judge the moves of a file of games, or solve a file of positions"},
    {"analyze", analysis_main, NULL}, // the other spelling
    {"book", console_book_main, "make an opening book from games, or look into one"},
    {"match", arena_match_main, "play programs against each other, with statistics"},
    {"tune", arena_tune_main, "tune the search by games against itself (a build with TUNE=1)"},
    {"ablate", arena_ablate_main, "what each technique of the search is worth (a build with TUNE=1)"},
    {"datagen", train_datagen_main, "self-play games for training"},
    {"data", train_data_main, "look after the files of games"},
    {"train", train_train_main, "learn a network from them"},
    {"json", web_json_main, "the engine for programs: requests and answers as lines of JSON"},
    {"demo", console_demo_main, "think a few seconds about a position, for a person to watch"},
};
enum { SUBCOMMAND_NB = sizeof SUBCOMMANDS / sizeof SUBCOMMANDS[0] };

static int print_help(void)
{
    printf("twofold-" GAME_NAME " " TWOFOLD_VERSION "\n\n"
           "  twofold-" GAME_NAME "                 serve a graphical program or a person on standard input\n"
           "  twofold-" GAME_NAME
           " COMMAND ...     run one command of that prompt (bench, perft 5, help, ...)\n");
    for (int i = 0; i < SUBCOMMAND_NB; i++)
        if (SUBCOMMANDS[i].help)
            printf("  twofold-" GAME_NAME " %-15s %s\n", SUBCOMMANDS[i].name, SUBCOMMANDS[i].help);
    printf("\nEvery subcommand answers to --help.\n");
    return 0;
}

static int run(int argc, char **argv)
{
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return print_help();
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        argv[1] = "version";
    for (int i = 0; argc > 1 && i < SUBCOMMAND_NB; i++)
        if (strcmp(argv[1], SUBCOMMANDS[i].name) == 0)
            return SUBCOMMANDS[i].run(argc - 1, argv + 1);
    return protocol_main(argc, argv);
}

int main(int argc, char **argv)
{
    os_ignore_broken_pipes();
    game_init();
    disk_use_maps(true);
    int code = run(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (errno != EPIPE) // whoever closed the pipe knows
        fprintf(stderr, "twofold-" GAME_NAME ": cannot write to standard output: %s\n", strerror(errno));
    return code ? code : EXIT_FAILURE;
}
