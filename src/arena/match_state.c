// SPDX-License-Identifier: GPL-3.0-or-later
// What happened so far in a match, and the file that remembers it. The state is nothing but the sum of its
// games: adding the games of the file in any order gives the same state as playing them did.
#include "arena/match_state.h"

#include <stdlib.h>

bool match_state_init(MatchState *state, const MatchOptions *options, Message *error)
{
    *state = (MatchState){.games = options->games, .start_us = os_now_us()};
    for (int o = 1; o <= match_pairing_nb(options); o++) {
        state->result[o] = malloc((size_t)options->games);
        if (!state->result[o]) {
            match_state_free(state);
            return message_set(error, "out of memory for %lld games", (long long)options->games);
        }
        memset(state->result[o], -1, (size_t)options->games);
    }
    return true;
}

void match_state_free(MatchState *state)
{
    for (int o = 0; o <= PAIRINGS_MAX; o++)
        free(state->result[o]);
    *state = (MatchState){0};
}

static void add_side(SideReport *sum, const SideReport *side)
{
    sum->time_us += side->time_us;
    sum->moves += side->moves;
    sum->depth_sum += side->depth_sum;
    sum->depth_nb += side->depth_nb;
    sum->nodes += side->nodes;
}

static void count_word(MatchState *state, const char *word)
{
    int i = 0;
    while (i < state->word_nb && strcmp(state->word[i].text, word) != 0)
        i++;
    if (i == END_WORDS_MAX)
        return;
    if (i == state->word_nb) {
        span_copy(span_of(word), state->word[i].text, sizeof state->word[i].text);
        state->word_nb++;
    }
    state->word[i].count++;
}

// `other` is the other game of its pair, -1 while that is not played.
static void count_game(Tally *tally, int points, int other)
{
    tally->win += points == 2;
    tally->draw += points == 1;
    tally->loss += points == 0;
    if (other >= 0)
        tally->pair[points + other]++;
}

void match_state_add(MatchState *state, const MatchOptions *options, const GameEntry *entry)
{
    int o = entry->pairing, first, second;
    i8 *result = state->result[o];
    assert(result[entry->game] < 0);
    match_pairing(options, o, &first, &second);
    result[entry->game] = (i8)entry->points;
    int other = result[entry->game ^ 1];
    count_game(&state->tally[0], entry->points, other);
    count_game(&state->tally[o], entry->points, other);
    count_game(&state->total[first], entry->points, other);
    count_game(&state->total[second], 2 - entry->points, other < 0 ? -1 : 2 - other);
    add_side(&state->engine[first].sum, &entry->side[0]);
    add_side(&state->engine[second].sum, &entry->side[1]);
    if (entry->fault_engine >= 0)
        state->engine[entry->fault_engine].faults[entry->fault]++;
    count_word(state, entry->word);
    // Once decided, decided: games that were still being played when it was do not count against it.
    if (options->has_sprt && other >= 0 && state->verdict == SPRT_GOES_ON) {
        state->llr = sprt_llr(&options->sprt, state->tally[o].pair);
        state->verdict = sprt_verdict(&options->sprt, state->llr);
    }
}

i64 match_games_done(const MatchState *state) { return tally_games(&state->tally[0]); }

// ---- the games file -----------------------------------------------------------------------------
// A journal of games. Tabs between fields; the reason is last and may contain anything but line ends.
static void print_side(const SideReport *side, Text *out)
{
    text_add(out, "\t%lld\t%d\t%lld\t%d\t%llu", (long long)side->time_us, side->moves,
             (long long)side->depth_sum, side->depth_nb, (unsigned long long)side->nodes);
}

void match_entry_print(const GameEntry *entry, Text *out)
{
    text_add(out, "game\t%d\t%lld\t%d\t%s\t%d\t%d", entry->pairing, (long long)entry->game, entry->points,
             entry->word, (int)entry->fault, entry->fault_engine);
    for (int i = 0; i < 2; i++)
        print_side(&entry->side[i], out);
    text_add(out, "\t%s", entry->reason);
}

static Span next_field(Span *rest)
{
    const char *tab = rest->len ? memchr(rest->ptr, '\t', rest->len) : NULL;
    Span field = {rest->ptr, tab ? (size_t)(tab - rest->ptr) : rest->len};
    rest->ptr += field.len + (tab != NULL);
    rest->len -= field.len + (tab != NULL);
    return field;
}

static bool next_number(Span *rest, i64 lo, i64 hi, i64 *out)
{
    return span_int(next_field(rest), lo, hi, out);
}

static bool parse_side(Span *rest, SideReport *side)
{
    i64 time_us, moves, depth_sum, depth_nb, nodes;
    if (!next_number(rest, 0, INT64_MAX, &time_us) || !next_number(rest, 0, INT32_MAX, &moves) ||
        !next_number(rest, 0, INT64_MAX, &depth_sum) || !next_number(rest, 0, INT32_MAX, &depth_nb) ||
        !next_number(rest, 0, INT64_MAX, &nodes))
        return false;
    *side = (SideReport){time_us, (int)moves, depth_sum, (int)depth_nb, (u64)nodes};
    return true;
}

bool match_entry_parse(Span line, GameEntry *entry)
{
    i64 pairing, game, points, fault, fault_engine;
    *entry = (GameEntry){0};
    if (!span_is(next_field(&line), "game") || !next_number(&line, 1, PAIRINGS_MAX, &pairing) ||
        !next_number(&line, 0, GAMES_MAX, &game) || !next_number(&line, 0, 2, &points) ||
        !span_copy(next_field(&line), entry->word, sizeof entry->word) ||
        !next_number(&line, 0, FAULT_NB - 1, &fault) ||
        !next_number(&line, -1, ENGINES_MAX - 1, &fault_engine) || !parse_side(&line, &entry->side[0]) ||
        !parse_side(&line, &entry->side[1]))
        return false;
    entry->pairing = (int)pairing;
    entry->game = game;
    entry->points = (int)points;
    entry->fault = (Fault)fault;
    entry->fault_engine = (int)fault_engine;
    span_copy(line, entry->reason, sizeof entry->reason);
    return true;
}

JournalHead match_journal_head(const MatchOptions *options, char conditions[CONDITIONS_MAX])
{
    snprintf(conditions, CONDITIONS_MAX, "match %016llx", (unsigned long long)match_fingerprint(options));
    return (JournalHead){"twofold-" GAME_NAME " match 2, a line for each game", conditions};
}

typedef struct Loading {
    const MatchOptions *options;
    MatchState *state;
    i64 twice_nb; // games that were known
} Loading;

static void load_game(void *context, Span line)
{
    Loading *loading = context;
    const MatchOptions *options = loading->options;
    MatchState *state = loading->state;
    GameEntry entry;
    if (!match_entry_parse(line, &entry) || entry.pairing > match_pairing_nb(options) ||
        entry.game >= state->games || entry.fault_engine >= options->engine_nb)
        return;
    if (state->result[entry.pairing][entry.game] < 0)
        match_state_add(state, options, &entry);
    else
        loading->twice_nb++;
}

static bool is_of_another(const char *path, Message *error)
{
    message_set(error, "'%s' was written by a match with other engines, limits, openings or rules", path);
    return false;
}

bool match_journal_merge(const char *path, const MatchOptions *options, MatchState *state, i64 *twice_nb,
                         Message *error)
{
    char conditions[CONDITIONS_MAX];
    Loading loading = {options, state, 0};
    if (!os_has_file(path))
        return message_set(error, "there is no file '%s' to merge", path);
    JournalFound found =
        journal_read(path, match_journal_head(options, conditions), load_game, &loading, error);
    *twice_nb += loading.twice_nb;
    if (found == JOURNAL_OTHER)
        return is_of_another(path, error);
    return found == JOURNAL_READ || found == JOURNAL_NEW;
}

bool match_journal_open(Journal *journal, const MatchOptions *options, MatchState *state, Message *error)
{
    const char *path = options->games_file;
    char conditions[CONDITIONS_MAX];
    JournalHead head = match_journal_head(options, conditions);
    JournalFound found = journal_read(path, head, load_game, &(Loading){options, state, 0}, error);
    if (found == JOURNAL_FAILED || found == JOURNAL_FOREIGN)
        return false;
    if (found == JOURNAL_OTHER)
        return is_of_another(path, error);
    if (found == JOURNAL_READ && !options->resume)
        return message_set(error, "'%s' exists: --resume goes on with it", path);
    return journal_open(journal, path, head, error);
}
