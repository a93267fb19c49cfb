// SPDX-License-Identifier: GPL-3.0-or-later
// bench and perft. Bench searches the game's positions to a fixed depth on an engine of its own, so that
// no option of the session changes its count: the node count of `bench` is the signature of the program's
// behaviour.
#include "protocol/bench.h"

#include "protocol/counters.h"
#include "session/options.h"

enum { BENCH_THREADS = 1, BENCH_HASH_MB = 16 };

// ---- perft --------------------------------------------------------------------------------------
// As perft, but asks now and then whether it was stopped.
static u64 perft_count(Position *pos, int depth, const SearchControl *control)
{
    enum { UNWATCHED_DEPTH = 3 };
    if (depth <= UNWATCHED_DEPTH)
        return perft(pos, depth, true);
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    u64 leaf_nb = 0;
    for (Move *move = list; move < end && !control_is_stopped(control); move++) {
        Undo undo;
        pos_make(pos, *move, &undo, NULL);
        leaf_nb += perft_count(pos, depth - 1, control);
        pos_unmake(pos, *move, &undo);
    }
    return leaf_nb;
}

void perft_print(Protocol *protocol, Job *job, const Position *root, int depth)
{
    Position pos = *root;
    u64 total = depth <= 0;
    Move list[MAX_MOVES], *end = depth > 0 ? gen_all(&pos, list) : list;
    if (protocol->session.node_cap) // tests with random commands can't wait for deep counts
        depth = min_int(depth, 1);
    for (Move *move = list; move < end; move++) {
        char text[MOVE_TEXT_MAX];
        Undo undo;
        move_print(&pos, *move, text);
        pos_make(&pos, *move, &undo, NULL);
        u64 count = perft_count(&pos, depth - 1, &job->asked->control);
        pos_unmake(&pos, *move, &undo);
        if (control_is_stopped(&job->asked->control)) {
            say_info(&protocol->out, "perft: stopped before the end");
            break;
        }
        total += count;
        say(&protocol->out, "%s: %llu", text, (unsigned long long)count);
    }
    job_answers(protocol);
    say(&protocol->out, "Nodes searched: %llu", (unsigned long long)total);
}

void command_perft(Protocol *protocol, Job *job, Span arguments)
{
    i64 depth;
    Span text = span_trim(arguments);
    if (span_int(text, 0, 100, &depth))
        perft_print(protocol, job, &protocol->session.game.pos, (int)depth);
    else
        refuse(&protocol->out, "perft: expected a depth from 0 to 100, not '%.*s'",
               text.len > 32 ? 32 : (int)text.len, text.ptr);
}

// ---- bench --------------------------------------------------------------------------------------
typedef struct BenchSum {
    u64 nodes;
    i64 us;
    Counters counters;
} BenchSum;

static bool bench_one(Protocol *protocol, Job *job, Engine *engine, int number, const char *text, int depth,
                      BenchSum *sum)
{
    Game game = {0};
    Message message;
    Rules rules = rules_default();
    Limits limits = {.depth = depth};
    SearchResult result = {0};
    if (game_set(&game, span_of(text), &rules, &message) == SET_REJECTED) {
        refuse(&protocol->out, "bench: position %d: %s", number, message.text);
        return false;
    }
    engine_new_game(engine);
    i64 start_us = os_now_us();
    control_renew(&job->asked->control, &limits);
    bool ok = search_run(engine, &game, &job->asked->control, NULL, &result, &message);
    char move[MOVE_TEXT_MAX];
    move_print(&game.pos, result.best, move);
    game_free(&game);
    if (!ok) {
        refuse(&protocol->out, "bench: %s", message.text);
        return false;
    }
    sum->us += os_now_us() - start_us;
    sum->nodes += result.nodes;
    counters_add(&sum->counters, search_counters(engine));
    say(&protocol->out, "%2d: %10llu nodes, depth %2d, %6d cp, %s", number, (unsigned long long)result.nodes,
        result.depth, result.score, move);
    return result.reason != STOP_COMMAND;
}

void command_bench(Protocol *protocol, Job *job, Span arguments)
{
    i64 value[3] = {PROTOCOL_WORDS.bench_depth, BENCH_THREADS, BENCH_HASH_MB};
    const i64 MAX[3] = {MAX_PLY - 1, THREADS_MAX, HASH_MB_MAX};
    for (int i = 0; i <= 3; i++) {
        Span word = span_word(&arguments);
        if (word.len && (i == 3 || !span_int(word, 1, MAX[i], &value[i]))) {
            refuse(&protocol->out, "bench: expected [depth] [threads] [hash MB], not '%.*s'",
                   word.len > 32 ? 32 : (int)word.len, word.ptr);
            return;
        }
    }
    Message message = {0};
    Engine *engine = engine_new(BENCH_HASH_MB);
    if (!engine || !engine_set_threads(engine, (int)value[1], &message) ||
        !engine_set_hash(engine, (int)value[2], &message)) {
        refuse(&protocol->out, "bench: %s", engine ? message.text : "no memory");
        engine_free(engine);
        return;
    }
    engine_set_net(engine, engine_net(protocol->session.engine));
    BenchSum sum = {0};
    for (int i = 0; PROTOCOL_WORDS.bench[i]; i++)
        if (!bench_one(protocol, job, engine, i + 1, PROTOCOL_WORDS.bench[i],
                       protocol->session.node_cap ? 1 : (int)value[0], &sum))
            break;
    protocol->session.counters = sum.counters;
    Text text = {0};
    counters_print(&sum.counters, &text);
    text_add(&text, "%llu nodes %llu nps\n", (unsigned long long)sum.nodes,
             (unsigned long long)((double)sum.nodes * 1e6 / (double)max_i64(sum.us, 1)));
    job_answers(protocol);
    say_text(&protocol->out, &text);
    text_free(&text);
    engine_free(engine);
}
