// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked for when a match is played: programs and their limits, how many games, where they begin, when
// they end early, and which files are read and written. Texts are words of the command line and live as long
// as it does.
#ifndef TWOFOLD_ARENA_MATCH_OPTIONS_H
#define TWOFOLD_ARENA_MATCH_OPTIONS_H

#include "arena/openings.h"
#include "arena/seat_process.h"
#include "arena/sprt.h"
#include "base/cli.h"
#include "base/shard.h"

enum { ENGINES_MAX = 64, PAIRINGS_MAX = ENGINES_MAX * (ENGINES_MAX - 1) / 2, GAMES_MAX = 10000000 };
enum { MERGED_MAX = 256 };

typedef struct MatchOptions {
    SeatSpec engine[ENGINES_MAX]; // the first plays against each of the others
    int engine_nb;
    bool round_robin; // each plays against each
    SeatSpec each;    // what engines named later start from
    SeatCommon common;
    OpeningOptions openings;
    Adjudication adjudication;
    Rules rules;
    i64 games;   // against each opponent
    Shard shard; // of the pairs of games of each pairing
    int concurrency;
    bool restart; // engines are started anew for every game
    bool has_sprt;
    Sprt sprt;
    const char *games_file, *log_file, *json_file, *record_file, *table_file, *html_file, *format, *event,
        *label;
    const char *merged[MERGED_MAX]; // games files of the same match, played elsewhere
    int merged_nb;
    bool report_only; // play nothing
    bool resume, quiet;
    i64 progress_ms; // between lines where the line can't redraw
} MatchOptions;

void match_options_init(MatchOptions *options);
void match_options_free(MatchOptions *options);
// Reads the command line; false when there is nothing to play, *code being the exit code.
bool match_options_read(MatchOptions *options, int argc, char **argv, int *code);
extern const CliCommand MATCH_COMMAND;
// Who plays whom: pairings are numbered from 1 to match_pairing_nb. Of a gauntlet the number is the
// opponent's.
int match_pairing_nb(const MatchOptions *options);
void match_pairing(const MatchOptions *options, int number, int *first, int *second);
// How many games are to be played here, of all pairings.
i64 match_games_wanted(const MatchOptions *options);
// A number that changes with everything that decides which games are played.
u64 match_fingerprint(const MatchOptions *options);

#endif
