// SPDX-License-Identifier: GPL-3.0-or-later
// The table of tabs. A page is there as long as one of its connections listens or asks; when none has for the
// time of grace, the tab is over and its engine is freed.
#include "web/serve_tabs.h"

#include "base/language.h"

void serve_log(const ServeLog *log, const char *format, ...)
{
    Message line;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line.text, sizeof line.text, said(format), arguments);
    va_end(arguments);
    text_disarm(line.text, strlen(line.text), '?');
    log->say(log->context, line.text);
}

// Frees the tab at a place, which the last one takes.
static void free_at(Tabs *tabs, int i)
{
    Tab *tab = tabs->tab[i];
    tabs->tab[i] = tabs->tab[--tabs->nb];
    serve_log(tabs->log, "tab %d is closed (%s), %d open", tab->number, said(tab->reason), tabs->nb);
    tab_free(tab);
}

// Makes room by freeing the tab whose page has been away for the longest time; false when all are there.
static bool make_room(Tabs *tabs, i64 now_ms)
{
    int away = -1;
    for (int i = 0; i < tabs->nb; i++) {
        const Tab *tab = tabs->tab[i];
        if (tab->stream_nb == 0 && (tab->is_over || now_ms - tab->seen_ms >= tabs->yield_ms) &&
            (away < 0 || tab->seen_ms < tabs->tab[away]->seen_ms))
            away = i;
    }
    if (away < 0)
        return false;
    tabs_end(tabs->tab[away], "its page is gone, another needs the place");
    free_at(tabs, away);
    return true;
}

Tab *tabs_open(Tabs *tabs, i64 now_ms, Message *message)
{
    if (tabs->nb == tabs->max && !make_room(tabs, now_ms)) {
        message_set(message,
                    "%d tabs are open, and no more are allowed: close one, or start with more --tabs",
                    tabs->max);
        return NULL;
    }
    Tab *tab = tab_open(&tabs->budget, tabs->wake, tabs->wake_context, message);
    if (!tab)
        return NULL;
    tab->number = ++tabs->opened_nb;
    tab->seen_ms = now_ms;
    tabs->tab[tabs->nb++] = tab;
    serve_log(tabs->log, "tab %d is open, %d in all", tab->number, tabs->nb);
    return tab;
}

Tab *tabs_find(const Tabs *tabs, Span session)
{
    Tab *found = NULL; // all are compared: the time tells nothing of which one it is
    for (int i = 0; i < tabs->nb; i++)
        if (guard_is_secret(session, tabs->tab[i]->id) && !tabs->tab[i]->is_over)
            found = tabs->tab[i];
    return found;
}

void tabs_end(Tab *tab, const char *reason)
{
    if (tab->is_over)
        return;
    tab->is_over = true;
    tab->reason = reason;
    tab_end(tab);
}

void tabs_tick(Tabs *tabs, i64 now_ms)
{
    for (int i = tabs->nb; i-- > 0;) {
        Tab *tab = tabs->tab[i];
        if (tab->stream_nb > 0)
            tab->seen_ms = now_ms;
        else if (now_ms - tab->seen_ms >= tabs->grace_ms)
            tabs_end(tab, "its page is gone");
        if (!tab->is_over && tab_has_ended(tab))
            tabs_end(tab, tab_has_quit(tab) ? "it was told to quit" : "its session ended");
        if (tab->is_over && tab->stream_nb == 0 && tab_has_ended(tab))
            free_at(tabs, i);
    }
}

void tabs_free(Tabs *tabs)
{
    for (int i = 0; i < tabs->nb; i++)
        tabs_end(tabs->tab[i],
                 "the server ends"); // all at the same time, then one after the other is waited for
    while (tabs->nb)
        free_at(tabs, tabs->nb - 1);
}
