// SPDX-License-Identifier: GPL-3.0-or-later
// A tab: its thread takes parcels of requests to the session; the session tells lines from any thread, which
// are kept as events until they are too many or too large. The loop of the server only ever locks for a
// moment.
#include "web/serve_tab.h"

#include <stdlib.h>

struct TabEvent {
    TabEvent *next;
    u64 number;
    size_t len;
    char text[]; // as in the stream: number, line, empty line
};

struct Parcel {
    Parcel *next;
    size_t len;
    char text[];
};

// ---- the budget ---------------------------------------------------------------------------------
bool budget_init(Budget *budget, const TabShare *share, int hash_mb, int threads, int tab_max,
                 Message *message)
{
    i64 least_hash_mb = (i64)tab_max * share->hash_mb, least_threads = (i64)tab_max * share->threads;
    *budget = (Budget){.share = *share, .total_hash_mb = hash_mb, .total_threads = threads};
    pthread_mutex_init(&budget->mutex, NULL);
    if (hash_mb < least_hash_mb)
        return message_set(message, "%d tabs need %lld MB of hash at least: more --hash or fewer --tabs",
                           tab_max, (long long)least_hash_mb);
    if (threads < least_threads)
        return message_set(message, "%d tabs need %lld threads at least: more --threads or fewer --tabs",
                           tab_max, (long long)least_threads);
    budget->spare_hash_mb = hash_mb - (int)least_hash_mb;
    budget->spare_threads = threads - (int)least_threads;
    budget->most_hash_mb = budget->spare_hash_mb + share->hash_mb;
    budget->most_threads = budget->spare_threads + share->threads;
    return true;
}

void budget_free(Budget *budget) { pthread_mutex_destroy(&budget->mutex); }

// What the session asks before it takes more or less.
static bool grant(void *context, int hash_mb, int threads, Message *why)
{
    Tab *tab = context;
    Budget *budget = tab->budget;
    const TabShare *share = &budget->share;
    int extra_hash_mb = max_int(0, hash_mb - share->hash_mb);
    int extra_threads = max_int(0, threads - share->threads);
    pthread_mutex_lock(&budget->mutex);
    int hash_left_mb = budget->spare_hash_mb + tab->extra_hash_mb;
    int threads_left = budget->spare_threads + tab->extra_threads;
    bool ok = extra_hash_mb <= hash_left_mb && extra_threads <= threads_left;
    if (ok) {
        budget->spare_hash_mb = hash_left_mb - extra_hash_mb;
        budget->spare_threads = threads_left - extra_threads;
        tab->extra_hash_mb = extra_hash_mb;
        tab->extra_threads = extra_threads;
    }
    pthread_mutex_unlock(&budget->mutex);
    if (ok)
        return true;
    if (extra_hash_mb > hash_left_mb)
        return message_set(why,
                           "this tab can have %d MB of hash now: all tabs together have %d (serve --hash)",
                           share->hash_mb + hash_left_mb, budget->total_hash_mb);
    return message_set(why, "this tab can have %d thread%s now: all tabs together have %d (serve --threads)",
                       share->threads + threads_left, share->threads + threads_left == 1 ? "" : "s",
                       budget->total_threads);
}

// ---- what the session tells ---------------------------------------------------------------------
static void drop_first_event(Tab *tab)
{
    TabEvent *event = tab->first_event;
    tab->first_event = event->next;
    if (!tab->first_event)
        tab->last_event = NULL;
    tab->event_bytes -= event->len;
    tab->event_nb--;
    free(event);
}

// Keeps the line. Without memory for it the page sees a gap in the numbers, as for lines that were dropped.
static void tell(void *context, Span line)
{
    static const char DATA[] = "\ndata: ", END[] = "\n\n";
    Tab *tab = context;
    char number[32];
    TabEvent *event = malloc(sizeof *event + sizeof number + sizeof DATA + line.len + sizeof END);
    pthread_mutex_lock(&tab->mutex);
    u64 id = tab->next_event++;
    if (event) {
        size_t head = (size_t)snprintf(number, sizeof number, "id: %llu", (unsigned long long)id);
        *event = (TabEvent){.number = id, .len = head + sizeof DATA - 1 + line.len + sizeof END - 1};
        char *at = event->text;
        memcpy(at, number, head);
        memcpy(at += head, DATA, sizeof DATA - 1);
        memcpy(at += sizeof DATA - 1, line.ptr, line.len);
        memcpy(at += line.len, END, sizeof END - 1);
        if (tab->last_event)
            tab->last_event->next = event;
        else
            tab->first_event = event;
        tab->last_event = event;
        tab->event_bytes += event->len;
        tab->event_nb++;
        while (tab->event_nb > 1 && (tab->event_bytes > TAB_EVENT_BYTES || tab->event_nb > TAB_EVENT_NB))
            drop_first_event(tab);
    }
    pthread_mutex_unlock(&tab->mutex);
    tab->wake(tab->wake_context);
}

bool tab_events(Tab *tab, u64 *after, size_t most, Text *out)
{
    size_t before = out->len;
    pthread_mutex_lock(&tab->mutex);
    // A number we never gave comes from a page of another server: it gets what there is.
    if (*after >= tab->next_event)
        *after = 0;
    for (TabEvent *event = tab->first_event; event && out->len - before < most; event = event->next) {
        if (event->number <= *after)
            continue;
        if (event->number > *after + 1) // with the number of the last of them: who has heard it is told once
            text_add(out, "id: %llu\ndata: {\"id\":null,\"event\":\"lost\",\"count\":%llu}\n\n",
                     (unsigned long long)(event->number - 1),
                     (unsigned long long)(event->number - *after - 1));
        text_add_bytes(out, event->text, event->len);
        *after = event->number;
    }
    pthread_mutex_unlock(&tab->mutex);
    return out->len > before;
}

// ---- its thread ---------------------------------------------------------------------------------
// The next parcel; NULL when the tab ends.
static Parcel *next_parcel(Tab *tab)
{
    pthread_mutex_lock(&tab->mutex);
    while (!tab->is_ending && !tab->first_parcel)
        pthread_cond_wait(&tab->changed, &tab->mutex);
    Parcel *parcel = tab->is_ending ? NULL : tab->first_parcel;
    if (parcel) {
        tab->first_parcel = parcel->next;
        if (!tab->first_parcel)
            tab->last_parcel = NULL;
        tab->inbox_bytes -= parcel->len;
        tab->inbox_nb--;
    }
    pthread_mutex_unlock(&tab->mutex);
    return parcel;
}

static void free_parcels(Tab *tab)
{
    for (Parcel *parcel = tab->first_parcel, *next; parcel; parcel = next) {
        next = parcel->next;
        free(parcel);
    }
    tab->first_parcel = tab->last_parcel = NULL;
}

static bool is_ending(Tab *tab)
{
    pthread_mutex_lock(&tab->mutex);
    bool ends = tab->is_ending;
    pthread_mutex_unlock(&tab->mutex);
    return ends;
}

static void *tab_run(void *context)
{
    Tab *tab = context;
    bool goes_on = true;
    for (Parcel *parcel; goes_on && (parcel = next_parcel(tab)); free(parcel)) {
        Span rest = {parcel->text, parcel->len}, line;
        while (goes_on && span_line(&rest, &line) && !is_ending(tab))
            goes_on = json_lines_take(tab->lines, line);
    }
    json_lines_close(tab->lines, true);
    pthread_mutex_lock(&tab->mutex);
    tab->has_quit = !goes_on;
    tab->is_ending = tab->has_ended = true;
    free_parcels(tab);
    pthread_mutex_unlock(&tab->mutex);
    tab->wake(tab->wake_context);
    return NULL;
}

bool tab_send(Tab *tab, Span lines)
{
    Parcel *parcel = malloc(sizeof *parcel + lines.len);
    if (!parcel)
        return false;
    *parcel = (Parcel){.len = lines.len};
    memcpy(parcel->text, lines.ptr, lines.len);
    pthread_mutex_lock(&tab->mutex);
    bool ok =
        !tab->is_ending && tab->inbox_nb < TAB_INBOX_NB && tab->inbox_bytes + lines.len <= TAB_INBOX_BYTES;
    if (ok) {
        if (tab->last_parcel)
            tab->last_parcel->next = parcel;
        else
            tab->first_parcel = parcel;
        tab->last_parcel = parcel;
        tab->inbox_bytes += lines.len;
        tab->inbox_nb++;
        pthread_cond_signal(&tab->changed);
    }
    pthread_mutex_unlock(&tab->mutex);
    if (!ok)
        free(parcel);
    return ok;
}

// ---- opening and ending -------------------------------------------------------------------------
// Frees what is left when nothing runs any more.
static void tab_release(Tab *tab)
{
    Budget *budget = tab->budget;
    pthread_mutex_lock(&budget->mutex);
    budget->spare_hash_mb += tab->extra_hash_mb;
    budget->spare_threads += tab->extra_threads;
    pthread_mutex_unlock(&budget->mutex);
    while (tab->first_event)
        drop_first_event(tab);
    free_parcels(tab);
    pthread_cond_destroy(&tab->changed);
    pthread_mutex_destroy(&tab->mutex);
    free(tab);
}

Tab *tab_open(Budget *budget, void (*wake)(void *context), void *wake_context, Message *message)
{
    Tab *tab = calloc(1, sizeof *tab);
    if (!tab) {
        message_set(message, "there is no memory for another tab");
        return NULL;
    }
    *tab = (Tab){.budget = budget, .wake = wake, .wake_context = wake_context, .next_event = 1};
    pthread_mutex_init(&tab->mutex, NULL);
    os_cond_init(&tab->changed);
    JsonOwner owner = {.context = tab,
                       .tell = tell,
                       .hash_mb = budget->share.hash_mb,
                       .options = budget->share.options,
                       .hash_max_mb = budget->most_hash_mb,
                       .threads_max = budget->most_threads,
                       .grant = grant};
    if (!guard_secret(tab->id, message) || !(tab->lines = json_lines_open(&owner, message))) {
        tab_release(tab);
        return NULL;
    }
    if (!os_thread_start(&tab->thread, tab_run, tab)) {
        message_set(message, "the system gives no thread for another tab");
        json_lines_close(tab->lines, true);
        tab_release(tab);
        return NULL;
    }
    return tab;
}

void tab_end(Tab *tab)
{
    pthread_mutex_lock(&tab->mutex);
    tab->is_ending = true;
    pthread_cond_signal(&tab->changed);
    pthread_mutex_unlock(&tab->mutex);
}

bool tab_has_quit(Tab *tab)
{
    pthread_mutex_lock(&tab->mutex);
    bool has = tab->has_quit;
    pthread_mutex_unlock(&tab->mutex);
    return has;
}

bool tab_has_ended(Tab *tab)
{
    pthread_mutex_lock(&tab->mutex);
    bool has = tab->has_ended;
    pthread_mutex_unlock(&tab->mutex);
    return has;
}

void tab_free(Tab *tab)
{
    tab_end(tab);
    os_thread_join(tab->thread);
    tab_release(tab);
}
