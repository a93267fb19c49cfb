// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as a WebAssembly module: a session that speaks JSON lines (json_lines.h) behind a few functions
// a script can call. Lines come in through a buffer of ours and go out through twofold_tell. In a build
// without threads twofold_take returns when all that was asked is answered, and meanwhile twofold_poll asks
// the script whether to stop; in one with threads it returns at once. worker.js and threads.js are the
// scripts. Nothing here is global: the script keeps the door that twofold_open gave it.
#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#include <stdlib.h>

#include "games/words.h"
#include "search/search.h"
#include "web/json_lines.h"

#define IMPORT(name) __attribute__((import_module("env"), import_name(name)))
// Carries a line to whoever asked. With threads it may come from any of them, and the script frees the line.
IMPORT("twofold_tell") void twofold_tell(const char *line, size_t size);
// Without threads only: asks the script, which can't hand over lines while we search in its thread.
enum { POLL_GO_ON, POLL_STOP, POLL_PAUSE };
IMPORT("twofold_poll") int twofold_poll(void);
// Lets the script do other things meanwhile, where it can set a running module aside: lines that came are
// taken by twofold_hear.
IMPORT("twofold_pause") void twofold_pause(void);

typedef struct Door {
    JsonLines *lines;
    char *line; // the line that comes in
    size_t capacity;
    Message message; // why it could not be opened
} Door;

EMSCRIPTEN_KEEPALIVE Door *twofold_open(int hash_mb, int hash_max_mb, int threads_max);
EMSCRIPTEN_KEEPALIVE const char *twofold_error(const Door *door);
EMSCRIPTEN_KEEPALIVE char *twofold_line(Door *door, size_t size);
EMSCRIPTEN_KEEPALIVE bool twofold_take(Door *door, size_t size);
EMSCRIPTEN_KEEPALIVE void twofold_hear(Door *door, size_t size);
EMSCRIPTEN_KEEPALIVE void twofold_free(char *line);
EMSCRIPTEN_KEEPALIVE double twofold_bench(int depth);

static void tell(void *context, Span line)
{
    (void)context;
    if (!os_can(OS_THREADS)) {
        twofold_tell(line.ptr, line.len);
        return;
    }
    char *copy = malloc(line.len + 1); // the script's thread reads it later
    if (copy)
        twofold_tell(memcpy(copy, line.ptr, line.len), line.len);
}

// worker.js keeps the answer to this stop for itself.
static void poll(void *context)
{
    const Door *door = context;
    int wish = twofold_poll();
    if (wish == POLL_PAUSE)
        twofold_pause();
    else if (wish == POLL_STOP)
        json_lines_take(door->lines, span_of("{\"id\":\"~\",\"do\":\"stop\"}"));
}

// A session with a table of so many MB; NULL when there is no memory even for a message.
Door *twofold_open(int hash_mb, int hash_max_mb, int threads_max)
{
    Door *door = calloc(1, sizeof *door);
    if (!door)
        return NULL;
    game_init();
    JsonOwner owner = {.context = door,
                       .tell = tell,
                       .poll = poll,
                       .has_no_thread = !os_can(OS_THREADS),
                       .hash_max_mb = hash_max_mb,
                       .threads_max = threads_max,
                       .hash_mb = hash_mb};
    door->lines = json_lines_open(&owner, &door->message);
    return door;
}

// Why there is no session; an empty text when there is one.
const char *twofold_error(const Door *door) { return door->lines ? "" : door->message.text; }

// Where the script writes a line of so many bytes; NULL when there is no memory for it.
char *twofold_line(Door *door, size_t size)
{
    if (size > door->capacity) {
        char *grown = realloc(door->line, size);
        if (!grown)
            return NULL;
        door->line = grown;
        door->capacity = size;
    }
    return door->line;
}

// Takes the line that was written; false after `quit`.
bool twofold_take(Door *door, size_t size)
{
    bool goes_on = json_lines_take(door->lines, (Span){door->line, size});
    while (!os_can(OS_THREADS) && json_lines_step(door->lines)) {
    }
    return goes_on;
}

// The same while twofold_take is at work: what is short is answered at once, the rest waits for its turn
// there.
void twofold_hear(Door *door, size_t size) { json_lines_take(door->lines, (Span){door->line, size}); }

// A line that twofold_tell has brought and the script has read.
void twofold_free(char *line) { free(line); }

// The nodes of the command `bench` (depth 0: its own), to be compared with those of other builds; -1 when
// there is no memory.
double twofold_bench(int depth)
{
    enum { BENCH_HASH_MB = 16 };
    Message message;
    u64 nodes = 0;
    Rules rules = rules_default();
    Limits limits = {.depth = depth ? depth : PROTOCOL_WORDS.bench_depth};
    game_init();
    Engine *engine = engine_new(BENCH_HASH_MB);
    bool ok = engine && engine_prepare(engine, &message);
    for (int i = 0; ok && PROTOCOL_WORDS.bench[i]; i++) {
        Game game = {0};
        SearchResult result;
        engine_new_game(engine);
        ok = game_set(&game, span_of(PROTOCOL_WORDS.bench[i]), &rules, &message) != SET_REJECTED &&
             search_to_limits(engine, &game, &limits, NULL, &result, &message);
        nodes += ok ? result.nodes : 0;
        game_free(&game);
    }
    engine_free(engine);
    return ok ? (double)nodes : -1;
}
#endif
