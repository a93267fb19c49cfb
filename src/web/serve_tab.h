// SPDX-License-Identifier: GPL-3.0-or-later
// What a tab of the browser has on the server: a session that speaks JSON, the requests that wait for it, and
// the last lines it told, numbered, so that a page whose connection broke goes on where it was. A thread of
// its own feeds the session, so that nothing a page asks makes the others wait. Invariant: the sum of what
// all tabs take of the hash and the threads stays within the budget, and the first share of each tab is never
// refused.
#ifndef TWOFOLD_WEB_SERVE_TAB_H
#define TWOFOLD_WEB_SERVE_TAB_H

#include <stdatomic.h>

#include "web/json_lines.h"
#include "web/serve_guard.h"

enum {
    TAB_HASH_MB =
        32, // each tab has so much in any case, and one thread, unless the command line says otherwise
    TAB_THREADS = 1,
};

// What a tab has in any case, its first share.
typedef struct TabShare {
    int hash_mb, threads;
    const OptionList *options; // that give it that, and whatever else the command line has; may be NULL
} TabShare;

// What all tabs share beyond the first share of each.
typedef struct Budget {
    Mutex mutex;
    TabShare share;
    int total_hash_mb, total_threads; // as the command line has it
    int most_hash_mb, most_threads;   // that one tab can have while the others have their first share
    int spare_hash_mb, spare_threads; // guarded by the mutex
} Budget;
// False with a message when the totals are less than the first shares of so many tabs. To be freed in either
// case.
bool budget_init(Budget *budget, const TabShare *share, int hash_mb, int threads, int tab_max,
                 Message *message);
void budget_free(Budget *budget);

// One line that was told, as the page gets it.
typedef struct TabEvent TabEvent;
typedef struct Parcel Parcel;

enum {
    TAB_EVENT_BYTES = 8 << 20, // how much is kept for a page that comes back; the last line in any case
    TAB_EVENT_NB = 8192,
    TAB_INBOX_BYTES = 48 << 20, // how much may wait for the session
    TAB_INBOX_NB = 1024,
};

typedef struct Tab {
    char id[SECRET_TEXT]; // its session, for the page
    int number;           // for people
    Budget *budget;
    int extra_hash_mb, extra_threads; // what it has of the budget; guarded by the budget's mutex
    void (*wake)(void *context);      // there is something to send
    void *wake_context;
    JsonLines *lines;
    Thread thread;

    // The loop's own.
    int stream_nb;      // connections that listen
    i64 seen_ms;        // when the page last showed that it is there
    bool is_over;       // no more requests are taken
    const char *reason; // why

    Mutex mutex;
    Cond changed;
    // Guarded by the mutex from here on.
    Parcel *first_parcel, *last_parcel; // requests, oldest first
    size_t inbox_bytes;
    int inbox_nb;
    bool is_ending;           // the thread is to end
    bool has_quit, has_ended; // the session took a quit; the thread has freed the session
    TabEvent *first_event, *last_event;
    size_t event_bytes;
    int event_nb;
    u64 next_event; // the number of the next line, from 1
} Tab;

// NULL with a message when it can't be had. The thread runs from here on.
Tab *tab_open(Budget *budget, void (*wake)(void *context), void *wake_context, Message *message);
// Hands the session a text of one request a line, which is copied; false when too much waits already.
bool tab_send(Tab *tab, Span lines);
// Adds what was told after the line numbered *after, as an event stream, up to about `most` bytes, and counts
// *after on. True when something was added.
bool tab_events(Tab *tab, u64 *after, size_t most, Text *out);
// Ends whatever runs, soon and in its own thread; harmless a second time.
void tab_end(Tab *tab);
bool tab_has_quit(Tab *tab);
// Has its thread freed the engine? Then tab_free does not wait.
bool tab_has_ended(Tab *tab);
// Ends it, waits for its thread, and gives back its part of the budget.
void tab_free(Tab *tab);

#endif
