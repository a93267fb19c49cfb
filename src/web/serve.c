// SPDX-License-Identifier: GPL-3.0-or-later
// The `serve` command: a board in the browser of this machine, on this engine. Reads the command line, tells
// the address, starts a browser if it is asked to, and prints what the server has to say, one line each.
#include "base/cli.h"
#include "base/language.h"
#include "game.h"
#include "session/options.h"
#include "web/server.h"
#include "web/web.h"

// A browser keeps what a page stores by its port: each game has one of its own, the same every time.
enum { DEFAULT_PORT = 28000 + SQUARE_NB };

typedef struct ServeOptions {
    int port; // -1: the usual one, or another when that is taken
    bool opens;
    int tabs, hash_mb, threads; // threads 0: what the tabs have in any case, and one for each further core
    OptionList engine;
} ServeOptions;

static bool add_option(void *options, const Span *value, Message *message)
{
    return option_list_add(&((ServeOptions *)options)->engine, *value, message);
}

static const CliOption ROWS[] = {
    {"port", 'p', CLI_INT, offsetof(ServeOptions, port), 0, 65535, "N",
     "the port (0: any that is free; without this the game's own, or a free one when that is taken)", NULL},
    {"open", 'o', CLI_SWITCH, offsetof(ServeOptions, opens), 0, 0, NULL, "show the page in your browser",
     NULL},
    {"tabs", 0, CLI_INT, offsetof(ServeOptions, tabs), 1, TABS_MAX, "N",
     "how many tabs may have an engine at a time", NULL},
    {"hash", 0, CLI_INT, offsetof(ServeOptions, hash_mb), 1, HASH_MB_MAX, "MB",
     "memory for the tables of all tabs together", NULL},
    {"threads", 't', CLI_INT, offsetof(ServeOptions, threads), 1, THREADS_MAX, "N",
     "search threads of all tabs together (one for each tab, and one more for each further core)", NULL},
    {"option", 0, CLI_CALL, 0, 0, 0, "NAME=VALUE",
     "an option of the engine in every tab: book, tables, network, hash, threads", add_option},
};

static const CliTable TABLE = {ROWS, sizeof ROWS / sizeof ROWS[0]};

static const CliCommand COMMAND = {
    .name = "twofold-" GAME_NAME " serve",
    .speaks = true,
    .about = "Serves a page for browsers on this machine: play, analyse and review games on this engine.",
    .more =
        "Prints the address of the page, which holds a secret: only who knows it can use the engine. Ctrl-C\n"
        "ends the server.",
    .table = &TABLE,
    .table_nb = 1,
};

static void say(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
    fflush(stdout);
}

static void show_in_browser(const char *address)
{
    Message error = {{0}};
    const char *opener = NULL;
    if (os_open_address(address, &opener, &error))
        printf(said("shown in the browser (%s)\n"), opener);
    else
        printf(said("%s: open the address by hand\n"), error.text);
    fflush(stdout);
}

// What the options tell, as of the endgame tables they found.
static void tell_note(void *context, const char *text)
{
    (void)context;
    printf(said("note: %s\n"), text);
}

// Tries the options of the command line in a session of its own, so that a wrong one is told here and not to
// a page, and sees what each tab will have of hash and threads. False with a message.
static bool try_options(const OptionList *engine, TabShare *share, Message *message)
{
    Session session;
    if (!engine->nb)
        return true;
    message_set(message, "not enough memory");
    bool ok = session_init(&session);
    session.events.note = tell_note;
    ok = ok && option_set_number(&session, "Hash", share->hash_mb, message) &&
         option_list_set(&session, engine, message);
    if (ok)
        *share = (TabShare){session.settings.hash_mb, session.settings.threads, engine};
    session_free(&session);
    return ok;
}

static int serve(const ServeOptions *options)
{
    Server server;
    ServerOptions wanted = server_defaults();
    Message error = {{0}};
    Text address = {0};
    wanted.may_use_another = options->port < 0;
    wanted.port = options->port < 0 ? DEFAULT_PORT : options->port;
    wanted.tab_max = options->tabs;
    wanted.hash_mb = options->hash_mb;
    wanted.log = (ServeLog){.say = say};
    if (!try_options(&options->engine, &wanted.share, &error))
        return cli_misused(&COMMAND, error.text);
    wanted.threads =
        options->threads ? options->threads : options->tabs * wanted.share.threads + os_core_count() - 1;
    os_catch_interrupts();
    bool ok = server_open(&server, &wanted, &error);
    if (ok) {
        server_address(&server, &address);
        if (wanted.may_use_another && server.guard.port != DEFAULT_PORT)
            printf(said("port %d is taken: using %d\n"), DEFAULT_PORT, server.guard.port);
        printf(said("the board is at %s\n"), address.ptr);
        printf("%s", said("Ctrl-C ends the server\n"));
        fflush(stdout);
        if (options->opens)
            show_in_browser(address.ptr);
        server_run(&server);
    }
    server_free(&server);
    text_free(&address);
    if (!ok)
        return cli_failed(&COMMAND, error.text);
    printf("%s", said("the server has ended\n"));
    return EXIT_DONE;
}

int web_serve_main(int argc, char **argv)
{
    ServerOptions usual = server_defaults();
    ServeOptions options = {.port = -1, .tabs = usual.tab_max, .hash_mb = usual.hash_mb};
    int code;
    if (!cli_read(&COMMAND, argc, argv, &options, NULL, &code))
        return code;
    if (!os_can(OS_SOCKETS) || !os_can(OS_THREADS))
        return cli_failed(&COMMAND, "this system has no sockets or no threads");
    return serve(&options);
}
