// SPDX-License-Identifier: GPL-3.0-or-later
// See counters.h.
#include "protocol/counters.h"

void counters_add(Counters *sum, const Counters *more)
{
#define ADD(name) sum->name += more->name;
    SEARCH_COUNTERS(ADD)
#undef ADD
}

// One row: the count, and its share of what it is a part of.
static void counter_row(Text *out, const char *name, u64 count, const char *of, u64 whole)
{
    text_add(out, "%-22s %14llu", name, (unsigned long long)count);
    if (of && whole)
        text_add(out, "  %5.1f%% of %s", 100.0 * (double)count / (double)whole, of);
    text_add(out, "\n");
}

// The counters that are a part of something else, and of what. All others stand for themselves.
typedef struct Share {
    const char *name, *of;
    size_t offset, rest; // the whole is the sum of both
} Share;
#define SHARE(part, whole)                                 \
    {                                                      \
#part, #whole, offsetof(Counters, whole), SIZE_MAX \
    }
static const Share SHARES[] = {
    SHARE(q_nodes, nodes),
    SHARE(tt_hits, tt_probes),
    SHARE(tt_cutoffs, tt_probes),
    SHARE(beta_cutoffs_first, beta_cutoffs),
    SHARE(null_cutoffs, null_tries),
    SHARE(probcut_cutoffs, probcut_tries),
    SHARE(lmr_researches, lmr),
    SHARE(singular_extensions, singular_tries),
    SHARE(evaluations, nodes),
    SHARE(q_stand_pat, q_nodes),
    SHARE(q_tt_cutoffs, q_nodes),
    SHARE(q_evasions, q_nodes),
    SHARE(q_depth_limit, q_nodes),
    {"see_saved", "exchanges asked for", offsetof(Counters, see_saved), offsetof(Counters, see_calls)},
};
#undef SHARE

// A counter by its place; nothing at SIZE_MAX.
static u64 counter_at(const Counters *counters, size_t offset)
{
    u64 count = 0;
    if (offset != SIZE_MAX)
        memcpy(&count, (const char *)counters + offset, sizeof count);
    return count;
}

static void print_counter(const Counters *counters, const char *name, u64 count, Text *out)
{
    for (size_t i = 0; i < sizeof SHARES / sizeof SHARES[0]; i++) {
        if (strcmp(SHARES[i].name, name) == 0) {
            const u64 whole = counter_at(counters, SHARES[i].offset) + counter_at(counters, SHARES[i].rest);
            counter_row(out, name, count, SHARES[i].of, whole);
            return;
        }
    }
    counter_row(out, name, count, NULL, 0);
}

void counters_print(const Counters *counters, Text *out)
{
#define ROW(name) print_counter(counters, #name, counters->name, out);
    SEARCH_COUNTERS(ROW)
#undef ROW
}

void counters_print_quiescence(const Counters *counters, Text *out)
{
    counter_row(out, "nodes", counters->nodes, NULL, 0);
#define ROW(name)                     \
    if (strncmp(#name, "q_", 2) == 0) \
        print_counter(counters, #name, counters->name, out);
    SEARCH_COUNTERS(ROW)
#undef ROW
}
