// SPDX-License-Identifier: GPL-3.0-or-later
// Where games begin: positions or games of a file, or the balanced openings of the game (OPENING_LINES), in
// an order given by a seed; or random legal moves from the start that a short search finds even. The opening
// of a pair follows from the pair's number alone, so a match can be resumed and repeated.
#ifndef TWOFOLD_ARENA_OPENINGS_H
#define TWOFOLD_ARENA_OPENINGS_H

#include "games/game_state.h"
#include "search/search.h"

enum { OPENING_PLIES_MAX = 256 }; // at most so many are asked for

typedef struct OpeningOptions {
    const char
        *file;   // NULL: the game's own, or random moves (or the bare start position, when random_plies is 0)
    bool is_own; // OPENING_LINES
    const char
        *start; // a kind of start position drawn by lot for each pair (start_random); NULL: the usual one
    bool sequential; // the file's own order
    int plies;       // at most so many plies of a recorded game
    int random_plies;
    int even_cp; // random openings: the search must find no more than this for either side; 0: not asked
    u64 even_nodes;
    u64 seed;
    Rules rules;
} OpeningOptions;

typedef struct Openings {
    OpeningOptions options;
    Text text;      // the file
    size_t *offset; // where each usable opening starts in it
    int count;      // 0: random
    bool is_lines;  // one position a line; else recorded games
    int refused_nb; // what could not be used, and why the first one
    Message refused;
} Openings;

bool openings_load(Openings *openings, const OpeningOptions *options, Message *message);
void openings_free(Openings *openings);
// Sets the game to the opening of a pair (counted from 0), with the moves that lead to it. `judge` is for the
// evenness of random ones; used by one thread at a time.
bool openings_get(const Openings *openings, i64 pair, Engine *judge, Game *game, Message *message);

// Plays random legal moves. False when a side had none, or no memory was left; the last position may be the
// end of the game: whether the moves before it count for that is the caller's question.
bool opening_random(Game *game, int plies, Rng *rng);
// Does the game go on, and does a search of so many nodes find at most that much for either side?
bool opening_is_even(const Game *game, Engine *judge, u64 nodes, int cp);

#endif
