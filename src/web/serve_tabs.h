// SPDX-License-Identifier: GPL-3.0-or-later
// All tabs of a server: found by their session, ended when their page is gone, freed when nothing of them is
// in use. Only the loop of the server calls this. Invariant: there are never more engines than tabs are
// allowed.
#ifndef TWOFOLD_WEB_SERVE_TABS_H
#define TWOFOLD_WEB_SERVE_TABS_H

#include "web/serve_tab.h"

enum { TABS_MAX = 64 };

// Where the lines for whoever started the server go.
typedef struct ServeLog {
    void *context;
    void (*say)(void *context, const char *line);
} ServeLog;
void serve_log(const ServeLog *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct Tabs {
    Tab *tab[TABS_MAX];
    int nb, max;
    int opened_nb;
    int grace_ms; // how long a page may be away: a reload, a connection that breaks
    int yield_ms; // how long at least, when its place is needed
    Budget budget;
    const ServeLog *log;
    void (*wake)(void *context);
    void *wake_context;
} Tabs;

// A new tab; NULL with a message when there are too many, or the system has not enough for it. The place of
// one whose page is away is taken.
Tab *tabs_open(Tabs *tabs, i64 now_ms, Message *message);
// The tab of a session; NULL when there is none, or it is over.
Tab *tabs_find(const Tabs *tabs, Span session);
// Ends a tab; it is freed when its thread has ended and nobody listens any more. `reason` stays.
void tabs_end(Tab *tab, const char *reason);
// Ends those whose page is gone, frees those that have ended.
void tabs_tick(Tabs *tabs, i64 now_ms);
// Ends and frees all of them.
void tabs_free(Tabs *tabs);

#endif
