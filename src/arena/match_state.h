// SPDX-License-Identifier: GPL-3.0-or-later
// What happened so far in a match, and the journal that remembers it. Game g of a pairing (match_pairing)
// belongs to its pair g / 2; the first engine of the pairing has side 0 in even games and side 1 in odd ones.
#ifndef TWOFOLD_ARENA_MATCH_STATE_H
#define TWOFOLD_ARENA_MATCH_STATE_H

#include "arena/match_game.h"
#include "arena/match_options.h"
#include "base/journal.h"

enum { END_WORDS_MAX = 24 };

typedef struct EngineTotals {
    SideReport sum;
    i64 faults[FAULT_NB];
    int failed_starts; // in a row
    char id[128];
    char unknown[256]; // settings it did not offer
} EngineTotals;

typedef struct MatchState {
    i64 games;                     // of each pairing
    i8 *result[PAIRINGS_MAX + 1];  // by pairing and game: half points of its first engine, -1 when not played
    Tally tally[PAIRINGS_MAX + 1]; // by pairing, from its first engine's view; [0] is the sum
    Tally total[ENGINES_MAX];      // all games of an engine, from its own view
    EngineTotals engine[ENGINES_MAX];
    struct {
        char text[24];
        i64 count;
    } word[END_WORDS_MAX]; // how games ended
    int word_nb;
    i64 played; // in this run
    i64 start_us;
    double llr;
    SprtVerdict verdict;
} MatchState;

// One finished game, as it is remembered.
typedef struct GameEntry {
    int pairing;
    i64 game;
    int points; // half points of the pairing's first engine
    char word[24];
    Fault fault;
    int fault_engine;   // -1: none
    SideReport side[2]; // the first engine's, the second's
    char reason[256];
} GameEntry;

bool match_state_init(MatchState *state, const MatchOptions *options, Message *error);
void match_state_free(MatchState *state);
// Counts a game; a pair that it completes counts as such and moves the sequential test.
void match_state_add(MatchState *state, const MatchOptions *options, const GameEntry *entry);
i64 match_games_done(const MatchState *state);

// ---- the games file -----------------------------------------------------------------------------
// Append-only, a line for each game, whole or not there at all as far as the reader is concerned.
enum { CONDITIONS_MAX = 32 };
void match_entry_print(const GameEntry *entry, Text *out);
bool match_entry_parse(Span line, GameEntry *entry);
JournalHead match_journal_head(const MatchOptions *options, char conditions[CONDITIONS_MAX]);
// Adds the games of the file to the state, if it is to be resumed, and opens it for more; refuses the file of
// another match.
bool match_journal_open(Journal *journal, const MatchOptions *options, MatchState *state, Message *error);
// Adds the games of another file of the same match, played on another machine or in another part: a game that
// is known already counts once, and *twice_nb counts how often that was. False, the state being as it was,
// for a file of another match or one that is not there.
bool match_journal_merge(const char *path, const MatchOptions *options, MatchState *state, i64 *twice_nb,
                         Message *error);

#endif
