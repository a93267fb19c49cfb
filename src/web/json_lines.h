// SPDX-License-Identifier: GPL-3.0-or-later
// A session that speaks JSON, one object a line: what docs/json.md tells. Standard input (json_command.c),
// HTTP and the browser's worker are owners of this: they bring lines in and carry lines out, and know nothing
// of what is in them. Invariant: every line taken is answered by exactly one line with `ok`, after its
// events.
//
// Threads. With a thread of its own (the usual case) json_lines_take never waits for a search: it answers
// what needs no engine at once and queues the rest, which the session's thread does one after the other.
// Without one (a build that has no threads) the owner calls json_lines_step after take, as long as it answers
// true. Any thread may call take, which lets one in at a time; open, step and close are one owner's.
#ifndef TWOFOLD_JSON_LINES_H
#define TWOFOLD_JSON_LINES_H

#include "base/base.h"
#include "session/options.h"

typedef struct JsonLines JsonLines;

enum {
    JSON_LINE_MAX = 16 << 20, // bytes of a request; longer ones are answered by an error
    JSON_WAITING_MAX = 256,   // requests that may wait; more are answered by `busy`
};

typedef struct JsonOwner {
    void *context;
    // Gets each line as soon as it is made: one JSON object of plain UTF-8, without an end of line. Called in
    // the thread that calls take, step or close and in the session's own, never in two at a time; a lock is
    // held meanwhile, so it must not call functions of this header and should not wait for long. Lines of
    // different requests may be mixed; those of one request come in order, its answer last.
    void (*tell)(void *context, Span line);
    // Only without a thread; may be NULL. Asked every few hundred nodes of whatever runs. It may call
    // json_lines_take with lines that have come meanwhile: a stop among them ends the search.
    void (*poll)(void *context);
    bool has_no_thread;
    // How much the session may take, analyses included: `set` refuses more, and hello tells it. 0: what the
    // options allow.
    int hash_max_mb, threads_max;
    // Asked before the session takes more or less than it has: at open, for the defaults, and at each `set`
    // of hash or threads, with what it would have in all. False with the reason refuses that (at open: the
    // session is not opened). NULL: always granted. An owner of many sessions bounds their sum here. Called
    // in open, in take or in the session's thread; nothing is given back at close: the owner knows.
    bool (*grant)(void *context, int hash_mb, int threads, Message *why);
    int hash_mb; // at the start; 0: the option's default
    // Set at open, whatever the rules above and below say: the owner has looked at them. NULL: none. The
    // session is not opened when one can't be set. Needed during open alone.
    const OptionList *options;
    // May options name files of this machine (network, book, endgame tables)? An owner that strangers can
    // reach says no.
    bool allows_files;
    u64 node_cap; // for tests with random requests: no search goes further; 0: none
} JsonOwner;

// NULL with a message when it can't be opened. The owner is copied; its context must outlive the session.
JsonLines *json_lines_open(const JsonOwner *owner, Message *message);
// Takes one request (an empty line is none). False after `quit`: then only close may follow.
bool json_lines_take(JsonLines *lines, Span line);
// Without a thread: does the next request that waits, to its end. False when none is left.
bool json_lines_step(JsonLines *lines);
// Is nothing running or waiting?
bool json_lines_is_idle(JsonLines *lines);
// No more lines come: waits until all that was asked is answered, and frees everything. Searches without an
// end are stopped; with cut_short everything is, and analyses are given up (they answer with an error).
void json_lines_close(JsonLines *lines, bool cut_short);

#endif
