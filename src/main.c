// SPDX-License-Identifier: GPL-3.0-or-later
// The program: every init call in order, then one subcommand. Without one, or with a command of the protocol,
// the protocol loop. The only place that ends the program, by returning.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "arena/arena.h"
#include "base/cli.h"
#include "base/language.h"
#include "cluster/cluster.h"
#include "console/console.h"
#include "game.h"
#include "merge.h"
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
    {"merge", merge_main, "join what machines made of the shares of a job (--shard)"},
    {"json", web_json_main, "the engine for programs: requests and answers as lines of JSON"},
    {"demo", console_demo_main, "think a few seconds about a position, for a person to watch"},
};
enum { SUBCOMMAND_NB = sizeof SUBCOMMANDS / sizeof SUBCOMMANDS[0] };

// What each word in front of the list does, then the subcommands.
static int print_help(void)
{
    printf("twofold-" GAME_NAME " " TWOFOLD_VERSION "\n\n");
    printf("  twofold-" GAME_NAME " %-15s %s\n", "",
           said("serve a graphical program or a person on standard input"));
    printf("  twofold-" GAME_NAME " %-15s %s\n", "COMMAND ...",
           said("run one command of that prompt (bench, perft 5, help, ...)"));
    for (int i = 0; i < SUBCOMMAND_NB; i++)
        if (SUBCOMMANDS[i].help)
            printf("  twofold-" GAME_NAME " %-15s %s\n", SUBCOMMANDS[i].name, said(SUBCOMMANDS[i].help));
    printf("\n%s\n", said("Every subcommand answers to --help."));
    return 0;
}

// "--help --lang ja", "--lang=ja --help": in that language, else in the system's.
static bool wants_help(int argc, char **argv)
{
    static const CliCommand NO_COMMAND = {.name = "twofold-" GAME_NAME, .speaks = true};
    bool is_asked;
    Message message;
    if (!cli_parse(&NO_COMMAND, argc, argv, NULL, NULL, &is_asked, &message) || !is_asked)
        return false;
    cli_choose_language(argc, argv);
    return true;
}

static const Subcommand *subcommand_named(const char *name)
{
    for (int i = 0; i < SUBCOMMAND_NB; i++)
        if (strcmp(name, SUBCOMMANDS[i].name) == 0)
            return &SUBCOMMANDS[i];
    return NULL;
}

// "--lang ja" in front of a command of ours is moved behind its name, where it is read; in front of anything
// else it is taken away, for the protocol speaks its own words. False after a sentence on a language that
// there is not; else the language of the line, or the system's.
static bool place_language(int *argc, char **argv, Language *wanted)
{
    const bool is_word = *argc > 2 && strcmp(argv[1], "--lang") == 0,
               is_joined = *argc > 1 && strncmp(argv[1], "--lang=", 7) == 0;
    *wanted = language_of_environment();
    if (!is_word && !is_joined)
        return true;
    const int words = is_word ? 2 : 1;
    const char *name = is_word ? argv[2] : argv[1] + 7;
    char *next = argv[words + 1];
    if (!language_named(span_of(name), wanted)) {
        Message message;
        language_set(*wanted);
        message_set(&message, "--lang takes en or ja, not '%.60s'", name);
        fprintf(stderr, "twofold-" GAME_NAME ": %s\n", message.text);
        return false;
    }
    if (next && subcommand_named(next)) {
        memmove(argv + 2, argv + 1, (size_t)words * sizeof *argv);
        argv[1] = next;
    } else { // with the NULL at the end
        memmove(argv + 1, argv + 1 + words, (size_t)(*argc - words) * sizeof *argv);
        *argc -= words;
    }
    return true;
}

// The protocol at rank 0, whose searches are those of all ranks.
static int search_over_ranks(int argc, char **argv)
{
    const Transport *transport = transport_of_run();
    Message message;
    if (transport->rank > 0)
        return peers_serve(transport);
    Peers *peers = peers_open(transport, &message);
    if (!peers) {
        fprintf(stderr, "twofold-" GAME_NAME ": %s\n", message.text);
        return EXIT_FAILURE;
    }
    int code = protocol_main(argc, argv, peers);
    peers_close(peers);
    return code;
}

static int run(int argc, char **argv)
{
    Language asked;
    if (wants_help(argc, argv))
        return print_help();
    if (!place_language(&argc, argv, &asked))
        return EXIT_USAGE;
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        argv[1] = "version";
    if (arena_is_genfens(argc - 1, argv + 1)) { // a testing framework: "genfens 8 seed 1 book None" "quit"
        language_set(asked);                    // for mistakes: positions have no language
        return arena_genfens_main(argc - 1, argv + 1);
    }
    const Subcommand *subcommand = argc > 1 ? subcommand_named(argv[1]) : NULL;
    if (subcommand)
        return subcommand->run(argc - 1, argv + 1);
    if (argc == 1 && os_is_double_clicked())
        return web_serve_main(2, (char *[]){"serve", "--open", NULL});
    if (argc == 1 && transport_of_run()->size > 1)
        return search_over_ranks(argc, argv);
    if (argc > 1 && !protocol_has_command(argv[1]))
        language_set(asked); // a person's mistake, which is all that is told
    return protocol_main(argc, argv, NULL);
}

// The code to end with, after everything that was printed has arrived.
static int finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (!os_is_reader_gone()) { // whoever closed the pipe knows
        Message message;
        message_set(&message, "cannot write to standard output: %s", said(strerror(errno)));
        fprintf(stderr, "twofold-" GAME_NAME ": %s\n", message.text);
    }
    return code ? code : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    ClusterRun cluster;
    Message message;
    os_start(&argc, &argv);
    os_ignore_broken_pipes();
    if (!cluster_open(&cluster, &argc, argv, &message)) {
        fprintf(stderr, "twofold-" GAME_NAME ": %s\n", message.text);
        return EXIT_USAGE;
    }
    transport_set_of_run(cluster.transport);
    game_init();
    disk_use_maps(true);
    int code = finish(cluster_wait(&cluster) ? run(argc, argv) : EXIT_SUCCESS);
    cluster_close(&cluster, code);
    return code;
}
