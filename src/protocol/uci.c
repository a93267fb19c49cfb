// SPDX-License-Identifier: GPL-3.0-or-later
// The loop itself: the command table, the reader that never blocks, and the player that takes the jobs in
// order. The reader routes by the flags of the command alone; what a command means is decided when it runs.
#include "protocol/uci.h"

#include <stdlib.h>

#include "base/language.h"
#include "protocol/bench.h"
#include "protocol/commands.h"
#include "protocol/counters.h"
#include "protocol/protocol.h"
#include "protocol/show.h"

// ---- the table ----------------------------------------------------------------------------------
// stop, quit and gameover are the reader's own: they change what is queued.
static void command_nothing(Protocol *protocol, Job *job, Span arguments)
{
    (void)protocol, (void)job, (void)arguments;
}

enum { HELLO_ROW, STOP_ROW, QUIT_ROW, GAME_OVER_ROW, NEW_GAME_ROW };
static const Command COMMANDS[] = {
    // The names of the dialect's words are filled in by command_name.
    [HELLO_ROW] = {NULL, command_hello, COMMAND_STANDARD | COMMAND_ANSWERED, "",
                   "who this is and its options"},
    [STOP_ROW] = {"stop", command_nothing, COMMAND_STANDARD | COMMAND_NOW, "",
                  "end the search and answer with the best move"},
    [QUIT_ROW] = {"quit", command_nothing, COMMAND_STANDARD | COMMAND_NOW, "", "end the program"},
    [GAME_OVER_ROW] = {NULL, command_nothing, COMMAND_STANDARD | COMMAND_NOW, "win|lose|draw",
                       "the game has ended: stop"},
    [NEW_GAME_ROW] = {NULL, command_new_game, COMMAND_STANDARD, "",
                      "forget everything learned in the last game"},
    {"isready", command_isready, COMMAND_STANDARD | COMMAND_ANSWERED, "", "answered by readyok, at any time"},
    {"setoption", command_setoption, COMMAND_STANDARD, "name NAME [value VALUE]", "change an option"},
    {"position", command_position, COMMAND_STANDARD, "startpos|TEXT [moves M...]",
     "set up a position and play moves"},
    {"go", command_go, COMMAND_STANDARD | COMMAND_LONG | COMMAND_SEARCH,
     "[depth N] [nodes N] [movetime MS] [infinite] [perft N] ...", "think and answer with bestmove"},
    {"ponderhit", command_ponderhit, COMMAND_STANDARD | COMMAND_NOW, "[clocks]",
     "the expected move was played"},
    {"debug", command_debug, COMMAND_STANDARD | COMMAND_NOW, "on|off",
     "show the search's counters after each search"},
    {"d", command_show, 0, "", "draw the board"},
    {"eval", command_eval, 0, "", "what the evaluation thinks of the position, piece by piece"},
    {"moves", command_moves, 0, "", "list the legal moves"},
    {"flip", command_flip, 0, "", "exchange the sides"},
    {"perft", command_perft, COMMAND_LONG, "N", "count the positions N plies deep, by first move"},
    {"bench", command_bench, COMMAND_LONG, "[depth] [threads] [hash MB]",
     "search a fixed set of positions and count"},
    {"threat", command_threat, COMMAND_LONG | COMMAND_SEARCH, "[depth N] [nodes N] [movetime MS]",
     "what the opponent would do if it were his move"},
    {"exclude", command_exclude, 0, "[clear] [M...]", "leave these moves out of every search, until cleared"},
    {"hash", command_hash, 0, "save|load FILE", "keep the table of an analysis"},
    {"qstats", command_qstats, 0, "", "counters of the quiescence search, of the last search"},
    {"help", command_help, 0, "", "this list"},
    {"version", command_version, 0, "", "version, compiler and vector instructions"},
    {"compiler", command_version, 0, NULL, NULL},
    {"json", command_json, COMMAND_NOW, NULL, NULL},
};
enum { COMMAND_NB = sizeof COMMANDS / sizeof COMMANDS[0] };

const Command *command_table(int *count)
{
    *count = COMMAND_NB;
    return COMMANDS;
}

const char *command_name(int row)
{
    switch (row) {
    case HELLO_ROW: return PROTOCOL_WORDS.hello;
    case GAME_OVER_ROW: return PROTOCOL_WORDS.game_over;
    case NEW_GAME_ROW: return PROTOCOL_WORDS.new_game;
    default: return COMMANDS[row].name;
    }
}

static const Command *find_command(Span word, int flags)
{
    for (int i = 0; i < COMMAND_NB; i++) {
        const char *name = command_name(i);
        if (name && span_is(word, name) && (COMMANDS[i].flags & flags) == flags)
            return &COMMANDS[i];
    }
    return NULL;
}

// The command of a line and its arguments. Unknown words before a command of the protocol are skipped. NULL:
// there is none.
static const Command *parse_line(Span line, Span *arguments)
{
    Span rest = line;
    const Command *command = find_command(span_word(&rest), 0);
    for (Span word; !command && (word = span_word(&rest)).len;)
        command = find_command(word, COMMAND_STANDARD);
    *arguments = rest;
    return command;
}

// Is it one of the commands for people, which have a terminal to themselves?
static bool is_for_people(Span word)
{
    static const char *const NAMES[] = {"play", "analyse", "analyze", "serve", "book", "demo"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (span_is(word, NAMES[i]))
            return true;
    return false;
}

static void complain(Protocol *protocol, Span line)
{
    Span rest = line = span_trim(line), word = span_word(&rest);
    if (is_for_people(word))
        refuse(&protocol->out,
               "%.*s is no command of this prompt: type quit, then twofold-" GAME_NAME " %.*s", (int)word.len,
               word.ptr, (int)word.len, word.ptr);
    else if (line.len)
        refuse(&protocol->out,
               protocol->out.is_command_line ? said("unknown command '%.*s'%s: --help for a list")
                                             : "unknown command '%.*s'%s: type help for a list",
               line.len > 64 ? 64 : (int)line.len, line.ptr, line.len > 64 ? "..." : "");
}

// ---- jobs ---------------------------------------------------------------------------------------
static void job_free(QueueJob *head)
{
    Job *job = (Job *)head;
    if (job->asked) {
        control_free(&job->asked->control);
        go_free(&job->asked->request);
        free(job->asked);
    }
    text_free(&job->line);
    free(job);
}

static void job_run(void *protocol, QueueJob *head)
{
    Job *job = (Job *)head;
    job->command->run(protocol, job, job->arguments);
}

// Reads the words of a go or threat. A go without any limit is infinite; threat ends by itself whatever it is
// told.
static void read_request(Job *job, u64 node_cap)
{
    GoRequest *request = &job->asked->request;
    Limits *limits = &request->limits;
    go_parse(job->arguments, request, &job->asked->complaint);
    if (request->is_perft)
        job->head.flags &= ~COMMAND_SEARCH; // go perft has no bestmove and is counted to its end
    if (!request->has_limit && !limits->ponder)
        limits->infinite = true;
    if (request->solve_mate) { // the solver answers when it is done, or its time is over
        limits->infinite = request->mate_ms == 0;
        limits->ponder = false;
    }
    if (job->command->run == command_threat || node_cap)
        limits->infinite = limits->ponder = false;
}

static Job *job_new(const Protocol *protocol, Span line)
{
    i64 arrived_us = os_now_us();
    Job *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    text_add_bytes(&job->line, line.ptr, line.len);
    job->command = job->line.failed ? NULL : parse_line(text_span(&job->line), &job->arguments);
    job->head = (QueueJob){.flags = job->command ? job->command->flags : 0, .run = job_run, .free = job_free};
    const bool is_long = job->head.flags & COMMAND_LONG;
    if (is_long)
        job->asked = calloc(1, sizeof *job->asked);
    if (job->line.failed || (is_long && !job->asked)) {
        job_free(&job->head);
        return NULL;
    }
    if (job->head.flags & COMMAND_SEARCH)
        read_request(job, protocol->session.node_cap);
    if (job->asked) {
        control_init(&job->asked->control, &job->asked->request.limits, arrived_us);
        job->head.control = &job->asked->control;
    }
    return job;
}

void job_answers(Protocol *protocol) { queue_answers(&protocol->queue); }

void protocol_ponder_hit(Protocol *protocol, Span clocks)
{
    GoRequest hit;
    Message ignored;
    go_parse(clocks, &hit, &ignored);
    queue_ponderhit(&protocol->queue, hit.has_clock ? &hit.limits.clocks : NULL);
    go_free(&hit);
}

// ---- the reader: takes lines and routes them ----------------------------------------------------
// A person's command behind a search that only a stop ends would wait without a word.
static bool waits_for_stop(Protocol *protocol, const Job *job)
{
    return !(job->head.flags & (COMMAND_STANDARD | COMMAND_SEARCH)) && queue_has_endless(&protocol->queue);
}

// Runs what is for the reader at once, and queues the rest.
static void route(Protocol *protocol, Job *job)
{
    const Command *command = job->command;
    Queue *queue = &protocol->queue;
    bool now = (command->flags & COMMAND_NOW) ||
               ((command->flags & COMMAND_ANSWERED) && queue_has(queue, COMMAND_LONG));
    if (command == &COMMANDS[STOP_ROW] || command == &COMMANDS[GAME_OVER_ROW])
        queue_stop(queue, COMMAND_LONG);
    if (now) {
        command->run(protocol, NULL, job->arguments);
        job_free(&job->head);
        return;
    }
    bool waits = waits_for_stop(protocol, job);
    if (job->head.flags & COMMAND_SEARCH) // a new search ends the ones before it, each with its answer
        queue_stop(queue, COMMAND_SEARCH);
    queue_add(queue, &job->head);
    if (waits)
        say_info(&protocol->out, "%s: waits until the search is stopped", command->name);
}

bool protocol_take(Protocol *protocol, Span line)
{
    Job *job = job_new(protocol, line);
    if (!job) {
        say_info(&protocol->out, "no memory for a line of %zu bytes", line.len);
        return true;
    }
    if (!job->command) {
        complain(protocol, line);
        job_free(&job->head);
        return true;
    }
    bool is_quit = job->command == &COMMANDS[QUIT_ROW];
    route(protocol, job);
    return !is_quit;
}

void protocol_run_line(Protocol *protocol, Span line)
{
    Job *job = job_new(protocol, line);
    if (!job)
        return;
    if (job->command)
        job->command->run(protocol, job, job->arguments);
    else
        complain(protocol, line);
    job_free(&job->head);
}

// No more jobs come. Searches end with their answer; other long work (perft, bench) is finished unless it is
// cut short.
static void end_jobs(Protocol *protocol, bool cut_short)
{
    queue_stop(&protocol->queue, cut_short ? COMMAND_LONG : COMMAND_SEARCH);
    queue_end(&protocol->queue);
}

enum { LINE_MAX_BYTES = 64 << 20 };

// Takes the complete lines off the front of the buffer. False after quit.
static bool take_lines(Protocol *protocol, Text *buffer, size_t new_from, bool is_end, bool *skipping)
{
    size_t begin = 0;
    bool go_on = true;
    for (size_t i = new_from; go_on && i < buffer->len; i++) {
        if (buffer->ptr[i] != '\n')
            continue;
        if (!*skipping)
            go_on = protocol_take(protocol, (Span){buffer->ptr + begin, i - begin});
        *skipping = false;
        begin = i + 1;
    }
    if (go_on && is_end && begin < buffer->len && !*skipping) {
        go_on = protocol_take(protocol, (Span){buffer->ptr + begin, buffer->len - begin});
        begin = buffer->len;
    }
    size_t rest = buffer->len - begin;
    if (rest > LINE_MAX_BYTES || buffer->failed) {
        if (!*skipping)
            say_info(&protocol->out, "a line of more than %d MB is ignored", LINE_MAX_BYTES >> 20);
        *skipping = true;
        rest = 0;
    }
    if (rest)
        memmove(buffer->ptr, buffer->ptr + begin, rest);
    buffer->len = rest;
    buffer->failed = false;
    return go_on;
}

static void read_input(Protocol *protocol)
{
    Text buffer = {0};
    char *chunk = malloc(1 << 16);
    bool skipping = false, go_on = chunk != NULL, output_gone = false;
    while (go_on) {
        int got = os_read_input(chunk, 1 << 16);
        output_gone = got < 0 || atomic_load(&protocol->out.broken);
        size_t old = buffer.len;
        if (got > 0)
            text_add_bytes(&buffer, chunk, (size_t)got);
        go_on = !output_gone && take_lines(protocol, &buffer, old, got == 0, &skipping) && got > 0;
    }
    free(chunk);
    text_free(&buffer);
    end_jobs(protocol, output_gone || os_is_terminal(0));
}

// ---- what the session tells ---------------------------------------------------------------------
static void print_told(Protocol *protocol, Text *text)
{
    say_text(&protocol->out, text);
    text_free(text);
}

static void on_line(void *context, const Game *game, const SearchLine *line)
{
    Protocol *protocol = context;
    Text text = {0};
    write_line(game, line, protocol->session.settings.show_wdl, &text);
    print_told(protocol, &text);
}

static void on_root_move(void *context, const Game *game, int depth, Move move, int number)
{
    Protocol *protocol = context;
    Text text = {0};
    write_root_move(game, depth, move, number, &text);
    print_told(protocol, &text);
}

static void on_known(void *context, const Game *game, const KnownLine *line)
{
    Protocol *protocol = context;
    Text text = {0};
    write_known(game, line, &text);
    print_told(protocol, &text);
}

static void show_counters(Protocol *protocol)
{
    Text text = {0};
    counters_print(&protocol->session.counters, &text);
    Span rest = text_span(&text), line;
    while (span_line(&rest, &line))
        say_info(&protocol->out, "%.*s", (int)line.len, line.ptr);
    text_free(&text);
}

static void on_answer(void *context, const Game *game, const Answer *answer)
{
    Protocol *protocol = context;
    Text text = {0};
    if (atomic_load(&protocol->debug) && answer->result.nodes)
        show_counters(protocol);
    write_answer(game, answer, &text);
    job_answers(protocol);
    print_told(protocol, &text);
}

static void on_note(void *context, const char *text)
{
    Protocol *protocol = context;
    say_info(&protocol->out, "%s", text);
}

// ---- start and end ------------------------------------------------------------------------------
bool protocol_init(Protocol *protocol)
{
    *protocol = (Protocol){0};
    queue_init(&protocol->queue, protocol);
    pthread_mutex_init(&protocol->out.mutex, NULL);
    bool ok = session_init(&protocol->session);
    protocol->session.events = (SessionEvents){.context = protocol,
                                               .line = on_line,
                                               .root_move = on_root_move,
                                               .known = on_known,
                                               .answer = on_answer,
                                               .note = on_note};
    return ok;
}

void protocol_free(Protocol *protocol)
{
    session_free(&protocol->session);
    pthread_mutex_destroy(&protocol->out.mutex);
    queue_free(&protocol->queue);
}

// Does every argument begin with the name of a command? Then each is a command line of its own.
static bool are_lines(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        Span rest = span_of(argv[i]);
        if (!find_command(span_word(&rest), 0))
            return false;
    }
    return true;
}

static bool is_quit(const char *argument) { return span_is(span_trim(span_of(argument)), "quit"); }

static void run_words(Protocol *protocol, int argc, char **argv)
{
    Text line = {0};
    for (int i = 0; i < argc; i++)
        text_add(&line, "%s%s", i ? " " : "", argv[i]);
    Span rest = text_span(&line);
    // Unknown words before a command are a program's way to talk past us; a person's are a mistake.
    if (find_command(span_word(&rest), 0))
        protocol_run_line(protocol, text_span(&line));
    else
        complain(protocol, text_span(&line));
    text_free(&line);
}

// The words of one command, as a person types them (`bench 8`), or a command line in each argument, as
// testing frameworks call (`"setoption name Hash value 8" bench quit`). A `quit` at the end is understood
// either way.
static int run_arguments(Protocol *protocol, int argc, char **argv)
{
    protocol->out.is_command_line = true;
    if (!are_lines(argc, argv))
        run_words(protocol, argc - 1 - (argc > 2 && is_quit(argv[argc - 1])), argv + 1);
    else
        for (int i = 1; i < argc && !is_quit(argv[i]); i++)
            run_words(protocol, 1, argv + i);
    return protocol->out.has_refused ? 2 : atomic_load(&protocol->out.broken) ? 1 : 0;
}

static int serve(Protocol *protocol)
{
    Thread player;
    if (os_is_terminal(0))
        say(&protocol->out,
            "Twofold " TWOFOLD_VERSION " plays " GAME_NAME
            " and speaks %s. Type help for a list of commands, quit to leave.\n"
            "To play: twofold-" GAME_NAME " play, or in the browser twofold-" GAME_NAME
            " serve --open. To have games judged: twofold-" GAME_NAME " analyse FILE.",
            PROTOCOL_WORDS.protocol);
    if (!os_thread_start(&player, queue_run, &protocol->queue)) {
        say_info(&protocol->out, "the system gives no thread to think in");
        return 1;
    }
    read_input(protocol);
    os_thread_join(player);
    return 0;
}

bool protocol_has_command(const char *line)
{
    Span rest = span_of(line);
    return find_command(span_word(&rest), 0) != NULL;
}

int protocol_main(int argc, char **argv, const Peers *peers)
{
    Protocol *protocol = malloc(sizeof *protocol);
    if (!protocol)
        return 1;
    int code = 1;
    bool ready = protocol_init(protocol);
    if (ready && net_embedded_error()[0])
        say_info(&protocol->out, "the built-in network is not used: %s", net_embedded_error());
    if (ready)
        session_set_peers(&protocol->session, peers);
    if (ready)
        code = argc > 1 ? run_arguments(protocol, argc, argv) : serve(protocol);
    else
        say_info(&protocol->out, "no memory to start with");
    protocol_free(protocol);
    free(protocol);
    return code;
}
